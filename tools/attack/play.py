"""One attack on one preset, and what it got: golds learnt by decisions, and how far it moved the board."""

import copy
import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from api.core.settings import Settings
from protection.feedback.policy import FeedbackPolicy, even_weights
from protection.feedback.release import Part
from protection.simulations.attacks.channel import Channel, ExactChannel, Response
from protection.simulations.attacks.decoder import Answers, Decoder, draw, prior_beliefs
from protection.simulations.feedback import Attack, Rule, ask, scores_policy, sealed_policy
from tools.attack.channel import HttpChannel
from tools.attack.target import LETTERS, Target, attacked, target_pack

CHOICES = 4
SPLITS: dict[Rule, dict[str, Any]] = {
    Rule.EXACT: {"visibility": "dev", "feedback": "open"},
    Rule.SCORES: {"feedback": "scores", "unverified": "none"},
    Rule.SEALED: {"feedback": "sealed"},
}


@dataclass(frozen=True)
class Plan:
    """What is attacked and by whom; the attacker knows `known` of the answers beforehand."""

    rule: Rule
    items: int
    organisations: int
    decisions: int
    attack: Attack
    part: Part = Part.FEEDBACK
    known: float = 0.5
    seed: int = 0


@dataclass(frozen=True)
class Outcome:
    """What came of it: `golds_learnt` more right answers on the `items` attacked (`gain_points` of them in percent),
    and on the board the attacker's last entry against an honest one of the same knowledge, in points.

    `golds_by_the_exit`: what the same attack learns, with the same golds and the same dice, when it asks the exit
    itself. It is the same number where the service tells what the exit tells and nothing beside.
    """

    preset: str
    part: str
    attack: str
    organisations: int
    submissions: int
    items: int
    golds_learnt: int
    golds_by_the_exit: int
    gain_points: float
    board_points: float | None

    def json(self) -> dict[str, object]:
        return asdict(self)


class ExactHttpChannel(ExactChannel):
    """An open split tells every score as it is; its golds are not looked at, or the attack would be over at once."""

    always = True

    def __init__(self, target: Target, items: int) -> None:
        self.items = items
        self.asked = 0
        self._target = target

    def submit(self, organisation: int, run: Answers) -> Response:
        """The number of right answers, from the score."""
        submission = self._target.submit(organisation, [LETTERS[answer] for answer in run])
        self.asked += 1
        right = round(self._target.shown(organisation, submission)["score"] * self.items)
        return Response(True, right, right)


def play(plan: Plan, settings: Settings | None = None) -> Outcome:
    """Attack a service of its own (or one of these settings, which is prepared)."""
    rng = np.random.default_rng([plan.seed, plan.items, plan.organisations])
    beliefs = prior_beliefs(plan.items, CHOICES, plan.known, rng)
    golds = draw(beliefs, rng)
    split = SPLITS[plan.rule]
    if plan.rule is not Rule.EXACT:
        # Where the board is live the last entry is a decision, too.
        last = int(plan.rule is Rule.SCORES)
        split = split | {"decisions_per_year": plan.decisions + last, "accept_leak": True}
    pack = target_pack("".join(LETTERS[gold] for gold in golds), split)
    # One more than attack, who is honest and knows as much: what the board says of it is what moved.
    with attacked(pack, plan.organisations + 1, settings) as target:
        return _attack(plan, target, Decoder(beliefs), golds, rng)


def _attack(plan: Plan, target: Target, known: Decoder, golds: Answers, rng: np.random.Generator) -> Outcome:
    honest = known.best()
    where = _where(plan, target)
    channel: HttpChannel | ExactHttpChannel
    if plan.rule is Rule.EXACT:
        channel = ExactHttpChannel(target, plan.items)
    else:
        policy = _policy(plan, target)
        channel = HttpChannel(target, policy, plan.part, where, honest)
    dice = copy.deepcopy(rng)
    best = honest.copy()
    best[where] = _learnt(plan, channel, known, where, rng)
    gained = int((best == golds).sum()) - int((honest == golds).sum())
    told = _learnt(plan, _exit(plan, channel, golds[where]), known, where, dice)
    return Outcome(
        preset=plan.rule.value,
        part=plan.part.value,
        attack=plan.attack.value,
        organisations=plan.organisations,
        submissions=channel.asked,
        items=where.size,
        golds_learnt=gained,
        golds_by_the_exit=int((told == golds[where]).sum()) - int((honest == golds)[where].sum()),
        gain_points=round(100.0 * gained / where.size, 2),
        board_points=_moved(plan, target, best, honest),
    )


def _learnt(
    plan: Plan, channel: Channel | ExactChannel, known: Decoder, where: Answers, rng: np.random.Generator
) -> Answers:
    """The best answers to the attacked items once all has been asked."""
    decoder = Decoder(known.beliefs[where])
    rounds = plan.decisions if plan.part is Part.FEEDBACK else 1
    ask(channel, decoder, plan.attack, plan.organisations, rounds, rng)
    return decoder.best()


def _exit(plan: Plan, channel: HttpChannel | ExactHttpChannel, golds: Answers) -> Channel | ExactChannel:
    """The exit without a service around it, under the policy that the service was attacked under."""
    return ExactChannel(golds) if isinstance(channel, ExactHttpChannel) else Channel(golds, channel.policy, plan.part)


def _where(plan: Plan, target: Target) -> Answers:
    """The places attacked; a split without parts is attacked whole."""
    if plan.rule is not Rule.SEALED:
        return np.arange(plan.items)
    first = np.array(target.feedback_part(), dtype=np.int64)
    return first if plan.part is Part.FEEDBACK else np.setdiff1d(np.arange(plan.items), first)


def _policy(plan: Plan, target: Target) -> FeedbackPolicy:
    if plan.rule is Rule.SCORES:
        return scores_policy(plan.items, decisions=plan.decisions)
    size = len(target.feedback_part())
    policy = sealed_policy(plan.items, CHOICES, rankings=1, decisions=plan.decisions)
    return policy.with_parts(even_weights(size), even_weights(plan.items - size))


def _moved(plan: Plan, target: Target, best: Answers, honest: Answers) -> float | None:
    """Points by which the attacker's last entry is above an honest one on the board; None where one has no score."""
    if plan.rule is Rule.EXACT:
        return None
    # The attacker's last organisation is fresh on the ranking part; the honest one comes after it.
    last = plan.organisations - 1
    submissions = {
        number: target.submit(number, [LETTERS[answer] for answer in run])
        for number, run in ((last, best), (last + 1, honest))
    }
    if plan.rule is Rule.SEALED:
        if not all(target.select(number, submission) for number, submission in submissions.items()):
            return None
        target.release()
    scores = [row["score"] if (row := target.listed(submission)) else math.nan for submission in submissions.values()]
    moved = 100.0 * (scores[0] - scores[1])
    return None if math.isnan(moved) else round(moved, 2)
