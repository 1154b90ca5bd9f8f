"""Histories as AgentBench cuts them: by hand, and beside its own code where it is."""

import random
from pathlib import Path

from api.controller.history import Turn, followed, opening, shortened
from heldout.evaluation import history as client
from heldout.evaluation.history import segments
from heldout.models import Observation, SessionStatus
from tests.support import agentbench

ROLES = {"user": "user", "agent": "assistant"}


def status(**more: object) -> SessionStatus:
    held = {
        "id": "ses_1",
        "problem": "p",
        "benchmark": "b",
        "split": "dev",
        "state": "running",
        "instruction": "Do it.",
    }
    return SessionStatus.model_validate(held | more)


def test_segments() -> None:
    assert [segments(text) for text in ("", "a", "abcdefg", "abcdefgh", "ab cd", "a1b", "é ü", "\t\n ")] == [
        0,
        1,
        1,
        2,
        2,
        3,
        2,
        1,
    ]


def test_the_latest_turns_are_kept_and_the_first_says_so() -> None:
    history = [Turn("user", "go"), *(Turn("agent" if n % 2 == 0 else "user", f"turn{n}") for n in range(6))]
    assert shortened(history, 100) == history
    kept = shortened(history, 6)
    assert kept == [Turn("user", "go\n\n[NOTICE] 4 messages are omitted."), *history[-2:]]


def test_the_worlds_own_turns_open_a_history() -> None:
    turns = [{"role": "user", "content": "a"}, {"role": "agent", "content": "b"}, {"role": "user", "content": "c"}]
    told = Observation(text="a b c", data={"messages": turns})
    assert [(turn.role, turn.content) for turn in opening(status(), told)] == [
        ("user", "a"),
        ("agent", "b"),
        ("user", "c"),
    ]
    assert opening(status(), Observation(text="hello")) == [Turn("user", "Do it.\n\nhello")]


def test_a_world_that_gives_whole_turns_later_begins_the_history_anew() -> None:
    history = [Turn("user", "one"), Turn("agent", "A")]
    assert followed(history, Observation(text="two")) == [*history, Turn("user", "two")]
    turns = [{"role": "user", "content": "shot"}, {"role": "agent", "content": "B"}, {"role": "user", "content": "two"}]
    anew = followed(history, Observation(text="shot B two", data={"messages": turns}))
    assert anew == [Turn("user", "shot"), Turn("agent", "B"), Turn("user", "two")]


def test_histories_are_cut_as_published(tmp_path: Path) -> None:
    with agentbench.published(tmp_path, "dbbench", agentbench.STUBS) as module:
        item = module.Session
        draw, cut = random.Random(3), 0
        for _ in range(300):
            texts = [drawn(draw) for _ in range(draw.choice((1, 3, 7, 15)))]
            history = [Turn("agent" if number % 2 else "user", text) for number, text in enumerate(texts)]
            theirs = item()
            theirs.inject([{"role": turn.role, "content": turn.content} for turn in history])
            expected = [Turn(turn.role, turn.content) for turn in theirs.filter_messages(theirs.history)]
            assert shortened(history) == expected
            sent = [{"role": ROLES[turn.role], "content": turn.content} for turn in history]
            assert client.shortened(sent) == [{"role": ROLES[t.role], "content": t.content} for t in expected]
            assert [segments(text) for text in texts] == [item._calc_segments(text) for text in texts]
            cut += len(expected) < len(history)
    assert cut > 30


def drawn(draw: random.Random) -> str:
    letters = "abcXYZéß中²1_-. \n\t"
    return "".join(draw.choices(letters, k=draw.choice((0, 5, 200, 2500))))
