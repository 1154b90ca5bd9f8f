"""What can go wrong in a session besides the machine."""

from envs.base import InfrastructureError


class ActionFailed(Exception):  # noqa: N818
    """The action was understood and could not be done; the message says why and what would be right."""


class PageFault(InfrastructureError):  # noqa: N818
    """A page crashed, hung, or was not ready in the end: the machine's doing or the page's.

    Nobody can tell from one time, so the episode is replayed; after the same actions a second time it is the page's,
    and the participant gets the message.
    """
