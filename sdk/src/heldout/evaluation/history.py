"""What of an episode's conversation is sent: all, the last turns, or what fits by AgentBench's count of segments."""

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

Messages = Sequence[dict[str, Any]]
SEGMENTS = 3500
_LIMITED = re.compile(r"(last|tokens):([1-9][0-9]{0,8})")
_LETTERS = 7


def segments(text: str) -> int:
    """How long a text is as published: seven letters of a word, begun, count one, as other characters but blanks do."""
    runs = ((letters, list(run)) for letters, run in groupby(text, str.isalpha))
    return sum(-(-len(run) // _LETTERS) if letters else sum(char not in " \n" for char in run) for letters, run in runs)


def first_kept(lengths: Sequence[int], limit: int = SEGMENTS) -> int:
    """The number of the first of the latest messages that stay below `limit` segments, together with message 0."""
    first, room = len(lengths), limit - lengths[0]
    while first > 1 and (room := room - lengths[first - 1]) > 0:
        first -= 1
    return first


def notice(left_out: int) -> str:
    """What is added to message 0 where messages are left out."""
    return f"\n\n[NOTICE] {left_out} messages are omitted." if left_out else ""


def written(message: dict[str, Any]) -> str:
    """What a chat message says: its text parts, and the names and arguments of its tool calls."""
    content = message.get("content") or ""
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [str(part["text"]) for part in parts if "text" in part]
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        texts += [str(function.get("name") or ""), str(function.get("arguments") or "")]
    return "\n".join(text for text in texts if text)


def policy(name: str) -> Callable[[Messages], list[dict[str, Any]]]:
    """What to send of a conversation: `whole`; `last:N`, the first message and the last N turns; `tokens:N`, the first
    message and the latest that stay below N tokens by the client's count (`segments`; pictures are not counted); or
    `published`, which is `tokens:3500`, as AgentBench does. Raises ValueError for another name.
    """
    if name == "whole":
        return list
    found = _LIMITED.fullmatch("tokens:3500" if name == "published" else name)
    if found is None:
        raise ValueError(f"'{name}' is no history; there are whole, published, last:N (turns) and tokens:N")
    limit = int(found[2])
    return (lambda told: last_turns(told, limit)) if found[1] == "last" else (lambda told: shortened(told, limit))


def last_turns(messages: Messages, count: int) -> list[dict[str, Any]]:
    """Message 0, which says how many are left out, and the agent's last `count` messages with what answered each."""
    own = [number for number, message in enumerate(messages) if message["role"] == "assistant"]
    return _from(messages, own[-count]) if len(own) > count else list(messages)


def shortened(messages: Messages, limit: int = SEGMENTS) -> list[dict[str, Any]]:
    """Message 0, which says how many are left out, and the latest that fit, of which the first is the agent's own."""
    first = first_kept([segments(written(message)) for message in messages], limit)
    while first < len(messages) and messages[first]["role"] != "assistant":
        first += 1
    return _from(messages, first)


def _from(messages: Messages, first: int) -> list[dict[str, Any]]:
    if first == 1 or len(messages) == 1:
        return list(messages)
    content, said = messages[0]["content"], notice(first - 1)
    told = [*content, {"type": "text", "text": said}] if isinstance(content, list) else content + said
    return [messages[0] | {"content": told}, *messages[first:]]
