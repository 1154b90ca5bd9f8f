"""Keys, members and agreements by page and by API, with the lines between people held."""

import re

from api.accounts.models import MemberRole, Scope
from tests.support.service import Caller, Service, choice_pack
from tests.support.visitor import Visitor, enter

KEY = re.compile(r"hld_[0-9A-Za-z]{43}")


def _link(visitor: Visitor) -> str:
    found = re.search(r"/invite\?token=([\w-]+)", visitor.page)
    assert found
    return found[1]


async def test_a_key_is_shown_once_and_ends_when_it_is_revoked(service: Service) -> None:
    ada = await enter(service, "ada@example.org", "lab")
    fields = {"name": "cluster", "organisation": "lab", "days": "30", "scopes": ["problems:read", "account:write"]}
    made = await ada.fill("/account/keys", "/account/keys", fields)
    keys = KEY.findall(made.text)
    assert len(keys) == 1
    caller = Caller(service.client, keys[0])
    assert (await caller.get("/v1/me")).json()["scopes"] == ["account:write", "problems:read"]
    await ada.get("/account/keys")
    assert KEY.search(ada.page) is None
    address = re.search(r"/account/keys/key_\w+/revoke", ada.page)
    assert address
    eve = await enter(service, "eve@example.org", "lab")
    await eve.get("/account/keys")
    assert (await eve.post(address[0])).status_code == 404
    assert (await caller.get("/v1/me")).status_code == 200
    assert (await ada.post(address[0])).status_code == 303
    assert (await caller.get("/v1/me")).status_code == 401


async def test_nobody_makes_a_key_beyond_their_role(service: Service) -> None:
    ada = await enter(service, "ada@example.org", "lab", role=MemberRole.MEMBER)
    await enter(service, "olga@example.org", "theirs")
    base = {"name": "k", "days": ""}
    await ada.get("/account/keys")
    for organisation, scope in (("lab", "benchmarks:write"), ("lab", "admin"), ("theirs", "problems:read")):
        fields = base | {"organisation": organisation, "scopes": scope}
        assert (await ada.post("/account/keys", fields)).status_code == 403
    assert "benchmarks:write" not in ada.page


async def test_an_invitation_makes_one_member_and_only_the_invited(service: Service) -> None:
    olga = await enter(service, "olga@example.org", "lab")
    ada, eve = await enter(service, "ada@example.org"), await enter(service, "eve@example.org")
    invite = "/o/lab/invitations"
    await olga.fill("/o/lab", invite, {"email": "ada@example.org", "role": "member"})
    token = _link(olga)
    assert (await eve.fill(f"/invite?token={token}", "/invite", {"token": token})).status_code == 403
    assert (await ada.fill(f"/invite?token={token}", "/invite", {"token": token})).status_code == 303
    assert (await ada.get("/o/lab")).status_code == 200
    assert (await ada.post(invite, {"role": "owner"})).status_code == 403, "members invite nobody"
    assert (await eve.get(f"/invite?token={token}")).status_code == 410
    await olga.fill("/o/lab", invite, {"role": "member"})
    token = _link(olga)
    await olga.get("/o/lab")
    withdraw = re.search(r"/o/lab/invitations/inv_\w+/withdraw", olga.page)
    assert withdraw
    assert (await olga.post(withdraw[0])).status_code == 303
    assert (await eve.get(f"/invite?token={token}")).status_code == 410
    assert (await eve.get("/o/lab")).status_code == 404


async def test_who_is_removed_has_no_key_and_the_last_owner_stays(service: Service) -> None:
    key = await service.key("ada@example.org", "lab")
    olga = await enter(service, "olga@example.org", "lab")
    ada = Caller(service.client, key)
    await olga.get("/o/lab")
    addresses = re.findall(r"/o/lab/members/usr_\w+", olga.page)
    rows = [row for row in olga.page.split("<tr>") if "/o/lab/members/" in row]
    theirs = next(a for a, row in zip(addresses, rows, strict=True) if "ada@example.org" in row)
    mine = next(a for a in addresses if a != theirs)
    assert (await olga.post(mine, {"role": "member"})).status_code == 409
    assert (await olga.post(mine, {"role": "remove"})).status_code == 409
    assert (await ada.get("/v1/me")).status_code == 200
    assert (await olga.post(theirs, {"role": "remove"})).status_code == 303
    assert (await ada.get("/v1/me")).status_code == 401


async def test_members_by_api(service: Service) -> None:
    rights = [Scope.ACCOUNT_WRITE]
    olga = await service.reader("olga@example.org", "lab", scopes=rights, role=MemberRole.OWNER)
    ada = await service.reader("ada@example.org", "lab", scopes=rights)
    listed = (await olga.get("/v1/organisation")).json()
    by_name = {item["name"]: item["id"] for item in listed["members"]}
    assert (await ada.post("/v1/organisation/invitations", json={})).status_code == 403
    made = await olga.post("/v1/organisation/invitations", json={"email": "new@example.org"})
    assert made.status_code == 201
    assert "/invite?token=" in made.json()["link"]
    invitation = (await olga.get("/v1/organisation")).json()["invitations"][0]["id"]
    assert (await ada.get("/v1/organisation")).json()["invitations"] == []
    assert (await olga.call("DELETE", f"/v1/organisation/invitations/{invitation}")).status_code == 204
    path = f"/v1/organisation/members/{by_name['ada']}"
    assert (await ada.call("PATCH", path, json={"role": "owner"})).status_code == 403
    assert (await olga.call("PATCH", path, json={"role": "owner"})).status_code == 204
    assert (await olga.call("PATCH", path, json={"role": "member"})).status_code == 204
    assert (await ada.get("/v1/organisation")).status_code == 401, "the key held a scope that the role lost"
    assert (await olga.call("DELETE", path)).status_code == 204
    reader = await service.reader("rita@example.org", "lab")
    assert (await reader.call("DELETE", path)).status_code == 403, "a scope of its own guards members"


async def test_an_owner_decides_on_each_applicant(service: Service) -> None:
    await service.publish(choice_pack(agreement=True, approval=True))
    ada = await enter(service, "ada@example.org", "lab")
    reader = await service.reader("ada@example.org", "lab")
    page = await ada.get("/b/quiz/agreement")
    digest = re.search(r'name="digest" value="(\w+)"', page.text)
    assert digest
    fields = {"organisation": "lab", "name": "Ada Lovelace", "agree": "yes"}
    stale = await ada.post("/b/quiz/agreement", fields | {"digest": "0" * 64})
    assert stale.status_code == 409
    unticked = await ada.post("/b/quiz/agreement", fields | {"digest": digest[1], "agree": ""})
    assert unticked.status_code == 422
    assert (await ada.post("/b/quiz/agreement", fields | {"digest": digest[1]})).status_code == 303
    await ada.get("/b/quiz/agreement")
    assert "waiting for the owner" in ada.page

    async def status() -> int:
        return (await reader.get("/v1/benchmarks/quiz/problems?split=test")).status_code

    assert await status() == 403
    olga = await enter(service, "olga@example.org", "owners")
    assert (await ada.get("/b/quiz/access")).status_code == 404, "applicants do not see each other"
    await olga.get("/b/quiz/access")
    assert "Ada Lovelace" in olga.page
    address = re.search(r"/b/quiz/access/agr_\w+", olga.page)
    assert address
    assert (await ada.post(address[0], {"decision": "accepted"})).status_code == 404
    assert (await olga.post(address[0], {"decision": "declined"})).status_code == 422, "a reason is owed"
    assert (await olga.post(address[0], {"decision": "declined", "reason": "Who are you?"})).status_code == 303
    assert await status() == 403
    await ada.get("/b/quiz/agreement")
    assert "Who are you?" in ada.page
    assert (await olga.post(address[0], {"decision": "accepted"})).status_code == 303
    assert await status() == 200
    export = await olga.get("/b/quiz/access.csv")
    assert export.headers["content-disposition"] == 'attachment; filename="access-quiz.csv"'
    assert "Ada Lovelace,ada@example.org,accepted" in export.text
    owner = await service.reader("olga@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE], role=MemberRole.OWNER)
    item = (await owner.get("/v1/benchmarks/quiz/access")).json()["items"][0]
    assert (item["organisation"], item["state"], item["served"]) == ("lab", "accepted", 8)
    decision = {"state": "declined", "reason": "The project ended."}
    assert (await owner.call("PATCH", f"/v1/benchmarks/quiz/access/{item['id']}", json=decision)).status_code == 204
    assert await status() == 403
    mine = (await reader.get("/v1/benchmarks/quiz/agreement")).json()
    assert (mine["state"], mine["reason"]) == ("declined", "The project ended.")


async def test_the_benchmark_page_says_who_accepted_and_when(service: Service) -> None:
    await service.publish(choice_pack(agreement=True))
    ada, stranger = await enter(service, "ada@example.org", "lab"), Visitor.of(service)
    await ada.get("/b/quiz")
    assert "Accept the agreement" in ada.page
    page = await ada.get("/b/quiz/agreement")
    digest = re.search(r'name="digest" value="(\w+)"', page.text)
    assert digest
    fields = {"organisation": "lab", "name": "Ada Lovelace", "agree": "yes", "digest": digest[1]}
    assert (await ada.post("/b/quiz/agreement", fields)).status_code == 303
    await ada.get("/b/quiz")
    assert re.search(r"accepted\s+by Ada Lovelace on \d{4}-\d\d-\d\d \d\d:\d\d UTC", ada.text())
    assert "Accept the agreement" not in ada.page
    await stranger.get("/b/quiz")
    assert "Accept the agreement" in stranger.page
    assert "Ada Lovelace" not in stranger.page
    await enter(service, "ada@example.org", "second")
    await ada.get("/b/quiz")
    assert "Accept the agreement for another organisation" in ada.text()


async def test_operators_verify_organisations(service: Service) -> None:
    ada = await enter(service, "ada@example.org", "lab")
    oto = await enter(service, "oto@example.org", operator=True)
    assert (await ada.get("/operator")).status_code == 403
    assert (await ada.post("/operator/organisations/lab", {"decision": "verify"})).status_code == 403
    assert (await oto.fill("/operator", "/operator/organisations/lab", {"decision": "verify"})).status_code == 303
    await ada.get("/o/lab")
    assert "unless their owner lets all others share" not in ada.page
    assert (await oto.post("/operator/organisations/lab", {"decision": "undo"})).status_code == 303
    await ada.get("/o/lab")
    assert "unless their owner lets all others share" in ada.page


async def test_owners_are_led_to_where_a_benchmark_is_brought(service: Service) -> None:
    stranger = Visitor.of(service)
    await stranger.get("/")
    assert 'href="/login?next=/packs"' in stranger.page
    assert 'href="/packs"' not in stranger.page
    ada = await enter(service, "ada@example.org", "lab")
    await ada.get("/")
    empty = ada.page.partition('class="empty"')[2].partition("</p>")[0]
    assert 'href="/packs"' in empty
    assert 'href="/guide/tutorials/owner.html"' in empty
    await ada.get("/account")
    assert 'href="/packs">Bring a benchmark' in ada.page
