"""System-call filters: BPF for bubblewrap, JSON for Docker Engine, made from one list. Standard library only.

Numbers are from the kernel's own headers (asm/unistd_64.h, asm-generic/unistd.h); filters are for x86-64 and AArch64.
"""

import errno
import json
import platform
import struct
from pathlib import Path
from typing import Any

# What no task of ours needs, and what has broken kernels: name: (x86-64, AArch64 or None where it does not exist).
DENIED: dict[str, tuple[int, int | None]] = {
    "_sysctl": (156, None),
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "create_module": (174, None),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "get_kernel_syms": (177, None),
    "get_mempolicy": (239, 236),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    "mbind": (237, 235),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "query_module": (178, None),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
}
FAMILIES = (1, 2, 10, 16)  # UNIX, INET, INET6, NETLINK: no vsock, no packet, no bluetooth
NEWEST = 456  # calls younger than this list are unknown to us, hence refused
NAMESPACES = 0x7E020000 | 0x80  # every CLONE_NEW*
TERMINAL = (0x5412, 0x541C, 0x5423)  # TIOCSTI, TIOCLINUX, TIOCSETD
TABLES = {
    "x86_64": (0xC000003E, 0, {"clone3": 435, "clone": 56, "ioctl": 16, "socket": 41}),
    "aarch64": (0xC00000B7, 1, {"clone3": 435, "clone": 220, "ioctl": 29, "socket": 198}),
}

_LOAD, _EQUAL, _GREATER, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_NAMES = Path(__file__).with_name("syscalls.txt")


def _refuse(number: int) -> int:
    return 0x00050000 | number


def bpf(machine: str | None = None) -> bytes:
    """The filter as classic BPF: kills foreign architectures, refuses with EPERM, ENOSYS for what is too new.

    Raises KeyError on a machine that is neither x86_64 nor aarch64.
    """
    audit, column, number = TABLES[machine or platform.machine()]
    program: list[tuple[int, int, int, int]] = []

    def add(code: int, k: int, yes: int = 0, no: int = 0) -> None:
        program.append((code, yes, no, k))

    def refuse_if_equal(values: tuple[int, ...], error: int) -> None:
        for value in values:
            add(_EQUAL, value, 0, 1)
            add(_RETURN, _refuse(error))

    add(_LOAD, 4)
    add(_EQUAL, audit, 1, 0)
    add(_RETURN, _KILL)
    add(_LOAD, 0)
    # libc falls back to clone, whose flags a filter can see
    refuse_if_equal((number["clone3"],), errno.ENOSYS)
    add(_GREATER, NEWEST + 1, 0, 1)
    add(_RETURN, _refuse(errno.ENOSYS))
    add(_EQUAL, number["clone"], 0, 4)
    add(_LOAD, 16)
    add(_BITS, NAMESPACES, 0, 1)
    add(_RETURN, _refuse(errno.EPERM))
    add(_RETURN, _ALLOW)
    add(_EQUAL, number["ioctl"], 0, 2 + 2 * len(TERMINAL))
    add(_LOAD, 24)
    refuse_if_equal(TERMINAL, errno.EPERM)
    add(_RETURN, _ALLOW)
    add(_EQUAL, number["socket"], 0, 3 + len(FAMILIES))
    add(_LOAD, 16)
    for index, family in enumerate(FAMILIES):
        add(_EQUAL, family, len(FAMILIES) - index, 0)
    add(_RETURN, _refuse(errno.EAFNOSUPPORT))
    add(_RETURN, _ALLOW)
    for numbers in DENIED.values():
        value = numbers[column]
        if value is not None:
            refuse_if_equal((value,), errno.EPERM)
    add(_RETURN, _ALLOW)
    return b"".join(struct.pack("<HBBI", code, yes, no, k) for code, yes, no, k in program)


def docker_profile() -> str:
    """The same filter for Docker Engine, as its JSON: everything is refused that is not named."""
    words = [line for line in _NAMES.read_text().splitlines() if not line.startswith("#")]
    allow, refuse = "SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO"

    def masked(index: int, mask: int, value: int) -> list[dict[str, Any]]:
        return [{"index": index, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ"}]

    calls: list[dict[str, Any]] = [
        {"names": " ".join(words).split(), "action": allow},
        {"names": ["clone"], "action": allow, "args": masked(0, NAMESPACES, 0)},
        {"names": ["clone3"], "action": refuse, "errnoRet": errno.ENOSYS},
        # One condition is all the format can say here: only TIOCSTI is refused, and there is no terminal anyway.
        {"names": ["ioctl"], "action": allow, "args": [{"index": 1, "value": TERMINAL[0], "op": "SCMP_CMP_NE"}]},
    ]
    # Only the lower half is looked at by the kernel, so only that half is compared.
    calls += [{"names": ["socket"], "action": allow, "args": masked(0, 0xFFFFFFFF, family)} for family in FAMILIES]
    machines = [{"architecture": f"SCMP_ARCH_{name}", "subArchitectures": []} for name in ("X86_64", "AARCH64")]
    return json.dumps({"defaultAction": refuse, "defaultErrnoRet": 1, "archMap": machines, "syscalls": calls})
