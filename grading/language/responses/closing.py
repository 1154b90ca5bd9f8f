"""Where the argument of a long response closes: its last conclusion, where all that stands behind it goes on about it.

A conclusion is a sentence that states a value and says that it is one: by a word of consequence, by bold type, by the
name of what was asked for, or by a sentence behind it that points at it. What follows turns aside (a remark, a
comparison, another case, a section about something else) or states no value; where it states one in the argument's own
voice, nothing is left out.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from grading.language.responses import changing
from grading.language.responses import vocabulary as say
from grading.language.responses.described import describes, has_cue
from grading.language.responses.doubts import doubted
from grading.language.responses.making import Committed
from grading.language.responses.scripts import FOREIGN_LETTERS
from grading.language.responses.segments import MARK, Response, Sentence
from grading.language.responses.turning import begins_aside, hypothetical, opens_aside, turned_aside
from grading.language.responses.values import Refused, value_of

_FIRST_WORD: Final = (
    r"(?:so|thus|hence|therefore|consequently|accordingly|finally|from\s+(?:this|which|here|these)\s+(?:we|one|it)\b|by\s+symmetry|altogether|overall|we\s+(?:conclude|find|get|obtain|have\s+(?:shown|found))"
    r"|in\s+(?:conclusion|summary|short|total|the\s+end)|(?:all\s+in\s+all|putting\s+(?:it|this|these|everything)|it\s+follows|to\s+conclude)"
    r"|this\s+(?:gives|yields|leaves|(?:simplifies|reduces|evaluates|comes|amounts|works\s+out)\s+to))"
)
_CONCLUDES: Final = re.compile(
    rf"^\W*(?:and\s+|but\s+)?{_FIRST_WORD}\b|\b(?:is|are|equals?|has|have|must)\s+(?:therefore|thus|hence|accordingly|consequently|then)\b"
    r"|,\s+(?:so|and\s+so|hence|thus|therefore)\s+(?:the|our|its)\s|\b(?:thus|therefore|hence)\s+[a-z]{3,}s\s",
    re.IGNORECASE,
)
_ASKED_FOR: Final = re.compile(
    r"\b(?:the|our)\s+(?:\w+\s+)?(?:requested|required|desired|sought|wanted|final)\s+[a-z]+\b|\b[a-z]+\s+(?:sought|asked\s+for|we\s+(?:want|seek|need)|in\s+question)\s+(?:is|are|equals)\b|\b(?:we|you)\s+(?:are\s+|were\s+)?(?:only\s+|just\s+)?(?:asked\s+for|looking\s+for|seeking|sought)\b[^,;]*,\s*(?:so|which|hence|thus|and)\b|\bthe\s+(?:question|problem|task)\b[^,;]{0,20}\basks\s+for\b[^,;]*,\s*(?:so|which|hence|thus|and)\b",
    re.IGNORECASE,
)
_HEADED: Final = re.compile(
    rf"^\W*(?:the\s+)?(?:(?:final|exact|numerical|total|overall|resulting)\s+)*(?:value|answer|result|magnitude|probability|number|solution)s?\s+(?:of|for)\s[^:]{{2,60}}:\s*(?:{MARK}|[-−]?\d)",
    re.IGNORECASE,
)
"""`Value of the integral: 5`"""
POINTS_BACK: Final = re.compile(
    r"^\W*(?:and\s+|so\s+)?(?:this|that|which|it)\s+is\s+(?:(?:exactly|precisely|therefore|thus|indeed|just)\s+)?(?:the|our)\s+(?:(?:general|complete|full|final|explicit"
    r"|required|requested|desired|sought|wanted|particular|unique|closed-form)\s+)*(?:solution|answer|result|formula|expression|form|value|equation|probability)"
    r"(?:\s+(?:of|to|for)\s+(?:the|this|our)\s+[a-z\s]{2,40}|\s+(?:that\s+)?we\s+(?:were\s+)?(?:want\w*|need\w*|sought|looking\s+for|after))?\W*$",
    re.IGNORECASE,
)
"""`This is the general solution.`"""
_LAST_DISPLAY: Final = re.compile(
    rf"^.*?(?P<value>{MARK})(?P<tail>\s*,?\s*(?:where|with|for)\b[^\ue000-\ue2ff]*(?:{MARK}[^\ue000-\ue2ff]*)?)?[\s.,]*$",
    re.DOTALL,
)
HYPOTHETICAL: Final = re.compile(
    r"\b(?:would|could|might|if|were|had|suppos\w*|people|students|tempting|naive\w*|common|mistake|other"
    r"|another|different|original\w*"
    r"|instead|however|although|while|whereas|unlike|half|twice|never|always)\b|^\W*(?:this|that|it|these|those)\b",
    re.IGNORECASE,
)
"""Words of a last sentence that speaks of another case, so that the one before it may be the answer's."""
OF_THE_ANSWER: Final = re.compile(
    r"\W*(?:its|their|(?:the|an?)\s+(?:other|first|second|same)|another|(?:in|by)\s+comparison)\b|\W*\((?![^()]*\)\s*=)",
    re.IGNORECASE,
)
"""How a sentence begins that says something of the answer, or of another thing."""
_VALUE_AS_SUBJECT: Final = re.compile(rf"^\W*(?:the|an?)\s+(?:[a-z-]+\s+){{1,2}}{MARK}\s+(?=[a-z])", re.IGNORECASE)
_LETTER: Final = re.compile(r"\s*\\?[A-Za-z]+(?:_\w|_\{\w+\})?'?\s*")
_CONTRARY: Final = re.compile(r"^\W*(?:but|however|yet|though|except|unfortunately|only)\b", re.IGNORECASE)
_MOST: Final = 80
"""Sentences from the end that are looked at."""
_DESCRIBING: Final = 4


def closed(response: Response, sentences: Sequence[Sentence]) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """The sentences up to the last conclusion and those behind it; none behind where the argument goes on in them."""
    if len(sentences) < 2:
        return tuple(sentences), ()
    roles = turned_aside(sentences)
    lengths = Counter(each.paragraph for each in sentences)
    plain: set[int] = set()
    for place in range(len(sentences) - 1, max(-1, len(sentences) - 1 - _MOST), -1):
        each = sentences[place]
        if POINTS_BACK.match(each.text) and roles[place] != "aside" and place:
            return tuple(sentences[:place]), tuple(sentences[place:])
        if roles[place] == "aside" or not re.search(rf"\d|{MARK}", each.text) or hypothetical(each.text):
            continue
        rank = firmness(each)
        # What was asked for holds over any later statement; a consequence over paragraphs that only go on talking.
        if rank == 2 or (rank == 1 and all(one != each.paragraph and lengths[one] > 1 for one in plain)):
            return tuple(sentences[: place + 1]), tuple(sentences[place + 1 :])
        if rank == 1:
            break
        if roles[place] != "section":
            plain.add(each.paragraph)
    return _before_asides(response, sentences, roles)


def _before_asides(
    response: Response, sentences: Sequence[Sentence], roles: Sequence[str]
) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """The sentences up to the last that has a value and does not turn aside, and those behind it.

    A display at the end of a paragraph that turned aside comes back to the argument.
    """
    valued = [place for place, each in enumerate(sentences) if re.search(rf"\d|{MARK}", each.text)]
    last = next((place for place in reversed(valued) if roles[place] != "aside"), None)
    if last is None or last == valued[-1] or sentences[last].heading or hypothetical(sentences[last].text):
        return tuple(sentences), ()
    if not begins_aside(sentences[last + 1].text) or _CONTRARY.match(sentences[last + 1].text):
        return tuple(sentences), ()
    final = sentences[valued[-1]].text
    shown = re.search(rf"({MARK})[\s.,;]*$", final)
    if shown is not None and response.is_display(shown[1]) and not begins_aside(final):
        return tuple(sentences), ()
    return tuple(sentences[: last + 1]), tuple(sentences[last + 1 :])


def is_aside(text: str) -> bool:
    """Whether a sentence is beside the argument; one that concludes is judged by its own clause, not by a remark."""
    own = text.split(";")[0] if _CONCLUDES.match(text) else text
    return say.ASIDE.search(own) is not None


def overtaken(response: Response, sentence: Sentence, later: Sequence[Sentence]) -> bool:
    """Whether a plain equation on a line of its own is a step, as the argument goes on with values behind it."""
    lone = re.fullmatch(rf"({MARK})[.\s]*", sentence.text)
    if lone is None or response.is_display(lone[1]) or "\\" in response.formula(lone[1]):
        return False
    roles = turned_aside(later)
    return any(role == "" and re.search(rf"\d|{MARK}", each.text) for each, role in zip(later, roles, strict=True))


def firmness(sentence: Sentence) -> int:
    """How far a sentence says that it states what was looked for: by name or bold type (2), by a consequence (1)."""
    text = sentence.text
    if is_aside(text):
        return 0
    drawn = _CONCLUDES.search(text) is not None
    bold = any(not isinstance(value_of(each), Refused) for each in sentence.bold)
    if _ASKED_FOR.search(text) or _HEADED.match(text) or (drawn and (bold or sentence.heading)):
        return 2
    return 1 if drawn or bold else 0


def pointed_at(response: Response, sentences: Sequence[Sentence], behind: Sequence[Sentence]) -> Committed | None:
    """The display that the next sentence calls what was looked for (`…, K a constant. This is the solution.`)."""
    text = sentences[-1].text
    found = _LAST_DISPLAY.match(text)
    if not behind or found is None or not POINTS_BACK.match(behind[0].text) or not response.is_display(found["value"]):
        return None
    if doubted(text[: found.start("value")]):
        return None
    return Committed(response.formula(found["value"]).strip(), "display", response.written(found["tail"] or ""))


def is_last_word(sentences: Sequence[Sentence]) -> bool:
    """Whether an argument ends with a sentence that is a paragraph and neither goes on about it nor turns aside.

    Where that is not understood, no earlier value is what the argument says.
    """
    text = sentences[-1].text
    alone = len(sentences) > 2 and sentences[-2].paragraph != sentences[-1].paragraph
    beside = opens_aside(text) or OF_THE_ANSWER.match(text) or HYPOTHETICAL.search(text) or _is_of_a_value(text)
    marked = any(each.bold or each.heading or firmness(each) for each in sentences[-7:-1])
    return alone and not beside and not marked and re.search(r"[a-z]{3,}\s+[a-z]{2,}", text) is not None


def _is_of_a_value(text: str) -> bool:
    """Whether a sentence says something of another value, which is its subject: `The pair X belongs to Y.`"""
    subject = _VALUE_AS_SUBJECT.match(text)
    return subject is not None and not changing.SUFFICES.match(text[subject.end() :])


def is_readable(response: Response, text: str) -> bool:
    """Whether a sentence has a value, and not only letters that name something, in letters of the answer language."""
    valued = any(not _LETTER.fullmatch(response.formula(mark)) for mark in re.findall(MARK, text))
    return (valued or re.search(r"\d", text) is not None) and FOREIGN_LETTERS.search(text) is None


def bold_equation(response: Response, sentences: Sequence[Sentence]) -> Committed | None:
    """The equation that a last line in bold type is, as a whole."""
    last = sentences[-1]
    bare = re.sub(MARK, lambda mark: f" {response.formula(mark[0]).strip()} ", last.text).strip(" .*")
    equation = last.heading and len(sentences) > 1 and re.search(r"\w\s*=\s*\S", bare)
    wordy = re.search(r"[^\W\d_]{4,}|[:;?]", re.sub(r"\\[A-Za-z]+", "", bare))
    return Committed(bare, "last line") if equation and not wordy else None


def left_described(sentences: Sequence[Sentence]) -> bool:
    """Whether a sentence behind the last value describes another thing by it (`The diameter is twice that.`).

    A value in bold type is the answer all the same, and so is one that a paragraph before concludes.
    """
    last = len(sentences) - 1
    if last < 1 or not any(has_cue(each.text) for each in sentences[-_DESCRIBING:]):
        return False
    roles = turned_aside(sentences)
    for place in range(last, max(0, last - _DESCRIBING), -1):
        each = sentences[place]
        if each.heading and re.search(rf"\d|{MARK}", each.text):
            return False
        if roles[place] == "aside" or each.heading or POINTS_BACK.match(each.text):
            continue
        stated = next((one for one in reversed(sentences[:place]) if re.search(rf"\d|{MARK}", one.text)), None)
        if stated is not None and describes(stated.text, each.text):
            firm = firmness(stated)
            return firm == 0 or (firm == 1 and not stated.bold and each.paragraph == stated.paragraph)
        if re.search(rf"\d|{MARK}", each.text):
            return False
    return False
