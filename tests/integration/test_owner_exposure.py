"""What an owner learns of who was served what, and when hidden splits speak: over HTTP, as pages, and by command."""

import asyncio
import csv
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

from api.accounts.models import Scope
from api.feedback.schemas import ReleaseSchedule
from api.ledger import sealing
from tests.integration.test_owner_jobs import OWNER, done
from tests.support.listening import listening
from tests.support.service import Caller, Service, choice_pack
from tests.support.visitor import enter

RANKED = {"feedback": "sealed", "chance_level": 0.25, "rankings_per_year": 2}


async def served(service: Service) -> Caller:
    """Two organisations read; the owner's key."""
    await service.publish(choice_pack(count=8, hidden=RANKED))
    await (await service.reader()).problems("quiz", "test")
    await (await service.reader("eve@example.org", "other")).problems("quiz", "dev")
    async with service.admin.session() as session:
        await sealing.seal(session)
    return await service.reader("o@example.org", "owners", scopes=OWNER)


async def rows(owner: Caller, **query: Any) -> list[dict[str, Any]]:
    found = await owner.get("/v1/benchmarks/quiz/ledger", params=query)
    return list(found.raise_for_status().json()["items"])


async def test_rows_are_filtered_by_everything_that_they_show(service: Service) -> None:
    owner = await served(service)
    everything = await rows(owner)
    assert len(everything) == 10
    first = everything[0]
    assert {row["organisation"] for row in await rows(owner, organisation="lab")} == {"lab"}
    assert len(await rows(owner, split="dev")) == 2
    assert [row["organisation"] for row in await rows(owner, problem="test-3")] == ["lab"]
    for name in ("organisation", "split", "problem", "key", "channel", "address"):
        chosen = await rows(owner, **{name: first[name]})
        assert chosen == [row for row in everything if row[name] == first[name]]
        assert await rows(owner, **{name: "nothing like it"}) == []
    assert await rows(owner, since=first["served_at"]) == [first]
    assert await rows(owner, until=first["served_at"]) == everything[1:]
    page = (await owner.get("/v1/benchmarks/quiz/ledger?organisation=lab&limit=5")).json()
    other = await owner.get("/v1/benchmarks/quiz/ledger", params={"limit": 5, "cursor": page["next"]})
    assert (other.status_code, other.json()["code"]) == (404, "bad_cursor"), "a cursor holds for its own filters"


async def test_the_export_is_all_of_it_and_runs_no_formula(service: Service) -> None:
    await service.publish(choice_pack(count=8))
    reader = await service.reader()
    made = await reader.post("/v1/keys", json={"name": "=HYPERLINK(1)", "scopes": ["problems:read"]})
    await Caller(service.client, made.json()["key"]).problems("quiz", "test")
    owner = await service.reader("o@example.org", "owners", scopes=OWNER)
    text = (await owner.get("/v1/benchmarks/quiz/ledger?format=csv&limit=1")).text
    found = list(csv.DictReader(io.StringIO(text)))
    assert {row["problem"] for row in found} == {f"test-{number}" for number in range(8)}
    assert {row["key"] for row in found} == {"'=HYPERLINK(1)"}
    member = await enter(service, "olga@example.org", "owners")
    page = await member.get("/b/quiz/exposure?problem=test-3&chain=true")
    assert page.status_code == 200
    assert [name for name in ("api", "held_back", "session") if f'<option value="{name}"' not in member.page] == []
    assert member.page.count("<td>test-3</td>") == 1
    assert "The chain over" in member.text()
    assert (await member.get("/b/quiz/exposure?since=yesterday")).status_code == 422
    assert (await member.client.get("/b/quiz/exposure.csv?problem=test-3")).text.count("\n") == 2
    stranger = await enter(service, "eve@example.org", "others")
    for path in ("/b/quiz/exposure", "/b/quiz/exposure.csv", "/b/quiz/owner/feedback"):
        assert (await stranger.get(path)).status_code == 404


async def test_a_release_is_called_for_within_the_allowance(service: Service) -> None:
    owner = await served(service)
    path = "/v1/benchmarks/quiz/ranking-release"
    before = ReleaseSchedule.model_validate((await owner.get(f"{path}s")).json())
    assert (before.calls_left, before.items) == (2, [])
    assert before.next_release is not None
    member = await enter(service, "olga@example.org", "owners")
    page = await member.fill("/b/quiz/owner/feedback", "/b/quiz/owner/feedback/release", {"split": "test"})
    assert page.status_code == 303
    assert (await owner.post(path)).json()["calls_left"] == 0
    refused = await owner.post(path)
    assert (refused.status_code, refused.json()["code"]) == (409, "no_release_left")
    await service.release()
    after = ReleaseSchedule.model_validate((await owner.get(f"{path}s")).json())
    assert (after.calls, after.calls_left) == (2, 0)
    assert [one.called for one in after.items].count(True) == 2
    stranger = await service.reader("s@example.org", "others", scopes=OWNER)
    for method in ("GET", "POST"):
        assert (await stranger.call(method, f"{path}s" if method == "GET" else path)).status_code == 404
    await member.get("/b/quiz/owner/feedback")
    assert "0 of 2 calls are left" in member.text()


async def test_presets_say_what_each_would_cost_the_split(service: Service) -> None:
    owner = await served(service)
    found = (await done(service, owner, job="presets", split="test"))["result"]
    assert (found["problems"], found["preset"], found["simulated"]) == (8, "sealed", 8)
    by = {(row["preset"], row["decisions"], row["organisations"]): row for row in found["items"]}
    assert by["scores", 30, 10]["points_gained"] >= by["scores", 30, 1]["points_gained"] > 0
    assert by["sealed", 0, 1]["golds_learnt"] == 0
    failed = await done(service, owner, job="presets", split="nothing")
    assert failed["state"] == "failed"


async def test_the_commands_do_the_same(service: Service, tmp_path: Path) -> None:
    await served(service)
    key = await service.key("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE])

    async def heldout(*arguments: str) -> str:
        environment = {"HELDOUT_BASE_URL": url, "HELDOUT_API_KEY": key, "PATH": os.environ["PATH"], "COLUMNS": "80"}
        code = "from heldout.cli import main; main()"
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, *arguments, stdout=-1, stderr=-1, cwd=tmp_path, env=environment
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
        listed = await heldout("exposure", "list", "quiz", "--split", "dev")
        assert listed.count("other (test, ") == 2
        await heldout("exposure", "list", "quiz", "--organisation", "lab", "--out", "rows.csv")
        assert len((tmp_path / "rows.csv").read_text().splitlines()) == 9
        assert "the chain of 10 rows holds" in await heldout("exposure", "check", "quiz")
        assert "1 calls are left" in await heldout("feedback", "release", "quiz")
        assert "1 calls left" in await heldout("feedback", "releases", "quiz")
        presets = json.loads(await heldout("feedback", "presets", "quiz", "--json"))
        assert presets["job"] == "presets"
