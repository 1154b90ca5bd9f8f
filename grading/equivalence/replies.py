"""A response beside its gold; beside a gold in words also by the statement of its last sentence alone."""

import re
from dataclasses import replace
from functools import lru_cache

from grading.equivalence.answers import compare_answer
from grading.equivalence.finding import Rules, different
from grading.equivalence.texts import Outcome
from grading.language.atodds import at_odds
from grading.language.extract import Extraction
from grading.language.responses.mainclause import main_statements

_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_FIGURES = re.compile(r"[-−+]?[\d$\\]")
_SIDE = re.compile(r"\b(?:left|right|one)\b|[-+}]\s*\}?\s*$|\^[-+]", re.IGNORECASE)
_TWO_SIDED = re.compile(r"limit|\\lim(?![a-z])|derivative|differentiable", re.IGNORECASE)
_OF_ONE_SIDE = re.compile(
    r"\W*(?:the|its)\s+(?:left|right)(?:-?\s?(?:hand(?:ed)?|sided))?\s+(?:limit|derivative)\s[^.,;:]{2,80}[\s.!*]*$",
    re.IGNORECASE,
)
"""`The left-hand limit does not exist.`"""


def compare_reply(gold: str, found: Extraction, response: str, rules: Rules, unit_text: str = "") -> Outcome:
    """The comparison with the response as it stands, and with what its last sentence states."""
    outcome = compare_answer(gold, found, response, rules, unit_text)
    if found.rule != "whole" or rules.shape or not _is_in_words(gold) or at_odds(gold, response, rules.question):
        return outcome
    if _OF_ONE_SIDE.match(response) and _TWO_SIDED.search(rules.question) and not _SIDE.search(gold + rules.question):
        return replace(outcome, finding=different("said of one side only"))
    # All of them are compared whatever the first one gave: right and wrong take the same work.
    for statement in main_statements(response):
        again = compare_answer(gold, Extraction(statement, "whole"), statement, rules, unit_text)
        outcome = again if again.finding.equal and not outcome.finding.equal else outcome
    return outcome


@lru_cache(maxsize=256)
def _is_in_words(gold: str) -> bool:
    """Whether a gold is a text of words, and neither a formula nor a quantity."""
    return _WORD.search(gold) is not None and _FIGURES.match(gold.strip()) is None
