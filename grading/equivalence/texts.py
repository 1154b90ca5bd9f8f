"""From two texts to a finding: reads both, tries the readings an answer allows, compares."""

import itertools
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter

from grading.equivalence import reals, working
from grading.equivalence.apart import SEVERAL, last_of
from grading.equivalence.brackets import with_brackets
from grading.equivalence.decide import decide
from grading.equivalence.definitions import definition_of, is_label, value_of
from grading.equivalence.expressions import symbols
from grading.equivalence.finding import Finding, Rules, all_equal, different, equal, unknown
from grading.equivalence.gathered import is_real_set
from grading.equivalence.indexes import declared_in_words
from grading.equivalence.members import letters
from grading.equivalence.plain import is_in_numbers
from grading.equivalence.quantities import in_step, of_itself
from grading.equivalence.ratios import as_ratio
from grading.equivalence.spelt import along_axes
from grading.equivalence.stated import unread_beside
from grading.equivalence.wording import compare_words, is_code, same_code
from grading.equivalence.written import by_writing, is_known_writing
from grading.language import words
from grading.language.extract import Extraction, unboxed
from grading.language.limits import MAX_LENGTH, LanguageError
from grading.language.multiples import family_in_words
from grading.language.names import is_command
from grading.language.ranking.rank import ranked
from grading.language.ranking.sorts import asked_for
from grading.language.read import Parsed, read, with_unit
from grading.language.responses.claims import claim_of, conditional, is_sentence, unsettling
from grading.language.responses.commitments import beginning, committed
from grading.language.responses.headed import without_manner
from grading.language.responses.making import Committed
from grading.language.responses.methods import worked_value
from grading.language.responses.ranges import range_of
from grading.language.responses.segments import formulas
from grading.language.responses.values import KNOWN_GROUP
from grading.language.tree import (
    Node,
    Number,
    Piecewise,
    Product,
    Quantity,
    Ratio,
    Relation,
    Symbol,
    Text,
    Tuple,
)
from grading.language.unitnames import is_unit, without_substance
from grading.language.units import ONE, Unit, same_dimension
from grading.language.walking import are_groups, kept, walk
from grading.language.worded import branches, exception_as_relation
from grading.language.wordless import is_wordless

_DRESS = re.compile(
    r"\\(?:left|right|bigl?|bigr?|Bigl?|Bigr?|biggl?|biggr?|displaystyle|boxed|text|mathrm|mbox|,|;|:|!| |quad|qquad)"
    r"(?![A-Za-z])|\\[()\[\]]|[\s$`~]|^\s*\*+|\*+\s*$|\*{2}(?=\s)|(?<=\s)\*{2}"
)
_DRESSED = re.compile(r"[\s\\$`~*]")
"""What neither _DRESS nor _BESIDE does without."""
_GOES_ON = re.compile(r"\.\d+\.{3}$")
"""`0.16...`, whose points are no end of a sentence."""
_SINGLE = re.compile(r"\{([^{}\\])\}")
_BESIDE = re.compile(r"(?<=\d)(?:\s|\\[,;:! ]|~)+(?=\d)")
"""A gap between two digits: `1 2` is not `12`."""
_REJECTION = re.compile(r"(?<=[\w}$)]),?\s+(?:and\s+)?not\s+[\w.$\\{}^/-]{1,30}\.?\s*$")
_RATIO_IN_WORDS = re.compile(r"[\w.\\{}]+(?:\s+to\s+[\w.\\{}]+)+")
_MANNER = re.compile(
    r"^(?:in|using|by|with|from|via)\s+(?!(?:case|no|other|which|the\s+(?:first|second|other|worst|best)|contrast|comparison|theory|general|view|any)\b)[^,=:;.?\d$]{2,40},\s+"
    r"(?=[A-Za-zΔθρλμω]\w{0,3}(?:\([^()]{1,12}\))?\s*[=≈])",
    re.IGNORECASE,
)
"""`In kelvin,` before the chain that it leads to."""
_COUNTED_CHAIN = re.compile(r"([^A-Za-z=\\$]*\d[^A-Za-z=\\$]*=\s*-?\d[\d.,/]*)\s+([a-z]+(?: [a-z]+){0,3})\.?")
"""`8 - 3 = 5 apples`"""
_DIRECTED = re.compile(
    r"(?<=[A-Za-z°²³\d}$)])(?<!and)(?<!or)\s*,?\s*\(?(?:directed\s+(?:\w+\s+){0,3}\w+|to\s+the\s+(?:right|left|north"
    r"|south|east"
    r"|west)|due\s+(?:north|south|east|west)"
    r"|(?:vertically\s+|horizontally\s+)?(?:up|down)wards?|north|south|east|west|(?:north|south)(?:east|west)"
    r"|clockwise|counter-?clockwise)\)?\W*$"
)
"""Where a vector points."""
_AT_STANDARD = re.compile(
    r"(?<=[\d$}A-Za-z])\s*,?\s+(?:\(?\s*(?:dimensionless|unitless|no\s+units?)\s*\)?|\(?(?:at|under)\s+(?:STP|NTP|SATP|room\s+temperature|standard\s+(?:temperature\s+and\s+pressure|conditions))\)?)[\s.$*]*$"
)
"""`at STP`, `(dimensionless)`"""
_CONGRUENT = re.compile(r"\\equiv|≡|\\pmod|\bmod\b")
_RESIDUE = re.compile(
    r"\W*(?P<equation>[a-z]\s*=\s*\d{1,4}\s*(?:\\cdot\s*)?(?P<letter>[kmntjq])\s*(?:[+-]\s*\d{1,4})?)\W*"
)
"""`p = 4k + 1`"""
_SIDE = re.compile(r"\s*\$?\s*(?:[<>≤≥]|\\(?:le|ge|leq|geq|lt|gt|leqslant|geqslant|ne|neq)\b)")
_DECIMAL_COMMA = re.compile(r"-?(?:0,\d+|\d+,\d{1,2}|\d+,\d{4,})")
_PROSE = frozenset({"whole", "answer line", "tag"})
"""Rules of extraction that may hand over a sentence."""
_DEFINING = re.compile(r"(?:where|with)\b|for\s+\W{0,3}[a-z]\s*=", re.IGNORECASE)
_ALSO_CONCLUDED = re.compile(
    r"\b(?:hence|so|thus|therefore)\s+(?:\w+\s+){0,3}?(?:rank|nullity|dimension|determinant|trace|degree)"
    r"(?:\s+(?:is|equals|=|of))?\s+\$?(-?\d+)"
)
"""A conclusion about another quantity (`det A = 3, hence rank 4`)."""
_ON_CONDITION = re.compile(
    r"(?:if|when|whenever|provided|assuming|only\s+if|in\s+case|as\s+long\s+as|given|on"
    r"|for(?!\s+(?:all|any|every|each|the|this|our|these|those|both|an?|example|instance|short|us"
    r"|me)\b|\s+(?:some\s+|arbitrary\s+)?integ(?:ers?|ral)\s+\W*[a-z]\W*$|\s+\W{0,3}[a-z]\s*=[^=]*(?:dots|…|\.\.)))\b",
    re.IGNORECASE,
)
_SHORT, _ENDS = 200, 2
_ONE_VALUE = 1_000
"""Characters of the longest text in which words beside a value are passed over."""
_BOUNDS = re.compile(r"\b(?:between|beyond|above|below)\s")
_A_GROUP = Symbol("bb:Z_2")
_CONTAINED = re.compile(r"\b(?:contains?|embeds?|subgroups?|quotients?|surjects|generated)\b(?!.*\bis\b)")
"""What is said of a group that is a part of the one asked for."""


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
    for variant, plain in (("\\varepsilon", "\\epsilon"), ("\\varphi", "\\phi"), ("\\cdot", "·")):
        text = text.replace(variant, plain)
    if _DRESSED.search(text) is not None:
        text = _DRESS.sub("", _BESIDE.sub("|", text))
    text = _SINGLE.sub(itemgetter(1), text) if "{" in text else text
    # A leading point before a digit belongs to a number: ".5" is not "5".
    text = re.sub(r"^\.+(?!\d)", "", text) if text.startswith(".") else text
    return text if _GOES_ON.search(text) else text.rstrip(".")


@lru_cache(maxsize=512)
def _accepted(gold: str, unit_text: str, unit_required: bool) -> frozenset[str]:
    """Texts that are right because they are the gold's, by their skeletons."""
    if not unit_text:
        return frozenset({skeleton(gold)})
    # A unit behind a letter, of a unit or not, is another text: `5 m` and `m` would be `5 mm`.
    measured = [] if skeleton(gold)[-1:].isalpha() else [skeleton(f"{gold} {unit_text}")]
    return frozenset({*measured, *([] if unit_required else [skeleton(gold)])})


def compare_texts(gold: str, found: Extraction, rules: Rules, unit_text: str = "") -> Outcome:
    """Compare the extracted answer with the gold."""
    given = found.text
    if given is None:
        return Outcome(different(found.problem or "no answer was found"), "", found.rule, readable=False)
    if found.rule not in _PROSE and len(given) > MAX_LENGTH:
        return Outcome(different(f"more than {MAX_LENGTH} characters"), given, found.rule, readable=False)
    bare = skeleton(given) if len(given) <= MAX_LENGTH else ""
    accepted = _accepted(gold, unit_text, rules.unit_required)
    if bare and bare in accepted:
        return Outcome(equal("the same text as the reference"), given, found.rule)
    written = by_writing(gold, given, rules)
    if written is not None:
        return Outcome(written, given, found.rule)
    hedged = len(given) < _SHORT and not is_wordless(given) and "\n" not in given.strip() and words.hedged(given)
    if hedged and not (found.rule in _PROSE and committed(given).text is not None):
        return Outcome(different("does not commit to one answer"), given, found.rule)
    if "\\" in gold and (unknown_names := unknown_commands(gold)):
        rules = replace(rules, variables=rules.variables | unknown_names)
    try:
        expected = read_gold(gold, rules)
    except LanguageError as error:
        if is_known_writing(gold):
            return Outcome(different("no answer of the reference's sort"), given, found.rule, readable=False)
        return Outcome(unknown(f"the reference is not of the answer language: {error}"), given, found.rule)
    return _try(expected, given, found.rule, rules)


@lru_cache(maxsize=512)
def unknown_commands(gold: str) -> frozenset[str]:
    """Commands without arguments that only the gold can explain (`\\foo`): they are read as symbols."""
    bare = re.findall(r"\\[A-Za-z]+(?![A-Za-z]|\s*[{\[])", gold)
    return frozenset(name for name in bare if not is_command(name[1:]))


def read_gold(gold: str, rules: Rules) -> Parsed:
    """The gold as a tree: what stands in its box, all of it, or the last formula of a text that is mostly formula."""
    return _gold(gold, rules.variables, rules.shape, rules.decimal_comma, rules.unit)


@lru_cache(maxsize=512)
def _gold(gold: str, variables: frozenset[str], shape: str, decimal_comma: bool, unit: Unit | None) -> Parsed:
    rules = Rules(variables=variables, shape=shape, decimal_comma=decimal_comma, unit=unit)
    gold = unboxed(gold)
    parsed: Parsed | None = None
    problem: LanguageError | None = None
    if is_code(gold):
        return Parsed(Text(words.plain(gold)), gold)
    for written in branches(gold):
        with suppress(LanguageError):
            return replace(_read(written, rules), source=gold)
    try:
        parsed = _read(gold, rules)
    except LanguageError as error:
        problem = error
    if parsed is not None and not isinstance(parsed.node, Text):
        return parsed
    found = formulas(gold)
    if found and (parsed is None or len(found[-1]) * 2 > len(gold)):
        return _read(found[-1], rules)
    if parsed is None and not gold.isascii() and not found:
        return Parsed(Text(words.plain(gold)), gold)
    if parsed is None:
        raise problem or LanguageError("the gold is empty")
    return parsed


def _read(text: str, rules: Rules, single: bool = False) -> Parsed:
    """One answer as a tree. Raises LanguageError."""
    text = with_brackets(text)
    grouped = not rules.shape or rules.shape == "number"
    comma = rules.decimal_comma
    if rules.unit is not None and not grouped:
        return read(text, rules.variables, grouped, comma)
    if rules.unit is not None:
        parsed = with_unit(text, rules.variables, comma)
        if parsed is not None and isinstance(_last(parsed.node), Quantity):
            return replace(parsed, node=_last(parsed.node)) if _names_it(parsed.node) else parsed
    if single and _DECIMAL_COMMA.fullmatch(text.strip()):
        text = text.replace(",", ".")
    return read(text, rules.variables, grouped, comma)


def _last(node: Node) -> Node:
    return node.operands[-1] if isinstance(node, Relation) else node


def _names_it(node: Node) -> bool:
    """Whether an equation only names the quantity on its right (`F = 12 N`, `v = 90 km/h = 25 m/s`)."""
    if not isinstance(node, Relation) or not set(node.operators) <= {"=", "~="} or len(set(node.operands)) == 1:
        return False
    head = node.operands[0]
    return (definition_of(node) is not None or isinstance(head, Quantity) or is_label(head)) and in_step(node)


def _valued(parsed: Parsed | None) -> Parsed | None:
    """A quantity without the name that stands before it."""
    if parsed is None or not isinstance(_last(parsed.node), Quantity) or not _names_it(parsed.node):
        return parsed
    return replace(parsed, node=_last(parsed.node))


def _each(parsed: Parsed | None) -> list[Parsed]:
    """The quantities that a chain names, its last one first."""
    if parsed is None or not isinstance(parsed.node, Relation) or not _names_it(parsed.node):
        return [parsed] if parsed is not None else []
    found = [part for part in reversed(parsed.node.operands) if isinstance(part, Quantity)]
    return [replace(parsed, node=part) for part in found]


def _try(expected: Parsed, given: str, rule: str, rules: Rules) -> Outcome:
    """Compare with the whole of what was given, then with what a response says is its answer."""
    if isinstance(expected.node, Text):
        return Outcome(_in_words(expected.node, expected.source, given), given, rule)
    meant = as_ratio(expected, given)
    if meant is None:
        return Outcome(different("odds are no share of the whole"), given, rule)
    wordless = is_wordless(meant)
    given = meant if wordless else exception_as_relation(KNOWN_GROUP.sub("", meant))
    if not wordless and _has_branches(value_of(expected.node)):
        for written in branches(given):
            with suppress(LanguageError):
                return Outcome(decide(expected, _read(written, rules), rules), given, rule)
    stated = _stated_range(expected, given, rules) if not wordless and rule in _PROSE else None
    if stated is not None:
        return stated
    given = _MANNER.sub("", without_manner(given)) if rule in _PROSE and not wordless else given
    given = working.in_numbers(given) if rule in _PROSE and not symbols(expected.node) else given
    claim = claim_of(given, rule, expected.source) if rule in _PROSE else None
    if rule == "whole" and not wordless:
        claim = ranked(given, asked_for(expected.source, rules.unit, rules.question), rules.question) or claim
    if claim is not None:
        return _claimed(expected, claim, given, rules)
    return _as_it_stands(expected, given, rule, rules)


def _as_it_stands(expected: Parsed, given: str, rule: str, rules: Rules) -> Outcome:
    """Compare with a text that is no sentence, or with what it begins with."""
    unsettled = unsettling(given, expected.source)
    begun = beginning(given.replace("**", "")) if unsettled is not None and rule in _PROSE else None
    if begun is not None and begun.text is not None:
        return _claimed(expected, begun, given, rules)
    if unsettled is not None:
        return Outcome(different(unsettled), given, rule, readable=False)
    last = last_of(given) if rule == "whole" else given
    if last is None:
        return Outcome(different(SEVERAL), given, rule, readable=False)
    given = last
    parsed, problem, ended, completed = None, "words where mathematics was asked for", None, given
    try:
        single = isinstance(expected.node, Number) and expected.node.places is not None
        completed = _completed(given, expected.node, expected.source)
        parsed = _read(completed, rules, single)
    except LanguageError as error:
        problem = f"not readable: {error}"
        ended = _worked_out(expected, given, rules, rule)
    if parsed is not None and not isinstance(parsed.node, Text):
        return Outcome(_with_or_without_unit(expected, parsed, completed, rules), given, rule)
    begun = beginning(given.replace("**", "")) if rule in _PROSE else None
    if begun is not None and begun.text is not None and begun.text != given:
        return _claimed(expected, begun, given, rules)
    return ended or Outcome(different(problem), given, rule, readable=parsed is not None)


def _in_words(expected: Text, source: str, given: str) -> Finding:
    """The finding beside a gold in words."""
    if is_code(source) and same_code(source, given):
        return equal("the same name")
    return compare_words(expected, source, given)


def _worked_out(expected: Parsed, given: str, rules: Rules, rule: str) -> Outcome | None:
    """What the end of a chain says whose beginning cannot be read; None where no end of it can be read."""
    for end in working.ends(given):
        with suppress(LanguageError):
            parsed = _read(worked_value(end) or end, rules)
            if not isinstance(parsed.node, Text):
                return Outcome(_with_or_without_unit(expected, parsed, end, rules), end, rule)
    return None


def _stated_range(expected: Parsed, given: str, rules: Rules) -> Outcome | None:
    """The finding where a sentence says which numbers or multiples it means; None of other texts."""
    family = family_in_words(given)
    if family:
        with suppress(LanguageError):
            same = (decide(expected, _read(each, rules), rules) for each in family)
            return Outcome(all_equal(same, "the same numbers"), given, "range")
    group = words.group_in_words(given)
    if group is not None:
        return Outcome(decide(expected, Parsed(group, given), rules), given, "group")
    factors = expected.node.factors if isinstance(expected.node, Product) else (expected.node,)
    if len(given) < _SHORT and are_groups((*factors, _A_GROUP)) and _CONTAINED.search(given):
        return Outcome(different("a group in another one"), given, "group", readable=False)
    value = value_of(expected.node)
    pair = isinstance(value, Tuple) and len(value.items) == _ENDS
    if not (pair or is_real_set(value)) or not (is_sentence(given) or _BOUNDS.search(given)):
        return None
    said = range_of(given)
    if said is None:
        return None
    with suppress(LanguageError):
        parsed = _read(said, rules)
        if not isinstance(parsed.node, Text):
            return Outcome(decide(expected, parsed, rules), said, "range")
    return None


@kept
def _has_branches(node: Node) -> bool:
    """Whether a gold changes its rule, so that its branches may stand in words."""
    kinks = ("abs", "max", "min", "sign", "floor", "ceil")
    return any(isinstance(part, Piecewise) or getattr(part, "name", "") in kinks for part in walk(node))


def _claimed(expected: Parsed, claim: Committed, given: str, rules: Rules) -> Outcome:
    """Compare what a sentence commits to; nothing else of the response is looked at."""
    if claim.text is None:
        return Outcome(different(claim.problem or "no answer was found"), given, claim.rule, readable=False)
    refused = conditional(claim.condition, expected.source) if _ON_CONDITION.match(claim.condition) else None
    refused = refused or unsettling(claim.text, expected.source)
    concluded = _ALSO_CONCLUDED.search(given)
    if concluded is not None and concluded[1] != claim.text.strip(" $"):
        refused = refused or f"concludes {concluded[1]} for another quantity"
    if refused is not None:
        return Outcome(different(refused), claim.text, claim.rule, readable=False)
    problem, first = "words where mathematics was asked for", None
    declared = declared_in_words(claim.condition) is not None
    defined = [f"{claim.text}, {claim.condition}"] if declared or _DEFINING.match(claim.condition) else []
    for text, comma in itertools.product((*defined, claim.text), _commas(claim, rules)):
        meant = replace(rules, decimal_comma=comma)
        try:
            completed = _completed(text, expected.node, expected.source)
            parsed = _read(completed, meant)
        except LanguageError as error:
            problem = f"not readable: {error}"
            first = first or _worked_out(expected, text, meant, claim.rule)
            continue
        if isinstance(parsed.node, Text):
            continue
        unknown_case = conditional(claim.condition, expected.source) if defined and text is claim.text else None
        if unknown_case is not None and re.search(r"=|\\in\b|∈", claim.condition):
            return first or Outcome(different(unknown_case), text, claim.rule, readable=False)
        if text is claim.text and claim.condition:
            unread = unread_beside(expected.node, expected.conditions, parsed.node, claim.condition)
            if unread is not None:
                return first or Outcome(different(unread), text, claim.rule, readable=False)
        outcome = Outcome(_with_or_without_unit(expected, parsed, completed, meant), text, claim.rule)
        # What a letter runs through belongs to the answer: without it another set would be compared.
        if outcome.finding.equal or (declared and text is not claim.text):
            return outcome
        first = first or outcome
    return first or Outcome(different(problem), claim.text, claim.rule, readable=False)


def _commas(claim: Committed, rules: Rules) -> tuple[bool, ...]:
    """Whether a comma is a decimal one: in a language that writes it, and then not surely between brackets or where
    the number has a point."""
    if rules.decimal_comma or not claim.comma:
        return (rules.decimal_comma,)
    text = claim.text or ""
    if re.search(r"\d(?:,|\{,\})\d", text):
        return (True, False) if re.search(r"[\[\](){}]", text.replace("{,}", ",")) else (True,)
    return (False, True) if re.search(r"\d\.\d", text) else (True,)


def _completed(given: str, gold: Node, source: str) -> str:
    """What an answer leaves out because the question said it: the variable of `> 3`, the colon of `3 to 4`."""
    if len(given) > _ONE_VALUE:
        return given
    wordless = is_wordless(given)
    given = given if wordless else _REJECTION.sub("", given)
    given = _AT_STANDARD.sub("", given)
    residue = _RESIDUE.fullmatch(given) if "=" in given and _CONGRUENT.search(source) else None
    if residue is not None:
        # Beside a congruence the one letter that nobody declares is an integer.
        return f"{residue['equation']}, {residue['letter']} \\in \\mathbb{{Z}}"
    counted = _COUNTED_CHAIN.fullmatch(given.strip()) if "=" in given else None
    given = (
        counted[1] if counted is not None and not is_unit(counted[2]) and not re.search("[a-z]{3}", source) else given
    )
    if not wordless or "\\mathrm" in given:
        given = without_substance(given) if without_substance(source) == source else given
        given = given if _DIRECTED.search(source) else _DIRECTED.sub("", given)
    axes = along_axes(given) if isinstance(gold, Tuple) and "j" in given else None
    if axes is not None and len(gold.items if isinstance(gold, Tuple) else ()) == axes.count(",") + 1:
        return axes
    if isinstance(gold, Ratio) and _RATIO_IN_WORDS.fullmatch(given.strip(" .$")):
        return given.replace("to", ":")
    name = reals.variable_of(gold) if isinstance(gold, Relation) and _SIDE.match(given) else None
    if name is not None and name.isalpha():
        return f"{name} {given.lstrip(' $')}"
    return given


def _with_or_without_unit(expected: Parsed, parsed: Parsed, text: str, rules: Rules) -> Finding:
    """Letters may be a unit: the answer's, where the gold does not know them (`10 m`), or those of both."""
    finding = decide(expected, parsed, rules)
    if rules.unit is not None:
        return finding
    # All readings are compared whatever the first one gave: right and wrong take the same work.
    others = [decide(gold, given, rules) for gold, given in _as_quantities(expected, parsed, text, rules)]
    return next((other for other in (finding, *others) if other.equal), finding)


def _as_quantities(expected: Parsed, parsed: Parsed, text: str, rules: Rules) -> Iterator[tuple[Parsed, Parsed]]:
    """Readings of the two in which letters are units, as far as that is safe.

    A letter in italics after an expression of letters is a factor, not a unit: `mgh` is not `mg` hours.
    """
    # Where all of an answer is read as numbers, nothing in it is left to be a unit.
    bare = is_in_numbers(parsed.node) and not parsed.conditions
    others: list[Parsed | None] = [] if bare else [*_each(with_unit(text, rules.variables, rules.decimal_comma))]
    for other in others or [None]:
        yield from _pairs(expected, parsed, other, rules)


def _pairs(expected: Parsed, parsed: Parsed, other: Parsed | None, rules: Rules) -> Iterator[tuple[Parsed, Parsed]]:
    slanted = None
    if other is not None and not (other.upright or not letters(other.node)):
        slanted, other = other, None
    unknown_letters = symbols(parsed.node) - symbols(expected.node) or of_itself(parsed.node)
    if slanted is not None and of_itself(parsed.node) and not letters(slanted.node):
        other = slanted  # `V = 5 V`
    if other is not None and unknown_letters and not symbols(other.node) - symbols(expected.node):
        yield expected, other
    gold = _valued(with_unit(expected.source, rules.variables, rules.decimal_comma)) if symbols(expected.node) else None
    if gold is None or not isinstance(gold.node, Quantity) or gold.node.unit == ONE:
        return
    known = letters(gold.node)
    if known and not gold.upright:
        return
    if slanted is not None and isinstance(slanted.node, Quantity) and same_dimension(slanted.node.unit, gold.node.unit):
        other = slanted  # Where the gold's unit is one, so are the letters of it that the gold does not have.
    if other is not None and isinstance(other.node, Quantity) and other.node.unit != ONE:
        if letters(other.node) <= known:
            yield gold, other
    elif gold.upright and letters(value_of(parsed.node)) <= known:
        yield gold, parsed
