"""Attempts to take more than the limits allow: each small, bounded in time, and followed by a reset."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from envs.sandbox.base import MIB, Sandbox, SandboxError
from envs.sandbox.checks.rows import Outcome, Row

MEMORY = """
import sys
held = []
while len(held) < int(sys.argv[1]):
    held.append(b'x' * 1048576)
print('took', len(held))
"""
# Children take memory and keep it until every one has either taken its share or died.
SHARED = """
import os, sys, time
children, size = int(sys.argv[1]), int(sys.argv[2]) << 20
told, tell = os.pipe()
os.set_blocking(told, False)
pids = []
for _ in range(children):
    pid = os.fork()
    if pid == 0:
        try:
            held = b'x' * size
        except MemoryError:
            os._exit(3)
        os.write(tell, b'%8d' % os.getpid())
        time.sleep(600)
    pids.append(pid)
dead, kept = set(), set()
while len(dead | kept) < children:
    dead |= {pid for pid in set(pids) - dead if os.waitpid(pid, os.WNOHANG)[0]}
    try:
        kept.add(int(os.read(told, 8)))
    except BlockingIOError:
        time.sleep(0.02)
print('kept', len(kept - dead))
for pid in kept - dead:
    os.kill(pid, 9)
"""
INODES = """
import os, sys
made = 0
os.makedirs('/work/many', exist_ok=True)
try:
    for made in range(int(sys.argv[1])):
        os.close(os.open(f'/work/many/{made}', os.O_CREAT | os.O_WRONLY))
    print('no limit')
except OSError as error:
    print('stopped', made, error.strerror)
"""


async def loads(sandbox: Sandbox) -> list[Row]:
    """Every attack on a limit; the sandbox is reset after each."""
    rows = []
    attacks: list[tuple[str, Callable[[Sandbox], Awaitable[tuple[Outcome, str]]]]] = [
        ("fork bomb", _fork_bomb),
        ("memory bomb, one process", _memory_bomb),
        ("memory bomb, all processes", _shared_memory),
        ("disk fill", _disk_fill),
        ("file-count fill", _inodes),
        ("CPU hog", _cpu_hog),
        ("output flood", _flood),
        ("endless silent command", _silent),
        ("a command that ignores signals", _stubborn),
        ("orphaned background processes", _orphans),
        ("kill of process 1", _kill_init),
        ("kill of everything", _kill_all),
    ]
    for name, attack in attacks:
        begun = time.monotonic()
        try:
            async with asyncio.timeout(180):
                outcome, detail = await attack(sandbox)
        except TimeoutError:
            outcome, detail = Outcome.OPEN, "no end within 180 s"
        except SandboxError as error:
            outcome, detail = Outcome.CONTAINED, f"the sandbox ended: {error}"
        rows.append(Row("limits", name, outcome, f"{detail}; {time.monotonic() - begun:.1f} s"))
        try:
            await sandbox.reset()
        except SandboxError as error:
            rows.append(Row("limits", f"after {name}", Outcome.BROKEN, str(error)))
            return rows
    return rows


def _judge(contained: bool) -> Outcome:
    return Outcome.CONTAINED if contained else Outcome.OPEN


async def _fork_bomb(sandbox: Sandbox) -> tuple[Outcome, str]:
    shell = await sandbox.shell()
    bomb = asyncio.ensure_future(shell.run("bomb() { bomb | bomb & }; bomb; sleep 3600", timeout=2))
    peak = 0
    try:
        while not bomb.done():
            peak = max(peak, len(await sandbox.processes()))
            await asyncio.sleep(0.05)
    finally:
        await asyncio.gather(bomb, return_exceptions=True)
    await sandbox.kill()
    after = (await sandbox.run("echo alive")).text.strip()
    allowed = sandbox.limits.processes + 2
    return _judge(peak <= allowed), f"at most {peak} processes of {sandbox.limits.processes}; then {after or 'silent'}"


async def _memory_bomb(sandbox: Sandbox) -> tuple[Outcome, str]:
    wanted = sandbox.limits.memory // MIB * 2
    result = await sandbox.run(["python3", "-c", MEMORY, str(wanted)], timeout=60)
    took = "took" in result.text
    return _judge(not took), f"{wanted} MiB wanted of {sandbox.limits.memory // MIB}, status {result.status}"


async def _shared_memory(sandbox: Sandbox) -> tuple[Outcome, str]:
    each = sandbox.limits.memory // MIB // 2
    result = await sandbox.run(["python3", "-c", SHARED, "5", str(each)], timeout=120)
    kept = int(result.text.split()[-1]) if "kept" in result.text else 0
    return _judge(kept * each <= sandbox.limits.memory // MIB), f"{kept} of 5 processes kept {each} MiB each"


async def _disk_fill(sandbox: Sandbox) -> tuple[Outcome, str]:
    most = sandbox.limits.disk // MIB * 3
    script = (
        "total=0; for place in /work /tmp /dev/shm /var/tmp /root /home/agent /run /usr/local /etc; do "
        f"dd if=/dev/zero of=$place/fill bs=1M count={most} 2>/dev/null; "
        "size=$(stat -c %s $place/fill 2>/dev/null || echo 0); total=$((total+size)); done; echo $total"
    )
    result = await sandbox.run(script, timeout=90)
    words = result.text.split()
    if result.status is None or not words:
        return Outcome.CONTAINED, "the writer was killed"
    written = int(words[-1])
    said = f"{written // MIB} MiB written of {sandbox.limits.disk // MIB}"
    if sandbox.limits.disk * 1.1 < written <= sandbox.limits.memory:
        return Outcome.CONTAINED, f"{said}: each folder by itself, all within the memory limit"
    return _judge(written <= sandbox.limits.disk * 1.1), said


async def _inodes(sandbox: Sandbox) -> tuple[Outcome, str]:
    result = await sandbox.run(["python3", "-c", INODES, str(sandbox.limits.files * 2)], timeout=90)
    said = result.text.strip() or f"status {result.status}"
    return _judge("no limit" not in said), f"{said} of {sandbox.limits.files}"


async def _cpu_hog(sandbox: Sandbox) -> tuple[Outcome, str]:
    pids = [await sandbox.spawn(["bash", "-c", "while :; do :; done"]) for _ in range(4)]
    begun, before = time.monotonic(), sum(_ticks(pid) for pid in pids)
    await asyncio.sleep(2.5)
    used = (sum(_ticks(pid) for pid in pids) - before) / 100
    elapsed = time.monotonic() - begun
    share = used / elapsed
    allowed = sandbox.limits.cpus
    return _judge(share <= allowed * 1.25 + 0.1), f"{share:.2f} CPUs used of {allowed:g} by 4 busy processes"


def _ticks(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    fields = stat[stat.rindex(")") + 2 :].split()
    return int(fields[11]) + int(fields[12])


async def _flood(sandbox: Sandbox) -> tuple[Outcome, str]:
    shell = await sandbox.shell()
    result = await shell.run("head -c 60000000 /dev/zero", timeout=60)
    again = await shell.run("echo alive", timeout=30)
    kept = len(result.stdout)
    fine = kept <= sandbox.limits.output and result.truncated and again.text.endswith("alive\n")
    return _judge(fine), f"{kept} bytes kept, {result.dropped} dropped, then the shell says {again.text.strip()!r}"


async def _silent(sandbox: Sandbox) -> tuple[Outcome, str]:
    shell = await sandbox.shell()
    await shell.run("cd /tmp")
    result = await shell.run("sleep 100000", timeout=1)
    again = await shell.run("pwd", timeout=30)
    fine = result.timed_out and again.text == "/tmp\n"  # noqa: S108
    return _judge(fine), "stopped at the deadline, the shell's state lives on" if fine else "the shell was lost"


async def _stubborn(sandbox: Sandbox) -> tuple[Outcome, str]:
    shell = await sandbox.shell()
    result = await shell.run("trap '' TERM INT HUP QUIT; while :; do :; done", timeout=1)
    again = await shell.run("echo alive", timeout=30)
    return _judge(result.timed_out and again.text == "alive\n"), "stopped at the deadline, a fresh shell answers"


async def _orphans(sandbox: Sandbox) -> tuple[Outcome, str]:
    await sandbox.run("for i in 1 2 3; do (setsid nohup sleep 98765 >/dev/null 2>&1 &); done", timeout=20)
    pids: list[int] = []
    async with asyncio.timeout(60):
        while len(pids) < 3:
            pids = [process.pid for process in await sandbox.processes() if "98765" in process.argv[:2]]
            await asyncio.sleep(0.02)
    await sandbox.reset()
    left = [pid for pid in pids if "98765" in _command(pid)]
    return _judge(len(pids) == 3 and not left), f"{len(pids)} started, {len(left)} left after a reset"


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


async def _kill_init(sandbox: Sandbox) -> tuple[Outcome, str]:
    await sandbox.run("kill -9 1; kill -TERM 1; kill -SEGV 1; true", timeout=20)
    answer = (await sandbox.run("echo alive", timeout=30)).text.strip()
    return Outcome.CONTAINED, f"ignored: {answer}" if answer else "the sandbox ended"


async def _kill_all(sandbox: Sandbox) -> tuple[Outcome, str]:
    shell = await sandbox.shell()
    await shell.run("kill -9 -1; kill -9 $$", timeout=20)
    answer = (await shell.run("echo alive", timeout=30)).text.strip()
    return Outcome.CONTAINED, f"only the shell died; a fresh one says {answer}"
