"""`python -m protection.simulations`: every number of docs/protection.md, one JSON line each."""

import json
import sys
from collections.abc import Iterator

from protection.simulations import boosting, exposure, tracing
from protection.simulations.boosting import Attack, Policy
from protection.simulations.tracing import Strategy

SEED = 20_260


def everything(scale: float) -> Iterator[dict[str, object]]:
    """All simulations; `scale` shortens them for a first look (1 is full size)."""
    trials = max(2, round(100 * scale))
    for policy in (Policy.LADDER, Policy.AGGREGATE):
        for items in (100, 500, 2000):
            for submissions in (50, 200, 1000):
                yield boosting.run(items, submissions, policy, trials=trials, seed=SEED).json()
    for attack in (Attack.CLIMB, Attack.ITEM, Attack.PARTIAL):
        for policy in Policy:
            yield boosting.run(500, 1000, policy, attack, trials=trials, seed=SEED).json()
    for organisations in (10, 100):
        for verified in (True, False):
            yield boosting.run(
                500, 1000, Policy.LADDER, organisations=organisations, verified=verified, trials=trials, seed=SEED
            ).json()
    pools = max(2, round(1000 * scale))
    for colluders in (1, 2, 3):
        for strategy in Strategy if colluders > 1 else (Strategy.INTERLEAVING,):
            for share in (1.0, 0.5):
                yield tracing.run(500, 1000, colluders, strategy, share=share, trials=pools, seed=SEED).json()
    for strategy in Strategy:
        yield tracing.run(500, 1000, 3, strategy, share=0.5, bits_an_item=2, trials=pools, seed=SEED).json()
    yield exposure.run(500, trials=max(20, round(2000 * scale)), seed=SEED).json()


if __name__ == "__main__":
    for line in everything(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0):
        print(json.dumps(line), flush=True)
