"""A shell that commands are typed into one after the other, as the reader of a page does."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Terminal:
    """A bash that ends with the first command that fails."""

    process: asyncio.subprocess.Process

    @classmethod
    @asynccontextmanager
    async def opened(cls, folder: Path, variables: dict[str, str]) -> AsyncIterator["Terminal"]:
        """One in a folder, with these variables and no others."""
        process = await asyncio.create_subprocess_exec(
            *("bash", "-e"), cwd=folder, env=variables, stdin=-1, stdout=-1, stderr=asyncio.subprocess.STDOUT
        )
        try:
            yield cls(process)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def type(self, command: str, watch: Callable[[str], Awaitable[None]] | None = None) -> str:
        """What the command said; it has to succeed. `watch` is given what it has said so far, line after line."""
        assert self.process.stdin
        assert self.process.stdout
        done = f"done-{secrets.token_hex(8)}"
        self.process.stdin.write(f"{command}\necho; echo {done}\n".encode())
        said = ""
        while done not in said:
            line = await self.process.stdout.readline()
            assert line, f"{command} failed:\n{said}"
            said += line.decode()
            if watch:
                await watch(said)
        return said.partition(done)[0].rstrip("\n")
