"""Formulas beside others, before a response is cut into sentences: decimals behind a value, values at two places."""

import re
from collections.abc import Callable
from typing import Final

_MARK: Final = "[\ue000-\ue2ff]"
_AS_DECIMALS: Final = (
    r"(?:\s+units?)?(?:\s+(?:(?:in|as)\s+(?:an?\s+)?decimals?(?:\s+(?:form|notation|terms|number|approximation))?|numerically|when\s+(?:rounded|evaluated)"
    r"|(?:rounded\s+)?to\s+(?:one|two|three|four|five|\d)\s+(?:decimals?(?:\s+places?)?|significant\s+(?:figures|digits)|places)))?"
)
"""What is said of decimals behind them."""
_DECIMALS: Final = re.compile(
    rf"(?<![·×⋅*/^])(?<![·×⋅*/^]\s)({_MARK}|(?<![\w./])[-−]?\d+/\d+)(?:\s*≈\s*(?P<near>[-−]?\d[\d.]*(?<!\.))(?!\.?\d)(?![\w,]*(?:[\w%/^]|\*(?!\*)))(?!\s*(?:[×·^]|\*(?!\*)))"
    r"|[\s,;]+\(?(?:(?:numerically|which\s+(?:is|equals|comes\s+to|works\s+out\s+to|evaluates\s+to)|that\s+is|or|i\.\s?e\.)[\s,]*)?(?:approximately|about|roughly|around)\s+"
    rf"(?P<about>[-−]?\d[\d.]*(?<!\.)(?P<share>\s?%)?|{_MARK})\)?{_AS_DECIMALS}(?=\s*(?:[.,;]\s|[.]?$|\n)))"
)
_TOO: Final = re.compile(
    rf"(?P<one>{_MARK})(?P<comma>\s*,)?\s+(?P<joined>and|or)\s+(?:(?:again|also|then|once\s+more|a\s+second\s+time)\s+)?(?:at|in|for|when|with|by|through)\s+(?:the\s+point\s+)?(?=(?P<other>{_MARK}))",
    re.IGNORECASE,
)
"""Between two values at which the same is said: `they meet at (3, 5) and at (-1, -3)`."""
_ALSO: Final = re.compile(rf"(?<={_MARK})\s*,?\s*and\s+(?:then\s+)?also\s+(?={_MARK})")
_POINT: Final = re.compile(r"\s*(?:[A-Z]\s*=?\s*)?(?:\\left\s*)?\([^()]*,[^()]*\)\s*")
_ASSIGNED: Final = re.compile(r"\s*(?P<name>\\?[A-Za-z]+)\s*=\s*[-−+\d.\\{}a-z/]+\s*")


def with_decimals(text: str, formula_of: Callable[[str], str], put: Callable[[str], str | None]) -> str:
    """A text in which a formula and its decimals (`π/4 ≈ 0.785`) are one stand-in."""

    def joined(found: re.Match[str]) -> str:
        formula = formula_of(found[1]) if re.match(_MARK, found[1]) else found[1]
        if re.search(r"=|≈|\\approx|\n", formula):
            return found[0]
        near = found["near"] or found["about"]
        near = formula_of(near).strip() if re.match(_MARK, near) else near
        if re.fullmatch(r"[-−]?\d+(?:\.\d+)?(?:\s*\\?%)?", near) is None:
            return found[0]
        near = near if "\\" in near else near.replace("%", "\\%")
        return put(f"{formula.strip()} \\approx {near}") or found[0]

    return _DECIMALS.sub(joined, text)


def with_both_places(text: str, formula_of: Callable[[str], str]) -> str:
    """A text in which two points, or two values of one letter, at which the same is so stand beside one another."""

    def joined(found: re.Match[str]) -> str:
        one, other = formula_of(found["one"]), formula_of(found["other"])
        named = _ASSIGNED.fullmatch(one), _ASSIGNED.fullmatch(other)
        points = _POINT.fullmatch(one) and _POINT.fullmatch(other)
        values = named[0] is not None and named[1] is not None and named[0]["name"] == named[1]["name"]
        return f"{found['one']} {found['joined']} " if points or values else found[0]

    return _TOO.sub(joined, _ALSO.sub(" and ", text) if " also" in text else text)
