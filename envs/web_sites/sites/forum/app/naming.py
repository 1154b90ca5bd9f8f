"""Names for Spirit's icons: a picture that stands alone is announced by a word, one beside a word is silent.

Without it the accessibility tree shows characters of a private font.
"""

import re
from collections.abc import Callable
from typing import Any

WORDS = {
    "bar-chart-o": "poll",
    "bell": "notifications",
    "bold": "bold",
    "chevron-left": "previous page",
    "chevron-right": "next page",
    "clock-o": "last active",
    "comment": "comments",
    "eye": "preview",
    "heart": "likes",
    "italic": "italic",
    "link": "link",
    "list": "list",
    "lock": "closed",
    "microphone": "opened this topic",
    "pencil": "edited",
    "picture-o": "picture",
    "search": "search",
    "shield": "moderator",
    "suitcase": "moved",
    "thumb-tack": "pinned",
    "times": "remove",
    "trash-o": "deleted",
    "unlock-alt": "opened again",
}
ICON = re.compile(r'<i\s+class="fa fa-([a-z-]+)([^"]*)"([^>]*)></i>(?=(\s*)([^<]*))')


def named(html: str) -> str:
    """The page with its icons named."""
    return ICON.sub(_named, html)


def _named(found: re.Match[str]) -> str:
    name, more, rest, _, text = found.groups()
    word = WORDS.get(name)
    # A number says nothing without its picture; a word needs none.
    wordy = any(letter.isalpha() for letter in text) and name != "clock-o"
    told = f' role="img" aria-label="{word}"' if word and not wordy else ' aria-hidden="true"'
    return f'<i class="fa fa-{name}{more}"{rest}{told}></i>'


class Naming:
    """Middleware that names the icons of every page."""

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer

    def __call__(self, request: Any) -> Any:
        """The answer, with names where it is a page."""
        response = self._answer(request)
        if not response.streaming and response.headers.get("Content-Type", "").startswith("text/html"):
            response.content = named(response.content.decode()).encode()
        return response
