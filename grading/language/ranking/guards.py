"""Words about a value that deny, doubt, bound or change it, or that take it back later, as features of candidates."""

import re
from collections.abc import Sequence
from typing import Final

from grading.language.ranking.candidates import Candidate
from grading.language.ranking.cues import (
    CHANGED_BEFORE,
    CHANGED_BEHIND,
    CONSEQUENCE,
    HEDGED,
    OTHERS,
    UNCHANGED_BEFORE,
    UNCHANGED_BEHIND,
    WORKED_ON_BEFORE,
    WORKED_ON_BEHIND,
)
from grading.language.responses.changing import REPORTERS
from grading.language.responses.headed import names_another
from grading.language.responses.later import replaced
from grading.language.responses.making import Committed
from grading.language.responses.segments import MARK, Response
from grading.language.responses.statements import statement
from grading.language.responses.turning import hypothetical, opens_aside
from grading.language.responses.vocabulary import DENIED

_EQUATION: Final = re.compile(r"[=≈≡]|\\(?:approx|equiv)(?![A-Za-z])")
_SUPPOSED: Final = re.compile(
    r"\W*(?:(?:now|then|so|first|next)[\s,]+)*(?:(?:let\s+us|let['’]s|we|I)\s+)?(?:suppos\w*|assum\w*|imagin\w*|pretend\w*|say)\b(?![^.]*\b(?:so|thus|hence|therefore|then)\b)",
    re.IGNORECASE,
)
"""How a sentence begins that only sets or supposes its value."""
_SLIP: Final = re.compile(
    r"\b(?:I|we)\s+(?:(?:just|have|had)\s+)?(?:forgot|forgotten|missed|overlooked|misread|mistook|dropped|made\s+an?\s+(?:\w+\s+)?(?:mistake|slip|error))\b"
    r"|^\W*(?:actually|wait|hold\s+on|scratch\s+that|correction|oops)\b(?=.*(?:\d|[\ue000-\ue2ff]))",
    re.IGNORECASE,
)
"""How a sentence owns that what was said before is wrong."""
_ASIDES: Final = re.compile(
    rf"\([^()]{{1,200}}\)|\b(?:as|every|each|only)\s+one\s+of\s+(?:them|these)\b|\b(?:maybe|perhaps|possibly)\s+(?:another\s+|some\s+)?(?:{MARK}|\d[\d.,]*)(?:\s[a-zA-Z]{{1,4}}\b)?"
)
"""A remark, and another value with its own doubt."""
_READ: Final = 25
"""Sentences behind a value that are read for what takes it back."""
_OTHERS: Final = 2
"""Values beside the one that is chosen with which a text works something out."""


class Statements:
    """What the grammar reads from each sentence of a response, read once."""

    def __init__(self, response: Response) -> None:
        self._response = response
        self._found: dict[int, Committed | None] = {}

    def of(self, place: int) -> Committed | None:
        """What the sentence at that place states by itself."""
        if place not in self._found:
            self._found[place] = statement(self._response, self._response.sentences[place])
        return self._found[place]


def is_hedged(given: Candidate) -> bool:
    """Whether its sentence doubts it, and not only another value (`in perhaps 150 mL`) or in a remark in brackets."""
    start, text = len(given.lead), given.sentence.text
    return any(
        not any(one.start() <= each.start() < one.end() and not one.start() <= start < one.end() for one in beside)
        for beside in [[*_ASIDES.finditer(text)]]
        for each in HEDGED.finditer(text)
    )


def is_bounded(given: Candidate) -> bool:
    """Whether the words beside it deny, bound or change it, and do not only look as if they did."""
    unchanged = UNCHANGED_BEFORE.search(given.lead[-80:]) or UNCHANGED_BEHIND.match(given.rest)
    return not unchanged and _is_changed(given)


def has_equation(response: Response) -> bool:
    """Whether anything in a response is set equal to something."""
    return any(_EQUATION.search(each) for each in (*response.formulas, *(one.text for one in response.sentences)))


def guards_of(
    response: Response, live: Sequence[Candidate], mentions: Sequence[Sequence[int]], stated: Statements
) -> list[dict[str, float]]:
    """For each candidate what its words, its sentence and later ones say against it, or for it.

    `mentions` are the places of all mentions of its value.
    """
    changed = [_is_changed(each) for each in live]
    by_place = {each.place: each.sentence.text for each in live}
    said = {place: HEDGED.search(text) is not None for place, text in by_place.items()}
    hedged = [said[each.place] for each in live]
    operands = [_is_operand(each) for each in live]
    told = [_is_told(each) for each in live]
    supposed = [_is_supposed(each) for each in live]
    opened = [_SUPPOSED.match(each.lead) is not None for each in live]
    last = len(response.sentences) - 1
    equations = has_equation(response)
    slips = [place for place, one in enumerate(response.sentences) if _SLIP.search(one.text)]
    taken: dict[tuple[int, str], bool] = {}
    found = []
    for place, each in enumerate(live):
        again = mentions[place]
        later = [at for at in again if live[at].place > each.place]
        others = sum(at not in again and live[at].size is not None for at in range(len(live)))
        key = (each.place, each.text)
        if key not in taken:
            later_on = response.sentences[each.place + 1 : each.place + 1 + _READ]
            taken[key] = replaced(response, later_on, each.text, concluded=True)
        flags = {
            "g changed": changed[place],
            "g changed later": any(changed[at] for at in later),
            "g changed at the end": any(changed[at] for at in again if live[at].place == last),
            "g hedged": hedged[place],
            "g hedged later": any(hedged[at] for at in later),
            "g slip later": any(place > live[again[-1]].place for place in slips),
            "g operand": operands[place],
            "g operand later": any(operands[at] for at in later),
            "g told": told[place],
            "g supposed": supposed[place],
            "g told at the end": any(told[at] for at in again if live[at].place == last),
            "g told later": any(told[at] for at in later if not opens_aside(live[at].sentence.text)),
            "g supposed later": any(supposed[at] for at in later if not opens_aside(live[at].sentence.text)),
            "g only supposed": all(opened[at] for at in again),
            "g taken back": taken[key],
            "g names another": names_another(re.sub(MARK, "x", each.sentence.text)),
            "g one sentence": len({live[at].place for at in again}) == 1,
            "g nothing worked": not equations and others < _OTHERS,
        }
        found.append({name: 1.0 for name, value in flags.items() if value} | _stated(stated.of(each.place), each))
    return found


def _stated(said: Committed | None, given: Candidate) -> dict[str, float]:
    """What the grammar reads from the sentence of the candidate alone."""
    if said is None:
        return {"s nothing": 1.0}
    if said.text is None:
        kind = re.sub(r"'[^']*'", "", said.problem or "").strip()
        return {"s refused": 1.0, f"s:{kind[:40]}": 1.0}
    if given.says(said.text):
        return {"s this": 1.0, "s this on condition": float(bool(said.condition))}
    return {"s another": 1.0}


def _is_changed(given: Candidate) -> bool:
    return CHANGED_BEFORE.search(given.lead[-80:]) is not None or CHANGED_BEHIND.match(given.rest) is not None


def _is_operand(given: Candidate) -> bool:
    """Whether its sentence goes on to another value from it."""
    return bool(WORKED_ON_BEFORE.search(given.lead[-60:]) or WORKED_ON_BEHIND.match(given.rest))


def _is_told(given: Candidate) -> bool:
    """Whether its sentence reports or denies."""
    text = given.sentence.text
    return bool(REPORTERS.search(given.lead) or DENIED.search(given.lead) or OTHERS.match(text))


def _is_supposed(given: Candidate) -> bool:
    return hypothetical(given.sentence.text) and CONSEQUENCE.search(given.lead) is None
