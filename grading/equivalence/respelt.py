"""Answers in another spelling of the same statement: lists under one name, a second form, a letter that is bound."""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from grading.language.unitnames import is_unit
from grading.language.wordless import is_wordless

_SUB = r"(?:_\w|_\{\w+\}|[₀-₉])?"
_AND = r"(?:\s|,|;|、|，|\b(?:or|and|und|oder|ou|et|o|y|e)\b|或|和|\\(?:q?quad|lor|vee)\b|\\[,;])+"
_EACH = re.compile(rf"(?P<name>[A-Za-zα-ω]|\\[a-z]+){_SUB}\s*=\s*(?P<value>[^=<>≤≥±?]+)")
_LEADS = re.compile(
    r"(?:\s|[,:：，]|\b(?:so|thus|hence|therefore|donc|also|daher|folglich|entonces|por\s+(?:lo\s+)?tanto|logo|quindi"
    r"|we\s+(?:get|find|have|obtain)|this\s+gives|answer|the\s+(?:real\s+|integer\s+|two\s+)?(?:solutions?|roots?|answers?)"
    r"(?:\s+of\s+the\s+equation)?\s+(?:is|are)|die\s+lösungen(?:\s+der\s+gleichung)?\s+(?:sind|lauten)"
    r"|les\s+solutions(?:\s+de\s+l['’]équation)?\s+sont|las\s+soluciones(?:\s+de\s+la\s+ecuación)?\s+son"
    r"|as\s+soluções(?:\s+da\s+equação)?\s+são|le\s+soluzioni(?:\s+dell['’]equazione)?\s+sono)\b"
    r"|方程的解[为是]|解[为是]|答案[为是]|所以|因此|故|したがって|よって|解は)*",
    re.IGNORECASE,
)
_MOST = 12
_LONGEST_CLAUSE = 80
_GAP = r"(?:\s|\\[,;:! ]|\\q?quad\b)"
_AGAIN = re.compile(
    rf"(?P<main>.*[\d$}})°%\w*]){_GAP}+\(\s*"
    r"(?P<sign>(?:i\.?\s?e\.?,?|that\s+is,?|or|about|roughly|(?:more\s+)?precisely,?|numerically,?|≈|\\approx|=|~|\$)\s*)*"
    r"(?P<second>[^()]*\d[^()]*|[^()]*\d[^()]*\([^()]*\)[^()]*)\)[\s.*$]*",
    re.DOTALL,
)
_ROUNDED_BOLD = re.compile(
    r"(?P<main>[^*]*\*\*(?!\s*[A-Za-z]\w{0,9}(?:\([^()≈]*[A-Za-z][^()≈]*\))?\s*≈)[^*≈=]*[π√a-zA-Z²³/][^*≈=]*)≈\s*(?P<second>-?\d[\d.]*)\s*\*\*\.?\s*"
)
"""A bold exact value and its decimals."""
_PLACE = re.compile(r"(?:at|for|in|on|by|of|with|when|where|if|so|to|as|from|per|not|or)\b", re.IGNORECASE)
_OR_ABOUT = re.compile(
    r"(?P<main>.*[\d$})°%\w*])\s*,?\s+\(?(?:(?:or|which\s+is|that\s+is)\s+(?:about|roughly|approximately|approx\.|around|≈)|(?:[—–]|which\s+is|,)\s*(?:about|roughly|approximately|numerically,?)|numerically,?|(?<=,\s)or(?=\s+(?:\*\*)?\$?[-−]?[\d\\π√])|(?:which\s+)?correspond(?:s|ing)\s+to|(?:which\s+is\s+|or\s+)?equivalent(?:ly)?(?:\s+to)?,?|i\.e\.,?(?:\s+(?:about|roughly|approximately)(?=\s))?|that\s+is,|es\s+decir,?|d\.\s?h\.|das\s+heißt,?|also(?=\s+[$\d−-])"
    r"|c['’]est-à-dire|o\s+sea,?|ou\s+seja,?|isto\s+é,?|soit|cioè|ossia|ovvero|vale\s+a\s+dire,?|oftewel|dus(?=\s+[$\d−-])|то\s+есть|т\.\s?е\.)\s+(?P<second>.{1,80}?)(?:\s+(?:in\s+round\s+(?:figures|numbers)|rounded|as\s+a\s+(?:percentage|decimal)))?\.?",
    re.DOTALL,
)
_MARKED = re.compile(
    rf"{_GAP}*\(\s*\$?\s*(?:numerically|i\.?\s?e\.?|that\s+is|or\s+about|about|roughly|≈|\\approx|~|=)"
)
_VALUE = re.compile(r"(?:[€£$]\s?\d[\d.,]*|\$|\*\*|[\d$π]\s*(?:\\text\s*\{\s*)?[a-zA-Z/°²³%]+\}?)$")
"""How a value ends behind which a bracket is no factor."""
_PRICE = re.compile(r"[\s*]*\\?\$\s?\d[\d.,]*[\s*]*")
_MEASURED = re.compile(r"[-−]?[\d.,]*\d\s*(?P<unit>[a-zA-Z°%][a-zA-Z°%/²³^\d]*)")
_REAL = re.compile(r"\breal|constant|ℝ|\\mathbb\s*\{?\s*R|∈\s*R")
_DECLARED = re.compile(
    r"[\s,(;$]*(?:\b(?:where|with|for|and)\b[\s$]*)?(?:(?:any|every|all|some|each|an?)\s+)?(?:arbitrary\s+)?(?:real\s+)?"
    r"(?:(?:constants?|numbers?|parameters?|values?\s+of)\s+)?[\s$(]*(?P<letter>[a-zA-Z])[\s$]*"
    r"(?:(?:\\in|∈)\s*(?:\\mathbb\s*\{?\s*R\s*\}?|ℝ|R)|(?:is\s+|being\s+)?(?:an?\s+|any\s+)?(?:arbitrary\s+)?(?:real\s+)?"
    r"(?:constant|number))?[\s$)]*\.?\s*"
)
_FAMILY = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore),?\s+)?(?:(?:all|every|exactly|the)\s+)?(?:functions?|solutions?)\s+(?:are\s+)?(?:all\s+|exactly\s+)?"
    r"(?:functions\s+)?(?:of\s+the\s+form\s+)?",
    re.IGNORECASE,
)
_FOR_ALL = re.compile(
    r"\s*,?\s*\b(?:for|∀)\s+(?:all|every|any|each)\s+(?:real\s+)?(?:numbers?\s+)?\$?(?P<letter>[a-z])\$?(?=\s*(?:$|[.,;]|or\b|and\b))"
)
_ARGUMENT = re.compile(r"\b[a-zA-Z]\s*\(\s*([a-z])\s*\)\s*=")


def members(text: str) -> tuple[str, ...]:
    """The values of `x = 2 or x = 7`, behind at most words that lead to an answer; empty where none are listed."""
    return members_of(text)[1]


def members_of(text: str) -> tuple[str, tuple[str, ...]]:
    """The one name of the values of `x = 2 or x = 7`, and the values."""
    if text.count("=") <= 1:
        return "", ()
    line = re.sub(r"\\text\s*\{([^{}]*)\}", r" \1 ", text)
    line = re.sub(r"\*\*|\$|\\[()\[\]]", " ", line).strip(" .。\n")
    if len(line) > 300 or line.count("=") < 2 or line.count("=") > _MOST:
        return "", ()
    start = _LEADS.match(line)
    pieces = re.split(rf"{_AND}(?=(?:[A-Za-zα-ω]|\\[a-z]+){_SUB}\s*=)", line[start.end() if start else 0 :])
    found = [_EACH.fullmatch(piece.strip(" ,;")) for piece in pieces]
    values = [each["value"].strip() for each in found if each is not None]
    names = {each["name"] for each in found if each is not None}
    wordy = any(re.search(r"(?<![\\A-Za-z])[^\W\d_]{3,}", value) or "," in value for value in values)
    listed = len(values) == len(pieces) > 1 and len(names) == 1 and not wordy
    return (names.pop(), tuple(values)) if listed else ("", ())


def is_one_share(main: str, second: str) -> bool:
    """Whether a share and a number are one value: `5 % (0.05)`, `0.05, i.e. 5 %`."""
    sides = [re.fullmatch(r"\W*?(-?\d+(?:\.\d+)?)\s*(\\?%)?[*$\s]*", side) for side in (main, second)]
    if None in sides:
        return False
    values = [Fraction(side[1]) / (100 if side[2] else 1) for side in sides if side is not None]
    return values[0] == values[1]


def second_form(text: str) -> tuple[str, str] | None:
    """An answer and the form in which it is said again, in brackets or behind "i.e."; None where there is none."""
    if len(text) > 400 or "\n" in text.strip():
        return None
    if "(" not in text and "." not in text and is_wordless(text):
        return None
    bold = _ROUNDED_BOLD.fullmatch(text) if "**" in text else None
    if bold is not None:
        return bold["main"].strip() + "**", bold["second"]
    found = _AGAIN.fullmatch(text) or _OR_ABOUT.fullmatch(text)
    if found is None:
        return None
    main, second = re.sub(r"\s*,?\s*\bwhich$", "", found["main"].strip()), found["second"].strip(" ,.")
    if re.search(r"\d\$?,\s*\$?[-−]?\d", main) and re.match(r",?\s*\(?or\s", text[len(found["main"]) :]):
        return None  # `0, 1, or 4`
    if main.count("$") % 2 and not _PRICE.fullmatch(main):
        main += "$"
    if main.count("**") % 2 and second.count("**") % 2:
        main, second = f"{main}**", second.replace("**", "").strip()
    if "=" in second or _PLACE.match(second):
        return None
    if not re.search(r"\d|\\pi|π", main) or main.count("(") != main.count(")"):
        return None
    measured = _MEASURED.fullmatch(second) if _VALUE.search(main) else None
    marked = found.re is _OR_ABOUT or _MARKED.match(text[len(found["main"]) :]) is not None
    marked = marked or (measured is not None and is_unit(measured["unit"]))
    wordy = [
        word
        for word in re.findall(r"(?<![\\A-Za-z])[^\W\d_]{3,}", second)
        if word not in _UNIT_WORDS
        and not (measured is None and re.search(r"[\dπ$]\s*[a-zµ]{2,4}$", second) and is_unit(word))
    ]
    return (
        (main, second.strip("*$ ") if second.count("$") % 2 else second.strip("* ")) if marked and not wordy else None
    )


_UNIT_WORDS = frozenset(
    {
        "miles",
        "per",
        "litres",
        "liters",
        "grams",
        "kilograms",
        "radians",
        "joules",
        "newtons",
        "kelvin",
        "minutes",
        "minute",
        "hours",
        "hour",
        "seconds",
        "second",
        "days",
        "day",
        "weeks",
        "years",
        "kmh",
        "mph",
        "min",
    }
    | {
        "sec",
        "deg",
        "degrees",
        "percent",
        "cents",
        "metres",
        "meters",
        "dollars",
        "mol",
        "kPa",
        "bar",
        "units",
        "square",
        "cubic",
    }
)


@lru_cache(maxsize=256)
def without_declared(text: str) -> tuple[str, str] | None:
    """A formula without the words that let one of its letters be any real number, and that letter."""
    if _REAL.search(text) is None:
        return None
    body = _FAMILY.sub("", re.sub(r"\s+", " ", text.strip()))
    body = re.sub(r"\\text\s*\{([^{}]*)\}", r" \1 ", body)
    body = re.sub(r"\\boxed\s*\{([^{}]*)\}", r"$\1$", body)
    for match in re.finditer(r"[\s,(;$]+(?:where|with|for|and|[(])\b|\s*[,(;]\s*|\s+\(", body):
        found = _DECLARED.fullmatch(body[match.start() :]) if len(body) - match.start() < _LONGEST_CLAUSE else None
        if found is not None and _REAL.search(found[0]):
            formula = body[: match.start()].strip(" $,;")
            if found["letter"] in re.sub(r"\\[A-Za-z]+", "", formula) and not re.search(
                r"(?<!\\)\b[A-Za-z]{4,}", formula
            ):
                return formula, found["letter"]
    return None


_ARBITRARY = re.compile(
    r"\s*[,;(]?\s*(?:\b(?:where|with|for|and)\b[\s$]*)?(?:(?:some|any|an?|the|every)\s+)?(?:(?:arbitrary|free|real|integration|undetermined)\s+)*(?:constant\s+)?(?:of\s+integration\s+)?"
    r"(?:\$|\\\()?\s*(?P<letter>[A-Z]|[ck])\s*(?:(?:\\in|∈)\s*(?:\\mathbb\s*\{?\s*R\s*\}?|ℝ))?\s*(?:\$|\\\))?\s*(?:\b(?:is|being|denotes)\b\s*)?(?:(?:an?|any|the|some)\s+)?"
    r"(?:(?:arbitrary|free|real|integration|undetermined)\s*)*(?:constant|number|parameter)?(?:\s+of\s+integration)?\s*\)?\s*\$?\s*\.?\s*"
)
_FREE = re.compile(
    r"constant|arbitrary|(?:[,;(]|\b(?:for|with|where))\s*\$?[A-Zck]\s*(?:∈|\\in)\s*(?:ℝ|\\mathbb\s*\{?\s*R)"
)
"""What tells a letter to be free: words, or that it is any real number."""
_GENERAL = re.compile(
    r"differential\s+equation|general\s+solution|\bODE\b|[a-z]['′]\s*=|\bd[yx]\s*/\s*d[xt]", re.IGNORECASE
)
"""What asks for a solution with an arbitrary constant."""
_COUNTED = re.compile(
    r"(?:∈|\\in(?![A-Za-z]))(?!\s*(?:ℝ|ℂ|\\mathbb\s*\{?\s*[RC]))|integer|natural|[<>≤≥]|\b(?:if|when|given)\b"
)
_NUMBERED = re.compile(r"\b([Cck])_\{?[01]\}?(?!\d)")
_SPACING = re.compile(r"(?<!\\)\\(?:[,;:! ]|q?quad(?![A-Za-z]))")
_USUAL = frozenset("CKckAB")
"""Letters that are usual for an arbitrary constant."""


_CONSTANT = r"[A-Za-z](?:_\{?\w\}?|[₀-₉])?"
_SORT = r"(?:(?:arbitrary|real|free|undetermined|integration|complex)\s+){0,3}constants?(?:\s+of\s+integration)?"
_ALL_ARBITRARY = re.compile(
    rf"\s*(?:[,;(]|(?=\s(?:where|with|for|and)\b))\s*(?:(?:where|with|for|and)\s+)?(?:(?:any|some|an?|the|all|two|three)\s+)*(?:{_SORT}\s+)?"
    rf"\$?(?P<letters>{_CONSTANT}\$?(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)\$?{_CONSTANT}\$?){{0,3}})"
    rf"(?P<said>\s*(?:(?:∈|\\in)\s*(?:ℝ|\\mathbb\s*\{{?\s*R\s*\}}?)|=\s*const\b\.?)?\s*(?:(?:is|are|being)\s+)?(?:(?:any|some|an?|the|both)\s+)?(?:{_SORT}|arbitrary)?)\$?\s*\)?[\s.$]*"
)
"""`A and B arbitrary constants`, `for some constant c`, `C = const.`"""
_ONE_OF_SEVERAL = re.compile(r"[,;(]\s*(?:\\q?quad\s*)?\$?[A-Za-z](?:_\{?\w\}?)?\s*$")
"""Before the last letter of several that are declared together: `, C_1` of `, C_1, C_2 \\in \\mathbb R`."""
_MOST_COMMAS = 8


def without_constants_stated(text: str) -> str:
    """A formula without a remark behind it that only says which of its letters are arbitrary constants."""
    if len(text) > 400 or not re.search(r"const|arbitrary|ℝ|mathbb", text):
        return text
    text = _SPACING.sub(" ", text) if "\\" in text else text
    for begin in [match.start() for match in re.finditer(r"[,;(]|\s(?=(?:where|with|for)\b)", text)][-_MOST_COMMAS:]:
        found = None if _ONE_OF_SEVERAL.search(text[:begin]) else _ALL_ARBITRARY.fullmatch(text, begin)
        if found is None or not re.search(r"const|arbitrary|(?:[A-JL-Z]|[A-Z]_\{?\w\}?)\$?\s*(?:∈|\\in)", found[0]):
            continue
        formula = text[:begin].rstrip(" ,;\\")
        letters = re.findall(_CONSTANT, re.sub(r"\band\b|\$", " ", found["letters"]))
        held = _letters_of(formula)
        if {letter[0] for letter in letters} <= held and (len(letters) > 1 or letters[0][0] in _USUAL | {"c", "k"}):
            return formula + "$" if formula.count("$") % 2 else formula
    return text


_OF_WHOLES = re.compile(r"ℤ|ℕ|\\mathbb\s*\{?\s*[ZN]|\binteger")
"""A gold whose letter counts: one that is any real number is another."""


def with_golds_constant(gold: str, text: str) -> str:
    """An answer with its one declared arbitrary constant under the name that the gold has for it.

    `A e^{3x}`, where A is an arbitrary constant, beside `C e^{3x}`; any other text as it stands.
    """
    if len(text) > 400 or _OF_WHOLES.search(gold) is not None:
        return text
    spaced = _SPACING.sub(" ", text) if "\\" in text else text
    return _with_constant(gold, spaced) or text if _FREE.search(spaced) is not None else text


def _with_constant(gold: str, text: str) -> str | None:
    """The answer with the gold's constant; None where it declares no other one."""
    for match in re.finditer(r"\s*[,;(]\s*|\s+(?=(?:where|with|for)\b)", text):
        found = _ARBITRARY.fullmatch(text, match.start())
        if found is None or _FREE.search(found[0]) is None:
            continue
        formula, letter = text[: match.start()], found["letter"]
        if _ONE_OF_SEVERAL.search(formula) is not None:
            continue
        known = _letters_of(gold)
        wanted = (known & _USUAL) - _letters_of(formula)
        if letter in known and letter in _letters_of(formula):
            return formula
        if letter in known or letter not in _letters_of(formula) or len(wanted) != 1:
            return None
        return _with_letter_in_formulas(formula, letter, min(wanted))
    return None


_OF_POLYNOMIALS = re.compile(r"\b(?:characteristic|minimal|minimum)\s+polynomial|generating\s+function", re.IGNORECASE)
_VARIABLE = re.compile(r"\\lambda(?![A-Za-z])|λ|(?<![A-Za-z\\])[xtzs](?![A-Za-z])")


def with_golds_variable(gold: str, text: str, question: str) -> str:
    """`x^2 - 5x + 6` beside `\\lambda^2 - 5\\lambda + 6` where a polynomial is asked for whose letter nobody names."""
    if len(text) > 400 or _OF_POLYNOMIALS.search(question) is None:
        return text
    wanted, found = ({*_VARIABLE.findall(side)} for side in (gold, text))
    if len(wanted) != 1 or len(found) != 1 or wanted == found:
        return text
    return _VARIABLE.sub(lambda _: min(wanted), text)


def with_usual_constant(gold: str, text: str, question: str) -> str:
    """`k e^{3x}` beside `C e^{3x}` where a general solution is asked for, and the question has neither letter."""
    if len(text) > 400 or _GENERAL.search(question) is None or _COUNTED.search(text):
        return text
    asked = _letters_of(question)
    wanted = (_letters_of(gold) & _USUAL) - asked
    bare = _NUMBERED.sub(r"\1", text)
    given = (_letters_of(bare) & _USUAL) - asked
    if len(wanted) == 1 and wanted == given and not _NUMBERED.search(gold):
        return bare
    if len(wanted) != 1 or len(given) != 1 or re.search(rf"{min(given)}\s*=", bare):
        return text
    return _with_letter_in_formulas(bare, min(given), min(wanted))


def _with_letter_in_formulas(text: str, letter: str, other: str) -> str:
    """A text with a letter renamed in its formulas, in all of it where it has none between delimiters."""
    renamed = _FORMULAS.sub(lambda part: with_letter(part[0], letter, other), text)
    return renamed if renamed != text else with_letter(text, letter, other)


_FORMULAS = re.compile(r"\$[^$]+\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)


def _letters_of(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z]", re.sub(r"\\[A-Za-z]+|\$", " ", "".join(_FORMULAS.findall(text)) or text)))


def with_letter(formula: str, letter: str, other: str) -> str:
    """A formula with one of its letters renamed; the names of commands stay."""
    rename: Callable[[re.Match[str]], str] = lambda match: other if match[0] == letter else match[0]  # noqa: E731
    return re.sub(r"\\[A-Za-z]+|[A-Za-z]", rename, formula)


_INDEXED = re.compile(
    r"(?<![A-Za-z\\])(?P<letter>[A-Za-z])_(?:\{\s*(?:\\(?:text|mathrm|rm)\s*\{\s*)?|\\)?(?P<index>[A-Za-z]{1,5})(?![A-Za-z])"
)


def with_golds_indexes(text: str, gold: str) -> str:
    """Names with the index on the line, `Ksp` for the gold's `K_{sp}`, where the gold has no such letters alone."""
    for name in _INDEXED.finditer(gold) if "_" in gold and len(text) <= 400 else ():
        letter, index = name["letter"], name["index"]
        spelt = re.compile(rf"(?<![A-Za-z\\_{{]){letter}{index}(?![A-Za-z}}])")
        alone = rf"(?<![A-Za-z\\_{{]){letter}(?![A-Za-z_])"
        if spelt.search(text) is not None and (len(index) > 1 or re.search(alone, gold) is None):
            text = spelt.sub(f"{letter}_{{{index}}}", text)
    return text


def without_quantifier(text: str) -> str:
    """`f(x) = 2x for all x` without what says that it holds everywhere."""
    if "=" not in text or is_wordless(text):
        return text
    arguments = set(_ARGUMENT.findall(text))
    if not arguments or re.search(r"otherwise|\bif\b|\bwhen\b|[<>≤≥]|\\[gl]eq?\b", text):
        return text
    return _FOR_ALL.sub(lambda match: "" if match["letter"] in arguments else match[0], text)
