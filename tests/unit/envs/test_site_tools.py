"""What the tools and the forum compute themselves: sums, and words for pictures."""

import pytest

from tests.support.site_programs import told

SUMS = """
import json
from app.calculating import SumError, worked_out
def one(text):
    try:
        return worked_out(text)
    except SumError as problem:
        return "wrong: " + str(problem)
print(json.dumps([one(text) for text in json.loads(sys.argv[1])]))
"""
RIGHT = {
    "1+2*3": "7",
    "12.50*(3+4)": "87.5",
    "-2^2": "-4",
    "(-2)^2": "4",
    "2^-1": "0.5",
    "2^3^2": "512",
    "1,234.5+1": "1235.5",
    "0.1+0.2": "0.3",
    "200*15%": "30",
    "10/4": "2.5",
    "100": "100",
    "1/3": "0.333333333333",
    "0*-1": "0",
    "5--3": "8",
    "3 × 4 − 2 ÷ 1": "10",
    ".5+1.": "1.5",
}
WRONG = [
    "",
    "1/0",
    "(1",
    "1)",
    "1 2",
    "2^0.5",
    "9^9^9^9",
    "1e5",
    "9" * 100,
    "(" * 60 + "1" + ")" * 60,
    "__import__('os')",
]


def test_sums() -> None:
    assert dict(zip(RIGHT, _sums(list(RIGHT)), strict=True)) == RIGHT


def test_what_is_no_sum_is_told() -> None:
    for text, result in zip(WRONG, _sums(WRONG), strict=True):
        assert result.startswith("wrong: "), (text, result)


def _sums(texts: list[str]) -> list[str]:
    import json

    found: list[str] = told("tools", SUMS, json.dumps(texts))
    return found


NAMES = "import json; from app.naming import named; print(json.dumps(named(sys.argv[1])))"


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ('<a><i class="fa fa-search"></i></a>', '<a><i class="fa fa-search" role="img" aria-label="search"></i></a>'),
        ('<i class="fa fa-heart"></i> like (3)', '<i class="fa fa-heart" aria-hidden="true"></i> like (3)'),
        ('<i class="fa fa-comment"></i> 12', '<i class="fa fa-comment" role="img" aria-label="comments"></i> 12'),
        ('<i class="fa fa-unheard-of"></i>', '<i class="fa fa-unheard-of" aria-hidden="true"></i>'),
        ("<i>italic</i>", "<i>italic</i>"),
    ],
)
def test_pictures_alone_have_words(html: str, wanted: str) -> None:
    assert told("forum", NAMES, html) == wanted


FIRST = """
import json, random
from app.noting import first_notes
print(json.dumps(first_notes(random.Random(sys.argv[1]), 8)))
"""


def test_notes_follow_from_the_seed() -> None:
    notes = told("tools", FIRST, 1)
    assert notes == told("tools", FIRST, 1)
    assert notes != told("tools", FIRST, 2)
    assert len({title for title, _ in notes}) == 8
