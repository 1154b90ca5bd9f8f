"""Errors of runs that the service plays."""

from api.core.errors import ConflictError, NotFoundError


class NoRunError(NotFoundError):
    code = "no_such_run"


class NoContainerError(NotFoundError):
    code = "no_such_container"


class TooManyRunsError(ConflictError):
    code = "too_many_runs"
    title = "Too many runs are being played"


class RunStateError(ConflictError):
    code = "run_state"
    title = "The run is in a state that does not allow this"


class NotPlayableError(ConflictError):
    code = "not_playable"
    title = "The service does not play this split"


class EndpointRefusedError(ConflictError):
    code = "endpoint_refused"
    title = "Nothing is sent to this address"
