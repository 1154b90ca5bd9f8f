"""What organisations of one attacker are told by a running service: the simulations' channel, over HTTP."""

import numpy as np
from numpy.typing import NDArray

from protection.feedback.board import band_counts
from protection.feedback.policy import FeedbackPolicy, Mode, PartPolicy
from protection.feedback.release import Part
from protection.simulations.attacks.channel import Channel, Response
from protection.simulations.attacks.decoder import Answers
from tools.attack.target import LETTERS, Target

Indices = NDArray[np.int64]


class HttpChannel(Channel):
    """One part of a served split. The attacker knows the partition, and that the last choice of every item is wrong.

    `where` are the places of the part's items in the split. The items of the other part are always answered alike, so
    that what is told of this part is all that changes.
    """

    def __init__(self, target: Target, policy: FeedbackPolicy, part: Part, where: Indices, others: Answers) -> None:
        grid = policy.ranking if part is Part.RANKING else policy.feedback
        if grid is None:
            raise ValueError(f"the policy has no {part.value} part to attack")
        self.items = where.size
        self.policy = policy
        self.part: PartPolicy = grid
        self.always = part is Part.FEEDBACK and policy.mode is Mode.SCORE
        self.models = False
        self.asked = 0
        self.last: dict[int, str] = {}
        self._target = target
        self._which = part
        self._where = where
        self._others = others
        self._bands: dict[int, int | None] = {}

    def band(self, organisation: int) -> int | None:
        """The band that stands for an organisation, as it was told."""
        return self._bands.get(organisation)

    def threshold(self, organisation: int) -> int:
        """The smallest count that could be told to it next."""
        band = self.band(organisation)
        return int(band_counts(self.part, self.part.floor_band if band is None else band + 1)[0])

    def submit(self, organisation: int, run: Answers) -> Response | None:
        """Hand in a run and wait until it is decided; None where nothing is decided."""
        whole = self._others.copy()
        whole[self._where] = run
        submission = self._target.submit(organisation, [LETTERS[answer] for answer in whole])
        self.asked += 1
        self.last[organisation] = submission
        if self._which is Part.RANKING:
            return self._ranked(organisation, submission)
        told = self._target.shown(organisation, submission)["feedback"]
        if told["outcome"] not in ("queued", "stored"):
            return None
        return self._heard(organisation, bool(told["new_best"]), told["stands"])

    def _ranked(self, organisation: int, submission: str) -> Response | None:
        if not self._target.select(organisation, submission):
            return None
        self._target.release()
        told = self._target.shown(organisation, submission)["feedback"]
        board = self._target.listed(submission)
        return self._heard(organisation, bool(told["ranked_new_best"]), board)

    def _heard(self, organisation: int, new: bool, stands: dict[str, float] | None) -> Response:
        threshold = self.threshold(organisation)
        if stands is None or not (new or self.always):
            return Response(False, 0, threshold - 1)
        band = (
            round(stands["from_score"] / self.part.step) if "from_score" in stands else self._band_of(stands["score"])
        )
        self._bands[organisation] = band
        low, high = band_counts(self.part, band)
        return Response(new, int(low), int(high))

    def _band_of(self, score: float) -> int:
        return self.part.band(score)
