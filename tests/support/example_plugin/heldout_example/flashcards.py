"""Flashcards: each line of a file is a word, a tab and what a participant would say to be right."""

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Soundness
from packs.problem import Episode, Problem, ReferenceLine
from packs.report import Report
from packs.words import names


def read(source: Path, *, slug: str = "flashcards", limit: int | None = None) -> DraftPack:
    """The cards of a file. Raises ValueError for a line without a tab."""
    report = Report(source.name)
    pairs = []
    for number, text in enumerate(source.read_text(encoding="utf-8").splitlines()[:limit], 1):
        report.read += 1
        word, tab, said = text.partition("\t")
        if not tab:
            raise ValueError(f"{source.name}:{number} has no tab; write a word, a tab and what is to be said")
        pairs.append((word, said))
    return _draft(report, pairs, slug, "dev", seed=0)


def generate(*, seed: int, count: int = 8, split: str = "test", slug: str = "live-flashcards") -> DraftPack:
    """Cards with words that nobody has seen; the same for the same seed."""
    words = names(random.Random(seed), count)
    return _draft(Report(f"flashcards, seed {seed}", read=count), [(word, word) for word in words], slug, split, seed)


def _draft(report: Report, pairs: Iterable[tuple[str, str]], slug: str, split: str, seed: int) -> DraftPack:
    built = [_card(f"card-{number}", word, said, split) for number, (word, said) in enumerate(pairs, 1)]

    def card(kept: Sequence[Problem]) -> Benchmark:
        text = f"{len(kept)} cards."
        return cards.live(
            slug, split, seed, title="Flashcards", summary="Words to repeat", card=text, scoring=Scoring()
        )

    problems, references = [problem for problem, _ in built], [line for _, line in built]
    trial = Episode(environment="echo", spec={})
    return DraftPack(report, problems, references, card=card, soundness=Soundness(seed=seed, trial=trial))


def _card(id_: str, word: str, said: str, split: str) -> tuple[Problem, ReferenceLine]:
    text = "Repeat the word."
    problem = Problem(id=id_, split=split, type="flashcard", subject="words", statement=text, episode=True)
    line = ReferenceLine(
        id=id_,
        reference={"kind": "exact", "value": word},
        episode=Episode(environment="echo", spec={"greeting": f"The word is {word}."}),
        oracle=({"text": f"finish[{said}]"},),
    )
    return problem, line
