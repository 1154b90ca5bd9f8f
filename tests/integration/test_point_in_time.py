"""docs/operating.md's way back to a point in time, step by step: a base backup, archived WAL, and the data directory's
keys give the instance as it was before somebody destroyed it."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.cli.baselines.throwaway import enrol, unlimited
from api.core import migrate
from api.core.db import Database, Role
from api.core.settings import Settings
from api.ledger import sealing
from api.operations import census
from api.worker.importing import import_pack
from tests.support.external_postgres import External, external_postgres, missing
from tests.support.scratch import scratch
from tests.support.service import OPEN, Caller, Service, choice_pack
from tests.support.sql import sql

pytestmark = [pytest.mark.timeout(600), pytest.mark.skipif(missing() is not None, reason=missing() or "")]


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hld", dir=scratch(), ignore_cleanup_errors=True) as made:
        yield Path(made)


@pytest.fixture
def archived(folder: Path) -> Iterator[External]:
    """A server that keeps its WAL in `archive`."""
    archive = folder / "archive"
    archive.mkdir()
    settings = f"archive_mode = on\narchive_command = 'test ! -f {archive}/%f && cp %p {archive}/%f'\n"
    with external_postgres(folder, settings) as running:
        yield running


async def _work(service: Service, key: str, model: str) -> None:
    caller = Caller(service.client, key)
    problems = await caller.problems("quiz", "test")
    await caller.submit("quiz", "test", {problem["id"]: "A" for problem in problems}, model=model)
    await service.work()


async def _held(settings: Settings) -> tuple[dict[str, census.TableCount], object]:
    database = Database.of(settings, Role.ADMIN)
    try:
        async with database.session() as session:
            await sealing.seal(session)
        async with database.session() as session:
            return await census.count_tables(session), await sealing.check(session)
    finally:
        await database.close()


def _recover(server: External, base: Path, point: str) -> None:
    """The commands of the page: the base backup in the place of the data, and where to stop."""
    server.control("stop")
    shutil.rmtree(server.data)
    shutil.copytree(base, server.data)
    (server.data / "recovery.signal").touch()
    with (server.data / "postgresql.auto.conf").open("a") as file:
        file.write(f"restore_command = 'cp {server.folder}/archive/%f %p'\nrecovery_target_name = '{point}'\n")
        file.write("recovery_target_action = 'promote'\n")
    for part in (server.data, *server.data.rglob("*")):
        shutil.chown(part, "postgres", "postgres")
    server.control("start")


async def test_an_instance_is_as_it_was_before_somebody_destroyed_it(archived: External, tmp_path: Path) -> None:
    chosen = {"database_url": archived.address, "database_password_file": archived.password_file}
    at_once = {"feedback_delay_seconds": 0, "feedback_clock_seconds": 1, "rate_limits_enabled": False}
    settings = Settings.model_validate({"data_dir": tmp_path} | chosen | at_once)
    await asyncio.to_thread(migrate.prepare, settings)
    base = archived.folder / "base"
    async with Service.running(settings) as service:
        async with service.admin.session() as session:
            await import_pack(session, settings, unlimited(choice_pack(hidden=OPEN)))
            key = (await enrol(session, settings, "lab"))[1]
        archived.run("pg_basebackup", "-D", base, "-c", "fast", "-X", "none")
        await _work(service, key, "after the base backup")
    before = await _held(settings)
    archived.superuser("select pg_create_restore_point('before')", database="postgres")
    database = Database.of(settings, Role.ADMIN)
    async with database.session() as session:
        await sql(session, "truncate submission cascade")
    await database.close()
    ((last,),) = archived.superuser("select pg_walfile_name(pg_current_wal_lsn())", database="postgres")
    archived.superuser("select pg_switch_wal()", database="postgres")
    kept = f"select coalesce(last_archived_wal, '') >= '{last}' from pg_stat_archiver"
    async with asyncio.timeout(60):
        while not archived.superuser(kept)[0][0]:
            await asyncio.sleep(0.1)
    assert (await _held(settings))[0] != before[0]
    await asyncio.to_thread(_recover, archived, base, "before")
    async with asyncio.timeout(60):
        while archived.superuser("select pg_is_in_recovery()", database="postgres")[0][0]:
            await asyncio.sleep(0.1)
    assert await _held(settings) == before
    async with Service.running(settings) as service:
        await _work(service, key, "after the restore")
        board = (await service.client.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test"})).json()
    assert {item["model"]["name"] for item in board["items"]} == {"after the base backup", "after the restore"}
