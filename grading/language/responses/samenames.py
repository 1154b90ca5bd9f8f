"""Names in the spelling by which two of them are compared."""

import re
import unicodedata
from typing import Final

_CAPITALISED: Final = re.compile(r"\b[A-ZÀ-Þ][\w]*")
_HYPHENS: Final = re.compile(r"(?<=[^\W\d_])\s?[-‐‑–—]\s?(?=[^\W\d_])")
_ARTICLE: Final = re.compile(
    r"^(?:the|an?|la|le|les|l['’]|el|los|las|il|lo|gli|der|die|das|den|dem|un|une|ein|eine)\s+(?=\S)", re.IGNORECASE
)


def same_name(text: str, *, folded: bool) -> str:
    """A name in the spelling by which two are compared: accents, hyphens, article and marks away."""
    text = unicodedata.normalize("NFC", text).replace("’", "'").replace("‘", "'")
    text = _HYPHENS.sub(" ", text)
    text = _ARTICLE.sub("", " ".join(text.replace(", and ", " and ").split()).strip(" .,;:"))
    if not folded:
        return text
    return _CAPITALISED.sub(_unaccented, text).casefold()


def _unaccented(name: re.Match[str]) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", name[0]) if not unicodedata.combining(char))
