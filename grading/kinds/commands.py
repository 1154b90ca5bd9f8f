"""Verdicts over what commands printed: the answer against outputs, outputs against each other, exit states.

Facts of the comparators: AgentBench's operating-system track (Liu et al., ICLR 2024, arXiv:2308.03688). The commands
run in a world the participant never touched (see `envs.operating_system`); here only text meets text.

Evidence of a probe: `{"exit_code": int | None, "stdout": str, "stderr": str, "timed_out": bool, "truncated": bool}`,
or `{"exists": bool, "text": str, ...}` for a file; any top-level field may be named.
"""

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from grading.answer import Answer
from grading.matching.patterns import compiled
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict

MAX_TEXT = 100_000
MAX_DIGITS = 4000
_UNITS = {"": 0, "B": 0, "BYTE": 0, "BYTES": 0, "K": 1, "KB": 1, "M": 2, "MB": 2, "G": 3, "GB": 3}
_UNITS |= {"T": 4, "TB": 4, "P": 5, "PB": 5}
_FIXED_UNITS = {"KIB": 1, "MIB": 2, "GIB": 3, "TIB": 4, "PIB": 5}
_SIZE = re.compile(r"^([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)$")
_INTEGER = re.compile(r"^[+-]?[0-9]+(?:_[0-9]+)*$")
_GROUPED = re.compile(r"^[+-]?[0-9]{1,3}(?:,[0-9]{3})+$")


class Operand(BaseModel):
    """One side of a comparison: the committed answer, a field of a probe's evidence, or a fixed text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: Literal["answer", "probe", "text"] = "answer"
    probe: str = ""
    field: str = "stdout"
    text: str = ""

    @model_validator(mode="after")
    def _names_its_probe(self) -> Self:
        if (self.source == "probe") != bool(self.probe):
            raise ValueError("'probe' names a probe exactly when 'source' is 'probe'")
        return self


class Check(BaseModel):
    """`left` compared with `right`. `integer`, `string`, `containing` (right within left), `in` (left within right),
    `size` (1024-based units), `number` (within `tolerance`), `regex` (right is the pattern, searched in left)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    compare: Literal["integer", "string", "containing", "in", "size", "number", "regex"]
    left: Operand = Operand()
    right: Operand
    tolerance: float = Field(default=0.0, ge=0.0)


class CommandsReference(Reference):
    """Every check must hold. `succeeds` names probes of the final state that must have ended with status 0;
    `gold` names probes of the untouched world: when one of those failed, nothing can be said and nobody is blamed.
    `partial` names those of them that may end with status 1 if they printed something: `find` does so when a file goes
    while it looks, or may not be read.

    `mode` "published" compares as the benchmark was published (integers only in sizes); "fixed" is ours.
    """

    kind: Literal["commands"] = "commands"
    mode: Literal["published", "fixed"] = "fixed"
    checks: tuple[Check, ...] = ()
    succeeds: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _asks_something(self) -> Self:
        if not self.checks and not self.succeeds:
            raise ValueError("a 'commands' reference needs at least one entry in 'checks' or 'succeeds'")
        for check in self.checks:
            if check.compare == "regex" and check.right.source == "text":
                compiled(check.right.text)
        return self


class _NoEvidenceError(Exception):
    """The evidence does not allow a verdict; the message says why."""


@grader(CommandsReference, version="1")
def commands(answer: Answer, reference: CommandsReference, tools: Tools) -> Verdict:
    """Correct exactly when every named command succeeded and every comparison holds."""
    del tools
    try:
        for name in reference.gold:
            _gold_ran(answer, name, partial=name in reference.partial)
        for name in reference.succeeds:
            if (code := _evidence(answer, name).get("exit_code")) != 0:
                return Verdict.incorrect(f"the check '{name}' did not succeed", exit_code=code)
        for number, check in enumerate(reference.checks):
            if refusal := _failed(answer, check, reference.mode):
                return refusal.model_copy(update={"detail": refusal.detail | {"check": number}})
    except _NoEvidenceError as error:
        return Verdict.unscored(str(error))
    return Verdict.correct("every check holds")


def _evidence(answer: Answer, name: str) -> dict[str, JsonValue]:
    evidence = answer.evidence_of(name)
    if evidence is None:
        raise _NoEvidenceError(f"the evidence holds no probe '{name}'")
    if evidence.fault:
        raise _NoEvidenceError(f"probe '{name}' failed: {evidence.error}")
    return evidence.value if isinstance(evidence.value, dict) else {}


def _gold_ran(answer: Answer, name: str, *, partial: bool) -> None:
    value = _evidence(answer, name)
    code = value.get("exit_code")
    ended = code in (0, None) or (partial and code == 1 and value.get("stdout"))
    if not ended or value.get("timed_out"):
        raise _NoEvidenceError(f"the gold command '{name}' failed in the untouched world")


def _failed(answer: Answer, check: Check, mode: str) -> Verdict | None:
    left, right = _side(answer, check.left), _side(answer, check.right)
    if left is None:
        side = "no answer was committed" if check.left.source == "answer" else f"'{check.left.probe}' shows nothing"
        return Verdict.incorrect(side)
    if right is None:
        return Verdict.incorrect(f"'{check.right.probe or 'answer'}' shows nothing")
    left, right = left[:MAX_TEXT], right[:MAX_TEXT]
    holds = (
        _number(left, right, check.tolerance)
        if check.compare == "number"
        else _COMPARE[check.compare](left, right, mode)
    )
    return (
        None
        if holds
        else Verdict.incorrect(f"the {check.compare} comparison fails", given=left[:500], expected=right[:500])
    )


def _side(answer: Answer, operand: Operand) -> str | None:
    if operand.source == "text":
        return operand.text
    if operand.source == "answer":
        return answer.text
    value = _evidence(answer, operand.probe).get(operand.field)
    return None if value is None else str(value)


def _integer(left: str, right: str, mode: str) -> bool:
    a, b = _whole(left, mode), _whole(right, mode)
    return a is not None and a == b


def _whole(text: str, mode: str) -> int | None:
    text = text.strip()
    if mode == "fixed" and _GROUPED.match(text):
        text = text.replace(",", "")
    return int(text) if len(text) <= MAX_DIGITS and _INTEGER.match(text) else None


def _string(left: str, right: str, mode: str) -> bool:
    del mode
    return _plain(left) == _plain(right)


def _containing(left: str, right: str, mode: str) -> bool:
    """A gold of nothing is contained in everything, so that it proves nothing: only the published rule lets it pass."""
    return _plain(right) in _plain(left) and (mode == "published" or bool(_plain(right)))


def _within(left: str, right: str, mode: str) -> bool:
    return _plain(left) in _plain(right) and (mode == "published" or bool(_plain(left)))


def _size(left: str, right: str, mode: str) -> bool:
    a, b = _bytes(left, mode), _bytes(right, mode)
    return a is not None and a == b


def _bytes(text: str, mode: str) -> Decimal | None:
    found = _SIZE.match(text.strip())
    if not found or len(text) > 100 or (mode == "published" and "." in found.group(1)):
        return None
    unit = found.group(2).upper()
    power = _UNITS.get(unit) if mode == "published" else (_UNITS | _FIXED_UNITS).get(unit)
    return None if power is None else Decimal(found.group(1)) * 1024**power


def _number(left: str, right: str, tolerance: float) -> bool:
    try:
        a, b = Decimal(left.strip()[:MAX_DIGITS]), Decimal(right.strip()[:MAX_DIGITS])
    except InvalidOperation:
        return False
    return a.is_finite() and b.is_finite() and abs(a - b) <= Decimal(repr(tolerance))


def _regex(left: str, right: str, mode: str) -> bool:
    del mode
    return re.search(right, left) is not None


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


_COMPARE: dict[str, Callable[[str, str, str], bool]] = {
    "integer": _integer,
    "string": _string,
    "containing": _containing,
    "in": _within,
    "size": _size,
    "regex": _regex,
}
