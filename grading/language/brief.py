"""Short answers as people type them: chat around a value, and values that only speech has (`zilch`, `45k`, `5'8"`)."""

import re
from fractions import Fraction
from typing import Final

from grading.language.figures import in_figures, measure, unit_named, written
from grading.language.numerals import PARTS, WHOLE, number_of
from grading.language.romans import roman_value
from grading.language.spokenalgebra import spoken_algebra

_LONGEST: Final = 120
_SMILEYS: Final = re.compile(
    r"(?<=[\w.,!?)$%\"'])\s+(?:[:;][-']?[)DP]+|=[)D]|\^\^|xD)(?=\s|$)|[,;]?\s+(?:lol|haha+|hehe+|lmao|tbh|btw|fwiw|imho|imo)(?=\s*[.!,;]|\s*$)",
    re.IGNORECASE,
)
"""What says nothing; not `:(`, `;_;`, `idk`."""
_ASSENT: Final = re.compile(
    r"^\W*(?:(?:yep|yeah|yup|yea|yes|ok|okay|alright|ah|oh|aha|hm+)(?:\s*[,.!]+\s*|\s+)){1,3}"
    r"(?:(?<=[,.!]\s)|(?:so\s+)?(?=[-−]?[$€£]?\d))(?=\S)",
    re.IGNORECASE,
)
_CAUSE: Final = re.compile(r"(?:,\s*['’]?cause|,?\s+(?:['’]cause|cuz|coz|bcs|bc|b/c))(?=\s+\S)", re.IGNORECASE)
_THEM: Final = re.compile(r"(?<=\bof\s)['’]?em\b")
_SUBJECT: Final = re.compile(
    r"^(?:so\s+)?(?:(?:it|that|this)(?:['’]s|\s+is|['’]d\s+be|\s+would\s+be|\s+equals|\s+(?:simplifies|reduces|evaluates|comes|works\s+out)\s+to)\s+(?:just\s+)?)?(?P<said>.+?)[\s.!]*$",
    re.IGNORECASE | re.DOTALL,
)
_COUNTS: Final = {
    **dict.fromkeys(("none", "nil", "zilch", "nada", "nought", "naught", "zip", "nothing", "nowt"), "0"),
    "once": "1",
    "twice": "2",
    "thrice": "3",
}
_NOTHING: Final = re.compile(
    r"^(?:none|nil|zilch|nada|nought|naught|zero)(?:\s+(?:at\s+all|whatsoever))?\s*[,.;:!–—-]+\s+(?P<rest>[^?]+)$",
    re.IGNORECASE,
)
_AT_ALL: Final = re.compile(r"(?<=[a-z])\s+(?:at\s+all|whatsoever)$")
_NONE: Final = re.compile(
    r"(?:none|not\s+(?:a\s+single\s+)?one)\s+of\s+(?:them|these|those|the\s+[a-z]{3,}s)[.!]*", re.IGNORECASE
)
_NUMBERED: Final = re.compile(
    rf"\d|\b(?:{'|'.join([*WHOLE, *PARTS])})s?\b(?!\s+[a-z]{{3,}})"
    r"|\b(?:but|unless|if|except|maybe|wait|than|or)\b",
    re.IGNORECASE,
)
"""What puts another count in the place of none: a number that counts nothing, a contrast, a condition."""
_EVENS: Final = re.compile(
    r"(?:an?\s+)?(?:fifty[\s-]+fifty|50\s?[-–/]\s?50(?=\s+\w|$))(?:\s+(?P<what>chance|odds|probability|shot|split|bet))?",
    re.IGNORECASE,
)
_RATIO: Final = re.compile(r"(?:the\s+ratio\s+is\s+)?(?P<parts>[a-z-]+(?:\s+to\s+[a-z-]+){1,3})", re.IGNORECASE)
_THOUSANDS: Final = re.compile(r"\**(?P<sign>(?:\\?\$|[€£])?)(?P<number>\d{1,6}(?:\.\d{1,3})?)\s?(?P<scale>k|grand)\**")
_FEET: Final = re.compile(r"(?P<feet>\d{1,3})\s?['’′]\s?(?P<inches>\d{1,2}(?:\.\d+)?)\s?(?:[\"”″]|''|’’)?")
_LENGTH: Final = re.compile(r"\d\s*\\?(?:text|mathrm)?\{?\s*(?:in|inch|inches|ft|foot|feet|m|cm|metres?|meters?)\b")
_EXCLAIMED: Final = re.compile(r"^(?P<words>[A-Za-z][A-Za-z\s-]{2,50}?)\s*!(?P<rest>\s*(?:\(.*)?)$", re.DOTALL)
_OFF: Final = re.compile(r"(?P<share>\d[\d.]*\s?\\?%)\s+(?:off|discount|more|less|profit|loss|interest)", re.IGNORECASE)
_ADVERB: Final = re.compile(
    r"(?<=[\w%°)$.])(?:\s+(?P<end>[a-z]{3,10})\s+to\s+(?P=end)|\s+(?:even|flat|exactly|on\s+the\s+(?:dot|nose)|all\s+told|in\s+all|all\s+in\s+all|it\s+is))$",
    re.IGNORECASE,
)
"""`door to door`, `even`, `on the dot` behind a value."""
_CENTS: Final = re.compile(
    r"(?P<cents>\d{1,4})\s*(?:cents?|¢)\s*(?:,?\s*(?:i\.\s?e\.,?|or|that\s+is,?|=|aka)\s*\\?\$\s?(?P<dollars>\d*\.\d\d)|\(\s*\\?\$\s?(?P<other>\d*\.\d\d)\s*\))",
    re.IGNORECASE,
)
_QUANTITY: Final = re.compile(r"[-−]?[$€£]?\d[\d.,]*(?:\s?%|\s[a-zA-Z]+(?:\s\d[\d.,]*\s[a-zA-Z]+)?)?")
_ONE: Final = re.compile(r"an?\s+(?P<unit>[a-z]{3,16})", re.IGNORECASE)
_CAST: Final = re.compile(
    r"(?P<before>an?\s+)?(?P<one>[a-z-]+|\d+)\s+(?:in|out\s+of)\s+(?P<of>[a-z-]+|\d+)(?:\s+(?:chance|odds|shot))?",
    re.IGNORECASE,
)


def without_chat(text: str) -> str:
    """A text without smileys and words of assent, `cause` and `'em` as they are written in full."""
    text = _CAUSE.sub(", because", _THEM.sub("them", _SMILEYS.sub("", text)))
    return _ASSENT.sub("", text, count=1) if len(text) <= _LONGEST else text


def in_brief(text: str, gold: str) -> str:
    """A short answer beside a gold that is no text, its value in the spelling of the grammar."""
    text = without_chat(text.strip())
    if _NONE.fullmatch(text) is not None and re.search(r"\d", gold):
        return "0"
    nothing = _NOTHING.match(text) if len(text) <= _LONGEST else None
    if nothing is not None and _NUMBERED.search(nothing["rest"]) is None:
        return "0"
    exclaimed = _EXCLAIMED.match(text) if "!" in text else None
    if exclaimed is not None and (number := number_of(exclaimed["words"])) is not None:
        return f"{written(number)}{exclaimed['rest'].rstrip()}"
    said = _SUBJECT.match(text) if len(text) <= _LONGEST and "\n" not in text else None
    value = _value(said["said"], gold) if said is not None else None
    return value if value is not None else in_figures(text)


def _value(said: str, gold: str) -> str | None:
    """The value that a text is, whole; None of any other text."""
    if len(said) > 1 and (size := roman_value(said)) is not None and gold.strip(" $").isdigit():
        return str(size)
    lone = _COUNTS.get(_AT_ALL.sub("", said.lower()))
    if lone is not None:
        return lone if re.search(r"\d", gold) else None
    evens = _EVENS.fullmatch(said)
    if evens is not None and (evens["what"] or not said[0].isdigit()):
        return "1:1" if ":" in gold else "1/2"
    cents = _CENTS.fullmatch(said)
    if cents is not None and Fraction(cents["cents"]) == 100 * Fraction(cents["dollars"] or cents["other"]):
        return f"${cents['dollars'] or cents['other']}" if "$" in gold else cents["dollars"] or cents["other"]
    one = _ONE.fullmatch(said)
    if one is not None:
        unit = unit_named(one["unit"])
        return measure("1", unit) if unit is not None else None
    for read in (_ratio, _shortened):
        value = read(said, gold)
        if value is not None:
            return value
    plain = in_figures(_ADVERB.sub("", said))
    off = _OFF.fullmatch(plain) if "%" in gold else None
    if off is not None:
        return off["share"]
    number = number_of(plain) if plain != said else None
    if number is not None:
        return written(number)
    if plain != said and _QUANTITY.fullmatch(plain):
        return plain
    return spoken_algebra(said) if plain == said else None


def _ratio(said: str, gold: str) -> str | None:
    """`three to two` beside a ratio, `one in six` beside a share."""
    found = _RATIO.fullmatch(said) if ":" in gold else None
    if found is not None:
        parts = [number_of(part) for part in re.split(r"\s+to\s+", found["parts"])]
        return ":".join(written(part) for part in parts if part is not None) if None not in parts else None
    cast = _CAST.fullmatch(said) if re.search(r"[%/.\\]", gold) else None
    if cast is None:
        return None
    one, of = (Fraction(cast[part]) if cast[part].isdigit() else number_of(cast[part]) for part in ("one", "of"))
    return f"{one}/{of}" if one is not None and of is not None and 0 < one < of else None


def _shortened(said: str, gold: str) -> str | None:
    """`45k` and, where a length is asked for, `5'8"`."""
    found = _THOUSANDS.fullmatch(said)
    if found is not None and "k" not in re.sub(r"\\[A-Za-z]+", "", gold):
        return f"{found['sign']}{written(1000 * Fraction(found['number']))}"
    feet = _FEET.fullmatch(said) if _LENGTH.search(gold) else None
    return f"{feet['feet']} ft {feet['inches']} in" if feet is not None and Fraction(feet["inches"]) < 12 else None
