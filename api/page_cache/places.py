"""Which addresses are kept, and on which topics what they show depends (migration 0050 says what changes a topic)."""

import re

EVERYTHING = ("*",)
_SLUG = "([a-z0-9][a-z0-9-]{0,63})"
_OF_ONE = re.compile(rf"/b/{_SLUG}(?:/badge\.svg)?|/v1/benchmarks/{_SLUG}(?:/leaderboard|/versions)?", re.ASCII)
_OF_ALL = re.compile(rf"/|/v1/benchmarks|/v1/overall|(?:/v1)?/overall/{_SLUG}", re.ASCII)


def topics_of(path: str) -> tuple[str, ...] | None:
    """The topics of what is at an address; None: it is not kept."""
    if found := _OF_ONE.fullmatch(path):
        # The empty topic: names of organisations, which stand on every board.
        return (found[1] or found[2], "")
    return EVERYTHING if _OF_ALL.fullmatch(path) else None
