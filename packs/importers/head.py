"""What a published benchmark says of itself, put into the head of a pack that is made of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from packs.benchmark import Agreement, Benchmark
from packs.draft import DraftPack
from packs.problem import Problem

_TITLE = 200
_SUMMARY = 500


def with_head(
    draft: DraftPack,
    *,
    title: str = "",
    summary: str = "",
    card: str = "",
    terms: str = "",
    submissions: int | None = None,
) -> DraftPack:
    """The draft with what its source says: title, summary, text of the card, terms to accept, submissions in all."""

    def made(kept: Sequence[Problem]) -> Benchmark:
        head = draft.card(kept)
        changed: dict[str, Any] = {
            "title": title.strip()[:_TITLE] or head.title,
            "summary": " ".join(summary.split())[:_SUMMARY] or head.summary,
            "card": f"{card.strip()}\n\n{head.card}" if card.strip() else head.card,
        }
        if terms.strip():
            changed["agreement"] = Agreement(text=terms.strip())
        if submissions is not None:
            splits = {
                name: config.model_copy(update={"submissions_per_organisation": submissions})
                for name, config in head.splits.items()
            }
            changed["splits"] = splits
        return head.model_copy(update=changed)

    return replace(draft, card=made)


def note_left(draft: DraftPack, left: Mapping[str, object]) -> None:
    """Say in the report what of the source is in nothing: names of parts, those that are there."""
    there = [name for name, value in left.items() if value]
    if there:
        draft.report.notes.append(f"not carried over: {', '.join(there)}")
