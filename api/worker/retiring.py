"""Items of a hidden split that are presumed known are published: its feedback part, or all of it, becomes a dev split.

That is a new release. Releases never change, items move from ranking to feedback to dev and never back: a new feedback
part is drawn from what was the ranking part, and what is published can be in no hidden part again.
"""

import tempfile
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from api.catalog.models import BenchmarkRow, ReleaseRow
from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core.db import AsyncSession, now
from api.core.errors import ConflictError, NotFoundError
from api.core.settings import Settings
from api.feedback.repository import FeedbackRepository, HiddenSplit
from api.submissions.opening import OpeningRepository
from api.worker.carrying import transfer_board
from api.worker.importing import Imported, ReleaseExistsError, import_pack
from api.worker.release_files import write_release
from api.worker.split_parts import parted
from envs import registry
from packs.benchmark import SplitConfig, Visibility
from packs.pack import Pack
from packs.read import read_pack
from protection.feedback.ledger import wear
from protection.feedback.policy import Preset
from protection.feedback.release import Part


class NotRotatedError(ConflictError):
    """There is nothing to publish apart, or not yet."""


class NotWornError(NotRotatedError):
    code = "not_worn"
    title = "The golds of the feedback part are not presumed public yet"


class NoFeedbackPartError(NotRotatedError):
    code = "no_feedback_part"
    title = "The split has no feedback part that could be published apart"


class NotPublishedToError(ConflictError):
    code = "not_a_dev_split"
    title = "Items are published into a dev split"


async def retire(
    session: AsyncSession,
    settings: Settings,
    slug: str,
    split: str,
    version: str,
    into: str,
    *,
    everything: bool = False,
    anyway: bool = False,
) -> Imported:
    """Publish a hidden split's feedback part, or `everything`, in the dev split `into` of a new release.

    The board goes on: its bands are told again, at once, on what is left of the ranking part. The makers of submissions
    may read their verdicts on what is published.

    `anyway`: though the ledger does not presume its golds public. Raises NoBenchmarkError, NotFoundError,
    NoFeedbackPartError, NotWornError, NotPublishedToError, ReleaseExistsError; then nothing changed.
    """
    benchmark, release = await _current(session, slug)
    if await CatalogRepository(session).release_by_version(benchmark.id, version):
        raise ReleaseExistsError(f"'{slug}' has a version {version} already; name a new one")
    found = await hidden_split(session, benchmark.id, split)
    published = await _published(session, settings, found, everything=everything, anyway=anyway)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pack"
        await write_release(session, settings, benchmark, release, path)
        pack = _moved(read_pack(path, registry, grade_gold=False), split, into, version, published)
        done = await import_pack(session, settings, pack, admission=release.admission)
    await CatalogRepository(session).retire(found.id)
    opening = OpeningRepository(session)
    for submission_id in await opening.submissions(benchmark.id, split):
        await opening.open(submission_id, published)
    key = settings.vault_secrets.raw("vault")
    for new in await FeedbackRepository(session).hidden_splits():
        if (new.benchmark_id, new.name) == (benchmark.id, split):
            await transfer_board(session, key, found, new, now())
    return done


async def _current(session: AsyncSession, slug: str) -> tuple[BenchmarkRow, ReleaseRow]:
    benchmark = await CatalogService(session).benchmark(slug)
    found = await CatalogRepository(session).current(slug)
    if found is None:
        raise NotFoundError(f"'{benchmark.slug}' has no release")
    return found


async def hidden_split(session: AsyncSession, benchmark_id: UUID, name: str) -> HiddenSplit:
    """A hidden split of a benchmark's current release. Raises NotFoundError."""
    for found in await FeedbackRepository(session).hidden_splits():
        if (found.benchmark_id, found.name) == (benchmark_id, name):
            return found
    raise NotFoundError(f"the current release has no hidden split '{name}'")


async def _published(
    session: AsyncSession, settings: Settings, split: HiddenSplit, *, everything: bool, anyway: bool
) -> set[str]:
    """The names of the problems to publish, after a look at the ledger."""
    # No decision is made on the split while it is read: nothing is told of items that are about to be published.
    await FeedbackRepository(session).lock(split.id)
    whole = await parted(session, settings.vault_secrets.raw("vault"), split)
    problems = await CatalogRepository(session).problems_of_split(split.id)
    if everything:
        return {row.name for row in problems}
    policy = whole.policy
    if policy.preset is not Preset.SEALED or policy.feedback is None or policy.ranking is None:
        raise NoFeedbackPartError("publish all of it with --everything")
    told = await FeedbackRepository(session).totals(split.id)
    worn = wear(told.feedback_bits, policy.feedback.items, policy.choices)
    if not worn.presumed_public and not anyway:
        raise NotWornError(f"{worn.bits:.0f} of {worn.capacity:.0f} bits were released; --anyway publishes it as it is")
    return {row.name for row in problems if whole.parts[row.id] is Part.FEEDBACK}


def _moved(pack: Pack, split: str, into: str, version: str, published: Collection[str]) -> Pack:
    """The pack with these problems in the dev split `into`; a split of which nothing is left is gone."""
    splits = dict(pack.benchmark.splits)
    if into in splits and splits[into].visibility is not Visibility.DEV:
        raise NotPublishedToError(f"'{into}' is hidden; name another with --into")
    splits.setdefault(into, SplitConfig(visibility=Visibility.DEV))
    problems = tuple(
        problem.model_copy(update={"split": into}) if problem.split == split and problem.id in published else problem
        for problem in pack.problems
    )
    if all(problem.split != split for problem in problems):
        del splits[split]
    head = pack.benchmark.model_copy(update={"version": version, "splits": splits})
    return replace(pack, benchmark=head, problems=problems)
