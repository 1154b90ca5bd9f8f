"""What all workers share about judges, in the database: replies by content, and what each benchmark has asked."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any
from uuid import UUID

import psycopg
import structlog
from psycopg_pool import ConnectionPool, PoolTimeout
from pydantic import ValidationError

from api.core.crypto import SealError, seal, unseal
from api.core.db import SEARCH_PATH, Role, address
from api.core.settings import Settings
from grading.tools import JudgeReply, JudgeUnavailableError

log = structlog.get_logger(__name__)

# Whose answers are being graded: threads that grade inherit it.
benchmark: ContextVar[UUID | None] = ContextVar("benchmark", default=None)
_WAIT = 10.0
_UNREACHABLE = (psycopg.Error, PoolTimeout)


class JudgeDatabase:
    """A few blocking connections of the worker's role for the threads that ask judges, opened when first needed."""

    def __init__(self, settings: Settings) -> None:
        url = address(settings, Role.WORKER).set(drivername="postgresql").render_as_string(hide_password=False)
        options = {
            "options": f"-c search_path={SEARCH_PATH}",
            "connect_timeout": 10,
            "autocommit": True,
            "application_name": "heldout-judges",
        }
        self._pool = ConnectionPool(
            url,
            min_size=0,
            max_size=4,
            open=False,
            kwargs=options,
            timeout=_WAIT,
            check=ConnectionPool.check_connection,
        )

    def row(self, statement: str, values: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """The first row of one statement, committed. Raises psycopg.Error or PoolTimeout."""
        self._pool.open()
        with self._pool.connection() as connection:
            return connection.execute(statement, values).fetchone()

    @property
    def opened(self) -> int:
        """How many connections were ever opened."""
        return int(self._pool.get_stats().get("connections_num", 0))

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()


_SPEND = """insert into judge_budget (benchmark_id, calls, tokens) values (%(id)s, 1, 0)
on conflict (benchmark_id) do update set calls = judge_budget.calls + 1 where judge_budget.calls < %(limit)s
returning calls"""
_RECORD = "update judge_budget set tokens = tokens + %(tokens)s where benchmark_id = %(id)s returning calls"


class StoredBudget:
    """At most `limit` requests a benchmark, over all time and workers. Blocking; safe between threads."""

    def __init__(self, database: JudgeDatabase, limit: int) -> None:
        self._database = database
        self._limit = limit

    def spend(self) -> None:
        """Take one call. Raises JudgeUnavailableError when none is left or the count cannot be kept."""
        if self._limit < 1 or not self._run(_SPEND, {"limit": self._limit}):
            raise JudgeUnavailableError("the benchmark's budget for judges is used up")

    def record(self, tokens: int) -> None:
        """Add the tokens of a call that was answered; for the owner's information."""
        self._run(_RECORD, {"tokens": tokens})

    def _run(self, statement: str, values: dict[str, int]) -> bool:
        whose = benchmark.get()
        if whose is None:
            raise JudgeUnavailableError("it is not known which benchmark asks the judge")
        try:
            return self._database.row(statement, {"id": whose, **values}) is not None
        except _UNREACHABLE as error:
            raise JudgeUnavailableError("the budget for judges could not be read") from error


_GET = "select sealed from vault.judge_reply where digest = %(digest)s"
# Two workers may ask the same at the same moment: the reply that came first stays.
_PUT = """insert into vault.judge_reply (digest, sealed, created_at) values (%(digest)s, %(sealed)s, now())
on conflict (digest) do nothing returning digest"""


class StoredCache:
    """Replies by the digest of all that was asked, sealed under the vault key: they quote answers and rubrics.

    What cannot be read is asked again: the budget, not the cache, fails closed.
    """

    def __init__(self, database: JudgeDatabase, key: bytes) -> None:
        self._database = database
        self._key = key

    def get(self, digest: str) -> JudgeReply | None:
        """The reply, if it is known and unchanged."""
        try:
            row = self._database.row(_GET, {"digest": digest})
            return None if row is None else self._open(digest, row[0])
        except (*_UNREACHABLE, SealError, ValidationError) as error:
            log.warning("judge.cache", error=type(error).__name__)
            return None

    def put(self, reply: JudgeReply) -> None:
        """Keep a reply for all workers."""
        sealed = seal(self._key, reply.model_dump_json().encode(), _binding(reply.digest))
        try:
            self._database.row(_PUT, {"digest": reply.digest, "sealed": sealed})
        except _UNREACHABLE as error:
            log.warning("judge.cache", error=type(error).__name__)

    def _open(self, digest: str, sealed: bytes) -> JudgeReply:
        return JudgeReply.model_validate_json(unseal(self._key, sealed, _binding(digest)))


def _binding(digest: str) -> str:
    return f"vault.judge_reply:{digest}:1"
