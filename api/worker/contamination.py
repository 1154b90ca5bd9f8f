"""Two flags of one bit each, released with a receiver's first ranking release and never again."""

from dataclasses import dataclass

from api.core.db import AsyncSession
from api.worker.calibrating import judged_correction
from api.worker.split_parts import GradedRun, PartedSplit
from api.worker.state import Worker
from protection.feedback.release import Part
from protection.siblings import contamination

_LEVEL = 0.01


@dataclass(frozen=True)
class Flags:
    """`judge_weak`: people have not yet confirmed enough of what a judge decided. `contaminated`: exposed siblings
    score higher than held-back ones (p < 0.01). `bits`: one for each that could have been raised."""

    judge_weak: bool
    contaminated: bool
    bits: float


async def one_bit_flags(session: AsyncSession, worker: Worker, whole: PartedSplit, run: GradedRun) -> Flags:
    """The flags of a run, from its ranking part alone where they follow from verdicts."""
    found = await judged_correction(session, run.submission, worker.settings.calibration_width)
    tested = whole.split.config.randomised_exposure
    gap = None
    if tested:
        rows = [row for row in run.problems if whole.parts[row.id] is Part.RANKING]
        gap = contamination(worker.fingerprints.key_of(whole.split.id), run.submission.organisation_id, rows)
    weak = found is not None and found.weak
    raised = gap is not None and gap["p"] < _LEVEL and gap["gap"] > 0
    return Flags(weak, raised, float(found is not None) + float(tested))
