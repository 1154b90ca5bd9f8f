"""Asking a judge one question, and believing only a reply of the asked shape."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from grading.tools import Judge, JudgeRequest, JudgeUnavailableError
from grading.verdict import Verdict

NO_JUDGE = "waits for a judge or a person"


@dataclass(frozen=True)
class JudgeVerdict:
    """A reply of the asked shape, and who gave it."""

    data: dict[str, Any]
    model: str
    digest: str


def ask(judge: Judge | None, request: JudgeRequest, shape: type[BaseModel]) -> JudgeVerdict | Verdict:
    """The judge's reply checked against `shape`, or the unscored verdict that its absence means."""
    if judge is None:
        return Verdict.unscored(NO_JUDGE)
    try:
        reply = judge.ask(request)
    except JudgeUnavailableError as error:
        return Verdict.unscored(f"the judge could not be asked: {error}")
    try:
        data = shape.model_validate(reply.data).model_dump()
    except ValidationError as error:
        return Verdict.unscored(f"the judge's reply has not the asked shape: {error.errors()[0]['msg']}")
    return JudgeVerdict(data, reply.model, reply.digest)
