"""The whole service on a PostgreSQL of one's own: TLS, an owner that is no superuser, with and without a pooler."""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import make_url

import heldout
from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from api.core import migrate
from api.core.db import Role, address
from api.core.queue import QUEUES
from api.core.settings import Settings
from api.operations import machine
from api.worker import app as worker_app
from api.worker.state import Worker
from tests.support.external_postgres import DATABASE, OWNER, External, external_postgres, missing, pgbouncer
from tests.support.operator_commands import command
from tests.support.scratch import scratch
from tests.support.service import choice_pack
from tests.support.sessions import echo_pack
from tests.support.sql import sql

pytestmark = [pytest.mark.timeout(900), pytest.mark.skipif(missing() is not None, reason=missing() or "")]


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hld", dir=scratch(), ignore_cleanup_errors=True) as made:
        yield Path(made)


@pytest.fixture
def server(folder: Path) -> Iterator[External]:
    with external_postgres(folder) as running:
        yield running


def known(server: External, **more: Any) -> dict[str, Any]:
    return {"database_url": server.address, "database_password_file": server.password_file} | more


async def test_minimum_rights_suffice_for_every_migration_and_again(server: External, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, **known(server))
    for _ in range(2):
        await asyncio.to_thread(migrate.prepare, settings)
    rights = "select rolsuper, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = '{}'"
    for role in (OWNER, Role.WEB, Role.WORKER, Role.HOST):
        assert server.superuser(rights.format(role)) == [(False, False, False, False)]
    server.superuser(f"alter role {OWNER} nocreaterole")
    with pytest.raises(migrate.DatabaseRightsError, match=f"alter role {OWNER} createrole"):
        migrate.prepare(settings)


def test_what_is_not_encrypted_or_not_the_right_server_is_refused(server: External, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, **known(server))
    plain = address(settings, Role.ADMIN).set(drivername="postgresql")
    for fault, query in (
        ("rejects connection", {"sslmode": "disable"}),
        ("certificate", {"sslmode": "verify-full", "sslrootcert": str(tmp_path / "none.crt")}),
    ):
        with pytest.raises(psycopg.OperationalError, match=fault):
            psycopg.connect(plain.set(query=query).render_as_string(hide_password=False))


@pytest.mark.slow
@pytest.mark.parametrize("pooled", [False, True], ids=["direct", "pooled"])
async def test_participants_notice_nothing(server: External, pooled: bool) -> None:
    if pooled and shutil.which("pgbouncer") is None:
        pytest.skip("pgbouncer is not installed: OPTIONAL=pgbouncer bash infra/setup.sh")
    with tempfile.TemporaryDirectory(prefix="hld", dir=scratch()) as kept:
        first = Settings(data_dir=Path(kept), **known(server))
        first.secrets, first.vault_secrets, first.host_secrets  # noqa: B018 - makes the passwords that a pooler knows
        if not pooled:
            await _play(server, Path(kept), None)
            return
        with pgbouncer(server, first) as pooler:
            await _play(server, Path(kept), pooler)


async def _play(server: External, data_dir: Path, pooler: str | None) -> None:
    more = known(server, database_pooler_url=pooler, data_dir=data_dir)
    async with throwaway(unlimited(choice_pack(count=12)), **more, place=scratch()) as running:
        client = heldout.Client(api_key=running.key, base_url=running.instance.address, benchmark="quiz")
        run = await asyncio.to_thread(_answer, client)
        assert str(await running.until_graded(run, 120)) == "graded"
        assert [verdict.score for verdict in (await running.verdicts(run)).values()].count(1.0) == 3
        await _session(running)
        checks = {check.name: check async for check in machine.examine(running.settings)}
        wrong = [
            f"{check.name}: {check.detail}" for name, check in checks.items() if not check.ok and name != "sandbox"
        ]
        assert not wrong
        await _encrypted_and_few(server, running, pooler)
        if pooler is None:
            # What was open is gone, and what is asked next is answered.
            await asyncio.to_thread(server.control, "restart")
            await running.database.engine.dispose()
            await asyncio.to_thread(client.get_problems, split="dev")
            run = await asyncio.to_thread(_answer, client)
            assert str(await running.until_graded(run, 120)) == "graded"


async def test_migrate_waits_for_a_database_that_starts_later(server: External, tmp_path: Path) -> None:
    known_to_it = {"HELDOUT_DATABASE_URL": server.address, "HELDOUT_DATABASE_PASSWORD_FILE": str(server.password_file)}
    await asyncio.to_thread(server.control, "stop")
    at_once = await asyncio.to_thread(command, "migrate", HELDOUT_DATA_DIR=str(tmp_path), **known_to_it)
    assert (at_once.returncode, "cannot be reached" in at_once.stderr) == (1, True)
    waiting = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from api.cli.main import main; main()", "migrate", "--wait", "120"),
        env=os.environ | {"HELDOUT_DATA_DIR": str(tmp_path), "COLUMNS": "200"} | known_to_it,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert waiting.stderr
    assert (await waiting.stderr.readline()).startswith(b"waiting: the database cannot be reached")
    await asyncio.to_thread(server.control, "start")
    assert await waiting.communicate() == (b"the database is up to date\n", b"")


@pytest.mark.slow
async def test_a_worker_outlives_a_database_that_is_long_away(
    server: External, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_app, "_PATIENCE", 1.0)
    settings = Settings.model_validate({"data_dir": tmp_path} | known(server))
    await asyncio.to_thread(migrate.prepare, settings)
    worker = Worker.build(settings)
    working = asyncio.create_task(worker_app.run(worker))
    try:
        await _registered(server, working)
        await asyncio.to_thread(server.control, "stop")
        await asyncio.sleep(6)
        await asyncio.to_thread(server.control, "start")
        server.superuser("delete from queue.procrastinate_workers")
        await _registered(server, working)
        # Told to stop while the database is away, it stops.
        await asyncio.to_thread(server.control, "stop")
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(working, 20)
    finally:
        working.cancel()
        await worker.close()


async def _registered(server: External, working: "asyncio.Task[None]") -> None:
    """Wait until the worker takes jobs of every queue."""
    async with asyncio.timeout(30):
        while server.superuser("select count(*) from queue.procrastinate_workers") != [(len(QUEUES),)]:
            assert not working.done(), working.exception()
            await asyncio.sleep(0.2)


def _answer(client: heldout.Client) -> str:
    problems = client.get_problems(split="test").all()
    submission = client.submit({problem.id: "ANSWER: A" for problem in problems}, split="test", model={"name": "m"})
    return str(submission.id)


async def _session(running: Throwaway) -> None:
    """Sixty steps of an episode: whatever is prepared after the fifth execution is executed again."""
    from api.worker.importing import import_pack

    async with running.database.session() as session:
        await import_pack(session, running.settings, unlimited(echo_pack(count=1, steps=100)))
    async with running.client() as client:
        page = (await client.get("/v1/benchmarks/parrot/episodes", params={"split": "dev"})).raise_for_status().json()
        opened = await client.post("/v1/sessions", json={"problem": page["items"][0]["id"]})
        assert opened.status_code == 201, opened.text
        path = f"/v1/sessions/{opened.json()['id']}/steps"
        for number in range(1, 61):
            said = await client.post(path, json={"number": number, "action": {"text": f"word {number}"}})
            assert said.status_code == 200, said.text
        ended = await client.post(path, json={"number": 61, "action": {"text": "finish[0]"}})
        assert ended.json()["finish_reason"] == "completed"


async def _encrypted_and_few(server: External, running: Throwaway, pooler: str | None) -> None:
    async with running.database.session() as session:
        shown = (await sql(session, "select current_user, current_setting('is_superuser')")).one()
    assert tuple(shown) == (OWNER, "off")
    open_ones = server.superuser(
        f"""select a.usename, a.application_name, s.ssl, coalesce(s.version, '') from pg_stat_activity a
            join pg_stat_ssl s using (pid) where a.datname = '{DATABASE}' and a.client_port > 0"""
    )
    assert open_ones
    assert all(row[2] for row in open_ones), open_ones
    if pooler:
        assert make_url(pooler).port != server.port
        web = [row for row in open_ones if row[0] == Role.WEB.value]
        assert 1 <= len(web) <= 4, web
