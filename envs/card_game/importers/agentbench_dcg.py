"""AgentBench's card game matches (THUDM/AgentBench v0.2) as a pack: two baselines, both orders, as often as published.

The published samples are settings, no data: `configs/tasks/card_game.yaml` says how often each is played. Published
matches have no seed; here each has one, drawn from the option `seed`.
"""

import re
from collections.abc import Sequence
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Literal

from envs.card_game.draft import drafted
from envs.card_game.fish import PUBLISHED
from envs.card_game.oracle import solve
from envs.card_game.rules import Dice
from envs.card_game.spec import CardGameSpec, OpponentName
from packs import cards
from packs.benchmark import Benchmark
from packs.draft import DraftPack, Mode, Soundness, known_mode
from packs.problem import Problem, ReferenceLine
from packs.report import Report

CONFIG = Path("configs") / "tasks" / "card_game.yaml"
BASELINES: tuple[OpponentName, ...] = ("baseline1", "baseline2")
_TIMES = re.compile(r"^cg-(dev|std):.*?^\s+test_time:\s*(\d+)", re.MULTILINE | re.DOTALL)


def read(
    source: Path, *, mode: Mode = "fixed", part: Literal["dev", "std"] = "std", seed: int = 0, limit: int | None = None
) -> DraftPack:
    """The matches of `part` that the checkout, or the configuration, at `source` describes: 12 of dev, 20 of std.

    Raises FileNotFoundError, and ValueError for another mode or part, or a configuration that does not say how often.
    """
    known_mode(mode)
    report = Report(f"{source.name}, {part}")
    problems: list[Problem] = []
    references: list[ReferenceLine] = []
    settings = product(BASELINES, (True, False), range(_times(source, part)))
    for number, (opponent, first, _) in enumerate(islice(settings, limit)):
        report.read += 1
        spec = CardGameSpec(
            opponent=opponent,
            team=PUBLISHED,
            enemy=PUBLISHED,
            first=first,
            seed=Dice(seed * 1_000_003 + number).below(1 << 62),
            protocol=mode,
        )
        id_ = f"{part}-{number:05d}"
        script = solve(spec)
        if script is None:
            report.exclude(id_, "not won", "the gold participant's search finds no complete win")
            continue
        problem, line = drafted(id_, "dev", opponent, spec, script)
        problems.append(problem)
        references.append(line)
    return DraftPack(
        report, problems, references, card=partial(_benchmark, mode, part), soundness=Soundness(exclude=True, seed=seed)
    )


def _times(source: Path, part: str) -> int:
    file = source / CONFIG if source.is_dir() else source
    if not file.is_file():
        raise FileNotFoundError(f"there is no {CONFIG} at {source}; give a checkout of AgentBench v0.2, or that file")
    found = dict(_TIMES.findall(file.read_text(encoding="utf-8")))
    if part not in ("dev", "std"):
        raise ValueError(f"there is no part '{part}'; known are dev and std")
    if part not in found:
        raise ValueError(f"{file.name} has no test_time for cg-{part}; the published one has 3 for dev and 5 for std")
    return int(found[part])


def _benchmark(mode: Mode, part: str, kept: Sequence[Problem]) -> Benchmark:
    return cards.published(
        "agentbench-dcg",
        mode,
        kept,
        title=f"card game, part {part}",
        licence="Apache-2.0",
        summary="Four fish against four, against two scripted players, with guesses of who is who.",
        card=_CARD.format(count=len(kept)),
        source="https://github.com/THUDM/AgentBench, configs/tasks/card_game.yaml (v0.2)",
    )


_CARD = """\
{count} matches of AgentBench's card game track (Liu et al., 2024), half of them begun by the opponent. A match scores
0.7 for a win and 0.3 times the share of the enemy's health that was taken; the score is the mean, which equals the
published 0.7 of the win rate and 0.3 of the damage rate. Every match has a seed.
"""
