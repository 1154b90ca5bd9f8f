"""Errors of serving."""

from api.core.errors import NotFoundError, ServiceError


class BudgetSpentError(ServiceError):
    status = 429
    code = "budget_spent"
    title = "The daily budget of this key for this split is spent"


class ScrapingError(ServiceError):
    status = 429
    code = "slow_down_reading"
    title = "This split is read faster than its owner allows"


class NoSplitError(NotFoundError):
    code = "no_such_split"


class NoProblemError(NotFoundError):
    code = "no_such_problem"


class NotListedError(ServiceError):
    status = 403
    code = "played_live_only"
    title = "Problems of a private split are only ever played live"
