"""The text protocol of AgentBench's household track, and its tool.

Facts: THUDM/AgentBench v0.2 (form of replies, the closest admissible action by BLEU, the list of actions after every
observation) and main (the function `take_action`); the wording here is ours.
"""

import re
from collections.abc import Collection, Sequence

from envs.base import Action, Tool
from envs.household.bleu import bleu
from envs.household.spec import HouseholdSpec

CLOSE_ENOUGH = 0.01
LONGEST = 2000
NUDGE = "No action was taken: call take_action with one of the available actions as its 'action'."
_ACTION = re.compile(r"ACTION:(.*)")
_ARRIVED = re.compile(r"^You arrive at loc .*?\. ")
_PUT = re.compile(r"put (.+?) (?:in/on|in|on|into|onto) (.+)")
_MOVE = re.compile(r"move (.+?) to (.+)")


def command_of(action: Action) -> str | None:
    """What a participant wants to do, lower-case; None where nothing can be found, as published."""
    if action.text is None:
        called = action.tool
        reply = called.arguments.get("action") if called is not None and called.name == "take_action" else None
        return (reply.strip().lower().split("\n")[0] or None) if isinstance(reply, str) else None
    found = _ACTION.search(action.text)
    return (found.group(1).strip().lower().split("\n")[0] or None) if found else None


def chosen(reply: str, commands: Sequence[str], *, both_verbs: bool) -> str:
    """The command meant by `reply`: itself, with `both_verbs` its wording in the other grammar, or the closest one."""
    reply = reply[:LONGEST]
    if reply in commands:
        return reply
    if both_verbs and (other := _other_verb(reply, commands)):
        return other
    scores = [bleu(command, reply) for command in commands]
    best = max(range(len(scores)), key=scores.__getitem__)
    return commands[best] if scores[best] > CLOSE_ENOUGH else reply


def _other_verb(reply: str, commands: Collection[str]) -> str | None:
    found = _PUT.fullmatch(reply) or _MOVE.fullmatch(reply)
    if found is None:
        return None
    thing, where = found.groups()
    forms = (f"move {thing} to {where}", f"put {thing} in/on {where}")
    return next((form for form in forms if form in commands), None)


def observed(text: str, commands: Sequence[str]) -> str:
    """An observation as published: without the number of the place, and with what can be done now."""
    return f"{_ARRIVED.sub('', text)} AVAILABLE ACTIONS: " + "\n".join(commands) + "\n"


def opening(spec: HouseholdSpec, room: str) -> list[str]:
    """What is said before the first reply, turn by turn: `room` is the first observation of the household."""
    own = not spec.instruction
    before = [INSTRUCTION] if own else [spec.instruction, *spec.example]
    return [*before, *(_EXAMPLE if own else ()), (LEAD if own else spec.lead) + room]


INSTRUCTION = """\
You are in a household that is told to you in words, and you have a task in it. After each of your turns you are told \
what happened, followed by the list of the actions that are possible now. Answer each time in one of two forms: either

THOUGHT: what you think
ACTION: one action

or only

ACTION: one action

Take the action from the list of available actions, word for word. If you are told "Nothing happens.", what you wrote \
was not possible. You can hold one thing at a time. Saying the same thing three times in a row ends the task, and so \
does a turn without an ACTION.
"""
_EXAMPLE = (
    "THOUGHT: I will do so, and take my actions from the list.",
    "An example. You stand by a shelf 1. Your task is to: put some candle on shelf.\n",
    "THOUGHT: Candles are often kept in drawers.\n ACTION: go to drawer 1",
    "You arrive at drawer 1. The drawer 1 is closed.",
    "ACTION: open drawer 1",
    "You open the drawer 1. The drawer 1 is open. In it, you see a candle 2.",
    "ACTION: take candle 2 from drawer 1",
    "You pick up the candle 2 from the drawer 1.",
    "ACTION: go to shelf 1",
    "You arrive at shelf 1. On the shelf 1, you see nothing.",
    "ACTION: move candle 2 to shelf 1",
)
LEAD = "The task begins. "

TOOLS = (
    Tool(
        name="take_action",
        description="Do one thing in the household: one of the available actions, word for word.",
        parameters={
            "type": "object",
            "properties": {"action": {"type": "string", "description": "one of the available actions"}},
            "required": ["action"],
            "additionalProperties": False,
        },
    ),
)
