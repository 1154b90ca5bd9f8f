"""Draw a whole forum from a seed and a size."""

import datetime
import random
from itertools import accumulate

from . import people, phrases
from .content import DAY, MONTHS, Board, Dice, Forum, Member, Poll, Post, Size, Topic, skewed
from .vocabulary import Subject, subjects
from .writing import Writer, letter

KINDS = {"question": 40, "talk": 15, "show": 14, "tip": 10, "review": 10, "sale": 5, "meeting": 4, "poll": 4}
TITLES = {
    "question": phrases.QUESTION_TITLES,
    "talk": phrases.TALK_TITLES,
    "show": phrases.SHOW_TITLES,
    "tip": phrases.TIP_TITLES,
    "review": phrases.REVIEW_TITLES,
    "sale": phrases.SALE_TITLES,
    "meeting": phrases.MEETING_TITLES,
    "poll": phrases.POLL_TITLES,
}
FACTS = {"review": phrases.REVIEWED, "sale": phrases.SOLD, "meeting": phrases.MEETING}
BOARD_TITLES = ("{}", "{}", "{} corner", "{} talk", "{} exchange", "{} for everybody", "{} and friends")
RESERVED = 2  # category ids that Spirit makes for itself: private messages and the uncategorised


class Maker:
    """Draws a forum. `now` is the site's clock in seconds since 1970; nothing is younger."""

    def __init__(self, seed: int, size: Size, now: int) -> None:
        self.dice = Dice(seed)
        self.size = size
        self.now = now
        draw = self.dice.of("world")
        self.start = now - MONTHS * 365 * DAY // 12
        self.towns = people.towns(draw, 40)
        self.makers = people.brands(draw, 24)
        self.boards = self._boards(draw)
        self.leaves = [board for board in self.boards if board.parent is not None]
        self.members = self._members(draw)
        self._crowds = {board.id: self._crowd(board.id) for board in self.leaves}
        self._by_id = {member.id: member for member in self.members}
        self._post = draw.randint(2_000, 40_000)
        self._topic = draw.randint(300, 9_000)
        self._titles: set[str] = set()

    def forum(self) -> Forum:
        """All of it."""
        topics = self._topics()
        draw = self.dice.of("rest")
        roles = self._roles(topics)
        messages = self._messages(roles["member"])
        posts = [post for topic in topics for post in topic.posts[1:]]
        flagged = draw.sample(posts, min(12, len(posts)))
        flags = [(post.id, draw.choice(self.members).id, draw.choice(("spam", "off topic"))) for post in flagged]
        liked = draw.sample(topics, min(9, len(topics)))
        name = f"{draw.choice(self.towns)} Hobby Board"
        favourites = [(roles["member"], topic.id) for topic in liked]
        return Forum(name, self.boards, self.members, topics, messages, roles, flags, favourites)

    def _boards(self, draw: random.Random) -> list[Board]:
        chosen = draw.sample(subjects(), self.size.boards)
        made: list[Board] = []
        number = RESERVED + draw.randint(1, 60)
        groups = list(dict.fromkeys(subject.group for subject in chosen))
        for group in groups:
            parent = Board(number, group, f"Everything that belongs to {group.lower()}")
            made.append(parent)
            number += 1
            for subject in (one for one in chosen if one.group == group):
                title = draw.choice(BOARD_TITLES).format(subject.title)
                about = f"{subject.things[0].capitalize()}, {subject.things[1]}, and how to {draw.choice(subject.jobs)}"
                made.append(Board(number, title, about, parent.id, subject, draw.uniform(0.4, 2.2)))
                number += draw.randint(1, 3)
        return made

    def _members(self, draw: random.Random) -> list[Member]:
        names = people.member_names(draw, self.size.members)
        first = draw.randint(20, 900)
        members = [self._member(draw, first + 2 * place, name) for place, name in enumerate(names)]
        for member in draw.sample(members, 3):
            member.moderator = True
        return members

    def _member(self, draw: random.Random, number: int, name: people.Name) -> Member:
        boards = draw.sample(self.leaves, min(len(self.leaves), draw.randint(2, 5)))
        return Member(
            id=number,
            name=name,
            joined=self.start - draw.randint(1, 900) * DAY,
            town=draw.choice(self.towns),
            activity=draw.paretovariate(1.3),
            boards={board.id: draw.uniform(0.5, 3.0) for board in boards},
            words=draw.randint(1, 4),
            greeting=draw.choice(phrases.GREETINGS),
            farewell=draw.choice(phrases.FAREWELLS),
            hour=draw.randint(6, 22),
        )

    def _roles(self, topics: list[Topic]) -> dict[str, int]:
        written: dict[int, int] = {}
        for topic in topics:
            written[topic.author] = written.get(topic.author, 0) + 1
        plain = [member for member in self.members if not member.moderator]
        ranked = sorted(plain, key=lambda member: (-written.get(member.id, 0), member.id))
        member, other = ranked[min(4, len(ranked) - 2)], ranked[len(ranked) // 2]
        moderator = next(one for one in self.members if one.moderator)
        newcomer = Member(**{**vars(ranked[-1]), "id": self.members[-1].id + 5, "joined": self.now - 3 * DAY})
        newcomer.name = people.Name(f"{newcomer.name.username}2", f"{newcomer.name.nickname}2")
        chief = Member(**{**vars(moderator), "id": newcomer.id + 1, "administrator": True})
        chief.name = people.Name(f"{chief.name.username}_admin", f"{chief.name.nickname}_admin")
        self.members += [newcomer, chief]
        people_of = {"member": member, "other_member": other, "moderator": moderator, "newcomer": newcomer}
        return {role: one.id for role, one in people_of.items()} | {"administrator": chief.id}

    def _topics(self) -> list[Topic]:
        draw = self.dice.of("topics")
        weights = [board.popularity for board in self.leaves]
        homes = draw.choices(self.leaves, weights, k=self.size.topics)
        # The forum grows: later months have more topics than earlier ones.
        span = self.now - self.start - 2 * DAY
        dates = sorted(self.start + int(span * draw.betavariate(1.3, 1.0)) for _ in homes)
        return [self._one(board, date) for board, date in zip(homes, dates, strict=True)]

    def _one(self, board: Board, date: int) -> Topic:
        self._topic += 1
        draw = self.dice.of("topic", self._topic)
        assert board.subject is not None
        kind = draw.choices(list(KINDS), list(KINDS.values()))[0]
        author = self._somebody(draw, board.id)
        writer, title = self._titled(draw, board.subject, kind)
        begun = self._at(author, date)
        topic = Topic(self._topic, board.id, author.id, title, [], kind)
        if kind == "meeting":
            day = datetime.datetime.fromtimestamp(begun, datetime.UTC) + datetime.timedelta(days=draw.randint(9, 40))
            writer.words["day"] = f"{day.day} {day:%B %Y}"
        if kind == "poll":
            topic.poll = self._poll(draw, board.subject, title)
        choices = FACTS.get(kind) or phrases.OPENING.get(kind) or phrases.OPENING["talk"]
        count = len(choices) if kind in FACTS else author.words + 1
        self._add(topic, author, begun, letter(author.greeting, writer.sentences(choices, count), author.farewell))
        self._replies(draw, topic, board)
        self._likes(draw, topic)
        topic.views = draw.randint(3, 40) + len(topic.posts) * draw.randint(2, 30)
        topic.closed = draw.random() < 0.03
        topic.pinned = draw.random() < 0.02
        return topic

    def _titled(self, draw: random.Random, subject: Subject, kind: str) -> tuple[Writer, str]:
        while True:
            writer = Writer(draw, subject, self.towns, self.makers)
            title = writer.title(TITLES[kind])
            if title.lower() not in self._titles and len(people.slug(title)) < 50:
                self._titles.add(title.lower())
                return writer, title

    def _somebody(self, draw: random.Random, board: int) -> Member:
        members, fans, weights, liking = self._crowds[board]
        if fans and draw.random() < 0.85:
            return draw.choices(fans, cum_weights=liking)[0]
        return draw.choices(members, cum_weights=weights)[0]

    def _crowd(self, board: int) -> tuple[list[Member], list[Member], list[float], list[float]]:
        """Everybody and those who like the board, and how much each writes there, summed up."""
        fans = [member for member in self.members if board in member.boards]
        weights = accumulate(member.activity * member.boards.get(board, 1.0) for member in self.members)
        liking = accumulate(member.activity * member.boards[board] for member in fans)
        return list(self.members), fans, list(weights), list(liking)

    def _at(self, author: Member, date: int) -> int:
        """The date at the author's usual time of day, or as it is when that has not come yet."""
        usual = date - date % DAY + author.hour * 3600 + date % 3600
        return usual if usual < self.now - DAY // 2 else date

    def _add(self, topic: Topic, author: Member, date: int, text: str) -> None:
        self._post += 1
        topic.posts.append(Post(self._post, author.id, date, text))

    def _replies(self, draw: random.Random, topic: Topic, board: Board) -> None:
        assert board.subject is not None
        date = topic.date
        for _ in range(skewed(draw, self.size.replies, 40)):
            author = self._somebody(draw, board.id)
            later = date + 60 + int(draw.expovariate(1 / (1.5 * DAY)))
            if later >= self.now - 3600:
                return
            date = later
            writer = Writer(draw, board.subject, self.towns, self.makers)
            earlier = draw.choice(topic.posts).author
            text = writer.sentences(phrases.REPLY, max(1, author.words - draw.randint(0, 2)))
            if earlier != author.id and draw.random() < 0.3:
                writer.words["nick"] = self._by_id[earlier].name.nickname
                text = f"{writer.fill(draw.choice(phrases.ANSWERS))} {text}"
            self._add(
                topic, author, date, letter(author.greeting if draw.random() < 0.3 else "", text, author.farewell)
            )

    def _likes(self, draw: random.Random, topic: Topic) -> None:
        for place, post in enumerate(topic.posts):
            count = skewed(draw, 2.5 if place == 0 else 0.8, len(self.members) // 3)
            fans = draw.sample([member.id for member in self.members if member.id != post.author], count)
            post.likes = sorted(fans)

    def _poll(self, draw: random.Random, subject: Subject, title: str) -> Poll:
        choices = draw.sample(subject.things, draw.randint(3, 5))
        voters = draw.sample(self.members, draw.randint(3, len(self.members) // 2))
        return Poll(title, choices, {member.id: draw.randrange(len(choices)) for member in voters})

    def _messages(self, member: int) -> list[Topic]:
        draw = self.dice.of("messages")
        count = self.size.messages
        dates = sorted(self.now - int(draw.betavariate(1.0, 2.0) * 300 * DAY) - DAY for _ in range(count))
        return [self._message(draw, member if place % 4 == 0 else None, date) for place, date in enumerate(dates)]

    def _message(self, draw: random.Random, party: int | None, date: int) -> Topic:
        self._topic += 1
        pair = draw.sample([one for one in self.members if one.id != party], 2)
        if party is not None:
            pair[draw.randrange(2)] = self._by_id[party]
        subject = draw.choice([board.subject for board in self.leaves if board.subject])
        writer = Writer(draw, subject, self.towns, self.makers)
        topic = Topic(self._topic, 1, pair[0].id, writer.title(phrases.MESSAGE_TITLES), [], "message")
        topic.readers = [one.id for one in pair]
        for place in range(draw.randint(1, 4)):
            author = pair[place % 2]
            text = writer.sentences(phrases.MESSAGES, draw.randint(1, 3))
            self._add(topic, author, date, letter(author.greeting, text, author.farewell))
            date = min(self.now - 7200 + place, date + 300 + int(draw.expovariate(1 / (0.4 * DAY))))
        topic.views = draw.randint(2, 9)
        return topic
