"""What an owner is told of a pack that is refused is kept under a key that the web process has: it quotes no gold."""

import json
from pathlib import Path
from typing import Any

import pytest

from api.worker.examiner import _refused
from envs import registry
from packs.faults import PackError
from packs.read import read_pack
from packs.write import write_pack
from tests.support.service import choice_pack

GOLD = "zebrafish77"
BROKEN: dict[str, dict[str, Any] | str] = {
    "none of the choices": {"reference": {"kind": "multiple_choice", "value": GOLD, "choices": ["A", "B", "C", "D"]}},
    "another gold is stated": {"reference": {"kind": "exact", "value": "other"}, "gold": GOLD},
    "no formula": {"reference": {"kind": "symbolic", "value": f"\\frac{{{GOLD}}}{{ + ) ="}},
    "another type": {"reference": {"kind": "exact", "value": [GOLD]}, "solution": 5},
    "no expression": {
        "reference": {"kind": "numeric", "value": "{{gold}}"},
        "variation": {"constants": {"a": ["1", "2"]}, "gold": f"{GOLD} + "},
    },
    "choices become the same": {"reference": {"kind": "exact", "value": GOLD}, "variation": {"slots": {"x": [GOLD]}}},
    "a field that is not known": {"reference": {"kind": "exact", "value": "x", GOLD: 1}},
    "given twice": f'{{"id": "test-0", "reference": {{"{GOLD}": 1, "{GOLD}": 2}}}}',
    "no JSON": f'{{"id": "test-0", "reference": {{"kind": "exact", "value": "{GOLD}"',
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_report_quotes_no_reference(tmp_path: Path, how: str) -> None:
    pack, line = choice_pack(count=4), BROKEN[how]
    write_pack(tmp_path / "pack", pack.benchmark, pack.problems, pack.references)
    file = tmp_path / "pack" / "references.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    place = next(number for number, text in enumerate(lines) if '"test-0"' in text)
    lines[place] = line if isinstance(line, str) else json.dumps({"id": "test-0"} | line)
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(PackError) as caught:
        read_pack(tmp_path / "pack", registry)
    told = _refused(caught.value.faults).report
    assert GOLD not in told.model_dump_json()
    assert any(fault.line == place + 1 and fault.problem and fault.remedy for fault in told.faults)


def test_the_command_line_says_more_where_the_golds_are(tmp_path: Path) -> None:
    pack = choice_pack(count=4)
    write_pack(tmp_path / "pack", pack.benchmark, pack.problems, pack.references)
    file = tmp_path / "pack" / "references.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace('"gold": "A"', f'"gold": "{GOLD}"'), encoding="utf-8")
    with pytest.raises(PackError, match=r"its own reference grades it unparseable \(no label"):
        read_pack(tmp_path / "pack", registry)
