"""Environments with faults put in, for tests of what a host does about them."""

import asyncio
import itertools
from dataclasses import replace
from typing import Any

import pytest

from envs import echo, registry
from envs.base import Action, Evidence, InfrastructureError, Observation, Probe, SpecError, StepResult
from envs.echo.environment import Echo
from envs.echo.spec import EchoSpec
from envs.sandbox.base import SandboxGoneError
from envs.sandbox.pool import PoolExhaustedError

_worlds = itertools.count(1)


def instead_of_echo(monkeypatch: pytest.MonkeyPatch, world: type[Echo], **changes: Any) -> None:
    """Have the registry make `world` where a problem names the echo."""
    monkeypatch.setitem(registry.loaded, "echo", replace(echo.ENVIRONMENT, create=world, **changes))


class Forgetful(Echo):
    """Greets every new world with another number: a replay never looks the same."""

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        first = await super().reset(spec, seed)
        return first.model_copy(update={"text": f"{first.text} in world {next(_worlds)}"})


class Stumbling(Echo):
    """Fails once in its life when it hears `stumble`: the machine's fault, gone in the next world."""

    stumbled = False

    async def step(self, action: Action) -> StepResult:
        if action.text == "stumble" and not Stumbling.stumbled:
            Stumbling.stumbled = True
            raise InfrastructureError("the engine went away")
        return await super().step(action)


class Refusing(Echo):
    """Refuses to begin where its greeting says so: by the problem's own fault, which no model of a field could tell."""

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        if spec.get("greeting") == "refuse":
            raise SpecError("there is nothing to greet")
        return await super().reset(spec, seed)


class Endless(Echo):
    """Never gets ready."""

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        await asyncio.Event().wait()
        raise AssertionError


class Blind(Echo):
    """Cannot be looked at."""

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        raise InfrastructureError("the disk went away")


class ImagedSpec(EchoSpec):
    """An echo's specification that names a sandbox image."""

    image: str


class Imaged(Echo):
    """Runs in a sandbox image, or would."""

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        return await super().reset({name: value for name, value in spec.items() if name != "image"}, seed)


class Absent(Echo):
    """Needs what this machine does not have."""

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        raise InfrastructureError("there is no engine here")


class Deadly(Echo):
    """Hearing `die` it loses its sandbox; `deaths` counts how often."""

    deaths = 0

    async def step(self, action: Action) -> StepResult:
        if action.text == "die":
            Deadly.deaths += 1
            raise SandboxGoneError("the sandbox has ended")
        return await super().step(action)


class Crowded(Echo):
    """Finds no sandbox as often as `refusals` says."""

    refusals = 0

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        if Crowded.refusals > 0:
            Crowded.refusals -= 1
            raise PoolExhaustedError("no sandbox became free")
        return await super().reset(spec, seed)


class Printing(Deadly):
    """Its probes of type "said" show every text that was said as a command's output."""

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        said = {"exit_code": 0, "stdout": "\n".join(self._actions)}
        known = [Evidence(name=probe.name, value=dict(said)) for probe in probes if probe.type == "said"]
        return known + await super().probe([probe for probe in probes if probe.type != "said"])
