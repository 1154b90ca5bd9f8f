"""TurkingBench's importer and its numbers, on a folder of our own in the published layout."""

import csv
from pathlib import Path

import pytest

from api.admission import soundness
from envs import registry
from envs.web_forms.importers.turkingbench_read import sample, tasks
from packs.read import read_pack
from tools import check_turkingbench

pytestmark = pytest.mark.browser

RATE = """<p>${sentence}</p><label><input type=radio name=mood value=1>good</label>
<label><input type=radio name=mood value=2>bad</label><input type=checkbox name=tags value=a>a
<input type=checkbox name=tags value=b>b <input type=range name=score min=0 max=10 value=5>
<textarea name=why>because</textarea><select name=size><option value=""><option value=s>S</select>"""
HIDDEN = """<button type=button onclick="place.innerHTML='<input name=late>'">more</button><div id=place></div>"""
ROWS = [
    ["It rains", "1", "a|b", "7", "wet all day", "s"],
    ["It rains", "1.0", "b|a", "9", "water falls down", "s"],
    ["It rains", "2", "", "8", "", "s"],
    ["Sun", "2", "", "2", "because", ""],
]


@pytest.fixture
def published(tmp_path: Path, has_chromium: None) -> Path:
    """Three tasks: one whole, one whose field appears after a click, one without answers."""
    root = tmp_path / "published"
    for name, template in (("Rate it", RATE), ("Click first", HIDDEN), ("No answers", RATE)):
        (root / "tasks" / name).mkdir(parents=True)
        (root / "tasks" / name / "template.html").write_text(template)
    names = ["sentence", *(f"Answer.{field}" for field in ("mood", "tags", "score", "why", "size"))]
    _write(root / "tasks" / "Rate it" / "batch.csv", [names, *ROWS])
    _write(root / "tasks" / "Click first" / "batch.csv", [["x", "Answer.late"], ["1", "word"]])
    (root / "splits").mkdir()
    (root / "splits" / "evaluation_tasks_hard.txt").write_text("Click first\n")
    return root


def _write(path: Path, rows: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)


def test_rows_of_the_same_input_are_one_instance_with_all_answers(published: Path) -> None:
    found = {task.name: task for task in tasks(published)}
    assert {name: (task.split, len(task.instances)) for name, task in found.items()} == {
        "Rate it": ("train", 2),
        "Click first": ("hard", 1),
        "No answers": ("train", 0),
    }
    assert found["Rate it"].instances[0].answers["score"] == ("7", "9", "8")
    assert sample(found["Rate it"], 1, 3) == sample(found["Rate it"], 1, 3)


@pytest.mark.parametrize(("mode", "scoring"), [("published", "published"), ("fixed", "corrected")])
def test_the_pack_holds_what_its_oracle_can_do(published: Path, tmp_path: Path, mode: str, scoring: str) -> None:
    report = soundness.convert("turkingbench", published, tmp_path / "pack", {"mode": mode}, check=True)
    assert [(remark.id, remark.kind) for remark in report.excluded if remark.kind == "no answers"] == [
        ("No answers", "no answers")
    ]
    assert ("click-first-0000", "no field") in [(remark.id, remark.kind) for remark in report.excluded]
    pack = read_pack(tmp_path / "pack", registry)
    assert "rate-it-0000" in {line.id for line in pack.references}
    line = next(line for line in pack.references if line.id == "rate-it-0000")
    assert line.reference["scoring"] == scoring
    types = {field["name"]: field["type"] for field in line.reference["fields"]}
    assert types == {"mood": "radio", "tags": "checkbox", "score": "range", "why": "textarea", "size": "select"}
    assert next(field for field in line.reference["fields"] if field["name"] == "score")["high"] == 10


async def test_doing_nothing_scores_the_same_when_worked_out_twice(published: Path, shared_browser: object) -> None:
    rows = {row.task: row for row in await check_turkingbench.measure(published, 2, 0)}
    rate = rows["Rate it"]
    assert rate.oracle == [1.0, 1.0]
    assert rate.nothing == pytest.approx(rate.independent, abs=1e-9)
    # By hand: of the first input the empty tags and the range count; of the second also the text and the size.
    assert rate.nothing == pytest.approx([2 / 5, 4 / 5], abs=1e-9)
    assert rows["Click first"].nothing == rows["Click first"].independent == [0.0]
    assert rows["No answers"].note == "no batch.csv"
