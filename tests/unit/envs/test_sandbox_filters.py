"""The system-call filters, run on an interpreter of their own language."""

import errno
import json
import struct

import pytest

from envs.sandbox import seccomp
from envs.sandbox.shell import _Reader

ALLOW, KILL = 0x7FFF0000, 0x80000000
MACHINES = ["x86_64", "aarch64"]


def run(program: bytes, audit: int, number: int, *arguments: int) -> int:
    """What the kernel would answer: a classic BPF machine with loads, jumps and returns."""
    data = struct.pack("<IIQ6Q", number, audit, 0, *(arguments + (0,) * (6 - len(arguments))))
    code = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    at, accumulator = 0, 0
    while True:
        operation, yes, no, k = code[at]
        at += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, k)
        elif operation == 0x06:
            return int(k)
        else:
            met = {0x15: accumulator == k, 0x35: accumulator >= k, 0x45: bool(accumulator & k)}[operation]
            at += yes if met else no


def refused(code: int) -> int:
    return 0x00050000 | code


@pytest.mark.parametrize("machine", MACHINES)
def test_everything_on_the_list_is_refused(machine: str) -> None:
    audit, column, _ = seccomp.TABLES[machine]
    program = seccomp.bpf(machine)
    for name, numbers in seccomp.DENIED.items():
        if (number := numbers[column]) is not None:
            assert run(program, audit, number) == refused(errno.EPERM), name


@pytest.mark.parametrize("machine", MACHINES)
def test_ordinary_calls_are_allowed(machine: str) -> None:
    audit, _, number = seccomp.TABLES[machine]
    program = seccomp.bpf(machine)
    read, execve = (0, 59) if machine == "x86_64" else (63, 221)
    for call in (read, execve, 439):
        assert run(program, audit, call) == ALLOW
    assert run(program, audit, number["clone"], 0x11) == ALLOW
    assert run(program, audit, number["ioctl"], 0, 0x5401) == ALLOW
    for family in seccomp.FAMILIES:
        assert run(program, audit, number["socket"], family) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_arguments_are_looked_at(machine: str) -> None:
    audit, _, number = seccomp.TABLES[machine]
    program = seccomp.bpf(machine)
    for flag in (0x10000000, 0x20000, 0x40000000, 0x02000000, 0x80):
        assert run(program, audit, number["clone"], flag | 0x11) == refused(errno.EPERM)
    assert run(program, audit, number["clone3"]) == refused(errno.ENOSYS)
    for family in (17, 38, 40, 45, 0):
        assert run(program, audit, number["socket"], family) == refused(errno.EAFNOSUPPORT)
    # The kernel reads the lower half only, so a set upper half must change nothing.
    assert run(program, audit, number["socket"], (1 << 32) | 40) == refused(errno.EAFNOSUPPORT)
    for request in seccomp.TERMINAL:
        assert run(program, audit, number["ioctl"], 0, (7 << 32) | request) == refused(errno.EPERM)


def test_foreign_and_future_calls_are_refused() -> None:
    program = seccomp.bpf("x86_64")
    audit = seccomp.TABLES["x86_64"][0]
    assert run(program, 0x40000003, 0) == KILL
    assert run(program, audit, 467) == refused(errno.ENOSYS)
    assert run(program, audit, 0x40000000 | 59) == refused(errno.ENOSYS)
    with pytest.raises(KeyError):
        seccomp.bpf("riscv64")


def test_the_engines_profile_names_what_is_allowed() -> None:
    profile = json.loads(seccomp.docker_profile())
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    plain = {
        name
        for rule in profile["syscalls"]
        if "args" not in rule
        for name in rule["names"]
        if rule["action"].endswith("ALLOW")
    }
    assert plain.isdisjoint(seccomp.DENIED)
    assert {"read", "execve", "openat2", "futex", "fork"} <= plain
    assert plain.isdisjoint({"clone", "clone3", "socket", "ioctl"})
    families = [rule["args"][0]["valueTwo"] for rule in profile["syscalls"] if rule["names"] == ["socket"]]
    assert families == list(seccomp.FAMILIES)


class Pieces:
    """A channel that gives its bytes in given pieces."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = pieces

    async def send(self, data: bytes) -> None:
        raise AssertionError("nothing is sent")

    async def receive(self) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""

    def close(self) -> None:
        self.pieces = []


@pytest.mark.parametrize("size", [1, 2, 5, 7, 40, 1000])
async def test_a_marker_is_found_however_it_is_split(size: int) -> None:
    token = b"0123456789abcdef"
    stream = b"some output\n" + b"0123456789abcde\n" * 3 + b"no newline" + b"\n" + token + b" 42\n"
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    reader = _Reader(Pieces(pieces), token, cap=1000)
    assert await reader.finish() == 42
    assert bytes(reader.data) == b"some output\n" + b"0123456789abcde\n" * 3 + b"no newline"


async def test_a_reader_keeps_to_its_cap_and_notices_the_end() -> None:
    reader = _Reader(Pieces([b"x" * 5000, b"y" * 5000]), b"token", cap=100)
    assert await reader.finish() is None
    assert reader.ended
    assert len(reader.data) == 100
    assert reader.dropped == 9900
