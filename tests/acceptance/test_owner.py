"""The life of a benchmark by its owner, with nothing but `heldout packs` against a service that listens."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from api.accounts.models import Scope
from tests.support.listening import listening
from tests.support.service import Service


@dataclass
class Owner:
    """Runs commands with an owner's key, while a worker does what is due."""

    service: Service
    environment: dict[str, str]

    async def run(self, *arguments: str, code: int = 0) -> str:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "from heldout.cli import main; main()",
            *arguments,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self.environment,
        )
        ending = asyncio.create_task(process.communicate())
        while not ending.done():
            await self.service.work()
            await asyncio.wait([ending], timeout=0.2)
        said, wrong = await ending
        assert process.returncode == code, (said.decode(), wrong.decode())
        return said.decode()

    async def json(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(await self.run(*arguments, "--json", code=code))


@pytest.fixture
async def owner(service: Service, tmp_path: Path) -> AsyncIterator[Owner]:
    scopes = [Scope.BENCHMARKS_WRITE, Scope.PROBLEMS_READ]
    key = await service.key("owner@example.org", "owners", scopes=scopes)
    async with listening(service.app) as port:
        settings = {"HELDOUT_BASE_URL": f"http://127.0.0.1:{port}", "HELDOUT_API_KEY": key}
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        yield Owner(service, kept | settings | {"HELDOUT_CONFIG_DIR": str(tmp_path / "config"), "COLUMNS": "80"})


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


async def test_the_example_is_written_checked_uploaded_and_published(owner: Owner, tmp_path: Path) -> None:
    pack = tmp_path / "rivers"
    await owner.run("packs", "new", str(pack), "--owner", "owners")
    assert (await owner.json("packs", "check", str(pack)))["state"] == "checked"
    assert await owner.json("packs", "status") == []
    uploaded = await owner.json("packs", "upload", str(pack))
    assert (uploaded["benchmark"], uploaded["admissible"], uploaded["faults"]) == ("rivers", True, [])
    shown = await owner.run("packs", "preview", uploaded["id"])
    assert "Which river flows through Cologne?" in shown
    assert "Rhine" not in shown
    assert "gold: Danube" in shown
    assert (await owner.json("packs", "publish", uploaded["id"]))["state"] == "published"
    assert "rivers" in await owner.run("benchmarks")
    listed = await owner.run("packs", "status")
    assert uploaded["id"] in listed


async def test_every_fault_is_said_with_its_line(owner: Owner, tmp_path: Path) -> None:
    pack = tmp_path / "rivers"
    await owner.run("packs", "new", str(pack), "--owner", "owners")
    change(pack / "references.jsonl", '"value": "Danube"', '"value": "Danube", "alias": []')
    change(pack / "problems.jsonl", '"split": "test"', '"split": "tset"')
    said = await owner.run("packs", "check", str(pack), code=1)
    assert "references.jsonl:4: reference.alias: this field is not known" in said
    assert "problems.jsonl:6: split: there is no split 'tset'; did you mean 'test'?" in said
    change(pack / "references.jsonl", '"K + sin x"', '"cos x"')
    change(pack / "references.jsonl", ', "alias": []', "")
    change(pack / "problems.jsonl", '"split": "tset"', '"split": "test"')
    assert "references.jsonl:3: answers[0]" in await owner.run("packs", "check", str(pack), code=1)
    (tmp_path / "empty").mkdir()
    await owner.run("packs", "upload", str(tmp_path / "empty"), code=1)
