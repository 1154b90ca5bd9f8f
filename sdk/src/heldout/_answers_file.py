"""Answers from a file, with a sentence for everything that may be wrong with it: file, line, item.

A file is JSON lines, or one JSON array of the same objects, or one JSON object of answers by problem.
"""

import codecs
import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from heldout._text import storable
from heldout.models import Item

_SHOWN = 20
FIELDS = ("problem", "answer", "data", "trajectory", "usage")
_OTHERS = {codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16"}


class AnswersFileError(ValueError):
    """The file cannot be sent as it is; the message says where and what would be right."""


class _TwiceError(ValueError):
    """A name is twice in one object; JSON readers keep either."""


class Answers(list[dict[str, Any]]):
    """The items of a file, in its order, and in `lines` where each problem's is; `replaced` are the problems whose
    answers held what no service can store."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.lines: dict[str, str] = {}
        self.replaced: list[str] = []

    def places(self, problems: Sequence[str]) -> str:
        """One line for each of some problems: file, line, id."""
        return "".join(f"\n{self.file}:{self.lines[name]}: {name}" for name in problems if name in self.lines)


def read_answers(file: Path, longest: int) -> Answers:
    """The items of the file, or of standard input for `-`. A byte order mark of UTF-8 is skipped, empty lines too.

    Raises AnswersFileError for a file that is absent, empty or not UTF-8, and for a line that is no object with
    'problem' and text as 'answer', is longer than `longest` characters, answers a problem again, has a name twice or a
    cost below 0. The first twenty faults are in its message, and their number.
    """
    name = "standard input" if str(file) == "-" else str(file)
    items = Answers(name)
    faults: list[str] = []
    for number, row in _rows(_text(file, name), name):
        try:
            _add(items, number, row, longest)
        except AnswersFileError as error:
            faults.append(str(error))
    if len(faults) > 1:
        more = f", of which the first {_SHOWN} are shown" if len(faults) > _SHOWN else ""
        faults = [*faults[:_SHOWN], f"{len(faults):,} faults in all{more}; nothing was sent"]
    if faults:
        raise AnswersFileError("\n".join(faults))
    if not items:
        raise AnswersFileError(f"{name}: no answers; write one JSON object a line with 'problem' and 'answer'")
    return items


def _add(items: Answers, number: str, row: Any, longest: int) -> None:
    if isinstance(row, AnswersFileError):
        raise row
    name, found = items.file, items.lines
    given = _item(row, f"{name}:{number}")
    item = storable(given)
    _check(item, f"{name}:{number}")
    problem = item["problem"]
    if problem in found:
        place = found[problem] if found[problem].startswith("item") else f"line {found[problem]}"
        raise AnswersFileError(f"{name}:{number}: {problem} was answered in {place} already; keep one answer for each")
    answer = item.get("answer")
    if isinstance(answer, str) and len(answer) > longest:
        raise AnswersFileError(
            f"{name}:{number}: the answer to {problem} has {len(answer):,} characters and the service takes "
            f"{longest:,}; keep its end, where the answer is"
        )
    if item != given:
        items.replaced.append(problem)
    found[problem] = number
    items.append(item)


def _text(file: Path, name: str) -> str:
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise AnswersFileError(f"{name}: {error.strerror}") from None
    for mark, encoding in _OTHERS.items():
        if content.startswith(mark):
            raise AnswersFileError(f"{name}: this is {encoding}; save it as UTF-8")
    if b"\0" in content[:4]:
        raise AnswersFileError(f"{name}: this is UTF-16 or UTF-32; save it as UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise AnswersFileError(
            f"{name}:{line}: byte {content[error.start]:#04x} is not UTF-8 (Latin-1?); save it as UTF-8"
        ) from None


def _rows(text: str, name: str) -> Iterator[tuple[str, Any]]:
    """What the file has of each answer, and where: a line's number, or an item's in one array or object."""
    whole = _whole(text, name)
    if isinstance(whole, dict) and not whole.keys() & {"problem", "answer"}:
        whole = [{"problem": problem, "answer": answer} for problem, answer in whole.items()]
    if isinstance(whole, list):
        yield from ((f"item {number}", row) for number, row in enumerate(whole, 1))
        return
    if isinstance(whole, dict):
        yield "1", whole
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield str(number), _loaded(line)
            except _TwiceError as error:
                yield str(number), AnswersFileError(f"{name}:{number}: {error}")
            except ValueError as error:
                yield str(number), AnswersFileError(f"{name}:{number}: not JSON: {error}")


def _whole(text: str, name: str) -> Any:
    """The text as one JSON document; None where it is not one (JSON lines are several)."""
    try:
        return _loaded(text)
    except _TwiceError as error:
        lines = sum(1 for line in text.split("\n") if line.strip())
        if lines > 1 and _is_one(text):
            raise AnswersFileError(f"{name}: {error}") from None
        return None
    except ValueError:
        return None


def _is_one(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _loaded(text: str) -> Any:
    return json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _TwiceError(f"{name} is there twice in one object; keep one of them")
        found[name] = value
    return found


def _item(row: Any, place: str) -> dict[str, Any]:
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
    return item


def _check(item: dict[str, Any], place: str) -> None:
    try:
        usage = Item.model_validate(item).usage
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise AnswersFileError(f"{place}: {item['problem']}: {faults}") from None
    for name, value in usage or ():
        if value is not None and value < 0:
            raise AnswersFileError(f"{place}: {item['problem']}: usage.{name}: {value:g} is below 0")


def _refuse(name: str) -> float:
    assert math.isnan(float(name)) or math.isinf(float(name))
    raise ValueError(f"{name} is no value of JSON; write an answer as text in quotes")
