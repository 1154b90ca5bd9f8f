"""Chooses the answer of a long response that no mark names, by weights that were fitted to labelled responses."""

import json
import math
import re
from collections.abc import Mapping
from importlib import resources
from typing import Final

from grading.language.ranking.candidates import Candidate, candidates
from grading.language.ranking.cues import (
    CHANGED_BEFORE,
    CHANGED_BEHIND,
    CONSEQUENCE,
    HEDGED,
    OTHERS,
    WORKED_ON_BEFORE,
    WORKED_ON_BEHIND,
)
from grading.language.ranking.features import Features, features_of
from grading.language.ranking.sorts import Asked
from grading.language.responses.changing import REPORTERS
from grading.language.responses.commitments import TAKEN_BACK, committed
from grading.language.responses.headed import names_another
from grading.language.responses.later import replaced
from grading.language.responses.making import Committed
from grading.language.responses.segments import MARK, Response, segmented
from grading.language.responses.statements import statement
from grading.language.responses.turning import hypothetical, opens_aside
from grading.language.responses.vocabulary import DENIED

_LEAST: Final = 3
"""Sentences of a response that is ranked; a shorter one is read by the grammar alone."""
_FEW: Final = 4
"""Sentences of a response in which a value that the grammar finds is the answer."""
_EQUATION: Final = re.compile(r"[=≈≡]|\\(?:approx|equiv)(?![A-Za-z])")
_OTHERS: Final = 2
"""Values beside the one that is chosen with which a text works something out."""
_HEDGED: Final = 6
"""Sentences of a response in which a hedge is about its answer wherever it stands."""
_SORTS: Final = frozenset({"number", "quantity", "expression", "order", "tuple", "set", "range"})
_WRITTEN_OUT: Final = frozenset({"tuple", "set", "range"})
"""Sorts that sentences say in pieces, which the grammar puts together."""
_MARKS: Final = frozenset({"phrase", "heading", "addressed", "denied phrase"})
_WORKED: Final = "said again"
_SUPPOSED: Final = re.compile(
    r"\W*(?:(?:now|then|so|first|next)[\s,]+)*(?:(?:let\s+us|let['’]s|we|I)\s+)?(?:suppos\w*|assum\w*|imagin\w*|pretend\w*|say)\b(?![^.]*\b(?:so|thus|hence|therefore|then)\b)",
    re.IGNORECASE,
)
"""How a sentence begins that only sets or supposes its value."""
_DENIED: Final = re.compile(
    r"'(?:not|n't|no|never|neither|nothing|can't|cannot|either|fails?|almost|nearly|near|under|below|above|beyond|too"
    r"|outside|inside|subset|than|still|lost|loses|violated.*|.*\bpart\s+of|at\s+(?:most|least)|quarter\s+of|half.*"
    r"|bounded\s+by|remaining|contained)'|what was asked for is described|two values are stated of one thing"
    r"|something else than the answer is stated",
    re.IGNORECASE,
)
"""Words for which the grammar refuses a last sentence, and with which nothing before it is the answer either."""
# Read with the module: a grading process can open no file once it is confined.
WEIGHTS: Final[Mapping[str, float]] = json.loads(resources.files(__package__).joinpath("weights.json").read_text())
"""What each feature counts, from `weights.json`, which `tools.fit_ranking` writes."""


def ranked(text: str, asked: Asked) -> Committed | None:
    """The value that most speaks for, of the sort that was asked for; None where the grammar of sentences decides."""
    response = segmented(text)
    found = contest(text, response, asked)
    if found is None or not found[0]:
        return None
    live, features = found
    return _sound(response, live, live[most_likely(live, [score(each, WEIGHTS) for each in features])])


def contest(text: str, response: Response, asked: Asked) -> tuple[list[Candidate], list[Features]] | None:
    """The candidates of a response and their features; None where the grammar of sentences decides."""
    if asked.sort.kind not in _SORTS:
        return None
    ruled = committed(text)
    if _is_settled(ruled, response, asked):
        return None
    live = candidates(response, asked)
    return live, features_of(response, live, ruled)


def _is_settled(ruled: Committed, response: Response, asked: Asked) -> bool:
    """Whether what the grammar of sentences found, or refused, stands: by a mark, by a working, or by a denial."""
    count = len(response.sentences)
    if count < _LEAST or ruled.rule in _MARKS or _DENIED.match(ruled.problem or "") is not None:
        return True
    if ruled.text is None:
        return ruled.rule == _WORKED
    return count <= _FEW or asked.sort.kind in _WRITTEN_OUT or ruled.rule == _WORKED


def score(features: Mapping[str, float], weighed: Mapping[str, float]) -> float:
    """The sum of what its features count."""
    return sum(value * weighed.get(name, 0.0) for name, value in features.items())


def most_likely(live: list[Candidate], scores: list[float]) -> int:
    """Of the value with the largest share, all its mentions together, the place of its likeliest mention."""
    highest = max(scores)
    shares = [math.exp(each - highest) for each in scores]

    def together(place: int) -> float:
        return sum(share for each, share in zip(live, shares, strict=True) if each.repeats(live[place]))

    return max(range(len(live)), key=lambda place: (round(together(place), 9), scores[place]))


def _sound(response: Response, live: list[Candidate], chosen: Candidate) -> Committed:
    """The choice as a commitment, unless words about it deny, doubt or change it, or a later sentence takes it back."""
    mentions = [each for each in live if each.repeats(chosen)]
    again = [each for each in mentions if each.place >= chosen.place]
    later = [each for each in again if each.place > chosen.place]
    if all(_SUPPOSED.match(each.lead) for each in mentions):
        return Committed(None, "ranked", problem="a value that is only supposed")
    written = (*response.formulas, *(one.text for one in response.sentences))
    others = [each for each in live if each not in mentions and each.size is not None]
    worked = any(_EQUATION.search(each) for each in written) or len(others) >= _OTHERS
    refused = _said_once(response, mentions, worked=worked)
    if refused is not None:
        return refused
    changed = any(_is_changed(each) for each in again) or any(_is_operand(each) for each in (chosen, *later))
    last = len(response.sentences) - 1
    hedged = len(response.sentences) <= _HEDGED and any(HEDGED.search(each.text) for each in response.sentences)
    judged = [each for each in again if each.place == last or (each in later and not opens_aside(each.sentence.text))]
    if changed or hedged or any(_is_unreal(each) for each in judged):
        return Committed(None, "ranked", problem="a denied, bounded or changed value")
    if replaced(response, response.sentences[chosen.place + 1 :], chosen.text, concluded=True):
        return Committed(None, "ranked", problem=TAKEN_BACK)
    return Committed(chosen.text, "ranked")


def _said_once(response: Response, mentions: list[Candidate], *, worked: bool) -> Committed | None:
    """Why a value is no answer that only one sentence has, in words, and that this sentence does not state.

    In a longer argument that is told of the last sentence alone, where a word in it denies or changes the value.
    """
    if len({each.place for each in mentions}) > 1 or any(each.arrives or each.displayed for each in mentions):
        return None
    sentence, long = mentions[0].sentence, len(response.sentences) > _HEDGED and worked
    if long and (mentions[0].place < len(response.sentences) - 1 or CONSEQUENCE.search(mentions[0].lead)):
        return None
    if names_another(re.sub(MARK, "x", sentence.text)):
        return Committed(None, "ranked", problem="a value of something that was not asked for")
    stated = statement(response, sentence)
    if stated is None and not worked:
        return Committed(None, "ranked", problem="no sentence states the value, and none works it out")
    refused = stated is not None and stated.text is None and not (long and "not understood" in (stated.problem or ""))
    return stated if refused else None


def _is_changed(given: Candidate) -> bool:
    before, behind = CHANGED_BEFORE.search(given.lead[-80:]), CHANGED_BEHIND.match(given.rest)
    return bool(before or behind or HEDGED.search(given.sentence.text))


def _is_operand(given: Candidate) -> bool:
    """Whether its sentence goes on to another value from it."""
    return bool(WORKED_ON_BEFORE.search(given.lead[-60:]) or WORKED_ON_BEHIND.match(given.rest))


def _is_unreal(given: Candidate) -> bool:
    """Whether its sentence reports, denies or supposes."""
    text = given.sentence.text
    supposed = hypothetical(text) and CONSEQUENCE.search(given.lead) is None
    told = REPORTERS.search(given.lead) or DENIED.search(given.lead) or OTHERS.match(text)
    return supposed or told is not None
