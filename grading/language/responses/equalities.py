"""Equations in digits that stand beside an answer, and whether they are true."""

import re
from fractions import Fraction

_NUMBER = r"\d+(?:\.\d+)?"
_EQUATION = re.compile(
    rf"(?<![\w.^_)\]}}\\+*/=<>≤≥-])(?<![\^_+*/=<>≤≥-] )(?<!mod )(?P<left>{_NUMBER}(?:\s*[-+*·×/]\s*{_NUMBER}){{1,6}})"
    rf"\s*=\s*(?P<right>-?{_NUMBER}(?:\s*/\s*\d+)?)(?![\w.,]*[\w^\\{{(!+*·×/%]|\s*[-+*·×/^!%(\\])"
)
_NEARLY = Fraction(1, 100)
_MOST = 20


def says_untruly(text: str) -> bool:
    """Whether an equation of plain numbers in a text is false: `just as 2 + 2 = 5`."""
    found = list(_EQUATION.finditer(text))[:_MOST]
    return any(not _holds(each["left"], each["right"]) for each in found)


def _holds(left: str, right: str) -> bool:
    try:
        one, other = _worked_out(left), _worked_out(right)
    except ZeroDivisionError:
        return False
    return abs(one - other) <= abs(one) * _NEARLY


def _worked_out(text: str) -> Fraction:
    """The value of sums of products and quotients."""
    total = Fraction(0)
    for sign, term in re.findall(r"(^-?|[-+])\s*([^-+]+)", text.strip()):
        first, *others = re.findall(rf"[*·×/]?\s*{_NUMBER}", term)
        value = Fraction(first.strip())
        for part in others:
            factor = Fraction(part[1:].strip())
            value = value / factor if part[0] == "/" else value * factor
        total += -value if sign == "-" else value
    return total
