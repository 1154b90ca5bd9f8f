"""Fresh puzzles from written plots: who, where and what is in them is drawn from a seed."""

import random
from collections.abc import Sequence
from pathlib import Path

from envs.lateral_thinking import draft
from envs.lateral_thinking.generator.plots import SHIPPED, read_plots
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Soundness
from packs.problem import Problem, ReferenceLine
from packs.report import Report


def generate(
    *, seed: int, count: int = 40, split: str = "test", slug: str = "live-lateral-thinking", plots: str = ""
) -> DraftPack:
    """A pack of `count` puzzles; the same for the same seed. Every split but "dev" is private.

    `plots` is an owner's file of plots (see `plots`). The ones that are shipped can be read by everybody, so a hidden
    set needs its own: a seed only draws names and things in them. Plots come once each before one comes again.

    Raises ValueError for a file of another form.
    """
    listed = read_plots(Path(plots) if plots else SHIPPED)
    order = list(range(len(listed)))
    random.Random(f"lateral thinking {seed}").shuffle(order)
    report = Report(f"lateral thinking, seed {seed}", read=count)
    built: list[tuple[Problem, ReferenceLine]] = []
    for number in range(count):
        plot = listed[order[number % len(order)]]
        spec = plot.drawn(random.Random(f"lateral thinking {seed} {number}"))
        id_ = f"{slug}-{number:04d}"
        asked = draft.questions(spec)
        if isinstance(asked, str):
            report.exclude(id_, "gold fails", f"plot '{plot.name}': {asked}")
            continue
        built.append(draft.drafted(id_, split, f"lateral_thinking_{len(spec.keys)}", spec, asked))

    def card(kept: Sequence[Problem]) -> Benchmark:
        return cards.live(
            slug,
            split,
            seed,
            title="Live: lateral thinking",
            summary="Find out what lies behind a strange story by questions that are answered yes, no or irrelevant.",
            card=_CARD.format(count=len(kept)),
            scoring=Scoring(),
        )

    problems, references = [problem for problem, _ in built], [line for _, line in built]
    return DraftPack(report, problems, references, card=card, soundness=Soundness(seed=seed))


_CARD = """\
{count} situation puzzles, 25 questions each. The host decides by declared facts, without a language model. The score is
the share of a puzzle's keys that were found.
"""
