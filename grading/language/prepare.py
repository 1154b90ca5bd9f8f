"""Strips what surrounds an answer: delimiters, markdown, lead-in words, final stops."""

import re
from fractions import Fraction
from functools import lru_cache
from math import gcd

from grading.language import numerals
from grading.language.characters import to_ascii
from grading.language.concentrations import with_concentrations, with_pressures
from grading.language.dress import undressed
from grading.language.heads import named, one_spelling
from grading.language.inbase import with_bases
from grading.language.limits import MAX_LENGTH, LanguageError, TooLargeError
from grading.language.unitsabroad import with_units
from grading.language.unittext import is_spelt

_LEAD = re.compile(
    r"^(?:(?:\\text|\\mathrm|\\textbf|\\mbox)\s*\{\s*)?"
    r"(?:(?:so|thus|hence|therefore|answer|final answer|the final answer|the answer|the correct answer|my answer"
    r"|result|solution|it|that|this|we get|is|are|equals|approximately|approx\.?|about|roughly|around|nearly"
    r"|exactly|just|almost"
    r"|final|total(?=\s*:)|ans\.?|value|circa|ca\.|the|a total of|only)"
    r"\b(?:[\s,:]|\.(?!\d))*)+(?:=|\\approx)?\s*(?:\}\s*)?(?=\S)",
    re.IGNORECASE,
)
_LEAD_SIGN = re.compile(
    r"^(?:=|:|\\to(?![A-Za-z])|~|\\approx|\\sim|\\simeq|\\therefore|\\implies|\\Rightarrow|\\rightarrow|≈)\s*(?=\S)"
)
_SIGNS = frozenset("=:~\\≈")
"""With what such a sign begins."""
_NEGATIVE = re.compile(r"^(?:minus|negative)\s+(?=\.?\d)", re.IGNORECASE)
_ORDER = re.compile(
    r"(?<![A-Za-z\\])(?P<letter>[JYIK])_\s*[{(]\s*(?P<sign>-)?\s*(?:(?P<half>\d{1,2})\s*/\s*2"
    r"|\\[dt]?frac\s*\{?(?P<over>\d{1,2})\}?\s*\{?2\}?"
    r"|(?P<whole>(?<=-)\d{1,2}))\s*[})](?=\s*(?:\\left)?\s*\()"
)
_ROWS = re.compile(r"\[((?:\s*-?[\d./]+(?:[\s,]+-?[\d./]+)*\s*;)+\s*-?[\d./]+(?:[\s,]+-?[\d./]+)*\s*)\]")
_OPERATOR_ALONE = re.compile(r"^\s*\\(?:i{1,3}nt|oint|sum|prod|lim)\s*=\s*(?=\S)")
"""A sign of integration that stands for the integral asked for: `\\int = x^2 + C`."""
_END = r"\s*(?:\{[^{}=]{1,30}(?:\{[^{}]{0,20}\}[^{}=]{0,20})?\}|\\?\w+?)"
_EVALUATED = re.compile(
    rf"=\s*(?:\\left|\\[bB]igg?l?)?\s*\[[^\[\]=]{{1,150}}(?:\\right|\\[bB]igg?r?)?\]"
    rf"\s*(?:_{_END}\s*\^{_END}|\^{_END}\s*_{_END})\s*(?==)"
)
"""An antiderivative between its ends in the middle of a chain, `= [e^x]_0^2 =`: working whose end says the value."""
_MATRIX_CALL = re.compile(
    r"(?:\b(?:np|numpy|sp|sympy)\s*\.\s*)?\b(?:array|Matrix|matrix)\s*\(\s*(\[\s*\[.{1,400}\]\s*\])\s*\)"
)
_UNCERTAIN = re.compile(r"(?<![\d.])(\d+\.\d{1,15})\(\d{1,2}\)(?=(?:\s|\\[,; ]|~)+(?:\\(?:mathrm|text)|[A-Za-z]))")
"""The uncertainty of the last digits: `9.81(5) m`."""
_OTHER_UNIT = re.compile(
    r"(?P<first>[^()]{0,60}\d\s*(?P<unit>(?:[A-Za-z%]|\\degree)[^()=]{0,20}?))\s*,?\s*\(\s*(?:=|~|\\approx|or"
    r"|about)?\s*"
    r"(?P<second>-?[\d.]+\s*(?P<other>(?:[A-Za-z%]|\\degree)[^()=]{0,20}?))\s*\)\.?"
)
"""A quantity, and the same in another unit in brackets."""
_MAPPING = re.compile(r"^\s*([A-Za-z])\s*:\s*([a-z])\s*\\mapsto(?![A-Za-z])")
"""`f: x \\mapsto x^2` as `f(x) = x^2`."""
_UNIT_INSIDE = re.compile(
    r"(\\[dt]?frac\s*\{[^{}]*\d)(?:\s|~|\\[,;: ])*\\(?:text|mathrm)\s*\{\s*([A-Za-z]{1,6})\s*\}\s*\}"
    r"(\s*\{[^{}\\]*\})\s*$"
)
"""A unit behind the number over a fraction in letters."""
_UNIT_BETWEEN = re.compile(
    r"(?P<number>\d[\d.]*)(?:\s|~|\\[,;: ])*\\(?:text|mathrm)\s*\{\s*(?P<unit>[A-Za-z]{1,6})\s*\}"
    r"(?P<under>\s*/\s*[A-Za-z](?:\^\{?\d\}?)?)\s*$"
)
"""A unit between a number and the letters under it: `13.6\\,\\text{eV}/n^2`."""
_UPRIGHT_EXPONENT = re.compile(
    r"(?<=\d)\s*\\(?:text|mathrm)\s*\{\s*(?:[eE](?P<sign>[-−+])|E)\s*(?P<inside>\d{1,3})?\}\s*(?P<behind>(?(inside)(?!)|\{?[-−+]?\d{1,3}\}?))?"
)
"""`1.38\\text{e-}23`"""
_STANDARD = re.compile(
    r"(?<=[A-Z])\^(?:\\circ|\{\s*\\circ\s*\})\s*(?P<index>_(?:\\(?:text|mathrm)\s*)?\{[^{}]{1,20}\})"
)
"""The index of a standard value behind its sign: `E^\\circ_\\text{cell}`."""
_WRAPPED = re.compile(r"^\{([^{}]*(?:\{[^{}]*\}[^{}]*)*(?:=|\\in\b)[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}$")
"""A group about the whole of a statement."""
_QUOTED = re.compile(r"^([\"'])(-?[\d.,/]+)\1\.?$")
_IN_DIGITS = re.compile(r"([A-Za-z][A-Za-z -]{1,60}) \((-?\d{1,12})\)\.?")
_LEADS_TO = re.compile(r"(=[^=\n]{1,60}?)\\to\b(?=[^=]{1,20}=)")
_TAIL = re.compile(r"(?:\s|\\[,;:! ]|\\quad|\\qquad|~|(?<!\\)\\$|(?<!\.)\.)+$")
_TAILS = frozenset("\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f ,;:!d~\\.")
"""With what such a tail ends; `d` is that of `\\quad`."""
_GROUP = r"(?<![\d.,_^{])(?<!\d[,.] )(\d{1,3})((?:(?:%s\{,\}|,\\!|,\\! |\\,|\\ | |~|\\;|\\thinspace )\d{3})+)"
_NOT_MORE = r"(?![\d]|,\d|\s*!)"
_LIST_OF_GROUPS = re.compile(r"\d(?:,|\{,\})\d{3}[,;] +\d")
"""`27,000, 18,000`: what stands between the numbers has a space behind it, what stands in them has none."""
_GROUP_OF_LIST = re.compile(r"(?<![\d.,}])\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d|,\d)")
_THOUSANDS = re.compile(_GROUP % ",|" + _NOT_MORE)
_BRACED_THOUSANDS = re.compile(r"(?<=\{)(\d{1,3})((?:(?:\{,\}|,\\!|\\,)\d{3})+)(?=\})")
_PLAIN_THOUSANDS = re.compile(_GROUP % "" + _NOT_MORE)
_GAP = r"(?:\\,|\\ | |~|\\;|\\thinspace )"
_GROUPED_DECIMALS = re.compile(
    rf"(?<![\d.,_^])(\d{{1,3}}(?:{_GAP}\d{{3}})*\.\d{{3}})((?:{_GAP}\d{{3}})*{_GAP}\d{{1,3}})(?![\d.,/^]|\s*!)"
)
"""`0.000 000 32`: digits in threes behind the point."""
_SCIENTIFIC = re.compile(
    r"(\d)(?:\s|\\[,;: ])*\\(?:mathrm|text|rm|mathit)\s*\{\s*[eE]\s*\}\s*(?:\^?\{?)([+-]?\d{1,4})\}?"
    r"|(\d)\s+E\s?([+-]?\d{1,4})\b"
)
_ESCAPES = {"\a": "a", "\b": "b", "\f": "f", "\t": "t", "\v": "v", "\r": "r"}
_EATEN = re.compile(
    "\f(?=rac)|\t(?=extcirc|extdegree|heta|imes|riangle)|\r(?=ight|ho\\b|angle|floor|ceil)"
    "|\b(?=eta|egin|inom|ar\\b|oxed|f\\b|mod|ullet)|\v(?=ec\\b|ar[a-z]|ee\\b)|\a(?=lpha|pprox|ngle|st\\b)"
)
"""Commands whose backslash and first letter a careless decoder has taken for one control character."""
_REPEATING = re.compile(r"(\d{0,40})\.(\d{0,40})\\(?:overline|dot|bar)\s*\{(\d{1,40})\}")
_GOES_ON = re.compile(
    r"(?<![\d.])(\d{0,20})\.(\d{0,20}?)((\d)\4{2,20})\s*(?:\.\.\.|\\(?:l|c)?dots|(?:\\text\s*\{\s*)?(?:repeating"
    r"|recurring)\}?)"
)
_IN_BASE = re.compile(
    r"(?P<head>[A-Za-z]\w?\s*=\s*)?(?:(?P<braced>\(|\\left\()\s*(?P<digits>[0-9A-F]{1,40})\s*(?:\)|\\right\))"
    r"|(?P<bare>\d[0-9A-F]{0,40}))"
    r"\s*_\s*(?:\{\s*(?:\\text\{)?)?(?P<base>\d{1,2})\}{0,2}"
)
_PREFIXED = re.compile(r"0([xXbo])([0-9A-Fa-f]{1,40})")
_MAX_BASED = 80
_BOLD = re.compile(r"(?:(?<=\s)|(?<=^)|(?<=[=(]))\*\*(?=\S)([^*\n]{1,80})(?<=\S)\*\*(?=[\s.,;:)]|$)")
"""Bold type within an answer; `2**3` is a power."""
_BLOCK = re.compile(
    r"(?<![\d.])(\d{0,20})\.(\d{0,6}?)(\d{2,6}?)((?:\3){1,12})\s*(?:\.\.\.|\\(?:l|c)?dots(?![A-Za-z])"
    r"|(?:\\text\s*\{\s*)?(?:repeating|recurring)\}?)"
)
_CUT_OFF = re.compile(r"(?<![\d.])(\d{1,20}\.\d{3,40})\s*(?:\.\.\.|\\(?:l|c)?dots(?![A-Za-z]))\s*$")
"""A decimal that goes on: its digits stand for what begins with them."""
_PROGRAM_NAMES = ("gamma", "psi", "polylog", "Li", "Re", "Im")
_PROGRAM_CALL = re.compile(
    r"(?<![A-Za-z\\{_^])(?:(?P<of>gamma|digamma|psi)\s*\((?=[\d\s./+*-]+\))|polylog\s*\(\s*(?P<degree>\d{1,2})\s*,"
    r"|(?P<name>Li)_\{?(?P<order>\d{1,2})\}?\s*\(|(?P<name2>Re|Im)\s*\()"
)
_HALVED_LOGARITHM = re.compile(
    r"(?P<log>\\?(?:ln|log)\s*(?:\^\s*(?:\d|\{\s*\d\s*\}))?)\s*(?P<over>\d{1,6})\s*/\s*(?P<under>\d{1,6})(?![\d.])"
)
_WIDE = re.compile(r"[ \t]{3,}")
_BOUNDED = re.compile(r"(?<![A-Za-z\\])(lim|sum|prod|int)(?=\s*_)")
_TOTAL = re.compile(r"(=[^=]*\d)\s+total\.?$")
_SQUARE = re.compile(r"(?<=\d)\s*sq\.?\s+(?=[a-z])")
_MEASURE = re.compile(r"\bm\s*(?=\\angle)|(?<=\\)measured(?=angle)")
_LAST_POINT = re.compile(r"(?<=\d|\})\.(?=\s*(?:\\right)?\s*[\])])")
_STUCK = re.compile(r"(?<=\d)(or|and)(?=[A-Z]\(|[a-z]=)")
_ORDINALS = ("st", "nd", "rd", "th")
_ORDINAL = re.compile(r"\b(\d{1,6})(?:st|nd|rd|th)\b(?!\s*\{)")
_TEN_TIMES = re.compile(r"(?<=\d)\s*[xX]\s*(?=10\s*(?:\^|\*\*))")
_LEIBNIZ = re.compile(
    r"(?<![A-Za-z\\])(?P<d>d|\\partial\s)\s?(\^\{?\d\}?)?\s?([A-Za-z])\s*/\s*(?P=d)\s?([A-Za-z])(\^\{?\d\}?)?"
)
_BRACED_COMMA = re.compile(r"(?<=\d)\{,\}(?=\d{1,2}(?!\d|\{,\}\d)|\d{4})|(?<=(?<![\d.,}])0)\{,\}(?=\d)")
"""A comma in braces is no list's: before three digits it parts thousands, else it is decimal."""
_APOSTROPHES = re.compile(r"(?<![\d'.])(\d{1,3})((?:'\d{3})+)(?![\d'])")
_ROW_GAP = re.compile(r"\\\\\[[-\d.a-z ]*\]")
_DELIMITER = re.compile(r"(?<!\\)((?:\\\\)*)\\[\[\]()]")
_DELIMITERS = ("\\[", "\\]", "\\(", "\\)")
_DOLLAR = re.compile(r"(?<!\\)\$")
_FEW = 6
_MAY_RESTATE = re.compile(r"i\.\s?e\.|that is|equivalent|namely|\\i?ff|Rightarrow|implies")
_THAT_IS = re.compile(
    r"\s*[,;]?\s*(?:\\text\s*\{\s*)?[,;]?\s*\(?\s*(?:\bi\.\s?e\.|\bthat is\b(?!\s+(?:not|no)\b)"
    r"|(?:\bor\s+)?\bequivalently\b|\bnamely\b)\s*[,:]?\s*\}?\s*"
    r"|\s*\\(?:Leftrightarrow|Longleftrightarrow|implies|Rightarrow|Longrightarrow|iff)(?![A-Za-z])\s*(?=\S)"
)
"""Words and arrows behind which the same is said again."""
_SOLUTIONS = re.compile(r"\\mathbb\s*\{?\s*([LSD])\s*\}?(?=\s*=)")
"""A set of solutions by its name, `\\mathbb{L} =`."""
_PARTIAL = re.compile(
    r"\\partial_\s*\{?(?P<by>[a-z]|\\[a-z]+)\}?(?:\^\{?(?P<order>\d)\}?)?(?:\s|\\[,;! ])*"
    r"(?P<of>\\[A-Za-z]+(?![A-Za-z{])|[A-Za-z](?![A-Za-z]))"
)
_CONSTANT = re.compile(r"\+\s*(?:\\(?:text|mathrm)\s*\{\s*const(?:ant)?\.?\s*\}|const(?:ant)?\b\.?)\s*$")
_BRACKETED_CYCLE = re.compile(r"(?<![\d.])(\d{1,20})\.(\d{0,6})\((\d{1,6})\)$")
_DEGREE = re.compile(
    r"\^\s*(?:\{\s*\\circ\s*\}|\\(?:circ|textcirc|textdegree|degree)(?![A-Za-z]))"
    r"|\\(?:textcirc|textdegree)(?![A-Za-z])|\\circ(?=\s*\\?(?:text|mathrm)?\{?[CF]\b)"
)
_POINTED_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3}){2,}(?![\d.])")
"""`299.792.458`: two points or more are never decimal ones."""
_WORDED_TAIL = re.compile(
    r"(?:\s+|\\text\s*\{\s*)\((?=[^)]*[A-Za-z]{4})"
    r"(?![^)]*\b(?i:accept\w*|correct|grade[dr]?|full|marks?|scored?|credit|if|unless|only|when|wrong|not|or)\b)"
    r"(?:[A-Za-z][a-z]+[ ,.-]+){0,7}[A-Za-z][a-z]+[ ,.-]*\)\s*\}?$"
)
"""A remark in brackets, with a word of four letters or more: `(kt)` is a factor."""


@lru_cache(maxsize=128)
def prepare(text: str, grouped: bool = True, decimal_comma: bool = False) -> str:
    """The bare answer in ASCII. `grouped` reads `1,024` as a number, `decimal_comma` reads `1.024,5`.

    Raises LanguageError.
    """
    if len(text) > MAX_LENGTH:
        raise TooLargeError(f"the answer is longer than {MAX_LENGTH} characters", MAX_LENGTH)
    text = _in_one_line(text) if "\n" in text else text
    if not text.isprintable():
        text = _EATEN.sub(lambda match: "\\" + _ESCAPES[match[0]], text)
    text = _WIDE.sub("  ", text) if "   " in text or "\t" in text else text
    text = text if text.isascii() and "R$" not in text else with_units(text)
    text = to_ascii(text.strip().replace("\r\n", "\n"))
    if not text.isprintable():
        raise LanguageError("control characters are not of the language")
    text = text.replace("LambertW", "W") if "LambertW" in text else text
    text = with_concentrations(text) if "]" in text else text
    text = with_pressures(text) if "P_" in text or "p_" in text or "p(" in text else text
    text = _STANDARD.sub(r"\g<index>^\\circ", text) if "circ" in text and "_" in text else text
    text = _UPRIGHT_EXPONENT.sub(_in_powers_of_ten, text) if "{e" in text or "{E" in text else text
    text = undressed(_undelimited(with_bases(text)))
    text = _WRAPPED.sub(r"\1", text) if text.startswith("{") else text
    text = _said_twice(_QUOTED.sub(r"\2", text) if text[:1] in ("'", '"') else text)
    text = _respelt(named(one_spelling(_undelimited(text))))
    if text.count(".") > 1:
        text = _POINTED_THOUSANDS.sub(lambda match: match[0].replace(".", ""), text)
    if decimal_comma:
        text = re.sub(r"(?<![\d.,])([1-9]\d{0,2})((?:\.\d{3})+)(?![\d.])", lambda m: m[1] + m[2].replace(".", ""), text)
        text = re.sub(r"(?<=\d)(?:\{,\}|,)(?=\d)", ".", text)
    text = _BRACED_COMMA.sub(".", text) if "{,}" in text else text
    text = re.sub(r"([)\]])\s*U\s*(?=[(\[])", r"\1\\cup ", text) if "U" in text else text
    text = re.sub(r"(?<![A-Za-z\\])log(\d{1,3})(?=\s*\()", r"\\log_{\1}", text) if "log" in text else text
    text = _worded_signs(_written_as_program(text))
    text = _numbers(_based(_led(text)), grouped)
    return _DEGREE.sub(r"\\degree ", text) if "circ" in text or "degree" in text else text


def _written_as_program(text: str) -> str:
    """Orders, bounds, matrices and uncertainties in the spelling of LaTeX. What a text has not is not looked for."""
    if "_" in text:
        text = _BOUNDED.sub(r"\\\1", _ORDER.sub(_order, text) if "(" in text else text)
    if "(" in text:
        text = _MATRIX_CALL.sub(r"\1", text) if "array" in text or "atrix" in text else text
        text = _PROGRAM_CALL.sub(_called, text) if any(name in text for name in _PROGRAM_NAMES) else text
        text = _in_other_unit(_UNCERTAIN.sub(r"\1", text) if "." in text else text)
    if ";" in text:
        text = _ROWS.sub(_rows, text)
    text = _SOLUTIONS.sub(r"\1", text) if "mathbb" in text else text
    if "\\partial_" in text:
        text = _PARTIAL.sub(_partial, text)
    if "/" in text and ("ln" in text or "log" in text):
        text = _HALVED_LOGARITHM.sub(_log_divided, text)
    if "\\log_" in text:
        text = _ONE_DIGIT.sub(r"\\log_{\1}{\2}", text)
    if "\\" in text:
        text = _OPERATOR_ALONE.sub("", text) if "=" in text else text
        text = _EVALUATED.sub("", text) if "=" in text and "]" in text else text
        text = _LEADS_TO.sub(r"\1\\iff ", text) if "\\to" in text and "lim" not in text else text
        text = _MAPPING.sub(r"\1(\2) = ", text) if "mapsto" in text else text
        text = _UNIT_INSIDE.sub(_unit_taken_out, text) if "frac" in text and "{" in text else text
        text = _UNIT_BETWEEN.sub(_unit_behind, text) if "/" in text and "{" in text else text
        text = _MEASURE.sub("", text) if "angle" in text else text
    return text


def _partial(match: re.Match[str]) -> str:
    """`\\partial_t u` and `\\partial_x^2 u` as fractions of differentials."""
    order = f"^{match['order']}" if match["order"] else ""
    return f"\\frac{{\\partial{order} {match['of']}}}{{\\partial {match['by']}{order}}}"


def _called(match: re.Match[str]) -> str:
    """`gamma(1/3)`, `Li_3(1)`, `polylog(3, x)`, `Re(s)` as functions."""
    name = match["name"] or match["name2"]
    if name is not None:
        return f"\\mathrm{{Li}}_{{{match['order']}}}(" if name == "Li" else f"\\operatorname{{{name}}}("
    return {"gamma": "\\Gamma(", "digamma": "\\psi(", "psi": "\\psi("}.get(
        match["of"] or "", f"\\mathrm{{Li}}_{{{match['degree']}}}("
    )


_ONE_DIGIT = re.compile(r"\\log_(\d)(\d)(?=\s*(?:[})\]$.,;=+]|$))")
"""A base of one digit and its number, as LaTeX reads `\\log_27`."""


def _log_divided(match: re.Match[str]) -> str:
    """`ln 4/2` as half of `ln 4`: nobody writes a quotient that can be worked out."""
    over, under = int(match["over"]), int(match["under"])
    return f"{match['log']}({over})/{under}" if under and gcd(over, under) > 1 else match[0]


def _worded_signs(text: str) -> str:
    """Numbers and differentials as the grammar spells them. What a text has not is not looked for."""
    text = _TOTAL.sub(r"\1", text) if "total" in text else text
    text = _SQUARE.sub(" square ", text) if "sq" in text else text
    text = _congruent(text) if "mod" in text else text
    text = text.replace("+/-", "\\pm ").replace("+/−", "\\pm ") if "+/" in text else text
    text = _LAST_POINT.sub("", text) if "." in text else text
    text = _STUCK.sub(lambda m: f" {m[1]} ", text) if "or" in text or "and" in text else text
    text = _ORDINAL.sub(lambda m: f"{m[1]} ", text) if any(end in text for end in _ORDINALS) else text
    text = _TEN_TIMES.sub("*", text) if "x" in text or "X" in text else text
    text = _LEIBNIZ.sub(_leibniz, text) if "/" in text and ("d" in text or "partial" in text) else text
    return _APOSTROPHES.sub(lambda m: m[1] + m[2].replace("'", ""), text) if "'" in text else text


def _in_one_line(text: str) -> str:
    """Lines that are equations, one below the other, as a list."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    equations = all("=" in line and not re.search(r"(?<!\\)[A-Za-z]{2}|[\\$&]", line) for line in lines)
    return ", ".join(lines) if len(lines) > 1 and equations else text


def _respelt(text: str) -> str:
    """A constant of integration in words as `C`, and words behind which the same is said again as `\\iff`."""
    if "const" in text and not re.search(r"(?<![A-Za-z])C(?![A-Za-z])", text):
        text = _CONSTANT.sub("+C", text)
    if _MAY_RESTATE.search(text) is None:
        return text
    return _THAT_IS.sub(lambda match: " \\iff " if match.start() else match[0], text)


def _said_twice(text: str) -> str:
    """`five (5)` as `5`, where the two are one number."""
    found = _IN_DIGITS.fullmatch(text) if " (" in text else None
    if found is None or numerals.number_of(found[1]) != Fraction(found[2]):
        return text
    return found[2]


def _order(match: re.Match[str]) -> str:
    """`J_{-1/2}(x)`: orders that are no subscript of one sign, as `J_{m1h}(x)`."""
    half = match["half"] or match["over"]
    return f"{match['letter']}_{{{'m' if match['sign'] else ''}{half or match['whole']}{'h' if half else ''}}}"


def _rows(match: re.Match[str]) -> str:
    """`[1 2; 3 4]` as a matrix."""
    rows = [" & ".join(re.split(r"[\s,]+", row.strip())) for row in match[1].split(";")]
    return "\\begin{pmatrix}" + " \\\\ ".join(rows) + "\\end{pmatrix}"


def _in_other_unit(text: str) -> str:
    """`25 m/s (90 km/h)` as a chain."""
    found = _OTHER_UNIT.fullmatch(text) if text.endswith((")", ").")) else None
    if found is None or not (is_spelt(found["unit"]) and is_spelt(found["other"])):
        return text
    return f"{found['first']} = {found['second']}"


def _unit_taken_out(found: re.Match[str]) -> str:
    """`\\frac{13.6\\ \\text{eV}}{n^2}` with its unit behind the fraction."""
    return f"{found[1]}}}{found[3]}\\ \\mathrm{{{found[2]}}}" if is_spelt(found[2]) else found[0]


def _unit_behind(found: re.Match[str]) -> str:
    """`13.6\\,\\text{eV}/n^2` with its unit at the end."""
    if not is_spelt(found["unit"]):
        return found[0]
    return f"{found['number']}{found['under']}\\ \\mathrm{{{found['unit']}}}"


def _in_powers_of_ten(found: re.Match[str]) -> str:
    """`\\text{e-}23` behind a number as the power of ten that it is."""
    exponent = (found["inside"] or (found["behind"] or "").strip("{}")).replace("−", "-")
    return f"e{(found['sign'] or '').replace('−', '-')}{exponent}" if exponent else found[0]


def _based(text: str) -> str:
    """`(1011)_2`, `2A_{16}`, `0x2A`, `0b1011` in the one spelling of a number in a base."""
    written = _IN_BASE.fullmatch(text) if "_" in text and len(text) < _MAX_BASED else None
    if written is not None and (written["braced"] or re.search("[A-F]", written["digits"] or written["bare"])):
        base = int(written["base"])
        digits = written["digits"] or written["bare"]
        if base > 10 and not digits.isdigit() and all(int(digit, 36) < base for digit in digits):
            return f"{written['head'] or ''}\\based{{{int(digits, base)}}}{{{base}}}"
        return f"{written['head'] or ''}{digits}_{{{base}}}"
    prefixed = _PREFIXED.fullmatch(text) if text.startswith("0") else None
    if prefixed is None:
        return text
    base = {"x": 16, "b": 2, "o": 8}[prefixed[1].lower()]
    try:
        return f"\\based{{{int(prefixed[2], base)}}}{{{base}}}"
    except ValueError:
        return text


def _congruent(text: str) -> str:
    """`n \\equiv 1 \\bmod 3` and `n mod 3 = 1` as `n \\equiv 1 \\pmod{3}`."""
    text = re.sub(r"(?<=\\equiv)([^=]{1,60}?)\\bmod(?![A-Za-z])", r"\1\\pmod", text)
    return re.sub(
        r"^\s*([a-z])\s*(?:\\(?:bmod|mod|text\s*\{\s*mod\s*\}|mathrm\s*\{\s*mod\s*\})"
        r"|mod)\s*(\d{1,6})\s*=\s*(\d{1,6})\s*$",
        r"\1 \\equiv \3 \\pmod{\2}",
        text,
    )


def _undelimited(text: str) -> str:
    if "\\\\" in text and "\\begin" not in text.replace("\\\\begin", "") and re.search(r"\\\\[A-Za-z]", text):
        text = re.sub(r"\\\\(?=[A-Za-z{}\\])", r"\\", text)
    if "\\" in text:
        text = _ROW_GAP.sub(r"\\\\ ", text) if "\\\\[" in text else text
        text = _DELIMITER.sub(r"\1 ", text) if any(mark in text for mark in _DELIMITERS) else text
    text = text.strip()
    for mark in ("```", "***", "**", "__", "`", "*") if text[:1] in ("`", "*", "_") else ():
        if text.startswith(mark) and text.endswith(mark) and len(text) > 2 * len(mark):
            text = text[len(mark) : -len(mark)].strip()
    if "$" in text and re.match(r"^-?\$\s*[\d.]", text) and len(re.findall(r"(?<!\\)\$", text)) % 2:
        text = text.replace("$", r"\$", 1)
    text = _BOLD.sub(r"\1", text) if "**" in text else text
    return _DOLLAR.sub(" ", text).strip() if "$" in text else text


def _led(text: str) -> str:
    for _ in range(3):
        before = text
        text = _TAIL.sub("", text) if text[-1:] in _TAILS and not text.endswith("...") else text
        text = _LEAD_SIGN.sub("", text) if text[:1] in _SIGNS else text
        text = _LEAD.sub("", text, count=1) if text[:1] == "\\" or text[:1].isalpha() else text
        text = _NEGATIVE.sub("-", text.strip())
        if (
            text.endswith((")", "}"))
            and "(" in text
            and _WORDED_TAIL.search(text)
            and re.match(r"[A-Za-z]\w{0,2}\s*=|(?![A-Za-z(])", text)
        ):
            text = _WORDED_TAIL.sub(lambda cut: "}" if cut[0].endswith("}") and "{" not in cut[0] else "", text)
        if text == before:
            break
    return text


def _numbers(text: str, grouped: bool) -> str:
    apart = any(mark in text for mark in (",", " ", "~", "\\;"))
    text = _BRACED_THOUSANDS.sub(_join_groups, text) if apart and "}" in text else text
    if grouped and "," in text and _LIST_OF_GROUPS.search(text):
        text = _GROUP_OF_LIST.sub(lambda match: re.sub(r"\D", "", match[0]), text)
    if apart and "." in text:
        text = _GROUPED_DECIMALS.sub(lambda match: re.sub(r"[^\d.]", "", match[0]), text)
    text = (_THOUSANDS if grouped else _PLAIN_THOUSANDS).sub(_join_groups, text) if apart else text
    if "E" in text or any(style in text for style in ("rm", "text", "mathit")):
        text = _SCIENTIFIC.sub(lambda m: f"{m[1] or m[3]}e{m[2] or m[4]}", text)
    if "." not in text:
        return text
    text = _CUT_OFF.sub(r"\1", _BLOCK.sub(_repeated_block, _GOES_ON.sub(_going_on, text)))
    text = _BRACKETED_CYCLE.sub(r"\1.\2\\overline{\3}", text)
    return _REPEATING.sub(_repeating, text)


def _going_on(match: re.Match[str]) -> str:
    """`0.1666...`: the digit that was repeated goes on."""
    return f"{match[1] or '0'}.{match[2]}\\overline{{{match[4]}}}"


def _repeated_block(match: re.Match[str]) -> str:
    """`0.2727...`: the block goes on; of many digits one repetition may be chance (`2.718281828...`)."""
    digits = len((match[1] + match[2] + match[3] + match[4]).lstrip("0"))
    if len(match[4]) == len(match[3]) and digits > _FEW:
        return match[0]
    return f"{match[1] or '0'}.{match[2]}\\overline{{{match[3]}}}"


def _leibniz(match: re.Match[str]) -> str:
    """`dy/dx` as a fraction of differentials."""
    return f"\\frac{{{match[1]}{match[2] or ''}{match[3]}}}{{{match[1]}{match[4]}{match[5] or ''}}}"


def _join_groups(match: re.Match[str]) -> str:
    return match[1] + re.sub(r"\D", "", match[2]) if match[1] != "0" else match[0]


def _repeating(match: re.Match[str]) -> str:
    whole, fixed, cycle = match[1] or "0", match[2], match[3]
    value = Fraction(int(whole + fixed + cycle) - int(whole + fixed), 10 ** len(fixed) * (10 ** len(cycle) - 1))
    return f"\\frac{{{value.numerator}}}{{{value.denominator}}}"
