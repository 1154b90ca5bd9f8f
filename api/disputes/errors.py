"""Errors of disputes."""

from api.core.errors import ConflictError, NotFoundError


class NoDisputeError(NotFoundError):
    code = "no_such_dispute"


class NotShownError(NotFoundError):
    code = "no_such_problem"


class DisputedError(ConflictError):
    code = "disputed_already"
    title = "Your organisation has disputed this gold already"


class TooManyDisputesError(ConflictError):
    code = "too_many_disputes"
    title = "Too many disputes wait for the owner"


class DecidedError(ConflictError):
    code = "dispute_decided"
    title = "The dispute is decided"
