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
_PLUS_CONSTANT: Final = re.compile(
    r",?\s+(?:plus|give\s+or\s+take|up\s+to|and)\s+(?:an?|any|some|the\s+usual|the|whatever|your\s+favou?rite)\s+(?:\w+\s+)?constant\b[^\d;:?]{0,40}$",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(
    r"^(?:it\s+is\s+|it['’]s\s+)?(?:big[\s-]?oh?\s+of|(?:of\s+)?order(?:\s+of)?)\s+(?P<what>[a-zA-Z ]{1,40})$",
    re.IGNORECASE,
)
"""`big O of n squared`"""
_ORDERED: Final = re.compile(
    r"^(?:(?:just\s+|simply\s+)?(?:multiply|add|take|use|divide|write|put|combine)\s+(?:them|it|those|these|both|the\s+(?:two|three))(?:\s+(?:all|up|together|as))?):\s+(?P<formula>[^:;]{3,80})$",
    re.IGNORECASE,
)
"""`Just multiply them: a times b`"""
_NAME: Final = re.compile(r"[A-Za-z](?:\([a-z]\))?")
_LEAD: Final = re.compile(r"^(?:so|thus|hence|therefore|well|just|simply)\b[\s,]*", re.IGNORECASE)
_OF_ALGEBRA: Final = frozenset(
    ["plus", "minus", "times", "over", "root", "half", "sine", "cosine", "tangent", "divided", "squared", "cubed"]
)
_MOST: Final = 8


def _named_letters(text: str, question: str) -> str:
    """A text without the nouns by which the question introduces its letters: `side a` as `a`."""
    asked = {word.casefold() for word in re.findall(r"[A-Za-z]{4,}", question)}

    def bare(found: re.Match[str]) -> str:
        return found["letter"] if found["noun"].casefold() in asked - _OF_ALGEBRA else found[0]

    return re.sub(r"\b(?:the\s+)?(?P<noun>[A-Za-z]{4,})\s+(?P<letter>[A-Za-z])(?![\w'’])", bare, text)


def spoken_formula(text: str, question: str) -> str | None:
    """The formula at the end of a short sentence, behind its name where it is a letter; None of other sentences."""
    text = _LEAD.sub("", text.strip(" .!"))
    if "constant" in question.lower():
        text = _PLUS_CONSTANT.sub("", text)
    text = _named_letters(text, question)
    order = _ORDER.match(text)
    if order is not None:
        inner = spoken_algebra(order["what"]) or (order["what"] if len(order["what"]) == 1 else None)
        return f"O({inner})" if inner is not None else None
    whole = spoken_algebra(text)
    if whole is not None:
        return whole
    ordered = _ORDERED.match(text)
    if ordered is not None:
        return spoken_algebra(ordered["formula"])
    for found in list(_LINK.finditer(text))[:_MOST]:
        front, rest = text[: found.start()].strip(), text[found.end() :]
        formula = spoken_algebra(rest)
        if formula is None:
            continue
        if _NAME.fullmatch(front):
            return f"{front} = {formula}"
        return formula if leads_plainly(front, question) else None
    return None
