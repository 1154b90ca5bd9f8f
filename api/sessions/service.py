"""What a participant does with sessions. No database connection is held while an environment works."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.exc import OperationalError

from api.accounts.principal import Principal
from api.admission.player import episode_seed
from api.catalog.service import CatalogService, require_access
from api.core.crypto import Aliases
from api.core.db import AsyncSession, Database
from api.core.errors import ServiceError
from api.core.ids import new_id, parse_id
from api.hosting.client import HostClient, HostRefusedError, emptiest
from api.hosting.client_errors import CapacityError, EnvironmentDownError, NoHostError, SessionOverError
from api.hosting.errors import BrokenSpecError
from api.hosting.leases import FreeHost, LeaseRepository
from api.hosting.models import OVER, LiveSession, SessionState
from api.hosting.protocol import Opened, Preparing
from api.hosting.session_repository import SessionRepository
from api.lanes.repository import LaneRepository
from api.problems.errors import BudgetSpentError
from api.problems.repository import ListedEpisode, ProblemAccess, ProblemRepository
from api.problems.service import ProblemService
from api.sessions.errors import (
    NotEpisodeError,
    SubmissionMismatchError,
    host_errors,
)
from api.sessions.lookup import own_session
from api.sessions.repository import Asked, Found, OpeningRepository
from api.sessions.schemas import SessionFinish
from api.sessions.shown import Shown
from api.submissions.errors import KeyReusedError
from api.submissions.models import State
from api.submissions.repository import EpisodeRun, SubmissionRepository
from envs.base import View
from protection.fingerprints import Fingerprints, variant_text

_PAUSE = 0.5


@dataclass(frozen=True)
class Opening:
    """A session that was asked for. `shown` is there where this call opened it: then nothing need be read again."""

    id: UUID
    shown: Shown | None = None


@dataclass(frozen=True)
class _Admitted:
    """A session; of a new one the host that it was given to and its problem."""

    row: LiveSession
    host: FreeHost | None = None
    problem: ProblemAccess | None = None


_KEEP_ALIVE_SECONDS = 5.0
_NO_SUBMISSION = "your organisation has no such submission"


@asynccontextmanager
async def _ended(begun: AsyncSession) -> AsyncIterator[AsyncSession]:
    """A transaction that somebody else began: committed at the end, rolled back on any exception."""
    try:
        yield begun
    except BaseException:
        await begun.rollback()
        raise
    await begun.commit()


class SessionService:
    """Open, step, finish, cancel. Each transaction is short and its own."""

    def __init__(
        self,
        database: Database,
        aliases: Aliases,
        principal: Principal,
        fingerprints: Fingerprints,
        host_client: HostClient,
        share: float,
    ) -> None:
        """`share`: of all slots, how many the organisation may hold."""
        self._database = database
        self._aliases = aliases
        self._principal = principal
        self._fingerprints = fingerprints
        self._host_client = host_client
        self._share = share

    async def open(self, begun: AsyncSession, problem: str, submission: str | None, key: str | None) -> Opening:
        """Open an episode, or find the one that this submission or idempotency key has opened already.

        `begun`: the transaction of authentication, which ends with the admission.
        """
        try:
            admitted = await self._admit_or_wait(begun, problem, submission, key)
            row, opened = admitted.row, None
            if row.state == SessionState.OPENING:
                opened = await self._begin(row)
        except CapacityError:
            async with self._database.session() as session:
                await LeaseRepository(session).note_refusal(self._principal.organisation_id)
            raise
        if opened is None or admitted.problem is None:
            return Opening(row.id)
        row.state, row.deadline = SessionState.RUNNING.value, opened.deadline
        row.step_limit, row.seconds = opened.steps, opened.seconds
        return Opening(row.id, Shown(row, admitted.problem, opened.observation, opened.observation))

    async def observe(self, public: str, view: View) -> dict[str, Any]:
        """Look without acting; nothing is stored, and it is no step."""
        row = await self.own(public)
        if row.state in OVER:
            raise SessionOverError(f"it ended with '{row.finish_reason}'", finish_reason=row.finish_reason)
        with host_errors():
            return await self._host_client.view(row.id, view)

    async def finish(self, begun: AsyncSession, public: str, end: SessionFinish) -> LiveSession:
        """End an episode with an answer; the session as it was before. Again is harmless: the first end stands, and the
        last usage.

        `begun`: the transaction of authentication, which goes on where the episode is over already and ends with the
        report of its usage where a host is to be asked.
        """
        repository = SessionRepository(begun)
        row = await own_session(repository, self._principal, public)
        if end.usage is not None:
            await repository.report_usage(row.id, end.usage.model_dump(exclude_none=True))
        if row.state in OVER:
            return row
        await begun.commit()
        try:
            with host_errors():
                await self._host_client.finish(row.id, end.reason, end.answer)
        except SessionOverError:
            return row
        await self._finalize(row)
        return row

    async def keep_alive(self, public: str) -> None:
        """Note that somebody still thinks about the next action. Raises SessionOverError."""
        async with self._database.session() as session:
            repository = SessionRepository(session)
            row = await own_session(repository, self._principal, public)
            if row.state in OVER:
                raise SessionOverError(f"it ended with '{row.finish_reason}'", finish_reason=row.finish_reason)
            await repository.keep_alive(row.id)

    async def cancel(self, public: str) -> UUID:
        """End an episode unjudged: within a submission it counts as not solved."""
        async with self._database.session() as session:
            repository = SessionRepository(session)
            row = await own_session(repository, self._principal, public)
            cancelled = await repository.cancel(row.id)
            if cancelled:
                await LaneRepository(session).add_session(row.organisation_id, row.id)
        if cancelled:
            await self._host_client.release(row.id)
        return row.id

    async def own(self, public: str) -> LiveSession:
        """A session of the principal's organisation. Raises NoSessionError."""
        async with self._database.session() as session:
            return await own_session(SessionRepository(session), self._principal, public)

    async def episodes(self, slug: str, split: str, after: int, limit: int) -> list[ListedEpisode]:
        """Aliases and types of a split's episodes, and nothing of what they ask."""
        async with self._database.session() as session:
            access = await CatalogService(session).split_access(slug, split, self._principal.organisation_id)
            require_access(access)
            return await ProblemRepository(session).episodes(access.split_id, after, limit)

    async def _admit_or_wait(
        self, begun: AsyncSession, problem: str, submission: str | None, key: str | None
    ) -> _Admitted:
        """Admission; while no host is there (it starts, or starts again) the caller waits a little."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._host_client.timeout
        transaction: AbstractAsyncContextManager[AsyncSession] = _ended(begun)
        while True:
            try:
                async with transaction as session:
                    admitted = await self._admitted(session, problem, submission, key)
                if admitted.host is not None:
                    self._host_client.add_target(admitted.row.id, admitted.host, admitted.row.epoch)
                return admitted
            except NoHostError:
                if loop.time() > deadline:
                    raise
            await asyncio.sleep(_PAUSE)
            transaction = self._database.session()

    async def _admitted(
        self, session: AsyncSession, problem: str, submission: str | None, key: str | None
    ) -> _Admitted:
        access = await ProblemService(session, self._aliases, self._principal, self._fingerprints).resolve(problem)
        if not access.episode:
            raise NotEpisodeError("answer it with POST /v1/submissions")
        openings, principal = OpeningRepository(session), self._principal
        run = self._submission(submission) if submission else None
        asked = Asked(principal.organisation_id, principal.capped_by, self._share, access.split_id, access.id, run, key)
        found = await openings.look(asked)
        if run:
            self._require_open(found.run, access.split_id)
        if found.earlier:
            if (found.earlier.problem_id, found.earlier.submission_id) != (access.id, run):
                raise KeyReusedError("use a new key for a new request; the earlier session stands")
            return _Admitted(found.earlier)
        host, identity, seed = _placed(found), new_id(), episode_seed(access.id.bytes)
        variant = variant_text(self._fingerprints.shown(principal.organisation_id, access).variant)
        limit = access.config.problems_per_day
        # Whoever has nothing left is refused below, and nothing is built for them.
        if limit is None or found.used < limit:
            self._host_client.prepare(host, identity, Preparing(access.id, seed, variant))
        try:
            # The loop writes at the end of its turn: the host begins before this process goes on, not after.
            await asyncio.sleep(0)
            row = LiveSession(
                id=identity,
                problem_id=access.id,
                split_id=access.split_id,
                submission_id=run,
                idempotency_key=key,
                organisation_id=principal.organisation_id,
                key_id=principal.key_id,
                seed=seed,
                host_id=host.id,
                epoch=1,
                variant=variant,
            )
            written = await openings.write(row, principal.address)
            if not written.added:
                raise SubmissionMismatchError("the submission has an answer to this problem already")
            if written.budget is None:
                used = await ProblemRepository(session).used_today(principal.organisation_id, access.split_id)
                raise BudgetSpentError(f"{used} of {limit} are used; wait until 00:00 UTC", limit=limit, used=used)
        except BaseException:
            self._host_client.discard(host, identity)
            raise
        return _Admitted(row, host, access)

    def _submission(self, public: str) -> UUID:
        submission_id = parse_id("sub", public)
        if submission_id is None:
            raise SubmissionMismatchError(_NO_SUBMISSION)
        return submission_id

    def _require_open(self, run: EpisodeRun | None, split_id: UUID) -> None:
        if not run or run.organisation_id != self._principal.organisation_id:
            raise SubmissionMismatchError(_NO_SUBMISSION)
        if run.split_id != split_id:
            raise SubmissionMismatchError("the submission is for another split")
        if run.played and not self._principal.by_service:
            raise SubmissionMismatchError("the service plays its episodes itself; make a new submission")
        if run.state != State.OPEN:
            raise SubmissionMismatchError(f"its state is '{run.state}'; make one with \"finalize\": false")

    async def _begin(self, row: LiveSession) -> Opened | None:
        keeping_alive = asyncio.create_task(self._keep_alive(row.id))
        try:
            return await self._build(row)
        finally:
            keeping_alive.cancel()

    async def _keep_alive(self, session_id: UUID) -> None:
        """Say again and again that the opening is waited for: without it the sweep takes its slot back."""
        while True:
            await asyncio.sleep(_KEEP_ALIVE_SECONDS)
            with contextlib.suppress(OSError, OperationalError):
                async with self._database.session() as session:
                    await SessionRepository(session).keep_alive(session_id)

    async def _build(self, row: LiveSession) -> Opened | None:
        try:
            return await self._host_client.open(row.id)
        except SessionOverError:
            return None
        except (ServiceError, HostRefusedError) as error:
            if isinstance(error, HostRefusedError) and error.code == BrokenSpecError.code and row.submission_id:
                await self._end_broken(row)
                return None
            async with self._database.session() as session:
                repository = SessionRepository(session)
                if await repository.fail(row.id, type(error).__name__) and row.submission_id:
                    await SubmissionRepository(session).drop_episode(row.submission_id, row.problem_id)
            if isinstance(error, HostRefusedError):
                raise EnvironmentDownError("the budget was given back; please tell the benchmark's owner") from error
            raise

    async def _end_broken(self, row: LiveSession) -> None:
        """An episode that can never be built is over before it began: its submission has an unscored item, and ends."""
        async with self._database.session() as session:
            if await SessionRepository(session).end_broken(row.id):
                await LaneRepository(session).add_session(row.organisation_id, row.id)

    async def _finalize(self, row: LiveSession) -> None:
        # The sweep finds what dies between the end of an episode and this line.
        async with self._database.session() as session:
            await LaneRepository(session).add_session(row.organisation_id, row.id)


def _placed(found: Found) -> FreeHost:
    """The host that takes one more session. Raises NoHostError, CapacityError."""
    load = found.load
    if not found.hosts:
        raise NoHostError("try again in a moment", retry_after=3)
    if load.refuses:
        detail = (
            f"{load.used} of {load.slots} are in use, {load.own} of them yours, and one organisation may hold "
            f"{load.most}; try again in a moment"
        )
        raise CapacityError(detail, retry_after=5)
    free = emptiest(found.hosts)
    assert free
    return free
