"""Importers of AgentBench's operating-system and database samples, without playing them."""

import json
from pathlib import Path
from typing import Any

import pytest

from envs import registry
from envs.database.importers import agentbench_db
from envs.operating_system.importers import agentbench_os
from grading.kinds.table import digest
from packs.read import read_pack

GOLD = {"code": "ls /home | wc -l"}
INTEGER = {"language": "python", "file": "check/integer-match.py"}


def system(tmp_path: Path, *samples: dict[str, Any], mode: Any = "fixed") -> tuple[Any, Any]:
    source = tmp_path / "dev.json"
    source.write_text(json.dumps(samples[0] if len(samples) == 1 else samples))
    report = agentbench_os.read(source, mode=mode).write(tmp_path / f"pack-{mode}")
    return report, read_pack(tmp_path / f"pack-{mode}", registry)


def sample(evaluation: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"description": "How many?", "evaluation": evaluation, **more}


def _folder(parent: Path) -> Path:
    folder = parent / str(len(list(parent.iterdir())))
    folder.mkdir()
    return folder


def test_a_check_list_becomes_a_gold_probe_and_a_comparison(tmp_path: Path) -> None:
    create = {"local": "default", "init": [{"code": "mkdir /home/a"}, "touch /home/b"]}
    found = sample({"check": [None, INTEGER], "example": GOLD}, create=create, start="sleep 9 &", labels=["file"])
    report, pack = system(tmp_path, found)
    line = pack.references[0]
    assert (report.read, report.kept, pack.problems[0].subject) == (1, 1, "file")
    assert line.reference["checks"] == [{"compare": "integer", "right": {"source": "probe", "probe": "gold"}}]
    assert [probe.kind for probe in line.episode.probes] == ["gold"]
    assert len(line.episode.spec["init"]) == 2
    assert line.episode.spec["start"] == "sleep 9 &"
    assert "parameters" not in line.episode.probes[0].arguments
    assert "times" not in line.episode.spec
    for code in ("ls -1t /tmp | head -1", "find /a -mmin -5", "stat -c %y /a", "find . -printf '%T@\\n'"):
        newest = sample({"check": [None, INTEGER], "example": {"code": code}})
        _, pack = system(_folder(tmp_path), newest)
        assert pack.references[0].episode.spec["times"] is True, code


def test_the_image_is_pinned_where_it_is_built_and_missed_loudly_where_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELDOUT_IMAGES", str(tmp_path / "images"))
    found = sample({"check": [None, INTEGER], "example": {"code": "find / -name x | wc -l"}})
    report, pack = system(tmp_path, found)
    assert report.notes[0].startswith("THE TASKS' MACHINE IS THIS MACHINE'S OWN /usr")
    assert "image" not in pack.references[0].episode.spec
    assert pack.references[0].reference["partial"] == ["gold"], "find may end with 1"
    with pytest.raises(ValueError, match="no digest of an image 'mine'"):
        agentbench_os.read(tmp_path / "dev.json", image="mine")
    folder = tmp_path / "images" / "heldout_agentbench-os"
    folder.mkdir(parents=True)
    (folder / "digests").write_text(f"rootfs sha256:{'a' * 64}\n")
    report, pack = system(tmp_path, found, mode="published")
    assert not report.notes
    assert pack.references[0].episode.spec["image"] == "heldout/agentbench-os"
    assert pack.benchmark.sandbox_images == {"heldout/agentbench-os": (f"rootfs sha256:{'a' * 64}",)}
    assert not agentbench_os.read(tmp_path / "dev.json", image="host").report.notes


def test_a_chain_of_scripts_passes_its_outputs_on(tmp_path: Path) -> None:
    chain = [{"language": "python", "code": "import sys; print(sys.argv[1])"}, None, {"code": '[ "$1" = "$3" ]'}]
    _, pack = system(tmp_path, sample({"check": chain, "example": GOLD}))
    probes = pack.references[0].episode.probes
    assert [(probe.name, probe.kind) for probe in probes] == [
        ("check-0", "check"),
        ("gold", "gold"),
        ("check-2", "check"),
    ]
    assert probes[2].arguments["parameters"] == [{"answer": True}, {"probe": "check-0"}, {"probe": "gold"}]
    assert pack.references[0].reference["succeeds"] == ["check-0", "check-2"]


@pytest.mark.parametrize(
    ("match", "compare", "value"),
    [("abc", "string", "abc"), ({"answer": "abc", "strip": True}, "string", "abc"), ({"regex": "^a"}, "regex", "^a")],
)
def test_matches(tmp_path: Path, match: Any, compare: str, value: str) -> None:
    _, pack = system(tmp_path, sample({"match": match}))
    check = pack.references[0].reference["checks"][0]
    assert (check["compare"], check["right"]["text"]) == (compare, value)


def test_what_cannot_be_sound_is_left_out_or_marked(tmp_path: Path) -> None:
    golds = ["sudo id -u", "free -m | awk '{print $2}'", "grep $1 x | wc -l", "apt-get install -y x; echo 1"]
    samples = [sample({"check": [None, INTEGER], "example": gold}) for gold in golds]
    samples.append(sample({"check": [None, INTEGER], "example": "f() {\n echo $1\n}\nawk '{print $1}' x; f 1"}))
    samples.append(sample({"check": [{"file": "check/unknown.sh"}], "example": GOLD}))
    report, pack = system(tmp_path, *samples)
    kinds = {remark.id[-1]: remark.kind for remark in report.excluded}
    assert kinds == {"0": "sudo", "1": "volatile", "2": "parameter", "3": "network", "5": "script"}
    assert [problem.id for problem in pack.problems] == ["dev-00004"]
    published, _ = system(tmp_path, *samples, mode="published")
    assert (published.kept, len(published.marked)) == (5, 4)


def test_scripts_are_read_beside_the_data_and_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "secret.sh").write_text("echo outside")
    (tmp_path / "data/6").mkdir(parents=True)
    (tmp_path / "scripts/6/check").mkdir(parents=True)
    (tmp_path / "scripts/6/check/1.py").write_text("print(1)")
    good, bad = ({"check": [{"file": name}], "example": GOLD} for name in ("check/1.py", "../../secret.sh"))
    (tmp_path / "data/6/new.json").write_text(json.dumps([sample(good), sample(bad)]))
    report = agentbench_os.read(tmp_path).write(tmp_path / "pack")
    pack = read_pack(tmp_path / "pack", registry)
    assert [remark.kind for remark in report.excluded] == ["script"]
    assert pack.references[0].id == "006-new-00000"
    assert pack.references[0].episode is not None
    assert pack.references[0].episode.probes[0].arguments["script"] == {"code": "print(1)", "language": "python"}


def test_quoted_descriptions_are_unquoted(tmp_path: Path) -> None:
    _, pack = system(tmp_path, sample({"match": "a"}) | {"description": "'two\\nlines'"})
    assert pack.problems[0].statement == "two\nlines"


def test_what_is_no_sample_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="1 of 1: a sample is an object with 'description' and 'evaluation'"):
        system(tmp_path, {"question": "?"})
    (tmp_path / "lines.jsonl").write_text(json.dumps(row("other", ["x"])) + "\n[1]\n{broken\n")
    with pytest.raises(ValueError, match=r"lines.jsonl:3 is no JSON"):
        agentbench_db.read(tmp_path / "lines.jsonl").write(tmp_path / "pack")
    report, _ = system(tmp_path, sample({"match": "a"}), {"question": "?"}, sample({"match": "b"}) | {"evaluation": 5})
    assert (report.kept, [remark.kind for remark in report.excluded]) == (1, ["format", "format"])
    with pytest.raises(FileNotFoundError):
        agentbench_os.read(tmp_path / "nothing.json").write(tmp_path / "pack")


def test_a_limit_and_both_ways_of_writing_rows(tmp_path: Path) -> None:
    asked = [row("other", [str(number)]) for number in range(3)]
    (tmp_path / "list.json").write_text("\ufeff" + json.dumps(asked), encoding="utf-8")
    (tmp_path / "lines.jsonl").write_text("\n".join(json.dumps(sample({"match": str(n)})) for n in range(3)))
    assert agentbench_db.read(tmp_path / "list.json", limit=2).write(tmp_path / "db").kept == 2
    assert agentbench_os.read(tmp_path / "lines.jsonl", limit=2).write(tmp_path / "os").kept == 2


TABLE = {"table_name": "T", "table_info": {"columns": [{"name": "a"}, {"name": "b"}], "rows": [["1", "x"], [2, None]]}}


def row(kind: str, label: list[str], **more: Any) -> dict[str, Any]:
    return {
        "description": "Do it.",
        "add_description": "The table is T.",
        "label": label,
        "type": [kind],
        "table": TABLE,
    } | more


def test_database_samples(tmp_path: Path) -> None:
    md5 = digest([["1", "x"]])
    broken = {"table_name": "T", "table_info": {"columns": [{"name": "a"}, {"name": "A"}], "rows": []}}
    rows = [
        row("counting", ["1.0"], sql={"query": "SELECT 1"}),
        row("INSERT", ["INSERT INTO T VALUES (3, 4)"], answer_md5=f"[('{md5}',)]"),
        row("UPDATE", ["UPDATE T SET a = 1"], answer_md5="[]"),
        row("other", ["x"]) | {"table": broken},
    ]
    (tmp_path / "std.jsonl").write_text("\n".join(map(json.dumps, rows)))
    report = agentbench_db.read(tmp_path / "std.jsonl").write(tmp_path / "fixed")
    assert [remark.kind for remark in report.excluded] == ["table"]
    fixed = read_pack(tmp_path / "fixed", registry)
    assert [problem.subject for problem in fixed.problems] == ["SELECT", "INSERT", "UPDATE"]
    assert fixed.references[1].reference == {"kind": "table", "task": "state", "mode": "fixed", "expected": "gold"}
    agentbench_db.read(tmp_path / "std.jsonl", mode="published").write(tmp_path / "published")
    published = read_pack(tmp_path / "published", registry)
    assert published.references[1].reference["digest"] == md5
    assert published.references[2].reference["expected"] == "gold"
    assert fixed.benchmark.scoring.scheme == "macro"
