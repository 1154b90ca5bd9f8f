"""Which steps are committed together."""

import asyncio
from dataclasses import dataclass, field
from uuid import UUID

import pytest

from api.hosting import journal
from api.hosting.journal import Journal, Line
from api.hosting.server import Host
from tests.support.sessions import Player

PATIENCE = 120.0


async def test_who_was_answered_acts_again_in_the_next_commit_where_another_waits(
    host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, other = await _two(host, player)
    gather = Journal._gather
    # However long the first commit takes here: who comes is waited for, and nothing else ends the waiting.
    monkeypatch.setattr(journal, "_LONGEST_WAIT", PATIENCE)
    monkeypatch.setattr(Journal, "_gather", lambda self, answered, _: gather(self, answered, PATIENCE))
    groups = _groups(host, monkeypatch)
    waiting = [asyncio.create_task(host.episodes.step(*first, 1, {"text": "first"}))]
    async with asyncio.timeout(PATIENCE / 2):
        await groups.begun.wait()
        waiting.append(asyncio.create_task(host.episodes.step(*other, 1, {"text": "other"})))
        await _until_one_waits(host)
        groups.may_end.set()
        await waiting[0]
        assert (await host.episodes.step(*first, 2, {"text": "first"})).number == 2
        await waiting[1]
    assert groups.made == [{first[0]}, {first[0], other[0]}]


async def test_nobody_waits_for_long_for_who_was_answered(
    host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, other = await _two(host, player)
    groups = _groups(host, monkeypatch)
    waiting = [asyncio.create_task(host.episodes.step(*first, 1, {"text": "first"}))]
    async with asyncio.timeout(PATIENCE):
        await groups.begun.wait()
        waiting.append(asyncio.create_task(host.episodes.step(*other, 1, {"text": "other"})))
        await _until_one_waits(host)
        groups.may_end.set()
        await asyncio.gather(*waiting)
    assert groups.made == [{first[0]}, {other[0]}]


@dataclass
class _Groups:
    """The sessions of each commit; the first waits until it may end."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    made: list[set[UUID]] = field(default_factory=list)


def _groups(host: Host, monkeypatch: pytest.MonkeyPatch) -> _Groups:
    stored, groups = host.episodes._journal._store, _Groups()

    async def recorded(lines: list[Line]) -> set[str]:
        groups.made.append({line.lease.session for line in lines})
        groups.begun.set()
        await groups.may_end.wait()
        return await stored(lines)

    monkeypatch.setattr(host.episodes._journal, "_store", recorded)
    return groups


async def _two(host: Host, player: Player) -> list[tuple[UUID, int]]:
    for problem in (await player.episodes())[:2]:
        await player.opened(problem)
    return list(host.episodes.epochs.items())


async def _until_one_waits(host: Host) -> None:
    while not host.episodes._journal._waiting:
        await asyncio.sleep(0)
