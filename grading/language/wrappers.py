"""Takes off what a sentence is dressed in: tags of HTML, and commands of LaTeX about text that holds a formula."""

import re
from typing import Final

_TAG: Final = re.compile(
    r"<(?P<tag>b|strong|i|em|u|mark|big|small|center|font|span|code|kbd|p|div)(?P<how>\s[^<>\n]{0,120})?>(?P<inside>[^<>]{1,300})</(?P=tag)>",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_HIDDEN: Final = re.compile(
    r"display\s*:|visibility|opacity|white|transparent|#f{3}(?:f{3})?\b|font-size\s*:\s*0", re.IGNORECASE
)
"""Styles with which a text is not seen."""
_STRONG: Final = frozenset({"b", "strong", "mark", "u"})
_COMMAND: Final = re.compile(
    r"\\(?:(?P<coloured>colorbox|textcolor)\s*\{(?P<colour>[^{}$]{1,30})\}|(?P<plain>underline|textbf|textit|emph|mathbf|uline|hl|text))"
    r"\s*\{(?P<inside>[^{}$\n]{0,40}\$[^$\n]{1,200}\$[^{}$\n]{0,40})\}"
    r"|\{\s*\\color\s*\{(?P<ink>[^{}$]{1,30})\}\s*(?P<within>[^{}$\n]{0,40}\$[^$\n]{1,200}\$[^{}$\n]{0,40})\}"
)
_UNSEEN: Final = re.compile(r"\s*(?:white|transparent|none)\b|.*!0$", re.IGNORECASE)
_MARKED: Final = re.compile(r"(?<![=\w<>!])==(?=[^\s=])(?P<inside>[^=\n]{1,80}?)(?<=[^\s=])==(?![=\w])")
"""`==5==`, a highlighted part."""
_MOST = 3
"""Dresses within one another."""


def unwrapped(text: str) -> str:
    """A text without its dress; what stood out in it stands in bold type. What is not seen keeps its dress."""
    tagged, marked = "</" in text or "<br" in text, "==" in text
    if tagged:
        text = _BREAK.sub("\n", text)
    for _ in range(_MOST):
        before = text
        text = _TAG.sub(_without_tag, text) if tagged else text
        text = _COMMAND.sub(_without_command, text) if "$" in text and "\\" in text else text
        if text == before:
            break
    return _MARKED.sub(lambda found: f"**{found['inside']}**", text) if marked else text


def _without_tag(found: re.Match[str]) -> str:
    if _HIDDEN.search(found["how"] or ""):
        return found[0]
    inside = found["inside"]
    strong = found["tag"].lower() in _STRONG and inside.strip() and "**" not in inside and "\n" not in inside
    return f"**{inside.strip()}**" if strong else inside


def _without_command(found: re.Match[str]) -> str:
    colour = found["colour"] or found["ink"]
    return found[0] if colour and _UNSEEN.match(colour) else found["inside"] or found["within"]
