"""The simulated attacks over real HTTP: a service tells its attacker what the exit itself tells, and nothing beside."""

import numpy as np
import pytest

from api.core.settings import Settings
from protection.feedback.policy import FeedbackPolicy
from protection.feedback.release import Part
from protection.simulations.attacks.channel import Channel, Response
from protection.simulations.attacks.decoder import Answers
from protection.simulations.feedback import Attack, Rule
from tools.attack import play
from tools.attack.channel import HttpChannel, Indices
from tools.attack.play import Outcome, Plan
from tools.attack.target import LETTERS, Target


class Checked(HttpChannel):
    """Everything that HTTP tells is held against the exit itself."""

    def __init__(self, target: Target, policy: FeedbackPolicy, part: Part, where: Indices, others: Answers) -> None:
        super().__init__(target, policy, part, where, others)
        golds = np.array([LETTERS.index(letter) for letter in target.golds], dtype=np.int64)
        self.exit = Channel(golds[where], policy, part)

    def submit(self, organisation: int, run: Answers) -> Response | None:
        """Both ways."""
        heard, expected = super().submit(organisation, run), self.exit.submit(organisation, run)
        assert heard == expected, str(self._target.shown(organisation, self.last[organisation]))
        return heard


def attack(settings: Settings, monkeypatch: pytest.MonkeyPatch, plan: Plan) -> Outcome:
    """An attack whose every reply is checked."""
    monkeypatch.setattr(play, "HttpChannel", Checked)
    return play.play(plan, settings.model_copy(update={"release_every_seconds": 60}))


def test_decisions_of_a_sealed_split_move_no_board(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    found = attack(settings, monkeypatch, Plan(Rule.SEALED, 300, 1, 8, Attack.PATIENT))
    assert 1 <= found.submissions <= 8, "who can ask nothing more stops, by the draw of the part early or late"
    assert found.golds_learnt <= 10
    assert found.board_points == 0


def test_several_hands_hear_one_release_each(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    found = attack(settings, monkeypatch, Plan(Rule.SEALED, 120, 4, 0, Attack.FIRST, Part.RANKING))
    assert found.submissions == 3, "the last hand keeps its release for the end"


def test_a_live_board_tells_a_band_a_decision(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    found = attack(settings, monkeypatch, Plan(Rule.SCORES, 60, 1, 6, Attack.CLIMB))
    assert found.submissions == 6
