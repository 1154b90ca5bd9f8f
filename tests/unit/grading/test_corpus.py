"""The corpus that writes itself: its own soundness, and the rates that the grader must reach on its short form."""

from collections import Counter
from fractions import Fraction

import pytest

from grading import Outcome
from tests.unit.grading.corpus.composing import DRESSES, MUTATIONS, Case, cases
from tests.unit.grading.corpus.golds import BUILT_IN, FRACTION, published, value_of
from tests.unit.grading.corpus.mutations import VALUE_MUTATIONS
from tests.unit.grading.corpus.tally import Tally, tallied
from tests.unit.grading.data import published as published_data

RECALL, ACCEPTED = 0.87, 0.015
"""Least right answers accepted and most wrong ones, over all."""


def _checked(tally: Tally) -> None:
    table = "\n".join(tally.lines())
    assert tally.total.recall >= RECALL, table
    assert tally.total.wrongly <= ACCEPTED, table


def test_the_short_form_reaches_its_rates() -> None:
    _checked(tallied(cases(BUILT_IN, seed=20261122, count=1500)))


@pytest.mark.slow
def test_golds_of_published_problems_reach_them_too() -> None:
    golds = list(published(published_data("math", "problems")))
    assert len(golds) > 1000
    _checked(tallied(cases(golds, seed=20261122, count=1500)))


def test_a_seed_gives_the_same_cases_again_and_another_seed_gives_others() -> None:
    first, again, other = (list(cases(BUILT_IN, seed, 200)) for seed in (5, 5, 6))
    assert first == again
    assert len(set(map(_spelling, first)) & set(map(_spelling, other))) < 50


def test_every_dress_and_mutation_takes_part() -> None:
    made = list(cases(BUILT_IN, seed=3, count=8000))
    worn = Counter(name for case in made for name in case.dresses)
    seen = Counter(name for case in made for name in case.mutations)
    assert len(DRESSES) >= 20
    assert [dress.name for dress in DRESSES if worn[dress.name] < 5] == []
    assert [name for name in MUTATIONS if seen[name] < 5] == []
    assert sum(len(case.dresses) > 2 for case in made) > 2000
    assert sum(len(case.mutations) > 1 for case in made) > 200


def test_mutated_numbers_have_another_value() -> None:
    """Fractions, by arithmetic that knows nothing of the grader."""
    from random import Random

    rng = Random(11)
    for gold in BUILT_IN:
        value = value_of(gold.text)
        for mutation in VALUE_MUTATIONS:
            twin = mutation.make(gold, rng) if value else None
            if twin and (found := value_of(twin.text)) is not None:
                tolerance = Fraction(str(gold.options.get("rel_tol", 0))) * abs(value or Fraction(0))
                assert twin.unit != gold.unit or abs(found - (value or Fraction(0))) > tolerance, (
                    gold,
                    mutation.name,
                    twin,
                )


def test_half_the_cases_are_wrong_and_only_those_carry_a_mutation() -> None:
    made = list(cases(BUILT_IN, seed=9, count=400))
    assert sum(bool(case.mutations) for case in made) == 200
    assert all(case.pair()["expected"] is not bool(case.mutations) for case in made)


def test_the_tally_shows_the_dress_and_the_mutation_that_a_grader_fails() -> None:
    def fails_boxes_and_takes_hedges(case: Case) -> tuple[Outcome, str]:
        right = not case.mutations and "box" not in case.dresses
        return (Outcome.CORRECT if right or "hedge" in case.mutations else Outcome.INCORRECT), ""

    tally = tallied(cases(BUILT_IN, seed=2, count=3000), fails_boxes_and_takes_hedges)
    lines = list(tally.lines())
    assert lines[1].split()[0] == "box"
    assert tally.dresses["box"].recall == 0
    weakest = lines[lines.index(next(line for line in lines if line.startswith("mutation"))) + 1]
    assert weakest.split()[:1] == ["hedge"]
    assert tally.mutations["hedge"].wrongly == 1
    assert len(tally.failures) == tally.dresses["box"].right + tally.mutations["hedge"].wrong


@pytest.mark.parametrize(("text", "value"), [("-6", -6), ("3.75", Fraction(15, 4)), (r"-\frac{5}{8}", Fraction(-5, 8))])
def test_values_are_read_independently(text: str, value: Fraction) -> None:
    assert value_of(text) == value


def test_what_is_no_plain_number_has_no_value() -> None:
    assert value_of(r"\frac{1}{0}") is None
    assert value_of("x") is None
    assert FRACTION.fullmatch(r"\frac{x}{2}") is None


def _spelling(case: Case) -> str:
    return f"{case.gold.text}|{case.answer}"
