"""The forum's content as templates draw from it, and the steps that oracles take there."""

import json
import re
from collections import Counter
from random import Random
from typing import Any

from envs.web_sites.generator.parts import Content, Row

TOPICS = """select t.id, t.slug, t.title, t.category_id as board, t.user_id as author, p.nickname, t.date,
t.last_active, t.comment_count as posts, t.is_closed, t.is_pinned, b.title as board_title, b.slug as board_slug
from spirit_topic_topic t join spirit_user_userprofile p on p.user_id = t.user_id
join spirit_category_category b on b.id = t.category_id
where t.category_id <> 1 and not t.is_removed order by t.id"""
OPENINGS = """select c.topic_id as topic, c.comment as text from spirit_comment_comment c
where c.id in (select min(id) from spirit_comment_comment group by topic_id)"""
BOUGHT = re.compile(r"I bought the (.+?) in \w+ for (\d+) euros and have used it for \d+ months\.")
SOLD = re.compile(r"I am selling my (.+?), used for \d+ months\. The price is (\d+) euros")
MEETS = re.compile(r"We meet on (\d+ \w+ \d{4}) at (\d+):00 at the (.+?) in (\w+)\.")


def member(forum: Content, role: str) -> int:
    """The number of the member who has a role."""
    names: dict[str, str] = json.loads((forum.database.parent / "roles.json").read_text())
    return int(forum.rows("select id from auth_user where username = :name", name=names[role])[0]["id"])


def topics(forum: Content) -> list[Row]:
    """All public topics, the oldest first."""
    return forum.rows(TOPICS)


def opening_posts_matching(forum: Content, pattern: re.Pattern[str]) -> list[tuple[Row, re.Match[str]]]:
    """Topics whose first post says something of this kind, and what it says."""
    texts = {row["topic"]: row["text"] for row in forum.rows(OPENINGS)}
    return [(topic, match) for topic in topics(forum) if (match := pattern.search(texts[topic["id"]]))]


def posts_matching(forum: Content, pattern: re.Pattern[str]) -> list[tuple[Row, re.Match[str]]]:
    """As `opening_posts_matching`, where no other topic says it of the same thing."""
    found = opening_posts_matching(forum, pattern)
    about = Counter(match[1] for _, match in found)
    return [(topic, match) for topic, match in found if about[match[1]] == 1]


def quiet(forum: Content, draw: Random, reader: int) -> Row:
    """An open topic of somebody else's with few posts, in which the reader has not written."""
    sql = "select distinct topic_id as topic from spirit_comment_comment where user_id = :reader"
    mine = {row["topic"] for row in forum.rows(sql, reader=reader)}
    fit = [row for row in topics(forum) if row["id"] not in mine and row["posts"] <= 8 and not row["is_closed"]]
    return draw.choice([row for row in fit if "'" not in row["title"] and not row["is_pinned"]])


def board(draw: Random, forum: Content) -> Row:
    """A board that takes topics."""
    return draw.choice(forum.named("boards"))


def page(topic: Row) -> str:
    """The address of a topic on the forum."""
    return f"/topic/{topic['id']}/{topic['slug']}/"


def visit(path: str, site: str = "forum") -> str:
    """Open an address of a site."""
    return f"goto [{{{{site {site}}}}}{path}]"


def fill(name: str, text: str) -> str:
    """Write into a field."""
    return f"fill [{{{{element textbox '{name}'}}}}] [{text}]"


def click(role: str, name: str, number: int = 1) -> str:
    """Click an element of this role and name."""
    which = "" if number == 1 else f" {number}"
    return f"click [{{{{element {role} '{name}'{which}}}}}]"


def note_steps(title: str, text: str) -> tuple[str, ...]:
    """Save a note on the scratchpad."""
    return (visit("/scratchpad", "tools"), fill("Title", title), fill("Text", text), click("button", "Save note"))


def unique_most(counts: dict[Any, int], least: int = 2) -> Any:
    """The key with the largest count, if it is one alone and at least `least`; else None."""
    best = max(counts.values(), default=0)
    found = [key for key, count in counts.items() if count == best]
    return found[0] if len(found) == 1 and best >= least else None
