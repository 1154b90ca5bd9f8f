"""Errors of access."""

from api.core.errors import InvalidError, NotFoundError


class NoRequestError(NotFoundError):
    code = "no_such_request"


class ReasonNeededError(InvalidError):
    code = "reason_needed"
    title = "Say why"
