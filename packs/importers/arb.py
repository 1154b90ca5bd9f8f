"""ARB (TheDuckAI/arb) as a pack. Reads what its library routes answered with, as one JSON or JSONL file or a folder.

Both spellings of the schema are understood ("Problem Statement" and "Problem_Statement", "Final Answer" and
"Final_Answer"). Pictures are taken from files beside the source with the names that end their addresses.
"""

import re
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from packs.draft import DraftPack
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

SOURCE = Source(
    "arb",
    "ARB: Advanced Reasoning Benchmark",
    "CC-BY-4.0",
    "https://github.com/TheDuckAI/arb",
    "Graduate-level problems in mathematics, physics, law and the medical admission test.",
)
TOTAL = 10
_POINTS = re.compile(r"[(\[]?\s*(?P<points>\d+(?:\.\d+)?)\s*(?:points?|pts?\.?|marks?)\b\s*[)\]]?", re.IGNORECASE)
_LABEL = re.compile(r"^\s*\(?[A-Z][).:]\s+")


def read(source: Path, *, limit: int | None = None, dev: int = 0, subject: str = "") -> DraftPack:
    """Read the questions. `subject` names the subject of rows that do not say it."""
    builder = Builder(SOURCE, dev=dev)
    for number, row in enumerate(rows(source, limit), 1):
        if "error" in row and len(row) == 1:
            continue
        builder.add(_question(row, number, source if source.is_dir() else source.parent, subject))
    return builder.draft()


def _question(row: dict[str, Any], number: int, folder: Path, subject: str) -> Question:
    statement = str(_get(row, "Problem Statement") or "").strip()
    if not statement:
        raise ValueError(f"row {number} is not ARB's: it needs 'Problem Statement'")
    answer = _text(_get(row, "Final Answer"))
    candidates = [
        _LABEL.sub("", _text(item)).strip() for item in _get(row, "Answer Candidates") or [] if _text(item).strip()
    ]
    kind = _kind(str(_get(row, "Problem Type") or ""), answer, candidates)
    solution = _text(_get(row, "Solution"))
    common: dict[str, Any] = {
        "id": identifier(str(row.get("_id") or number), "arb-"),
        "type": kind,
        "subject": str(row.get("Subject") or subject or row.get("Topic") or "general").strip(),
        "statement": statement,
        "solution": solution,
        "images": _images(row, folder),
        "answer_format": str(_get(row, "Output Format Instructions") or "").strip() or FINAL,
    }
    if kind == "multiple_choice":
        label = answer.strip().strip("().")[:1].upper()
        reference = multiple_choice(label, len(candidates))
        return Question(references=[reference], gold=label, choices=candidates, **common | {"answer_format": LETTER})
    if kind == "numerical":
        wanted = [
            {"kind": "numeric", "value": answer, "rel_tol": 0.01},
            {"kind": "math", "value": answer, "rel_tol": 0.01},
        ]
        return Question(references=wanted, gold=answer, **common)
    if kind == "symbolic":
        wanted = [{"kind": "symbolic", "value": answer}, {"kind": "math", "value": answer}]
        return Question(references=wanted, gold=answer, **common)
    rubric = {"kind": "rubric", "rubric": rubric_of(_text(row.get("rubric"))), "solution": solution or answer}
    return Question(references=[rubric | {"question": statement}], gold=None, **common)


def rubric_of(text: str) -> dict[str, Any]:
    """The rubric's items with their points; the whole as one item where the points do not sum to 10."""
    criteria: list[dict[str, Any]] = []
    for line in text.splitlines():
        found = _POINTS.search(line)
        if found and not re.search(r"\btotal\b", line, re.IGNORECASE):
            words = _POINTS.sub("", line, count=1).strip(" -*•:.;\t") or f"item {len(criteria) + 1}"
            criteria.append({"id": f"c{len(criteria) + 1}", "text": words, "points": float(found["points"])})
        elif criteria and line.strip():
            criteria[-1]["text"] += f"\n{line.strip()}"
    if not criteria or sum(item["points"] for item in criteria) != TOTAL:
        words = text.strip() or "The answer is complete and correct, as in the reference solution."
        criteria = [{"id": "c1", "text": words, "points": TOTAL, "half": "right in the main, with gaps"}]
    return {"total": TOTAL, "criteria": criteria}


def _kind(stated: str, answer: str, candidates: list[str]) -> str:
    name = stated.lower().replace("-", " ").replace("_", " ").strip()
    if "multiple" in name or (
        len(candidates) > 1 and answer.strip().strip("().").upper()[:1] in LABELS[: len(candidates)]
    ):
        return "multiple_choice"
    if "symbolic" in name:
        return "symbolic"
    if "proof" in name or name == "text" or not answer.strip():
        return "proof"
    return "numerical" if "numer" in name or re.search(r"\d", answer) else "symbolic"


def _images(row: dict[str, Any], folder: Path) -> dict[str, Path]:
    found = {}
    for address in _get(row, "Images") or []:
        name = PurePosixPath(urlsplit(str(address)).path).name
        if not name or not (folder / name).is_file():
            raise ValueError(
                f"the picture {name or address} of {row.get('_id')} is not beside the source; put it there"
            )
        found[name] = folder / name
    return found


def _get(row: dict[str, Any], name: str) -> Any:
    return row.get(name, row.get(name.replace(" ", "_")))


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    return "" if value is None else str(value)
