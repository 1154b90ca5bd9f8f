"""`purchase`: WebShop's reward, part by part, and what is decided where its model of English is not at hand."""

from typing import Any

import pytest
from pydantic import JsonValue, ValidationError

from grading import Answer, Outcome, grade, parse_reference
from grading.answer import Evidence
from grading.matching.colours import COLOURS, first_colour
from grading.matching.nouns import nouns
from grading.verdict import Verdict

PRODUCT: dict[str, JsonValue] = {
    "asin": "B0",
    "name": "Kelva Linen Summer Dress",
    "query": "dresses",
    "category": "Clothing › Women › Dresses",
    "attributes": ["machine washable", "short sleeves"],
    "bullets": ["Made to last", "Hidden POCKETS at the side"],
    "description": "A light dress.",
    "price": 39.5,
    "options": {"color": "dark red", "size": "x-large"},
}
GOAL: dict[str, Any] = {
    "kind": "purchase",
    "name": "Kelva Linen Summer Dress",
    "query": "dresses",
    "category": "Clothing › Women › Dresses",
    "attributes": ["machine washable", "hidden pockets"],
    "options": ["dark red", "x-large"],
    "price_upper": 50.0,
}


def graded(product: JsonValue, **goal: Any) -> Verdict:
    evidence = Evidence(name="purchase", value={"product": product})
    return grade(Answer(evidence=(evidence,)), parse_reference(GOAL | goal))


def score(goal: dict[str, Any], **product: JsonValue) -> float | None:
    return graded(PRODUCT | product, **goal).score


def test_everything_met_is_right_and_nothing_bought_is_wrong() -> None:
    assert graded(PRODUCT).outcome is Outcome.CORRECT
    verdict = graded(None)
    assert (verdict.outcome, verdict.reason) == (Outcome.INCORRECT, "nothing was bought")
    assert graded({"name": "x"}).outcome is Outcome.UNSCORED
    assert grade(Answer(), parse_reference(GOAL)).outcome is Outcome.UNSCORED


@pytest.mark.parametrize(
    ("goal", "product", "expected"),
    [
        ({}, {"price": 50.0}, 1),
        ({}, {"price": 50.01}, 4 / 5),
        ({"price_upper": 0}, {"price": 9999}, 1),
        ({}, {"attributes": []}, 4 / 5),
        ({}, {"attributes": ["machine wash"], "bullets": []}, 4 / 5),
        ({"attributes": ["light dress"]}, {}, 1),
        ({"attributes": ["Light Dress"]}, {}, 3 / 4),
        ({}, {"options": {}}, 3 / 5),
        # As published: the first colour word counts, in whichever option, and the same words but for few letters.
        ({"options": ["darkest night"]}, {"options": {"color": "dark red"}}, 1),
        ({"options": ["red"]}, {"options": {"material": "layered"}}, 1),
        ({"options": ["large"]}, {"options": {"size": "x-large"}}, 1),
        ({"options": ["x-large"]}, {"options": {"size": "xx-large"}}, 1),
        ({"options": ["x-large"]}, {"options": {"size": "small"}}, 3 / 4),
        ({"options": ["large"], "option_match": "exact"}, {"options": {"size": "x-large"}}, 3 / 4),
        ({"options": ["X-Large "], "option_match": "exact"}, {"options": {"size": "x-large"}}, 1),
        ({"options": ["red"], "option_match": "exact"}, {"options": {"size": "dark red"}}, 3 / 4),
    ],
)
def test_parts_count_alike(goal: dict[str, Any], product: dict[str, JsonValue], expected: float) -> None:
    assert score(goal, **product) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("product", "factor"),
    [
        ({"query": "other", "category": "x"}, 1),
        ({"query": "other", "category": "x", "name": "Kelva"}, 1),
        ({"query": "dresses", "category": "x", "name": "Dress"}, 1),
        ({"name": "Lamp"}, 0),
        ({"name": "Lamp", "query": "dresses"}, 0),
    ],
)
def test_the_sort_of_thing_is_a_factor(product: dict[str, JsonValue], factor: float) -> None:
    assert score({}, **product) == pytest.approx(factor)


def test_a_title_with_little_in_common_counts_half_unless_sort_or_category_agree() -> None:
    long = {"name": "Alpha Beta Gamma Delta Epsilon Dress"}  # one of six nouns is 0.17
    assert score(long, name="Dress", query="other", category="x") == pytest.approx(0.5)
    assert score(long, name="Dress", query="dresses", category="x") == 1
    assert score(long, name="Dress", query="other", category="Women › Dresses") == 1
    longer = {"name": " ".join(f"Word{chr(65 + number)}" for number in range(11)) + " Dress"}
    assert score(longer, name="Dress") == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("2-Pack of Men's Washable Cotton Socks (size 10)", ["pack", "men's", "cotton", "socks", "size"]),
        ("Speed Reader with Vegetable Hundred", ["speed", "reader", "vegetable", "hundred"]),
        ("100% for the best 4 K", []),
        ("", []),
    ],
)
def test_what_names_no_thing_is_left_out(title: str, found: list[str]) -> None:
    assert nouns(title) == found


def test_a_goal_whose_title_names_nothing_is_met_by_sort_and_category() -> None:
    assert score({"name": "100"}, name="Lamp") == 1
    assert score({"name": "100"}, name="Lamp", query="x", category="x") == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("value", "colour"),
    [("black forest", "black"), ("violet lavender", "lavender"), ("123alabaster", "alabaster"), ("shop", "shop")],
)
def test_the_first_colour_of_the_list_counts(value: str, colour: str) -> None:
    assert first_colour(value) == colour
    assert list(COLOURS) == sorted(COLOURS)


@pytest.mark.parametrize("wrong", [{"attributes": []}, {"price_upper": -1}, {"price_upper": float("nan")}, {"x": 1}])
def test_a_reference_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        parse_reference(GOAL | wrong)


def test_evidence_without_a_price_is_no_evidence() -> None:
    assert graded(PRODUCT | {"price": float("inf")}).outcome is Outcome.UNSCORED
