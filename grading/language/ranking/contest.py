"""The candidates of a response that no mark settles, with their features, and those of "no answer" beside them."""

import re
from dataclasses import dataclass
from typing import Final

from grading.language.ranking.candidates import EQUALITY, Candidate, candidates
from grading.language.ranking.cues import HEDGED
from grading.language.ranking.features import Features, features_of
from grading.language.ranking.givens import coming_from
from grading.language.ranking.guards import Statements, guards_of, has_equation
from grading.language.ranking.laidout import laid_out
from grading.language.ranking.pairs import add_pairs
from grading.language.ranking.questions import answering, question_of
from grading.language.ranking.sorts import Asked, agreement, sort_of
from grading.language.responses.commitments import committed
from grading.language.responses.making import Committed
from grading.language.responses.segments import Response, segmented
from grading.language.responses.sizes import Size, same, size_of
from grading.language.responses.statements import is_valuable

_LEAST: Final = 2
"""Sentences of a response that is ranked; a single one is read by the grammar alone."""
_TWO, _FEW, _HEDGED = 2, 4, 6
_READ: Final = 40
"""Sentences from the end of which the grammar is asked what each states."""
_SORTS: Final = frozenset(
    {"number", "quantity", "expression", "order", "ratio", "tuple", "matrix", "set", "range", "time"}
)
_MARKS: Final = frozenset({"phrase", "heading", "addressed", "denied phrase"})
_NAMES_IT: Final = re.compile(r"\b(?:answers?|results?)\b", re.IGNORECASE)
_BOLD: Final = re.compile(r"\*\*[^*\n]+\*\*")
_SOLUTION: Final = re.compile(r"\bsolutions?\b", re.IGNORECASE)
_WORD: Final = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_SIZES: Final = 3
"""Different values with which a text works something out, also without an equation."""
_TOLD: Final = re.compile(r"'([^']*)'")
_IN_FEW: Final = ("s this", "ruled", "last sentence", "first sentence", "s refused", "concludes", "g one sentence")
_IN_TWO: Final = ("s this", "ruled", "last sentence", "s refused")
_IN_MANY: Final = ("s this", "s refused", "g one sentence")


@dataclass(slots=True)
class Contest:
    """The candidates with their features; `nothing` are the features of no answer.

    `commitments` are what the grammar made of candidates that it alone has, None for the others.
    """

    live: list[Candidate]
    commitments: list[Committed | None]
    features: list[Features]
    nothing: Features
    again: list[list[int]]
    """For each candidate the places of all mentions of its value."""


def contest(text: str, asked: Asked, question: str = "") -> Contest | None:
    """The candidates of a response; None where the grammar of sentences alone decides."""
    if asked.sort.kind not in _SORTS:
        return None
    response = segmented(laid_out(text))
    if len(response.sentences) < _LEAST or _WORD.search(text) is None:
        return None
    ruled = committed(text)
    if _is_settled(text, ruled):
        return None
    stated = Statements(response)
    live, commitments = _all(response, asked, ruled, stated)
    if not question and not _works(response, live):
        return None
    again = [[at for at, other in enumerate(live) if other.repeats(each)] for each in live]
    features = features_of(response, live, ruled)
    more = [guards_of(response, live, again, stated)]
    asks = question_of(question) if question else None
    if asks is not None:
        more += [answering(asks, live), coming_from(question, live, again)]
    for place, each in enumerate(features):
        for found in more:
            each.update(found[place])
        each[f"for {asked.sort.kind}"] = 1.0
        each[f"how {'proposed' if commitments[place] is not None else live[place].how}"] = 1.0
        _add_by_length(each, len(response.sentences))
    add_pairs(features)
    return Contest(live, commitments, features, _nothing(response, ruled, live), again)


def _works(response: Response, live: list[Candidate]) -> bool:
    """Whether a response works anything out.

    Of one that only mentions a value or two, what was asked tells more than words: without that the grammar decides.
    """
    if has_equation(response):
        return True
    sizes: list[Size] = []
    for each in live:
        if each.size is not None and not any(same(each.size, one) for one in sizes):
            sizes.append(each.size)
    return len(sizes) >= _SIZES


def _is_settled(text: str, ruled: Committed) -> bool:
    """Whether a mark names the answer: a solution that is spoken of ("the general solution is …") need not be it."""
    if ruled.rule == "last line" and _BOLD.fullmatch(text.rstrip().rpartition("\n")[2].strip()):
        return True
    if ruled.rule == "phrase" and ruled.text is not None and not is_valuable(ruled.text):
        return False
    of_solution = _SOLUTION.search(text) is not None and _NAMES_IT.search(text) is None
    return ruled.rule in _MARKS and not (of_solution and ruled.rule in ("phrase", "heading"))


def _all(
    response: Response, asked: Asked, ruled: Committed, stated: Statements
) -> tuple[list[Candidate], list[Committed | None]]:
    """The candidates in their order; what the grammar reads where none of them is the same is one too."""
    live = candidates(response, asked)
    proposed: list[tuple[Candidate, Committed]] = []
    count = len(response.sentences)
    for place in range(max(0, count - _READ), count):
        said = stated.of(place)
        if said is not None and said.text is not None and not _has(live, said.text, place):
            given = _proposal(response, place, said.text, asked)
            if given.agreement > 0:
                proposed.append((given, said))
    if ruled.text is not None and not _has(live, ruled.text) and all(each.text != ruled.text for each, _ in proposed):
        given = _proposal(response, count - 1, ruled.text, asked)
        if given.agreement > 0 or sort_of(ruled.text.strip("$")).kind in ("unread", "words"):
            given.agreement = max(given.agreement, 0.3)
            proposed.append((given, ruled))
    merged = [*((each, None) for each in live), *proposed]
    merged.sort(key=lambda pair: pair[0].place)
    return [each for each, _ in merged], [claim for _, claim in merged]


def _has(live: list[Candidate], text: str, place: int | None = None) -> bool:
    return any(each.says(text) for each in live if place is None or each.place == place)


def _proposal(response: Response, place: int, text: str, asked: Asked) -> Candidate:
    sentence, members = response.sentences[place], EQUALITY.split(text)
    return Candidate(
        place=place,
        sentence=sentence,
        order=0,
        count=1,
        lead=sentence.text,
        rest="",
        written=text,
        members=members,
        text=text,
        size=size_of(members[-1]),
        arrives=False,
        displayed=False,
        formula="\\" in text or "$" in text,
        measured=False,
        bold=False,
        agreement=agreement(asked, sort_of(text.strip("$"))),
    )


def _add_by_length(features: Features, count: int) -> None:
    """The features that mean another thing in a short response than in a long one."""
    names, where = (_IN_TWO, "two") if count <= _TWO else (_IN_FEW, "few") if count <= _FEW else (_IN_MANY, "many")
    ruled = [name for name in features if name.startswith("ruled by ")]
    features.update({f"{name} in {where}": 1.0 for name in (*names, *ruled) if features.get(name)})


def _nothing(response: Response, ruled: Committed, live: list[Candidate]) -> Features:
    """What speaks for no answer: how long the response is, and why the grammar refuses it."""
    count = len(response.sentences)
    hedged = any(HEDGED.search(each.text) for each in response.sentences)
    known: dict[str, float | bool] = {
        "n": 1.0,
        "n two": count <= _TWO,
        "n few": count <= _FEW,
        "n six": count <= _HEDGED,
        "n hedged": hedged,
        "n hedged six": hedged and count <= _HEDGED,
        "n asks last": "?" in response.sentences[-1].text,
    }
    if live:
        known |= {f"nl:{word}": 1.0 for word in re.findall(r"[a-z']+", response.sentences[-1].text.lower())}
    if ruled.text is None:
        problem = ruled.problem or ""
        word = _TOLD.match(problem)
        known |= {"n refused": 1.0, "n refused few": count <= _FEW, f"n:{ruled.rule}": 1.0}
        known[f"np:{_TOLD.sub('', problem).strip()[:40]}"] = 1.0
        if word is not None:
            known[f"nw:{word[1].lower()[:20]}"] = 1.0
    return {name: float(value) for name, value in known.items() if value}
