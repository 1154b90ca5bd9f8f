"""Start one sandbox: mounts, user namespace, control group, then bubblewrap. Runs in a forked child.

As root: the child (B) and a helper (H) share a new mount namespace. B enters a user namespace of 65536 ids of its
own; H, still the machine's root, writes B's id maps and mounts a writable overlay on a size-capped tmpfs over
read-only layers whose owners are shifted into that namespace. Then B becomes bubblewrap, which has no id of the
machine's. As an ordinary user B does all of it alone, with a single id.
"""

import array
import contextlib
import json
import os
import resource
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from envs.sandbox.supervisor import cgroups, kernel, slots

# Process 1: says that the root is ready, then reaps orphans until the supervisor's end of the pipe closes.
INIT = "echo ready; exec >/dev/null 2>&1; read -r _"
HARD_PROCESSES = 100_000


@dataclass(frozen=True)
class Start:
    """What to start. `trees` are (folder below the root, its read-only layers, lowest first)."""

    slot: int
    mount: str
    trees: list[tuple[str, list[str]]]
    memory: int
    processes: int
    cpus: float
    disk: int
    files: int
    open_files: int
    inner: int
    cgroup: int | None
    tag: str
    uid: int | None

    @property
    def base(self) -> int:
        """The machine's id of the sandbox's root; 0 for a sandbox with a single id."""
        return slots.base_uid(self.slot) if self.uid is None else 0

    @property
    def group(self) -> cgroups.Group | None:
        """Its control group."""
        return cgroups.Group(self.cgroup, cgroups.slot_name(self.slot, self.tag)) if self.cgroup else None


def launch(start: Start, reply: socket.socket, stdin: int, output: int, info: int, bpf: int) -> NoReturn:
    """Become bubblewrap. On failure the reason goes to `reply` and this process ends."""
    try:
        _limit(start)
        if start.group:
            start.group.join("agent")
        if start.uid is None:
            _enter_ranged(start, reply)
        else:
            _enter_single(start, start.uid, reply)
        os.setsid()
        for source, target in ((stdin, 0), (output, 1), (output, 2)):
            os.dup2(source, target)
        for descriptor in (info, bpf):
            os.set_inheritable(descriptor, True)
        command = _bwrap(start, info, bpf)
        os.execvpe(command[0], command, {"PATH": "/usr/local/bin:/usr/bin:/bin"})
    except BaseException as error:
        fail(reply, error)


def fail(reply: socket.socket, error: BaseException) -> NoReturn:
    """Tell why, and end without running anything of the parent's."""
    with contextlib.suppress(OSError):
        reply.send(json.dumps({"error": f"{type(error).__name__}: {error}"}).encode())
    os._exit(1)


def _limit(start: Start) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (start.open_files, start.open_files))
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536))
    os.umask(0o022)


def _enter_ranged(start: Start, reply: socket.socket) -> None:
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    _with_helper(lambda pid: _map_and_mount(start, pid, reply))
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    os.setgroups([])
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)


def _with_helper(work: Callable[[int], None]) -> None:
    """Unshare the user namespace here while a forked helper, outside of it, does `work` on this process."""
    ready_read, ready_write = os.pipe()
    done_read, done_write = os.pipe()
    parent = os.getpid()
    helper = os.fork()
    if helper == 0:
        try:
            os.close(ready_write)
            if os.read(ready_read, 1):
                work(parent)
                os.write(done_write, b"1")
        except BaseException as error:
            os.write(done_write, f"0{error}".encode()[:2000])
        finally:
            os._exit(0)
    os.close(done_write)
    kernel.unshare(kernel.CLONE_NEWUSER)
    os.write(ready_write, b"1")
    answer = os.read(done_read, 4096)
    os.waitpid(helper, 0)
    for descriptor in (ready_read, ready_write, done_read):
        os.close(descriptor)
    if answer != b"1":
        raise OSError(answer[1:].decode("utf-8", "replace") or "the mount helper died")


def _map_and_mount(start: Start, pid: int, reply: socket.socket) -> None:
    for name in ("uid_map", "gid_map"):
        _write(f"/proc/{pid}/{name}", f"0 {start.base} {slots.RANGE}\n")
    # Limits on processes count within the user namespace once they are set in it.
    userns = os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    _mount_root(start, userns, "", reply)


def _enter_single(start: Start, uid: int, reply: socket.socket) -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
    uid, gid = os.geteuid(), os.getegid()
    kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"0 {uid} 1\n")
    _write("/proc/self/gid_map", f"0 {gid} 1\n")
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    _mount_root(start, None, ",userxattr", reply)


def _mount_root(start: Start, userns: int | None, options: str, reply: socket.socket) -> None:
    top = start.mount
    flags = kernel.MS_NOSUID | kernel.MS_NODEV
    kernel.mount("tmpfs", top, "tmpfs", flags, f"size={start.disk},nr_inodes={start.files},mode=755")
    os.mkdir(f"{top}/root")
    os.mkdir(f"{top}/shm")
    os.chmod(f"{top}/shm", 0o1777)
    uppers = []
    for index, (place, layers) in enumerate(start.trees):
        upper, work = f"{top}/upper{index}", f"{top}/work{index}"
        os.mkdir(upper)
        os.mkdir(work)
        os.chown(upper, start.base, start.base)
        if not place:
            _make_homes(start, upper)
        lowers = [_layer(f"{top}/layer{index}.{number}", path, userns) for number, path in enumerate(layers)]
        lower = ":".join(reversed(lowers))
        target = f"{top}/root/{place}".rstrip("/")
        mounted = f"lowerdir={lower},upperdir={upper},workdir={work}{options}"
        kernel.mount("overlay", target, "overlay", flags, mounted)
        uppers.append(os.open(upper, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC))
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", uppers))]
    reply.sendmsg([json.dumps({"uppers": len(uppers)}).encode()], ancillary)


def _layer(target: str, source: str, userns: int | None) -> str:
    if userns is None:
        return source
    os.mkdir(target)
    try:
        kernel.clone_mount(source, target, userns)
    except OSError:
        # A file system without shifted mounts: everything in the layer is owned by "nobody", and stays readable.
        return source
    return target


def _make_homes(start: Start, upper: str) -> None:
    agent = start.base + (1000 if start.uid is None else 0)
    homes = (("tmp", start.base, 0o1777), ("work", agent, 0o755), ("root", start.base, 0o700))
    for name, owner, mode in (*homes, ("home", start.base, 0o755), ("home/agent", agent, 0o755)):
        os.mkdir(f"{upper}/{name}")
        os.chmod(f"{upper}/{name}", mode)
        os.chown(f"{upper}/{name}", owner, owner)


def _bwrap(start: Start, info: int, bpf: int) -> list[str]:
    top = start.mount
    command = ["bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup"]
    if start.uid is not None:
        command += ["--unshare-user", "--uid", str(start.inner), "--gid", str(start.inner), "--disable-userns"]
    command += ["--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL"]
    command += ["--bind", f"{top}/root", "/", "--proc", "/proc", "--dev", "/dev"]
    command += ["--bind", f"{top}/shm", "/dev/shm"]  # noqa: S108 - its own, under the disk cap
    command += ["--remount-ro", "/dev", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--chdir", "/"]
    command += ["--hostname", "sandbox", "--info-fd", str(info), "--seccomp", str(bpf), "--"]
    return [*command, "/bin/bash", "--noprofile", "--norc", "-c", INIT]


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
