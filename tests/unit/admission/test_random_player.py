"""The random participant: the same seed the same actions, always ones that the tools take."""

import random

from api.admission import random_player
from envs.base import Action, Observation, Tool
from envs.browser.actions import parse
from envs.browser.verbs import tools

FORM = Observation(
    tools=tools(forms=True),
    data={
        "fields": [
            {"name": "mood", "type": "radio", "options": ["good", "bad"], "reachable": True, "disabled": False},
            {"name": "tags", "type": "checkbox", "options": ["a", "b"], "reachable": True, "disabled": False},
            {"name": "score", "type": "range", "options": [], "min": 2, "max": 4, "reachable": True, "disabled": False},
            {"name": "why", "type": "textarea", "options": [], "reachable": True, "disabled": False},
            {"name": "late", "type": "text", "options": [], "reachable": False, "disabled": False},
        ]
    },
)
PAGE = Observation(text="Tab 0 (current): Shop\n\n[3] link 'Home'\n\t[14] button 'Buy'", tools=tools())


def played(seed: str, seen: Observation) -> list[Action]:
    """Every action of an episode that never ends by itself."""
    policy = random_player.player(seed)
    acts: list[Action] = []
    while (act := policy(seen, len(acts))) is not None:
        acts.append(act)
    return acts


def test_a_form_is_filled_with_its_own_options_and_sent() -> None:
    acts = [act.tool for act in played("1", FORM)]
    assert all(act is not None for act in acts)
    given = {str(act.arguments.get("name")): act for act in acts if act}
    assert given["mood"].arguments["value"] in ("good", "bad")
    assert given["mood"].name == "modify_radio"
    assert set(str(given["tags"].arguments["value"]).split("|")) <= {"a", "b", ""}
    assert given["score"].arguments["value"] in ("2", "3", "4")
    assert "late" not in given
    assert [act.name for act in acts[-2:] if act] == ["submit", "stop"]


def test_the_seed_decides_and_every_action_can_be_parsed() -> None:
    assert played("1", PAGE) == played("1", PAGE) != played("2", PAGE)
    acts = [act for seed in range(40) for act in played(str(seed), PAGE)]
    assert len(acts) == 40 * random_player.ACTIONS
    commands = [parse(act) for act in acts if act.tool and act.tool.name not in ("press", "tab_focus")]
    assert {command.arguments.get("element") for command in commands} == {None, 3, 14}
    assert len({command.verb for command in commands}) > 10


def test_what_an_observation_lists_is_taken_where_a_tool_asks_for_one_of_it() -> None:
    text = {"type": "string"}
    one = {"type": "string", "description": "one of the available actions"}
    act = Tool(name="take_action", description="", parameters={"properties": {"action": one, "why": text}})
    shown = Observation(text="a room", data={"actions": ["go to shelf 1", "look"]}, tools=(act,))
    calls = [action.tool for action in played("1", shown)]
    assert {call.arguments["action"] for call in calls if call} == {"go to shelf 1", "look"}
    assert {call.arguments["why"] for call in calls if call} == {"room"}


def test_a_question_is_answered_with_one_of_its_choices() -> None:
    rng = random.Random(0)
    assert {random_player.answer("Which?", ["A", "B"], rng) for _ in range(50)} == {"A", "B"}
    assert random_player.answer("Count 12 eggs", [], rng) in ("Count", "12", "eggs")
    assert random_player.answer("?", [], rng) == "1"
