"""An episode as a Model Context Protocol server on standard input and output (`pip install 'heldout[mcp]'`).

    heldout mcp ses_...

Any MCP client is a participant: the episode's tools are the server's tools, what is asked is its instructions. A world
that only reads text has one tool, `act`. `finish_episode` ends the episode, with the final answer where there is one.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from heldout.errors import HeldoutError
from heldout.evaluation.agents import Task, shown
from heldout.models import Observation
from heldout.sessions import Session

ACT, FINISH = "act", "finish_episode"
_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}
_TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
_ANSWER = {"type": "object", "properties": {"answer": {"type": ["string", "number"]}}}


class EpisodeServer:
    """Serves one open session: `server` speaks the protocol, on whatever streams it is run."""

    def __init__(self, session: Session) -> None:
        self._session = session
        # Steps are numbered: a client that calls several tools at once has them taken one after the other.
        self._turn = anyio.Lock()
        self.server = Server(
            "heldout",
            instructions=Task(session.id, session=session).prompt,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def run(self) -> None:
        """Serve on standard input and output until the client hangs up."""
        async with stdio_server() as (incoming, outgoing):
            await self.server.run(incoming, outgoing, self.server.create_initialization_options())

    async def _list(
        self, context: ServerRequestContext[Any], asked: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        del context, asked
        return types.ListToolsResult(tools=self._tools())

    def _tools(self) -> list[types.Tool]:
        tools = [
            types.Tool(
                name=tool.name,
                description=tool.description,
                input_schema={"type": "object", "properties": {}} | tool.parameters,
            )
            for tool in self._session.tools
        ]
        if not tools:
            about = self._session.status.answer_format or "Say or do something in the episode's own form."
            tools = [types.Tool(name=ACT, description=about, input_schema=_TEXT)]
        ending = "End the episode; with the final answer, where the task asks for one."
        return [*tools, types.Tool(name=FINISH, description=ending, input_schema=_ANSWER)]

    async def _call(
        self, context: ServerRequestContext[Any], asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        del context
        arguments = asked.arguments or {}
        async with self._turn:
            if self._session.over:
                return _said(f"the episode is over: {self._session.finish_reason}", fault=True)
            if refusal := wrong_call(asked.name, arguments, self._tools()):
                return _said(f"{refusal}. Nothing was done, and no turn is spent", fault=True)
            try:
                if asked.name == FINISH:
                    answer = arguments.get("answer")
                    finish = partial(self._session.finish, None if answer is None else str(answer))
                    await anyio.to_thread.run_sync(finish)
                    return _said(f"the episode has ended: {self._session.finish_reason}")
                textual = asked.name == ACT and not self._session.tools
                action = str(arguments.get("text", "")) if textual else {"name": asked.name, "arguments": arguments}
                result = await anyio.to_thread.run_sync(self._session.step, action)
            except HeldoutError as error:
                return _said(str(error), fault=True)
        ended = f"the episode has ended: {result.finish_reason}" if result.finish_reason else ""
        return _seen(result.observation, ended)


def wrong_call(name: str, arguments: Mapping[str, Any], tools: Sequence[types.Tool]) -> str:
    """What is wrong with a call, by the tools' own schemas, and what would be right; nothing where it may be sent."""
    schema = next((tool.input_schema for tool in tools if tool.name == name), None)
    if schema is None:
        return f"there is no tool '{name}' here; there are: {', '.join(tool.name for tool in tools)}"
    fields: Mapping[str, Any] = schema.get("properties") or {}
    needed = schema.get("required") or []
    faults = [f"'{field}' is missing" for field in needed if field not in arguments]
    if not schema.get("additionalProperties"):
        faults += [f"there is no '{field}'" for field in arguments if field not in fields]
    faults += [
        f"'{f}' must be of type {fields[f]['type']}"
        for f in arguments
        if f in fields and not _fits(fields[f], arguments[f])
    ]
    if not faults:
        return ""
    known = ", ".join(field if field in needed else f"{field} (optional)" for field in fields)
    return f"{name}: {'; '.join(faults)}; its fields are: {known or 'none'}"


def _fits(field: Mapping[str, Any], value: object) -> bool:
    kind = field.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        return True
    if isinstance(value, bool) and kind != "boolean":
        return False
    return isinstance(value, _TYPES[kind]) or (kind == "integer" and isinstance(value, float) and value.is_integer())


def _said(text: str, *, fault: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=fault)


def _seen(observation: Observation, ended: str) -> types.CallToolResult:
    text = "\n\n".join(part for part in (shown(observation), ended) if part)
    pictures = [
        types.ImageContent(data=observation.images[name], mime_type="image/png") for name in sorted(observation.images)
    ]
    return types.CallToolResult(content=[types.TextContent(text=text), *pictures])
