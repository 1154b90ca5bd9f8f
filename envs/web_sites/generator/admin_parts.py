"""The shop's administration as templates draw from it, and the steps that oracles take there."""

import datetime
from collections import Counter
from functools import partial
from random import Random
from typing import Any

from envs.web_sites.generator import parts
from envs.web_sites.generator.forum_parts import visit
from envs.web_sites.generator.parts import Content, Contents, Row, Task, changes, ends_at

SITE = "shop_admin"
MANAGER, CLERK = {SITE: "manager"}, {SITE: "clerk"}
PRODUCTS = """select p.id, p.title, p.upc, p.is_public as visible, s.id as record, s.price, s.num_in_stock as stock,
c.name as category from catalogue_product p join partner_stockrecord s on s.product_id = p.id
join catalogue_productcategory pc on pc.product_id = p.id join catalogue_category c on c.id = pc.category_id
order by p.id"""
CUSTOMERS = """select id, first_name || ' ' || last_name as name, first_name, last_name, email from auth_user
where is_staff = 0 order by id"""
ORDERS = """select o.id, o.number, o.status, o.shipping_address_id as address, u.email,
u.first_name || ' ' || u.last_name as name, count(l.id) as lines from order_order o
join auth_user u on u.id = o.user_id join order_line l on l.order_id = o.id group by o.id order by o.id"""
REVIEWS = """select r.id, r.title, r.score, r.status, r.product_id as product, p.title as product_title,
u.first_name || ' ' || u.last_name as name from reviews_productreview r join catalogue_product p on p.id = r.product_id
join auth_user u on u.id = r.user_id order by r.id"""
MONTHLY = """select strftime('%Y-%m', o.date_placed) as month, count(*) as orders, sum(o.total_incl_tax) as amount,
sum((select sum(quantity) from order_line l where l.order_id = o.id)) as pieces from order_order o
where o.status <> 'Cancelled' group by 1 order by 1"""
SPENT = """select u.first_name || ' ' || u.last_name as name, round(sum(o.total_incl_tax), 2) as amount
from order_order o join auth_user u on u.id = o.user_id
where o.status <> 'Cancelled' and date(o.date_placed) between :first and :last group by u.id order by amount desc"""
WAITING, APPROVED, REJECTED = 0, 1, 2


def shop(contents: Contents) -> Content:
    """The administration's content, which is the shop's."""
    return contents[SITE]


def period(draw: Random) -> tuple[str, str]:
    """The first and the last day of some weeks in which the shop sold."""
    first = datetime.date(2024, 3, 1) + datetime.timedelta(days=draw.randrange(600))
    return first.isoformat(), (first + datetime.timedelta(days=draw.randrange(25, 80))).isoformat()


def alone(rows: list[Row], column: str) -> list[Row]:
    """Rows whose value in a column no other row has."""
    counts = Counter(row[column] for row in rows)
    return [row for row in rows if counts[row[column]] == 1]


def customer(draw: Random, contents: Contents) -> Row:
    """A customer whose name nobody else has."""
    return draw.choice(alone(shop(contents).rows(CUSTOMERS), "name"))


def product(draw: Random, contents: Contents, *, stocked: bool = False) -> Row:
    """A product; with `stocked` one of which some pieces are left."""
    return draw.choice([row for row in shop(contents).rows(PRODUCTS) if row["stock"] > 5 or not stocked])


def order(draw: Random, contents: Contents, *statuses: str) -> Row:
    """An order with one of these statuses, or any."""
    return draw.choice([row for row in shop(contents).rows(ORDERS) if not statuses or row["status"] in statuses])


def go(path: str) -> str:
    """Open an address of the administration."""
    return visit(path, SITE)


def update(table: str, number: int, *also: str, **values: Any) -> dict[str, Any]:
    """A row's change to these values."""
    return {"table": table, "change": "update", "where": {"id": number}, "values": values, "also": list(also)}


def insert(table: str, **values: Any) -> dict[str, Any]:
    """A new row with these values."""
    return {"table": table, "change": "insert", "values": values}


def amount(value: float) -> dict[str, float]:
    """A condition on money."""
    return {"number": round(value, 2), "tolerance": 0.001}


asked = partial(parts.asked, SITE, signed_in=MANAGER)
"""A question to the administration, which stays as it is."""


def shown(intent: str, address: str, oracle: tuple[str, ...], besides: str = "") -> Task:
    """A page of the administration to get to; `besides` is what the page's form adds to its address by itself."""
    alternatives = (address, f"{address}&{besides}") if besides else (address,)
    part, probe = ends_at(" |OR| ".join(f"__SHOP_ADMIN__{one}" for one in alternatives))
    return Task(
        intent=intent,
        category="navigation",
        parts=(part, changes(SITE)),
        oracle=oracle,
        sites=(SITE,),
        signed_in=MANAGER,
        probes=(probe,),
    )


def done(
    intent: str, oracle: tuple[str, ...], *expected: dict[str, Any], allowed: tuple[dict[str, Any], ...] = ()
) -> Task:
    """Something to change in the administration."""
    return Task(
        intent=intent,
        category="content",
        parts=(changes(SITE, *expected, allowed=allowed),),
        oracle=(*oracle, "stop []"),
        sites=(SITE,),
        signed_in=MANAGER,
    )
