"""What happens to a participant on a bad day: each run ends graded, and says in words what happened. No waiting is
real: pauses of the client move a clock of the test's own."""

import asyncio
import json
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
from heldout.evaluation import ChatModel, Outcome, evaluate
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

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked += 1
        message = {"role": "assistant", "content": "ANSWER: B"}
        reply = self.refusal(self) or httpx2.Response(200, json={"choices": [{"message": message}]})
        self.statuses[reply.status_code] += 1
        return reply

    def model(self) -> ChatModel:
        transport = httpx2.MockTransport(self.answer)
        return ChatModel("m", url="https://models.test/v1", key="sk", transport=transport, sleep=self.sleep)


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


async def run(client: heldout.Client, agent: Any, out: Path, benchmark: str = "quiz", split: str = "test") -> Outcome:
    # One at a time: the clock is the endpoint's, and each pause counts once.
    more: dict[str, Any] = {"benchmark": benchmark, "split": split, "model": "m", "out": out, "concurrency": 1}
    return await asyncio.to_thread(evaluate, client, agent, **more)


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


async def test_an_endpoint_that_is_down_for_half_an_hour_costs_no_answer(
    service: Service, client: heldout.Client, tmp_path: Path
) -> None:
    def down(endpoint: Endpoint) -> httpx2.Response | None:
        away = endpoint.asked > 6 and endpoint.clock < HALF_AN_HOUR
        return refused(503, "the model is being moved") if away else None

    endpoint = Endpoint(down)
    runs = [await run(client, endpoint.model(), tmp_path)]
    assert (runs[0].done, runs[0].complete) == (6, False)
    assert "answered 503: the model is being moved" in runs[0].stopped
    # The participant comes back every ten minutes.
    while not runs[-1].complete:
        endpoint.clock += 600
        runs.append(await run(client, endpoint.model(), tmp_path))
    assert len(runs) <= 5
    assert dict(runs[-1].finish_reasons) == {"answered": 24}
    assert (await graded(service, runs[-1])).state == "graded"


async def test_a_storm_of_429_is_sat_out_in_one_run(service: Service, client: heldout.Client, tmp_path: Path) -> None:
    def storm(endpoint: Endpoint) -> httpx2.Response | None:
        return refused(429, "slow down", **{"retry-after": "20"}) if endpoint.asked % 3 else None

    endpoint = Endpoint(storm)
    outcome = await run(client, endpoint.model(), tmp_path)
    assert (outcome.complete, dict(outcome.errors)) == (True, {})
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
    done = await graded(service, outcome)
    assert (done.state, done.coverage) == ("graded", 1.0)
