"""Multiple choice and exact match: what counts as a committed answer."""

import pytest
from pydantic import ValidationError

from grading import Answer, Outcome, grade


def _outcome(text: str, value: str = "B") -> Outcome:
    return grade(Answer(text=text), {"kind": "multiple_choice", "value": value}).outcome


@pytest.mark.parametrize(
    "text",
    [
        "B",
        "b",
        "(B)",
        "**B**",
        r"\boxed{B}",
        "$B$",
        "Answer: B",
        "B, not A",
        "(A) is wrong, so (B)",
        "B. Because of that",
        "First I thought A.\nANSWER: B",
        "It is not A; the answer is B",
    ],
)
def test_one_committed_label_is_correct(text: str) -> None:
    assert _outcome(text) is Outcome.CORRECT


@pytest.mark.parametrize(
    "text",
    [
        "A or B",
        "A B C D",
        "ABCD",
        "Both A and B",
        "B? or C?",
        "any of A, B, C, D",
        "(A)(B)(C)(D)",
        "B or not B",
        "ANSWER: B ANSWER: C",
        "ANSWER: B\nANSWER: C",
    ],
)
def test_hedges_are_not_correct(text: str) -> None:
    assert _outcome(text) in {Outcome.INCORRECT, Outcome.UNPARSEABLE}


@pytest.mark.parametrize("text", ["", "8", "E", "Because of that", "Β", "A reasonable person would agree"])
def test_no_label_is_unparseable(text: str) -> None:
    assert _outcome(text) is Outcome.UNPARSEABLE


COMMITTED = [
    "Option A fails. Option C fails.\n\nThe correct answer is **(B)**.",
    "The answer is B because C requires intent.",
    "The answer is B: vitamin C.",
    "ANSWER: B) vitamin C",
    "The best answer is B because A is wrong.",
    "I considered A and D, but the best choice is B.",
    "B is correct: the others fail.",
    "A) one\nB) two\nC) three\nD) four\n\nThe correct option is B.",
    "B\n\nBecause A does not hold and C is wrong.",
    "We weigh A, C and D.\n\nB",
    "Let's see. A) is wrong. C) is wrong.\n**B)** two",
    "So the answer is (B).",
    "Therefore, option B.",
    "The correct choice: B",
    "I would choose B.",
    "答案是B",
    "La respuesta es B",
    "Die richtige Antwort ist B.",
    "Answer: **B. text**",
    "The correct answer is option B, not A.",
    "\\boxed{\\text{B}}",
    "Final answer: (B) The court will affirm.",
    "The answer is not A. The answer is B.",
    "A is tempting, but the correct answer is B.",
    "thinking about it I think the correct answer is B",
    "The answer is for sure B, it can't be A or C",
    "**Answer: B**\n\nExplanation: A is too broad; C is false.",
    "The correct answer is B) because A or C would require proof.",
    "Choice B is the correct answer.",
    "(B) is the best answer.",
    "réponse est B non A",
    "My answer is B.",
    "The most appropriate answer is B.",
    "I'll go with B.",
    "Option B is right.",
    "Let's think step by step. It's not A because it doesn't make sense, therefore I think it's B",
]
NOT_COMMITTED = [
    "\\neg B",
    "\\overline{B}",
    "B̸",
    "not-B",
    "any option but B",
    "B is tempting; it is wrong",
    "The answer is anything but B.",
    "The answer is A or B.",
    "The answer is B or C",
    "Both A and B",
    "The wrong answer is B.",
    "My friend said the answer is B.",
    "If it were Monday, the answer would be B.",
    "Is the answer B?",
    "The answer is not B.",
    "B is incorrect.",
    "I doubt it is B.",
    "Neither A nor B.",
    "The answer is B. Wait, no, it is C.",
    "B is wrong, so C",
    "The correct answer is A, not B.",
    "I'd eliminate B.",
    "Everything except B.",
    "Some would choose B. The answer is C.",
    "Choose B? No.",
    "The answer is B if n is even.",
    "A\nB\nC\nD",
    "The answer is A and B.",
    "The least correct answer is B? C.",
    "\\text{not } B",
    "~~B~~",
    "¬B",
    "The answer is C; B is a trap.",
    "It is wrong to choose B.",
    "Do not choose B.",
    "Never pick B.",
    "I reject B.",
    "B isn't correct.",
    "The answer isn't B.",
]


@pytest.mark.parametrize("text", COMMITTED)
def test_the_last_committing_phrase_or_a_lone_label_is_the_choice(text: str) -> None:
    assert _outcome(text) is Outcome.CORRECT


@pytest.mark.parametrize("text", NOT_COMMITTED)
def test_a_label_that_is_denied_supposed_or_not_alone_is_no_choice(text: str) -> None:
    assert _outcome(text) in {Outcome.INCORRECT, Outcome.UNPARSEABLE}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The answer is green.", "B"),
        ("green", "B"),
        ("The correct answer is blue.", "C"),
        ("The answer is green or red", None),
        ("The answer is not green", None),
        ("It is a colour", None),
    ],
)
def test_the_words_of_one_choice_are_its_label(text: str, right: str | None) -> None:
    for label in "ABCD":
        reference = {"kind": "multiple_choice", "value": label, "texts": ["red", "green", "blue", "a dark blue"]}
        assert (grade(Answer(text=text), reference).score == 1) == (label == right)


def test_reference_must_be_one_of_its_choices() -> None:
    with pytest.raises(ValidationError, match="none of the choices"):
        grade(Answer(text="B"), {"kind": "multiple_choice", "value": "E"})


def test_structured_answer_wins_over_text() -> None:
    verdict = grade(Answer(text="A", data={"answer": "B"}), {"kind": "multiple_choice", "value": "B"})
    assert verdict.outcome is Outcome.CORRECT


def test_exact_compares_the_final_answer() -> None:
    reference = {"kind": "exact", "value": "Paris", "alternatives": ["City of Light"], "case_sensitive": False}
    assert grade(Answer(text="It is a city.\nANSWER: paris"), reference).outcome is Outcome.CORRECT
    assert (
        grade(
            Answer(text="the  City  of Light"), reference | {"value": "x", "alternatives": ["the city of light"]}
        ).score
        == 1
    )
    assert grade(Answer(text="London"), reference).outcome is Outcome.INCORRECT
    assert grade(Answer(text="PARIS"), {"kind": "exact", "value": "Paris"}).outcome is Outcome.INCORRECT


LARCENY = (
    "Yes, because he took property of another",
    "Yes, because mistake of fact is no defense",
    "No, because he lacked the intent to steal",
    "No, because umbrellas are not personal property",
)
TRUTH = ("True", "False")


@pytest.mark.parametrize(
    ("texts", "value", "text", "right"),
    [
        (LARCENY, "C", "The answer is C. No, because he lacked the intent to steal.", True),
        (LARCENY, "C", "ANSWER: C. No, because he lacked the intent to steal.", True),
        (LARCENY, "C", "### Answer\n**C. No, because he lacked the intent to steal.**", True),
        (LARCENY, "C", 'The correct choice is option C, "No, because he lacked intent."', True),
        (TRUTH, "B", "The answer is B. False.", True),
        (TRUTH, "B", "ANSWER: B. False", True),
        (TRUTH, "B", "### Answer\nB) False", True),
        (("Yes", "No"), "B", "The answer is B. No.", True),
        (LARCENY, "C", "The answer is C. No, D is right.", False),
        (LARCENY, "C", "ANSWER: C. No, D.", False),
        (LARCENY, "C", "ANSWER: C. No. It's D.", False),
        (LARCENY, "C", "ANSWER: C. No, wait, D", False),
        (LARCENY, "A", "ANSWER: A. No, because he lacked the intent to steal.", False),
        (TRUTH, "A", "ANSWER: A. False", False),
        (TRUTH, "B", "ANSWER: A. False", False),
        (("1", "2", "3"), "C", "ANSWER: C. No.", False),
    ],
)
def test_a_choice_that_begins_with_no_is_not_taken_back_by_its_own_words(
    texts: tuple[str, ...], value: str, text: str, right: bool
) -> None:
    labels = tuple("ABCD"[: len(texts)])
    reference = {"kind": "multiple_choice", "value": value, "choices": labels, "texts": texts}
    assert (grade(Answer(text=text), reference).outcome is Outcome.CORRECT) is right
