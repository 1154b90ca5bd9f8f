"""The database: engine, sessions, roles. All SQL is in repositories and goes through `AsyncSession`."""

import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Any

import psycopg
from psycopg import AsyncConnection
from pydantic_core import from_json
from sqlalchemy import MetaData, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, MultipleResultsFound, NoResultFound
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.orm import SessionTransaction
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession as SQLModelSession

from api.core.arrays import register as register_arrays
from api.core.key_stores import SecretFileError
from api.core.keys import Key
from api.core.localpg import LocalServer
from api.core.outage import Outage
from api.core.places import socket_folder
from api.core.query import Command, Query, Row
from api.core.settings import Settings
from api.core.trips import Cursor

# Before any model is imported, or its constraints stay unnamed and Alembic cannot drop them.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata: MetaData = SQLModel.metadata
register_arrays()
SEARCH_PATH = "public,queue"
_DRIVER = "postgresql+psycopg"
# States of PostgreSQL (and none at all) behind which the server cannot serve for a while: no connection; no room on its
# disk, in its memory or for one more connection; it ends, ended or starts; it is still a standby, or being restored.
_READ_ONLY = "25006"
_AWAY = ("08", "53", "57P01", "57P02", "57P03", _READ_ONLY)
VERDICT_KEY = "verdict_key"
# A list of so many values has its statement planned anew.
_MANY = 50
_UNTESTED_SECONDS = 1.0


def _from_json(raw: bytes | str) -> object:
    """A JSON column's value: a fifth of the time of `json.loads`, which a page of a board spends on 150 values."""
    try:
        return from_json(raw)
    except ValueError:  # nested deeper than 200
        return json.loads(raw)


def _open_with(engine: AsyncEngine, password: Callable[[], str | None]) -> None:
    """Open each connection with the password as it is then: it may be replaced while the process runs."""

    @event.listens_for(engine.sync_engine, "do_connect")
    def put(_dialect: object, _record: object, _arguments: object, options: dict[str, object]) -> None:
        options["password"] = password()


def _ping_after_idling(engine: AsyncEngine) -> None:
    """Test a pooled connection that has been idle for a second before it is used; SQLAlchemy would test it always.

    A round trip for each transaction is a fifth of what reading a row costs. A server that went away within the second
    fails one statement, as it would in the middle of a transaction; the pool then makes new connections.
    """

    @event.listens_for(engine.sync_engine, "checkin")
    def note(_: object, record: ConnectionPoolEntry) -> None:
        record.info["idle_since"] = time.monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def test(connection: DBAPIConnection, record: ConnectionPoolEntry, _: object) -> None:
        if time.monotonic() - record.info.get("idle_since", time.monotonic()) < _UNTESTED_SECONDS:
            return
        dialect = engine.sync_engine.dialect
        try:
            dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error as error:
            if not dialect.is_disconnect(error, connection, None):
                raise
            raise InvalidatePoolError from error


class Role(StrEnum):
    """Who connects. Only `WORKER` and `ADMIN` may read references; `HOST` reads episodes, which hold none."""

    ADMIN = "postgres"
    WEB = "heldout_web"
    WORKER = "heldout_worker"
    HOST = "heldout_host"


def now() -> datetime:
    """The time, aware and in UTC."""
    return datetime.now(UTC)


class AsyncSession(SQLModelSession):
    """A session that also runs named SQL with typed rows (`api.core.query`)."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # The cursor of a transaction, and the transaction.
        self._lent: tuple[SessionTransaction | None, Cursor | None] = (None, None)

    async def fetch_all(self, query: Query[Row], /, **values: object) -> list[Row]:
        """All rows. Raises TypeError where the values, or the columns, are not those the query declares."""
        cursor = await self._executed(query, values)
        result = cursor.pgresult
        assert result
        columns = [(result.fname(number) or b"").decode() for number in range(result.nfields)]
        return query.typed(columns, await cursor.fetchall())

    async def fetch_optional(self, query: Query[Row], /, **values: object) -> Row | None:
        """The only row, or None. Raises MultipleResultsFound."""
        found = await self.fetch_all(query, **values)
        if len(found) > 1:
            raise MultipleResultsFound(query.description)
        return found[0] if found else None

    async def fetch_one(self, query: Query[Row], /, **values: object) -> Row:
        """The only row. Raises NoResultFound, MultipleResultsFound."""
        found = await self.fetch_optional(query, **values)
        if found is None:
            raise NoResultFound(query.description)
        return found

    async def run(self, command: Command, /, **values: object) -> int:
        """Carry out a change; how many rows it changed."""
        return (await self._executed(command, values)).rowcount

    async def _executed(self, command: Command, values: dict[str, object]) -> Cursor:
        """The driver's cursor with the result. Raises DBAPIError, as SQLAlchemy does."""
        ordered, cursor = command.ordered(values), await self._cursor()
        # A plan kept from when a table was small looks through all of it for each value: many values are planned for.
        many = any(isinstance(value, list) and len(value) >= _MANY for value in ordered)
        try:
            await cursor.ask(command.numbered, ordered, False if many else None)
        except psycopg.Error as error:
            raise await self.translated(error, command) from error
        return cursor

    async def lent(self) -> AsyncConnection[Any]:
        """The driver's connection of the present transaction."""
        return (await self._cursor()).connection

    async def _cursor(self) -> Cursor:
        """A cursor on the connection of the present transaction.

        SQLAlchemy's own way to a statement costs this process three times what the driver's does, and most of what is
        served is a handful of statements.
        """
        begun, cursor = self._lent
        if cursor is None or begun is not self.sync_session.get_transaction():
            proxied = (await self.connection()).sync_connection.connection  # type: ignore[union-attr]
            driver = proxied.driver_connection
            assert isinstance(driver, AsyncConnection)
            cursor = Cursor(driver)
            self._lent = (self.sync_session.get_transaction(), cursor)
        return cursor

    async def translated(self, error: psycopg.Error, command: Command) -> Exception:
        """The driver's error as SQLAlchemy raises it. Of a lost connection its pool is told."""
        connection = await self.connection()
        lost = False
        cursor = self._lent[1]
        if cursor is not None and cursor.connection.closed:
            lost = True
            with contextlib.suppress(DBAPIError):
                # Fails, and makes the pool drop what was lost.
                await connection.exec_driver_sql("select 1")
        return DBAPIError.instance(
            command.sql,
            None,
            error,
            psycopg.Error,
            hide_parameters=True,
            connection_invalidated=lost,
            dialect=connection.dialect,
        )

    @property
    def verdict_key(self) -> bytes:
        """The key of hidden splits' verdicts. Raises PermissionError for a role that must not have it."""
        if VERDICT_KEY not in self.info:
            raise PermissionError("only the worker opens verdicts of hidden splits")
        key = self.info[VERDICT_KEY]()
        assert isinstance(key, bytes)
        return key

    async def driver(self) -> AsyncConnection[Any]:
        """The psycopg connection below, for jobs deferred in this transaction."""
        raw = await (await self.connection()).get_raw_connection()
        connection = raw.driver_connection
        assert isinstance(connection, AsyncConnection)
        return connection


class Database:
    """One engine for one role. Async; `close` at the end. `verdict_key` opens verdicts of hidden splits.

    Transactions go through `pooler` where one is set; `url` is the server itself, for what holds on to a connection.
    `password` gives the role's as it is now, where the one in `url` may be replaced.
    """

    def __init__(
        self,
        url: URL,
        pool: int,
        verdict_key: Callable[[], bytes] | None = None,
        *,
        pooler: URL | None = None,
        password: Callable[[], str | None] | None = None,
    ) -> None:
        self._url, self._password = url, password
        self._info = {} if verdict_key is None else {VERDICT_KEY: verdict_key}
        arguments: dict[str, str | None] = {"application_name": "heldout"}
        if pooler:
            # A pooler gives each transaction another connection: nothing may be prepared there, and it takes no
            # options; the roles have the search path (`api.core.migrate`).
            arguments["prepare_threshold"] = None
        else:
            arguments["options"] = f"-c search_path={SEARCH_PATH}"
        self.engine: AsyncEngine = create_async_engine(
            pooler or url,
            # What is above a pool's size is closed after each use, and to open one costs more than a page. The last
            # that came back goes out first: the others are there for when many ask at once.
            pool_size=2 * pool,
            max_overflow=0,
            pool_use_lifo=True,
            connect_args=arguments,
            json_deserializer=_from_json,
        )
        if password:
            _open_with(self.engine, password)
        _ping_after_idling(self.engine)
        # What a request meets is told here; a connection that could be opened says that it is back.
        self.away = Outage("database.lost")
        event.listen(self.engine.sync_engine, "connect", lambda *_: self.away.worked())
        self._each = self.engine.execution_options(isolation_level="AUTOCOMMIT")

    @classmethod
    def of(cls, settings: Settings, role: Role) -> "Database":
        """The service's database as `role`."""
        key = partial(vault_key, settings) if role in (Role.WORKER, Role.ADMIN) else None
        return cls(
            address(settings, role),
            settings.database_pool,
            key,
            pooler=_pooler(settings, role),
            password=lambda: address(settings, role).password,
        )

    @property
    def url(self) -> URL:
        """Address of the server itself, with the password as it is now."""
        return self._url.set(password=self._password()) if self._password else self._url

    @asynccontextmanager
    async def session(self) -> AsyncIterator[AsyncSession]:
        """A transaction: committed at the end, rolled back on any exception."""
        async with AsyncSession(self.engine, expire_on_commit=False, info=self._info) as session, session.begin():
            yield session

    @asynccontextmanager
    async def statements(self) -> AsyncIterator[AsyncSession]:
        """A session whose statements are each committed by itself: one trip where a transaction takes three."""
        async with AsyncSession(self._each, expire_on_commit=False, info=self._info) as session:
            yield session

    async def close(self) -> None:
        await self.engine.dispose()


def _operational(error: BaseException) -> psycopg.Error | None:
    """The driver's error where the server's state is at fault, SQLAlchemy's wrapper taken off; None of any other."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return cause if isinstance(cause, psycopg.OperationalError | psycopg.errors.ReadOnlySqlTransaction) else None


def lost(error: BaseException) -> bool:
    """Whether `error` says that the server is away, starts, stops or has no room: worth asking again."""
    cause = _operational(error)
    return cause is not None and (cause.sqlstate or "08").startswith(_AWAY)


def read_only(error: BaseException) -> bool:
    """Whether `error` says that the server takes no changes: it is a standby that nobody has promoted yet."""
    cause = _operational(error)
    return cause is not None and cause.sqlstate == _READ_ONLY


def full(error: BaseException) -> bool:
    """Whether `error` says that the server's disk is full."""
    cause = _operational(error)
    return cause is not None and cause.sqlstate == "53100"


def unreachable(error: BaseException) -> str | None:
    """A sentence where `error` says that the database cannot be reached or refuses the log-in; else None."""
    cause = _operational(error)
    # No state: the connection itself failed. 28 is the class of refused log-ins, 57P03 a server that starts.
    if cause is None or not (cause.sqlstate or "28").startswith(("28", "57P03")):
        return None
    said = str(cause).strip().splitlines()[0]
    return f"the database cannot be reached: {said}; check HELDOUT_DATABASE_URL and that the server runs"


def vault_key(settings: Settings) -> Key:
    """The vault's key as it is now."""
    return settings.vault_secrets.raw("vault")


def local_server(settings: Settings) -> LocalServer | None:
    """The embedded server, when no address of another was set."""
    if settings.database_url:
        return None
    return LocalServer(settings.data_dir / "postgres", settings.vault_secrets.database_admin)


def address(settings: Settings, role: Role) -> URL:
    """SQLAlchemy address of the service's database for `role`. The web process needs no other role's password."""
    if role is Role.ADMIN:
        if settings.database_url:
            return _owner(settings, settings.database_url)
        secret = settings.vault_secrets.database_admin
    elif role is Role.WEB:
        secret = settings.secrets.database_web
    elif role is Role.HOST:
        secret = settings.host_secrets.database_host
    else:
        secret = settings.vault_secrets.database_worker
    if settings.database_url:
        base = make_url(settings.database_url).set(drivername=_DRIVER)
        return base.set(username=role.value, password=secret)
    socket = socket_folder(settings.data_dir / "postgres")
    return URL.create(_DRIVER, role.value, secret, database=settings.database_name, query={"host": str(socket)})


def libpq(url: URL) -> str:
    """An address as libpq reads it, with the password: there a plus sign stands for itself, not for a space."""
    plain, mark, query = url.set(drivername="postgresql").render_as_string(hide_password=False).partition("?")
    return plain + mark + query.replace("+", "%20")


def _owner(settings: Settings, address: str) -> URL:
    url = make_url(address).set(drivername=_DRIVER)
    if settings.database_password_file is None:
        return url
    try:
        return url.set(password=settings.database_password_file.read_text(encoding="utf-8").strip())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise SecretFileError(f"{settings.database_password_file} (HELDOUT_DATABASE_PASSWORD_FILE): {why}") from error


def _pooler(settings: Settings, role: Role) -> URL | None:
    """Where `role` sends its transactions; the owner, who migrates and backs up, always goes to the server itself."""
    if settings.database_pooler_url is None or role is Role.ADMIN:
        return None
    known = address(settings, role)
    return make_url(settings.database_pooler_url).set(
        drivername=_DRIVER, username=known.username, password=known.password
    )
