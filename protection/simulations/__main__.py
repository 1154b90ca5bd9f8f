"""`python -m protection.simulations`: every number of docs/protection.md, one JSON line each."""

import json
import sys
from collections.abc import Iterator

from protection.simulations import exposure, feedback_tables, honest, tracing
from protection.simulations.tracing import Strategy

SEED = 20_260


def everything(scale: float) -> Iterator[dict[str, object]]:
    """All simulations; `scale` shortens them for a first look (1 is full size)."""
    for table in (
        feedback_tables.ranking,
        feedback_tables.many,
        feedback_tables.decisions,
        feedback_tables.one_set,
        feedback_tables.blanks,
        feedback_tables.breakdown,
    ):
        for cell in table(scale, SEED):
            yield {"simulation": "feedback"} | cell.json()
    for line in honest.everything(scale, SEED):
        yield line.json()
    pools = max(2, round(1000 * scale))
    for colluders in (1, 2, 3):
        for strategy in Strategy if colluders > 1 else (Strategy.INTERLEAVING,):
            for share in (1.0, 0.5):
                yield tracing.run(500, 1000, colluders, strategy, share=share, trials=pools, seed=SEED).json()
    for strategy in Strategy:
        yield tracing.run(500, 1000, 3, strategy, share=0.5, bits_an_item=2, trials=pools, seed=SEED).json()
    yield exposure.run(500, trials=max(20, round(2000 * scale)), seed=SEED).json()


def main(scale: float = 1.0) -> int:
    """Print every line; 1 where a cell of the specification is exceeded by more than three standard errors."""
    above = []
    for line in everything(scale):
        print(json.dumps(line), flush=True)
        if line.get("within") is False:
            above.append(line)
    for line in above:
        print("above the specification:", json.dumps(line), file=sys.stderr)
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0))
