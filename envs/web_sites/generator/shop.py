"""Templates of tasks on the shop and its administration."""

from collections.abc import Callable
from random import Random

from envs.web_sites.generator.parts import (
    Content,
    Contents,
    Row,
    Task,
    Template,
    answer_is,
    answer_is_none,
    changes,
    ends_at,
    money,
    unchanged,
)

CUSTOMER, MANAGER = {"shop": "customer"}, {"shop": "manager"}
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
ABSENT = ("Umbrellas", "Bicycles", "Typewriters", "Aquariums", "Hats", "Globes")
OPINIONS = (
    ("Better than my old one", "It does the same job in half the time."),
    ("Fine, with one wish", "A longer cord would make it perfect."),
    ("As described", "The size and the colour are right, and it came in time."),
    ("Good value", "I have used it every day for a week and would buy it again."),
)
PRODUCTS = """select p.id, p.title, p.slug, p.upc, s.id as stock, s.price, s.num_in_stock as left, c.name as category,
c.id as category_id, c.slug as category_slug, d.slug as department_slug
from catalogue_product p join partner_stockrecord s on s.product_id = p.id
join catalogue_productcategory pc on pc.product_id = p.id join catalogue_category c on c.id = pc.category_id
join catalogue_category d on d.path = substr(c.path, 1, 4) order by p.id"""
COLOURS = """select v.product_id, v.value_text as colour from catalogue_productattributevalue v
join catalogue_productattribute a on a.id = v.attribute_id where a.code = 'colour'"""
REVIEWS = """select r.product_id, r.title, u.first_name || ' ' || u.last_name as reviewer
from reviews_productreview r join auth_user u on u.id = r.user_id where r.status = 1 order by r.id"""


def orders(shop: Content) -> list[Row]:
    """The customer's orders, oldest first."""
    return shop.named("orders_of", username="customer")


def product(draw: Random, shop: Content, accepts: Callable[[Row], bool] = bool) -> Row:
    """A product whose title nothing else has."""
    found = [row for row in shop.rows(PRODUCTS) if accepts(row)]
    return draw.choice(found)


def page(row: Row) -> str:
    """The address of a product's page on the shop."""
    return f"/catalogue/{row['slug']}_{row['id']}/"


def category(row: Row) -> str:
    """The address of a product's category."""
    return f"/catalogue/category/{row['department_slug']}/{row['category_slug']}_{row['category_id']}/"


def spent_in_a_month(draw: Random, contents: Contents, index: int) -> Task:
    """Sum the totals of all orders of a month."""
    del index
    found = orders(contents["shop"])
    by_month: dict[str, list[Row]] = {}
    for row in found:
        by_month.setdefault(row["date_placed"][:7], []).append(row)
    month = draw.choice(sorted(name for name, rows in by_month.items() if len(rows) > 1))
    total = money(sum(row["total_incl_tax"] for row in by_month[month]))
    year, number = month.split("-")
    return Task(
        intent=f"How much did I spend in all on the orders I placed in {MONTHS[int(number) - 1]} {year}?",
        category="information",
        parts=(answer_is(total), *unchanged("shop")),
        oracle=("goto [{{site shop}}/accounts/orders/]", "click [{{element link 'next'}}]", f"stop [{total}]"),
        sites=("shop",),
        signed_in=CUSTOMER,
        everything=", ".join([total, *(money(row["total_incl_tax"]) for row in found)]),
    )


def cheapest_in_a_category(draw: Random, contents: Contents, index: int) -> Task:
    """Find the cheapest product of a category; the last task names a category that the shop does not have."""
    one = product(draw, contents["shop"])
    found = sorted((row for row in contents["shop"].rows(PRODUCTS) if row["category"] == one["category"]), key=_price)
    missing = index == 2
    name = draw.choice(ABSENT) if missing else one["category"]
    tied = [row["title"] for row in found if row["price"] == found[0]["price"]]
    oracle = (f"goto [{{{{site shop}}}}{category(one)}?sort_by=price-asc]", f"stop [{tied[0]}]")
    return Task(
        intent=f"Which product in the category {name} is the cheapest? Answer with its full title.",
        category="information",
        parts=(answer_is_none() if missing else answer_is(" |OR| ".join(tied)), *unchanged("shop")),
        oracle=("goto [{{site shop}}/catalogue/]", "stop [N/A]") if missing else oracle,
        sites=("shop",),
        signed_in=CUSTOMER,
        everything=", ".join(row["title"] for row in found),
        unachievable=missing,
    )


def _price(row: Row) -> float:
    return float(row["price"])


def colour_of_a_product(draw: Random, contents: Contents, index: int) -> Task:
    """Find a product by its name and read its colour; the last task names one that does not exist."""
    shop = contents["shop"]
    one, other = product(draw, shop), product(draw, shop)
    colours = {row["product_id"]: row["colour"] for row in shop.rows(COLOURS)}
    missing = index == 2
    title = f"{one['title'].split()[0]} {' '.join(other['title'].split()[1:])}" if missing else one["title"]
    if missing and any(row["title"] == title for row in shop.rows(PRODUCTS)):
        return colour_of_a_product(draw, contents, index)
    # The search field's page is the one a person would use.
    found = (
        f"goto [{{{{site shop}}}}/search/?q={one['upc']}]",
        f"click [{{{{element link '{one['title']}'}}}}]",
        f"stop [{colours[one['id']]}]",
    )
    return Task(
        intent=f"What colour is the {title}?",
        category="information",
        parts=(answer_is_none() if missing else answer_is(colours[one["id"]]), *unchanged("shop")),
        oracle=("goto [{{site shop}}/catalogue/]", "stop [N/A]") if missing else found,
        sites=("shop",),
        signed_in=CUSTOMER,
        everything=", ".join(sorted(set(colours.values()))),
        unachievable=missing,
    )


def author_of_a_review(draw: Random, contents: Contents, index: int) -> Task:
    """Find who wrote a review with a certain title."""
    del index
    shop = contents["shop"]
    by_product: dict[int, list[Row]] = {}
    for row in shop.rows(REVIEWS):
        by_product.setdefault(row["product_id"], []).append(row)
    rich = {
        key: rows for key, rows in by_product.items() if len(rows) > 2 and len({r["title"] for r in rows}) == len(rows)
    }
    one = product(draw, shop, lambda row: row["id"] in rich)
    review = draw.choice(rich[one["id"]])
    return Task(
        intent=f"Who wrote the review “{review['title']}” of the {one['title']}? Answer with first and last name.",
        category="information",
        parts=(answer_is(review["reviewer"]), *unchanged("shop")),
        oracle=(f"goto [{{{{site shop}}}}{page(one)}]", f"stop [{review['reviewer']}]"),
        sites=("shop",),
        signed_in=CUSTOMER,
        everything=", ".join(row["reviewer"] for row in rich[one["id"]]),
    )


def orders_of_a_status(draw: Random, contents: Contents, index: int) -> Task:
    """Count orders in the administration."""
    del index
    counts = {
        row["status"]: row["n"]
        for row in contents["shop"].rows(
            "select status, count(*) as n from order_order group by status order by status"
        )
    }
    status = draw.choice(sorted(counts))
    return Task(
        intent=f"How many orders of the shop have the status “{status}”?",
        category="information",
        parts=(answer_is(str(counts[status])), *unchanged("shop")),
        oracle=("goto [{{site shop}}/dashboard/orders/statistics/]", f"stop [{counts[status]}]"),
        sites=("shop",),
        signed_in=MANAGER,
        start=(("shop", "/dashboard/"),),
        everything=", ".join(str(count) for count in counts.values()),
    )


def category_by_price(draw: Random, contents: Contents, index: int) -> Task:
    """Get to a category's page in a certain order."""
    del index
    one = product(draw, contents["shop"])
    words, code = draw.choice((("most expensive first", "price-desc"), ("cheapest first", "price-asc")))
    address, probe = ends_at(f"__SHOP__{category(one)}?sort_by={code}", exact_query=False)
    return Task(
        intent=f"Show me the products of the category {one['category']}, {words}.",
        category="navigation",
        parts=(address, *unchanged("shop")),
        oracle=(f"goto [{{{{site shop}}}}{category(one)}]", f'modify_select("sort_by", "{code}")', "stop []"),
        sites=("shop",),
        signed_in=CUSTOMER,
        probes=(probe,),
    )


def page_of_an_order(draw: Random, contents: Contents, index: int) -> Task:
    """Open the page of an order; the last task asks for one that is not the customer's."""
    found = orders(contents["shop"])
    foreign = contents["shop"].rows(
        "select number from order_order where user_id <> (select id from auth_user where username = 'customer')"
    )
    missing = index == 2
    number = draw.choice(foreign if missing else found)["number"]
    own, probe = ends_at(f"__SHOP__/accounts/orders/{number}/")
    parts = (answer_is_none(),) if missing else (own,)
    reached = (
        "goto [{{site shop}}/accounts/orders/]",
        f"goto [{{{{site shop}}}}/accounts/orders/{number}/]",
        "stop []",
    )
    return Task(
        intent=f"Open the page of my order {number}.",
        category="navigation",
        parts=(*parts, *unchanged("shop")),
        oracle=("goto [{{site shop}}/accounts/orders/]", "stop [N/A]") if missing else reached,
        sites=("shop",),
        signed_in=CUSTOMER,
        probes=() if missing else (probe,),
        unachievable=missing,
    )


def into_the_cart(draw: Random, contents: Contents, index: int) -> Task:
    """Put a number of pieces of a product into the cart."""
    del index
    one = product(draw, contents["shop"], lambda row: row["left"] >= 6)
    pieces = draw.randrange(2, 6)
    line = {"product_id": one["id"], "quantity": pieces}
    expected = ({"table": "basket_line", "change": "insert", "values": line},)
    return Task(
        intent=f"Put {pieces} pieces of the {one['title']} into my cart, and nothing else. Do not order yet.",
        category="content",
        parts=(changes("shop", *expected),),
        oracle=(
            f"goto [{{{{site shop}}}}{page(one)}]",
            "click [{{element button 'Add to cart'}}]",
            "goto [{{site shop}}/basket/]",
            f'modify_text("form-0-quantity", "{pieces}")',
            "click [{{element button 'Update'}}]",
            "stop []",
        ),
        sites=("shop",),
        signed_in=CUSTOMER,
    )


def write_a_review(draw: Random, contents: Contents, index: int) -> Task:
    """Review a product with given words and stars."""
    del index
    one = product(draw, contents["shop"])
    (title, body), stars = draw.choice(OPINIONS), draw.randrange(2, 6)
    row = {"product_id": one["id"], "score": stars, "title": title, "body": body}
    # The shop works the product's rating out anew.
    rated = {
        "table": "catalogue_product",
        "change": "update",
        "columns": ["rating", "date_updated"],
        "where": {"id": one["id"]},
    }
    return Task(
        intent=f"Write a review of the {one['title']}: {stars} stars, the title “{title}” and the text “{body}”",
        category="content",
        parts=(
            changes("shop", {"table": "reviews_productreview", "change": "insert", "values": row}, allowed=(rated,)),
        ),
        oracle=(
            f"goto [{{{{site shop}}}}{page(one)}reviews/add/]",
            f'modify_text("title", "{title}")',
            f'modify_select("score", "{stars}")',
            f'modify_text("body", "{body}")',
            "click [{{element button 'Save review'}}]",
            "stop []",
        ),
        sites=("shop",),
        signed_in=CUSTOMER,
    )


TEMPLATES: tuple[Template, ...] = (
    spent_in_a_month,
    cheapest_in_a_category,
    colour_of_a_product,
    author_of_a_review,
    orders_of_a_status,
    category_by_price,
    page_of_an_order,
    into_the_cart,
    write_a_review,
)
