"""Errors of sessions."""

from collections.abc import Iterator
from contextlib import contextmanager

from api.core.errors import ConflictError, NotFoundError
from api.hosting.client import HostRefusedError
from api.hosting.client_errors import EnvironmentDownError


class NoSessionError(NotFoundError):
    code = "no_such_session"


class NotEpisodeError(ConflictError):
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


@contextmanager
def host_errors() -> Iterator[None]:
    """Make a host's refusal what a participant gets: StepTakenError, NoViewError, StepNumberError, and else
    EnvironmentDownError."""
    try:
        yield
    except HostRefusedError as error:
        if error.code == "taken":
            raise StepTakenError("another action was sent under this number at the same moment") from error
        if error.code == "no_view":
            raise NoViewError("act to see what comes of it") from error
        if error.code == "out_of_order":
            raise StepNumberError("GET the session for the number of its next step") from error
        raise EnvironmentDownError("please tell the benchmark's owner") from error
