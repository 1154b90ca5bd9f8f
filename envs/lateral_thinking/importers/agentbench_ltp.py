"""AgentBench's lateral thinking puzzles (v0.2): sheets with a story, its truth, and the keys of both.

Facts: the columns are story, truth, story keys, answer keys, by their headings or else in this order; keys stand one a
line behind a number or a dash, and a blank line counts as a key. The sheets hold no facts, so the fact host's are the
keys themselves: a question is about a key if it has all the words of it that say something.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from zipfile import BadZipFile

from openpyxl import load_workbook

from envs.lateral_thinking import draft, words
from envs.lateral_thinking.spec import Fact, LateralThinkingSpec
from packs import cards
from packs.benchmark import Benchmark
from packs.draft import DraftPack, Mode, Soundness, known_mode
from packs.problem import Problem, ReferenceLine
from packs.report import Report

Hosted = Literal["facts", "model"]
COLUMNS = ("story", "answer", "story keys", "answer keys")
ROUNDS = 25
_MARK = re.compile(r"^(?:\d{1,2}\.|-)\S*\s+")


@dataclass(frozen=True)
class Sample:
    """One row."""

    id: str
    story: str
    truth: str
    story_keys: tuple[str, ...]
    keys: tuple[str, ...]


def read(source: Path, *, mode: Mode = "fixed", rounds: int = ROUNDS, host: Hosted = "facts") -> DraftPack:
    """The samples of a sheet (`.xlsx`), or of all sheets of a folder. `host` "model" leaves the answers to the
    operator's judge model, as published; golds are then not played, for they would cost.

    Mode "published" keeps the published rules and blank keys, with which a sample cannot be solved and is left out;
    mode "fixed" has sound rules (see `game`) and no blank keys. Raises FileNotFoundError, and ValueError for another
    mode or a sheet of another form.
    """
    known_mode(mode)
    if host not in get_args(Hosted):
        raise ValueError(f"there is no host '{host}'; known are facts and model")
    report = Report(source.name)
    built: list[tuple[Problem, ReferenceLine]] = []
    for sample in _samples(source):
        report.read += 1
        if not all((sample.story, sample.truth, *map("".join, (sample.story_keys, sample.keys)))):
            report.exclude(sample.id, "format", "a row has a story, a truth, story keys and answer keys")
            continue
        made = _built(sample, mode, rounds, host, report)
        built += [made] if made else []

    def card(kept: Sequence[Problem]) -> Benchmark:
        return benchmark(mode, host, kept)

    problems, references = [problem for problem, _ in built], [line for _, line in built]
    return DraftPack(report, problems, references, card=card, soundness=Soundness() if host == "facts" else None)


def _samples(source: Path) -> Iterator[Sample]:
    paths = sorted(source.glob("*.xlsx")) if source.is_dir() else [source]
    if not paths or not all(path.is_file() for path in paths):
        raise FileNotFoundError(f"{source} is no sheet and no folder with sheets (*.xlsx)")
    for path in paths:
        try:
            rows = list(load_workbook(path, read_only=True).worksheets[0].iter_rows(values_only=True))
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise ValueError(f"{path.name} is no sheet: {error}") from None
        heading = [_cell(cell).lower() for cell in rows[0]] if rows else []
        if len(heading) < len(COLUMNS):
            raise ValueError(f"{path.name} has not the columns {', '.join(COLUMNS)}")
        places = [heading.index(name) if set(COLUMNS) <= set(heading) else at for at, name in enumerate(COLUMNS)]
        for number, row in enumerate(rows[1:]):
            cells = [_cell(row[place]) if place < len(row) else "" for place in places]
            if not any(cells):
                continue
            story_keys, keys = (tuple(_key(line) for line in cell.split("\n")) for cell in cells[2:])
            yield Sample(f"{path.stem}-{number:03d}", cells[0], cells[1], story_keys, keys)


def _cell(cell: object) -> str:
    return "" if cell is None else str(cell).strip()


def _key(line: str) -> str:
    """A key without its number or dash, as published: everything to the first space."""
    return _MARK.sub("", line.strip())


def _built(
    sample: Sample, mode: Mode, rounds: int, host: Hosted, report: Report
) -> tuple[Problem, ReferenceLine] | None:
    keys = sample.keys if mode == "published" else tuple(key for key in sample.keys if key)
    if len(keys) < len(sample.keys):
        report.mark(sample.id, "blank keys", f"{len(sample.keys) - len(keys)} blank lines are no keys")
    facts = tuple(
        Fact(text=key, about=tuple((word,) for word in words.content(key)), holds=not words.denied(key), key=number)
        for number, key in enumerate(keys)
        if words.content(key)
    )
    if len(facts) < sum(1 for key in keys if key):
        report.exclude(sample.id, "empty key", "a key says nothing: it has function words only")
        return None
    spec = LateralThinkingSpec(
        story=sample.story,
        truth=sample.truth,
        story_keys=sample.story_keys,
        keys=keys,
        facts=facts,
        rules=mode,
        rounds=rounds,
        host=host,
    )
    asked = draft.questions(spec)
    if isinstance(asked, str):
        report.exclude(sample.id, "gold fails", asked)
        return None
    return draft.drafted(sample.id, "dev", f"lateral_thinking_{mode}", spec, asked)


def benchmark(mode: Mode, host: Hosted, problems: Sequence[Problem]) -> Benchmark:
    """The card of the pack; the score is the mean progress, as published."""
    return cards.published(
        "agentbench-ltp",
        mode,
        problems,
        title="lateral thinking puzzles",
        licence="Apache-2.0",
        summary="Find out what lies behind a strange story by questions that are answered yes, no or irrelevant.",
        card=_CARD.format(mode=mode, count=len(problems), host=_HOSTS[host]),
    )


_HOSTS: Mapping[Hosted, str] = {
    "facts": "a host that decides by the words of the keys: it takes them as they stand and no paraphrases. Scores of "
    "it are no published scores, which a language model hosted.",
    "model": "the judge model of whoever runs the service as host.",
}
_CARD = """\
{count} situation puzzles of AgentBench's lateral thinking track (Liu et al., ICLR 2024, arXiv:2308.03688), mode
"{mode}", with {host}
The score is the mean progress (keys found).

The puzzles have been public since 2023: good for practice, not as a hidden test.
"""
