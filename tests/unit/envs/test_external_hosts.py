"""A site behind an `upstream` that leads every host but its own away."""

import json
from pathlib import Path

import pytest

from envs.browser.http1 import Request, Response
from envs.web_sites.external import deployment
from envs.web_sites.external.deployment import Turn, well
from envs.web_sites.external.served import External
from envs.web_sites.external.spec import external_site
from envs.web_sites.stand_ins import StandIn


class ByHost(StandIn):
    """Leads every host but its own away, as Magento does with hosts that are not its base address."""

    def answer(self, request: Request) -> Response:
        if request.headers["host"] != "shop.owner.test":
            return Response(302, b"", {"Location": f"http://shop.owner.test{request.path}"})
        return super().answer(request)


async def test_a_site_is_asked_by_the_name_of_its_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deployment, "folder", lambda: tmp_path)
    server = ByHost("shop")
    upstream = f"http://127.0.0.1:{await server.start()}"
    cookie = {"name": "stand_in", "value": "me", "domain": "shop.owner.test", "path": "/"}
    (tmp_path / "cookies").write_text(json.dumps([cookie]))
    check = {"path": "/stand-in/account", "says": "Signed in"}
    described = {
        "upstream": upstream,
        "health": {"path": "/stand-in/login", "status": 200, "seconds": 5},
        "sign_in": {"me": {"cookies": str(tmp_path / "cookies"), "check": check}},
        "magento": {"username": "admin", "password": "x"},
        "queries": {"orders": {"http": {"path": "/rest/V1/orders", "rows": "items"}}},
    }
    try:
        for address in ("http://shop.owner.test", "http://Shop.owner.test:80"):
            site = external_site("shop", {"address": address} | described)
            turn = Turn(site, site.places()[0])
            await well(turn)
            external = External.at(turn)
            assert (await external.sign_in("me")).cookies == (cookie,)
            assert await external.query("orders", {}) == [{"increment_id": "000000001"}]
            assert (await external.helper("shopping_get_latest_order_url", ())).endswith("/order_id/1/")
    finally:
        await server.close()
