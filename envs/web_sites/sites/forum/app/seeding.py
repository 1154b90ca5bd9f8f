"""Write a drawn forum into Spirit's tables, with as few statements as possible."""

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from django.apps import apps
from spirit.core.utils.markdown import Markdown

from .content import Board, Forum, Member, Post, Topic
from .people import slug

PRIVATE, UNCATEGORISED = 1, 2
BATCH = 500
MENTION = re.compile(r"@([\w.+-]+)")


def write(forum: Forum) -> None:
    """All rows. The tables are there and empty."""
    _boards(forum)
    _members(forum)
    everything = [*forum.topics, *forum.messages]
    _save("spirit_topic.Topic", map(_topic, everything))
    shown = Rendering(forum.members)
    _save("spirit_comment.Comment", (_post(topic, post, shown) for topic in everything for post in topic.posts))
    shown.check(post.text for topic in forum.topics[:20] for post in topic.posts)
    _polls(forum)
    _likes(everything)
    _private(forum)
    _flags(forum)
    favourites = ({"user_id": user, "topic_id": topic} for user, topic in forum.favourites)
    _save("spirit_topic_favorite.TopicFavorite", favourites)
    _save("djconfig.Config", [{"key": "site_name", "value": forum.name}])


def _save(model: str, rows: Iterable[dict[str, Any]]) -> None:
    kind = apps.get_model(model)
    kind.objects.bulk_create((kind(**row) for row in rows), batch_size=BATCH)


def _when(second: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(second, datetime.UTC)


def _boards(forum: Forum) -> None:
    model = "spirit_category.Category"
    _save(model, [{"id": PRIVATE, "title": "Private", "slug": "private", "is_private": True}])
    _save(model, [{"id": UNCATEGORISED, "title": "Uncategorized", "slug": "uncategorized", "is_removed": True}])
    _save(model, map(_board, forum.boards))


def _board(board: Board) -> dict[str, Any]:
    told = {"id": board.id, "title": board.title, "slug": slug(board.title), "description": board.about}
    return told | {"parent_id": board.parent, "is_closed": board.closed}


def _members(forum: Forum) -> None:
    begun, written = Counter(one.author for one in forum.topics), Counter[int]()
    seen: dict[int, int] = {}
    for post in (post for topic in forum.topics for post in topic.posts):
        written[post.author] += 1
        seen[post.author] = max(post.date, seen.get(post.author, 0))
    _save("auth.User", map(_account, forum.members))
    # Spirit makes a profile for each account it sees saved; bulk creation goes past that.
    _save("spirit_user.UserProfile", (_profile(one, begun[one.id], written[one.id]) for one in forum.members))
    profiles = apps.get_model("spirit_user.UserProfile").objects
    for member in forum.members:  # the field sets itself to the present when it is created
        profiles.filter(user_id=member.id).update(last_seen=_when(seen.get(member.id, member.joined)))


def _account(member: Member) -> dict[str, Any]:
    mail = f"{member.name.username}@{member.town.lower()}.example"
    told = {"id": member.id, "username": member.name.username, "email": mail, "date_joined": _when(member.joined)}
    return told | {"password": f"!{member.id}", "is_active": True}


def _profile(member: Member, begun: int, written: int) -> dict[str, Any]:
    return {
        "user_id": member.id,
        "slug": slug(member.name.username),
        "nickname": member.name.nickname,
        "location": member.town,
        "is_verified": True,
        "is_moderator": member.moderator or member.administrator,
        "is_administrator": member.administrator,
        "topic_count": begun,
        "comment_count": written,
    }


def _topic(topic: Topic) -> dict[str, Any]:
    told = {"id": topic.id, "user_id": topic.author, "category_id": topic.board, "title": topic.title}
    told |= {"slug": slug(topic.title), "date": _when(topic.date), "last_active": _when(topic.active)}
    told |= {"reindex_at": _when(topic.date), "is_closed": topic.closed, "is_pinned": topic.pinned}
    return told | {"view_count": topic.views, "comment_count": len(topic.posts)}


def _post(topic: Topic, post: Post, rendering: "Rendering") -> dict[str, Any]:
    told = {"id": post.id, "user_id": post.author, "topic_id": topic.id, "date": _when(post.date)}
    shown = rendering.html(post.text)
    if topic.poll and post is topic.posts[0]:
        shown += "<poll name=vote>"
    return told | {"comment": post.text, "comment_html": shown, "likes_count": len(post.likes)}


class Rendering:
    """The posts' HTML as Spirit makes it of plain paragraphs; Spirit's own way takes a query for each mention."""

    def __init__(self, members: list[Member]) -> None:
        self._members = {member.name.username: member for member in members}

    def html(self, text: str) -> str:
        """The post as it is shown."""
        paragraphs = (MENTION.sub(self._mention, escape(part, quote=False)) for part in text.split("\n\n"))
        return "\n".join(f"<p>{part}</p>" for part in paragraphs)

    def _mention(self, found: re.Match[str]) -> str:
        member = self._members.get(found[1].lower())
        if member is None:
            return found[0]
        address = f"/user/{member.id}/{slug(member.name.username)}/"
        return f'<a class="comment-mention" rel="nofollow" href="{address}">@{member.name.nickname}</a>'

    def check(self, texts: Iterable[str]) -> None:
        """Raises AssertionError when Spirit shows one of the texts otherwise."""
        for text in texts:
            theirs = str(Markdown().render(text))
            assert self.html(text) == theirs, (self.html(text), theirs)


def _likes(topics: list[Topic]) -> None:
    given = ((user, post) for topic in topics for post in topic.posts for user in post.likes)
    rows = ({"user_id": user, "comment_id": post.id, "date": _when(post.date + 3600)} for user, post in given)
    _save("spirit_comment_like.CommentLike", rows)


def _polls(forum: Forum) -> None:
    polled = [topic for topic in forum.topics if topic.poll]
    polls: list[dict[str, Any]] = []
    choices: list[dict[str, Any]] = []
    votes: list[dict[str, Any]] = []
    for number, topic in enumerate(polled, 1):
        assert topic.poll is not None
        opening, counts = topic.posts[0], Counter(topic.poll.votes.values())
        told = {"id": number, "comment_id": opening.id, "name": "vote", "title": topic.poll.title}
        polls.append(told | {"created_at": _when(topic.date)})
        first = len(choices) + 1
        for place, text in enumerate(topic.poll.choices):
            told = {"id": first + place, "poll_id": number, "number": place + 1, "description": text}
            choices.append(told | {"vote_count": counts[place]})
        for voter, place in topic.poll.votes.items():
            votes.append({"voter_id": voter, "choice_id": first + place, "created_at": _when(topic.date + 60)})
    _save("spirit_comment_poll.CommentPoll", polls)
    _save("spirit_comment_poll.CommentPollChoice", choices)
    _save("spirit_comment_poll.CommentPollVote", votes)


def _private(forum: Forum) -> None:
    access = "spirit_topic_private.TopicPrivate"
    _save(access, ({"user_id": u, "topic_id": t.id, "date": _when(t.date)} for t in forum.messages for u in t.readers))
    _save("spirit_topic_notification.TopicNotification", _notices(forum))


def _notices(forum: Forum) -> Iterator[dict[str, Any]]:
    """Those who wrote in a topic are told of what came after; what is older than a week has been read."""
    newest = max(topic.active for topic in forum.topics)
    for topic in [*forum.topics, *forum.messages]:
        last = topic.posts[-1]
        for user in sorted({post.author for post in topic.posts} | set(topic.readers)):
            mine = user == last.author
            told = {"user_id": user, "topic_id": topic.id, "comment_id": last.id, "date": _when(last.date)}
            fresh = not mine and last.date > newest - 7 * 86_400
            yield told | {"action": 0 if mine else 2, "is_read": not fresh, "is_active": True}


def _flags(forum: Forum) -> None:
    dates = {post.id: post.date for topic in forum.topics for post in topic.posts}
    flags, seen = [], set()
    for comment, user, reason in forum.flags:
        date = _when(dates[comment] + 7200)
        told = {"user_id": user, "comment_id": comment, "date": date, "reason": int(reason != "spam")}
        flags.append(told | {"body": "" if reason == "spam" else reason})
        seen.add((comment, date))
    _save("spirit_comment_flag.CommentFlag", ({"comment_id": comment, "date": date} for comment, date in sorted(seen)))
    _save("spirit_comment_flag.Flag", flags)
