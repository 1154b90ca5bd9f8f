"""What members see of their use, and operators of the service."""

import re

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
