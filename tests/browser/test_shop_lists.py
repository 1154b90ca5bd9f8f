"""Lists of the shop: what is kept of a product that was shown is shown no longer than it is so."""

import contextlib
import re
import sqlite3
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from envs.browser.http1 import Request
from envs.web_sites.instance import Instance
from envs.web_sites.site import site
from tests.browser.conftest import EpisodeOpener
from tests.browser.site_play import SEED, act, instance, ready, rows

pytestmark = pytest.mark.browser
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
POD = re.compile(r'<article class="product_pod">.*?</article>', re.DOTALL)
OF_IT = "where product_id = :id"
CHANGES = {
    "title": ("update catalogue_product set title = 'Quite another thing' where id = :id", "Quite another thing"),
    "address": ("update catalogue_product set slug = 'elsewhere' where id = :id", "/catalogue/elsewhere_"),
    "stars": ("update catalogue_product set rating = 1 where id = :id", "star-rating One"),
    "price": (f"update partner_stockrecord set price = 4321.5 {OF_IT}", "$4,321.50"),
    "nothing left": (f"update partner_stockrecord set num_in_stock = 0 {OF_IT}", "Unavailable"),
    "no price": (f"delete from partner_stockrecord {OF_IT}", "&nbsp;"),
    "picture": (
        f"update catalogue_productimage set original = 'products/n.png' {OF_IT}",
        "products/n.png",
    ),
    "no picture": (f"delete from catalogue_productimage {OF_IT}", "missing.png"),
}


@pytest_asyncio.fixture
async def shops(browser: None) -> AsyncIterator[tuple[Instance, Instance]]:
    """Two sessions' shops."""
    await ready("shop")
    both = [await Instance.open(site("shop"), f"shop-{name}.test", SEED, "small") for name in ("a", "b")]
    yield both[0], both[1]
    for one in both:
        await one.close()


async def page(shop: Instance, path: str, query: str = "", cookie: str = "") -> str:
    """What the shop shows."""
    answer = await shop(Request("GET", shop.host, path, query, headers={"cookie": cookie}))
    assert answer.status == 200
    return answer.body.decode()


def pod(text: str, product: int) -> str:
    """What a list shows of a product."""
    (found,) = [part for part in POD.findall(text) if re.search(rf"_{product}/", part)]
    return TOKEN.sub("", found)


@pytest.mark.parametrize("change", CHANGES)
async def test_a_product_that_changed_is_shown_as_it_is_now(shops: tuple[Instance, Instance], change: str) -> None:
    shop, other = shops
    before = await page(shop, "/catalogue/")
    found = re.search(r'_(\d+)/">', before)
    assert found
    product = int(found[1])
    sql, shown = CHANGES[change]
    assert shown not in pod(before, product)
    with contextlib.closing(sqlite3.connect(shop.database)) as connection, connection:
        assert connection.execute(sql, {"id": product}).rowcount == 1
    assert shown in pod(await page(shop, "/catalogue/"), product)
    assert pod(await page(other, "/catalogue/"), product) == pod(before, product)


async def test_each_page_has_a_token_of_its_own_in_all_of_its_forms(shops: tuple[Instance, Instance]) -> None:
    pages = [await page(shop, "/catalogue/") for shop in (*shops, shops[0])]
    tokens = [set(TOKEN.findall(text)) for text in pages]
    assert [len(found) for found in tokens] == [1, 1, 1]
    assert len(set.union(*tokens)) == 3


async def test_what_is_found_is_counted_and_shown_page_by_page(shops: tuple[Instance, Instance]) -> None:
    shop, _ = shops
    wanted = {title for (title,) in rows(shop, "select title from catalogue_product where title like '%Kettle%'")}
    # Titles first, and those whose description has the word after them.
    first = await page(shop, "/search/", "q=kettle")
    assert wanted
    assert wanted <= set(re.findall(r'title="([^"]*Kettle[^"]*)"', first))
    ((count,),) = rows(shop, "select count(*) from catalogue_product where is_public")
    seen: list[str] = []
    number = 0
    while len(seen) < count:
        number += 1
        text = await page(shop, "/catalogue/", f"page={number}")
        assert f"<strong>{count}</strong> results" in text
        seen += re.findall(r'<h3 class="mt-3">\s*<a href="([^"]+)"', text)
    assert len(set(seen)) == count == len(seen)


async def test_orders_say_how_much_is_in_each(shops: tuple[Instance, Instance]) -> None:
    shop, _ = shops
    (cookie,) = await shop.cookies("customer")
    text = await page(shop, "/accounts/orders/", cookie=f"{cookie['name']}={cookie['value']}")
    said = dict(re.findall(r'">(\d+)</a></td>\s*<td>(\d+)</td>', text))
    sums = "select o.number, sum(l.quantity) from order_order o join order_line l on l.order_id = o.id group by o.id"
    held = {number: str(quantity) for number, quantity in rows(shop, sums)}
    assert said
    assert said == {number: held[number] for number in said}


async def test_a_rating_is_read_and_a_list_of_orders_fits_on_a_phone(opened: EpisodeOpener) -> None:
    world = await opened("shop", signed_in={"shop": "customer"}, characters=400_000)
    seen = await act(world, "goto [{{site shop}}/catalogue/?sort_by=rating]")
    seen = await act(world, "observe [accessibility] [1]")
    rated = re.findall(r"StaticText '(?:(\d) of 5 stars|no rating)'", seen.observation.text)
    best = rows(instance(world, "shop"), "select rating from catalogue_product where is_public order by rating desc")
    assert len(rated) == 20
    assert [int(stars or 0) for stars in rated] == [round(rating or 0) for (rating,) in best[:20]]
    await act(world, "goto [{{site shop}}/accounts/orders/]")
    await world.session.page.set_viewport_size({"width": 390, "height": 844})
    assert await world.session.page.evaluate("() => document.documentElement.scrollWidth") == 390
