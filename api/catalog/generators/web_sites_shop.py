"""Templates of tasks on the shop and its administration."""

from random import Random

from api.catalog.generators.web_sites_parts import Content, Contents, Row, Task, Template, money, says, unchanged

CUSTOMER = {"shop": "customer"}
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def orders(shop: Content) -> list[Row]:
    """The customer's orders, oldest first."""
    return shop.named("orders_of", username="customer")


def spent_in_a_month(draw: Random, held: Contents, place: int) -> Task:
    """Sum the totals of all orders of a month."""
    del place
    found = orders(held["shop"])
    by_month: dict[str, list[Row]] = {}
    for row in found:
        by_month.setdefault(row["date_placed"][:7], []).append(row)
    month = draw.choice(sorted(name for name, rows in by_month.items() if len(rows) > 1))
    total = money(sum(row["total_incl_tax"] for row in by_month[month]))
    year, number = month.split("-")
    return Task(
        intent=f"How much did I spend in all on the orders I placed in {MONTHS[int(number) - 1]} {year}?",
        category="information",
        parts=(says(total), *unchanged("shop")),
        oracle=("goto [{{site shop}}/accounts/orders/]", f"stop [{total}]"),
        sites=("shop",),
        signed_in=CUSTOMER,
        everything=", ".join([total, *(money(row["total_incl_tax"]) for row in found)]),
    )


TEMPLATES: tuple[Template, ...] = (spent_in_a_month,)
