"""Leaks traced through the service, echoes of another copy, and the sealed ledger."""

import asyncio
import json
from typing import Any

import pytest
from typer.testing import CliRunner

from api.accounts.models import MemberRole, Scope
from api.cli.main import built
from api.ledger import sealing
from protection import scraping
from tests.integration.test_variants import marked_pack, solve
from tests.support.service import Caller, Service
from tests.support.sql import sql

OWNER = [Scope.PROBLEMS_READ, Scope.BENCHMARKS_WRITE]


async def _owner(service: Service) -> Caller:
    return await service.reader("olga@example.org", "owners", scopes=OWNER, role=MemberRole.OWNER)


async def _served(service: Service, count: int, organisations: int) -> dict[str, tuple[Caller, list[dict[str, Any]]]]:
    await service.publish(marked_pack(count))
    served = {}
    for number in range(organisations):
        caller = await service.reader(f"u{number}@example.org", f"team-{number}")
        served[f"team-{number}"] = (caller, await caller.problems("marked", "test"))
    return served


async def _traced(service: Service, owner: Caller, body: dict[str, Any]) -> dict[str, Any]:
    asked = await owner.post("/v1/benchmarks/marked/leak-trace", json=body)
    assert asked.status_code == 202, asked.text
    await service.work()
    done = (await owner.get(asked.headers["location"])).json()
    assert done["state"] == "done"
    return dict(done["report"])


async def test_a_leak_names_its_source_in_every_form(service: Service) -> None:
    served = await _served(service, 60, 4)
    owner = await _owner(service)
    _, leaked = served["team-3"]
    pairs = [
        {"text": "\n".join([p["statement"], *(c["text"] for c in p["choices"])]), "answer": solve(p)} for p in leaked
    ]
    report = await _traced(service, owner, {"pairs": pairs})
    assert report["named"] == ["team-3"]
    assert report["suspects"][0]["bound"] < 1e-3
    assert report["candidates"] == 4
    text = "\n\n".join(f"{pair['text']}\nAnswer: {pair['answer']}" for pair in pairs)
    report = await _traced(service, owner, {"text": text + "\nheldout-canary-0123456789abcdef"})
    assert report["named"] == ["team-3"]
    assert report["canaries"] == ["pack"]
    weak = await _traced(service, owner, {"text": "Nothing of the benchmark is in here."})
    assert weak["named"] == []
    assert "nobody" in weak["summary"]
    async with service.admin.session() as session:
        assert (await sql(session, "select count(*) from leak_trace where payload is not null")).scalar_one() == 0


async def test_a_submission_that_echoes_another_copy_is_shown_to_the_owner(service: Service) -> None:
    served = await _served(service, 60, 5)
    owner = await _owner(service)
    thief, own = served["team-1"]
    _, stolen = served["team-4"]
    answers = {mine["id"]: solve(theirs) for mine, theirs in zip(own, stolen, strict=True)}
    echoed = (await thief.submit("marked", "test", answers)).json()["id"]
    honest, problems = served["team-2"]
    fair = (await honest.submit("marked", "test", {p["id"]: solve(p) for p in problems})).json()["id"]
    report = await _traced(service, owner, {"submission": echoed})
    assert report["echoes"][0]["organisation"] == "team-4"
    assert report["echoes"][0]["p"] < 0.05
    assert report["suspects"][0]["organisation"] == "team-4"
    report = await _traced(service, owner, {"submission": fair})
    assert report["named"] == []
    assert all(item["p"] > 0.01 for item in report["echoes"])


async def test_only_the_owner_may_look(service: Service) -> None:
    await service.publish(marked_pack(4))
    stranger = await service.reader("eve@example.org", "others", scopes=OWNER, role=MemberRole.OWNER)
    assert (await stranger.post("/v1/benchmarks/marked/leak-trace", json={"text": "x"})).status_code == 404
    for path in ("ledger", "ledger/check", "scraping"):
        assert (await stranger.get(f"/v1/benchmarks/marked/{path}")).status_code == 404
    owner = await _owner(service)
    asked = (await owner.post("/v1/benchmarks/marked/leak-trace", json={"text": "x"})).headers["location"]
    assert (await stranger.get(asked)).status_code == 404
    for body in ({}, {"text": "x", "submission": "sub_1"}):
        assert (await owner.post("/v1/benchmarks/marked/leak-trace", json=body)).status_code == 422


async def test_the_ledger_is_listed_and_its_chain_names_a_changed_row(service: Service) -> None:
    await _served(service, 24, 2)
    owner = await _owner(service)
    first = (await owner.get("/v1/benchmarks/marked/ledger", params={"limit": 30})).json()
    rest = (await owner.get("/v1/benchmarks/marked/ledger", params={"limit": 30, "cursor": first["next"]})).json()
    rows = first["items"] + rest["items"]
    assert len({row["id"] for row in rows}) == 48
    assert {row["organisation"] for row in rows} == {"team-0", "team-1"}
    assert rest["next"] is None
    assert (await owner.get("/v1/benchmarks/marked/ledger/check")).json()["unsealed"] == 48
    async with service.worker.database.session() as session:
        assert await sealing.seal(session) == 48
        assert await sealing.seal(session) == 0
    told = (await owner.get("/v1/benchmarks/marked/ledger/check")).json()
    assert (told["holds"], told["rows"], told["unsealed"]) == (True, 48, 0)
    victim = rows[20]["id"]
    async with service.admin.session() as session:
        await sql(session, "update exposure set address = 'elsewhere' where id = :id", {"id": victim})
    told = (await owner.get("/v1/benchmarks/marked/ledger/check")).json()
    assert (told["holds"], told["broken"]) == (False, victim)


@pytest.mark.parametrize("table", ["exposure", "ledger_seal"])
async def test_a_removed_row_breaks_the_chain(service: Service, table: str) -> None:
    await _served(service, 6, 1)
    async with service.admin.session() as session:
        await sealing.seal(session)
        column = "id" if table == "exposure" else "exposure_id"
        await sql(session, f"delete from {table} where {column} = 3")
    async with service.admin.session() as session:
        told = await sealing.check(session)
    assert not told.holds
    assert told.broken == (3 if table == "exposure" else 4)


async def test_scraping_is_shown(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scraping, "SEQUENTIAL_RUN", 20)
    await service.publish(marked_pack(24))
    caller = await service.reader()
    await caller.problems("marked", "test")
    report = (await (await _owner(service)).get("/v1/benchmarks/marked/scraping")).json()
    assert report["served"] == 24
    assert "sequential" in {flag["pattern"] for flag in report["flags"]}


async def test_the_command_traces_a_file(service: Service, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    served = await _served(service, 60, 3)
    rows = [{"question": p["statement"], "choices": p["choices"], "answer": solve(p)} for p in served["team-2"][1]]
    leak = tmp_path / "leak.jsonl"
    leak.write_text("\n".join(json.dumps(row) for row in rows))
    monkeypatch.setenv("HELDOUT_DATA_DIR", str(service.settings.data_dir))
    monkeypatch.setenv("HELDOUT_DATABASE_NAME", service.settings.database_name)
    arguments = ["trace", str(leak), "--benchmark", "marked", "--json"]
    done = await asyncio.to_thread(CliRunner().invoke, built(), arguments)
    assert done.exit_code == 0, done.output
    assert json.loads(done.output.strip().splitlines()[-1])["named"] == ["team-2"]
    done = await asyncio.to_thread(CliRunner().invoke, built(), ["check-ledger"])
    assert "holds: 180 rows" in done.output
