"""What owners already have, on its whole way: converted, uploaded, published, exported, checked and converted again."""

import asyncio
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from api.admission import soundness
from envs import registry
from packs.pack import Pack, canonical
from packs.read import read_pack
from tests.support.owner import Owner, owner
from tests.unit.importers import test_formats as formats
from tests.unit.importers import test_harbor as harbor

__all__ = ["owner"]
Made = tuple[str, Path, dict[str, Any]]
ROWS = formats.ROWS


def in_table(suffix: str) -> Callable[[Path], Made]:
    """A table with names of columns of its own, and a formula, a quote and a comma to be carried through."""

    def made(folder: Path) -> Made:
        theirs = [{"nr": r["id"], "Frage": f'{r["question"]} ("$x^2$", α)', "Antwort": r["answer"]} for r in ROWS]
        columns = {"id": "nr", "question": "Frage", "answer": "Antwort"}
        return "table", formats.WRITERS[suffix](folder / f"sums{suffix}", theirs), {"columns": columns, "dev": 1}

    return made


def hub(folder: Path) -> Made:
    formats.write(folder / "README.md", formats.HEAD)
    formats.lines(folder / "data/train-0.jsonl", [{"question": "How many moons has the Earth?", "answer": 1}])
    formats.columnar(folder / "data/test-0.parquet", [{"question": "How many moons has Mars?", "answer": 2}])
    return "hub", folder, {"dev_split": "train"}


def evalai(folder: Path) -> Made:
    formats.write(folder / "challenge_config.yaml", formats.CHALLENGE)
    formats.write(folder / "templates/description.html", "<p>Add a number and its square.</p>")
    formats.write(folder / "templates/terms.html", "<p>Do not train on it.</p>")
    formats.write(folder / "annotations/test.json", json.dumps({"annotations": ROWS[2:]}))
    formats.write(folder / "annotations/dev.json", json.dumps({"annotations": ROWS[:2]}))
    return "evalai", folder, {}


def codabench(folder: Path) -> Made:
    formats.write(folder / "competition.yaml", formats.COMPETITION)
    formats.write(folder / "terms.md", "Do not train on it.")
    formats.write(folder / "overview.md", "Add a number and its square.")
    formats.table(folder / "reference/truth.csv", [{"id": r["id"], "answer": r["answer"]} for r in ROWS])
    with zipfile.ZipFile(folder / "input.zip", "w") as archive:
        rows = [{"id": r["id"], "question": r["question"]} for r in ROWS]
        archive.writestr("input.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return "codabench", folder, {}


def lm_eval(folder: Path) -> Made:
    options = {"text": ["3", "4", "5"]}
    documents = [{"q": f"Which is the square of {n}?", "options": options, "label": 1} for n in ("2", "-2", "4/2")]
    formats.lines(folder / "set/test.jsonl", documents)
    text = "task: squares\ndataset_path: set\noutput_type: multiple_choice\ndoc_to_text: q\ndoc_to_target: label\n"
    return "lm-eval", formats.write(folder / "t.yaml", text + "doc_to_choice: '{{options.text}}'\n"), {}


def inspect(folder: Path) -> Made:
    rows: list[dict[str, Any]] = [
        {"id": 1, "input": "What is 2 + 4?", "target": "6", "metadata": {"subject": "sums"}},
        {"id": 2, "input": [{"role": "user", "content": "Vienna's river?"}], "target": ["Danube", "Donau"]},
        {"id": 3, "input": "Which is a square?", "choices": ["3", "4"], "target": "B"},
    ]
    return "inspect", formats.lines(folder / "samples.jsonl", rows), {}


def harbor_tasks(folder: Path) -> Made:
    return "harbor", harbor.written(folder), {}


FORMATS = {
    **{suffix.lstrip("."): in_table(suffix) for suffix in formats.WRITERS},
    **{made.__name__: made for made in (hub, evalai, codabench, lm_eval, inspect, harbor_tasks)},
}


async def converted(made: Made, out: Path) -> Pack:
    """The pack that `heldout-server convert` writes, handed to the owner's organisation."""
    name, source, options = made
    check = False if name == "harbor" else None  # what plays solutions is tested with the importer
    await asyncio.to_thread(soundness.convert, name, source, out, {"slug": "carried"} | options, check)
    head = out / "benchmark.toml"
    lines = head.read_text(encoding="utf-8").splitlines(keepends=True)
    head.write_text("".join('owner = "owners"\n' if line.startswith("owner = ") else line for line in lines))
    return read_pack(out, registry, grade_gold=name != "harbor")


def content(pack: Pack) -> list[str]:
    """All that a pack holds, golds and files included, whatever the order of its lines."""
    records = (pack.benchmark, *pack.problems, *pack.references)
    return sorted(map(canonical, records)) + sorted(
        f"{name}: {p.read_bytes().hex()}" for name, p in pack.assets.items()
    )


@pytest.mark.parametrize("name", FORMATS)
async def test_what_was_converted_is_published_and_comes_back_as_it_was(
    name: str, owner: Owner, tmp_path: Path
) -> None:
    made = FORMATS[name](tmp_path / "theirs")
    pack = await converted(made, tmp_path / "pack")
    uploaded = await owner.json("packs", "upload", str(pack.path))
    assert (uploaded["faults"], uploaded["admissible"]) == ([], True)
    assert (await owner.json("packs", "publish", uploaded["id"]))["state"] == "published"
    out = tmp_path / "exported"
    await owner.run("packs", "export", "carried", str(out), "--references", str(pack.path / "references.jsonl"))
    exported = read_pack(out, registry, grade_gold=made[0] != "harbor")
    assert content(exported) == content(pack)
    assert content(await converted(made, tmp_path / "again")) == content(exported)
