"""What is left out of a response before it is cut into sentences: programs, tables and quotations."""

import re
from typing import Final

_FENCE: Final = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_LAST_FENCE: Final = re.compile(
    r"(?P<lead>(?:^|\n)[^\n]*\b(?:output|result|answer|prints?|printed|returns?"
    r"|returned)\b[^\n]{0,40}:[*_\s]*\n|(?:^|\n)[ \t]*(?:#{1,6}[ \t]+\**|\*\*)"
    r"(?:(?:the|final|expected|program|printed)[ \t]+){0,2}(?:output|result|answer)[*: \t]*\n)"
    r"\s*(```|~~~)[^\n]*\n(?P<line>[^\n`]{1,120})\n[ \t]*\2\s*\Z",
    re.IGNORECASE,
)
"""The one line of a last block that is announced as what was asked for."""
_LEAD_OF_FENCE: Final = re.compile(
    r"(?:^|\n)[^\n]{0,60}\b(?:output|prints?|printed|console|terminal)\b[^\n:]{0,40}:[*_ \t]*\n\s*(?=```|~~~)",
    re.IGNORECASE,
)
"""The line that leads to a block, and to nothing where the block is left out."""
_TABLE: Final = re.compile(r"^[ \t]*\|[^\n]*\|[ \t]*$", re.MULTILINE)
_QUOTE: Final = re.compile(r"^[ \t]*>(?=[ \t]*[A-Za-z\"“])[^\n]*$", re.MULTILINE)


def without_asides(text: str) -> str:
    """A response without programs, tables and quotations."""
    text = _LAST_FENCE.sub(r"\g<lead>\n\g<line>\n", text) if text.rstrip().endswith(("```", "~~~")) else text
    text = _FENCE.sub("\n\n", _LEAD_OF_FENCE.sub("\n", text)) if "```" in text or "~~~" in text else text
    return _QUOTE.sub("", _TABLE.sub("", text))
