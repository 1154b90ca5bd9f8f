"""The value with which the last of several sentences concludes: `… the carry was forgotten. So it is 0.`

    last sentence = opener* , way? , subject , verb , value
    subject       = `it`, `we`, `the answer`, or what an earlier sentence gives a value to (`the area is 36 … is 18`)

Nothing may stand behind the value, so that it is no other thing's (`we get 6 for the side`); a remark on another case
(`for n = 3 we get 6`) and in other units has other openers.
"""

import re
from typing import Final

from grading.language.responses.segments import MARK, Response, segmented

_OPENERS: Final = (
    r"^\W*(?:(?:so|and|but|no|yes|hence|thus|therefore|then|now|consequently|accordingly|finally|instead|rather"
    r"|in\s+the\s+end|final(?:ly)?|with\s+(?:that|this)(?:\s+in\s+mind)?)\b[\s,:]*)*"
)
_WAY: Final = (
    r"(?:(?:without|including|excluding|counting|adding|subtracting|dropping|removing|correcting|doing\s+(?:so|this|that)"
    r"|with\s+the\s+(?:right|correct|proper|true|missing)|when\s+(?:corrected|done\s+(?:right|properly|correctly)))\b[^.;:?]{0,60}?[\s,]+)?"
)
_ADVERBS: Final = r"(?:(?:now|then|thus|therefore|hence|actually|really|in\s+fact|only|just|exactly|simply)\s+)*"
_IS: Final = r"(?:is|becomes|equals|must\s+be|has\s+to\s+be|should\s+be|should\s+read|turns\s+into|=)"
_TURNS: Final = (
    r"(?:doubles|triples|quadruples|halves|rises|falls|drops|goes\s+(?:up|down)|increases|decreases|changes|shrinks"
    r"|grows|comes\s+down|is\s+(?:doubled|halved|reduced|increased|raised|lowered|corrected))(?:\s+by\s+\S+)?(?:\s+(?:in)?to|\s+and\s+becomes)"
)
_VALUE: Final = (
    rf"(?P<value>{MARK}|[-−]?[$€£]?\d[\d.,/]*(?<![.,])"
    r"(?:\s?(?:\\?%|°C?|[a-zµ]{1,2}(?:/[a-z]{1,2}[²³]?)?(?![a-z])))?)"
)
_NOUN: Final = (
    r"(?:the|my|our)\s+(?:(?:right|correct|true|actual|final|real|proper|new|corrected|final)\s+)*"
    r"(?:answer|value|result|number|total|count|figure|solution|one)"
)
_SAID: Final = re.compile(
    rf"{_OPENERS}{_WAY}(?:(?:{_NOUN}|it|what\s+(?:remains|is\s+left))\s+{_ADVERBS}(?:{_IS}|{_TURNS})"
    rf"|it['’]s|(?:we|I|one)\s+{_ADVERBS}(?:get|gets|have|has|obtain|obtains|find|finds|end\s+(?:up\s+)?with|are\s+left\s+with|arrive\s+at|answer|need|say)"
    rf"|(?:this|that|which|it)\s+{_ADVERBS}(?:leaves|makes|yields|brings\s+(?:us|it)\s+to)(?:\s+(?:us|one))?(?:\s+with)?)\s+{_ADVERBS}{_VALUE}[\s.!*]*$",
    re.IGNORECASE,
)
_SUBJECT: Final = re.compile(
    rf"{_OPENERS}(?:(?:with|without|for|in|after|by|on)\s[^.;?]{{2,60}}?,?\s+)?"
    rf"(?P<subject>(?:the|its|their|my|our)\s+[a-z][a-z -]{{1,40}}?)\s+{_ADVERBS}"
    rf"(?:{_IS}|{_TURNS}|comes\s+(?:out\s+(?:as|at|to)|to))\s+{_ADVERBS}{_VALUE}[\s.!*]*$",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(
    rf"{_OPENERS}(?P<formula>{MARK}|[A-Za-z]\w?\s*=\s*[-−]?\d[\d.,/]*(?<![.,]))[\s.!*]*$", re.IGNORECASE
)
_EQUATION: Final = re.compile(r"\s*(?P<letter>\\?[A-Za-z]+(?:_\w|_\{\w+\})?)\s*=\s*(?P<value>[^=]+)")
_CHOICE: Final = re.compile(
    rf"{_OPENERS}I\s+(?:(?:will|would|now|therefore|thus|hence|then|finally)\s+)*(?:settle\s+(?:on|for)|go\s+(?:with|for)|opt\s+for|choose|pick|vote\s+for|decide\s+(?:on|for)|stand\s+by)\s+"
    r"(?P<value>[^,;:.?!]{1,40})[\s.!*]*$",
    re.IGNORECASE,
)
_NONE: Final = re.compile(
    rf"(?:[^?]{{3,160}},\s+(?:so|hence|thus|therefore)\s+|{_OPENERS})(?:(?:there\s+(?:is|are)|(?:it|the\s+(?:equation|system|problem|inequality))\s+has|we\s+(?:have|get|are\s+left\s+with))\s+)?no\s+(?:real\s+)?solutions?(?:\s+(?:at\s+all|remains?|exists?|(?:is|are)\s+left))?[\s.!*]*$",
    re.IGNORECASE,
)
_FEWEST, _MOST, _LONGEST = 2, 12, 1_500


def ending(text: str) -> str | None:
    """The value that the last sentence of a short response gives anew; None where it gives none, or is the only one."""
    if len(text) > _LONGEST or "." not in text:
        return None
    response = segmented(text)
    sentences = response.sentences
    if not _FEWEST <= len(sentences) <= _MOST or sentences[-1].heading or sentences[-1].listed:
        return None
    last = sentences[-1].text
    if _NONE.match(last) is not None:
        return "no solution"
    said = _SAID.match(last) or _CHOICE.match(last)
    if said is not None:
        return response.written(said["value"])
    before = [each.text for each in sentences[:-1]]
    return _of_same_subject(response, last, before) or _of_same_letter(response, last, before)


def _of_same_subject(response: Response, last: str, before: list[str]) -> str | None:
    """The value of what an earlier sentence gives a value to in the same words."""
    found = _SUBJECT.match(last)
    if found is None:
        return None
    earlier = {" ".join(each["subject"].lower().split()) for one in before if (each := _SUBJECT.match(one)) is not None}
    return response.written(found["value"]) if " ".join(found["subject"].lower().split()) in earlier else None


def _of_same_letter(response: Response, last: str, before: list[str]) -> str | None:
    """The value of a letter to which an earlier sentence gives one: `p = 0.25. … Then p = 0.5.`"""
    found = _LETTER.match(last)
    equation = _EQUATION.fullmatch(response.undelimited(found["formula"])) if found is not None else None
    if equation is None:
        return None
    shown = (response.undelimited(formula["formula"]) for one in before if (formula := _LETTER.match(one)) is not None)
    letters = {each["letter"] for one in shown if (each := _EQUATION.fullmatch(one)) is not None}
    return equation["value"].strip() if equation["letter"] in letters else None
