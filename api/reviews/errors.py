"""Errors of reviews."""

from api.core.errors import ConflictError, ForbiddenError, NotFoundError


class NotReviewerError(ForbiddenError):
    code = "not_a_reviewer"


class ReviewerTakesPartError(ForbiddenError):
    code = "reviewer_takes_part"
    title = "Who takes part in a hidden split does not grade its answers"


class NoReviewError(NotFoundError):
    code = "no_such_review"


class NotClaimedError(ConflictError):
    code = "review_not_claimed"
    title = "This review is not yours now"


class BadCreditsError(ConflictError):
    code = "bad_credits"
    title = "The credits do not fit the rubric"
