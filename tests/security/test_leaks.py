"""No secret of a pack comes out: every field is marked, every route is called, every place is searched."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute, iter_route_contexts
from psycopg.errors import InsufficientPrivilege
from sqlalchemy.exc import ProgrammingError

from api.accounts.models import MemberRole, Scope
from api.core.db import Database, Role
from api.core.known_query import parameters
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.support.service import Caller, Service
from tests.support.sql import sql

SPLITS = {
    "dev": {"visibility": "dev", "feedback": "full"},
    "test": {"visibility": "test", "feedback": "aggregate"},
    "private": {"visibility": "private", "feedback": "none"},
}


def _marked() -> Pack:
    """A pack whose every secret field holds MARK-<split>-<field>; the dev split's may be told, the others' never."""
    head = {
        "slug": "marked",
        "title": "Marked",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "A card.",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": SPLITS,
    }
    problems, references = [], []
    for split in SPLITS:
        for number, kind in enumerate(("exact", "includes", "rubric")):
            mark = f"MARK-{split}-{kind}"
            name = f"{split}-{number}"
            statement = f"Say it in {name}." if split != "private" else f"{mark}-statement"
            problems.append(Problem(id=name, split=split, type=kind, subject="s", statement=statement))
            references_of: dict[str, dict[str, Any]] = {
                "exact": {"kind": "exact", "value": f"{mark}-value"},
                "includes": {"kind": "includes", "values": [f"{mark}-value"]},
                "rubric": {
                    "kind": "rubric",
                    "solution": f"{mark}-rubric-solution",
                    "rubric": {
                        "criteria": [
                            {
                                "id": "a",
                                "points": 10,
                                "text": f"{mark}-criterion",
                                "full": f"{mark}-full",
                                "half": f"{mark}-half",
                                "none": f"{mark}-none",
                            }
                        ]
                    },
                },
            }
            references.append(
                ReferenceLine(id=name, reference=references_of[kind], gold=f"{mark}-gold", solution=f"{mark}-solution")
            )
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(references), {})


NOWHERE = "%00' or 1=1 --"
SECRET = re.compile(r"MARK-(?:test|private)-\w+")


async def _callers(service: Service) -> dict[str, Caller | None]:
    everything = [scope for scope in Scope if scope is not Scope.ADMIN]
    return {
        "anonymous": None,
        "participant": await service.reader(),
        "other": await service.reader("eve@example.org", "other"),
        "reviewer": await service.reader("rita@example.org", "reviewers", scopes=everything),
        "owner": await service.reader("olga@example.org", "owners", scopes=everything, role=MemberRole.OWNER),
        "operator": await service.reader("oto@example.org", "ops", scopes=list(Scope), operator=True),
    }


def _bodies(problem: str, route: APIRoute, address: str, method: str) -> list[Any]:
    """All of them where a body is read and the address leads somewhere."""
    if method not in ("POST", "PATCH", "PUT"):
        return [None]
    answer = {"problem": problem, "answer": "\x00 wrong \ud7ff"}
    good = {"benchmark": "marked", "split": "test", "model": {"name": "m"}, "items": [answer]}
    if route.body_field is None or NOWHERE in address:
        return [None, good]
    return [
        None,
        {},
        [],
        "text",
        {"items": [answer]},
        good,
        good | {"split": 5},
        {"name": "Somebody"},
        {"hidden": True},
    ]


def _addresses(path: str, values: dict[str, str]) -> list[str]:
    filled = re.sub(r"{([^}]*)}", lambda found: values.get(found.group(1), "none"), path)
    return list(dict.fromkeys((filled, re.sub(r"{[^}]*}", NOWHERE, path))))


def _queries(route: APIRoute, method: str) -> list[dict[str, str]]:
    """Each split by those parameters that the route knows: with others it would refuse, and twice the same is nothing
    new."""
    known = set(parameters(route.dependant))
    splits = SPLITS if method == "GET" else ("test",)
    asked = ({name: value for name, value in (("split", s), ("limit", "20")) if name in known} for s in splits)
    return [dict(pairs) for pairs in dict.fromkeys(tuple(query.items()) for query in asked)]


async def _told(
    service: Service, caller: Caller | None, method: str, address: str, query: dict[str, str], body: Any
) -> str:
    call = caller.call if caller else service.client.request
    response = await call(method, address, params=query, json=body)
    return f"{method} {address}\n{response.headers}\n{response.text}"


async def test_no_marker_comes_out_of_any_route(service: Service, capfd: pytest.CaptureFixture[str]) -> None:
    await service.publish(_marked())
    callers = await _callers(service)
    reader = callers["participant"]
    assert reader
    problems = await reader.problems("marked", "test")
    done = await reader.submit("marked", "test", {p["id"]: "a wrong answer" for p in problems})
    dev = await reader.problems("marked", "dev")
    await reader.submit("marked", "dev", {p["id"]: "a wrong answer" for p in dev})
    await service.work()
    values = {
        "slug": "marked",
        "alias": problems[0]["id"],
        "submission": done.json()["id"],
        "entry": done.json()["id"],
        "version": "1.0.0",
        "path:path": "a.png",
        "key": "key_0",
    }
    seen = [
        await _told(service, caller, method, address, query, body)
        for context in iter_route_contexts(service.app.routes)
        if isinstance(route := context.original_route, APIRoute) and context.path and context.methods
        for address in _addresses(context.path, values)
        for method in context.methods
        for query in _queries(route, method)
        for body in _bodies(problems[0]["id"], route, address, method)
        for caller in callers.values()
    ]
    await service.work()
    assert len(seen) > 300
    leaked = sorted({hit for text in seen for hit in SECRET.findall(text)})
    assert leaked == []
    assert any("MARK-dev-exact-gold" in text for text in seen), "the dev split tells its gold, so the search can see"
    out = capfd.readouterr()
    assert SECRET.search(out.out + out.err) is None


async def test_no_marker_is_in_a_public_table_a_job_or_the_openapi_page(service: Service) -> None:
    await service.publish(_marked())
    ada = await service.reader()
    problems = await ada.problems("marked", "test")
    await ada.submit("marked", "test", {p["id"]: "wrong" for p in problems})
    for when in ("queued", "graded"):
        # Their owner reads all columns; each other role has rights on some.
        async with service.admin.session() as session:
            tables = await sql(
                session,
                "select schemaname || '.' || tablename from pg_tables where schemaname in ('public', 'queue')",
            )
            for (table,) in tables.all():
                rows = await sql(session, f"select to_jsonb(t) from {table} t")
                text = json.dumps([row[0] for row in rows.all()])
                hits = {hit for hit in SECRET.findall(text) if "private" not in hit}
                assert hits == set(), f"{table} when {when}: {hits}"
        await service.work()
    assert SECRET.search((await service.client.get("/v1/openapi.json")).text) is None


async def test_the_web_role_cannot_read_the_vault(service: Service) -> None:
    await service.publish(_marked())
    for role in (Role.WEB, Role.HOST):
        database = Database.of(service.settings, role)
        try:
            with pytest.raises(ProgrammingError) as caught:
                async with database.session() as session:
                    await sql(session, "select sealed from vault.reference")
            assert isinstance(caught.value.orig, InsufficientPrivilege)
        finally:
            await database.close()


async def test_sealed_references_hold_no_marker(service: Service) -> None:
    await service.publish(_marked())
    async with service.admin.session() as session:
        rows = (await sql(session, "select sealed from vault.reference")).all()
    assert len(rows) == 9
    assert all(b"MARK" not in bytes(row[0]) for row in rows)


async def test_the_ledger_cannot_be_changed(service: Service) -> None:
    await service.publish(_marked())
    await (await service.reader()).problems("marked", "test")
    for role in (Role.WEB, Role.WORKER):
        for statement in ("update exposure set variant = 'x'", "delete from exposure", "truncate exposure"):
            database = Database.of(service.settings, role)
            try:
                with pytest.raises(ProgrammingError) as caught:
                    async with database.session() as session:
                        await sql(session, statement)
                assert isinstance(caught.value.orig, InsufficientPrivilege)
            finally:
                await database.close()
