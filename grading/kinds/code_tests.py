"""`code_tests`: a program run on inputs, its outputs compared here, outside the number where it ran."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from grading.answer import Answer
from grading.matching import typed
from grading.reference import Reference
from grading.registry import grader
from grading.tools import CodeRunner, RunnerUnavailableError, RunResult, Tools
from grading.verdict import Verdict

_FENCE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)
MAX_CODE = 200_000


class Case(BaseModel):
    """One run: its input, further arguments, and the output it must print."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stdout: str
    stdin: str = ""
    arguments: tuple[str, ...] = ()


class CodeTestsReference(Reference):
    """The answer's code is written to `file` and run as `argv` plus a case's arguments, beside `files`.

    `compare`: `lines` (equal lines, trailing space aside) or `numbers` (token by token, numbers within `tolerance`).
    `score`: `all` cases or the `share` of them. The expected outputs never enter the sandbox.
    """

    kind: Literal["code_tests"] = "code_tests"
    argv: Annotated[tuple[str, ...], Field(min_length=1)] = ("python3", "main.py")
    file: str = "main.py"
    files: dict[str, str] = Field(default_factory=dict)
    cases: Annotated[tuple[Case, ...], Field(min_length=1, max_length=200)]
    seconds: Annotated[float, Field(gt=0, le=60)] = 5.0
    compare: Literal["lines", "numbers"] = "lines"
    tolerance: Annotated[float, Field(ge=0)] = 1e-6
    score: Literal["all", "share"] = "all"


@grader(CodeTestsReference, version="1", needs={"runner"})
def code_tests(answer: Answer, reference: CodeTestsReference, tools: Tools) -> Verdict:
    """Score by the cases passed; without a sandbox the answer stays unscored."""
    code = program(answer.text or "")
    if not code.strip() or len(code) > MAX_CODE:
        return Verdict.unparseable("there is no program in the answer, or it is too long")
    if tools.runner is None:
        return Verdict.unscored("waits for a sandbox to run the program in")
    try:
        failures = [_failure(code, case, reference, tools.runner) for case in reference.cases]
    except RunnerUnavailableError as error:
        return Verdict.unscored(f"no sandbox could be had: {error}")
    passed = failures.count(None)
    first = next((f"; case {number}: {why}" for number, why in enumerate(failures, 1) if why), "")
    share = passed / len(failures) if reference.score == "share" else float(passed == len(failures))
    return Verdict.graded(share, f"{passed} of {len(failures)} cases passed{first}", passed=passed)


def program(text: str) -> str:
    """The code of an answer: its last fenced block, else all of it."""
    blocks = _FENCE.findall(text)
    return blocks[-1] if blocks else text


def _failure(code: str, case: Case, reference: CodeTestsReference, runner: CodeRunner) -> str | None:
    files = {**reference.files, reference.file: code}
    result: RunResult = runner.run(files, [*reference.argv, *case.arguments], case.stdin, reference.seconds)
    if result.timed_out:
        return "did not end in time"
    if result.exit_code != 0:
        return f"ended with exit code {result.exit_code}"
    return None if _same(result.stdout, case.stdout, reference) else "other output"


def _same(given: str, expected: str, reference: CodeTestsReference) -> bool:
    if reference.compare == "lines":
        return [line.rstrip() for line in given.rstrip().splitlines()] == [
            line.rstrip() for line in expected.rstrip().splitlines()
        ]
    left, right = given.split(), expected.split()
    return len(left) == len(right) and all(
        a == b or typed.same(a, b, "number", reference.tolerance) is True for a, b in zip(left, right, strict=True)
    )
