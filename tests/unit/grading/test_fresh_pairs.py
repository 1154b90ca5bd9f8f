"""Pairs in every notation of the answer language, labelled before the grader was asked (`fresh_pairs.jsonl`)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grading import Answer, grade, parse_reference
from grading.pair_lines import reference_of
from grading.pairs import main

LINES = (Path(__file__).parent / "fresh_pairs.jsonl").read_text(encoding="utf-8").splitlines()
KNOWN = {
    ("(1,2)", "1,2"): "a bare list may be two answers, and the pair an interval",
    (r"\int f(x)\,dx", r"\int f(t)\,dt"): "unscored: nothing to evaluate",
    (r"\frac{\hbar^2\pi^2 n^2}{2mL^2}", r"n^2\pi^2\hbar^2/2 m L^2"): "after a space a slash ends at the number",
    ("7", "x = 7 (or x = -7, rejected)"): "two values and words",
    ("2", "twice"): "a number of times is a count",
}
"""What the grader gets wrong, with the reason."""


def by_kind() -> Iterator[Any]:
    pairs = [json.loads(line) for line in LINES]
    for kind in dict.fromkeys(pair["kind"] for pair in pairs):
        yield pytest.param([pair for pair in pairs if pair["kind"] == kind], id=kind)


@pytest.mark.parametrize("pairs", by_kind())
def test_every_pair_of_a_kind(pairs: list[dict[str, Any]]) -> None:
    wrong = []
    for pair in pairs:
        verdict = grade(Answer(text=pair["pred"]), parse_reference(reference_of(pair)))
        right = verdict.score is not None and (verdict.score == 1.0) == pair["expected"]
        if right == ((pair["gold"], pair["pred"]) in KNOWN):
            wrong.append((pair["gold"], pair["pred"], pair["expected"], verdict.reason))
    assert not wrong


def test_a_line_that_is_no_pair_ends_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.jsonl"
    lines = [
        "{",
        '{"gold": "1"}',
        '{"gold": "1", "pred": "1", "options": {"up_to": ["sign"]}}',
        '{"gold": "1", "pred": "1"}',
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    assert main([str(file), "--workers", "1", "--summary"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["outcome"] for line in said[:4]] == ["unscored"] * 3 + ["correct"]
    assert json.loads(said[-1])["unscored"] == 3
