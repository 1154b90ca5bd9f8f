"""OlympiadBench's open-ended questions as a pack: rows {id, question, final_answer, answer_type, unit, error}."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from packs.draft import DraftPack
from packs.importers.math import references
from packs.importers.questions import Builder, Question, Source, identifier, rows

SOURCE = Source(
    "olympiadbench",
    "OlympiadBench (open-ended)",
    "MIT",
    "https://github.com/OpenBMB/OlympiadBench",
    "Olympiad problems with short final answers.",
)
SHAPES: Mapping[tuple[str, bool], Mapping[str, Any]] = {
    ("Numerical", True): {"kind": "set"},
    ("Expression", True): {"kind": "set"},
    ("Tuple", True): {"kind": "math", "shape": "set of tuples"},
    ("Tuple", False): {"kind": "math", "shape": "tuple"},
    ("Interval", False): {"kind": "interval"},
}


def read(source: Path, *, limit: int | None = None, dev: int = 0) -> DraftPack:
    """Read the questions. Raises ValueError for rows that are not OlympiadBench's."""
    builder = Builder(SOURCE, dev=dev)
    for number, row in enumerate(rows(source, limit), 1):
        builder.add(_question(row, number))
    return builder.draft()


def _question(row: dict[str, Any], number: int) -> Question:
    statement, final = row.get("question"), row.get("final_answer")
    if not isinstance(statement, str) or not isinstance(final, list) or not final:
        raise ValueError(f"row {number} is not OlympiadBench's: it needs question and final_answer (a list)")
    gold = ", ".join(re.sub(r"(?<!\\)\$", "", str(part)).strip() for part in final)
    shape = (str(row.get("answer_type") or ""), bool(row.get("is_multiple_answer")))
    options: dict[str, Any] = {}
    if row.get("error"):
        options["abs_tol"] = float(str(row["error"]).split(",")[0])
    context = str(row.get("context") or "").strip()
    return Question(
        id=identifier(str(row.get("id") or number), "olympiad-"),
        type=identifier(shape[0].lower() or "open_ended").replace("-", "_"),
        subject=str(row.get("subfield") or "mathematics"),
        statement=f"{context}\n\n{statement}".strip(),
        references=references(gold, SHAPES.get(shape), **options),
        gold=gold,
        solution="\n\n".join(map(str, row.get("solution") or ())),
    )
