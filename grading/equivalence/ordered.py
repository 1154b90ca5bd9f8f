"""A tuple that is said by its coordinates, in the order in which the question or the alphabet names them."""

import re
from functools import lru_cache
from typing import Final

_NAME: Final = r"[A-Za-zα-ω](?:_\{?\w\}?)?"
_NAMES: Final = re.compile(rf"\(\s*(?P<names>{_NAME}(?:\s*,\s*{_NAME}){{1,2}})\s*\)")
_ENTRY: Final = r"[-−+]?\s?(?:\d[\d.]*(?:/\d+)?|\\[dt]?frac\{\d+\}\{\d+\}|\d*√\d+|\d*π)"
_TUPLE: Final = re.compile(rf"\W*\(\s*{_ENTRY}(?:\s*,\s*{_ENTRY}){{1,2}}\s*\)\W*")
_GIVEN: Final = re.compile(
    rf"(?<![A-Za-z\\_^(])(?P<name>{_NAME})(?:\^\{{?\*\}}?|\*|-coordinate)?\s*(?:=|\bis\b|\bequals\b|(?<=-coordinate)\s)\s*\$?(?P<value>{_ENTRY})(?![\w^/(]|\.\d|\s*[-−+*/·^]\s*[\w\\])"
)
_NAMED: Final = re.compile(
    rf"(?P<lead>[^()]*)\(\s*(?P<names>{_NAME}(?:\*|\^\{{?\*\}}?)?(?:\s*,\s*{_NAME}(?:\*|\^\{{?\*\}}?)?){{1,2}})\s*\)\s*=\s*\(\s*(?P<values>{_ENTRY}(?:\s*,\s*{_ENTRY}){{1,2}})\s*\)[\s.$*]*"
)
_WORKED_ON: Final = re.compile(r"(?:[-−+*/·^|)]|\d|\b(?:max|min|to))\s*\$?$")
"""What makes of a name before its value an expression."""
_BESIDE: Final = frozenset(
    re.findall(
        r"\w+",
        "a an the its that this these it they we and so then thus hence therefore at where when with for which there "
        "is are has have lie lies sit sits occur occurs located found attained achieved reached get find gives give "
        "giving value vertex minimum maximum min max extremum point points turning stationary critical lowest highest "
        "saddle focus centre center centroid equilibrium solution solutions intersection intersect line lines curve "
        "curves graph graphs cross crosses meet meets function parabola circle market clears price quantity output "
        "optimum optimal unique only both coordinates coordinate system of to in must be as equal us answer "
        "absolute local global here nash",
    )
)
"""Words beside coordinates that change none of them."""
_LONGEST: Final = 200
_FRONT: Final = re.compile(r"\s*,\s*")


@lru_cache(maxsize=64)
def names_asked_for(question: str) -> tuple[str, ...]:
    """The names that a question gives for the entries of the one tuple it speaks of."""
    found = {tuple(_FRONT.split(each["names"])) for each in _NAMES.finditer(question)}
    names = found.pop() if len(found) == 1 else ()
    return names if len(set(names)) == len(names) else ()


def in_asked_order(text: str, gold: str, question: str) -> str:
    """`P = 12 and Q = 4` as `(4, 12)` where `(Q, P)` is asked for; other texts as they are."""
    if len(text) > _LONGEST or "(" not in gold or _TUPLE.fullmatch(gold) is None:
        return text
    size = gold.count(",") + 1
    names = names_asked_for(question)
    known = names if len(names) == size else ("x", "y", "z")[:size]
    together = _NAMED.fullmatch(text)
    if together is not None:
        written = [re.sub(r"[*^{}]", "", name) for name in _FRONT.split(together["names"])]
        values = _FRONT.split(together["values"])
        lead = set(re.findall(r"[a-z]+", together["lead"].lower()))
        if names and sorted(written) == sorted(known) and lead <= _BESIDE and len(values) == size:
            return _tuple(dict(zip(written, values, strict=True)), known)
        return text
    given = list(_GIVEN.finditer(text))
    if any(_WORKED_ON.search(text[: each.start()]) for each in given):
        return text
    found = [(each["name"], each["value"]) for each in given]
    rest = _GIVEN.sub(" ", text)
    others = set(re.findall(r"[A-Za-z]+", rest.lower()))
    if sorted(name for name, _ in found) != sorted(known) or not others <= _BESIDE:
        return text
    if others <= {"and"} and "-coordinate" not in text and not names and tuple(name for name, _ in found) == known:
        return text  # A list of values by name is read as it stands.
    if re.search(r"[\d=<>≤≥≠≈?\\/^|+*·−]", rest.replace("**", "")):
        return text
    return _tuple(dict(found), known)


def _tuple(values: dict[str, str], names: tuple[str, ...]) -> str:
    return f"({', '.join(values[name].strip() for name in names)})"
