"""One agent over all benchmarks of a combination, and the overall score of this run as the combination defines it."""

import os
from dataclasses import dataclass
from typing import Any

from heldout._progress import Watch
from heldout.client import Client
from heldout.combined import Combined, OverallBoard, OverallPart, Scored, combine
from heldout.errors import Invalid
from heldout.evaluation.budget import Budget
from heldout.evaluation.engine import evaluate_all, until_graded
from heldout.evaluation.pairs import Course, Entrant, Outcome
from heldout.evaluation.progress import Report


@dataclass(frozen=True)
class Played:
    """A part of the suite and what came of it; without an `outcome` the service does not offer it."""

    part: OverallPart
    outcome: Outcome | None

    @property
    def score(self) -> Scored | None:
        """What the service says of it; None where it was not played to its end, or no score is given (yet)."""
        submission = self.outcome.submission if self.outcome else None
        if submission is None or submission.score is None:
            return None
        ends = submission.interval
        low, high = (ends.low, ends.high) if ends else (submission.score, submission.score)
        return Scored(submission.score, low, high)


@dataclass(frozen=True)
class SuiteOutcome:
    """A run of a suite: its parts in the order of the combination."""

    suite: OverallBoard
    played: tuple[Played, ...]

    @property
    def overall(self) -> Combined:
        """The overall score of this run; a part without a score counts 0."""
        scores = {played.part.name: score for played in self.played if (score := played.score)}
        return combine(self.suite.parts, scores)

    @property
    def outcomes(self) -> list[Outcome]:
        """Of the parts that the service offers."""
        return [played.outcome for played in self.played if played.outcome]


def evaluate_suite(
    client: Client,
    entrant: Entrant,
    suite: str = "agentbench",
    *,
    out: str | os.PathLike[str] = "results",
    budget: Budget | None = None,
    progress: bool | Report = False,
    watch: bool | Watch = False,
    wait: bool = True,
    attempts: int = 3,
    stop_after: int = 10,
    outage_seconds: float = 3600.0,
) -> SuiteOutcome:
    """Play every part of a combination that the service offers; `wait` for the scores of those that are complete.

    Resumable as `evaluate_all` is; `watch` is shown how each submission is graded. Raises NotFound for a combination
    that the service does not have, and Invalid where it offers no part of it.
    """
    board = client.overall(suite)
    offered = [part for part in board.parts if part.published]
    if not offered:
        names = ", ".join(f"{part.benchmark}/{part.split}" for part in board.parts)
        raise Invalid(
            f"the service offers no part of '{suite}'", code="suite_not_offered", advice=f"its owner publishes {names}"
        )
    courses = [Course(part.benchmark, part.split, entrant.concurrency) for part in offered]
    more: dict[str, Any] = {"budget": budget, "progress": progress, "attempts": attempts, "stop_after": stop_after}
    more["outage_seconds"] = outage_seconds
    outcomes = dict(zip(offered, evaluate_all(client, [entrant], courses, out=out, **more), strict=True))
    if wait:
        until_graded(list(outcomes.values()), watch)
    return SuiteOutcome(board, tuple(Played(part, outcomes.get(part)) for part in board.parts))
