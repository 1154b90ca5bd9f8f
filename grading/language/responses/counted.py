"""A number and what it counts: `9 divisors of 196`, `12 students who like neither subject`.

What stands behind the noun says which things are counted, whatever its words: a denial in it does not deny the number.
"""

import re
from functools import lru_cache
from typing import Final

from grading.language import numerals
from grading.language.responses.segments import MARK
from grading.language.unitnames import is_unit

_NUMBER: Final = rf"(?:{MARK}|[-−]?\d{{1,3}}(?:[,\u202f]\d{{3}})+|[-−]?\d+(?:\.\d+)?(?:/\d+)?)"
_NO_NOUN: Final = (
    r"times|halves|thirds|quarters|fourths|fifths|sixths|sevenths|eighths|ninths|tenths|twelfths|hundredths|thousandths|dozens"
    r"|hundreds|thousands|millions|billions|pairs|couples|less|plus|minus|percents?|is|was|has|does|as|this|its|us|always|thus"
    r"|works|remains|suffices|survives|fits|follows|satisfies|vanishes|divides|equals|gives|means|solves|holds|fails|digits|places|decimals"
    r"|leads|goes|lies|upwards|downwards|backwards|forwards|inwards|outwards|sometimes|afterwards|perhaps|besides|cases|subcases|equations|unknowns|variables|steps|orders"
    r"|lemmas|attempts|tries|unless|minutes|hours"
)
_PLURAL: Final = (
    rf"(?!(?:{_NO_NOUN})\b)(?:[a-z-]{{2,}}s|people|men|women|children|vertices|matrices|dice|feet|mice|fish|sheep)"
)
_ADJECTIVE: Final = (
    r"(?:(?!(?:of|in|on|at|to|by|for|from|with|and|or|is|are|was|were|be|as|than|that|more|less|fewer|too|times|other|per|out|up"
    r"|each|every|before|after|until|since|not|plus|minus|including|excluding|counting|percent|dozen|hundred|thousand|million|billion|half|third|the|a|an)\b)[a-z-]+\s+){0,3}?"
)
_WHICH: Final = (
    r"(?:of(?!\s+(?:which|whom)\b)|in(?!\s+(?:the\s+)?(?:first|second|third|one|other|former|latter|even|odd|this|that)\s+(?:case|instance"
    r"|situation)|\s+case\b|\s+excess\b)|on|with|without|that|who|which|whose|satisfying|having|containing|such\s+that|less\s+than"
    r"|greater\s+than|smaller\s+than|larger\s+than|between|among|from|to(?=\s+(?!consider|check|examine|try|look|go|treat|handle|rule|exclude)[a-z]))"
)
_COUNTED: Final = re.compile(
    rf"^(?P<value>{_NUMBER})\s+(?P<noun>{_ADJECTIVE}{_PLURAL})(?:\s+{_WHICH}\b(?P<which>.*))?[\s.!]*$", re.DOTALL
)
_SECOND: Final = re.compile(
    r"\b(?:of\s+(?:which|whom)|each|per|apiece|too\s+(?:many|few)|instead|rather|but|however|otherwise|while|whereas|if|unless|or\s+(?:more|fewer|less)|and\s+so"
    r"|at\s+(?:the\s+(?:very\s+)?)?(?:most|least|best|worst)\W*$|so\s+far|more|fewer|respectively|half\s+of\s+(?:which|them))\b|[,;:—–(?]"
    r"|^\s*(?:top|addition)\s+(?:of|to)\b.*(?:\d|\b(?:already|existing|previous|original|those|these|others?)\b)"
)
"""Words behind the noun with which the number may not be the answer."""

_DEGREES_OF: Final = re.compile(
    r"^(?P<count>\d{1,6})\s+degrees?\s+of\s+(?:unsaturation|freedom|separation|hydrogen\s+deficiency|kinship"
    r"|relationship)[\s.!]*$"
)
"""Degrees that are counted and are no angle."""


@lru_cache(maxsize=256)
def counted(text: str) -> str | None:
    """The number and the noun (no degrees) that a text of nothing else begins with; None of other texts."""
    degrees = _DEGREES_OF.match(numerals.leading(text) or text)
    if degrees is not None:
        return degrees["count"]
    found = _COUNTED.match(text) or _COUNTED.match(numerals.in_digits(text))
    if found is None or _SECOND.search(found["which"] or "") or is_unit(found["noun"]):
        return None
    return f"{found['value']} {found['noun']}"


GOES_ON: Final = re.compile(rf"\b(?:or|and)$|(?:\d|{MARK})\s+(?:is|are|was|were)\b")


def predicated(head: str) -> str:
    """A head in digits where it goes on to say something of a number in words (`Four are made later`)."""
    digits = numerals.leading(head) or head
    return digits if GOES_ON.search(digits) else head
