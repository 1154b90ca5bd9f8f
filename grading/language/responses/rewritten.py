"""Sentences in plainer words, before they are read: what a clause only says in other words than most."""

import re
from typing import Final

from grading.language.responses.roles import settled
from grading.language.responses.segments import MARK
from grading.language.responses.spotted import SIDE

_FROM_TO: Final = re.compile(
    rf"^\W*(?:evaluat(?:ed|ing)\s+)?from\s+{SIDE}\s+to\s+{SIDE}\s*[:,]\s*(?={MARK}[\s.]*$)", re.IGNORECASE
)
"""`From 0 to 1:` before the value between these bounds."""
_WRITTEN_AS: Final = re.compile(
    r"\b(?i:we)\s+(?:(?:can|may|now|then|thus|finally)\s+)*write\s+(?P<what>(?:the|our"
    r"|its)\s+(?:final\s+)?(?:equation|answer|result|solution)"
    r"(?:\s+(?:of|for)\s+(?:the|our|this)\s+[a-z]+)?|it|this)\s+as\b"
)
"""`we can write the equation of the locus as`"""
_ENDS_IN: Final = re.compile(
    rf"{MARK}\s+(?:therefore\s+|thus\s+)?(?:ends?|finish(?:es)?)\s+(?:in|with|on)\s+(?:an?|the\s+(?:last\s+)?digit)\s+(?=\d(?!\d))"
)
"""`$3^{2023}$ ends in a 7`"""
_SIDES: Final = rf"(?:{MARK}|\d[\w^*·×()]*)(?:\s*=\s*{MARK})*"
_REMAINDER: Final = re.compile(
    rf"{_SIDES}\s+(?:therefore\s+|thus\s+)?(?:leaves|has|gives|yields)\s+(?:a\s+|the\s+)?remainder\s+(?:of\s+)?(?P<rest>\d{{1,9}})"
    rf"(?:\s+(?:when|if|on|upon|after)\s+(?:it\s+is\s+|being\s+)?(?:divided|division|dividing)(?:\s+it)?\s+by\s+(?:{MARK}|\d+))?(?=\W*$)",
    re.IGNORECASE,
)
"""`$7^{100}$ leaves remainder 1`"""
_CONGRUENT: Final = re.compile(
    rf"{_SIDES}\s+is\s+(?:therefore\s+|thus\s+)?congruent\s+to\s+(?P<rest>\d{{1,9}})\s+mod(?:ulo)?\s+(?P<modulus>\d{{1,9}})(?=\W*$)",
    re.IGNORECASE,
)
_IN_TIME: Final = re.compile(
    r"^(?P<opened>\W*(?:(?:so|thus|hence|therefore|then|and)\b[\s,]*)*)(?:in|after|within|during)\s+(?:the\s+(?:next|first|last)\s+|those\s+|these\s+|about\s+|only\s+|just\s+)*"
    r"[\d.,]*\d\s?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|h|min|s)\s+(?=(?:it|he|she|they|we|you|there|the|its|his|her|their|this|that|each|every|all)\b.*[\d\ue000-\ue2ff])",
    re.IGNORECASE,
)
"""`So in 20 minutes it fills 300 L`: how long it takes is no second value."""
_AFTER: Final = re.compile(
    r"^(?P<opened>\W*(?:(?:so|thus|hence|therefore|then|and)\b[\s,]*)*)after\s+(?:the|an?|her|his|its|their|this|that|these|those|both)\s+(?!\w+\s+(?:is|are|was)\s+(?:not|never)\b)(?:[\w%$€£.,'’-]+\s+){1,5}?"
    r"(?:\([^()?]*\)\s+)?(?=(?:the|he|she|it|they|we|you|his|her|its|their|there|i)\s+[a-z][^,;]*[\d\ue000-\ue2ff])",
    re.IGNORECASE,
)
"""`After the discount the shirt costs $18`"""
_OF_THESE: Final = re.compile(
    r"^(?P<opened>\W*(?:(?:so|thus|hence|therefore|and)\b[\s,]*)*)(?:out\s+)?of\s+(?:these|those|them|the\s+\d[\d,]*\s+[a-z]+),\s+(?:only\s+|exactly\s+|just\s+)?"
    r"(?=\d[\d,]*\s+(?:are|were|have|had|do|did|will|can|(?!needed|rejected|excluded)[a-z]{3,}ed|pass|fail|remain|contain|satisfy|work|like|own|play|speak)\s*(?!the\b)\S)",
    re.IGNORECASE,
)
"""`Of these, 36 are even`"""
_DIVIDED: Final = re.compile(
    rf"^(?P<opened>\W*(?:(?:so|thus|hence|therefore|then|and)\b[\s,]*)*)(?:when|if|on|upon)\s+(?:we\s+)?(?:{MARK}|\d[\d,]*)\s+is\s+divided\s+by\s+(?:{MARK}|\d[\d,]*),?\s+(?=(?:the|its|there|we|you|it)\b)",
    re.IGNORECASE,
)
"""`When 17 is divided by 7 the remainder is 3`"""

_OF_STEPS: Final = re.compile(
    r"^(\W*(?:(?:so|thus|hence|therefore|then|finally)\b[\s,]*)*(?:adding|multiplying|summing|combining)\s+(?:up\s+|together\s+)?(?:the|these|those|both|all)\s+(?:(?:two|three|four|five|six|partial|separate|individual|intermediate|of|these|the)\s+)*)"
    r"(?:results|answers)\b",
    re.IGNORECASE,
)
"""`Adding the two results gives 12`: results of steps, not the answer."""

_EVENT_ABROAD: Final = re.compile(
    r"(?<=\bWahrscheinlichkeit),\s+(?:dass\s|[^,;:?]{3,80}?\szu\s)[^,;:?]{2,80},(?=\s+(?:ist|beträgt|liegt|gleich)\b)"
)
"""`Die Wahrscheinlichkeit, mindestens einmal Kopf zu werfen, ist`: which event is meant bounds nothing."""


def plainer(text: str) -> str:
    """A sentence in words that the grammar of sentences knows; any other sentence as it is."""
    text = _WRITTEN_AS.sub(r"\g<what> is", settled(_FROM_TO.sub("", text)))
    text = _EVENT_ABROAD.sub("", text) if "Wahrscheinlichkeit" in text else text
    text = _OF_STEPS.sub(r"\1numbers", text)
    text = _ENDS_IN.sub("the last digit is ", text) if " in" in text or " with" in text or " on" in text else text
    if "remainder" in text:
        text = _REMAINDER.sub(r"the remainder is \g<rest>", text)
    if "congruent" in text:
        text = _CONGRUENT.sub(_remainder, text)
    text = _OF_THESE.sub(r"\g<opened>there are exactly ", text) if "f the" in text else text
    text = _DIVIDED.sub(r"\g<opened>", text) if "divided" in text else text
    return _AFTER.sub(r"\g<opened>", _IN_TIME.sub(r"\g<opened>", text))


def _remainder(found: re.Match[str]) -> str:
    """The remainder that a congruence says, where its number can be one."""
    small = int(found["rest"]) < int(found["modulus"])
    return f"the remainder is {found['rest']}" if small else found[0]
