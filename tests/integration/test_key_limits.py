"""Keys that work from some networks alone and at a pace of their own, by request, page and command."""

import asyncio
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any

import httpx2

from api.core.settings import Settings
from api.hosting.server import Host
from heldout.client import Client
from tests.support.listening import listening
from tests.support.service import READER, Caller, Service
from tests.support.sessions import Player, echo_pack
from tests.support.visitor import enter

BODY = {"name": "limited", "scopes": ["problems:read"]}


async def test_a_key_works_from_its_networks_alone(service: Service) -> None:
    ada = await service.reader()
    here = (await ada.post("/v1/keys", json=BODY | {"networks": ["127.0.0.1"]})).json()
    away = (await ada.post("/v1/keys", json=BODY | {"networks": ["192.0.2.9/24", "2001:db8::/32"]})).json()
    assert (here["networks"], away["networks"]) == (["127.0.0.1/32"], ["192.0.2.0/24", "2001:db8::/32"])
    assert (await Caller(service.client, here["key"]).get("/v1/me")).status_code == 200
    refused = await Caller(service.client, away["key"]).get("/v1/me")
    assert (refused.status_code, refused.json()["code"]) == (403, "key_address")
    changed = await ada.call("PATCH", f"/v1/keys/{away['id']}", json={})
    assert changed.json()["networks"] == []
    assert (await Caller(service.client, away["key"]).get("/v1/me")).status_code == 200
    for wrong in (["nowhere"], ["10.0.0.0/99"], ["10.0.0.1"] * 51):
        assert (await ada.post("/v1/keys", json=BODY | {"networks": wrong})).status_code == 422


async def test_a_key_has_a_pace_of_its_own(settings: Settings) -> None:
    async with Service.running(settings.model_copy(update={"rate_limits_enabled": True})) as service:
        ada = await service.reader()
        made = (await ada.post("/v1/keys", json=BODY | {"requests_per_minute": 3})).json()
        limited = Caller(service.client, made["key"])
        codes = [(await limited.get("/v1/me")).status_code for _ in range(5)]
        assert codes == [200, 200, 200, 429, 429]
        assert (await limited.get("/v1/me")).headers["retry-after"]
        assert (await ada.get("/v1/me")).status_code == 200


async def test_a_limited_key_can_neither_lift_its_limits_nor_make_another(service: Service) -> None:
    ada = await service.reader()
    made = (await ada.post("/v1/keys", json=BODY | {"requests_per_minute": 1000})).json()
    limited = Caller(service.client, made["key"])
    for method, path, body in (("POST", "/v1/keys", BODY), ("PATCH", f"/v1/keys/{made['id']}", {})):
        assert (await limited.call(method, path, json=body)).status_code == 403
    other = await service.reader("eve@example.org", "other")
    assert (await other.call("PATCH", f"/v1/keys/{made['id']}", json={})).status_code == 404


async def test_the_page_and_the_client_limit_a_key(service: Service) -> None:
    member = await enter(service, "ada@example.org", "lab")
    fields = {"name": "cluster", "organisation": "lab", "scopes": "problems:read", "days": "30"}
    limits = {"networks": "192.0.2.0/24, 10.1.0.0/16", "requests_per_minute": "60"}
    page = await member.fill("/account/keys", "/account/keys", fields | limits)
    assert page.status_code == 200
    assert "from 192.0.2.0/24, 10.1.0.0/16; 60 a minute" in member.text()
    wrong = await member.fill("/account/keys", "/account/keys", fields | {"networks": "somewhere"})
    assert wrong.status_code == 422
    key = await service.key("ada@example.org", "lab")
    async with listening(service.app) as port:

        def by_client() -> None:
            with Client(base_url=f"http://127.0.0.1:{port}", api_key=key) as client:
                listed = next(row for row in client.keys.all() if row.name == "cluster")
                changed = client.keys.limit(listed.id, requests_per_minute=5)
                assert (changed.networks, changed.requests_per_minute) == ((), 5)
                made = client.keys.create("short", ["problems:read"], days=1, networks=["127.0.0.0/8"])
                assert made.key.startswith("hld_")
                client.keys.revoke(made.id)
                assert next(row for row in client.keys.all() if row.id == made.id).revoked_at

        await asyncio.to_thread(by_client)
    items = (await Caller(service.client, key).get("/v1/keys")).json()["items"]
    identifier = next(row["id"] for row in items if row["name"] == "cluster")
    assert (await member.fill("/account/keys", f"/account/keys/{identifier}/limits", limits)).status_code == 303
    assert (await Caller(service.client, key).get("/v1/keys")).json()["items"][-1]["requests_per_minute"] == 60


@dataclass
class Behind(Caller):
    """Somebody whose requests come through a proxy, from an address."""

    address: str = "192.0.2.5"

    async def call(self, method: str, path: str, **more: Any) -> httpx2.Response:
        headers = {"X-Forwarded-For": self.address} | more.pop("headers", {})
        return await super().call(method, path, headers=headers, **more)


async def test_a_step_with_a_remembered_key_is_looked_at_again_elsewhere(settings: Settings) -> None:
    settings = settings.model_copy(update={"trusted_proxies": (ip_network("127.0.0.0/8"),)})
    async with Service.running(settings) as service, Host.running(settings):
        await service.publish(echo_pack())
        ada = await service.reader()
        body = {"name": "cluster", "scopes": [*READER], "networks": ["192.0.2.0/24"]}
        made = (await ada.post("/v1/keys", json=body)).raise_for_status().json()
        caller = Behind(service.client, made["key"])
        player = Player(caller)
        session = (await player.opened((await player.episodes())[0]))["id"]
        await player.said(session, 1, "hello")
        step = {"number": 2, "action": {"text": "say[again]"}}
        caller.address = "198.51.100.7"
        refused = await caller.post(f"/v1/sessions/{session}/steps", json=step)
        assert (refused.status_code, refused.json()["code"]) == (403, "key_address")
        caller.address = "192.0.2.6"
        assert (await caller.post(f"/v1/sessions/{session}/steps", json=step)).status_code == 200
