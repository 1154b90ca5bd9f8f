"""`self_check(sandbox)`: the whole suite, with a neighbour and the machine watched throughout."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from envs.sandbox.base import MIB, Backend, Image, Limits, Sandbox, SandboxError
from envs.sandbox.checks.attacks import files, reach
from envs.sandbox.checks.loads import loads
from envs.sandbox.checks.rows import Outcome, Row
from envs.sandbox.checks.words import words

# Small, so that the attacks disturb nobody: what is contained at this size is contained at any.
LIMITS = Limits(
    memory=96 * MIB, processes=48, cpus=0.5, disk=12 * MIB, files=2_000, open_files=256, output=256 * 1024, timeout=60
)
SLOW_SECONDS = 20.0


@dataclass
class _Watch:
    neighbour: float = 0.0
    machine: float = 0.0
    failure: str = ""


async def self_check(sandbox: Sandbox, *, neighbour: Sandbox | None = None) -> list[Row]:
    """Put a sandbox through the suite; it is reset many times and should be destroyed afterwards.

    `neighbour` is another sandbox of the same backend: it must answer throughout. About a minute. Never raises for
    what the sandbox does: a backend that breaks is a row. Start both with `LIMITS`.
    """
    async with _watched(neighbour) as watch:
        rows = [*await words(sandbox), *await files(sandbox), *await reach(sandbox), *await loads(sandbox)]
    slow = "" if watch.machine < SLOW_SECONDS else "the machine was too slow"
    rows.append(_answer("the machine", watch.machine, slow))
    if neighbour is not None:
        late = "" if watch.neighbour < SLOW_SECONDS else "the neighbour was too slow"
        rows.append(_answer("the neighbour", watch.neighbour, watch.failure or late))
    return rows


def _answer(who: str, worst: float, failure: str) -> Row:
    detail = failure or f"slowest answer {worst * 1000:.0f} ms"
    return Row("bystanders", f"{who} lives on", Outcome.BROKEN if failure else Outcome.WORKS, detail)


@contextlib.asynccontextmanager
async def _watched(neighbour: Sandbox | None) -> AsyncIterator[_Watch]:
    watch = _Watch()
    task = asyncio.ensure_future(_look(watch, neighbour))
    try:
        yield watch
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _look(watch: _Watch, neighbour: Sandbox | None) -> None:
    try:
        shell = await neighbour.shell() if neighbour else None
        while True:
            begun = time.monotonic()
            process = await asyncio.create_subprocess_exec("true")
            await process.wait()
            watch.machine = max(watch.machine, time.monotonic() - begun)
            if shell is not None:
                begun = time.monotonic()
                result = await shell.run("echo here", timeout=60)
                if result.text != "here\n":
                    watch.failure = f"it said {result.text!r}"
                watch.neighbour = max(watch.neighbour, time.monotonic() - begun)
            await asyncio.sleep(0.25)
    except SandboxError as error:
        watch.failure = str(error)


async def check_backend(backend: Backend, image: str = "host") -> list[Row]:
    """The suite on a fresh sandbox of a backend with a fresh neighbour, and what root inside can reach."""
    neighbour = await backend.start(Image(name=image), LIMITS)
    try:
        sandbox = await backend.start(Image(name=image), LIMITS)
        try:
            rows = await self_check(sandbox, neighbour=neighbour)
        finally:
            await sandbox.destroy()
        rooted = await backend.start(Image(name=image, user="root"), LIMITS)
        try:
            rows += await reach(rooted, "root")
        finally:
            await rooted.destroy()
    finally:
        await neighbour.destroy()
    return rows
