"""What means the same and its wrong twins (`semantics.jsonl`): sign, factor, unit, index set, condition, bound."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from grading import Answer, grade

_LINES = Path(__file__).with_name("semantics.jsonl").read_text(encoding="utf-8").splitlines()
_PAIRS = [json.loads(line) for line in _LINES]
_GROUPS: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
for _pair in _PAIRS:
    _GROUPS[_pair["group"]].append(_pair)


@pytest.mark.parametrize("group", _GROUPS)
def test_right_ones_are_accepted_and_wrong_ones_are_not(group: str) -> None:
    failed = []
    for pair in _GROUPS[group]:
        reference: dict[str, Any] = {"kind": "math", "value": pair["gold"], **pair.get("options", {})}
        verdict = grade(Answer(text=pair["pred"], context={"statement": pair.get("question", "")}), reference)
        if (verdict.score == 1) != pair["expected"]:
            failed.append((pair["gold"], pair["pred"], verdict.reason))
    assert not failed


def test_every_group_has_wrong_twins() -> None:
    for group, pairs in _GROUPS.items():
        assert {pair["expected"] for pair in pairs} >= {False}, group
