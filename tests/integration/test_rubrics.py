"""Rubrics over HTTP, as pages and by command: drafted, edited, approved, published, and what answers then get."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from api.accounts.models import Scope
from api.core.settings import Settings
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.integration.test_owner_jobs import OWNER
from tests.support.listening import listening
from tests.support.service import OPEN, Caller, Service
from tests.support.visitor import enter
from tests.unit.api.judge_server import JudgeServer, Reply, judge_server

JOBS = "/v1/benchmarks/physics/jobs"
LIST = "/v1/benchmarks/physics/rubrics"
SOLUTION = "The secret route: conserve energy, then solve for the speed."
WHOLE = {"total": 10, "criteria": [{"id": "all", "text": "It is proved.", "points": 10}]}
HIDDEN = {"visibility": "test", "feedback": "scores"}


def physics(**split: Any) -> Pack:
    """A number with a worked solution, an expression with one, a number without, and a proof with a coarse rubric."""
    head = {
        "slug": "physics",
        "title": "Physics",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "c",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {"test": split or OPEN},
    }
    references = {
        "speed": ({"kind": "numeric", "value": "12"}, SOLUTION),
        "energy": ({"kind": "symbolic", "value": "m*v^2/2"}, SOLUTION),
        "bare": ({"kind": "numeric", "value": "3"}, ""),
        "proof": ({"kind": "rubric", "rubric": WHOLE, "solution": SOLUTION}, ""),
    }
    problems = [Problem(id=n, split="test", type="open", subject="m", statement=f"Find {n}.") for n in references]
    lines = [ReferenceLine(id=n, reference=one, solution=text) for n, (one, text) in references.items()]
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(lines), {})


def criterion(name: str, points: float, **more: Any) -> dict[str, Any]:
    levels = {"full": "", "half": "", "none": ""}
    rest: dict[str, Any] = {"requires": [], "alternative": None}
    return {"id": name, "text": f"Does {name}.", "points": points, **levels, **rest, **more}


DRAFT = [criterion("energy", 6, half="named only"), criterion("solved", 4, requires=["energy"])]


def model(body: dict[str, Any], _number: int) -> Reply:
    """Drafts two criteria; as a judge it sees the first met, and in an answer that says so every one."""
    asked = body["messages"][1]["content"]
    if body["response_format"]["json_schema"]["name"] == "rubric_draft":
        return Reply(json.dumps({"criteria": DRAFT}))
    names = body["response_format"]["json_schema"]["schema"]["properties"]["criteria"]["items"]["properties"]["id"]
    votes = [
        {"id": name, "credit": float(place == 0 or "Everything" in asked), "quotation": "Energy is kept", "reason": ""}
        for place, name in enumerate(sorted(names["enum"]))
    ]
    return Reply(json.dumps({"criteria": votes}))


@asynccontextmanager
async def judged(settings: Settings) -> AsyncIterator[tuple[Service, JudgeServer]]:
    with judge_server(model) as server:
        changed = settings.model_copy(update={"judge_url": server.url, "judge_model": "drafter-1"})
        async with Service.running(changed) as service:
            yield service, server


async def done(service: Service, owner: Caller, **ask: Any) -> dict[str, Any]:
    begun = (await owner.post(JOBS, json=ask)).raise_for_status().json()
    await service.work()
    return dict((await owner.get(f"/v1/jobs/{begun['id']}")).raise_for_status().json())


async def owner_of(service: Service) -> Caller:
    return await service.reader("o@example.org", "owners", scopes=OWNER)


async def listed(owner: Caller) -> dict[str, dict[str, Any]]:
    return {row["problem"]: row for row in (await owner.get(LIST)).raise_for_status().json()["items"]}


async def answered(service: Service, reader: Caller, model: str, **answers: str) -> float | None:
    """The score of a submission that says this, and a wrong thing to everything else."""
    problems = await reader.problems("physics", "test")
    named = {p["statement"].removeprefix("Find ").rstrip("."): p["id"] for p in problems}
    said = {problem: answers.get(name, "") for name, problem in named.items()}
    submission = (await reader.submit("physics", "test", said, model=model)).raise_for_status().json()
    await service.work()
    shown = (await reader.get(f"/v1/submissions/{submission['id']}")).raise_for_status().json()
    return None if shown["score"] is None else float(shown["score"])


async def test_a_rubric_is_drafted_edited_approved_and_gives_partial_credit(settings: Settings) -> None:
    async with judged(settings) as (service, server):
        await service.publish(physics())
        owner, ada = await owner_of(service), await service.reader()
        assert await listed(owner) == {}
        looked = (await done(service, owner, job="draft_rubrics"))["result"]
        assert (looked["listed"], looked["drafted"], server.requests) == (3, [], [])
        rows = await listed(owner)
        assert {name: (row["state"], row["kind"]) for name, row in rows.items()} == {
            "energy": ("missing", "symbolic"),
            "speed": ("missing", "numeric"),
            "proof": ("published", "rubric"),
        }
        tried = (await done(service, owner, job="draft_rubrics", problems=["speed", "proof", "bare"]))["result"]
        assert tried["drafted"] == ["speed"]
        assert [fault.split(":")[0] for fault in tried["faults"]] == ["bare", "proof"]
        assert SOLUTION in server.requests[0]["messages"][1]["content"]
        path = f"/v1/rubrics/{rows['speed']['id']}"
        draft = (await owner.get(path)).json()
        assert (draft["state"], draft["model"], draft["solution"]) == ("drafted", "drafter-1", SOLUTION)
        assert [(one["id"], one["points"]) for one in draft["criteria"]] == [("energy", 6), ("solved", 4)]
        nothing = await done(service, owner, job="publish_rubrics", version="1.0.1")
        assert (nothing["state"], "approve" in nothing["failure"]) == ("failed", True)
        edit = {"revision": draft["revision"], "total": 8, "criteria": [criterion("energy", 6), criterion("solved", 3)]}
        unsound = (await owner.call("PUT", path, json=edit)).raise_for_status().json()
        assert unsound["faults"] == ["the points sum to 9, the stated total is 8"]
        refused = await owner.post(f"{path}/approve", json={"revision": unsound["revision"]})
        assert (refused.status_code, refused.json()["code"]) == (409, "bad_rubric")
        assert "sum to 9" in refused.json()["detail"]
        edit |= {"total": 9, "revision": unsound["revision"]}
        edited = (await owner.call("PUT", path, json=edit)).raise_for_status().json()
        late = await owner.post(f"{path}/approve", json={"revision": draft["revision"]})
        assert (late.status_code, late.json()["code"]) == (409, "rubric_changed")
        assert (await owner.call("PUT", path, json=edit)).json()["code"] == "rubric_changed"
        before = await answered(service, ada, "before", speed="Energy is kept. ANSWER: 11")
        approved = (await owner.post(f"{path}/approve", json={"revision": edited["revision"]})).json()
        assert (approved["state"], approved["approved_by"]) == ("approved", "o")
        wanted = await owner.post(f"/v1/rubrics/{rows['energy']['id']}/approve", json={"revision": 1})
        assert wanted.json()["code"] == "no_draft"
        released = await done(service, owner, job="publish_rubrics", version="1.0.1")
        assert released["result"]["problems"] == ["speed"], released
        assert (await listed(owner))["speed"]["state"] == "published"
        versions = (await owner.get("/v1/benchmarks/physics/versions")).json()["items"]
        assert [(row["version"], row["corrects"]) for row in versions] == [("1.0.1", "1.0.0"), ("1.0.0", None)]
        again = (await done(service, owner, job="draft_rubrics"))["result"]
        assert (again["version"], (await listed(owner))["speed"]["state"]) == ("1.0.1", "published")
        asked = len(server.requests)
        assert await answered(service, ada, "right", speed="ANSWER: 12") == 0.25
        assert len(server.requests) == asked, "a right answer has full marks and nobody is asked"
        part = await answered(service, ada, "part", speed="Energy is kept. ANSWER: 11")
        assert (before, part) == (0.0, 6 / 9 / 4)
        assert await answered(service, ada, "both", speed="Energy is kept. Everything! ANSWER: 11") is None


async def test_the_owner_alone_sees_rubrics_and_not_where_it_takes_part(settings: Settings) -> None:
    async with judged(settings) as (service, _):
        await service.publish(physics(**HIDDEN))
        owner = await owner_of(service)
        await done(service, owner, job="draft_rubrics", problems=["speed"])
        row = (await listed(owner))["speed"]
        path = f"/v1/rubrics/{row['id']}"
        edit = {"revision": row["revision"], "criteria": [criterion("energy", 10)]}
        approve = {"revision": row["revision"]}

        async def refused(caller: Caller) -> list[tuple[int, str]]:
            asked = [
                await caller.get(LIST),
                await caller.get(path),
                await caller.call("PUT", path, json=edit),
                await caller.post(f"{path}/approve", json=approve),
                await caller.post(JOBS, json={"job": "draft_rubrics"}),
                await caller.post(JOBS, json={"job": "publish_rubrics", "version": "1.0.1"}),
            ]
            assert all(SOLUTION not in one.text and "Does energy" not in one.text for one in asked)
            return [(one.status_code, one.json()["code"]) for one in asked]

        elsewhere = await service.reader("s@example.org", "strangers", scopes=OWNER)
        theirs, none = (404, "not_your_benchmark"), (404, "no_such_rubric")
        found = await refused(elsewhere)
        assert [code for code, _ in found] == [404] * 6
        assert found[1:4] == [none] * 3, (found, theirs)
        assert {code for code, _ in await refused(await service.reader())} == {403}
        member = await enter(service, "eve@example.org", "strangers")
        assert (await member.get("/b/physics/owner/rubrics")).status_code == 404
        # A member of the owner's organisation takes part with another one.
        await service.key("o@example.org", "rivals")
        rival = await service.reader("o@example.org", "rivals")
        await answered(service, rival, "mine", speed="ANSWER: 12")
        assert await refused(owner) == [(409, "owner_takes_part")] * 6
        olga = await enter(service, "olga@example.org", "owners")
        for page in ("/b/physics/owner/rubrics", f"/b/physics/owner/rubrics/{row['id']}"):
            shown = await olga.get(page)
            assert (shown.status_code, SOLUTION in shown.text) == (409, False)


async def test_an_approved_rubric_of_another_text_is_a_draft_again(settings: Settings) -> None:
    async with judged(settings) as (service, _):
        await service.publish(physics())
        owner = await owner_of(service)
        await done(service, owner, job="draft_rubrics", problems=["speed"])
        row = (await listed(owner))["speed"]
        approved = await owner.post(f"/v1/rubrics/{row['id']}/approve", json={"revision": row["revision"]})
        assert approved.json()["state"] == "approved"
        whole = physics()
        lines = [line.model_copy(update={"solution": f"Another. {line.solution}"}) for line in whole.references]
        head = whole.benchmark.model_copy(update={"version": "1.1.0"})
        await service.publish(Pack(Path(), head, whole.problems, tuple(lines), {}))
        outdated = await done(service, owner, job="publish_rubrics", version="1.1.1")
        assert (outdated["state"], "speed" in outdated["failure"]) == ("failed", True)
        await done(service, owner, job="draft_rubrics")
        now = (await listed(owner))["speed"]
        assert (now["state"], now["approved_by"], now["revision"]) == ("drafted", None, row["revision"] + 1)
        shown = (await owner.get(f"/v1/rubrics/{row['id']}")).json()
        assert (len(shown["criteria"]), shown["solution"].split(".")[0]) == (2, "Another")


async def test_without_a_judge_the_owner_writes_the_rubric_on_the_page(service: Service) -> None:
    await service.publish(physics())
    owner = await owner_of(service)
    olga = await enter(service, "olga@example.org", "owners")
    home = "/b/physics/owner/rubrics"
    begun = await olga.fill(home, home, {"job": "draft_rubrics"})
    assert begun.status_code == 303
    await service.work()
    await olga.get(begun.headers["location"])
    assert "3 problems of 1.0.0" in olga.text()
    failed = await olga.fill(home, home, {"job": "draft_rubrics", "problem": ["speed"]})
    await service.work()
    await olga.get(failed.headers["location"])
    assert "HELDOUT_JUDGE_URL" in olga.text()
    page = f"{home}/{(await listed(owner))['speed']['id']}"
    await olga.get(page)
    assert SOLUTION in olga.text()
    fields = {"revision": "1", "total": "2", "id-0": "energy", "points-0": "1.5", "text-0": "Keeps <energy>."}
    assert (await olga.post(page, fields)).status_code == 303
    unsound = await olga.get(page)
    assert ("sum to 1.5" in unsound.text, "I have read it" in unsound.text) == (True, False)
    fields |= {"revision": "2"} | {"id-2": "solved", "points-2": "0.5", "text-2": "Solves.", "requires-2": "energy"}
    assert (await olga.fill(page, page, fields)).status_code == 303
    await olga.get(page)
    assert "Keeps &lt;energy&gt;." in olga.page
    assert (await olga.post(f"{page}/approve", {"revision": "3"})).status_code == 303
    published = await olga.fill(home, home, {"job": "publish_rubrics", "version": "1.0.1"})
    await service.work()
    await olga.get(published.headers["location"])
    assert "physics 1.0.1 has the rubrics of speed" in olga.text()
    assert (await olga.fill(home, home, {"job": "publish_rubrics", "version": "new"})).status_code == 422


async def test_the_commands_do_the_same(settings: Settings, tmp_path: Path) -> None:
    async with judged(settings) as (service, _):
        await service.publish(physics())
        key = await service.key("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE])

        async def heldout(*arguments: str) -> str:
            environment = os.environ | {"HELDOUT_BASE_URL": url, "HELDOUT_API_KEY": key, "COLUMNS": "80"}
            code = "from heldout.cli import main; main()"
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", code, "rubrics", *arguments, stdout=-1, stderr=-1, cwd=tmp_path, env=environment
            )
            ending = asyncio.create_task(process.communicate())
            while not ending.done():
                await service.work()
                await asyncio.wait([ending], timeout=0.2)
            said, wrong = await ending
            assert process.returncode == 0, wrong.decode()
            return said.decode()

        async with listening(service.app) as port:
            url = f"http://127.0.0.1:{port}"
            assert "3 problems of 1.0.0 have or could have a rubric; 1 drafted" in await heldout(
                "draft", "physics", "energy"
            )
            assert "energy  test  symbolic  drafted  drafted by drafter-1" in await heldout("list", "physics")
            shown = await heldout("show", "physics", "energy")
            assert "- solved (4 of 10 points, after energy): Does solved." in shown
            text = json.loads(await heldout("show", "physics", "energy", "--json"))
            text["criteria"][1]["points"], text["total"] = 2, 8
            (tmp_path / "edited.json").write_text(json.dumps(text))
            assert "energy: drafted, 2 criteria" in await heldout("edit", "physics", "energy", "edited.json")
            assert "energy: approved" in await heldout("approve", "physics", "energy", "--yes")
            made = await heldout("publish", "physics", "--version", "1.0.1")
            assert "published physics 1.0.1 with the rubrics of energy" in made
