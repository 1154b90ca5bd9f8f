"""Templates of tasks on the forum: finding things out, and getting to a page."""

import datetime
from collections import Counter, defaultdict
from random import Random

from envs.web_sites.generator.forum_parts import (
    BOUGHT,
    MEETS,
    SOLD,
    member,
    opening_posts_matching,
    page,
    posts_matching,
    topics,
    unique_most,
    visit,
)
from envs.web_sites.generator.parts import (
    NOTHING,
    Contents,
    Row,
    Task,
    Template,
    answer_is,
    answer_is_none,
    ends_at,
    unchanged,
)

MEMBER = {"forum": "member"}
# Answers within reach: so many topics at most have to be opened to be sure.
WITHIN_REACH = 9


def busiest_opener(draw: Random, contents: Contents, index: int) -> Task:
    """Who opened the most topics on a board in a month."""
    del index
    found = topics(contents["forum"])
    cells: dict[tuple[int, str], list[Row]] = defaultdict(list)
    for row in found:
        cells[row["board"], row["date"][:7]].append(row)
    fit = []
    for (board, month), rows in sorted(cells.items()):
        winner = unique_most(Counter(row["nickname"] for row in rows))
        if winner and len({row["nickname"] for row in rows}) > 1 and _looked_at(found, board, month) <= WITHIN_REACH:
            fit.append((winner, month, rows))
    winner, month, rows = draw.choice(fit)
    told_month = f"{datetime.date.fromisoformat(month + '-01'):%B %Y}"
    return Task(
        intent=f"Which member started the most topics on the board '{rows[0]['board_title']}' in {told_month}?",
        category="information",
        parts=(answer_is(winner), *unchanged("forum")),
        oracle=(visit(f"/category/{rows[0]['board']}/{rows[0]['board_slug']}/"), f"stop [{winner}]"),
        sites=("forum",),
        signed_in=MEMBER,
        everything=", ".join(sorted({row["nickname"] for row in rows})),
    )


def _looked_at(found: list[Row], board: int, month: str) -> int:
    """How many topics of a board were written in during or after a month and opened before its end."""
    return sum(row["board"] == board and row["last_active"][:7] >= month >= row["date"][:7] for row in found)


def date_of_meeting(draw: Random, contents: Contents, index: int) -> Task:
    """When a meeting takes place that somebody announces."""
    del index
    found = posts_matching(contents["forum"], MEETS)
    topic, meeting = draw.choice(found)
    others = [other[1] for row, other in found if row["id"] != topic["id"]]
    return Task(
        intent=f"On which date does the meeting take place that {topic['nickname']} announces in the topic "
        f"'{topic['title']}'?",
        category="information",
        parts=(answer_is(meeting[1]), *unchanged("forum")),
        oracle=(visit(page(topic)), f"stop [{meeting[1]}]"),
        sites=("forum",),
        everything=" or ".join([meeting[1], *others[:5]]),
    )


def price_paid(draw: Random, contents: Contents, index: int) -> Task:
    """What a reviewer paid."""
    del index
    found = posts_matching(contents["forum"], BOUGHT)
    topic, bought = draw.choice(found)
    return Task(
        intent=f"{topic['nickname']} reviewed the {bought[1]} on the board '{topic['board_title']}'. How many euros "
        f"did {topic['nickname']} pay for it? Answer with the number.",
        category="information",
        parts=(answer_is(bought[2]), *unchanged("forum")),
        oracle=(visit(page(topic)), f"stop [{bought[2]}]"),
        sites=("forum",),
        signed_in=MEMBER,
        everything=", ".join(sorted({price[2] for _, price in found})),
    )


def asking_price(draw: Random, contents: Contents, index: int) -> Task:
    """What a seller asks; the third is an offer that was never made, of a product that somebody reviewed."""
    offers = posts_matching(contents["forum"], SOLD)
    on_offer, missing = {match[1] for _, match in opening_posts_matching(contents["forum"], SOLD)}, index == 2
    reviewed = [pair for pair in posts_matching(contents["forum"], BOUGHT) if pair[1][1] not in on_offer]
    topic, found = draw.choice(reviewed if missing else offers)
    price = NOTHING if missing else found[2]
    return Task(
        intent=f"A member offers a used {found[1]} for sale on the board '{topic['board_title']}'. How many euros are "
        "asked for it? Answer with the number.",
        category="information",
        parts=(answer_is_none() if missing else answer_is(price), *unchanged("forum")),
        oracle=(visit(f"/category/{topic['board']}/{topic['board_slug']}/"), f"stop [{price}]"),
        sites=("forum",),
        signed_in=MEMBER,
        everything=", ".join(sorted({offer[2] for _, offer in offers} | {NOTHING})),
        unachievable=missing,
    )


def open_most_discussed(draw: Random, contents: Contents, index: int) -> Task:
    """Get to the topic of a board with the most comments."""
    del index
    boards: dict[int, list[Row]] = defaultdict(list)
    for row in topics(contents["forum"]):
        boards[row["board"]].append(row)
    fit = [(unique_most({row["id"]: row["posts"] for row in rows}), rows) for _, rows in sorted(boards.items())]
    best, rows = draw.choice([pair for pair in fit if pair[0] is not None])
    topic = next(row for row in rows if row["id"] == best)
    part, probe = ends_at(f"__FORUM__{page(topic)}", exact_query=False)
    return Task(
        intent=f"Open the topic with the most comments on the board '{topic['board_title']}'.",
        category="navigation",
        parts=(part, *unchanged("forum")),
        oracle=(visit("/category/"), visit(page(topic)), "stop []"),
        sites=("forum",),
        signed_in=MEMBER,
        probes=(probe,),
    )


def open_newest_of_member(draw: Random, contents: Contents, index: int) -> Task:
    """Get to the topic that somebody started most recently."""
    del index
    by_author: dict[int, list[Row]] = defaultdict(list)
    for row in topics(contents["forum"]):
        by_author[row["author"]].append(row)
    rows = draw.choice([rows for _, rows in sorted(by_author.items()) if 3 <= len(rows) <= 25])
    topic = max(rows, key=lambda row: str(row["date"]))
    part, probe = ends_at(f"__FORUM__{page(topic)}", exact_query=False)
    return Task(
        intent=f"Open the topic that {topic['nickname']} started most recently.",
        category="navigation",
        parts=(part, *unchanged("forum")),
        oracle=(visit(page(topic)), "stop []"),
        sites=("forum",),
        probes=(probe,),
    )


def open_private_topic(draw: Random, contents: Contents, index: int) -> Task:
    """Get to one of the member's private topics."""
    del index
    forum = contents["forum"]
    found = forum.named("messages", member=member(forum, "member"))
    titles = Counter(row["title"] for row in found)
    topic = draw.choice([row for row in found if titles[row["title"]] == 1])
    address = f"/topic/private/{topic['id']}/{topic['slug']}/"
    part, probe = ends_at(f"__FORUM__{address}", exact_query=False)
    return Task(
        intent=f"Open my private topic '{topic['title']}'.",
        category="navigation",
        parts=(part, *unchanged("forum")),
        oracle=(visit("/topic/private/"), visit(address), "stop []"),
        sites=("forum",),
        signed_in=MEMBER,
        probes=(probe,),
    )


TEMPLATES: tuple[Template, ...] = (
    busiest_opener,
    date_of_meeting,
    price_paid,
    asking_price,
    open_most_discussed,
    open_newest_of_member,
    open_private_topic,
)
