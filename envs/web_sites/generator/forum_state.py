"""What a write task leaves in the forum's and the scratchpad's tables, in the words of `state_change`."""

import re
from dataclasses import dataclass, field
from typing import Any

from envs.web_sites.generator.parts import Content, changes

POSTS, TOPICS, NOTICES = "spirit_comment_comment", "spirit_topic_topic", "spirit_topic_notification_topicnotification"
PROFILES, LIKES, ACCESS = (
    "spirit_user_userprofile",
    "spirit_comment_like_commentlike",
    "spirit_topic_private_topicprivate",
)
CHOICES, VOTES = "spirit_comment_poll_commentpollchoice", "spirit_comment_poll_commentpollvote"
PRIVATE = 1
# What a moderator did is written into the topic as a post of this kind.
MOVED, CLOSED, PINNED = 1, 2, 4


@dataclass(frozen=True)
class StateChange:
    """Changes that must be there, and changes that come with them."""

    expected: tuple[dict[str, Any], ...]
    allowed: tuple[dict[str, Any], ...] = field(default=())

    def on(self, site: str) -> dict[str, Any]:
        """The reference: this change, and nothing else."""
        return changes(site, *self.expected, allowed=self.allowed)


def as_typed(text: str) -> dict[str, str]:
    """A condition: exactly this text, but for spaces at its ends and how lines are broken."""
    words = r"\s+".join(re.escape(word) for word in text.split())
    return {"pattern": rf"\s*{words}\s*"}


def next_id(content: Content, table: str) -> int:
    """The number the next row of a table gets; they are counted on and never used twice."""
    return int(content.rows("select seq + 1 as next from sqlite_sequence where name = :table", table=table)[0]["next"])


def replied(forum: Content, member: int, topic: int, text: str) -> StateChange:
    """The member has written this into a topic, once."""
    count = forum.rows("select comment_count as n from spirit_topic_topic where id = :topic", topic=topic)[0]["n"]
    post = {"user_id": member, "topic_id": topic, "comment": as_typed(text), "action": 0, "is_removed": 0}
    grown = {"table": TOPICS, "change": "update", "where": {"id": topic}, "values": {"comment_count": count + 1}}
    notified = ({"table": NOTICES, "where": {"topic_id": topic}}, _wrote(member))
    return StateChange((_insert(POSTS, post), grown | {"also": ["last_active"]}), notified)


def opened(forum: Content, member: int, board: int, title: str, text: str) -> StateChange:
    """The member has opened a topic on a board, with this first post."""
    topic = next_id(forum, TOPICS)
    begun = {"id": topic, "user_id": member, "category_id": board, "title": as_typed(title), "comment_count": 1}
    post = {"user_id": member, "topic_id": topic, "comment": as_typed(text), "action": 0}
    notified = ({"table": NOTICES, "where": {"topic_id": topic}}, _wrote(member))
    return StateChange((_insert(TOPICS, begun | {"is_closed": 0, "is_removed": 0}), _insert(POSTS, post)), notified)


def messaged(forum: Content, member: int, reader: int, title: str, text: str) -> StateChange:
    """The member has sent one other member a private topic."""
    sent = opened(forum, member, PRIVATE, title, text)
    topic = next_id(forum, TOPICS)
    readers = tuple(_insert(ACCESS, {"user_id": user, "topic_id": topic}) for user in (member, reader))
    return StateChange((*sent.expected, *readers), sent.allowed)


def liked(forum: Content, member: int, post: int) -> StateChange:
    """The member likes a post."""
    count = forum.rows("select likes_count as n from spirit_comment_comment where id = :post", post=post)[0]["n"]
    grown = {"table": POSTS, "change": "update", "where": {"id": post}, "values": {"likes_count": count + 1}}
    return StateChange((_insert(LIKES, {"user_id": member, "comment_id": post}), grown))


def voted(forum: Content, member: int, choice: int) -> StateChange:
    """The member has voted for a choice of a poll."""
    sql = "select vote_count as n from spirit_comment_poll_commentpollchoice where id = :choice"
    count = forum.rows(sql, choice=choice)[0]["n"]
    grown = {"table": CHOICES, "change": "update", "where": {"id": choice}, "values": {"vote_count": count + 1}}
    return StateChange((_insert(VOTES, {"voter_id": member, "choice_id": choice, "is_removed": 0}), grown))


def moderated(moderator: int, topic: int, column: str, value: int, action: int) -> StateChange:
    """The moderator has closed, pinned or moved a topic."""
    changed = {"table": TOPICS, "change": "update", "where": {"id": topic}, "values": {column: value}}
    note = {"user_id": moderator, "topic_id": topic, "action": action}
    return StateChange((changed | {"also": ["reindex_at"]}, _insert(POSTS, note)))


def noted(title: str, text: dict[str, Any]) -> StateChange:
    """The scratchpad has one more note; `text` is a condition on what it says."""
    return StateChange((_insert("note", {"title": as_typed(title), "text": text}),))


def _insert(table: str, values: dict[str, Any]) -> dict[str, Any]:
    return {"table": table, "change": "insert", "values": values}


def _wrote(member: int) -> dict[str, Any]:
    # A rule names all columns that may change at once: being seen comes with writing.
    columns = ["last_post_hash", "last_post_on", "last_seen", "last_ip"]
    return {"table": PROFILES, "change": "update", "columns": columns, "where": {"user_id": member}}
