"""Variants: different answers, the same measure, every value checked."""

import random
from fractions import Fraction
from typing import Any

import pytest

from grading import Answer, grade
from packs.problem import Choice, Problem, ReferenceLine, Variation
from packs.variation import variants
from packs.variation.expressions import ExpressionError, evaluate, holds
from packs.variation.variants import VariationError, build
from protection import tardos

KEY = b"k" * 32


def problem(statement: str = "Which?", choices: tuple[str, ...] = ()) -> Problem:
    shown = tuple(Choice(label=label, text=text) for label, text in zip("ABCDEF", choices, strict=False))
    return Problem(id="p-1", split="test", type="question", subject="law", statement=statement, choices=shown)


def line(reference: dict[str, Any], answer: str | None = None, /, **variation: Any) -> ReferenceLine:
    return ReferenceLine(
        id="p-1", reference=reference, gold=answer, variation=Variation.model_validate(variation) if variation else None
    )


def test_choices_move_and_the_gold_moves_with_them() -> None:
    shown = problem(choices=("one", "two", "three", "four"))
    made = build(shown, line({"kind": "multiple_choice", "value": "B"}, "B", choices=True), KEY)
    assert made.bits == made.answer_bits == 2
    assert sorted(v.reference["value"] for v in made.variants) == ["A", "B", "C", "D"]
    for variant in made.variants:
        right = next(choice for choice in variant.choices if choice.label == variant.reference["value"])
        assert right.text == "two"
        assert variant.gold == variant.reference["value"]
        assert variant.choices != shown.choices
        assert grade(Answer(text=variant.gold), variant.reference).score == 1.0
    assert build(shown, line({"kind": "multiple_choice", "value": "B"}, "B", choices=True), KEY) == made


def test_two_choices_are_swapped_and_carry_no_mark() -> None:
    made = build(
        problem(choices=("yes", "no")),
        line({"kind": "multiple_choice", "value": "A", "choices": ["A", "B"]}, "A", choices=True),
        KEY,
    )
    assert made.bits == 0
    assert made.variants[0].gold == "B"
    assert made.variants[0].reference["choices"] == ["A", "B"]


@pytest.mark.parametrize("count", [3, 4, 5, 10])
def test_whoever_compares_copies_sees_no_choice_stay(count: int) -> None:
    """Were only the gold sure to move, four organisations together would know 70 of 100 golds of four choices."""
    labels = "ABCDEFGHIJ"[:count]
    shown = problem().model_copy(update={"choices": tuple(Choice(label=one, text=f"text {one}") for one in labels)})
    for number in range(50):
        gold = labels[number % count]
        secret = {"kind": "multiple_choice", "value": gold, "choices": list(labels)}
        made = build(shown, line(secret, gold, choices=True), bytes([number]) * 32)
        places = [{choice.text: choice.label for choice in variant.choices} for variant in made.variants]
        assert len(places) == (4 if count > 3 else 2)
        for choice in shown.choices:
            assert len({place[choice.text] for place in places}) == len(places)


def test_constants_change_the_gold() -> None:
    template = problem("A car drives {{v}} km/h for {{t}} hours. How many km? \\frac{{x}}{2}")
    made = build(
        template,
        line(
            {"kind": "exact", "value": "0"},
            "0",
            constants={"v": {"from": "40", "to": "90", "step": "10"}, "t": {"values": ["0.5", "2"]}},
            constraints=["v * t < 150"],
            gold="v * t",
        ),
        KEY,
    )
    assert made.bits == 2
    golds = {variant.gold for variant in made.variants}
    assert len(golds) == 4
    for variant in made.variants:
        numbers = [Fraction(word) for word in variant.statement.replace("?", "").split() if word[0].isdigit()]
        assert numbers[0] * numbers[1] == Fraction(str(variant.gold)) < 150
        assert variant.reference["value"] == variant.gold
        assert "\\frac{{x}}{2}" in variant.statement


def test_slots_change_wording_only() -> None:
    made = build(
        problem("{{opening}} the capital of {{who}}."),
        line({"kind": "exact", "value": "Rome"}, "Rome", slots={"opening": ["Name", "State"], "who": ["Italy"]}),
        KEY,
    )
    assert (made.bits, made.answer_bits) == (1, 0)
    assert {v.statement for v in made.variants} == {"Name the capital of Italy.", "State the capital of Italy."}


@pytest.mark.parametrize(
    ("shown", "secret", "message"),
    [
        (problem(choices=("a", "all of the above")), {"choices": True}, "order cannot change"),
        (problem("x {{a}}"), {"constants": {"a": {"from": "1", "to": "3"}}, "gold": "1/(a-2)"}, "division by zero"),
        (problem("x {{a}}"), {"constants": {"a": {"from": "1", "to": "3"}}, "constraints": ["a > 5"]}, "no values"),
        (problem("x {{a}}"), {"constants": {"a": {"from": "1", "to": "3"}}, "gold": "b"}, "is no constant"),
        (problem("x {{a}}"), {"constants": {"a": {"from": "1", "to": "999999"}}}, "can be checked"),
        (problem("x"), {"constants": {"a": {"from": "1", "to": "3"}}, "gold": "a"}, "look the same"),
        (
            problem("x {{a}}"),
            {"constants": {"a": {"from": "1", "to": "3"}}, "gold": "__import__('os')"},
            "is no constant",
        ),
    ],
)
def test_faults_say_what_is_wrong(shown: Problem, secret: dict[str, Any], message: str) -> None:
    reference = {"kind": "multiple_choice", "value": "A"} if shown.choices else {"kind": "exact", "value": "1"}
    with pytest.raises((VariationError, ExpressionError), match=message):
        build(shown, line(reference, **secret), KEY)


def test_equal_choices_after_filling_are_refused() -> None:
    shown = problem("{{a}}", choices=("{{a}}", "2", "3"))
    with pytest.raises(VariationError, match="become the same"):
        build(
            shown,
            line({"kind": "multiple_choice", "value": "A"}, constants={"a": {"values": ["2"]}}, choices=True),
            KEY,
        )


def test_numbers_are_written_as_people_do() -> None:
    written = [variants.write_number(Fraction(text)) for text in ("12", "-1/4", "1/3", "100", "2.50")]
    assert written == ["12", "-0.25", "1/3", "100", "2.5"]


def test_an_organisation_keeps_its_variant_and_organisations_differ() -> None:
    names = [f"org-{n}" for n in range(200)]
    numbers = {name: [tardos.number(KEY, name, f"p-{i}", 2) for i in range(40)] for name in names}
    assert numbers == {name: [tardos.number(KEY, name, f"p-{i}", 2) for i in range(40)] for name in names}
    assert len({tuple(row) for row in numbers.values()}) == 200
    assert {n for row in numbers.values() for n in row} == {0, 1, 2, 3}
    other = [tardos.number(b"z" * 32, "org-0", f"p-{i}", 2) for i in range(40)]
    assert other != numbers["org-0"]


def test_codewords_agree_with_the_numbers_that_are_served() -> None:
    places = [tardos.position(f"p-{i}", bit) for i in range(30) for bit in range(2)]
    table = tardos.codewords(KEY, ["x", "y"], places)
    for row, name in zip(table, ["x", "y"], strict=True):
        served = [tardos.number(KEY, name, f"p-{i}", 2) for i in range(30)]
        assert [int(row[2 * i]) + 2 * int(row[2 * i + 1]) for i in range(30)] == served


def test_expressions_are_exact_and_evaluate_nothing_else() -> None:
    values = {"a": Fraction(1, 3), "b": Fraction(6)}
    assert evaluate("2*a + b^2 - floor(max(a, b) / 4)", values) == Fraction(2, 3) + 36 - 1
    assert evaluate(r"\frac{a}{b} speed", {**values, "speed": Fraction(36)}) == 2
    assert evaluate("gcd(b, 4) * 0.1", values) == Fraction(1, 5)
    assert evaluate("3**n-3*2**n+3", {"n": Fraction(4)}) == 36
    assert evaluate("b a^-n", {**values, "n": Fraction(2)}) == 54
    assert holds("0 < a < 1 and b % 2 == 0", values)
    assert holds("b mod 4 = 2 and (b + 1) % 7 == 0", values)
    assert not holds("a > 1 or b != 6", values)
    for text in (
        "().__class__",
        "a if b else a",
        "9**9999",
        "lambda: 1",
        "'x'",
        "a.b",
        "True",
        "a +",
        "x" * 600,
        "sqrt(b)",
        "b // 4",
        "a + b % 2",
        "c",
        "1/(b - 6)",
    ):
        with pytest.raises(ExpressionError):
            evaluate(text, values)


def test_random_garbage_gives_a_value_or_an_expression_error() -> None:
    rng = random.Random(5)
    values = {"a": Fraction(2), "b": Fraction(3)}
    given: list[object] = []
    refused: list[str] = []
    for _ in range(500):
        text = "".join(rng.choice("ab12+-*/()^%, .[]\"'_=<") for _ in range(rng.randint(1, 20)))
        for read in (evaluate, holds):
            try:
                given.append(read(text, values))
            except ExpressionError as error:
                refused.append(str(error))
    assert {type(value) for value in given} == {Fraction, bool}
    assert len(given) + len(refused) == 1000
    assert all(refused)
