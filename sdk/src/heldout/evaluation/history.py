"""How long a conversation is by AgentBench's count, and its published shortening."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Literal

History = Literal["whole", "published"]
SEGMENTS = 3500
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


def shortened(messages: Sequence[dict[str, Any]], limit: int = SEGMENTS) -> list[dict[str, Any]]:
    """Message 0, which says how many are left out, and the latest that fit, of which the first is the agent's own."""
    first = first_kept([segments(written(message)) for message in messages], limit)
    while first < len(messages) and messages[first]["role"] != "assistant":
        first += 1
    if first == 1 or len(messages) == 1:
        return list(messages)
    content, said = messages[0]["content"], notice(first - 1)
    told = [*content, {"type": "text", "text": said}] if isinstance(content, list) else content + said
    return [messages[0] | {"content": told}, *messages[first:]]
