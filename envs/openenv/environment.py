"""An environment behind a server of OpenEnv, over one WebSocket of its own (`/ws`: reset, step, state, close)."""

import asyncio
import contextlib
import json
import math
import os
from collections.abc import Mapping
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from envs.base import (
    Action,
    Evidence,
    FinishReason,
    InfrastructureError,
    Observation,
    Probe,
    SpecError,
    StepResult,
    Tool,
    parse_probe,
    parse_spec,
)
from envs.openenv.spec import PROBES, OpenEnvSpec

SERVERS = "HELDOUT_OPENENV"
_SECONDS = 60.0
_LARGEST = 8 << 20
_FORM = 'send the call act(...), or its arguments as a JSON object, for example {"message": "hello"}'


class _ActionRefusedError(Exception):
    """The environment does not take this action."""


def servers(setting: str) -> Mapping[str, str]:
    """Addresses by name of "name=http://host:port, ...". Raises InfrastructureError for another form."""
    found = {}
    for pair in filter(None, (part.strip() for part in setting.split(","))):
        name, _, address = pair.partition("=")
        if not address.startswith(("http://", "https://")):
            raise InfrastructureError(f"{SERVERS} is written as name=http://host:port, with commas between")
        found[name.strip()] = address.strip().rstrip("/")
    return found


async def action_schema(address: str, seconds: float = _SECONDS) -> dict[str, Any]:
    """How the server at an address describes an action. Raises InfrastructureError where none answers with that."""
    try:
        async with httpx2.AsyncClient(timeout=seconds, trust_env=False) as client:
            described = (await client.get(f"{address}/schema")).raise_for_status().json()
        return dict(described["action"])
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise InfrastructureError(f"{type(error).__name__} {error}".strip()) from error
    except (ValueError, KeyError, TypeError):
        raise InfrastructureError("/schema describes no action") from None


class OpenEnv:
    """One episode. The environment's own reward and `done` are kept; what it hides is not known here."""

    def __init__(self) -> None:
        self._line: ClientConnection | None = None
        self._total, self._done = 0.0, False
        self._last: float | None = None

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """The first observation, with the one tool `act`. Raises SpecError for a server that the operator has not."""
        wanted = parse_spec(OpenEnvSpec, spec)
        address = servers(os.environ.get(SERVERS, "")).get(wanted.server)
        if address is None:
            raise SpecError(f"the operator names no OpenEnv server '{wanted.server}' in {SERVERS}")
        try:
            schema = await action_schema(address)
            place = address.replace("http", "ws", 1) + "/ws"
            self._line = await connect(place, open_timeout=_SECONDS, max_size=_LARGEST, proxy=None)
        except (InfrastructureError, OSError, ValueError, TimeoutError, WebSocketException) as error:
            raise InfrastructureError(f"the OpenEnv server '{wanted.server}' does not answer: {error}") from error
        try:
            seen = self._seen(await self._ask({"type": "reset", "data": wanted.reset | {"seed": seed}}))
        except _ActionRefusedError as error:
            raise SpecError(f"the OpenEnv server '{wanted.server}' does not take 'reset': {error}") from None
        text = f"{wanted.instruction}\n\n{seen.text}" if wanted.instruction else seen.text
        tool = Tool(name="act", description="Act in the environment.", parameters=schema)
        return seen.model_copy(update={"text": text, "tools": (tool,)})

    async def step(self, action: Action) -> StepResult:
        """Act. What is no action of the environment's is said, and changes nothing."""
        fields = _fields(action)
        if fields is None:
            return StepResult(observation=Observation(text=_FORM), error="no action")
        try:
            told = await self._ask({"type": "step", "data": fields})
        except _ActionRefusedError as error:
            return StepResult(observation=Observation(text=str(error)), error="refused action")
        seen = self._seen(told)
        return StepResult(observation=seen, finish=FinishReason.COMPLETED if self._done else None, reward=self._last)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """The reward so far, or the environment's own state."""
        return [await self._look(probe) for probe in probes]

    async def close(self) -> None:
        """Hang up; the server ends the session."""
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(OSError, WebSocketException):
                await line.send(json.dumps({"type": "close"}))
            await line.close()

    async def _look(self, probe: Probe) -> Evidence:
        parse_probe(PROBES, probe)
        if probe.type == "reward":
            return Evidence(name=probe.name, value={"total": self._total, "last": self._last, "done": self._done})
        try:
            return Evidence(name=probe.name, value=await self._ask({"type": "state"}))
        except (InfrastructureError, _ActionRefusedError) as error:
            return Evidence(name=probe.name, error=str(error), fault=True)

    async def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        if self._line is None:
            raise InfrastructureError("the environment was not reset")
        try:
            async with asyncio.timeout(_SECONDS):
                await self._line.send(json.dumps(message))
                reply = json.loads(await self._line.recv())
        except (OSError, ValueError, TimeoutError, WebSocketException) as error:
            raise InfrastructureError(f"the OpenEnv server broke off: {error}") from error
        data = reply.get("data") or {}
        if reply.get("type") == "error":
            if data.get("code") == "VALIDATION_ERROR":
                raise _ActionRefusedError(str(data.get("message", ""))[:2000])
            raise InfrastructureError(f"the OpenEnv server says: {data.get('message')}")
        return dict(data)

    def _seen(self, told: dict[str, Any]) -> Observation:
        reward = told.get("reward")
        self._last = float(reward) if isinstance(reward, int | float) and math.isfinite(reward) else None
        self._total += self._last or 0.0
        self._done = bool(told.get("done"))
        observation = told.get("observation") or {}
        return Observation(text=json.dumps(observation, ensure_ascii=False), data={"observation": observation})


def _fields(action: Action) -> dict[str, Any] | None:
    if action.tool is not None:
        return dict(action.tool.arguments) if action.tool.name == "act" else None
    try:
        found = json.loads(action.text or "")
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
