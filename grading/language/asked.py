"""What a question asks for by its name, and the name under which a short answer gives its value.

Of two quantities that are never one (a radius and a diameter, a mean and a median) an answer may state the one that
was not asked for. Nothing is concluded where the question asks for several, or where the answer names both.
"""

import re
from functools import lru_cache
from typing import Final

from grading.language.numerals import in_digits
from grading.language.upright import UPRIGHT_TEXT

_GROUPS: Final = (
    ("pH", "pOH", "pKa|pK_?a|pK_\\{?a\\}?", "pKb|pK_?b|pK_\\{?b\\}?"),
    (
        "radius|radii",
        "diameter",
        "circumference|perimeter",
        "(?:surface\\s+|cross-sectional\\s+)?area",
        "volume",
    ),
    (
        "mean|average|expected\\s+value|expectation",
        "median",
        "mode",
        "variance",
        "standard\\s+deviation|std\\.?\\s?dev\\.?|SD",
    ),
    ("period", "frequency", "wavelength", "amplitude"),
    (
        "determinant|det",
        "trace|tr",
        "rank",
        "nullity|dim(?:ension)?(?:\\s+of\\s+the)?\\s*\\\\?\\(?(?:ker(?:nel)?|null\\s?space)",
    ),
    (
        "gcd|hcf|gcf|greatest\\s+common\\s+(?:divisor|factor)|highest\\s+common\\s+factor",
        "lcm|l(?:ea|owe)st\\s+common\\s+multiple",
    ),
    ("numerator", "denominator"),
    ("quotient", "remainder"),
    ("domain", "range"),
    (
        "(?:only\\s+)?positive\\s+(?:real\\s+)?(?:solution|root|zero)",
        "(?:only\\s+)?negative\\s+(?:real\\s+)?(?:solution|root|zero)",
    ),
    (
        "(?:larger|largest|greater|greatest)\\s+(?:solution|root|zero)",
        "(?:smaller|smallest|lesser|least)\\s+(?:solution|root|zero)",
    ),
    ("real\\s+part", "imaginary\\s+part", "modulus", "argument"),
    ("vertex", "focus", "directrix"),
    ("degree", "leading\\s+coefficient", "constant\\s+term"),
    ("maximum|max(?=\\s*[=:])", "minimum|min(?=\\s*[=:])"),
    ("slope|gradient", "y-intercept", "x-intercept"),
    ("price", "quantity"),
    ("revenue", "profit"),
    ("mass\\s+number", "atomic\\s+number", "oxidation\\s+(?:number|state)", "coordination\\s+number"),
    ("protons?", "neutrons?", "electrons?"),
)
"""Rows of quantities of which none is another one of its row, each by its names."""
_ADJECTIVE: Final = (
    r"(?:(?!(?:of|for|and|or|to|from|if|by|in|on|at|between|the|half|twice|double|than|with|not|no|per|times|sum"
    r"|difference|ratio|product|squared?|does|do|did|it|you|that|this)\b)[A-Za-z-]+\s+){0,3}?"
)
_ASKS: Final = (
    r"\b(?:find|determine|compute|calculate|evaluate|estimate|give|state|obtain|(?:what|which)(?:\s+(?:is|are|was|were)|['’]s)?"
    r"|how\s+(?:many|much))\s+(?:(?:the|its|their|this|that)\s+)?"
)
_HEAD: Final = r"^\W*(?:(?:so|thus|hence|therefore|then),?\s+)?(?:(?:the|its|their|this)\s+)?"
_OF: Final = r"(?:\s*\([^()=]{1,40}\)|\s+(?:of|for)\s+[^=:;,.?!]{1,60}?|\s+[A-Z])?"
_IS: Final = r"\W*?(?:=|≈|:|\\approx|\b(?:is|are|equals?|comes\s+to|comes\s+out\s+(?:as|to))\b)"
_GOES_ON: Final = re.compile(r"[;\n]|,\s|[.!?]\s|\b(?:so|hence|thus|therefore|which|giving|means?|if|when)\b")
"""What goes on behind a value, perhaps to the one that was asked for."""
_COUNTED: Final = r"^\W*(?:(?:exactly|about|there\s+are)\s+)?\d[\d,.]*\s+"
_BEHIND: Final = (
    r"^\W*(?:[A-Za-z]\w?\s*=\s*)?[-−]?\d[\d.,/]*\s*(?:[A-Za-z]{1,3}\d?\s+)?"
    r"(?:\bis\b|\(|[,;—–.]\s*(?:(?:it|that|this)(?:['’]s|\s+is)|which\s+is|being)|,|[—–])\s*(?:the|its|their)\s+"
)
_LONGEST: Final = 200


def _row(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """What finds the names of a row among words, where it is asked for, and where an answer states it."""

    def spelt(letter: str) -> str:
        any_of = "|".join(f"(?P<{letter}{place}>{name})" for place, name in enumerate(names))
        return rf"(?<![A-Za-z-])(?:{any_of})(?![A-Za-z-])"

    part = (
        rf"\W*?(?:(?:so|and|thus|hence|therefore|while|whereas|giving|has|the|its|with|an?)\s+){{0,3}}{_ADJECTIVE}{spelt('p')}{_OF}(?:{_IS}|\s)\s*"
        r"(?:\$?[a-z]\s*=\s*)?(?P<value>\S[^=:;]*?)[\s.*,]*"
    )
    states = (
        rf"{_HEAD}{_ADJECTIVE}{spelt('h')}{_OF}{_IS}",
        rf"{_COUNTED}{spelt('n')}",
        rf"{_BEHIND}{_ADJECTIVE}{spelt('b')}",
        rf"^\W*(?:(?:it\s+has|has|with)\s+)?(?:an?|the|its)\s+{spelt('m')}\s+(?:of\s+)?(?=[-−+]?\d)",
    )
    return (
        re.compile(spelt("k"), re.IGNORECASE),
        re.compile(rf"{_ASKS}{_ADJECTIVE}{spelt('k')}", re.IGNORECASE),
        re.compile("|".join(states), re.IGNORECASE),
        re.compile(part, re.IGNORECASE),
    )


_ROWS: Final = tuple(_row(names) for names in _GROUPS)


def _kind(found: re.Match[str]) -> tuple[int, str]:
    """Which of its row a name is, and its spelling."""
    group = next(name for name, value in found.groupdict().items() if value is not None and name != "value")
    return int(group[1:]), found[group]


def asking(question: str) -> str:
    """The last sentence of a question, which is the one that asks."""
    return re.split(r"(?<=[.?!])\s+", question.strip())[-1]


@lru_cache(maxsize=64)
def _asked(question: str) -> tuple[int | None, ...]:
    """Of each row the one quantity that a question asks for; None where it asks for none of them, or for several."""
    return tuple(_asked_of(question, *row[:2]) for row in _ROWS)


def _asked_of(question: str, name: re.Pattern[str], asks: re.Pattern[str]) -> int | None:
    found = list(asks.finditer(question))
    kinds = {_kind(each)[0] for each in found}
    for each in found:
        also = re.split(r"[.?!]", question[each.end() :], maxsplit=1)[0]
        for joined in re.finditer(r"(?:,|\band\b|\bor\b)\s+(?:(?:the|its|their)\s+)?(?:[a-z]+\s+)?", also):
            other = name.match(also, joined.end())
            kinds |= {_kind(other)[0]} if other is not None else set()
    return kinds.pop() if len(kinds) == 1 else None


def names_another(question: str, gold: str, response: str) -> str | None:
    """What a short response gives in the place of the one quantity asked for; None where it does not."""
    if not question or not response or len(response) > _LONGEST:
        return None
    said = UPRIGHT_TEXT.sub(r" \1 ", response).replace("*", "").replace("$", " ")
    said = _COMMAND.sub("", said).replace("\\", " ").strip()
    said = in_digits(said)
    for asked, (name, _, states, _) in zip(_asked(question), _ROWS, strict=True):
        stated = states.match(said) if asked is not None else None
        if stated is None or name.search(gold) is not None or _GOES_ON.search(said, stated.end()):
            continue
        kind, spelt = _kind(stated)
        if kind != asked and asked not in {_kind(each)[0] for each in name.finditer(said)}:
            return spelt
    return None


def given_for(question: str, text: str) -> str:
    """`pOH = 2, pH = 12` as 12 where the pH is asked for: each part names another quantity of one row."""
    if not question or len(text) > _LONGEST or re.search(r"[A-Za-z]{2}", text) is None:
        return text
    bare = _NAMED_BY_COMMAND.sub(" ", UPRIGHT_TEXT.sub(r" \1 ", text)) if "\\" in text else text
    whole = _JOINED.split(bare.strip().rstrip("."))
    parts = [each.rstrip(" ).") if each.count(")") > each.count("(") else each for each in whole]
    for asked, (*_, part) in zip(_asked(question), _ROWS, strict=True):
        found = [part.fullmatch(each) for each in parts] if asked is not None else []
        said = {_kind(each)[0]: each["value"] for each in found if each is not None}
        others = [each for each, match in zip(parts, found, strict=False) if match is None]
        if found and 1 < len(said) == len(parts) - len(others) and asked in said and all(map(_ASIDE.fullmatch, others)):
            value = said[asked]
            return value.strip("$ ") if value.count("$") % 2 else value
    return text


def without_sign_of_error(question: str, gold: str, text: str) -> str:
    """`±0.3 cm` as `0.3 cm` where an uncertainty is asked for or named."""
    if len(text) > _LONGEST or _EITHER_SIGN.search(gold) or len(_EITHER_SIGN.findall(text)) != 1:
        return text
    found = _ERROR.match(text)
    asked = found is not None and re.search(_OF_ERROR, f"{question} {found['lead']}", re.IGNORECASE)
    return f"{found['lead']}{text[found.end() :]}" if found is not None and asked else text


def as_asked(question: str, gold: str, text: str) -> str:
    """An answer without what only says again what was asked for: the region, the sign of an uncertainty."""
    return without_asked_region(question, gold, without_sign_of_error(question, gold, text))


def without_given_subject(question: str, text: str) -> str:
    """`0.00340 has three figures` as `It has three figures`, where the question gave the number that is spoken of."""
    found = _GIVEN_NUMBER.match(text) if question and len(text) <= _LONGEST else None
    if found is None or re.sub(r"[\s$]", "", found["number"]) not in re.sub(r"[\s$]", "", question):
        return text
    return f"{found['lead']}It {text[found.end() :]}"


def without_asked_region(question: str, gold: str, text: str) -> str:
    """A formula without the region that the question set (`E = Q/4\\pi r^2, r > R` for outside, `u(t)` for t > 0)."""
    if not question or len(text) > _LONGEST or _INEQUALITY.search(gold) or not re.search(r"[<>≤≥(]|\\g|\\l", text):
        return text
    set_there = {_spelt(found) for found in _INEQUALITY.finditer(question)}
    found = _REGION.fullmatch(text)
    if found is not None:
        region = _INEQUALITY.fullmatch(found["region"].strip())
        left, sign, right = _spelt(region) if region is not None else ("", "", "")
        outside, inside = (re.search(rf"\b(?:{words})\b", question, re.IGNORECASE) for words in (_OUTSIDE, _INSIDE))
        where = sign == "<" and inside and not outside and left.islower() and right.isupper()
        where = where or (sign == ">" and outside and not inside and left.islower() and right.isupper())
        if (left, sign, right) in set_there or where:
            text = found["formula"]
    if ("t", ">", "0") in set_there and "u(" not in gold:
        text = _STEP.sub("", text)
    return text


def _spelt(found: re.Match[str]) -> tuple[str, str, str]:
    """An inequality, strict or not, by its sides and the sign between them."""
    sign = "<" if re.match(r"[<≤]|\\l", found["sign"]) else ">"
    left, right = (re.sub(r"[{}\\\s]", "", found[side]) for side in ("left", "right"))
    return left, sign, right


_EITHER_SIGN: Final = re.compile(r"±|\\pm(?![A-Za-z])|\+/?[-−]")
_OF_ERROR: Final = r"\b(?:uncertaint(?:y|ies)|errors?|tolerance|margin)\b"
_ERROR: Final = re.compile(
    r"(?P<lead>[^\d±=]{0,120}?(?:\\Delta\s*[A-Za-z]\s*=|=|\$|\bis|\bof|:|^)[\s*$]*)(?:±|\\pm(?![A-Za-z])|\+/?[-−])\s*(?=\d)",
    re.IGNORECASE,
)
_GIVEN_NUMBER: Final = re.compile(
    r"(?P<lead>\W*(?:(?:so|thus|hence|therefore),?\s+)?)(?:the\s+)?(?:(?:number|measurement|value|quantity|figure|mass|length|volume|reading)\s+)?\**"
    r"(?P<number>\$?[-−]?\d[\d.,]*(?:\s?(?:×|\\times)\s?10(?:\^\{?[-−]?\d+\}?|[⁻⁰¹²³⁴-⁹]+))?\$?)"
    r"(?:\s?\$?(?:\\(?:text|mathrm)\{[A-Za-z]{1,5}\}|[A-Za-z]{1,3}(?:/[a-z]{1,3})?)\$?)?\**\s+(?=(?:has|contains|possesses)\s)",
    re.IGNORECASE,
)
_SIDE: Final = r"\\?[A-Za-zα-ω]+(?:_\{?\w{1,6}\}?)?|0"
_INEQUALITY: Final = re.compile(
    rf"(?<![\w\\])(?P<left>{_SIDE})\s*(?P<sign>[<>≤≥]|\\(?:le|ge|leq|geq|lt|gt|leqslant|geqslant)(?![A-Za-z]))\s*(?P<right>{_SIDE})(?![\w^])"
)
_REGION: Final = re.compile(
    r"(?P<formula>[^<>≤≥]*?=[^<>≤≥]*?[\w}})$])(?:\s|[,;($]|\\(?:q?quad|left|[,;: ])"
    r"|\\text\s*\{\s*(?:for|where|when|if|with|)\s*\}|\b(?:for|where|when|if|with)\b)*"
    r"(?P<region>\\?[A-Za-zα-ω]+(?:_\{?\w+\}?)?\s*(?:[<>≤≥]|\\[gl](?:e|t|eq|eqslant)(?![A-Za-z]))\s*(?:\\?[A-Za-zα-ω]+(?:_\{?\w+\}?)?|0))"
    r"(?:\s|[.)$]|\\right)*"
)
"""A formula, and the region that it holds in."""
_OUTSIDE: Final = r"outside|exterior|beyond"
_INSIDE: Final = r"inside|interior|within"
_STEP: Final = re.compile(r"(?:\\[,; ]|\s|\\cdot\s?)*(?<![A-Za-z\\])u\(t\)")
_JOINED: Final = re.compile(
    r"[,;]\s+|[.]\s+(?=[A-Z])|\s+and\s+|\s+(?=(?:while|whereas|so)\s)|\s*[(—–]\s*(?=(?:so|hence|thus|therefore|and|with|giving)\s)"
)
_ASIDE: Final = re.compile(
    r"(?:(?:so|hence|thus|therefore|and)\s+)?(?:the|it|this)\s+(?:[a-z]+\s+)?is\s+(?:also\s+)?[a-z]*(?:[ai]ble|ular|al|ive|ent|ic)\s*",
    re.IGNORECASE,
)
"""`so the matrix is invertible`: says no value."""
_COMMAND: Final = re.compile(r"(?<=[\s(\[,=])\\(?=[A-Za-z])")
_NAMED_BY_COMMAND: Final = re.compile(r"\\(?=(?:det|dim|ker|gcd|max|min)(?![A-Za-z]))")
_PAIRS: Final = re.compile(
    r"^\W*(?:(?:exactly|about|there\s+are|it\s+has|they\s+have)\s+)?(?:\d[\d,]*|[a-z-]+)\s+(?P<by>pairs?|couples?|dozens?)\b(?:\s+of\s+[a-z\s]{2,40})?[\s.!*$]*$",
    re.IGNORECASE,
)
_HOW_MANY: Final = re.compile(
    r"\bhow\s+many\s+(?!(?:[a-z-]+\s+)?(?:ways|choices|combinations|selections|possibilities|arrangements|solutions|handshakes"
    r"|match(?:es)?|games|segments|lines|edges|chords|diagonals|teams|outcomes|times|different|distinct)\b)",
    re.IGNORECASE,
)
"""Not what is a choice of two itself."""
_BY_TWO: Final = re.compile(
    r"\b(?:pairs?|couples?|dozens?|twos?|both|twins?|double)\b|\([a-z]\s*,\s*[a-z]\)", re.IGNORECASE
)


def counts_pairs(question: str, gold: str, response: str) -> bool:
    """Whether a response counts pairs of things of which the question counts each: `23 pairs` for 23 chromosomes."""
    found = _PAIRS.match(response) if "pair" in response or "couple" in response else None
    if found is None or found["by"].lower().startswith("d") or _BY_TWO.search(gold):
        return False
    return _HOW_MANY.search(question) is not None and _BY_TWO.search(question) is None
