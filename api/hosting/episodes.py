"""The episodes one host holds: opened, stepped, rebuilt from their logs, ended. All of it under leases."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

import structlog

from api.admission.player import Trajectory, play_episode, scripted
from api.core.db import Database
from api.core.nul import without_nul
from api.hosting.counters import Counters
from api.hosting.early import Asked, Built, EarlyBuilds
from api.hosting.errors import (
    BrokenSpecError,
    FaultError,
    FencedError,
    FullError,
    HostError,
    ImageDiffersError,
    OutOfOrderError,
    OverError,
    SandboxEndedError,
    TakenError,
    UnfitError,
)
from api.hosting.journal import Journal, Line
from api.hosting.openings import Beginning, Beginnings, EpisodeReader
from api.hosting.protocol import Opened, StepReply
from api.hosting.repository import HostRepository, Lease, LoggedStep
from api.hosting.running_episode import LeasedEpisode, digest, plain, plain_with_digest
from api.hosting.sealing import open_episode, seal_evidence
from api.hosting.session_repository import SessionRepository
from envs import engine, registry
from envs.base import Action, EpisodeError, Evidence, FinishReason, Observation, SpecError, StepResult, View
from envs.fitness import UnfitSandboxError
from envs.sandbox.base import SandboxGoneError
from envs.sandbox.pool import PoolExhaustedError
from packs.problem import Episode
from protection.fingerprints import variant_number

log = structlog.get_logger(__name__)
T = TypeVar("T")
_TRIES = 2
_FAULTS_AT_MOST = 6
# An action that ends its own sandbox in so many fresh sandboxes, one after the other, is the cause of it.
_ENDINGS = 3
# Ends that are judged without a look at the environment: their last action need not be played again.
_NOT_PROBED = (FinishReason.INVALID_ACTION.value, FinishReason.INVALID_FORMAT.value)
_BUILDS_AT_ONCE = 8


class Episodes:
    """Everything that is alive in this process. One call at a time for each session."""

    def __init__(self, database: Database, key: Callable[[], bytes], host: UUID) -> None:
        self._database = database
        self._key = key
        self._host = host
        self._journal = Journal(database)
        self._reader = EpisodeReader(database)
        self._beginnings = Beginnings(database)
        self.counters = Counters()
        self._held: dict[UUID, LeasedEpisode] = {}
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self._building = asyncio.Semaphore(_BUILDS_AT_ONCE)
        self._early = EarlyBuilds(self._build_early)

    @property
    def epochs(self) -> dict[UUID, int]:
        """Epochs of the sessions whose environments are alive here."""
        return {session: running.lease.epoch for session, running in self._held.items()}

    def _lock(self, session: UUID) -> asyncio.Lock:
        lock = self._locks.get(session)
        if lock is None:
            lock = self._locks[session] = asyncio.Lock()
        return lock

    async def open(self, session: UUID, epoch: int) -> Opened | None:
        """Build the environment unless it is there; the first observation is stored with the session, and told once."""
        async with self._lock(session):
            running = await self._attempt(Lease(session, self._host, epoch), _itself)
            opened, running.opened = running.opened, None
            return opened

    def prepare(self, session: UUID, epoch: int, problem: UUID, seed: int, variant: str) -> None:
        """Begin to build the environment of a session that is still being admitted: `open` or `release` comes next."""
        if session not in self._held:
            self._early.begin(Asked(Lease(session, self._host, epoch), problem, seed, variant))

    def drop_forgotten(self) -> None:
        """Destroy what was built for sessions that never came."""
        self._early.drop_forgotten()

    async def step(self, session: UUID, epoch: int, number: int, action: dict[str, Any]) -> StepReply:
        """Play a step once and store it; the same number and action again gives what was stored."""
        lease = Lease(session, self._host, epoch)
        async with self._lock(session):
            running = await self._attempt(lease, _itself)
            if number <= running.steps:
                return await self._stored(running, number, action)
            if number != running.steps + 1:
                await self._check_not_behind(running)
                raise OutOfOrderError(f"the next step is {running.steps + 1}")
            if running.finish or running.expired:
                await self._finalize(lease, running.finish or FinishReason.TASK_LIMIT, None)
                raise OverError("the time is over")
            return await self._play(lease, number, action)

    async def next_step(self, session: UUID, epoch: int, number: int, action: dict[str, Any]) -> StepReply | None:
        """Play and store a step that is the next of an environment that is here; None, and nothing done, else.

        An episode that the step ends still has to be ended: ask `step` for the same step again.
        """
        running = self._held.get(session)
        if running is None or running.lease.epoch != epoch or running.lock.locked():
            return None
        async with running.lock:
            if running.over or number != running.steps + 1:
                return None
            return await self._play(running.lease, number, action, finalize=False)

    async def view(self, session: UUID, epoch: int, view: dict[str, Any]) -> dict[str, Any]:
        """Look at the environment without a step: nothing is logged, because nothing changes."""
        asked = View.model_validate(view)
        async with self._lock(session):
            return await self._attempt(Lease(session, self._host, epoch), lambda running: running.view(asked))

    async def finish(self, session: UUID, epoch: int, reason: str, answer: str | None) -> None:
        """End the episode; if its last step has ended it already, that reason and answer stand."""
        async with self._lock(session):
            await self._finalize(Lease(session, self._host, epoch), FinishReason(reason), answer)

    async def play(
        self, session: UUID, epoch: int, actions: list[dict[str, Any]], answer: str | None, reason: str
    ) -> None:
        """Play a whole trajectory from where the log ends, then end the episode."""
        trajectory = Trajectory(tuple(map(Action.model_validate, actions)), FinishReason(reason))
        async with self._lock(session):
            stage = _Posted(self, Lease(session, self._host, epoch), answer)
            await play_episode(stage, scripted(trajectory))

    async def drop(self, session: UUID) -> None:
        """Destroy the environment of a session; its log stays."""
        running = self._held.pop(session, None)
        if running:
            await running.close()

    async def release(self, session: UUID, epoch: int) -> None:
        """Destroy the environment if it still plays under this epoch and nobody uses it."""
        self._early.drop(session)
        lock = self._lock(session)
        running = self._held.get(session)
        if running and running.lease.epoch == epoch and not lock.locked():
            async with lock:
                await self.drop(session)

    async def close(self) -> None:
        """Destroy every environment; the logs stay."""
        await self._early.close()
        await asyncio.gather(*(self.drop(session) for session in list(self._held)))
        for asked in (self._journal, self._reader, self._beginnings):
            await asked.close()

    async def _check_not_behind(self, running: LeasedEpisode) -> None:
        """Raises FencedError where another host has gone on with the log: the lease was lost, and nobody said so."""
        async with self._database.session() as session:
            ahead = await SessionRepository(session).step(running.lease.session, running.steps + 1)
        if ahead is not None:
            await self.drop(running.lease.session)
            raise FencedError("the environment was behind its log; the caller asks again and gets a new one")

    async def _stored(self, running: LeasedEpisode, number: int, action: dict[str, Any]) -> StepReply:
        async with self._database.session() as session:
            stored = await SessionRepository(session).step(running.lease.session, number)
        if stored is None:
            await self.drop(running.lease.session)
            raise FencedError("the environment was ahead of its log; the caller asks again and gets a new one")
        if stored.action != action:
            raise TakenError("another action was taken under this number")
        if running.finish and number == running.steps:
            await self._finalize(running.lease, running.finish, None)
        return StepReply(stored.number, stored.observation, stored.finish, stored.answer, stored.error)

    async def _play(self, lease: Lease, number: int, asked: dict[str, Any], *, finalize: bool = True) -> StepReply:
        """`asked`: an action as `Action` dumps it without what is None."""
        result = await self._act(lease, Action.model_validate(asked))
        observation, seen = plain_with_digest(result.observation)
        fields: dict[str, Any] = {
            "number": number,
            "action": asked,
            "observation": observation,
            "digest": seen,
            "finish": result.finish.value if result.finish else None,
            "answer": without_nul(result.answer),
            "error": without_nul(result.error),
        }
        await self._fenced(lease, self._journal.append(Line(lease, fields)))
        self.counters.steps += 1
        if result.finish and finalize:
            await self._finalize(lease, result.finish, result.answer)
        return StepReply(number, observation, fields["finish"], fields["answer"], fields["error"])

    async def _act(self, lease: Lease, action: Action) -> StepResult:
        async def act(running: LeasedEpisode) -> StepResult:
            try:
                return await running.step(action)
            except SandboxGoneError as error:
                raise SandboxEndedError(str(error)) from error

        for _ in range(_ENDINGS):
            try:
                return await self._attempt(lease, act, until_ended=True)
            except SandboxEndedError as error:
                log.info("sandbox.ended", session=str(lease.session), why=str(error))
                await self.drop(lease.session)
        observation = Observation(text="The machine ended while this was carried out, as did every machine after it.")
        why = f"the action ended its own sandbox {_ENDINGS} times in a row"
        return StepResult(observation=observation, finish=FinishReason.INVALID_ACTION, error=why)

    async def _attempt(
        self, lease: Lease, work: Callable[[LeasedEpisode], Awaitable[T]], *, until_ended: bool = False
    ) -> T:
        """Do `work` with the session's environment; after a fault of ours, again with one rebuilt from the log.

        `until_ended`: a sandbox that the participant ended is raised to the caller.
        """
        for _ in range(_TRIES):
            try:
                held = self._held.get(lease.session)
                # The same object on the way of most steps.
                if held is None or held.lease is not lease:
                    held = await self._environment(lease)
                return await work(held)
            except HostError as error:
                if until_ended or not isinstance(error, SandboxEndedError):
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
        raise FaultError("the environment failed again when rebuilt")

    async def _environment(self, lease: Lease) -> LeasedEpisode:
        held = self._held.get(lease.session)
        if held and held.lease == lease:
            return held
        await self.drop(lease.session)
        early = await self._early.take(lease)
        if early is not None and (running := await self._opened_early(lease, early)) is not None:
            return running
        async with self._building:
            return await self._build(lease)

    async def _build_early(self, asked: Asked) -> Built:
        async with self._building:
            row = await self._reader.ask(asked.problem)
            if row is None:
                raise BrokenSpecError("there is no such problem")
            running = await self._made(asked.lease, asked.problem, asked.variant, row.sealed, row.sandbox_images, None)
            try:
                return Built(asked, running, plain(await running.reset(asked.seed)))
            except BaseException:
                await running.close()
                raise

    async def _opened_early(self, lease: Lease, early: Built) -> LeasedEpisode | None:
        """Open the session with what was built for it; None where it is another: then it is built anew."""
        running, limits = early.running, (early.running.episode.steps, early.running.episode.seconds)
        deadline: datetime | None = None
        try:
            beginning = Beginning(lease, early.first, digest(early.first), *limits, early.asked.values())
            deadline = await self._beginnings.ask(beginning)
        finally:
            if deadline is None:
                await running.close()
        if deadline is None:
            return None
        running.start_clock()
        running.opened = Opened(early.first, deadline, *limits)
        self._held[lease.session] = running
        return running

    async def _build(self, lease: Lease) -> LeasedEpisode:
        async with self._database.statements() as session:
            repository = HostRepository(session)
            row = await repository.leased(lease)
            if row is None:
                raise FencedError("the lease is not this host's")
            if row.state not in ("opening", "running"):
                raise OverError("the episode has ended")
            steps = await repository.log(lease.session) if row.state == "running" else []
        running = await self._made(lease, row.problem_id, row.variant, row.sealed, row.sandbox_images, row.deadline)
        try:
            await self._begin(running, row.seed, steps)
        except BaseException:
            await running.close()
            raise
        self._held[lease.session] = running
        return running

    async def _made(
        self,
        lease: Lease,
        problem: UUID,
        variant: str,
        sealed: bytes | None,
        images: dict[str, list[str]] | None,
        deadline: datetime | None,
    ) -> LeasedEpisode:
        if sealed is None:
            raise BrokenSpecError("no episode is stored for this problem")
        episode = Episode.model_validate(open_episode(self._key(), problem, sealed)[variant_number(variant) or 0])
        try:
            await _as_published(episode, images)
            environment, lock = registry.create(episode.environment), self._lock(lease.session)
            return LeasedEpisode(environment, episode, deadline, lease=lease, lock=lock)
        except SpecError as error:
            raise BrokenSpecError(str(error)) from error

    async def _begin(self, running: LeasedEpisode, seed: int, steps: list[LoggedStep]) -> None:
        try:
            first = plain(await running.reset(seed))
        except SpecError as error:
            raise BrokenSpecError(str(error)) from error
        except UnfitSandboxError as error:
            log.error("sandbox.unfit", session=str(running.lease.session), why=str(error))
            raise UnfitError(str(error)) from error
        if steps:
            await self._replay(running, first, steps)
            return
        lease, limits = running.lease, (running.episode.steps, running.episode.seconds)
        beginning = Beginning(lease, first, digest(first), *limits, {})
        deadline = await self._fenced(lease, self._beginnings.ask(beginning))
        running.start_clock()
        assert deadline
        running.opened = Opened(first, deadline, *limits)

    async def _replay(self, running: LeasedEpisode, first: dict[str, Any], steps: list[LoggedStep]) -> None:
        self.counters.replays += 1
        await self._compare(running, steps[0], digest(first), None)
        for row in steps[1:]:
            if running.finish or row.finish in _NOT_PROBED:
                break
            try:
                result = await running.step(Action.model_validate(row.action))
            except SandboxGoneError as error:
                raise SandboxEndedError(str(error)) from error
            await self._compare(running, row, digest(plain(result.observation)), result.finish)
        # The log is what happened: a replay that ran otherwise changes neither its length nor its end.
        running.steps = steps[-1].number
        running.finish = FinishReason(steps[-1].finish) if steps[-1].finish else None
        running.answer = steps[-1].answer

    async def _compare(self, running: LeasedEpisode, row: LoggedStep, again: str, finish: FinishReason | None) -> None:
        if row.digest == again and row.finish == (finish.value if finish else None):
            return
        self.counters.divergences += 1
        log.warning("replay.diverged", session=str(running.lease.session), step=row.number)
        found = {"step": row.number, "observed": row.digest, "replayed": again}
        async with self._database.session() as session:
            await HostRepository(session).diverged(running.lease, found)

    async def _finalize(self, lease: Lease, reason: FinishReason, answer: str | None) -> None:
        async def look(running: LeasedEpisode) -> tuple[FinishReason, str | None, list[Evidence]]:
            ending, final = (running.finish, running.answer) if running.finish else (reason, answer)
            return ending, final if final is not None else answer, await running.probe()

        try:
            ending, final, evidence = await self._attempt(lease, look)
        except FaultError:
            log.error("episode.unseen", session=str(lease.session))
            raise
        await self._end(lease, ending, final, evidence)

    async def _end(self, lease: Lease, reason: FinishReason, answer: str | None, evidence: list[Evidence]) -> None:
        sealed = seal_evidence(self._key(), lease.session, [item.model_dump(mode="json") for item in evidence])
        await self._write(lease, lambda r: r.ended(lease, reason.value, answer, sealed))
        await self.drop(lease.session)

    async def _write(self, lease: Lease, write: Callable[[HostRepository], Awaitable[T]]) -> T:
        """Commit one fenced statement. When it fails, the environment is ahead of the log and is destroyed."""

        async def committed() -> T:
            async with self._database.statements() as session:
                return await write(HostRepository(session))

        return await self._fenced(lease, committed())

    async def _fenced(self, lease: Lease, write: Awaitable[T]) -> T:
        done: T | None = None
        try:
            done = await write
        finally:
            if not done:
                await self.drop(lease.session)
        if not done:
            raise FencedError("another process holds the session now")
        return done


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
        self._running = await self._episodes._attempt(self._lease, _itself)
        return Observation()

    async def step(self, action: Action) -> Observation:
        asked = action.model_dump(mode="json", exclude_none=True)
        reply = await self._episodes._play(self._lease, self.steps + 1, asked, finalize=False)
        await self.begin()
        return Observation.model_validate(reply.observation)

    async def end(self, reason: FinishReason) -> None:
        await self._episodes._finalize(self._lease, self._running.reason(reason), self._answer)


async def _as_published(episode: Episode, published: dict[str, list[str]] | None) -> None:
    """Raises ImageDiffersError where an image's name stands for another content here than in the release."""
    name = registry.image(episode.environment, dict(episode.spec))
    if name is None or published is None:
        return
    found = await (await engine.backend()).digest(name)
    if found not in published.get(name, ()):
        log.error("image.differs", image=name, found=found, published=published.get(name, []))
        raise ImageDiffersError(f"'{name}' is {found} here; the release was published with {published.get(name)}")


async def _itself(running: LeasedEpisode) -> LeasedEpisode:
    return running
