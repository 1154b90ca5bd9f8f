"""Structured logs without bodies, answers or tokens."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

_SECRET = ("authorization", "token", "password", "answer", "reference", "gold", "secret", "cookie", "body", "statement")


def _redact(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key in event:
        if any(word in key.lower() for word in _SECRET):
            event[key] = "[redacted]"
    return event


def configure(level: str = "info") -> None:
    """JSON lines on standard error."""
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
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
