"""What happens to a participant on a bad day: each run ends graded, and says in words what happened. No waiting is
real: pauses of the client move a clock of the test's own."""

import asyncio
import contextlib
import functools
import io
import json
import re
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

import heldout
from api.core.settings import Settings
from api.hosting.server import Host
from api.worker.sweep import expire
from heldout import _outcomes
from heldout._failures import Retrying
from heldout.evaluation import Budget, ChatModel, Outcome, evaluate
from tests.support.bridge import Bridge
from tests.support.service import Service, choice_pack
from tests.support.sessions import echo_pack
from tests.support.sql import sql

pytestmark = pytest.mark.timeout(600)
HALF_AN_HOUR = 1800.0


@dataclass
class Endpoint:
    """A model's endpoint on a clock of its own: `refusal` says how it refuses at a time, None: it answers."""

    refusal: Callable[["Endpoint"], httpx2.Response | None]
    clock: float = 0.0
    asked: int = 0
    statuses: Counter[int] = field(default_factory=Counter)

    def sleep(self, seconds: float) -> None:
        self.clock += seconds

    def monotonic(self) -> float:
        return self.clock

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked += 1
        message = {"role": "assistant", "content": "ANSWER: B"}
        reply = self.refusal(self) or httpx2.Response(200, json={"choices": [{"message": message}]})
        self.statuses[reply.status_code] += 1
        return reply

    def model(self) -> ChatModel:
        transport = httpx2.MockTransport(self.answer)
        return ChatModel("m", url="https://models.test/v1", key="sk", transport=transport, sleep=self.sleep)


def saying(text: str) -> Any:
    """A model that always says the same."""
    return heldout.evaluation.chat(lambda messages, tools: ({"role": "assistant", "content": text}, None))


def shown(*outcomes: Outcome) -> str:
    """What `heldout run` prints at the end, in one line."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        _outcomes.show(outcomes)
    return " ".join(printed.getvalue().split())


def refused(status: int, words: str, **headers: str) -> httpx2.Response:
    return httpx2.Response(status, json={"error": {"message": words}}, headers=headers)


@pytest.fixture
async def client(settings: Settings, service: Service) -> AsyncIterator[heldout.Client]:
    await service.publish(choice_pack(count=24))
    await service.publish(echo_pack(count=4))
    key = await service.key()
    async with Host.running(settings):
        with heldout.Client(api_key=key, base_url="http://heldout.test", transport=Bridge(service)) as made:
            yield made


async def run(
    client: heldout.Client, agent: Any, out: Path, benchmark: str = "quiz", split: str = "test", playing: Any = evaluate
) -> Outcome:
    # One at a time: the clock is the endpoint's, and each pause counts once.
    more: dict[str, Any] = {"benchmark": benchmark, "split": split, "model": "m", "out": out, "concurrency": 1}
    return await asyncio.to_thread(playing, client, agent, **more)


async def graded(service: Service, outcome: Outcome) -> heldout.Submission:
    await service.work()
    return await asyncio.to_thread(outcome.submission.wait, timeout=60)


async def test_a_wrong_key_is_said_after_ten_tries_and_the_right_one_finishes(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    right: list[bool] = []
    endpoint = Endpoint(lambda _: None if right else refused(401, "Incorrect API key provided: sk"))
    first = await run(client, endpoint.model(), tmp_path)
    assert (first.complete, first.done, endpoint.asked) == (False, 0, 10)
    assert "answered 401: Incorrect API key provided" in first.stopped
    right.append(True)
    second = await run(client, endpoint.model(), tmp_path)
    assert (second.complete, second.submission.id) == (True, first.submission.id)
    assert (await graded(service, second)).state == "graded"


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_an_endpoint_that_is_down_for_half_an_hour_is_waited_for_in_one_run(
    service: Service, client: heldout.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    def down(endpoint: Endpoint) -> httpx2.Response | None:
        away = endpoint.asked > 6 and endpoint.clock < HALF_AN_HOUR
        return refused(status, "the model is being moved") if away else None

    endpoint = Endpoint(down)
    monkeypatch.setattr("heldout.evaluation.outage.time", endpoint)
    waits: list[str] = []
    watched = functools.partial(evaluate, progress=lambda state: waits.append(state["waiting"]))
    outcome = await run(client, endpoint.model(), tmp_path, playing=watched)
    assert (outcome.complete, outcome.stopped) == (True, "")
    assert dict(outcome.finish_reasons) == {"answered": 24}
    assert HALF_AN_HOUR <= endpoint.clock < HALF_AN_HOUR + 120, "it is noticed soon that the endpoint is there again"
    assert endpoint.statuses[status] < 1000, "it is not stormed meanwhile"
    assert any(re.fullmatch(r"trying again in \d+ s; nothing for \d+ min, given up after 60 min", w) for w in waits)
    assert f"x EndpointError: the model's endpoint https://models.test/v1 answered {status}: the model is" in shown(
        outcome
    )
    assert f"next: heldout status {outcome.submission.id} --wait; heldout view {outcome.folder}" in shown(outcome)
    assert (await graded(service, outcome)).state == "graded"


async def test_an_endpoint_that_stays_away_ends_the_run_and_says_for_how_long(
    service: Service, client: heldout.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back: list[bool] = []
    endpoint = Endpoint(lambda self: refused(500, "no GPU") if self.asked > 6 and not back else None)
    monkeypatch.setattr("heldout.evaluation.outage.time", endpoint)
    first = await run(client, endpoint.model(), tmp_path)
    assert (first.done, first.complete, first.submission.state) == (6, False, "open")
    assert re.search(r"answered 500: no GPU \(\d+ times in 6\d min, and nothing else\)", first.stopped), first.stopped
    assert "stopped early: EndpointError: the model's endpoint" in shown(first)
    assert "18 tasks are left, and the submission is open: the same command again goes on with them; " in shown(first)
    assert f"as it is it is graded by: heldout finalize {first.submission.id}" in shown(first)
    back.append(True)
    second = await run(client, endpoint.model(), tmp_path)
    assert (second.complete, second.submission.id) == (True, first.submission.id)
    assert (await graded(service, second)).state == "graded"


async def test_two_seconds_of_500_are_not_even_noticed(
    service: Service, client: heldout.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = Endpoint(lambda self: refused(500, "oops") if self.asked > 3 and self.clock < 2 else None)
    monkeypatch.setattr("heldout.evaluation.outage.time", endpoint)
    outcome = await run(client, endpoint.model(), tmp_path)
    assert (outcome.complete, outcome.stopped) == (True, "")
    assert (await graded(service, outcome)).state == "graded"


async def test_a_question_that_breaks_the_endpoint_costs_itself_alone(
    service: Service, client: heldout.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """500 for one question, always, and answers to all others: that is no outage."""
    poison: list[bytes] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        poison[:] = poison or [request.content]
        if request.content == poison[0]:
            return refused(500, "assertion failed")
        return httpx2.Response(200, json={"choices": [{"message": {"role": "assistant", "content": "ANSWER: B"}}]})

    clock = Endpoint(lambda _: None)
    monkeypatch.setattr("heldout.evaluation.outage.time", clock)
    transport = httpx2.MockTransport(answer)
    model = ChatModel("m", url="https://models.test/v1", transport=transport, sleep=clock.sleep)
    outcome = await run(client, model, tmp_path)
    assert dict(outcome.finish_reasons) == {"answered": 23, "agent_error": 1}
    assert "answered 500: assertion failed" in str(dict(outcome.errors))
    assert (await graded(service, outcome)).state == "graded"


def breaking(clock: Endpoint, breaks: Callable[[list[bytes], bytes], int]) -> ChatModel:
    """A model that answers, but for requests that `breaks` gives a status, from those that were answered before."""
    answered: list[bytes] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        status = breaks(answered, request.content)
        clock.statuses[status] += 1
        if status != 200:
            return refused(status, "assertion failed")
        answered.append(request.content)
        return httpx2.Response(200, json={"choices": [{"message": {"role": "assistant", "content": "ANSWER: B"}}]})

    transport = httpx2.MockTransport(answer)
    return ChatModel("m", url="https://models.test/v1", transport=transport, sleep=clock.sleep)


async def test_two_questions_that_break_the_endpoint_keep_no_other_from_its_turn(
    service: Service, client: heldout.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison: list[bytes] = []

    def breaks(answered: list[bytes], asked: bytes) -> int:
        if asked not in poison and len(poison) < 3:
            poison.append(asked)
        return 500 if asked in poison else 200

    clock = Endpoint(lambda _: None)
    monkeypatch.setattr("heldout.evaluation.outage.time", clock)
    outcome = await run(client, breaking(clock, breaks), tmp_path)
    assert (dict(outcome.finish_reasons), outcome.stopped) == ({"answered": 21, "agent_error": 3}, "")
    assert clock.clock < HALF_AN_HOUR
    assert (await graded(service, outcome)).state == "graded"


async def test_a_last_question_that_breaks_the_endpoint_is_not_waited_for_an_hour(
    service: Service, client: heldout.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other is left that would show that the endpoint is there: it is asked something short."""

    def breaks(answered: list[bytes], asked: bytes) -> int:
        return 500 if len(answered) >= 23 and b"Say OK." not in asked else 200

    clock = Endpoint(lambda _: None)
    monkeypatch.setattr("heldout.evaluation.outage.time", clock)
    outcome = await run(client, breaking(clock, breaks), tmp_path)
    assert (dict(outcome.finish_reasons), outcome.stopped) == ({"answered": 23, "agent_error": 1}, "")
    assert clock.clock < 600
    assert clock.statuses[200] == 23 + 3, "once for each try that counts"
    assert (await graded(service, outcome)).state == "graded"


async def test_an_endpoint_that_goes_away_before_the_last_question_makes_it_no_wrong_answer(
    service: Service, client: heldout.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Endpoint(lambda _: None)
    monkeypatch.setattr("heldout.evaluation.outage.time", clock)
    outcome = await run(client, breaking(clock, lambda answered, _: 500 if len(answered) >= 23 else 200), tmp_path)
    assert (outcome.done, outcome.submission.state) == (23, "open")
    assert "answered 500: assertion failed" in outcome.stopped
    assert clock.clock >= 3600
    # The next run meets the last question alone: whatever was answered was answered in another run.
    only = breaking(clock, lambda _, asked: 200 if b"Say OK." in asked else 500)
    again = await run(client, only, tmp_path)
    assert (dict(again.finish_reasons), again.stopped) == ({"answered": 23, "agent_error": 1}, "")
    assert (await graded(service, again)).state == "graded"


async def test_episodes_under_way_outlive_an_outage_that_is_longer_than_the_idle_limit(
    service: Service, client: heldout.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half an hour without an answer after the first step; the client's signs of life hold the episode open."""
    beats = threading.Event()
    sent = client._send

    def send(request: Any) -> Any:
        reply = sent(request)
        if request.path.endswith("/keep-alive"):
            beats.set()
        return reply

    monkeypatch.setattr(client, "_send", send)
    monkeypatch.setattr("heldout.evaluation.thinking._SHARE", 9000.0)
    loop = asyncio.get_running_loop()

    async def ten_minutes_go_by() -> None:
        async with service.admin.session() as session:
            await sql(session, "update live_session set active_at = active_at - interval '10 minutes'")
        beats.clear()

    class Time:
        now = 0.0

        def monotonic(self) -> float:
            return self.now

        def sleep(self, seconds: float) -> None:
            self.now += seconds
            asyncio.run_coroutine_threadsafe(ten_minutes_go_by(), loop).result(60)
            assert beats.wait(60), "nothing was said while the endpoint was away"
            asyncio.run_coroutine_threadsafe(expire(service.worker), loop).result(60)

    clock = Time()
    monkeypatch.setattr("heldout.evaluation.outage.time", clock)
    failures = Counter[str]()

    def talk(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
        if len(messages) > 1 and failures["away"] < 3:
            failures["away"] += 1
            raise ConnectionError("the model is away")
        return {"role": "assistant", "content": "hello" if len(messages) == 1 else "finish[9]"}, None

    outcome = await run(client, heldout.evaluation.chat(talk), tmp_path, "parrot", "dev")
    assert failures["away"] == 3
    assert (outcome.complete, dict(outcome.finish_reasons)) == (True, {"completed": 4})


async def test_an_agent_that_fails_at_everything_is_not_graded_and_begins_anew(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    def broken(task: Any) -> str:
        raise RuntimeError(f"no module named agent, at {task.id}")

    for benchmark, answer, same in (("quiz", "ANSWER: B", True), ("parrot", "finish[9]", False)):
        first = await run(client, broken, tmp_path, benchmark, "dev")
        assert (first.failed, first.complete, first.submission.state) == (True, False, "open")
        assert first.finish_reasons["agent_error"] == first.tasks
        assert "the same command again begins anew" in shown(first)
        second = await run(client, saying(answer), tmp_path, benchmark, "dev")
        assert (second.complete, second.failed) == (True, False)
        assert (second.submission.id == first.submission.id) is same
        assert (await graded(service, second)).state == "graded"


async def test_an_answer_that_is_too_long_is_graded_by_its_end(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    longest = (await asyncio.to_thread(client.limits)).answer_characters
    outcome = await run(client, lambda task: "x" * longest + "\nANSWER: B", tmp_path, split="dev")
    assert (outcome.complete, outcome.left_out) == (True, outcome.tasks)
    assert f"{outcome.tasks} answer(s) were too long: their beginnings were left out" in shown(outcome)
    done = await graded(service, outcome)
    assert done.state == "graded"
    assert done.score


async def test_sampling_parameters_are_part_of_the_submission(client: heldout.Client, tmp_path: Path) -> None:
    endpoint = Endpoint(lambda _: None)
    model = endpoint.model()
    model.parameters = {"temperature": 0.2, "top_p": 0.9, "max_tokens": 100, "reasoning_effort": "low", "seed": 7}
    outcome = await run(client, model, tmp_path, split="dev")
    again = await asyncio.to_thread(client.submission, outcome.submission.id)
    assert again.model.parameters == model.parameters


async def test_the_first_tasks_alone_are_a_run_of_their_own(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    limited = functools.partial(evaluate, limit=3)
    endpoint = Endpoint(lambda _: None)
    outcome = await run(client, endpoint.model(), tmp_path, playing=limited)
    assert (outcome.tasks, outcome.complete, outcome.folder.name) == (3, True, "quiz-test-limit-3")
    assert "3 of 24 problems were answered; the score of all counts the others as not solved" in shown(outcome)
    assert (await graded(service, outcome)).received == 3
    episodes = await run(client, saying("finish[9]"), tmp_path, "parrot", "dev", limited)
    assert (episodes.tasks, episodes.complete) == (3, True)
    assert (await run(client, endpoint.model(), tmp_path)).submission.id != outcome.submission.id


async def test_a_budget_of_tasks_leaves_the_rest_and_says_so(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    endpoint = Endpoint(lambda _: None)
    first = await run(client, endpoint.model(), tmp_path, playing=functools.partial(evaluate, budget=Budget(tasks=5)))
    assert (first.done, first.submission.state) == (5, "open")
    assert "the budget of this run is spent: 5 of 5 tasks are started" in shown(first)
    assert "19 tasks are left, and the submission is open: the same command again goes on with them" in shown(first)
    second = await run(client, endpoint.model(), tmp_path)
    assert (second.complete, second.submission.id) == (True, first.submission.id)
    assert (await graded(service, second)).state == "graded"


async def test_a_storm_of_429_is_sat_out_in_one_run(
    service: Service,
    client: heldout.Client,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def storm(endpoint: Endpoint) -> httpx2.Response | None:
        return refused(429, "slow down", **{"retry-after": "20"}) if endpoint.asked % 3 else None

    endpoint = Endpoint(storm)
    monkeypatch.setattr(heldout.Client, "notice", Retrying())
    outcome = await run(client, endpoint.model(), tmp_path)
    assert (outcome.complete, dict(outcome.errors)) == (True, {})
    assert (
        "the model's endpoint https://models.test/v1 answered 429: slow down; trying again in 2"
        in capsys.readouterr().err
    )
    assert "next: heldout status" in shown(outcome)
    assert (endpoint.statuses[200], endpoint.statuses[429]) == (24, 48)
    assert endpoint.clock >= 48 * 20, "each pause is as long as the endpoint asks"
    assert (await graded(service, outcome)).state == "graded"


async def test_a_model_that_thinks_for_long_keeps_its_episode(
    service: Service, client: heldout.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The idle limit goes by while the model thinks; what the client says meanwhile holds the episode open."""
    heard = threading.Event()
    said = client._send

    def send(request: Any) -> Any:
        reply = said(request)
        if request.path.endswith("/keep-alive"):
            heard.set()
        return reply

    monkeypatch.setattr(client, "_send", send)
    monkeypatch.setattr("heldout.evaluation.thinking._SHARE", 9000.0)
    loop = asyncio.get_running_loop()

    async def an_hour_goes_by() -> None:
        async with service.admin.session() as session:
            await sql(session, "update live_session set active_at = active_at - interval '1 hour'")
        heard.clear()

    def talk(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
        asyncio.run_coroutine_threadsafe(an_hour_goes_by(), loop).result(60)
        assert heard.wait(60), "nothing was said while the model thought"
        asyncio.run_coroutine_threadsafe(expire(service.worker), loop).result(60)
        return {"role": "assistant", "content": "finish[9]"}, None

    outcome = await run(client, heldout.evaluation.chat(talk), tmp_path, "parrot", "dev")
    assert (outcome.complete, dict(outcome.finish_reasons)) == (True, {"completed": 4})
    (first, *_) = (outcome.folder / "transcripts").iterdir()
    over = await asyncio.to_thread(client.session, json.loads(first.read_text())["id"])
    with pytest.raises(heldout.Conflict):
        await asyncio.to_thread(over.keep_alive)


async def test_a_run_that_was_killed_is_finished_an_hour_later(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    """Episodes that were under way are over by then, and count as they stood; all others are played."""

    class Killed(BaseException):
        pass

    def talk(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
        if killing and len(messages) > 1:
            raise Killed
        return {"role": "assistant", "content": "hello" if len(messages) == 1 else "finish[9]"}, None

    agent = heldout.evaluation.chat(talk)
    killing = True
    with pytest.raises(Killed):
        await run(client, agent, tmp_path, "parrot", "dev")
    killing = False
    async with service.admin.session() as session:
        await sql(session, "update live_session set active_at = active_at - interval '1 hour'")
    await expire(service.worker)
    await service.work()
    outcome = await run(client, agent, tmp_path, "parrot", "dev")
    assert outcome.complete, outcome.errors
    assert dict(outcome.finish_reasons) == {"cancelled": 1, "completed": 3}
    assert "4 of 4" in shown(outcome)
    assert f"next: heldout status {outcome.submission.id}" in shown(outcome)
    done = await graded(service, outcome)
    assert (done.state, done.coverage) == ("graded", 1.0)
