"""What each preset of feedback would cost a split: the simulated attacks, played on a split of its size."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.feedback.service import FeedbackService
from api.owner_jobs.repository import Job
from api.owner_jobs.schemas import PresetCost, PresetCosts, PresetsAsk
from api.worker.reporting import Report
from api.worker.state import Worker
from protection.feedback.policy import MOST_DECISIONS, MOST_RANKINGS, FeedbackPolicy, Preset, defaults_for
from protection.simulations.feedback import (
    Attacker,
    attack_decisions,
    attack_ranking,
    attack_scores,
    scores_policy,
    sealed_policy,
)

MOST_ITEMS = 2000
"""Larger splits are attacked as one of this size, which loses more than they would: gains fall with the root."""
TRIALS = 5
HANDS = (1, 10)
"""Verified organisations in one attacker's hand."""
_SEED = 0


@dataclass(frozen=True)
class _Wish:
    """A preset with what it tells an organisation in a year."""

    preset: Preset
    decisions: int
    rankings: int

    def policy(self, items: int, choices: int) -> FeedbackPolicy:
        """Its policy for a split of this size."""
        if self.preset is Preset.SCORES:
            return scores_policy(items, decisions=self.decisions)
        return sealed_policy(items, choices, rankings=self.rankings, decisions=self.decisions)


async def preset_costs(
    worker: Worker, session: AsyncSession, job: Job, ask: PresetsAsk, report: Report
) -> tuple[PresetCosts, None]:
    """Play the attacks for each preset and each number of hands. Raises NoSplitError."""
    release, split = await CatalogService(session).split(job.benchmark, ask.split)
    known = await FeedbackService(session, worker.settings).of_split(split.id)
    items = max(2, min(split.problem_count, MOST_ITEMS))
    plays = [(wish, hands) for wish in _wishes(items) for hands in HANDS]
    costs = []
    for number, (wish, hands) in enumerate(plays):
        await report(number, len(plays))
        current = known is not None and _same(known.policy, wish)
        costs.append(await asyncio.to_thread(_cost, wish, items, split.choices, hands, current=current))
    result = PresetCosts(
        version=release.version,
        split=split.name,
        problems=split.problem_count,
        simulated=items,
        trials=TRIALS,
        preset=known.policy.preset.value if known else Preset.OPEN.value,
        items=costs,
    )
    return result, None


def _wishes(items: int) -> Sequence[_Wish]:
    """The presets worth choosing between, from what tells most to what tells least."""
    usual = defaults_for(items)
    found = [
        _Wish(Preset.SCORES, MOST_DECISIONS, 0),
        _Wish(Preset.SEALED, MOST_DECISIONS, MOST_RANKINGS),
        _Wish(Preset.SEALED, usual.decisions, usual.rankings),
        _Wish(Preset.SEALED, 0, 1),
    ]
    return list(dict.fromkeys(found))


def _same(policy: FeedbackPolicy, wish: _Wish) -> bool:
    return (policy.preset, policy.decisions, policy.rankings) == (wish.preset, wish.decisions, wish.rankings)


def _cost(wish: _Wish, items: int, choices: int, hands: int, *, current: bool) -> PresetCost:
    policy, attacker = wish.policy(items, choices), Attacker(choices, hands, TRIALS, _SEED)
    if wish.preset is Preset.SCORES:
        board = learnt = attack_scores(policy, attacker)
    else:
        board, learnt = attack_ranking(policy, attacker), attack_decisions(policy, attacker)
    part = policy.ranking or policy.feedback
    return PresetCost(
        preset=wish.preset.value,
        decisions=policy.decisions,
        rankings=policy.rankings,
        band_width=part.step if part else None,
        organisations=hands,
        golds_learnt=round(learnt.golds, 1),
        golds_error=round(learnt.error * learnt.items, 1),
        points_gained=round(100.0 * board.gain, 1),
        points_error=round(100.0 * board.error, 1),
        current=current,
    )
