"""Bring the database to the head of the migrations, and the service's roles to their passwords."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from api.core.db import SEARCH_PATH, Role, address, libpq, local_server
from api.core.revision import expected_version, of_later_release, tables_fault
from api.core.settings import Settings

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK = 0x48454C44  # "HELD": one migration at a time on a server
_ROLES = (Role.WEB, Role.WORKER, Role.HOST)
_RIGHTS = """
select rolcreaterole or rolsuper, has_database_privilege(current_database(), 'create'), current_user, current_database()
from pg_roles where rolname = current_user"""


class DatabaseRightsError(Exception):
    """The owner that HELDOUT_DATABASE_URL names may not do what a migration needs; the message says what to grant."""


class TablesError(Exception):
    """The tables are another release's; the message says which, and what to do."""


def prepare(settings: Settings) -> None:
    """Start the embedded server if there is one, make database and roles, run the migrations. Idempotent.

    Raises TablesError where a later release has run its own.
    """
    make_database_and_roles(settings)
    with _locked(settings) as connection:
        found = _version(connection)
        if found and of_later_release(found):
            raise TablesError(tables_fault(found))
        if found != expected_version():
            upgrade(settings)


def prepare_empty(settings: Settings) -> None:
    """The same, but tables that are there stay as they are: processes of their release may be running.

    Raises TablesError where they are not this release's.
    """
    make_database_and_roles(settings)
    with _locked(settings) as connection:
        found = _version(connection)
        if found is None:
            upgrade(settings)
        elif fault := tables_fault(found):
            raise TablesError(fault)


def make_database_and_roles(settings: Settings) -> None:
    """The same without the migrations."""
    server = local_server(settings)
    if server:
        server.start()
        _make_database(settings, server.uri())
    with _locked(settings) as connection:
        _require_rights(connection)
        _make_roles(connection, settings)


def _version(connection: psycopg.Connection) -> str | None:
    if connection.execute("select to_regclass('public.alembic_version') is null").fetchone() == (True,):
        return None
    row = connection.execute("select version_num from public.alembic_version").fetchone()
    return str(row[0]) if row else None


def set_passwords(settings: Settings, owner: str | None = None) -> None:
    """Give the service's roles the passwords that are kept, and the embedded server's owner the password `owner`."""
    with _locked(settings) as connection:
        _make_roles(connection, settings)
        if owner is not None:
            connection.execute(sql.SQL("alter role current_user password {}").format(sql.Literal(owner)))


@contextmanager
def _locked(settings: Settings) -> Iterator[psycopg.Connection]:
    """A connection of the owner's that no other migration runs beside."""
    plain = libpq(address(settings, Role.ADMIN))
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(%s)", (_LOCK,))
        yield connection


def _make_database(settings: Settings, uri: str) -> None:
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(%s)", (_LOCK,))
        name = settings.database_name
        if not connection.execute("select 1 from pg_database where datname = %s", (name,)).fetchone():
            connection.execute(sql.SQL("create database {}").format(sql.Identifier(name)))


def _require_rights(connection: psycopg.Connection) -> None:
    row = connection.execute(_RIGHTS).fetchone()
    assert row
    makes_roles, makes_schemas, user, database = row
    missing = [] if makes_roles else [f"alter role {user} createrole"]
    missing += [] if makes_schemas else [f"alter database {database} owner to {user}"]
    if missing:
        raise DatabaseRightsError(f"{user} may not bring {database} up to date; a superuser runs: {'; '.join(missing)}")


def _make_roles(connection: psycopg.Connection, settings: Settings) -> None:
    for role in _ROLES:
        password = address(settings, role).password or ""
        known = connection.execute("select 1 from pg_roles where rolname = %s", (role.value,)).fetchone()
        verb = sql.SQL("alter" if known else "create")
        # What a new role may do is nothing, and naming that is for superusers alone, which an owner need not be.
        connection.execute(
            sql.SQL("{} role {} login password {}").format(verb, sql.Identifier(role.value), sql.Literal(password))
        )
        # A pooler takes no options with a connection.
        connection.execute(
            sql.SQL("alter role {} set search_path = {}").format(
                sql.Identifier(role.value), sql.SQL(",").join(map(sql.Identifier, SEARCH_PATH.split(",")))
            )
        )


def config(settings: Settings) -> "Config":
    """Alembic's configuration for this instance."""
    from alembic.config import Config

    result = Config()
    result.set_main_option("script_location", str(Path(__file__).parents[2] / "migrations"))
    result.attributes["url"] = address(settings, Role.ADMIN)
    result.attributes["vault_key"] = settings.vault_secrets.raw("vault")
    result.attributes["pepper"] = settings.secrets.raw("pepper")
    return result


def upgrade(settings: Settings) -> None:
    """`alembic upgrade head`."""
    from alembic import command

    command.upgrade(config(settings), "head")
