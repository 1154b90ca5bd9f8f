"""How far a model as host agrees with the fact host, over the puzzles of a pack.

`python -m tools.check_lateral_thinking URL MODEL [--key-file FILE] [--pack benchmarks/live-ltp] [--puzzles N]`: the
golds of each puzzle and as many random questions of its words are asked of both hosts. Told are the share of equal
answers, Cohen's kappa, and the keys that the golds find with the model.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from envs import registry
from envs.lateral_thinking.endpoint import ChatEndpoint
from envs.lateral_thinking.game import Game
from envs.lateral_thinking.hosts import FactHost
from envs.lateral_thinking.model import Model, ModelHost
from envs.lateral_thinking.operators import Recording
from envs.lateral_thinking.spec import LateralThinkingSpec
from envs.lateral_thinking.words import content
from packs.read import read_pack


@dataclass
class Agreement:
    """Pairs of answers (fact host, model), and the keys that the golds found of all there are."""

    pairs: list[tuple[str, str]] = field(default_factory=list)
    found: int = 0
    keys: int = 0

    @property
    def share(self) -> float:
        """Of equal answers."""
        return sum(one == other for one, other in self.pairs) / max(1, len(self.pairs))

    @property
    def kappa(self) -> float:
        """Cohen's, over yes, no and irrelevant; 1 where chance alone would agree always."""
        ours, theirs = (Counter(pair[side] for pair in self.pairs) for side in (0, 1))
        chance = sum(ours[word] * theirs[word] for word in ours) / max(1, len(self.pairs)) ** 2
        return 1.0 if chance == 1 else (self.share - chance) / (1 - chance)


async def measured(puzzles: Sequence[tuple[LateralThinkingSpec, Sequence[str]]], model: Model, seed: int) -> Agreement:
    """The agreement over puzzles with their golds. Raises InfrastructureError where the model does not answer."""
    found = Agreement()
    with tempfile.TemporaryDirectory() as folder:
        for spec, golds in puzzles:
            facts, host = FactHost(spec), ModelHost(spec, model, Recording(Path(folder)))
            for question in (*golds, *_random(spec, len(golds), random.Random(f"{seed} {spec.story}"))):
                found.pairs.append((await facts.reply(question, ()), await host.reply(question, ())))
            game = Game(spec, host)
            for question in golds:
                await game.ask(question)
            found.found += len(game.found)
            found.keys += len(spec.keys)
    return found


def _random(spec: LateralThinkingSpec, count: int, draw: random.Random) -> list[str]:
    words = sorted(set(content(spec.story)) | set(content(spec.truth)))
    return [f"Is it about {' and '.join(draw.sample(words, min(3, len(words))))}?" for _ in range(count)]


def puzzles_of(pack: Path, count: int) -> list[tuple[LateralThinkingSpec, list[str]]]:
    """The first puzzles of a pack, and what their golds ask."""
    lines = [line for line in read_pack(pack, registry).references if line.episode][:count]
    specs = [LateralThinkingSpec.model_validate(line.episode.spec) for line in lines if line.episode]
    return [(spec, [str(one["text"]) for one in line.oracle]) for spec, line in zip(specs, lines, strict=True)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("model")
    parser.add_argument("--key-file", type=Path)
    parser.add_argument("--pack", type=Path, default=Path("benchmarks/live-ltp"))
    parser.add_argument("--puzzles", type=int, default=40)
    given = parser.parse_args()
    model = ChatEndpoint(given.url, given.model, given.key_file.read_text().strip() if given.key_file else "")
    found = asyncio.run(measured(puzzles_of(given.pack, given.puzzles), model, 0))
    sys.stdout.write(
        f"{len(found.pairs)} questions: {found.share:.3f} equal, kappa {found.kappa:.3f}; "
        f"keys found by the golds {found.found} of {found.keys}\n"
    )


if __name__ == "__main__":
    main()
