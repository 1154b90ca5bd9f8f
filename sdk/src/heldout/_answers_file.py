"""Answers from a file of JSON lines, with a sentence for everything that may be wrong with it: file, line, item."""

import codecs
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from heldout.models import Item

FIELDS = ("problem", "answer", "data", "trajectory", "usage")
_OTHERS = {codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16"}


class AnswersFileError(ValueError):
    """The file cannot be sent as it is; the message says where and what would be right."""


class Answers(list[dict[str, Any]]):
    """The items of a file, in its order, and in `lines` where each problem's is."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file
        self.lines: dict[str, int] = {}

    def places(self, problems: Sequence[str]) -> str:
        """One line for each of some problems: file, line, id."""
        return "".join(f"\n{self.file}:{self.lines[name]}: {name}" for name in problems if name in self.lines)


def read_answers(file: Path, longest: int) -> Answers:
    """The items of the file. A byte order mark of UTF-8 is skipped, empty lines too.

    Raises AnswersFileError for a file that is absent, empty or not UTF-8, and for a line that is no object with
    'problem' and text as 'answer', is longer than `longest` characters, or answers a problem again.
    """
    items = Answers(file)
    found = items.lines
    for number, line in _lines(file):
        item = _item(line, f"{file}:{number}")
        problem = item["problem"]
        if problem in found:
            raise AnswersFileError(
                f"{file}:{number}: {problem} was answered in line {found[problem]} already; keep one answer for each"
            )
        answer = item.get("answer")
        if isinstance(answer, str) and len(answer) > longest:
            raise AnswersFileError(
                f"{file}:{number}: the answer to {problem} has {len(answer):,} characters and the service takes "
                f"{longest:,}; keep its end, where the answer is"
            )
        found[problem] = number
        items.append(item)
    if not items:
        raise AnswersFileError(f"{file}: no answers; write one JSON object a line with 'problem' and 'answer'")
    return items


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise AnswersFileError(f"{file}: {error.strerror}") from None
    for mark, name in _OTHERS.items():
        if content.startswith(mark):
            raise AnswersFileError(f"{file}: this is {name}; save it as UTF-8")
    if b"\0" in content[:4]:
        raise AnswersFileError(f"{file}: this is UTF-16 or UTF-32; save it as UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise AnswersFileError(
            f"{file}:{line}: byte {content[error.start]:#04x} is not UTF-8 (Latin-1?); save it as UTF-8"
        ) from None
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _item(line: str, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line, parse_constant=_refuse)
    except ValueError as error:
        raise AnswersFileError(f"{place}: not JSON: {error}") from None
    if not isinstance(row, dict) or not isinstance(row.get("problem"), str):
        raise AnswersFileError(f"{place}: write an object with 'problem' (its id) and 'answer'")
    answer = row.get("answer")
    if answer is not None and not isinstance(answer, str):
        kind = "a number" if isinstance(answer, int | float) and not isinstance(answer, bool) else "no text"
        raise AnswersFileError(
            f'{place}: the answer to {row["problem"]} is {kind}; write it as text in quotes: "{json.dumps(answer)}"'
            if kind == "a number"
            else f"{place}: the answer to {row['problem']} is {kind}; write it as text in quotes"
        )
    item = {name: row[name] for name in FIELDS if name in row}
    if not set(item) & {"answer", "data", "trajectory"} or (len(item) == 2 and "answer" in item and answer is None):
        raise AnswersFileError(f"{place}: {row['problem']} has no 'answer'; to give none, leave the line out")
    try:
        Item.model_validate(item)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise AnswersFileError(f"{place}: {row['problem']}: {faults}") from None
    return item


def _refuse(name: str) -> float:
    assert math.isnan(float(name)) or math.isinf(float(name))
    raise ValueError(f"{name} is no value of JSON; write an answer as text in quotes")
