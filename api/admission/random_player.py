"""A participant who acts at random on what it is shown: the floor that a benchmark's scores stand on.

It sees what every participant sees and nothing else. The same seed and the same observations give the same actions.
"""

import random
import re
from collections.abc import Callable
from typing import Any

from pydantic import JsonValue

from api.admission.player import Policy
from envs.base import Action, Observation, Tool, ToolCall

ACTIONS = 30
FIELD_TOOLS = {
    "radio": "modify_radio",
    "checkbox": "modify_checkbox",
    "select": "modify_select",
    "range": "modify_range",
}
ELEMENT = re.compile(r"^\s*\[(\d+)\]", re.MULTILINE)
# Where an observation's data list what can be done now, a parameter that is "one of the ..." takes one of these.
LISTS = ("actions", "clickables")
WORD = re.compile(r"\w{3,20}")
# Looking and waiting bring nobody further; ending is left to the limit of actions.
PASSIVE = frozenset({"noop", "observe", "wait", "get_html", "capture_screen", "stop", "maximize_window", "finish"})


def player(seed: str) -> Policy:
    """A fresh participant for one episode: fills in the form that it is shown, or calls tools at random."""
    rng = random.Random(seed)
    tools: dict[str, Tool] = {}
    acts: list[ToolCall] = []
    formal: list[ToolCall] = []

    def act(seen: Observation, number: int) -> Action | None:
        if number == 0:
            tools.update({tool.name: tool for tool in seen.tools})
            acts.extend(_form(seen, rng) if "fields" in seen.data else ())
            formal.extend(acts)
        if acts:
            return Action(tool=acts.pop(0))
        if formal or number >= ACTIONS:
            return None
        return _any(tools, seen, rng)

    return act


def answer(statement: str, choices: list[str], rng: random.Random) -> str:
    """An answer to a question: one of its choices, else one of its own words or numbers."""
    words: list[str] = re.findall(r"\w+", statement)
    return rng.choice(choices or words or ["1"])


def _form(seen: Observation, rng: random.Random) -> list[ToolCall]:
    fields = seen.data.get("fields")
    known = [item for item in fields if isinstance(item, dict)] if isinstance(fields, list) else []
    calls = [_field(item, rng) for item in known if item.get("reachable") and not item.get("disabled")]
    return [*calls, ToolCall(name="submit"), ToolCall(name="stop")]


def _field(item: dict[str, Any], rng: random.Random) -> ToolCall:
    options, kind = [str(option) for option in item["options"]], item["type"]
    if kind == "checkbox":
        value = "|".join(option for option in options if rng.random() < 0.5)
    elif kind == "range":
        low = int(item["min"])
        value = str(rng.randint(low, max(low, int(item["max"]))))
    else:
        value = rng.choice(options) if options else "something"
    return ToolCall(name=FIELD_TOOLS.get(kind, "modify_text"), arguments={"name": item["name"], "value": value})


def _any(tools: dict[str, Tool], seen: Observation, rng: random.Random) -> Action:
    if not tools:
        return Action(text=rng.choice(WORD.findall(seen.text) or ["look"]))
    elements = [int(number) for number in ELEMENT.findall(seen.text)]
    wanted = [tool for tool in tools.values() if tool.name not in PASSIVE and "name" not in _properties(tool)]
    wanted = [tool for tool in wanted if elements or "element" not in _properties(tool)]
    tool = rng.choice(wanted or list(tools.values()))
    return Action(tool=ToolCall(name=tool.name, arguments=_arguments(tool, seen, elements, rng)))


def _arguments(tool: Tool, seen: Observation, elements: list[int], rng: random.Random) -> dict[str, JsonValue]:
    words: list[str] = WORD.findall(seen.text) or ["word"]
    listed = next((found for name in LISTS if isinstance(found := seen.data.get(name), list) and found), [])
    made: dict[str, JsonValue] = {}
    for name, schema in _properties(tool).items():
        kinds: dict[str, Callable[[], JsonValue]] = {
            "integer": lambda: rng.randint(0, 9),
            "number": lambda: round(rng.uniform(0, 1), 3),
            "boolean": lambda: rng.random() < 0.5,
        }
        if name in ("element", "target") and elements:
            made[name] = rng.choice(elements)
        elif schema.get("enum"):
            made[name] = rng.choice(schema["enum"])
        elif listed and str(schema.get("description")).startswith("one of the"):
            made[name] = rng.choice(listed)
        else:
            kind = kinds.get(str(schema.get("type")))
            made[name] = kind() if kind else rng.choice(words)
    return made


def _properties(tool: Tool) -> dict[str, Any]:
    found = tool.parameters.get("properties")
    return found if isinstance(found, dict) else {}
