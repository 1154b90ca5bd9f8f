"""Processes that hold sessions: they die, drain, are fenced out, and no session is lost."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest

from api.core.settings import Settings
from api.hosting import client, connection
from api.hosting.errors import FencedError
from api.hosting.journal import Journal, Line
from api.hosting.leases import LeaseRepository
from api.hosting.models import SessionHost
from api.hosting.server import Host
from api.worker.sweep import expire
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql
from tests.support.unsteady import Blind, Forgetful, Stumbling, instead_of_echo

PATIENCE = 120.0


@asynccontextmanager
async def host_process(settings: Settings, service: Service) -> AsyncIterator[asyncio.subprocess.Process]:
    """A host as a process of its own, known to the service."""
    chosen = {"HELDOUT_DATA_DIR": str(settings.data_dir), "HELDOUT_DATABASE_NAME": settings.database_name}
    command = (sys.executable, "-m", "api.processes", "host")
    process = await asyncio.create_subprocess_exec(*command, env=os.environ | chosen)
    try:
        async with asyncio.timeout(PATIENCE):
            while not await _hosts(service):
                assert process.returncode is None
                await asyncio.sleep(0.1)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _hosts(service: Service) -> int:
    async with service.admin.session() as session:
        return int((await sql(session, "select count(*) from session_host")).scalar_one())


async def test_a_killed_host_loses_no_session(settings: Settings, service: Service) -> None:
    await service.publish(echo_pack(count=4))
    player = Player(await service.reader())
    async with host_process(settings, service) as process:
        sessions = [(await player.opened(problem))["id"] for problem in await player.episodes()]
        for number in (1, 2):
            await asyncio.gather(*(player.said(session, number, f"word {number}") for session in sessions))
        async with Host.running(settings):
            process.kill()
            await process.wait()
            told = await asyncio.gather(*(player.said(session, 3, "word 3") for session in sessions))
            # The echo counts what it was told: three actions happened in the world that lives now.
            assert [reply["observation"]["data"]["number"] for reply in told] == [3] * 4
            for session in sessions:
                shown = await player.show(session)
                assert [step["observation"]["text"] for step in shown["transcript"][1:]] == [
                    "word 1",
                    "word 2",
                    "word 3",
                ]
                assert (shown["takeovers"], shown["divergence"]) == (1, [])
            await player.said(sessions[2], 4, "finish[2]")
            await service.work()
            assert (await player.show(sessions[2]))["verdict"]["outcome"] == "correct"


async def test_a_host_that_falls_silent_is_left(
    settings: Settings, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that is gone, or a process that stands still, refuses no connection and never answers."""
    monkeypatch.setattr(client, "_WATCH_SECONDS", 0.1)
    await service.publish(echo_pack())
    player = Player(await service.reader())
    async with host_process(settings, service) as process:
        session = (await player.opened((await player.episodes())[0]))["id"]
        await player.said(session, 1, "one")
        process.send_signal(signal.SIGSTOP)
        asked = asyncio.create_task(player.said(session, 2, "two"))
        async with Host.running(settings) as other:
            async with service.admin.session() as database:
                await sql(
                    database,
                    "update session_host set seen_at = seen_at - interval '1 day' where id <> :id",
                    {"id": other.id},
                )
            assert (await asked)["observation"]["data"] == {"number": 2}
            # It wakes and plays what it was asked: its lease is another's, and nothing of it is stored.
            process.send_signal(signal.SIGCONT)
            assert (await player.said(session, 3, "three"))["observation"]["data"] == {"number": 3}
            shown = await player.show(session)
            assert [step["observation"]["text"] for step in shown["transcript"][1:]] == ["one", "two", "three"]
            assert shown["takeovers"] == 1


class Stuck:
    """Calls of a host that never answers, until the test is over."""

    def __init__(self) -> None:
        self._over = asyncio.Event()

    async def __call__(self, *_: object) -> None:
        await self._over.wait()

    def end(self) -> None:
        self._over.set()


async def test_a_host_that_lives_and_never_answers_is_left(
    settings: Settings, service: Service, host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, stuck = (await player.opened((await player.episodes())[0]))["id"], Stuck()
    await player.said(session, 1, "one")
    ((_, epoch),) = host.episodes.epochs.items()
    monkeypatch.setattr(host.episodes, "step", stuck)
    monkeypatch.setattr(connection, "longest", lambda call: 0.3 if call.epoch == epoch else PATIENCE)
    async with Host.running(settings):
        assert (await player.said(session, 2, "two"))["observation"]["data"] == {"number": 2}
        shown = await player.show(session)
    assert [step["observation"]["text"] for step in shown["transcript"][1:]] == ["one", "two"]
    assert (shown["takeovers"], shown["divergence"]) == (1, [])
    stuck.end()


async def test_a_host_that_was_left_and_asked_again_knows_that_it_is_behind(
    settings: Settings, service: Service, host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another web process may still believe that the session is here: nobody but the asker may be out of order."""
    session, stuck = (await player.opened((await player.episodes())[0]))["id"], Stuck()
    await player.said(session, 1, "one")
    ((session_id, epoch),) = host.episodes.epochs.items()
    monkeypatch.setattr(connection, "longest", lambda call: 0.3 if call.epoch == epoch else PATIENCE)
    with monkeypatch.context() as patch:
        patch.setattr(host.episodes, "step", stuck)
        async with Host.running(settings):
            for number in (2, 3):
                await player.said(session, number, f"word {number}")
    stuck.end()
    with pytest.raises(FencedError):
        await host.episodes.step(session_id, epoch, 4, {"text": "word 4"})
    assert session_id not in host.episodes.epochs


async def test_without_another_host_the_episode_ends_by_our_fault_and_nothing_is_wrong(
    service: Service, host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    episodes = await player.episodes()
    session, stuck = (await player.opened(episodes[0]))["id"], Stuck()
    for name in ("step", "open"):
        monkeypatch.setattr(host.episodes, name, stuck)
    monkeypatch.setattr(connection, "longest", lambda _call: 0.3)
    refused = await player.say(session, 1, "one")
    assert (refused.status_code, refused.json()["code"]) == (409, "session_over")
    async with service.admin.session() as database:
        await sql(database, "update live_session set ended_at = ended_at - interval '1 hour'")
    await expire(service.worker)
    await service.work()
    shown = await player.show(session)
    assert (shown["finish_reason"], shown["verdict"]["outcome"]) == ("infrastructure_error", "unscored")
    closed = await player.open(episodes[1])
    assert (closed.status_code, closed.json()["code"]) == (503, "no_host")
    async with service.admin.session() as database:
        assert (await sql(database, "select sum(used) from daily_budget")).scalar_one() == 1
    stuck.end()


async def test_a_host_that_drains_hands_its_sessions_over(settings: Settings, service: Service) -> None:
    await service.publish(echo_pack())
    player = Player(await service.reader())
    async with Host.running(settings):
        session = (await player.opened((await player.episodes())[0]))["id"]
        await player.said(session, 1, "before")
    service.app.state.host_client.timeout = 0.1
    refused = await player.open((await player.episodes())[1])
    assert (refused.status_code, refused.json()["code"]) == (503, "no_host")
    service.app.state.host_client.timeout = PATIENCE
    async with Host.running(settings):
        assert (await player.said(session, 2, "after"))["observation"]["data"] == {"number": 2}


async def test_an_old_holder_cannot_write(settings: Settings, service: Service, host: Host, player: Player) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    await player.said(session, 1, "one")
    (session_id, epoch), *_ = host.episodes.epochs.items()
    async with Host.running(settings) as other:
        async with service.admin.session() as database:
            assert await LeaseRepository(database).take(session_id, epoch, other.id) == epoch + 1
            assert await LeaseRepository(database).take(session_id, epoch, other.id) is None
        # The old holder still has the world and does not know of the new lease.
        with pytest.raises(FencedError):
            await host.episodes.step(session_id, epoch, 2, {"text": "from the past"})
        assert session_id not in host.episodes.epochs
        assert (await player.said(session, 2, "two"))["observation"]["data"] == {"number": 2}
        assert session_id in other.episodes.epochs
    texts = [step["observation"]["text"] for step in (await player.show(session))["transcript"]]
    assert texts == ["this is dev-0", "one", "two"]


async def test_a_host_is_asked_with_its_token_alone(host: Host, service: Service) -> None:
    async with service.admin.session() as database:
        row = await database.get(SessionHost, host.id)
    assert row
    name, port = row.address.split(":")
    reader, writer = await asyncio.open_connection(name, int(port))
    body = b'{"token":"guess"}'
    writer.write(len(body).to_bytes(4, "big") + body)
    async with asyncio.timeout(PATIENCE):
        assert await reader.read() == b""
    writer.close()


async def test_a_world_that_looks_different_is_recorded_and_goes_on(
    host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead_of_echo(monkeypatch, Forgetful)
    session = (await player.opened((await player.episodes())[0]))["id"]
    await player.said(session, 1, "one")
    for session_id in list(host.episodes.epochs):
        await host.episodes.drop(session_id)
    assert (await player.said(session, 2, "two"))["observation"]["data"] == {"number": 2}
    shown = await player.show(session)
    assert [found["step"] for found in shown["divergence"]] == [0]


async def test_a_fault_of_ours_is_played_again_in_a_new_world(
    host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead_of_echo(monkeypatch, Stumbling)
    session = (await player.opened((await player.episodes())[0]))["id"]
    await player.said(session, 1, "one")
    told = await player.said(session, 2, "stumble")
    assert (told["observation"]["data"], told["finish_reason"]) == ({"number": 2}, None)


async def test_what_cannot_be_seen_is_unscored_and_never_wrong(
    service: Service, host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead_of_echo(monkeypatch, Blind)
    session = (await player.opened((await player.episodes())[0]))["id"]
    codes = [(await player.finish(session, "0")).status_code for _ in range(7)]
    assert codes == [503] * 6 + [200]
    async with service.admin.session() as database:
        await sql(database, "update live_session set ended_at = now() - interval '1 hour'")
    await expire(service.worker)
    await service.work()
    shown = await player.show(session)
    assert (shown["finish_reason"], shown["verdict"]["outcome"]) == ("infrastructure_error", "unscored")
    assert shown["verdict"]["score"] is None


async def test_a_step_that_may_not_have_been_committed_is_played_again(
    host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is lost at the commit, and nobody knows on which side of it: the world must go."""
    session = (await player.opened((await player.episodes())[0]))["id"]
    stored, failures = Journal._store, iter([False, False, True])

    async def fails_at_the_commit(self: Journal, lines: list[Line]) -> set[str]:
        kept = next(failures, None)
        done = await stored(self, lines) if kept is not False else set()
        if kept is not None:
            raise psycopg.OperationalError("the server closed the connection")
        return done

    monkeypatch.setattr(Journal, "_store", fails_at_the_commit)
    # Lost before the commit, twice; then lost after it.
    for number in (1, 2, 3):
        assert (await player.said(session, number, f"word {number}"))["observation"]["data"] == {"number": number}
    assert len((await player.show(session))["transcript"]) == 4


async def test_the_connection_of_the_journal_is_cut_while_nothing_is_written(
    service: Service, host: Host, player: Player
) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    await player.said(session, 1, "one")
    kept = host.episodes._journal._connection
    assert kept
    async with service.admin.session() as database:
        await sql(database, "select pg_terminate_backend(:pid)", {"pid": kept._pq.backend_pid})
    async with asyncio.timeout(PATIENCE):
        while not kept.closed:
            await asyncio.sleep(0.05)
    assert (await player.said(session, 2, "two"))["observation"]["data"] == {"number": 2}
    assert host.episodes._journal._connection is not kept


async def test_a_group_is_stored_that_no_buffer_holds(host: Host, player: Player) -> None:
    for problem in await player.episodes():
        await player.opened(problem)
    word = "long " * 500_000
    told = await asyncio.gather(
        *(host.episodes.step(*held, 1, {"text": word}) for held in list(host.episodes.epochs.items()))
    )
    assert [reply.observation["text"] == word for reply in told] == [True] * 4


async def test_a_step_that_cannot_be_stored_takes_no_other_with_it(
    host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = [(await player.opened(problem))["id"] for problem in await player.episodes()]
    stored, groups = Journal._store, []

    async def refuses_a_word(self: Journal, lines: list[Line]) -> set[str]:
        groups.append(len(lines))
        if any("poison" in json.dumps(line.fields) for line in lines):
            raise psycopg.DataError("it cannot be stored")
        return await stored(self, lines)

    monkeypatch.setattr(Journal, "_store", refuses_a_word)
    words = ["a", "b", "c", "poison"]
    steps = zip(host.episodes.epochs.items(), words, strict=True)
    told = await asyncio.gather(
        *(host.episodes.step(*held, 1, {"text": word}) for held, word in steps), return_exceptions=True
    )
    assert [isinstance(reply, psycopg.DataError) for reply in told] == [False, False, False, True]
    assert max(groups) > 1
    assert len(sessions) == len(host.episodes.epochs) + 1
