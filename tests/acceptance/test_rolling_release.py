"""Every process but PostgreSQL is replaced by a new one, one after the other, behind the shipped proxy, while sessions
are stepped and answers are graded: no request fails, no session is lost, limits are shared."""

import asyncio
import json
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Any

import httpx2
import pytest

from api.cli.baselines.throwaway import enrol, unlimited
from api.core.db import Database, Role
from api.core.ratelimit import RATES
from api.core.settings import Settings
from api.worker.importing import import_pack
from tests.support.proxy import proxied
from tests.support.redis_server import redis_server
from tests.support.scratch import scratch
from tests.support.service import choice_pack
from tests.support.sessions import echo_pack
from tests.support.sql import sql
from tools.load.fleet import Fleet

SESSIONS = 4
ROLLED = ("serve-0", "serve-1", "worker-0", "worker-1", "host-0", "host-1")
FEWEST_STEPS = 10

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed: make test-packages"),
]


def _served(fleet: Fleet) -> list[int]:
    return [int(address.rpartition(":")[2]) for address in fleet.addresses]


class Player:
    """Steps one episode until told to end it; whatever is not a success fails the test, save "come again"."""

    def __init__(self, client: httpx2.AsyncClient, key: str) -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {key}"}
        self.steps = self.again = 0

    async def call(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        while True:
            reply = await self._client.request(method, path, json=body, headers=self._headers)
            if reply.status_code == 503 and "retry-after" in reply.headers:
                # No host has room while one goes: said by the service, with when to come again.
                self.again += 1
                await asyncio.sleep(float(reply.headers["retry-after"]))
                continue
            assert reply.status_code < 300, (method, path, reply.status_code, reply.text)
            return dict(reply.json())

    async def play(self, problem: str, number: int, rolled: asyncio.Event) -> str:
        opened = await self.call("POST", "/v1/sessions", {"problem": problem})
        path = f"/v1/sessions/{opened['id']}/steps"
        while not rolled.is_set() or self.steps < FEWEST_STEPS:
            self.steps += 1
            said = {"number": self.steps, "action": {"text": f"word {self.steps}"}}
            reply = await self.call("POST", path, said)
            assert int(reply["observation"]["data"]["number"]) == self.steps, "the world has lost or doubled a step"
            await asyncio.sleep(0.5)
        end = {"number": self.steps + 1, "action": {"text": f"finish[{number}]"}}
        assert (await self.call("POST", path, end))["finish_reason"] == "completed"
        return str(opened["id"])


async def _roll(fleet: Fleet, rolled: asyncio.Event) -> None:
    try:
        for name in ROLLED:
            # A web process that has ended everything ends by the signal itself.
            assert await fleet.stop(name) in (0, -signal.SIGTERM), f"{name} did not end by itself"
            await fleet.start(name)
            await fleet.until_ready(name)
            await asyncio.sleep(1)
    finally:
        rolled.set()


async def _submit(player: Player, rolled: asyncio.Event) -> list[str]:
    problems = (await player.call("GET", "/v1/benchmarks/quiz/problems?split=dev"))["items"]
    sent: list[str] = []
    while not rolled.is_set() or not sent:
        items = [{"problem": problem["id"], "answer": "A"} for problem in problems]
        body = {"benchmark": "quiz", "split": "dev", "model": {"name": f"m{len(sent)}"}, "items": items}
        sent.append((await player.call("POST", "/v1/submissions", body))["id"])
        await asyncio.sleep(1.0)
    return sent


async def _limits_are_shared(client: httpx2.AsyncClient) -> None:
    """Each process counts what the other admitted: what is left goes down by one, whoever answers."""
    left = []
    for _ in range(8):
        reply = (await client.get("/v1/limits")).raise_for_status()
        left.append(int(reply.headers["RateLimit"].partition("r=")[2].partition(";")[0]))
    assert left == list(range(left[0], left[0] - 8, -1))
    assert left[0] < int(RATES["public"].partition("/")[0])


async def test_a_release_rolls_through_and_nobody_notices() -> None:
    with tempfile.TemporaryDirectory(prefix="hld", dir=scratch(), ignore_cleanup_errors=True) as made:
        folder = Path(made)
        folder.chmod(0o755)
        (folder / "proxy").mkdir()
        with redis_server(folder) as limits:
            chosen = {"rate_storage": limits, "trusted_proxies": "127.0.0.1", "session_share": 1.0}
            settings = Settings.model_validate({"data_dir": folder / "data", "log_level": "error"} | chosen)
            await _play(settings, folder / "proxy")


async def _play(settings: Settings, folder: Path) -> None:
    settings.data_dir.mkdir()
    async with (
        Fleet(settings, {"serve": 2, "worker": 2, "host": 2}) as fleet,
        proxied(_served(fleet), folder) as client,
    ):
        database = Database.of(settings, Role.ADMIN)
        async with database.session() as session:
            await import_pack(session, settings, unlimited(choice_pack()))
            await import_pack(session, settings, unlimited(echo_pack(count=SESSIONS, steps=500, seconds=3600)))
            key = (await enrol(session, settings, "lab"))[1]
        await _limits_are_shared(client)
        rolled, players = asyncio.Event(), [Player(client, key) for _ in range(SESSIONS)]
        episodes = (await players[0].call("GET", "/v1/benchmarks/parrot/episodes?split=dev"))["items"]
        async with asyncio.TaskGroup() as group:
            playing = [
                group.create_task(player.play(episode["id"], number, rolled))
                for number, (player, episode) in enumerate(zip(players, episodes, strict=True))
            ]
            submitting = group.create_task(_submit(Player(client, key), rolled))
            group.create_task(_roll(fleet, rolled))
        for task, player in zip(playing, players, strict=True):
            shown = await player.call("GET", f"/v1/sessions/{task.result()}")
            assert [step["number"] for step in shown["transcript"]] == list(range(player.steps + 2))
            assert shown["divergence"] == []
        for submission in submitting.result():
            async with asyncio.timeout(120):
                while (await players[0].call("GET", f"/v1/submissions/{submission}"))["state"] != "graded":
                    await asyncio.sleep(0.2)
        async with database.session() as session:
            count = "select state, count(*) as n, sum(takeovers) as moved from live_session group by 1"
            row = (await sql(session, count)).one()
        await database.close()
        assert (row.state, row.n) == ("graded", SESSIONS)
        assert row.moved >= SESSIONS, "each session moved at least once: both hosts were replaced"
        steps, again = sum(player.steps for player in players), sum(player.again for player in players)
        told = {"replaced": ROLLED, "sessions": row.n, "steps": steps, "takeovers": row.moved, "asked again": again}
        print("\n" + json.dumps(told | {"submissions graded": len(submitting.result())}))
