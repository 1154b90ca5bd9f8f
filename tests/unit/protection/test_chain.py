"""The hash chain names the first row that was touched."""

import pytest
from pydantic import JsonValue

from protection.chain import GENESIS, Link, extend, first_broken

ROWS: list[dict[str, JsonValue]] = [{"n": n, "organisation": f"org-{n % 3}", "served": ["p", n]} for n in range(20)]


def _links() -> list[Link]:
    return [Link(row, digest) for row, digest in zip(ROWS, extend(GENESIS, ROWS), strict=True)]


def test_an_untouched_chain_holds() -> None:
    assert first_broken(_links()) is None
    assert first_broken([]) is None


def test_a_chain_grows_from_its_last_hash() -> None:
    head = extend(GENESIS, ROWS[:7])
    assert head + extend(head[-1], ROWS[7:]) == extend(GENESIS, ROWS)


@pytest.mark.parametrize("index", [0, 7, 19])
def test_a_changed_row_is_named(index: int) -> None:
    links = _links()
    links[index] = Link({**links[index].content, "organisation": "someone-else"}, links[index].hash)
    found = first_broken(links)
    assert found is not None
    assert found.index == index
    assert found.stored != found.expected


def test_a_removed_row_is_named() -> None:
    links = _links()
    del links[5]
    found = first_broken(links)
    assert found is not None
    assert found.index == 5


def test_a_rebuilt_tail_does_not_fit_a_published_head() -> None:
    forged = extend(GENESIS, [{**ROWS[0], "organisation": "x"}, *ROWS[1:]])
    assert forged[-1] != extend(GENESIS, ROWS)[-1]
