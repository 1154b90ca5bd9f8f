"""MATH (Hendrycks et al.) as a pack: rows {problem, answer, solution, subject, level} or the annotated test set's
{index, question, answer, human_type}."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from packs.draft import DraftPack
from packs.importers.questions import Builder, Question, Source, identifier, rows

SOURCE = Source(
    "math", "MATH", "MIT", "https://github.com/hendrycks/math", "Competition mathematics with short final answers."
)
SHAPES: Mapping[str, Mapping[str, Any]] = {
    "Set": {"kind": "set"},
    "Interval": {"kind": "interval"},
    "Vector": {"kind": "math", "ordered": True},
}


def read(source: Path, *, limit: int | None = None, dev: int = 0) -> DraftPack:
    """Read the questions. Raises ValueError for rows that are not MATH's.

    A gold that its declared shape does not accept is tried as mathematics of any shape, and as plain text at last.
    """
    builder = Builder(SOURCE, dev=dev)
    for number, row in enumerate(rows(source, limit), 1):
        if isinstance(row.get("answer"), list):
            builder.report.read += 1
            builder.report.exclude(f"math-{row.get('index', number)}", "disputed", "the annotation lists several golds")
            continue
        builder.add(_question(row, number))
    return builder.draft()


def _question(row: dict[str, Any], number: int) -> Question:
    statement, gold = row.get("problem") or row.get("question"), row.get("answer")
    if not isinstance(statement, str) or not isinstance(gold, str):
        raise ValueError(f"row {number} is not MATH's: it needs problem (or question) and answer")
    name = str(row.get("unique_id") or row.get("index") or number).removesuffix(".json")
    shape = str(row.get("human_type", ""))
    return Question(
        id=identifier(name, "math-"),
        type="multiple_choice" if gold.startswith(r"\text{(") else (shape.lower() or "mathematics"),
        subject=str(row.get("subject") or shape or "mathematics"),
        statement=statement.strip(),
        references=references(gold, SHAPES.get(shape)),
        gold=gold,
        solution=str(row.get("solution") or ""),
    )


def references(gold: str, declared: Mapping[str, Any] | None = None, **options: Any) -> list[dict[str, Any]]:
    """The references to try for a mathematical gold: of the declared shape, of any shape, as text."""
    tried = [{**declared, "value": gold, **options}] if declared else []
    return [
        *tried,
        {"kind": "math", "value": gold, **options},
        {"kind": "exact", "value": gold, "case_sensitive": False},
    ]
