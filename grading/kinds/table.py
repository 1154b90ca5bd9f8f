"""Verdicts over database tables and over answers read from them.

Facts: AgentBench's database track (Liu et al., ICLR 2024, arXiv:2308.03688): its table digest, its comparison of
answers, and the later one with a tolerance. Statements run elsewhere; here rows meet rows.

Evidence of a table: `{"columns": [str], "rows": [[str | null]], "truncated": bool}`; one that is gone has `value` null.
"""

import ast
import hashlib
import json
import math
import re
from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from grading.answer import Answer
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict

MAX_ANSWER = 20_000
TOLERANCE = 0.01
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)
_NOTHING = {"", "none", "null", "undefined", "nan", "inf", "-inf", "infinity", "-infinity", "nil", "n/a"}


class TableReference(Reference):
    """`task` "answer": the answer against `labels`. `task` "state": the table seen by probe `seen` at the end.

    The state is judged against the digest as published (`digest`), or against the table that the gold statement leaves
    in a database the participant never touched (probe `expected`); rows are a multiset in both.
    """

    kind: Literal["table"] = "table"
    mode: Literal["published", "fixed"] = "fixed"
    task: Literal["answer", "state"]
    labels: tuple[str, ...] = ()
    digest: str | None = Field(default=None, pattern=r"^[0-9a-f]{32}$")
    expected: str | None = None
    seen: str = "table"

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.task == "answer" and not self.labels:
            raise ValueError("task 'answer' needs 'labels'")
        if self.task == "state" and (self.digest is None) == (self.expected is None):
            raise ValueError("task 'state' needs either 'digest' or 'expected', the name of the gold probe")
        return self


@grader(TableReference, version="2")
def table(answer: Answer, reference: TableReference, tools: Tools) -> Verdict:
    """Correct exactly when the state, or the answer, is the gold one."""
    del tools
    return _state(answer, reference) if reference.task == "state" else _answer(answer, reference)


def _state(answer: Answer, reference: TableReference) -> Verdict:
    for name in (reference.seen, reference.expected):
        evidence = answer.evidence_of(name) if name else None
        if name and (evidence is None or evidence.fault):
            return Verdict.unscored(f"probe '{name}' saw nothing" + (f": {evidence.error}" if evidence else ""))
    left = _rows(answer, reference.seen)
    if left is None:
        return Verdict.incorrect("the table is gone or cannot be read in full")
    if reference.digest is not None:
        same = digest(left[1]) == reference.digest
        return Verdict.correct("the digest of the table") if same else Verdict.incorrect("another digest")
    right = _rows(answer, reference.expected or "")
    if right is None:
        return Verdict.unscored("the gold statement left no table to compare with")
    return Verdict.correct("the gold table") if _same_table(left, right) else Verdict.incorrect("another table")


Rows = list[list[str | None]]


def _rows(answer: Answer, name: str) -> tuple[list[str], Rows] | None:
    evidence = answer.evidence_of(name)
    value = evidence.value if evidence else None
    if not isinstance(value, dict) or value.get("truncated"):
        return None
    columns, rows = value.get("columns"), value.get("rows")
    if not isinstance(columns, list) or not isinstance(rows, list):
        return None
    return [str(name) for name in columns], [_cells(row) for row in rows]


def _cells(row: JsonValue) -> list[str | None]:
    return [None if cell is None else str(cell) for cell in row] if isinstance(row, list) else []


def _same_table(left: tuple[list[str], Rows], right: tuple[list[str], Rows]) -> bool:
    canonical = [sorted(json.dumps(row, ensure_ascii=False) for row in rows) for _, rows in (left, right)]
    return left[0] == right[0] and canonical[0] == canonical[1]


def digest(rows: Rows) -> str:
    """The published digest of a table: 32 hexadecimal digits, blind to the order of rows and to NULL cells."""
    marks = sorted(_md5(",".join(cell for cell in row if cell is not None))[:5] for row in rows)
    return _md5(",".join(marks))


def _md5(text: str) -> str:
    return hashlib.md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def _answer(answer: Answer, reference: TableReference) -> Verdict:
    if answer.text is None and answer.data is None:
        return Verdict.incorrect("no answer was committed")
    given = values(answer, reference.mode)
    same = _published(given, reference.labels) if reference.mode == "published" else _fixed(given, reference.labels)
    shown: JsonValue = [str(item)[:200] for item in given[:20]]
    return Verdict.correct("the gold values") if same else Verdict.incorrect("other values", given=shown)


def values(answer: Answer, mode: str) -> list[JsonValue]:
    """The committed answer as a list: a structured field, JSON, or (as published) a Python literal; else one text."""
    if isinstance(answer.data, list):
        return answer.data
    text = (answer.text if answer.data is None else str(answer.data)) or ""
    if mode == "fixed" and _GROUPED.fullmatch(text.strip()):
        return [text.strip()]  # "1,234" is a number, though Python reads two
    found = _literal(text[:MAX_ANSWER], mode)
    return found if isinstance(found, list) else [text.strip() if mode == "fixed" else text]


def _literal(text: str, mode: str) -> JsonValue:
    if mode == "fixed":
        try:
            return json.loads(text, parse_constant=str, parse_int=str, parse_float=str)  # type: ignore[no-any-return]
        except (ValueError, RecursionError):
            pass
    try:
        return _plain(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _plain(value: object) -> JsonValue:
    if isinstance(value, (list, tuple, set)):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _published(given: list[JsonValue], labels: tuple[str, ...]) -> bool:
    if len(given) == len(labels) == 1:
        left, right = _float(given[0]), _float(labels[0])
        return left == right if left is not None and right is not None else str(given[0]) == labels[0]
    if any(isinstance(item, list | dict) for item in given):
        return False
    return set(map(_hashable, given)) == set(labels)


def _hashable(value: JsonValue) -> object:
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _fixed(given: list[JsonValue], labels: tuple[str, ...]) -> bool:
    left, right = [_normal(item) for item in given], [_normal(item) for item in labels]
    numbers = [_float(item) for item in left], [_float(item) for item in right]
    if None not in numbers[0] and None not in numbers[1]:
        pairs = list(zip(sorted(map(_sortable, numbers[0])), sorted(map(_sortable, numbers[1])), strict=False))
        return len(left) == len(right) and all(abs(a - b) <= TOLERANCE + 1e-9 for a, b in pairs)
    return set(left) == set(right)


def _sortable(value: float | None) -> float:
    return math.inf if value is None else value


def _normal(value: JsonValue) -> str:
    """One value as text: unwrapped from rows and quotes, without a percent sign or thousands commas.

    The words for nothing become the empty text, which equals no number: published, they passed as zero.
    """
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    text = "" if value is None else str(value).strip()
    inner = _literal(text, "published") if text.startswith(("[", "(")) and len(text) < MAX_ANSWER else None
    while isinstance(inner, list) and len(inner) == 1:
        inner = inner[0]
    if isinstance(inner, str | int | float):
        text = str(inner)
    text = text.strip().strip("\"'`").strip()
    bare = text.removesuffix("%").strip().replace(",", "")
    if _float(bare) is not None:
        return bare
    return "" if text.casefold() in _NOTHING else text


def _float(value: JsonValue) -> float | None:
    if isinstance(value, list | dict) or value is None:
        return None
    try:
        number = float(str(value)[:400]) if "_" not in str(value) else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None
