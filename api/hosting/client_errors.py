"""What a call to a host can end in, as problem documents."""

from api.core.errors import ConflictError, ServiceError


class SessionOverError(ConflictError):
    code = "session_over"
    title = "The episode has ended"


class CapacityError(ServiceError):
    status = 429
    code = "capacity_exhausted"
    title = "Every environment is in use; nothing was counted"


class NoHostError(ServiceError):
    status = 503
    code = "no_host"
    title = "No host of environments is running at the moment; the session is kept"


class NoRoomError(ServiceError):
    status = 503
    code = "unavailable"
    title = "Service Unavailable"


class EnvironmentDownError(ServiceError):
    status = 503
    code = "environment_unavailable"
    title = "The environment could not be run; the fault is ours and nothing was lost"


class ImageDiffersError(EnvironmentDownError):
    code = "sandbox_image_differs"
    title = "The sandbox image here is another than the release was published with; nothing was counted"


class SandboxUnfitError(EnvironmentDownError):
    code = "sandbox_unfit"
    title = "The sandboxes here cannot do what this episode asks for; nothing was counted"
