"""Structured logs without bodies, answers or tokens: one JSON object a line, libraries' messages too."""

import json
import logging
import sys
import threading
import traceback
from collections.abc import MutableMapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

import structlog

_SECRET = ("authorization", "token", "password", "answer", "reference", "gold", "secret", "cookie", "body", "statement")
_FRAMES = 4
# What these say of a database that is away, each second, `queue.unreachable` tells with growing gaps.
_TOLD_ELSEWHERE = ("psycopg.pool", "procrastinate.utils")
_access = structlog.get_logger("access")


def _redact(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key in event:
        if any(word in key.lower() for word in _SECRET):
            event[key] = "[redacted]"
    return event


class _Lines(logging.Formatter):
    """A library's message as ours are. Of an exception its type and place: its text may quote a row."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "event": record.getMessage(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z"),
        } | structlog.contextvars.get_contextvars()
        if record.exc_info and record.exc_info[0]:
            frames = traceback.extract_tb(record.exc_info[2])[-_FRAMES:]
            line["error"] = record.exc_info[0].__name__
            line["place"] = [f"{frame.filename}:{frame.lineno}" for frame in frames]
        return json.dumps(line)


def _uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """The last line of a process, or of a thread, that a fault ends: a traceback would tell the exception's text."""
    if error is None or issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error or kind(), trace)
        return
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    logging.getLogger("process").critical("process.failed", exc_info=(type(error), error, error.__traceback__))


def configure(level: str = "info") -> None:
    """JSON lines on standard error."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines())
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[handler], force=True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda failed: _uncaught(failed.exc_type, failed.exc_value, failed.exc_traceback)
    for name in _TOLD_ELSEWHERE:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _redact,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def access(method: str, route: str, status: int, seconds: float) -> None:
    """A line of the access log: the route's pattern, not the address, which holds ids and names."""
    _access.info("request", method=method, route=route, status=status, milliseconds=round(seconds * 1000, 1))
