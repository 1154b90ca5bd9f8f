"""System calls that Python 3.11 does not wrap. Standard library only."""

import ctypes
import os
import struct
from pathlib import Path

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 0x00020000, 0x02000000, 0x04000000
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x08000000, 0x10000000, 0x20000000, 0x40000000
CLONE_ALL = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 4096, 16384, 1 << 18

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, PR_SET_CHILD_SUBREAPER = 47, 4, 36
SECCOMP_MODE_FILTER = 2
# CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID: what an administrator of files and accounts needs
ROOT_CAPABILITIES = (0, 1, 3, 4, 5, 6, 7)

_OPEN_TREE, _MOVE_MOUNT, _OPENAT2, _MOUNT_SETATTR, _CAPSET = 428, 429, 437, 442, {"x86_64": 126, "aarch64": 91}
_AT_EMPTY_PATH, _AT_FDCWD, _OPEN_TREE_CLONE, _MOVE_MOUNT_F_EMPTY_PATH = 0x1000, -100, 1, 4
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID, _MOUNT_ATTR_NODEV, _MOUNT_ATTR_IDMAP = 1, 2, 4, 0x100000

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_machine = os.uname().machine
# read once: later the /proc in sight may be a sandbox's
_LAST_CAPABILITY = int(Path("/proc/sys/kernel/cap_last_cap").read_text())


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:
    """Leave namespaces behind."""
    _check(_libc.unshare(flags), "unshare")


def setns(descriptor: int, flags: int) -> None:
    """Enter the namespaces of a pidfd."""
    _check(_libc.setns(descriptor, flags), "setns")


def prctl(option: int, *values: int) -> None:
    """Set a property of this process."""
    padded = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    _check(_libc.prctl(option, *padded), f"prctl {option}")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """mount(2)."""
    result = _libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode())
    _check(result, f"mount {kind or 'flags'} on {target}")


def clone_mount(source: str, target: str, userns: int | None) -> None:
    """Bind `source` read-only on `target`, its owners shifted into the user namespace `userns` if given."""
    tree = _check(
        _libc.syscall(_OPEN_TREE, _AT_FDCWD, source.encode(), _OPEN_TREE_CLONE | os.O_CLOEXEC), f"open_tree {source}"
    )
    try:
        attributes = _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID | _MOUNT_ATTR_NODEV
        attributes |= _MOUNT_ATTR_IDMAP if userns is not None else 0
        how = ctypes.create_string_buffer(struct.pack("QQQQ", attributes, 0, 0, userns or 0), 32)
        _check(_libc.syscall(_MOUNT_SETATTR, tree, b"", _AT_EMPTY_PATH, how, 32), f"mount_setattr {source}")
        moved = _libc.syscall(_MOVE_MOUNT, tree, b"", _AT_FDCWD, target.encode(), _MOVE_MOUNT_F_EMPTY_PATH)
        _check(moved, f"move_mount {target}")
    finally:
        os.close(tree)


def openat2(directory: int, path: str, flags: int, mode: int, resolve: int) -> int:
    """openat2(2): opens `path` under `directory` with resolution rules."""
    how = ctypes.create_string_buffer(struct.pack("QQQ", flags, mode, resolve), 24)
    return _check(_libc.syscall(_OPENAT2, directory, os.fsencode(path), how, 24), path)


def drop_capabilities(keep: tuple[int, ...]) -> None:
    """Leave only `keep` in the bounding, permitted and effective sets; nothing is inherited."""
    for number in range(_LAST_CAPABILITY + 1):
        if number not in keep:
            prctl(PR_CAPBSET_DROP, number)
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)


def set_capabilities(keep: tuple[int, ...]) -> None:
    """capset(2): permitted and effective become `keep`."""
    bits = sum(1 << number for number in keep)
    header = ctypes.create_string_buffer(struct.pack("Ii", 0x20080522, 0), 8)
    low, high = bits & 0xFFFFFFFF, bits >> 32
    data = ctypes.create_string_buffer(struct.pack("IIIIII", low, low, 0, high, high, 0), 24)
    _check(_libc.syscall(_CAPSET[_machine], header, data), "capset")


def set_filter(program: bytes) -> None:
    """Install a seccomp filter. Needs no_new_privs."""
    buffer = ctypes.create_string_buffer(program, len(program))
    what = _Filter(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    _check(_libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(what), 0, 0), "seccomp")
