"""The list of benchmarks: what it says, and what it costs the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import event

from api.core.trips import Cursor, Statement
from tests.support.service import Service, choice_pack


@contextmanager
def statements(service: Service) -> Iterator[list[str]]:
    """The SQL that the web process sends while the block runs: what SQLAlchemy makes, and what repositories name."""
    sent: list[str] = []
    execute, converted = psycopg.AsyncRawCursor.execute, Cursor._converted

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    async def named(self: Any, query: bytes, *arguments: Any, **options: Any) -> Any:
        sent.append(query.decode())
        return await execute(self, query, *arguments, **options)

    def together(self: Cursor, statement: Statement) -> Any:
        sent.append(statement.sql.decode())
        return converted(self, statement)

    engine = service.app.state.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(psycopg.AsyncRawCursor, "execute", named)
            patch.setattr(Cursor, "_converted", together)
            yield sent
    finally:
        event.remove(engine, "before_cursor_execute", note)


async def test_the_front_page_takes_as_many_statements_however_many_benchmarks_there_are(service: Service) -> None:
    await service.publish(choice_pack("alpha"))
    await service.publish(choice_pack("beta"))
    await service.publish(choice_pack("gamma"))
    with statements(service) as sent:
        page = await service.client.get("/")
    assert [slug for slug in ("alpha", "beta", "gamma") if f"/b/{slug}" in page.text] == ["alpha", "beta", "gamma"]
    # The page's version, benchmarks, those of combined boards, the kinds of problems, the best of the boards.
    assert len(sent) == 5, sent
    with statements(service) as sent:
        await service.client.get("/")
    assert len(sent) == 1, "a page that is kept asks for its version alone"
    with statements(service) as sent:
        listed = (await service.client.get("/v1/benchmarks")).json()["items"]
    assert [item["slug"] for item in listed] == ["alpha", "beta", "gamma"]
    assert [(split["name"], split["visibility"], split["count"]) for split in listed[0]["splits"]] == [
        ("dev", "dev", 2),
        ("test", "test", 8),
    ]
    assert len(sent) == 2, sent


async def test_what_is_listed_is_what_is_shown(service: Service) -> None:
    await service.publish(choice_pack("alpha"))
    await service.publish(choice_pack("beta", hidden={"problems_per_day": 5}))
    listed = (await service.client.get("/v1/benchmarks", params={"limit": 1})).json()
    following = (await service.client.get("/v1/benchmarks", params={"cursor": listed["next"]})).json()
    assert [item["slug"] for item in following["items"]] == ["beta"]
    shown = (await service.client.get("/v1/benchmarks/beta")).json()
    assert following["items"][0].items() <= shown.items()
    assert [split["problems_per_day"] for split in shown["splits"]] == [None, 5]
    assert shown["versions"] == ["1.0.0"]


async def test_a_benchmark_or_a_split_that_is_not_there_is_named_everywhere_alike(service: Service) -> None:
    await service.publish(choice_pack())
    ada = await service.reader()
    answers = [
        await ada.get("/v1/benchmarks/none/problems", params={"split": "test"}),
        await ada.get("/v1/benchmarks/none/episodes", params={"split": "test"}),
        await ada.submit("none", "test", {}),
        await service.client.get("/v1/benchmarks/none/leaderboard", params={"split": "test"}),
        await service.client.get("/v1/benchmarks/none"),
    ]
    assert {(a.status_code, a.json()["code"], a.json()["detail"]) for a in answers} == {
        (404, "no_such_benchmark", "no benchmark has this slug; GET /v1/benchmarks lists them")
    }
    answers = [
        await ada.get("/v1/benchmarks/quiz/problems", params={"split": "none"}),
        await ada.get("/v1/benchmarks/quiz/episodes", params={"split": "none"}),
        await ada.submit("quiz", "none", {}),
        await service.client.get("/v1/benchmarks/quiz/leaderboard", params={"split": "none"}),
    ]
    assert {(a.status_code, a.json()["code"], a.json()["detail"]) for a in answers} == {
        (404, "no_such_split", "GET /v1/benchmarks/quiz lists the splits")
    }
