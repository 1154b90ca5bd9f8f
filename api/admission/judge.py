"""The one judge of episodes: what a finish reason, an answer and the evidence are worth."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from envs.base import FinishReason
from grading import Answer, Verdict, grade
from grading.answer import Evidence

Grade = Callable[[Answer, dict[str, Any]], Awaitable[Verdict]]
"""Grades an answer against a reference, under whatever limits the caller has."""

# Ends at which there is nothing to grade: the participant left the rules or the episode.
_LOST = {
    FinishReason.INVALID_FORMAT: "the episode ended with an action that is not of the required form",
    FinishReason.INVALID_ACTION: "the episode ended with an action that the environment does not know",
    FinishReason.CANCELLED: "the episode was cancelled",
}


async def grade_here(answer: Answer, reference: dict[str, Any]) -> Verdict:
    """Grade in this process, without limits and tools: for packs of one's own."""
    return grade(answer, reference)


async def judge_episode(
    reference: Mapping[str, Any],
    finish: FinishReason,
    answer: str | None,
    evidence: Sequence[Evidence] | None,
    *,
    data: JsonValue = None,
    context: Mapping[str, Any] | None = None,
    grade: Grade = grade_here,
) -> Verdict:
    """The verdict on an episode that ended for `finish` with `answer`, and left `evidence` (None: none was stored).

    `context` is what was shown of the problem. A fault of the service is `unscored`, never a zero. Raises what
    `grade` raises.
    """
    if finish is FinishReason.INFRASTRUCTURE_ERROR:
        return Verdict.unscored("the environment failed by a fault of the service; a person has to look")
    if finish in _LOST:
        return Verdict.incorrect(_LOST[finish]).model_copy(update={"grader": "episode", "version": "1"})
    if evidence is None:
        return Verdict.unscored("no evidence was stored when the episode ended; a person has to look")
    shown = {**(context or {}), "finish_reason": finish.value}
    given = Answer(text=answer, data=data, evidence=tuple(evidence), context=shown)
    return await grade(given, dict(reference))
