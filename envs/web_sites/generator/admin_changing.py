"""Templates of tasks that change the shop through its administration, and of tasks that need another site too."""

from dataclasses import replace
from random import Random

from envs.web_sites.generator import forum_state as state
from envs.web_sites.generator.admin_parts import (
    APPROVED,
    CLERK,
    MONTHLY,
    REJECTED,
    REVIEWS,
    SITE,
    WAITING,
    amount,
    customer,
    done,
    go,
    insert,
    order,
    period,
    product,
    shop,
    update,
)
from envs.web_sites.generator.forum_parts import click, fill, member, note_steps, page, quiet, visit
from envs.web_sites.generator.parts import (
    NOTHING,
    Contents,
    Row,
    Task,
    Template,
    answer_is_none,
    changes,
    money,
    unchanged,
)
from envs.web_sites.generator.shop import MONTHS
from envs.web_sites.generator.shop import page as shop_page

NOTES = (
    "Customer asked us to wait until {day}.",
    "Rang on {day}; nobody answered. Try again.",
    "To be packed with a card: all the best for {day}!",
    "Paid on {day} by bank transfer.",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
STREETS = ("Harbour Row", "Lime Walk", "Castle Hill", "Weavers Yard", "Old Quay", "Fountain Court")
TOWNS = ("Marlby", "Denwick", "Rosford", "Kelmouth", "Norton Wold", "Tamby")
PAGES = (
    "Parcels leave within {n} working days. Heavy goods take a week longer.",
    "Unused goods can be sent back within {n} days. The parcel is paid by us.",
    "From {n} pieces on we deliver by van. Please ring us first.",
)
WORDS = {
    "announcement": ("Closed for stocktaking on {day}", "Free delivery until {day}", "New catalogue on {day}"),
    "low_stock": ("12", "15", "18", "25"),
    "return_days": ("60", "75", "90", "28"),
    "orders_per_page": ("30", "50", "100", "10"),
}
LABELS = {
    "announcement": "announcement on the shop's pages",
    "low_stock": "stock that counts as low",
    "return_days": "days in which goods can be returned",
    "orders_per_page": "number of orders on a page",
}
NAMES = ("Lantern", "Coat Rack", "Bread Bin", "Garden Bench", "Footstool", "Magazine Rack", "Umbrella Stand")
RATED = {"table": "catalogue_product", "change": "update", "columns": ["rating"]}
SAVE = "click [{{element button 'Save product'}}]"


def admin_change_a_price(draw: Random, contents: Contents, index: int) -> Task:
    """Raise or lower a price by a share of it."""
    del index
    one, share = product(draw, contents), draw.choice((-20, -15, -10, 5, 10, 15, 25))
    price = round(one["price"] * (100 + share) / 100 + 1e-9, 2)
    return done(
        f"{'Raise' if share > 0 else 'Lower'} the price of the {one['title']} by {abs(share)} percent, rounded to "
        "cents.",
        (go(f"/products/{one['id']}/"), fill("Price in dollars", f"{price:.2f}"), SAVE),
        update("partner_stockrecord", one["record"], "date_updated", price=_about(one["price"] * (100 + share) / 100)),
    )


def _about(value: float) -> dict[str, float]:
    # Half a cent may be rounded up or down.
    return {"number": round(value, 4), "tolerance": 0.0051}


def admin_restock(draw: Random, contents: Contents, index: int) -> Task:
    """Add a delivery to the stock of a product."""
    del index
    one, pieces = product(draw, contents, stocked=True), draw.randrange(12, 90)
    return done(
        f"{pieces} more pieces of the {one['title']} have come in. Add them to its stock.",
        (go(f"/products/{one['id']}/"), fill("Pieces in stock", str(one["stock"] + pieces)), SAVE),
        update("partner_stockrecord", one["record"], "date_updated", num_in_stock=one["stock"] + pieces),
    )


def admin_hide_a_product(draw: Random, contents: Contents, index: int) -> Task:
    """Take a product out of the shop without deleting it."""
    del index
    one = product(draw, contents)
    return done(
        f"The {one['title']} shall not be shown in the shop for the time being. Hide it.",
        (go(f"/products/?q={one['upc']}"), click("link", one["title"]), click("checkbox", "Visible in the shop"), SAVE),
        update("catalogue_product", one["id"], "date_updated", is_public=0),
    )


def admin_add_a_product(draw: Random, contents: Contents, index: int) -> Task:
    """Add a product with its category, price and stock."""
    del index
    content = shop(contents)
    title, category = (
        f"{draw.choice(('Plain', 'Tall', 'Small'))} {draw.choice(NAMES)}",
        product(draw, contents)["category"],
    )
    upc, price, stock = (
        str(draw.randrange(8_000_000, 9_000_000)),
        draw.randrange(900, 19_000) / 100,
        draw.randrange(3, 60),
    )
    number = state.next_id(content, "catalogue_product")
    home = content.rows("select id from catalogue_category where name = :name and depth = 2", name=category)[0]["id"]
    return done(
        f"Add a product to the category {category}: the title is “{title}”, the UPC {upc}, the price {money(price)}, "
        f"and {stock} pieces are in stock. It is visible in the shop.",
        (
            go("/products/new/"),
            fill("Title", title),
            fill("UPC", upc),
            f'modify_select("category", "{category}")',
            fill("Price in dollars", f"{price:.2f}"),
            fill("Pieces in stock", str(stock)),
            click("button", "Add product"),
        ),
        insert("catalogue_product", id=number, title=state.as_typed(title), upc=upc, is_public=1),
        insert("catalogue_productcategory", product_id=number, category_id=home),
        insert("partner_stockrecord", product_id=number, price=amount(price), num_in_stock=stock),
    )


def _moved(one: Row, status: str) -> tuple[dict[str, object], ...]:
    step = insert("order_orderstatuschange", order_id=one["id"], old_status=one["status"], new_status=status)
    return update("order_order", one["id"], status=status), step


def _lines(one: Row) -> dict[str, object]:
    return {"table": "order_line", "change": "update", "columns": ["status"], "where": {"order_id": one["id"]}}


def admin_cancel_with_a_note(draw: Random, contents: Contents, index: int) -> Task:
    """Cancel an order and say why."""
    del index
    one = order(draw, contents, "Pending", "Being processed")
    text = f"Cancelled by telephone on {draw.choice(DAYS)}, no reason given."
    note = insert("order_ordernote", order_id=one["id"], message=state.as_typed(text))
    return done(
        f"Cancel the order {one['number']} and leave this note on it: {text}",
        (
            go(f"/orders/{one['number']}/"),
            'modify_select("status", "Cancelled")',
            click("button", "Change status"),
            fill("New note", text),
            click("button", "Save note"),
        ),
        *_moved(one, "Cancelled"),
        note,
        allowed=(_lines(one),),
    )


def admin_note_on_an_order(draw: Random, contents: Contents, index: int) -> Task:
    """Leave a note on an order; as a clerk, who may do that."""
    del index
    one, text = order(draw, contents, "Pending", "Being processed", "Shipped"), draw.choice(NOTES)
    text = text.format(day=draw.choice(DAYS))
    task = done(
        f"Leave this note on the order {one['number']} of {one['name']}: {text}",
        (go(f"/orders/{one['number']}/"), fill("New note", text), click("button", "Save note")),
        insert("order_ordernote", order_id=one["id"], message=state.as_typed(text)),
    )
    return replace(task, signed_in=CLERK)


def admin_send_elsewhere(draw: Random, contents: Contents, index: int) -> Task:
    """Change where an order goes; the last task asks for one that has left."""
    missing = index == 2
    one = order(draw, contents, *(("Shipped", "Complete") if missing else ("Pending", "Being processed")))
    street, town = f"{draw.randrange(2, 90)} {draw.choice(STREETS)}", draw.choice(TOWNS)
    code = f"{draw.choice('ABCDEF')}{draw.randrange(10, 99)} {draw.choice('KPRT')}{draw.randrange(100, 999)}"
    task = done(
        f"The order {one['number']} shall go to {street}, {town}, postcode {code}. Change its address in the "
        "administration.",
        (
            go(f"/orders/{one['number']}/"),
            fill("Street", street),
            fill("Town", town),
            fill("Postcode", code),
            click("button", "Change address"),
        ),
        update("order_shippingaddress", one["address"], line1=street, line4=town, postcode=code),
    )
    if not missing:
        return task
    return _refused(task, go(f"/orders/{one['number']}/"))


def _refused(task: Task, *oracle: str) -> Task:
    parts = (answer_is_none(), *unchanged(SITE))
    return replace(task, parts=parts, oracle=(*oracle, f"stop [{NOTHING}]"), unachievable=True)


def admin_decide_on_a_review(draw: Random, contents: Contents, index: int) -> Task:
    """Approve or reject a review that waits."""
    del index
    one = draw.choice([row for row in shop(contents).rows(REVIEWS) if row["status"] == WAITING])
    approved = draw.random() < 0.5
    return done(
        f"{'Approve' if approved else 'Reject'} the review of the {one['product_title']} that {one['name']} has "
        "written and that waits for a decision.",
        (
            go("/reviews/?status=waiting"),
            go(f"/reviews/{one['id']}/"),
            click("button", "Approve" if approved else "Reject"),
        ),
        update("reviews_productreview", one["id"], status=APPROVED if approved else REJECTED),
        allowed=(RATED | {"where": {"id": one["product"]}},),
    )


def admin_delete_rejected(draw: Random, contents: Contents, index: int) -> Task:
    """Delete a review that was rejected."""
    del index
    one = draw.choice([row for row in shop(contents).rows(REVIEWS) if row["status"] == REJECTED])
    return done(
        f"Delete the rejected review that {one['name']} has written of the {one['product_title']}.",
        (go("/reviews/?status=rejected"), go(f"/reviews/{one['id']}/"), click("button", "Delete")),
        {"table": "reviews_productreview", "change": "delete", "where": {"id": one["id"]}},
        allowed=(RATED | {"where": {"id": one["product"]}},),
    )


def admin_change_a_customer(draw: Random, contents: Contents, index: int) -> Task:
    """A customer's new e-mail address; the last task closes an account instead."""
    one = customer(draw, contents)
    if index == 2:
        return done(
            f"Close the account of the customer {one['name']}, who has asked for it.",
            (
                go(f"/customers/{one['id']}/"),
                click("checkbox", "The account is open"),
                click("button", "Save customer"),
            ),
            update("auth_user", one["id"], is_active=0),
        )
    mail = f"{one['last_name'].lower()}{draw.randrange(100, 999)}@example.com"
    return done(
        f"The customer {one['name']} has a new e-mail address: {mail}. Enter it.",
        (go(f"/customers/{one['id']}/"), fill("E-mail", mail), click("button", "Save customer")),
        update("auth_user", one["id"], email=mail),
    )


def admin_change_a_page(draw: Random, contents: Contents, index: int) -> Task:
    """Another text for one of the shop's pages."""
    del index
    one = draw.choice(shop(contents).rows("select id, title from django_flatpage order by id"))
    text = draw.choice(PAGES).format(n=draw.randrange(3, 40))
    return done(
        f"Replace the text of the shop's page “{one['title']}” by this: {text}",
        (go(f"/pages/{one['id']}/"), fill("Text", text), click("button", "Save page")),
        update("django_flatpage", one["id"], content=state.as_typed(f"<p>{text}</p>")),
    )


def admin_change_a_setting(draw: Random, contents: Contents, index: int) -> Task:
    """Another value of a setting."""
    del index
    name = draw.choice(sorted(WORDS))
    value = draw.choice(WORDS[name]).format(day=draw.choice(DAYS))
    now = {row["name"]: row["value"] for row in shop(contents).named("settings")}
    if now[name] == value:
        return admin_change_a_setting(draw, contents, 0)
    return done(
        f"Set the {LABELS[name]} to “{value}” in the settings.",
        (go("/settings/"), f'modify_text("{name}", "{value}")', click("button", "Save settings")),
        {
            "table": "administration_setting",
            "change": "update",
            "where": {"name": name},
            "values": {"value": state.as_typed(value)},
        },
    )


def admin_change_a_role(draw: Random, contents: Contents, index: int) -> Task:
    """Another role for a member of the staff; the last task is a clerk's, who may not."""
    people = [row for row in shop(contents).named("staff") if row["username"] not in ("manager", "clerk")]
    one = draw.choice(people)
    role = "clerk" if one["role"] == "manager" else "manager"
    task = done(
        f"Make {one['name']} of the staff a {role}.",
        (
            go("/settings/staff/"),
            f"select_option [{{{{element combobox 'Role of {one['name']}'}}}}] [{role}]",
            click("button", f"Change role of {one['name']}"),
        ),
        update("administration_staff", one["id"], role=role),
    )
    return task if index < 2 else replace(_refused(task, go("/settings/staff/")), signed_in=CLERK)


def admin_sales_onto_the_scratchpad(draw: Random, contents: Contents, index: int) -> Task:
    """Look up what was sold in a month, write it on the scratchpad."""
    del index
    one = draw.choice(shop(contents).rows(MONTHLY)[1:-1])
    year, number = one["month"].split("-")
    name = f"{MONTHS[int(number) - 1]} {year}"
    return Task(
        intent=f"How many pieces were sold in {name}, cancelled orders not counted? Save the number on the scratchpad "
        f"as a note titled '{name}', the number alone as its text.",
        category="content",
        parts=(state.noted(name, {"number": float(one["pieces"])}).on("tools"), *unchanged(SITE)),
        oracle=(
            go(f"/reports/sales/?period=month&from={year}-01-01&to={year}-12-31"),
            *note_steps(name, str(one["pieces"])),
            "stop []",
        ),
        sites=(SITE, "tools"),
        signed_in={SITE: "manager"},
    )


def admin_bestseller_into_a_reply(draw: Random, contents: Contents, index: int) -> Task:
    """Look up what sold best, tell it on the forum."""
    del index
    forum, (first, last) = contents["forum"], period(draw)
    sold = shop(contents).named("sold", first=first, last=last)
    me, topic = member(forum, "member"), quiet(forum, draw, member(forum, "member"))
    if len(sold) < 2 or sold[0]["pieces"] == sold[1]["pieces"]:
        return admin_bestseller_into_a_reply(draw, contents, 0)
    text = f"Our bestseller was the {sold[0]['title']}."
    return Task(
        intent=f"Find out in the shop's administration of which product most pieces were sold from {first} to {last} "
        f"(cancelled orders do not count). Then reply to the topic '{topic['title']}' on the forum's board "
        f"'{topic['board_title']}' with exactly this sentence and the product's full title: Our bestseller was the "
        "TITLE.",
        category="content",
        parts=(state.replied(forum, me, topic["id"], text).on("forum"), *unchanged(SITE)),
        oracle=(
            go(f"/reports/bestsellers/?from={first}&to={last}"),
            visit(page(topic)),
            fill("Write comment...", text),
            click("button", "Publish"),
            "stop []",
        ),
        sites=(SITE, "forum"),
        signed_in={SITE: "manager", "forum": "member"},
        start=((SITE, "/"), ("forum", "/")),
    )


def admin_same_price_as_in_the_shop(draw: Random, contents: Contents, index: int) -> Task:
    """Read a price in the shop, give it to another product in the administration: two sites, one database."""
    del index
    one, other = product(draw, contents), product(draw, contents)
    slugs = {row["id"]: row for row in shop(contents).rows("select id, slug from catalogue_product")}
    if one["price"] == other["price"]:
        return admin_same_price_as_in_the_shop(draw, contents, 0)
    expected = update("partner_stockrecord", other["record"], "date_updated", price=amount(one["price"]))
    return Task(
        intent=f"Look up in the shop what the {one['title']} costs, and give the {other['title']} the same price in "
        "the administration.",
        category="content",
        parts=(changes("shop", expected),),
        oracle=(
            visit(shop_page(slugs[one["id"]]), "shop"),
            go(f"/products/{other['id']}/"),
            fill("Price in dollars", f"{one['price']:.2f}"),
            SAVE,
            visit(shop_page(slugs[other["id"]]), "shop"),
            "stop []",
        ),
        sites=("shop", SITE),
        signed_in={"shop": "newcomer", SITE: "manager"},
        start=(("shop", "/"), (SITE, "/")),
    )


TEMPLATES: tuple[Template, ...] = (
    admin_change_a_price,
    admin_restock,
    admin_hide_a_product,
    admin_add_a_product,
    admin_cancel_with_a_note,
    admin_note_on_an_order,
    admin_send_elsewhere,
    admin_decide_on_a_review,
    admin_delete_rejected,
    admin_change_a_customer,
    admin_change_a_page,
    admin_change_a_setting,
    admin_change_a_role,
    admin_sales_onto_the_scratchpad,
    admin_bestseller_into_a_reply,
    admin_same_price_as_in_the_shop,
)
