"""What an owner asks of a worker over HTTP: item statistics, diffs, previews of regradings, exports, retirement."""

import dataclasses
from typing import Any
from uuid import UUID

import pytest

from api.accounts.models import Scope
from api.owner_jobs.schemas import ExportAsk
from api.worker import owner_jobs
from api.worker.exporting import export_benchmark, restore_benchmark
from packs.pack import Pack
from packs.problem import Variation
from tests.integration.test_corrections import answered, board, mended, rows
from tests.support.service import OPEN, Caller, Service, choice_pack
from tests.support.sql import sql

OWNER = [Scope.BENCHMARKS_WRITE, Scope.PROBLEMS_READ, Scope.SUBMISSIONS_WRITE]
SEALED = {"visibility": "test", "feedback": "scores"}


async def owner_of(service: Service) -> Caller:
    return await service.reader("o@example.org", "owners", scopes=OWNER)


async def done(service: Service, owner: Caller, **ask: Any) -> dict[str, Any]:
    """Ask for a job, have it done, and read it."""
    begun = (await owner.post("/v1/benchmarks/quiz/jobs", json=ask)).raise_for_status().json()
    assert begun["state"] == "queued"
    await service.work()
    return dict((await owner.get(f"/v1/jobs/{begun['id']}")).raise_for_status().json())


async def taken(service: Service, count: int = 4) -> None:
    """`count` organisations answer: all are right but on test-0, where they agree on D."""
    for number in range(count):
        reader = await service.reader(f"r{number}@example.org", f"team{number}")
        await answered(reader, f"m{number}", test_0="D")
    await service.work()


@pytest.mark.parametrize("hidden", [OPEN, SEALED])
async def test_a_wrong_gold_stands_first_and_a_preview_says_who_would_move(
    service: Service, hidden: dict[str, Any]
) -> None:
    await service.publish(choice_pack(count=8, hidden=hidden))
    await taken(service)
    owner = await owner_of(service)
    assert (await owner.get("/v1/benchmarks/quiz/items")).json()["code"] == "not_measured"
    found = (await done(service, owner, job="items", split="test"))["result"]
    assert (found["submissions"], found["strong"], len(found["items"])) == (4, 3, 8)
    first, second = found["items"][:2]
    assert (first["name"], first["suspected"], first["right"]) == ("test-0", True, 0.0)
    assert first["wrong"] == [{"text": "D", "count": 4, "strong": 3}]
    assert (second["suspected"], second["right"]) == (False, 1.0)
    last = (await owner.get("/v1/benchmarks/quiz/items?split=test")).json()
    assert last["statistics"] == found
    before = (await done(service, owner, job="regrade_preview"))["result"]
    assert (before["submissions"], before["entries"], before["items"]) == (4, [], [])
    await service.publish(mended(choice_pack(count=8, version="1.0.1", hidden=hidden)))
    shown = (await done(service, owner, job="regrade_preview"))["result"]
    assert {(e["before"], e["after"], e["answers_changed"], e["split"]) for e in shown["entries"]} == {
        (0.875, 1.0, 1, "test")
    }
    assert shown["items"] == [{"name": "test-0", "split": "test", "better": 4, "worse": 0}]
    changed = (await done(service, owner, job="diff", old="1.0.0", new="1.0.1"))["result"]
    assert changed["corrects"] is True
    assert [(i["name"], i["change"], i["fields"], i["gold_changed"]) for i in changed["items"]] == [
        ("test-0", "changed", [], True)
    ]


async def test_a_preview_changes_nothing_and_a_regrading_does_what_it_said(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden=OPEN))
    await taken(service, 2)
    owner = await owner_of(service)
    await service.publish(mended(choice_pack(count=8, version="1.0.1", hidden=OPEN)))
    was = rows(await board(service))
    shown = (await done(service, owner, job="regrade_preview"))["result"]
    assert rows(await board(service)) == was
    body = {"reason": "The gold of a problem was wrong."}
    (await owner.post("/v1/benchmarks/quiz/regrades", json=body)).raise_for_status()
    for _ in range(2):
        await service.work()
    now = {(name, score) for _, name, score in rows(await board(service))}
    assert now == {(entry["model"], entry["after"]) for entry in shown["entries"]}


async def test_an_owner_who_takes_part_is_told_nothing_of_participants(service: Service) -> None:
    await service.publish(choice_pack(count=8))
    owner = await owner_of(service)
    await taken(service, 1)
    measured = await done(service, owner, job="items", split="test")
    # A member of the owner's organisation takes part with another one.
    await service.key("o@example.org", "rivals")
    rival = await service.reader("o@example.org", "rivals")
    await answered(rival, "mine")
    await service.work()
    for ask in ({"job": "items", "split": "test"}, {"job": "regrade_preview"}):
        refused = await owner.post("/v1/benchmarks/quiz/jobs", json=ask)
        assert (refused.status_code, refused.json()["code"]) == (409, "owner_takes_part")
    for path in (f"/v1/jobs/{measured['id']}", "/v1/benchmarks/quiz/items"):
        assert (await owner.get(path)).json()["code"] == "owner_takes_part"
    assert (await done(service, owner, job="diff", old="1.0.0", new="1.0.0"))["result"]["items"] == []
    async with service.admin.session() as session:
        left = "delete from membership m using organisation o where o.id = m.organisation_id and o.slug = 'rivals'"
        await sql(session, left)
    refused = await owner.post("/v1/benchmarks/quiz/jobs", json={"job": "items", "split": "test"})
    assert refused.json()["code"] == "owner_takes_part", "whoever submitted and left has taken part"


async def test_the_worker_looks_again_who_takes_part(service: Service) -> None:
    await service.publish(choice_pack(count=8))
    owner = await owner_of(service)
    ask = {"job": "items", "split": "test"}
    begun = (await owner.post("/v1/benchmarks/quiz/jobs", json=ask)).raise_for_status().json()
    await answered(owner, "mine")
    await service.work()
    async with service.admin.session() as session:
        row = (await sql(session, "select state, failure, result from owner_job")).one()
    assert (row.state, row.result) == ("failed", None)
    assert "owners" in row.failure
    assert (await owner.get(f"/v1/jobs/{begun['id']}")).json()["state"] == "failed"


async def test_nobody_else_sees_or_asks_anything(service: Service) -> None:
    await service.publish(choice_pack(count=8))
    owner, ada = await owner_of(service), await service.reader()
    stranger = await service.reader("s@example.org", "others", scopes=OWNER)
    job = await done(service, owner, job="export")
    for path in (f"/v1/jobs/{job['id']}", f"/v1/jobs/{job['id']}/file", "/v1/benchmarks/quiz/jobs"):
        assert (await owner.get(path)).status_code == 200
        assert (await stranger.get(path)).status_code == 404
        assert (await ada.get(path)).status_code == 403
    assert (await stranger.get("/v1/benchmarks/quiz/items")).status_code == 404
    assert (await stranger.post("/v1/benchmarks/quiz/jobs", json={"job": "export"})).status_code == 404
    assert (await owner.get("/v1/jobs/job_00")).status_code == 404


async def test_the_same_job_waits_once_and_five_are_the_limit(service: Service) -> None:
    await service.publish(choice_pack(count=8))
    owner = await owner_of(service)
    path = "/v1/benchmarks/quiz/jobs"
    asks = [{"job": "diff", "old": "1.0.0", "new": f"1.0.{number}"} for number in range(6)]
    begun = [(await owner.post(path, json=ask)).json() for ask in (asks[0], *asks[:5])]
    assert begun[0]["id"] == begun[1]["id"]
    assert (await owner.post(path, json=asks[5])).json()["code"] == "too_many_jobs"
    for _ in asks:  # one after the other
        await service.work()
    listed = (await owner.get(path)).json()["items"]
    assert [item["state"] for item in listed] == ["failed"] * 4 + ["done"]
    assert "1.0.4" in listed[0]["failure"]
    assert (await owner.post(path, json={"job": "nonsense"})).status_code == 422


async def test_what_fails_again_and_again_is_said_and_ends(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    await service.publish(choice_pack(count=8))
    owner = await owner_of(service)

    async def broken(*_: object) -> Any:
        raise RuntimeError("a secret of the service")

    monkeypatch.setitem(owner_jobs._DOING, ExportAsk, broken)
    begun = (await owner.post("/v1/benchmarks/quiz/jobs", json={"job": "export"})).json()
    job_id = UUID(hex=begun["id"].removeprefix("job_"))
    for last in (False, True):
        with pytest.raises(RuntimeError):
            await owner_jobs.perform(service.worker, job_id, last_try=last)
        shown = (await owner.get(f"/v1/jobs/{begun['id']}")).json()
        assert shown["state"] == ("failed" if last else "running")
    assert "secret" not in shown["failure"]
    await owner_jobs.perform(service.worker, job_id, last_try=False)


async def test_a_retirement_makes_a_release_with_the_golds_of_the_split(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden=SEALED))
    owner = await owner_of(service)
    failed = await done(service, owner, job="retire", split="nothing", version="2.0.0")
    assert failed["state"] == "failed"
    made = await done(service, owner, job="retire", split="test", version="2.0.0", everything=True)
    assert made["result"] == {"job": "retire", "version": "2.0.0", "problems": 10}
    changed = (await done(service, owner, job="diff", old="1.0.0", new="2.0.0"))["result"]
    assert changed["terms"] == ["splits"]
    assert {tuple(item["fields"]) for item in changed["items"]} == {("split",)}
    assert len(changed["items"]) == 8


def varied(pack: Pack) -> Pack:
    """The pack with the order of choices varied on its hidden split."""
    lines = tuple(
        line.model_copy(update={"variation": Variation(choices=True)}) if line.id.startswith("test") else line
        for line in pack.references
    )
    return dataclasses.replace(pack, references=lines)


async def test_a_benchmark_that_varies_is_exported_as_its_owner_wrote_it(service: Service) -> None:
    pack = varied(choice_pack(count=8, hidden=SEALED))
    await service.publish(pack)
    async with service.admin.session() as session:
        content = await export_benchmark(session, service.settings, "quiz", "a long passphrase", bytes(16))
        again = await restore_benchmark(session, service.settings, content, "a long passphrase")
    assert [(item.version, item.fresh) for item in again] == [("1.0.0", False)]
    owner = await owner_of(service)
    job = await done(service, owner, job="export")
    assert job["result"]["without_reference"] == 8
    made = await done(service, owner, job="retire", split="test", version="2.0.0", everything=True)
    assert made["state"] == "done"
