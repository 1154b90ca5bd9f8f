"""Connections that the server ended while they waited in the pool."""

import pytest
from sqlalchemy.exc import OperationalError

from api.core import db
from api.core.db import Database, Role
from api.core.query import Command, Query
from api.core.settings import Settings

OWN = Query(int, "The backend of this connection.", "select pg_backend_pid()")
END = Command("End another backend.", "select pg_terminate_backend(:pid)")


async def _ended(database: Database, settings: Settings) -> None:
    """One pooled connection whose backend is gone."""
    async with database.session() as session:
        pid = await session.fetch_one(OWN)
    admin = Database.of(settings, Role.ADMIN)
    async with admin.session() as session:
        await session.run(END, pid=pid)
    await admin.close()


async def test_an_idle_connection_is_tested_before_it_is_used(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database.of(settings, Role.WEB)
    await _ended(database, settings)
    monkeypatch.setattr(db, "_UNTESTED_SECONDS", 0.0)
    async with database.session() as session:
        assert await session.fetch_one(OWN) > 0
    await database.close()


async def test_one_in_use_a_moment_ago_fails_one_statement(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    database = Database.of(settings, Role.WEB)
    monkeypatch.setattr(db, "_UNTESTED_SECONDS", 3600.0)
    await _ended(database, settings)
    failed = 0
    for _ in range(2):
        try:
            async with database.session() as session:
                assert await session.fetch_one(OWN) > 0
        except OperationalError:
            failed += 1
    assert failed == 1
    await database.close()
