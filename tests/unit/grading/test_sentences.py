"""Tables of sentences in `sentences/`: those that commit to 5 or to another gold, and those that only mention it.

A line is a response; `⏎` stands for a new line. The name of a file is the class of its sentences.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from grading import Answer, grade

FOLDER = Path(__file__).parent / "sentences"
CLASSES = ("negation", "bounds", "operations", "hedges", "corrections", "citations", "suppositions", "further")


def _lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def _score(text: str, reference: dict[str, Any]) -> float | None:
    return grade(Answer(text=text.replace("⏎", "\n")), reference).score


@pytest.mark.parametrize("name", CLASSES)
def test_a_value_that_is_only_mentioned_is_not_accepted(name: str) -> None:
    lines = _lines(f"{name}.txt")
    assert len(lines) > 100
    assert [line for line in lines if _score(line, {"kind": "math", "value": "5"}) != 0] == []


def test_a_value_that_is_committed_to_is_accepted() -> None:
    pairs = [line.split("\t") for line in _lines("right.tsv")]
    assert len(pairs) > 350
    assert [(gold, text) for gold, text in pairs if _score(text, {"kind": "math", "value": gold}) != 1] == []


@pytest.mark.parametrize(("name", "score"), [("unforeseen_right.tsv", 1), ("unforeseen_wrong.tsv", 0)])
def test_forms_that_were_written_before_the_rules(name: str, score: int) -> None:
    """Golds of many sorts, each with a response that commits to it, or to something else, in words or in notation."""
    pairs = [line.split("\t") for line in _lines(name)]
    assert len(pairs) > 200
    assert [(gold, text) for gold, text in pairs if _score(text, {"kind": "math", "value": gold}) != score] == []


@pytest.mark.parametrize(("name", "score"), [("words_right.tsv", 1), ("words_wrong.tsv", 0)])
def test_golds_in_words(name: str, score: int) -> None:
    """Golds that are words, each with a statement that says them of its subject, or denies or doubts them."""
    pairs = [line.split("\t") for line in _lines(name)]
    assert len(pairs) > 15
    assert [(gold, text) for gold, text in pairs if _score(text, {"kind": "math", "value": gold}) != score] == []


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("plain_right.tsv", 1),
        ("plain_wrong.tsv", 0),
        ("remarks_right.tsv", 1),
        ("remarks_wrong.tsv", 0),
        ("named_right.tsv", 1),
        ("named_wrong.tsv", 0),
        ("further_right.tsv", 1),
        ("further_wrong.tsv", 0),
        ("spelt_right.tsv", 1),
        ("spelt_wrong.tsv", 0),
        ("roles_right.tsv", 1),
        ("roles_wrong.tsv", 0),
        ("turned_right.tsv", 1),
        ("turned_wrong.tsv", 0),
        ("box_right.tsv", 1),
        ("box_wrong.tsv", 0),
        ("retracted_right.tsv", 1),
        ("retracted_wrong.tsv", 0),
        ("brief_right.tsv", 1),
        ("brief_wrong.tsv", 0),
        ("chosen_right.tsv", 1),
        ("chosen_wrong.tsv", 0),
        ("abroad_right.tsv", 1),
        ("abroad_wrong.tsv", 0),
        ("sets_right.tsv", 1),
        ("sets_wrong.tsv", 0),
        ("heads_right.tsv", 1),
        ("heads_wrong.tsv", 0),
        ("arrived_right.tsv", 1),
        ("arrived_wrong.tsv", 0),
        ("everyday_right.tsv", 1),
        ("everyday_wrong.tsv", 0),
        ("notation_right.tsv", 1),
        ("notation_wrong.tsv", 0),
        ("concluded_right.tsv", 1),
        ("concluded_wrong.tsv", 0),
        ("beside_values_right.tsv", 1),
        ("beside_values_wrong.tsv", 0),
        ("figures_right.tsv", 1),
        ("figures_wrong.tsv", 0),
        ("described_right.tsv", 1),
        ("described_wrong.tsv", 0),
    ],
)
def test_short_responses_to_questions_of_every_kind(name: str, score: int) -> None:
    """Kind, gold, options and a response: formulas in plain type, working in units, texts said in a sentence.

    Of the arguments that the ranking decides, which weighs what speaks for a value, one in fifty may be misjudged.
    """
    rows = [line.split("\t") for line in _lines(name)]
    assert len(rows) > 15
    wrong: list[tuple[str, str]] = []
    ranked: list[tuple[str, str]] = []
    for kind, gold, options, text in rows:
        reference = {"kind": kind, "value": gold, **json.loads(options or "{}")}
        verdict = grade(Answer(text=text.replace("⏎", "\n")), reference)
        if verdict.score != score:
            (ranked if verdict.detail.get("rule") == "ranked" else wrong).append((gold, text))
    assert wrong == []
    assert len(ranked) <= len(rows) / 50, ranked


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("asked_right.tsv", 1),
        ("asked_wrong.tsv", 0),
        ("parts_right.tsv", 1),
        ("parts_wrong.tsv", 0),
        ("worded_right.tsv", 1),
        ("worded_wrong.tsv", 0),
        ("lively_right.tsv", 1),
        ("lively_wrong.tsv", 0),
    ],
)
def test_short_answers_beside_their_question(name: str, score: int) -> None:
    """Kind, gold, options, a response, and the question where it matters: what is asked for decides how it is read."""
    rows = [line.split("\t") for line in _lines(name)]
    assert len(rows) > 12
    wrong = []
    for kind, gold, options, text, question in rows:
        reference = {"kind": kind, "value": gold, **json.loads(options or "{}")}
        context = {"statement": question} if question else {}
        if grade(Answer(text=text.replace("⏎", "\n"), context=context), reference).score != score:
            wrong.append((gold, text, question))
    assert wrong == []


def test_a_label_that_is_only_mentioned_is_not_accepted() -> None:
    lines = _lines("labels_wrong.txt")
    assert len(lines) > 400
    assert [line for line in lines if _score(line, {"kind": "multiple_choice", "value": "B"}) != 0] == []


def test_a_label_that_is_committed_to_is_accepted() -> None:
    lines = _lines("labels_right.txt")
    assert len(lines) > 200
    assert [line for line in lines if _score(line, {"kind": "multiple_choice", "value": "B"}) != 1] == []


@pytest.mark.parametrize("kind", ["numeric", "exact"])
def test_other_kinds_read_the_same_sentences(kind: str) -> None:
    """No value that is only mentioned, in whatever kind of question."""
    for name in CLASSES:
        assert [line for line in _lines(f"{name}.txt") if _score(line, {"kind": kind, "value": "5"}) == 1] == []


@pytest.mark.parametrize("question", ["", " ", "\n", "?", "What is the capital? "])
def test_a_question_of_spaces_is_no_fault(question: str) -> None:
    answer = Answer(text="The capital is Paris. It is big.", context={"statement": question})
    assert grade(answer, {"kind": "math", "value": "Paris"}).score == 1
