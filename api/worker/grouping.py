"""How the entries of a hidden split's board do on groups of its items, for an owner who takes no part in it."""

from dataclasses import dataclass
from uuid import UUID

from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.settings import Settings
from api.feedback.errors import OwnerTakesPartError
from api.feedback.repository import FeedbackRepository
from api.submissions.grading_repository import GradingRepository
from api.worker.boards import board_entries
from api.worker.retiring import hidden_split
from api.worker.split_parts import PartedSplit, graded_run, parted
from protection.feedback.exit import owner_groups
from protection.feedback.release import GroupBand, Part


@dataclass(frozen=True)
class EntryGroups:
    """An entry of the board, and its band on each group that is large enough."""

    organisation: str
    model: str
    subjects: list[GroupBand]
    types: list[GroupBand]


async def groups_of(session: AsyncSession, settings: Settings, slug: str, name: str) -> list[EntryGroups]:
    """The entries of a hidden split's board by subject and by type, of the part that the board speaks of.

    Raises NoBenchmarkError, NotFoundError, and OwnerTakesPartError where the owning organisation, or another of one of
    its members, submitted to a hidden split of the benchmark.
    """
    benchmark = await CatalogService(session).benchmark(slug)
    split = await hidden_split(session, benchmark.id, name)
    repository = FeedbackRepository(session)
    if participants := await repository.owners_who_take_part(benchmark.id):
        raise OwnerTakesPartError(f"{', '.join(participants)}: who submits to a split is told nothing more of it")
    whole = await parted(session, settings.vault_secrets.raw("vault"), split)
    shown = board_entries(await repository.all(split.id), whole.policy)
    return [await _entry(session, whole, row.submission_id) for _, row in shown.values()]


async def _entry(session: AsyncSession, whole: PartedSplit, submission_id: UUID) -> EntryGroups:
    submission = await GradingRepository(session).lock(submission_id)
    assert submission
    run = await graded_run(session, submission)
    part = Part.RANKING if whole.policy.ranking else Part.FEEDBACK
    verdicts, problems = whole.verdicts(run, part), whole.problems(run, part)
    return EntryGroups(
        submission.organisation,
        submission.model["name"],
        owner_groups(verdicts, [row.subject for row in problems], whole.policy),
        owner_groups(verdicts, [row.type for row in problems], whole.policy),
    )
