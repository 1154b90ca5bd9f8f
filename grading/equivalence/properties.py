"""What is said of a formula behind it: `$S_3$, of order 6`, `$A$, whose determinant is 1`.

Beside a gold that is a number it may be what was asked for, and beside one that says it too it belongs to the answer;
beside any other it says something of the answer.
"""

import re
from functools import lru_cache
from typing import Final

_NOUN: Final = (
    r"(?:(?!(?:the|an?|of|is|are|not|no|by)\b)[a-z-]+\s+){0,2}(?:order|degree|determinant|trace|rank|dimension|radius|cent(?:re|er)|slope|gradient|roots?|zeros?|zeroes|eigenvalues?|eigenvectors?"
    r"|discriminant|norm|length|magnitude|index|characteristic|period|vertex|vertices|intercepts?|columns?|rows?|square|transpose|coefficients?|focus|foci|asymptotes?)"
)
_VALUE: Final = r"(?P<value>(?:(?!\b(?:not|never|no|if|unless|but|wrong|instead|so|hence|thus|answer)\b)[^;:?]){1,80}?)"
_ARTICLE: Final = r"(?:(?:the|an?)\s+)?"
_SAID: Final = re.compile(
    rf"(?<=[\w)}}\]])(?P<end>\s?(?:\$\$?|\\\)|\\\])\**)(?:,?\s+(?:whose\s+{_NOUN}\s+(?:is|are|equals?)|(?:which|that)\s+has\s+{_ARTICLE}{_NOUN}(?:\s+of)?|(?:with|of)\s+{_ARTICLE}{_NOUN}(?:\s+of)?)"
    rf"|,\s+(?:an?|the)\s+(?:(?!(?:of|with|or|not)\b)[a-z-]+\s+){{1,4}}(?:of|with|having)\s+{_ARTICLE}{_NOUN}|[;,]\s+(?:and\s+)?its\s+{_NOUN}\s+(?:is|are|equals?))\s+{_VALUE}(?=[.!\s*]*$)",
    re.IGNORECASE,
)
_ELEMENTS: Final = re.compile(
    r"(?<=[\w)}\]])(?P<end>\s?(?:\$|\\\))\**)\s*,?\s+(?:with|having|which\s+has|a\s+group\s+(?:with|of))\s+\$?\d{1,9}\$?\s+elements(?=[.!\s*]*$)"
)
_NUMBER: Final = re.compile(r"[-−+\s$]*(?:[\d.,/\s%°$]|\\(?:[dt]?frac|sqrt|pi|cdot|times|%|circ)(?![a-z])|[{}^])+")
_LONGEST: Final = 400


def without_properties(text: str, gold: str) -> str:
    """The text without what it says of the formula that it ends in."""
    if len(text) > _LONGEST or not ("$" in text or "\\" in text) or not _is_object(gold):
        return text
    return _ELEMENTS.sub(r"\g<end>", _SAID.sub(r"\g<end>", text))


@lru_cache(maxsize=256)
def _is_object(gold: str) -> bool:
    """Whether a gold is a formula, and neither a number nor one of which such a thing is said."""
    return _NUMBER.fullmatch(gold) is None and re.search(r"[a-z]{4}\s+[a-z]", re.sub(r"\\[a-z]+", "", gold)) is None
