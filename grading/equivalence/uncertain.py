"""Measured values with their uncertainties: `(9.78 ± 0.05) m/s²` is `9.78(5) m s⁻²` and `978 ± 5 cm/s²`."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, Rules, different, equal
from grading.equivalence.texts import compare_texts
from grading.language.extract import Extraction
from grading.language.responses.commitments import committed

_NUMBER: Final = r"[-−]?\d{1,15}(?:\.\d{1,15})?"
_SIGN: Final = r"(?:±|\\pm(?![A-Za-z])|\+/?[-−])"
_POWER: Final = r"(?:×|\\times|\\cdot|·|\*|x)\s*10\s*\^?\s*\{?\s*[-−⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}\s*\}?|[eE][-−+]?\d{1,3}"
_SPACE: Final = re.compile(r"\\[,;:! ]|~|\\(?:left|right|quad|qquad)(?![A-Za-z])|\$|\*\*")
_NAME: Final = re.compile(r"^\s*\\?[A-Za-z]\w{0,2}(?:_\w|_\{\w{1,8}\})?\s*(?:=|≈|\\approx)\s*")
_TOGETHER: Final = re.compile(
    rf"(?P<open>\()?\s*(?P<value>{_NUMBER})\s*{_SIGN}\s*(?P<error>{_NUMBER})\s*(?P<close>\))?\s*(?P<power>{_POWER})?"
    rf"\s*(?P<unit>[A-Za-z°%µμΩÅ\\][^±]{{0,40}})?"
)
_APART: Final = re.compile(
    rf"(?P<value>{_NUMBER})\s*(?P<power>{_POWER})?\s*(?P<unit>[A-Za-z°%µμΩÅ\\][^±]{{0,40}}?)\s*{_SIGN}\s*"
    rf"(?P<error>{_NUMBER})\s*(?P<again>{_POWER})?\s*(?P<other>[A-Za-z°%µμΩÅ\\][^±]{{0,40}})"
)
_BRACKETED: Final = re.compile(
    r"(?P<value>[-−]?\d{1,15}\.(?P<places>\d{1,15}))\((?P<last>\d{1,3})\)\s*"
    rf"(?P<power>{_POWER})?\s*(?P<unit>[A-Za-z°%µμΩÅ\\][^±]{{0,40}})?"
)
_SIUNITX: Final = re.compile(
    rf"\\(?:qty|SI|num)\s*(?:\[[^\]]*\])?\{{\s*(?P<value>{_NUMBER})\s*{_SIGN}\s*(?P<error>{_NUMBER})\s*"
    r"(?P<power>e[-−+]?\d{1,3})?\s*\}\s*(?:\{(?P<unit>[^{}]{1,40})\})?"
)
_IN_WORDS: Final = re.compile(
    rf"(?P<value>{_NUMBER})(?P<unit>\s*[^\d\s,;.(][^\d,;()]{{0,20}}?)?\s*,?\s*(?:with|and)\s+an?\s+"
    r"(?:(?:absolute|experimental|standard|total|estimated|measurement)\s+)?(?:uncertainty|error|standard\s+deviation)"
    rf"\s+of\s+(?:about\s+)?(?:{_SIGN}\s*)?(?P<error>{_NUMBER})(?P<other>\s*[^\d\s,;.(][^\d,;.()]{{0,20}})?"
)
_TENTH: Final = 10
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class _Measured:
    """A value and its uncertainty as they are written, each with the power of ten and the unit that it is in."""

    value: str
    error: str
    plain: bool
    """Whether nothing but the sign tells that the second number is an uncertainty."""


def compare_uncertain(gold: str, given: str, rules: Rules) -> Finding | None:
    """The finding where both are measured values; None where one of them is not."""
    expected = _of_gold(gold)
    if expected is None or len(given) > _LONGEST * 20:
        return None
    found = measured(given) or _committed(given)
    if found is None:
        return None
    for name, one, other in (("value", expected.value, found.value), ("uncertainty", expected.error, found.error)):
        finding = compare_texts(one, Extraction(other, "measured"), replace(rules, work=type(rules.work)())).finding
        if not finding.equal:
            return different(f"another {name}") if finding.different else finding
    return equal("the same value with the same uncertainty")


def _committed(given: str) -> _Measured | None:
    said = committed(_IN_WORDS.sub(_with_sign, given)).text
    return measured(said) if said is not None else None


@lru_cache(maxsize=512)
def _of_gold(gold: str) -> _Measured | None:
    """The gold, where its second number is certainly an uncertainty: not `5 ± 3`, which is 8 and 2."""
    found = measured(gold) if len(gold) < _LONGEST else None
    if found is None:
        return None
    if not found.plain:
        return found
    value, error = (Fraction(part.replace("−", "-")) for part in (found.value, found.error))
    return found if "." in found.value and 0 < error * _TENTH <= abs(value) else None


def measured(text: str) -> _Measured | None:
    """A measured value and nothing else; None of other texts."""
    if len(text) > _LONGEST or not any(
        sign in text for sign in ("±", "\\pm", "+-", "+/-", "+−", "(", "error", "uncert")
    ):
        return None
    siunitx = _SIUNITX.fullmatch(text.strip(" $.*"))
    if siunitx is not None:
        return _made(siunitx["value"], siunitx["error"], siunitx["power"], siunitx["unit"])
    bare = _NAME.sub("", _SPACE.sub(" ", _IN_WORDS.sub(_with_sign, text)).strip(" .")).strip()
    bracketed = _BRACKETED.fullmatch(bare)
    if bracketed is not None:
        places = len(bracketed["places"])
        last = bracketed["last"].rjust(places, "0")
        whole, part = (last[:-places] or "0", last[-places:])
        return _made(bracketed["value"], f"{whole}.{part}", bracketed["power"], bracketed["unit"])
    apart = _APART.fullmatch(bare)
    if apart is not None:
        value = _made(apart["value"], "0", apart["power"], apart["unit"]).value
        return _Measured(value, _made(apart["error"], "0", apart["again"], apart["other"]).value, plain=False)
    together = _TOGETHER.fullmatch(bare)
    if together is None or bool(together["open"]) != bool(together["close"]):
        return None
    if together["power"] and not together["open"]:
        return None  # Whether the power belongs to both is not said.
    return _made(together["value"], together["error"], together["power"], together["unit"])


def _with_sign(found: re.Match[str]) -> str:
    """`12.3 cm with an uncertainty of 0.4 cm` with the sign."""
    unit, other = (found["unit"] or "").strip(), (found["other"] or "").strip()
    if unit and other and unit != other:
        return f"{found['value']} {unit} ± {found['error']} {other}"
    return f"({found['value']} ± {found['error']}) {unit or other}".rstrip()


def _made(value: str, error: str, power: str | None, unit: str | None) -> _Measured:
    beside = f" {power or ''} {unit or ''}".rstrip()
    if power and power[:1] in "eE":
        beside = f"{power} {unit or ''}".rstrip()
    return _Measured(value + beside, error + beside, plain=not beside.strip())
