"""How long a run waits for what does not answer, in virtual time."""

from types import SimpleNamespace

import httpx2
import pytest

from heldout import ConnectionFailed, QuotaExceeded, RateLimited, ServerError
from heldout.errors import AuthenticationError
from heldout.evaluation import ChatModel, EndpointError, Task
from heldout.evaluation.faults import endpoint_error, final, unavailable
from heldout.evaluation.outage import FIRST_CONTACT, REFUSED, Outage
from heldout.models import Problem
from sdk.tests.scripted import QUICK


class Clock:
    """Time that passes by being waited for."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("heldout.evaluation.outage.time", made)
    return made


def until_given_up(outage: Outage, *, unavailable: bool) -> tuple[int, str]:
    """How many tries there were, and what is said at the end."""
    for tries in range(1, 10_000):
        if words := outage.fault("EndpointError: answered 500", unavailable=unavailable):
            return tries, words
        outage.sit_out()
    raise AssertionError("it waits for ever")


def test_what_answered_before_is_waited_for_an_hour_and_what_never_did_two_minutes(clock: Clock) -> None:
    outage = Outage(3600.0, 10)
    began = clock.now
    tries, words = until_given_up(outage, unavailable=True)
    assert FIRST_CONTACT <= clock.now - began < FIRST_CONTACT + 60
    outage = Outage(3600.0, 10)
    outage.over()
    began = clock.now
    more, words = until_given_up(outage, unavailable=True)
    assert 3600 <= clock.now - began < 3660
    assert tries < more < 200, "with pauses of up to a minute"
    assert words.startswith(f"EndpointError: answered 500 ({more} times in 6")
    assert " min, and nothing else)" in words


def test_a_task_that_is_done_ends_the_outage(clock: Clock) -> None:
    outage = Outage(3600.0, 10)
    for _ in range(100):
        outage.over()
        assert not outage.lasts
        assert outage.fault("x", unavailable=True) == ""
        outage.sit_out()
        clock.now += 3000


def test_refusals_end_a_run_at_once_or_when_they_go_on(clock: Clock) -> None:
    began = clock.now
    assert until_given_up(Outage(3600.0, 10), unavailable=False)[0] == 10
    assert clock.now == began, "a key that is wrong is wrong"
    outage = Outage(3600.0, 10)
    outage.over()
    assert until_given_up(outage, unavailable=False)[0] >= 10
    assert REFUSED <= clock.now - began < 10 * REFUSED


def test_what_is_waited_for_is_said(clock: Clock) -> None:
    outage = Outage(3600.0, 10)
    assert str(outage) == ""
    outage.over()
    outage.fault("x", unavailable=True)
    clock.now += 300
    assert "nothing for 5 min, given up after 60 min" in str(outage)


@pytest.mark.parametrize("answered", [False, True])
def test_a_spent_account_ends_the_run_at_once(clock: Clock, answered: bool) -> None:
    outage = Outage(3600.0, 10)
    if answered:
        outage.over()
    assert outage.fault("EndpointError: no credit", unavailable=False, final=True) == "EndpointError: no credit"


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, {"message": "You exceeded your current quota", "code": "insufficient_quota", "type": "x"}),
        (429, {"message": "You exceeded your current quota", "type": "insufficient_quota"}),
        (403, {"message": "Your credit is too low", "type": "billing_error"}),
        (402, {"message": "Payment required"}),
        (400, {"message": "Your credit balance is too low to access the API", "type": "invalid_request_error"}),
    ],
)
def test_an_account_without_money_is_asked_once(status: int, error: dict[str, str]) -> None:
    pauses: list[float] = []
    transport = httpx2.MockTransport(lambda _: httpx2.Response(status, json={"error": error}))
    model = ChatModel("m", url="https://m.test/v1", transport=transport, sleep=pauses.append)
    problem = Problem(id="p", benchmark="b", split="s", type="t", subject="u", statement="How many?")
    with pytest.raises(EndpointError, match=error["message"]) as caught:
        model(Task("p", problem=problem))
    assert pauses == []
    assert (caught.value.passing, final(caught.value), unavailable(caught.value)) == (True, True, False)


def endpoint(status: int, kind: str = "x") -> EndpointError:
    more = {"error": {"message": "no", "type": kind}}
    made = RateLimited if status == 429 else ServerError
    return endpoint_error("https://models.test", made("no", status=status, extensions=more))


@pytest.mark.parametrize(
    ("error", "waits"),
    [
        (endpoint(500), True),
        (endpoint(529), True),
        (endpoint(429), True),
        (endpoint(429, "insufficient_quota"), False),
        (endpoint_error("u", ConnectionFailed("refused")), True),
        (endpoint_error("u", AuthenticationError("no", status=401)), False),
        (EndpointError("no JSON", passing=True, status=200), False),
        (ConnectionError("away"), True),
        (ServerError("x", status=500), True),
        (QuotaExceeded("spent", status=429), False),
        (ValueError("a bug"), False),
    ],
)
def test_what_is_worth_waiting_for(error: Exception, waits: bool) -> None:
    assert unavailable(error) is waits


@pytest.mark.parametrize("status", [500, 502, 503, 520, 529, 408])
def test_every_fault_of_an_endpoints_server_is_tried_again(status: int) -> None:
    replies = [httpx2.Response(status), httpx2.Response(status)]
    answer = httpx2.Response(200, json={"choices": [{"message": {"role": "assistant", "content": "A"}}]})
    pauses: list[float] = []
    transport = httpx2.MockTransport(lambda _: replies.pop() if replies else answer)
    model = ChatModel("m", url="https://m.test/v1", retries=QUICK, transport=transport, sleep=pauses.append)
    problem = Problem(id="p", benchmark="b", split="s", type="t", subject="u", statement="How many?")
    reply = model(Task("p", problem=problem))
    assert getattr(reply, "answer", "") == "A"
    assert len(pauses) == 2


def test_nobody_at_an_address_is_said_at_once_and_given_up_soon() -> None:
    def refused(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        raise httpx2.ConnectError("Connection refused")

    asked: list[httpx2.Request] = []
    notices: list[SimpleNamespace] = []
    model = ChatModel("m", url="https://m.test/v1", transport=httpx2.MockTransport(refused), sleep=lambda _: None)
    model._client.notice = lambda reason, seconds: notices.append(SimpleNamespace(reason=reason, seconds=seconds))
    problem = Problem(id="p", benchmark="b", split="s", type="t", subject="u", statement="How many?")
    with pytest.raises(EndpointError, match="Connection refused"):
        model(Task("p", problem=problem))
    assert len(asked) == 4
    assert [notice.reason for notice in notices] == [
        "no answer from https://m.test/v1: ConnectError Connection refused"
    ] * 3
