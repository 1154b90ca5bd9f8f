"""An answer beside its gold with what stands around it in the response: words of sense, the letter that is stated."""

import re
import unicodedata
from dataclasses import replace
from fractions import Fraction

from grading.equivalence.assembled import assembled, letter_by_letter
from grading.equivalence.bounded import as_inequality
from grading.equivalence.bracketed import without_brackets
from grading.equivalence.chemistry import stated_formula
from grading.equivalence.counted_out import in_numbers
from grading.equivalence.distributions import compare_distributions
from grading.equivalence.elliptic import turned_round
from grading.equivalence.ends import end_of_chain
from grading.equivalence.finding import Finding, Judgement, Rules, different
from grading.equivalence.flats import as_direction
from grading.equivalence.formulated import without_formula
from grading.equivalence.happenings import of_another
from grading.equivalence.means import with_means
from grading.equivalence.named import compare_named
from grading.equivalence.numeralbase import compare_in_base
from grading.equivalence.ordered import in_asked_order
from grading.equivalence.persons import with_golds_names
from grading.equivalence.pointed import pointed_at
from grading.equivalence.pointsets import as_point_set
from grading.equivalence.properties import without_properties
from grading.equivalence.residues import compare_residues, with_congruences
from grading.equivalence.respelt import (
    members_of,
    second_form,
    with_golds_constant,
    with_golds_indexes,
    with_golds_variable,
    with_letter,
    with_usual_constant,
    without_constants_stated,
    without_declared,
    without_quantifier,
)
from grading.equivalence.respoken import respoken
from grading.equivalence.reworded import reworded
from grading.equivalence.rows import with_names, with_rows
from grading.equivalence.sayings import worded_otherwise
from grading.equivalence.secondforms import line_of, without_second_form
from grading.equivalence.senses import sense_of, with_sense, without_sense
from grading.equivalence.shortly import in_full
from grading.equivalence.spelled_out import with_plain_definitions
from grading.equivalence.spelt import by_light, chained, converted, limit_of, without_exceptions, without_hats
from grading.equivalence.spread import with_all_signs, with_repeats, worked_in_words
from grading.equivalence.subspaces import as_span
from grading.equivalence.texts import Outcome, compare_texts
from grading.equivalence.truncated import without_dots
from grading.equivalence.truths import claimed
from grading.equivalence.uncertain import compare_uncertain
from grading.equivalence.unitgolds import compare_units
from grading.equivalence.wordforms import with_golds_forms
from grading.language.asked import as_asked, counts_pairs, given_for, names_another, without_given_subject
from grading.language.atodds import at_odds
from grading.language.brief import in_brief
from grading.language.currencies import with_money, without_article
from grading.language.extract import Extraction
from grading.language.figures import in_figures
from grading.language.gaps import without_long_runs
from grading.language.limits import MAX_RESPONSE
from grading.language.locants import with_located
from grading.language.numerals import number_of
from grading.language.offhand import offhand
from grading.language.places import with_origin, with_places
from grading.language.responses.methods import worked_value
from grading.language.responses.tables import letters_on_lines
from grading.language.saidabroad import in_english, without_direction
from grading.language.spokenforms import twice_per
from grading.language.unitnames import with_drops
from grading.language.unitsabroad import with_units
from grading.language.wordless import is_wordless

_LETTER = r"(?:\\[a-zA-Z]+|[A-Za-z]|[α-ωΑ-Ω])"
_EQUATION = re.compile(rf"\s*\$?\s*(?P<name>{_LETTER})\s*=\s*[-−+]?\s*(?P<value>[^=A-Za-z]*?)\s*\$?\s*")
"""A gold that is a number under one letter, such as `x = 7` for a line."""
_STATED = re.compile(
    rf"(?<![A-Za-z\\_^)\d])(?<![_^]\{{)(?P<name>{_LETTER})(?:_\w|_\{{\w+\}}|[₀-₉])?\s*(?:=|\\?approx|≈)$"
)
_DRESS = " $*().,\\[]{}`\n"
_ALIKE = {"ϕ": "φ", "ε": "ϵ"}
_NAMES = re.compile(r"[_₀-₉].*=")
_BEFORE = 60
_LONGEST, _SHORT = 400, 200
"""Characters of an answer whose spelling is looked at: the patterns here are no parsers of long texts."""
_IN_FIGURES = re.compile(r"[\d\\π∞]|^[^A-Za-z]*(?:[A-Za-z]{1,2}(?:[^A-Za-z]+|$))+$")
"""A gold that is a number, a quantity or a formula, and no text in words."""
_OF_FUNCTIONS = re.compile(
    r"(?:[^A-Za-z]|(?<![A-Za-z])(?:sqrt|sin|cos|tan|log|ln|exp|[A-Za-z]{1,2})(?![A-Za-z])){1,200}"
)
_SIZE_OF = re.compile(
    r"^\s*(\$?)\s*\|[a-z]\|\s*=\s*(?=[^=]{0,40}(?:\\begin\{cases\}|\b(?:for|if|when)\s+\$?[a-z]\s*(?:[<>≤≥]|\\[gl]e)))"
)
"""`|x| =` before the branches of what it is"""
_POWER = re.compile(r"^\W*(?P<letter>[A-Za-z])\s*\^\s*\{?2\}?\s*=\s*(?P<value>[^=]+?)\s*$")
_PAID = re.compile(r"(?P<sum>[\d,.\s+\-−*/×·()$\\]+=\s*\**)\s*\\?\$\s*(?P<value>[\d,.]+\**\.?)")
_SAID_IN_DIGITS = re.compile(
    r"\**(?P<words>[A-Za-z][A-Za-z -]{2,60}?)(?P<share>\s+per\s?cent)?\**(?:\s+\(|,?\s+(?:i\.\s?e\.,?"
    r"|that\s+is,?|or)\s+)\**"
    r"(?P<digits>-?\d{1,12}(?:\.\d{1,6})?)(?P<sign>\s?(?:\\?%|per\s?cent))?\**\)?[.*]*"
)
"""`Thirty-seven, i.e. 37`"""
_CHANCE = re.compile(
    r"\W*(?:(?:so|thus|hence|therefore),?\s+)?(?:(?:there(?:\s+is|['’]s)|it(?:\s+is|['’]s)|the\s+(?:chance|probability)\s+is|that\s+is)\s+)?"
    r"(?:an?\s+)?\**(?P<part>\d+|one|two|three)\s+(?:in|out\s+of)\s+(?:every\s+)?(?P<whole>\d+|[a-z]+)\**"
    r"(?:\s+chance)?\**\W*",
    re.IGNORECASE,
)
_FOREIGN = re.compile(
    r"\b(?:la|el|los|las|es|est|sont|une?|le|les|der|die|das|ist|sind|beträgt|etwa|environ|il|è|são|é|o|aproximadamente"
    r"|ungefähr|ein|eine|donc|daher|also|por|por\s+tanto|circa|distance|antwort|respuesta|réponse)\b|\bd['’]environ\b",
    re.IGNORECASE,
)
_SHARE_CHANGED = re.compile(
    r"\W*(?:an?\s+)?(?P<share>\d[\d.,]*\s?(?:\\?%|per\s?cent))\s+(?:increase|decrease|gain|loss|profit|discount|rise|reduction|drop|return"
    r"|growth|chance|probability)\W*",
    re.IGNORECASE,
)
"""`a 25 percent decrease`"""
_NAMED_POINT = re.compile(r"\(\s*[a-z]\s*,\s*[a-z]\s*(?:,\s*[a-z]\s*)?\)\s*=\s*(?=\(|\\left)")
"""`(x, y) =` before each of several points."""
_ORDER_STATISTIC = re.compile(r"(?<=[)}])\s*=\s*[A-Z]_\{?\(\s*[n1]\s*\)\}?\s*(?=\W*$)")
"""`= X_{(n)}` behind a maximum."""
_EXCEPTED = re.compile(r"(?P<before>\bexcept(?:\s+for|\s+when|\s+where)?\s+\$?)[a-z]\s*=\s*(?=[-−]?\d)")
"""`except $x = 1$`"""
_PERIOD = re.compile(
    r"(?<=%)(?:\s|\*)*(?:per\s+(?:year|annum)|p\.\s?a\.|annually|yearly|a\s+year|each\s+year)(?:\*\*)?(?=\W*$)",
    re.IGNORECASE,
)


_LOG = re.compile(r"\\log(?![A-Za-z_]|\s*_)")
_LOG_CHAIN = re.compile(r"\\log(?![A-Za-z_]|\s*_)[^\n]{1,200}(?:=|≈|\\approx)")


def compare_answer(gold: str, found: Extraction, response: str, rules: Rules, unit_text: str = "") -> Outcome:
    """Compare the extracted answer with the gold, and where they agree, what the response says beside it."""
    if found.text is not None and found.rule == "data":
        found = replace(found, text=without_long_runs(found.text[:MAX_RESPONSE]))
    gold, response = _spelt_out(gold), _spelt_out(response)
    if found.text is not None:
        spelt = without_given_subject(rules.question, without_direction(gold, _spelt_out(found.text)))
        found = replace(found, text=given_for(rules.question, spelt))
    found, response = _in_golds_words(gold, found, response, rules.question)
    if found.text is not None and (english := in_english(gold, found.text)) is not None:
        response = response if english[1] == found.text else english[1]
        gold, found = english[0], replace(found, text=english[1])
    if "-" in gold and found.text is not None:
        response = with_located(gold, response)[1]
        gold, text = with_located(gold, found.text)
        found = replace(found, text=text)
    if not is_wordless(response) and found.text is not None:
        gold, response = with_units(gold), with_units(response)
        found = replace(found, text=with_units(found.text))
    if sense_of(gold):
        return _with_sense(gold, found, response, rules, unit_text)
    outcome = _as_given(gold, found, response, rules, unit_text)
    told = letter_by_letter(gold, found, response, rules)
    outcome = told if told is not None and told.finding.equal != outcome.finding.equal else outcome
    shown = response if found.rule == "whole" else found.text or ""
    if not shown or rules.shape:
        return outcome
    another = _not_asked(gold, shown, rules.question)
    if another is not None:
        return outcome if outcome.finding.different else replace(outcome, finding=another)
    said = pointed_at(gold, shown) or claimed(gold, shown, rules.question) or compare_residues(gold, found.text or "")
    said = compare_units(gold, found.text or "", rules.question) or said
    said = compare_distributions(gold, found.text or "", rules) or said
    said = compare_in_base(gold, found.text or "", rules.question) or said
    if not outcome.finding.equal and (said is None or not said.equal):
        said = (
            stated_formula(gold, shown, rules.question)
            or compare_uncertain(gold, shown, rules)
            or said
            or compare_named(gold, shown, rules.question)
            or worded_otherwise(gold, shown, rules.question)
        )
    if said is None or said.judgement is outcome.finding.judgement:
        return outcome
    return Outcome(said, found.text or "", "pointed", readable=said.judgement is not Judgement.UNREADABLE)


def _as_given(gold: str, found: Extraction, response: str, rules: Rules, unit_text: str) -> Outcome:
    """The comparison with what was given, without its manners, and put together from its parts: the one that is equal.

    All of them are compared whatever the first one gave: right and wrong take the same work.
    """
    outcome = _to_either_base(gold, found, response, rules, unit_text)
    text = found.text or ""
    readings = [replace(found, text=each) for each in offhand(text, gold, rules.question)] if _is_in_signs(gold) else []
    if found.rule == "whole":
        readings += [Extraction(each, "parts") for each in assembled(gold, text, rules.question)]
    for each in readings:
        again = _to_either_base(gold, each, each.text or "", rules, unit_text)
        outcome = again if again.finding.equal and not outcome.finding.equal else outcome
    return outcome


def _is_in_signs(gold: str) -> bool:
    return _IN_FIGURES.search(gold) is not None or _OF_FUNCTIONS.fullmatch(gold) is not None


def _in_golds_words(gold: str, found: Extraction, response: str, question: str) -> tuple[Extraction, str]:
    """Answer and response with persons and terms as a gold in words writes them."""
    if found.text is None or "\\" in gold or re.search(r"[^\W\d_]{2}", gold) is None:
        return found, response
    response, text = (
        with_golds_forms(gold, with_golds_names(gold, each, question), question) for each in (response, found.text)
    )
    return replace(found, text=text), response


def _spelt_out(text: str) -> str:
    """A text with the currencies and the drops that it names in the spelling of the grammar, its branches unnamed."""
    text = twice_per(with_drops(with_money(without_article(text))))
    return _SIZE_OF.sub(r"\1", text) if "|" in text and len(text) <= _LONGEST else text


def _not_asked(gold: str, shown: str, question: str) -> Finding | None:
    """The finding where a short answer names another quantity than the one that the question asks for."""
    named = names_another(question, gold, shown)
    if named is not None:
        return different(f"{named} was given where another quantity was asked for")
    odds = at_odds(gold, shown, question)
    if odds is not None:
        return different(odds)
    if of_another(gold, shown, question):
        return different("said of another thing than the one that was asked about")
    if turned_round(gold, shown):
        return different("compared the other way round")
    return different("pairs were counted where each was asked for") if counts_pairs(question, gold, shown) else None


def _to_either_base(gold: str, found: Extraction, response: str, rules: Rules, unit_text: str) -> Outcome:
    """The comparison; a chain that only holds with logarithms to base ten (`pH = -log(…) = 2.87`) means those."""
    outcome = _compared(gold, found, response, rules, unit_text)
    if found.text is None or not _LOG_CHAIN.search(found.text):
        return outcome
    # Both readings are compared whatever the first one gave: right and wrong take the same work.
    decimal = replace(found, text=_LOG.sub(r"\\log_{10}", found.text))
    again = _compared(gold, decimal, response, rules, unit_text)
    contradictory = outcome.finding.reason == "the answer contradicts itself"
    return again if contradictory and again.finding.equal else outcome


def _compared(gold: str, found: Extraction, response: str, rules: Rules, unit_text: str) -> Outcome:
    found = _in_figures(gold, found)
    gold = with_repeats(gold)
    if max(len(gold), len(found.text or "")) > _LONGEST:
        return compare_texts(gold, found, rules, unit_text)
    asked = gold
    if found.text is not None:
        gold, shorter = without_dots(gold, end_of_chain(found.text), rules.question)
        gold, shorter = with_means(gold, shorter)
        shorter = without_formula(shorter, gold, rules.question)
        shorter = by_light(shorter, gold) if "c" in gold or "c" in shorter else shorter
        bounded = as_inequality(as_asked(rules.question, gold, shorter), gold, rules.question)
        ordered = in_asked_order(bounded, gold, rules.question)
        text = without_brackets(ordered)
        if text is None:
            return Outcome(different("the answer contradicts itself"), found.text, found.rule)
        text = with_golds_variable(gold, text, rules.question)
        text = in_full(with_usual_constant(gold, text, rules.question), gold, rules.question)
        text = in_numbers(text, gold, rules.question)
        found = replace(found, text=as_point_set(as_span(as_direction(text, rules.question), gold), gold))
    gold, found = _same_letter(gold, _plainer(gold, found))
    again = without_second_form(found)
    if isinstance(again, Outcome):
        return again
    line = line_of(again) if rules.shape in ("", "set") else ""
    # Members under names of their own (`x_1 = 1, x_2 = 2`) are compared by these names.
    name, listed = (
        members_of(line)
        if line.count("=") > 1 and _NAMES.search(gold) is None and not gold.startswith("(")
        else ("", ())
    )
    if listed:
        asked_name, asked_values = members_of(gold)
        if asked_values and _spelt(asked_name) != _spelt(name):
            return Outcome(different(f"{name} was given where {asked_name} was asked for"), line, found.rule)
        gold = ", ".join(asked_values or (gold,))
        again = replace(again, text=", ".join(listed))
    outcome = compare_texts(gold, again, rules, unit_text)
    if again.text != found.text and not listed:
        # Both readings are compared whatever the first one gave: right and wrong take the same work.
        whole = compare_texts(gold, found, rules, unit_text)
        outcome = outcome if outcome.finding.equal or not whole.finding.equal else whole
        if not outcome.finding.equal and (parts := second_form(line_of(found))) is not None:
            again_said = compare_texts(gold, replace(found, text=parts[1].replace("**", "")), rules, unit_text)
            outcome = again_said if again_said.finding.equal else outcome
    if not outcome.finding.equal and found.rule == "whole" and "\n" in (found.text or "") and "," in gold:
        lines = letters_on_lines(found.text or "")
        together = compare_texts(gold, Extraction(lines, "lines"), rules, unit_text) if lines is not None else outcome
        outcome = together if together.finding.equal else outcome
    if outcome.finding.equal and (other := _other_letter(asked, outcome.given, response)) is not None:
        return replace(outcome, finding=other)
    return outcome


def _in_figures(gold: str, found: Extraction) -> Extraction:
    """The answer with what it says in words of speech in figures, beside a gold that is not words itself."""
    if found.text is None or found.text == gold or _IN_FIGURES.search(gold) is None:
        return found
    text = found.text
    if not is_wordless(text) or "k" in text or "'" in text:
        text = in_brief(text, gold) if len(text) <= _LONGEST else in_figures(text)
    return replace(found, text=text) if text != found.text else found


def _same_letter(gold: str, found: Extraction) -> tuple[str, Extraction]:
    """Gold and answer with one letter for the same arbitrary real number (`for any real a`)."""
    if found.text is None:
        return gold, found
    expected = without_declared(gold)
    text = with_golds_constant(gold, found.text)
    found = replace(found, text=without_constants_stated(text) if expected is None else text)
    given = without_declared(found.text or "") if expected is not None else None
    if expected is None or given is None:
        text = without_quantifier(found.text or "")
        return gold, replace(found, text=text) if text != found.text else found
    (formula, letter), (answer, other) = expected, given
    if letter != other and letter in re.sub(r"\\[A-Za-z]+", "", answer):
        return gold, found
    return formula, replace(found, text=with_letter(answer, other, letter))


def _plainer(gold: str, found: Extraction) -> Extraction:
    """The answer in the spelling that the comparison knows: chances as fractions, a decimal comma as a point."""
    text = found.text
    if text is None:
        return found
    wordless = is_wordless(text)
    text = with_repeats(text, gold)
    text = with_congruences(text, gold)
    text = with_golds_indexes(text if wordless else without_properties(text, gold), gold)
    text = with_names(text, gold)
    text = reworded(respoken(text if wordless else with_plain_definitions(text), gold), gold)
    text = (with_all_signs(text) or worked_in_words(text) if not wordless else None) or text
    text = without_hats(text, gold) if "\\hat" in text else text
    text = _ORDER_STATISTIC.sub("", text) if "max" in text or "min" in text else text
    text = text if wordless else with_rows(_EXCEPTED.sub(r"\g<before>", text))
    paid = _PAID.fullmatch(text.strip()) if "$" in text and "=" in text else None
    if paid is not None:
        return replace(found, text=(paid["sum"] + paid["value"]).replace("\\$", ""))
    if (
        "\\$" in text
        and text.count("$") == text.count("\\$") == 1
        and not re.search("[€£¥₹₩]|euro|EUR|GBP|yen|rupee", gold)
    ):
        text = re.sub(r"\\\$\s*(?=\d)(?![\d.,]*\s?(?:[kKM]|bn)\b)", "", text)
    text = without_exceptions(text, gold)
    if text.count("=") > 1 and len(set(_NAMED_POINT.findall(text))) == 1:
        text = _NAMED_POINT.sub("", text)
    text = (converted(text) or worked_value(text) or chained(text) if "=" in text else None) or text
    text = (limit_of(text) if "\\" in text else None) or text
    power = _POWER.match(text) if "=" in text and "^" in text else None
    if power is not None and "=" not in gold and power["letter"] not in _letters(gold) | _letters(power["value"]):
        text = power["value"]
    text = text if wordless else with_places(_in_digits(with_origin(text, gold)))
    chance = _CHANCE.fullmatch(text) if not wordless else None
    if chance is not None and re.search(r"[%/.\\]", gold):
        parts = [part if part.isdigit() else number_of(part) for part in (chance["part"], chance["whole"])]
        if None not in parts:
            return replace(found, text=f"{parts[0]}/{parts[1]}")
    listed = "," not in text or re.search(r"\d,\s*\d", gold) is not None
    if not listed and len(_FOREIGN.findall(text)) > 1 and not re.search(r"\d\.\d|\b(?:the|is|and)\b", text):
        text = re.sub(r"(?<![\d,.])(\d+),(\d{1,2}|\d{4,})(?![\d,.]*\d)", r"\1.\2", text)
    share = _SHARE_CHANGED.fullmatch(text) if "%" in gold else None
    text = share["share"] if share is not None else text
    if "%" in gold and not _PERIOD.search(gold):
        text = _PERIOD.sub("", text)
    return replace(found, text=text) if text != found.text else found


def _in_digits(text: str) -> str:
    """`Thirty-seven, i.e. 37`, `one quarter, or 25 %` as the number, where the two are one."""
    said = _SAID_IN_DIGITS.fullmatch(text.strip())
    number = number_of(said["words"]) if said is not None else None
    if said is None or number is None:
        return text
    digits = Fraction(said["digits"])
    if number == digits and bool(said["share"]) == bool(said["sign"]):
        return f"{said['digits']}{said['sign'] or ''}"
    return str(Fraction(number)) if said["sign"] and not said["share"] and number == digits / 100 else text


def _letters(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z]", re.sub(r"\\[A-Za-z]+", "", text)))


def _with_sense(gold: str, found: Extraction, response: str, rules: Rules, unit_text: str) -> Outcome:
    text = found.text
    if text is not None:
        found = replace(found, text=without_sense(text))
    outcome = compare_texts(without_sense(gold), found, rules, unit_text)
    if not outcome.finding.equal:
        return outcome
    return replace(outcome, finding=with_sense(gold, response or text or ""))


def _other_letter(gold: str, given: str, response: str) -> Finding | None:
    """The finding where the response states the gold's value of another letter (`y = 7` for `x = 7`), or None."""
    asked = _EQUATION.fullmatch(gold)
    value = given.strip(_DRESS)
    if asked is None or not value:
        return None
    value = value.rpartition("=")[2].strip(_DRESS)
    place = response.rfind(value)
    if place < 0:
        return None
    before = response[max(0, place - _BEFORE) : place].rstrip(_DRESS + "-−+")
    stated = _STATED.search(before)
    if stated is None or _plain(stated["name"]) == _plain(asked["name"]):
        return None
    return different(f"{stated['name']} was given where {asked['name']} was asked for")


def _spelt(name: str) -> str:
    """A letter by its name, also a Greek one: `\\lambda` and `λ` are one."""
    name = _ALIKE.get(name, name)
    name = unicodedata.name(name, "").rpartition(" ")[2].replace("LAMDA", "LAMBDA") if not name.isascii() else name
    return name.lstrip("\\").removeprefix("var").lower()


def _plain(name: str) -> str:
    name = _ALIKE.get(name, name)
    return name.lower() if len(name) == 1 else name
