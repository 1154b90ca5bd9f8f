"""Errors of sessions."""

from api.core.errors import ConflictError, InvalidError, NotFoundError


class NoSessionError(NotFoundError):
    code = "no_such_session"


class NotEpisodeError(InvalidError):
    code = "not_an_episode"
    title = "This problem is a question, not an episode"


class StepTakenError(ConflictError):
    code = "step_conflict"
    title = "Another action was taken under this number"


class StepNumberError(ConflictError):
    code = "step_out_of_order"
    title = "This is not the number of the next step"


class NoViewError(ConflictError):
    code = "no_other_view"
    title = "This environment shows itself in steps only"


class SubmissionMismatchError(ConflictError):
    code = "submission_mismatch"
    title = "The submission cannot take this episode"
