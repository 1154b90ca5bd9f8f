"""The knowledge graph environment: a participant's replies become calls of the tools, and a variable its answer."""

from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from envs.base import (
    Action,
    Evidence,
    FinishReason,
    InfrastructureError,
    Observation,
    Probe,
    SpecError,
    StepResult,
    parse_probe,
    parse_spec,
)
from envs.knowledge_graph import protocol
from envs.knowledge_graph.protocol import Call
from envs.knowledge_graph.spec import PROBES, KnowledgeGraphSpec
from envs.knowledge_graph.store import QueryError, Store, open_store
from envs.knowledge_graph.tools import Toolbox, ToolError
from envs.turns import as_text, messages


class KnowledgeGraph:
    """One episode: a graph that cannot be seen, variables made of it, and one of them as the answer."""

    def __init__(self) -> None:
        self._spec: KnowledgeGraphSpec | None = None
        self._store: Store | None = None
        self._tools: Toolbox | None = None
        self._turns = 0
        self._executed: list[str] = []
        self._shown: Sequence[str] | None = None
        self._answer: int | None = None
        self._values: list[str] = []

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """The instruction, the question and its entities. `seed` orders the relations of "published" rules.

        Raises SpecError for a wrong specification, InfrastructureError where the machine has no Freebase to ask."""
        self._spec = parse_spec(KnowledgeGraphSpec, spec)
        self._store, vocabulary = open_store(self._spec)
        self._tools = Toolbox(self._spec, self._store, vocabulary, seed)
        turns = protocol.opening(self._spec)
        data: dict[str, JsonValue] = {"turns": self._spec.turns, "messages": messages(turns)}
        return Observation(text=as_text(turns), data=data, tools=protocol.TOOLS)

    async def step(self, action: Action) -> StepResult:
        """Take an answer, which ends the episode, or execute one call. What cannot be read costs a turn."""
        spec, tools = self._open()
        self._turns += 1
        reply = protocol.reply_of(action)
        number = protocol.answer_of(reply, published=spec.rules == "published")
        if number is None:
            text = await self._act(action, reply)
        elif number < len(tools.variables):
            return await self._committed(tools, number)
        else:
            text = protocol.NO_VARIABLE
        left = spec.turns - self._turns
        seen = Observation(text=text, data={"turns": left})
        return StepResult(observation=seen, finish=None if left > 0 else FinishReason.TASK_LIMIT)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Evidence, in the order of `probes`. Type "answer" gives `{"variable": int | None, "values": [str]}`, ids of
        entities or texts, of the variable that was committed to; type "log" gives `{"actions": [str], "turns": int}`,
        the calls that were executed."""
        self._open()
        return [self._see(probe) for probe in probes]

    async def close(self) -> None:
        """End the connections to an endpoint."""
        store, self._store = self._store, None
        if store is not None:
            await store.close()

    def _open(self) -> tuple[KnowledgeGraphSpec, Toolbox]:
        if self._spec is None or self._tools is None or self._store is None:
            raise InfrastructureError("the episode has not begun, or is closed")
        return self._spec, self._tools

    async def _committed(self, tools: Toolbox, number: int) -> StepResult:
        try:
            self._values = await tools.values(number)
        except QueryError as error:
            raise InfrastructureError(f"what is in the answer could not be asked: {error}") from error
        self._answer = number
        return StepResult(observation=Observation(), finish=FinishReason.COMPLETED, answer=f"#{number}")

    async def _act(self, action: Action, reply: str) -> str:
        """The observation of the call that a reply makes, or what is said of one that could not be executed."""
        spec, _ = self._open()
        if action.tool is not None:
            call = protocol.called(action)
            return protocol.NO_ACTION if call is None else (await self._call(call))[0]
        line = protocol.action_line(reply)
        if line is None:
            return protocol.NO_ACTION
        if spec.rules == "fixed":
            call = protocol.call_of(line, protocol.PARAMETERS, spec.entities)
            return protocol.NO_FUNCTION if call is None else (await self._call(call))[0]
        text = protocol.NO_FUNCTION
        for call in protocol.calls_of(line):
            text, executed = await self._call(call, published=True)
            if executed:
                break
        return text

    async def _call(self, call: Call, *, published: bool = False) -> tuple[str, bool]:
        """What is said of a call, and whether it was executed.

        As published, a function that there is not, or whose brackets are not closed, is shown with the arguments of
        the call before it, in whichever turn that was."""
        _, tools = self._open()
        known = tools.knows(call.name) and call.arguments is not None
        if known or not published:
            self._shown = call.arguments
        if known and call.arguments is not None:
            try:
                text = await tools.call(call.name, call.arguments)
            except ToolError:
                return protocol.refusal(call.name, self._shown), False
            self._executed.append(f"{call.name}({', '.join(call.arguments)})")
            return text, True
        return protocol.refusal(call.name, self._shown), False

    def _see(self, probe: Probe) -> Evidence:
        try:
            parse_probe(PROBES, probe)
        except SpecError as error:
            return Evidence(name=probe.name, error=str(error), fault=True)
        if probe.type == "log":
            return Evidence(name=probe.name, value={"actions": list(self._executed), "turns": self._turns})
        return Evidence(name=probe.name, value={"variable": self._answer, "values": list(self._values)})
