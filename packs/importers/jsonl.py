"""Questions of one's own as a pack: JSON lines with the field names that people use.

Needs `question` (or problem, statement, prompt) and `answer` (or gold, target); takes `id`, `choices`, `subject`,
`solution`, `split`, and `kind` with the options of that kind of reference (`unit`, `rel_tol`, `alternatives`, ...).
With `choices` the answer is a letter, a number from 0, or the text of a choice. Without `kind` a gold is taken as
mathematics if it can be read so, and as text otherwise.
"""

from pathlib import Path
from typing import Any

from grading.registry import kinds
from packs.draft import DraftPack
from packs.importers.math import references
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

STATEMENT = ("question", "problem", "statement", "prompt")
GOLD = ("answer", "gold", "target")


def read(source: Path, *, limit: int | None = None, dev: int = 0, slug: str = "") -> DraftPack:
    """Read the questions. Raises ValueError for rows without question or answer."""
    name = identifier(slug or source.stem).lower().replace("_", "-").replace(".", "-")
    described = Source(name, name, "not stated", source.name, f"Questions converted from {source.name}.")
    builder = Builder(described, dev=dev)
    for number, row in enumerate(rows(source, limit), 1):
        builder.add(_question(row, number))
    return builder.draft()


def _question(row: dict[str, Any], number: int) -> Question:
    statement = next((row[name] for name in STATEMENT if row.get(name)), None)
    answer = next((row[name] for name in GOLD if row.get(name) is not None), None)
    if not isinstance(statement, str) or answer is None or isinstance(answer, list | dict):
        raise ValueError(f"row {number}: write a text in one of {', '.join(STATEMENT)} and one in {', '.join(GOLD)}")
    choices = [str(choice) for choice in row.get("choices") or ()]
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
        split=str(row.get("split") or ""),
    )


def _references(row: dict[str, Any], gold: str) -> list[dict[str, Any]]:
    kind = row.get("kind")
    if kind is None:
        return references(gold)
    if kind not in kinds():
        raise ValueError(f"there is no kind '{kind}'; known are {', '.join(kinds())}")
    options = {name: row[name] for name in kinds()[kind].model.model_fields if name in row}
    return [{"value": gold, **options, "kind": kind}]


def _label(answer: Any, choices: list[str], number: int) -> str:
    if isinstance(answer, int) and 0 <= answer < len(choices):
        return LABELS[answer]
    text = str(answer).strip()
    if len(text) == 1 and text.upper() in LABELS[: len(choices)]:
        return text.upper()
    if text in choices:
        return LABELS[choices.index(text)]
    raise ValueError(f"row {number}: the answer is no letter, number or text of its {len(choices)} choices")
