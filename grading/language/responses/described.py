"""What is described by what was said, and not stated: `The radius is 9. The diameter is twice that.`

    description = subject , verb , (an operation on what was said | `what was asked for`)

Its subject is another one than that of the value, and no pronoun: `It is twice the radius` tells of the value what it
is. Neither of the two is drawn from the other, so that neither says the answer.
"""

import re
from typing import Final

from grading.language.responses.segments import MARK


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FEW: Final = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|\d+)"
_TIMES: Final = rf"(?:twice|thrice|double|triple|quadruple|half|{_FEW}\s+times)"
_PART: Final = r"(?:half|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|hundredth)"
_TURNED: Final = (
    r"(?:negative|opposite|inverse|reciprocal|complement|supplement|conjugate|transpose|double|triple|square|cube|mirror\s+image"
    rf"|(?:square|cube|positive|negative)\s+root|root|logarithm|factorial|neighbou?r|successor|predecessor|rest|remainder|{_PART})"
)
"""Nouns of what something is turned into, which need not say what is turned."""
_MADE: Final = (
    rf"(?:sum|product|difference|quotient|ratio|average|mean|fraction|share|part|portion|power|multiple|{_TURNED})"
)
_DONE: Final = (
    r"(?:divided|multiplied|times|plus|minus|over|squared|cubed|doubled|tripled|halved|increased|decreased|reduced|diminished|raised|less"
    r"|negated|inverted|reversed|with\s+the\s+(?:\w+\s+)?(?:sign|digits)\b)"
)
_DOING: Final = (
    r"(?:doubl|tripl|quadrupl|halv|squar|cub|negat|invert|revers|add|subtract|multiply|divid|reduc|increas|flipp)ing\b"
)
_LONGER: Final = (
    r"(?:more|less|fewer|later|earlier|greater|larger|smaller|bigger|higher|lower|longer|shorter|older|younger|taller|heavier"
    r"|lighter|wider|deeper|faster|slower|farther|further|hotter|colder|warmer|cheaper)"
)
_DATE: Final = r"(?:second|minute|hour|day|week|month|year|decade|century|generation)s?"
_REFERS: Final = r"(?:it|its|this|that|these|those|them|their|the\s+(?:former|latter|above|same))"
_ADVERBS: Final = (
    r"(?:(?:just|simply|then|exactly|precisely|therefore|thus|hence|now|merely|clearly|only|about|roughly|always"
    r"|of\s+course|in\s+turn|by\s+definition)\s+)*(?:minus\s+)?"
)
_VERB: Final = (
    r"(?:is|are|was|were|be|equals?|becomes?|makes?|takes?|took|needs?|costs?|has|have|had|gets?|got|weighs?|measures?|carr(?:y|ies)|comes?(?:\s+to|\s+out(?:\s+as)?|\s+in)?"
    r"|came|amounts?\s+to|works\s+out\s+(?:to|as)|lasts?|goes|went|runs?|moves?|travels?|pays?|receives?|earns?|holds?|contains?|gives?|yields?|covers?|sells?(?:\s+for)?"
    r"|stands?\s+at|happened|occurred|began|ended|appeared|follow(?:s|ed)|(?:is|was|were)\s+[a-z]+ed)\b"
)
_OPENED: Final = r"^\W*(?:(?:so|and|but|then|thus|hence|therefore|now|while|whereas|yet|accordingly)\b[\s,]*)*"
_REST: Final = r"[^,;:=()—–]"
_ELLIPTIC: Final = (
    rf"(?:(?:the|its|their|his|her)\s+(?:(?!own\b)[a-z]+\s+)?{_TURNED}|an?\s+{_PART}|(?:double|triple|half)|(?<=minus\s){_REFERS}"
    rf"|{_TIMES}\s+as\s+[a-z]+(?:\s+as\s+{_REST}+)?"
    rf"|{_FEW}(?:\s+{_DATE}|\s+[a-z]+)?\s+{_LONGER}"
    rf"|{_FEW}\s+{_DATE}\s+(?:before|after)(?:\s+(?:that|this|it))?|the\s+{_DATE}\s+(?:before|after)(?:\s+(?:that|this|it))?|(?:the\s+)?(?:next|following|previous|preceding)\s+{_DATE}"
    rf"|(?:(?:obtained|found|got|computed|calculated|derived)\s+)?by\s+{_DOING}"
    rf"|what\s+(?:remains|is\s+left)(?:\s+(?:of|when|after)\s{_REST}+)?"
    rf"|(?:complementary|supplementary|opposite|reciprocal|inverse)\s+to\s+{_REFERS})"
)
"""Descriptions that need no word for what they go on from."""
_RELATED: Final = (
    rf"(?:{_TIMES}\s+(?:of\s+)?{_REST}+|(?:one|1)\s+(?:over|minus|plus)\s+{_REST}+"
    rf"|(?:the|an?|its|their)\s+(?:[a-z]+\s+){{0,2}}{_MADE}\s+(?:of|to|between|with|{_DONE})\s{_REST}+"
    rf"|{_FEW}(?:\s+{_DATE}|\s+[a-z]+)?\s+{_LONGER}\s+than\s+{_REST}+|(?:(?:obtained|found|got|computed|calculated|derived)\s+)?(?:from\s+{_REFERS}\s+)?by\s+{_DOING}{_REST}+"
    rf"|(?:{_REFERS}|the\s+[a-z]+)\s+{_DONE}\b{_REST}*)"
)
"""Descriptions that have to name what they go on from."""
_DESCRIBED: Final = re.compile(
    rf"{_OPENED}(?P<subject>[^,;:?=]{{2,90}}?)\s+{_VERB}\s+{_ADVERBS}(?P<said>(?P<elliptic>{_ELLIPTIC})|{_RELATED})[\s.!]*$",
    re.IGNORECASE,
)
_CUE: Final = re.compile(
    rf"\b(?:{_TIMES}|{_TURNED}|sum|product|difference|quotient|ratio|average|mean|fraction|share|part|portion|power|multiple|{_DONE}|{_LONGER}|before|after|next"
    rf"|following|previous|preceding|by\s+{_DOING}|add|subtract|double|halve|multiply|divide|negate|invert"
    r"|supplementary|complementary|sign|wanted|asked|asks|sought|question|differs?|above|below|what\s+(?:remains|is\s+left))\b",
    re.IGNORECASE,
)
_PRONOUN: Final = re.compile(
    r"(?:it|this|that|these|those|they|which|who|what|there|we|i|you|he|she|its|their|his|her|our|the\s+(?:other|same)|another|in\s+other\s+words|not(?:e|ice)"
    r"|because|since|as|if|when|where|for\s+(?:example|instance|comparison))\b",
    re.IGNORECASE,
)
"""How a clause begins that goes on about what was said, or gives a reason."""
_OF_IT: Final = re.compile(r"\b(?:it|they|this|that|he|she)$", re.IGNORECASE)
_WANTED: Final = r"(?:wanted|asked\s+for|sought|in\s+question)"
_WHAT: Final = (
    r"what\s+(?:(?:was|is)\s+(?:wanted|asked(?:\s+for)?|sought)|(?:we|you|they|I)\s+(?:were\s+|are\s+)?(?:asked\s+for|want(?:ed)?|sought|after)"
    r"|(?:the\s+)?(?:question|problem|task|exercise)\s+(?:asks?(?:\s+for)?|wants?|(?:is|was)\s+about))"
)
_THE: Final = r"(?P<subject>(?:the|its|their|his|her|an?)\s+[^,;:?=]{2,60}?)"
_TO_DO: Final = (
    r"(?:(?:we|you|one|just|simply|now|only|must|have\s+to|has\s+to|need\s+to)\s+)*"
    r"(?:double|halve|square|add|subtract|multiply|divide|negate|invert)\b[^,;:?=]*"
)
_ASKED: Final = tuple(
    re.compile(f"{_OPENED}{form}[\\s.!]*$", re.IGNORECASE)
    for form in (
        rf"{_THE}\s+(?:is|was|are|were)\s+{_ADVERBS}(?:{_WHAT}|{_WANTED})",
        rf"{_WHAT}\s+(?:is|was|are|were)\s+{_ADVERBS}{_THE}",
        r"(?:the\s+)?(?:question|problem|task|exercise)\s+(?:asks?(?:\s+for)?|wants?|(?:is|was)\s+about)\s+(?P<subject>[^,;:?=]{2,60}?)",
        rf"(?P<subject>the\s+(?:true|exact|actual|real|correct)\s+[^,;:?=]{{2,40}}?)\s+(?:is|lies|are|differs?)\s+(?:(?:much|far|slightly|somewhat|a\s+(?:bit|little|lot)|well|just)\s+)?(?:{_LONGER}|above\s+(?:it|that)|below\s+(?:it|that)|from\s+(?:it|this|that|the\s+[a-z]+))",
        rf"it\s+is\s+{_THE}\s+(?:that|which)\s+(?:is|was|are|were)\s+{_WANTED}",
        rf"(?:{_TIMES}|an?\s+{_PART}|(?:the|its)\s+{_TURNED})\s+(?:of\s+)?{_REFERS}\s+(?:is|are|gives?|yields?|equals?)\s+{_THE}",
        rf"to\s+(?:get|find|obtain|have)\s+{_THE},\s+{_TO_DO}",
        rf"for\s+(?P<subject>the\s+[a-z]+(?:\s+of\s+[a-z ]+)?),\s+{_TO_DO}",
    )
)
"""Sentences that name what was asked for, or the true value, and leave it there."""
_GENERIC: Final = _set(
    "answer result value number quantity solution final exact numerical total question problem form thing"
)
_IDLE: Final = _set(
    "the and its their his her our for with from that this then thus hence therefore has have had are was were each all"
    " any equals gives gets get both only just exactly about"
)
_WORD: Final = re.compile(r"[A-Za-z][a-z]{2,}|\b[B-HJ-Z]\b")
_SAID: Final = re.compile(rf"\d|{MARK}")
_JOINT: Final = re.compile(
    r"\s*[;,—–]\s+(?:(?:and|but|while|whereas|with|though)\s+)?|\s+(?:and|but|while|whereas)\s+(?=the\s)"
)
_LONGEST: Final = 240
_MOST: Final = 4


_INSERTED: Final = re.compile(r",\s+(?:who|which|whom)\s[^,;:?]{2,60},(?=\s)", re.IGNORECASE)
_ASKED_OF: Final = re.compile(
    rf"{_OPENED}(?P<subject>(?:the|its|their|his|her|an?)\s+[^,;:?=]{{2,60}}?),\s+which\s+(?:is|was)\s+(?:the\s+question|what\s+(?:the\s+question|we|is|was)\b[^,;:?]{{0,30}}|{_WANTED}),\s",
    re.IGNORECASE,
)
"""`the price, which is the question, is`"""
_SIGN: Final = re.compile(
    rf"{_OPENED}(?:its|the|our)\s+sign\s+(?:(?:is|has\s+to\s+be|must\s+be)\s+)?(?:thus\s+|then\s+|therefore\s+)?(?:negative|minus|opposite|reversed)[\s.!]*$",
    re.IGNORECASE,
)
"""What says of a value without a sign that it has one."""
_TOPIC: Final = re.compile(
    rf"{_OPENED}(?P<topic>(?P<at>in|for|with|without|on|at|by|under)\s+[^,;:?=\d]{{2,40}}?),?\s+(?:it|there|this|that)\s",
    re.IGNORECASE,
)


def has_cue(text: str) -> bool:
    """Whether a sentence has a word without which none is described."""
    return _CUE.search(text) is not None


def describes(stated: str, later: str) -> bool:
    """Whether `later` describes another thing by what `stated` states, or names another one that was asked for."""
    if len(later) > _LONGEST or not _CUE.search(later):
        return False
    asked = _ASKED_OF.match(later)
    if asked is not None:
        words = _words(asked["subject"]) - _GENERIC
        return bool(words) and not words <= _words(stated) and _SAID.search(later) is None
    later = _INSERTED.sub("", later)
    if _SIGN.match(later):
        return re.search(rf"[-−]\s?\d|{MARK}|negative|minus", stated) is None
    for form in _ASKED:
        asked = form.match(later)
        if asked is not None:
            words = _words(asked["subject"]) - _GENERIC
            return bool(words) and not words <= _words(stated)
    found = _DESCRIBED.match(later)
    if found is None:
        return False
    subject, what = found["subject"], found["said"]
    if _PRONOUN.match(subject) or _is_of(subject, stated):
        return False
    return (
        (found["elliptic"] is not None and (not _OF_IT.search(subject) or _contrasts(stated, later)))
        or re.search(rf"\b{_REFERS}\b", what, re.IGNORECASE) is not None
        or bool(_words(what) & _words(stated))
    )


def _contrasts(stated: str, later: str) -> bool:
    """Whether two sentences are about one thing in two respects: `in minutes it is`, `in seconds it is`."""
    one, other = _TOPIC.match(stated), _TOPIC.match(later)
    return one is not None and other is not None and one["topic"].lower() != other["topic"].lower()


def _lead(stated: str) -> str:
    """What stands before the first value of a sentence, the whole where nothing does."""
    value = _SAID.search(stated)
    lead = stated[: value.start()] if value is not None else stated
    return lead if _WORD.search(lead) else stated


def _is_of(subject: str, stated: str) -> bool:
    """Whether a subject is what `stated` speaks of: one of the two has no words of its own."""
    words, spoken = _words(subject), _words(_lead(stated))
    return bool(words) and (words <= _words(stated) or (bool(spoken) and spoken <= words))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower().removesuffix("s") for word in _WORD.findall(text)) - _IDLE


def described_beside(text: str) -> bool:
    """Whether the last clause of a sentence describes another thing by the value of a clause before it."""
    if not _CUE.search(text):
        return False
    return any(
        _SAID.search(text, 0, joint.start()) is not None and describes(text[: joint.start()], text[joint.end() :])
        for joint in list(_JOINT.finditer(text))[-_MOST:]
    )
