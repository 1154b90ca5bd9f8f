"""The words about a value as features: those of its sentence and clause, of its neighbours, of the heading above it."""

import re
from typing import Final

from grading.language.ranking.candidates import Candidate
from grading.language.responses.segments import Response

_HEADED: Final = re.compile(r"^\W*[A-Z][^.:]{2,50}[:.]\W*$")
_CLAUSE: Final = re.compile(r"[,;:]|\band\b|\bbut\b|\bwhile\b")
_WORD: Final = re.compile(r"[a-z']+")
_LEAD: Final = re.compile(r"[a-z']+|[=≈:(]")
_REST: Final = re.compile(r"[a-z]+|[,;.)(]")


class Neighbours:
    """The words about the sentences of a response, looked up once."""

    def __init__(self, response: Response) -> None:
        self._sentences = response.sentences
        self._first: dict[int, str] = {}
        for each in response.sentences:
            self._first.setdefault(each.paragraph, each.text)
        self._known: dict[int, list[str]] = {}

    def of(self, place: int) -> list[str]:
        """Words of the heading above (`h:`), first ones of the paragraph (`p:`) and of the next sentence (`x:`).

        `v:` are the last words of the sentence before.
        """
        if place not in self._known:
            self._known[place] = self._about(place)
        return self._known[place]

    def _about(self, place: int) -> list[str]:
        sentences = self._sentences
        above = (sentences[at] for at in range(place, -1, -1))
        heading = next((each.text for each in above if each.heading or _HEADED.match(each.text)), "")
        first = _WORD.findall(self._first[sentences[place].paragraph].lower())[:2]
        after = _WORD.findall(sentences[place + 1].text.lower())[:2] if place + 1 < len(sentences) else []
        before = _WORD.findall(sentences[place - 1].text.lower())[-2:] if place else []
        return [
            *(f"h:{word}" for word in set(_WORD.findall(heading.lower()))),
            *(f"p:{word}" for word in first),
            *(f"x:{word}" for word in after),
            *(f"v:{word}" for word in before),
        ]


def wordings(given: Candidate, neighbours: Neighbours) -> dict[str, float]:
    """Words of the sentence (`w:`), its first two (`b:`), of the clause before the value (`c:`), and those beside it.

    `l:` is the last before the value, `m:` the two before that, `lb:` the last two as one, `r:` and `rb:` likewise
    behind it.
    """
    words = _WORD.findall(given.sentence.text.lower())
    lead, rest = _LEAD.findall(given.lead.lower()), _REST.findall(given.rest.lower())
    named = [*(f"w:{word}" for word in set(words)), *(f"b:{word}" for word in words[:2])]
    named += [f"c:{word}" for word in set(_WORD.findall(_CLAUSE.split(given.lead.lower())[-1]))]
    named += [*(f"l:{word}" for word in lead[-1:]), *(f"m:{word}" for word in lead[-3:-1])]
    named += [f"lb:{lead[-2]}_{lead[-1]}"] if len(lead) > 1 else []
    named += [*(f"r:{word}" for word in rest[:1])]
    named += [f"rb:{rest[0]}_{rest[1]}"] if len(rest) > 1 else []
    return dict.fromkeys([*named, *neighbours.of(given.place)], 1.0)
