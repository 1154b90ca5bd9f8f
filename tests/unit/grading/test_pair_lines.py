"""Files of labelled pairs as people write them: every line is graded or told, by its number."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from grading import Answer, grade, pair_lines
from grading.pair_lines import pairs_of, read_pair
from grading.pairs import main

KEYS = [
    "n",
    "right",
    "accuracy",
    "positives",
    "false_negatives",
    "negatives",
    "false_positives",
    "unscored",
    "median_ms",
    "p99_ms",
    "max_ms",
    "wall_s",
]


def problem(line: str) -> str:
    return read_pair(line.encode("utf-8", "surrogatepass"), 7).problem


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"gold": "1"}', "'pred' is missing"),
        ('{"pred": "1"}', "'gold' is missing"),
        ('{"gold": null, "pred": "1"}', "'gold' must be text or a number"),
        ('{"gold": "1", "pred": {"a": 1}}', "'pred' must be text or a number"),
        ('{"gold": "", "pred": "1"}', "gold: String should have at least 1 character"),
        ("[1, 2]", "not a JSON object with gold and pred"),
        ("null", "not a JSON object with gold and pred"),
        ('{"gold": "1",', "no JSON: Expecting property name enclosed in double quotes at character 14"),
        ("[" * 200_000, "JSON that nests too deep or holds too long a number"),
        ("9" * 5000, "JSON that nests too deep or holds too long a number"),
        ('{"gold": "1", "pred": "1", "options": "exact"}', "'options' must be an object"),
        ('{"gold": "1", "pred": "1", "options": {"vars": 5}}', "option 'vars' must be a list of texts"),
        ('{"gold": "1", "pred": "1", "options": {"rel_tol": -1}}', "rel_tol: Input should be greater"),
        ('{"gold": "1", "pred": "1", "options": {"up_to": ["sign"]}}', "up_to: Input should be"),
        ('{"gold": "Z", "pred": "A", "options": {"type": "mc"}}', "value 'Z' is none of the choices A, B, C, D"),
        ('{"gold": "A", "pred": "A", "options": {"type": "mc", "choices": 1}}', "a number of choices is from 2 to 26"),
        ('{"gold": "A", "pred": "A", "options": {"type": "mc", "choices": 27}}', "a number of choices is from 2 to 26"),
        (
            '{"gold": "A", "pred": "A", "options": {"type": "mcq"}}',
            "option 'type' is \"mcq\"; known are exact, interval, math, mc, multiple_choice, numeric, set, ",
        ),
        ('{"gold": "A", "pred": "A", "options": {"type": ["mc"]}}', "option 'type' is [\"mc\"]; known are"),
    ],
)
def test_a_line_that_is_no_pair_says_why(line: str, said: str) -> None:
    assert said in problem(line)


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("true", True),
        ("1", True),
        ("1.0", True),
        ('"correct"', True),
        ('"True"', True),
        ("false", False),
        ("0", False),
        ('"incorrect"', False),
        ('"No"', False),
        ("null", None),
        ('"maybe"', None),
        ("2", None),
        ("[true]", None),
        ("0.5", None),
    ],
)
def test_labels_in_every_spelling(written: str, label: bool | None) -> None:
    pair = read_pair(f'{{"gold": "1", "pred": "1", "expected": {written}}}'.encode(), 1)
    assert pair.expected is label
    assert bool(pair.notes) == (label is None and written != "null")
    assert pair.reference is not None


def test_numbers_keep_their_spelling_and_a_list_gives_several_answers() -> None:
    pair = read_pair(b'{"gold": 0.50, "pred": [1, "2", 3e400], "options": {"rel_tol": 0.01, "bogus": 1}}', 1)
    assert pair.reference is not None
    assert pair.answer is not None
    assert pair.reference.model_dump()["value"] == "0.50"
    assert pair.answer.data == ["1", "2", "3e400"]
    assert pair.notes == ['option "bogus" is not known and was passed over']
    empty = read_pair(b'{"gold": 1, "pred": null}', 1).answer
    assert empty is not None
    assert empty.text == ""


def test_choices_of_one_sign_that_are_no_letters_are_texts() -> None:
    options = '{"type": "mc", "choices": ["0", "1", "2", "3"]}'
    lettered = read_pair(f'{{"gold": "(c)", "pred": "C", "options": {options}}}'.encode(), 1).reference
    assert lettered is not None
    shown = lettered.model_dump()
    assert (shown["value"], list(shown["choices"]), list(shown["texts"])) == ("C", list("ABCD"), list("0123"))
    labelled = read_pair(f'{{"gold": "2", "pred": "2", "options": {options}}}'.encode(), 1).reference
    assert labelled is not None
    assert labelled.model_dump()["value"] == "C"


def test_there_are_as_many_choices_as_the_gold_needs() -> None:
    fifth = read_pair(b'{"gold": "E", "pred": "D", "options": {"type": "mc"}}', 1).reference
    assert fifth is not None
    assert list(fifth.model_dump()["choices"]) == list("ABCDE")


@pytest.mark.parametrize(
    ("gold", "pred", "options", "kind", "score"),
    [
        ("B", "So the correct option is B.", {"type": "multiple_choice"}, "multiple_choice", 1),
        ("B", "So the correct option is C.", {"type": "multiple_choice"}, "multiple_choice", 0),
        ("L", "The answer is (L).", {"type": "multiple_choice", "choices": 12}, "multiple_choice", 1),
        ("B", "The answer is F.", {"type": "mc", "choices": 5}, "multiple_choice", 0),
        ("B", "So it is the comet.", {"choices": ["asteroid", "comet"]}, "multiple_choice", 1),
        ("comet", "So it is B.", {"choices": ["asteroid", "comet"]}, "multiple_choice", 1),
        ("B", "So it is the asteroid.", {"texts": ["asteroid", "comet"]}, "multiple_choice", 0),
        ("7", "7", {"choices": ["asteroid", "comet"]}, "math", 1),
        ("B", "B", {"type": "math", "choices": ["asteroid", "comet"]}, "math", 1),
        ("0.5", "1/2", {"type": "numeric"}, "math", 1),
        ("x^2", "x*x", {"type": "symbolic"}, "math", 1),
        ("0.5", "1/2", {"type": "math"}, "math", 1),
        ("0.5", "1/2", {"type": "exact"}, "exact", 0),
        ("Marie Curie", "The answer is marie curie.", {"type": "exact"}, "exact", 1),
    ],
)
def test_types_of_a_pair(gold: str, pred: str, options: dict[str, Any], kind: str, score: int) -> None:
    pair = read_pair(json.dumps({"gold": gold, "pred": pred, "options": options}).encode(), 1)
    assert not pair.problem
    assert not pair.notes
    assert pair.reference is not None
    assert pair.reference.model_dump()["kind"] == kind
    assert grade(pair.answer or Answer(), pair.reference).score == score


def test_what_can_be_told_of_a_broken_line_is_kept() -> None:
    pair = read_pair(b'{"id": 5, "kind": "sets", "expected": true, "gold": "1", "pred": "\xff"}', 3)
    assert (pair.id, pair.kind, pair.expected) == (5, "sets", True)
    assert pair.problem == "byte 67 of the line is not UTF-8"


def test_lines_are_counted_through_blank_and_long_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_lines, "MAX_LINE", 100)
    good = b'{"gold": "1", "pred": "1"}\r\n'
    lines = b"\xef\xbb\xbf" + good + b"\r\n" + b'{"gold": "' + b"1" * 1000 + b'"}\n' + good.strip()
    found = [(pair.line, bool(pair.problem)) for pair in pairs_of(io.BytesIO(lines))]
    assert found == [(1, False), (3, True), (4, False)]


def run(content: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[list[Any], str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert main(["-", "--workers", "1", "--summary"]) == 0
    said = capsys.readouterr()
    return said.out.splitlines(), said.err


def test_the_summary_stays_the_last_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        b'{"gold": 1, "pred": 1, "expected": "correct", "kind": ["a"]}',
        b'{"gold": "1", "expected": 1, "kind": null}',
        b'{"gold": "\\\\frac{", "pred": "1", "expected": 0}',
        b'{"gold": "1", "pred": "1", "expected": "maybe"}',
        b'{"gold": "1", "pred": "1", "expected": "maybe"}',
    ]
    said, noted = run(b"\n".join(lines), monkeypatch, capsys)
    rows = [json.loads(line) for line in said[:5]]
    assert [row["line"] for row in rows] == [1, 2, 3, 4, 5]
    assert [row["outcome"] for row in rows] == ["correct", "unscored", "unscored", "correct", "correct"]
    assert rows[1]["reason"] == "line 2: 'pred' is missing"
    totals = json.loads(said[-1])
    assert list(totals) == KEYS
    counted = (totals["n"], totals["right"], totals["positives"], totals["negatives"], totals["unscored"])
    assert counted == (5, 1, 2, 1, 2)
    assert noted == "line 4: 'expected' is neither true nor false: graded without a label (and in 1 more lines)\n"


def test_an_empty_file_has_a_summary(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    said, noted = run(b"\n\n", monkeypatch, capsys)
    assert list(json.loads(said[-1])) == KEYS
    assert json.loads(said[-1])["n"] == 0
    assert noted == "no line holds a pair\n"


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl cannot be read: No such file" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--workers", "0"])
