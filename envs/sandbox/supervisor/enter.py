"""Run a command inside a running sandbox. Runs in a forked child of the supervisor.

The child joins the sandbox's control group and namespaces through a pidfd of its process 1 and forks; the
grandchild drops every right, installs the system-call filter and becomes the command. From the moment the mount
namespace is entered the files that Python would import are the agent's: so nothing may be imported any more.
"""

import contextlib
import json
import os
import resource
import socket
import sys
import warnings  # noqa: F401 - os.execvpe imports it, which would be too late
from dataclasses import dataclass
from typing import NoReturn

from envs.sandbox.supervisor import cgroups, kernel
from envs.sandbox.supervisor.launch import fail

NOT_FOUND, NOT_EXECUTABLE = 127, 126


@dataclass(frozen=True)
class Enter:
    """What to run, and as whom. `host_uid` is the machine's id that owns a single-id sandbox."""

    argv: list[str]
    environment: dict[str, str]
    workdir: str
    uid: int
    processes: int
    open_files: int
    slot: int
    cgroup: int | None
    tag: str
    part: str
    host_uid: int | None
    memory: int


def enter(what: Enter, reply: socket.socket, pidfd: int, streams: tuple[int, int, int], bpf: bytes) -> NoReturn:
    """Run it, tell `reply` its pid and at the end its status, and end."""
    try:
        sys.meta_path.clear()
        sys.path.clear()
        # First: from the next line on an ordinary user's own /proc/self is closed to it.
        _adjust_oom()
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        if what.cgroup:
            cgroups.Group(what.cgroup, cgroups.slot_name(what.slot, what.tag)).join(what.part)
        if what.host_uid is not None and os.geteuid() == 0:
            os.setgroups([])
            os.setresgid(what.host_uid, what.host_uid, what.host_uid)
            os.setresuid(what.host_uid, what.host_uid, what.host_uid)
        kernel.setns(pidfd, kernel.CLONE_ALL)
        running, begun = os.pipe2(os.O_CLOEXEC)
        pid = os.fork()
        if pid == 0:
            _become(what, streams, bpf, begun)
        os.close(begun)
        # Ends when the command has replaced the grandchild: from then on its pid means the command.
        os.read(running, 1)
        _tell(reply, {"pid": pid})
        for descriptor in streams:
            os.close(descriptor)
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        _tell(reply, {"status": code if code >= 0 else 128 - code})
        os._exit(0)
    except BaseException as error:
        fail(reply, error)


def _tell(reply: socket.socket, message: dict[str, int]) -> None:
    """A shell's opener does not listen any more; that must not end the shell's waiting parent."""
    with contextlib.suppress(OSError):
        reply.send(json.dumps(message).encode())


def _adjust_oom() -> None:
    """Under memory pressure the kernel takes what an agent started before the sandbox's own process 1."""
    descriptor = os.open("/proc/self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
    os.write(descriptor, b"500")
    os.close(descriptor)


def _become(what: Enter, streams: tuple[int, int, int], bpf: bytes, begun: int) -> NoReturn:
    try:
        os.setsid()
        for source, target in zip(streams, (0, 1, 2), strict=True):
            os.dup2(source, target)
        os.closerange(3, begun)
        os.closerange(begun + 1, 4096)
        _drop(what, bpf)
        os.umask(0o022)
        try:
            os.chdir(what.workdir)
        except OSError:
            os.chdir("/")
        os.execvpe(what.argv[0], what.argv, what.environment)
    except (FileNotFoundError, NotADirectoryError):
        os.write(2, f"{what.argv[0]}: not found\n".encode())
        os._exit(NOT_FOUND)
    except BaseException as error:
        os.write(2, f"{what.argv[0]}: {error}\n".encode())
        os._exit(NOT_EXECUTABLE)


def _drop(what: Enter, bpf: bytes) -> None:
    keep = kernel.ROOT_CAPABILITIES if what.uid == 0 and what.host_uid is None else ()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (what.open_files, what.open_files))
    resource.setrlimit(resource.RLIMIT_NPROC, (what.processes, what.processes))
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536))
    if what.host_uid is not None:
        # Without control groups this is all there is: a cap on each process, none on their sum.
        resource.setrlimit(resource.RLIMIT_DATA, (what.memory, what.memory))
    kernel.drop_capabilities(keep)
    if what.host_uid is None:
        os.setgroups([])
    os.setresgid(what.uid, what.uid, what.uid)
    os.setresuid(what.uid, what.uid, what.uid)
    kernel.set_capabilities(keep)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.set_filter(bpf)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)
