"""From two texts to a finding: reads both, tries the readings an answer allows, compares."""

import re
from dataclasses import dataclass

from grading.equivalence.decide import decide
from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Finding, Rules, different, equal, unknown
from grading.language import response, words
from grading.language.choices import chosen
from grading.language.extract import Extraction
from grading.language.limits import MAX_LENGTH, LanguageError
from grading.language.read import Parsed, read, with_unit
from grading.language.tree import Number, Quantity, Text

_DRESS = re.compile(
    r"\\(?:left|right|bigl?|bigr?|Bigl?|Bigr?|biggl?|biggr?|displaystyle|boxed|text|mathrm|mbox|,|;|:|!| |quad|qquad)"
    r"(?![A-Za-z])|\\[()\[\]]|[\s$*`~]"
)
_LABEL = re.compile(r"(?:\\text\s*\{)?\s*(?:\(([A-E])\)|([A-E]))\}?(?:\s+[A-Z]?[a-z]+)?")
_DECIMAL_COMMA = re.compile(r"-?\d+,\d{1,2}|-?\d+,\d{4,}")
_SENTENCE = 4
"""From this many words on a text is a sentence."""
_SHORT = 200


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
    for variant, plain in (("\\varepsilon", "\\epsilon"), ("\\varphi", "\\phi"), ("\\cdot", "*"), ("\\times", "*")):
        text = text.replace(variant, plain)
    text = _DRESS.sub("", text)
    text = re.sub(r"\{([^{}\\])\}", r"\1", text)
    # A leading point before a digit belongs to a number: ".5" is not "5".
    return re.sub(r"^\.+(?!\d)", "", text).rstrip(".")


def compare_texts(gold: str, found: Extraction, rules: Rules, unit_text: str = "") -> Outcome:
    """Compare the extracted answer with the gold."""
    given = found.text
    if given is None:
        return Outcome(different(found.problem or "no answer was found"), "", found.rule, readable=False)
    bare = skeleton(given) if len(given) <= MAX_LENGTH else ""
    accepted = {skeleton(f"{gold} {unit_text}")} | (set() if rules.unit_required else {skeleton(gold)})
    if bare and bare in accepted:
        return Outcome(equal("the same text as the reference"), given, found.rule)
    times = words.clock(gold), words.clock(given)
    if None not in times:
        same = times[0] == times[1]
        return Outcome(equal("the same time") if same else different("another time of day"), given, found.rule)
    if len(given) < _SHORT and words.hedged(given):
        return Outcome(different("does not commit to one answer"), given, found.rule)
    letter = _LABEL.fullmatch(gold.strip())
    if letter is not None and not rules.shape:
        label, why = chosen(given, ("A", "B", "C", "D", "E"))
        if label is not None:
            same = label == (letter[1] or letter[2])
            return Outcome((equal if same else different)(f"chose {label}"), given, found.rule)
        if "commit" in why:
            return Outcome(different(why), given, found.rule)
    try:
        expected = read_gold(gold, rules)
    except LanguageError as error:
        return Outcome(unknown(f"the reference is not of the answer language: {error}"), given, found.rule)
    return _try(expected, given, found.rule, rules)


def read_gold(gold: str, rules: Rules) -> Parsed:
    """The gold as a tree: what stands in its box, all of it, or the last formula of a text that is mostly formula."""
    gold = response.unboxed(gold)
    parsed: Parsed | None = None
    problem: LanguageError | None = None
    try:
        parsed = _read(gold, rules)
    except LanguageError as error:
        problem = error
    if parsed is not None and not isinstance(parsed.node, Text):
        return parsed
    found = response.formulas(gold)
    if found and (parsed is None or len(found[-1][1]) * 2 > len(gold)):
        return _read(found[-1][1], rules)
    if parsed is None and not gold.isascii() and not found:
        return Parsed(Text(words.plain(gold)), gold)
    if parsed is None:
        raise problem or LanguageError("the gold is empty")
    return parsed


def _read(text: str, rules: Rules, single: bool = False) -> Parsed:
    grouped = not rules.shape or rules.shape == "number"
    if rules.unit is not None and not grouped:
        return read(text, rules.variables, grouped)
    if rules.unit is not None:
        parsed = with_unit(text, rules.variables)
        if parsed is not None and isinstance(parsed.node, Quantity):
            return parsed
    if _DECIMAL_COMMA.fullmatch(text.strip()) and single:
        text = text.replace(",", ".")
    return read(text, rules.variables, grouped)


def _try(expected: Parsed, given: str, rule: str, rules: Rules) -> Outcome:
    """Compare with the whole of what was given, then with what a response says is its answer."""
    if isinstance(expected.node, Text):
        return Outcome(_words(expected.node, expected.source, given), given, rule)
    parsed, problem = None, "words where mathematics was asked for"
    try:
        parsed = _read(given, rules, isinstance(expected.node, Number) and expected.node.places is not None)
    except LanguageError as error:
        problem = f"not readable: {error}"
    if parsed is not None and not isinstance(parsed.node, Text):
        return Outcome(_with_or_without_unit(expected, parsed, given, rules), given, rule)
    for text, how in response.candidates(given) if rule in ("whole", "answer line") else ():
        try:
            inner = _read(text, rules)
        except LanguageError:
            continue
        if not isinstance(inner.node, Text):
            return Outcome(_with_or_without_unit(expected, inner, text, rules), text, how)
    return Outcome(different(problem), given, rule, readable=parsed is not None)


def _words(expected: Text, source: str, given: str) -> Finding:
    """Compare words; a sentence that says more than the gold, or less, is left to a judge."""
    meaning = words.phrase(given) if len(given) < _SHORT else None
    found = meaning.words if isinstance(meaning, Text) else words.plain(given)
    if found == expected.words or words.parts(given) == words.parts(source):
        return equal("the same words")
    if sorted(found.split()) == sorted(expected.words.split()) and len(found.split()) < _SENTENCE:
        return equal("the same words")
    first, second = set(expected.words.split()), set(found.split())
    long = len(first) >= _SENTENCE or len(second) >= _SENTENCE
    if long and second and (first <= second or second <= first) and not words.negated(expected.words, found):
        return unknown("one text contains the other; whether it says the same is for a judge")
    return different("other words than the reference's")


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
