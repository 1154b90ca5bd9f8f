"""Form fields at their edges: what each is worth as published and corrected."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from grading.forms import corrected, published
from grading.forms.fields import FormField, number, plain_number

near: Callable[..., Any] = pytest.approx


def field(kind: str, *gold: str, **more: Any) -> FormField:
    return FormField.model_validate({"name": "f", "type": kind, "gold": gold, **more})


@pytest.mark.parametrize(
    ("kind", "gold", "given", "as_published", "as_corrected"),
    [
        ("radio", ["Yes!"], "yes", 1, 0),
        ("radio", ["a", "b", "b"], "b", 1, 1),
        ("radio", ["a", "b", "b"], "a", 0, 0),
        ("select", ["a  b"], "A B", 1, 1),
        ("select", ["3"], "3.0", 1, 1),
        ("radio", ["", ""], "", 1, 1),
        ("radio", ["", ""], "x", 0, 0),
        ("radio", [""], "", 1, 1),
        ("radio", [""], "x", 0, 0),
        ("radio", [], "", 1, 1),
        ("radio", [], "x", 0, 0),
        ("checkbox", [], (), 1, 1),
        ("checkbox", ["a|b", "b|c"], ("b", "c"), 1, 1),
        ("checkbox", ["a|b", "b"], ("a",), 0, 0),
        ("checkbox", ["a", "a", "a|b"], ("a", "c"), 0, 0.5),
        ("checkbox", ["A|b"], ("A", "B"), 1, 1),
        ("checkbox", ["2|1.0"], "2.0|1", 1, 1),
        ("checkbox", ["2.0|x"], ("x", "2.0"), 1, 1),
        ("checkbox", ["", "", "a"], (), 1, 1),
        ("textarea", ["one two three four"], "one two", 2 / 3, 2 / 3),
        ("text", ["one two"], "one", 2 / 3, 0),
        ("text", ["one two three", "x y z"], "x y z", 1, 1),
        ("text", ["one two three"], "One, two THREE", 1, 1),
        ("text", [""], "x", 0, 0),
        ("text", [""], "", 1, 1),
        ("hidden", ["", "a b c"], "a b c", 1, 1),
        ("text", ["one & two or three", "x"], "x", 1, 1),
        ("text", ["5 &amp; 6"], "5 & 6", 1, 1),
        ("text", ["-2"], "2", 1, 0),
        ("range", ["10", "20", "60"], "20", 1 - (10 + 0 + 40) / 3 / 60, 1),
        ("range", ["10", "20", "60"], "45", 1 - (35 + 25 + 15) / 3 / 60, 0.5),
        ("range", ["10", "20"], "80", 1 - 65 / 80, 0),
        ("range", ["x", "20"], "20", 0.5, 1),
        ("range", ["x", "x"], "X", 1, 1),
        ("range", ["x", "20"], "x", 0.5, 1),
        ("range", ["20"], "x", 0, 0),
        ("range", ["-40"], "40", 1 - 80 / 40, 0),
        ("range", ["0"], "0.5", 0, 0),
    ],
)
def test_fields(kind: str, gold: list[str], given: Any, as_published: float, as_corrected: float) -> None:
    assert published.score_field(field(kind, *gold), given) == near(as_published)
    assert corrected.score_field(field(kind, *gold), given) == near(as_corrected)


def test_ranges_with_bounds() -> None:
    known = field("range", "20", "40", low=-10, high=90)
    assert [corrected.score_field(known, text) for text in ("30", "40", "80", "130", "-90")] == near(
        [1, 0.9, 0.5, 0, 0]
    )
    for low, high in ((5, None), (None, 5), (5, 5), (6, 5), (0, 0), (0, -1)):
        with pytest.raises(ValidationError, match="field 'f': give both 'low' and 'high' with low < high, or neither"):
            field("range", "1", low=low, high=high)
    assert field("range", "1", low=-5, high=0).high == 0


def test_shapes_of_values() -> None:
    assert plain_number("0" * 39 + "5") == "5"
    assert plain_number("0" * 40 + "5") == "0" * 40 + "5"
    assert [plain_number(text) for text in ("+5.50", "1e400", "-.5", "5.", ".", "1e-1", " 5 x")] == [
        "5.5",
        "1e400",
        "-0.5",
        "5",
        ".",
        "0.1",
        " 5 x",
    ]
    assert [number(text) for text in ("5", "x", "nan", "inf", "-1.5")] == [5.0, None, None, None, -1.5]
    box = field("checkbox", " nan ", "{}", "'{}'", "2.0|b", "10|9")
    assert (box.golds(), box.filled()) == (("", "", "", "2|b", "10|9"), ("2|b", "10|9"))
    assert [box.as_text(value) for value in ("5.0", ("b", "5.0", "a"), (), "b|a|1.0")] == ["5", "5|a|b", "", "1|a|b"]
    assert field("text", "x").as_text("b|a") == "b|a"
    assert [field(kind, "x").free_text for kind in ("text", "textarea", "hidden", "radio", "number")] == [True] * 3 + [
        False
    ] * 2


@pytest.mark.parametrize(
    ("one", "counted", "needed"),
    [
        (field("radio", "a"), True, True),
        (field("radio", "a", visible=False), False, True),
        (field("hidden", "a"), False, True),
        (field("text", ""), False, False),
        (field("radio", ""), True, False),
        (field("radio", "a", ""), True, False),
        (field("radio", "a", "a", ""), True, True),
        (field("text", "a", required=False), True, False),
        (field("text", "", required=True), False, True),
    ],
)
def test_which_fields_count(one: FormField, counted: bool, needed: bool) -> None:
    assert (published.counts(one), corrected.required(one)) == (counted, needed)


def test_forms_are_means_over_their_fields() -> None:
    fields = (
        field("radio", "x", name="a"),
        field("range", "10", "10", name="b"),
        field("text", "", name="c"),
        field("text", "some long text", name="d", visible=False),
    )
    given = {"a": "x", "b": "5", "d": "some long words"}
    assert published.score_form(fields, given) == (1.0, {"a": 1.0, "b": 0.5})
    assert published.score_form(fields, {"a": "y"}) == (0.5, {"a": 0.0, "b": 0.0})
    score, scores = corrected.score_form(fields, given)
    assert (score, scores) == (near((1 + 0 + 2 / 3) / 3), {"a": 1.0, "b": 0.0, "d": near(2 / 3)})
    assert corrected.score_form(fields[2:3], {}) == published.score_form(fields[2:3], {}) == (0.0, {})
    with pytest.raises(published.UnsupportedFieldError) as refused:
        published.score_form((field("email", "a@b.test"),), {})
    assert str(refused.value) == "the published scoring has no rule for a field of type 'email'"
    scales = [
        corrected.normalise(*pair)
        for pair in ((0.75, 0.5), (0.25, 0.5), (1, 0.5), (0.4, 1), (0.3, 0), (0.9, 1 - 1e-10))
    ]
    assert scales == near([0.5, 0, 1, 0.4, 0.3, 0.9])


@pytest.mark.parametrize(
    ("one", "best"),
    [
        (field("checkbox", "a|b", "b|c", "b|a"), ("a", "b")),
        (field("checkbox", "a", "b"), ()),
        (field("radio", ""), ""),
        (field("range", "10", "40", "20"), "20.0"),
        (field("range", "x"), "x"),
        (field("text", "", "b", "c"), "b"),
        (field("radio", "a", "b", "b"), "b"),
        (field("number", "5", "6", "6.0"), "6"),
        (field("checkbox", "b|a"), ("a", "b")),
    ],
)
def test_the_consensus(one: FormField, best: Any) -> None:
    assert corrected.consensus(one) == best


def test_agreement_is_each_against_the_rest() -> None:
    # a against (a, b): half of a tie, right; a against (a, b) again; b against (a, a): wrong.
    assert corrected.agreement(field("radio", "a", "a", "b")) == near(2 / 3)
    assert corrected.agreement(field("checkbox", "a|b", "a", "a")) == near((0.5 + 1 + 1) / 3)
    assert corrected.agreement(field("radio", "a")) is None
    assert corrected.agreement(field("radio", "a", "b")) == 0
