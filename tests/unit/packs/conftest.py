"""A small right pack on disk, to be spoilt by the tests."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TOML = '''slug = "tiny"
title = "Tiny"
version = "1.0.0"
owner = "heldout"
licence = "CC-BY-4.0"
card = """
# Tiny
[not.a.table]
"""
canary = "canary 5f1d7a52-0000-4000-8000-000000000000"

[splits.dev]
visibility = "dev"
feedback = "full"

[splits.test]
visibility = "test"
feedback = "ladder"
'''
PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)


def problem(identifier: str, **changes: Any) -> dict[str, Any]:
    choices = [{"label": label, "text": f"number {label}"} for label in "ABC"]
    row = {"id": identifier, "split": "dev", "type": "multiple_choice", "subject": "law", "statement": "Which one?"}
    return row | {"choices": choices} | changes


def reference(identifier: str, **changes: Any) -> dict[str, Any]:
    gold = {"kind": "multiple_choice", "value": "B", "choices": ["A", "B", "C"]}
    return {"id": identifier, "reference": gold, "gold": "B"} | changes


class Draft:
    """A pack as text and rows, written by `save`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.toml = TOML
        self.problems: list[Any] = [problem("p1"), problem("p2", split="test")]
        self.references: list[Any] = [reference("p1"), reference("p2")]
        self.assets: dict[str, bytes] = {}

    def save(self) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "benchmark.toml").write_text(self.toml, encoding="utf-8")
        for name, rows in (("problems.jsonl", self.problems), ("references.jsonl", self.references)):
            lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
            (self.folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        for name, content in self.assets.items():
            (self.folder / "assets").mkdir(exist_ok=True)
            (self.folder / "assets" / name).write_bytes(content)
        return self.folder


@pytest.fixture
def draft(tmp_path: Path) -> Draft:
    return Draft(tmp_path / "tiny")


@pytest.fixture
def spoil(draft: Draft) -> Callable[..., Draft]:
    """The draft with its first problem and reference changed."""

    def change(problem: dict[str, Any] | None = None, reference: dict[str, Any] | None = None) -> Draft:
        draft.problems[0] = draft.problems[0] | (problem or {})
        draft.references[0] = draft.references[0] | (reference or {})
        return draft

    return change
