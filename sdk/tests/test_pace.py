"""How many requests an endpoint is sent at once, and when."""

import math
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from heldout import Problem
from heldout._flow import Lost, Reply, Request
from heldout.evaluation import ChatModel, Task
from heldout.evaluation.pace import Pace
from sdk.tests.scripted import QUICK

REQUEST = Request("POST", "/chat/completions")


def answered(status: int, **headers: str) -> Reply:
    return Reply(status, {name.replace("_", "-"): value for name, value in headers.items()}, b"{}")


def nested(pace: Pace, replies: list[Reply]) -> None:
    """Requests that are all under way at once: each is sent while the one before waits for its answer."""
    reply, *others = replies

    def send(_: Request) -> Reply | Lost:
        if others:
            nested(pace, others)
        return reply

    pace.send(send, REQUEST)


def test_one_wave_of_refusals_halves_once_and_answers_add_slowly() -> None:
    pace = Pace(sleep=lambda _: None)
    nested(pace, [answered(429)] * 8)
    assert pace.limit == 4.0, "seven of the eight refusals are of requests that were sent before the cut"
    nested(pace, [answered(503)] * 3)
    assert pace.limit == 1.5
    for _ in range(3):
        pace.send(lambda _: answered(200), REQUEST)
    assert 2.0 < pace.limit < 3.5


def test_an_endpoint_that_never_refuses_is_not_limited() -> None:
    pace = Pace()
    nested(pace, [answered(200)] * 40)
    with pytest.raises(ValueError, match="a bug"):
        pace.send(_raises, REQUEST)
    assert pace.limit == math.inf


def test_a_fault_of_the_server_and_a_lost_line_are_refusals_too() -> None:
    def limit(reply: Reply | Lost) -> float:
        pace = Pace()
        pace.send(lambda _: reply, REQUEST)
        return pace.limit

    refusals = (answered(500), answered(502), answered(408), Lost("no route"))
    assert [limit(reply) for reply in refusals] == [1.0] * 4
    assert limit(answered(400)) == math.inf


def _raises(_: Request) -> Reply:
    raise ValueError("a bug")


@pytest.mark.parametrize(("asked", "waited"), [("20", [20.0]), ("500", []), ("soon", [])])
def test_nothing_is_sent_before_a_refusal_says(asked: str, waited: list[float]) -> None:
    pauses: list[float] = []
    pace = Pace(longest=120, sleep=pauses.append, clock=lambda: 0.0)
    pace.send(lambda _: answered(429, retry_after=asked), REQUEST)
    pace.send(lambda _: answered(200), REQUEST)
    assert pauses == waited


class Narrow:
    """An endpoint that answers `room` requests at once and refuses every other; each takes as long as it may."""

    def __init__(self, room: int) -> None:
        self._room, self._inside = room, 0
        self._changed = threading.Condition()
        self.statuses: Counter[int] = Counter()

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        with self._changed:
            full = self._inside >= self._room
            if not full:
                self._inside += 1
                self._changed.notify_all()
                # Stays until others knock, or nobody does.
                self._changed.wait(timeout=0.02)
                self._inside -= 1
            self.statuses[429 if full else 200] += 1
        message: dict[str, Any] = {"role": "assistant", "content": "A"}
        return httpx2.Response(429 if full else 200, json={"choices": [{"message": message}]})


def test_many_at_once_are_all_answered_by_an_endpoint_that_takes_three() -> None:
    endpoint = Narrow(3)
    transport = httpx2.MockTransport(endpoint)
    # No pause is real here, so a request may be refused many times before it gets a place.
    patient = replace(QUICK, attempts=10_000)
    model = ChatModel("m", url="https://models.test/v1", retries=patient, transport=transport, sleep=lambda _: None)
    problem = Problem(id="p", benchmark="b", split="s", type="t", subject="u", statement="How many?")
    with ThreadPoolExecutor(24) as pool:
        replies = list(pool.map(lambda _: model(Task("p", problem=problem)), range(120)))
    assert len(replies) == endpoint.statuses[200] == 120
    assert endpoint.statuses[429], "it was asked by more than it takes"
    assert model.pace.limit < 24
