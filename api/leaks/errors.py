"""Errors of leak traces."""

from api.core.errors import NotFoundError


class NoTraceError(NotFoundError):
    code = "no_such_trace"
