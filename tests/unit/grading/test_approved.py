"""Readings and verdicts word for word (`approved/*.jsonl`, `fresh_pairs.jsonl`)."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.unit.grading.approving import FILES, lines_of, said

_AT_ONCE = 60


def _portions() -> Iterator[Any]:
    for file in FILES:
        lines = lines_of(file)
        for start in range(0, len(lines), _AT_ONCE):
            yield pytest.param(lines[start : start + _AT_ONCE], id=f"{file.stem}-{start}")


@pytest.mark.parametrize("lines", _portions())
def test_what_is_said_is_what_was_approved(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        if "said" in line:
            assert said(line) == line["said"], {name: value for name, value in line.items() if name != "said"}


def test_no_approved_verdict_is_wrong() -> None:
    for pair in lines_of(FILES[-1].with_name("approved") / "pairs.jsonl"):
        if pair["expected"] is not None:
            right = "unscored" not in pair["said"] and pair["said"].startswith("correct ") == pair["expected"]
            assert right, pair
