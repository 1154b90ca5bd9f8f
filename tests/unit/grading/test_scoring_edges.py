"""Rubrics and votes, rows and conditions at their edges."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, JsonValue, ValidationError

from grading import Answer, Evidence, Verdict, grade, parse_reference
from grading.judging.rubrics import Rubric, RubricError, check_credits, tally
from grading.judging.votes import majority, occurs, poll
from grading.matching.pairing import pair
from grading.state.conditions import Condition, as_number, row_meets
from grading.state.rows import Change, Row, StateEvidence, changes
from grading.tools import JudgeReply, JudgeRequest, JudgeUnavailableError

near: Callable[..., Any] = pytest.approx


def criterion(name: str, points: float, **more: Any) -> dict[str, Any]:
    return {"id": name, "text": f"does {name}", "points": points, **more}


def rubric(*criteria: dict[str, Any], total: float = 10) -> Rubric:
    return Rubric.model_validate({"total": total, "criteria": criteria})


def test_the_order_of_criteria_follows_their_requirements() -> None:
    steps = rubric(
        criterion("c", 2, requires=["b", "way"]),
        criterion("b", 3, requires=["a"]),
        criterion("a", 1),
        criterion("w", 4, alternative="way"),
        criterion("v", 4, alternative="way", requires=["a"]),
    )
    assert [one.id for one in steps.order()] == ["a", "w", "b", "v", "c"]
    done = tally(steps, {"a": 1, "b": 1, "c": 1, "w": 0, "v": 1})
    assert (done.points, done.total, done.score) == (10, 10, 1)
    assert done.by_criterion == {"a": 1, "w": 0, "b": 3, "v": 4, "c": 2}
    lost = tally(steps, {"a": 0, "b": 1, "c": 1, "w": 1, "v": 1})
    assert (lost.points, lost.withheld) == (4, {"b": "requires a", "v": "requires a", "c": "requires b"})
    assert tally(steps, {"a": 0, "b": 0, "c": 0, "w": 0, "v": 0}).withheld == {}


def test_rubrics_refuse_with_their_reason() -> None:
    for criteria, message in (
        ([criterion("a", 4), criterion("b", 5.5)], "the points sum to 9.5, the stated total is 10"),
        ([criterion("a", 5), criterion("a", 5)], "ids of criteria and groups of alternatives must all differ"),
        (
            [criterion("a", 5), criterion("b", 5, alternative="a")],
            "ids of criteria and groups of alternatives must all differ",
        ),
        ([criterion("a", 10, requires=["z", "y"])], "criterion 'a' requires unknown criteria: y, z"),
        (
            [criterion("a", 5, requires=["b"]), criterion("b", 5, requires=["a"])],
            "criteria require each other in a circle: a, b",
        ),
        ([criterion("c", 0.5), criterion("a", 9.5, requires=["a"])], "criteria require each other in a circle: a"),
    ):
        with pytest.raises(ValidationError) as refused:
            rubric(*criteria)
        assert f"Value error, {message} [type" in str(refused.value)
    plain = rubric(criterion("a", 4), criterion("b", 6, half="nearly"))
    for credits, message in (
        ({}, "no credit for: a, b"),
        ({"a": 1, "b": 1, "d": 1, "c": 0}, "not in the rubric: c, d"),
        ({"a": 0.5, "b": 1}, "credit 0.5 for 'a' is none of 0, 1"),
        ({"a": 1, "b": 0.3}, "credit 0.3 for 'b' is none of 0, 0.5, 1"),
    ):
        with pytest.raises(RubricError) as unfit:
            check_credits(plain, credits)
        assert str(unfit.value) == message
    assert tally(plain, {"a": 0, "b": 0.5}).score == 0.3


def test_alternatives_keep_the_best() -> None:
    ways = rubric(
        criterion("a", 4, alternative="x"),
        criterion("b", 10, alternative="x", half="some"),
        criterion("c", 6, alternative="x"),
        total=10,
    )
    for credits, kept, withheld in (
        ((1, 0.5, 1), "c", {"a": "the alternative b counts instead", "b": "the alternative c counts instead"}),
        ((1, 0, 0), "a", {}),
        ((0, 1, 0), "b", {}),
        ((1, 1, 0), "b", {"a": "the alternative b counts instead"}),
        ((0, 0.5, 1), "c", {"b": "the alternative c counts instead"}),
        ((1, 0, 1), "c", {"a": "the alternative c counts instead"}),
    ):
        found = tally(ways, dict(zip("abc", credits, strict=True)))
        assert ([name for name, points in found.by_criterion.items() if points], found.withheld) == ([kept], withheld)
        assert found.points == found.by_criterion[kept]


def test_majorities_and_quotations() -> None:
    assert [majority(votes) for votes in ("aab", "ab", "", "aabb", "abc", "aaabb")] == [
        "a",
        None,
        None,
        None,
        None,
        "a",
    ]
    answer = "The “base” case n = 1   is\nclear; so is the STEP."
    for quotation, there in (
        ('the "base" case', True),
        ("'n = 1 is clear'", True),
        ("is clear; so is the step", True),
        ("the stepp", False),
        ("clear", False),
        ("base case", False),
        ("so is th", True),
        ("o is th", False),
        ("", False),
        ("  ", False),
    ):
        assert occurs(quotation, answer) is there, quotation
    assert occurs("42", " '42' ")
    assert occurs('"42"', "42")
    assert not occurs("42", "it is 42")


class Yes(BaseModel):
    yes: bool


class Script:
    """Replies one after the other."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)

    def ask(self, request: JudgeRequest) -> JudgeReply:
        reply = self.replies.pop(0)
        if reply is None:
            raise JudgeUnavailableError("rate limited")
        return JudgeReply(data=reply, model="m", digest="0" * 64)


def test_polls_end_with_the_first_failure() -> None:
    asked = [JudgeRequest(purpose="p", system="s", user="u", reply_schema={}, seed=seed) for seed in range(3)]
    heard = poll(Script({"yes": True}, {"yes": False}, {"yes": True}), asked, Yes)
    assert not isinstance(heard, Verdict)
    assert [one.data for one in heard] == [{"yes": True}, {"yes": False}, {"yes": True}]
    failed = poll(Script({"yes": True}, None), asked, Yes)
    assert isinstance(failed, Verdict)
    assert failed.score is None
    assert poll(None, [], Yes) == []
    assert isinstance(poll(None, asked, Yes), Verdict)


@pytest.mark.parametrize(
    ("condition", "met", "unmet"),
    [
        ({"equals": [1, "a", None]}, [1, "1", 1.0, "a", None, True], ["A", 2, False, ""]),
        ({"text": "Jan 30"}, ["jan  30.", "JAN 30"], ["jan 31", 30, None]),
        ({"text": "!"}, ["!", " ! "], ["?", "!!", ""]),
        ({"holds": ["a b", "5"]}, ["5 a b", "x a b 5.0"], ["a b", "b a 5", 5]),
        ({"holds": []}, ["", "x"], [5]),
        ({"pattern": "a.b"}, ["a\nb", "axb"], ["axbc", "xaxb", None]),
        ({"number": 2.5, "tolerance": 0.5}, [2, 3, "3.0", "+2e0"], [1.99, 3.01, True, "two", None]),
        ({"number": 2}, [2, "2.0"], [2.001]),
        ({"present": True}, [0, "x", False], [None, ""]),
        ({"present": False}, [None, ""], [0, "x", False]),
    ],
)
def test_conditions(condition: dict[str, Any], met: list[Any], unmet: list[Any]) -> None:
    one = Condition.model_validate(condition)
    assert [one.met(value) for value in met] == [True] * len(met)
    assert [one.met(value) for value in unmet] == [False] * len(unmet)


def test_numbers_and_rows() -> None:
    assert all(as_number(value) is not None for value in (5, "5", "-5.5e3", "1E-5", 2.5, "1" * 60))
    others: list[JsonValue] = [True, None, [], "5 ", "x", "1e1000"]
    assert [as_number(value) for value in others] == [None] * len(others)
    assert as_number("1" * 61) is None
    assert [row_meets(None, {}), row_meets(None, {"a": 1}), row_meets({}, {}), row_meets({}, {"a": None})] == [
        True,
        False,
        True,
        False,
    ]
    assert row_meets({"a": 1, "b": 2}, {"a": 1, "b": "2"})
    assert not row_meets({"a": 1, "b": 2}, {"a": 1, "b": 3})
    for bad in ({}, {"text": "a", "present": True}, {"equals": [], "number": 1}):
        with pytest.raises(ValidationError, match="exactly one of equals, text, holds, pattern, number, present"):
            Condition.model_validate(bad)


def test_a_pattern_that_is_none_is_refused_with_its_place() -> None:
    with pytest.raises(ValidationError, match=r"'a\(' is no regular expression: missing \), .* at position 1"):
        Condition.model_validate({"pattern": "a("})
    check = {"compare": "regex", "right": {"source": "text", "text": "["}}
    with pytest.raises(ValidationError, match=r"'\[' is no regular expression: unterminated character set"):
        parse_reference({"kind": "commands", "checks": [check]})


def found(**tables: Any) -> list[Change]:
    return changes(StateEvidence.model_validate({"tables": tables}))


def test_changes_in_order() -> None:
    one: Row = {"id": 1, "v": 1}
    two: Row = {"id": 2, "v": 1}
    three: Row = {"id": 3, "v": 1}
    keyed = found(t={"key": ["id"], "before": [one, two], "after": [{**two, "v": 2}, three]})
    assert keyed == [Change("t", one, None), Change("t", None, three), Change("t", two, {**two, "v": 2})]
    assert [change.kind for change in keyed] == ["delete", "insert", "update"]
    assert [sorted(change.columns()) for change in keyed] == [[], [], ["v"]]
    assert Change("t", {"a": 1, "b": 1}, {"a": 1, "c": 1}).columns() == {"b", "c"}
    difference = {
        "inserted": [one],
        "deleted": [two],
        "updated": [{"before": one, "after": one}, {"before": one, "after": three}],
    }
    assert found(b=difference, a={"inserted": [two]}) == [
        Change("a", None, two),
        Change("b", None, one),
        Change("b", two, None),
        Change("b", one, three),
    ]
    pairs = found(
        t={"key": ["a", "b"], "before": [{"a": 1, "b": [1]}], "after": [{"a": 1, "b": [2]}, {"a": 1, "b": [1]}]}
    )
    assert pairs == [Change("t", None, {"a": 1, "b": [2]})]
    nested: Row = {"a": {"x": 1, "y": [2]}}
    assert found(t={"before": [nested, nested], "after": [{"a": {"y": [2], "x": 1}}]}) == [Change("t", nested, None)]
    assert found(t={"before": [{"a": True}], "after": [{"a": 1}]}) == [
        Change("t", {"a": True}, None),
        Change("t", None, {"a": 1}),
    ]
    assert found(t={"before": [{"a": [True]}, {"a": [1]}], "after": [{"a": [1]}, {"a": [True]}]}) == []


def test_keys_that_do_not_tell_rows_apart() -> None:
    with pytest.raises(ValueError, match="tell") as refused:
        found(cart={"key": ["a", "b"], "before": [{"a": 1}, {"a": 1}], "after": []})
    assert str(refused.value) == "the key a, b of table 'cart' does not tell its rows apart"
    mixtures: list[dict[str, list[Row]]] = [
        {"before": []},
        {"after": []},
        {"before": [], "after": [], "inserted": [{}]},
        {"before": [], "after": [], "deleted": [{}]},
    ]
    for bad in mixtures:
        with pytest.raises(ValidationError, match="give both 'before' and 'after', or the difference, not a mixture"):
            found(t=bad)


def judged(after: list[Any], *expected: dict[str, Any], before: Any = (), **more: Any) -> tuple[float | None, str, Any]:
    tables = {"cart": {"key": ["id"], "before": list(before), "after": after}}
    answer = Answer(evidence=(Evidence(name="state", value={"tables": tables}),))
    verdict = grade(answer, {"kind": "state_change", "expected": list(expected), **more})
    return verdict.score, verdict.reason, verdict.detail


def test_state_changes_with_their_reasons() -> None:
    lamp, vase = {"id": 1, "n": "lamp"}, {"id": 2, "n": "vase"}
    came = {"table": "cart", "change": "insert", "values": {"n": "lamp"}}
    assert judged([lamp], came) == (1, "all expected changes and no others", {})
    assert judged([]) == (1, "nothing changed, as it should", {})
    assert judged([], came) == (0, "1 of 1 expected changes are missing", {})
    assert judged([lamp], {**came, "count": 3}, partial=True) == (
        near(1 / 3),
        "2 of 3 expected changes are missing",
        {},
    )
    stray = {"unexpected": ["delete in cart", "insert in cart"]}
    assert judged([lamp, vase], before=[{"id": 3, "n": "x"}]) == (0, "3 change(s) that should not be", stray)
    assert judged([lamp], {**came, "table": "log"})[0] == 0
    gone = {"table": "cart", "change": "delete", "where": {"n": "lamp"}}
    assert judged([], gone, before=[lamp])[0] == 1
    assert judged([{**lamp, "n": "x"}], gone, before=[lamp])[0] == 0


@pytest.mark.parametrize(
    ("rule", "allowed"),
    [
        ({"table": "cart"}, True),
        ({"table": "log"}, False),
        ({"table": "cart", "change": "update"}, True),
        ({"table": "cart", "change": "delete"}, False),
        ({"table": "cart", "columns": ["n"]}, True),
        ({"table": "cart", "columns": ["m"]}, False),
        ({"table": "cart", "where": {"n": "old"}}, True),
        ({"table": "cart", "where": {"n": "new"}}, False),
        ({"table": "cart", "columns": ["m", "n"]}, True),
    ],
)
def test_allowed_changes(rule: dict[str, Any], allowed: bool) -> None:
    rules = [{"table": "other"}, {"table": "cart", "change": "insert"}, {"table": "cart", "where": {"id": 9}}, rule]
    assert judged([{"id": 1, "n": "new"}], before=[{"id": 1, "n": "old"}], allowed=rules)[0] == float(allowed)
    came = judged([{"id": 1, "n": "new"}], allowed=[{"table": "cart", "where": {"n": "new"}, "columns": ["z"]}])
    assert came[0] == 1


def test_pairs_are_as_many_as_can_be() -> None:
    fits = {(0, 0), (0, 1), (1, 0), (2, 1), (2, 2)}
    assert pair([0, 1, 2], [0, 1, 2], lambda a, b: (a, b) in fits) == {0: 1, 1: 0, 2: 2}
    assert pair([0, 1], [0], lambda a, b: (a, b) in fits) == {0: 0}
    assert pair([1, 0], [0, 1], lambda a, b: (a, b) in fits) == {0: 0, 1: 1}
    assert pair([], [0], lambda a, b: True) == pair([0], [], lambda a, b: True) == {}
