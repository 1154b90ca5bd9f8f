"""What a run says while it goes on, off a terminal; no clock runs."""

from collections import Counter, deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from types import SimpleNamespace
from typing import Any

import pytest

from heldout.evaluation import Budget, Course, Entrant
from heldout.evaluation.engine import _Loop
from heldout.evaluation.ledger import Done
from heldout.evaluation.outage import Outage
from heldout.evaluation.progress import SILENCE, reporting
from heldout.models import Model


def state(**more: Any) -> dict[str, Any]:
    usual = {"ended": 2, "running": 4, "errors": {}, "seconds": 0.0, "rate": 0.0, "silent": 0.0, "waiting": ""}
    return usual | {"courses": {"quiz-dev": 0}} | more


def test_the_same_refusal_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = "EndpointError: answered 401: Incorrect API key provided"
    with reporting(True, {"quiz-dev": 40}) as report:
        for ended in range(1, 11):
            report(state(ended=ended, errors={words: ended}))
    assert capsys.readouterr().err.count(words) == 1


def test_tasks_that_end_are_said_in_twentieths_and_a_silence_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    with reporting(True, {"quiz-dev": 40}) as report:
        for done in range(1, 41):
            report(state(ended=done, courses={"quiz-dev": done}))
        report(state(silent=30.0))
        report(state(silent=60.0))
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 23
    assert said[-1] == "0 of 40 done, 4 running; nothing came for 60 s"


def test_an_endpoint_that_never_answers_is_not_waited_for_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def wait(futures: Iterable[Future[Any]], timeout: float, return_when: str) -> Any:
        asked.append(timeout)
        return SimpleNamespace(done=set()) if len(asked) < 4 else wait_for(futures, return_when=return_when)

    def play(task: str) -> Done:
        return Done(problem=task, finish_reason="answered")

    held: Any = SimpleNamespace(pending=deque(["p1"]), play=play, errors=Counter(), ledger=SimpleNamespace(done={}))
    reports: list[Any] = []
    agent, course = Entrant("a", lambda task: "", Model.of("m")), Course("quiz", "dev")
    loop = _Loop({("a", course.name): held}, [agent], [course], Budget(), reports.append, Outage(1.0, 1))
    monkeypatch.setattr("heldout.evaluation.engine.wait", wait)
    with ThreadPoolExecutor(1) as pool:
        loop.run(pool)
    assert asked == [SILENCE] * 4
    assert [(report["ended"], report["silent"]) for report in reports] == [(0, 30), (0, 60), (0, 90), (1, 0)]
