"""The label of a response whose sentences leave it open: by its letter, its words, its value, or none."""

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from grading import Answer, grade
from grading.kinds.multiple_choice import entered
from grading.language.extract import extract
from grading.language.labelranking.features import TOGETHER
from grading.language.labelranking.rank import WEIGHTS, most_likely
from grading.language.ranking.pairs import BESIDE
from grading.registry import parse_reference
from tools.fit_labels import Response, across, response_of

CHOSEN = Path(__file__).parent / "chosen"
FILES = sorted(CHOSEN.glob("*.jsonl"))
EVERY = 9
METALS = ("Mercury", "Gallium", "Tungsten", "Caesium")
AREAS = ("12 cm²", "24 cm²", "36 cm²", "48 cm²")


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def _score(response: str, gold: str, texts: tuple[str, ...], question: str = "") -> float | None:
    choices = tuple("ABCDEF"[: len(texts)])
    reference = {"kind": "multiple_choice", "value": gold, "choices": choices, "texts": texts}
    return grade(Answer(text=response, context={"statement": question}), reference).score


def _read(line: dict[str, Any]) -> bool:
    options = line["options"]
    reference = {
        "kind": "multiple_choice",
        "value": line["gold"],
        "choices": options["choices"],
        "texts": options["texts"],
    }
    return grade(Answer(text=line["pred"], context={"statement": line["question"]}), reference).score == 1


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_most_of_each_hand_is_read(file: Path) -> None:
    """The weights were fitted to these: the shares are no measure of anything but that they are in use."""
    lines = _lines(file)[::EVERY]
    right = [line for line in lines if line["right"]]
    wrong = [line for line in lines if not line["right"]]
    assert sum(map(_read, right)) >= 0.6 * len(right)
    assert sum(map(_read, wrong)) <= 1 + 0.1 * len(wrong)


def test_by_weights_of_other_hands_more_is_read_than_by_rules() -> None:
    responses: list[Response] = []
    for file in FILES:
        responses += [response_of((file.stem, line)) for line in _lines(file)[::7]]
    counts = across(responses)
    told = {
        how: sum(by[how]["gold"] for (_, attack), by in counts.items() if not attack) for how in ("rules", "ranked")
    }
    assert told["ranked"] > told["rules"] + 10


@pytest.mark.parametrize(
    ("response", "gold"),
    [
        ("Of the four it is tungsten that stays solid longest, up to 3422 °C. Gallium melts in your hand.", "C"),
        ("Caesium melts at 28 °C and gallium at 30 °C. Mercury is liquid anyway. That leaves tungsten.", "C"),
        ("Tungsten. It is what filaments are made of, whereas mercury is a liquid at room temperature.", "C"),
    ],
)
def test_words_of_a_choice_that_the_argument_comes_to(response: str, gold: str) -> None:
    question = "Which metal has the highest melting point?"
    assert _score(response, gold, METALS, question) == 1
    assert all(_score(response, other, METALS, question) == 0 for other in "ABCD" if other != gold)


@pytest.mark.parametrize(
    "response",
    [
        "Tungsten has a high melting point. Caesium has a low one. I can't tell which of the two you mean.",
        "Some would say tungsten, others gallium. I have never measured either and leave it open.",
        "The table lists mercury, gallium, tungsten and caesium. Each of them has its uses in industry.",
    ],
)
def test_where_nothing_is_chosen_no_label_is_read(response: str) -> None:
    assert not any(_score(response, gold, METALS) for gold in "ABCD")


def test_a_formula_that_comes_to_a_choice() -> None:
    response = (
        "The base is 6 cm and the height 8 cm.\n\n$$A=\\tfrac12\\cdot 6\\cdot 8=24\\ \\text{cm}^2$$\n\n"
        "Whoever forgets the half gets 48 cm², which is offered too."
    )
    assert _score(response, "B", AREAS, "What is the area of the triangle?") == 1
    assert _score(response, "D", AREAS, "What is the area of the triangle?") == 0


def test_what_a_sentence_settles_is_not_ranked() -> None:
    reference = parse_reference({"kind": "multiple_choice", "value": "A", "texts": METALS})
    answer = Answer(text="Tungsten is hard. The answer is A.")
    ruled, labels = entered(answer, extract(answer), reference)  # type: ignore[arg-type]
    assert (ruled.label, labels) == ("A", None)


def test_the_weights_are_those_of_the_features() -> None:
    pairs = [name.split(BESIDE) for name in WEIGHTS if BESIDE in name]
    assert len(pairs) > 300
    assert all(set(pair) <= TOGETHER for pair in pairs)


def test_no_choice_is_read_without_weights() -> None:
    """Shown to fail where the share of "no choice" is not looked at."""
    answer = Answer(text="Tungsten is hard. Gallium is soft.")
    reference = parse_reference({"kind": "multiple_choice", "value": "A", "texts": METALS})
    _, labels = entered(answer, extract(answer), reference)  # type: ignore[arg-type]
    assert labels is not None
    assert most_likely(labels, {}) is None


def test_long_hostile_responses_are_read_in_a_bounded_number_of_steps() -> None:
    chance = random.Random(5)
    for sign in ("$", "\\[", "**", "tungsten ", "A) ", "not ", ". ", "= 24 ", "|", "(", "9,", "—"):
        text = "Tungsten is hard. " + sign * (30_000 // len(sign)) + " So gallium."
        begun = time.process_time()
        _score(text, chance.choice("ABCD"), METALS, "Which metal?")
        # Quadratic reading of 30,000 characters takes minutes.
        assert time.process_time() - begun < 20
