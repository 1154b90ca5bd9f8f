"""Finding marks: which variant of which problem a leaked text, a pair or an answer comes from."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from protection import tardos

MIN_COVERAGE = 0.3
_WORD = re.compile(r"-?\d+(?:\.\d+)?(?!\w)|[^\W_]{3,}")
_ANSWER = re.compile(r"\b(?:answer|gold|key|correct(?: option| choice)?|solution)\b\W{0,4}(?:is\b)?\W{0,4}(.+)", re.I)
_QUESTION_FIELDS = ("statement", "question", "problem", "prompt", "text", "input")
_ANSWER_FIELDS = ("answer", "gold", "target", "label", "output", "response", "completion")


class Choice(Protocol):
    """One option, as it is shown."""

    @property
    def text(self) -> str: ...


class Variant(Protocol):
    """One variant of a problem, as it is shown."""

    @property
    def statement(self) -> str: ...

    @property
    def choices(self) -> Sequence[Choice]: ...


V = TypeVar("V", bound=Variant)
V_co = TypeVar("V_co", bound=Variant, covariant=True)
IsGold = Callable[[str, V], bool]
"""Whether an answer is right for a variant."""


class VariantSet(Protocol[V_co]):
    """All 2**bits variants of a problem by number."""

    @property
    def variants(self) -> Sequence[V_co]: ...

    @property
    def bits(self) -> int: ...


@dataclass(frozen=True)
class Pair:
    """A leaked problem: its text (choices included where they are known) and its answer, if given."""

    text: str
    answer: str | None = None


def matching(answer: str, made: VariantSet[V], is_gold: IsGold[V]) -> set[int]:
    """Numbers of the variants for which the answer is right."""
    return {number for number, variant in enumerate(made.variants) if is_gold(answer, variant)}


def read_pairs(pairs: Iterable[Pair], catalogue: Mapping[str, VariantSet[V]], is_gold: IsGold[V]) -> dict[str, int]:
    """Marks in leaked pairs, as positions and bits for `tracing.trace`."""
    index = _Index(catalogue)
    observed: dict[str, int] = {}
    for pair in pairs:
        problem = index.find(pair.text)
        if problem:
            observed.update(_bits(problem, catalogue[problem], pair, is_gold))
    return observed


def read_text(text: str, catalogue: Mapping[str, VariantSet[V]], is_gold: IsGold[V]) -> dict[str, int]:
    """Marks in a leaked text of any layout: JSON, JSON lines, or prose with a problem every few lines."""
    pairs = parse_pairs(text)
    return read_pairs(pairs if pairs else _Index(catalogue).blocks(text), catalogue, is_gold)


def parse_pairs(text: str) -> list[Pair]:
    """Pairs from JSON (a list of objects) or JSON lines with the usual field names; empty for any other text."""
    try:
        rows = json.loads(text)
        rows = rows if isinstance(rows, list) else [rows]
    except ValueError:
        rows = []
        for line in text.splitlines():
            try:
                rows.append(json.loads(line))
            except ValueError:
                continue
    return [pair for row in rows if isinstance(row, dict) and (pair := _pair(row))]


def _pair(row: Mapping[str, object]) -> Pair | None:
    question = next((row[name] for name in _QUESTION_FIELDS if isinstance(row.get(name), str)), None)
    answer = next((row[name] for name in _ANSWER_FIELDS if isinstance(row.get(name), str | int | float)), None)
    if question is None:
        return None
    choices = row.get("choices") or row.get("options") or ()
    texts = [_choice(choice) for choice in choices] if isinstance(choices, list) else []
    return Pair("\n".join([str(question), *texts]), None if answer is None else str(answer))


def _choice(choice: object) -> str:
    return str(choice.get("text", choice)) if isinstance(choice, dict) else str(choice)


def _bits(problem: str, made: VariantSet[V], pair: Pair, is_gold: IsGold[V]) -> dict[str, int]:
    scores = [0.0] * len(made.variants)
    words = set(_tokens(pair.text))
    telling = _telling(made)
    labelled = pair.answer is not None
    for number, variant in enumerate(made.variants):
        if telling[number]:
            scores[number] += len(telling[number] & words) / len(telling[number])
        if labelled and pair.answer and is_gold(pair.answer, variant):
            scores[number] += 3.0
    best = max(scores)
    if best < 0.5:
        return {}
    likely = {number for number, score in enumerate(scores) if score > best - 0.25}
    return agreed(problem, made, _in_any_order(made, likely) if _shows_choices(made, pair.text) else likely)


def agreed(problem: str, made: VariantSet[Variant], numbers: set[int]) -> dict[str, int]:
    """The bits on which all candidate variants agree."""
    if not numbers or len(numbers) == len(made.variants):
        return {}
    found: dict[str, int] = {}
    for bit in range(made.bits):
        values = {number >> bit & 1 for number in numbers}
        if len(values) == 1:
            found[tardos.position(problem, bit)] = values.pop()
    return found


def _telling(made: VariantSet[Variant]) -> list[set[str]]:
    """Tokens that some variants show and others do not."""
    tokens = [set(_tokens(" ".join([v.statement, *(c.text for c in v.choices)]))) for v in made.variants]
    common = set.intersection(*tokens)
    return [shown - common for shown in tokens]


def _in_any_order(made: VariantSet[Variant], numbers: set[int]) -> set[int]:
    """All variants that show the same as these but for the order of choices, which `sort` rewrites with the labels."""
    shown = [(v.statement, tuple(sorted(choice.text for choice in v.choices))) for v in made.variants]
    likely = {shown[number] for number in numbers}
    return {number for number, one in enumerate(shown) if one in likely}


def _shows_choices(made: VariantSet[Variant], text: str) -> bool:
    """Whether a leaked text carries choices of some variant: two are enough to have been put into another order."""
    plain = text.casefold()
    return any(sum(choice.text.casefold() in plain for choice in v.choices) >= 2 for v in made.variants)


class _Index:
    """Finds the problem that a text speaks of, by the rare words it shares with the statement or with the whole."""

    def __init__(self, catalogue: Mapping[str, VariantSet[Variant]]) -> None:
        fields: dict[tuple[str, bool], set[str]] = {}
        for problem, made in catalogue.items():
            fields[problem, False] = _stem([v.statement for v in made.variants])
            if made.variants[0].choices:
                whole = [" ".join([v.statement, *(c.text for c in v.choices)]) for v in made.variants]
                fields[problem, True] = _stem(whole)
        counts = Counter(word for words in fields.values() for word in words)
        self._weight = {word: 1.0 / count for word, count in counts.items()}
        self._total = {field: sum(self._weight[word] for word in words) for field, words in fields.items()}
        self._by_word: dict[str, list[tuple[str, bool]]] = defaultdict(list)
        for field, words in fields.items():
            for word in words:
                self._by_word[word].append(field)

    def find(self, text: str) -> str | None:
        """The problem whose weighted words the text covers best; None where none or two are covered alike."""
        shares: dict[tuple[str, bool], float] = defaultdict(float)
        for word in set(_tokens(text)):
            for field in self._by_word.get(word, ()):
                shares[field] += self._weight[word] / self._total[field]
        best: dict[str, float] = defaultdict(float)
        for (problem, _), share in shares.items():
            best[problem] = max(best[problem], share)
        ranked = sorted(best.items(), key=lambda item: -item[1])[:2]
        if not ranked or ranked[0][1] < MIN_COVERAGE:
            return None
        return ranked[0][0] if len(ranked) == 1 or ranked[0][1] > 1.2 * ranked[1][1] else None

    def blocks(self, text: str) -> list[Pair]:
        """Lines that speak of one problem, each with the lines that follow until another begins."""
        blocks: list[list[str]] = []
        current: str | None = None
        for line in text.splitlines():
            found = self.find(line)
            if found and found != current:
                blocks.append([])
                current = found
            if blocks:
                blocks[-1].append(line)
        return [_block(lines) for lines in blocks]


def _stem(variants: Sequence[str]) -> set[str]:
    """Words that every variant shows."""
    return set.intersection(*(set(_tokens(text)) for text in variants))


def _block(lines: Sequence[str]) -> Pair:
    text = "\n".join(lines)
    answers = _ANSWER.findall(text)
    return Pair(text, str(answers[-1]).strip() if answers else None)


def _tokens(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
