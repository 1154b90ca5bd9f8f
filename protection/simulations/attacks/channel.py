"""What organisations of one attacker are told of one part of a split: always by the product's own exit."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from protection.feedback.board import band_counts
from protection.feedback.exit import Intake, intake, on_schedule, on_submission
from protection.feedback.policy import FeedbackPolicy, Mode, PartPolicy
from protection.feedback.release import FeedbackRelease, OrganisationState, Part, Verdicts
from protection.simulations.attacks.decoder import WRONG, Answers

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Response:
    """What one submission told: whether it is a new best, and between which counts its right answers must lie."""

    new: bool
    low: int
    high: int


class Channel:
    """One part of a split under a policy. `blanks`: the attacker leaves answers out where it would answer wrongly."""

    def __init__(self, golds: Answers, policy: FeedbackPolicy, part: Part, *, blanks: bool = False) -> None:
        grid = policy.ranking if part is Part.RANKING else policy.feedback
        if grid is None:
            raise ValueError(f"the policy has no {part.value} part to attack")
        self.items = golds.size
        self.part: PartPolicy = grid
        self.always = part is Part.FEEDBACK and policy.mode is Mode.SCORE
        self.models = part is Part.RANKING and policy.models
        self._golds = golds
        self._policy = policy
        self._which = part
        self._blanks = blanks
        self._states: dict[int, OrganisationState] = {}
        self._releases: dict[int, FeedbackRelease] = {}

    def band(self, organisation: int) -> int | None:
        """The band that stands for an organisation, as it was told."""
        release = self._releases.get(organisation)
        return release.band if release else None

    def threshold(self, organisation: int) -> int:
        """The smallest count that could be told to it next."""
        band = None if self.models else self.band(organisation)
        return int(band_counts(self.part, self.part.floor_band if band is None else band + 1)[0])

    def submit(self, organisation: int, run: Answers) -> Response | None:
        """One decision; None where nothing is decided (no decision left, or too few answers)."""
        state = self._states.get(organisation, OrganisationState())
        answered: Mask = run != WRONG if self._blanks else np.ones(run.size, dtype=np.bool_)
        if not self._decides(state, answered):
            return None
        threshold = self.threshold(organisation)
        verdicts = Verdicts.plain(run == self._golds, answered)
        decide = on_schedule if self._which is Part.RANKING else on_submission
        self._states[organisation], release = decide(state, verdicts, self._policy)
        self._releases[organisation] = release
        if release.band is not None and (release.new or self.always):
            low, high = band_counts(self.part, release.band)
            return Response(release.new, int(low), int(high))
        return Response(False, 0, threshold - 1)

    def _decides(self, state: OrganisationState, answered: Mask) -> bool:
        if self._which is Part.RANKING:
            used, limit = state.ranking.used, self._policy.rankings
        else:
            used, limit = state.feedback.used, self._policy.decisions
        # The other part of the split is answered whole, so coverage is that of this part.
        parsed = int(np.ceil(answered.mean() * self._policy.items))
        admitted = intake(parsed=parsed, digest="", decided={}, verified=True, used=used, policy=self._policy)
        return used < limit and admitted.outcome is not Intake.INCOMPLETE


class ExactChannel:
    """Every count is told as it is: what the presets are compared with."""

    always = True

    def __init__(self, golds: Answers) -> None:
        self.items = golds.size
        self._golds = golds

    def submit(self, organisation: int, run: Answers) -> Response:  # noqa: ARG002
        """The number of right answers."""
        right = int((run == self._golds).sum())
        return Response(True, right, right)
