"""Errors of submissions."""

from api.core.errors import ConflictError, ForbiddenError, NotFoundError, ServiceError


class ReviewedError(ForbiddenError):
    code = "organisation_reviewed"
    title = "Somebody of this organisation was shown references of this benchmark as a reviewer"


class QuotaSpentError(ServiceError):
    status = 429
    code = "quota_spent"
    title = "The organisation's submissions for this split are spent"


class TooManyWaitingError(ServiceError):
    status = 429
    code = "too_many_waiting"
    title = "Too many answers of the organisation wait to be graded"


class KeyReusedError(ConflictError):
    code = "idempotency_key_reused"
    title = "This Idempotency-Key was used for another request"


class NotOpenError(ConflictError):
    code = "submission_not_open"
    title = "This submission takes no more items"


class UnknownProblemError(ConflictError):
    code = "unknown_problem"
    title = "Some items are not problems of this split"


class DoubleItemError(ConflictError):
    code = "double_item"
    title = "Some problems are answered twice"


class NoSubmissionError(NotFoundError):
    code = "no_such_submission"
