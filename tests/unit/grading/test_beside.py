"""What stands beside a value in a response: sense, letter, second form, bold part; and the choices of a file."""

import json
from pathlib import Path

import pytest

from grading import Answer, grade
from grading.pair_lines import read_pair

FOLDER = Path(__file__).parent / "sentences"


def _scores(name: str) -> list[tuple[str, float | None]]:
    """Each line of a table (gold, response, perhaps options as JSON) with its score; `⏎` stands for a new line."""
    scores = []
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        gold, text, *options = line.split("\t")
        reference = {"kind": "math", "value": gold, **(json.loads(options[0]) if options else {})}
        scores.append((line, grade(Answer(text=text.replace("⏎", "\n")), reference).score))
    return scores


def test_what_the_response_says_beside_the_value_agrees() -> None:
    scores = _scores("beside_right.tsv")
    assert len(scores) > 150
    assert [line for line, score in scores if score != 1] == []


def test_another_sense_letter_form_or_text_is_not_accepted() -> None:
    scores = _scores("beside_wrong.tsv")
    assert len(scores) > 150
    assert [line for line, score in scores if score == 1] == []


@pytest.mark.parametrize(
    ("options", "gold", "text", "score"),
    [
        ({"choices": ["A", "B", "C", "D"]}, "(d)", "So the correct option is **(d)**.", 1),
        ({"choices": ["A", "B", "C", "D"]}, "D", "So the correct option is **(c)**.", 0),
        ({"choices": ["A", "B", "C", "D"]}, "D", "(a) and (b) fail, so the answer is (d).", 1),
        ({"texts": ["red light", "blue light", "heat"]}, "B", "The answer is blue light.", 1),
        ({"texts": ["red light", "blue light", "heat"]}, "B", "The answer is red light.", 0),
        ({"choices": ["red light", "blue light", "heat"]}, "B", "The answer is blue light.", 1),
        ({"choices": ["red light", "blue light", "heat"]}, "B", "The answer is heat.", 0),
    ],
)
def test_choices_of_a_file(options: dict[str, object], gold: str, text: str, score: int) -> None:
    pair = read_pair(json.dumps({"gold": gold, "pred": text, "options": {"type": "mc", **options}}).encode(), 1)
    assert not pair.problem
    assert not pair.notes
    assert grade(pair.answer or Answer(), pair.reference or {}).score == score
