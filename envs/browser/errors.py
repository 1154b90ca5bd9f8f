"""What can go wrong with an action, told to the participant."""


class ActionFailed(Exception):  # noqa: N818
    """The action was understood and could not be done; the message says why and what would be right."""
