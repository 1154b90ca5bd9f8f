"""`python -m tools.attack`: each preset attacked over HTTP, beside the simulation of that attack; a JSON line each."""

import argparse
import json
import time

from protection.feedback.release import Part
from protection.simulations import feedback
from protection.simulations.feedback import Attack, Rule
from tools.attack.play import CHOICES, Plan, play

DECISIONS = 30


def plans(items: int, organisations: list[int], rules: list[Rule], seed: int) -> list[Plan]:
    """What is played: decisions of every preset, and with several organisations the ranking part of `sealed`."""
    found = []
    for number in organisations:
        for rule in rules:
            attack = Attack.PATIENT if rule is Rule.SEALED else Attack.CLIMB
            found.append(Plan(rule, items, number, DECISIONS, attack, seed=seed))
        if number > 1 and Rule.SEALED in rules:
            found.append(Plan(Rule.SEALED, items, number, DECISIONS, Attack.FIRST, Part.RANKING, seed=seed))
    return found


def simulated(plan: Plan, trials: int) -> dict[str, float]:
    """The mean of the simulation of the same attack, its standard error, and the spread of single runs."""
    attacker = feedback.Attacker(CHOICES, plan.organisations, trials, plan.seed, shares=(plan.known,))
    if plan.rule is not Rule.SEALED:
        policy = feedback.scores_policy(plan.items, decisions=plan.decisions)
        learnt = feedback.attack_scores(policy, attacker, plan.attack, exact=plan.rule is Rule.EXACT)
    else:
        policy = feedback.sealed_policy(plan.items, CHOICES, rankings=1, decisions=plan.decisions)
        of = feedback.attack_decisions if plan.part is Part.FEEDBACK else feedback.attack_ranking
        learnt = of(policy, attacker, plan.attack)
    return {
        "simulated_golds": round(learnt.golds, 1),
        "simulated_points": round(100.0 * learnt.gain, 2),
        "simulated_se": round(100.0 * learnt.error, 2),
        "simulated_spread": round(100.0 * learnt.error * trials**0.5, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=500)
    parser.add_argument("--organisations", type=int, nargs="+", default=[1, 10])
    parser.add_argument("--presets", type=Rule, nargs="+", default=list(Rule))
    parser.add_argument("--trials", type=int, default=20, help="of the simulation beside")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    for plan in plans(chosen.items, chosen.organisations, chosen.presets, chosen.seed):
        begun = time.monotonic()
        found = play(plan).json() | simulated(plan, chosen.trials)
        print(json.dumps(found | {"seconds": round(time.monotonic() - begun)}), flush=True)


if __name__ == "__main__":
    main()
