"""Templates of tasks that change the forum: writing, liking, voting, sending, moderating."""

from collections.abc import Iterator
from random import Random

from envs.web_sites.generator import forum_state as state
from envs.web_sites.generator.forum_parts import board, click, fill, member, page, quiet, topics, visit
from envs.web_sites.generator.parts import NOTHING, Contents, Row, Task, Template, answer_is_none, unchanged

MEMBER, MODERATOR = {"forum": "member"}, {"forum": "moderator"}
REPLIES = (
    "Thank you for telling us. I will try it on {day} and report.",
    "Could you say a little more about this? I am new to it and start on {day}.",
    "I had the same with mine. On {day} I am going to ask an expert.",
    "That is good news. May I come and have a look on {day}?",
)
OPENINGS = (
    ("Looking for company on {day}", "Who would like to join me on {day}? There is room for {n} of us."),
    ("Giving away {n} boxes of odds and ends", "To be collected on {day}. First come, first served."),
    ("A question before {day}", "I have to decide by {day} and have {n} offers. What would you look at first?"),
    ("Report from {day}", "We were {n} people and learned a lot. I will write it down properly next week."),
)
LETTERS = (
    ("Lift on {day}", "I drive there on {day} at {n} o'clock and have a free seat. Would you like to come along?"),
    ("Your advice", "May I call you on {day}? It would take about {n} minutes."),
    ("Parcel", "Your parcel came to me by mistake. You can have it on {day} after {n} o'clock."),
    ("Keys", "I have left the keys with the caretaker, hook number {n}. Please bring them back on {day}."),
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
STRANGERS = ("Quillon", "Ostreva", "Mirandel", "Tavishka", "Belorin", "Zephra")


def written(draw: Random, text: str, day: str = "", number: int = 0) -> str:
    """A text with its day and number filled in."""
    return text.format(day=day or draw.choice(DAYS), n=number or draw.randint(2, 9))


def reply_to_topic(draw: Random, contents: Contents, index: int) -> Task:
    """Write a given text into a topic."""
    del index
    forum = contents["forum"]
    me = member(forum, "member")
    topic = quiet(forum, draw, me)
    text = written(draw, draw.choice(REPLIES))
    return Task(
        intent=f"Reply to {topic['nickname']}'s topic '{topic['title']}' on the board '{topic['board_title']}' with "
        f"exactly this text: {text}",
        category="content",
        parts=(state.replied(forum, me, topic["id"], text).on("forum"),),
        oracle=(visit(page(topic)), fill("Write comment...", text), click("button", "Publish"), "stop []"),
        sites=("forum",),
        signed_in=MEMBER,
    )


def start_topic(draw: Random, contents: Contents, index: int) -> Task:
    """Open a topic on a board, with a given title and text."""
    del index
    forum = contents["forum"]
    home = board(draw, forum)
    day, number = draw.choice(DAYS), draw.randint(2, 9)
    title, text = (written(draw, part, day, number) for part in draw.choice(OPENINGS))
    return Task(
        intent=f"Start a topic on the board '{home['title']}' with the title '{title}' and this text: {text}",
        category="content",
        parts=(state.opened(forum, member(forum, "member"), home["id"], title, text).on("forum"),),
        oracle=(
            visit("/topic/publish/"),
            fill("Title:", title),
            f"select_option [{{{{element combobox 'Category:'}}}}] [{home['id']}]",
            fill("Comment:", text),
            click("button", "Publish"),
            "stop []",
        ),
        sites=("forum",),
        signed_in=MEMBER,
    )


def like_last_post(draw: Random, contents: Contents, index: int) -> Task:
    """Like the post that somebody wrote last in a topic."""
    del index
    forum = contents["forum"]
    me = member(forum, "member")
    topic = quiet(forum, draw, me)
    post = forum.named("posts", topic=topic["id"])[-1]
    sql = "select count(*) as n from spirit_comment_like_commentlike where user_id = :me and comment_id = :post"
    if forum.rows(sql, me=me, post=post["id"])[0]["n"]:
        return like_last_post(draw, contents, 0)
    return Task(
        intent=f"Like the last post in the topic '{topic['title']}' on the board '{topic['board_title']}'.",
        category="content",
        parts=(state.liked(forum, me, post["id"]).on("forum"),),
        oracle=(visit(f"/comment/like/{post['id']}/create/"), click("button", "Like"), "stop []"),
        sites=("forum",),
        signed_in=MEMBER,
    )


def vote_in_poll(draw: Random, contents: Contents, index: int) -> Task:
    """Vote for a choice of a poll in which the member has not voted."""
    del index
    forum = contents["forum"]
    me = member(forum, "member")
    polls = [row for row in topics(forum) if not row["is_closed"] and forum.named("choices", topic=row["id"])]
    sql = """select count(*) as n from spirit_comment_poll_commentpollvote v
    join spirit_comment_poll_commentpollchoice o on o.id = v.choice_id where o.poll_id = :poll and v.voter_id = :me"""
    open_ones: list[tuple[Row, list[Row]]] = []
    for row in polls:
        choices = forum.named("choices", topic=row["id"])
        if not forum.rows(sql, poll=choices[0]["poll"], me=me)[0]["n"]:
            open_ones.append((row, choices))
    topic, choices = draw.choice(open_ones)
    choice = draw.choice(choices)
    return Task(
        intent=f"Vote for '{choice['description']}' in {topic['nickname']}'s poll '{topic['title']}' on the board "
        f"'{topic['board_title']}'.",
        category="content",
        parts=(state.voted(forum, me, choice["choice"]).on("forum"),),
        oracle=(visit(page(topic)), click("radio", choice["description"]), click("button", "Vote"), "stop []"),
        sites=("forum",),
        signed_in=MEMBER,
    )


def send_private_message(draw: Random, contents: Contents, index: int) -> Task:
    """Send one member a private topic; the third is to somebody who is no member."""
    forum, missing = contents["forum"], index == 2
    me = member(forum, "member")
    others = [row for row in forum.named("members") if row["id"] != me and not row["is_administrator"]]
    other = draw.choice(others)
    known = {row["nickname"].lower() for row in others}
    reader = next(name for name in _strangers(draw) if name.lower() not in known) if missing else other["nickname"]
    day, number = draw.choice(DAYS), draw.randint(2, 9)
    title, text = (written(draw, part, day, number) for part in draw.choice(LETTERS))
    sent = state.messaged(forum, me, other["id"], title, text).on("forum")
    fields = (fill("Title:", title), fill("Invite users:", reader), fill("Comment:", text))
    return Task(
        intent=f"Send the member {reader} a private message with the title '{title}' and this text: {text}",
        category="content",
        parts=(answer_is_none(), *unchanged("forum")) if missing else (sent,),
        oracle=(
            visit("/topic/private/publish/"),
            *fields,
            click("button", "Publish"),
            f"stop [{NOTHING if missing else ''}]",
        ),
        sites=("forum",),
        signed_in=MEMBER,
        unachievable=missing,
    )


def _strangers(draw: Random) -> Iterator[str]:
    while True:
        yield f"{draw.choice(STRANGERS)}{draw.randint(100, 999)}"


def close_or_pin_topic(draw: Random, contents: Contents, index: int) -> Task:
    """As a moderator, close or pin a topic."""
    forum = contents["forum"]
    me = member(forum, "moderator")
    topic = quiet(forum, draw, me)
    verb, path, column, note = (
        ("Pin", "pin", "is_pinned", state.PINNED) if index == 1 else ("Lock", "lock", "is_closed", state.CLOSED)
    )
    return Task(
        intent=f"{verb} {topic['nickname']}'s topic '{topic['title']}' on the board '{topic['board_title']}'.",
        category="content",
        parts=(state.moderated(me, topic["id"], column, 1, note).on("forum"),),
        oracle=(visit(f"/topic/moderate/{path}/{topic['id']}/"), click("button", "Apply"), "stop []"),
        sites=("forum",),
        signed_in=MODERATOR,
    )


def move_topic(draw: Random, contents: Contents, index: int) -> Task:
    """As a moderator, move a topic to another board."""
    del index
    forum = contents["forum"]
    me = member(forum, "moderator")
    topic = quiet(forum, draw, me)
    home = draw.choice([row for row in forum.named("boards") if row["id"] != topic["board"]])
    return Task(
        intent=f"The topic '{topic['title']}' on the board '{topic['board_title']}' is in the wrong place. Move it to "
        f"the board '{home['title']}'.",
        category="content",
        parts=(state.moderated(me, topic["id"], "category_id", home["id"], state.MOVED).on("forum"),),
        oracle=(
            visit(f"/topic/update/{topic['id']}/"),
            f"select_option [{{{{element combobox 'Category:'}}}}] [{home['id']}]",
            click("button", "Update"),
            "stop []",
        ),
        sites=("forum",),
        signed_in=MODERATOR,
    )


TEMPLATES: tuple[Template, ...] = (
    reply_to_topic,
    start_topic,
    like_last_post,
    vote_in_poll,
    send_private_message,
    close_or_pin_topic,
    move_topic,
)
