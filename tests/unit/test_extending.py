"""docs/extending.md shows what tests run: the files of the example distribution, and a column."""

import re
from pathlib import Path

import pytest

from api.leaderboard.columns import Column, written
from tests.integration.test_leaderboard_columns import ranked
from tests.support.installing import EXAMPLE

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
LISTINGS = dict(re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```$', PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE))


def test_every_file_of_the_example_is_on_the_page() -> None:
    files = {str(path.relative_to(EXAMPLE)) for path in EXAMPLE.rglob("*.py") if path.name != "__init__.py"}
    assert set(LISTINGS) == files | {"pyproject.toml", "column"}


@pytest.mark.parametrize("name", sorted(set(LISTINGS) - {"column"}))
def test_a_listing_is_the_file_that_tests_install(name: str) -> None:
    assert LISTINGS[name] == (EXAMPLE / name).read_text("utf-8")


@pytest.mark.parametrize(("cost", "score", "shown"), [(6.5, 0.5, "$13.00"), (None, 0.5, "–"), (6.5, 0.0, "–")])
def test_the_column_works(cost: float | None, score: float, shown: str) -> None:
    made: dict[str, Column] = {}
    exec(compile(LISTINGS["column"], str(PAGE), "exec"), made)
    column = made["COST_PER_POINT"]
    row = ranked({"score": score, "usage": {"cost": cost}})
    assert written(column.format, column.value(row)) == shown
