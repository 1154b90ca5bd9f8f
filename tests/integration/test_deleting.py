"""A benchmark is deleted: at its owner's word alone, with all that it held, and the books stay."""

from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from api.core.settings import Settings
from api.hosting.server import Host
from tests.integration.test_owner_jobs import OWNER
from tests.support.service import Caller, Service, choice_pack
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql
from tests.support.visitor import enter

JOBS = "/v1/benchmarks/quiz/jobs"
REASON = "The licence of the problems was withdrawn."
ASK = {"job": "delete", "confirm": "quiz", "reason": REASON}
SEALED = {"visibility": "test", "feedback": "scores"}
_LEFT = """select
  (select count(*) from vault.reference f join release r on r.id = f.release_id
   join benchmark b on b.id = r.benchmark_id where b.slug = :slug) as references,
  (select count(*) from problem p join release r on r.id = p.release_id join benchmark b on b.id = r.benchmark_id
   where b.slug = :slug and (p.statement <> '' or p.choices <> '[]' or p.gold is not null)) as statements,
  (select count(*) from submission_item i join submission u on u.id = i.submission_id
   join release r on r.id = u.release_id join benchmark b on b.id = r.benchmark_id where b.slug = :slug) as answers,
  (select count(*) from vault.verdict v join submission u on u.id = v.submission_id
   join release r on r.id = u.release_id join benchmark b on b.id = r.benchmark_id where b.slug = :slug) as verdicts,
  (select count(*) from entry e join split s on s.id = e.split_id join release r on r.id = s.release_id
   join benchmark b on b.id = r.benchmark_id where b.slug = :slug) as entries,
  (select count(*) from session_step t join live_session l on l.id = t.session_id join split s on s.id = l.split_id
   join release r on r.id = s.release_id join benchmark b on b.id = r.benchmark_id where b.slug = :slug) as steps,
  (select count(*) from exposure x join split s on s.id = x.split_id join release r on r.id = s.release_id
   join benchmark b on b.id = r.benchmark_id where b.slug = :slug) as served,
  (select count(*) from agreement_acceptance a join release r on r.id = a.release_id
   join benchmark b on b.id = r.benchmark_id where b.slug = :slug) as agreements"""


async def left(service: Service, slug: str = "quiz") -> dict[str, int]:
    async with service.admin.session() as session:
        return dict((await sql(session, _LEFT, {"slug": slug})).one()._mapping)


async def owner_of(service: Service) -> Caller:
    return await service.reader("o@example.org", "owners", scopes=OWNER)


async def deleted(service: Service, owner: Caller, path: str = JOBS, **ask: str) -> dict[str, Any]:
    begun = (await owner.post(path, json=ASK | ask)).raise_for_status().json()
    await service.work()
    return dict((await owner.get(f"/v1/jobs/{begun['id']}")).raise_for_status().json())


async def taken_part(service: Service) -> tuple[Caller, str]:
    """A participant of an agreement with a graded run, one on the open split, and one that is still open."""
    await service.publish(choice_pack("quiz", count=8, agreement=True, hidden=SEALED))
    await service.publish(choice_pack("other", count=4))
    ada = await service.reader("ada@example.org", "lab")
    await ada.post("/v1/benchmarks/quiz/agreement", json={"name": "Ada Lovelace"})
    made = ""
    for split in ("dev", "test"):
        answers = {problem["id"]: "A" for problem in await ada.problems("quiz", split)}
        made = (await ada.submit("quiz", split, answers, model="m")).raise_for_status().json()["id"]
    body = {"benchmark": "quiz", "split": "test", "model": {"name": "open"}, "finalize": False}
    (await ada.post("/v1/submissions", json=body)).raise_for_status()
    await service.work()
    return ada, made


async def test_everything_is_erased_but_the_books(service: Service) -> None:
    ada, run = await taken_part(service)
    owner = await owner_of(service)
    before = await left(service)
    assert before["references"] == before["statements"] == 10
    done = await deleted(service, owner)
    assert (done["state"], done["failure"]) == ("done", "")
    assert done["result"] == {"job": "delete", "releases": 1, "problems": 10, "submissions": 3, "entries": 1}
    kept = {name: before[name] for name in ("served", "agreements")}
    assert await left(service) == dict.fromkeys(before, 0) | kept
    for path in ("", "/leaderboard?split=test", "/problems?split=test", "/versions", "/agreement", "/regrades"):
        gone = await ada.get(f"/v1/benchmarks/quiz{path}")
        assert (gone.status_code, gone.json()["code"]) == (410, "benchmark_deleted"), (path, gone.text)
        assert REASON in gone.json()["detail"]
    assert [row["slug"] for row in (await ada.get("/v1/benchmarks")).json()["items"]] == ["other"]
    shown = (await ada.get(f"/v1/submissions/{run}")).raise_for_status().json()
    assert (shown["state"], shown["benchmark"]) == ("graded", "quiz")
    states = {row["model"]["name"]: row["state"] for row in (await ada.get("/v1/submissions")).json()["items"]}
    assert states == {"m": "graded", "open": "failed"}
    assert (await owner.post(JOBS, json=ASK)).json()["code"] == "benchmark_deleted"
    answers = {problem["id"]: "A" for problem in await ada.problems("other", "dev")}
    (await ada.submit("other", "dev", answers)).raise_for_status()
    await service.work()
    await service.release()


async def test_its_name_is_written_out_by_its_owner_and_never_used_again(service: Service) -> None:
    await service.publish(choice_pack())
    owner, other = await owner_of(service), await service.reader("e@example.org", "others", scopes=OWNER)
    for confirm in ("Quiz", "other", "quiz "):
        refused = await owner.post(JOBS, json=ASK | {"confirm": confirm})
        assert (refused.status_code, refused.json()["code"]) == (409, "not_confirmed")
    assert (await owner.post(JOBS, json={"job": "delete", "confirm": "quiz", "reason": "no"})).status_code == 422
    assert (await other.post(JOBS, json=ASK)).status_code == 404
    await deleted(service, owner)
    with pytest.raises(Exception, match="was deleted on"):
        await service.publish(choice_pack(version="2.0.0"))


async def test_no_role_erases_without_the_owners_running_job(service: Service) -> None:
    await service.publish(choice_pack())
    owner = await owner_of(service)
    job = (await owner.post(JOBS, json={"job": "export"})).json()["id"]
    name = "00000000-0000-4000-8000-000000000000"
    for asked in (name, job.removeprefix("job_")):
        with pytest.raises(DBAPIError, match="owner's request"):
            async with service.admin.session() as session:
                await sql(session, "select * from erase_benchmark(cast(:job as uuid))", {"job": asked})
    with pytest.raises(DBAPIError, match="permission denied"):
        async with service.app.state.database.session() as session:
            await sql(session, "select * from erase_benchmark(cast(:job as uuid))", {"job": name})
    assert (await left(service))["references"] > 0


async def test_an_episode_that_runs_ends_and_its_transcript_goes(settings: Settings, service: Service) -> None:
    await service.publish(echo_pack())
    owner, player = await owner_of(service), Player(await service.reader())
    async with Host.running(settings):
        episode = (await player.opened((await player.episodes())[0]))["id"]
        await player.said(episode, 1, "hello")
        assert (await left(service, "parrot"))["steps"] == 2
        done = await deleted(service, owner, "/v1/benchmarks/parrot/jobs", confirm="parrot")
        assert done["state"] == "done"
        assert (await left(service, "parrot"))["steps"] == 0
        ended = (await player.caller.get(f"/v1/sessions/{episode}")).raise_for_status().json()
        assert ended["state"] == "failed"
        assert (await player.say(episode, 2, "again")).json()["code"] == "session_over"


async def test_an_owner_deletes_on_the_page_and_readers_are_told(service: Service) -> None:
    await taken_part(service)
    owner = await enter(service, "o@example.org", "owners")
    await owner.get("/b/quiz/owner/jobs")
    wrong = await owner.post("/b/quiz/owner/jobs", ASK | {"confirm": "other"})
    assert (wrong.status_code, "not confirmed" in wrong.text) == (409, True)
    await owner.get("/b/quiz/owner/jobs")
    begun = await owner.post("/b/quiz/owner/jobs", ASK)
    assert begun.status_code == 303
    await service.work()
    for path in ("/b/quiz", "/b/quiz/owner", begun.headers["location"], "/b/quiz/problems?split=dev"):
        gone = await owner.get(path)
        assert (gone.status_code, REASON in owner.text()) == (410, True), (path, owner.text())
    reader = await enter(service, "ada@example.org")
    for path in ("/", "/account", "/account/usage", "/o/lab", "/o/owners", "/account/runs"):
        assert (await reader.get(path)).status_code == 200, path
