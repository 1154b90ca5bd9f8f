"""Errors of serving."""

from api.core.errors import ForbiddenError, NotFoundError, ServiceError


class OtherReaderError(ForbiddenError):
    code = "another_organisation_takes_part"
    title = "Another organisation of the same account takes part in this split"


class BudgetSpentError(ServiceError):
    status = 429
    code = "budget_spent"
    title = "The daily budget of this key for this split is used up"


class ScrapingError(ServiceError):
    status = 429
    code = "reading_too_fast"
    title = "This split is being read faster than its owner allows"


class NoProblemError(NotFoundError):
    code = "no_such_problem"


class NotListedError(ServiceError):
    status = 403
    code = "played_live_only"
    title = "Problems of a private split can only be played in a live session"
