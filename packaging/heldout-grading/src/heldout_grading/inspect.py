"""A scorer for Inspect: `Task(dataset=..., solver=generate(), scorer=heldout_math())`."""

import asyncio
from typing import Any

from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState

from heldout_grading.single import grade


@scorer(metrics=[accuracy(), stderr()])
def heldout_math(kind: str = "math", **options: Any) -> Scorer:
    """Correct where the completion's answer equals one of the targets; the explanation says why."""

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        graded = [await asyncio.to_thread(grade, text, gold, kind=kind, **options) for gold in target]
        best = next((one for one in graded if one.correct), graded[0])
        return Score(value=CORRECT if best.correct else INCORRECT, answer=text[-300:], explanation=best.reason)

    return score
