"""A real service for tests: one PostgreSQL cluster for each test process, a fresh database for each test."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from api.core import migrate
from api.core.db import local_server
from api.core.localpg import LocalServer
from api.core.settings import Settings
from tests.support.scratch import scratch
from tests.support.service import Service

TEMPLATE = "heldout_template"


@dataclass
class Cluster:
    """The running cluster and where its data directory is."""

    folder: Path
    server: LocalServer
    made: int = 0

    def fresh(self) -> str:
        """The name of a new database, cloned from the migrated template."""
        self.made += 1
        name = f"t{self.made}"
        with psycopg.connect(self.server.uri(), autocommit=True) as connection:
            statement = sql.SQL("create database {} template {} strategy file_copy")
            connection.execute(statement.format(sql.Identifier(name), sql.Identifier(TEMPLATE)))
        return name

    def drop(self, name: str) -> None:
        """Drop a database, whoever is connected."""
        with psycopg.connect(self.server.uri(), autocommit=True) as connection:
            connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One cluster for this test process."""
    folder = Path(tempfile.mkdtemp(prefix="hld", dir=scratch()))
    folder.chmod(0o755)
    settings = Settings(data_dir=folder, database_name=TEMPLATE)
    migrate.prepare(settings)
    server = local_server(settings)
    assert server
    with psycopg.connect(server.uri(), autocommit=True) as connection:
        # Nothing here outlives the run, and kills are tested on servers of their own.
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(sql.SQL("alter system set {} = off").format(sql.Identifier(setting)))
        # A connection that was given up before its password came holds up whoever drops a database.
        connection.execute("alter system set authentication_timeout = '10s'")
        connection.execute("select pg_reload_conf()")
    yield Cluster(folder, server)
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def settings(cluster: Cluster) -> Iterator[Settings]:
    """Settings of an instance with an empty, migrated database."""
    name = cluster.fresh()
    yield Settings(
        data_dir=cluster.folder,
        database_name=name,
        rate_limits_enabled=False,
        port=0,
        pool_ready=1,
        feedback_delay_seconds=0,
        feedback_clock_seconds=1,
        feedback_pause_seconds=0,
        declaration_lead_seconds=0,
    )
    cluster.drop(name)


@pytest.fixture
async def service(settings: Settings) -> AsyncIterator[Service]:
    """A service in this process: the application over ASGI, jobs run when `work()` says so."""
    async with Service.running(settings) as running:
        yield running
