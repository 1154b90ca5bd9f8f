"""The episodes one host holds: opened, stepped, rebuilt from their logs, ended. All of it under leases."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

import structlog

from api.admission.player import Trajectory, play_episode, scripted
from api.core.db import Database
from api.core.nul import without_nul
from api.hosting.counters import Counters
from api.hosting.errors import (
    BrokenSpecError,
    FaultError,
    FencedError,
    FullError,
    HostError,
    ImageDiffersError,
    OutOfOrderError,
    OverError,
    TakenError,
    WorldEndedError,
)
from api.hosting.journal import Journal, Line
from api.hosting.repository import HostRepository, Lease, LoggedStep
from api.hosting.running_episode import LeasedEpisode, digest, plain
from api.hosting.sealing import open_episode, seal_evidence
from envs import engine, registry
from envs.base import Action, EpisodeError, Evidence, FinishReason, Observation, SpecError, StepResult, View
from envs.sandbox.base import SandboxGoneError
from envs.sandbox.pool import PoolExhaustedError
from packs.problem import Episode
from protection.fingerprints import variant_number

log = structlog.get_logger(__name__)
T = TypeVar("T")
_TRIES = 2
_FAULTS_AT_MOST = 6
# An action that ends its own sandbox in so many fresh worlds, one after the other, is the cause of it.
_ENDINGS = 3
# Ends that are judged without a look at the world: their last action need not be played again.
_UNSEEN = (FinishReason.INVALID_ACTION.value, FinishReason.INVALID_FORMAT.value)
_BUILDS_AT_ONCE = 8


class Episodes:
    """Everything that is alive in this process. One call at a time for each session."""

    def __init__(self, database: Database, key: bytes, host: UUID) -> None:
        self._database = database
        self._key = key
        self._host = host
        self._journal = Journal(database)
        self.counters = Counters()
        self._held: dict[UUID, LeasedEpisode] = {}
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self._building = asyncio.Semaphore(_BUILDS_AT_ONCE)

    @property
    def held(self) -> dict[UUID, int]:
        """Epochs of the sessions whose environments are alive here."""
        return {session: world.lease.epoch for session, world in self._held.items()}

    def _lock(self, session: UUID) -> asyncio.Lock:
        return self._locks.setdefault(session, asyncio.Lock())

    async def open(self, session: UUID, epoch: int) -> dict[str, Any]:
        """Build the environment unless it is there; the first observation is stored with the session."""
        async with self._lock(session):
            await self._playing(Lease(session, self._host, epoch), _nothing)
        return {}

    async def step(self, session: UUID, epoch: int, number: int, action: dict[str, Any]) -> dict[str, Any]:
        """Play a step once and store it; the same number and action again gives what was stored."""
        lease = Lease(session, self._host, epoch)
        async with self._lock(session):
            world = await self._playing(lease, _itself)
            if number <= world.steps:
                return await self._again(world, number, action)
            if number != world.steps + 1:
                raise OutOfOrderError(f"the next step is {world.steps + 1}")
            if world.finish or world.expired:
                await self._finish(lease, world.finish or FinishReason.TASK_LIMIT, None)
                raise OverError("the time is over")
            return await self._play(lease, number, action)

    async def view(self, session: UUID, epoch: int, view: dict[str, Any]) -> dict[str, Any]:
        """Look at the world without a step: nothing is logged, because nothing changes."""
        asked = View.model_validate(view)
        async with self._lock(session):
            return {"observation": await self._playing(Lease(session, self._host, epoch), lambda w: w.view(asked))}

    async def finish(self, session: UUID, epoch: int, reason: str, answer: str | None) -> dict[str, Any]:
        """End the episode; if its last step has ended it already, that reason and answer stand."""
        async with self._lock(session):
            await self._finish(Lease(session, self._host, epoch), FinishReason(reason), answer)
        return {"state": "ended"}

    async def play(
        self, session: UUID, epoch: int, actions: list[dict[str, Any]], answer: str | None, reason: str
    ) -> dict[str, Any]:
        """Play a whole trajectory from where the log ends, then end the episode."""
        trajectory = Trajectory(tuple(map(Action.model_validate, actions)), FinishReason(reason))
        async with self._lock(session):
            stage = _Posted(self, Lease(session, self._host, epoch), answer)
            await play_episode(stage, scripted(trajectory))
        return {"state": "ended"}

    async def drop(self, session: UUID) -> None:
        """Destroy the environment of a session; its log stays."""
        world = self._held.pop(session, None)
        if world:
            await world.close()

    async def release(self, session: UUID, epoch: int) -> None:
        """Destroy the environment if it still plays under this epoch and nobody uses it."""
        lock = self._lock(session)
        world = self._held.get(session)
        if world and world.lease.epoch == epoch and not lock.locked():
            async with lock:
                await self.drop(session)

    async def close(self) -> None:
        """Destroy every environment; the logs stay."""
        await asyncio.gather(*(self.drop(session) for session in list(self._held)))
        await self._journal.close()

    async def _again(self, world: LeasedEpisode, number: int, action: dict[str, Any]) -> dict[str, Any]:
        async with self._database.session() as session:
            stored = await HostRepository(session).step(world.lease.session, number)
        if stored is None:
            await self.drop(world.lease.session)
            raise FencedError("the world was ahead of its log; the caller asks again and gets a new one")
        if stored.action != action:
            raise TakenError("another action was taken under this number")
        if world.finish and number == world.steps:
            await self._finish(world.lease, world.finish, None)
        return _told(stored.number, stored.observation, stored.finish, stored.answer, stored.error)

    async def _play(self, lease: Lease, number: int, asked: dict[str, Any], *, end: bool = True) -> dict[str, Any]:
        """`asked`: an action as `Action` dumps it without what is None."""
        told = await self._acted(lease, Action.model_validate(asked))
        observation = plain(told.observation)
        fields = {
            "number": number,
            "action": asked,
            "observation": observation,
            "digest": digest(observation),
            "finish": told.finish.value if told.finish else None,
            "answer": without_nul(told.answer),
            "error": without_nul(told.error),
        }
        await self._fenced(lease, self._journal.append(Line(lease, fields)))
        self.counters.steps += 1
        if told.finish and end:
            await self._finish(lease, told.finish, told.answer)
        return _told(number, observation, told.finish, told.answer, told.error)

    async def _acted(self, lease: Lease, action: Action) -> StepResult:
        async def act(world: LeasedEpisode) -> StepResult:
            try:
                return await world.step(action)
            except SandboxGoneError as error:
                raise WorldEndedError(str(error)) from error

        for _ in range(_ENDINGS):
            try:
                return await self._playing(lease, act, until_ended=True)
            except WorldEndedError as error:
                log.info("world.ended", session=str(lease.session), why=str(error))
                await self.drop(lease.session)
        seen = Observation(text="The machine ended while this was carried out, and so did every machine after it.")
        why = f"the action ended its own sandbox {_ENDINGS} times in a row"
        return StepResult(observation=seen, finish=FinishReason.INVALID_ACTION, error=why)

    async def _playing(
        self, lease: Lease, work: Callable[[LeasedEpisode], Awaitable[T]], *, until_ended: bool = False
    ) -> T:
        """Do `work` in the session's world; after a fault of ours, again in a world rebuilt from the log.

        `until_ended`: a world that the participant ended is told to the caller.
        """
        for _ in range(_TRIES):
            try:
                return await work(await self._world(lease))
            except HostError as error:
                if until_ended or not isinstance(error, WorldEndedError):
                    raise
                await self.drop(lease.session)
            except PoolExhaustedError as error:
                self.counters.refusals += 1
                raise FullError(str(error)) from error
            except Exception as error:  # noqa: BLE001 - whatever an environment raises is our fault, never a result
                why = str(error) if isinstance(error, EpisodeError) else ""
                self.counters.faults += 1
                log.warning("environment.fault", session=str(lease.session), error=type(error).__name__, why=why)
                await self.drop(lease.session)
        async with self._database.session() as session:
            faults = await HostRepository(session).fault(lease)
        if faults >= _FAULTS_AT_MOST:
            await self._end(lease, FinishReason.INFRASTRUCTURE_ERROR, None, [])
        raise FaultError("the environment failed again in a rebuilt world")

    async def _world(self, lease: Lease) -> LeasedEpisode:
        held = self._held.get(lease.session)
        if held and held.lease == lease:
            return held
        await self.drop(lease.session)
        async with self._building:
            return await self._build(lease)

    async def _build(self, lease: Lease) -> LeasedEpisode:
        async with self._database.session() as session:
            repository = HostRepository(session)
            row = await repository.leased(lease)
            if row is None:
                raise FencedError("the lease is not this host's")
            if row.state not in ("opening", "running"):
                raise OverError("the episode has ended")
            steps = await repository.log(lease.session) if row.state == "running" else []
        if row.sealed is None:
            raise BrokenSpecError("no episode is stored for this problem")
        forms = open_episode(self._key, row.problem_id, row.sealed)
        episode = Episode.model_validate(forms[variant_number(row.variant) or 0])
        try:
            await _as_published(episode, row.sandbox_images)
            world = LeasedEpisode(registry.create(episode.environment), episode, row.deadline, lease=lease)
        except SpecError as error:
            raise BrokenSpecError(str(error)) from error
        try:
            await self._begin(world, row.seed, steps)
        except BaseException:
            await world.close()
            raise
        self._held[lease.session] = world
        return world

    async def _begin(self, world: LeasedEpisode, seed: int, steps: list[LoggedStep]) -> None:
        try:
            first = plain(await world.reset(seed))
        except SpecError as error:
            raise BrokenSpecError(str(error)) from error
        if steps:
            await self._replay(world, first, steps)
            return
        lease, limits = world.lease, (world.episode.steps, world.episode.seconds)
        await self._write(lease, lambda r: r.opened(lease, first, digest(first), *limits))
        world.start_clock()

    async def _replay(self, world: LeasedEpisode, first: dict[str, Any], steps: list[LoggedStep]) -> None:
        self.counters.replays += 1
        await self._compare(world, steps[0], digest(first), None)
        for row in steps[1:]:
            if world.finish or row.finish in _UNSEEN:
                break
            try:
                told = await world.step(Action.model_validate(row.action))
            except SandboxGoneError as error:
                raise WorldEndedError(str(error)) from error
            await self._compare(world, row, digest(plain(told.observation)), told.finish)
        # The log is what happened: a replay that ran otherwise changes neither its length nor its end.
        world.steps = steps[-1].number
        world.finish = FinishReason(steps[-1].finish) if steps[-1].finish else None
        world.answer = steps[-1].answer

    async def _compare(self, world: LeasedEpisode, row: LoggedStep, seen: str, finish: FinishReason | None) -> None:
        if row.digest == seen and row.finish == (finish.value if finish else None):
            return
        self.counters.divergences += 1
        log.warning("replay.diverged", session=str(world.lease.session), step=row.number)
        found = {"step": row.number, "observed": row.digest, "replayed": seen}
        async with self._database.session() as session:
            await HostRepository(session).diverged(world.lease, found)

    async def _finish(self, lease: Lease, reason: FinishReason, answer: str | None) -> None:
        async def look(world: LeasedEpisode) -> tuple[FinishReason, str | None, list[Evidence]]:
            ending, said = (world.finish, world.answer) if world.finish else (reason, answer)
            return ending, said if said is not None else answer, await world.probe()

        try:
            ending, said, seen = await self._playing(lease, look)
        except FaultError:
            log.error("episode.unseen", session=str(lease.session))
            raise
        await self._end(lease, ending, said, seen)

    async def _end(self, lease: Lease, reason: FinishReason, answer: str | None, seen: list[Evidence]) -> None:
        sealed = seal_evidence(self._key, lease.session, [item.model_dump(mode="json") for item in seen])
        await self._write(lease, lambda r: r.ended(lease, reason.value, answer, sealed))
        await self.drop(lease.session)

    async def _write(self, lease: Lease, write: Callable[[HostRepository], Awaitable[bool]]) -> None:
        """Commit one fenced write. When it fails, the world is ahead of the log and is destroyed."""

        async def committed() -> bool:
            async with self._database.session() as session:
                accepted = await write(HostRepository(session))
            # Not before the commit: a write that was not committed leaves the world ahead of the log.
            return accepted  # noqa: RET504

        await self._fenced(lease, committed())

    async def _fenced(self, lease: Lease, write: Awaitable[bool]) -> None:
        done = False
        try:
            done = await write
        finally:
            if not done:
                await self.drop(lease.session)
        if not done:
            raise FencedError("another process holds the session now")


class _Posted:
    """The log of a session as a stage of the player: what is played is stored, and a fault is played over again."""

    def __init__(self, episodes: Episodes, lease: Lease, answer: str | None) -> None:
        self._episodes = episodes
        self._lease = lease
        self._answer = answer
        self._running: LeasedEpisode

    @property
    def over(self) -> bool:
        return self._running.over

    @property
    def steps(self) -> int:
        return self._running.steps

    async def begin(self) -> Observation:
        self._running = await self._episodes._playing(self._lease, _itself)
        return Observation()

    async def step(self, action: Action) -> Observation:
        asked = action.model_dump(mode="json", exclude_none=True)
        told = await self._episodes._play(self._lease, self.steps + 1, asked, end=False)
        await self.begin()
        return Observation.model_validate(told["observation"])

    async def end(self, reason: FinishReason) -> None:
        await self._episodes._finish(self._lease, self._running.reason(reason), self._answer)


async def _as_published(episode: Episode, published: dict[str, list[str]] | None) -> None:
    """Raises ImageDiffersError where an image's name stands for another content here than in the release."""
    name = registry.image(episode.environment, dict(episode.spec))
    if name is None or published is None:
        return
    found = await (await engine.backend()).digest(name)
    if found not in published.get(name, ()):
        log.error("image.differs", image=name, found=found, published=published.get(name, []))
        raise ImageDiffersError(f"'{name}' is {found} here; the release was published with {published.get(name)}")


async def _itself(world: LeasedEpisode) -> LeasedEpisode:
    return world


async def _nothing(_world: LeasedEpisode) -> None:
    return None


def _told(
    number: int, observation: dict[str, Any], finish: str | None, answer: str | None, error: str | None
) -> dict[str, Any]:
    return {"number": number, "observation": observation, "finish": finish, "answer": answer, "error": error}
