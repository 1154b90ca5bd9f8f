"""A scorer for Inspect: `Task(dataset=..., solver=generate(), scorer=heldout_math())`."""

import asyncio
import math
from collections.abc import Sequence
from typing import Any

from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState

from heldout_grading.single import Graded, grade

_SHOWN = 300


@scorer(metrics=[accuracy(), stderr()])
def heldout_math(kind: str = "math", **options: Any) -> Scorer:
    """Correct where the completion's answer equals one of the targets; the explanation says why.

    A sample with `choices` is graded as multiple choice, its target being a label or the text of a choice. Where no
    verdict can be given (a target that cannot be read, a limit), the score is Inspect's "unscored": kept in the log and
    left out of the metrics.
    """

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        choices = [choice.value for choice in state.choices]
        asked = {"question": state.input_text} | options
        graded = [await asyncio.to_thread(_graded, text, gold, kind, choices, asked) for gold in target]
        return _score(graded, text[-_SHOWN:])

    return score


def _graded(text: str, gold: str, kind: str, choices: Sequence[str], options: dict[str, Any]) -> Graded:
    try:
        return grade(text, gold, kind=kind, choices=choices, **options)
    except ValueError as error:
        return Graded.unscored(f"the target cannot be: {' '.join(str(error).split())[:_SHOWN]}")


def _score(graded: Sequence[Graded], answer: str) -> Score:
    """Correct by any target; unscored where one of the others gave no verdict."""
    best = next((one for one in graded if one.correct), None)
    if best is not None:
        return Score(value=CORRECT, answer=answer, explanation=best.reason)
    open_ = next((one for one in graded if one.score is None), None)
    if open_ is not None or not graded:
        reason = open_.reason if open_ is not None else "the sample has no target"
        # What `Score.unscored` of newer releases gives: the metrics leave NaN out.
        return Score(value=math.nan, answer=answer, explanation=reason)
    return Score(value=INCORRECT, answer=answer, explanation=graded[0].reason)
