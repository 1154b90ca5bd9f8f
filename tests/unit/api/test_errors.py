"""Errors as problem documents."""

from types import SimpleNamespace

import psycopg
import pytest
from sqlalchemy.exc import OperationalError
from starlette.requests import HTTPConnection

from api.core.errors import ServiceError, problem_of
from api.core.outage import Outage


def test_a_time_to_wait_is_in_the_header_and_in_the_body() -> None:
    error = ServiceError("wait", headers={"X-Other": "1"}, retry_after=7, pattern="fast")
    assert error.headers == {"X-Other": "1", "Retry-After": "7"}
    assert error.extensions == {"retry_after": 7, "pattern": "fast"}
    assert "Retry-After" not in ServiceError("no wait").headers


@pytest.mark.parametrize(
    ("cause", "status"),
    [
        (psycopg.OperationalError("connection refused"), 503),
        (psycopg.errors.AdminShutdown("ends"), 503),
        (psycopg.errors.TooManyConnections("full"), 503),
        (psycopg.errors.QueryCanceled("too long"), 500),
        (psycopg.errors.DeadlockDetected("each waits for the other"), 500),
    ],
)
@pytest.mark.parametrize("wrapped", [True, False])
async def test_a_database_that_is_away_is_asked_again_later(cause: Exception, status: int, *, wrapped: bool) -> None:
    error = OperationalError("select 1", {}, cause) if wrapped else cause
    database = SimpleNamespace(away=Outage("database.lost"))
    app = SimpleNamespace(state=SimpleNamespace(database=database))
    answer = await problem_of(HTTPConnection({"type": "http", "path": "/v1/me", "app": app}), error)
    assert answer.status_code == status
    assert answer.headers.get("Retry-After") == ("2" if status == 503 else None)
    assert b"select 1" not in answer.body
