"""Templates of tasks that look something up in the shop's administration, or get to one of its pages."""

from collections import Counter
from dataclasses import replace
from random import Random
from urllib.parse import quote_plus

from envs.web_sites.generator.admin_parts import (
    MONTHLY,
    ORDERS,
    PRODUCTS,
    REVIEWS,
    SITE,
    SPENT,
    alone,
    asked,
    customer,
    go,
    order,
    period,
    product,
    shop,
    shown,
)
from envs.web_sites.generator.forum_parts import click, fill
from envs.web_sites.generator.parts import NOTHING, Contents, Task, Template, answer_is, answer_is_none, changes, money
from envs.web_sites.generator.shop import MONTHS

DECIDED = {0: "waiting for a decision", 1: "approved", 2: "rejected"}
STATUSES = ("Pending", "Being processed", "Shipped", "Complete", "Cancelled", "Returned")


def admin_bestseller(draw: Random, contents: Contents, index: int) -> Task:
    """The product of which most pieces were sold in a period."""
    del index
    first, last = period(draw)
    sold = shop(contents).named("sold", first=first, last=last)
    if len(sold) < 2 or sold[0]["pieces"] == sold[1]["pieces"]:
        return admin_bestseller(draw, contents, 0)
    return asked(
        f"Of which product were most pieces sold from {first} to {last}? Cancelled orders do not count. Answer with "
        "its full title.",
        answer_is(sold[0]["title"]),
        (
            go("/reports/bestsellers/"),
            fill("From", first),
            fill("To", last),
            click("button", "Show report"),
            f"stop [{sold[0]['title']}]",
        ),
        ", ".join(row["title"] for row in sold[:20]),
    )


def admin_pieces_sold(draw: Random, contents: Contents, index: int) -> Task:
    """How many pieces of a product were sold in a year."""
    del index
    year = draw.choice(("2024", "2025"))
    sold = shop(contents).named("sold", first=f"{year}-01-01", last=f"{year}-12-31")
    one = draw.choice([row for row in sold if row["pieces"] > 1])
    categories = {row["id"]: row["category"] for row in shop(contents).rows(PRODUCTS)}
    asked_for = f"from={year}-01-01&to={year}-12-31&category={quote_plus(categories[one['id']])}"
    return asked(
        f"How many pieces of the {one['title']} were sold in {year}? Cancelled orders do not count.",
        answer_is(str(one["pieces"])),
        (go(f"/reports/bestsellers/?{asked_for}"), f"stop [{one['pieces']}]"),
        ", ".join(str(number) for number in range(1, 40)),
    )


def admin_sales_of_a_month(draw: Random, contents: Contents, index: int) -> Task:
    """What was sold in a month."""
    del index
    months = alone(shop(contents).rows(MONTHLY)[1:-1], "amount")
    one = draw.choice(months)
    year, number = one["month"].split("-")
    total = money(one["amount"])
    return asked(
        f"What do the orders placed in {MONTHS[int(number) - 1]} {year} come to in all? Cancelled orders do not count.",
        answer_is(total),
        (go(f"/reports/sales/?period=month&from={year}-01-01&to={year}-12-31"), f"stop [{total}]"),
        ", ".join(money(row["amount"]) for row in months),
    )


def admin_best_month(draw: Random, contents: Contents, index: int) -> Task:
    """The month of a year with the most or the least."""
    del index
    year, column = draw.choice(("2024", "2025")), draw.choice(("orders", "pieces", "amount"))
    least = draw.random() < 0.5
    months = [row for row in shop(contents).rows(MONTHLY) if row["month"].startswith(year)]
    # The first month of the shop is not whole.
    months = sorted(months[1:] if year == "2024" else months, key=lambda row: row[column], reverse=not least)
    if months[0][column] == months[1][column]:
        return admin_best_month(draw, contents, 0)
    words = {"orders": "orders", "pieces": "pieces sold", "amount": "sales in dollars"}[column]
    since = f"February to December {year}" if year == "2024" else year
    name = MONTHS[int(months[0]["month"][5:]) - 1]
    return asked(
        f"Which month of {since} had the {'least' if least else 'most'} {words}? Cancelled orders do not count. Answer "
        "with the month's name.",
        answer_is(name),
        (
            go("/reports/sales/"),
            'modify_select("period", "month")',
            fill("From", f"{year}-01-01"),
            fill("To", f"{year}-12-31"),
            click("button", "Show report"),
            f"stop [{name}]",
        ),
        ", ".join(MONTHS),
    )


def admin_reviews_of_a_kind(draw: Random, contents: Contents, index: int) -> Task:
    """How many reviews with so many stars are in a state."""
    del index
    status, stars = draw.choice((0, 0, 1, 2)), draw.randrange(1, 6)
    counts = Counter((row["status"], row["score"]) for row in shop(contents).rows(REVIEWS))
    count = counts[status, stars]
    name = ("waiting", "approved", "rejected")[status]
    return asked(
        f"How many reviews with exactly {stars} star{'s' if stars > 1 else ''} are {DECIDED[status]}?",
        answer_is(str(count)),
        (go(f"/reviews/?status={name}&stars={stars}"), f"stop [{count}]"),
        ", ".join(str(number) for number in sorted({count, *counts.values()})),
    )


def admin_best_customer(draw: Random, contents: Contents, index: int) -> Task:
    """Who spent most in a period."""
    del index
    first, last = period(draw)
    spent = shop(contents).rows(SPENT, first=first, last=last)
    if len(spent) < 2 or spent[0]["amount"] == spent[1]["amount"]:
        return admin_best_customer(draw, contents, 0)
    return asked(
        f"Which customer spent most on orders placed from {first} to {last}? Cancelled orders do not count. Answer "
        "with first and last name.",
        answer_is(spent[0]["name"]),
        (go(f"/reports/customers/?from={first}&to={last}"), f"stop [{spent[0]['name']}]"),
        ", ".join(row["name"] for row in spent[:20]),
    )


def admin_mail_of_a_buyer(draw: Random, contents: Contents, index: int) -> Task:
    """Who placed an order; the last task asks for an order that there is not."""
    one, missing = order(draw, contents), index == 2
    numbers = {row["number"] for row in shop(contents).rows(ORDERS)}
    number = (
        next(str(n) for n in range(int(one["number"]), 10**7) if str(n) not in numbers) if missing else one["number"]
    )
    mail = NOTHING if missing else one["email"]
    task = asked(
        f"What is the e-mail address of the customer who placed the order {number}?",
        answer_is_none() if missing else answer_is(mail),
        (go(f"/orders/?q={number}" if missing else f"/orders/{number}/"), f"stop [{mail}]"),
        ", ".join({row["email"]: 0 for row in shop(contents).rows(ORDERS)[:40]} | {one["email"]: 0}),
    )
    return replace(task, unachievable=missing)


def admin_least_stock(draw: Random, contents: Contents, index: int) -> Task:
    """The product of a category of which the fewest pieces are left."""
    del index
    category = product(draw, contents)["category"]
    found = [row for row in shop(contents).rows(PRODUCTS) if row["category"] == category]
    found.sort(key=lambda row: int(row["stock"]))
    if found[0]["stock"] == found[1]["stock"]:
        return admin_least_stock(draw, contents, 0)
    title = found[0]["title"]
    return asked(
        f"Of which product in the category {category} are the fewest pieces in stock? Answer with its full title.",
        answer_is(title),
        (go(f"/products/?category={quote_plus(category)}&sort=stock"), f"stop [{title}]"),
        ", ".join(row["title"] for row in found),
    )


def admin_orders_of_a_customer(draw: Random, contents: Contents, index: int) -> Task:
    """How often a customer ordered; the last task asks for somebody who is no customer."""
    one, other, missing = customer(draw, contents), customer(draw, contents), index == 2
    names = {row["name"] for row in shop(contents).rows(ORDERS)}
    name = f"{one['first_name']} {other['last_name']}" if missing else one["name"]
    if (name in names) == missing:
        return admin_orders_of_a_customer(draw, contents, index)
    count = sum(row["name"] == name for row in shop(contents).rows(ORDERS))
    task = asked(
        f"How many orders has the customer {name} placed, cancelled ones too?",
        answer_is_none() if missing else answer_is(str(count)),
        (go(f"/orders/?q={quote_plus(name)}"), f"stop [{NOTHING if missing else count}]"),
        ", ".join(str(number) for number in range(40)),
    )
    return replace(task, unachievable=missing)


def admin_orders_of_a_status(draw: Random, contents: Contents, index: int) -> Task:
    """The list of orders with a status in a period."""
    del contents, index
    status, (first, last) = draw.choice(STATUSES), period(draw)
    address = f"/orders/?status={quote_plus(status)}&from={first}&to={last}"
    return shown(
        f"Show the list of the orders with the status “{status}” that were placed from {first} to {last}, newest "
        "first.",
        address,
        (
            go("/orders/"),
            f'modify_select("status", "{status}")',
            fill("From", first),
            fill("To", last),
            click("button", "Show"),
            "stop []",
        ),
        "q=&sort=newest",
    )


def admin_sales_report(draw: Random, contents: Contents, index: int) -> Task:
    """A report of the sales by day, month or year."""
    del contents, index
    name, (first, last) = draw.choice(("day", "month", "year")), period(draw)
    return shown(
        f"Create a report of the sales by {name} from {first} to {last}.",
        f"/reports/sales/?period={name}&from={first}&to={last}",
        (
            go("/reports/sales/"),
            f'modify_select("period", "{name}")',
            fill("From", first),
            fill("To", last),
            click("button", "Show report"),
            "stop []",
        ),
    )


def admin_page_of_a_product(draw: Random, contents: Contents, index: int) -> Task:
    """The page on which a product is changed; the last task names one that there is not."""
    one, missing = product(draw, contents), index == 2
    known = {row["upc"] for row in shop(contents).rows(PRODUCTS)}
    upc = next(str(n) for n in range(int(one["upc"]), 10**8) if str(n) not in known) if missing else one["upc"]
    task = shown(
        f"Open the page on which the product with the UPC {upc} is changed.",
        f"/products/{one['id']}/",
        (go(f"/products/?q={upc}"), *(() if missing else (click("link", one["title"]),)), "stop []"),
    )
    if not missing:
        return task
    gone = (*task.oracle[:-1], f"stop [{NOTHING}]")
    return replace(task, parts=(answer_is_none(), changes(SITE)), probes=(), oracle=gone, unachievable=True)


TEMPLATES: tuple[Template, ...] = (
    admin_bestseller,
    admin_pieces_sold,
    admin_sales_of_a_month,
    admin_best_month,
    admin_reviews_of_a_kind,
    admin_best_customer,
    admin_mail_of_a_buyer,
    admin_least_stock,
    admin_orders_of_a_customer,
    admin_orders_of_a_status,
    admin_sales_report,
    admin_page_of_a_product,
)
