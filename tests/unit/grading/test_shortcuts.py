"""What is looked at before the costly way gives what the costly way gives."""

import hashlib
import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from grading.equivalence.point import Point, context, ten_to
from grading.equivalence.precision import same_value
from grading.language.limits import LanguageError
from grading.language.numerals import number_of
from grading.language.read import read
from grading.language.tree import Node
from grading.language.walking import parts, walk

_LINES = Path(__file__).with_name("semantics.jsonl").read_text(encoding="utf-8").splitlines()
_TEXTS = sorted({json.loads(line)["gold"] for line in _LINES})


def test_the_parts_of_a_kind_are_those_of_the_walk_in_its_order() -> None:
    read_texts = 0
    for text in _TEXTS:
        try:
            node = read(text).node
        except LanguageError:
            continue
        read_texts += 1
        for kind in Node.__subclasses__():
            assert list(parts(node, kind)) == [part for part in walk(node) if type(part) is kind], (text, kind)
    assert read_texts > 200


@pytest.mark.parametrize("power", [-30, -25, -8])
def test_sizes_tell_values_apart_as_their_difference_does(power: int) -> None:
    ctx, rng = context(), random.Random(7)
    told: set[bool] = set()
    for _ in range(2000):
        first = ctx.mpf(rng.uniform(-1, 1)) * ctx.mpf(10) ** rng.randint(-40, 40)
        second = first * (1 + rng.uniform(-4, 4) * ctx.mpf(10) ** (power + rng.randint(-2, 2)))
        exact = abs(first - second) <= max(abs(first), abs(second)) * ten_to(power)
        assert same_value(first, second, power) is bool(exact), (first, second)
        told.add(bool(exact))
    assert told == {True, False}
    assert same_value(ctx.zero, ctx.zero, power)
    assert not same_value(ctx.zero, ctx.mpf(10) ** -300, power)
    assert not same_value(ctx.nan, ctx.nan, power)
    assert not same_value(ctx.mpc(1, 1), ctx.one, power)


@pytest.mark.parametrize(("low", "high"), [(0.2, 1.0), (-6.0, -0.3), (-2.5, 2.5), (0, 1)])
def test_a_letter_has_the_value_that_its_seed_says(low: float, high: float) -> None:
    ctx = context()
    for name in ("x", "theta", "x_1"):
        share = Fraction(int.from_bytes(hashlib.sha256(f"seed|{name}".encode()).digest()[:4]), 2**32)
        drawn = Fraction(low) + share * (Fraction(high) - Fraction(low))
        for point, value in (
            (Point("seed", low, high), drawn),
            (Point("seed", low, high, positives=frozenset({name})), abs(drawn)),
            (Point("seed", low, high, frozenset({name})), Fraction(2 + int(share * 7))),
        ):
            assert point.symbol(name) == ctx.mpf(value.numerator) / value.denominator


def test_numbers_in_words_begin_as_they_may() -> None:
    said = {
        "seventeen": Fraction(17),
        " -five": Fraction(-5),
        "Negative two thirds": Fraction(-2, 3),
        "half a million": Fraction(500_000),
        "a dozen": Fraction(12),
        "quarter": Fraction(1, 4),
        "point five": Fraction(1, 2),
        "hundredth": Fraction(100),
        "million": Fraction(10**6),
    }
    assert {text: number_of(text) for text in said} == said
    assert [number_of(text) for text in ("apples", "the five", "- ", "")] == [None] * 4
