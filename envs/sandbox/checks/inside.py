"""Runs inside the sandbox, standard library only: tries what must not work, and prints one JSON line for each try.

The argument is a JSON object with what the machine offers as bait: `ports` on its addresses, an abstract socket,
a process id, a secret file and a word in the service's environment.
"""

import ctypes
import errno
import fcntl
import json
import os
import platform
import pty
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

X86 = platform.machine() == "x86_64"
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
bait = json.loads(sys.argv[1])


def report(name: str, allowed: bool, detail: str) -> None:
    """One finding."""
    print(json.dumps({"name": name, "allowed": allowed, "detail": detail}), flush=True)


def attempt(name: str, action: Callable[[], object]) -> None:
    """Allowed if `action` returns anything but None or raises nothing."""
    try:
        result = action()
    except OSError as error:
        report(name, False, errno.errorcode.get(error.errno or 0, str(error)))
    else:
        report(name, result is not None, "" if result is None else str(result)[:120])


def call(x86: int, arm: int, *arguments: object) -> int:
    """A raw system call; raises OSError."""
    ctypes.set_errno(0)
    result = int(libc.syscall(x86 if X86 else arm, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def in_child(action: Callable[[], object]) -> Callable[[], object]:
    """Do it in a fork, so that what it changes goes away with it; its exit code tells."""

    def run() -> object:
        pid = os.fork()
        if pid == 0:
            try:
                os._exit(0 if action() is not None else 200)
            except OSError as error:
                os._exit(error.errno or 201)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code == 0:
            return "done"
        if code < 0 or code == 200:
            return None
        raise OSError(code, "refused")

    return run


def zeros(size: int = 256) -> ctypes.Array[ctypes.c_char]:
    """A cleared buffer."""
    return ctypes.create_string_buffer(size)


def write(path: str) -> str:
    """Open for writing; nothing is written, so that an open door does no harm."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        return f"opened {path} for writing"
    finally:
        os.close(descriptor)


def kernel() -> None:
    """System calls that change the machine or have broken kernels."""
    none = ctypes.c_void_p(0)
    attempt("mount a file system", in_child(lambda: call(165, 40, b"none", b"/tmp", b"tmpfs", 0, none) + 1))
    attempt("unmount /proc", in_child(lambda: call(166, 39, b"/proc", 2) + 1))
    attempt("bind mount", in_child(lambda: call(165, 40, b"/", b"/tmp", none, 4096, none) + 1))
    attempt("open_tree", lambda: call(428, 428, -100, b"/", 1))
    attempt("pivot_root", in_child(lambda: call(155, 41, b".", b".") + 1))
    attempt("chroot", in_child(lambda: call(161, 51, b"/tmp") + 1))
    for name, flag in (("user", 0x10000000), ("mount", 0x20000), ("network", 0x40000000)):
        attempt(f"new {name} namespace", in_child(partial(_unshare, flag)))
    attempt("setns", in_child(lambda: call(308, 268, os.open("/proc/self/ns/net", os.O_RDONLY), 0) + 1))
    attempt("ptrace of process 1", lambda: call(101, 117, 0x4206, 1, 0, 0) + 1)
    attempt("ptrace of a child's parent", in_child(lambda: call(101, 117, 0, 0, 0, 0) + 1))
    attempt("read another process's memory", lambda: call(310, 270, 1, zeros(), 1, zeros(), 1, 0) + 1)
    attempt("io_uring", lambda: call(425, 425, 8, zeros()))
    attempt("keyrings: add_key", lambda: call(248, 217, b"user", b"heldout", b"x", 1, -3))
    attempt("keyrings: keyctl", lambda: call(250, 219, 0, -3, 0))
    attempt("bpf", lambda: call(321, 280, 0, zeros(), 128))
    attempt("perf_event_open", lambda: call(298, 241, zeros(), 0, -1, -1, 0))
    attempt("userfaultfd", lambda: call(323, 282, 0))
    attempt("load a kernel module", lambda: call(175, 105, zeros(), 16, b"") + 1)
    attempt("kexec", lambda: call(246, 104, 0, 0, none, 0) + 1)
    attempt("swapon", lambda: call(167, 224, b"/tmp/swap", 0) + 1)
    attempt("set the clock", lambda: call(227, 112, 0, none) + 1)
    attempt("set the host name", lambda: call(170, 161, b"sandbox", 7) + 1)
    attempt("kernel log", lambda: call(103, 116, 3, zeros(), 16) + 1)
    attempt("open by file handle", lambda: call(304, 265, -100, zeros(), 0) + 1)
    attempt("fanotify", lambda: call(300, 262, 0, 0))
    attempt("memfd_secret", lambda: call(447, 447, 0))
    attempt("quotactl", lambda: call(179, 60, 0x800007 << 8, none, 0, zeros()) + 1)
    if X86:
        attempt("iopl", lambda: call(172, 0, 3) + 1)


def _unshare(flag: int) -> object:
    return call(272, 97, flag) + 1


def _node(mode: int, major: int, minor: int) -> str:
    os.mknod("/tmp/heldout-node", mode, os.makedev(major, minor))  # noqa: S108 - inside
    return "made"


def _opened(path: str) -> str:
    os.close(os.open(path, os.O_RDONLY))
    return "opened"


def _become_root() -> object:
    if os.getuid() == 0:
        return None
    os.setuid(0)
    return "uid 0"


def devices() -> None:
    """Device nodes, and files of the kernel that reach the machine."""
    attempt("make a block device", partial(_node, 0o60600, 8, 0))
    attempt("make a character device", partial(_node, 0o20600, 1, 1))
    for path in ("/dev/mem", "/dev/kmem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/fuse", "/dev/kvm", "/dev/port"):
        attempt(f"open {path}", partial(_opened, path))
    for path in (
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/kernel/modprobe",
        "/proc/sys/vm/overcommit_memory",
        "/proc/sysrq-trigger",
        "/proc/sys/fs/binfmt_misc/register",
        "/proc/sys/kernel/hotplug",
        "/sys/kernel/uevent_helper",
        "/sys/fs/cgroup/release_agent",
        "/sys/fs/cgroup/memory/release_agent",
        "/sys/power/state",
    ):
        attempt(f"write {path}", partial(write, path))
    attempt("read /proc/kcore", lambda: os.read(os.open("/proc/kcore", os.O_RDONLY), 64) or None)
    attempt("make a control group", _control_group)


def _control_group() -> str | None:
    for line in Path("/proc/mounts").read_text().splitlines():
        _, folder, kind, *_ = line.split()
        if kind in ("cgroup", "cgroup2"):
            path = Path(folder, "heldout-escape")
            path.mkdir()
            path.rmdir()
            return f"made {path}"
    return None


def rights() -> None:
    """Becoming somebody else."""
    attempt("become root", in_child(_become_root))
    attempt("a setuid program", _setuid_program)
    attempt("TIOCSTI", _tiocsti)
    status = Path("/proc/self/status").read_text()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    dangerous = int(fields["CapBnd"], 16) & ~0xFB
    report("capabilities that reach the machine", bool(dangerous), f"bounding set {fields['CapBnd']}")
    report("gain rights by execve", fields.get("NoNewPrivs", "?") == "0", f"no_new_privs {fields.get('NoNewPrivs')}")
    mapped = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    own = [int(outer) for _, outer, count in mapped if int(outer) == 0 and int(count) > 0]
    real = bool(own) and os.getuid() == 0
    report(
        "root of the machine", real and bool(int(fields["CapEff"], 16)), Path("/proc/self/uid_map").read_text().strip()
    )


def _setuid_program() -> object:
    for folder in ("/usr/bin", "/bin", "/usr/sbin"):
        for name in ("su", "passwd", "mount", "newgrp", "chsh"):
            path = Path(folder, name)
            if path.exists() and path.stat().st_mode & 0o4000:
                return _effective(path)
    return None


def _effective(path: Path) -> object:
    """Whether a setuid file can raise the effective id, seen from the kernel's own answer for this process."""
    nosuid = os.statvfs(path).f_flag & os.ST_NOSUID
    blocked = "NoNewPrivs:\t1" in Path("/proc/self/status").read_text()
    return None if nosuid or blocked else f"{path} would run with its owner's rights"


def _tiocsti() -> object:
    _, slave = pty.openpty()
    fcntl.ioctl(slave, 0x5412, b"x")
    return "pushed a key"


def network() -> None:
    """Any address at all, name resolution, and families that reach past the network namespace."""
    for host, port in bait["ports"]:
        attempt(f"connect to {host}", partial(_connect, host, port))
    attempt("connect to the metadata address", lambda: _connect("169.254.169.254", 80))
    attempt("connect to the internet", lambda: _connect("1.1.1.1", 443))
    attempt("connect to the internet over IPv6", lambda: _connect("2606:4700:4700::1111", 443, socket.AF_INET6))
    attempt("send a datagram", lambda: _datagram("1.1.1.1"))
    attempt("the machine's abstract socket", lambda: _unix("\0" + bait["abstract"]))
    attempt("resolve a name", _resolve)
    for name, family, kind in (
        ("vsock", 40, 1),
        ("packet", 17, 3),
        ("raw", 2, 3),
        ("crypto (alg)", 38, 5),
        ("bluetooth", 31, 3),
        ("rds", 21, 5),
        ("tipc", 30, 1),
    ):
        attempt(f"{name} socket", partial(call, 41, 198, family, kind, 0))
    for path in (
        "/var/run/docker.sock",
        "/run/docker.sock",
        "/run/containerd/containerd.sock",
        "/run/dbus/system_bus_socket",
    ):
        attempt(f"socket {path}", partial(_unix, path))


def _connect(host: str, port: int, family: int = socket.AF_INET) -> str:
    with socket.socket(family, socket.SOCK_STREAM) as end:
        end.settimeout(3)
        end.connect((host, port))
    return f"connected to {host}:{port}"


def _datagram(host: str) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.sendto(b"x", (host, 53))
    return "sent"


def _unix(name: str) -> str:
    with socket.socket(socket.AF_UNIX) as end:
        end.settimeout(3)
        end.connect(name)
    return f"connected to {name!r}"


def _resolve() -> str:
    try:
        return str(socket.getaddrinfo("example.com", 80)[0][4])
    except socket.gaierror as error:
        raise OSError(errno.EHOSTUNREACH, str(error)) from error


def machine() -> None:
    """What the sandbox can see of the machine."""
    attempt("the service's process", lambda: _other_process(bait["pid"], bait["started"]))
    attempt("a file of the machine", lambda: Path(bait["secret"]).read_text() or None)
    attempt("the service's environment", _environment)
    attempt("the root of process 1", lambda: None if Path("/proc/1/root").samefile("/") else "another root")
    attempt("the machine's passwords", _shadow)


def _other_process(pid: int, started: str) -> object:
    stat = Path(f"/proc/{pid}/stat").read_text()
    if stat[stat.rindex(")") + 2 :].split()[19] != started:
        return None
    os.kill(pid, 0)
    return f"process {pid} can be signalled"


def _environment() -> object:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if bait["word"].encode() in (folder / "environ").read_bytes():
                    return f"found in process {folder.name}"
            except OSError:
                continue
    return None


def _shadow() -> object:
    text = Path("/etc/shadow").read_text()
    return "a password hash is readable" if any("$" in line for line in text.splitlines()) else None


def extent() -> None:
    """The open-files limit."""
    held: list[int] = []
    try:
        while len(held) < 100_000:
            held.append(os.dup(0))
    except OSError as error:
        code = errno.errorcode.get(error.errno or 0, "?")
        for descriptor in held:
            os.close(descriptor)
        print(json.dumps({"name": "descriptors", "count": len(held), "detail": code}), flush=True)
    else:
        print(json.dumps({"name": "descriptors", "count": len(held), "detail": "no limit"}), flush=True)


print(json.dumps({"name": "kernel", "gvisor": "#1 SMP Sun Jan 10 15:06:54 PST 2016" in platform.version()}), flush=True)
for part in (kernel, devices, rights, network, machine, extent):
    part()
