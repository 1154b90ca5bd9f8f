"""Web sessions: rotated, revocable, bound to cookies that other sites cannot use; forms from our pages alone."""

import asyncio
from datetime import timedelta

import pytest
from typer.testing import CliRunner

from api.accounts.service import AccountService
from api.cli.main import built
from api.core.db import now
from api.login.repository import LoginRepository
from api.login.service import LoginService
from tests.support.service import Service
from tests.support.sql import sql
from tests.support.visitor import ORIGIN, Visitor, enter


async def test_a_link_works_once(service: Service) -> None:
    visitor = await enter(service, "ada@example.org")
    page = await visitor.get("/account")
    assert "ada@example.org" in page.text
    assert page.headers["cache-control"] == "no-store"
    async with service.admin.session() as session:
        assert (await sql(session, "select count(*) from login_link where used_at is null")).scalar_one() == 0
    for token in ("", "made-up"):
        other = Visitor.of(service)
        again = await other.fill(f"/login/link?token={token}", "/login/link", {"token": token})
        assert again.status_code == 410
        assert other.session() is None


async def test_a_spent_or_old_link_opens_nothing(service: Service) -> None:
    async with service.admin.session() as session:
        user = await AccountService(session, b"p").ensure_user("ada@example.org", "Ada")
        tokens = [await LoginService(session, service.settings).make_link(user) for _ in range(2)]
        await sql(session, "update login_link set expires_at = now() - interval '1 second'")
    for token in tokens:
        visitor = Visitor.of(service)
        assert (await visitor.fill("/login/link", "/login/link", {"token": token})).status_code == 410


async def test_the_command_prints_a_link_that_signs_in_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELDOUT_DATA_DIR", str(service.settings.data_dir))
    monkeypatch.setenv("HELDOUT_DATABASE_NAME", service.settings.database_name)
    arguments = ["login-link", "olga@example.org", "--organisation", "lab", "--operator", "--url", f"{ORIGIN}/"]
    done = await asyncio.to_thread(CliRunner().invoke, built(), arguments)
    assert done.exit_code == 0, done.output
    link = done.output.splitlines()[0]
    assert link.startswith(f"{ORIGIN}/login/link?token=")
    assert "It works once, within 15 minutes." in done.output
    path, token = link.removeprefix(ORIGIN), link.partition("token=")[2]
    olga, late = Visitor.of(service), Visitor.of(service)
    assert (await olga.fill(path, "/login/link", {"token": token})).status_code == 303
    assert (await late.fill(path, "/login/link", {"token": token})).status_code == 410
    await olga.get("/account")
    assert "olga@example.org" in olga.page
    await olga.get("/o/lab")
    assert "/o/lab/invitations" in olga.page, "an owner invites"
    assert (await olga.get("/operator")).status_code == 200


async def test_cookies_are_closed_to_scripts_and_other_sites(service: Service) -> None:
    visitor = await enter(service, "ada@example.org")
    response = await visitor.fill("/account", "/logout")
    cookie = response.headers["set-cookie"].lower()
    assert {"httponly", "samesite=lax", "path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "secure" not in cookie, "on loopback there is no TLS"
    abroad = await service.client.get("https://heldout.example/login/link?token=x")
    cookie = abroad.headers["set-cookie"]
    assert cookie.startswith("__Host-heldout_visitor=")
    assert {"Secure", "HttpOnly", "SameSite=lax"} <= {part.strip() for part in cookie.split(";")}
    plain = await service.client.get("http://heldout.example/login/link?token=x")
    assert "Secure" in plain.headers["set-cookie"], "over plain HTTP to another machine nothing is kept"


async def test_a_session_is_new_at_each_sign_in_and_ends_on_the_server(service: Service) -> None:
    visitor = await enter(service, "ada@example.org")
    first = visitor.session()
    again = await enter(service, "ada@example.org")
    again.client.cookies.set("heldout_session", "planted.by-somebody", domain="127.0.0.1")
    assert (await again.get("/account")).status_code == 303, "a cookie that is not signed opens nothing"
    await visitor.fill("/account", "/logout")
    assert visitor.session() is None
    visitor.client.cookies.set("heldout_session", first or "", domain="127.0.0.1")
    assert (await visitor.get("/account")).status_code == 303, "the old cookie came back"


async def test_signing_in_over_a_session_ends_that_session(service: Service) -> None:
    """Fixation: what somebody planted in the browser is worth nothing after the sign-in."""
    mallory = await enter(service, "mallory@example.org")
    planted = mallory.session() or ""
    victim = Visitor.of(service)
    victim.client.cookies.set("heldout_session", planted, domain="127.0.0.1")
    async with service.admin.session() as session:
        user = await AccountService(session, b"p").ensure_user("victim@example.org", "Victim")
        token = await LoginService(session, service.settings).make_link(user)
    assert (await victim.fill("/login/link", "/login/link", {"token": token})).status_code == 303
    await victim.get("/account")
    assert "victim@example.org" in victim.page
    assert victim.session() != planted
    assert (await mallory.get("/account")).status_code == 303, "the planted session has ended"


@pytest.mark.parametrize(
    "change", ["set expires_at = now()", "set seen_at = now() - interval '4 days'", "set ended_at = now()"]
)
async def test_sessions_end_by_time_disuse_and_revocation(service: Service, change: str) -> None:
    visitor = await enter(service, "ada@example.org")
    assert (await visitor.get("/account")).status_code == 200
    async with service.admin.session() as session:
        await sql(session, f"update web_session {change}")
    assert (await visitor.get("/account")).status_code == 303


async def test_signing_out_everywhere_else(service: Service) -> None:
    here, there = await enter(service, "ada@example.org"), await enter(service, "ada@example.org")
    assert (await here.fill("/account", "/account/sessions/end")).status_code == 303
    assert (await here.get("/account")).status_code == 200
    assert (await there.get("/account")).status_code == 303


async def test_a_form_from_elsewhere_changes_nothing(service: Service) -> None:
    visitor = await enter(service, "ada@example.org", "team")
    other = await enter(service, "eve@example.org", "other")
    await visitor.get("/account")
    await other.get("/account")
    fields = {"name": "Changed"}
    theirs = {"csrf": other.page.partition('name="csrf" value="')[2].partition('"')[0]} | fields
    attempts = [
        await visitor.post("/account/name", fields, headers={"origin": "https://evil.example"}),
        await visitor.post("/account/name", fields, headers={"origin": "null"}),
        await visitor.post("/account/name", fields, headers={"origin": "http://127.0.0.1:9999"}),
        await visitor.client.post("/account/name", data=fields, headers={"origin": ORIGIN}),
        await visitor.client.post("/account/name", data=fields | {"csrf": ""}, headers={"origin": ORIGIN}),
        await visitor.client.post("/account/name", data=theirs, headers={"origin": ORIGIN}),
        await visitor.client.post("/account/name", json=fields, headers={"origin": ORIGIN}),
    ]
    assert [response.status_code for response in attempts] == [403] * len(attempts)
    await visitor.get("/account")
    assert "Changed" not in visitor.page
    assert (await visitor.post("/account/name", fields)).status_code == 303
    await visitor.get("/account")
    assert "Changed" in visitor.page


async def test_pages_say_the_origin_to_forms_and_nothing_to_others(service: Service) -> None:
    """Under `no-referrer` a browser sends `Origin: null`, and every form would be refused."""
    response = await service.client.get("/")
    assert response.headers["referrer-policy"] == "same-origin"
    assert "form-action 'self'" in response.headers["content-security-policy"]
    assert "unsafe" not in response.headers["content-security-policy"]


async def test_what_ended_long_ago_is_forgotten_and_what_goes_on_is_not(service: Service) -> None:
    """Swept with the worker's own rights."""
    visitor = await enter(service, "ada@example.org")
    old = await enter(service, "ada@example.org")
    await old.fill("/account", "/logout")
    async with service.admin.session() as session:
        await sql(session, "update web_session set ended_at = now() - interval '8 days' where ended_at is not null")
        await sql(session, "update login_link set expires_at = now() - interval '8 days'")
    async with service.worker.database.session() as session:
        await LoginRepository(session).sweep(now() - timedelta(days=7))
    async with service.admin.session() as session:
        assert (await sql(session, "select count(*) from web_session")).scalar_one() == 1
        assert (await sql(session, "select count(*) from login_link")).scalar_one() == 0
    assert (await visitor.get("/account")).status_code == 200
