"""A run's folder as a page: everything is on it, and nothing of it is more than text."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from heldout import Model, Observation, SessionStatus, Usage
from heldout._commands import app
from heldout._view import page
from heldout.errors import Invalid
from heldout.evaluation.ledger import Done, Failure, Ledger
from heldout.models import TranscriptStep

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A question with messages, an episode with a transcript, and a task that is left."""
    folder = tmp_path / "results" / "m" / "quiz-dev"
    ledger = Ledger(folder, benchmark="quiz", version="1.0.0", split="dev", model=Model(name=f"m{EVIL}"))
    asked: list[dict[str, Any]] = [
        {"role": "user", "content": [{"type": "text", "text": "What is shown?"}, {"type": "image_url"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "bash", "arguments": EVIL}}]},
    ]
    usage = Usage(tokens=1234, cost=0.5)
    ledger.record(Done(problem="prb_1", finish_reason="answered", answer=EVIL, usage=usage, seconds=2), messages=asked)
    seen = Observation(text=EVIL, data={"a": EVIL}, images={"screenshot": "iVBORw0KGgo="})
    step = TranscriptStep(number=1, action={"text": EVIL}, observation=seen)
    status = SessionStatus(
        id="ses_1", problem="prb_2", benchmark="quiz", split="dev", state="ended", instruction=EVIL, transcript=(step,)
    )
    ledger.record(Done(problem="prb_2", finish_reason="completed", session="ses_1"), status)
    for problem in ("prb_1", "prb_3"):
        ledger.fail(Failure(problem=problem, error="ValueError: no", message=EVIL, counted=True))
    ledger.summary({"tasks": 3, "submission": "sub_1", "stopped": ""})
    return tmp_path / "results"


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, [name for name, _ in attrs]))


def test_the_page_has_every_task_and_runs_nothing(results: Path) -> None:
    text = page(results)
    for words in ("quiz 1.0.0, dev", "sub_1", "2 of 3 done", "1,234 tokens", "$0.5000", "What is shown?\n[picture]"):
        assert words in text, words
    for words in ("prb_1: answered", "prb_2: completed", "prb_3: left", "ValueError: no", "step 1", "&lt;script&gt;"):
        assert words in text, words
    found = _Tags()
    found.feed(text)
    assert "script" not in {tag for tag, _ in found.tags}
    assert not [names for _, names in found.tags if any(name.startswith("on") for name in names)]
    assert text.count("<img ") == 1, "the world's own picture"


def test_the_command_writes_the_page_beside_the_run(results: Path) -> None:
    done = CliRunner().invoke(app, ["view", str(results)])
    assert done.exit_code == 0, done.output
    assert done.output.strip() == str(results / "view.html")
    assert "prb_2" in (results / "view.html").read_text(encoding="utf-8")


def test_a_folder_without_a_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match=r"run\.jsonl"):
        page(tmp_path)


def test_a_reply_that_utf_8_has_no_room_for_is_on_the_page(results: Path) -> None:
    odd = "hi \0 \ud800\nANSWER: B"
    ledger = Ledger(results / "odd", benchmark="quiz", version="1.0.0", split="dev", model=Model(name="m"))
    said: list[dict[str, Any]] = [{"role": "assistant", "content": odd}]
    ledger.record(Done(problem="prb_9", finish_reason="answered", answer="B"), messages=said)
    done = CliRunner().invoke(app, ["view", str(results)])
    assert done.exit_code == 0, done.output
    text = (results / "view.html").read_text(encoding="utf-8")
    assert "hi \ufffd \ufffd\nANSWER: B" in text
    assert "prb_2: completed" in text, "the other runs are there too"


def test_a_page_that_cannot_be_written_is_said_in_a_line_and_the_old_one_stays(results: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file" / "v.html", tmp_path / "nope" / "v.html", tmp_path):
        done = CliRunner().invoke(app, ["view", str(results), "--out", str(place)])
        assert done.exit_code == 2, (place, done.output)
        assert isinstance(done.exception, SystemExit)
    assert (tmp_path / "file").read_text() == "mine"
    assert not list(results.glob(".*"))
