"""The text protocol of AgentBench's shopping track, and its tools.

Facts: THUDM/AgentBench v0.2 (form of replies and observations) and main (the functions `search_action` and
`click_action`); the wording here is ours.
"""

import re
from dataclasses import dataclass
from typing import Literal

from envs.base import Action, Tool
from envs.web_shopping.pages import Page

LONGEST = 20_000
NUDGE = "No action was taken: call search_action with keywords, or click_action with one of the clickables."
UNREADABLE = "no 'Action:' with search[...] or click[...] was found in the reply"
# Possessive: the same matches as published, in time that grows with the reply alone.
_ACTION = re.compile(r"[Aa]ction: *+\n*+ *+((?:search|click)\[.+?\])")
_CALL = re.compile(r"(.+)\[(.+)\]")


@dataclass(frozen=True, slots=True)
class Request:
    """What a reply asks for; `none` is an action that is understood and does nothing."""

    kind: Literal["search", "click", "none"]
    argument: str = ""


def parse(action: Action) -> Request | None:
    """The request in a reply, as published; None where there is none."""
    if action.text is not None:
        found = _ACTION.search(action.text[:LONGEST])
        return _request(found.group(1)) if found else None
    called = action.tool
    if called is None:
        return None
    calls: tuple[tuple[str, str, Literal["search", "click"]], ...] = (
        ("search_action", "keywords", "search"),
        ("click_action", "value", "click"),
    )
    for tool, field, kind in calls:
        value = called.arguments.get(field)
        if called.name == tool and isinstance(value, str) and value:
            return Request(kind, value[:LONGEST].lower())
    return None


def _request(text: str) -> Request:
    """As published: the name reaches to the last opening bracket, and what is neither a search nor a click is no
    action."""
    found = _CALL.match(text)
    if found is None or found.group(1) not in ("search", "click"):
        return Request("none")
    return Request("search" if found.group(1) == "search" else "click", found.group(2).lower())


def observed(page: Page) -> str:
    """A page as it is shown: its texts, and what can be done on it, in the published form."""
    actions = {"has_search_bar": page.has_search_bar, "clickables": list(page.clickables)}
    return f"Observation:\n{page.observation}\n\nAvailable Actions:\n{actions}"


_INSTRUCTION = """\
You shop on a web site that is shown to you as text, for somebody who told you what to buy. In every round you see the \
page you are on and the actions that are possible there, and you answer with one action:

search[words]  looks for products by words of your own choice
click[text]    clicks one of the page's clickables; the text is one of the list, word for word

Choose the options that the instruction asks for by clicking them, one after the other, and end with click[buy now]. \
There are ten rounds. An action that is not possible changes nothing, and a reply in another form ends the task. Write

Thought:
what you think

Action:
click[text]
"""
_PAGE = 'Observation:\n{}\n\nAvailable Actions:\n{{"has_search_bar": {}, "clickables": ["..."]}}'
_WISH = "Instruction: [SEP] a stackable oat green soup bowl, and price lower than 30.00 dollars"
_ITEM = (
    f"{_WISH} [SEP] Back to Search [SEP] < Prev [SEP] color [SEP] oat green [SEP] night blue [SEP] Stackable Soup Bowl "
    "in Stoneware [SEP] Price: $18.5 [SEP] Rating: N.A. [SEP] Description [SEP] Features [SEP] Reviews [SEP] Buy Now"
)
OPENING = (
    _INSTRUCTION,
    "Understood.",
    _PAGE.format(f"WebShop [SEP] {_WISH} [SEP] Search", "true"),
    "Thought:\nI look for the bowl first.\n\nAction:\nsearch[stackable soup bowl oat green]",
    _PAGE.format(
        f"{_WISH} [SEP] Back to Search [SEP] Page 1 (Total results: 2) [SEP] Next > [SEP] B0EXAMPLE1 [SEP] Stackable "
        "Soup Bowl in Stoneware [SEP] $18.5 [SEP] B0EXAMPLE2 [SEP] Soup Bowl with a Lid [SEP] $34.0",
        "false",
    ),
    "Thought:\nThe first one is stackable and cheap enough.\n\nAction:\nclick[b0example1]",
    _PAGE.format(_ITEM, "false"),
    "Thought:\nThe colour has to be oat green.\n\nAction:\nclick[oat green]",
    _PAGE.format(_ITEM, "false"),
    "Thought:\nThat is what was asked for.\n\nAction:\nclick[buy now]",
)

TOOLS = (
    Tool(
        name="search_action",
        description="Look for products by words.",
        parameters={
            "type": "object",
            "properties": {"keywords": {"type": "string", "description": "words to look for"}},
            "required": ["keywords"],
            "additionalProperties": False,
        },
    ),
    Tool(
        name="click_action",
        description="Click a button, a product or an option of the page: one of its clickables, word for word.",
        parameters={
            "type": "object",
            "properties": {"value": {"type": "string", "description": "one of the clickables"}},
            "required": ["value"],
            "additionalProperties": False,
        },
    ),
)
