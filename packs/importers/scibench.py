"""SciBench (mandyyyyii/scibench) as a pack: rows {problem_text, answer_number, unit, source, problemid, solution}."""

import re
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from grading.language.limits import LanguageError
from grading.language.unitnames import unit_of
from packs.draft import DraftPack
from packs.importers.questions import Builder, Question, Source, identifier, rows

SOURCE = Source(
    "scibench",
    "SciBench",
    "MIT",
    "https://github.com/mandyyyyii/scibench",
    "College physics, chemistry and mathematics with numerical answers.",
)
SUBJECTS = {
    "atkins": "physical chemistry",
    "chemmc": "physical chemistry",
    "matter": "physical chemistry",
    "quan": "quantum chemistry",
    "fund": "fundamental physics",
    "class": "classical dynamics",
    "thermo": "thermodynamics",
    "calculus": "calculus",
    "stat": "statistics",
    "diff": "differential equations",
}
TOLERANCE, WIDEST = Decimal("0.01"), Decimal("0.05")


def read(source: Path, *, limit: int | None = None, dev: int = 0) -> DraftPack:
    """Read the questions. Raises ValueError for rows that are not SciBench's.

    Tolerance: 1 %, or half a unit of the gold's last digit where that is more, and never over the 5 % of the original.
    """
    builder = Builder(SOURCE, dev=dev)
    for number, row in enumerate(rows(source, limit), 1):
        builder.add(_question(row, number))
    return builder.draft()


def _question(row: dict[str, Any], number: int) -> Question:
    try:
        statement, gold = str(row["problem_text"]).strip(), str(row["answer_number"]).strip()
        value = Decimal(gold.replace(",", "").replace("−", "-"))
    except (KeyError, InvalidOperation) as error:
        raise ValueError(
            f"row {number} is not SciBench's: it needs problem_text and a numeric answer_number"
        ) from error
    unit = clean_unit(str(row.get("unit") or ""))
    reference: dict[str, Any] = {
        "kind": "numeric",
        "value": gold.replace(",", "").lstrip("+"),
        "rel_tol": float(tolerance(value)),
    }
    if unit and _known(unit):
        reference["unit"] = unit
    asked = f" in units of {unit}" if unit else ""
    name = f"{row.get('source', 'scibench')}-{number:03d}-{row.get('problemid', '')}"
    return Question(
        id=identifier(name),
        type="numerical",
        subject=SUBJECTS.get(str(row.get("source")), "science"),
        statement=statement,
        references=[reference],
        gold=gold,
        answer_format=f"Give the number{asked}, without unit, in the last line of your response, preceded by ANSWER:",
        solution=str(row.get("solution") or "").strip(),
    )


def tolerance(value: Decimal) -> Decimal:
    """The relative tolerance that the gold's own digits justify."""
    if not value:
        return TOLERANCE
    exponent = value.as_tuple().exponent
    half = Decimal(5).scaleb(int(exponent) - 1) if isinstance(exponent, int) else Decimal(0)
    return min(WIDEST, max(TOLERANCE, (half / abs(value)).quantize(Decimal("0.0001"))))


def clean_unit(text: str) -> str:
    """The unit without the dollar signs and spacing of the source; a lone dollar sign is money."""
    text = " ".join(text.split())
    if text in {"$", r"$\$$", r"\$"}:
        return r"\$"
    return re.sub(r"(?<!\\)\$", "", text).replace("~", " ").strip()


def _known(unit: str) -> bool:
    try:
        unit_of(unit)
    except LanguageError:
        return False
    return True
