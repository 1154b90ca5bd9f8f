"""One conversation in three protocols: what is sent, what is read, what it cost."""

import json
from typing import Any

import httpx2
import pytest

from heldout import Tool
from heldout.evaluation import ChatModel, EndpointError, Prices
from heldout.evaluation.protocols import Spent
from sdk.tests.scripted import QUICK

PICTURE = "data:image/png;base64,iVBORw0KGgo="
TOOL = Tool(name="bash", description="run", parameters={"type": "object", "properties": {"script": {"type": "string"}}})
CALL = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"script": "ls"}'}}
LOOK = [{"type": "text", "text": "Look."}, {"type": "image_url", "image_url": {"url": PICTURE}}]
MESSAGES: list[dict[str, Any]] = [
    {
        "role": "user",
        "content": [{"type": "text", "text": "Look."}, {"type": "image_url", "image_url": {"url": PICTURE}}],
    },
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "a.txt"},
    {"role": "user", "content": "Go on."},
]
CHAT = {
    "choices": [{"message": {"role": "assistant", "content": "done", "tool_calls": [CALL]}}],
    "usage": {
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "prompt_tokens_details": {"cached_tokens": 60},
        "completion_tokens_details": {"reasoning_tokens": 4},
    },
}
RESPONSES = {
    "output": [
        {"type": "reasoning", "summary": []},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "done"}],
        },
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"script": "ls"}'},
    ],
    "usage": {
        "input_tokens": 100,
        "output_tokens": 10,
        "input_tokens_details": {"cached_tokens": 60},
        "output_tokens_details": {"reasoning_tokens": 4},
    },
}
ANTHROPIC = {
    "content": [
        {"type": "thinking", "thinking": "..."},
        {"type": "text", "text": "done"},
        {"type": "tool_use", "id": "c1", "name": "bash", "input": {"script": "ls"}},
    ],
    "usage": {
        "input_tokens": 30,
        "output_tokens": 10,
        "cache_read_input_tokens": 60,
        "cache_creation_input_tokens": 10,
    },
}


def model(reply: dict[str, Any], seen: list[httpx2.Request], **more: Any) -> ChatModel:
    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json=reply)

    transport = httpx2.MockTransport(answer)
    return ChatModel("m", url="https://models.test/v1", key="sk", retries=QUICK, transport=transport, **more)


@pytest.mark.parametrize(("protocol", "reply"), [("chat", CHAT), ("responses", RESPONSES), ("messages", ANTHROPIC)])
def test_the_same_reply_is_read_and_costs_the_same_in_each(protocol: Any, reply: dict[str, Any]) -> None:
    seen: list[httpx2.Request] = []
    asked = model(
        reply, seen, protocol=protocol, prices=Prices(input=2, output=10, cached=0.5), headers={"x-team": "a"}
    )
    message, usage = asked.talk(MESSAGES, [TOOL])
    assert (message["role"], message["content"]) == ("assistant", "done")
    (call,) = message["tool_calls"]
    assert (call["id"], call["function"]["name"], json.loads(call["function"]["arguments"])) == (
        "c1",
        "bash",
        {"script": "ls"},
    )
    assert usage is not None
    assert isinstance(usage, Spent)
    assert (usage.tokens, usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (110, 100, 10, 60)
    assert usage.reasoning_tokens == (0 if protocol == "messages" else 4)
    assert usage.cost == pytest.approx((40 * 2 + 60 * 0.5 + 10 * 10) / 1e6)
    assert seen[0].headers["x-team"] == "a"


def test_chat_is_sent_as_it_is() -> None:
    seen: list[httpx2.Request] = []
    model(CHAT, seen, system="Be brief.", parameters={"temperature": 0, "seed": 1}).talk(MESSAGES, [TOOL])
    body = json.loads(seen[0].content)
    assert str(seen[0].url) == "https://models.test/v1/chat/completions"
    assert seen[0].headers["authorization"] == "Bearer sk"
    assert body["messages"] == [{"role": "system", "content": "Be brief."}, *MESSAGES]
    assert (body["model"], body["temperature"], body["seed"]) == ("m", 0, 1)
    assert body["tools"][0]["function"]["name"] == "bash"


def test_responses_are_asked_with_items_and_nothing_is_stored() -> None:
    seen: list[httpx2.Request] = []
    parameters = {"max_tokens": 50, "reasoning_effort": "low", "top_p": 0.5}
    model(RESPONSES, seen, protocol="responses", system="Be brief.", parameters=parameters).talk(MESSAGES, [TOOL])
    assert str(seen[0].url) == "https://models.test/v1/responses"
    body = json.loads(seen[0].content)
    parts = [{"type": "input_text", "text": "Look."}, {"type": "input_image", "image_url": PICTURE}]
    assert body.pop("input") == [
        {"role": "user", "content": parts},
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"script": "ls"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "a.txt"},
        {"role": "user", "content": [{"type": "input_text", "text": "Go on."}]},
    ]
    (tool,) = body.pop("tools")
    assert (tool["type"], tool["name"], tool["strict"]) == ("function", "bash", False)
    settings = {"max_output_tokens": 50, "reasoning": {"effort": "low"}, "top_p": 0.5}
    assert body == {"model": "m", "store": False, "instructions": "Be brief."} | settings


def test_messages_are_turns_of_blocks_and_the_key_is_no_bearer() -> None:
    seen: list[httpx2.Request] = []
    model(ANTHROPIC, seen, protocol="messages", system="Be brief.", parameters={"stop": ["END"]}).talk(MESSAGES, [TOOL])
    assert str(seen[0].url) == "https://models.test/v1/messages"
    assert seen[0].headers["x-api-key"] == "sk"
    assert seen[0].headers["anthropic-version"]
    assert "authorization" not in seen[0].headers
    body = json.loads(seen[0].content)
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "Look."}, picture]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "bash", "input": {"script": "ls"}}]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "a.txt"},
                {"type": "text", "text": "Go on."},
            ],
        },
    ]
    assert (body["system"], body["stop_sequences"], body["max_tokens"]) == ("Be brief.", ["END"], 4096)
    assert body["tools"][0]["input_schema"]["type"] == "object"


@pytest.mark.parametrize("protocol", ["chat", "responses", "messages"])
@pytest.mark.parametrize(
    "reply", [{}, {"choices": []}, {"output": [{}]}, {"content": [{"type": "text"}]}, {"content": 5}]
)
def test_another_reply_is_the_endpoints_fault(protocol: Any, reply: dict[str, Any]) -> None:
    with pytest.raises(EndpointError, match=r"models\.test") as caught:
        model(reply, [], protocol=protocol).talk(MESSAGES, ())
    assert caught.value.passing


def test_the_key_of_the_service_is_never_sent_to_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELDOUT_API_KEY", "hld_secret")
    seen: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json=CHAT)

    ChatModel("m", url="https://models.test/v1", transport=httpx2.MockTransport(answer)).talk(MESSAGES, ())
    assert "hld_secret" not in str(seen[0].headers.raw)
