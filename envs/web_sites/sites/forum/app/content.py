"""A forum's content, drawn from a seed: boards, members with habits, topics, posts, likes, polls and private messages.

Plain records and no database, so that the same content can be looked at, counted and written.
"""

import random
from dataclasses import dataclass, field

from .people import Name
from .vocabulary import Subject

DAY = 86_400
MONTHS = 24


@dataclass(frozen=True)
class Size:
    """How much of everything: counts, and the mean number of replies to a topic."""

    boards: int
    members: int
    topics: int
    replies: float
    messages: int


SIZES = {"small": Size(10, 24, 120, 2.5, 12), "full": Size(46, 170, 1560, 5.0, 150)}


@dataclass
class Board:
    """A board; those without a parent are the groups."""

    id: int
    title: str
    about: str
    parent: int | None = None
    subject: Subject | None = None
    popularity: float = 1.0
    closed: bool = False


@dataclass
class Member:
    """Somebody who writes. `boards`: board ids with how much each is liked; `words`: sentences in a post."""

    id: int
    name: Name
    joined: int
    town: str
    activity: float
    boards: dict[int, float]
    words: int
    greeting: str
    farewell: str
    hour: int
    moderator: bool = False
    administrator: bool = False


@dataclass
class Post:
    """One comment, by its author, at a second since 1970."""

    id: int
    author: int
    date: int
    text: str
    likes: list[int] = field(default_factory=list)


@dataclass
class Poll:
    """A question with choices and who voted for which (index of the choice by member)."""

    title: str
    choices: list[str]
    votes: dict[int, int]


@dataclass
class Topic:
    """A topic and its posts, the first of which opened it. `readers` are those who may read a private one."""

    id: int
    board: int
    author: int
    title: str
    posts: list[Post]
    kind: str = "talk"
    closed: bool = False
    pinned: bool = False
    views: int = 0
    poll: Poll | None = None
    readers: list[int] = field(default_factory=list)

    @property
    def date(self) -> int:
        """When it was opened."""
        return self.posts[0].date

    @property
    def active(self) -> int:
        """When somebody wrote last."""
        return self.posts[-1].date


@dataclass
class Forum:
    """All of it. `roles` gives the members whom sessions are signed in as; `flags` are (post, member, reason)."""

    name: str
    boards: list[Board]
    members: list[Member]
    topics: list[Topic]
    messages: list[Topic]
    roles: dict[str, int]
    flags: list[tuple[int, int, str]]
    favourites: list[tuple[int, int]]


class Dice:
    """Chance by name: what is drawn for one part does not move when another part changes."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def of(self, *parts: object) -> random.Random:
        """The source for one part."""
        return random.Random(":".join(map(str, ("forum", self._seed, *parts))))


def skewed(draw: random.Random, mean: float, most: int) -> int:
    """A count with a long tail around a mean, at most `most`."""
    return min(most, int(draw.expovariate(1 / mean))) if mean else 0
