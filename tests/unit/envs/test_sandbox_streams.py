"""The pipes of a shell."""

import asyncio
import os

import pytest

from envs.sandbox.stream import Duplex


async def test_whoever_waits_is_told_when_the_pipes_are_closed() -> None:
    shell_reads, write = os.pipe()
    read, shell_writes = os.pipe()
    pipes = Duplex(write, read)
    reading = asyncio.create_task(pipes.receive())
    writing = asyncio.create_task(pipes.send(bytes(1 << 20)))
    while len(pipes._waiting) < 2:
        await asyncio.sleep(0)
    pipes.close()
    # The numbers are free at once: these two files get them, and nobody may touch their readers.
    others = os.pipe()
    heard = asyncio.Event()
    asyncio.get_running_loop().add_reader(others[0], heard.set)
    async with asyncio.timeout(60):
        assert await reading == b""
        with pytest.raises(BrokenPipeError):
            await writing
        os.write(others[1], b"x")
        await heard.wait()
    pipes.close()
    assert os.read(others[0], 9) == b"x"
    asyncio.get_running_loop().remove_reader(others[0])
    for descriptor in (*others, shell_reads, shell_writes):
        os.close(descriptor)
