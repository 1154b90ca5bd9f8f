"""A formula, or a number, that a short sentence says in words of its subject: `you get three x squared plus two`."""

import re
from typing import Final

from grading.language.manners import leads_plainly
from grading.language.spokenalgebra import spoken_algebra

_LINK: Final = re.compile(
    r"(?:\b(?:is|are|was|equals?|gets?|got|gives?|yields?|makes?|leaves?|obtain|have|reads?|becomes?|be|as|to|every|into|by|at)|['’]s|[=:])\s+"
    r"(?:(?:just|simply|exactly|merely|nothing\s+but|none\s+other\s+than|now|then)\s+)*",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"[A-Za-z](?:\([a-z]\))?")
_LEAD: Final = re.compile(r"^(?:so|thus|hence|therefore|well|just|simply)\b[\s,]*", re.IGNORECASE)
_MOST: Final = 8


def formula_said(text: str, question: str) -> str | None:
    """The formula at the end of a short sentence, behind its name where it is a letter; None of other sentences."""
    text = _LEAD.sub("", text.strip(" .!"))
    whole = spoken_algebra(text)
    if whole is not None:
        return whole
    for found in list(_LINK.finditer(text))[:_MOST]:
        front, rest = text[: found.start()].strip(), text[found.end() :]
        formula = spoken_algebra(rest)
        if formula is None:
            continue
        if _NAME.fullmatch(front):
            return f"{front} = {formula}"
        return formula if leads_plainly(front, question) else None
    return None
