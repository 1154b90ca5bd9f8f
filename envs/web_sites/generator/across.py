"""Templates of tasks on the tools, and of tasks that need two sites."""

from collections import Counter
from collections.abc import Mapping
from random import Random

from envs.web_sites.generator import forum_state as state
from envs.web_sites.generator.forum_parts import (
    BOUGHT,
    board,
    click,
    fill,
    member,
    note_steps,
    page,
    posts_matching,
    quiet,
    topics,
    visit,
)
from envs.web_sites.generator.parts import Content, Contents, Row, Task, Template, changes, money, unchanged

MEMBER = {"forum": "member"}
NOTE_TITLES = ("For the report", "To remember", "Answer for Kim", "Number for Friday", "Looked up", "For the meeting")
GOODS = """select p.id, p.title, p.slug, s.price from catalogue_product p
join partner_stockrecord s on s.product_id = p.id where p.is_public and s.num_in_stock > 0 order by p.id"""


def noted(
    name: str,
    intent: str,
    title: str,
    text: str,
    before: tuple[str, ...],
    expected: Mapping[str, object] | None = None,
    signed_in: Mapping[str, str] | None = None,
) -> Task:
    """Look something up on a site and write it down; `expected` is the condition on the note, else its very text."""
    return Task(
        intent=intent,
        category="content",
        parts=(state.noted(title, dict(expected or {"text": text})).on("tools"), *unchanged(name)),
        oracle=(*before, *note_steps(title, text), "stop []"),
        sites=(name, "tools"),
        signed_in=signed_in or {},
    )


def number_noted(
    name: str, intent: str, title: str, number: int, before: tuple[str, ...], signed_in: Mapping[str, str] | None = None
) -> Task:
    """As `noted`, where a number is looked up and any way to write it is right."""
    return noted(name, intent, title, str(number), before, {"number": float(number)}, signed_in)


def note_of_a_sum(draw: Random, contents: Contents, index: int) -> Task:
    """Work out a sum and keep it on the scratchpad."""
    del contents, index
    first, second = draw.randint(105, 990) / 10, draw.randint(11, 95)
    third, fourth = draw.randint(1005, 9990) / 100, draw.randint(3, 19)
    text = f"{first:.1f} * {second} - {third:.2f} * {fourth}"
    result = f"{round(first * second - third * fourth, 4):.4f}".rstrip("0").rstrip(".")
    title = draw.choice(NOTE_TITLES)
    return Task(
        intent=f"Work out {text} and save the result on the scratchpad as a note titled '{title}', the number alone as "
        "its text.",
        category="content",
        parts=(state.noted(title, {"number": float(result)}).on("tools"),),
        oracle=(
            visit("/calculator", "tools"),
            fill("Sum", text),
            click("button", "Calculate"),
            *note_steps(title, result),
            "stop []",
        ),
        sites=("tools",),
    )


def drop_a_note(draw: Random, contents: Contents, index: int) -> Task:
    """Delete one note of the scratchpad."""
    notes = contents["tools"].named("notes")
    number = draw.sample(range(len(notes)), 3)[index]
    note = notes[number]
    gone = {"table": "note", "change": "delete", "where": {"id": note["id"]}}
    return Task(
        intent=f"Delete the note '{note['title']}' from the scratchpad and leave the others as they are.",
        category="content",
        parts=(changes("tools", gone),),
        oracle=(visit("/scratchpad", "tools"), click("button", "Delete", number + 1), "stop []"),
        sites=("tools",),
    )


def count_onto_the_scratchpad(draw: Random, contents: Contents, index: int) -> Task:
    """Count on the forum, write down on the scratchpad: how many topics somebody has started on a board."""
    del index
    counts = Counter((row["nickname"], row["board_title"]) for row in topics(contents["forum"]))
    (nick, home), count = draw.choice(sorted(item for item in counts.items() if 3 <= item[1] <= 12))
    title = draw.choice(NOTE_TITLES)
    intent = (
        f"How many topics has {nick} started on the forum's board '{home}'? Save the number on the scratchpad as a "
        f"note titled '{title}', the number alone as its text."
    )
    return number_noted("forum", intent, title, count, (visit("/category/"),), MEMBER)


def prices_onto_the_scratchpad(draw: Random, contents: Contents, index: int) -> Task:
    """Look two prices up in reviews on the forum, add them, write the sum down."""
    del index
    (one, first), (other, second) = draw.sample(posts_matching(contents["forum"], BOUGHT), 2)
    total, title = int(first[2]) + int(second[2]), draw.choice(NOTE_TITLES)
    return Task(
        intent=f"On the forum {one['nickname']} reviewed the {first[1]} in the topic '{one['title']}', and "
        f"{other['nickname']} the {second[1]} in the topic '{other['title']}'. How many euros did they pay together? "
        f"Save the number on the scratchpad as a note titled '{title}', the number alone as its text.",
        category="content",
        parts=(state.noted(title, {"number": float(total)}).on("tools"), *unchanged("forum")),
        oracle=(visit(page(one)), visit(page(other)), *note_steps(title, str(total)), "stop []"),
        sites=("tools", "forum"),
        signed_in=MEMBER,
    )


def _goods(shop: Content) -> list[Row]:
    """Products in stock whose names nothing else has."""
    found = shop.rows(GOODS)
    names = Counter(row["title"] for row in found)
    return [row for row in found if names[row["title"]] == 1 and row["price"] is not None]


def price_into_a_reply(draw: Random, contents: Contents, index: int) -> Task:
    """Look a price up in the shop and tell it on the forum."""
    del index
    forum = contents["forum"]
    me, goods = member(forum, "member"), draw.choice(_goods(contents["shop"]))
    topic = quiet(forum, draw, me)
    text = f"The {goods['title']} costs {money(goods['price'])} in the shop."
    return Task(
        intent=f"{topic['nickname']} wants to know the price of the {goods['title']}. Look it up in the shop and "
        f"reply to the topic '{topic['title']}' on the forum's board '{topic['board_title']}' with exactly this "
        f"sentence, the price as the shop shows it: The {goods['title']} costs PRICE in the shop.",
        category="content",
        parts=(state.replied(forum, me, topic["id"], text).on("forum"), *unchanged("shop")),
        oracle=(
            visit(f"/catalogue/{goods['slug']}_{goods['id']}/", "shop"),
            visit(page(topic)),
            fill("Write comment...", text),
            click("button", "Publish"),
            "stop []",
        ),
        sites=("forum", "shop"),
        signed_in=MEMBER,
        start=(("forum", "/"), ("shop", "/")),
    )


def product_into_a_topic(draw: Random, contents: Contents, index: int) -> Task:
    """Compare two prices in the shop and open a topic on the forum that names the cheaper product."""
    del index
    forum, goods = contents["forum"], _goods(contents["shop"])
    one, other = draw.sample(goods, 2)
    while one["price"] == other["price"]:
        one, other = draw.sample(goods, 2)
    cheaper, home = min(one, other, key=lambda row: float(row["price"])), board(draw, forum)
    text = f"It costs {money(cheaper['price'])}. Has anybody tried it?"
    return Task(
        intent=f"Which of these two is cheaper in the shop: the {one['title']} or the {other['title']}? Start a topic "
        f"on the forum's board '{home['title']}' with its full name as the title and this text, with its price as the "
        "shop shows it: It costs PRICE. Has anybody tried it?",
        category="content",
        parts=(
            state.opened(forum, member(forum, "member"), home["id"], cheaper["title"], text).on("forum"),
            *unchanged("shop"),
        ),
        oracle=(
            *(visit(f"/catalogue/{row['slug']}_{row['id']}/", "shop") for row in (one, other)),
            visit("/topic/publish/"),
            fill("Title:", cheaper["title"]),
            f"select_option [{{{{element combobox 'Category:'}}}}] [{home['id']}]",
            fill("Comment:", text),
            click("button", "Publish"),
            "stop []",
        ),
        sites=("shop", "forum"),
        signed_in=MEMBER,
        start=(("shop", "/"), ("forum", "/")),
    )


def order_onto_the_scratchpad(draw: Random, contents: Contents, index: int) -> Task:
    """Find an order in the shop, write its number down."""
    orders = contents["shop"].named("orders_of", username="customer")
    totals = Counter(row["total_incl_tax"] for row in orders)
    order = draw.choice([row for row in orders if totals[row["total_incl_tax"]] == 1])
    title, seen = NOTE_TITLES[index], (visit("/accounts/orders/", "shop"),)
    intent = (
        f"One of my orders in the shop came to {money(order['total_incl_tax'])}. Save its number on the scratchpad as "
        f"a note titled '{title}', the number alone as its text."
    )
    return noted("shop", intent, title, str(order["number"]), seen, signed_in={"shop": "customer"})


TEMPLATES: tuple[Template, ...] = (
    note_of_a_sum,
    drop_a_note,
    count_onto_the_scratchpad,
    prices_onto_the_scratchpad,
    price_into_a_reply,
    product_into_a_topic,
    order_onto_the_scratchpad,
)
