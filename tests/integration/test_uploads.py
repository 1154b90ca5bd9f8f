"""An owner's pack over HTTP: sent in parts, checked by the worker, looked at, published."""

import asyncio
import hashlib
import io
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from api.accounts.models import Scope
from api.core import queue
from api.core.settings import Settings
from api.uploads.repository import UploadRepository
from api.worker import uploads
from packs.write import write_pack
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql

GOLD = "Canberra, which nobody guesses"


def archive(folder: Path, **changes: Any) -> bytes:
    """A right pack as tar.gz, or one with other texts in place of its files' own."""
    pack = choice_pack("quiz", 12, version=changes.pop("version", "1.0.0"), hidden={"chance_level": 0.25})
    write_pack(folder, pack.benchmark, pack.problems, pack.references)
    for name, (old, new) in changes.items():
        path = next(folder.glob(f"{name}.*"))
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as made:
        made.add(folder, ".")
    return out.getvalue()


async def send(owner: Caller, content: bytes, digest: str | None = None) -> str:
    body = {"name": "quiz.tar.gz", "size": len(content), "sha256": digest or hashlib.sha256(content).hexdigest()}
    begun = (await owner.post("/v1/packs", json=body)).raise_for_status().json()
    for number in begun["missing"]:
        part = content[number * begun["part_bytes"] : (number + 1) * begun["part_bytes"]]
        (await put(owner, begun["id"], number, part)).raise_for_status()
    return str(begun["id"])


async def put(owner: Caller, pack: str, number: int, part: bytes) -> Any:
    headers = {"Content-Type": "application/octet-stream"}
    return await owner.call("PUT", f"/v1/packs/{pack}/parts/{number}", content=part, headers=headers)


async def shown(owner: Caller, pack: str) -> dict[str, Any]:
    return dict((await owner.get(f"/v1/packs/{pack}")).raise_for_status().json())


async def checked(service: Service, owner: Caller, content: bytes) -> dict[str, Any]:
    pack = await send(owner, content)
    assert (await owner.post(f"/v1/packs/{pack}/check")).status_code == 202
    await service.work()
    return await shown(owner, pack)


@pytest.fixture
async def owner(service: Service) -> Caller:
    return await service.reader("owner@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE, Scope.PROBLEMS_READ])


async def test_a_pack_is_sent_checked_looked_at_and_published(
    service: Service, owner: Caller, settings: Settings, tmp_path: Path
) -> None:
    settings = settings.model_copy(update={"max_body_bytes": 256})
    service.app.state.settings = settings
    content = archive(tmp_path / "pack")
    pack = await send(owner, content)
    begun = await shown(owner, pack)
    assert begun["parts"] == -(-len(content) // 256) > 1
    assert begun["missing"] == []
    assert (await owner.post(f"/v1/packs/{pack}/publish", json={})).status_code == 409
    assert (await owner.post(f"/v1/packs/{pack}/check")).json()["state"] == "checking"
    await service.work()
    found = await shown(owner, pack)
    assert (found["state"], found["faults"], found["refusals"]) == ("checked", [], [])
    assert (found["benchmark"], found["version"], found["admissible"]) == ("quiz", "1.0.0", True)
    assert [(s["name"], s["problems"]) for s in found["splits"]] == [("dev", 2), ("test", 12)]
    preview = (await owner.get(f"/v1/packs/{pack}/preview")).json()["items"]
    hidden = [item for item in preview if item["split"] == "test"]
    assert len(hidden) == 5
    assert all(item["gold"] is None and item["solution"] is None for item in hidden)
    assert (await owner.post(f"/v1/packs/{pack}/publish", json={})).json()["state"] == "publishing"
    await service.work()
    assert (await shown(owner, pack))["state"] == "published"
    board = (await service.client.get("/v1/benchmarks/quiz")).json()
    assert board["version"] == "1.0.0"
    assert board["owner"] == "owners"
    async with service.admin.session() as session:
        assert (await sql(session, "select count(*) from vault.pack_part")).scalar_one() == 0
    assert (await owner.call("DELETE", f"/v1/packs/{pack}")).status_code == 409


async def test_every_fault_is_told_by_file_and_line(service: Service, owner: Caller, tmp_path: Path) -> None:
    broken = archive(tmp_path / "pack", benchmark=("version =", "verison ="), references=('"gold": "A"', '"gold": "C"'))
    found = await checked(service, owner, broken)
    assert found["state"] == "refused"
    told = {(fault["file"], fault["line"] > 0, fault["field"]) for fault in found["faults"]}
    assert {("benchmark.toml", True, "verison"), ("references.jsonl", True, "gold")} <= told
    assert (await owner.post(f"/v1/packs/{found['id']}/publish", json={"anyway": True})).status_code == 409
    assert (await owner.get(f"/v1/packs/{found['id']}/preview")).status_code == 409
    assert (await owner.call("DELETE", f"/v1/packs/{found['id']}")).status_code == 204
    assert (await owner.get("/v1/packs")).json()["items"] == []


async def test_what_guessing_passes_is_published_only_with_a_word(
    service: Service, owner: Caller, tmp_path: Path
) -> None:
    found = await checked(service, owner, archive(tmp_path / "pack", benchmark=("0.25", "0.0")))
    assert (found["state"], found["admissible"]) == ("checked", False)
    assert any("chance_level = 0.25" in line for line in found["refusals"])
    assert (await owner.post(f"/v1/packs/{found['id']}/publish", json={})).status_code == 409
    (await owner.post(f"/v1/packs/{found['id']}/publish", json={"anyway": True})).raise_for_status()
    await service.work()
    assert (await shown(owner, found["id"]))["state"] == "published"
    assert (await service.client.get("/v1/benchmarks/quiz")).json()["admission"]["passed"] is False


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"benchmark": ('owner = "owners"', 'owner = "lab"')}, "is not your organisation")],
)
async def test_a_pack_of_another_owner_is_refused(
    service: Service, owner: Caller, tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    found = await checked(service, owner, archive(tmp_path / "pack", **changes))
    assert found["state"] == "refused"
    assert words in found["faults"][0]["problem"]


async def test_a_version_never_changes(service: Service, owner: Caller, tmp_path: Path) -> None:
    await service.publish(choice_pack("quiz"))
    found = await checked(service, owner, archive(tmp_path / "pack"))
    (await owner.post(f"/v1/packs/{found['id']}/publish", json={})).raise_for_status()
    await service.work()
    refused = await shown(owner, found["id"])
    assert refused["state"] == "refused"
    assert "raise 'version'" in refused["faults"][0]["remedy"]


async def test_nothing_that_was_sent_can_be_read_by_the_web_or_in_a_dump(
    service: Service, owner: Caller, tmp_path: Path
) -> None:
    content = archive(tmp_path / "pack", references=("It is A.", GOLD))
    pack = await send(owner, content)
    async with service.admin.session() as session:
        sealed = bytes((await sql(session, "select sealed from vault.pack_part")).scalar_one())
    assert content[:64] not in sealed
    other = await service.reader("eve@example.org", "lab", scopes=[Scope.BENCHMARKS_WRITE])
    assert (await other.get(f"/v1/packs/{pack}")).status_code == 404
    assert (await put(other, pack, 0, content)).status_code == 404
    assert (await other.post(f"/v1/packs/{pack}/check")).status_code == 404


async def test_parts_may_come_again_and_only_whole(service: Service, owner: Caller, tmp_path: Path) -> None:
    content = archive(tmp_path / "pack")
    body = {"name": "quiz.zip", "size": len(content), "sha256": "0" * 64}
    begun = (await owner.post("/v1/packs", json=body)).json()
    assert (await owner.post(f"/v1/packs/{begun['id']}/check")).status_code == 409
    assert (await put(owner, begun["id"], 0, content[:-1])).status_code == 409
    assert (await put(owner, begun["id"], 1, content)).status_code == 409
    for _ in range(2):
        assert (await put(owner, begun["id"], 0, content)).status_code == 204
    (await owner.post(f"/v1/packs/{begun['id']}/check")).raise_for_status()
    assert (await put(owner, begun["id"], 0, content)).status_code == 409
    await service.work()
    assert "SHA-256" in (await shown(owner, begun["id"]))["faults"][0]["problem"]


async def test_limits(service: Service, owner: Caller, settings: Settings) -> None:
    body = {"name": "quiz.zip", "size": 10, "sha256": "0" * 64}
    service.app.state.settings = settings.model_copy(update={"pack_bytes": 1024, "pack_uploads": 1})
    assert (await owner.post("/v1/packs", json=body | {"size": 1025})).status_code == 403
    assert (await owner.post("/v1/packs", json=body)).status_code == 201
    assert (await owner.post("/v1/packs", json=body)).json()["code"] == "too_many_packs"
    service.app.state.settings = settings.model_copy(update={"pack_uploads_verified": True})
    assert (await owner.post("/v1/packs", json=body)).json()["code"] == "uploads_closed"
    await service.verify("owners")
    assert (await owner.post("/v1/packs", json=body)).status_code == 201
    reader = await service.reader()
    assert (await reader.post("/v1/packs", json=body)).status_code == 403


async def test_fifty_at_once(service: Service, owner: Caller, settings: Settings, tmp_path: Path) -> None:
    service.app.state.settings = settings.model_copy(update={"max_body_bytes": 256})
    content = archive(tmp_path / "pack")
    sent = {"name": "quiz.tar.gz", "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    begun = await asyncio.gather(*(owner.post("/v1/packs", json=sent) for _ in range(50)))
    made = [reply.json() for reply in begun if reply.status_code == 201]
    assert (len(made), {reply.status_code // 100 for reply in begun}) == (settings.pack_uploads, {2, 4})
    pack, missing = made[0]["id"], made[0]["missing"]
    # The last part first, each twice, all at once.
    parts = [(number, content[number * 256 : (number + 1) * 256]) for number in reversed(missing) for _ in range(2)]
    assert (await owner.post(f"/v1/packs/{pack}/check")).status_code == 409
    replies = await asyncio.gather(*(put(owner, pack, *part) for part in parts))
    assert {reply.status_code for reply in replies} == {204}
    asked = await asyncio.gather(*(owner.post(f"/v1/packs/{pack}/check") for _ in range(50)))
    assert {reply.status_code for reply in asked} == {202}
    async with service.admin.session() as session:
        jobs = await sql(session, "select queue_name from queue.procrastinate_jobs where task_name = 'check_pack'")
        assert jobs.scalars().all() == [queue.PACKS], "one check, and no regrading waits behind it"
    stranger = await service.reader("eve@example.org", "others", scopes=[Scope.BENCHMARKS_WRITE])
    for method, path in (("GET", ""), ("GET", "/preview"), ("POST", "/check"), ("POST", "/publish"), ("DELETE", "")):
        reply = await stranger.call(method, f"/v1/packs/{pack}{path}", json={} if method == "POST" else None)
        assert reply.status_code == 404
    assert (await put(stranger, pack, *parts[0])).status_code == 404
    await service.work()
    assert (await shown(owner, pack))["state"] == "checked"


async def test_a_check_that_died_is_begun_again_and_ends(
    service: Service, owner: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = await send(owner, archive(tmp_path / "pack"))
    (await owner.post(f"/v1/packs/{pack}/check")).raise_for_status()
    async with service.admin.session() as session:
        upload = (await UploadRepository(session).of_organisation((await owner_id(service)), "pack", 1))[0]
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(uploads.ExaminerError):
        await uploads.check(service.worker, upload.id, last_try=False)
    assert (await shown(owner, pack))["state"] == "checking"
    monkeypatch.undo()
    await service.work()
    assert (await shown(owner, pack))["state"] == "checked"
    await uploads.check(service.worker, upload.id, last_try=True)
    assert (await shown(owner, pack))["state"] == "checked"


async def owner_id(service: Service) -> Any:
    async with service.admin.session() as session:
        return (await sql(session, "select id from organisation where slug = 'owners'")).scalar_one()
