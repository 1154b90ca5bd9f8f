"""What members see of their use, and operators of the service."""

import re
from typing import Any

from api.accounts.models import MemberRole
from tests.support.gallery import furnished
from tests.support.service import Service, choice_pack
from tests.support.sql import sql
from tests.support.visitor import enter


async def test_a_member_sees_what_is_used_and_left(service: Service) -> None:
    gallery = await furnished(service)
    await service.publish(
        choice_pack("limited", hidden={"problems_per_day": 9, "submissions_per_organisation": 3, "feedback": "scores"})
    )
    reader = gallery.callers["lab"]
    problems = await reader.problems("limited", "test")
    await reader.submit("limited", "test", {problems[0]["id"]: "A"}, model="limited-model")
    member = await enter(service, "lab@example.org")
    await member.get("/account/usage")
    row = re.search(r'<tr><td><a href="/b/limited\?split=test">.*?</tr>', member.page)
    assert row
    assert re.findall(r'class="n">([^<]+)<', row[0]) == ["1", "2", "8", "1"]
    assert "limited-model" in member.page
    assert ">partial<" in member.page
    assert "cirrus" not in member.page, "of another organisation"
    newest = re.search(r'href="(/s/sub_\w+)"', member.page)
    assert newest
    assert "For your organisation" in (await member.get(newest[1])).text


async def test_an_operator_sees_what_failed_and_tries_again(service: Service) -> None:
    await service.publish(choice_pack())
    async with service.admin.session() as session:
        await sql(
            session,
            """insert into queue.procrastinate_jobs (queue_name, task_name, args, status, attempts)
               values ('default', 'finalize_submission', '{"submission": "x"}', 'failed', 5),
                      ('default', 'no_such_task', '{}', 'failed', 1)""",
        )
    stranger = await enter(service, "eve@example.org", "others")
    assert (await stranger.get("/operator/service")).status_code == 403
    operator = await enter(service, "olga@example.org", operator=True)
    assert (await operator.get("/operator/service")).status_code == 200
    assert "inline" in operator.page
    assert "No worker is running" in operator.page
    row = re.search(r'<tr><td>[^<]+</td><td><a href="/b/quiz">Quiz</a></td><td>1.0.0 .*?</tr>', operator.page)
    assert row
    assert "10</td>" in row[0], "two open problems and eight hidden ones"
    assert re.search(r'<td>Eve</td><td>eve@example.org</td><td class="wrap"><a href="/o/others">', operator.page)
    async with service.admin.session() as session:
        await sql(
            session,
            """with w as (insert into queue.procrastinate_workers default values returning id),
               j as (insert into queue.procrastinate_jobs (queue_name, task_name, args, status, worker_id)
                     select 'slow', 'trace_leak', '{}', 'doing', id from w returning id)
               insert into queue.procrastinate_events (job_id, type, at)
               select id, 'started', now() - interval '90 seconds' from j""",
        )
    await operator.get("/operator/service")
    assert re.search(r'<td>trace leak</td><td>slow</td><td class="n">9\d</td>', operator.page)
    assert "No worker is running" not in operator.page
    (action,) = re.findall(r'action="(/operator/service/jobs/\d+/retry)"', operator.page)
    assert (await stranger.fill("/account", action)).status_code == 403
    await operator.get("/operator/service")
    assert (await operator.post(action)).status_code == 303
    async with service.admin.session() as session:
        found = await sql(session, "select status::text, task_name, args from queue.procrastinate_jobs order by id")
        assert found.all()[-1] == ("todo", "finalize_submission", {"submission": "x"})
    await operator.get("/operator/service")
    assert "tried again" in operator.page
    assert "/retry" not in operator.page


async def test_an_owner_looks_after_entries_regrades_and_reviewers(service: Service) -> None:
    gallery = await furnished(service)
    owner = await enter(service, "olga@example.org", "owners")
    for email, organisation, role in (("m@example.org", "owners", MemberRole.MEMBER), ("eve@example.org", "o", None)):
        other = await enter(service, email, organisation, role=role or MemberRole.OWNER)
        assert (await other.get("/b/rivers/owner")).status_code == 404
        forged = await other.fill("/account", "/b/rivers/owner/regrades", {"reason": "because I can"})
        assert forged.status_code == 404
    page = "/b/rivers/owner?split=dev"
    change = f"/b/rivers/owner/entries/{gallery.runs['alba-large']}"

    async def best() -> dict[str, Any]:
        board = await service.client.get("/v1/benchmarks/rivers/leaderboard?split=dev")
        return dict(board.json()["items"][0])

    assert (await owner.fill(page, change, {"change": "hide", "split": "dev"})).status_code == 303
    assert (await best())["model"]["name"] == "cirrus"
    await owner.get(f"{page}&hidden=false")
    assert change not in owner.page
    await owner.get(f"{page}&hidden=true")
    fields = re.findall(r'name="(split|hidden|change)" value="([^"]*)"', owner.page.partition("Entries</h2>")[2])
    assert fields[:4] == [("split", "dev"), ("hidden", "true"), ("change", "verify"), ("change", "restore")]
    assert owner.page.count("/b/rivers/owner/entries/") == owner.page.count(change) == 1
    back = await owner.post(change, {"change": "restore", "split": "dev", "hidden": "true"})
    assert (back.status_code, back.headers["location"]) == (303, f"{page}&hidden=true")
    await owner.get(back.headers["location"])
    assert "Nothing was taken off the board" in owner.page
    await owner.get(page)
    assert (await owner.post(change, {"change": "verify", "split": "dev"})).status_code == 303
    assert (await best())["verified"] is True
    assert (await owner.post(change, {"change": "delete"})).status_code == 422
    reviewer = {"email": "rae@example.org", "change": "add"}
    assert (await owner.fill(page, "/b/rivers/owner/reviewers", reviewer)).status_code == 303
    await owner.get(page)
    assert "rae@example.org" in owner.page
    assert (await owner.post("/b/rivers/owner/reviewers", reviewer | {"change": "remove"})).status_code == 303
    assert (await owner.post("/b/rivers/owner/regrades", {"reason": "no"})).status_code == 422
    assert (await owner.post("/b/rivers/owner/regrades", {"reason": "a unit was wrong"})).status_code == 303
    await service.work()
    assert "a unit was wrong" in (await service.client.get("/b/rivers/regrades")).text
