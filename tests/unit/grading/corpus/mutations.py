"""Wrong twins: of the value itself, and of the sentence that says it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.unit.grading.corpus.golds import DECIMAL, INTEGER, UNITS, Gold, value_of


@dataclass(frozen=True, slots=True)
class Twin:
    """A wrong answer to `gold`: the text and the unit in place of the gold's own."""

    text: str
    unit: str


@dataclass(frozen=True, slots=True)
class ValueMutation:
    """Changes the value; None where it does not fit."""

    name: str
    make: Callable[[Gold, Random], Twin | None]


NUMERIC = ("number", "quantity")


def _sign(gold: Gold, _: Random) -> Twin | None:
    if gold.shape in NUMERIC:
        return Twin(gold.text[1:] if gold.text.startswith("-") else f"-{gold.text}", gold.unit)
    return Twin(f"-({gold.text})", gold.unit) if gold.shape == "expression" else None


def _factor(gold: Gold, rng: Random) -> Twin | None:
    if gold.shape == "expression":
        return Twin(rng.choice((rf"2\left({gold.text}\right)", rf"\frac{{{gold.text}}}{{2}}")), gold.unit)
    if INTEGER.fullmatch(gold.text):
        return Twin(str(int(gold.text) * rng.choice((2, 3, 10))), gold.unit)
    if DECIMAL.fullmatch(gold.text):
        return Twin(f"{float(gold.text) * rng.choice((2, 10, 0.1)):.6g}", gold.unit)
    return Twin(rf"2\cdot {gold.text}", gold.unit) if gold.shape == "number" else None


def _digit(gold: Gold, rng: Random) -> Twin | None:
    if INTEGER.fullmatch(gold.text):
        return Twin(str(int(gold.text) + rng.choice((-2, -1, 1, 2))), gold.unit)
    if DECIMAL.fullmatch(gold.text):
        return Twin(f"{float(gold.text) * rng.choice((0.8, 1.2)):.6g}", gold.unit)
    value = value_of(gold.text)
    return Twin(rf"\frac{{{value.denominator}}}{{{value.numerator}}}", gold.unit) if value and abs(value) != 1 else None


def _exponent(gold: Gold, _: Random) -> Twin | None:
    fits = gold.shape == "expression" and gold.text.count("^") == 1 and re.search(r"[a-z]\^2", gold.text)
    return Twin(gold.text.replace("^2", "^3"), gold.unit) if fits else None


def _unit_prefix(gold: Gold, _: Random) -> Twin | None:
    return Twin(gold.text, UNITS[gold.unit].prefixed) if gold.unit else None


def _unit_dimension(gold: Gold, _: Random) -> Twin | None:
    return Twin(gold.text, UNITS[gold.unit].foreign) if gold.unit else None


def _other(gold: Gold, _: Random) -> Twin | None:
    return Twin(gold.other, gold.unit)


def _member(gold: Gold, rng: Random) -> Twin | None:
    if gold.shape != "set":
        return None
    members = gold.text[2:-2].split(",")
    kept = [*members, "9"] if rng.random() < 0.5 else members[:-1]
    return Twin(rf"\{{{','.join(kept)}\}}", "")


def _order(gold: Gold, _: Random) -> Twin | None:
    members = gold.text[1:-1].split(",")
    return Twin(f"({','.join(reversed(members))})", "") if gold.shape == "tuple" else None


def _bound(gold: Gold, rng: Random) -> Twin | None:
    if gold.shape == "interval":
        swap = {"[": "(", "]": ")"}
        return Twin("".join(swap.get(sign, sign) for sign in gold.text), "")
    sign = rng.choice((r"\le", r"\ge", "<", ">"))
    return Twin(f"{sign} {gold.text}", gold.unit) if gold.shape == "number" else None


def _listed(name: str) -> Callable[[Gold, Random], Twin | None]:
    def make(gold: Gold, rng: Random) -> Twin | None:
        texts = [text for each, text in gold.wrong if each == name]
        return Twin(rng.choice(texts), gold.unit) if texts else None

    return make


VALUE_MUTATIONS: tuple[ValueMutation, ...] = (
    ValueMutation("sign", _sign),
    ValueMutation("factor", _factor),
    ValueMutation("digit", _digit),
    ValueMutation("exponent", _exponent),
    ValueMutation("unit prefix", _unit_prefix),
    ValueMutation("unit dimension", _unit_dimension),
    ValueMutation("another value", _other),
    ValueMutation("member", _member),
    ValueMutation("order", _order),
    ValueMutation("bound", _bound),
    ValueMutation("index set", _listed("index set")),
    ValueMutation("break point", _listed("break point")),
)

SENTENCE_MUTATIONS: dict[str, tuple[str, ...]] = {
    "hedge": (
        "The answer is {} or {rival}.",
        "The answer is either {rival} or {}.",
        "The answer is {}, or possibly {rival}.",
        "It is {} or {rival}; I cannot decide.",
    ),
    "condition": (
        "The answer is {} if n is even, and {rival} otherwise.",
        "The answer is {} for even n and {rival} for odd n.",
        "The answer is {} unless the order matters, in which case it is {rival}.",
        "Answer: {} in the first case, {rival} in the second",
    ),
    "negation": (
        "The answer is not {}.",
        "I do not think the answer is {}.",
        "It is wrong to say that the answer is {}.",
        "The answer is anything but {}.",
        "The answer cannot be {}.",
    ),
    "limit in words": (
        "The answer is at most {}.",
        "The answer is more than {}.",
        "The answer is no less than {}.",
        "The answer does not exceed {}.",
        "The answer is bounded above by {}.",
    ),
    "operation in words": (
        "The answer is half of {}.",
        "The answer is three times {}.",
        "The answer is the reciprocal of twice {}.",
        "The answer is a third of {}.",
        "The answer is the negative of {}.",
    ),
    "supposition": (
        "Suppose that the answer is {}.",
        "If the answer were {}, we would reach a contradiction.",
        "Some people claim that the answer is {}.",
        "Is the answer {}?",
    ),
    "taken back": (
        "The answer is {}. Wait, that is wrong: the answer is {rival}.",
        "The answer is {}. Actually, no, it is {rival}.",
        "At first I thought the answer is {}, but the answer is {rival}.",
    ),
    "only compared": (
        "The answer is {rival}, not {}.",
        "The answer is {rival}; compare {}.",
        "The answer is {rival} instead of {}.",
        "The answer is {rival}, which differs from {}.",
    ),
    "other tongue": (
        "Die Antwort ist nicht {}.",
        "La réponse n'est pas {}.",
        "La respuesta no es {}.",
        "答案不是 {}。",
        "答えは {} ではありません。",
        "Die Antwort ist höchstens {}.",
    ),
}
MAY_JOIN_A_VALUE = ("hedge", "condition", "negation", "limit in words", "supposition")
"""Sentences that stay wrong whatever value they speak of."""
_AMONG_CHOICES = ("hedge", "negation", "supposition", "taken back", "only compared", "other tongue")


def sentences_for(shape: str) -> tuple[str, ...]:
    """The sentences that are surely wrong about a value of this shape: half a family may be the family again."""
    if shape == "choice":
        return _AMONG_CHOICES
    scalar = shape in (*NUMERIC, "expression")
    return tuple(name for name in SENTENCE_MUTATIONS if scalar or name != "operation in words")
