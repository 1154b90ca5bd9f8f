"""Playing live episodes in tests: a backend for the session, and worlds whose defence was taken out."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from envs import engine
from envs.base import Action, Environment, Evidence, InfrastructureError, Probe, StepResult, ToolCall
from envs.database import template
from envs.operating_system.environment import OperatingSystem
from envs.operating_system.spec import GoldProbe, ScriptProbe
from envs.sandbox.base import Backend, Image, Limits, Result, SandboxError
from grading.answer import Answer
from grading.registry import grade
from grading.verdict import Verdict


@asynccontextmanager
async def sandboxes() -> AsyncIterator[Backend]:
    """The shared backend of this loop, or a skip with the reason."""
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed (infra/setup.sh installs it)")
    try:
        backend = await engine.backend()
        probe = await backend.start(Image(user="root"), Limits())
    except SandboxError as error:
        pytest.skip(f"sandboxes do not work here: {error}")
    await probe.destroy()
    if any("one user id" in weakness for weakness in backend.traits.weaknesses):
        pytest.skip("sandboxes of an ordinary user have one id only: accounts and owners cannot be tested")
    yield backend
    await engine.close()


@asynccontextmanager
async def databases() -> AsyncIterator[Backend]:
    """The same, with a MariaDB server in the sandbox."""
    async with sandboxes() as backend:
        try:
            await template.layer(backend, template.image_name(backend, "default"))
        except (InfrastructureError, SandboxError) as error:
            pytest.skip(f"there is no MariaDB to test with: {error}")
        yield backend


class Undefended(OperatingSystem):
    """The published way: gold commands and checks run where the agent was, while its processes go on."""

    async def _freeze(self) -> None:
        """Nothing is stopped."""

    async def _script(self, asked: ScriptProbe, parameters: list[str]) -> Result:
        world, _ = self._open()
        return await (world.gold if isinstance(asked, GoldProbe) else world.check)(asked.script, parameters)


def bash(script: str) -> Action:
    """A command."""
    return Action(tool=ToolCall(name="bash_action", arguments={"script": script}))


def answer(text: str) -> Action:
    """The answer."""
    return Action(tool=ToolCall(name="answer_action", arguments={"answer": text}))


def sql(statement: str) -> Action:
    """A statement."""
    return Action(tool=ToolCall(name="execute_sql", arguments={"query": statement}))


async def play(
    world: Environment, spec: dict[str, Any], probes: list[Probe], actions: list[Action], *, seed: int = 1
) -> tuple[list[StepResult], list[Evidence]]:
    """Every result, and the evidence at the end."""
    try:
        await world.reset(spec, seed)
        results = [await world.step(action) for action in actions]
        return results, await world.probe(probes)
    finally:
        await world.close()


def judged(results: list[StepResult], seen: list[Evidence], reference: dict[str, Any]) -> Verdict:
    """The verdict over a played episode."""
    given = {"text": results[-1].answer if results else None, "evidence": [item.model_dump() for item in seen]}
    return grade(Answer.model_validate(given), reference)
