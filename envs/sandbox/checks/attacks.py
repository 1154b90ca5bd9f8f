"""Attempts to reach the machine: system calls, devices, rights, network, files. Nothing here uses many resources."""

import asyncio
import contextlib
import json
import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from envs.sandbox.base import FileRefusedError, Sandbox
from envs.sandbox.checks.rows import Outcome, Row

INSIDE = Path(__file__).with_name("inside.py")
# Allowed, looked at, and harmless: the detail says why it stays.
HARMLESS = {
    "raw socket": "the network namespace is empty",
}
# What gVisor does itself, without the machine's kernel.
EMULATED = {
    "new user namespace",
    "new mount namespace",
    "new network namespace",
    "ptrace of a child's parent",
    "io_uring",
    "kernel log",
    "make a block device",
    "make a character device",
    "open /dev/fuse",
    "root of the machine",
    "chroot",
    "write /proc/sys/vm/overcommit_memory",
}
WORD = "HELDOUT_SELF_CHECK_WORD"


async def reach(sandbox: Sandbox, user: str | None = None) -> list[Row]:
    """Run inside.py in the sandbox with bait laid out on the machine; one row for each try."""
    with _bait() as bait:
        script = INSIDE.read_bytes()
        result = await sandbox.run(
            ["python3", "-I", "-S", "-", json.dumps(bait)],
            stdin=script,
            timeout=120,
            user=user,  # type: ignore[arg-type]
        )
    lines = [json.loads(line) for line in result.text.splitlines() if line.startswith("{")]
    emulated = any(line.get("gvisor") for line in lines)
    rows = [_row(line, user, emulated) for line in lines if "allowed" in line]
    for line in lines:
        if line["name"] == "descriptors":
            kept = line["count"] <= sandbox.limits.open_files
            detail = f"{line['count']} opened, then {line['detail']}"
            rows.append(Row("limits", "open files", Outcome.CONTAINED if kept else Outcome.OPEN, detail))
    if result.status != 0:
        why = "no python3 in the image" if result.status == 127 else result.stderr.decode("utf-8", "replace")[-300:]
        rows.append(Row("reach", "the probe program", Outcome.UNKNOWN, why))
    return rows


def _row(line: dict[str, Any], user: str | None, emulated: bool) -> Row:
    name = line["name"]
    group = "reach (as root inside)" if user == "root" else "reach"
    if not line["allowed"]:
        return Row(group, name, Outcome.REFUSED, line["detail"])
    if emulated and name in EMULATED:
        return Row(group, name, Outcome.CONTAINED, "in gVisor's own kernel, which is thrown away with the sandbox")
    if name in HARMLESS:
        return Row(group, name, Outcome.CONTAINED, f"{line['detail']}: {HARMLESS[name]}")
    return Row(group, name, Outcome.OPEN, line["detail"])


@contextlib.contextmanager
def _bait() -> Iterator[dict[str, Any]]:
    """Listeners on the machine's addresses, a secret file, and this process's own number and birth."""
    with contextlib.ExitStack() as stack:
        secret = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="heldout-bait-"))) / "secret"
        secret.parent.chmod(0o755)
        secret.write_text("of the machine")
        listener = stack.enter_context(socket.create_server(("0.0.0.0", 0)))  # noqa: S104 - what must not be reached
        port = listener.getsockname()[1]
        name = f"heldout-{secrets.token_hex(8)}"
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind("\0" + name)
        abstract.listen()
        stat = Path("/proc/self/stat").read_text()
        word = os.environ.setdefault(WORD, secrets.token_hex(16))
        yield {
            "ports": [[address, port] for address in _addresses()],
            "abstract": name,
            "pid": os.getpid(),
            "started": stat[stat.rindex(")") + 2 :].split()[19],
            "secret": str(secret),
            "word": word,
        }


def _addresses() -> list[str]:
    found = ["127.0.0.1"]
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.connect(("192.0.2.1", 9))
        found.append(end.getsockname()[0])
    return sorted(set(found))


async def files(sandbox: Sandbox) -> list[Row]:
    """Symlink and `..` escapes of what is read and written from outside."""
    with tempfile.TemporaryDirectory(prefix="heldout-bait-") as folder:
        Path(folder).chmod(0o755)
        secret = Path(folder, "secret")
        secret.write_text("of the machine")
        await sandbox.run(
            f"cd /work && rm -rf links && mkdir links && cd links && ln -s {secret} absolute; ln -s {folder} folder;"
            f"ln -s ../../../../../..{secret} dots; ln -s /proc/self/root{secret} magic;"
            f"ln -s /proc/1/root{secret} one; mkfifo fifo; truncate -s 1T sparse; ln -s loop loop; ln -s /dev/zero zero"
        )
        tried = ("absolute", "folder/secret", "dots", "magic", "one", "fifo", "sparse", "loop", "zero")
        rows = [await _read(sandbox, name) for name in (*tried, f"../../../../../..{secret}")]
        written = ("absolute", "folder/new", "fifo", "magic")
        return rows + [await _write(sandbox, name, Path(folder)) for name in written]


async def _read(sandbox: Sandbox, name: str) -> Row:
    title = "read through " + ("../../…" if name.startswith("..") else name)
    try:
        async with asyncio.timeout(30):
            content = await sandbox.read_file(f"/work/links/{name}", limit=1 << 20)
    except FileRefusedError as error:
        return Row("files", title, Outcome.REFUSED, error.strerror or "")
    except TimeoutError:
        return Row("files", title, Outcome.OPEN, "the read hung")
    leaked = content == b"of the machine"
    return Row("files", title, Outcome.OPEN if leaked else Outcome.CONTAINED, "" if leaked else "a file of the sandbox")


async def _write(sandbox: Sandbox, name: str, folder: Path) -> Row:
    before = sorted(path.name for path in folder.iterdir())
    detail = "a file of the sandbox"
    outcome = Outcome.CONTAINED
    try:
        async with asyncio.timeout(60):
            await sandbox.write_file(f"/work/links/{name}", b"overwritten")
    except FileRefusedError as error:
        outcome, detail = Outcome.REFUSED, error.strerror or ""
    except TimeoutError:
        outcome, detail = Outcome.OPEN, "the write hung"
    touched = sorted(path.name for path in folder.iterdir()) != before
    if touched or (folder / "secret").read_text() != "of the machine":
        outcome, detail = Outcome.OPEN, "wrote to the machine"
    return Row("files", f"write through {name}", outcome, detail)
