"""Somebody whom a service with sign-in does not know: an environment of their own, and what they do in the browser."""

import asyncio
import os
import re
import shlex
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

from api.core.providers import LoginProvider
from api.core.settings import Settings
from packs.pack import Pack
from tests.support.oidc.fake import FakeProvider, fake_provider
from tests.support.service import Service, choice_pack
from tests.support.snippets import ROOT
from tests.support.terminal import Terminal
from tests.support.visitor import Visitor

UV = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
ASKED = re.compile(r"open this page.*?(http\S+)", re.IGNORECASE | re.DOTALL)


async def _told(*command: str, **variables: str) -> str:
    """What a command says; it has to succeed."""
    process = await asyncio.create_subprocess_exec(
        *command, env=os.environ | variables, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said = (await process.communicate())[0].decode()
    assert process.returncode == 0, f"{shlex.join(command)}: {said}"
    return said


async def empty_environment(folder: Path) -> dict[str, str]:
    """Variables of a shell whose environment is new, and whose `pip` takes our package from the wheel just built."""
    await _told(UV, "build", "-q", "--package", "heldout", "--wheel", "--out-dir", str(folder / "dist"), str(ROOT))
    (wheel,) = (folder / "dist").glob("*.whl")
    await _told(UV, "venv", "-q", "--python", sys.executable, str(folder / "venv"))
    (folder / "constraints.txt").write_text(f"heldout @ file://{wheel}\n")
    pip = folder / "venv" / "bin" / "pip"
    # What the cache holds needs no network.
    pip.write_text(f'#!/bin/sh\nset -- {UV} pip "$@"\n"$@" --offline 2>/dev/null || "$@"\n')
    pip.chmod(0o755)
    home = folder / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if name.startswith(("UV_", "SSL_", "PIP_"))}
    return kept | {
        "PATH": f"{folder}/venv/bin:/usr/bin:/bin",
        "HOME": str(home),
        "UV_CACHE_DIR": os.environ.get("UV_CACHE_DIR", str(Path.home() / ".cache" / "uv")),
        "UV_CONSTRAINT": str(folder / "constraints.txt"),
        "VIRTUAL_ENV": f"{folder}/venv",
        "OPENAI_API_KEY": "sk-stranger",
        "COLUMNS": "80",
    }


@asynccontextmanager
async def hosted(settings: Settings, pack: Pack | None = None) -> AsyncIterator[tuple[Service, FakeProvider]]:
    """A service that nobody has a key of, with a provider to sign in with; by default of two easy open problems."""
    async with fake_provider() as provider:
        ways = (LoginProvider(name="work", issuer=provider.issuer, client_id="heldout", timeout_seconds=60),)
        async with Service.running(settings.model_copy(update={"login_providers": ways})) as service:
            await service.publish(pack or choice_pack("smoke"))
            yield service, provider


@dataclass
class Stranger:
    """Who sits before a terminal and a browser. Signing in for the first time makes them an organisation."""

    service: Service
    provider: FakeProvider
    address: str
    organisation: str = ""

    async def login(self, terminal: Terminal, command: str) -> str:
        """Type a `heldout login`, and approve in the browser what it asks for."""
        approved = False

        async def watch(said: str) -> None:
            nonlocal approved
            if not approved and (found := ASKED.search(said)):
                approved = True
                await self._approve(found[1])

        return await terminal.type(command, watch)

    async def _approve(self, shown: str) -> None:
        transport = httpx2.ASGITransport(app=self.service.app, raise_app_exceptions=False)
        client = httpx2.AsyncClient(transport=transport, base_url=self.address, timeout=120)
        visitor = Visitor(client, origin=self.address)
        there = (await visitor.get("/login/start/work")).headers["location"]
        entered = await visitor.get(self.provider.authorized(there, f"{self.address}/login/callback/work"))
        assert entered.status_code == 303
        if not self.organisation:
            self.organisation = "strangers"
            fields = {"slug": self.organisation, "name": "Strangers"}
            made = await visitor.fill("/account", "/account/organisations", fields)
            assert made.status_code == 303, made.text
        code = shown.split("user_code=")[1]
        seen = await visitor.fill(shown.removeprefix(self.address), "/device", {"user_code": code})
        assert seen.status_code == 200
        fields = {"user_code": code, "organisation": self.organisation, "days": "30", "decision": "approve"}
        assert (await visitor.post("/device/decide", fields)).status_code == 200
