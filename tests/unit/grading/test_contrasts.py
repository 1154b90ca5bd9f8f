"""A last clause that names what the answer is not, and one that takes the answer back."""

import pytest

from grading import Answer, grade
from grading.language.extract import extract

SET_APART = [
    r"So \boxed{7}, whereas $9$ would belong to a different question.",
    r"\boxed{7} (do not confuse this with $9$).",
    r"In short: $\boxed{7}$. The naive reading gives $9$, which is wrong.",
    r"Thus $$\boxed{7}\,.$$ (Some answer keys print $9$; that is an error.)",
    r"The answer is $\boxed{7}$, and not 9.",
    r"Answer: $7$ (and not $9$, tempting though that is).",
    r"The answer is $7$, rather than $9$.",
    r"Die Antwort lautet also $7$ und nicht $9$.",
    r"Réponse finale : $7$ (et surtout pas $9$).",
    r"Respuesta final: $7$, frente a los $9$ del segundo tramo.",
]
TAKEN_BACK = [
    r"\boxed{7}, which is wrong.",
    r"\boxed{7}. No, 9.",
    r"\boxed{7}. Wait, the answer is 9 and not 7.",
    r"\boxed{7}, whereas the right answer is $9$.",
    r"\boxed{7}, whereas $9$ is the correct answer to another question.",
    r"\boxed{7}. The correct value is $9$, so that was an error.",
    r"\boxed{7}. The key prints $7$, which is wrong.",
    r"\boxed{7}. My reading gives $9$, which contradicts this.",
    r"It is not $7$, and not $9$.",
    r"The answer is at least $7$ rather than $9$.",
]


def _score(response: str) -> float | None:
    return grade(Answer(text=response), {"kind": "math", "value": "7"}).score


@pytest.mark.parametrize("response", SET_APART)
def test_an_answer_set_apart_from_another_value_stands(response: str) -> None:
    assert _score(response) == 1


@pytest.mark.parametrize("response", TAKEN_BACK)
def test_an_answer_that_is_taken_back_does_not(response: str) -> None:
    assert _score(response) != 1


def test_the_other_value_is_not_the_answer() -> None:
    assert extract(Answer(text=SET_APART[2])).text == "7"


def test_an_edit_takes_a_label_back() -> None:
    reference = {"kind": "multiple_choice", "value": "D"}
    assert grade(Answer(text="The answer is D. EDIT: the key was misread, it is B."), reference).score != 1
    assert grade(Answer(text="The answer is D."), reference).score == 1
