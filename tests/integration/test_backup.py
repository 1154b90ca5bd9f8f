"""A whole instance into a file and back, as its operator does it: the same keys open the same things afterwards."""

import io
import json
import os
import tarfile
from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import heldout
from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from api.cli.running import Instance
from api.core.settings import Settings
from api.operations.backup import restore
from api.operations.sealed_file import MAGIC, NoBackupError, open_file, seal_file
from tests.support.operator_commands import command, folder
from tests.support.scratch import scratch
from tests.support.service import choice_pack

pytestmark = pytest.mark.timeout(600)
__all__ = ["folder"]
PASSPHRASE = "a long enough passphrase"


@pytest.fixture
async def running() -> AsyncIterator[Throwaway]:
    async with throwaway(unlimited(choice_pack(count=12)), place=scratch()) as made:
        yield made


def _answered(running: Throwaway, port: int) -> tuple[heldout.Client, list[heldout.Problem]]:
    client = heldout.Client(api_key=running.key, base_url=f"http://127.0.0.1:{port}", benchmark="quiz")
    return client, client.get_problems(split="dev").all()


def _resealed(file: Path, out: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """The backup with its members changed by somebody who has the passphrase."""
    plain = io.BytesIO()
    open_file(file, PASSPHRASE, plain)
    plain.seek(0)
    members = {}
    with tarfile.open(fileobj=plain) as archive:
        for entry in archive:
            content = archive.extractfile(entry)
            assert content
            members[entry.name] = content.read()
    change(members)
    again = io.BytesIO()
    with tarfile.open(fileobj=again, mode="w") as archive:
        for name, content_bytes in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content_bytes)
            archive.addfile(entry, io.BytesIO(content_bytes))
    again.seek(0)
    with out.open("wb") as target:
        seal_file(again, target, PASSPHRASE)


async def test_an_instance_comes_back_whole(running: Throwaway, folder: Path, tmp_path: Path) -> None:
    client, problems = _answered(running, running.instance.port)
    submission = client.submit({problem.id: "A" for problem in problems}, model="m", split="dev").wait()
    secret = tmp_path / "passphrase"
    secret.write_text(PASSPHRASE)
    file = tmp_path / "instance.backup"
    made = command(
        "backup", "--out", str(file), "--passphrase-file", str(secret), HELDOUT_DATA_DIR=str(running.settings.data_dir)
    )
    assert made.returncode == 0, made.stderr
    assert file.stat().st_mode & 0o077 == 0
    assert b"quiz" not in file.read_bytes()
    assert client.me().organisation == "participants", "it serves on"

    wrong = tmp_path / "wrong"
    wrong.write_text("another passphrase")
    refused = command("restore", str(file), "--passphrase-file", str(wrong), HELDOUT_DATA_DIR=str(folder))
    assert refused.returncode == 1
    assert "does not open" in refused.stderr

    changed = tmp_path / "changed.backup"
    _resealed(file, changed, _one_row_more)
    differing = command(
        "restore", str(changed), "--passphrase-file", str(secret), HELDOUT_DATA_DIR=str(folder / "other")
    )
    assert differing.returncode == 1
    assert "these tables differ: public.entry" in differing.stderr.replace("\n", " ")

    restored = command("restore", str(file), "--passphrase-file", str(secret), HELDOUT_DATA_DIR=str(folder))
    assert restored.returncode == 0, restored.stderr
    assert "2 in the ledger" in restored.stdout
    again = command("restore", str(file), "--passphrase-file", str(secret), HELDOUT_DATA_DIR=str(folder))
    assert again.returncode == 1
    assert "is in use" in again.stderr

    settings = Settings(data_dir=folder, database_url=None, port=0, rate_limits_enabled=False, log_level="error")
    async with Instance(settings) as instance:
        client, after = _answered(running, instance.port)
        assert [problem.id for problem in after] == [problem.id for problem in problems], "the same aliases"
        assert client.submission(submission.id).score == submission.score
        assert [row.model.name for row in client.leaderboard(split="dev").all()] == ["m"]


def _one_row_more(members: dict[str, bytes]) -> None:
    manifest = json.loads(members["manifest.json"])
    manifest["tables"]["public.entry"]["rows"] += 1
    members["manifest.json"] = json.dumps(manifest).encode()


@pytest.mark.parametrize("size", [0, 5, 4 * 2**20, 9 * 2**20 + 3])
def test_a_sealed_file_opens_whole_or_not_at_all(tmp_path: Path, size: int) -> None:
    content = os.urandom(size)
    file = tmp_path / "sealed"
    with file.open("wb") as out:
        seal_file(io.BytesIO(content), out, PASSPHRASE)
    opened = io.BytesIO()
    open_file(file, PASSPHRASE, opened)
    assert opened.getvalue() == content
    whole = file.read_bytes()
    first = len(MAGIC) + 16 + 4 + int.from_bytes(whole[24:28], "big")
    faults: list[Any] = [whole[:-1], whole[:40] + bytes([whole[40] ^ 1]) + whole[41:], whole + whole[24:], b"x" + whole]
    if size > 4 * 2**20:
        faults += [whole[:first], whole[:24] + whole[first:]]
    for fault in faults:
        file.write_bytes(fault)
        with pytest.raises(NoBackupError):
            open_file(file, PASSPHRASE, io.BytesIO())


@pytest.mark.parametrize(
    "name", ["../secrets/service.json", "secrets/../../x.json", "postgres/cluster.json", "/etc/x.json"]
)
async def test_a_backup_writes_where_it_may(folder: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / "sealed"
    archive = io.BytesIO()
    manifest = (
        '{"format": 1, "made_at": "2026-01-01T00:00:00Z", "service": "1", "revision": "1", "tables": {}, '
        f'"ledger": [0, ""], "digests": {{"{name}": "{sha256(b"{}").hexdigest()}"}}}}'
    )
    with tarfile.open(fileobj=archive, mode="w") as made:
        for member, content in (("manifest.json", manifest.encode()), (name, b"{}")):
            entry = tarfile.TarInfo(member)
            entry.size = len(content)
            made.addfile(entry, io.BytesIO(content))
    archive.seek(0)
    with file.open("wb") as out:
        seal_file(archive, out, PASSPHRASE)
    settings = Settings(data_dir=folder, database_url=None)
    with pytest.raises(NoBackupError, match="would write"):
        await restore(settings, file, PASSPHRASE)
    assert not list(folder.rglob("*.json"))
