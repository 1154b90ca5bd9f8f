"""Questions about a page: what is shown, how replies are read, when it ends, and what gets nobody a point."""

from collections.abc import Sequence
from typing import Any

import pytest

from envs import registry
from envs.base import Action, Evidence, FinishReason, Observation, Probe, SpecError, StepResult, ToolCall
from envs.web_browsing import protocol
from envs.web_browsing.dom import ID, Page
from envs.web_browsing.environment import WebBrowsing
from envs.web_browsing.ranking import ranked
from envs.web_browsing.tournament import Tournament
from tests.unit.envs.web_browsing.pages import CANDIDATES, PAGE, spec

PREDICTION = Probe(name="prediction", type="prediction")
GOLD = "Thought: x\nAnswer: B.\nAction: SELECT\nValue: Large & wide"


async def played(replies: Sequence[str | Action], **changed: Any) -> tuple[list[StepResult], Evidence]:
    """An episode after these replies, or until it ends, and what was chosen."""
    world = WebBrowsing()
    await world.reset(spec(**changed), 0)
    seen: list[StepResult] = []
    for reply in replies:
        seen.append(await world.step(reply if isinstance(reply, Action) else Action(text=reply)))
        if seen[-1].finish:
            break
    (found,) = await world.probe([PREDICTION])
    return seen, found


def asked(seen: Observation) -> str:
    turns: Any = seen.data["messages"]
    return str(turns[-1]["content"])


def tool(**arguments: Any) -> Action:
    return Action(tool=ToolCall(name=protocol.TOOL.name, arguments=arguments))


async def test_a_question_shows_the_page_around_five_candidates() -> None:
    world = registry.create("web_browsing")
    seen = await world.reset(spec(previous=[f"[link]  {n} -> CLICK" for n in range(7)]), 0)
    text = asked(seen)
    assert "Task: Order the large one\nPrevious actions:\n[link]  2 -> CLICK\n" in text
    assert "1 -> CLICK" not in text
    assert "\nB. <a id=0>Shop</a>\nC. <a id=1>Orders</a>\nD. <input id=2 text name />\n" in text
    assert "<form><select size /><input id=2 text name /><button id=3>Order it</button></form>" in text
    assert seen.data["choices"] == [line[3:] for line in text.splitlines()[-5:]]
    assert [one.name for one in seen.tools] == ["choose_element"]
    turns: Any = seen.data["messages"]
    assert [turn["role"] for turn in turns] == ["user", "agent"] * 3 + ["user"]
    # Nothing of the world's own names is shown, and it is the same for everybody.
    assert ID not in seen.text
    assert (await registry.create("web_browsing").reset(spec(previous=[]), 7)).data == (
        await registry.create("web_browsing").reset(spec(previous=[]), 8)
    ).data


async def test_one_that_is_chosen_comes_back_and_the_last_one_counts() -> None:
    seen, found = await played(["Answer: C.\nAction: CLICK", GOLD])
    assert [one.finish for one in seen] == [None, FinishReason.COMPLETED]
    # Order of the page: Orders (6) stands before the sizes (9).
    assert asked(seen[0].observation).endswith(
        "B. <a id=0>Orders</a>\nC. <select id=1 size><option s>Small</option><option l>Large & wide</option></select>\n"
    )
    assert found.value == {"element": "6", "action": "SELECT Large & wide"}
    seen, found = await played(["Answer: C.\nAction: CLICK", GOLD.replace("B.", "C.")])
    assert found.value == {"element": "9", "action": "SELECT Large & wide"}
    assert seen[-1].answer == "9 SELECT Large & wide"


async def test_none_of_them_to_the_end_is_no_choice() -> None:
    for protocol_ in ("fixed", "published"):
        seen, found = await played(["Answer: B.\nAction: CLICK", "Answer: A."], protocol=protocol_)
        assert seen[-1].finish is FinishReason.INVALID_ACTION
        assert found.value == {"element": None, "action": ""}


async def test_as_published_one_that_is_left_alone_is_not_asked_about() -> None:
    seen, found = await played(["Answer: A."], protocol="published")
    assert seen[-1].finish is FinishReason.INVALID_ACTION
    assert found.value == {"element": None, "action": ""}
    seen, found = await played(["Answer: A.", GOLD])
    assert seen[-1].finish is FinishReason.COMPLETED
    assert found.value == {"element": "9", "action": "SELECT Large & wide"}


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("Answer: C.\nAction: SELECT\nValue: Two", ("C", "SELECT Two")),
        ("Answer: Because\nAction: CLICK", ("B", "CLICK")),
        ("no idea", ("A", "")),
        ("answer: C", ("A", "")),
        ("Answer: C.\nAction: CLICK\nValue: Two", ("C", "CLICK Two")),
    ],
)
def test_published_replies(text: str, choice: tuple[str, str]) -> None:
    read = protocol.parse(Action(text=text), "published")
    assert read is not None
    assert (read.letter, read.action) == choice


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("Answer: C.\nAction: SELECT\nValue: Two", ("C", "SELECT Two")),
        (
            "First I thought Answer: D, but:\n**Answer:** (c)\n**Action:** type\n**Value:** two words ",
            ("C", "TYPE two words"),
        ),
        ("Answer: C.\nAction: CLICK\nValue: Two", ("C", "CLICK")),
        ("Answer: A\nAction: CLICK", ("A", "")),
        ("Answer: Because\nAction: CLICK", None),
        ("Answer: C", None),
        ("no idea", None),
        ("", None),
    ],
)
def test_fixed_replies(text: str, choice: tuple[str, str] | None) -> None:
    read = protocol.parse(Action(text=text), "fixed")
    assert (read and (read.letter, read.action)) == choice


async def test_calls_say_the_same() -> None:
    calls = [tool(choice="A"), tool(choice="B", action="SELECT", value="Large & wide")]
    _, found = await played(calls)
    assert found.value == {"element": "9", "action": "SELECT Large & wide"}
    for wrong in (tool(), tool(choice="BC", action="CLICK"), tool(choice=1), tool(choice="B", action="HOVER")):
        assert protocol.parse(wrong, "fixed") is None
    assert protocol.parse(Action(tool=ToolCall(name="other")), "fixed") is None
    assert protocol.parse(tool(choice=1), "published") == protocol.Choice("A", "")


async def test_what_cannot_be_read_is_asked_again_until_the_limit() -> None:
    seen, found = await played(["", "Answer: F", "Answer: F.\nAction: TYPE", "?"], turns=4, candidates=["4", "9"])
    assert [one.finish for one in seen] == [None, None, None, FinishReason.TASK_LIMIT]
    assert protocol.UNREADABLE in asked(seen[0].observation)
    assert found.value == {"element": None, "action": ""}
    # As published a letter without a choice means none of them.
    seen, _ = await played(["Answer: F.\nAction: TYPE"], protocol="published", candidates=["4", "9"])
    assert seen[-1].finish is FinishReason.INVALID_ACTION


async def test_an_unfinished_episode_has_chosen_nothing() -> None:
    _, found = await played(["Answer: B.\nAction: CLICK"])
    assert found.value == {"element": None, "action": ""}


async def test_a_page_without_candidates_is_over_with_any_reply() -> None:
    seen, found = await played(["Answer: B."], candidates=[])
    assert (seen[0].finish, found.value) == (FinishReason.COMPLETED, {"element": None, "action": ""})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"page": "<html>"}, "the page is no XML"),
        ({"page": '<!DOCTYPE html [<!ENTITY a "b">]><html>&a;</html>'}, "declares nothing"),
        ({"candidates": ["4", "99"]}, "the candidate 99 is not on the page"),
        ({"candidates": ["4", "4"]}, "names an element twice"),
        ({"shots": ["one"]}, "ends with a turn of the participant"),
        ({"gold": "9"}, "'gold'"),
    ],
)
async def test_what_is_wrong_with_a_specification_is_said(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        await WebBrowsing().reset(spec(**changed), 0)


async def test_an_unknown_probe_is_a_fault() -> None:
    world = WebBrowsing()
    await world.reset(spec(), 0)
    (found,) = await world.probe([Probe(name="p", type="gold")])
    assert found.fault
    assert "unknown type 'gold'" in str(found.error)


async def test_shots_and_words_stand_in_place_of_ours() -> None:
    words = {"intro": "Look:", "ask": "Well?", "none": "Nothing"}
    seen = await WebBrowsing().reset(spec(words=words, shots=["one", "two"]), 0)
    assert seen.text.startswith("one\nYou: two\n'''\n<html>")
    assert "'''\n\nLook:\nTask: Order the large one\nPrevious actions:\nNone\nWell?\n\nA. Nothing\nB. " in seen.text


def test_only_what_a_question_can_show_is_kept_of_a_page() -> None:
    page = Page(PAGE.replace("<nav", f'<div {ID}="90"><p {ID}="91"><text {ID}="92">far off</text></p></div><nav'))
    slim = page.slim(["15"])
    assert "far off" not in slim
    assert Page(slim).shown(["15"]) == page.shown(["15"])


def test_the_order_of_questions() -> None:
    played = Tournament(list("abcdefg"), lonely=True)
    assert list(played.asked) == list("abcde")
    played.reply("c", "CLICK")
    assert list(played.asked) == list("fgc")
    played.reply(None)
    assert (list(played.asked), played.prediction) == ([], None)
    assert set(CANDIDATES) == {"4", "6", "9", "14", "15", "17"}


def test_the_scorer_likes_rare_words_of_the_task_on_what_is_used() -> None:
    page = Page(PAGE)
    nodes = [page.node(one) for one in CANDIDATES]
    order = ranked(nodes, "Get help with what is large and wide", [])
    assert order.index("17") < order.index("4")
    assert order.index("9") < order.index("14")
    assert ranked(nodes, "Look at my orders", []).index("6") < ranked(nodes, "Get help", []).index("6")
    # What was done before is less likely to be done again.
    assert ranked(nodes, "of no use", []).index("4") < ranked(nodes, "of no use", ["[link]  Shop -> CLICK"]).index("4")
