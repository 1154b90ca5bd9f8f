"""Whether the protocol's words mean what they say: quick rows for a table, the tests go deeper."""

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from envs.sandbox.base import FileRefusedError, Sandbox, SandboxError
from envs.sandbox.checks.rows import Outcome, Row


async def words(sandbox: Sandbox) -> list[Row]:
    """One row for each word of the protocol."""
    rows = []
    checks: list[tuple[str, Callable[[Sandbox], Awaitable[str]]]] = [
        ("run", _run),
        ("shell with state", _shell),
        ("files", _files),
        ("processes", _processes),
        ("freeze", _freeze),
        ("kill", _kill),
        ("snapshot", _snapshot),
        ("reset", _reset),
    ]
    for name, check in checks:
        try:
            wrong = await check(sandbox)
        except (SandboxError, FileRefusedError, TimeoutError) as error:
            wrong = f"{type(error).__name__}: {error}"
        rows.append(Row("protocol", name, Outcome.BROKEN if wrong else Outcome.WORKS, wrong))
    return rows


async def _run(sandbox: Sandbox) -> str:
    result = await sandbox.run("cat; echo err >&2; exit 7", stdin=b"in", timeout=60)
    fine = (result.status, result.stdout, result.stderr) == (7, b"in", b"err\n")
    return "" if fine else f"got {result}"


async def _shell(sandbox: Sandbox) -> str:
    shell = await sandbox.shell()
    await shell.run("cd /tmp; kept=1; cat", timeout=60)
    text = (await shell.run("echo $PWD $kept", timeout=60)).text
    await shell.close()
    return "" if text == "/tmp 1\n" else f"got {text!r}"  # noqa: S108


async def _files(sandbox: Sandbox) -> str:
    await sandbox.write_file("/work/one/two", b"\x00content")
    content = await sandbox.read_file("/work/one/two")
    return "" if content == b"\x00content" else f"got {content!r}"


async def _processes(sandbox: Sandbox) -> str:
    pid = await sandbox.spawn(["sleep", "12321"])
    found = [process for process in await sandbox.processes() if process.pid == pid]
    return "" if found and "12321" in found[0].argv else f"process {pid} is not listed"


async def _freeze(sandbox: Sandbox) -> str:
    await sandbox.spawn(["bash", "-c", "while :; do echo x >> /work/ticks; sleep 0.01; done"])
    await sandbox.run("until [ -s /work/ticks ]; do sleep 0.01; done", timeout=60)
    await sandbox.freeze()
    first = await sandbox.read_file("/work/ticks")
    await sandbox.run("sleep 0.3", timeout=60)
    second = await sandbox.read_file("/work/ticks")
    await sandbox.thaw()
    return "" if first == second else "a frozen process went on"


async def _kill(sandbox: Sandbox) -> str:
    await sandbox.spawn(["sleep", "12321"])
    await sandbox.kill()
    left = [process for process in await sandbox.processes() if "12321" in process.argv]
    return f"{len(left)} processes live" if left else ""


async def _snapshot(sandbox: Sandbox) -> str:
    await sandbox.write_file("/work/kept", b"1")
    with tempfile.TemporaryDirectory(prefix="heldout-check-") as folder:
        layer = await sandbox.snapshot(Path(folder, "layer"))
        return "" if (layer / "root/work/kept").is_file() else "the file is not in the layer"


async def _reset(sandbox: Sandbox) -> str:
    await sandbox.write_file("/work/dirty", b"1")
    await sandbox.reset()
    left = (await sandbox.run("ls -A /work", timeout=60)).text
    return f"left behind: {left}" if left else ""
