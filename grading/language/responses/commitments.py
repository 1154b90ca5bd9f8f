"""The one commitment of a response that carries no explicit mark: which sentence it is, and what it says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from grading.language.responses import tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.addressed import addressed
from grading.language.responses.announced import announced
from grading.language.responses.asides import argument, ended
from grading.language.responses.closing import (
    HYPOTHETICAL,
    OF_THE_ANSWER,
    bold_equation,
    closed,
    is_aside,
    is_last_word,
    is_readable,
    left_described,
    overtaken,
    pointed_at,
)
from grading.language.responses.contradicted import contradicted
from grading.language.responses.corrections import owned, taken_back
from grading.language.responses.corroborated import corroborated
from grading.language.responses.equalities import says_untruly
from grading.language.responses.headed import (
    HEADED_LINE,
    HEADING,
    OTHER_NAME,
    from_heading,
    hangs,
    is_sound,
    leading_in_digits,
    names_another,
    under_heading,
    without_last_bracket,
    without_manner,
)
from grading.language.responses.later import replaced
from grading.language.responses.leads import checks_only, uncommitted
from grading.language.responses.leftout import without_asides
from grading.language.responses.making import Committed, in_per_cent_too, is_exact, made
from grading.language.responses.retracted import retracted
from grading.language.responses.scripts import counter, foreign_statement
from grading.language.responses.segments import MARK, Response, Sentence, segmented
from grading.language.responses.statements import (
    CONSEQUENCE,
    displays,
    is_valuable,
    statement,
)
from grading.language.responses.turning import comes_back, opens_aside, rounds, says_beside
from grading.language.responses.values import Refused, Value, trimmed, value_of
from grading.language.responses.verbs import MEASURED, VERB
from grading.language.unitnames import is_unit

_TURNED = re.compile(
    rf"^(?P<lead>[^\d\ue000-\ue2ff]{{0,80}}?)(?P<value>{MARK}|[A-Za-z]\s*=\s*\S+"
    rf"|-?\d[\d.,/]*(?:\s[A-Za-z]+)?)\s+(?:is|are)\s+(?:therefore\s+|thus\s+)?(?:the|our|my)\s+(?:final\s+|correct\s+"
    rf"|right\s+|required\s+)*(?:answer|solution|result)s?"
    r"(?:\s+to\s+(?:the|this)\s+(?:problem|question))?\W*$",
    re.IGNORECASE,
)
"""`5 is the answer.`"""
_FOREIGN_VALUE = re.compile(
    rf"(?P<value>{MARK}|[^,;，、；(（]*?\d[\d.,/ ]*(?:\s?(?!(?:denn|weil|da|also|nämlich|car|parce|puisque|donc|porque"
    rf"|ya|pues|pois|perché|poiché)\b)[%°A-Za-zµΩ€$²³/·]{{1,12}})?|[^,;，、；(（]+)(?P<tail>.*)$",
    re.DOTALL,
)
_SAID_AGAIN = re.compile(
    r"^[^\d\ue000-\ue2ff,;:]{1,40},\s*(?:also|d\.\s?h\.|das\s+heißt|soit|c['’]est-à-dire|es\s+decir|o\s+sea"
    r"|ou\s+seja|cioè"
    rf"|ossia|oftewel|dus)\s+(?P<value>{MARK}|-?\d[\d.,/]*)\W*$",
    re.IGNORECASE,
)
"""A value in words, and then in digits: `fünf Halbe, also 5/2`."""
_ROUGHLY = re.compile(
    r"^(?:ca\.?|circa|etwa|rund|ungefähr|genau|environ|exactement|aprox\.?|aproximadamente|exactamente|около|ровно|约|約|d[ei]\s)\s*(?=[-−\d\ue000-\ue2ff])",
    re.IGNORECASE,
)
_COUNTED_THINGS = re.compile(
    r"\b(?:number|sum|product|count|total|average)\s+of\s+(?:[\w\ue000-\ue2ff,-]+\s+){0,4}$", re.IGNORECASE
)
"""What is counted or summed: "the number of solutions is 5" names no solution."""
_BEHIND = re.compile(
    r"\s*(?:on|at|to|by|for|per|in(?!\s+(?:total|all|the\s+end))|of(?!\s+(?:them|these))|\([^()]*\b(?:pending"
    r"|tentative\w*|provisional\w*|unverified"
    r"|unconfirmed|to\s+be))\b",
    re.IGNORECASE,
)
"""What makes a number behind which it stands a part of something else."""
_MEASURED_THING = re.compile(
    rf"\b{MEASURED}\s+of\s+(?:(?:the|this|our|an?|each)\s+)?(?:[\w\ue000-\ue2ff-]+\s+){{0,3}}$", re.IGNORECASE
)
"""What is measured of a solution in a beaker."""
_OF_STRENGTH = re.compile(
    r"(?:%|\b[mM]ol(?:/L|ar)|\d\s?M|\b(?:saline|salt|sugar|acid|stock|buffer|aqueous|weaker|stronger|standard))\s+$"
)
"""Before the name of a mixture: `the 20 % solution`."""
_NAME_BEFORE = re.compile(
    r"^\|?[A-Za-z](?:_(?:\w{1,3}|\{[^{}]{1,12}\}))?(?:\([^()]{1,8}\))?\|?\s*(?:=|≈|\\approx)\s*(?=\S)"
)
"""The name of a value behind a phrase: `Réponse : |G| = 135`."""
_BEGINS = re.compile(rf"\W*(?:[A-Za-z]\w?\s*=\s*)?[-−]?(?:{MARK}|\d)")
_COMPARED = re.compile(
    r"\s*(?:(?:much|far|slightly|somewhat|a\s+(?:bit|little|lot)|indeed|therefore)\s+)?(?:smaller|larger|greater|less|bigger"
    r"|higher|lower|(?:more|less)\s+[a-z]+)\s+than\s+(?:the|in|for|with|at)\b"
    r"(?!.*\b(?:true|correct|right|actual|real|exact|answer|asked|required|expected|wanted|it|this|that|should|must)\b)"
    r"[^\d\ue000-\ue2ff,;:?!]{3,80}[.!]?\s*$",
    re.IGNORECASE,
)
"""What is said of the answer beside another case: `The result is smaller than the classical one.`"""
_AS_WELL = re.compile(r"[^,;:?]{1,60}\b(?:as\s+well|too)\W*$", re.IGNORECASE)
"""`the true value is 0.11 as well`: what a check finds."""
_FAMILY = re.compile(r"\b(?:general|particular|homogeneous|complementary|trial)\s+$", re.IGNORECASE)
"""Before "solution": one from which another one is made, where the argument goes on."""
_ANNOUNCES = re.compile(r"\bhere\s*(?:['’]s|is|comes)\b[^.:]*:\W*$", re.IGNORECASE)
"""A line before the working: `Sure, here is the solution:`."""
_NO_COMMITMENT = "denied phrase"
"""The rule of a phrase that names the answer in order to deny, suppose or report it."""
_EXPLAINS = re.compile(
    r"\W*(?:(?:this|it)\s+(?:follows|comes|is\s+obtained|is\s+derived|results)\s+(?:at\s+once\s+|directly\s+)?(?:from|by|on)"
    r"|to\s+see\s+(?:this|why)|here\s+is\s+(?:why|how)|(?:derivation|explanation|reason(?:ing)?|justification)\b)",
    re.IGNORECASE,
)
"""How a sentence begins that explains what stands before it."""
_CHECK = re.compile(
    r"\W*(?:(?:quick\s+|sanity\s+|final\s+)?check(?:ing)?|verification|verify(?:ing)?|proof|remark|note|comment"
    r"|p\.?s\.?|nb|aside)\s*[:.]",
    re.IGNORECASE,
)
"""How a check or a remark behind the answer is headed."""
_RANGE = re.compile(rf"(?:for|where|with)\s+{MARK}")
"""Where a formula in bold type holds: `for x ≠ 2`."""
_LABEL = re.compile(r"^\W*(?:the\s+|die\s+|la\s+)?(?:\w+\s+){0,4}\w+\s*[:：]\s*$", re.IGNORECASE)
"""A label with a colon, behind which a sentence may stand: `Answer: The block moves at 3 m/s`."""
_EQUATION = re.compile(
    r"\\?[A-Za-zα-ωΑ-Ω]{1,7}(?:_\w{1,8})?(?:\([^()]{1,12}\))?\s*(?:=|≈|∈)\s*(?!.*[A-Za-z]{5})[^:;?\n]{1,120}"
)
"""A line of mathematics in plain type that has a name: `δ_max = PL³/(3EI)`, `x ∈ (-1, 4)`."""
_SENTENCE = re.compile(rf"{MARK}\s+(?!and\b|or\b)[a-z]{{3,}}\b.*{MARK}")
"""Two formulas and a verb: `X belongs to Y`."""
TAKEN_BACK = "the answer is taken back after it was given"
_LAST_SENTENCES = 6
_MOST_PHRASES = 30
_NOTHING = Committed(None, "none", problem="no sentence commits to an answer")


@lru_cache(maxsize=16)
def committed(text: str) -> Committed:
    """The commitment of a response in sentences: phrase, heading, consequence, display, last line, in this order."""
    if addressed(without_asides(text) if "`" in text else text):
        return Committed(None, "addressed", problem="the text speaks to its grader")
    response = segmented(text)
    sentences = from_heading(response.sentences)
    if not sentences:
        return _NOTHING
    kept, beside = argument(sentences)
    if contradicted(response, kept):
        return Committed(None, "statement", problem="two values are stated of one thing")
    # Where the argument concludes behind a section beside it, a phrase of that section names nothing.
    concludes = bool(beside) and kept[-1] is sentences[-1] and CONSEQUENCE.match(kept[-1].text) is not None
    named = _phrase(response, kept if concludes else sentences)
    if beside and named is not None and named.text is not None and not is_valuable(named.text):
        # Words behind a phrase of a section beside the argument (`The result is an upper estimate in that sense`).
        named = _phrase(response, kept)
    if named is not None and named.text is None:
        named = _last_section(response, sentences) or named
    if named is not None and named.rule != _NO_COMMITMENT:
        return named if named.text is None or is_valuable(named.text) else _rather(response, sentences, named)
    if owned(" ".join(each.text for each in beside)):
        return Committed(None, "statement", problem=TAKEN_BACK)
    found = _found(response, kept, named)
    if beside and (found is None or found.text is None):
        found = _found(response, sentences, named) or found
    return found or named or _NOTHING


def _value_of(response: Response, sentence: Sentence) -> Committed | None:
    """The value that a sentence states; None where it states none."""
    found = statement(response, sentence)
    return found if found is not None and found.text is not None and is_valuable(found.text) else None


def _rather(response: Response, sentences: tuple[Sentence, ...], named: Committed) -> Committed:
    """Words behind a phrase (`The result is real and even`), or the value of a last conclusion or last bold line."""
    last = sentences[-1]
    if not (last.heading or CONSEQUENCE.search(last.text)) or _names_it(last.text):
        return named
    return _value_of(response, last) or named


def _found(response: Response, sentences: tuple[Sentence, ...], named: Committed | None) -> Committed | None:
    """What the first of the finders finds; sentences that name the answer in order to deny it do not count."""
    sentences = _without_checks(sentences)
    if named is not None:
        sentences = tuple(each for each in sentences if not _names_it(each.text))
    if not sentences:
        return None
    headed = _heading(response, sentences)
    if headed is None and left_described(sentences):
        return Committed(None, "statement", problem="what was asked for is described, not stated")
    again = corroborated(response, sentences)
    if headed is not None and (headed.text is not None or again is None or headed.problem == TAKEN_BACK):
        return _concluded(response, sentences, headed)
    again = bold_equation(response, sentences) or again
    if again is not None:
        return again
    sentences, behind = closed(response, sentences)
    pointed = pointed_at(response, sentences, behind)
    if pointed is not None:
        return _unless_replaced(response, pointed, behind, concluded=True)
    for find in (_last, _headed_line, foreign_statement, _conclusion):
        found = find(response, sentences)
        if found is not None:
            return _unless_replaced(response, found, behind, concluded=True)
    return None


def _concluded(response: Response, sentences: tuple[Sentence, ...], found: Committed) -> Committed:
    """The last sentence where it draws the conclusion of a section whose first value it writes in another form."""
    last = sentences[-1]
    if found.problem != TAKEN_BACK or not CONSEQUENCE.match(last.text):
        return found
    return _value_of(response, last) or found


def _without_checks(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The sentences up to the last one that is no check and no remark; all of them where there is no other."""
    kept = len(sentences)
    while kept > 1 and _CHECK.match(sentences[kept - 1].text):
        kept -= 1
    return sentences[:kept]


def _kept(
    response: Response, value: Value | Refused, later: Sequence[Sentence], rule: str, comma: bool = False
) -> Committed:
    """The value of a phrase or a heading as it was made, unless a later sentence takes it back."""
    if isinstance(value, Value) and retracted(response, later, value.text):
        return Committed(None, rule, problem=TAKEN_BACK)
    return made(response, value, rule, comma)


def _unless_replaced(
    response: Response, found: Committed, later: Sequence[Sentence], *, concluded: bool = False
) -> Committed:
    """What was found, unless a later sentence takes it back."""
    if found.text is not None and replaced(response, later, found.text, concluded=concluded):
        return Committed(None, found.rule, problem=TAKEN_BACK)
    return found


def _phrase(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """The last phrase that names the answer."""
    refused: Committed | None = None
    seen = 0
    for place in range(len(sentences) - 1, -1, -1):
        turned = _TURNED.match(sentences[place].text)
        if turned is not None and say.LEAD.match(turned["lead"]):
            return _kept(response, value_of(turned["value"]), sentences[place + 1 :], "phrase")
        announces = _ANNOUNCES.search(sentences[place].text) is not None and place + 3 < len(sentences)
        for lead, rest, language in reversed([] if announces else [*_phrases(sentences[place].text)][-_MOST_PHRASES:]):
            seen += 1
            if seen > _MOST_PHRASES:
                return refused
            if _FAMILY.search(lead) and place + 1 < len(sentences) and _value_of(response, sentences[-1]):
                continue
            here = re.search(rf"\w|{MARK}", rest) or place + 1 == len(sentences)
            said = rest if here else sentences[place + 1].text
            problem = uncommitted(lead, said, language)
            if problem is not None:
                refused = refused or Committed(None, _NO_COMMITMENT, problem=problem)
                continue
            if _COMPARED.match(said) and (place or lead):
                refused = refused or Committed(None, "phrase", problem="a comparison, not a value")
                continue
            value = _foreign_value(said, language) if language else value_of(said)
            if isinstance(value, Refused) and _LABEL.search(sentences[place].text[: -len(rest) or None]) and here:
                label = Sentence(said, bold=sentences[place].bold)
                inner = foreign_statement(response, (label,)) or statement(response, label)
                if inner is not None and language in say.COMMA_LANGUAGES:
                    inner = replace(inner, comma=True)
                if inner is not None:
                    return _unless_replaced(response, inner, sentences[place + 1 :])
            if says_untruly(response.written(said)):
                value = Refused("an equation beside the value is false")
            later = sentences[place + (1 if here else 2) :]
            return _kept(response, value, later, "phrase", language in say.COMMA_LANGUAGES)
    return refused


def beginning(text: str) -> Committed | None:
    """What one sentence begins with, where that is a number or a formula (`5, since there are 10`), or None."""
    response = segmented(leading_in_digits(text))
    if (
        len(response.sentences) != 1
        or not _BEGINS.match(response.sentences[0].text)
        or "\\text" in response.sentences[0].text
    ):
        return None
    if says_untruly(text):
        return Committed(None, "beginning", problem="an equation beside the value is false")
    value = value_of(response.sentences[0].text)
    return None if isinstance(value, Value) and value.condition else made(response, value, "beginning")


def alone(text: str) -> Committed:
    """What an answer line in words says: a value, a sentence that states one, or one number between plain words."""
    response = segmented(text)
    if len(response.sentences) == 0:
        return _NOTHING
    first = response.sentences[0]
    named = _phrase(response, response.sentences)
    if named is not None:
        return named
    if replaced(response, response.sentences[1:], first.text):
        return Committed(None, "answer line", problem=TAKEN_BACK)
    value = value_of(first.text)
    if isinstance(value, Value) and (is_valuable(value.text) or not VERB.search(first.text)):
        return made(response, value, "answer line")
    stated = statement(response, first)
    if stated is not None:
        return stated
    numbers = list(re.finditer(rf"{MARK}|(?<![\w.])-?\d[\d.,]*(?:/\d+)?\s?%?", first.text))
    behind = first.text[numbers[0].end() :] if numbers else ""
    if _BEHIND.match(behind) or taken_back(behind) or say.UNSETTLED.search(behind):
        return Committed(None, "answer line", problem="words after the value that are not understood")
    changed = say.CHANGED.search(first.text) or say.DENIED.search(first.text) or say.REPORTED.search(first.text)
    if len(numbers) != 1 or changed or re.search(r"\b(?:of|to|with|in)\s*$", first.text[: numbers[0].start()]):
        return made(response, value if isinstance(value, Refused) else Refused("no value was found"), "answer line")
    return Committed(response.written(trimmed(numbers[0][0])), "answer line")


def _names_it(text: str) -> bool:
    """Whether a sentence has a phrase that names the answer; where it does not commit, nothing else of it may."""
    return next(_phrases(text), None) is not None


def _phrases(text: str) -> Iterator[tuple[str, str, str]]:
    """What stands before and after each phrase of a sentence, and its language, empty for English."""
    for match in say.STRONG.finditer(text):
        if _AS_WELL.match(text, match.end()) or checks_only(text[match.end() :]):
            continue
        counted = _COUNTED_THINGS.search(text[: match.start()][-80:])
        if counted and match[0][:8].lower() in ("solution", "results", "answers "):
            continue
        if match[0][:8].lower() == "solution" and say.MIXTURE.match(text[match.end() :]):
            continue
        if match[0][:8].lower() == "solution" and _OF_STRENGTH.search(text[: match.start()][-20:]):
            continue
        if match[0][:9].lower() in ("solution ", "solution:") and _MEASURED_THING.search(text[: match.start()][-80:]):
            continue
        yield text[: match.start()], text[match.end() :], ""
    for match in say.FOREIGN.finditer(text):
        yield text[: match.start()], text[match.end() :], match.lastgroup or ""


def _foreign_value(rest: str, language: str) -> Value | Refused:
    """A value behind a phrase of another language: number or formula, unit, and a clause of reason at most."""
    if tongues.NO.search(rest) or tongues.asked_or_supposed(rest):
        return Refused("a bound, a denial or a condition beside the value")
    rest = _ROUGHLY.sub("", rest.strip(" :：=*\u200f"))
    if (share := in_per_cent_too(rest)) is not None:
        return Value(share)
    bracketed = re.fullmatch(r"\(([^()]*)\)[.。]*", rest)
    rest = bracketed[1] if bracketed else rest
    said_again = _SAID_AGAIN.match(rest)
    if said_again is not None:
        return Value(said_again["value"])
    match = _FOREIGN_VALUE.match(rest)
    if match is None:
        return Refused("nothing stands after the committing phrase")
    value = trimmed(match["value"])
    value = _NAME_BEFORE.sub("", value)
    number = re.search(rf"\d|{MARK}", value)
    if number is not None and not tongues.MAY_LEAD.match(value[: number.start()].lstrip(" -−+$€£([{")):
        return Refused("words before the value that are not understood")
    if language in ("fr", "de", "es", "pt", "it", "nl") and value_of(rest) == Value(value):
        return Value(value)
    if re.fullmatch(MARK, value) and is_unit(match["tail"].strip(" .")):
        return value_of(rest)
    if not say.FOREIGN_TAILS.match(match["tail"]) and not counter(match["tail"]):
        return value_of(rest)
    return Value(value)


def _heading(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """A heading that names the answer, and what stands under it first."""
    for place in range(len(sentences) - 2, -1, -1):
        if not HEADING.match(sentences[place].text):
            continue
        following = sentences[place + 1 :]
        under = following[0].text
        written = response.written(under).strip(" .*")
        value = Value(written) if _EQUATION.fullmatch(written) else value_of(under)
        if isinstance(value, Refused) and under_heading(under) is not None:
            value = Value(under_heading(under) or "")
        named = HEADED_LINE.match(under)
        if isinstance(value, Refused) and named is not None and is_sound(named["name"]):
            value, under = value_of(named["value"]), named["value"]
        said = value == Value(written) or not VERB.search(without_last_bracket(under))
        if isinstance(value, Value) and said and (is_valuable(value.text) or len(following) == 1):
            return _kept(response, value, following[1:], "heading")
        inner = statement(response, following[0]) or made(response, value, "heading")
        unread = inner.text is None or not is_valuable(inner.text)
        if len(following) > 1 and unread and re.search(r"conclusion|solution", sentences[place].text, re.IGNORECASE):
            return None
        return _unless_replaced(response, inner, following[1:])
    return None


def _conclusion(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """The last sentence that states a value, unless one before it has its value in bold type.

    A sentence that says something of the answer (`Its square is 9`), or that speaks of another case, is passed over.
    """
    sentences = ended(sentences)
    final = sentences[-1]
    first = sentences[0] if _opens(sentences) else final
    last = [each for each in sentences[-_LAST_SENTENCES:] if not each.heading or each in (first, final)]
    stated: Committed | None = None
    depends, rounded = None, False
    for place in range(len(last) - 1, -1, -1):
        each = last[place]
        passed = is_aside(each.text) or overtaken(response, each, last[place + 1 :])
        if passed or not re.search(rf"\d|{MARK}|\b[a-z]+\b", each.text):
            continue
        consequence = CONSEQUENCE.search(each.text) is not None or displays(response, each)
        found = statement(response, each)
        if place and rounds(each.text):
            depends, rounded = depends or found, True
            continue
        if found is None:
            own = consequence or (each is final and is_last_word(sentences))
            if own and place == len(last) - 1 and is_readable(response, each.text):
                return Committed(None, "statement", problem="the conclusion is not understood")
            continue
        if place and depends is None and found.text is not None and says_beside(each.text):
            depends = found
            continue
        found = _unless_replaced(response, found, last[place + 1 :])
        settled = stated is not None and stated.text is not None
        if found.text is not None and each.bold:
            return found
        beside = not comes_back(each.text) and (HYPOTHETICAL.search(each.text) or opens_aside(each.text))
        if found.text is None and each is final and not beside:
            return found
        if consequence:
            return stated if stated is not None and settled else found
        if not settled and not (found.text is not None and place and OF_THE_ANSWER.match(each.text)):
            stated = found if found.text is not None else stated or found
    return depends if depends and rounded and not is_exact(stated) else stated or depends


def _opens(sentences: Sequence[Sentence]) -> bool:
    """Whether a response begins with an equation in bold type, and only goes on about it."""
    begun = re.fullmatch(rf"{MARK}[\s.]*", sentences[0].text) if len(sentences) > 1 else None
    return begun is not None and _EXPLAINS.match(sentences[1].text) is not None


def _last_section(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """`## Final temperature` and a value alone under it: what is said before of the result is the way to it."""
    if len(sentences) < 3 or not sentences[-2].heading or sentences[-1].heading:
        return None
    return _last(response, sentences)


def _headed_line(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """`**Speed at the bottom:** 3 m/s` as the last line: the name of what was asked for, and its value."""
    found = HEADED_LINE.match(sentences[-1].text)
    if found is None or VERB.search(found["name"]) or names_another(sentences[-1].text):
        return None
    if any(words.search(found["name"]) for words in (OTHER_NAME, say.DENIED, say.REPORTED, say.DOUBTED, say.ASIDE)):
        return None
    value = value_of(found["value"])
    if isinstance(value, Refused) or value.condition or not is_valuable(value.text):
        return None
    return made(response, value, "headed line")


def _last(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """The last line alone, where it is a value and nothing else."""
    final = sentences[-1]
    if len(sentences) < 2 or (sentences[-2].heading and not is_sound(sentences[-2].text)):
        return None
    if announced(final.text) is not None:
        return None
    value = value_of(without_manner(final.text))
    if isinstance(value, Refused) or not is_valuable(value.text) or len(value.text.split()) > 6:
        return None
    if _SENTENCE.search(value.text):
        return None
    if value.condition and not (final.heading and _RANGE.fullmatch(value.condition)):
        return None
    return made(response, Refused("what leads to it") if hangs(sentences[-2]) else value, "last line")
