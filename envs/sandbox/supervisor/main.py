"""The supervisor's loop: requests come over a socket, one for each packet, with the descriptors they need.

It owns slots and lifelines. When the service dies the socket ends, and every sandbox with it; when the supervisor
dies, bubblewrap and each sandbox's process 1 notice by themselves.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys
from dataclasses import dataclass, field
from pathlib import Path

from envs.sandbox import seccomp
from envs.sandbox.supervisor import cgroups, kernel, slots
from envs.sandbox.supervisor.enter import Enter, enter
from envs.sandbox.supervisor.launch import Start, fail, launch

CLEAR_SECONDS = 30.0
PACKET = 4096


@dataclass
class Slot:
    """A slot that is in use: its lock, the pipe that keeps process 1 alive, and the process that became bwrap."""

    lock: int
    group: cgroups.Group | None
    lifeline: int = -1
    pid: int = 0


@dataclass
class Supervisor:
    """State of the loop. `clearing` maps the helpers that clear a slot to the slot."""

    requests: socket.socket
    runtime: Path
    cgroup: int | None
    tag: str
    bpf: bytes = field(default_factory=seccomp.bpf)
    slots: dict[int, Slot] = field(default_factory=dict)
    clearing: dict[int, int] = field(default_factory=dict)

    def serve(self) -> None:
        """Handle requests until the service is gone; then clear up."""
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        # select() cannot wait for a number above 1023, and the service may have given us one.
        waiting = select.poll()
        for descriptor in (self.requests.fileno(), wake_read):
            waiting.register(descriptor, select.POLLIN)
        while True:
            readable = [descriptor for descriptor, _ in waiting.poll()]
            if wake_read in readable:
                with contextlib.suppress(BlockingIOError):
                    os.read(wake_read, PACKET)
                self._reap()
            if self.requests.fileno() in readable and not self._receive():
                break
        for slot in list(self.slots):
            self._clear_now(slot)

    def _receive(self) -> bool:
        data, descriptors, _, _ = socket.recv_fds(self.requests, PACKET, 8)
        if not data:
            return False
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
        body, reply_descriptor, *rest = descriptors
        reply = socket.socket(fileno=reply_descriptor)
        try:
            request = json.loads(_read_all(body))
            {"start": self._start, "enter": self._enter, "destroy": self._destroy}[data.decode()](request, reply, rest)
        except OSError as error:
            with contextlib.suppress(OSError):
                reply.send(json.dumps({"error": str(error)}).encode())
        finally:
            reply.close()
            for descriptor in rest:
                os.close(descriptor)
        return True

    def _start(self, request: dict[str, object], reply: socket.socket, descriptors: list[int]) -> None:
        output, info = descriptors
        slot, lock = slots.acquire(self.runtime / "slots")
        start = Start(**{**request, "slot": slot, "cgroup": self.cgroup, "tag": self.tag})  # type: ignore[arg-type]
        taken = self.slots[slot] = Slot(lock, start.group)
        if taken.group:
            # A supervisor that was killed may have left this slot's group behind.
            taken.group.clear(CLEAR_SECONDS)
            taken.group.create(start.memory, start.processes, start.cpus)
        stdin, taken.lifeline = os.pipe2(os.O_CLOEXEC)
        reply.send(json.dumps({"slot": slot}).encode())
        taken.pid = os.fork()
        if taken.pid == 0:
            try:
                bpf = os.memfd_create("filter", 0)
                os.write(bpf, self.bpf)
                os.lseek(bpf, 0, os.SEEK_SET)
                self._close_all_but({reply.fileno(), stdin, output, info, bpf})
            except BaseException as error:
                fail(reply, error)
            launch(start, reply, stdin, output, info, bpf)
        os.close(stdin)

    def _enter(self, request: dict[str, object], reply: socket.socket, descriptors: list[int]) -> None:
        pidfd, stdin, stdout, stderr = descriptors
        what = Enter(**request)  # type: ignore[arg-type]
        if os.fork() == 0:
            try:
                self._close_all_but({reply.fileno(), *descriptors})
            except BaseException as error:
                fail(reply, error)
            enter(what, reply, pidfd, (stdin, stdout, stderr), self.bpf)

    def _destroy(self, request: dict[str, object], reply: socket.socket, descriptors: list[int]) -> None:
        slot = int(str(request["slot"]))
        taken = self.slots.get(slot)
        if taken is None or slot in self.clearing.values():
            reply.send(json.dumps({"cleared": True}).encode())
            return
        self._cut(taken)
        for pidfd in descriptors:
            _signal(pidfd)
        pid = os.fork()
        if pid == 0:
            try:
                cleared = taken.group is None or taken.group.clear(CLEAR_SECONDS)
                reply.send(json.dumps({"cleared": cleared}).encode())
            finally:
                os._exit(0)
        self.clearing[pid] = slot

    def _clear_now(self, slot: int) -> None:
        taken = self.slots.pop(slot)
        self._cut(taken)
        if taken.group:
            taken.group.clear(CLEAR_SECONDS)
        os.close(taken.lock)

    def _cut(self, taken: Slot) -> None:
        if taken.lifeline >= 0:
            os.close(taken.lifeline)
            taken.lifeline = -1
        if taken.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(taken.pid, signal.SIGKILL)

    def _reap(self) -> None:
        while True:
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if pid in self.clearing:
                os.close(self.slots.pop(self.clearing.pop(pid)).lock)
            for taken in self.slots.values():
                if taken.pid == pid:
                    taken.pid = 0

    def _close_all_but(self, keep: set[int]) -> None:
        """A child must not carry another sandbox's lock, lifeline or socket."""
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        for name in os.listdir("/proc/self/fd"):
            if int(name) > 2 and int(name) not in keep:
                with contextlib.suppress(OSError):
                    os.close(int(name))


def _signal(pidfd: int) -> None:
    with contextlib.suppress(OSError):
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)


def _read_all(descriptor: int) -> bytes:
    with open(descriptor, "rb") as file:
        file.seek(0)
        return file.read()


def main() -> None:
    """Entry: the socket's descriptor, the runtime folder and whether control groups are wanted, as arguments."""
    descriptor, runtime, grouped = sys.argv[1:4]
    folder = Path(runtime)
    folder.mkdir(parents=True, exist_ok=True)
    cgroup = cgroups.version() if grouped == "1" else None
    # Orphans come to us, not to the machine's init, which may be slow to bury them: a group with a zombie stays.
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    requests = socket.socket(fileno=int(descriptor))
    found = cgroups.tag(folder)
    requests.send(json.dumps({"cgroup": cgroup, "tag": found}).encode())
    Supervisor(requests, folder, cgroup, found).serve()
