"""The forum's content: drawn from a seed, enough of it, and in agreement with itself."""

from collections import Counter
from typing import Any

import pytest

from tests.support.site_programs import told

NOW = 1_768_478_400
DRAW = f"""
import dataclasses, json, sys
from app.content import SIZES
from app.drawing import Maker
print(json.dumps(dataclasses.asdict(Maker(int(sys.argv[1]), SIZES[sys.argv[2]], {NOW}).forum())))
"""


@pytest.fixture(scope="module")
def forum() -> dict[str, Any]:
    """A forum of full size."""
    drawn: dict[str, Any] = told("forum", DRAW, 3, "full")
    return drawn


def test_the_same_seed_gives_the_same_forum_whatever_the_order_of_sets() -> None:
    assert told("forum", DRAW, 5, "small", hash_seed="1") == told("forum", DRAW, 5, "small", hash_seed="2")


def test_another_seed_gives_other_names_titles_and_numbers(forum: dict[str, Any]) -> None:
    other = told("forum", DRAW, 4, "full")
    for part, key in (("topics", "title"), ("topics", "id"), ("messages", "id")):
        mine, theirs = ({topic[key] for topic in one[part]} for one in (forum, other))
        assert len(mine & theirs) < len(mine) / 2, (part, key)
    names = [{member["name"]["nickname"] for member in one["members"]} for one in (forum, other)]
    assert len(names[0] & names[1]) < 20
    assert forum["name"] != other["name"]


def test_there_is_enough_of_everything(forum: dict[str, Any]) -> None:
    boards = [board for board in forum["boards"] if board["parent"]]
    assert len(boards) >= 40
    assert len(forum["topics"]) >= 1500
    assert sum(len(topic["posts"]) for topic in forum["topics"]) > 6000
    assert sum(len(post["likes"]) for topic in forum["topics"] for post in topic["posts"]) > 3000
    assert len(forum["messages"]) >= 100
    used = Counter(topic["board"] for topic in forum["topics"])
    assert min(used[board["id"]] for board in boards) >= 5
    assert len({post["text"] for topic in forum["topics"] for post in topic["posts"]}) > 6000


def test_dates_go_back_two_years_and_never_past_the_clock(forum: dict[str, Any]) -> None:
    topics = forum["topics"]
    months = {(topic["posts"][0]["date"] - NOW) // (30 * 86_400) for topic in topics}
    assert len(months) >= 23
    for topic in [*topics, *forum["messages"]]:
        dates = [post["date"] for post in topic["posts"]]
        assert dates == sorted(set(dates)), topic["title"]
        assert dates[-1] < NOW
    joined = {member["id"]: member["joined"] for member in forum["members"]}
    assert all(joined[post["author"]] < post["date"] for topic in topics for post in topic["posts"])


def test_titles_tell_topics_apart_and_fit_an_address(forum: dict[str, Any]) -> None:
    titles = [topic["title"] for topic in forum["topics"]]
    assert len({title.lower() for title in titles}) == len(titles)
    assert all(title.isascii() and "{" not in title for title in titles)
    texts = [post["text"] for topic in forum["topics"] for post in topic["posts"]]
    assert not any("{" in text or "}" in text for text in texts)


def test_members_have_habits(forum: dict[str, Any]) -> None:
    written = Counter(topic["author"] for topic in forum["topics"])
    assert written.most_common(1)[0][1] > 5 * len(forum["topics"]) / len(forum["members"])
    busy = [member for member in forum["members"] if written[member["id"]] >= 20]
    for member in busy:
        homes = sum(
            topic["author"] == member["id"] and str(topic["board"]) in member["boards"] for topic in forum["topics"]
        )
        assert homes > written[member["id"]] / 3, member["name"]


def test_roles_are_different_members_and_the_newcomer_has_written_nothing(forum: dict[str, Any]) -> None:
    roles = forum["roles"]
    assert len(set(roles.values())) == len(roles) == 5
    members = {member["id"]: member for member in forum["members"]}
    assert members[roles["moderator"]]["moderator"]
    assert members[roles["administrator"]]["administrator"]
    assert not members[roles["member"]]["moderator"]
    authors = {post["author"] for topic in forum["topics"] for post in topic["posts"]}
    assert roles["newcomer"] not in authors
    assert roles["member"] in authors
    assert sum(roles["member"] in topic["readers"] for topic in forum["messages"]) >= 20
