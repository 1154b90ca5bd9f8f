"""MMLU (Hendrycks et al.) with rows {id, subject, question, choices, answer} as a pack."""

from pathlib import Path
from typing import Any

from packs.draft import DraftPack
from packs.importers.questions import LABELS, LETTER, Builder, Question, Source, identifier, multiple_choice, rows

SOURCE = Source(
    "mmlu", "MMLU", "MIT", "https://github.com/hendrycks/test", "Four-choice questions over many fields of study."
)


def read(source: Path, *, limit: int | None = None, dev: int = 0) -> DraftPack:
    """Read the questions. Raises ValueError for rows that are not MMLU's."""
    builder = Builder(SOURCE, dev=dev)
    for number, row in enumerate(rows(source, limit), 1):
        builder.add(_question(row, number))
    return builder.draft()


def _question(row: dict[str, Any], number: int) -> Question:
    try:
        choices = [str(choice).strip() for choice in row["choices"]]
        answer = row["answer"]
        label = LABELS[answer] if isinstance(answer, int) else str(answer).strip()
        subject = str(row.get("subject", "mmlu"))
        statement = str(row["question"]).strip()
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"row {number} is not MMLU's: {error} (it needs question, choices and answer)") from error
    return Question(
        id=identifier(str(row.get("id") or f"{subject}-{number}")),
        type="multiple_choice",
        subject=subject.replace("_", " "),
        statement=statement,
        references=[multiple_choice(label, len(choices))],
        gold=label,
        choices=choices,
        answer_format=LETTER,
    )
