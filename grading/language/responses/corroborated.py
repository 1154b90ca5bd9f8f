"""A value that was worked out and is then said again: the last word of a long argument, whatever words it is said in.

    argument   = working+ , sentence* , said again , beside*
    working    = a chain of equations that ends in a value
    said again = [subordinate clause] , main clause about one worked value , [clauses about it]

What the words of such a sentence mean is not asked: that its value was worked out before tells that it is the result,
and the closed classes of words that deny, bound, doubt, suppose or change a value refuse it as everywhere. A sentence
without working before it says nothing here. What stands behind it must say nothing new in the argument's own voice.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grading.language.responses import changing
from grading.language.responses import vocabulary as say
from grading.language.responses.clauses import VALUE, noun_of, without_openers
from grading.language.responses.corrections import taken_back
from grading.language.responses.doubts import doubted, unstated
from grading.language.responses.drawn import draws_another, last_drawn
from grading.language.responses.later import replaced
from grading.language.responses.making import Committed
from grading.language.responses.ownclause import own_clause, plainly_led
from grading.language.responses.roles import main_clause, settled, without_relative
from grading.language.responses.segments import MARK, Response, Sentence
from grading.language.responses.sizes import Size, same, size_of
from grading.language.responses.statements import statement
from grading.language.responses.turning import turned_aside
from grading.language.responses.workings import NAME, SHARE, in_working
from grading.language.unitnames import is_unit

_SIGN: Final = re.compile(r"=|≈|\\approx(?![A-Za-z])|\\implies(?![A-Za-z])|\\(?:Long)?[Rr]ightarrow(?![A-Za-z])|⟹|⇒")
_TAIL: Final = re.compile(
    r"\s*(?:[,;](?!\d)|[—–]|\s-\s|:\s|\(|\b(?:because|since|so\s+that|so|thus|hence|therefore|whereas|while|although|though|which|where|whose|when|as)\b)",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"[;:]\s+|,\s+(?:and\s+)?(?:so|hence|thus|therefore|which\s+(?:gives|means|implies|leaves|makes))\s+(?:that\s+)?"
    rf"|(?:,\s+and|,\s+but|\s+and)\s+(?={VALUE.pattern}|the\b|it\b|there\b|we\b|its\b)",
    re.IGNORECASE,
)
_TEMPORAL: Final = re.compile(
    r"^\W*(?:when|once|after|as|by\s+the\s+time|(?:just|right|shortly|immediately)\s+before)\s[^,;:?]{3,80},\s+(?:then,\s+)?(?=\w)",
    re.IGNORECASE,
)
_ABOUT_IT: Final = re.compile(
    r"^\W*(?:(?:and|but|so)\s+)?(?:at\s+[^\s,]+(?:\s*=\s*[^\s,]+)?,?\s+(?=(?:that|this|it)\b))?(?:it|its|their|this|that|these|they|such|note|here)\b",
    re.IGNORECASE,
)
_SAID_OF_IT: Final = re.compile(
    r"^[\s,;:(—–-]*(?:which|where|whose|(?:by|at|after|during)\s+which|of\s+(?:which|the|all|these|those)|with|so\s+that|close\s+to|about|nearly|roughly|almost|or|i\.\s?e\.|compared|because|since|as|being|corresponding|that\s+is)\b",
    re.IGNORECASE,
)
_STATES: Final = re.compile(
    rf"\b(?:is|are|equals?|makes?|totals?|gives?|yields?)\s+(?:\w+\s+){{0,3}}?{VALUE.pattern}", re.IGNORECASE
)
_ARITHMETIC: Final = re.compile(
    r"(?<![\w.,^_/=*+−·×(√-])\d[\d.,]*(?:\s*[-−+*·×/÷]\s*\d[\d.,]*(?<![.,])){1,6}(?![\w^²³!%°(\[{)])"
)
"""A working whose value is not written: `252 − 100`, in plain type or as a formula."""
_SAID_BEFORE: Final = re.compile(
    r"\b(?:is|are|was|were|equals?|has|have|gives?|makes?|totals|becomes?|yields?|get|find|obtain)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
"""Before a value that is stated, and not only spoken of."""
_PLACE: Final = re.compile(
    r"^\s*(?:(?:away\s+)?from\s*(?:$|where\b|(?:the|its)\s+(?:start\w*|origin|launch\w*|foot|base|ground|wall|centre|center)\b)"
    r"|to\s+the\s+(?!power|exponent|minus|negative|second|third|\w+th\b)[a-z]{4,})"
)
"""Where something is, behind its distance or its value, which is no difference from another one and no power."""
_AT_WHICH: Final = re.compile(rf"\b(?:when|where|at|for|once)\s+(?:[A-Za-z]|{MARK})\s+(?:equals|is)\b", re.IGNORECASE)
"""At which value of a letter: `taken when x equals -2`."""
_OF_WHICH: Final = re.compile(r"\s+of\s+(?:which|whom)\b")
_MULTIPLE_OF: Final = re.compile(r"\W*(?:half|twice|double|thrice|triple)\s[^,;:]*$", re.IGNORECASE)
"""A subject that is a multiple: `Half her number was`."""
_PURPOSE: Final = re.compile(r"\s*so\s+that\s[^,;:?]*\b(?:can|may|will)\b", re.IGNORECASE)
_LEFT: Final = re.compile(rf"\b(?:which|and|then|this|but)\b[^,;]*?{changing.WORK_LEFT.pattern}", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"\s*\((?=[^()]*[A-Za-z]{3})[^()]*\)")
_SOMEONE: Final = re.compile(r"\b(?:someone|somebody|anyone|a\s+person)\s+(?=who\b|with\b|\w+ing\b)", re.IGNORECASE)
_SEES: Final = re.compile(
    r"(?<=\bwe\s)see\s*$|(?<=\byou\s)see\s*$|(?<=['’]ll\s)see\s*$|(?<=\bwill\s)see\s*$", re.IGNORECASE
)
_FINITE: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|happens?|takes?|took|costs?|needs?|requires?|leaves?|yields?|gives?|amounts|comes|leads)\b"
    r"|\b(?:therefore|thus|hence)\s+[a-z]+s\b"
)
_AND: Final = re.compile(r"(?<=\w)\s+and\s*$")
_SAYS: Final = re.compile(r"\b(?:is|are|was|were|has|have|had)\b")
_HOLDS: Final = re.compile(r"\bcontained\s*$")
_NEITHER: Final = re.compile(r"(?<=\w)\s+neither\s+(?=of\b|[a-z]+\W*$)")
"""What is counted may do neither of two things: `30 students study neither language`."""
_HEDGED: Final = re.compile(
    r"\b(?:at\s+(?:least|most)|(?:more|less|fewer|greater|larger|smaller)\s+than|half|twice|thrice|double|triple|perhaps|maybe|possibly|probably|might|may|could)\b"
    r"(?:\s+\S+){0,5}\s*$",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"\b(?:not|never|neither|cannot|might|half|twice|still\s+needs?|improve\s+by|(?:more|less|fewer|longer|shorter|greater|smaller|larger|higher|lower)\s+than|at\s+(?:most|least))\b|n['’]t\b(?!\s+until\b)",
    re.IGNORECASE,
)
"""Words of the clause of a result with which an earlier sentence does not say it either."""
_BOUNDED: Final = re.compile(
    r"\b(?P<bound>at\s(?:least|most)|(?:no|not)\s(?:fewer|more)\sthan)\s(?P<value>\d{1,3}(?:,\d{3})+|\d{1,9})(?![\d.,]*\d|\s?[%°/])"
    r"\s+(?:[a-z-]+\s+){0,2}[a-z]+s?\b(?!.*\d)",
    re.IGNORECASE,
)
_TAKEN_BACK: Final = "the answer is taken back after it was given"
_CHANGED: Final = "what was worked out is said again with a word that changes it"
_IN_LINE: Final = re.compile(
    r",?\s+(?:which\s+is\s+)?(?:consistent|compatible|in\s+(?:agreement|line|accord))\s+with\b[^;:?]*$", re.IGNORECASE
)
"""What a value is compared with: `, consistent with the approximation near the origin`."""
_REASON: Final = re.compile(r",\s+(?:because|since)\s[^;:?]*$", re.IGNORECASE)
_LEAST: Final = 3
_LAST_SENTENCES: Final = 6
_MOST_VALUES: Final = 40
_MOST_IN_ALL: Final = 150
_SEARCHED: Final = 80
_LONGEST: Final = 500


@dataclass(frozen=True, slots=True)
class _Said:
    """A value in a sentence: `arrives` at the end of a chain of equations, `inner` where it is a part of one."""

    sentence: int
    start: int
    end: int
    text: str
    size: Size
    arrives: bool
    inner: bool


def corroborated(response: Response, sentences: Sequence[Sentence]) -> Committed | None:
    """What a long argument says again of what it worked out; None where its last word is another one."""
    found = _last_word(response, sentences)
    return found if found is not None and (found.text is None or len(sentences) >= _LEAST) else None


def _last_word(response: Response, sentences: Sequence[Sentence]) -> Committed | None:
    sentences = sentences[-_SEARCHED:]
    roles = turned_aside(sentences)
    said = _said(response, sentences)
    seen = 0
    for place in range(len(sentences) - 1, 0, -1):
        text = sentences[place].text
        title = sentences[place].heading and not text.endswith(".")
        if roles[place] == "aside" or not said[place] or title:
            continue
        seen += 1
        before = [
            each
            for one, values in zip(sentences[:place], said[:place], strict=True)
            if not unstated(one.text)
            for each in values
        ]
        latest = next(
            (each.size for each in reversed(before) if each.arrives and roles[each.sentence] != "aside"), None
        )
        found = _rounded(text, before) or _said_again(response, text, before, latest)
        if found is not None and found.text is not None:
            taken = replaced(response, sentences[place + 1 :], found.text, concluded=True)
            return Committed(None, found.rule, problem=_TAKEN_BACK) if taken else found
        stated = statement(response, sentences[place])
        if seen == _LAST_SENTENCES or (stated is not None and stated.text is not None):
            return None
        if found is not None:
            return found
        if any(each.arrives for each in said[place]) or not _goes_on_about_it(text, said[place], before):
            return None
    return None


def _said(response: Response, sentences: Sequence[Sentence]) -> list[list[_Said]]:
    """The values of each sentence, of many the last ones."""
    found: list[list[_Said]] = []
    count = 0
    for place in range(len(sentences) - 1, -1, -1):
        found.append(_values(response, sentences[place].text, place) if count < _MOST_IN_ALL else [])
        count += len(found[-1])
    return found[::-1]


def _is_unit(written: str) -> bool:
    return re.search(r"\d", written) is None and is_unit(written.strip())


def _new(said: _Said, before: Sequence[_Said]) -> bool:
    return not any(same(said.size, each.size) for each in before)


def _goes_on_about_it(text: str, said: Sequence[_Said], before: Sequence[_Said]) -> bool:
    """Whether a sentence behind a result speaks of it, or of what was given; a worked value is refused in it."""
    if _ABOUT_IT.match(text):
        return True
    worked = [each for each in before if each.arrives]
    return not any(_new(each, before) or not _new(each, worked) for each in said)


def _values(response: Response, text: str, place: int = -1) -> list[_Said]:
    """The values of a sentence; letters and calls alone only name something."""
    found = []
    for value in list(VALUE.finditer(text[:_LONGEST]))[:_MOST_VALUES]:
        written = re.sub(MARK, lambda mark: response.formula(mark[0]), value[0])
        if NAME.fullmatch(written):
            continue
        lead, rest = text[: value.start()], text[value.end() :]
        share = SHARE.match(rest)
        sides = _SIGN.split(f"{written}{share[0] if share is not None else ''}")
        size = size_of(sides[-1]) if not NAME.fullmatch(sides[-1]) and not _is_unit(written) else None
        if size is None:
            continue
        found.append(_Said(place, value.start(), value.end(), value[0], size, *in_working(value[0], sides, lead, rest)))
    return found + _workings(response, text, place)


def _workings(response: Response, text: str, place: int) -> list[_Said]:
    """The workings of a sentence that are left without their value (`the $12\\cdot 10/2$ pairs`)."""
    found = []
    for each in [*_ARITHMETIC.finditer(text[:_LONGEST]), *re.finditer(MARK, text[:_LONGEST])][:_MOST_VALUES]:
        written = re.sub(MARK, lambda mark: response.formula(mark[0]), each[0])
        bare = written.replace("\\cdot", "·").replace("\\times", "×")
        if not _ARITHMETIC.fullmatch(bare) or re.fullmatch(r"\d+\s*/\s*\d+", bare):
            continue
        size = size_of(written)
        if size is not None:
            found.append(_Said(place, each.start(), each.end(), each[0], size, arrives=True, inner=True))
    return found


def _said_again(response: Response, text: str, before: Sequence[_Said], latest: Size | None = None) -> Committed | None:
    """The worked value that the main clause of a sentence is about."""
    text = _without_reason(response, _IN_LINE.sub("", text))
    text = settled(_TEMPORAL.sub("", without_openers(_BRACKETED.sub("", text))))
    if "?" in text or len(text) > _LONGEST or changing.IMPERATIVE.match(text) or say.ASIDE.search(text):
        return None
    said = _values(response, text)
    worked = [each for each in before if each.arrives]
    here = [each for each in said if each.arrives and (each.inner or _is_worked(response, text, each))]
    known = [
        each
        for each in said
        if not each.inner
        and not _OF_WHICH.match(text, each.end)
        and (each in here or not _new(each, [*worked, *(one for one in here if one.end <= each.start)]))
    ]
    if not known:
        return None
    sure = _surely(text, said, known, here, latest)
    first = sure or known[0]
    lead, rest = text[: first.start], text[first.end :]
    cut = _TAIL.search(rest)
    middle, tail = (rest[: cut.start()], rest[cut.start() :]) if cut is not None else (rest, "")
    noun, middle = noun_of(middle.rstrip(" .!"), lone=_is_formula(response, first.text))
    behind = [each for each in said if each.start > first.start and not same(each.size, first.size)]
    ends = len(text) - len(tail)
    rival = any(not each.inner and _new(each, before) for each in said if each.start < first.start)
    rival = rival or any(each.start < ends and (each in known or _new(each, before)) for each in behind)
    if (sure is None and rival) or _STATES.search(middle):
        return None
    if _is_changed(lead, first.text, noun, middle):
        own = own_clause(f"{lead}{first.text}", known=True)
        denied = sure is not None and _DENIED.search(f"{own} {middle}") is not None
        hedged = denied or (_HEDGED.search(_CLAUSE.split(lead)[-1]) is not None and _ABOUT_IT.match(text) is None)
        return Committed(None, "said again", problem=_CHANGED) if hedged else None
    if _is_unsettled(tail, [each for each in behind if each.start >= ends], before):
        return None
    unit = noun.split(" of ")[0]
    share = SHARE.match(rest)
    written = f"{first.text}{share[0] if share else f' {unit}' if unit and is_unit(unit) else ''}"
    return Committed(response.written(written).strip(), "said again")


def _without_reason(response: Response, text: str) -> str:
    """A sentence without the clause of reason that it ends in, where its main clause has a value."""
    found = _REASON.search(text)
    return text[: found.start()] if found is not None and _values(response, text[: found.start()]) else text


def _is_worked(response: Response, text: str, said: _Said) -> bool:
    """Whether a value ends a chain in numbers: `6·44 = 264`."""
    sides = _SIGN.split(response.written(said.text).strip("$ "))
    before = sides[-2] if len(sides) > 1 else re.sub(r"[=≈]\s*(?:about\s+)?$", "", text[: said.start]).rstrip()
    before = before.replace("\\cdot", "·").replace("\\times", "×")
    return re.search(rf"{_ARITHMETIC.pattern}\s*$", before) is not None


def _surely(
    text: str, said: Sequence[_Said], known: Sequence[_Said], here: Sequence[_Said], latest: Size | None
) -> _Said | None:
    """Of the values of a sentence the one that is worked out in it, or that was worked out last; None without one."""
    drawn = last_drawn(text)
    begins = len(drawn[0]) if drawn is not None else 0
    found = [each for each in known if any(same(each.size, one.size) and one.start <= each.start for one in here)]
    found = found or [each for each in known if latest is not None and same(each.size, latest)]
    found = [each for each in found if each.start >= begins][:1]
    others = [each for each in said if found and not each.inner and not same(each.size, found[0].size)]
    stated = any(_SAID_BEFORE.search(text[: each.start]) for each in others if each.start >= begins)
    return found[0] if found and not stated else None


def _rounded(text: str, before: Sequence[_Said]) -> Committed | None:
    """`At least 1068 people must be sampled` behind 1067.1: the bound is the whole number that was worked out.

    A bound that is another number, or is rounded the other way, says none, and the worked value is no answer either.
    """
    found = _BOUNDED.search(_CLAUSE.split(text)[-1])
    if found is None or doubted(text[: found.start()]) or _AT_WHICH.search(text):
        return None
    whole = int(found["value"].replace(",", ""))
    sizes = [each.size.value for each in before if each.arrives and each.size.places]
    worked = [each.real for each in sizes if each is not None and abs(each.real - whole) < 1]
    if not worked or worked[-1] == whole:
        return None
    up = found["bound"].lower() in ("at least", "no fewer than", "not fewer than")
    if (worked[-1] < whole) is not up:
        return Committed(None, "said again", problem=_CHANGED)
    return Committed(found["value"], "said again")


def _is_formula(response: Response, value: str) -> bool:
    """Whether a value is no plain number, so that no noun is counted by it."""
    written = response.written(value).strip("$")
    return re.search(rf"=|{MARK}", value) is not None and re.fullmatch(r"[-−]?\d[\d.,]*", written) is None


def _is_changed(lead: str, value: str, noun: str, middle: str) -> bool:
    """Whether words of the main clause deny, bound, doubt or change its value."""
    lead = own_clause(f"{lead}{value}", known=True)[: -len(value)]
    lead = plainly_led(_SEES.sub("have ", _SOMEONE.sub("the one ", lead)))
    own = _AND.sub(" ", lead) if _AND.search(lead) and _SAYS.search(lead) else lead
    own = "" if own != lead else _CLAUSE.split(lead)[-1]
    bare = _HOLDS.sub("had ", re.sub(MARK, "x", without_relative(main_clause(own))))
    behind = f"{noun} {middle}" if lead.strip(" *") or not noun else _NEITHER.sub(" ", f"{noun} {middle}")
    return (
        doubted(lead)
        or changing.BEFORE.search(bare) is not None
        or _MULTIPLE_OF.match(bare) is not None
        or (value[0].isdigit() and changing.NUMBERED.search(bare) is not None)
        or changing.AROUND.search(f"{bare} | {behind}") is not None
        or changing.REPORTERS.search(lead) is not None
        or (changing.GERUND.match(bare) is not None and _FINITE.search(bare) is None)
        or changing.made_of(lead) is not None
        or (changing.BEHIND.search(middle) is not None and _PLACE.match(middle) is None)
        or changing.BEHIND.search(noun) is not None
        or changing.AS_WHAT.search(middle) is not None
    )


def _is_unsettled(tail: str, others: Sequence[_Said], before: Sequence[_Said]) -> bool:
    """Whether what trails behind takes the value back, leaves work to do, or arrives at another value."""
    if say.UNSETTLED.search(tail) or taken_back(tail) or _LEFT.search(tail):
        return True
    if not others:
        return False
    if (draws_another(tail) and not _PURPOSE.match(tail)) or _STATES.search(_AT_WHICH.sub("", tail)) is not None:
        return True
    return _SAID_OF_IT.match(tail) is None and any(_new(each, before) for each in others)
