"""Answers in spellings that state a value beside what leads to it: conversions, limits with an arrow, `4i + 13j`."""

import re
from fractions import Fraction
from typing import Final

from grading.equivalence.chains import chain_value
from grading.language.limits import LanguageError
from grading.language.read import read
from grading.language.tree import Number
from grading.language.unitnames import unit_of
from grading.language.units import Unit

_GAP: Final = r"(?:\s|\\[,;:! ]|~)*"
_NUMBER: Final = r"[-−]?\d+(?:\.\d+)?"
_UNIT: Final = r"(?:\\(?:text|mathrm)\s*\{[A-Za-z/°µ^\d\s-]{1,16}\}|[A-Za-z°µ][A-Za-z/°µ^\d]{0,12})"
_CONVERTED: Final = re.compile(
    rf"(?:[A-Za-z]\w?\s*=\s*)?(?P<first>{_NUMBER}){_GAP}(?P<from>{_UNIT}){_GAP}"
    rf"(?P<sign>÷|/|×|\*|·|\\(?:div|times|cdot)(?![A-Za-z])){_GAP}(?P<factor>{_NUMBER}){_GAP}="
    rf"{_GAP}(?P<value>{_NUMBER}){_GAP}(?P<unit>{_UNIT})"
)
_WORK: Final = r"(?:[\d\s+\-−*/().^·×÷]++=\s*){2,5}"
_CHAIN: Final = re.compile(rf"(?P<chain>{_WORK}(?P<value>{_NUMBER}))(?P<unit>{_GAP}{_UNIT})")
_TENDS: Final = re.compile(
    r"(?P<term>[^,;<>=]*(?:\^|\\[dt]?frac|/|\()[^,;<>=]*)\\(?:to|rightarrow|longrightarrow)(?![A-Za-z])\s*(?P<limit>[^,;<>=]+)"
)
_STATED_OTHERWISE: Final = re.compile(
    r"\\(?:to|rightarrow|longrightarrow|infty|sim|simeq|approx|text|mathrm|land|lor|l?not|neg|wedge|vee|forall|exists)(?![A-Za-z])|[∧∨¬∀∃]|\b(?:as|when|for|if|where)\b|[≈∼~]"
)
"""What makes the arrow another's: `a_n \\sim 4^n \\text{ as } n \\to 5`."""
_PART: Final = r"(?:\d+(?:\.\d+)?(?:/\d+)?)?"
_DRESS: Final = re.compile(
    r"[*$\s]|\\(?:mathbf|hat|vec|boldsymbol|text|mathrm|left|right|,|;|!)(?![A-Za-z])|[{}]|\\[imath]{5}|^="
)
_ALONG: Final = re.compile(rf"(?P<x>[-−]?{_PART})i(?P<y>[-−+]{_PART})j(?:(?P<z>[-−+]{_PART})k)?")

_EXCEPTIONS: Final = re.compile(
    r"(?<=[\w)}\]*$])\s*(?:,?\s*(?:for|where|with)\s+|,\s*(?:\\q?quad\s*|\\[,;]\s*)*)\$?[a-z]\s*(?:≠|\\neq?\b)\s*[-−]?\d+\$?"
    r"(?:\s*(?:,|and|,\s*and)\s*\$?(?:[a-z]\s*(?:≠|\\neq?\b))?\s*[-−]?\d+\$?)+\s*\$?\.?\s*$"
)
"""Several numbers that a letter may not be."""
_NOT_IN: Final = re.compile(
    r"(?<=[\w)}\]*$])\s*,\s*(?:(?:for|where|with)\s+|\\q?quad\s*|\\[,;]\s*)*\$?[a-z]\s*(?:∉|\\notin\b)\s*\\?\{[-−\d,\s]+\\?\}\s*\$?\.?\s*$"
)
_HAT: Final = re.compile(r"\\hat\s*\{?\s*(?<=[\s{])([A-Zpxa])(?![A-Za-z])\s*\}?")


_LIGHT: Final = 299_792_458
_ROUNDED_LIGHT: Final = Fraction(1, 250)
_OF_LIGHT: Final = re.compile(r"(?:[a-z]\w?\s*=\s*)?(?P<share>0?\.\d{1,6})(?:\s|\\[, ])*c")
_PER_SECOND: Final = re.compile(
    r"(?P<head>^(?:.{1,80}[=≈]|.{1,80}\\approx|(?=\W*\d)))(?:\s|\\[,;: ]|\$|\*)*"
    r"(?P<number>\d+(?:\.\d{1,6})?)\s*(?:(?:\\times|\\cdot|×|·)\s*10\^?\{?(?P<power>[-−]?\d{1,2})\}?)?"
    r"(?:\s|\\[,;: ]|\$|~)*(?:\\(?:text|mathrm)\s*\{\s*)?"
    r"(?P<kilo>k)?m(?:\s*/\s*s|\s?(?:\\[,;: ])?\s?s\^\{?-1\}?|\s?s⁻¹)\s*\}?[\s.*$]*$"
)


def converted(text: str) -> str | None:
    """The end of a conversion by a number, `72 km/h ÷ 3.6 = 20 m/s`; None where it is untrue, and of other texts.

    Both have to hold: the numbers, and that the two quantities are one.
    """
    found = _CONVERTED.fullmatch(text.replace("$", "").replace("**", "").strip(" ."))
    if found is None:
        return None
    first, factor, value = (Fraction(found[name].replace("−", "-")) for name in ("first", "factor", "value"))
    before, after = _unit(found["from"]), _unit(found["unit"])
    if before is None or after is None or not factor or before == after:
        return None
    divided = found["sign"] in ("÷", "/", "\\div")
    worked = first / factor if divided else first * factor
    same = before.dimension == after.dimension and first * before.scale == value * after.scale
    return f"{found['value']} {found['unit']}" if worked == value and same else None


def chained(text: str) -> str | None:
    """The end of a true chain in numbers whose last value has a unit, `(98.6 - 32)·5/9 = 66.6·5/9 = 37 °C`."""
    found = _CHAIN.fullmatch(text.replace("$", "").replace("**", "").strip(" .")) if "=" in text else None
    if found is None:
        return None
    try:
        node = read(found["chain"]).node
    except LanguageError:
        return None
    return f"{found['value']}{found['unit']}" if isinstance(chain_value(node), Number) else None


def by_light(text: str, gold: str) -> str:
    """`1.8\\times10^8` metres per second as `0.6c` beside such a gold, and the other way round."""
    share, said = _OF_LIGHT.fullmatch(gold.strip()), _PER_SECOND.search(text.strip().rstrip(" .*$"))
    if share is not None and said is not None:
        if not _is_share(share["share"], said):
            return text
        head = re.sub(r"(?:=|≈|\\approx)\s*$", "", said["head"]).strip(" $*")
        named = re.fullmatch(r"(?:[a-z]\w?)?", head) is not None
        return head if _OF_LIGHT.fullmatch(head) else f"{share['share']}c" if named else text
    share, said = _OF_LIGHT.fullmatch(text.strip(" .*$")), _PER_SECOND.fullmatch(gold.strip(" $"))
    return gold if share is not None and said is not None and _is_share(share["share"], said) else text


def _is_share(share: str, said: re.Match[str]) -> bool:
    """Whether a speed in metres or kilometres per second is that share of the speed of light, as rounded."""
    speed = Fraction(said["number"]) * Fraction(10) ** int((said["power"] or "0").replace("−", "-"))
    speed *= 1000 if said["kilo"] else 1
    return Fraction(share) > 0 and abs(speed / (Fraction(share) * _LIGHT) - 1) <= _ROUNDED_LIGHT


def _unit(text: str) -> Unit | None:
    try:
        return unit_of(text)
    except LanguageError:
        return None


def limit_of(text: str) -> str | None:
    """`(1+2/n)^n \\to e^2`: what a term tends to, where nothing of the term's letters is left in it; else None."""
    found = _TENDS.fullmatch(text.strip(" .$\n"))
    if found is None or "lim" in text:
        return None
    letters = set(re.findall(r"[A-Za-z]", re.sub(r"\\[A-Za-z]+", "", found["term"]))) - {"e", "i"}
    left = set(re.findall(r"[A-Za-z]", re.sub(r"\\[A-Za-z]+", "", found["limit"])))
    again = _STATED_OTHERWISE.search(found["term"])
    return f"${found['limit'].strip()}$" if letters and not letters & left and again is None else None


def along_axes(text: str) -> str | None:
    """`4i + 13j` as `(4, 13)`; None of any other text."""
    found = _ALONG.fullmatch(_DRESS.sub("", text.rpartition("=")[2].rstrip(" .")))
    if found is None:
        return None
    parts = [found[name].replace("−", "-").removeprefix("+") for name in ("x", "y", "z") if found[name] is not None]
    return f"({', '.join(part + '1' if part in ('', '-') else part for part in parts)})"


def without_hats(text: str, gold: str) -> str:
    """An answer in operators without their hats, where the gold has none; unit vectors keep theirs."""
    return text if re.search(r"\\hat|\\mathbf|\\vec", gold) else _HAT.sub(r"\1", text)


def without_exceptions(text: str, gold: str) -> str:
    """An answer without several numbers that a letter may not be, where the gold names none."""
    if ("≠" not in text and "\\n" not in text) or re.search(r"≠|∉|\\n(?:eq?|otin)\b", gold):
        return text
    return _NOT_IN.sub("", _EXCEPTIONS.sub("", text))
