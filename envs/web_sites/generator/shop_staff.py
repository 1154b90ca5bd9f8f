"""Templates of tasks for the shop's staff, and of tasks that need the shop and the tools."""

from random import Random

from envs.web_sites.generator.parts import Contents, Task, Template, changes, money, unchanged
from envs.web_sites.generator.shop import CUSTOMER, MANAGER, orders, page, product

NEXT = {"Pending": ("Being processed",), "Being processed": ("Shipped",)}


def set_a_price(draw: Random, contents: Contents, index: int) -> Task:
    """Change the price of a product in the administration."""
    del index
    one = product(draw, contents["shop"])
    price = round(one["price"] * draw.choice((0.8, 0.9, 1.1, 1.25)), 1) + 0.05
    expected = {
        "table": "partner_stockrecord",
        "change": "update",
        "where": {"id": one["stock"]},
        "values": {"price": {"number": round(price, 2), "tolerance": 0.001}},
        "also": ["date_updated"],
    }
    touched = {
        "table": "catalogue_product",
        "change": "update",
        "columns": ["date_updated"],
        "where": {"id": one["id"]},
    }
    return Task(
        intent=f"Set the price of the product with the UPC {one['upc']} to {money(price)}.",
        category="content",
        parts=(changes("shop", expected, allowed=(touched,)),),
        oracle=(
            f"goto [{{{{site shop}}}}/dashboard/catalogue/?upc={one['upc']}]",
            f"goto [{{{{site shop}}}}/dashboard/catalogue/products/{one['id']}/]",
            "click [{{element link 'Stock and pricing'}}]",
            f'modify_text("stockrecords-0-price", "{price:.2f}")',
            "click [{{element button 'Save'}}]",
            "stop []",
        ),
        sites=("shop",),
        signed_in=MANAGER,
        start=(("shop", "/dashboard/"),),
    )


def move_an_order_on(draw: Random, contents: Contents, index: int) -> Task:
    """Give an order its next status."""
    del index
    waiting = contents["shop"].rows(
        "select id, number, status from order_order where status in ('Pending', 'Being processed') order by id"
    )
    order = draw.choice(waiting)
    status = draw.choice(NEXT[order["status"]])
    text = f"Order status changed from '{order['status']}' to '{status}'"
    moved = {"table": "order_order", "change": "update", "where": {"id": order["id"]}, "values": {"status": status}}
    step = {"order_id": order["id"], "old_status": order["status"], "new_status": status}
    lines = {"table": "order_line", "change": "update", "columns": ["status"], "where": {"order_id": order["id"]}}
    return Task(
        intent=f"Order {order['number']} should have the status “{status}”. Change it.",
        category="content",
        parts=(
            changes(
                "shop",
                moved,
                {"table": "order_orderstatuschange", "change": "insert", "values": step},
                {
                    "table": "order_ordernote",
                    "change": "insert",
                    "values": {"order_id": order["id"], "message": text},
                },
                allowed=(lines,),
            ),
        ),
        oracle=(
            f"goto [{{{{site shop}}}}/dashboard/orders/{order['number']}/]",
            f'modify_select("new_status", "{status}")',
            "click [{{element button 'Change status'}}]",
            "stop []",
        ),
        sites=("shop",),
        signed_in=MANAGER,
        start=(("shop", "/dashboard/"),),
    )


def note(title: str, text: str) -> dict[str, object]:
    """A new note on the scratchpad."""
    return {"table": "note", "change": "insert", "values": {"title": title, "text": text}}


def keeping(title: str, text: str) -> tuple[str, ...]:
    """Write a note."""
    return (
        "goto [{{site tools}}/scratchpad]",
        f'modify_text("title", "{title}")',
        f'modify_text("text", "{text}")',
        "submit",
        "stop []",
    )


def price_on_a_note(draw: Random, contents: Contents, index: int) -> Task:
    """Look a price up in the shop and write it on the scratchpad."""
    del index
    one = product(draw, contents["shop"])
    price = money(one["price"])
    title = f"Price {draw.randrange(10, 99)}"
    return Task(
        intent=f"Write a note on the scratchpad with the title “{title}”. Its text is the price of the {one['title']} "
        "in the shop, as the shop writes it, and nothing else.",
        category="content",
        parts=(changes("tools", note(title, price)), *unchanged("shop")),
        oracle=(f"goto [{{{{site shop}}}}{page(one)}]", *keeping(title, price)),
        sites=("shop", "tools"),
        signed_in=CUSTOMER,
        start=(("shop", "/"), ("tools", "/")),
    )


def totals_on_a_note(draw: Random, contents: Contents, index: int) -> Task:
    """Add the totals of two orders and write the sum on the scratchpad."""
    del index
    first, second = draw.sample(orders(contents["shop"]), 2)
    total = money(first["total_incl_tax"] + second["total_incl_tax"])
    title = f"Orders {first['number']} and {second['number']}"
    return Task(
        intent=f"Write a note on the scratchpad with the title “{title}”. Its text is what these two orders of mine "
        "cost together, written like $1,234.50, and nothing else.",
        category="content",
        parts=(changes("tools", note(title, total)), *unchanged("shop")),
        oracle=("goto [{{site shop}}/accounts/orders/]", *keeping(title, total)),
        sites=("shop", "tools"),
        signed_in=CUSTOMER,
        start=(("shop", "/accounts/orders/"), ("tools", "/")),
    )


TEMPLATES: tuple[Template, ...] = (set_a_price, move_an_order_on, price_on_a_note, totals_on_a_note)
