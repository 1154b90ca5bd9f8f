"""A hidden split as decisions need it: its secret cut, the policy of its parts, and a submission's verdicts on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from cachetools import LRUCache

from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.feedback.policies import policy_of
from api.feedback.repository import FeedbackRepository, HiddenSplit
from api.leaderboard.scoring import ScoredItem, item_weights
from api.submissions.grading_repository import FullSubmission, GradingRepository, ScoredProblem
from api.vault.feedback import FeedbackVault
from grading import Outcome
from packs.benchmark import Scoring
from protection.feedback.exit import answers_digest
from protection.feedback.partition import PartitionItem, cut, flip_seed
from protection.feedback.policy import FeedbackPolicy, Preset
from protection.feedback.release import Part, Verdicts


@dataclass(frozen=True)
class PartedSplit:
    """A split with its parts (problem to part) and its policy, whose parts are the real ones."""

    split: HiddenSplit
    policy: FeedbackPolicy
    parts: Mapping[UUID, Part]
    scoring: Scoring
    key: bytes

    def problems(self, run: "GradedRun", part: Part) -> list[ScoredProblem]:
        """A run's problems of one part, in their order."""
        return [row for row in run.problems if self.parts[row.id] is part]

    def verdicts(self, run: "GradedRun", part: Part) -> Verdicts:
        """A run's verdicts on one part, in the order of the problems."""
        rows = self.problems(run, part)
        scores = [row.score or 0.0 for row in rows]
        if self.scoring.scheme == "success_rate":
            scores = [float(score >= 1.0) for score in scores]
        return Verdicts(
            np.asarray(scores, dtype=np.float64),
            np.asarray(item_weights([row.item() for row in rows], self.scoring), dtype=np.float64),
            np.asarray([row.outcome not in (None, Outcome.UNPARSEABLE) for row in rows], dtype=np.bool_),
            flip_seed(self.key, lineage(self.split), run.digest),
        )


@dataclass(frozen=True)
class GradedRun:
    """A graded submission: all problems of its split with its scores, and its answers."""

    submission: FullSubmission
    problems: Sequence[ScoredProblem]
    answers: Mapping[UUID, str]

    @property
    def parsed(self) -> int:
        """How many answers the parser could read."""
        return sum(row.id in self.answers and row.outcome is not Outcome.UNPARSEABLE for row in self.problems)

    @property
    def digest(self) -> str:
        """By which equal answers are recognised."""
        return answers_digest({problem.hex: answer for problem, answer in self.answers.items()})


@dataclass(frozen=True)
class _Cut:
    """What never changes of a split: the part of each problem, the weights in either part, the scoring."""

    parts: Mapping[UUID, Part]
    weights: Mapping[Part, tuple[float, ...]]
    scoring: Scoring


# Read once a process: thousands of problems, for each of thousands of decisions.
_CUTS: LRUCache[UUID, _Cut] = LRUCache(64)


def lineage(split: HiddenSplit) -> str:
    """The name of a split over all its releases."""
    return f"{split.benchmark_id}/{split.name}"


async def graded_run(session: AsyncSession, submission: FullSubmission) -> GradedRun:
    """A submission with its scores and answers."""
    grading = GradingRepository(session)
    problems = await grading.scored(submission.id, submission.split_id)
    return GradedRun(submission, problems, await grading.answers(submission.id))


async def cut_splits(session: AsyncSession, key: bytes, release_id: UUID) -> None:
    """Cut the hidden splits of a release that is being published."""
    for split in await FeedbackRepository(session).hidden_splits():
        if split.release_id == release_id:
            await parted(session, key, split)


async def parted(session: AsyncSession, key: bytes, split: HiddenSplit) -> PartedSplit:
    """A split with its parts; one that was never cut is cut now, for good."""
    known = _CUTS.get(split.id)
    if known is None:
        known = await _cut(session, key, split)
    policy = policy_of(split.config, len(known.parts), split.choices)
    policy = policy.with_parts(known.weights[Part.FEEDBACK], known.weights[Part.RANKING])
    return PartedSplit(split, policy, known.parts, known.scoring, key)


async def _cut(session: AsyncSession, key: bytes, split: HiddenSplit) -> "_Cut":
    """The parts of a split, kept for the next decision unless they were cut in this very transaction."""
    vault, catalog = FeedbackVault(session, key), CatalogRepository(session)
    problems = await catalog.problems_of_split(split.id)
    release = await catalog.release(split.release_id)
    assert release
    policy = policy_of(split.config, len(problems), split.choices)
    parts = await vault.parts(split.id)
    stored = len(parts) == len(problems)
    if not stored:
        items = [PartitionItem(row.name, row.subject, row.type, row.sibling_group) for row in problems]
        if policy.preset is Preset.SCORES:
            first = {item.item for item in items}
        else:
            carried = await vault.carried(split.benchmark_id, split.release_id)
            share = policy.share if policy.feedback else 0.0
            first = set(cut(items, share, key, lineage(split), carried).feedback)
        parts = {row.id: Part.FEEDBACK if row.name in first else Part.RANKING for row in problems}
        await vault.keep_parts(split.id, parts)
    items_of: dict[Part, list[ScoredItem]] = {Part.FEEDBACK: [], Part.RANKING: []}
    for row in problems:
        items_of[parts[row.id]].append(ScoredItem(0.0, row.subject, row.type, row.sibling_group))
    scoring = Scoring.model_validate(release.scoring)
    made = _Cut(parts, {part: item_weights(items, scoring) for part, items in items_of.items()}, scoring)
    if stored:
        _CUTS[split.id] = made
    return made
