"""From two texts to a finding: reads both, tries the readings an answer allows, compares."""

import re
from dataclasses import dataclass

from grading.equivalence.decide import decide
from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Finding, Rules, different, equal, unknown
from grading.language import words
from grading.language.extract import Extraction, after_phrase
from grading.language.limits import MAX_LENGTH, LanguageError
from grading.language.read import Parsed, read, with_unit
from grading.language.tree import Quantity, Text

_DRESS = re.compile(
    r"\\(?:left|right|bigl?|bigr?|Bigl?|Bigr?|biggl?|biggr?|displaystyle|boxed|text|mathrm|mbox|,|;|:|!| |quad|qquad)"
    r"(?![A-Za-z])|\\[()\[\]]|[\s$*`~]"
)
_MATHS = re.compile(r"\$\$(.+?)\$\$|\$([^$]+)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)", re.DOTALL)
_NUMBER = re.compile(r"[-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:/\d+)?|\.\d+)(?:\s?%)?")
_PROSE = 40
"""From this many characters on, words around an answer are a response to be searched, not an answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finding with what was compared. `readable` is False where no answer of the language was found."""

    finding: Finding
    given: str
    rule: str
    readable: bool = True


def skeleton(text: str) -> str:
    """A text without its dress: delimiters, spacing, sizes, and braces about single characters."""
    text = text.replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    text = _DRESS.sub("", text)
    text = re.sub(r"\{([^{}\\])\}", r"\1", text)
    return text.strip(".").strip("{}") if text.startswith("{") and text.endswith("}") else text.strip(".")


def compare_texts(gold: str, found: Extraction, rules: Rules, unit_text: str = "") -> Outcome:
    """Compare the extracted answer with the gold."""
    given = found.text
    if given is None:
        return Outcome(different(found.problem or "no answer was found"), "", found.rule, readable=False)
    bare = skeleton(given) if len(given) <= MAX_LENGTH else ""
    if bare and bare in (skeleton(gold), skeleton(gold) + skeleton(unit_text)):
        return Outcome(equal("the same text as the reference"), given, found.rule)
    if len(given) < _PROSE * 5 and words.hedged(given):
        return Outcome(different("does not commit to one answer"), given, found.rule)
    try:
        expected = read_gold(gold, rules)
    except LanguageError as error:
        return Outcome(unknown(f"the reference is not of the answer language: {error}"), given, found.rule)
    return _try(expected, given, found.rule, rules)


def read_gold(gold: str, rules: Rules) -> Parsed:
    """The gold as a tree; of a text with prose, its last formula."""
    try:
        parsed = _read(gold, rules)
        if not isinstance(parsed.node, Text):
            return parsed
    except LanguageError:
        parsed = None
    formulas = _formulas(gold)
    if formulas and (parsed is None or len(formulas[-1]) * 2 > len(gold)):
        return _read(formulas[-1], rules)
    if parsed is None:
        return _read(gold, rules)
    return parsed


def _read(text: str, rules: Rules) -> Parsed:
    grouped = not rules.shape or rules.shape == "number"
    if rules.unit is not None and not grouped:
        return read(text, rules.variables, grouped)
    if rules.unit is not None:
        parsed = with_unit(text, rules.variables)
        if parsed is not None and isinstance(parsed.node, Quantity):
            return parsed
    return read(text, rules.variables, grouped)


def _try(expected: Parsed, given: str, rule: str, rules: Rules) -> Outcome:
    """Compare with the whole of what was given, then with what a response says is its answer."""
    try:
        parsed = _read(given, rules)
    except LanguageError as error:
        parsed, problem = None, str(error)
    if parsed is not None and not (isinstance(parsed.node, Text) and not isinstance(expected.node, Text)):
        finding = _with_or_without_unit(expected, parsed, given, rules)
        return Outcome(finding, given, rule)
    inside = _inside(given) if rule == "whole" and len(given) >= _PROSE // 2 else None
    if inside is not None:
        text, how = inside
        try:
            return Outcome(_with_or_without_unit(expected, _read(text, rules), text, rules), text, how)
        except LanguageError as error:
            problem = str(error)
    if parsed is not None:
        return Outcome(different("words where mathematics was asked for"), given, rule)
    return Outcome(different(f"not readable: {problem}"), given, rule, readable=False)


def _with_or_without_unit(expected: Parsed, parsed: Parsed, text: str, rules: Rules) -> Finding:
    """Letters that the gold does not know may be a unit (`\\sqrt{\\mu g r}\\ \\text{m/s}`, `10 m`)."""
    finding = decide(expected, parsed, rules)
    if finding.equal or not symbols(parsed.node) - symbols(expected.node):
        return finding
    other = with_unit(text, rules.variables)
    if other is None or not isinstance(other.node, Quantity) or symbols(other.node) - symbols(expected.node):
        return finding
    second = decide(expected, other, rules)
    return second if second.equal else finding


def _formulas(text: str) -> list[str]:
    return ["".join(part or "" for part in match.groups()) for match in _MATHS.finditer(text)]


def _inside(text: str) -> tuple[str, str] | None:
    """The answer within a response without marks: after "the answer is", the last formula, or the last number."""
    phrase = after_phrase(text)
    if phrase is not None:
        formulas = _formulas(phrase)
        if formulas and not _readable(phrase):
            return formulas[-1], "phrase"
        if _readable(phrase):
            return phrase, "phrase"
        number = _NUMBER.findall(phrase)
        return (number[-1], "phrase") if number else (phrase, "phrase")
    formulas = _formulas(text)
    tail = text[-200:]
    if formulas and formulas[-1] in tail:
        return formulas[-1], "last formula"
    numbers = _NUMBER.findall(text)
    if numbers and len(text) >= _PROSE:
        return numbers[-1], "last number"
    return None


def _readable(text: str) -> bool:
    try:
        return not isinstance(read(text).node, Text)
    except LanguageError:
        return False
