"""What a stranger does wrong, and what is said of it; pictures; the endpoint's own words. Without a service."""

import io
import json
import math
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import JsonValue
from rich.console import Console
from typer.testing import CliRunner

from heldout import AuthenticationError, Client, Image, Invalid, Observation, Problem
from heldout._answered import in_words
from heldout._answers_file import AnswersFileError, read_answers
from heldout._commands import app
from heldout._items import items_of
from heldout._outcomes import lines, show
from heldout._tables import leaderboard_table, listing
from heldout._tables import show as show_table
from heldout.client import Submission
from heldout.evaluation import Budget, ChatModel, Command, ContextLimitError, EndpointError, Outcome, Task
from heldout.evaluation.agents import content, pictures_of
from heldout.evaluation.budget import dollars
from heldout.models import Column, Entry, SubmissionStatus
from sdk.tests.scripted import QUICK, Scripted, _entry

PNG = b"\x89PNG\r\n\x1a\nrest"
GOOD = '{"problem": "p1", "answer": "A"}'


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (b"", ["no answers"]),
        (b"\n\n", ["no answers"]),
        (b'{"problem": "p1", "answer": NaN}', [":1:", "NaN"]),
        (b'{"problem": "p1", "answer": 5}', [":1:", "p1", "number", '"5"']),
        (b'{"problem": "p1", "answer": ["A"]}', [":1:", "p1", "text"]),
        (b'{"problem": "p1"}', [":1:", "p1", "answer"]),
        (b'{"problem": "p1", "answer": null}', [":1:", "p1", "answer"]),
        (f"{GOOD}\n{GOOD}".encode(), [":2:", "p1", "line 1"]),
        (f'{GOOD}\n{{"problem": "é", "answer": "é"}}'.encode("latin-1"), [":2:", "UTF-8", "Latin-1"]),
        (GOOD.encode("utf-16"), ["UTF-16", "UTF-8"]),
        (f'{{"problem": "p1", "answer": "{"x" * 21}"}}'.encode(), [":1:", "p1", "21", "20"]),
        (b"[1]", [":item 1:", "problem"]),
        (f"[{GOOD}, {GOOD}]".encode(), [":item 2:", "p1", "in item 1 already"]),
        (b'{"p1": 5}', [":item 1:", "p1", "number", '"5"']),
        (b'{"answer": "A"}', [":1:", "'problem'"]),
        (b"{", [":1:", "not JSON"]),
        (b'{"p1": "A", "p1": "B"}', [":1:", "p1 is there twice"]),
        (b'{\n"p1": "A",\n"p1": "B"\n}', ["p1 is there twice"]),
        (b'[{"problem": "p1", "answer": "A", "answer": "B"}]', ["answer is there twice"]),
        (f'{GOOD}\n{{"problem": "p2", "answer": "A", "answer": "B"}}'.encode(), [":2:", "answer is there twice"]),
        (b'{"problem": "p1", "answer": "A", "usage": {"tokens": -5}}', [":1:", "p1", "usage.tokens: -5 is below 0"]),
        (f"5\n{GOOD}\nno".encode(), [":1:", ":3: not JSON", "2 faults in all; nothing was sent"]),
        (b"no\n" * 50, [":1:", ":20:", "50 faults in all, of which the first 20 are shown"]),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(tmp_path: Path, written: bytes, words: list[str]) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(written)
    with pytest.raises(AnswersFileError) as caught:
        read_answers(file, 20)
    assert all(word in str(caught.value) for word in [*words, str(file)])


def test_a_byte_order_mark_and_empty_lines_are_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + f"{GOOD}\r\n\r\n".encode())
    assert read_answers(file, 20) == [{"problem": "p1", "answer": "A"}]


@pytest.mark.parametrize("written", [f"[{GOOD}]", '{"p1": "A"}', '{\n "problem": "p1",\n "answer": "A"\n}'])
def test_one_array_or_object_is_a_file_of_answers_too(tmp_path: Path, written: str) -> None:
    file = tmp_path / "answers.json"
    file.write_text(written)
    assert read_answers(file, 20) == [{"problem": "p1", "answer": "A"}]


def test_what_no_service_stores_is_replaced_and_said(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"problem": "p1", "answer": "a\\u0000b\\ud800"}\n{"problem": "p2", "answer": "é\\ud83d\\ude00"}')
    read = read_answers(file, 20)
    assert [item["answer"] for item in read] == ["a\ufffdb\ufffd", "é😀"]
    assert read.replaced == ["p1"]
    with pytest.warns(UserWarning, match="answers to p1 are sent as U"):
        (item, _) = items_of({"p1": "a\0b\ud800", "p2": "fine"})
    assert item.answer == "a\ufffdb\ufffd"


@pytest.mark.parametrize("answers", [{"p1": "A", "p2": 3}, {"p2": math.nan}, {"p2": None}, [{"problem": "p2"}]])
def test_an_answer_that_is_no_text_is_refused_with_its_problem(answers: Any) -> None:
    service = Scripted()
    with service.client() as client, pytest.raises(Invalid, match="the answer to p2 cannot be sent") as caught:
        client.submit(answers, model="m", split="dev")
    assert (caught.value.problems, service.requests) == (["p2"], [])


async def test_no_answers_are_no_submission_unless_it_stays_open() -> None:
    service = Scripted()
    with service.client() as client:
        with pytest.raises(Invalid, match="there are no answers to submit"):
            client.submit({}, model="m", split="dev")
        assert service.requests == []
        assert client.submit({}, model="m", split="dev", finalize=False).state == "open"
    async with service.async_client() as other:
        with pytest.raises(Invalid, match="there are no answers to submit"):
            await other.submit([], model="m", split="dev")


def test_a_listing_says_how_it_is_counted_and_a_model_hides_its_key() -> None:
    with Scripted().client() as client:
        listing = client.get_problems("dev")
        assert listing[1].id == listing.first(2)[1].id
        assert repr(listing) == "<Listing, 20 fetched and perhaps more>"
        with pytest.raises(TypeError, match=r"len\(listing.all\(\)\)"):
            len(listing)
        with pytest.raises(TypeError, match=r"listing.first\(n\)"):
            listing[-1]
        assert len(listing.all()) == len(list(listing)) == len(listing) == 45
        assert listing
        with pytest.raises(IndexError):
            listing[45]
    assert repr(ChatModel("m", url="https://models.test/v1", key="secret")) == "<ChatModel m at https://models.test/v1>"


def _partly(items: Any, **more: Any) -> SubmissionStatus:
    usual = {"id": "sub_1", "benchmark": "b", "split": "dev", "state": "graded", "model": {"name": "m"}}
    return SubmissionStatus.model_validate(
        usual | {"received": 5, "expected": 18, "score": 0.029, "items": items} | more
    )


def test_the_score_of_what_was_asked_stands_beside_the_score_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    items = [{"problem": f"p{n}", "score": float(n == 1)} for n in range(5)]
    assert in_words(_partly(items)) == (
        "5 of 18 problems were answered: the mean score of these is 0.200; "
        "the score of all counts the others as not solved"
    )
    assert "(1 not decided yet)" in in_words(_partly([*items[:4], {"problem": "p4"}]))
    assert "this split tells nothing of single problems" in in_words(_partly(None))
    assert in_words(_partly(items, received=18)) == in_words(_partly(None, state="open")) == ""
    outcome = Outcome("m", "b-dev-limit-5", Path("r"), 5, 5, Submission._bind(Scripted().client(), _partly(items)))
    show([outcome])
    shown = capsys.readouterr().out
    assert [word for word in ("asked", "0.200", "all", "0.029") if word not in shown] == []
    lines([outcome])
    assert json.loads(capsys.readouterr().out)["asked"] == {
        "answered": 5,
        "expected": 18,
        "decided": 5,
        "score_of_answered": 0.2,
        "score_of_all": 0.029,
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["problems", "--limit", "-1"], "greater than or equal to 1"),
        (["leaderboard", "--limit", "0"], "greater than or equal to 1"),
        (["leaderboard", "--csv", "--json"], "give either --csv or --json"),
        (["agree", "--name", "Ada"], "give --yes"),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    service = Scripted()
    about = {"slug": "demo", "title": "D", "version": "1", "agreement": {"text": "Train on nothing."}}
    service.first("GET", "/v1/benchmarks/demo", lambda _: httpx2.Response(200, json=about))
    monkeypatch.setattr("heldout._commands.Client", service.client)
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert words in " ".join(re.sub("[\u2500-\u257f]", " ", done.output).split())
    assert not any(request.method == "POST" for request in service.requests)


def test_what_a_command_prints_that_is_not_utf8_is_replaced_and_said() -> None:
    command = Command([sys.executable, "-c", r"import sys; sys.stdout.buffer.write(b'caf\xe9\nANSWER: B')"])
    with pytest.warns(UserWarning, match="bytes that are not UTF-8"):
        assert command(Task("p", problem=problem())).answer == "caf\ufffd\nANSWER: B"


def test_a_submission_that_failed_whole_is_named_with_what_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    failed = Counter({"agent_error": 5})
    submission = Submission._bind(Scripted().client(), _partly(None, state="open"))
    show([Outcome("m", "b-dev", Path("r"), 5, 5, submission, failed)])
    assert "heldout finalize sub_1 ends it" in capsys.readouterr().out


def model(reply: httpx2.Response, seen: list[Any] | None = None) -> ChatModel:
    def answer(request: httpx2.Request) -> httpx2.Response:
        if seen is not None:
            seen.append(json.loads(request.content))
        return reply

    transport = httpx2.MockTransport(answer)
    return ChatModel("m", url="https://models.test/v1", retries=QUICK, transport=transport, sleep=lambda _: None)


def problem(**more: Any) -> Problem:
    return Problem(id="p", benchmark="b", split="s", type="t", subject="u", statement="What is shown?", **more)


@pytest.mark.parametrize(
    ("status", "message", "kind", "passing"),
    [
        (401, "Incorrect API key provided", EndpointError, True),
        (503, "overloaded", EndpointError, True),
        (400, "temperature must be at most 2", EndpointError, False),
        (400, "This model's maximum context length is 8192 tokens", ContextLimitError, False),
    ],
)
def test_the_endpoint_is_quoted(status: int, message: str, kind: type[EndpointError], passing: bool) -> None:
    reply = httpx2.Response(status, json={"error": {"message": message, "type": "x"}})
    with pytest.raises(EndpointError) as caught:
        model(reply)(Task("p", problem=problem()))
    assert type(caught.value) is kind
    assert caught.value.passing is passing
    assert message in caught.value.detail
    assert "https://models.test/v1" in caught.value.detail


def test_pictures_of_a_question_reach_the_model() -> None:
    asked: list[Any] = []
    reply = httpx2.Response(200, json={"choices": [{"message": {"role": "assistant", "content": "A"}}]})
    task = Task("p", problem=problem(images=(Image(url="/v1/i/1.png"),)), fetch=lambda image: PNG)
    model(reply, asked)(task)
    text, picture = asked[0]["messages"][0]["content"]
    assert "What is shown?" in text["text"]
    assert picture["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


def test_a_picture_of_an_unknown_kind_is_told_and_a_text_stays_text() -> None:
    assert content("a", []) == "a"
    assert "1 picture(s)" in str(content("a", [b"<svg/>"]))
    observation = Observation(text="a page", images={"screenshot": "iVBORw0KGgpyZXN0"})
    assert pictures_of(observation) == [PNG]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--command", "true", "--temperature", "1"], "--chat"),
        (["--chat", "m"], "--url"),
        (["--chat", "m", "--url", "http://x", "--extra-body", "["], "--extra-body"),
        (["--command", "no-such-program --x"], "no program no-such-program"),
        (["--command", "echo 'A"], "No closing quotation"),
        (["--command", ""], "no program ''"),
        (["--suite", "s", "--limit", "3"], "--benchmark or --suite"),
    ],
)
def test_options_that_do_not_go_together(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["run", "-m", "m", "-b", "b", *arguments])
    assert result.exit_code == 2
    assert words in result.output


@pytest.mark.parametrize(
    ("amount", "said"), [(0, "$0.00"), (0.00112, "$0.0011"), (0.25, "$0.25"), (0.3, "$0.30"), (1234.5, "$1,234.50")]
)
def test_costs_below_a_cent_are_told(amount: float, said: str) -> None:
    assert dollars(amount) == said
    assert Budget(cost=0.001).over(0, 0.00112, 0, 0) == "$0.0011 of $0.001 are spent"


def test_a_page_in_the_place_of_a_reply_is_told_as_such() -> None:
    asked = model(httpx2.Response(502, html="<html><h1>Bad Gateway</h1></html>"))
    with pytest.raises(EndpointError, match=r"answered 502: nothing that says why \(status 502, text/html") as caught:
        asked(Task("p", problem=problem()))
    assert "<h1>Bad Gateway</h1>" in caught.value.detail


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (
            httpx2.Response(200, html=f"<html>Welcome to the lab{'.' * 500}</html>"),
            ["no JSON", "text/html", "Welcome to the"],
        ),
        (httpx2.Response(200, text=""), ["no JSON", "an empty body"]),
        (httpx2.Response(200, json={"error": "no such model"}), ["KeyError: 'choices'", '{"error":"no such model"}']),
        (httpx2.Response(200, json=[1]), ["no reply of this protocol", "beginning with: [1]"]),
    ],
)
def test_what_is_no_reply_is_shown(reply: httpx2.Response, words: list[str]) -> None:
    with pytest.raises(EndpointError) as caught:
        model(reply)(Task("p", problem=problem()))
    assert [word for word in ["status 200", *words] if word not in caught.value.detail] == []
    assert len(caught.value.detail) < 400


@pytest.mark.parametrize(
    "url", ["https://models.test/v1/chat/completions", "https://models.test/v1/", "https://models.test/v1"]
)
def test_the_whole_address_of_an_endpoint_is_taken_too(url: str) -> None:
    asked: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(200, json={"choices": [{"message": {"role": "assistant", "content": "A"}}]})

    ChatModel("m", url=url, transport=httpx2.MockTransport(answer))(Task("p", problem=problem()))
    assert str(asked[0].url) == "https://models.test/v1/chat/completions"


def test_ids_are_whole_at_eighty_columns() -> None:
    names = ("id", "benchmark", "split", "model", "state", "score")
    cells = (
        "sub_01a2020eaf5c7e3fa0b1c2d3e4f5a6b7c8",
        "a-benchmark-of-some-length",
        "test",
        "a [b] model",
        "graded",
        "0.1",
    )
    for width in (80, 200):
        console = Console(width=width, record=True, file=io.StringIO())
        listing(console, names, [cells])
        shown = console.export_text()
        assert [cell for cell in cells if cell not in shown] == []
        assert "…" not in shown


def test_a_leaderboard_at_eighty_columns_cuts_and_breaks_nothing() -> None:
    columns = [
        Column(name=n, label=n, shown_in=("terminal",)) for n in ("organisation", "version", "model", "more", "date")
    ]
    cells: dict[str, JsonValue] = {column.name: f"{column.name}-of-twenty-letters" for column in columns}
    row = Entry.model_validate(_entry(1) | {"cells": cells})
    for width in (60, 80, 200):
        console = Console(width=width, record=True, file=io.StringIO())
        show_table(console, leaderboard_table(columns, [row]), heads=2)
        shown = console.export_text()
        assert [cell for cell in cells.values() if str(cell) not in shown] == []
        assert "…" not in shown
        assert max(map(len, shown.splitlines())) <= max(width, 80)


def test_the_end_of_a_run_at_eighty_columns_breaks_no_word(capsys: pytest.CaptureFixture[str]) -> None:
    found = _partly(None, received=18, state="awaiting_review", interval={"low": 0.1, "high": 0.2})
    submission = Submission._bind(Scripted().client(), found)
    ends = Counter({"answered": 11, "agent_error": 1, "context_limit": 2, "task_limit": 4})
    show([Outcome("m", "a-benchmark-of-some-length-dev", Path("r"), 18, 18, submission, ends)])
    shown = capsys.readouterr().out
    for whole in (
        "a-benchmark-of-some-length-dev",
        "18 of 18",
        "0.029 [0.100, 0.200]",
        "awaiting_review",
        "task_limit 4",
    ):
        assert whole in shown


SECRET = "sk-0123456789abcdef"
PROBLEM = Problem(id="p", benchmark="b", split="s", type="t", subject="u", statement="How many?")


def bare(text: str) -> str:
    """Without blanks and without the frame of an error."""
    return re.sub(r"[\s\u2500-\u257f]", "", text)


@pytest.mark.parametrize("key", ["\u201ckey\u201d", "sk-\u00e9", "a\rb"])
def test_a_key_that_no_header_can_hold_is_said_in_a_sentence_without_the_key(key: str) -> None:
    with pytest.raises(AuthenticationError, match=r"at position \d+, and a header takes plain ASCII alone") as caught:
        Client(api_key=SECRET + key, base_url="https://service.test")
    assert SECRET not in str(caught.value)
    with pytest.raises(ValueError, match="authorization holds") as refused:
        ChatModel("m", url="https://m.test/v1", key=SECRET + key)
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(
    ("key", "header", "words"),
    [
        (SECRET + "\u00e9", "X-A: a", f"OPENAI_API_KEY holds \u00e9 (U+00E9) at position {len(SECRET)}"),
        (SECRET, "X-A: \u00e9", "--header: x-a holds \u00e9 (U+00E9) at position 0"),
        (SECRET, "X-\u00e9: a", "--header: x-\u00e9 holds"),
    ],
)
def test_keys_and_headers_are_checked_before_anything_is_opened(
    tmp_path: Path, key: str, header: str, words: str
) -> None:
    command = ["run", "-m", "m", "-b", "demo", "--chat", "m", "--url", "http://127.0.0.1:1/v1", "--header", header]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path)], env={"OPENAI_API_KEY": key})
    assert done.exit_code == 2, done.output
    said = bare(done.output)
    assert bare(words) in said
    assert SECRET + "\u00e9" not in said


def test_an_address_of_an_endpoint_that_is_none_names_the_option(tmp_path: Path) -> None:
    command = ["run", "-m", "m", "-b", "demo", "--chat", "m", "--url", "127.0.0.1:8471/v1"]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path)])
    assert done.exit_code == 2, done.output
    assert bare("--url: '127.0.0.1:8471/v1' is not an address") in bare(done.output)


@pytest.mark.parametrize("status", [200, 401, 429, 500])
def test_an_endpoint_that_quotes_the_key_does_not_have_it_printed(status: int) -> None:
    sent: list[httpx2.Request] = []

    def quoting(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        words = f"no: {request.headers['authorization']} {request.headers['x-key']}"
        return httpx2.Response(status, json={"error": {"message": words}, "detail": words})

    notices: list[str] = []
    transport = httpx2.MockTransport(quoting)
    more: dict[str, Any] = {"retries": QUICK, "transport": transport, "sleep": lambda _: None}
    model = ChatModel("m", url="https://m.test/v1", key=f"{SECRET}\r", headers={"x-key": "another-secret"}, **more)
    model._client.notice = lambda reason, _: notices.append(reason)
    with pytest.raises(EndpointError) as caught:
        model(Task("p", problem=PROBLEM))
    assert sent[0].headers["authorization"] == f"Bearer {SECRET}", "blanks at the ends are no part of it"
    said = f"{caught.value} {notices}"
    assert "***" in said
    assert SECRET not in said
    assert "another-secret" not in said


def test_a_password_in_the_address_is_sent_as_a_header_and_is_in_no_message() -> None:
    sent: list[httpx2.Request] = []

    def refusing(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(403, json={"error": {"message": "no"}})

    transport = httpx2.MockTransport(refusing)
    model = ChatModel("m", url=f"https://anna:{SECRET}%40@m.test/v1", transport=transport)
    with pytest.raises(EndpointError) as caught:
        model(Task("p", problem=PROBLEM))
    assert str(sent[0].url) == "https://m.test/v1/chat/completions"
    assert httpx2.BasicAuth("anna", f"{SECRET}@")._auth_header == sent[0].headers["authorization"]
    assert SECRET not in f"{caught.value} {model!r} {model.url}"
