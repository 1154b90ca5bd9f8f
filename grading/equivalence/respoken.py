"""Short answers as people speak them, in the spelling that the comparison knows: no word that changes a value goes."""

import re
import unicodedata
from fractions import Fraction
from typing import Final

from grading.equivalence.chains import chain_value
from grading.language.limits import LanguageError
from grading.language.read import read
from grading.language.responses import vocabulary as say
from grading.language.responses.headed import is_sound
from grading.language.tree import Number
from grading.language.unitnames import is_unit

_NUMBER: Final = r"[-−]?\d[\d,]*(?:\.\d+)?"
_EQUALS: Final = re.compile(
    r"^(?P<lead>\W*(?:(?:so|thus|hence|therefore)\W+)?)\$?(?P<name>[A-Za-zα-ω])\$?\s+equals\s+(?=\S)"
)
_WORKED_BEHIND: Final = re.compile(
    rf"\W*(?P<value>{_NUMBER})\s+\((?:=\s*)?(?P<work>\s*[-−]?[\d.]+(?:\s*[-−+*/×·÷^]\s*[\d.]+|[⁰¹²³⁴-⁹]+)+\s*)\)[\s.*]*"
)
"""`255 (15·16 + 15)`"""
_CONGRUENT: Final = re.compile(
    r"\W*(?P<number>\d{1,9})\s*(?:≡|\\equiv)\s*(?P<residue>\d{1,9})\s*(?:\\pmod\s*\{?|\(\s*\\?(?:bmod|mod)\s*)(?P<modulus>\d{1,9})[\s})]*[\s.$]*"
)
_POWER_CONGRUENT: Final = re.compile(
    r"\W*(?P<base>\d{1,9})\s*(?:\^\s*\{?\s*(?P<exponent>\d{1,9})\s*\}?|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,9}))\s*(?:≡|\\equiv)\s*(?P<residue>\d{1,9})\s*(?:\\pmod\s*\{?|\(\s*\\?(?:bmod|mod)\s*)(?P<modulus>\d{1,9})[\s})]*[\s.$]*"
)
_OTHER_FORM: Final = re.compile(
    r"(?P<value>[-−]?\d[\d.,]*(?:\s?/\s?\d+)?\s?(?:\\?%)?)\**\s*\((?:or|i\.\s?e\.,?|that\s+is,?|which\s+is|=|≈)?\s*(?P<other>[-−]?\d[\d.,]*(?:\s+\d+)?\s?(?:/\s?\d+|[½¼¾⅓-⅞])?\s?%?)"
    r"(?P<how>\s+(?:as|in|when\s+(?:written|expressed)\s+as|written\s+as|if\s+written\s+as)\s+(?:an?\s+)?(?:mixed\s+(?:number|form|fraction)|decimals?(?:\s+form|\s+fraction)?|(?:improper\s+|common\s+)?fraction|per\s?cent(?:age)?|(?:simplest|lowest|reduced)\s+(?:form|terms)))?\)"
)
"""`5/4 (or 1¼ as a mixed number)`"""
_UNEQUAL: Final = re.compile(
    r"^\W*?\$?(?P<letter>[a-z])\s*(?:≠|\\neq?(?![A-Za-z]))\s*(?P<one>[-−]?[\d.][\d./]*)\$?\s*(?:,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)\$?(?P<two>[-−]?[\d.][\d./]*)\$?[\s.*]*$"
)
"""`a ≠ 2, −2`"""
_NOT_SO: Final = re.compile(
    r"^\W*(?:no[,;.]?\s+)?(?:(?:it|this|that|\d+)(?:['’]s|\s+is)\s+)?not\s+(?!(?:sure|certain|correct|right|true|possible|quite|exactly|so|really|enough|yet|an?|the|that|this|all|only|just|more|less|at)\b)(?:an?\s+)?[a-z]{3,20}\s*[;:—–]\s*(?=[-−]?\d[\d.,/]*[\s.]*$)",
    re.IGNORECASE,
)
"""`Not prime; 13.`: what is denied is another question's."""
_MONEY: Final = re.compile(r"[€£¥₹₽₩]|\\?\$(?=\s?\d)")
_PRICED: Final = re.compile(
    r"(?P<sum>(?:(?:\\?[€£¥₹₽₩$]\s?)?\d[\d,.]*\s*(?:[-−+*/×·÷]|\\times|\\cdot)\s*)+(?:\\?[€£¥₹₽₩$]\s?)?\d[\d,.]*(?:\s*=\s*(?:\\?[€£¥₹₽₩$]\s?)?\d[\d,.]*)+)(?=\**\$?[\s.!*]*$)"
)
"""`5 × £4,000 = £20,000` at the end of a text."""
_PAID_BEHIND: Final = re.compile(
    r"(?P<sum>[\d,.\s+\-−*/×·÷()=]{3,200}=)[\s*]*(?P<value>\d[\d,.]*)\s?(?P<sign>[€£¥₹₽₩])[\s.*]*"
)
"""`3 × 2.80 + 7 = 15.40 €`"""
_COUNTED_CHAIN: Final = re.compile(
    r"\W*\$(?P<chain>(?:[^A-Za-z=\\$]|\\(?:cdot|times|[dt]?binom|[dt]?frac)(?![A-Za-z]))*\d"
    r"(?:[^A-Za-z=\\$]|\\(?:cdot|times))*=\s*\d[\d.,]*)\$\s+(?P<noun>[a-z]{3,}(?: [a-z]+){0,3})[.!]?"
)
"""`$5! = 120$ ways`"""
_OF_A_WHOLE: Final = re.compile(r"(?<=[\d}$])\s+of\s+(?:a|the)\s+(?:whole|total|pie)\b")
_DEGREE_NAME: Final = re.compile(r"^\s*\$?\s*\[[^\[\]=;]{1,60}:[^\[\]=;]{1,40}\]\s*=\s*(?=\d)")
"""`[K : \\mathbb Q] =` before the degree of an extension."""
_DEFINITION: Final = r"\$?\s*(?:\\?[A-Za-z]+(?:_\{?\w{1,8}\}?)?|[α-ω])\s*:?=\s*[^$,;]{1,80}"
_DEFINED_FIRST: Final = re.compile(
    rf"^\s*(?:(?:With|Defining|Letting|Setting|Writing|Introducing)\s+(?P<one>{_DEFINITION})\$?\s*[,:]"
    rf"|Let\s+(?P<other>{_DEFINITION})\$?(?:\s+(?:denote|be)\s+(?:the|an?)\s+[a-z ]{{2,40}})?\.)"
    r"\s*(?P<rest>[^\n]{1,200})$",
    re.DOTALL,
)
_SORT_BEFORE: Final = re.compile(
    r"(?P<lead>[,;]\s*(?:where|with)\s+)(?:the\s+)?(?:[a-z]+\s+){1,3}(?=\$\s*\\?[A-Za-z]+(?:_\{?\w{1,8}\}?)?\s*=)"
)
"""`with time constant $\\tau = RC$`"""
_HERE: Final = re.compile(r"[,;]\s*(?:here|in\s+which)\s+(?=\$)")
_SORT_BEHIND: Final = re.compile(
    rf"(?P<definition>,\s*(?:where|with)\s+\${_DEFINITION}\$)\s+is\s+(?:the\s+|an?\s+)?[A-Z]?[A-Za-z'’]+(?:\s+[a-z]+){{1,3}}(?=\W*$)"
)
_ENTRY: Final = r"\s*[-−+]?(?:\d+(?:[.,/]\d+)?|√\d+)\s*"
_SPLIT_POINT: Final = re.compile(
    rf"^\W*?(?:[A-Z](?:_?\d)?\s*=?\s*)?\((?P<entries>{_ENTRY}\|{_ENTRY}(?:\|{_ENTRY})?)\)[\s.$*]*$"
)
"""`M(1 | 3)`"""
_ARRIVES: Final = re.compile(
    r"^[^→⇒⟹\n]*=[^→⇒⟹\n]*(?:[→⇒⟹][^→⇒⟹\n]*=[^→⇒⟹\n]*){0,5}[→⇒⟹]\s*(?P<end>[A-Za-zα-ωΔ]\w{0,3}\s*=\s*[^=→⇒⟹\n]*\d[^=→⇒⟹\n]*)$"
)
"""`1/20 - 1/60 = 1/30 → v = 30 cm`"""
_PLAIN_EQUATION: Final = re.compile(
    r"(?P<lead>\b(?:has|with|have)\s+(?:the\s+|an?\s+)?(?:\w+\s+)?equation\s+)(?P<equation>[-−]?[\dxyz][\dxyz\s+−*/·^²³().-]{0,60}=[\dxyz\s+−*/·^²³().-]{0,60}[\dxyz)²³])(?=[.\s]*$)"
)
"""`the line has the equation 2x − y + 1 = 0`"""
_SYMBOL: Final = re.compile(
    r"^\W*(?:the|its)\s+(?:chemical\s+|element\W?s\s+|standard\s+|correct\s+)*symbol(?:\s+(?:of|for)\s+(?:the\s+)?[\w\s]{1,30}?)?\s+is\s+\**(?P<symbol>[A-Z][a-z]?)\**[\s.!]*$",
    re.IGNORECASE,
)
_QUANTITY: Final = r"[-−]?\d[\d.,]*\s?[A-Za-zµΩ°%€£][\w/²³·^°⁻¹-]{0,14}(?:\s+per\s+[a-z]+)?"
_THE_SAME: Final = re.compile(
    rf"^\W*(?:an?\s+[a-z]+\s+of\s+)?(?P<one>{_QUANTITY})\s+(?:is|are)\s+(?:(?:therefore|thus|exactly|just)\s+)?(?:(?:the\s+same(?:\s+[a-z]+)?\s+as|equivalent\s+to|equal\s+to)\s+)?(?:an?\s+[a-z]+\s+of\s+)?\**(?P<other>{_QUANTITY})\**[\s.!]*$",
    re.IGNORECASE,
)
"""`72 km/h is the same speed as 20 m/s`"""
_KIND: Final = r"(?P<kind>(?:positive\s+|non-?negative\s+)?integers?|(?:natural|whole)\s+numbers?)"
_BOUNDED_LETTER: Final = (
    r"(?P<bound>[^$\n,]{0,30}?(?P<letter>[a-z])\s*(?:[<>≤≥]|\\(?:le|ge|leq|geq|lt|gt|leqslant|geqslant)\b)=?"
    r"\s*[^$\n]{1,30}?)"
)
_WHOLE_BEFORE: Final = re.compile(
    rf"^\W*(?:(?:it|this)\s+holds\s+)?(?:(?:exactly|precisely|only|just)\s+)?(?:for\s+)?(?:(?:all|every|each|any|the|those)\s+)*{_KIND}\s+"
    rf"(?:\$?[a-z]\$?\s+(?:with|such\s+that|satisfying)\s+|with\s+)?\$?{_BOUNDED_LETTER}\$?[\s.]*$",
    re.IGNORECASE,
)
"""`all integers $n > 9$`"""
_WHOLE_BEHIND: Final = re.compile(
    rf"^\W*\$?{_BOUNDED_LETTER}\$?\s*,?\s*\(?(?:(?:where|with|for)\s+)?\$?(?P=letter)\$?\s+(?:(?:is|being)\s+)?(?:an?|any)\s+{_KIND}\)?[\s.]*$",
    re.IGNORECASE,
)
"""`$n > 9$, $n$ an integer`"""
_SETS: Final = {"p": "\\mathbb{Z}^+", "n": "\\mathbb{Z}_{\\ge 0}", "i": "\\mathbb{Z}", "w": "\\mathbb{Z}_{\\ge 0}"}
_ROUNDING: Final = re.compile(
    r"\s*\((?:(?:rounded\s+)?to\s+(?:the\s+nearest\s+[a-z]+|(?:\d|one|two|three|four)\s+(?:decimals?|decimal\s+places?|significant\s+(?:figures?|digits)|s\.?\s?f\.?|d\.?\s?p\.?|sig\.?\s+figs?\.?))|rounded(?:\s+(?:up|down))?|approx(?:imately|\.)?)\)(?=\W*$)",
    re.IGNORECASE,
)
"""`25 °C (to the nearest degree)`"""
_HEADED: Final = re.compile(
    r"^\W*(?P<head>[A-Z][A-Za-z]{2,20}(?:\s[A-Za-z]{2,20}){0,4}):\s+\**(?P<equation>(?!.*(?<![\\A-Za-z])[A-Za-z]{3})[^:;$\n]*=[^:;$\n=]*)\**[\s.]*$"
)
"""`Circle: (x − 2)² + (y + 1)² = 9`"""
_OPERATOR: Final = re.compile(r"^(?P<lead>\s*\$?\s*)\\(?:det|deg|gcd|max|min|sup|inf)\s*=(?!=)")
_CLASS: Final = re.compile(r"(?<![\d.,])\\(?:bar|overline)\s*(?:\{\s*(\d{1,3})\s*\}|(\d))")
"""The class of a number: `\\bar 3`."""
_TAKEN_AWAY: Final = re.compile(r"(?<![A-Za-z\\])([A-Z])\s*(?:\\(?=\s*[A-Z(])|[-−–])\s*(?=[A-Z(])")
"""`A − B`, `A \\ B` of sets."""
_FENCED: Final = re.compile(r"\s*```[a-z]*\s*(?P<rows>[\[\](){}\d\s,;./+−-]{1,300}?)\s*```\s*")
"""A matrix alone in a block of code."""
_LONGEST: Final = 400


def respoken(text: str, gold: str = "") -> str:
    """The text in that spelling; any other text as it is."""
    if len(text) > _LONGEST:
        return text
    text = _CLASS.sub(r"\1\2", text) if "\\bar" in text and "\\bar" not in gold and "overline" not in gold else text
    text = _TAKEN_AWAY.sub(r"\1 \\setminus ", text) if "setminus" in gold or "∖" in gold else text
    fenced = _FENCED.fullmatch(text) if "```" in text else None
    text = " ".join(fenced["rows"].split()) if fenced is not None else text
    text = _OTHER_FORM.sub(_one_form, text) if "(" in text else text
    text = _counted_chain(text, gold) if "$" in text and "=" in text else text
    text = _UNEQUAL.sub(r"$\g<letter> \\notin \\{\g<one>, \g<two>\\}$", text) if "≠" in text or "\\ne" in text else text
    text = _NOT_SO.sub("", text) if "ot " in text else text
    text = _paid(text, gold) if "=" in text and _MONEY.search(text) else text
    text = _EQUALS.sub(r"\g<lead>\g<name> = ", text) if " equals " in text else text
    text = _DEGREE_NAME.sub("", text) if "[" in text else text
    text = _OF_A_WHOLE.sub("", text) if " of " in text else text
    text = _PLAIN_EQUATION.sub(r"\g<lead>$\g<equation>$", text) if "equation" in text else text
    text = _ROUNDING.sub("", text) if "(" in text else text
    text = _THE_SAME.sub(r"\g<one> = \g<other>", text) if " is " in text or " are " in text else text
    headed = _HEADED.match(text) if ":" in text and "=" in text and "=" in gold else None
    text = headed["equation"].strip() if headed is not None and is_sound(headed["head"]) else text
    text = _SYMBOL.sub(r"\g<symbol>", text) if "symbol" in text else text
    text = _OPERATOR.sub(r"\g<lead>", text) if "\\" in text else text
    text = _SPLIT_POINT.sub(_point, text) if "|" in text else text
    text = _ARRIVES.sub(r"\g<end>", text) if "=" in text else text
    text = _of_whole_numbers(text) if "integer" in text or "number" in text else text
    return _with_definition_behind(_residue(_without_work(text)))


def _counted_chain(text: str, gold: str) -> str:
    """A chain without what is counted behind it, where the gold names nothing that is counted."""
    found = _COUNTED_CHAIN.fullmatch(text)
    if found is None or re.search("[a-z]{3}", gold) or is_unit(found["noun"]) or say.CHANGED.search(found["noun"]):
        return text
    return found["chain"]


def _paid(text: str, gold: str) -> str:
    """A text without the signs of money in the working that ends it, all of which are one, and the gold's."""
    behind = _PAID_BEHIND.fullmatch(text)
    if behind is not None and behind["sign"] in gold:
        return f"{behind['sum'].replace('**', '')} {behind['value']}"
    found = _PRICED.search(text)
    signs = {sign.lstrip("\\") for sign in _MONEY.findall(found["sum"])} if found is not None else set()
    asked = {sign.lstrip("\\") for sign in _MONEY.findall(gold)}
    if found is None or len(signs) != 1 or (asked and asked != signs):
        return text
    bare = re.sub(r"\\?[€£¥₹₽₩$]\s?(?=\d)", "", found["sum"])
    return f"{text[: found.start()]}{bare}{text[found.end() :]}"


def _one_form(found: re.Match[str]) -> str:
    """A number without another form of it in brackets, where the two are one."""
    one, other = _number(found["value"]), _number(found["other"])
    if found["how"] is None and ("%" in found["value"]) == ("%" in found["other"]):
        return found[0]
    return found["value"] if one is not None and one == other else found[0]


def _number(text: str) -> Fraction | None:
    plain = unicodedata.normalize("NFKC", re.sub(r"(?<=\d)(?=[½¼¾⅓-⅞])", " ", text)).replace("⁄", "/").replace("−", "-")
    share = plain.rstrip().endswith("%")
    parts = plain.rstrip(" %\\").replace(",", "").split()
    try:
        values = [Fraction(part) for part in re.split(r"\s+(?!/)(?<!/\s)", " ".join(parts))]
    except (ValueError, ZeroDivisionError):
        return None
    whole, *rest = values
    if len(rest) > 1 or (rest and (whole.denominator != 1 or not 0 < rest[0] < 1)):
        return None
    total = whole + (rest[0] if whole >= 0 else -rest[0]) if rest else whole
    return total / 100 if share else total


def _of_whole_numbers(text: str) -> str:
    """Inequalities of a letter that is said to be a whole number, with the set that it is in."""
    found = _WHOLE_BEFORE.match(text) or _WHOLE_BEHIND.match(text)
    if found is None:
        return text
    kind = found["kind"].lower()
    inside = "\\mathbb{N}" if kind.startswith("natural") else _SETS[kind[0]]
    return f"${found['bound'].strip()}, {found['letter']} \\in {inside}$"


def _without_work(text: str) -> str:
    """A number without the sum in brackets behind it that it is."""
    found = _WORKED_BEHIND.fullmatch(text) if text.rstrip(" .*").endswith(")") else None
    if found is None:
        return text
    try:
        said = chain_value(read(f"{found['work']} = {found['value']}").node)
    except LanguageError:
        return text
    return found["value"] if isinstance(said, Number) else text


def _residue(text: str) -> str:
    """`17 ≡ 2 (mod 5)` as the remainder that it states, where that is true."""
    found = _CONGRUENT.fullmatch(text) if "≡" in text or "equiv" in text else None
    raised = _POWER_CONGRUENT.fullmatch(text) if found is None and ("≡" in text or "equiv" in text) else None
    if raised is not None:
        exponent = int(raised["exponent"] or unicodedata.normalize("NFKC", raised["raised"]))
        modulus, rest = int(raised["modulus"]), int(raised["residue"])
        return str(rest) if modulus and pow(int(raised["base"]), exponent, modulus) == rest else text
    if found is None:
        return text
    number, residue, modulus = (int(found[name]) for name in ("number", "residue", "modulus"))
    return str(residue) if 0 <= residue < modulus and number % modulus == residue else text


def _with_definition_behind(text: str) -> str:
    """`With $\\tau = RC$: $e^{-t/\\tau}$` and its like as `$e^{-t/\\tau}$, where $\\tau = RC$`."""
    if "=" not in text:
        return text
    first = _DEFINED_FIRST.match(text)
    if first is not None:
        defined = (first["one"] or first["other"]).strip(" $").replace(":=", "=")
        name = re.split(r"[\s=]", defined)[0]
        if not re.search(rf"(?<![A-Za-z\\]){re.escape(name)}(?![A-Za-z])", first["rest"]):
            return text
        return f"{first['rest'].rstrip(' .')}, where ${defined}$"
    return _SORT_BEHIND.sub(r"\g<definition>", _HERE.sub(", where ", _SORT_BEFORE.sub(r"\g<lead>", text)))


def _point(found: re.Match[str]) -> str:
    """A point whose coordinates stand apart by bars, with commas; a comma in one of them is a decimal one."""
    return f"({', '.join(entry.strip().replace(',', '.') for entry in found['entries'].split('|'))})"
