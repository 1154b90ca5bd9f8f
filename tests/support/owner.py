"""Commands of `heldout` as an owner types them, against a service that listens."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import heldout
from api.accounts.models import Scope
from tests.support.listening import listening
from tests.support.service import Service


@dataclass
class Owner:
    """Runs commands with an owner's key, while a worker does what is due."""

    service: Service
    environment: dict[str, str]
    folder: Path

    async def run(self, *arguments: str, code: int = 0) -> str:
        """What a command prints."""
        return (await self.ended(*arguments, code=code))[0]

    async def refused(self, *arguments: str, code: int = 1) -> str:
        """What a command that fails says beside its output, which is empty."""
        said, wrong = await self.ended(*arguments, code=code)
        assert (said, "Traceback" in wrong) == ("", False), wrong
        return " ".join(wrong.replace("│", " ").split())

    async def ended(self, *arguments: str, code: int = 0) -> tuple[str, str]:
        """Output and errors of a command that ends with `code`."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "from heldout.cli import main; main()",
            *arguments,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self.environment,
            cwd=self.folder,
        )
        ending = asyncio.create_task(process.communicate())
        while not ending.done():
            await self.service.work()
            await asyncio.wait([ending], timeout=0.2)
        said, wrong = await ending
        assert process.returncode == code, (said.decode(), wrong.decode())
        return said.decode(), wrong.decode()

    async def json(self, *arguments: str, code: int = 0) -> Any:
        """What it prints as JSON."""
        return json.loads(await self.run(*arguments, "--json", code=code))


@pytest.fixture
async def owner(service: Service, tmp_path: Path) -> AsyncIterator[Owner]:
    scopes = [Scope.BENCHMARKS_WRITE, Scope.PROBLEMS_READ]
    key = await service.key("owner@example.org", "owners", scopes=scopes)
    async with listening(service.app) as port:
        settings = {"HELDOUT_BASE_URL": f"http://127.0.0.1:{port}", "HELDOUT_API_KEY": key}
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        settings |= {"PYTHONPATH": str(Path(heldout.__file__).parents[1])}  # this client, wherever it stands
        settings |= {"HELDOUT_CONFIG_DIR": str(tmp_path / "config"), "COLUMNS": "80"}
        yield Owner(service, kept | settings, tmp_path)
