"""The labelled pairs that are published, at the bars the grader must reach."""

import json
from pathlib import Path

import pytest

from grading import Answer, grade
from grading.pair_lines import reference_of
from grading.report import Row, totals

BARS = {
    "arb_style_pairs": (2, 0.97, 0.004, 0.02),
    "all_labelled_pairs": (1, 0.95, 0.02, 0.02),
    "real_gold_pairs": (4, 0.99, 0.001, 0.02),
    "adversarial": (1, 0.0, 0.0, 0.2),
}
"""Every how many-th pair; least right; most accepted of the wrong; most unscored."""


@pytest.mark.slow
@pytest.mark.parametrize("name", BARS)
def test_bar(name: str, data: Path) -> None:
    step, accuracy, accepted, unscored = BARS[name]
    file = data / "math" / "pairs_open" / f"{name}.jsonl"
    if not file.is_file():
        pytest.skip(f"no labelled pairs at {file}")
    rows = []
    for line in file.read_text(encoding="utf-8").splitlines()[::step]:
        pair = json.loads(line)
        text = pair["pred"].encode("utf-8", "replace").decode()
        verdict = grade(Answer(text=text), reference_of(pair))
        rows.append(Row(pair["kind"], pair["expected"], verdict.score, verdict.outcome, 0.0))
    found = totals(rows, 0.0)
    assert found["accuracy"] >= accuracy, found
    assert found["false_positives"] <= accepted * found["negatives"], found
    assert found["unscored"] <= unscored * found["n"], found
