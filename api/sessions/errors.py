"""Errors of sessions."""

from api.core.errors import ConflictError, InvalidError, NotFoundError, ServiceError


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


class SessionOverError(ConflictError):
    code = "session_over"
    title = "The episode has ended"


class NoViewError(ConflictError):
    code = "no_other_view"
    title = "This environment shows itself in steps only"


class SubmissionMismatchError(ConflictError):
    code = "submission_mismatch"
    title = "The submission cannot take this episode"


class CapacityError(ServiceError):
    status = 429
    code = "capacity_exhausted"
    title = "Every environment is in use; nothing was counted"


class NoHostError(ServiceError):
    status = 503
    code = "no_host"
    title = "No host of environments is running at the moment; the session is kept"


class EnvironmentDownError(ServiceError):
    status = 503
    code = "environment_unavailable"
    title = "The environment could not be run; the fault is ours and nothing was lost"


class ImageDiffersError(EnvironmentDownError):
    code = "sandbox_image_differs"
    title = "The sandbox image here is another than the release was published with; nothing was counted"
