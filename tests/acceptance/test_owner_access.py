"""`heldout keys`, `heldout access` and `heldout entries` as they are typed, against a service that listens."""

import dataclasses
import json
from typing import Any

from api.accounts.models import Scope
from packs.pack import Pack
from tests.integration.test_corrections import answered, board, rows
from tests.support.owner import Owner, owner
from tests.support.service import OPEN, Caller, choice_pack

__all__ = ["owner"]


def lines(text: str) -> list[dict[str, Any]]:
    """JSON lines."""
    return [json.loads(line) for line in text.splitlines()]


def owned_by(organisation: str, pack: Pack) -> Pack:
    """The pack of another owner."""
    return dataclasses.replace(pack, benchmark=pack.benchmark.model_copy(update={"owner": organisation}))


async def test_a_key_is_made_limited_and_revoked(owner: Owner) -> None:
    made, said = await owner.ended("keys", "create", "cluster", "--scope", "problems:read", "--days", "7")
    assert made.count("\n") == 1, "the secret stands alone, for a variable of the shell"
    cluster = Caller(owner.service.client, made.strip())
    assert (await cluster.get("/v1/me")).status_code == 200
    assert "it is not shown again" in said
    limits = ("--from", "192.0.2.0/24", "--from", "10.1.0.0/16", "--requests-per-minute", "60")
    limited = await owner.json("keys", "create", "lab", "--scope", "problems:read", *limits)
    assert (limited["networks"], limited["requests_per_minute"]) == (["192.0.2.0/24", "10.1.0.0/16"], 60)
    assert (await Caller(owner.service.client, limited["key"]).get("/v1/me")).json()["code"] == "key_address"
    listed = await owner.run("keys", "list")
    assert f"{limited['id']}  " in listed
    assert "from 192.0.2.0/24, 10.1.0.0/16  60 requests a minute" in listed
    found = lines(await owner.run("keys", "list", "--json"))
    assert [row["name"] for row in found] == ["lab", "cluster", "test"]
    assert not any("key" in row for row in found)
    changed = await owner.json("keys", "limit", limited["id"], "--requests-per-minute", "5")
    assert (changed["networks"], changed["requests_per_minute"]) == ([], 5)
    assert "5 requests a minute" in await owner.run("keys", "limit", limited["id"], "--requests-per-minute", "5")
    assert (await Caller(owner.service.client, limited["key"]).get("/v1/me")).status_code == 200
    assert await owner.run("keys", "revoke", found[1]["id"]) == f"{found[1]['id']} is revoked\n"
    assert (await cluster.get("/v1/me")).status_code == 401
    assert await owner.json("keys", "revoke", limited["id"]) == {"id": limited["id"], "revoked": True}
    assert (await owner.run("keys", "list")).count("  revoked") == 2


async def test_what_is_wrong_with_a_key_is_said(owner: Owner) -> None:
    refused = owner.refused
    assert "Missing option '--scope'" in await refused("keys", "create", "x", code=2)
    assert "Input should be 'problems:read'" in await refused("keys", "create", "x", "--scope", "problems:write")
    assert "scope" in await refused("keys", "create", "x", "--scope", "reviews:write", "--json")
    assert "nowhere" in await refused("keys", "create", "x", "--scope", "problems:read", "--from", "nowhere")
    pace = ("--requests-per-minute", "0")
    assert "greater than or equal to 1" in await refused(
        "keys", "create", "x", "--scope", "problems:read", *pace, code=2
    )
    for command in ("limit", "revoke"):
        said = await refused("keys", command, "key_00")
        assert "NotFound" in said
        assert "key" in said
    owner.environment["HELDOUT_API_KEY"] = "hk_wrong"
    assert "AuthenticationError" in await refused("keys", "list", "--json")


async def test_applicants_are_let_in_declined_and_listed(owner: Owner) -> None:
    await owner.service.publish(choice_pack(agreement=True, approval=True))
    callers = {}
    for name in ("alba", "boreal"):
        callers[name] = await owner.service.reader(f"{name}@example.org", name)
        body = {"name": f"Dr {name}"}
        (await callers[name].post("/v1/benchmarks/quiz/agreement", json=body)).raise_for_status()
    asked = {row["organisation"]: row["id"] for row in lines(await owner.run("access", "list", "quiz", "--json"))}
    assert set(asked) == {"alba", "boreal"}
    said = await owner.run("access", "approve", "quiz", asked["alba"])
    assert said == f"{asked['alba']} is accepted\n"
    assert len(await callers["alba"].problems("quiz", "test")) == 8
    declined = await owner.json("access", "decline", "quiz", asked["boreal"], "--reason", "We know of no such lab.")
    assert declined == {"id": asked["boreal"], "state": "declined"}
    told = (await callers["boreal"].get("/v1/benchmarks/quiz/agreement")).json()
    assert (told["state"], told["reason"]) == ("declined", "We know of no such lab.")
    listed = await owner.run("access", "list", "quiz")
    assert f"{asked['alba']}  accepted  alba (Dr alba)  1.0.0  8 problems served" in listed
    assert f"{asked['boreal']}  declined" in listed
    assert "boreal" not in await owner.run("access", "list", "quiz", "--state", "accepted")
    taken = await owner.run("access", "decline", "quiz", asked["alba"], "--reason", "It was published.")
    assert taken == f"{asked['alba']} is declined\n"
    refused = await callers["alba"].get("/v1/benchmarks/quiz/problems?split=test")
    assert refused.status_code == 403


async def test_what_is_wrong_with_access_is_said(owner: Owner) -> None:
    await owner.service.publish(choice_pack(agreement=True, approval=True))
    await owner.service.publish(owned_by("strangers", choice_pack("others")))
    said, beside = await owner.ended("access", "list", "quiz")
    assert (said, "no applicant" in beside) == ("", True)
    assert "'requested', 'accepted', 'declined'" in await owner.refused(
        "access", "list", "quiz", "--state", "open", code=2
    )
    assert "NotFound" in await owner.refused("access", "list", "nothing", "--json")
    assert "NotFound" in await owner.refused("access", "list", "others", "--json")
    assert "NotFound" in await owner.refused("access", "approve", "quiz", "acc_00")
    assert "Missing option '--reason'" in await owner.refused("access", "decline", "quiz", "acc_00", code=2)


async def test_an_entry_is_hidden_restored_and_verified(owner: Owner) -> None:
    await owner.service.publish(choice_pack(hidden=OPEN))
    for name in ("alba", "boreal"):
        await answered(await owner.service.reader(f"{name}@example.org", name), f"model-{name}")
    await owner.service.work()
    listed = await owner.run("leaderboard", "--benchmark", "quiz", "--json")
    entry = next(row["submission"] for row in lines(listed) if row["model"]["name"] == "model-alba")
    assert await owner.run("entries", "hide", entry) == f"{entry} is hidden\n"
    assert [name for _, name, _ in rows(await board(owner.service))] == ["model-boreal"]
    off = lines(await owner.run("entries", "list", "quiz", "--hidden", "--json"))
    assert [(row["submission"], row["model"]["name"], row["hidden"]) for row in off] == [(entry, "model-alba", True)]
    assert "model-boreal (boreal)" in await owner.run("entries", "list", "quiz", "--listed")
    everything = await owner.run("entries", "list", "quiz")
    assert everything.count("\n") == 2
    assert everything.count("  hidden") == 1
    assert await owner.json("entries", "restore", entry) == {"id": entry, "hidden": False}
    assert len(rows(await board(owner.service))) == 2
    assert await owner.run("entries", "verify", entry) == f"{entry} is verified\n"
    assert await owner.run("entries", "verify", entry, "--undo") == f"{entry} is not verified\n"
    assert "NotFound" in await owner.refused("entries", "hide", "sub_00")
    owner.environment["HELDOUT_API_KEY"] = await owner.service.key("alba@example.org", "alba")
    assert "PermissionDenied" in await owner.refused("entries", "hide", entry, "--json")
    assert "PermissionDenied" in await owner.refused("entries", "list", "quiz")
    owner.environment["HELDOUT_API_KEY"] = await owner.service.key(
        "eve@example.org", "strangers", scopes=[Scope.BENCHMARKS_WRITE]
    )
    assert "NotFound" in await owner.refused("entries", "list", "quiz", "--hidden")
