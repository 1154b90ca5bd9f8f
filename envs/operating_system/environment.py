"""The operating-system environment: one machine, one persistent shell, evidence gathered where the agent never was."""

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import Any

from envs import engine
from envs.base import (
    Action,
    Evidence,
    FinishReason,
    InfrastructureError,
    NoArguments,
    Observation,
    Probe,
    SpecError,
    StepResult,
    parse_probe,
    parse_spec,
)
from envs.operating_system import protocol, transfer
from envs.operating_system.spec import PROBES, FileProbe, GoldProbe, OperatingSystemSpec, ScriptProbe
from envs.operating_system.world import World, kept
from envs.sandbox.base import Backend, FileRefusedError, Result, SandboxError
from envs.turns import as_text, messages

KEPT_OUTPUT = 64_000
_NO_ANSWER = "None"


class OperatingSystem:
    """One episode on one machine. `backend` makes the sandboxes; without it the service's default is used."""

    def __init__(self, backend: Backend | None = None) -> None:
        self._backend = backend
        self._world: World | None = None
        self._spec: OperatingSystemSpec | None = None
        self._seed = 0
        self._turns = 0
        self._answer: str | None = None
        self._frozen = False
        self._temporary: Path | None = None
        self._begun: Path | None = None

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """Build the machine and show the instruction, the problem and the tools.

        Raises SpecError for a wrong specification or an `init` that fails, and InfrastructureError.
        """
        self._spec, self._seed = parse_spec(OperatingSystemSpec, spec), seed
        if self._backend is None:
            self._backend = await engine.backend()
        self._world = await World.open(self._backend, self._spec, seed)
        if kept(self._spec):
            self._begun = await self._world.sandbox.snapshot(await self._folder() / "begun")
        turns = protocol.opening(self._spec)
        data: dict[str, Any] = {"turns": self._spec.turns} | ({"messages": messages(turns)} if len(turns) > 1 else {})
        return Observation(text=as_text(turns), data=data, tools=protocol.TOOLS)

    async def step(self, action: Action) -> StepResult:
        """Run commands, or end. An action that cannot be understood ends a "published" episode and only costs a turn
        in a "fixed" one."""
        world, spec = self._open()
        self._turns += 1
        command = protocol.parse(action, published=spec.protocol == "published")
        if command is None and spec.protocol == "published":
            await self._freeze()
            return StepResult(
                observation=Observation(), finish=FinishReason.INVALID_ACTION, error=protocol.refusal(action)
            )
        if command is not None and command.kind != "bash":
            self._answer = command.text if command.kind == "answer" else None
            await self._freeze()
            return StepResult(observation=Observation(), finish=FinishReason.COMPLETED, answer=self._answer)
        observation = await _observe(world, command.text) if command else Observation(text=protocol.nudge(action))
        left = spec.turns - self._turns
        observation = observation.model_copy(update={"data": observation.data | {"turns": left}})
        if left > 0:
            return StepResult(observation=observation)
        await self._freeze()
        return StepResult(observation=observation, finish=FinishReason.TASK_LIMIT)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Evidence, in the order of `probes`; every process of the agent is frozen before the first.

        Types: "gold" and "check" give `{"exit_code", "stdout", "stderr", "timed_out", "truncated"}`;
        "file" gives `{"exists", "text", "size"}`; "processes" gives `{"processes": [{"uid", "argv", "state"}]}`.
        Raises InfrastructureError when a machine is gone: what a dead one shows is no evidence.
        """
        await self._freeze()
        seen: list[Evidence] = []
        for probe in probes:
            seen.append(await self._see(probe, seen))
        return seen

    async def close(self) -> None:
        """Destroy the machine."""
        world, self._world = self._world, None
        if self._temporary is not None:
            await asyncio.to_thread(shutil.rmtree, self._temporary, ignore_errors=True)
            self._temporary = None
        if world is not None:
            await world.close()

    def _open(self) -> tuple[World, OperatingSystemSpec]:
        if self._world is None or self._spec is None:
            raise InfrastructureError("the episode has not begun, or is closed")
        return self._world, self._spec

    async def _freeze(self) -> None:
        world, _ = self._open()
        if not self._frozen:
            await world.sandbox.freeze()
            self._frozen = True

    async def _see(self, probe: Probe, before: list[Evidence]) -> Evidence:
        try:
            match parse_probe(PROBES, probe):
                case ScriptProbe() as asked:
                    result = await self._script(asked, self._parameters(asked, before))
                    return Evidence(name=probe.name, value=_evidence(result))
                case FileProbe() as asked:
                    return await self._file(probe.name, asked)
                case NoArguments():
                    return await self._processes(probe.name)
        except SpecError as error:
            return Evidence(name=probe.name, error=str(error), fault=True)

    def _parameters(self, asked: ScriptProbe, before: list[Evidence]) -> list[str]:
        outputs = {seen.name: seen.value.get("stdout") for seen in before if isinstance(seen.value, dict)}
        found: list[str] = []
        for parameter in asked.parameters:
            if parameter.answer:
                found.append(_NO_ANSWER if self._answer is None else self._answer.replace("\0", ""))
            elif parameter.probe is not None:
                found.append(str(outputs.get(parameter.probe) or ""))
            else:
                found.append(parameter.text or "")
        return found

    async def _script(self, asked: ScriptProbe, parameters: list[str]) -> Result:
        _, spec = self._open()
        if self._backend is None:
            raise InfrastructureError("no sandbox backend")
        # Where lots were drawn or times are read, the clone gets the very files: they were kept before the agent's
        # first action.
        layers = (self._begun,) if self._begun is not None else ()
        clone = await World.open(self._backend, spec, self._seed, layers, clone=True)
        try:
            if isinstance(asked, GoldProbe):
                return _whole(await clone.gold(asked.script, parameters))
            programs = await _programs(clone)
        finally:
            await clone.close()
        final = await self._carried(programs)
        checked = await World.open(self._backend, spec, self._seed, (final,), start=False, clone=True)
        try:
            return _whole(await checked.check(asked.script, parameters))
        finally:
            await checked.close()

    async def _folder(self) -> Path:
        if self._temporary is None:
            self._temporary = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="heldout-os-"))
        return self._temporary

    async def _carried(self, programs: set[str]) -> Path:
        world, _ = self._open()
        final = await self._folder() / "final"
        if not final.exists():
            await world.sandbox.snapshot(final)
            await asyncio.to_thread(transfer.clean, final, programs)
        return final

    async def _file(self, name: str, asked: FileProbe) -> Evidence:
        world, _ = self._open()
        try:
            content = await world.sandbox.read_file(asked.path, limit=asked.limit)
        except FileRefusedError as error:
            return Evidence(name=name, value={"exists": False}, error=str(error))
        return Evidence(
            name=name, value={"exists": True, "text": content.decode("utf-8", "replace"), "size": len(content)}
        )

    async def _processes(self, name: str) -> Evidence:
        world, _ = self._open()
        found = await world.sandbox.processes()
        # A machine that is just going down shows fewer and fewer.
        _whole(await world.sandbox.run(["true"]))
        return Evidence(
            name=name,
            value={"processes": [{"uid": item.uid, "argv": list(item.argv), "state": item.state} for item in found]},
        )


async def _observe(world: World, command: str) -> Observation:
    try:
        result = await world.shell.run(command, timeout=world.spec.timeout)
    except ValueError as error:
        return Observation(text=f"The command was not run: {error}", data={"output": ""})
    if result.restarted:
        await _reopen(world)
    output = protocol.clean(result.text)
    text = protocol.observe(output, published=world.spec.protocol == "published")
    if result.timed_out:
        text += f"\n[stopped after {world.spec.timeout:g} seconds]"
    if result.restarted:
        text += "\n[the shell ended and was opened anew]"
    data: dict[str, Any] = {"output": output[:KEPT_OUTPUT], "exit_code": result.status, "timed_out": result.timed_out}
    return Observation(text=text, data=data)


async def _reopen(world: World) -> None:
    """The shell ended: by the agent's own doing, or because the whole machine did, which must not be observed.

    Raises SandboxError when there is no machine any more.
    """
    try:
        await world.shell.run("true")
    except SandboxError:
        if not world.sandbox.alive:
            raise
        # What the agent left running may leave no room for another shell.
        await world.sandbox.kill()
        await world.shell.run("true")


async def _programs(clone: World) -> set[str]:
    folders = ["/" + folder for folder in transfer.PROGRAMS]
    find = ["find", *folders, "-maxdepth", "1", "-printf", "%f\\0"]
    listed = _whole(await clone.sandbox.run(find, timeout=120.0))
    return set(listed.stdout.decode("utf-8", "surrogateescape").split("\0"))


def _whole(result: Result) -> Result:
    """What a command of ours gave, unless its machine ended under it. Raises InfrastructureError."""
    if result.status is None and not result.timed_out:
        raise InfrastructureError("the machine ended while it was looked at")
    return result


def _evidence(result: Result) -> dict[str, Any]:
    return {
        "exit_code": result.status,
        "stdout": result.stdout.decode("utf-8", "replace")[:KEPT_OUTPUT],
        "stderr": result.stderr.decode("utf-8", "replace")[:KEPT_OUTPUT],
        "timed_out": result.timed_out,
        "truncated": result.dropped > 0 or len(result.stdout) > KEPT_OUTPUT,
    }
