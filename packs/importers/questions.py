"""What importers of questions share: building the pack, and trying each gold on its own reference."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from grading.answer import Answer
from grading.registry import grade, needs_of, parse_reference
from grading.verdict import Outcome
from packs import cards, checks, leaks, participants
from packs.benchmark import Benchmark, Scoring, SplitConfig
from packs.draft import DraftPack
from packs.files import Located, read_jsonl
from packs.importers.tables import READERS
from packs.problem import Choice, Image, Problem, ReferenceLine
from packs.report import Report

LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTER = "Give the letter of one choice in the last line of your response, preceded by ANSWER:"
FINAL = "Give the final answer alone in the last line of your response, preceded by ANSWER:"


@dataclass(frozen=True)
class Source:
    """Where the questions are from, for the card. `published` says whether their answers are public there."""

    slug: str
    title: str
    licence: str
    source: str
    summary: str
    published: bool | str = True
    """Also as "yes" and "no", as an option says it."""

    def __post_init__(self) -> None:
        if self.published not in (True, False, "yes", "no"):
            raise ValueError(f"published is yes or no, not '{self.published}'")


@dataclass(frozen=True)
class Question:
    """One question in no particular format. `references` are tried in order; the first that accepts `gold` is taken."""

    id: str
    type: str
    subject: str
    statement: str
    references: Sequence[Mapping[str, Any]]
    gold: str | None
    choices: Sequence[str] = ()
    answer_format: str = FINAL
    solution: str = ""
    images: Mapping[str, Path] = field(default_factory=dict)
    split: str = ""


class Builder:
    """Collects questions, leaves out what cannot be graded, and hands over the draft of a pack."""

    def __init__(self, source: Source, *, dev: int = 0) -> None:
        self.report = Report(source.slug)
        self._source = source
        self._dev = dev
        self._said = self._dealt = 0
        self._problems: list[Problem] = []
        self._references: list[ReferenceLine] = []
        self._assets: dict[str, Path] = {}
        self._seen: dict[tuple[str, ...], str] = {}

    def add(self, question: Question) -> None:
        """Take the question into the pack, or say in the report why not."""
        self.report.read += 1
        self._said += bool(question.split)
        text = (" ".join(question.statement.split()), *question.choices)
        if len(set(question.choices)) < len(question.choices):
            self.report.exclude(question.id, "choices", "two choices have the same text")
        elif (earlier := self._seen.setdefault(text, question.id)) != question.id:
            self.report.exclude(question.id, "repeated", f"the same question as {earlier}")
        elif (reference := self._accepted(question)) is not None:
            self._take(question, dict(reference))

    def draft(self) -> DraftPack:
        """What was collected. Raises ValueError if nothing is left."""
        if not self._problems:
            raise ValueError(
                f"no question could be taken: {'; '.join(self.report.lines()[:5]) or 'the source is empty'}"
            )
        self._leave_out_leaked()
        names = sorted({problem.split for problem in self._problems})
        splits = cards.converted_splits(names)
        splits |= {name: self._with_chance(name, config) for name, config in splits.items() if name != "dev"}
        if self._dev and self._said == self.report.read:
            self.report.notes.append(f"dev {self._dev} did nothing: every row says its split itself")
        return DraftPack(
            report=self.report,
            problems=self._problems,
            references=self._references,
            card=lambda kept: self._benchmark(splits, kept),
            assets=self._assets,
        )

    def _leave_out_leaked(self) -> None:
        """Exclude hidden questions whose answer stands in another question, as later parts of one problem often do."""
        hidden = {problem.id for problem in self._problems if problem.split != "dev"}
        prompts = {leaks.prompt_of(problem.id): participants.prompt(problem) for problem in self._problems}
        leaked = leaks.leaked_by_others(leaks.search([ref for ref in self._references if ref.id in hidden], prompts))
        for name, source in leaked.items():
            self.report.exclude(name, "leaked", f"its gold stands in the {source}")
        self._problems = [problem for problem in self._problems if problem.id not in leaked]
        self._references = [line for line in self._references if line.id not in leaked]
        shown = {image.path for problem in self._problems for image in problem.images}
        self._assets = {name: path for name, path in self._assets.items() if name in shown}

    def _with_chance(self, split: str, config: SplitConfig) -> SplitConfig:
        """A hidden split with the chance of guessing. The edges of a published set are measured and declared, coarsely:
        what a known participant scores would tell golds."""
        mine = [problem for problem in self._problems if problem.split == split]
        chance, edges = participants.edges(mine, {line.id: line for line in self._references})
        declared = participants.declared_chance(max([chance, *edges.values()])) if edges else chance
        for name in edges:
            self.report.notes.append(
                f"{split}: the participant '{name}' knows nothing and scores more than luck "
                f"where guessing scores {chance:.3f}; chance_level = {declared:g} is declared in benchmark.toml"
            )
        return config.model_copy(update={"chance_level": round(declared, 6)})

    def _accepted(self, question: Question) -> Mapping[str, Any] | None:
        causes: list[str] = []
        for number, reference in enumerate(question.references):
            try:
                cause = _refusal(question.gold, reference)
            except ValueError as error:
                cause = f"{reference.get('kind')}: not a reference ({str(error).splitlines()[0]})"
            if cause is None:
                if number:
                    self.report.mark(question.id, str(reference["kind"]), "; ".join(causes))
                return reference
            causes.append(cause)
        self.report.exclude(question.id, "gold", "; ".join(causes) or "there is no gold")
        return None

    def _take(self, question: Question, reference: dict[str, Any]) -> None:
        choices = tuple(Choice(label=label, text=text) for label, text in zip(LABELS, question.choices, strict=False))
        split = question.split or ("dev" if self._dealt < self._dev else "test")
        problem = Problem(
            id=question.id,
            split=split,
            type=question.type,
            subject=question.subject,
            statement=question.statement,
            choices=choices,
            answer_format=question.answer_format,
            images=tuple(Image(path=name) for name in question.images),
        )
        line = ReferenceLine(id=question.id, reference=reference, solution=question.solution, gold=question.gold)
        if leaks := checks.leaks(Located(0, problem), Located(0, line)):
            self.report.exclude(question.id, "leaked", f"{leaks[0].field}: {leaks[0].problem}")
            return
        self._dealt += not question.split
        self._problems.append(problem)
        self._references.append(line)
        self._assets.update(question.images)

    def _benchmark(self, splits: dict[str, SplitConfig], kept: Sequence[Problem]) -> Benchmark:
        source = self._source
        left_out = len(self.report.excluded)
        notes = "".join(f"Note: {note}.\n\n" for note in self.report.notes)
        origin = (
            f"Converted from a published set: {len(kept)} questions, {left_out} left out. The answers are public where "
            "the set was published, so a score here says nothing about questions that a model has not seen."
            if source.published in (True, "yes")
            else f"{len(kept)} questions, {left_out} of the source left out."
        )
        card = (
            f"# {source.title}\n\n{source.summary}\n\n{origin}\n\n{notes}"
            f"Source: {source.source}. Licence: {source.licence}.\n"
        )
        return Benchmark(
            slug=source.slug,
            title=source.title,
            version="1.0.0",
            owner="heldout",
            licence=source.licence,
            summary=source.summary,
            card=card,
            canary=cards.canary_of(source.slug, kept),
            source=source.source,
            scoring=Scoring(),
            splits=splits,
        )


def rows(source: Path, limit: int | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a table (`tables.READERS`), or of all tables in a folder, in order of their names.

    Raises ValueError with file and line for what cannot be read.
    """
    files = sorted(p for p in source.iterdir() if p.suffix in READERS) if source.is_dir() else [source]
    if not files:
        raise ValueError(f"{source} has no file that ends in {', '.join(READERS)}")
    return islice((row for file in files for row in READERS.get(file.suffix, read_jsonl)(file)), limit)


def identifier(text: str, prefix: str = "") -> str:
    """An id of allowed characters."""
    kept = re.sub(r"[^A-Za-z0-9._-]+", "-", text.strip()).strip("-._")
    return f"{prefix}{kept}"[:128]


def multiple_choice(label: str, count: int) -> dict[str, Any]:
    """The reference of a multiple-choice question."""
    return {"kind": "multiple_choice", "value": label, "choices": list(LABELS[:count])}


def _refusal(gold: str | None, reference: Mapping[str, Any]) -> str | None:
    if gold is None:
        grade(Answer(text=""), reference)
        return None
    typed = parse_reference(reference)
    verdict = grade(Answer(text=gold), typed)
    if verdict.outcome is Outcome.CORRECT or (verdict.score is None and "people" in needs_of(typed)):
        return None
    return f"{reference['kind']}: {verdict.outcome.value}, {verdict.reason}"
