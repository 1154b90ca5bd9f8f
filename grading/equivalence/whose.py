"""Whose value a short response says: `The water boils at 100 °C, whereas the alcohol boils at 78 °C` says two.

A response may tell of another thing first, and then of what was asked about, in the question's own words. Where a later
clause has all words of the question that the clause with the gold has, and more, and names another agent or place,
or says that it is not known, the gold is the other thing's.
"""

import re
from functools import lru_cache
from typing import Final

from grading.language.asked import asking
from grading.language.responses.namewords import words
from grading.matching.stem import stem

_CLAUSE: Final = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z\"“])|;\s+|,\s+(?=(?:and|but|while|whilst|whereas|although|though|which|who|whom|on\s+the\s+other\s+hand)\s)|,\s+(?=where\s)|\s+(?=whereas\s)|\.\s+(?=[A-Z])"
)
_IDLE: Final = words(
    "the and its their his her our for with from that this then thus has have had are was were been being each all"
    " any who whom whose what which where when how many much did does can could will would should must into your you"
    " one two there here they she him them about above below it also only just very most more name named give find"
    " determine tell call called person"
)
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_TYPE: Final = re.compile(r"\b(?:which|what)\s+(?!is\b|are\b|was\b|were\b|did\b|does\b)([a-z]+)", re.IGNORECASE)
_PRONOUN: Final = re.compile(
    r"\b(?:it|its|he|she|his|her|him|they|their|them|which|whom|that|this|those|these|ones?|others?|itself|herself|himself)\b",
    re.IGNORECASE,
)
_OF_PERSON: Final = re.compile(r"^\W*(?:(?:and|but)\s+)?(?:he|she|they|his|her)\b", re.IGNORECASE)
_REFERS: Final = re.compile(r"\b(?:it|him|her|them|there|here|this|these|those|such|that)\b", re.IGNORECASE)
_REASON: Final = re.compile(
    r"^\W*(?:because|since|as|for|after|before|when|if|so|hence|thus|therefore)\b", re.IGNORECASE
)
_IDENTIFIES: Final = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore|and|but)\W+)?(?:(?:it|this|that|he|she|they)(?:\s+(?:is|was|are|were|must\s+be)\b|['’]s\b)|(?:the|my)\s+answer\b)",
    re.IGNORECASE,
)
_UNKNOWN: Final = re.compile(
    r"\b(?:(?:do|does|did|could|can|is|was|are)(?:\s+not|n['’]t)\s+(?:know|remember|recall|find\s+out|say|tell|recorded|known|determine|clear|certain)|cannot\s+(?:say|tell|recall|remember|determine)|unknown|no\s+idea|unclear|unrecorded|never\s+(?:recorded|found\s+out))\b",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"(?<![^\s(\"“'’])[A-ZÀ-Þ][\w'’-]*[a-zà-ÿ]")
_BY: Final = re.compile(r"\b(?:by|author\w*\s+(?:is|was)|(?:is|was|are|were))\s+(?:the\s+)?$", re.IGNORECASE)
_AT: Final = re.compile(r"\b(?:in|at|to|from|near|into|on|for|is|was|of)\s+(?:the\s+)?$", re.IGNORECASE)
_CONTRAST: Final = re.compile(
    r"^\W*(?:whereas|while|whilst|but|however|by\s+contrast|in\s+contrast|on\s+the\s+other\s+hand)\b", re.IGNORECASE
)
_WHO: Final = re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE)
_WHERE: Final = re.compile(
    r"\bwhere\b|\b(?:which|what)\s+(?:city|town|country|place|state|village|continent|university|building)\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"(?<![\w.,])[-−]?\d[\d.,]*(?<![.,])")
_LABEL: Final = re.compile(r"\b(?P<noun>[A-Za-z]{3,})\s+\$?(?P<label>[A-Z]|[IV]{1,3})\$?(?![\w'’])")
_SET: Final = re.compile(r"(?<![A-Za-z\\^])(?P<letter>[a-z])\s*=\s*(?P<value>\d+)(?![\d.]*[\d/^*a-z])")
_PREPOSED: Final = re.compile(r"\b(?P<how>with|without)\s+(?:any\s+|the\s+|an?\s+)?(?P<noun>[a-z]{4,})", re.IGNORECASE)
_YEAR: Final = re.compile(r"1\d{3}|20\d\d")
_EVENTS: Final = re.compile(
    r"\b(?!was\b|were\b)(?P<first>[a-z]{3,})\s+(?:(?!was\b|were\b)[\w'’]+\s+){0,4}?in\s+(?P<one>1\d{3}|20\d\d),?\s+and\s+(?:(?:was|were|it|he|she|they)\s+){0,2}"
    r"(?P<second>[a-z]{3,})\s+(?:(?!was\b|were\b)[\w'’]+\s+){0,4}?in\s+(?P<other>1\d{3}|20\d\d)"
)
"""`was launched in 1911 and sank in 1912`"""
_BY_AGENT: Final = re.compile(
    r"^\W*(?:and\s+|but\s+)?(?:it|they|that|this)\s+(?:is|are|was|were)\s+(?:\w+ly\s+)?\w+\s+by\s+(?:the\s+|an?\s+)?\w+\W*$",
    re.IGNORECASE,
)
"""`It is pumped by the heart.`"""
_RELATED: Final = (
    r"(?:contemporary|friend|rival|teacher|pupil|student|mentor|colleague|brother|sister|father|mother|son|daughter|wife|husband"
    r"|cousin|uncle|aunt|nephew|niece|patron|opponent|admirer|critic|biographer|predecessor|successor|follower|neighbou?r"
    r"|assistant|employer|employee|agent|publisher|translator|editor|landlord|secretary)"
)
"""Who stands in a relation to the one who is asked for, and is not that one."""
_LAST_NAME: Final = re.compile(r"(?<![^\s(])[A-ZÀ-Þ][\w'’-]*[a-zà-ÿ](?=\W*$)")
_PLACE_CLAUSE: Final = re.compile(r"^\W*where\b", re.IGNORECASE)
"""`Prague, where the treaty was signed`"""
_DEALT: Final = words(
    "acquired admired annotated approved assisted attacked attended audited bought championed checked cited collected"
    " commissioned copied criticised criticized defended disputed doubted edited endorsed examined exhibited financed"
    " funded helped illustrated inherited inspected inspired lectured mentioned owned popularised popularized praised"
    " printed promoted proofread purchased quoted read received recommended refereed rejected reprinted restored"
    " reviewed saw sold sponsored stole studied supervised taught tested translated used verified witnessed"
)
"""What is done with a thing that another made."""
_OPENING: Final = words("the it its he she his her they their this that these those in at on by from and but for an")
_LONGEST: Final = 600


def says_anothers(gold: str, response: str, question: str) -> bool:
    """Whether a short response says the gold of another thing than the one that was asked about."""
    if not question or len(response) > _LONGEST:
        return False
    clauses = [each for each in _CLAUSE.split(response.replace("*", "").replace("$", "")) if each.strip()]
    spelt = gold.replace("$", "").strip().strip(".")
    said = re.compile(rf"(?<![\w.]){re.escape(spelt)}(?![\w]|[.,]\d)", re.IGNORECASE)
    places = [place for place, each in enumerate(clauses) if said.search(each)]
    if not spelt or not places:
        return False
    own, later = clauses[places[-1]], clauses[places[-1] + 1 :]
    if _in_another_case(question, own, response) or _dealt_with(question, own, spelt):
        return True
    number = re.match(r"[-−+$€£\s]*[\d.]|[^\W\d_]{0,2}(?![^\W\d_])", spelt) is not None or "\\" in spelt
    asked = _asked(question) - _stems(spelt)
    if _of_another_event(own, spelt, asked):
        return True
    if not later or not asked:
        return False
    if not number and _IDENTIFIES.match(own):
        later = [each for each in later if asked <= _stems(each)]
    elif not number and not _stems(own) - asked - _stems(spelt):
        return False
    return any(_of_what_was_asked(own, each, asked, spelt, question, number=number) for each in later)


@lru_cache(maxsize=64)
def _asked(question: str) -> frozenset[str]:
    """What the words of the last question come from, without the sort that is asked for (`which city`)."""
    return _stems(_TYPE.sub(" ", asking(question)))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for each in _WORD.findall(text) if (word := each.casefold()) not in _IDLE)


def _of_what_was_asked(own: str, later: str, asked: frozenset[str], gold: str, question: str, *, number: bool) -> bool:
    """Whether a later clause speaks of what was asked about, where the gold's does not, and names another."""
    if _REASON.match(later):
        return False
    here, there = asked & _stems(own), asked & _stems(later)
    if not there - here or not (here <= there or _PRONOUN.search(later)):
        return False
    if number:
        others = [each for each in _NUMBER.findall(later) if each != gold]
        alike = _stems(own) & _stems(later)
        return bool(others and _CONTRAST.match(later) and alike and here <= there)
    if _UNKNOWN.search(later):
        return True
    if _WHO.search(question) and _OF_PERSON.match(later):
        return False
    leads = _BY if _WHO.search(question) else _AT if _WHERE.search(question) else re.compile(r"")
    known = {word.casefold() for word in re.findall(r"\w+", f"{question} {gold}")}
    last = _LAST_NAME.search(own) if _PLACE_CLAUSE.match(later) else None
    if last is not None and last[0].casefold() not in known:
        return True
    for name in _NAME.finditer(later):
        if name[0].casefold() in known or (name.start() == 0 and name[0].casefold() in _OPENING):
            continue
        before = later[: name.start()]
        if leads.search(before) or (
            _WHO.search(question) is not None and re.fullmatch(r"\W*(?:(?:and|but|while|whereas|which)\s+)?", before)
        ):
            return True
    new = _stems(later) - asked - _stems(gold)
    if gold[:1].islower() and _BY_AGENT.match(later) and len(new) == 1:
        return True
    return gold[:1].islower() and len(new) == 1 and not _REFERS.search(later) and not _NAME.search(later[1:])


def _of_another_event(own: str, gold: str, asked: frozenset[str]) -> bool:
    """Whether the gold is the year of one of two events, and the other one is asked for."""
    found = _EVENTS.search(own) if _YEAR.fullmatch(gold) else None
    if found is None:
        return False
    events = [
        (stem(found[verb].lower()) in asked, found[year]) for verb, year in (("first", "one"), ("second", "other"))
    ]
    return sorted(events)[0][1] == gold and {wanted for wanted, _ in events} == {True, False}


def _dealt_with(question: str, own: str, gold: str) -> bool:
    """Whether who made a thing is asked, and the clause says who had to do with it when it was made."""
    if _WHO.search(question) is None or re.search(r"[^\W\d_]{3}", gold) is None:
        return False
    name = re.escape(gold)
    verb = r"(?:\w+ly\s+)?(?P<verb>[a-z]+)"
    found = re.search(rf"\b(?:was|were|is|been)\s+{verb}\s+by\s+(?:the\s+)?{name}(?!\w)", own, re.IGNORECASE)
    related = re.search(
        rf"\b{name}\s+(?:is|was)\s+(?:an?|the|one\s+of\s+the)\s+(?:\w+\s+){{0,2}}?{_RELATED}s?\s+of\s",
        own,
        re.IGNORECASE,
    )
    if related is not None and re.search(_RELATED, question, re.IGNORECASE) is None:
        return True
    found = found or re.match(rf"\W*{name}\s+{verb}\s+(?:the|this|that|it|his|her|their|an?)\b", own, re.IGNORECASE)
    dealt = found is not None and found["verb"].lower() in _DEALT
    return dealt and not any(word in _DEALT for word in re.findall(r"[a-z]+", question.lower()))


def _in_another_case(question: str, own: str, response: str) -> bool:
    """Whether the clause sets another case than the question: `angle A` for `angle B`, `n = 2`, `with repetition`."""
    last = asking(question)
    for form, group, noun in ((_LABEL, "label", "noun"), (_SET, "value", "letter"), (_PREPOSED, "how", "noun")):
        wanted = {(each[noun].lower(), each[group]) for each in form.finditer(last)}
        for key, value in wanted:
            others = {each[group] for each in form.finditer(own) if each[noun].lower() == key}
            sole = len({other for word, other in wanted if word == key}) == 1
            if sole and others and value.lower() not in {each.lower() for each in others}:
                mentioned = {each[group].lower() for each in form.finditer(response) if each[noun].lower() == key}
                known = {each[group] for each in form.finditer(question) if each[noun].lower() == key}
                if value.lower() not in mentioned and not others & known:
                    return True
    return False
