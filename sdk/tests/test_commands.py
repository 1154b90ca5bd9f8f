"""Commands as they are typed, over a scripted service: their forms, and what is said where they go wrong."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from heldout import NotFound, _commands, _config, _failures, cli
from sdk.tests.scripted import QUICK, Scripted, problem_document

ANSWERS = '{"problem": "prb_0", "answer": "A"}\n{"problem": "prb_1", "answer": "B"}\n'
Type = Callable[..., tuple[int, str, str]]


@pytest.fixture
def scripted(service: Scripted, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    monkeypatch.setattr(_commands, "Client", lambda: service.client(retries=QUICK))
    return service


@pytest.fixture
def type_(scripted: Scripted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Type:
    """Run the program itself: exit code, standard output, standard error in one line."""

    def typed(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["heldout", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, said.out, said.err

    return typed


def submitted(file: str, *more: str, text: str | None = None) -> Result:
    done = CliRunner().invoke(_commands.app, ["submit", file, "-m", "m", "--no-wait", *more], input=text)
    assert done.exit_code == 0, done.output
    return done


def test_the_version_is_printed_and_nothing_is_asked(scripted: Scripted, type_: Type) -> None:
    assert type_("--version") == (0, f"heldout {_config.package_version()}\n", "")
    assert scripted.requests == []


def test_answers_come_from_standard_input(scripted: Scripted) -> None:
    assert "sub_1: 2 of 45 problems answered" in submitted("-", text=ANSWERS).output
    (sent,) = scripted.sent("POST", "/v1/submissions")
    assert [item["answer"] for item in json.loads(sent.content)["items"]] == ["A", "B"]
    done = CliRunner().invoke(_commands.app, ["submit", "-", "-m", "m"], input="A\n")
    assert done.exit_code == 2
    assert "standard input:1:" in done.output


def test_the_same_file_is_the_same_submission_unless_it_is_to_be_another(scripted: Scripted, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(ANSWERS)
    assert "already" not in submitted(str(file)).output
    again = submitted(str(file)).output
    assert "sub_1 has these answers already, nothing was sent anew: --again does" in again
    copy = tmp_path / "copy.json"
    copy.write_text('{"prb_0": "A", "prb_1": "B"}')
    assert "sub_1 has" in submitted(str(copy)).output, "it is the answers that are the same"
    for more in (["--again"], ["-s", "dev"], ["--organisation", "lab"]):
        assert "already" not in submitted(str(file), *more).output
    file.write_text(ANSWERS.replace('"B"', '"A"'))
    assert "already" not in submitted(str(file)).output
    assert len(scripted.submissions) == 5


def test_a_leaderboard_as_csv_has_its_columns_and_all_its_rows(type_: Type) -> None:
    code, printed, _ = type_("leaderboard", "--csv")
    rows = list(csv.reader(printed.splitlines()))
    assert (code, rows) == (0, [["rank", "model", "hidden"], ["1", "m1 [b]", ""], ["2", "m2 [b]", ""]])


def test_an_error_is_a_line_of_json_where_that_was_asked_for(scripted: Scripted, type_: Type) -> None:
    scripted.first("GET", "/v1/me", problem_document(401, "unauthenticated", "this key is not known"))
    code, printed, said = type_("whoami", "--json")
    assert (code, printed) == (1, "")
    error = json.loads(said)["error"]
    assert {name: error[name] for name in ("type", "detail", "exit_code", "code", "status", "request_id")} == {
        "type": "AuthenticationError",
        "detail": "this key is not known",
        "exit_code": 1,
        "code": "unauthenticated",
        "status": 401,
        "request_id": "req_1",
    }
    assert "heldout login" in error["advice"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["status", "--jsn", "--json"], "--jsn"),
        (["submit", "--json"], "'file'"),
        (["submit", "/nowhere/answers.jsonl", "-m", "m", "--json"], "No such file"),
        (["run", "-m", "m", "-b", "b", "--command", "no-such-program", "--json"], "no program no-such-program"),
        (["run", "-m", "m", "-b", "b", "--command", "true", "--limit", "0", "--json"], "--limit"),
        (["nothing", "--json"], "nothing"),
    ],
)
def test_wrong_usage_is_a_line_of_json_too(scripted: Scripted, type_: Type, arguments: list[str], words: str) -> None:
    code, printed, said = type_(*arguments)
    assert (code, printed) == (2, "")
    error = json.loads(said)["error"]
    assert (error["type"], error["exit_code"]) == ("Usage", 2)
    assert words in error["detail"]
    assert scripted.sent("POST", "/v1/submissions") == []


def test_a_program_that_is_missing_is_wrong_usage_and_nothing_is_opened(scripted: Scripted, type_: Type) -> None:
    code, _, said = type_("run", "-m", "m", "-b", "demo", "--command", "no-such-program --x")
    assert code == 2
    assert "no program no-such-program here" in " ".join(said.replace("│", " ").split())
    assert scripted.requests == []


@pytest.mark.parametrize(
    ("arguments", "path", "code", "words"),
    [
        (
            ["problems", "-b", "dmo"],
            "/v1/benchmarks/dmo/problems",
            "no_such_benchmark",
            ["no benchmark 'dmo' here", "did you mean demo? There are: demo"],
        ),
        (
            ["problems", "-s", "tst"],
            "/v1/benchmarks/demo/problems",
            "no_such_split",
            ["demo has no split 'tst'", "did you mean test? There are: test"],
        ),
        (
            ["leaderboard", "-s", "xyz"],
            "/v1/benchmarks/demo/leaderboard",
            "no_such_split",
            ["demo has no split 'xyz'", "What to do: There are: test"],
        ),
    ],
)
def test_an_unknown_name_is_answered_with_those_there_are(
    scripted: Scripted, type_: Type, arguments: list[str], path: str, code: str, words: list[str]
) -> None:
    scripted.first("GET", path, problem_document(404, code))
    ended, _, said = type_(*arguments)
    assert ended == 1
    assert [word for word in words if word not in said] == []


def test_a_request_that_is_sent_again_is_said_and_not_with_each_try(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Clock:
        now = 100.0

        def monotonic(self) -> float:
            return self.now

    clock = Clock()
    monkeypatch.setattr(_failures, "time", clock)
    retrying = _failures.Retrying()
    for _ in range(25):
        retrying("no answer from https://service.test", 1.0)
        clock.now += 1.0
    retrying("the service answered 503", 20.4)
    said = capsys.readouterr().err.splitlines()
    assert said == ["no answer from https://service.test; trying again"] * 3 + [
        "the service answered 503; trying again in 20 s"
    ]


@pytest.mark.parametrize(
    ("url", "warned"),
    [
        ("http://127.0.0.1:9", True),
        ("http://127.0.0.1:9/", True),
        ("http://127.0.0.1:9/chat/completions", True),
        ("http://127.0.0.1:9/v1", False),
    ],
)
def test_an_endpoint_without_a_path_is_a_warning(
    scripted: Scripted, type_: Type, monkeypatch: pytest.MonkeyPatch, url: str, warned: bool
) -> None:
    monkeypatch.setattr("heldout._run_command.Client", lambda: scripted.client(retries=QUICK))
    scripted.first("GET", "/v1/limits", problem_document(404, "not_found"))
    code, _, said = type_("run", "-m", "m", "-b", "demo", "--chat", "m", "--url", url)
    assert code == 1
    assert ("has no path, and most endpoints are at http://127.0.0.1:9/v1" in said) is warned
    assert NotFound.__name__ in said
