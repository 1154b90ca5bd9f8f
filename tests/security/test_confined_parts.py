"""Formulas inside references that need a tool: graded in a process that can be killed, never in the worker's own."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from api.worker.graders import RoutedGraders
from grading import Answer, Outcome, Tools, Verdict
from grading.kinds import math
from grading.pool import GradingPool, Limits
from grading.tools import JudgeReply, JudgeRequest, JudgeUnavailableError, RunResult
from tests.support.json_values import ROWS

HEAVY = r"\sum_{k=1}^{2000}\frac{1}{k^2+x}"
PROGRAM: dict[str, Any] = {"kind": "code_tests", "cases": [{"stdout": "4"}]}


class Runner:
    def run(self, files: dict[str, str], argv: list[str], stdin: str, seconds: float) -> RunResult:
        del files, argv, stdin, seconds
        return RunResult(exit_code=0, stdout="4", stderr="")


class Judge:
    asked = 0

    def ask(self, request: JudgeRequest) -> JudgeReply:
        self.asked += 1
        raise JudgeUnavailableError(request.purpose)


def both(value: str, rule: str = "weighted") -> dict[str, Any]:
    formula = {"reference": {"kind": "math", "value": value}, "field": "formula"}
    nested = {"reference": {"kind": "composite", "rule": "all", "parts": [formula]}}
    return {"kind": "composite", "rule": rule, "parts": [{"reference": PROGRAM, "field": "program"}, nested]}


def answer(formula: str) -> Answer:
    return Answer(data={"program": "print(4)", "formula": formula})


@pytest.fixture
async def graders(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RoutedGraders]:
    """One confined process; mathematics in this process is a fault."""

    def refuse(*_: object) -> Verdict:
        raise AssertionError("a formula was graded in the process of the worker")

    monkeypatch.setattr(math, "judge_text", refuse)
    seconds = getattr(request, "param", 60)
    routed = RoutedGraders(
        GradingPool(1, Limits(cpu_seconds=seconds, wall_seconds=120)), Tools(judge=Judge(), runner=Runner())
    )
    yield routed
    await routed.close()


async def test_the_formula_of_a_mixed_composite_is_graded_in_the_pool(graders: RoutedGraders) -> None:
    for given, score in (("x*x", 1.0), ("x+x", 0.5)):
        verdict = await graders.grade(answer(given), both("x^2"))
        assert verdict.score == score
        assert verdict.grader == "composite"


@pytest.mark.parametrize("graders", [0.05], indirect=True)
async def test_a_hostile_formula_beside_a_program_costs_its_own_part_alone(graders: RoutedGraders) -> None:
    hostile, other = await asyncio.gather(
        graders.grade(answer(HEAVY), both(HEAVY + "+0")),
        graders.grade(Answer(text="print(4)"), PROGRAM),
    )
    assert hostile.outcome is Outcome.UNSCORED
    assert "processor time" in hostile.reason
    assert [part["score"] for part in ROWS.validate_python(hostile.detail["parts"])] == [1.0, None]
    assert other.score == 1
    # The process that was stopped is replaced: the next formula is judged.
    assert (await graders.grade(answer("8"), both("8"))).score == 1


async def test_what_is_tried_before_a_judge_is_confined_too(graders: RoutedGraders) -> None:
    reference = {
        "kind": "judged",
        "relation": "symbolic",
        "gold": "x^2",
        "first": {"kind": "math", "value": "x^2"},
    }
    assert (await graders.grade(Answer(text="x*x"), reference)).score == 1
    assert (await graders.grade(Answer(text="x+x"), reference)).score == 0
