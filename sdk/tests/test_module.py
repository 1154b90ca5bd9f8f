"""`import heldout as sdk`, interrupted runs, and the command line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import heldout as sdk
from heldout import _commands, cli
from heldout.runs import open_run
from sdk.tests.scripted import Scripted, problem_document


@pytest.fixture
def default(service: Scripted, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """The module's functions and the commands speak to the scripted service."""
    client = service.client()
    monkeypatch.setattr(sdk, "default_client", lambda: client)
    monkeypatch.setattr(_commands, "Client", service.client)
    return service


def test_the_line_of_the_readme_works(default: Scripted) -> None:
    assert len([problem.id for problem in sdk.get_problems(split="test")]) == 45


def test_every_name_is_there_and_every_method_has_a_function_and_a_twin(default: Scripted) -> None:
    assert all(hasattr(sdk, name) for name in sdk.__all__)
    methods = {name for name in vars(sdk.Client) if not name.startswith("_")} - {"close"}
    assert methods == {name for name in vars(sdk.AsyncClient) if not name.startswith("_")} - {"close"}
    # Keys, members, owners' decisions and runs that the service plays need a client of their own, not the default one.
    people = {"organisation", "invite", "withdraw_invitation", "change_member", "remove_member"}
    owners = {"access", "decide_access", "packs", "owned", "dispute", "disputes", "keys"}
    played = {"endpoints", "containers", "matches"}
    assert methods - {"login", "revoke_key", "delete_account"} - people - owners - played - {"notice"} <= set(
        sdk.__all__
    )
    made = sdk.submit({"prb_1": "A"}, model="m", split="test")
    assert sdk.submission(made.id).id == made.id
    assert [row.id for row in sdk.submissions()] == [made.id]
    assert sdk.me().user == "Ann"
    assert sdk.benchmark().card == "# Demo"
    assert [row.slug for row in sdk.benchmarks()] == ["demo"]
    assert next(iter(sdk.leaderboard())).model.name == "m1 [b]"


def test_the_default_client_follows_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELDOUT_API_KEY", "hk_1")
    first = sdk.default_client()
    assert sdk.default_client() is first
    assert first.config.base_url == "http://127.0.0.1:8080"
    monkeypatch.setenv("HELDOUT_BENCHMARK", "demo")
    assert sdk.default_client().config.benchmark == "demo"
    sdk.configure(base_url="https://service.test/")
    try:
        assert sdk.default_client().config.base_url == "https://service.test"
    finally:
        sdk.configure()


def test_an_interrupted_run_goes_on(service: Scripted, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    run = open_run(service.client(), path, model="m@1", split="test")
    for number, problem in enumerate(run.remaining()):
        if number == 30:
            break
        run.answer(problem, "A", usage={"tokens": number})
    with path.open("ab") as file:
        file.write(b'{"problem": "prb_30", "ans')
    again = open_run(service.client(), path, model="m@1", split="test")
    left = [problem.id for problem in again.remaining()]
    assert left == [f"prb_{n}" for n in range(30, 45)]
    for identifier in left:
        again.answer(identifier, "B")
    with pytest.raises(sdk.Conflict, match="answered"):
        again.answer("prb_3", "C")
    first, second = again.submit(), open_run(service.client(), path, model="m@1", split="test").submit()
    assert first.id == second.id
    assert first.received == 45
    assert len(service.submissions) == 1


def test_a_run_belongs_to_one_model_and_split(service: Scripted, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    open_run(service.client(), path, model="m", split="test")
    before = path.read_bytes()
    for model, split in (("other", "test"), ("m", "dev")):
        with pytest.raises(sdk.Conflict, match="another file"):
            open_run(service.client(), path, model=model, split=split)
    assert path.read_bytes() == before
    path.write_text("something of mine\n")
    with pytest.raises(sdk.Conflict, match="not the file of a run"):
        open_run(service.client(), path, model="m", split="test")
    assert path.read_text() == "something of mine\n"


def test_the_commands(default: Scripted, tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        done = CliRunner().invoke(_commands.app, list(arguments))
        assert done.exit_code == 0, done.output
        return done.output

    assert "demo" in run("benchmarks")
    assert "Ann of lab" in run("whoami")
    board = run("leaderboard")
    assert [word for word in board.splitlines()[1].split() if word.isalpha()] == ["rank", "model", "score"]
    assert "m1 [b]" in board
    assert "0.900" in board
    file = tmp_path / "problems.jsonl"
    assert "45 problems" in run("problems", "--out", str(file))
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(rows) == 45
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps({"problem": row["id"], "answer": "A", "note": 1}) + "\n" for row in rows))
    assert "graded" in run("submit", str(answers), "--model", "m@2", "--key", "k1")
    assert "sub_1" in run("submit", str(answers), "--model", "m@2", "--key", "k1", "--no-wait")
    assert "0.500" in run("status", "sub_1")
    assert "sub_1" in run("status")
    assert json.loads(run("leaderboard", "--json").splitlines()[0])["rank"] == 1
    assert "Question 0?" in run("problems", "--limit", "3")


def test_bad_files_are_told_with_their_line(default: Scripted, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"problem": "p", "answer": "A"}\nnot json\n')
    done = CliRunner().invoke(_commands.app, ["submit", str(answers), "--model", "m"])
    assert done.exit_code == 2
    assert ":2:" in " ".join(done.output.replace("\n", "").split()).replace("│", "").replace(" ", "")
    assert [request.url.path for request in default.requests] == ["/v1/limits"], "nothing is sent"


def test_errors_are_one_line_and_no_traceback(
    default: Scripted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    default.first("GET", "/v1/me", problem_document(403, "forbidden", "the key has not the scope [x]"))
    monkeypatch.setattr("sys.argv", ["heldout", "whoami"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    told = " ".join(capsys.readouterr().err.split())
    assert "PermissionDenied: the key has not the scope [x]" in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    "command",
    [
        ["problems", "--split", "test", "--out", "{}/file/x.jsonl"],
        ["problems", "--split", "test", "--out", "{}/nope/x.jsonl"],
        ["run", "-m", "m", "-b", "demo", "--command", "true", "--out", "{}/file"],
        ["run", "-m", "m", "-b", "demo", "--command", "true", "--out", "{}/file/below"],
        ["run", "-m", "m", "-b", "demo", "--command", "true", "--out", "/proc/nope"],
    ],
)
def test_a_place_that_cannot_be_written_is_said_before_anything_is_asked(
    default: Scripted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: list[str]
) -> None:
    monkeypatch.setattr("heldout._run_command.Client", default.client)
    (tmp_path / "file").write_text("mine")
    done = CliRunner().invoke(_commands.app, [part.format(tmp_path) for part in command])
    assert done.exit_code == 2, done.output
    assert isinstance(done.exception, SystemExit), done.exception
    assert "--out" in done.output
    assert default.requests == []
