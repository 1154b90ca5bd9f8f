"""How a conversation is put to an endpoint and what comes back: OpenAI chat and responses, Anthropic messages.

Inside there is one form, that of chat completions: messages with `role`, `content`, `tool_calls`. A protocol writes it
as a request and reads the reply into a message of this form and the tokens that it cost. A message that the
endpoint cut for its length has `finish_reason` "length"; it is not sent back.
"""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from heldout.models import Tool, Usage

Message = dict[str, Any]
Name = Literal["chat", "responses", "messages"]
ANTHROPIC_VERSION = "2023-06-01"
LONGEST_REPLY = 4096
_END = "finish_reason"


class NotAReplyError(ValueError):
    """The reply is not one of this protocol."""


@dataclass(frozen=True)
class Asked:
    """What a model is asked: the conversation, the tools it may call, sampling settings by their names in chat."""

    model: str
    system: str
    messages: Sequence[Message]
    tools: Sequence[Tool]
    parameters: Mapping[str, Any]


class Spent(Usage):
    """Usage as the run's own record has it; the service is told the sums alone."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True)
class Prices:
    """US dollars for a million tokens; `cached` is that of tokens read from a cache (default: as any other)."""

    input: float
    output: float
    cached: float | None = None


@dataclass(frozen=True)
class Tokens:
    """Tokens of one reply; `cached` are those of `input` that were read from a cache, `reasoning` those of `output`
    that were thought and not said."""

    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0

    def usage(self, prices: Prices | None) -> Spent:
        """What this cost."""
        spent = Spent(
            tokens=self.input + self.output,
            input_tokens=self.input,
            output_tokens=self.output,
            cached_tokens=self.cached,
            reasoning_tokens=self.reasoning,
        )
        if prices is None:
            return spent
        cached = prices.input if prices.cached is None else prices.cached
        dollars = (self.input - self.cached) * prices.input + self.cached * cached + self.output * prices.output
        return spent.model_copy(update={"cost": dollars / 1e6})


@dataclass(frozen=True)
class Protocol:
    """`path` below the endpoint's address, the headers that carry a key, and the two directions."""

    path: str
    headers: Callable[[str], dict[str, str]]
    write: Callable[[Asked], dict[str, Any]]
    read: Callable[[dict[str, Any]], tuple[Message, Tokens | None]]


def _bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def _write_chat(asked: Asked) -> dict[str, Any]:
    head = [{"role": "system", "content": asked.system}] if asked.system else []
    said = [{name: value for name, value in message.items() if name != _END} for message in asked.messages]
    body = {"model": asked.model, "messages": [*head, *said], **asked.parameters}
    tools = [{"type": "function", "function": tool.model_dump(mode="json")} for tool in asked.tools]
    return body | ({"tools": tools} if tools else {})


def _read_chat(reply: dict[str, Any]) -> tuple[Message, Tokens | None]:
    given = reply["choices"][0]["message"]
    kept = {name: value for name, value in given.items() if name in {"content", "tool_calls"}}
    kept |= _ended(reply["choices"][0].get(_END) == "length")
    return {"role": "assistant"} | kept, _counted(reply.get("usage"), "prompt_tokens", "completion_tokens")


def _write_responses(asked: Asked) -> dict[str, Any]:
    parameters = dict(asked.parameters)
    if "max_tokens" in parameters:
        parameters["max_output_tokens"] = parameters.pop("max_tokens")
    if "reasoning_effort" in parameters:
        parameters["reasoning"] = {"effort": parameters.pop("reasoning_effort")}
    tools = [{"type": "function", "strict": False, **tool.model_dump(mode="json")} for tool in asked.tools]
    items = [item for message in asked.messages for item in _items(message)]
    body = {"model": asked.model, "input": items, "store": False, **parameters}
    return body | ({"instructions": asked.system} if asked.system else {}) | ({"tools": tools} if tools else {})


def _items(message: Message) -> list[dict[str, Any]]:
    """A message as items of the responses protocol."""
    if message["role"] == "tool":
        output = {"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}
        return [output]
    kind = "output_text" if message["role"] == "assistant" else "input_text"
    parts = [
        {"type": "input_image", "image_url": part["image_url"]["url"]}
        if part["type"] == "image_url"
        else {"type": kind, "text": part["text"]}
        for part in _parts(message)
    ]
    calls = [
        {
            "type": "function_call",
            "call_id": call.get("id", ""),
            "name": call["function"]["name"],
            "arguments": call["function"]["arguments"],
        }
        for call in message.get("tool_calls") or ()
    ]
    return [*([{"role": message["role"], "content": parts}] if parts else []), *calls]


def _read_responses(reply: dict[str, Any]) -> tuple[Message, Tokens | None]:
    texts: list[str] = []
    calls: list[dict[str, Any]] = []
    for item in reply["output"]:
        if item["type"] == "message":
            texts += [str(part["text"]) for part in item["content"] if part["type"] == "output_text"]
        elif item["type"] == "function_call":
            calls.append(_call(item["call_id"], item["name"], item["arguments"]))
    cut = (reply.get("incomplete_details") or {}).get("reason") == "max_output_tokens"
    return _message(texts, calls, cut), _counted(reply.get("usage"), "input_tokens", "output_tokens")


def _write_messages(asked: Asked) -> dict[str, Any]:
    parameters = {"max_tokens": LONGEST_REPLY} | dict(asked.parameters)
    if "stop" in parameters:
        parameters["stop_sequences"] = parameters.pop("stop")
    turns: list[dict[str, Any]] = []
    for message in asked.messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        # Results of tools and what follows them are one turn: every call has to be answered in the next one.
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += _blocks(message)
        else:
            turns.append({"role": role, "content": _blocks(message)})
    tools = [
        {
            "name": tool.name,
            "description": tool.description,
            "input_schema": {"type": "object", "properties": {}} | tool.parameters,
        }
        for tool in asked.tools
    ]
    body = {"model": asked.model, "messages": turns, **parameters}
    return body | ({"system": asked.system} if asked.system else {}) | ({"tools": tools} if tools else {})


def _blocks(message: Message) -> list[dict[str, Any]]:
    """A message as content blocks of the messages protocol."""
    if message["role"] == "tool":
        return [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}]
    blocks: list[dict[str, Any]] = []
    for part in _parts(message):
        if part["type"] == "image_url":
            kind, _, data = part["image_url"]["url"].removeprefix("data:").partition(";base64,")
            blocks.append({"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}})
        else:
            blocks.append({"type": "text", "text": part["text"]})
    for call in message.get("tool_calls") or ():
        function = call["function"]
        blocks.append(
            {
                "type": "tool_use",
                "id": call.get("id", ""),
                "name": function["name"],
                "input": json.loads(function["arguments"]),
            }
        )
    return blocks


def _read_messages(reply: dict[str, Any]) -> tuple[Message, Tokens | None]:
    texts = [str(block["text"]) for block in reply["content"] if block["type"] == "text"]
    calls = [
        _call(block["id"], block["name"], json.dumps(block["input"]))
        for block in reply["content"]
        if block["type"] == "tool_use"
    ]
    used, cut = reply.get("usage"), reply.get("stop_reason") == "max_tokens"
    if not isinstance(used, dict):
        return _message(texts, calls, cut), None
    cached = int(used.get("cache_read_input_tokens") or 0)
    written = int(used.get("cache_creation_input_tokens") or 0)
    # Here, and only here, what was read from a cache is not part of the input.
    tokens = Tokens(int(used["input_tokens"]) + cached + written, int(used["output_tokens"]), cached)
    return _message(texts, calls, cut), tokens


def _parts(message: Message) -> list[dict[str, Any]]:
    """The content's parts; an empty text is none, which endpoints refuse."""
    content = message.get("content") or []
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [part for part in parts if part["type"] != "text" or part["text"]]


def _call(identifier: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": arguments}}


def _message(texts: Sequence[str], calls: Sequence[dict[str, Any]], cut: bool) -> Message:
    said: Message = {"role": "assistant", "content": "\n".join(texts)} | _ended(cut)
    return said | ({"tool_calls": list(calls)} if calls else {})


def _ended(cut: bool) -> dict[str, Any]:
    return {_END: "length"} if cut else {}


def cut_short(message: Message) -> bool:
    """Whether the endpoint ended this message for its length, and not the model."""
    return message.get(_END) == "length"


def _counted(used: object, sent: str, received: str) -> Tokens | None:
    if not isinstance(used, dict) or not used.keys() & {sent, "total_tokens"}:
        return None
    if sent not in used:
        return Tokens(output=int(used["total_tokens"]))
    read, thought = used.get(f"{sent}_details") or {}, used.get(f"{received}_details") or {}
    return Tokens(
        int(used[sent]),
        int(used.get(received) or 0),
        int(read.get("cached_tokens") or 0),
        int(thought.get("reasoning_tokens") or 0),
    )


PROTOCOLS: dict[Name, Protocol] = {
    "chat": Protocol("/chat/completions", _bearer, _write_chat, _read_chat),
    "responses": Protocol("/responses", _bearer, _write_responses, _read_responses),
    "messages": Protocol(
        "/messages",
        lambda key: {"x-api-key": key, "anthropic-version": ANTHROPIC_VERSION},
        _write_messages,
        _read_messages,
    ),
}


def read(protocol: Protocol, body: bytes) -> tuple[Message, Tokens | None]:
    """The reply's message and tokens. Raises NotAReplyError."""
    try:
        reply = json.loads(body)
    except ValueError:
        raise NotAReplyError("no JSON") from None
    try:
        return protocol.read(reply)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise NotAReplyError(f"no reply of this protocol ({type(error).__name__}: {error})") from None


def base_of(url: str, protocol: Protocol) -> str:
    """The endpoint's address before the protocol's path, which whoever copied the whole address gave too."""
    return url.rstrip("/").removesuffix(protocol.path)


def without_login(url: str) -> tuple[str, str]:
    """An address without `user:password@`, and that as the value of an Authorization header, else an empty string."""
    try:
        parts = urlsplit(url)
    except ValueError:  # the client, which is given it next, says what is wrong with it
        return url, ""
    login, at, host = parts.netloc.rpartition("@")
    if not at:
        return url, ""
    encoded = base64.b64encode(unquote(login).encode()).decode()
    return parts._replace(netloc=host).geturl(), f"Basic {encoded}"
