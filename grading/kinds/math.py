"""Mathematical answers of any shape, by meaning."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from grading.answer import Answer
from grading.equivalence.decimalcomma import with_point, writes_comma
from grading.equivalence.finding import Finding, Judgement, Rules
from grading.equivalence.relaxed import relaxed
from grading.equivalence.replies import compare_reply
from grading.equivalence.texts import Outcome, read_gold
from grading.language.askedunits import unit_asked_for
from grading.language.extract import extract, response_of
from grading.language.forms import form_problem
from grading.language.limits import LanguageError
from grading.language.names import GREEK
from grading.language.ranking.questions import asks_for_share
from grading.language.unitnames import unit_of
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Outcome as VerdictOutcome
from grading.verdict import Verdict

Gold = Annotated[str, Field(min_length=1, max_length=20_000)]
Tolerance = Annotated[float, Field(ge=0, lt=1e300)]
Shape = Literal["", "number", "set", "set of tuples", "tuple", "vector", "interval"]


_PLAIN = re.compile(r"[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\s*(?:\\times|×)\s*10\^?\{?[-−]?\d+\}?)?")
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBER = re.compile(r"(?!0\d*\.?)\d{1,3}(?:\.\d+)?")
"""A gold from 1 on: beside a question for a percentage it is one."""
FAULT = "the grader failed with"
"""How the reason begins where an answer found a fault of the grader."""


class MathOptions(Reference):
    """What the kinds of mathematical answers share.

    `rel_tol` is relative to the gold, `abs_tol` in its unit (one, or one for each member). `exact` allows no
    decimals for exact golds. `unit` is the unit a bare number is read in. `ordered` makes lists ordered.
    `decimal_comma` reads `1.234,5` as a German or French text means it, in the gold too.
    `assume` is about all symbols, `variables` names symbols with their own assumption; a name listed there is never
    the constant e or i. `form` `closed` refuses sums, integrals, limits and derivatives left to do. `constants` are
    arbitrary constants. `up_to` widens what is correct, `partial_up_to` gives half credit for the same (ARB's "nearly
    correct up to a constant").
    """

    gold_field = "value"

    value: Gold
    rel_tol: Tolerance | None = None
    abs_tol: Tolerance | tuple[Tolerance, ...] | None = None
    exact: bool = False
    unit: str = ""
    unit_policy: Literal["optional", "required"] = "optional"
    significant_figures: Annotated[int, Field(ge=1, le=30)] | None = None
    ordered: bool | None = None
    assume: Literal["", "positive", "real", "integer"] = ""
    variables: dict[str, Literal["", "positive", "real", "integer"]] = Field(default_factory=dict)
    constants: tuple[str, ...] = ()
    up_to: Literal["", "constant", "sign", "permutation", "additive"] = ""
    partial_up_to: Literal["", "constant", "sign", "permutation", "additive"] = ""
    form: Literal["", "closed", "exact", "simplified", "factored"] = ""
    decimal_comma: bool = False
    shape: Shape = ""

    @model_validator(mode="after")
    def _unit_is_known(self) -> Self:
        if self.unit_policy == "required" and not self.unit:
            raise ValueError("unit_policy 'required' needs a unit")
        return self

    def problems(self) -> list[str]:
        """What is wrong with the gold; empty when it reads."""
        try:
            read_gold(self.value, rules_of(self))
        except LanguageError as error:
            return [f"the gold cannot be read: {error}"]
        if self.unit and rules_of(self).unit is None:
            return [f"'{self.unit}' is no unit known here; answers with other units cannot be converted"]
        return []


class MathReference(MathOptions):
    """`value` is the gold as people write it; its shape is inferred unless `shape` names it."""

    kind: Literal["math"] = "math"


class NumericReference(MathOptions):
    """A number, with tolerance, significant figures and unit."""

    kind: Literal["numeric"] = "numeric"
    shape: Shape = "number"


class SymbolicReference(MathOptions):
    """An expression, an equation or an inequality in symbols."""

    kind: Literal["symbolic"] = "symbolic"


class SetReference(MathOptions):
    """A set or list of answers, without order."""

    kind: Literal["set"] = "set"
    shape: Shape = "set"


class IntervalReference(MathOptions):
    """An interval, a union of intervals, or inequalities that say the same."""

    kind: Literal["interval"] = "interval"
    shape: Shape = "interval"


@lru_cache(maxsize=512)
def _unit(text: str) -> Rules:
    try:
        return Rules(unit=unit_of(text))
    except LanguageError:
        return Rules()


@lru_cache(maxsize=256)
def _as_written(tolerance: float) -> Fraction:
    return Fraction(str(tolerance))


def rules_of(reference: MathOptions) -> Rules:
    """The comparison's rules from a reference."""
    tolerances = reference.abs_tol if isinstance(reference.abs_tol, tuple) else (reference.abs_tol,)
    known = frozenset(canonical_name(name) for name in reference.variables)
    return Rules(
        rel_tol=None if reference.rel_tol is None else _as_written(reference.rel_tol),
        abs_tol=tuple(_as_written(value) for value in tolerances if value is not None),
        exact=reference.exact,
        significant_figures=reference.significant_figures,
        unit=_unit(reference.unit).unit if reference.unit else None,
        unit_required=reference.unit_policy == "required",
        ordered=reference.ordered,
        assume=reference.assume,
        assumed={canonical_name(name): kind for name, kind in reference.variables.items()},
        variables=known,
        constants=frozenset(canonical_name(name) for name in reference.constants),
        up_to=reference.up_to,
        shape=reference.shape,
        decimal_comma=reference.decimal_comma,
    )


def canonical_name(name: str) -> str:
    """A declared name as the tree spells it: `\\varepsilon_0` is `epsilon_0`, `C_{1}` is `C_1`."""
    plain = name.replace("\\", "").replace("{", "").replace("}", "").strip()
    head, mark, index = plain.partition("_")
    return GREEK.get(head, head) + mark + index


def judge_text(answer: Answer, reference: MathOptions) -> Verdict:
    """Grade one answer under one reference. A fault of the grader itself makes the verdict unscored."""
    try:
        return _judged(answer, reference)
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        return Verdict.unscored(f"{FAULT} {type(error).__name__}")


def _judged(answer: Answer, reference: MathOptions) -> Verdict:
    rules = replace(rules_of(reference), question=answer.question)
    extraction, text = extract(answer), response_of(answer)
    gold = reference.value if rules.shape else with_point(reference.value, text, answer.question)
    outcome = compare_reply(gold, extraction, text, rules, reference.unit)
    if not rules.decimal_comma and (gold != reference.value or writes_comma(answer.question, gold, text)):
        # Both readings are compared whatever the first one gave: right and wrong take the same work.
        abroad = compare_reply(gold, extraction, text, replace(rules, decimal_comma=True), reference.unit)
        outcome = abroad if abroad.finding.equal and not outcome.finding.equal else outcome
    asked = "" if reference.unit or not _is_number(gold) else unit_asked_for(answer.question)
    # Both readings are compared whatever the first one gave: right and wrong take the same work.
    if asked:
        measured = compare_reply(gold, extraction, text, replace(rules, unit=unit_of(asked)), asked)
        outcome = _in_unit(outcome, measured, answer.question)
    elif not reference.unit and _NUMBER.fullmatch(gold.strip()) and asks_for_share(answer.question):
        shares = replace(rules, unit=unit_of("%"))
        share = compare_reply(gold, extraction, text, shares, "%")
        outcome = share if share.finding.equal and not outcome.finding.equal else outcome
    verdict = _verdict(outcome)
    if verdict.score == 1:
        problem = form_problem(outcome.given, reference.form) if reference.form else None
        return Verdict.incorrect(problem, given=outcome.given[:500]) if problem else verdict
    if verdict.outcome is VerdictOutcome.UNPARSEABLE:
        return verdict
    return _relaxed(outcome, reference, rules) or verdict


def _is_number(gold: str) -> bool:
    return _PLAIN.fullmatch(gold.strip().strip("$")) is not None


def _in_unit(outcome: Outcome, measured: Outcome, question: str) -> Outcome:
    """What a bare number is beside the unit that the question asks for, where the answer can be read so.

    `105 hours` is no answer to "how many minutes?". `1 h 45 min` is one, but not what the question gives, said again.
    """
    if measured.finding.judgement not in (Judgement.EQUAL, Judgement.DIFFERENT):
        return outcome
    converted = measured.finding.equal and not outcome.finding.equal
    given = set(_FIGURES.findall(question)) if converted else set()
    return outcome if given & set(_FIGURES.findall(measured.given)) else measured


def _verdict(outcome: Outcome) -> Verdict:
    finding: Finding = outcome.finding
    detail = {"given": outcome.given[:500], "rule": outcome.rule}
    if finding.judgement is Judgement.EQUAL:
        return Verdict.correct(finding.reason, **detail)
    if not outcome.readable or finding.judgement is Judgement.UNREADABLE:
        return Verdict.unparseable(finding.reason, **detail)
    if finding.judgement is Judgement.DIFFERENT:
        return Verdict.incorrect(finding.reason, **detail)
    return Verdict.unscored(finding.reason, **detail)


def _relaxed(outcome: Outcome, reference: MathOptions, rules: Rules) -> Verdict | None:
    for how, credit in ((reference.up_to, 1.0), (reference.partial_up_to, 0.5)):
        if how and outcome.given and relaxed(reference.value, outcome.given, how, rules):
            return Verdict.graded(credit, f"equal up to {how}", given=outcome.given[:500], rule=outcome.rule)
    return None


@grader(MathReference, version="20")
@grader(NumericReference, version="19")
@grader(SymbolicReference, version="19")
@grader(SetReference, version="19")
@grader(IntervalReference, version="19")
def math(answer: Answer, reference: MathOptions, tools: Tools) -> Verdict:
    """Correct when the answer means the gold; unscored where the evidence is not enough."""
    del tools
    return judge_text(answer, reference)
