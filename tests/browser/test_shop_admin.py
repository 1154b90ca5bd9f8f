"""The shop's administration: pages read as they look, it works on the shop's data, nobody does what is not theirs."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from envs.web_sites.instance import Instance
from envs.web_sites.site import site
from tests.browser.conftest import EpisodeOpener
from tests.browser.site_play import SEED, Visitor, act, instance, look_at, probed, ready

pytestmark = pytest.mark.browser
PAGES = {
    "manager": (
        *("/", "/orders/", "/orders/?status=Shipped&page=2", "/orders/{number}/", "/products/", "/products/?stock=low"),
        *("/products/1/", "/products/new/", "/customers/", "/customers/5/", "/reviews/?status=waiting", "/reviews/1/"),
        *("/reports/", "/reports/sales/", "/reports/bestsellers/?category=Kettles", "/reports/customers/"),
        *("/reports/stock/", "/reports/reviews/", "/pages/", "/pages/1/", "/settings/", "/settings/staff/"),
    ),
    "clerk": ("/", "/orders/{number}/", "/products/1/", "/customers/5/", "/reviews/1/", "/pages/1/"),
}
FORM = "/reviews/1/"
SCRIPT = "<script>document.title = 'owned'</script><img src=x onerror=document.title='owned'>"
PRODUCT = {"title": "Plain thing", "price": "5.00", "stock": "3", "description": "A thing."}
FOR_MANAGERS = (
    ("/products/1/", PRODUCT),
    ("/products/new/", {"upc": "12345", "title": "New thing", "category": "Kettles", "price": "1.00", "stock": "1"}),
    ("/customers/5/", {"first_name": "A", "last_name": "B", "email": "a@example.org"}),
    ("/pages/1/", {"title": "Delivery", "text": "Never."}),
    ("/settings/", {"announcement": "Mine"}),
    ("/settings/staff/2", {"role": "manager"}),
)


@pytest_asyncio.fixture
async def own(browser: None) -> AsyncIterator[Instance]:
    """A session's administration without a browser."""
    await ready("shop_admin")
    one = await Instance.open(site("shop_admin"), "shop-admin-x.test", SEED, "small")
    yield one
    await one.close()


async def changed(one: Instance) -> set[str]:
    """The tables with changes."""
    return set((await one.state())["tables"])


@pytest.mark.parametrize("role", PAGES)
async def test_every_page_opens_by_itself_and_reads_as_it_looks(opened: EpisodeOpener, role: str) -> None:
    world = await opened("shop_admin", signed_in={"shop_admin": role}, characters=400_000)
    own = instance(world, "shop_admin")
    number = (await Visitor.signed_in(own, FORM, role)).get("/orders/")
    found = re.search(r'href="/orders/(\d+)/"', (await number).body.decode())
    assert found
    for page in PAGES[role]:
        await look_at(world, "shop_admin", page.format(number=found[1]))
    assert world.session.gateway.refusals() == []


async def test_it_works_on_the_data_of_the_shop_beside_it(opened: EpisodeOpener) -> None:
    world = await opened("shop", "shop_admin", signed_in={"shop": "newcomer", "shop_admin": "manager"})
    seen = await act(
        world,
        "goto [{{site shop_admin}}/products/1/]",
        "fill [{{element textbox 'Price in dollars'}}] [7777.25]",
        "click [{{element button 'Save product'}}]",
        "goto [{{site shop_admin}}/settings/]",
        'modify_text("announcement", "Closed on Sunday")',
        "click [{{element button 'Save settings'}}]",
        "goto [{{site shop}}/catalogue/a_1/]",
    )
    assert "$7,777.25" in seen.observation.text
    assert "Closed on Sunday" in seen.observation.text
    mine, theirs = await probed(world, ("state", {"site": "shop_admin"}), ("state", {"site": "shop"}))
    assert mine == theirs
    assert [row["after"]["price"] for row in mine["tables"]["partner_stockrecord"]["updated"]] == [7777.25]
    kept = [one.folder for one in world._instances.values() if isinstance(one, Instance)]
    await world.close()
    assert [folder for folder in kept if folder.exists() or folder.is_symlink()] == []


async def test_sessions_have_their_own_copy(own: Instance) -> None:
    other = await Instance.open(site("shop_admin"), "shop-admin-y.test", SEED, "small")
    try:
        manager = await Visitor.signed_in(own, FORM, "manager")
        assert (await manager.post("/products/1/", PRODUCT)).status == 303
        assert "catalogue_product" in await changed(own)
        assert await changed(other) == set()
        assert (await Visitor(other, FORM, manager.cookie).get("/")).status == 401
    finally:
        await other.close()


@pytest.mark.parametrize(("path", "fields"), FOR_MANAGERS, ids=[path for path, _ in FOR_MANAGERS])
async def test_a_clerk_cannot_do_what_managers_do(own: Instance, path: str, fields: dict[str, str]) -> None:
    clerk, manager = [await Visitor.signed_in(own, FORM, role) for role in ("clerk", "manager")]
    assert (await clerk.post(path, fields)).status == 403
    assert await changed(own) == set()
    # The same by a manager is not refused for who it is.
    assert (await manager.post(path, fields)).status in (303, 422)


async def test_a_role_that_was_taken_away_is_gone_at_once(own: Instance) -> None:
    manager, staff = await Visitor.signed_in(own, FORM, "manager"), await own.query("staff", {})
    other = next(row for row in staff if row["role"] == "manager" and row["username"] != "manager")
    signed = await _login(own, str(other["username"]))
    assert (await signed.get("/settings/")).status == 200
    assert (await manager.post(f"/settings/staff/{other['id']}", {"role": "clerk"})).status == 303
    assert (await signed.get("/settings/")).status == 403
    # Nobody gives themselves a role, the last manager included.
    assert (await manager.post("/settings/staff/1", {"role": "clerk"})).status == 422


async def _login(own: Instance, username: str) -> Visitor:
    # The site signs in whatever user name it is asked for; only the environment asks, with its secret word.
    headers = [("Host", own.host), ("X-Heldout-Session", own.name), ("X-Heldout-Control", own.running.control)]
    answer = await own.running.ask("GET", f"/?role={username}".encode(), headers)
    (name, value), *_ = answer.json().items()
    return Visitor(own, FORM, f"{name}={value}")


@pytest.mark.parametrize(
    "cookie", ["", "staff=manager", "staff=manager.", "staff=manager." + "0" * 64, "staff=%C3%A9.%C3%A9"]
)
async def test_no_cookie_or_a_forged_one_signs_nobody_in(own: Instance, cookie: str) -> None:
    stranger = Visitor(own, FORM, cookie)
    assert (await stranger.get("/settings/")).status == 401
    assert (await stranger.post("/reviews/1/delete", {"token": "0" * 64})).status == 401
    assert await changed(own) == set()


async def test_a_form_from_elsewhere_is_refused(own: Instance) -> None:
    manager = await Visitor.signed_in(own, FORM, "manager")
    for wrong in ("", "0" * 64, await (await Visitor.signed_in(own, FORM, "clerk")).token()):
        assert (await manager.post("/reviews/1/delete", {"token": wrong})).status == 403
    elsewhere = {"sec-fetch-site": "cross-site"}
    assert (await manager.post("/reviews/1/delete", {}, **elsewhere)).status == 403
    assert (await manager.get("/reviews/1/delete")).status == 405
    assert await changed(own) == set()
    assert (await manager.post("/reviews/1/delete", {})).status == 303
    assert "reviews_productreview" in await changed(own)


@pytest.mark.parametrize(
    ("path", "query", "found"),
    [
        ("/orders/", "q=%27+or+1%3D1+--", "0 orders"),
        ("/orders/", "status=%27+or+%271%27%3D%271", "0 orders"),
        ("/products/", "q=%25", "0 products"),
        ("/products/", "sort=s.price%3Bdrop+table+order_order", "120 products"),
        ("/customers/", "q=%00", "32 customers"),
    ],
)
async def test_what_is_searched_for_is_text(own: Instance, path: str, query: str, found: str) -> None:
    page = await (await Visitor.signed_in(own, FORM, "manager")).get(path, query)
    assert page.status == 200
    assert found in page.body.decode()
    assert await changed(own) == set()


@pytest.mark.parametrize("path", ["/media/../site.sqlite3", "/media/%2e%2e/site.sqlite3", "/media//etc/passwd"])
async def test_only_pictures_are_files(own: Instance, path: str) -> None:
    response = await (await Visitor.signed_in(own, FORM, "manager")).get(path)
    assert response.status == 404
    assert b"SQLite" not in response.body


async def test_an_order_takes_no_step_that_it_does_not_have(own: Instance) -> None:
    manager = await Visitor.signed_in(own, FORM, "manager")
    page = (await manager.get("/orders/", "status=Complete")).body.decode()
    number = re.findall(r'href="/orders/(\d+)/"', page)[0]
    assert (await manager.post(f"/orders/{number}/status", {"status": "Pending"})).status == 422
    assert await changed(own) == set()


async def test_what_is_written_is_text_to_everybody(opened: EpisodeOpener) -> None:
    world = await opened("shop", "shop_admin", signed_in={"shop": "newcomer", "shop_admin": "manager"})
    await act(
        world,
        "goto [{{site shop_admin}}/products/1/]",
        f'modify_text("title", "{SCRIPT}")',
        f'modify_text("description", "{SCRIPT}")',
        "click [{{element button 'Save product'}}]",
        "goto [{{site shop_admin}}/pages/1/]",
        f'modify_text("text", "{SCRIPT}")',
        "click [{{element button 'Save page'}}]",
        "goto [{{site shop_admin}}/settings/]",
        f'modify_text("announcement", "{SCRIPT}")',
        "click [{{element button 'Save settings'}}]",
    )
    for where in ("shop_admin}}/products/1/", "shop_admin}}/products/", "shop}}/catalogue/a_1/", "shop}}/delivery/"):
        seen = await act(world, f"goto [{{{{site {where}]")
        assert await world.session.page.title() != "owned"
        assert "onerror" in seen.observation.text or where.endswith("/products/")
    (state,) = await probed(world, ("state", {"site": "shop"}))
    assert [pair["after"]["title"] for pair in state["tables"]["catalogue_product"]["updated"]] == [SCRIPT]
