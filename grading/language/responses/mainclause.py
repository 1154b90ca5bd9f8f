"""What a sentence in words states, without the clauses that only say why, how or in spite of what.

    sentence = (opener | reason | manner)* , statement , (reason | remark | contrast)*
             | reason , "so" , statement

`Since they differ, the limit does not exist`, `The series diverges, although its terms tend to zero`, `Both have slope
2, so they are parallel and never meet`. A clause that supposes, reports or denies is never cut off.
"""

import re
from functools import lru_cache
from typing import Final

_SUBJECT: Final = (
    r"(?=(?:the|its?|this|that|these|those|they|there|we|you|he|she|his|her|their|our"
    r"|both|each|every|all|an?|no|\ue000|[A-Z][\w'’.-]*)(?!\w))"
)
_OPENER: Final = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore|then|consequently|accordingly|finally|overall|altogether|clearly|indeed|in\s+(?:conclusion|summary|short|fact|other\s+words)|as\s+a\s+(?:result|consequence)|because\s+of\s+this|for\s+this\s+reason"
    r"|it\s+follows\s+that|(?:we|one)\s+(?:conclude|see|find|deduce|know)s?\s+that|(?:this|that|which)\s+(?:means|shows|implies|proves)\s+that)\b[\s,:]*)+",
    re.IGNORECASE,
)
_FRONT: Final = re.compile(
    rf"^\W*(?:since|because|as|given\s+that|seeing\s+that|although|even\s+though|though|despite|in\s+spite\s+of|due\s+to|owing\s+to|thanks\s+to|using|by|from|according\s+to\s+(?:the\s+)?(?:[\w'’-]+\s+){{0,3}}?(?:law|principle|theorem|rule|test|criterion|definition)"
    rf"|comparing|considering|applying|with|here)\b(?P<said>[^,;:?]{{0,160}}?),\s+{_SUBJECT}",
    re.IGNORECASE,
)
_MANNER: Final = re.compile(
    rf"^\W*(?:by|from|using|according\s+to)\s+(?:the\s+|an?\s+)?(?:[\w'’-]+\s+){{0,4}}?(?:law|principle|theorem|rule|test|criterion|definition|argument|lemma|method|symmetry)\s+{_SUBJECT}",
    re.IGNORECASE,
)
"""`By the integral test the series diverges`"""
_DRAWN: Final = re.compile(
    rf"(?P<said>^[^?]{{3,300}}?)(?:,|;|\s[—–])\s+(?:and\s+)?(?:so(?:\s+that)?|hence|thus|therefore|consequently|but(?=[^,;]*\b(?:still|nevertheless|nonetheless)\b)|which\s+(?:means|shows|implies)(?:\s+that)?)\s*,?\s+(?:we\s+(?:conclude|see)\s+that\s+)?(?:{_SUBJECT}|(?=is\b))",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"(?<=[\w)\ue000-\ue2ff%])(?:,?\s+(?:since|because|given\s+that|due\s+to|owing\s+to|(?P<granted>although|even\s+though|though|despite|in\s+spite\s+of))\b|,\s+(?:as|for|with|so|hence|thus|therefore|which|where|in\s+accordance|i\.\s?e\.|that\s+is|from\s+(?:the\s+)?(?:Latin|Greek))(?!\w)|\s[—–]\s)(?P<said>[^?]{2,240})$",
    re.IGNORECASE,
)
_BRACKET: Final = re.compile(
    r"\s*\((?P<said>(?!(?:not|or|and|maybe|was|wrong|no|formerly)\b)[^()?]{1,120})\)(?=\W*$|\s+(?:at|on|for|in|and|because|since)\b)"
)
_CONTRAST: Final = re.compile(
    r"(?:,\s+(?:and\s+)?not|,?\s+(?:rather\s+than|instead\s+of|as\s+opposed\s+to))\s+(?P<said>(?!(?:always|necessarily|quite|really|exactly|entirely|only|just|sure|yet|all|every)\b)[^,;:?]{2,80})$",
    re.IGNORECASE,
)
_AND: Final = re.compile(
    r"\s*,?\s+and\s+(?P<said>(?:(?:they|it)\s+)?(?:never|do(?:es)?\s+not|do(?:es)?n['’]t|will\s+never|(?:therefore|thus|hence|so)\b)[^,;:?]{2,100})$",
    re.IGNORECASE,
)
"""`parallel and never meet`"""
_CHANGES: Final = re.compile(
    r"^\W*[A-Z][a-z]+ing\s[^,;:?]{3,80}?\s(?P<verb>increases|decreases|raises|lowers|reduces|doubles|triples|quadruples|halves)\s+(?P<thing>(?:the|its)\s[^,;:?]{2,40})$"
)
"""`Raising the temperature increases the rate`"""
_EACH_OTHER: Final = re.compile(
    r"\b(?:are|run|lie|stand)\s+(?P<what>[a-z]+)(?:\s+(?:to|of|from|with)\s+(?:each|one\s+an)\s?other)(?=\W*$)",
    re.IGNORECASE,
)
_ITSELF: Final = {"raises": "increases", "lowers": "decreases", "reduces": "decreases"}
_ADVERB: Final = re.compile(
    r"(?<=\w)\s*,?\s+(?:therefore|thus|hence|consequently|accordingly|indeed|still|nevertheless|in\s+fact|in\s+turn)\b,?(?=\s+\w)",
    re.IGNORECASE,
)
_SUPPOSES: Final = re.compile(
    r"\b(?:if|unless|when|whenever|whether|suppos\w*|assum\w*|imagin\w*|would|could|might|may|claim\w*|sa(?:y|ys|id)|thinks?|thought|believ\w*|guess\w*|wrong\w*|false\w*|mistak\w*|doubt\w*|perhaps|maybe|possibly|allegedly|supposedly|actually|wait)\b|\?",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"\b(?:not|never|no|neither|nor|but|however|only|fails?|without|except)\b|n['’]t\b", re.IGNORECASE
)
_FORMULA: Final = re.compile(r"\$[^$\n]{1,200}\$|\\\([^\n]{1,200}?\\\)")
_BOLD: Final = re.compile(r"\*\*([^*\n]{1,120})\*\*")
_STOP: Final = re.compile(r"(?<=[a-z)\ue000-\ue2ff\d][.!])\s+(?=[A-Z\ue000-\ue2ff])|\n+")
_LONGEST: Final = 700
_FIRST: Final = 0xE000


def without_turned_down(sentence: str) -> str:
    """A sentence without another name that is turned down at its end: `the photoelectric effect, not relativity`."""
    found = _CONTRAST.search(sentence.rstrip(" .!"))
    return sentence if found is None or _SUPPOSES.search(found["said"]) else sentence[: found.start()]


@lru_cache(maxsize=64)
def main_statements(text: str) -> tuple[str, ...]:
    """The statements of the last sentence of a short text, from the longest to the shortest; it itself is none."""
    if len(text) > _LONGEST:
        return ()
    kept: list[str] = []

    def put(found: re.Match[str]) -> str:
        kept.append(found[0])
        return chr(_FIRST + len(kept) - 1)

    plain = _FORMULA.sub(put, text.strip())
    bold = [part.strip(" .,;:!") for part in _BOLD.findall(plain) if re.search("[a-z]{3}", part)]
    last = _STOP.split(plain.replace("**", ""))[-1].strip(" .!*#-")
    found = [each for each in _reduced(last) if all(part in each for part in bold if part in last)]

    def written(statement: str) -> str:
        return re.sub("[\ue000-\ue2ff]", lambda mark: kept[ord(mark[0]) - _FIRST], statement).strip(" .,;:!")

    return tuple(dict.fromkeys(each for each in map(written, found) if each and each != text.strip(" .!*")))


def _reduced(sentence: str) -> list[str]:
    """A sentence without what may be cut off, step by step; both sides of what is drawn from something."""
    found = [sentence]
    for place in range(8):
        if place >= len(found):
            break
        for shorter in _shorter(found[place]):
            if shorter.strip() and shorter not in found and len(found) < 24:
                found.append(shorter)
    return found


def _shorter(sentence: str) -> list[str]:
    found: list[str] = []
    opened = _OPENER.match(sentence)
    if opened is not None:
        found.append(sentence[opened.end() :])
    for pattern in (_FRONT, _MANNER):
        front = pattern.match(sentence)
        if front is not None and not _SUPPOSES.search(front[0]):
            found.append(sentence[front.end() :])
    drawn = _DRAWN.match(sentence)
    if drawn is not None and not _SUPPOSES.search(drawn["said"]):
        found.append(sentence[drawn.end() :])
    for pattern in (_BEHIND, _BRACKET, _CONTRAST, _AND):
        behind = pattern.search(sentence)
        if behind is None or _SUPPOSES.search(behind["said"]):
            continue
        if pattern is _BEHIND and behind["granted"] and _DENIES.search(behind["said"]):
            continue
        found.append(sentence[: behind.start()] + sentence[behind.end() :])
    alike = _EACH_OTHER.sub(r"are \g<what>", sentence)
    if alike != sentence:
        found.append(alike)
    changes = _CHANGES.match(sentence)
    if changes is not None:
        found.append(f"{changes['thing']} {_ITSELF.get(changes['verb'], changes['verb'])}")
    bare = _ADVERB.sub("", sentence)
    if bare != sentence:
        found.append(bare)
    return found
