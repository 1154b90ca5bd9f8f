"""Questions of one's own as a pack: a table in JSON lines, JSON, CSV, TSV or Parquet.

Needs `question` (or problem, statement, prompt, input) and `answer` (or gold, target); takes `id`, `choices`,
`subject`, `type`, `solution`, `answer_format`, `split`, and `kind` with the options of that kind of reference (`unit`,
`rel_tol`, `alternatives`, ...). `columns` gives other names: `{"question": "Frage", "choices": ["A", "B", "C"]}`. With
`choices` the answer is a letter, a number from 0, or the text of a choice. Without `kind`, as a column or as the
option for all rows, a gold is a number, mathematics or words by what it looks like (`golds.kind_of`).
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grading.registry import kinds
from packs.draft import DraftPack
from packs.importers.golds import references
from packs.importers.questions import (
    FINAL,
    LABELS,
    LETTER,
    Builder,
    Question,
    Source,
    identifier,
    multiple_choice,
    rows,
)
from packs.importers.tables import mapped

STATEMENT = ("question", "problem", "statement", "prompt", "input")
GOLD = ("answer", "gold", "target")
_TAKEN = frozenset(
    {*STATEMENT, *GOLD, "id", "choices", "subject", "type", "solution", "answer_format", "split", "kind"}
)


def read(
    source: Path,
    *,
    columns: dict[str, Any] | None = None,
    kind: str | None = None,
    licence: str = "not stated",
    published: bool | str = False,
    limit: int | None = None,
    dev: int = 0,
    slug: str = "",
) -> DraftPack:
    """Read the questions. Raises ValueError for rows without question or answer."""
    name = slug_of(slug or source.stem)
    described = Source(name, name, licence, source.name, f"Questions converted from {source.name}.", published)
    builder = Builder(described, dev=dev)
    add_rows(builder, rows(source, limit), columns or {}, kind=kind)
    return builder.draft()


def slug_of(text: str) -> str:
    """A benchmark's short name made of a file's."""
    return identifier(text).lower().replace("_", "-").replace(".", "-").strip("-")[:64] or "benchmark"


def add_rows(
    builder: Builder,
    table: Iterable[Mapping[str, Any]],
    columns: Mapping[str, Any],
    split: str = "",
    *,
    kind: str | None = None,
) -> None:
    """Take the rows of a table as questions of a split, and note which columns are in nothing.

    `kind` is that of references of rows that say none. Raises ValueError for rows without question or answer.
    """
    left: dict[str, None] = {}
    used = _TAKEN | {name.partition(".")[0] for value in columns.values() for name in _names(value)}
    for number, row in enumerate(table, builder.report.read + 1):
        question = question_of(_with_kind(mapped(row, columns), kind), number, split)
        builder.add(question)
        asked = str(row.get("kind") or kind)
        options = kinds()[asked].model.model_fields if asked in kinds() else {}
        left |= dict.fromkeys(name for name in row if name not in used and name not in options)
    if left:
        builder.report.notes.append(f"not carried over: the columns {', '.join(left)}")


def _with_kind(row: dict[str, Any], kind: str | None) -> dict[str, Any]:
    return row if kind is None or row.get("kind") else row | {"kind": kind}


def _names(value: Any) -> list[str]:
    return value if isinstance(value, list) else [str(value)]


def question_of(row: Mapping[str, Any], number: int, split: str = "") -> Question:
    """A row with our names as a question. Raises ValueError without question or answer."""
    statement = next((row[name] for name in STATEMENT if row.get(name)), None)
    answer = next((row[name] for name in GOLD if row.get(name) is not None), None)
    if not isinstance(statement, str) or answer is None or isinstance(answer, list | dict):
        raise ValueError(
            f"row {number}: write a text in one of {', '.join(STATEMENT)} and one in {', '.join(GOLD)}, or name others "
            f"with columns; there are {', '.join(map(str, row))}"
        )
    choices = _choices(row.get("choices"), number)
    gold = _label(answer, choices, number) if choices else str(answer)
    wanted = [multiple_choice(gold, len(choices))] if choices else _references(row, gold)
    return Question(
        id=identifier(str(row.get("id") or f"q{number}")),
        type="multiple_choice" if choices else str(row.get("type") or "question"),
        subject=str(row.get("subject") or "general"),
        statement=statement,
        references=wanted,
        gold=gold,
        choices=choices,
        answer_format=str(row.get("answer_format") or (LETTER if choices else FINAL)),
        solution=str(row.get("solution") or ""),
        split=split or str(row.get("split") or ""),
    )


def _choices(given: Any, number: int) -> list[str]:
    """A list, also as JSON in a cell of a CSV file; the datasets hub also has `{"text": [...], "label": [...]}`."""
    if isinstance(given, str) and given.strip():
        try:
            given = json.loads(given)
        except ValueError as error:
            raise ValueError(f"row {number}: write the choices as a JSON list, or name a column for each") from error
    if isinstance(given, dict):
        given = given.get("text")
    if given and not isinstance(given, list):
        raise ValueError(f"row {number}: the choices are no list")
    return [str(choice) for choice in given or ()]


def _references(row: Mapping[str, Any], gold: str) -> list[dict[str, Any]]:
    kind = row.get("kind")
    if not kind:
        return references(gold)
    if kind not in kinds():
        raise ValueError(f"there is no kind '{kind}'; known are {', '.join(kinds())}")
    options = {name: row[name] for name in kinds()[kind].model.model_fields if name in row}
    return [{"value": gold, **options, "kind": kind}]


def _label(answer: Any, choices: list[str], number: int) -> str:
    if isinstance(answer, int) and 0 <= answer < len(choices):
        return LABELS[answer]
    text = str(answer).strip()
    if text.isdecimal() and text not in choices and int(text) < len(choices):
        return LABELS[int(text)]
    if len(text) == 1 and text.upper() in LABELS[: len(choices)]:
        return text.upper()
    if text in choices:
        return LABELS[choices.index(text)]
    raise ValueError(f"row {number}: the answer is no letter, number or text of its {len(choices)} choices")
