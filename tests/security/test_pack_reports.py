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

GOLD = "7130117"
BROKEN: dict[str, dict[str, Any] | str] = {
    "another number is stated": {"reference": {"kind": "numeric", "value": GOLD}, "gold": "5"},
    "another interval is stated": {"reference": {"kind": "interval", "value": f"[0,{GOLD}]"}, "gold": "[0,1]"},
    "a unit that is none": {"reference": {"kind": "numeric", "value": "3", "unit": f"q{GOLD}"}},
    "a field that is not known": {"reference": {"kind": "exact", "value": "x", GOLD: 1}},
    "given twice": f'{{"id": "test-0", "reference": {{"{GOLD}": 1, "{GOLD}": 2}}}}',
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
    assert GOLD in str(caught.value), "who has the file is told more"
    told = _refused(caught.value.faults).report
    assert GOLD not in told.model_dump_json()
    assert any(fault.line == place + 1 and fault.problem and fault.remedy for fault in told.faults)


def test_a_record_of_the_wrong_type_is_a_fault_by_line(tmp_path: Path) -> None:
    """Once it was a KeyError, and the check of the whole pack ended without a report."""
    pack = choice_pack(count=4)
    write_pack(tmp_path / "pack", pack.benchmark, pack.problems, pack.references)
    file = tmp_path / "pack" / "references.jsonl"
    wrong = {"id": "test-0", "reference": {"kind": "exact", "value": "x"}, "variation": {"constants": {"a": ["1"]}}}
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{json.dumps(wrong)}", encoding="utf-8")
    with pytest.raises(PackError, match=r"constants.a: should be a valid dictionary .*write an object in \{ \}"):
        read_pack(tmp_path / "pack", registry)
