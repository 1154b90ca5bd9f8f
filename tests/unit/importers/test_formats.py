"""What owners already have, from files: tables, dataset folders, bundles of platforms, tasks of harnesses."""

import csv
import json
import zipfile
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from api.admission import soundness
from envs import registry
from packs.pack import Pack
from packs.read import read_pack
from packs.report import Report

ROWS: list[dict[str, Any]] = [
    {"id": f"r{number}", "question": f"What is {number} + {number * number}?", "answer": str(number + number * number)}
    for number in range(2, 8)
]


def converted(name: str, source: Path, **options: Any) -> tuple[Pack, Report]:
    """Convert, and read the pack with every check."""
    out = source.parent / "pack"
    report = soundness.convert(name, source, out, options)
    return read_pack(out, registry), report


def golds(pack: Pack) -> dict[str, str | None]:
    return {line.id: line.gold for line in pack.references}


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    return write(path, "".join(json.dumps(row) + "\n" for row in rows))


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter="\t" if path.suffix == ".tsv" else ",")
        writer.writeheader()
        writer.writerows(rows)
    return path


def columnar(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


WRITERS = {".jsonl": lines, ".csv": table, ".tsv": table, ".parquet": columnar}
ALL = {row["id"]: row["answer"] for row in ROWS}


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_table_with_its_own_names_of_columns(suffix: str, tmp_path: Path) -> None:
    theirs = [{"nr": r["id"], "Frage": r["question"], "Antwort": r["answer"], "Notiz": "x"} for r in ROWS]
    columns = {"id": "nr", "question": "Frage", "answer": "Antwort"}
    pack, report = converted("table", WRITERS[suffix](tmp_path / f"t{suffix}", theirs), columns=columns)
    assert golds(pack) == ALL
    assert report.notes[0] == "not carried over: the columns Notiz"


def test_choices_in_columns_of_their_own_and_as_json_in_a_cell(tmp_path: Path) -> None:
    row = {"q": "Which is a square?", "a": "3", "b": "4", "c": "5", "right": "1"}
    columns: dict[str, Any] = {"question": "q", "choices": ["a", "b", "c"], "answer": "right"}
    pack, _ = converted("table", table(tmp_path / "one" / "t.csv", [row]), columns=columns)
    assert golds(pack) == {"q1": "B"}
    cell = {"question": "Which is a square?", "choices": json.dumps(["3", "4", "5"]), "answer": "4"}
    pack, _ = converted("table", table(tmp_path / "two" / "t.csv", [cell]))
    assert golds(pack) == {"q1": "B"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("question,answer\na,b,c\n", "the row has not as many cells as the header"),
        ("Frage,answer\na,b\n", "there are Frage, answer"),
        ("question,answer,choices\na,b,c;d\n", "write the choices as a JSON list"),
    ],
)
def test_a_table_that_cannot_be_read_is_said_with_its_row(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=fault):
        converted("table", write(tmp_path / "t.csv", text))


def test_a_column_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no column 'frage'; there are id, question, answer"):
        converted("table", lines(tmp_path / "t.jsonl", ROWS), columns={"question": "frage"})


HEAD = """---
license: mit
pretty_name: Sums
configs:
- config_name: main
  data_files:
  - split: train
    path: data/train-*.jsonl
  - split: test
    path: data/test-*.parquet
dataset_info:
  features:
  - name: question
    dtype: string
  - name: answer
    dtype:
      class_label:
        names:
          '0': none
          '1': one
          '2': two
---
# Sums
"""


def test_a_dataset_folder_with_a_declared_configuration(tmp_path: Path) -> None:
    folder = tmp_path / "sums"
    write(folder / "README.md", HEAD)
    lines(folder / "data/train-0.jsonl", [{"question": "How many moons has the Earth?", "answer": 1}])
    columnar(folder / "data/test-0.parquet", [{"question": "How many moons has Mars?", "answer": 2}])
    pack, report = converted("hub", folder, dev_split="train")
    assert {p.split: p.statement for p in pack.problems} == {
        "dev": "How many moons has the Earth?",
        "test": "How many moons has Mars?",
    }
    assert sorted(filter(None, golds(pack).values())) == ["one", "two"]
    assert (pack.benchmark.title, pack.benchmark.licence) == ("Sums", "mit")
    assert report.kept == 2


def test_a_dataset_folder_without_a_head_goes_by_names_and_four_hashes_mark_the_answer(tmp_path: Path) -> None:
    folder = tmp_path / "gsm"
    lines(folder / "main/train.jsonl", ROWS[:2])
    lines(folder / "main/test.jsonl", [{"question": "2 apples at 3 each?", "answer": "2 * 3 = <<2*3=6>>6\n#### 6"}])
    pack, report = converted("hub", folder)
    assert golds(pack) == {"q1": "6"}
    assert pack.references[0].solution == "2 * 3 = <<2*3=6>>6"
    assert "not carried over: the splits train" in report.notes
    with pytest.raises(ValueError, match="there is no split 'validation'; there are test, train"):
        converted("hub", folder, split="validation")


def test_a_head_that_names_files_outside_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    lines(tmp_path / "golds.jsonl", ROWS)
    write(folder / "README.md", "---\nconfigs:\n- data_files:\n  - {split: test, path: ../golds.jsonl}\n---\n")
    with pytest.raises(ValueError, match="leads out of the folder"):
        converted("hub", folder)
    write(folder / "README.md", "---\nconfigs:\n- data_files:\n  - {split: test, path: '*.jsonl'}\n---\n")
    (folder / "in.jsonl").symlink_to(tmp_path / "golds.jsonl")
    with pytest.raises(ValueError, match="leads out of the folder"):
        converted("hub", folder)


CHALLENGE = """title: Sums of squares
short_description: Whether sums are done.
description: templates/description.html
terms_and_conditions: templates/terms.html
evaluation_script: evaluation_script.zip
leaderboard:
  - id: 1
challenge_phases:
  - id: 1
    name: Dev Phase
    codename: dev
    test_annotation_file: annotations/dev.json
  - id: 2
    name: Test Phase
    codename: test
    max_submissions: 40
    max_submissions_per_day: 5
    start_date: 2026-01-01 00:00:00
    test_annotation_file: annotations/test.json
"""


def test_a_challenge_of_evalai(tmp_path: Path) -> None:
    folder = tmp_path / "challenge"
    write(folder / "challenge_config.yaml", CHALLENGE)
    write(folder / "templates/description.html", "<p>Add a number and its square.</p>")
    write(folder / "templates/terms.html", "<p>Do not train on it.</p>")
    write(folder / "annotations/test.json", json.dumps({"version": 1, "annotations": ROWS}))
    pack, report = converted("evalai", folder, phase="test")
    head = pack.benchmark
    assert golds(pack) == ALL
    assert (head.title, head.summary) == ("Sums of squares", "Whether sums are done.")
    assert "Add a number and its square." in head.card
    assert head.agreement is not None
    assert head.agreement.text == "<p>Do not train on it.</p>"
    assert head.splits["test"].submissions_per_organisation == 40
    left = "the evaluation script, dates of the phase, submissions a day and a month, the leaderboard's schema"
    assert f"not carried over: {left}, the phases dev" in report.notes
    with pytest.raises(ValueError, match="no phase 'final'; it has dev, test"):
        converted("evalai", folder, phase="final")
    with pytest.raises(ValueError, match=r"there is no file 'annotations/dev\.json'"):
        converted("evalai", folder)


COMPETITION = """version: 2
title: Sums of squares
description: Whether sums are done.
image: logo.png
terms: terms.md
pages:
  - {title: Overview, file: overview.md}
tasks:
  - {index: 0, name: Sums, input_data: input.zip, reference_data: reference, scoring_program: scoring.zip}
phases:
  - {index: 0, name: Final, start: 2026-01-01, max_submissions: 30, tasks: [0]}
leaderboards:
  - {title: Results, key: main}
"""


def test_a_bundle_of_codabench_in_a_zip(tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    write(folder / "competition.yaml", COMPETITION)
    write(folder / "terms.md", "Do not train on it.")
    write(folder / "overview.md", "Add a number and its square.")
    table(folder / "reference/truth.csv", [{"id": r["id"], "answer": r["answer"]} for r in reversed(ROWS)])
    with zipfile.ZipFile(folder / "input.zip", "w") as archive:
        rows = [{"id": r["id"], "question": r["question"]} for r in ROWS]
        archive.writestr("input.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    with zipfile.ZipFile(tmp_path / "bundle.zip", "w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder))
    pack, report = converted("codabench", tmp_path / "bundle.zip")
    assert golds(pack) == ALL
    assert pack.benchmark.agreement is not None
    assert "Add a number and its square." in pack.benchmark.card
    assert pack.benchmark.splits["test"].submissions_per_organisation == 30
    assert "the scoring program, dates of the phases, the logo, leaderboards" in report.notes[-1]
    with pytest.raises(ValueError, match="neither a folder nor a zip"):
        converted("codabench", write(tmp_path / "no.zip", "no"))


def test_a_generative_task_of_lm_evaluation_harness_with_what_it_includes(tmp_path: Path) -> None:
    folder = tmp_path / "task"
    lines(folder / "data/test.jsonl", ROWS)
    write(
        folder / "_default.yaml",
        "dataset_path: data\noutput_type: generate_until\ntest_split: test\nnum_fewshot: 5\n"
        'doc_to_text: "Q: {{question}}\\nA:"\ndoc_to_target: wrong\nmetric_list:\n- metric: exact_match\n',
    )
    task = write(folder / "sums.yaml", "include: _default.yaml\ntask: sums\ndoc_to_target: '{{answer|trim}}'\n")
    pack, report = converted("lm-eval", task)
    assert golds(pack) == ALL
    assert pack.problems[0].statement == "Q: What is 2 + 4?\nA:"
    assert report.notes[0] == "not carried over: metric_list, num_fewshot"


def test_a_task_with_choices_of_lm_evaluation_harness(tmp_path: Path) -> None:
    folder = tmp_path / "task"
    document = {"id": "s1", "q": "Which is a square?", "options": {"text": ["3", "4", "5"]}, "label": 1}
    lines(folder / "set/test.jsonl", [document])
    text = "task: squares\ndataset_path: set\noutput_type: multiple_choice\ndoc_to_text: q\ndoc_to_target: label\n"
    pack, _ = converted("lm-eval", write(folder / "t.yaml", text + "doc_to_choice: '{{options.text}}'\n"))
    assert (golds(pack), pack.problems[0].choices[1].text) == ({"s1": "B"}, "4")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("doc_to_text: !function utils.text\n", "doc_to_text is code"),
        ("process_docs: !function utils.docs\ndoc_to_text: q\n", "process_docs is code"),
        ("include: t.yaml\n", "includes that include one another"),
        ("doc_to_text: \"{{ ''.__class__.__mro__ }}\"\ndoc_to_target: label\n", "doc_to_text"),
        ("a: &a [1]\nb: *a\n", "write repeated values out"),
        ("- a list\n", "there is no mapping at its top"),
        ("dataset_path: elsewhere/set\ndoc_to_text: q\n", "--option data=FOLDER"),
    ],
)
def test_a_task_that_needs_code_or_is_none_is_refused(text: str, fault: str, tmp_path: Path) -> None:
    lines(tmp_path / "set/test.jsonl", [{"q": "Which is a square?", "label": "4"}])
    head = "" if text.startswith(("- ", "a:", "dataset_path")) else "dataset_path: set\n"
    with pytest.raises(ValueError, match=fault):
        converted("lm-eval", write(tmp_path / "t.yaml", head + text))


def test_samples_of_inspect(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": 1, "input": "What is 2 + 4?", "target": "6", "metadata": {"subject": "sums", "level": 3}},
        {
            "id": 2,
            "input": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Vienna's river?"}],
            "target": ["Danube", "Donau"],
        },
        {"id": 3, "input": "Which is a square?", "choices": ["3", "4"], "target": "B"},
        {"id": 4, "input": "Fix the file.", "target": "", "files": {"a.txt": "x"}},
    ]
    pack, report = converted("inspect", lines(tmp_path / "samples.jsonl", rows))
    assert golds(pack) == {"1": "6", "2": "Danube", "3": "B"}
    assert pack.references[1].reference["alternatives"] == ["Donau"]
    assert pack.problems[1].statement == "Be short.\n\nVienna's river?"
    assert pack.problems[0].subject == "sums"
    assert [(remark.id, remark.cause) for remark in report.excluded] == [("4", "it needs files")]
    assert "not carried over: metadata level" in report.notes


def test_a_real_file_of_the_data(data: Path, tmp_path: Path) -> None:
    source = data / "math/problems/math500.jsonl"
    kept = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()[:40]]
    written = columnar(tmp_path / "set/data/test-0.parquet", [{k: str(v) for k, v in row.items()} for row in kept])
    pack, report = converted("hub", written.parents[1])
    assert len(pack.problems) >= 36
    assert report.read == 40
