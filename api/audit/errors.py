"""Errors of the audit."""

from api.core.errors import InvalidError, NotFoundError


class NoTraceError(NotFoundError):
    code = "no_such_trace"


class EmptyTraceError(InvalidError):
    code = "nothing_to_trace"
    title = "Name one thing to trace"


class NoLiftError(NotFoundError):
    code = "no_such_organisation"
