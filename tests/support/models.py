"""An OpenAI-compatible endpoint on a socket, scripted: for programs that cannot be given a transport."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.support.loopback import loopback

Script = Callable[[dict[str, Any]], dict[str, Any]]
USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}


def answering(text: str) -> Script:
    """Always the same words."""
    return lambda _: {"role": "assistant", "content": text}


class RefusedError(Exception):
    """What a script raises for a reply of another status."""

    def __init__(self, status: int, **headers: str) -> None:
        super().__init__(status)
        self.status, self.headers = status, headers


class ScriptedModel(str):
    """The endpoint's address, with the bodies that it was asked with, the headers of the last request, and the tokens
    that it tells of each reply."""

    asked: list[dict[str, Any]]
    headers: dict[str, str]
    usage: dict[str, int] | None


@asynccontextmanager
async def scripted_model(script: Script = answering("ANSWER: B")) -> AsyncIterator[ScriptedModel]:
    """Serve chat completions on loopback; `script` makes a message of a request's body."""
    model = ScriptedModel()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = head.decode().split("\r\n")[1:]
                model.headers = {n.lower(): v for n, v in (line.split(": ", 1) for line in lines if line)}
                body = json.loads(await reader.readexactly(int(model.headers["content-length"])))
                model.asked.append(body)
                try:
                    message = script(body)
                except RefusedError as refused:
                    more = "".join(f"{name}: {value}\r\n" for name, value in refused.headers.items())
                    writer.write(f"HTTP/1.1 {refused.status} No\r\n{more}content-length: 0\r\n\r\n".encode())
                    await writer.drain()
                    continue
                ended = "tool_calls" if message.get("tool_calls") else "stop"
                choice = {"index": 0, "message": message, "finish_reason": ended}
                reply = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
                content = json.dumps(reply | {"choices": [choice], "usage": model.usage}).encode()
                said = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
                writer.write(said.encode() + content)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with loopback(serve) as port:
        model = ScriptedModel(f"http://127.0.0.1:{port}/v1")
        model.asked, model.headers, model.usage = [], {}, USAGE
        yield model
