"""What workers share about judges: replies that outlive a process, one budget, few connections."""

import dataclasses
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from psycopg.errors import InsufficientPrivilege
from sqlalchemy.exc import ProgrammingError

from api.accounts.models import Scope
from api.core import blocking
from api.core.db import Database, Role, vault_key
from api.core.settings import Settings
from api.worker.judge_store import StoredCache, benchmark
from api.worker.state import Worker
from grading import Answer
from grading.tools import JudgeReply
from packs.pack import Pack
from packs.problem import ReferenceLine
from tests.integration.test_calibration import RIGHT, RUBRIC, SEALED, gullible, pack, people, review_all
from tests.support.service import OPEN, Service
from tests.support.sql import sql
from tests.unit.api.judge_server import judge_server


def reply(digest: str = "d" * 64, **data: Any) -> JudgeReply:
    return JudgeReply(data=data, model="m", digest=digest)


async def test_a_question_is_asked_once_by_all_workers_and_after_a_restart(settings: Settings) -> None:
    with judge_server(gullible) as server:
        judged = settings.model_copy(update={"judge_url": server.url, "judge_model": "gullible-1"})
        for email, team in (("ada@example.org", "lab"), ("bob@example.org", "second")):
            # Each time another worker: what the first was told is known to the second.
            async with Service.running(judged) as service:
                await service.publish(pack(3, OPEN))
                caller = await service.reader(email, team)
                problems = await caller.problems("proofs", "test")
                await caller.submit("proofs", "test", {p["id"]: f"{RIGHT} Number {n}." for n, p in enumerate(problems)})
                await service.work()
                board = (await service.client.get("/v1/benchmarks/proofs/leaderboard")).json()["items"]
                assert {item["score"] for item in board} == {1.0}
                assert len(server.requests) == 3
    async with Service.running(settings) as service, service.admin.session() as session:
        (row,) = (await sql(session, "select count(*), sum(tokens) from judge_budget")).all()
        assert row[0] == 1
        kept = (await sql(session, "select sealed from vault.judge_reply")).all()
    assert len(kept) == 3
    assert all(b"sound" not in bytes(sealed) for (sealed,) in kept), "replies quote answers, so they are sealed"


async def test_replies_are_for_workers_alone_and_never_changed(service: Service) -> None:
    cache = StoredCache(service.worker.judges, partial(vault_key, service.settings))
    cache.put(reply(a=1))
    cache.put(reply(a=2))
    assert cache.get("d" * 64) == reply(a=1), "the first reply stays"
    assert cache.get("e" * 64) is None
    tried = [(role, "select sealed from vault.judge_reply") for role in (Role.WEB, Role.HOST)]
    tried += [(Role.WORKER, "update vault.judge_reply set sealed = ''"), (Role.WORKER, "delete from vault.judge_reply")]
    for role, statement in tried:
        database = Database.of(service.settings, role)
        try:
            with pytest.raises(ProgrammingError) as caught:
                async with database.session() as session:
                    await sql(session, statement)
            assert isinstance(caught.value.orig, InsufficientPrivilege)
        finally:
            await database.close()


async def test_a_changed_reply_is_asked_again(service: Service) -> None:
    cache = StoredCache(service.worker.judges, partial(vault_key, service.settings))
    for digest, number in (("d" * 64, 1), ("e" * 64, 2)):
        cache.put(reply(digest, a=number))
    async with service.admin.session() as session:
        await sql(
            session,
            """update vault.judge_reply set sealed = (select sealed from vault.judge_reply where digest like 'e%')
               where digest like 'd%'""",
        )
    assert cache.get("d" * 64) is None
    assert cache.get("e" * 64) == reply("e" * 64, a=2)


async def test_calls_share_their_connections(settings: Settings) -> None:
    with judge_server(gullible) as server:
        judged = settings.model_copy(update={"judge_url": server.url, "judge_model": "gullible-1"})
        async with Service.running(judged) as service:
            await service.publish(pack(20, OPEN))
            ada = await service.reader()
            problems = await ada.problems("proofs", "test")
            await ada.submit("proofs", "test", {p["id"]: f"{RIGHT} {n}" for n, p in enumerate(problems)})
            await service.work()
            assert len(server.requests) == 20
            assert 1 <= service.worker.judges.opened <= 4


async def test_an_unreachable_database_forgets_replies_and_spends_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocking, "_WAIT", 0.5)
    with judge_server(gullible) as server:
        gone = settings.model_copy(
            update={"judge_url": server.url, "judge_model": "gullible-1", "database_name": "not_there"}
        )
        worker = Worker.build(gone)
        try:
            token = benchmark.set(uuid4())
            verdict = await worker.graders.grade(Answer(text=RIGHT), pack(1, OPEN).references[0].reference)
            benchmark.reset(token)
        finally:
            await worker.close()
    assert (verdict.score, "budget" in verdict.reason) == (None, True)
    assert server.requests == []


def _composite() -> Pack:
    whole = pack(12, SEALED)
    parts = [
        {"reference": whole.references[0].reference, "weight": 3, "name": "proof"},
        {"reference": {"kind": "includes", "values": ["forty-two"]}, "weight": 1, "name": "number"},
    ]
    reference = {"kind": "composite", "rule": "weighted", "parts": parts}
    lines = tuple(ReferenceLine(id=line.id, reference=reference) for line in whole.references)
    return dataclasses.replace(whole, references=lines)


async def test_a_judge_inside_a_composite_is_sampled_and_measured(settings: Settings) -> None:
    with judge_server(gullible) as server:
        changes = {"judge_url": server.url, "judge_model": "gullible-1", "calibration_width": 0.9}
        async with Service.running(settings.model_copy(update=changes)) as service:
            await service.publish(_composite())
            ada = await service.reader()
            problems = await ada.problems("proofs", "test")
            answers = {p["id"]: f"{RIGHT} {n} {'forty-two' * (n % 2)}" for n, p in enumerate(problems)}
            await ada.submit("proofs", "test", answers)
            await service.work()
            seen: list[Any] = []

            def careful(sheet: Any) -> dict[str, float]:
                seen.append(sheet)
                found = "forty-two" in sheet["answer"]
                return {"p1-proof": 1.0, "p2-right": float(found)}

            votes = await review_all(service, await people(service, 2), careful)
            assert votes >= 2 * 4
            criteria = seen[0]["rubric"]["criteria"]
            assert [(c["id"], c["points"]) for c in criteria] == [("p1-proof", 0.75), ("p2-right", 0.25)]
            assert RUBRIC["criteria"][0]["text"] in criteria[0]["text"]  # type: ignore[index]
            owner = await service.reader("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE])
            (judge,) = (await owner.get("/v1/benchmarks/proofs/calibration")).json()["judges"]
            assert (judge["judge"], judge["n"]) == ("gullible-1", votes // 2)
            assert {c["criterion"]: c["agreement"] for c in judge["criteria"]} == {"p1-proof": 1.0, "p2-right": 1.0}
