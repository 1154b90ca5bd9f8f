"""From an empty environment to the first score, by the README's commands alone, on an instance with sign-in."""

import asyncio
import json
import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from api.core.providers import LoginProvider
from api.core.settings import Settings
from tests.support.listening import listening
from tests.support.models import scripted_model
from tests.support.oidc.fake import FakeProvider, fake_provider
from tests.support.service import Service, choice_pack
from tests.support.snippets import ROOT, snippets, working
from tests.support.visitor import Visitor

COMMANDS = [line for line in snippets("README.md", "sh")[1].splitlines() if line]
UV = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
BUILT = re.compile(r"open this page.*?(http\S+)", re.IGNORECASE | re.DOTALL)


async def _told(*command: str, **variables: str) -> str:
    """What a command says; it has to succeed."""
    process = await asyncio.create_subprocess_exec(
        *command, env=os.environ | variables, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said = (await process.communicate())[0].decode()
    assert process.returncode == 0, f"{shlex.join(command)}: {said}"
    return said


async def _empty_environment(folder: Path) -> dict[str, str]:
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
async def _hosted(settings: Settings) -> AsyncIterator[tuple[Service, FakeProvider]]:
    """A service that nobody has a key of, with a provider to sign in with."""
    async with fake_provider() as provider:
        ways = (LoginProvider(name="work", issuer=provider.issuer, client_id="heldout", timeout_seconds=60),)
        async with Service.running(settings.model_copy(update={"login_providers": ways})) as service:
            await service.publish(choice_pack("demo-arb"))
            yield service, provider


async def _approve(service: Service, provider: FakeProvider, address: str, shown: str) -> None:
    """What the stranger does in the browser: sign in, make an organisation, approve the code."""
    transport = httpx2.ASGITransport(app=service.app, raise_app_exceptions=False)
    client = httpx2.AsyncClient(transport=transport, base_url=address, timeout=120)
    visitor = Visitor(client, origin=address)
    there = (await visitor.get("/login/start/work")).headers["location"]
    entered = await visitor.get(provider.authorized(there, f"{address}/login/callback/work"))
    assert entered.status_code == 303
    made = await visitor.fill("/account", "/account/organisations", {"slug": "strangers", "name": "Strangers"})
    assert made.status_code == 303, made.text
    code = shown.split("user_code=")[1]
    seen = await visitor.fill(shown.removeprefix(address), "/device", {"user_code": code})
    assert seen.status_code == 200
    fields = {"user_code": code, "organisation": "strangers", "days": "30", "decision": "approve"}
    assert (await visitor.post("/device/decide", fields)).status_code == 200


async def _login(process: asyncio.subprocess.Process, service: Service, provider: FakeProvider, address: str) -> str:
    assert process.stdout
    said = ""
    while not (found := BUILT.search(said)):
        line = await process.stdout.readline()
        assert line, said
        said += line.decode()
    await _approve(service, provider, address, found[1])
    return said


@pytest.mark.timeout(900)
async def test_a_stranger_has_a_score_after_at_most_five_commands(settings: Settings, tmp_path: Path) -> None:
    assert len(COMMANDS) <= 5
    async with _hosted(settings) as (service, provider), listening(service.app) as port, scripted_model() as model:
        address = f"http://127.0.0.1:{port}"
        variables = await _empty_environment(tmp_path)
        shell = await asyncio.create_subprocess_exec(
            "bash", "-e", cwd=tmp_path / "home", env=variables, stdin=-1, stdout=-1, stderr=asyncio.subprocess.STDOUT
        )
        assert shell.stdin
        assert shell.stdout
        begun = time.monotonic()
        for command in COMMANDS:
            typed = command.replace("https://bench.example.org", address).replace("https://models.example/v1", model)
            shell.stdin.write(f"{typed}\n".encode())
            if typed == "heldout login":
                await _login(shell, service, provider, address)
        shell.stdin.close()
        said = (await working(service, asyncio.ensure_future(shell.stdout.read()))).decode()
        assert await shell.wait() == 0, said
        seconds = time.monotonic() - begun
    record = {"commands": len(COMMANDS), "seconds": round(seconds, 1), "asked": len(model.asked)}
    print(json.dumps(record))
    assert "logged in for strangers" in said
    # Gold of the two dev problems is A and B.
    assert "0.500" in said, said
    assert "graded" in said
    assert re.search(r"sub_[0-9a-f]{32}", said), "the submission's whole id"
