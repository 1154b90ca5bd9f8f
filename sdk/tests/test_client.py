"""The client over a scripted service: paging, retries, errors, submissions."""

import json
import time
from datetime import UTC, datetime, timedelta
from email.utils import formatdate
from typing import Any

import httpx2
import pytest

import heldout
from heldout import (
    AuthenticationError,
    Conflict,
    ConnectionFailed,
    HeldoutError,
    Invalid,
    Item,
    NotFound,
    PermissionDenied,
    Problem,
    QuotaExceeded,
    RateLimited,
    ServerError,
    Usage,
)
from heldout import _calls as calls
from heldout._flow import Retries, seconds_of
from sdk.tests.scripted import QUICK, Scripted, problem_document

PROBLEMS = "/v1/benchmarks/demo/problems"


def test_iteration_pages_by_itself_and_asks_once(service: Scripted) -> None:
    listing = service.client().get_problems(split="test")
    assert service.requests == []
    assert [problem.id for problem in listing] == [f"prb_{n}" for n in range(45)]
    assert len(service.sent("GET", PROBLEMS)) == 3
    assert len(listing.all()) == 45
    assert len(service.requests) == 3
    assert listing.budget is not None
    assert listing.budget.used == 45


def test_a_started_iteration_fetches_no_more_than_it_shows(service: Scripted) -> None:
    listing = service.client().get_problems(split="test", page_size=10)
    assert next(iter(listing)).statement == "Question 0?"
    assert len(service.requests) == 1
    assert [problem.id for problem in listing.first(12)][-1] == "prb_11"
    assert len(service.requests) == 2
    assert service.requests[0].url.params["limit"] == "10"


async def test_the_asynchronous_client_does_the_same(service: Scripted) -> None:
    async with service.async_client() as client:
        listing = client.get_problems(split="test")
        assert [problem.id async for problem in listing] == [f"prb_{n}" for n in range(45)]
        assert len(await listing.all()) == 45
        assert len(service.requests) == 3
        made = await client.submit({"prb_1": "A"}, model="m@2", split="test")
        assert (await made.wait()).score == 0.5
        opened = await client.submit({"prb_1": "A"}, model="m", split="test", finalize=False)
        await opened.add({"prb_2": "B"})
        assert (await opened.finalize()).state == "queued"
        assert (await client.me()).user == "Ann"
        assert [row.rank async for row in client.leaderboard()] == [1, 2]
        with pytest.raises(NotFound):
            await client.get_problem("prb_x")


def test_a_prompt_is_statement_choices_and_form(service: Scripted) -> None:
    problem = service.client().get_problems(split="test").first(1)[0]
    assert problem.prompt == "Question 0?\n\nA) yes\nB) no\n\nANSWER:"


def test_retry_after_is_honoured_and_a_key_stays_the_same(service: Scripted) -> None:
    busy = problem_document(429, "rate_limited", headers={"Retry-After": "7"})
    service.first("POST", "/v1/submissions", busy, problem_document(503, "unavailable"))
    made = service.client(retries=QUICK).submit([("prb_1", "A")], model="m", split="test")
    assert made.state == "queued"
    assert 7 <= service.pauses[0] <= 8
    assert service.pauses[1] <= 0.05
    keys = {request.headers["idempotency-key"] for request in service.sent("POST", "/v1/submissions")}
    assert len(service.sent("POST", "/v1/submissions")) == 3
    assert len(keys) == 1


def test_it_gives_up_with_the_last_error(service: Scripted) -> None:
    service.first("GET", "/v1/me", *[problem_document(429, "rate_limited", headers={"Retry-After": "1"})] * 9)
    with pytest.raises(RateLimited) as caught:
        service.client(retries=QUICK).me()
    assert caught.value.retry_after == 1
    assert len(service.requests) == QUICK.attempts
    assert len(service.pauses) == QUICK.attempts - 1


def test_a_long_retry_after_is_told_at_once(service: Scripted) -> None:
    service.first("GET", "/v1/me", problem_document(429, "rate_limited", headers={"Retry-After": "3600"}))
    with pytest.raises(RateLimited) as caught:
        service.client().me()
    assert caught.value.retry_after == 3600
    assert service.pauses == []


def test_a_spent_quota_is_not_retried(service: Scripted) -> None:
    service.first("GET", PROBLEMS, problem_document(429, "budget_spent", headers={"Retry-After": "5"}))
    with pytest.raises(QuotaExceeded, match="renewed"):
        service.client().get_problems(split="test").all()
    assert len(service.requests) == 1


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "unauthenticated", AuthenticationError),
        (403, "forbidden", PermissionDenied),
        (404, "no_such_problem", NotFound),
        (409, "submission_not_open", Conflict),
        (413, "body_too_large", Invalid),
        (422, "invalid", Invalid),
        (500, "internal", ServerError),
    ],
)
def test_each_status_has_its_error(service: Scripted, status: int, code: str, kind: type[HeldoutError]) -> None:
    service.first(
        "GET", "/v1/me", problem_document(status, code, "what is wrong", faults=[{"field": "x", "fault": "y"}])
    )
    with pytest.raises(kind) as caught:
        service.client().me()
    error = caught.value
    assert (error.status, error.code, error.request_id, error.detail) == (status, code, "req_1", "what is wrong")
    assert error.advice
    assert error.advice in str(error)
    assert "req_1" in str(error)
    assert len(service.requests) == 1
    if isinstance(error, Invalid):
        assert error.faults == [{"field": "x", "fault": "y"}]


def test_what_is_no_answer_of_the_service_is_told_without_quoting_it(service: Scripted) -> None:
    service.first("GET", "/v1/me", lambda _: httpx2.Response(200, text="<html>secret</html>"))
    with pytest.raises(ServerError, match="expected form") as caught:
        service.client().me()
    assert "secret" not in str(caught.value)
    service.first("GET", "/v1/me", lambda _: httpx2.Response(302, headers={"location": "https://elsewhere.test"}))
    with pytest.raises(Invalid, match="HELDOUT_BASE_URL"):
        service.client().me()
    service.first("GET", "/v1/me", lambda _: httpx2.Response(500, text="<html>secret</html>"))
    with pytest.raises(ServerError) as caught:
        service.client().me()
    assert "secret" not in str(caught.value)


def test_a_lost_connection_is_tried_again(service: Scripted) -> None:
    def lost(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused", request=request)

    service.first("GET", "/v1/me", lost, lost)
    assert service.client(retries=QUICK).me().user == "Ann"
    service.first("GET", "/v1/me", *[lost] * 9)
    with pytest.raises(ConnectionFailed, match=r"service\.test"):
        service.client(retries=QUICK).me()


def test_pauses_grow_within_bounds_and_end() -> None:
    retries = Retries(attempts=5, base=1, cap=4)
    for attempt in range(1, 5):
        drawn = [retries.pause(attempt, None) or 0.0 for _ in range(200)]
        assert 0 <= min(drawn) <= max(drawn) <= min(4, 2**attempt)
        assert max(drawn) > min(drawn)
    assert retries.pause(5, None) is None


def test_retry_after_as_number_or_date() -> None:
    now = time.time()
    assert seconds_of("12") == 12
    assert seconds_of("soon") is None
    assert seconds_of(None) is None
    in_a_minute = seconds_of(formatdate(now + 60, usegmt=True), now=lambda: now)
    assert in_a_minute == pytest.approx(60, abs=1.5)


def test_big_runs_are_sent_in_parts(service: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "CHUNK_ITEMS", 20)
    told: list[tuple[int, int]] = []
    client = service.client()
    answers = {f"prb_{n}": "A" for n in range(45)}
    made = client.submit(answers, model="m", split="test", progress=lambda sent, total: told.append((sent, total)))
    assert (made.state, made.received) == ("queued", 45)
    first = json.loads(service.sent("POST", "/v1/submissions")[0].content)
    assert first["finalize"] is False
    assert len(first["items"]) == 20
    assert len(service.sent("POST", "/v1/submissions/sub_1/items")) == 2
    assert len(service.sent("POST", "/v1/submissions/sub_1/finalize")) == 1
    assert told == [(20, 45), (40, 45), (45, 45)]


def test_parts_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "CHUNK_BYTES", 4000)
    items = [Item(problem=f"p{n}", answer="x" * 300) for n in range(10)] + [Item(problem="big", answer="y" * 5000)]
    parts = list(calls.chunks(items))
    assert [item.problem for part in parts for item in part] == [item.problem for item in items]
    assert all(len(part) == 1 or sum(len(item.model_dump_json()) for item in part) <= 4000 for part in parts)
    assert len(parts) < len(items)


def test_the_forms_of_answers_and_models(service: Scripted) -> None:
    client = service.client()
    problem = client.get_problems(split="test").first(1)[0]
    rows: list[Item | dict[str, Any] | tuple[str | Problem, str]] = [
        (problem, "A"),
        {"problem": "p2", "answer": ""},
        Item(problem="p3", data=[1], usage=Usage(tokens=5)),
    ]
    client.submit(rows, model={"name": "m", "access": "open"}, split="test")
    body = json.loads(service.requests[-1].content)
    assert body["items"] == [
        {"problem": "prb_0", "answer": "A"},
        {"problem": "p2", "answer": ""},
        {"problem": "p3", "data": [1], "usage": {"tokens": 5}},
    ]
    assert body["model"] == {"name": "m", "access": "open"}
    with pytest.warns(UserWarning, match="lone surrogates in the answers to p "):
        client.submit({"p": "lone \ud800 surrogate"}, model="m@1.2", split="test")
    assert json.loads(service.requests[-1].content)["items"] == [{"problem": "p", "answer": "lone \ufffd surrogate"}]
    assert json.loads(service.requests[-1].content)["model"] == {"name": "m", "version": "1.2"}
    with pytest.raises(ValueError, match="answered twice"):
        client.submit([("p", "A"), ("p", "B")], model="m", split="test")
    with pytest.raises(TypeError, match="not int"):
        client.submit([5], model="m", split="test")  # type: ignore[list-item]


def test_waiting_ends_when_it_is_settled(service: Scripted) -> None:
    made = service.client().submit({"prb_1": "A"}, model="m", split="test")
    seen: list[str] = []
    done = made.wait(progress=lambda status: seen.append(status.state))
    assert seen == ["queued", "grading", "graded"]
    assert (done.score, done.settled) == (0.5, True)
    assert done.refresh().state == "graded"
    assert service.pauses == [0.1, pytest.approx(0.15)]


def test_waiting_can_end_before(service: Scripted) -> None:
    client = service.client()
    made = client.submit({"prb_1": "A"}, model="m", split="test")
    with pytest.raises(TimeoutError, match="call wait"):
        made.wait(timeout=0)
    opened = client.submit({"prb_1": "A"}, model="m", split="test", finalize=False)
    with pytest.raises(Invalid, match="finalize"):
        opened.wait()


def test_the_progress_bar_is_on_standard_error(service: Scripted, capsys: pytest.CaptureFixture[str]) -> None:
    service.client().submit({"prb_1": "A"}, model="m", split="test").wait(progress=True)
    told = capsys.readouterr()
    assert told.out == ""
    assert "graded" in told.err


def test_the_only_benchmark_needs_no_name(service: Scripted) -> None:
    assert service.client(benchmark=None).benchmark().slug == "demo"
    two = {"items": [{"slug": slug, "title": "t", "version": "1.0.0"} for slug in ("a", "b")], "next": None}
    service.first("GET", "/v1/benchmarks", lambda _: httpx2.Response(200, json=two))
    with pytest.raises(Invalid, match="a, b"):
        service.client(benchmark=None).get_problems(split="test").all()


def test_public_calls_need_no_key_and_others_do(service: Scripted) -> None:
    client = service.client(api_key=None)
    assert [row.rank for row in client.leaderboard(all=True, model="m")] == [1, 2]
    assert dict(service.requests[-1].url.params) == {"split": "test", "all": "true", "model": "m"}
    assert "authorization" not in service.requests[-1].headers
    with pytest.raises(AuthenticationError, match="HELDOUT_API_KEY"):
        client.me()
    assert service.client().me().scopes == ("a",)
    assert service.requests[-1].headers["authorization"] == "Bearer hk_test"
    assert "hk_test" not in repr(service.client().config)


def test_the_key_goes_to_the_service_alone(service: Scripted) -> None:
    with pytest.raises(Invalid, match="not on the service"):
        service.client().image("https://elsewhere.test/x.png")
    with pytest.raises(Invalid, match="not on the service"):
        service.client().image("//elsewhere.test/x.png")
    service.first("GET", "/v1/benchmarks/demo/assets/1.0.0/x.png", lambda _: httpx2.Response(200, content=b"PNG"))
    assert service.client().image("/v1/benchmarks/demo/assets/1.0.0/x.png") == b"PNG"
    with pytest.raises(Invalid, match="unencrypted"):
        heldout.Client(api_key="hk_x", base_url="http://example.test")
    with pytest.raises(Invalid, match="not an address"):
        heldout.Client(api_key="hk_x", base_url="example.test")
    heldout.Client(api_key="hk_x", base_url="http://127.0.0.1:1").close()


def test_names_are_quoted_in_addresses(service: Scripted) -> None:
    with pytest.raises(NotFound):
        service.client().get_problem("../me?x=1")
    assert service.requests[-1].url.raw_path == b"/v1/problems/..%2Fme%3Fx%3D1"
    with pytest.raises(Invalid):
        service.client().get_problem("..")


def test_waiting_ends_where_people_grade(service: Scripted) -> None:
    made = service.client().submit({"prb_1": "A"}, model="m", split="test")
    service.submissions[made.id] |= {"state": "awaiting_review", "note": "people are grading"}
    assert made.wait().settled
    assert service.pauses == []


@pytest.mark.parametrize(("ahead", "asked"), [(timedelta(minutes=5), True), (timedelta(days=14), False)])
def test_waiting_lasts_until_the_decision_unless_that_is_far_off(
    service: Scripted, ahead: timedelta, asked: bool
) -> None:
    made = service.client().submit({"prb_1": "A"}, model="m", split="test")
    due = (datetime.now(UTC) + ahead).isoformat()
    waiting = {"outcome": "waiting", "decided_at": due}
    service.submissions[made.id] |= {"state": "grading", "feedback": waiting, "next_release": due, "note": "later"}
    if asked:
        with pytest.raises(TimeoutError):
            made.wait(timeout=0.0)
        return
    done = made.wait()
    assert (done.state, done.note, done.feedback.outcome if done.feedback else "") == ("grading", "later", "waiting")
    assert done.next_release is not None
    assert service.pauses == []


def test_a_look_is_no_step_and_its_picture_comes_as_bytes(service: Scripted) -> None:
    path = "/v1/sessions/ses_1"
    status = {
        "id": "ses_1",
        "problem": "p",
        "benchmark": "demo",
        "split": "dev",
        "state": "running",
        "instruction": "Do it.",
        "steps": 2,
        "limits": {"steps": 9, "seconds": 9},
        "observation": {"text": "before"},
    }
    service.first("GET", path, lambda _: httpx2.Response(200, json=status))
    shown = {"text": "there", "images": {"screenshot": "iVBORw=="}}
    service.first("POST", f"{path}/observe", lambda _: httpx2.Response(200, json=shown))
    session = service.client().session("ses_1")
    seen = session.observe("screenshot", whole_page=True, marks=True)
    assert seen.picture() == b"\x89PNG"
    assert json.loads(service.requests[-1].content) == {"mode": "screenshot", "whole_page": True, "marks": True}
    assert (session.taken, session.observation.text) == (2, "before")


def test_what_is_not_there_is_said_with_the_list_of_its_kind(service: Scripted) -> None:
    client = service.client()
    service.first("GET", "/v1/submissions/sub_nope", problem_document(404, "not_found"))
    with pytest.raises(NotFound, match=r"submissions\(\) lists yours") as caught:
        client.submission("sub_nope")
    assert "benchmarks" not in caught.value.advice
    with pytest.raises(NotFound, match="suite's name"):
        client.overall("nosuch")
    with pytest.raises(NotFound, match=r"benchmarks\(\) lists"):
        client.benchmark("nosuch")


@pytest.mark.parametrize("status", [200, 401, 404, 405])
def test_somebody_elses_server_is_said_to_be_no_heldout_service(service: Scripted, status: int) -> None:
    page = httpx2.Response(status, text="<html>Welcome to nginx!</html>", headers={"content-type": "text/html"})
    service.first("GET", "/v1/me", lambda _: page)
    with pytest.raises(HeldoutError, match=r"https://service\.test is no Heldout service") as caught:
        service.client().me()
    assert "nginx" not in str(caught.value), "what somebody else's server says is not quoted"
    assert "HELDOUT_BASE_URL" in caught.value.advice
