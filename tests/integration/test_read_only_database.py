"""A database that takes no changes: `/readyz` and `config check` say so, and it is used again when it takes them."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from api.core import migrate
from api.core.db import Role
from api.core.settings import Settings
from api.operations import machine
from api.operations.check import Check
from tests.support.external_postgres import External, external_postgres, missing
from tests.support.scratch import scratch
from tests.support.service import Service
from tests.support.sql import sql

SETTING = "the database only reads: default_transaction_read_only is on"
STANDBY = "the database only reads: it is a standby that nobody has promoted, or is being restored"


@asynccontextmanager
async def only_reads(service: Service, whom: str) -> AsyncIterator[None]:
    """New connections of a role, or of all, only read; the web process's are made anew."""
    async with service.admin.session() as session:
        await sql(session, f"alter {whom} set default_transaction_read_only = on")
    await service.app.state.database.engine.dispose()
    try:
        yield
    finally:
        async with service.admin.session() as session:
            await sql(session, "set transaction read write")
            await sql(session, f"alter {whom} reset default_transaction_read_only")
        await service.app.state.database.engine.dispose()


async def faults(settings: Settings) -> dict[str, Check]:
    chosen = Settings.model_validate(settings.model_dump() | {"port": 0})
    return {check.name: check async for check in machine.examine(chosen) if not check.ok and check.name != "sandbox"}


async def test_a_database_that_only_reads_is_not_ready_and_alive(service: Service) -> None:
    async with only_reads(service, f"database {service.settings.database_name}"):
        reply = await service.client.get("/readyz")
        assert (reply.status_code, reply.json()) == (503, {"ready": False, "faults": [SETTING]})
        assert (await service.client.get("/healthz")).status_code == 200
        found = await faults(service.settings)
    assert found.keys() == {"database"}
    assert SETTING in found["database"].detail
    assert "turn default_transaction_read_only off" in found["database"].remedy
    assert (await service.client.get("/readyz")).status_code == 200
    assert await faults(service.settings) == {}


async def test_a_role_that_only_reads_is_named(service: Service) -> None:
    async with only_reads(service, f"role {Role.WEB} in database {service.settings.database_name}"):
        assert (await service.client.get("/readyz")).json()["faults"] == [SETTING]
        found = await faults(service.settings)
    assert {name: check.detail for name, check in found.items()} == {f"role {Role.WEB}": SETTING}


async def test_old_tables_that_cannot_be_changed_are_both_named(service: Service) -> None:
    async with service.admin.session() as session:
        await sql(session, "update alembic_version set version_num = '0001'")
    async with only_reads(service, f"database {service.settings.database_name}"):
        said = (await service.client.get("/readyz")).json()["faults"]
    assert (said[0], "heldout-server migrate" in said[1]) == (SETTING, True)


@pytest.fixture
def server() -> Iterator[External]:
    with (
        tempfile.TemporaryDirectory(prefix="hld", dir=scratch(), ignore_cleanup_errors=True) as made,
        external_postgres(Path(made)) as running,
    ):
        yield running


@pytest.mark.timeout(300)
@pytest.mark.skipif(missing() is not None, reason=missing() or "")
async def test_a_standby_is_not_ready_until_it_is_promoted(server: External, tmp_path: Path) -> None:
    known = {"database_url": server.address, "database_password_file": server.password_file}
    settings = Settings.model_validate({"data_dir": tmp_path, "rate_limits_enabled": False} | known)
    await asyncio.to_thread(migrate.prepare, settings)
    await asyncio.to_thread(server.control, "stop")
    (server.data / "standby.signal").touch()
    await asyncio.to_thread(server.control, "start")
    async with Service.running(settings) as service:
        reply = await service.client.get("/readyz")
        assert (reply.status_code, reply.json()) == (503, {"ready": False, "faults": [STANDBY]})
        found = (await faults(settings))["database"]
        assert (STANDBY in found.detail, "promote" in found.remedy) == (True, True)
        assert server.superuser("select pg_promote()") == [(True,)]
        assert (await service.client.get("/readyz")).status_code == 200
