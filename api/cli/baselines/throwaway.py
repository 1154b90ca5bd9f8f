"""A whole instance that is gone afterwards: for baselines, checks and benchmarks."""

import asyncio
import dataclasses
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2

from api.accounts.models import MemberRole, Scope
from api.accounts.service import AccountService
from api.admission.baselines import SolvedProblem
from api.cli.running import Instance
from api.core.db import AsyncSession, Database, Role
from api.core.settings import Settings
from api.submissions.models import State
from api.submissions.repository import NamedVerdict, SubmissionRepository
from api.worker.answer_key import answer_key
from api.worker.importing import import_pack
from packs.pack import Pack
from packs.variation.variants import variants_of

# Nobody is kept out of what is gone afterwards: hidden splits are decided as soon as they are graded.
_AT_ONCE = {"feedback_delay_seconds": 0, "feedback_clock_seconds": 1, "feedback_pause_seconds": 0, "session_share": 1.0}
_SCOPES = [Scope.PROBLEMS_READ, Scope.SUBMISSIONS_WRITE, Scope.SESSIONS_WRITE]


@dataclass(frozen=True)
class Throwaway:
    """A running instance with one published pack and one participant."""

    instance: Instance
    settings: Settings
    database: Database
    key: str
    organisation: UUID
    slug: str

    def client(self) -> httpx2.AsyncClient:
        """Requests with the participant's key."""
        headers = {"Authorization": f"Bearer {self.key}"}
        return httpx2.AsyncClient(base_url=self.instance.address, headers=headers, timeout=600)

    async def answer_key(self) -> dict[str, SolvedProblem]:
        """The pack's problems as the participant is served them, with the gold of its variants, by the pack's ids."""
        async with self.database.session() as session:
            return await answer_key(session, self.settings, self.slug, self.organisation)

    async def until_graded(self, submission: str, seconds: float = 3600) -> State:
        """Wait until nothing is left that a machine can grade; the state, which a hidden split would not tell."""
        deadline = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < deadline:
            async with self.database.session() as session:
                state = await SubmissionRepository(session).state(_identity(submission))
            if state in (State.GRADED, State.AWAITING_REVIEW, State.FAILED):
                return state
            await asyncio.sleep(0.2)
        raise TimeoutError(f"{submission} was not graded within {seconds} s")

    async def verdicts(self, submission: str) -> dict[str, NamedVerdict]:
        """The verdict of each item by the pack's own id, read with the owner's rights."""
        async with self.database.session() as session:
            return await SubmissionRepository(session).named_verdicts(_identity(submission))


def _identity(submission: str) -> UUID:
    return UUID(hex=submission.removeprefix("sub_"))


def unlimited(pack: Pack) -> Pack:
    """The pack without budgets, quotas and agreement, each problem in its first variant: for its owner's eyes."""
    splits = {
        name: config.model_copy(update={"problems_per_day": None, "submissions_per_organisation": None})
        for name, config in pack.benchmark.splits.items()
    }
    head = pack.benchmark.model_copy(update={"splits": splits, "agreement": None})
    lines = pack.reference_by_id
    pairs = [variants_of(problem, lines[problem.id], b"throwaway")[0] for problem in pack.problems]
    problems, references = (tuple(side) for side in zip(*pairs, strict=True))
    return dataclasses.replace(pack, benchmark=head, problems=problems, references=references)


async def enrol(session: AsyncSession, settings: Settings, organisation: str) -> tuple[UUID, str]:
    """An organisation with one member; its id, and a key with which everything can be taken part in."""
    accounts = AccountService(session, settings.secrets.raw("pepper"))
    user = await accounts.ensure_user(f"{organisation}@example.org", "Participant")
    team = await accounts.ensure_organisation(organisation)
    await accounts.ensure_member(user, team, MemberRole.MEMBER)
    return team.id, (await accounts.create_key(user.id, team.id, "baseline", _SCOPES))[1]


@asynccontextmanager
async def throwaway(pack: Pack, *, place: str | None = None, **more: Any) -> AsyncIterator[Throwaway]:
    """Start an instance below `place` (/tmp), publish `pack`, make a participant; all of it is gone at the end.

    On the embedded PostgreSQL, unless `more` (settings) names another, which keeps what was written.
    """
    # A short path: a socket's address has at most 107 bytes.
    short = place or "/tmp"  # noqa: S108 - a folder of its own is made in it
    with tempfile.TemporaryDirectory(prefix="hld-", dir=short, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        defaults = {"data_dir": Path(folder), "database_url": None, "port": 0, "log_level": "error"} | _AT_ONCE
        settings = Settings.model_validate(defaults | {"rate_limits_enabled": False} | more)
        async with Instance(settings) as instance:
            database = Database.of(settings, Role.ADMIN)
            try:
                async with database.session() as session:
                    await import_pack(session, settings, pack)
                    organisation, key = await enrol(session, settings, "participants")
                yield Throwaway(instance, settings, database, key, organisation, pack.benchmark.slug)
            finally:
                await database.close()
