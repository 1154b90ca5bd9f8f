"""`kill -9` of the sandbox engine, the host, the API, the worker and PostgreSQL under running sessions on machines of
their own, stepped by POST and over channels: none lost, no step done twice. Without sandboxes the sessions only echo,
and there is no engine to kill."""

import asyncio
import contextlib
import itertools
import json
import os
import random
import shutil
import signal
from dataclasses import replace
from typing import Any

import httpx2
import psutil
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from api.cli.baselines.throwaway import Throwaway, throwaway
from envs.sandbox.backends import default_backend
from envs.sandbox.base import Image, Limits, SandboxError
from packs.pack import Pack
from packs.problem import ReferenceLine
from tests.support.scratch import scratch
from tests.support.sessions import echo_pack
from tests.support.sql import sql

SESSIONS = int(os.environ.get("HELDOUT_TEST_SESSIONS", "4"))
KILLS = int(os.environ.get("HELDOUT_TEST_KILLS", "3"))
TARGETS = ("engine", "host", "serve", "worker", "postgres")
# Every line once, in order, and none from a world that is gone.
CHECK = '[ "$(cat /root/log)" = "$(seq "$1")" ]'
ATTEMPTS = 600
FEWEST_STEPS = 4


class Agent:
    """Plays one episode, and says the same again until it is answered."""

    def __init__(self, client: httpx2.AsyncClient, number: int, killing: asyncio.Event, *, machine: bool) -> None:
        self._client = client
        self._number = number
        self._killing = killing
        self._machine = machine
        self._channel: ClientConnection | None = None
        self.said: list[dict[str, Any]] = []
        self.session = ""

    async def play(self, problem: str, submission: str) -> None:
        """Say words until the killing is over, then solve the episode."""
        told = await self._reply("POST", "/v1/sessions", {"problem": problem, "submission": submission})
        self.session = told["id"]
        chance = random.Random(self._number)
        while not self._killing.is_set() or len(self.said) < FEWEST_STEPS:
            step = await self._say(self._word(len(self.said) + 1))
            # The world counts its own actions: one lost or doubled would show here.
            data = step["observation"]["data"]
            assert int(data["output"] if self._machine else data["number"]) == len(self.said), step
            await asyncio.sleep(chance.uniform(0.1, 0.6))
        assert (await self._say(self._end()))["finish_reason"] == "completed"
        await self.hang_up()

    def _word(self, number: int) -> dict[str, Any]:
        if not self._machine:
            return {"text": f"word {number} of {self._number}"}
        script = f"echo {number} >> /root/log; wc -l < /root/log"
        return {"tool": {"name": "bash_action", "arguments": {"script": script}}}

    def _end(self) -> dict[str, Any]:
        if not self._machine:
            return {"text": f"finish[{self._number}]"}
        return {"tool": {"name": "answer_action", "arguments": {"answer": str(len(self.said))}}}

    async def transcript(self) -> dict[str, Any]:
        return await self._reply("GET", f"/v1/sessions/{self.session}")

    async def _say(self, action: dict[str, Any]) -> dict[str, Any]:
        self.said.append(action)
        body = {"number": len(self.said), "action": action}
        if self._number % 2:
            return await self._over_channel(body)
        return await self._reply("POST", f"/v1/sessions/{self.session}/steps", body)

    async def _over_channel(self, body: dict[str, Any]) -> dict[str, Any]:
        """As `_reply`, over the session's channel, which is opened again when a kill has closed it."""
        address = str(self._client.base_url.join(f"/v1/sessions/{self.session}/steps"))
        headers = {"Authorization": self._client.headers["Authorization"]}
        for _ in range(ATTEMPTS):
            with contextlib.suppress(OSError, WebSocketException):
                if self._channel is None:
                    wire = address.replace("http", "ws", 1)
                    try:
                        self._channel = await connect(
                            wire, additional_headers=headers, open_timeout=120, ping_timeout=None
                        )
                    except InvalidStatus as refused:
                        if refused.response.status_code != 409:
                            raise
                        # The episode has ended by this very step, whose reply was lost: the POST tells it again.
                        return await self._reply("POST", f"/v1/sessions/{self.session}/steps", body)
                try:
                    await self._channel.send(json.dumps(body))
                    async with asyncio.timeout(120):
                        told = dict(json.loads(await self._channel.recv()))
                except (OSError, WebSocketException):
                    self._channel = None
                    raise
                if told.get("status", 200) < 500 and told.get("status") != 429:
                    assert "status" not in told, told
                    return told
            await asyncio.sleep(0.5)
        raise AssertionError("no answer over the channel")

    async def hang_up(self) -> None:
        """Close the channel."""
        if self._channel is not None:
            await self._channel.close()

    async def _reply(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        return await _reply(self._client, method, path, body)


async def _reply(client: httpx2.AsyncClient, method: str, path: str, body: Any = None) -> dict[str, Any]:
    """Ask until there is an answer that is not the kill's doing."""
    for _ in range(ATTEMPTS):
        with contextlib.suppress(httpx2.HTTPError):
            response = await client.request(method, path, json=body)
            if response.status_code < 500 and response.status_code != 429:
                assert response.status_code in (200, 201, 202), response.text
                return dict(response.json())
        await asyncio.sleep(0.5)
    raise AssertionError(f"no answer to {method} {path}")


async def _kill_in_turn(running: Throwaway, killing: asyncio.Event, targets: tuple[str, ...]) -> int:
    """Kill one of them, wait until sessions can be opened and read again, kill the next."""
    count = 0
    for what in itertools.islice(itertools.cycle(targets), KILLS):
        await asyncio.sleep(1.0)
        if what == "postgres":
            folder = running.settings.data_dir.absolute() / "postgres" / "cluster"
            number = int((folder / "postmaster.pid").read_text().split()[0])
        elif what == "engine":
            number = await _engine(running)
        else:
            number = running.instance.children[what].pid
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
            count += 1
        await _until_whole(running, number if what == "host" else None)
    killing.set()
    return count


async def _engine(running: Throwaway) -> int:
    """The supervisor of the host's sandboxes, once there is one."""
    for _ in range(ATTEMPTS):
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(running.instance.children["host"].pid).children():
                if "envs.sandbox.supervisor" in " ".join(child.cmdline()):
                    return child.pid
        await asyncio.sleep(0.1)
    raise AssertionError("the host has no sandbox engine")


async def _until_whole(running: Throwaway, killed: int | None) -> None:
    async with httpx2.AsyncClient(base_url=running.instance.address, timeout=30) as client:
        for _ in range(ATTEMPTS):
            back = killed is None or running.instance.children["host"].pid != killed
            with contextlib.suppress(httpx2.HTTPError):
                if back and (await client.get("/v1/benchmarks")).status_code == 200:
                    return
            await asyncio.sleep(0.5)
    raise AssertionError("the service did not come back")


async def _sandboxes() -> bool:
    """Whether bubblewrap works here."""
    if shutil.which("bwrap") is None:
        return False
    async with await default_backend(prefer="bubblewrap" if os.geteuid() == 0 else "bubblewrap-user") as backend:
        try:
            await (await backend.start(Image(user="root"), Limits())).destroy()
        except SandboxError:
            return False
    return True


def _on_machines(pack: Pack) -> Pack:
    """The same episodes, each on a machine of its own; what is judged is the file that the steps wrote."""
    probe = {"name": "log", "kind": "check", "arguments": {"script": {"code": CHECK}, "parameters": [{"answer": True}]}}
    episode = {
        "environment": "operating_system",
        "spec": {"problem": "Count.", "turns": 200, "timeout": 600},
        "steps": 200,
        "seconds": 3600,
        "probes": [probe],
    }
    lines = tuple(
        ReferenceLine.model_validate(
            {"id": line.id, "reference": {"kind": "commands", "succeeds": ["log"]}, "gold": "", "episode": episode}
        )
        for line in pack.references
    )
    return replace(pack, references=lines)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_no_session_is_lost_and_no_step_is_done_twice() -> None:
    machines = await _sandboxes()
    pack, targets = echo_pack(count=SESSIONS, steps=500, seconds=3600), TARGETS if machines else TARGETS[1:]
    pack = _on_machines(pack) if machines else pack
    async with throwaway(pack, host_slots=SESSIONS, sandbox="bubblewrap", pool_ready=1, place=scratch()) as running:
        by_name = {name: item.alias for name, item in (await running.answer_key()).items()}
        killing = asyncio.Event()
        headers = {"Authorization": f"Bearer {running.key}"}
        limits = httpx2.Limits(max_connections=SESSIONS)
        async with httpx2.AsyncClient(
            base_url=running.instance.address, headers=headers, timeout=120, limits=limits
        ) as client:
            body = {"benchmark": "parrot", "split": "test", "model": {"name": "m"}, "finalize": False}
            run = (await _reply(client, "POST", "/v1/submissions", body))["id"]
            agents = [Agent(client, number, killing, machine=machines) for number in range(SESSIONS)]
            killer = asyncio.create_task(_kill_in_turn(running, killing, targets))
            await asyncio.gather(*(agent.play(by_name[f"test-{number}"], run) for number, agent in enumerate(agents)))
            assert await killer == KILLS
            for agent in agents:
                shown = await agent.transcript()
                done = [step["action"] for step in shown["transcript"][1:]]
                assert [{name: form for name, form in action.items() if form} for action in done] == agent.said
                assert [step["number"] for step in shown["transcript"]] == list(range(len(agent.said) + 1))
                assert shown["divergence"] == []
            await _reply(client, "POST", f"/v1/submissions/{run}/finalize")
            await running.until_graded(run)
            # Of each item: a hidden split tells its score in steps, and 50 right ones of 50 are 0.98 there.
            outcomes = {name: verdict.outcome for name, verdict in (await running.verdicts(run)).items()}
            assert outcomes == {f"test-{number}": "correct" for number in range(SESSIONS)}
        await _check(running, agents)


async def _check(running: Throwaway, agents: list[Agent]) -> None:
    """Every session was played to its end; an opening that failed was told to nobody, and asked for again."""
    async with running.database.session() as session:
        rows = await sql(
            session,
            """select state, count(*) as n, sum(takeovers) as moved, sum(faults) as faults, sum(steps) as steps
               from live_session group by 1""",
        )
        found = {row.state: row for row in rows.all()}
        steps = (await sql(session, "select count(*) from session_step where number > 0")).scalar_one()
    unopened, graded = found.pop("failed", None), found.pop("graded")
    said = sum(len(agent.said) for agent in agents)
    assert (found, graded.n, graded.steps, steps) == ({}, SESSIONS, said, said)
    assert unopened is None or unopened.steps == 0
    print(
        f"{KILLS} kills, {SESSIONS} sessions, {said} steps, {graded.moved} takeovers, {graded.faults} faults, "
        f"{unopened.n if unopened else 0} openings asked for again, none lost"
    )
