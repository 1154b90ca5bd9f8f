"""The variants of a problem: they measure the same and have different answers.

At import each problem that may vary gets 2**bits variants, with the public side and the reference of each. Which one
an organisation is served is a number from its fingerprint code (`protection.tardos.number`), so that nothing about
the choice is stored, and the gold is the one of the variant. The problem as the pack has it is never among them
where it varies. Marks sit in the answer first (order of choices, constants): wording does not survive a paraphrase.
"""

import itertools
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from grading.registry import kinds, parse_reference
from packs.problem import Choice, ConstantRange, Episode, Problem, ReferenceLine, Variation
from packs.variation.expressions import ExpressionError, evaluate, holds

MAX_ASSIGNMENTS = 20_000
MAX_ANSWER_BITS = 2
MAX_SLOT_BITS = 2
_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_]\w*)\s*\}\}")
_FIXED_ORDER = re.compile(
    r"\b(all|none|both|neither|any|either) of (the|these)\b|^(both )?\(?[A-Z]\)? (and|or) \(?[A-Z]\)?", re.I
)


class VariationError(ValueError):
    """The declared variation cannot be used; the message says what is wrong and what would be right."""


@dataclass(frozen=True)
class Variant:
    """One variant of a problem: what is shown, and the secret side that belongs to it."""

    statement: str
    choices: tuple[Choice, ...]
    reference: dict[str, Any]
    gold: str | None
    solution: str
    episode: dict[str, Any] | None = None


@dataclass(frozen=True)
class VariantSet:
    """All 2**bits variants by number. The low `answer_bits` bits of the number change the answer, the rest wording."""

    variants: tuple[Variant, ...]
    answer_bits: int

    @property
    def bits(self) -> int:
        return len(self.variants).bit_length() - 1


def build(problem: Problem, line: ReferenceLine, key: bytes) -> VariantSet:
    """The variants of a problem, the same for the same key (secret) and problem. Raises VariationError.

    A problem without a variation has one variant: itself.
    """
    variation = line.variation
    if variation is None:
        episode = _episode(line)
        only = Variant(problem.statement, problem.choices, line.reference, line.gold, line.solution, episode)
        return VariantSet((only,), 0)
    rng = random.Random(key + problem.id.encode())
    values = _assignments(line, variation, rng)
    orders = _orders(problem, line.reference, rng) if variation.choices else [tuple(range(len(problem.choices)))]
    answer_bits = min(MAX_ANSWER_BITS, max(_bits(len(values)), _bits(len(orders))))
    wordings = _wordings(variation, rng)
    variants = []
    for wording in wordings:
        for index in range(2**answer_bits):
            parts = (values[index % len(values)], orders[index % len(orders)], wording)
            variants.append(_render(problem, line, variation, *parts))
    _check(problem, variants)
    return VariantSet(tuple(variants), answer_bits)


def values_of(name: str, domain: ConstantRange) -> list[str]:
    """Every value a constant may take, as it is written in the statement."""
    if domain.values:
        return list(domain.values)
    if domain.start is None or domain.stop is None:
        raise VariationError(f"constant '{name}' needs 'from' and 'to', or 'values'")
    try:
        start, stop, step = Decimal(domain.start), Decimal(domain.stop), Decimal(domain.step)
    except InvalidOperation as error:
        raise VariationError(f"constant '{name}' has bounds that are no decimal numbers, such as \"0.5\"") from error
    if step <= 0 or stop < start:
        raise VariationError(f"constant '{name}' must go up: 'from' at most 'to', and 'step' above 0")
    count = int((stop - start) / step) + 1
    if count > MAX_ASSIGNMENTS:
        raise VariationError(f"constant '{name}' has {count} values; at most {MAX_ASSIGNMENTS} can be checked")
    return [format(start + step * index, "f") for index in range(count)]


def write_number(value: Fraction) -> str:
    """A rational as people write it: `12`, `0.25`, `1/3`."""
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1 or value.denominator > 10**9:
        return f"{value.numerator}/{value.denominator}"
    return format((Decimal(value.numerator) / Decimal(value.denominator)).normalize(), "f")


def _bits(count: int) -> int:
    return count.bit_length() - 1


def _assignments(line: ReferenceLine, variation: Variation, rng: random.Random) -> list[dict[str, str]]:
    """Assignments of the constants, checked one and all; those returned have different golds."""
    if not variation.constants:
        return [{}]
    good = list(_good_assignments(variation))
    if not good:
        raise VariationError("no values of the constants meet the constraints")
    rng.shuffle(good)
    chosen: dict[str, dict[str, str]] = {}
    for values in good:
        chosen.setdefault(repr((values.get("gold"), _fill_deep(line.reference, values))), values)
        if len(chosen) == 2**MAX_ANSWER_BITS:
            break
    return list(chosen.values())


def _good_assignments(variation: Variation) -> Iterator[dict[str, str]]:
    domains = [values_of(name, domain) for name, domain in variation.constants.items()]
    total = 1
    for domain in domains:
        total *= len(domain)
    if total > MAX_ASSIGNMENTS:
        raise VariationError(f"the constants have {total} combinations; at most {MAX_ASSIGNMENTS} can be checked")
    for combination in itertools.product(*domains):
        written = dict(zip(variation.constants, combination, strict=True))
        numbers = _numbers(written, needed=bool(variation.constraints or variation.gold))
        if not all(holds(condition, numbers) for condition in variation.constraints):
            continue
        if variation.gold is not None:
            try:
                written["gold"] = write_number(evaluate(variation.gold, numbers))
            except ExpressionError as error:
                raise VariationError(
                    f"gold fails for {', '.join(f'{k}={v}' for k, v in written.items())}: {error}"
                ) from error
        yield written


def _numbers(written: Mapping[str, str], *, needed: bool) -> dict[str, Fraction]:
    if not needed:
        return {}
    try:
        return {name: Fraction(text) for name, text in written.items()}
    except (ValueError, ZeroDivisionError) as error:
        raise VariationError(f"a constant used in arithmetic has a value that is no number: {error}") from error


def _orders(problem: Problem, reference: Mapping[str, Any], rng: random.Random) -> list[tuple[int, ...]]:
    """Orders of the choices, none as in the pack; no choice has one place in two of them.

    Were that so of the right choice alone, whoever compares copies would know that a choice which stays is wrong.
    """
    labels = [choice.label for choice in problem.choices]
    if len(labels) < 2:
        raise VariationError("'choices' may vary only where the problem has at least two of them")
    bound = next((choice for choice in problem.choices if _FIXED_ORDER.search(choice.text)), None)
    if bound:
        raise VariationError(
            f"choice {bound.label} speaks of the others; its order cannot change: set 'choices' to false"
        )
    found: dict[str, tuple[int, ...]] = {}
    for order in _square(len(labels), rng):
        found.setdefault(repr(_relabel(reference, _mapping(labels, order))), order)
        if len(found) == 2**MAX_ANSWER_BITS:
            break
    return list(found.values())


def _square(count: int, rng: random.Random) -> list[tuple[int, ...]]:
    """Rows of a Latin square without the order as it is: each number has another place in each row."""
    identity = tuple(range(count))
    rows: list[tuple[int, ...]] = []
    for _ in range(100):
        numbers, places, shifts = (rng.sample(range(count), count) for _ in range(3))
        rows = [tuple(numbers[(place + shift) % count] for place in places) for shift in shifts]
        if identity not in rows:
            return rows
    return [row for row in rows if row != identity]


def _wordings(variation: Variation, rng: random.Random) -> list[dict[str, str]]:
    """2**n choices of the slots' texts; a bit belongs to each of the first slots that have two texts or more."""
    base = {name: rng.choice(texts) for name, texts in variation.slots.items() if texts}
    if len(base) < len(variation.slots):
        raise VariationError("a paraphrase slot needs at least one text")
    pairs = [
        (name, rng.sample(texts, 2)) for name, texts in variation.slots.items() if len(set(texts)) == len(texts) > 1
    ]
    wordings = [base]
    for name, pair in pairs[:MAX_SLOT_BITS]:
        wordings = [{**wording, name: text} for text in pair for wording in wordings]
    return wordings


def _render(
    problem: Problem,
    line: ReferenceLine,
    variation: Variation,
    values: Mapping[str, str],
    order: Sequence[int],
    wording: Mapping[str, str],
) -> Variant:
    every = {**values, **wording}
    shown = {name: text for name, text in every.items() if name != "gold"}
    labels = [choice.label for choice in problem.choices]
    texts = [_fill(problem.choices[index].text, every) for index in order]
    mapping = _mapping(labels, order)
    reference = _relabel(_fill_deep(_with_gold(line.reference, problem, variation), every), mapping)
    gold = values.get("gold") or (_fill(line.gold, values) if line.gold is not None else None)
    return Variant(
        statement=_fill(_fill(problem.statement, shown), shown),
        choices=tuple(Choice(label=label, text=text) for label, text in zip(labels, texts, strict=True)),
        reference=reference,
        gold=mapping.get(gold, gold) if gold is not None else None,
        solution=_fill(line.solution, values),
        episode=_fill_deep(_episode(line), every),
    )


def _episode(line: ReferenceLine) -> dict[str, Any] | None:
    return line.episode.model_dump(mode="json") if line.episode else None


def _with_gold(reference: Mapping[str, Any], problem: Problem, variation: Variation) -> dict[str, Any]:
    """Put the gold's place into a reference that does not name it: its kind's gold field, unless that holds a label."""
    if variation.gold is None or problem.choices or "gold" in _PLACEHOLDER.findall(repr(reference)):
        return dict(reference)
    entry = kinds().get(str(reference.get("kind")))
    if entry is None or entry.model.gold_field not in reference:
        raise VariationError("the reference must say where the gold goes: write {{gold}} in it")
    return {**reference, entry.model.gold_field: "{{gold}}"}


def _mapping(labels: Sequence[str], order: Sequence[int]) -> dict[str, str]:
    return {labels[old]: labels[new] for new, old in enumerate(order)}


def _relabel(value: Any, mapping: Mapping[str, str]) -> Any:
    """The reference with labels of choices renamed; lists of labels stay sorted."""
    if isinstance(value, str):
        return mapping.get(value, value)
    if isinstance(value, Mapping):
        return {mapping.get(k, k): v if k == "kind" else _relabel(v, mapping) for k, v in value.items()}
    if isinstance(value, list | tuple):
        renamed = [_relabel(item, mapping) for item in value]
        labels = bool(value) and all(isinstance(item, str) and item in mapping for item in value)
        return sorted(renamed) if labels else renamed
    return value


def _fill(text: str, values: Mapping[str, str]) -> str:
    # Other double braces are LaTeX and stay.
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def _fill_deep(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _fill(value, values)
    if isinstance(value, Mapping):
        return {key: _fill_deep(item, values) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_fill_deep(item, values) for item in value]
    return value


def _check(problem: Problem, variants: Sequence[Variant]) -> None:
    for variant in variants:
        try:
            parse_reference(variant.reference)
        except ValueError as error:
            raise VariationError(f"the reference of a variant is not valid: {error}") from error
        texts = [choice.text for choice in variant.choices]
        if len(set(texts)) != len(texts):
            raise VariationError(f"two choices become the same: {', '.join(texts)}; add a constraint")
    shown = {(variant.statement, variant.choices) for variant in variants}
    if len(shown) != len(variants):
        raise VariationError("two variants look the same: a constant or slot is not used as {{name}} in what is shown")
    if any(variant.statement == problem.statement and variant.choices == problem.choices for variant in variants):
        raise VariationError("a variant equals the problem in the pack; use {{name}} placeholders or more choices")


def variants_of(problem: Problem, line: ReferenceLine, key: bytes) -> list[tuple[Problem, ReferenceLine]]:
    """Each variant as a problem and reference of its own, that do not vary: for checks and baselines of a pack."""
    if line.variation is None:
        return [(problem, line)]
    return [
        (
            problem.model_copy(update={"statement": variant.statement, "choices": variant.choices}),
            line.model_copy(
                update={
                    "reference": variant.reference,
                    "gold": variant.gold,
                    "solution": variant.solution,
                    "episode": Episode.model_validate(variant.episode) if variant.episode else None,
                    "variation": None,
                }
            ),
        )
        for variant in build(problem, line, key).variants
    ]
