"""Errors of rubrics."""

from api.core.errors import ConflictError, NotFoundError


class NoRubricError(NotFoundError):
    code = "no_such_rubric"


class BadRubricError(ConflictError):
    code = "bad_rubric"
    title = "The rubric is not sound"


class RubricChangedError(ConflictError):
    code = "rubric_changed"
    title = "The rubric is not the one that you read"


class NoDraftError(ConflictError):
    code = "no_draft"
    title = "There is no rubric to approve"
