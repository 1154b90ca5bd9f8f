"""What goes wrong in a host; `code` is what the caller gets, the message stays in the log."""

from typing import ClassVar


class HostError(Exception):
    """Base of what a host answers with instead of a result."""

    code: ClassVar[str] = "fault"


class FencedError(HostError):
    """The lease is held under another epoch: this process may not write."""

    code = "fenced"


class OverError(HostError):
    """The episode has ended."""

    code = "over"


class OutOfOrderError(HostError):
    """Not the number of the next step."""

    code = "out_of_order"


class TakenError(HostError):
    """Another action was taken under this number."""

    code = "taken"


class DrainingError(HostError):
    """The host is going down; another will take the session over."""

    code = "draining"


class FaultError(HostError):
    """The environment failed by a fault of ours, more than once."""

    code = "fault"


class SandboxEndedError(HostError):
    """What a participant did ended its own sandbox."""

    code = "fault"


class FullError(HostError):
    """Every sandbox that this machine can have is in use. Nothing is wrong; it is asked for again later."""

    code = "full"


class NoViewError(HostError):
    """The environment shows itself in steps only."""

    code = "no_view"


class ImageDiffersError(HostError):
    """The sandbox image of this machine is another than the release was published with."""

    code = "image_differs"


class UnfitError(HostError):
    """No sandbox of this machine can do what the episode asks for."""

    code = "unfit"


class BrokenSpecError(HostError):
    """The episode's specification is wrong."""

    code = "broken"
