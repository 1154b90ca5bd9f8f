"""Texts that are the same letters in another type: indexes and powers, arrows, quotation marks, commands of LaTeX.

`H₂SO₄`, `$\\mathrm{H_2SO_4}$` and `\\ce{H2SO4}` are the text `H2SO4`; `14 July 1789` and `July 14, 1789` are one date.
"""

import re
from typing import Final

from grading.equivalence.finding import Finding
from grading.equivalence.pointed import pointed_at
from grading.language import words
from grading.language.formulae import shells, species
from grading.language.responses import vocabulary as say
from grading.language.responses.spoken import UNSOUND
from grading.language.responses.values import tail_of
from grading.language.upright import COMMANDS
from grading.matching.calendar import day

_LOWERED: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−–", "0123456789+-0123456789+---")
_RAISED: Final = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_COMMAND: Final = re.compile(rf"\\(?:{COMMANDS}|ce|rm)(?![A-Za-z])|\\(?:left|right)(?![A-Za-z])|\\!")
_GAP: Final = re.compile(r"(?:\s|\\[,;: ]|\\q?quad(?![A-Za-z])|~)+")
_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d)[ _](?=\d)")
"""A gap or an index between two digits, which are not the digits of one number."""
_ARROWS: Final = re.compile(
    r"-->|->|=>|→|⟶|⇒|\\(?:longrightarrow|rightarrow|to|xrightarrow|Rightarrow|Longrightarrow)(?![A-Za-z])"
)
_TYPE: Final = re.compile(r"[{}$_ `\"“”„«»]|\*\*")
_NAMED: Final = re.compile(
    r"(?P<lead>[^.;?!:]{1,160}?(?:\b(?:is|are|reads|formula|configuration|namely|as|called|becomes)\b|:))\s*(?P<core>\S.{0,300}?)[\s.]*",
    re.DOTALL,
)
_REMARK: Final = re.compile(r"(?P<core>.{1,200}?)(?P<remark>\s\([^()]{1,120}\)|,\s.{1,160})", re.DOTALL)
_OF_THE_ANSWER: Final = re.compile(r"\bof\s+(?:the|our|this)\s+(?:answer|result|solution)\b", re.IGNORECASE)
"""What is worked out from the answer is not the answer."""
_LONGEST: Final = 400


def typeset(text: str) -> str:
    """The letters, digits and signs of a text without the type they are set in; powers keep their mark."""
    text = re.sub(r"\\(?=(?:log|ln|lg|sin|cos|tan|exp|max|min|gcd|Theta|Omega|sqrt)(?![A-Za-z]))", "", text)
    plain = _RAISED.sub(lambda run: f"^{run[0]}", _GAP.sub(" ", _ARROWS.sub("->", _COMMAND.sub("", text))))
    plain = re.sub(r"\^\{([^{}]*)\}", r"^\1", plain.translate(_LOWERED))
    return _TYPE.sub("", _BETWEEN_DIGITS.sub("|", plain).strip()).rstrip(".")


def is_typeset(text: str) -> bool:
    """Whether a text is one that type alone changes: with digits and letters, or an arrow."""
    return re.search(r"[\d(]", text) is not None and re.search(r"[A-Za-z^]", text) is not None and len(text) < _LONGEST


def same_type(given: str, expected: str, *, folded: bool) -> bool:
    """Whether an answer is a text with digits in another type, alone or named at the end of its only sentence.

    `folded` is whether capitals and small letters are the same.
    """
    if len(given) > _LONGEST or not is_typeset(expected):
        return False
    target, filled = _spelling(expected, folded), shells(expected)

    def same(text: str) -> bool:
        return _spelling(text, folded) == target or (filled is not None and shells(text) == filled)

    if same(given):
        return True
    named = _NAMED.fullmatch(given.strip())
    if named is None or _doubted(named["lead"]):
        return False
    if same(named["core"]):
        return True
    remarked = _REMARK.fullmatch(named["core"])
    return remarked is not None and same(remarked["core"]) and tail_of(remarked["remark"]) == ""


def _spelling(text: str, folded: bool) -> str:
    return typeset(text).casefold() if folded else typeset(text)


def _doubted(lead: str) -> bool:
    return _OF_THE_ANSWER.search(lead) is not None or any(
        found.search(lead) for found in (say.DENIED, say.DOUBTED, say.REPORTED, UNSOUND)
    )


def same_moment(given: str, expected: str) -> bool:
    """Whether an answer says the date or the time of day that a text is, in whatever writing."""
    if day(expected) is None and (words.clock(expected) is None or ":" not in expected):
        return False
    found: Finding | None = pointed_at(expected, given)
    return found is not None and found.equal


def same_formula(given: str, expected: str) -> bool:
    """Whether the only formula that a sentence names is the substance asked for."""
    return species(expected) is not None and (found := pointed_at(expected, given)) is not None and found.equal
