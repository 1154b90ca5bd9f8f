"""Values as short answers say them: under a heading, as an instruction, by the name of a constant, around a centre."""

import re
from fractions import Fraction
from typing import Final

from grading.language.numerals import number_of

_HEAD: Final = re.compile(
    r"^[\s$*]*(?P<head>gcd|hcf|gcf|lcm|det|rank|rk|tr|trace|dim|deg|nullity|max|min)(?:\s+of\s+\d+(?:\s*(?:,|and)\s*\d+)+)?\s*[:=]\s*(?=[-−\d\\$√π(])",
    re.IGNORECASE,
)
"""`gcd = 18`, `LCM: 36`"""
_OUT_OF: Final = re.compile(
    r"\W*(?:there\s+are\s+|it\s+is\s+|it['’]s\s+)?(?:exactly\s+)?(?P<part>\d+|[a-z]+(?:-[a-z]+)?)\s+(?:(?P<noun>(?:[a-z]+\s+){1,3}?)(?:out\s+of|among|in)|out\s+of|of)\s+(?:the\s+|all\s+|every\s+)?"
    r"(?P<whole>\d+|[a-z]+(?:-[a-z]+)?)(?(noun)|\s+(?:(?:equally\s+likely|possible|total|different|distinct|ordered)\s+){0,2}[a-z]+s)(?:\s*\([^()]*\))?[\s.!*$]*",
    re.IGNORECASE,
)
"""`6 of the 36 outcomes`, `6 favourable outcomes out of 36`"""
_SHARE: Final = re.compile(r"[/%]|\\[dt]?frac|^\W*0?\.\d|½|¼|¾|⅓|⅔")
_CHANGES: Final = re.compile(
    r"\b(?:more|fewer|less|other|not|no|but|times|half|too|extra|additional|wrong)\b", re.IGNORECASE
)
_MEASURED: Final = re.compile(r"\W*[-−]?\d[\d.,]*\s*(?:\\[a-z]+\s*\{)?[A-Za-zµμ°%Ω]")
_INSTRUCTION: Final = re.compile(
    r"\W*(?:please\s+|you\s+(?:should|must|need\s+to)\s+)?"
    r"(?:(?:set|run|adjust|program|infuse|start|keep|drive|heat|preheat|bake|cook|hang|turn)\s+(?:(?!(?:above|below|over|under|half|twice|not|never|less|more|from)\b)[a-z]+\s+){0,4}?(?:to(?:\s+(?:deliver|give|run\s+at))?|at)"
    r"|(?:give|administer|use|take|draw\s+up|dispense|infuse|deliver|prescribe|add|inject|measure\s+out|pour)(?:\s+(?:the|your)\s+patient)?)\s+"
    r"(?P<said>\*{0,2}[-−]?\d[\d.,]*\s?[A-Za-zµμ°%Ω][A-Za-zµμ°%/·²³^\s-]{0,20}?\*{0,2})(?:\s+of\s+[a-z\s]{3,30})?[\s.!]*",
    re.IGNORECASE,
)
"""`Set the pump to 125 mL/h.`"""
_LOGARITHM: Final = re.compile(
    r"(?P<main>[^\n]*\blog(?![a-z_])[^\n]*?)(?:,\s+|\s*\(|,?\s+where\s+)\s*(?:with\s+|in\s+)?(?:(?:here\s+)?\$?\\?log\$?\s*(?:=|is|denotes|means)\s*)?(?:the\s+)?"
    r"(?P<base>natural(?:\s+log(?:arithm)?)?|base\s+(?:e|10|ten|\d{1,2})|ln|\\ln|common(?:\s+log(?:arithm)?)?)\$?\)?[\s.]*",
    re.IGNORECASE,
)
"""`log 2 (base 10)`: which logarithm is meant, behind it"""
_NAMED: Final = (
    (
        r"euler['’]s\s+number(?:\s+(?:\$?e\$?))?|(?:e,\s+)?(?:the\s+)?base\s+of\s+(?:the\s+)?natural\s+log(?:arithm)?s?|(?:number|constant)\s+\$?e\$?",
        "e",
        "e",
        "2.71828182845904523536",
    ),
    (
        r"(?<!\\)pi|(?-i:\\pi|π)|(?:number|constant)\s+(?:pi|π|\$?\\pi\$?)",
        "π|\\\\pi|pi",
        "\\pi",
        "3.14159265358979323846",
    ),
    (
        r"golden\s+(?:ratio|mean|section|number)(?:\s+\$?(?:φ|ϕ|\\(?:var)?phi)\$?)?",
        "φ|ϕ|\\\\(?:var)?phi|\\(1\\s?\\+\\s?√5\\)/2",
        "\\frac{1+\\sqrt{5}}{2}",
        "1.61803398874989484820",
    ),
    (r"euler[-–—]mascheroni\s+constant(?:\s+\$?(?:γ|\\gamma)\$?)?", "γ|\\\\gamma", "\\gamma", "0.57721566490153286061"),
)
_TENDS: Final = (
    r"(?:(?:so\s+|thus\s+)?(?:it|the\s+(?:limit|sequence|series|value|answer|ratio|quotients?|expression))\s+"
    r"(?:is|equals|(?:converges?|tends?|goes)\s+to|approach(?:es)?)\s+)?"
)
_CONSTANTS: Final = tuple(
    (
        re.compile(
            rf"\W*{_TENDS}(?:the\s+)?(?:(?:number|constant)\s+)?(?:{name})(?:\s*[,(:=]?\s*(?:(?:i\.\s?e\.,?|that\s+is,?|or|which\s+is)\s+)?(?:(?:{sign})\s*)?(?:≈|=|~|\\approx|about|approximately|roughly)?\s*"
            rf"(?P<near>\d\.\d{{1,18}})(?:…|\.\.\.|\\ldots|\\dots)?\)?)?[\s.!*$]*",
            re.IGNORECASE,
        ),
        written,
        value,
    )
    for name, sign, written, value in _NAMED
)
_NAMES_ONE: Final = re.compile(r"euler|golden|natural\s+log|number|constant|\bpi\b|π", re.IGNORECASE)
_AROUND: Final = re.compile(
    r"(?P<centre>[-−]?\d[\d.,]*)\s*(?:±|\\pm(?![A-Za-z])|\+/-)\s*(?P<radius>\d[\d.]*(?:\s*(?:\*|·|×|\\cdot|\\times)\s*\d[\d.]*|\(\d[\d.]*\))?)(?![\w/^(]|\.\d)"
)
_ENDS: Final = re.compile(
    r"\W*(?:(?:from|between)\s+)?(?P<low>[-−]?\d+(?:\.\d+)?%?)\s*(?:to|and|[–—-])\s*(?P<high>[-−]?\d+(?:\.\d+)?%?)[\s.$*)]*",
    re.IGNORECASE,
)
_OF_INTERVAL: Final = re.compile(
    r"^\W*(?:(?:the\s+)?\d+\s?%\s+)?(?:CI|(?:confidence\s+)?interval)\s*[:=]\s*(?=\S)", re.IGNORECASE
)
_PAIR: Final = re.compile(r"\W*?(?P<open>[(\[])[^()\[\],]{1,40},[^()\[\],]{1,40}(?P<close>[)\]])[\s$.]*")
_EACH: Final = re.compile(
    r"(?<=[\w%€£¥$])\**\s+(?:per|an?|each|every)\s+(?P<period>year|month|week|day|hour)(?=[\s.*!]*$)", re.IGNORECASE
)
"""`£150 per year`"""
_LONGEST: Final = 200


def in_full(text: str, gold: str, question: str) -> str:
    """The text as the comparison knows it; any other text as it is."""
    if len(text) > _LONGEST or "\n" in text.strip():
        return text
    head = _HEAD.match(text) if "=" in text or ":" in text else None
    if head is not None and head["head"].lower() not in gold.lower():
        text = text[head.end() :]
    each = _EACH.search(text)
    if each is not None and _asks_each(each["period"].lower(), question) and not re.search(r"/|\bper\b|\ba\b", gold):
        text = text[: each.start()]
    if "interval" in question and _PAIR.fullmatch(gold) is not None:
        text = _interval(text, gold, question)
    if _SHARE.search(gold) is not None:
        text = _share(text)
    logarithm = _LOGARITHM.fullmatch(text) if "log" in text else None
    if logarithm is not None:
        common = re.match(r"common|base\s+ten|base\s+(\d+)", logarithm["base"], re.IGNORECASE)
        return re.sub(r"\\?log(?![a-z_])", rf"\\log_{{{common[1] or 10}}} " if common else r"\\ln ", logarithm["main"])
    if _MEASURED.match(gold):
        ordered = _INSTRUCTION.fullmatch(text)
        text = ordered["said"] if ordered is not None else text
    for name, written, value in _CONSTANTS if _NAMES_ONE.search(text) else ():
        found = name.fullmatch(text)
        if found is not None and (found["near"] is None or _is_cut(found["near"], value)):
            return written
    return text


def _asks_each(period: str, question: str) -> bool:
    """Whether a question asks for what is so much in each period."""
    spelt = "daily|day" if period == "day" else f"annual|{period}" if period == "year" else period
    return re.search(rf"\b(?:(?:per|an?|each|every)\s+(?:{spelt})|(?:{spelt})ly|annual|daily)\b", question) is not None


def _share(text: str) -> str:
    """`6 of the 36 outcomes` as 6/36."""
    found = _OUT_OF.fullmatch(text) if " of " in text or " in " in text or " among " in text else None
    if found is None or _CHANGES.search(found["noun"] or ""):
        return text
    parts = [Fraction(part) if part.isdigit() else number_of(part) for part in (found["part"], found["whole"])]
    whole = [int(part) for part in parts if part is not None and part == int(part)]
    return f"{whole[0]}/{whole[1]}" if len(whole) == 2 and 0 < whole[0] < whole[1] else text


def _is_cut(near: str, value: str) -> bool:
    """Whether decimals are the value rounded or cut."""
    unit = Fraction(1, 10 ** len(near.partition(".")[2]))
    return -unit < Fraction(near) - Fraction(value) <= unit / 2


def _interval(text: str, gold: str, question: str) -> str:
    """`50 ± 3.92`, and the ends of an interval of confidence, between the brackets of the gold."""
    text, pair = _OF_INTERVAL.sub("", text), _PAIR.fullmatch(gold)
    if pair is None:
        return text
    opened, closed = pair["open"], pair["close"]
    around = list(_AROUND.finditer(text))
    if around:
        return _AROUND.sub(lambda found: _ends_of(found, opened, closed), text)
    ends = _ENDS.fullmatch(text) if re.search(r"\b(?:confidence|credible|prediction)\b|\bCI\b", question) else None
    return f"{opened}{ends['low']}, {ends['high']}{closed}" if ends is not None else text


def _ends_of(found: re.Match[str], opened: str, closed: str) -> str:
    centre, radius = found["centre"], found["radius"]
    return f"{opened}{centre} - {radius}, {centre} + {radius}{closed}"
