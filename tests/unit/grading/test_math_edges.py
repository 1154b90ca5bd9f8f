"""The mathematics grader at its edges: its rules, problems of a gold, and what a verdict tells."""

from typing import Any

import pytest

from grading import Answer, Verdict, grade, parse_reference
from grading.kinds.math import MathOptions, canonical_name, rules_of


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("x", "x"),
        (r"\varepsilon_0", "epsilon_0"),
        ("C_{1}", "C_1"),
        (" a ", "a"),
        (r"\alpha", "alpha"),
        ("x_y_z", "x_y_z"),
        (r"\varepsilon_0_1", "epsilon_0_1"),
    ],
)
def test_names_of_variables(name: str, canonical: str) -> None:
    assert canonical_name(name) == canonical


def test_the_rules_of_a_reference() -> None:
    full = {
        "kind": "math",
        "value": "2",
        "rel_tol": 0.1,
        "abs_tol": [0.5, 0.25],
        "exact": True,
        "unit": "m",
        "unit_policy": "required",
        "significant_figures": 3,
        "ordered": True,
        "assume": "real",
        "variables": {r"\mu": "positive"},
        "constants": ["C_{1}"],
        "up_to": "sign",
        "shape": "number",
        "decimal_comma": True,
    }
    reference = parse_reference(full)
    assert isinstance(reference, MathOptions)
    rules = rules_of(reference)
    assert (str(rules.rel_tol), list(map(str, rules.abs_tol))) == ("1/10", ["1/2", "1/4"])
    assert (rules.exact, rules.significant_figures, rules.unit_required, rules.ordered) == (True, 3, True, True)
    assert (rules.assume, rules.assumed, rules.variables) == ("real", {"mu": "positive"}, frozenset({"mu"}))
    assert (rules.constants, rules.up_to, rules.shape, rules.decimal_comma) == (
        frozenset({"C_1"}),
        "sign",
        "number",
        True,
    )
    assert rules.unit is not None
    bare = parse_reference({"kind": "math", "value": "2", "abs_tol": 0.5})
    assert isinstance(bare, MathOptions)
    plain = rules_of(bare)
    assert (plain.rel_tol, list(map(str, plain.abs_tol)), plain.unit, plain.unit_required) == (
        None,
        ["1/2"],
        None,
        False,
    )


def test_problems_of_a_gold() -> None:
    def found(**more: Any) -> list[str]:
        reference = parse_reference({"kind": "math", **more})
        assert isinstance(reference, MathOptions)
        return reference.problems()

    assert found(value="2", unit="m") == found(value="2") == []
    assert found(value="2", unit="blorps") == [
        "'blorps' is no unit known here; answers with other units cannot be converted"
    ]
    assert found(value=r"\frac{1}{")[0].startswith("the gold cannot be read: ")


def math(gold: str, given: str | None, **more: Any) -> Verdict:
    return grade(Answer(text=given), {"kind": "math", "value": gold, **more})


def test_mathematical_verdicts() -> None:
    assert math("3x", "5x", partial_up_to="constant").reason == "equal up to constant"
    assert math("3x", "5x", partial_up_to="constant").detail == {"given": "5x", "rule": "whole"}
    assert (math("3x", "5x", up_to="constant").score, math("3x", "-3x", up_to="sign").reason) == (1, "equal up to sign")
    assert math("3x", "5x", up_to="constant", partial_up_to="sign").score == 1
    assert math("3", None).outcome.value == "unparseable"
    assert math("3", "4").detail == {"given": "4", "rule": "whole"}
    assert math("3", "3").detail == {"given": "3", "rule": "whole"}
    assert math("1/2", "0.5", form="exact").detail == {"given": "0.5"}
    assert math("1/2", "0.5", form="exact").score == 0
    assert len(str(math("3", "4" + "+12" * 200).detail["given"])) == 500
