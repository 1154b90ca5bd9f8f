"""Lists come back from the database as they were sent."""

from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from api.core.query import Query
from tests.support.service import Service

TEXTS = [
    "",
    "a",
    "NULL",
    "null",
    'a "word"',
    "back\\slash",
    '\\"',
    "{1,2}",
    ", ",
    "  ",
    "line\nline",
    "é 漢 \U0001f600",
]
IDS = [UUID(int=0), *(uuid4() for _ in range(20))]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("text", TEXTS),
        ("text", [*TEXTS, None]),
        ("text", []),
        ("text", [["a", 'b"'], ["c", "d,"]]),
        ("uuid", IDS),
        ("uuid", [*IDS, None]),
        ("uuid", []),
        ("bytea", [b"", b'\0\\"x', bytes(range(256))]),
        ("bytea", [b"a", None]),
        ("bigint", [1, 2**40, -3]),
        ("boolean", [True, False]),
    ],
)
async def test_a_list_comes_back(service: Service, kind: str, values: list[Any]) -> None:
    back = Query(object, "What was sent.", f"select cast(:values as {kind}[])")
    async with service.admin.session() as session:
        assert await session.fetch_one(back, values=values) == values


async def test_a_text_that_no_table_takes_is_refused(service: Service) -> None:
    back = Query(object, "What was sent.", "select cast(:values as text[])")
    async with service.admin.session() as session:
        with pytest.raises(Exception, match="NUL") as refused:
            await session.fetch_one(back, values=["a", "b\0c"])
    assert isinstance(getattr(refused.value, "orig", refused.value), psycopg.DataError)
