"""Rubrics of an uploaded pack before its benchmark's first release: over HTTP, on pages, by command and in Python."""

import asyncio
import io
import json
import os
import sys
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from api.core.settings import Settings
from packs.pack import Pack
from packs.problem import ReferenceLine
from packs.write import write_pack
from tests.integration.test_owner_jobs import OWNER
from tests.integration.test_rubrics import (
    HIDDEN,
    JOBS,
    LIST,
    SOLUTION,
    answered,
    criterion,
    done,
    judged,
    listed,
    owner_of,
    physics,
)
from tests.integration.test_uploads import checked, shown
from tests.support.listening import listening
from tests.support.service import Caller, Service
from tests.support.sql import sql
from tests.support.visitor import enter


def bare(version: str = "1.0.0", **split: Any) -> Pack:
    """`physics` with a proof that has a solution alone, and no rubric."""
    pack = physics(**split)
    proof = ReferenceLine(id="proof", reference={"kind": "rubric", "solution": SOLUTION})
    head = pack.benchmark.model_copy(update={"version": version})
    return replace(pack, benchmark=head, references=(*pack.references[:3], proof))


def packed(folder: Path, pack: Pack) -> bytes:
    write_pack(folder, pack.benchmark, pack.problems, pack.references)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as made:
        made.add(folder, ".")
    return out.getvalue()


async def approved(owner: Caller, problem: str) -> None:
    row = (await listed(owner))[problem]
    said = await owner.post(f"/v1/rubrics/{row['id']}/approve", json={"revision": row["revision"]})
    assert said.raise_for_status().json()["state"] == "approved"


async def published(service: Service, owner: Caller, pack: str) -> str:
    (await owner.post(f"/v1/packs/{pack}/publish", json={"anyway": True})).raise_for_status()
    await service.work()
    return str((await shown(owner, pack))["state"])


async def test_rubrics_are_drafted_for_a_pack_that_was_never_published(settings: Settings, tmp_path: Path) -> None:
    async with judged(settings) as (service, server):
        owner, ada = await owner_of(service), await service.reader()
        uploaded = await checked(service, owner, packed(tmp_path / "pack", bare()))
        assert (uploaded["state"], uploaded["faults"]) == ("checked", [])
        assert (uploaded["rubrics_required"], uploaded["rubrics_possible"]) == (["proof"], 3)
        pack = uploaded["id"]
        refused = await owner.post(f"/v1/packs/{pack}/publish", json={"anyway": True})
        assert (refused.status_code, refused.json()["code"]) == (409, "pack_state")
        assert "proof" in refused.json()["detail"]
        early = await owner.post(JOBS, json={"job": "draft_rubrics"})
        assert early.json()["code"] == "no_such_benchmark"
        tried = (await done(service, owner, job="draft_rubrics", pack=pack, problems=["proof", "speed"]))["result"]
        assert (tried["version"], tried["listed"], tried["faults"]) == ("1.0.0", 3, [])
        assert sorted(tried["drafted"]) == ["proof", "speed"]
        assert SOLUTION in server.requests[0]["messages"][1]["content"]
        rows = await listed(owner)
        assert {name: row["state"] for name, row in rows.items()} == {
            "energy": "missing",
            "proof": "drafted",
            "speed": "drafted",
        }
        # Nobody but its owner learns that it is there.
        for path in ("/v1/benchmarks/physics", "/v1/benchmarks/physics/regrades", "/b/physics", "/b/physics/regrades"):
            assert (await ada.get(path)).status_code == 404
        for ask in ({"job": "draft_rubrics"}, {"job": "export"}):
            assert (await owner.post(JOBS, json=ask)).status_code == 404, "there is no release"
        assert "physics" not in (await ada.get("/v1/benchmarks")).text
        path = f"/v1/rubrics/{rows['proof']['id']}"
        edit = {"revision": rows["proof"]["revision"], "total": 10, "criteria": [criterion("energy", 10)]}
        assert (await owner.call("PUT", path, json=edit)).raise_for_status().json()["faults"] == []
        assert (await owner.post(f"/v1/packs/{pack}/publish", json={})).json()["code"] == "pack_state"
        await approved(owner, "proof")
        await approved(owner, "speed")
        assert await published(service, owner, pack) == "published"
        states = {name: row["state"] for name, row in (await listed(owner)).items()}
        assert states == {"energy": "missing", "proof": "published", "speed": "published"}
        assert await answered(service, ada, "part", speed="Energy is kept. ANSWER: 11") == 6 / 10 / 4
        assert await answered(service, ada, "right", speed="ANSWER: 12", proof="Energy is kept.") == 0.5


async def test_the_next_pack_has_what_was_approved_and_stays_the_same(settings: Settings, tmp_path: Path) -> None:
    async with judged(settings) as (service, _):
        await service.publish(physics())
        owner = await owner_of(service)
        await done(service, owner, job="draft_rubrics", problems=["speed", "energy"])
        await approved(owner, "speed")
        await approved(owner, "energy")
        whole = bare("1.1.0")
        changed = [
            line.model_copy(update={"solution": "Another."}) if line.id == "energy" else line
            for line in whole.references
        ]
        later = await checked(service, owner, packed(tmp_path / "later", replace(whole, references=tuple(changed))))
        looked = await done(service, owner, job="draft_rubrics", pack=later["id"], problems=["proof"])
        assert looked["result"]["drafted"] == ["proof"]
        now = {name: row["state"] for name, row in (await listed(owner)).items()}
        assert now == {"energy": "drafted", "proof": "drafted", "speed": "approved"}, (
            "of another solution, it is a draft"
        )
        await approved(owner, "proof")
        assert await published(service, owner, later["id"]) == "published"
        ended = {name: row["state"] for name, row in (await listed(owner)).items()}
        assert ended == {"energy": "drafted", "proof": "published", "speed": "published"}
        gone = await done(service, owner, job="draft_rubrics")
        assert gone["result"]["version"] == "1.1.0"
        wrong = await owner.post(JOBS, json={"job": "draft_rubrics", "pack": later["id"]})
        assert (wrong.status_code, wrong.json()["code"]) == (409, "pack_state"), "it is a release by now"


async def test_a_rubric_edited_after_publication_was_asked_for_costs_no_pack(
    settings: Settings, tmp_path: Path
) -> None:
    async with judged(settings) as (service, _):
        owner = await owner_of(service)
        pack = (await checked(service, owner, packed(tmp_path / "pack", bare())))["id"]
        await done(service, owner, job="draft_rubrics", pack=pack, problems=["proof"])
        await approved(owner, "proof")
        (await owner.post(f"/v1/packs/{pack}/publish", json={"anyway": True})).raise_for_status()
        row = (await listed(owner))["proof"]
        edit = {"revision": row["revision"], "criteria": [criterion("energy", 10)]}
        (await owner.call("PUT", f"/v1/rubrics/{row['id']}", json=edit)).raise_for_status()
        await service.work()
        assert (await shown(owner, pack))["state"] == "checked"
        await approved(owner, "proof")
        assert await published(service, owner, pack) == "published"


async def test_a_pack_of_others_or_for_a_slug_of_others_is_refused(settings: Settings, tmp_path: Path) -> None:
    async with judged(settings) as (service, _):
        owner = await owner_of(service)
        stranger = await service.reader("s@example.org", "strangers", scopes=OWNER)
        pack = (await checked(service, owner, packed(tmp_path / "pack", bare(**HIDDEN))))["id"]
        ask = {"job": "draft_rubrics", "pack": pack}
        assert (await stranger.post(JOBS, json=ask)).json()["code"] == "no_such_pack"
        other = await owner.post("/v1/benchmarks/chemistry/jobs", json=ask)
        assert (other.status_code, other.json()["code"]) == (409, "pack_state")
        theirs = bare()
        head = theirs.benchmark.model_copy(update={"owner": "strangers"})
        mine = (await checked(service, stranger, packed(tmp_path / "theirs", replace(theirs, benchmark=head))))["id"]
        assert (await done(service, owner, **ask))["state"] == "done"
        taken = await stranger.post(JOBS, json={"job": "draft_rubrics", "pack": mine})
        assert (taken.status_code, "another benchmark has the slug" in taken.json()["detail"]) == (409, True)
        assert (await stranger.get(LIST)).status_code == 404
        # An upload whose rubrics somebody works on is not abandoned.
        async with service.admin.session() as session:
            await sql(session, "update pack_upload set changed_at = now() - interval '30 days'")
        await service.work()
        left = {one["id"] for one in (await owner.get("/v1/packs")).json()["items"]}
        assert left == {pack}


async def test_pages_lead_from_the_pack_to_its_rubrics(settings: Settings, tmp_path: Path) -> None:
    async with judged(settings) as (service, _):
        owner = await owner_of(service)
        olga = await enter(service, "olga@example.org", "owners")
        pack = (await checked(service, owner, packed(tmp_path / "pack", bare())))["id"]
        page = f"/packs/{pack}"
        await olga.get(page)
        assert "Nothing grades proof before somebody has approved its rubric" in olga.text()
        looked = await olga.fill(page, f"{page}/rubrics", {})
        assert looked.status_code == 303
        await service.work()
        await olga.get(looked.headers["location"])
        assert "3 problems of 1.0.0" in olga.text()
        home = "/b/physics/owner/rubrics"
        await olga.get(home)
        assert "the pack 1.0.0, uploaded" in olga.text()
        await olga.fill(home, home, {"job": "draft_rubrics", "problem": ["proof"], "pack": pack})
        await service.work()
        row = (await listed(owner))["proof"]
        rubric = f"{home}/{row['id']}"
        await olga.get(rubric)
        assert SOLUTION in olga.text()
        approval = await olga.fill(rubric, f"{rubric}/approve", {"revision": str(row["revision"])})
        assert approval.status_code == 303
        await olga.get(home)
        assert ("waits to be published" in olga.text(), ">Publish<" in olga.page) == (True, False)
        assert (await olga.fill(page, f"{page}/publish", {"anyway": "yes"})).status_code == 303
        await service.work()
        assert (await olga.get("/b/physics/owner")).status_code == 200
        assert (await listed(owner))["proof"]["state"] == "published"


async def test_the_commands_and_python_do_the_same(settings: Settings, tmp_path: Path) -> None:
    script = """import sys, heldout
owned = heldout.Client().owned("physics")
print(owned.draft_rubrics(["speed"], pack=sys.argv[1]).drafted)
row = next(one for one in owned.rubrics() if one.problem == "speed")
print(owned.approve_rubric(row.id, row.revision).state)
"""
    async with judged(settings) as (service, _):
        write_pack(tmp_path / "mine", *(lambda one: (one.benchmark, one.problems, one.references))(bare()))
        key = await service.key("o@example.org", "owners", scopes=OWNER)

        async def run(*arguments: str) -> str:
            environment = os.environ | {"HELDOUT_BASE_URL": url, "HELDOUT_API_KEY": key, "COLUMNS": "80"}
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", *arguments, stdout=-1, stderr=-1, cwd=tmp_path, env=environment
            )
            ending = asyncio.create_task(process.communicate())
            while not ending.done():
                await service.work()
                await asyncio.wait([ending], timeout=0.2)
            said, wrong = await ending
            assert process.returncode in (0, 1), wrong.decode()
            return said.decode()

        async def heldout(*arguments: str) -> str:
            return await run("from heldout.cli import main; main()", *arguments)

        async with listening(service.app) as port:
            url = f"http://127.0.0.1:{port}"
            said = await heldout("packs", "upload", "mine")
            pack = said.split(maxsplit=1)[0]
            assert f"heldout rubrics draft physics proof --pack {pack}" in said
            assert "1 drafted" in await heldout("rubrics", "draft", "physics", "proof", "--pack", pack)
            text = json.loads(await heldout("rubrics", "show", "physics", "proof", "--json"))
            text["criteria"][1]["points"] = 3
            (tmp_path / "edited.json").write_text(json.dumps(text))
            assert "cannot be approved yet: the points sum to 9" in await heldout(
                "rubrics", "edit", "physics", "proof", "edited.json"
            )
            text["revision"] += 1
            text["total"] = 9
            (tmp_path / "edited.json").write_text(json.dumps(text))
            await heldout("rubrics", "edit", "physics", "proof", "edited.json")
            assert "proof: approved" in await heldout("rubrics", "approve", "physics", "proof", "--yes")
            assert (await run(script, pack)).split() == ["('speed',)", "approved"]
            made = await heldout("packs", "publish", pack, "--anyway")
            assert "physics 1.0.0: published" in made
            assert "proof  test  rubric  published" in await heldout("rubrics", "list", "physics")
