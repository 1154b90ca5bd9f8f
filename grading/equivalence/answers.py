"""An answer beside its gold with what stands around it in the response: words of sense, the letter that is stated."""

import re
from dataclasses import replace

from grading.equivalence.finding import Finding, Rules, different
from grading.equivalence.senses import sense_of, with_sense, without_sense
from grading.equivalence.texts import Outcome, compare_texts
from grading.language.extract import Extraction

_LETTER = r"(?:\\[a-zA-Z]+|[A-Za-z]|[α-ωΑ-Ω])"
_EQUATION = re.compile(rf"\s*\$?\s*(?P<name>{_LETTER})\s*=\s*[-−+]?\s*(?P<value>[^=A-Za-z]*?)\s*\$?\s*")
"""A gold that is a number under one letter, such as `x = 7` for a line."""
_DRESS = " $*().,\\[]{}`\n"
_ALIKE = {"ϕ": "φ", "ε": "ϵ"}
_BEFORE = 60


def compare_answer(gold: str, found: Extraction, response: str, rules: Rules, unit_text: str = "") -> Outcome:
    """Compare the extracted answer with the gold, and where they agree, what the response says beside it."""
    if sense_of(gold):
        return _with_sense(gold, found, response, rules, unit_text)
    outcome = compare_texts(gold, found, rules, unit_text)
    if outcome.finding.equal and (other := _other_letter(gold, outcome.given, response)) is not None:
        return replace(outcome, finding=other)
    return outcome


def _with_sense(gold: str, found: Extraction, response: str, rules: Rules, unit_text: str) -> Outcome:
    text = found.text
    if text is not None:
        found = replace(found, text=without_sense(text))
    outcome = compare_texts(without_sense(gold), found, rules, unit_text)
    if not outcome.finding.equal:
        return outcome
    return replace(outcome, finding=with_sense(gold, response or text or ""))


def _other_letter(gold: str, given: str, response: str) -> Finding | None:
    """The finding where the response states the gold's value of another letter (`y = 7` for `x = 7`); None elsewhere."""
    asked = _EQUATION.fullmatch(gold)
    value = given.strip(_DRESS)
    if asked is None or not value:
        return None
    value = value.rpartition("=")[2].strip(_DRESS)
    place = response.rfind(value)
    if place < 0:
        return None
    before = response[max(0, place - _BEFORE) : place].rstrip(_DRESS + "-−+")
    stated = re.search(rf"(?<![A-Za-z\\_^)\d])(?<![_^]\{{)(?P<name>{_LETTER})(?:_\w|_\{{\w+\}}|[₀-₉])?\s*(?:=|\\?approx|≈)$", before)
    if stated is None or _plain(stated["name"]) == _plain(asked["name"]):
        return None
    return different(f"{stated['name']} was given where {asked['name']} was asked for")


def _plain(name: str) -> str:
    name = _ALIKE.get(name, name)
    return name.lower() if len(name) == 1 else name
