"""A response beside its gold; beside a gold in words also by the statement of its last sentence alone."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from grading.equivalence.answers import compare_answer
from grading.equivalence.distributions import compare_distributions, names_distribution
from grading.equivalence.echoes import beginnings, echoed
from grading.equivalence.everywhere import asks_for_all
from grading.equivalence.finding import Finding, Judgement, Rules, different, equal
from grading.equivalence.persons import with_golds_names
from grading.equivalence.placed import same_places
from grading.equivalence.texts import Outcome, compare_texts
from grading.equivalence.whose import says_anothers
from grading.equivalence.wordforms import with_golds_forms
from grading.language.atodds import at_odds
from grading.language.contrary import says_the_other
from grading.language.extract import Extraction
from grading.language.responses.clauses import is_foreign
from grading.language.responses.ended import ending
from grading.language.responses.mainclause import main_statements

_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_FIGURES = re.compile(r"[-−+]?[\d$\\]")
_SEVERAL = re.compile(r"\b(?:or|and)\b|\\pm|±")
_ONLY_THERE = re.compile(
    r"\b(?:valid|holds?|works|true|defined|correct)\s+(?:only|just|merely|solely)\b|\b(?:only|just|merely|solely)\s+(?:valid|for|if|when|on|where)\b",
    re.IGNORECASE,
)
_TRUTH = re.compile(r"(?:yes|no|true|false)\W*", re.IGNORECASE)
_ONLY_SOME = re.compile(
    r"\W*(?:(?:it|this|that)\s+is\s+)?(?:yes|true)\b[^.?!;]*?\b(?:only|solely|exclusively|just)\s+(?:for|if|when|in|on|under|where)\b[^.?!]*[.!]?"
    r"|\W*(?:(?:it|this|that)\s+is\s+)?(?:yes|true)\b,?\s+(?:for|if|when|in|on|under|where)\b[^.?!;]*\b(?:only|alone)[.!]?",
    re.IGNORECASE,
)
"""`True for convex sets only.`"""
_BESIDE = 600
"""Characters of a response that may speak of a distribution."""
_POINT = re.compile(r"\W*?(?P<name>[A-Z])['′]?\s*=?\s*(?P<entries>\([^()]*,[^()]*\))\W*$")
_OF_POINTS = re.compile(
    r"\b(?:points?|coordinates?|vertex|vertices|midpoint|centroid|image|reflection)\b", re.IGNORECASE
)
_ROUNDED = Fraction(1, 50)
_SIDE = re.compile(r"\b(?:left|right|one)\b|[-+}]\s*\}?\s*$|\^[-+]", re.IGNORECASE)
_TWO_SIDED = re.compile(r"limit|\\lim(?![a-z])|derivative|differentiable", re.IGNORECASE)
_OF_ONE_SIDE = re.compile(
    r"\W*(?:the|its)\s+(?:left|right)(?:-?\s?(?:hand(?:ed)?|sided))?\s+(?:limit|derivative)\s[^.,;:]{2,80}[\s.!*]*$",
    re.IGNORECASE,
)
"""`The left-hand limit does not exist.`"""


def compare_reply(gold: str, found: Extraction, response: str, rules: Rules, unit_text: str = "") -> Outcome:
    """The comparison with the response, unless it says the gold of another thing, or another value at its end."""
    outcome = _compared(gold, found, response, rules, unit_text)
    another = _otherwise(gold, response, rules, unit_text) if found.rule == "whole" else None
    return outcome if another is None or outcome.finding.different else replace(outcome, finding=another)


def _otherwise(gold: str, response: str, rules: Rules, unit_text: str) -> Finding | None:
    """The finding where a short response says the gold of another thing, or gives another value at its end."""
    if says_anothers(gold, response, rules.question) or says_the_other(rules.question, response):
        return different("said of another thing than the one that was asked about")
    if asks_for_all(rules.question) and _ONLY_THERE.search(response) and not _ONLY_THERE.search(gold):
        return different("said of some of what was asked about")
    if _TRUTH.fullmatch(gold) and _ONLY_SOME.fullmatch(response) and "only" not in rules.question:
        return different("said of some of what was asked about")
    value = ending(response)
    if value is None or ("," in gold and "," not in value) or _SEVERAL.search(gold):
        return None
    if value == "no solution" and re.search(r"\d|=", gold) is None:
        return None
    loosely = replace(rules, rel_tol=max(rules.rel_tol or _ROUNDED, _ROUNDED)) if "." in value else rules
    said = compare_texts(gold, Extraction(value, "side"), loosely, unit_text).finding
    return different("the last sentence gives another value") if said.different else None


def _compared(gold: str, found: Extraction, response: str, rules: Rules, unit_text: str) -> Outcome:
    """The comparison with the response as it stands, and with what its last sentence states."""
    point = _POINT.match(gold) if _OF_POINTS.search(rules.question) else None
    if point is not None and found.text is not None:
        # As a function `B(2, 3)` would be the same as `B(3, 2)`.
        name = re.compile(rf"(?<![A-Za-z\\]){point['name']}['′]?\s*=?\s*(?=\()")
        gold, response = point["entries"], name.sub("", response)
        found = replace(found, text=name.sub("", found.text))
    outcome = compare_answer(gold, found, response, rules, unit_text)
    if found.rule == "whole" and not rules.shape and names_distribution(gold, f"{rules.question} {response[:_BESIDE]}"):
        drawn = _same_distribution(gold, response, rules)
        drawn = outcome.finding if outcome.finding == equal("the same distribution") else drawn
        return Outcome(drawn, response, "distribution") if drawn is not None else outcome
    if found.rule == "whole" and not rules.shape and (shorter := _without_echo(response, rules.question)):
        again = compare_answer(gold, Extraction(shorter, "whole"), shorter, rules, unit_text)
        outcome = again if again.finding.equal and not outcome.finding.equal else outcome
    if found.rule != "whole" or rules.shape or not _is_in_words(gold) or at_odds(gold, response, rules.question):
        return outcome
    if _OF_ONE_SIDE.match(response) and _TWO_SIDED.search(rules.question) and not _SIDE.search(gold + rules.question):
        return replace(outcome, finding=different("said of one side only"))
    said = same_places(gold, response) or echoed(gold, _in_golds_words(gold, response, rules.question), rules.question)
    if said is not None and (said.different or not outcome.finding.equal):
        outcome = Outcome(said, response, "said")
    if said is not None and said.different:
        return outcome
    # All of them are compared whatever the first one gave: right and wrong take the same work.
    for statement in (*main_statements(response), *beginnings(gold, response, rules.question)):
        again = compare_answer(gold, Extraction(statement, "whole"), statement, rules, unit_text)
        outcome = again if again.finding.equal and not outcome.finding.equal else outcome
    return outcome


def _without_echo(response: str, question: str) -> str | None:
    """A sentence of another language without the last words that the question has too: `5 primos menores que 12`."""
    if not question or len(response) > _BESIDE or not is_foreign(response):
        return None
    bare = response.rstrip(" .!*\n")
    ends = [found.start() for found in re.finditer(r"(?<=[a-zà-ÿ])\s+(?=\S+\s+\S)", bare)]
    start = next((start for start in ends if bare[start:].strip().lower() in question.lower()), None)
    return bare[:start] if start else None


def _same_distribution(gold: str, response: str, rules: Rules) -> Finding | None:
    """The finding where a statement of the response and the gold are distributions."""
    found = (compare_distributions(gold, each, rules) for each in (response, *main_statements(response)))
    return next((each for each in found if each is not None and each.judgement is not Judgement.UNREADABLE), None)


def _in_golds_words(gold: str, text: str, question: str) -> str:
    """A text with persons and terms as the gold writes them."""
    return with_golds_forms(gold, with_golds_names(gold, text, question), question)


@lru_cache(maxsize=256)
def _is_in_words(gold: str) -> bool:
    """Whether a gold is a text of words, and neither a formula nor a quantity."""
    return _WORD.search(gold) is not None and _FIGURES.match(gold.strip()) is None
