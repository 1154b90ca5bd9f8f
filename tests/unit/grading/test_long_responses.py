"""Long responses with other values in the body and in remarks: the right one is read, the other is not."""

import time

import pytest

from grading import Answer, grade
from grading.language.extract import extract
from tests.unit.grading.long_responses import long_responses

RESPONSES = long_responses(300, seed=1)


def _score(text: str, value: str) -> float | None:
    return grade(Answer(text=text), {"kind": "math", "value": value}).score


def test_the_right_value_is_read_from_97_of_100() -> None:
    refused = [each.text for each in RESPONSES if _score(each.text, each.right) != 1]
    assert len(refused) <= 0.03 * len(RESPONSES), refused[:3]


def test_no_value_mentioned_beside_is_accepted() -> None:
    assert [each.text for each in RESPONSES if _score(each.text, each.wrong) == 1] == []


HOSTILE = {
    "numbers in a sentence": "We have " + ", ".join(map(str, range(1500))) + " and 5 = 5. So it is 5. So it is 6.",
    "numbers in a formula": f"We see that ${'+'.join(map(str, range(900)))} = 5$. So it is. " * 2
    + "So $1+1=2$. " * 150,
    "values in sentences": "So we get $x = 3 + 4 = 7$ here. " * 250,
    "values in plain type": "a = b + c = d - 5 / 3 = 7 and so x = 3 or 4 between 3 and 5. " * 120,
    "rows": "| a | b |\n|---|---|\n" + "".join(f"| row {row} | {row} = {row} cm |\n" for row in range(400)),
    "nested boxes": "\\boxed{" * 1000,
    "phrases": "the answer is " * 4000,
    "commas": "The answer is 5" + ", so" * 15_000,
    "dollars": "$x $" * 15_000,
    "brackets": "The answer is " + "(" * 20_000,
    "therefore": "so therefore thus " * 3_000 + "5",
    "spaces": "The answer is" + " " * 50_000 + "5",
    "tables": "| a |\n" * 8_000,
    "json": '{"answer": ' * 5_000,
    "option": "option A is " * 5_000,
    "digits": "The answer is " + "1," * 20_000,
    "digits behind sentences": "We add. We get it. It is " + "1," * 3_000,
    "and": "We get " + "$x$ and " * 5_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_responses_take_half_a_second_of_cpu_at_most(name: str) -> None:
    before = time.process_time()
    extract(Answer(text=HOSTILE[name]))
    asked = {"statement": "How long is the side of 5 m in cm? " * 40}
    grade(Answer(text=HOSTILE[name], context=asked), {"kind": "math", "value": "5"})
    grade(Answer(text=HOSTILE[name]), {"kind": "multiple_choice", "value": "B"})
    assert time.process_time() - before < 1.5
