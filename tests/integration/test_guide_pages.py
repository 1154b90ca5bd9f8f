"""The documentation as the service serves it."""

from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from api.app import create_app
from api.core.settings import Settings
from api.web import guide_pages
from tests.support.guide import guide, guide_app
from tools.guide.links import SERVICE

__all__ = ["guide", "guide_app"]


async def got(app: FastAPI, path: str, **headers: str) -> httpx2.Response:
    """What a browser is answered."""
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
        return await client.get(path, headers={"accept": "text/html"} | headers)


async def test_pages_come_with_a_policy_that_lets_in_this_host_alone(guide_app: FastAPI) -> None:
    assert (await got(guide_app, "/guide")).headers["location"].endswith("/guide/")
    for path in ("/guide/", "/guide/owners.html", "/guide/tutorials/operator.html"):
        page = await got(guide_app, path)
        assert page.status_code == 200
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["cache-control"] == "no-cache"
        assert page.headers["x-content-type-options"] == "nosniff"
        policy = dict(part.split(" ", 1) for part in page.headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == "'self'"
        assert "unsafe" not in page.headers["content-security-policy"]
        assert "http" not in page.headers["content-security-policy"]
        assert policy["frame-ancestors"] == "'none'"


async def test_a_copy_that_a_browser_has_is_not_sent_again(guide_app: FastAPI) -> None:
    tag = (await got(guide_app, "/guide/search.json")).headers["etag"]
    assert (await got(guide_app, "/guide/search.json", **{"if-none-match": tag})).status_code == 304


@pytest.mark.parametrize("path", ["/guide/none.html", "/guide/images", "/guide/..%2f..%2fapp.py", "/guide/%00"])
async def test_what_is_not_there_is_a_page_of_the_service(guide_app: FastAPI, path: str) -> None:
    page = await got(guide_app, path)
    assert page.status_code == 404
    assert "There is no such page" in page.text


async def test_an_instance_without_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guide: Path
) -> None:
    monkeypatch.setattr(guide_pages, "FOLDER", tmp_path / "guide")
    app = create_app(Settings(data_dir=tmp_path))
    page = await got(app, "/guide/")
    assert page.status_code == 404
    assert "make docs" in page.text
    body = (await got(app, "/guide/owners.html", accept="application/json")).json()
    assert body["code"] == "guide_not_built"
    # It is found as soon as it is built.
    (tmp_path / "guide").symlink_to(guide)
    assert (await got(app, "/guide/owners.html")).status_code == 200


async def test_both_lead_to_each_other(guide_app: FastAPI) -> None:
    assert 'href="/guide/"' in (await got(guide_app, "/docs")).text
    page = (await got(guide_app, "/guide/")).text
    assert {path for path in SERVICE if f'<a href="{path}"' in page} == SERVICE
    assert (await got(guide_app, "/docs")).status_code == 200
