"""Texts without words: what looks for words in them need not be tried."""

import re
from functools import lru_cache
from typing import Final

_WORDS: Final = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}|[^\x00-\x7f]|[\n\r?]")


@lru_cache(maxsize=256)
def is_wordless(text: str) -> bool:
    """Whether a text is one line of ASCII without words, commands apart: none of the patterns of words is in it."""
    return _WORDS.search(text) is None
