"""How much of a hidden split an attacker learns from what the presets tell, and what it gains on the board.

The attacker knows half, or three quarters, of the answers for certain and nothing of the rest, the whole rule and the
partition. All organisations are its own and share what they hear; the last of them enters at the end with the best
answers. Gain is the accuracy of that entry less that of the attacker's own best answers, on the same items.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

import numpy as np

from protection.feedback.policy import FeedbackPolicy, PartPolicy, Preset, policy_for
from protection.feedback.release import Part
from protection.simulations.attacks import strategies
from protection.simulations.attacks.channel import Channel, ExactChannel
from protection.simulations.attacks.decoder import Answers, Decoder, Floats, draw, prior_beliefs

SHARES = (0.5, 0.75)


class Rule(StrEnum):
    """What is attacked: every exact score (for comparison), or one of the presets."""

    EXACT = "exact"
    SCORES = "scores"
    SEALED = "sealed"


class Attack(StrEnum):
    """The strategies of `attacks.strategies`; `strongest` takes the best of them.

    Where every decision tells a score there is nothing to pad or to wait for: all but `first` ask alike.
    """

    STRONGEST = "strongest"
    FIRST = "first"
    CLIMB = "climb"
    PAD = "pad"
    PATIENT = "patient"


@dataclass(frozen=True)
class Attacker:
    """Who attacks: `organisations` verified organisations in one hand, answers of `choices` candidates (0: free form).

    `shares` are the shares of answers known before, of which the worse counts; with `blanks` answers are left out
    instead of being wrong on purpose.
    """

    choices: int
    organisations: int
    trials: int = 10
    seed: int = 0
    shares: tuple[float, ...] = SHARES
    blanks: bool = False


@dataclass(frozen=True)
class Learnt:
    """Means over trials: accuracy gained and its standard error, over `items`; how, and what share was known before."""

    gain: float
    error: float
    items: int
    attack: Attack
    share: float

    @property
    def golds(self) -> float:
        """Golds gained."""
        return self.gain * self.items


@dataclass(frozen=True)
class FeedbackResult:
    """One line: `gain_points` on the board, `golds_learnt` of the items that decisions speak of, standard errors."""

    simulation: str
    preset: str
    items: int
    choices: int
    organisations: int
    decisions: int
    tellings: int
    attack: str
    trials: int
    gain_points: float
    se_points: float
    golds_learnt: float
    se_golds: float
    items_ranked: int
    items_of_decisions: int
    board_attack: str
    decisions_attack: str

    def json(self) -> dict[str, object]:
        return asdict(self)


def sealed_policy(
    items: int, choices: int, *, rankings: int, decisions: int = 30, share: float | None = None
) -> FeedbackPolicy:
    """`sealed` with as many releases as an attack is given, also where an owner would have to accept the leak."""
    return policy_for(
        Preset.SEALED,
        items,
        chance_level=1.0 / choices if choices > 1 else 0.0,
        share=share,
        decisions=decisions,
        rankings=rankings,
        choices=choices,
        accept_leak=True,
    )


def scores_policy(items: int, *, decisions: int = 30, grid: float = 1.0) -> FeedbackPolicy:
    """`scores` with as many decisions as an attack is given."""
    return policy_for(Preset.SCORES, items, decisions=decisions, grid=grid, accept_leak=True)


def run(
    rule: Rule,
    items: int,
    attacker: Attacker,
    attack: Attack = Attack.STRONGEST,
    *,
    decisions: int = 30,
    tellings: int = 1,
) -> FeedbackResult:
    """Attack a split of `items` items with `decisions` and `tellings` a year for each organisation."""
    if rule is Rule.SEALED:
        policy = sealed_policy(items, attacker.choices, rankings=tellings, decisions=decisions)
        board = attack_ranking(policy, attacker, attack)
        learnt = attack_decisions(policy, attacker, attack)
    else:
        policy = scores_policy(items, decisions=decisions)
        board = learnt = attack_scores(policy, attacker, attack, exact=rule is Rule.EXACT)
    return FeedbackResult(
        simulation="feedback",
        preset=rule.value,
        items=items,
        choices=attacker.choices,
        organisations=attacker.organisations,
        decisions=decisions,
        tellings=tellings,
        attack=attack.value,
        trials=attacker.trials,
        gain_points=round(100.0 * board.gain, 2),
        se_points=round(100.0 * board.error, 2),
        golds_learnt=round(learnt.golds, 2),
        se_golds=round(learnt.error * learnt.items, 2),
        items_ranked=board.items,
        items_of_decisions=learnt.items,
        board_attack=board.attack.value,
        decisions_attack=learnt.attack.value,
    )


def attack_ranking(policy: FeedbackPolicy, attacker: Attacker, attack: Attack = Attack.STRONGEST) -> Learnt:
    """What the board can be moved by; one organisation with one release has nothing to learn from before it."""
    attacks = (Attack.FIRST, Attack.PAD, Attack.CLIMB) if attack is Attack.STRONGEST else (attack,)
    return _strongest(policy, policy.ranking, Part.RANKING, attacker, attacks)


def attack_decisions(policy: FeedbackPolicy, attacker: Attacker, attack: Attack = Attack.STRONGEST) -> Learnt:
    """What decisions on the feedback part tell of its golds."""
    attacks = (Attack.PAD, Attack.PATIENT) if attack is Attack.STRONGEST else (attack,)
    return _strongest(policy, policy.feedback, Part.FEEDBACK, attacker, attacks)


def attack_scores(
    policy: FeedbackPolicy, attacker: Attacker, attack: Attack = Attack.STRONGEST, *, exact: bool = False
) -> Learnt:
    """What a live board of score bands (or of exact scores) can be moved by."""
    attacks = (Attack.FIRST,) if attack is Attack.FIRST else (Attack.CLIMB,)
    return _strongest(policy, policy.feedback, Part.FEEDBACK, attacker, attacks, exact=exact)


def _strongest(
    policy: FeedbackPolicy,
    grid: PartPolicy | None,
    part: Part,
    attacker: Attacker,
    attacks: Sequence[Attack],
    *,
    exact: bool = False,
) -> Learnt:
    """The attack and the knowledge before it with the largest mean gain; nothing where the part tells nothing.

    The chosen one is played again, so that choosing the largest of several means adds no luck to it.
    """
    rounds = _rounds(policy, part, attacker.organisations)
    if grid is None or rounds < 1:
        return Learnt(0.0, 0.0, grid.items if grid else 0, attacks[0], attacker.shares[0])

    def mean(attack: Attack, share: float, run: int) -> Learnt:
        rng = np.random.default_rng([attacker.seed, run, list(Attack).index(attack), round(100 * share)])
        gains = []
        for _ in range(attacker.trials):
            beliefs = prior_beliefs(grid.items, attacker.choices, share, rng)
            golds = draw(beliefs, rng)
            channel = ExactChannel(golds) if exact else Channel(golds, policy, part, blanks=attacker.blanks)
            gains.append(_gain(channel, beliefs, golds, attack, attacker.organisations, rounds, rng))
        error = float(np.std(gains, ddof=1)) / len(gains) ** 0.5 if len(gains) > 1 else 0.0
        return Learnt(float(np.mean(gains)), error, grid.items, attack, share)

    found = [mean(attack, share, 0) for attack in attacks for share in attacker.shares]
    best = max(found, key=lambda one: one.gain)
    return mean(best.attack, best.share, 1) if len(found) > 1 else best


def _gain(
    channel: Channel | ExactChannel,
    beliefs: Floats,
    golds: Answers,
    attack: Attack,
    organisations: int,
    rounds: int,
    rng: np.random.Generator,
) -> float:
    decoder = Decoder(beliefs)
    honest = float((decoder.best() == golds).mean())
    ask(channel, decoder, attack, organisations, rounds, rng)
    final = decoder.best()
    channel.submit(organisations - 1, final)
    return float((final == golds).mean()) - honest


def _rounds(policy: FeedbackPolicy, part: Part, organisations: int) -> int:
    """Decisions of each helper; on the ranking part a single organisation keeps its last release for the end."""
    return policy.decisions if part is Part.FEEDBACK else policy.rankings - (organisations == 1)


def ask(
    channel: Channel | ExactChannel,
    decoder: Decoder,
    attack: Attack,
    organisations: int,
    rounds: int,
    rng: np.random.Generator,
) -> None:
    """Spend the decisions of the helping organisations; of several, the last one is kept fresh for the end."""
    helpers = organisations - 1 if organisations > 1 else 1
    if isinstance(channel, ExactChannel) or channel.always:
        strategies.every_score(channel, decoder, organisations, 1 if attack is Attack.FIRST else rounds, rng)
    elif attack is Attack.FIRST:
        strategies.first(channel, decoder, [0] * rounds if channel.models else range(helpers), rng)
    elif attack is Attack.CLIMB:
        strategies.climb(channel, decoder, helpers, rounds, rng)
    else:
        strategies.Padding(channel, decoder, rng, rounds, attack is Attack.PATIENT).run(helpers)
