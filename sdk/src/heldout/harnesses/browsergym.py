"""Episodes in a browser as BrowserGym environments, for AgentLab and whatever else plays those (`heldout[gymnasium]`).

    heldout.harnesses.browsergym.register("web-sites", split="test", submission=submission.id)
    EnvArgs(task_name="heldout.<episode's id>", ...)        # gymnasium.make("browsergym/heldout.<episode's id>")

The browser is the service's: the agent sees what the service shows, in BrowserGym's form, and acts by BrowserGym's
strings. So what an environment is told of a browser (`headless`, `viewport`, `action_mapping`, ...) is without effect.
There is no DOM (`dom_object` is an empty page), no rectangle of an element, and no action of several calls.
"""

import ast
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np

from heldout.client import Client
from heldout.gym import EpisodeEnv
from heldout.models import Observation

LINE = re.compile(r"""(\t*)\[(\d+|-)\] (\S+) ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(.*)""")
VALUE = re.compile(r""" value: ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)""")
FACT = re.compile(r" (\w+): (\S+)")
CLICKED = frozenset({"button", "link", "checkbox", "radio", "combobox", "tab", "menuitem", "option", "switch"})
_NO_NODES: dict[str, list[int]] = {"index": [], "value": []}
EMPTY_DOM: dict[str, Any] = {
    "documents": [
        {
            "nodes": {
                "nodeType": [9],
                "nodeName": [0],
                "nodeValue": [-1],
                "parentIndex": [-1],
                "attributes": [[]],
                "contentDocumentIndex": _NO_NODES,
            }
        }
    ],
    "strings": ["#document"],
}
Node = dict[str, Any]


def tree(text: str) -> list[Node]:
    """The nodes of an observation's accessibility tree as BrowserGym's `axtree_object` has them, the root first."""
    nodes: list[Node] = [_node("0", None, "RootWebArea", "", "")]
    inside = [(-1, nodes[0])]
    for line in text.partition("\n\n")[2].splitlines():
        found = LINE.fullmatch(line)
        if not found:
            continue
        depth, (number, role, name, facts) = len(found[1]), found.groups()[1:]
        while inside[-1][0] >= depth:
            inside.pop()
        shown = None if number == "-" else number
        node = _node(str(len(nodes)), shown, role, str(ast.literal_eval(name)), facts)
        inside[-1][1]["childIds"].append(node["nodeId"])
        inside.append((depth, node))
        nodes.append(node)
    if len(nodes) > 1 and nodes[1]["role"]["value"] == "RootWebArea":
        # The page's own root comes first; the one above it stands in only where nothing is shown.
        return nodes[1:]
    return nodes


def _node(key: str, number: str | None, role: str, name: str, facts: str) -> Node:
    node: Node = {"nodeId": key, "role": {"value": role}, "name": {"value": name}, "childIds": []}
    if number is not None:
        node["browsergym_id"] = number
    if value := VALUE.search(facts):
        written = value[1]
        node["value"] = {"value": ast.literal_eval(written) if written[0] in "'\"" else written}
    rest = VALUE.sub("", facts).partition(" options: ")
    node["properties"] = [{"name": fact, "value": {"value": _plain(said)}} for fact, said in FACT.findall(rest[0])]
    if rest[2]:
        node["properties"].append({"name": "options", "value": {"value": rest[2]}})
    return node


def _plain(said: str) -> bool | str:
    return said == "True" if said in ("True", "False") else said


def _focused(nodes: list[Node]) -> Iterator[str]:
    for node in nodes:
        held = any(item["name"] == "focused" and item["value"]["value"] is True for item in node["properties"])
        if held and node["role"]["value"] != "RootWebArea" and "browsergym_id" in node:
            yield node["browsergym_id"]


class Chat:
    """What was said, which BrowserGym shows in a window of its own, and here is kept."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def add_message(self, role: str, msg: str) -> None:
        """One more message."""
        self.messages.append({"role": role, "timestamp": time.time(), "message": msg})


class BrowserEnv(EpisodeEnv):
    """One episode, its observations in BrowserGym's form. See `EpisodeEnv` for rewards and errors."""

    def __init__(self, client: Client, problem: str, submission: str | None = None) -> None:
        super().__init__(client, [problem], submission=submission, actions="browsergym", screenshot=True)
        self.chat = Chat()
        self._begun, self._last, self._error = 0.0, "", ""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Any]:
        """Open the episode anew."""
        self.chat, self._last, self._error, self._begun = Chat(), "", "", time.time()
        seen, info = super().reset(seed=seed, options=options)
        return seen, info | {"task_info": {}}

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Act; BrowserGym's times of the action and its `task_info` are in the info."""
        begun = time.time()
        seen, reward, terminated, truncated, info = super().step(action)
        self._last, self._error = action, info["error"] or ""
        seen |= {"last_action": self._last, "last_action_error": self._error}
        times = {"action_exec_start": begun, "action_exec_stop": time.time(), "action_exec_timeout": 0.0}
        said = {"finish_reason": info["finish_reason"], "scored": info["scored"]}
        return seen, reward, terminated, truncated, info | times | {"task_info": said}

    def _shown(self, seen: Observation) -> dict[str, Any]:
        picture = super()._shown(seen)["screenshot"]
        session = self._opened()
        if not self.chat.messages:
            self.chat.add_message("user", session.instruction)
        nodes, data = tree(seen.text), seen.data
        tabs: Any = data.get("tabs") or [{"title": "", "url": str(data.get("url") or "")}]
        numbered = {node["browsergym_id"]: node for node in nodes if "browsergym_id" in node}
        return {
            "chat_messages": tuple(self.chat.messages),
            "goal": session.instruction,
            "goal_object": ({"type": "text", "text": session.instruction},),
            "open_pages_urls": tuple(tab["url"] for tab in tabs),
            "open_pages_titles": tuple(tab["title"] for tab in tabs),
            "active_page_index": np.asarray([data.get("current_tab") or 0]),
            "url": data.get("url") or "",
            "screenshot": picture,
            "dom_object": EMPTY_DOM,
            "axtree_object": {"nodes": nodes},
            "extra_element_properties": {number: _properties(node) for number, node in numbered.items()},
            "focused_element_bid": next(_focused(nodes), ""),
            "last_action": self._last,
            "last_action_error": self._error,
            "elapsed_time": np.asarray([time.time() - self._begun]),
        }


def _properties(node: Node) -> dict[str, Any]:
    clicked = node["role"]["value"] in CLICKED
    return {"visibility": 1.0, "bbox": None, "clickable": clicked, "set_of_marks": False}


def make(problem: str, client: Callable[[], Client], submission: str | None = None, **_browser: Any) -> BrowserEnv:
    """The environment of an episode; what it is told of a browser is without effect."""
    return BrowserEnv(client(), problem, submission)


def register(
    benchmark: str, split: str = "test", *, submission: str | None = None, client: Callable[[], Client] = Client
) -> list[str]:
    """Register the episodes of a benchmark's split as `browsergym/heldout.<id>`; the names for AgentLab's `EnvArgs`.

    They are played within `submission`, where one is named. Raises HeldoutError.
    """
    with client() as asked:
        names = [episode.id for episode in asked.episodes(split, benchmark=benchmark)]
    for name in names:
        gymnasium.register(
            id=f"browsergym/heldout.{name}",
            entry_point="heldout.harnesses.browsergym:make",
            kwargs={"problem": name, "client": client, "submission": submission},
            nondeterministic=True,
        )
    return [f"heldout.{name}" for name in names]
