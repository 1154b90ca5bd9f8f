"""What grading needs from outside, as Protocols the caller injects."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NoReturn, Protocol

from pydantic import BaseModel, ConfigDict, JsonValue

from grading.answer import Answer
from grading.reference import Reference
from grading.verdict import Verdict


class JudgeRequest(BaseModel):
    """One question to a judge model: a system text, a user text with the answer as quoted data, a JSON Schema."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    purpose: str
    system: str
    user: str
    reply_schema: dict[str, JsonValue]
    seed: int = 0


class JudgeReply(BaseModel):
    """The judge's structured reply, and who gave it. `digest` covers prompt, model and parameters."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: dict[str, JsonValue]
    model: str
    digest: str


class JudgeUnavailableError(Exception):
    """The judge could not be asked (time-out, rate limit, budget). An infrastructure fault: never a wrong answer."""


class Judge(Protocol):
    """A model that judges. Raises JudgeUnavailableError when there is no reply to be had."""

    def ask(self, request: JudgeRequest) -> JudgeReply: ...


class RunResult(BaseModel):
    """What running a program gave."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    exit_code: int
    stdout: str
    stderr: str
    timed_out: bool = False


class CodeRunner(Protocol):
    """Runs a program in a sandbox. Raises RunnerUnavailableError when no sandbox is to be had."""

    def run(self, files: dict[str, str], argv: list[str], stdin: str, seconds: float) -> RunResult: ...


class RunnerUnavailableError(Exception):
    """No sandbox could be had for the program. An infrastructure fault: never a wrong answer."""


class Confined(Protocol):
    """Grades where it can be killed, under limits: what a part of a reference that needs no tools is sent to.

    A grade that was stopped is `unscored` with the reason.
    """

    def grade(self, answer: Answer, reference: Reference) -> Verdict: ...


class UndeclaredNeedError(TypeError):
    """A grader used a tool that its kind does not name in `needs`: the service would never have given it."""


@dataclass(frozen=True)
class _Undeclared:
    """Stands where a judge or a runner was not asked for."""

    kind: str

    def ask(self, request: JudgeRequest) -> NoReturn:
        del request
        self._refuse("judge")

    def run(self, files: dict[str, str], argv: list[str], stdin: str, seconds: float) -> NoReturn:
        del files, argv, stdin, seconds
        self._refuse("runner")

    def _refuse(self, need: str) -> NoReturn:
        raise UndeclaredNeedError(f"the kind '{self.kind}' uses a {need}: name it in @grader(..., needs={{'{need}'}})")


@dataclass(frozen=True)
class Tools:
    """Everything a grader may be given. Absent tools make the verdict `unscored`, never wrong.

    Without `confined` the parts of a reference are graded where the whole is.
    """

    judge: Judge | None = None
    runner: CodeRunner | None = None
    confined: Confined | None = None

    def limited(self, kind: str, needs: Collection[str]) -> "Tools":
        """These tools for a grader of `kind`, without those that are not among its `needs`."""
        missing = _Undeclared(kind)
        judge = self.judge if "judge" in needs else missing
        return Tools(judge, self.runner if "runner" in needs else missing, self.confined)
