"""Published formats of questions become packs whose golds are graded correct."""

import dataclasses
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.admission import soundness
from api.admission.check import check_pack_questions
from api.admission.report import refusals
from api.cli.main import built
from envs import registry
from packs.importers.arb import rubric_of
from packs.importers.scibench import clean_unit, tolerance
from packs.pack import Pack
from packs.read import read_pack

Convert = Callable[..., Pack]


@pytest.fixture
def convert(tmp_path: Path) -> Convert:
    """Write rows, convert them, and read the pack with every check."""

    def run(name: str, rows: list[dict[str, Any]], **options: Any) -> Pack:
        source = tmp_path / "source.jsonl"
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        soundness.convert(name, source, tmp_path / "pack", options)
        return read_pack(tmp_path / "pack", registry)

    return run


def kinds(pack: Pack) -> dict[str, str]:
    return {line.id: line.reference["kind"] for line in pack.references}


def test_mmlu(convert: Convert) -> None:
    row = {"id": "law-1", "subject": "jurisprudence", "question": "Which?", "choices": ["a", "b", "c", "d"]}
    doubled = row | {"id": "law-3", "question": "Who?", "choices": ["a", "a", "c", "d"], "answer": "A"}
    pack = convert("mmlu", [row | {"answer": "C"}, row | {"id": "law-2", "answer": "C"}, doubled])
    assert [problem.id for problem in pack.problems] == ["law-1"]
    assert pack.reference_by_id["law-1"].gold == "C"
    with pytest.raises(ValueError, match="row 1 is not MMLU's"):
        soundness.convert("mmlu", _file(pack.path.parent, [{"question": "Which?"}]), pack.path.parent / "other", {})


def _choices(count: int, long: int) -> list[dict[str, Any]]:
    """Questions with four choices, right ones over all labels; in the first `long` the right one is the longest."""
    return [
        {
            "id": f"q-{i}",
            "question": f"Which is number {i}?",
            "answer": "ABCD"[i % 4],
            "choices": [f"choice {j}" + " at length" * (i < long and j == i % 4) for j in range(4)],
        }
        for i in range(count)
    ]


def test_a_converted_set_declares_its_chance_and_passes_the_gate(convert: Convert) -> None:
    pack = convert("mmlu", _choices(40, long=0))
    assert pack.benchmark.splits["test"].chance_level == 0.25
    assert "longest" not in pack.benchmark.card
    assert check_pack_questions(pack).passed


def test_an_edge_of_the_longest_choice_is_measured_declared_and_told(convert: Convert) -> None:
    pack = convert("mmlu", _choices(40, long=20))
    scored = 20 + 20 / 4  # the first of equally long choices is taken
    assert scored / 40 == 0.625
    assert pack.benchmark.splits["test"].chance_level == 0.65, "the exact score would tell golds"
    assert "'longest-choice' knows nothing and scores more than luck" in pack.benchmark.card
    assert "0.625" not in pack.benchmark.card
    assert check_pack_questions(pack).passed
    undeclared = pack.benchmark.splits["test"].model_copy(update={"chance_level": 0.25})
    head = pack.benchmark.model_copy(update={"splits": {"test": undeclared}})
    refused = " ".join(refusals(check_pack_questions(dataclasses.replace(pack, benchmark=head))))
    assert "longest-choice scored 0.625" in refused
    assert "chance_level = 0.65" in refused


def test_a_question_whose_answer_stands_in_another_is_left_out(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "first", "question": "What is the capital?", "answer": "Ouagadougou", "kind": "exact"},
        {"id": "second", "question": "How many live in OUAGADOUGOU?", "answer": "2,453,496", "kind": "exact"},
        {"id": "third", "question": "Half of one?", "answer": r"\frac{1}{2}", "kind": "exact"},
        {"id": "fourth", "question": r"What is $3 \cdot \frac{1}{2}$?", "answer": "1.5", "kind": "exact"},
    ]
    report = soundness.convert("jsonl", _file(tmp_path, rows), tmp_path / "pack", {})
    assert [(remark.id, remark.kind) for remark in report.excluded] == [("first", "leaked")]
    assert check_pack_questions(read_pack(tmp_path / "pack", registry)).passed


def _file(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_math_with_declared_shapes(convert: Convert) -> None:
    rows = [
        {"index": 1, "question": "Which interval?", "answer": r"x \in [-2,7]", "human_type": "Interval"},
        {"index": 2, "question": "Which numbers?", "answer": "6, -2", "human_type": "Set"},
        {"index": 3, "question": "Who?", "answer": r"\text{Evelyn}", "human_type": "Others"},
        {"index": 4, "question": "How much?", "answer": r"\dfrac{9}{7}", "human_type": "Real"},
    ]
    pack = convert("math", rows, dev=1)
    assert kinds(pack) | {"math-3": ""} == {"math-1": "interval", "math-2": "set", "math-3": "", "math-4": "math"}
    assert [problem.split for problem in pack.problems] == ["dev", "test", "test", "test"]


def test_scibench_units_and_tolerances(convert: Convert) -> None:
    rows = [
        {
            "problem_text": "How big?",
            "answer_number": "-1.5",
            "unit": "$\\text{kJ}$ ",
            "source": "atkins",
            "problemid": " e2",
        },
        {"problem_text": "How dear?", "answer_number": "89,034.79", "unit": "$", "source": "diff", "problemid": "p 1"},
    ]
    pack = convert("scibench", rows)
    first, second = pack.references
    assert first.reference == {"kind": "numeric", "value": "-1.5", "rel_tol": 0.0333, "unit": "\\text{kJ}"}
    assert "\\text{kJ}" in pack.problems[0].answer_format
    assert second.reference["rel_tol"] == 0.01
    assert [str(tolerance(value)) for value in map(Decimal, ("2", "50.7", "0", "0.00131"))] == [
        "0.05",
        "0.01",
        "0.01",
        "0.01",
    ]
    assert clean_unit(" $10^{-12} \\mathrm{~m}$\r\n") == r"10^{-12} \mathrm{ m}"


def test_olympiadbench_lists_tuples_and_errors(convert: Convert) -> None:
    row = {"question": "Find all.", "is_multiple_answer": True, "unit": None, "error": None, "solution": ["So."]}
    rows = [
        row | {"id": 1, "final_answer": ["$2,-1,-18$"], "answer_type": "Numerical"},
        row | {"id": 2, "question": "Q2", "final_answer": ["$(2,2,2),(3,4,3)$"], "answer_type": "Tuple"},
        row
        | {
            "id": 3,
            "question": "Q3",
            "final_answer": ["0.9"],
            "answer_type": "Numerical",
            "error": "1e-1",
            "is_multiple_answer": False,
        },
    ]
    pack = convert("olympiadbench", rows)
    assert kinds(pack) == {"olympiad-1": "set", "olympiad-2": "math", "olympiad-3": "math"}
    assert pack.reference_by_id["olympiad-3"].reference["abs_tol"] == 0.1


def test_arb_all_kinds(convert: Convert, tmp_path: Path) -> None:
    (tmp_path / "fig.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(16))
    rubric = "(4 points) Finds the sum.\n6 pts: Shows that it converges.\nTotal: 10 points"
    rows = [
        {
            "_id": "a",
            "Problem Statement": "Who wins?",
            "Answer Candidates": ["A. Ann", "B. Bob"],
            "Final Answer": "B",
            "Problem Type": "Multiple choice",
            "Topic": "Torts",
        },
        {
            "_id": "b",
            "Problem_Statement": "How much?",
            "Final Answer": "-2.5",
            "Problem Type": "Numerical",
            "Images": ["https://example.invalid/x/fig.png"],
        },
        {"_id": "c", "Problem_Statement": "Solve.", "Final_Answer": r"$\frac{x^2}{2}$", "Problem Type": "Symbolic"},
        {
            "_id": "d",
            "Problem_Statement": "Prove it.",
            "Solution": "Long.",
            "Problem Type": "Proof-like",
            "rubric": rubric,
        },
    ]
    pack = convert("arb", rows, subject="mathematics")
    assert kinds(pack) == {"arb-a": "multiple_choice", "arb-b": "numeric", "arb-c": "symbolic", "arb-d": "rubric"}
    assert [choice.text for choice in pack.problems[0].choices] == ["Ann", "Bob"]
    assert list(pack.assets) == ["fig.png"]
    points = [item["points"] for item in pack.reference_by_id["arb-d"].reference["rubric"]["criteria"]]
    assert points == [4, 6]


def test_a_rubric_that_does_not_sum_is_kept_whole() -> None:
    whole = rubric_of("3 points for the start\n3 points for the end")
    assert [item["points"] for item in whole["criteria"]] == [10]
    assert "for the end" in whole["criteria"][0]["text"]


def test_jsonl_of_ones_own(convert: Convert) -> None:
    rows = [
        {"question": "Pick.", "choices": ["x", "y"], "answer": 1},
        {"prompt": "Pick again.", "choices": ["x", "y"], "target": "x"},
        {"problem": "Length?", "gold": "3", "kind": "numeric", "unit": "m", "rel_tol": 0.1, "split": "dev"},
        {"statement": "City?", "answer": "Bern", "kind": "exact", "alternatives": ["Berne"]},
    ]
    pack = convert("jsonl", rows)
    assert [line.gold for line in pack.references] == ["B", "A", "3", "Bern"]
    assert pack.references[3].reference["alternatives"] == ["Berne"]
    assert pack.problems[2].split == "dev"


def test_a_gold_that_is_told_or_not_accepted_is_left_out(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "told", "question": "The answer is Bern. City?", "answer": "Bern", "kind": "exact"},
        {"id": "bad", "question": "Length?", "answer": "3", "kind": "numeric", "rel_tol": -1},
        {"id": "good", "question": "City?", "answer": "Bern", "kind": "exact"},
    ]
    report = soundness.convert("jsonl", _file(tmp_path, rows), tmp_path / "pack", {})
    assert {(remark.id, remark.kind) for remark in report.excluded} == {("told", "leaked"), ("bad", "gold")}
    assert report.kept == 1


def test_the_command_tells_faults_in_one_line(tmp_path: Path) -> None:
    source = _file(tmp_path, [{"question": "City?", "answer": "Bern"}])
    run = CliRunner().invoke
    done = run(built(), ["convert", "jsonl", str(source), "--out", str(tmp_path / "pack"), "--dev", "1"])
    assert done.exit_code == 0
    assert "1 samples read, 1 kept" in done.output
    assert read_pack(tmp_path / "pack", registry).problems[0].split == "dev"
    for arguments, words in (
        (["nothing", str(source)], "known are"),
        (["jsonl", str(tmp_path / "none")], "does not exist"),
        (["mmlu", str(source)], "row 1 is not MMLU's"),
        (["jsonl", str(source), "--option", "colour=red"], "no option colour"),
    ):
        failed = run(built(), ["convert", *arguments, "--out", str(tmp_path / "other")])
        assert failed.exit_code == 1
        assert words in " ".join(failed.output.split())


@pytest.mark.parametrize(
    ("name", "file", "least"),
    [
        ("mmlu", "mmlu_law_med_stem", 59),
        ("math", "math500", 58),
        ("scibench", "scibench", 58),
        ("olympiadbench", "olympiadbench_oe_to_maths_en", 58),
    ],
)
def test_published_sets_become_packs(tmp_path: Path, data: Path, name: str, file: str, least: int) -> None:
    report = soundness.convert(name, data / "math" / "problems" / f"{file}.jsonl", tmp_path / "pack", {"limit": 60})
    assert report.kept >= least, report.lines()
    pack = read_pack(tmp_path / "pack", registry)
    assert len(pack.problems) == report.kept
    assert refusals(check_pack_questions(pack)) == []
