"""Copies of published files in which a row is broken: every row is read, and kept or left out with a cause."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from packs import registry
from packs.draft import DraftPack
from tests.unit.envs.knowledge_graph import test_importer as graphs
from tests.unit.envs.web_browsing.pages import step, task
from tests.unit.envs.web_browsing.test_importer import CLICKED, TYPED
from tests.unit.importers.test_agentbench import GOLD, INTEGER, row, sample

ODD: tuple[Any, ...] = (None, 7, -1.5, "odd é\n;'\"", [], {}, [{"a": 1}], True)
ROWS: dict[str, list[dict[str, Any]]] = {
    "agentbench-db": [row("other", ["x"]), row("INSERT", ["INSERT INTO `t` VALUES (1)"])],
    "agentbench-os": [
        sample({"check": [None, INTEGER], "example": GOLD}, create={"init": [{"code": "true"}]}, labels=["file"]),
        sample({"match": {"answer": "abc", "strip": True}}, start="sleep 9 &"),
    ],
    "agentbench-kg": graphs.SOUND,
    "agentbench-wb": [task(step(), TYPED, CLICKED)],
}


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of everything inside a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield (*at, key)
        yield from places(item, (*at, key))


def broken(found: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """A copy with one thing in it gone or odd."""
    copy = json.loads(json.dumps(found))
    *outer, last = draw.choice(list(places(copy)))
    inside = copy
    for key in outer:
        inside = inside[key]
    if draw.random() < 0.3:
        del inside[last]
    else:
        inside[last] = draw.choice(ODD)
    return dict(copy)


@pytest.mark.parametrize("name", ROWS)
def test_a_broken_row_takes_no_other_with_it(tmp_path: Path, name: str) -> None:
    draw, whole, kept = random.Random(name), ROWS[name], 0
    for number in range(60):
        rows = [*whole, broken(draw.choice(whole), draw)]
        draw.shuffle(rows)
        folder = tmp_path / str(number)
        folder.mkdir()
        file = graphs.published(folder, *rows) if name == "agentbench-kg" else folder / "odd name (copy).json"
        file.write_text(json.dumps(rows))
        draft = registry.importer(name)(file, mode=draw.choice(["fixed", "published"]))
        assert isinstance(draft, DraftPack)
        ids = [problem.id for problem in draft.problems]
        assert len(set(ids)) == len(ids)
        sound = len(whole) if name != "agentbench-wb" else 3
        assert sound <= len(ids)
        assert draft.report.read == len(ids) + len(draft.report.excluded)
        kept += len(ids) > sound
    assert 0 < kept < 60


@pytest.mark.parametrize("name", ROWS)
def test_a_list_and_one_row_a_line_are_the_same_whatever_marks_are_in_the_texts(tmp_path: Path, name: str) -> None:
    rows = json.loads(json.dumps(ROWS[name]))
    asked = next(key for key in ("description", "question", "confirmed_task") if key in rows[0])
    # Marks at which Python's splitlines divides a line, and JSON does not.
    rows[0][asked] += " \u2028 \u0085 \u2029 and no more"
    made = []
    lines = "\n".join(json.dumps(one, ensure_ascii=False) for one in rows)
    for place, text in enumerate((json.dumps(rows), lines)):
        folder = tmp_path / str(place) / "of_one_name"
        folder.mkdir(parents=True)
        file = graphs.published(folder, *rows) if name == "agentbench-kg" else folder / "copy.json"
        file.write_text(text, encoding="utf-8")
        draft = registry.importer(name)(file)
        assert isinstance(draft, DraftPack)
        made.append((draft.problems, draft.references))
    assert made[0] == made[1]
    assert made[0][0]
