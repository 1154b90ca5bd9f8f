"""Answers of several parts that a response gives part by part: in clauses, in the lines of a list, in a table.

`The slope is $m = 2$ and the intercept is $b = -5$`, `From the sum we get $x=2$; substituting back gives $y=-1$`,
a table of letters and their values, and points one below the other. The parts are put together as the gold has them;
a text in which a letter has two values, or in which words deny, suppose or report, is none of these.
"""

import re
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Rules, all_equal
from grading.equivalence.ordered import names_asked_for
from grading.equivalence.texts import Outcome, compare_texts
from grading.language import numerals
from grading.language.extract import Extraction
from grading.language.responses import changing, tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.bynoun import by_letters
from grading.language.responses.clauses import is_foreign
from grading.language.responses.corrections import taken_back
from grading.language.responses.segments import formulas, without_formulas

_NAME: Final = r"(?:\\?[A-Za-z]+|[α-ω])(?:_\{?\w{1,3}\}?|[₀-₉])?"
_PART: Final = re.compile(rf"(?P<name>{_NAME})\s*=\s*[^=,;]+")
_JOINED: Final = re.compile(r"\s*(?:[,;]|\\q?quad|\\text\s*\{\s*and\s*\}|\band\b)(?:\s|\\[,;! ]|\\q?quad(?![a-z]))*")
_ENTRY: Final = r"[-−+]?\s?(?:\d[\d.]*(?:/\d+)?|\\[dt]?frac\{\d+\}\{\d+\}|\d*√\d+|\d*π)"
_TUPLE: Final = re.compile(rf"\W*?\(\s*{_ENTRY}(?:\s*,\s*{_ENTRY}){{1,2}}\s*\)\W*")
_DRESS: Final = re.compile(r"\*\*|__|\\[,;:! ]|\\(?:left|right|mathbf|displaystyle)(?![a-z])|&(?==)")
_ENDS: Final = (
    r"(?=\s*(?:[,;$\n|&)]|\\\\|\\q?quad|\\text|\\[)\]]|\\end|\.\s|[.!]?\s*$"
    r"|\s(?:and|or|then|so|which|where|with|as|since|because|while)\b))"
)
_WORDY: Final = re.compile(
    r"(?<![\\A-Za-z])(?!(?:sqrt|pi|frac|sin|cos|tan|log|ln|exp)\b)[A-Za-z]{3,}|[<>≤≥≠?]|\\(?:pm|ne|leq?|geq?)(?![a-z])"
)
_ITEM: Final = re.compile(r"^[ \t]*(?:[-*•+]|\(?(?:\d{1,2}|[a-f]|i{1,3}|iv)[.)])[ \t]+(?=\S)")
_PLAIN_ITEM: Final = re.compile(
    r"(?P<before>[^\d()=]*?)(?P<value>(?:[a-zα-ω](?:_?\d|[₀-₉])?\s*=\s*)?"
    r"(?:\([-−\d.,/ √π]{3,30}\)|[-−]?\d[\d./]*(?:√\d+|π)?))(?P<behind>[^\d()=]*)"
)
_AGAIN: Final = re.compile(
    r",\s*(?:that\s+is(?:\s+to\s+say)?|i\.\s?e\.|namely|in\s+other\s+words)\s*,?\s+(?:at\s+|the\s+points?\s+)?(?P<list>\$[^$\n]{1,80}\$(?:\s*,?\s*(?:and\s+)?(?:at\s+)?\$[^$\n]{1,80}\$){1,5})[\s.]*$"
)
_BEGINS: Final = re.compile(
    r"(?:(?:so|thus|hence),?\s+)?(?:it|(?:the|this|our)\s+(?:[a-z]+\s+){0,2}"
    r"(?:sequence|series|progression|list)(?:\s+of\s+[a-z ]{3,40}?)?)"
    r"\s+(?:begins?|starts?)(?:\s+(?:with|as(?:\s+follows)?))?"
    r"(?:\s+(?:the\s+)?(?:terms|numbers|values))?\s*:?\s+(?P<list>\$?[-−\d][^A-Za-z;:?=]{1,120}(?:\\[lc]?dots|…|\.\.\.)?\$?)"
    r"(?:,?\s+(?:and\s+(?:so\s+(?:on|forth)|continues|goes\s+on)|where|since|because|with)\b[^?]{0,80})?[\s.!]*",
    re.IGNORECASE,
)
_RULE: Final = re.compile(r"^\s*\|(?:\s*:?-+:?\s*\|)+\s*$")
_UNSOUND: Final = re.compile(
    r"\b(?:if|suppos\w*|assum\w*|let|try|tried|trying|tests?|tested|guess\w*|candidates?|attempts?|instead|rather|but|however|although|would|could|might|may|maybe|perhaps|possibly|possible|initial\w*|first\s+(?:guess|attempt|try)|wrong\w*"
    r"|starting|old|previous\w*|given|another|other|reject\w*|discard\w*|exclud\w*|extraneous|spurious|near|nearly|almost|close\s+to)\b|\?",
    re.IGNORECASE,
)
_ANOTHER: Final = re.compile(
    r"(?<![A-Za-z\\_^\d)'*/+−-])(?<![*/+−·-]\s)(?P<name>(?:\\[a-z]{2,8}|[A-Za-zα-ω])(?:_\{?\w{1,3}\}?|[₀-₉])?)\s?\$?\s*="
)
"""A letter with a value."""
_WORKED_ON: Final = re.compile(
    r"(?:\b(?:max|min|maximum|minimum|half|twice|double|minus|plus|times|(?<!value\s)of|than|about|near|log|ln|sin|cos|tan|sqrt|square|squared)|\\(?!q?quad)[a-z]+)\s*\$?$",
    re.IGNORECASE,
)
"""What makes of a letter behind it something else."""
_OTHER_SCRIPT: Final = re.compile("[\u0400-\u1cff\u3040-\ud7ff]")
_EITHER: Final = re.compile(r"\b(?:or|either)\b")
_COUNTED: Final = re.compile(r"\b(?:\d+|one|two|three|four|five|six|seven|eight)\b", re.IGNORECASE)
_LONGEST: Final = 900
_MOST: Final = 12


def assembled(gold: str, text: str, question: str) -> tuple[str, ...]:
    """What a response says in parts, as one answer in the ways in which it may be put together."""
    if len(text) > _LONGEST or len(gold) > _LONGEST // 2:
        return ()
    names, tupled = _asked(gold, question)
    several = _parts(gold) > 1
    if not (names or several) or not _is_sound(text):
        return ()
    found = [_by_letters(each, text, tupled=tupled) for each in names if _EITHER.search(text) is None]
    if several:
        found += [_by_lines(text), _said_again(text), _begun(text)]
    return tuple(each for each in found if each is not None)


def letter_by_letter(gold: str, found: Extraction, response: str, rules: Rules) -> Outcome | None:
    """The comparison of each letter's value with what a noun or the letter tells; None where that decides nothing."""
    if found.text is None or "=" not in gold or rules.shape:
        return None
    told = by_letters(gold, found.text)
    told = told or (by_letters(gold, response) if found.rule not in ("data", "box") else None)
    if told is None:
        return None
    pairs, by_nouns = told
    each = [compare_texts(value, Extraction(given, "by letters"), rules).finding for value, given in pairs]
    finding = all_equal(each, "the same values by letter")
    if not finding.equal and not (by_nouns and finding.different):
        return None
    return Outcome(finding, ", ".join(given for _, given in pairs), "by letters")


@lru_cache(maxsize=256)
def _asked(gold: str, question: str) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """The letters of which a gold gives the values, in the ways they may be, and whether it is a tuple of these."""
    if _TUPLE.fullmatch(gold) is not None:
        size = gold.count(",") + 1
        names = (names_asked_for(question), ("x", "y", "z")[:size])
        return tuple(dict.fromkeys(each for each in names if len(each) == size)), True
    parts = [_PART.fullmatch(part.strip(" $.")) for part in _JOINED.split(gold.strip(" $."))]
    named = tuple(part["name"] for part in parts if part is not None)
    return ((named,), False) if 1 < len(named) == len(parts) == len(set(named)) else ((), False)


@lru_cache(maxsize=256)
def _parts(gold: str) -> int:
    """How many members a gold lists beside each other."""
    depth, count = 0, 1
    for sign in re.sub(r"^\W*?\\\{|\\\}\W*$", "", gold):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(sign, 0)
        count += sign == "," and not depth
    return count


def _is_sound(text: str) -> bool:
    """Whether no word of a text denies, supposes, reports or takes back."""
    said = without_formulas(text)
    abroad = is_foreign(said) or _OTHER_SCRIPT.search(said) is not None
    return not (
        (abroad and tongues.denied(said) is not None)
        or any(words.search(said) for words in (_UNSOUND, say.DENIED, say.REPORTED, say.DOUBTED))
        or taken_back(said)
        or any(say.NOT_STATED.match(line) for line in re.split(r"(?<=[.!:])\s+|\n", said))
    )


def _by_letters(names: tuple[str, ...], text: str, *, tupled: bool) -> str | None:
    """The values that a text gives all of the letters, each one value."""
    plain = _with_rows(_DRESS.sub("", text))
    values: dict[str, str] = {}
    first = len(plain)
    for name in names:
        said = [each for each in _given(name).finditer(plain) if not _WORKED_ON.search(plain[: each.start()][-40:])]
        ends = [(each["value"] or each["formula"] or each["number"]).rpartition("=")[2].strip() for each in said]
        known = {re.sub(r"\s", "", end) for end in ends if not _speaks_of(end, names)}
        if len(known) != 1 or len(said) > _MOST or any(map(_WORDY.search, ends)):
            return None
        first = min(first, said[0].start())
        values[name] = next(end for end in reversed(ends) if not _speaks_of(end, names))
    if any(each["name"] not in names for each in _ANOTHER.finditer(plain, first)):
        return None
    if tupled:
        return f"({', '.join(values.values())})"
    return ", ".join(f"{name} = {value}" for name, value in values.items())


@lru_cache(maxsize=256)
def _given(name: str) -> re.Pattern[str]:
    """What finds the values that a text gives a letter."""
    return re.compile(
        rf"(?<![A-Za-z\\_^\d)'*/+−-])(?<![*/+−·-]\s){re.escape(name)}(?![A-Za-z_(^'])\s?\$?\s*(?:=\s*\$?(?P<value>[^,;$\n|&<>?]{{1,80}}?){_ENDS}"
        rf"|(?:is|equals|must\s+be)\s+(?:then\s+|therefore\s+)?(?:\$(?P<formula>[^$=\n]{{1,40}})\$|(?P<number>[-−]?\d[\d./]*(?<![./])))(?![\w^]){_ENDS})"
    )


def _speaks_of(value: str, names: tuple[str, ...]) -> bool:
    """Whether a value is worked out from another of the letters (`y = 1 - x`)."""
    return any(re.search(rf"(?<![A-Za-z\\]){re.escape(name)}(?![A-Za-z])", value) for name in names)


def _with_rows(text: str) -> str:
    """A text in which the rows of a table say what they give the letter at their head, or at the head of the column."""
    lines = text.split("\n")
    rows = [
        [cell.strip(" $`") for cell in line.strip().strip("|").split("|")]
        for line in lines
        if line.strip()[:1] == "|" and not _RULE.match(line)
    ]
    rest = [line for line in lines if line.strip()[:1] != "|"]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:
        return text
    if len(rows) == 2 and all(re.fullmatch(_NAME, cell) for cell in rows[0]):
        told = list(zip(*rows, strict=True))
    elif len(rows[0]) == 2:
        told = [(head, value) for head, value in rows if re.fullmatch(_NAME, head)]
    else:
        return text
    return "\n".join([*rest, *(f"{head} = {value}" for head, value in told)])


def _by_lines(text: str) -> str | None:
    """The formulas in the lines of a list that ends a text, one in each; as many as the line before says."""
    lines = [line for line in _DRESS.sub("", text).split("\n") if line.strip()]
    first = next((place for place, line in enumerate(lines) if _ITEM.match(line)), len(lines))
    items = [_ITEM.sub("", line) for line in lines[first:] if _ITEM.match(line)]
    lead = " ".join(lines[:first])
    if len(items) < 2 or len(items) < len(lines) - first or changing.IMPERATIVE.match(lead):
        return None
    counted = [
        numerals.number_of(word) or int(word)
        for word in _COUNTED.findall(without_formulas(lead))
        if word.isdigit() or numerals.number_of(word)
    ]
    if any(count != len(items) for count in counted):
        return None
    found = [_formula_of(item) for item in items]
    return None if None in found else ", ".join(each for each in found if each is not None)


def _formula_of(item: str) -> str | None:
    """The one formula of a line whose words have no number; None of other lines."""
    inside = formulas(item)
    if inside:
        lone = len(inside) == 1 and re.search(r"\d", without_formulas(item)) is None
        return inside[0].strip(" .,") if lone else None
    plain = _PLAIN_ITEM.fullmatch(item.strip(" .,;"))
    return plain["value"] if plain is not None else None


def _begun(text: str) -> str | None:
    """The numbers with which a sequence begins: `The sequence begins 1, 4, 9, 16, …`."""
    found = _BEGINS.fullmatch(text.strip().replace("**", ""))
    return found["list"].strip(" $.") if found is not None else None


def _said_again(text: str) -> str | None:
    """The list in which a sentence ends by saying it again: `at $x=0$ and $x=1$, that is, at $(0,0)$ and $(1,1)$`."""
    found = _AGAIN.search(text)
    return ", ".join(each.strip() for each in formulas(found["list"])) if found is not None else None
