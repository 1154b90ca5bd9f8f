"""Sets, tuples, ranges, matrices and ratios that a sentence says in pieces."""

import itertools
import re
from collections.abc import Iterator
from typing import Final

from grading.language.ranking.sources import Found
from grading.language.responses.ranges import range_of
from grading.language.responses.segments import MARK, Response

_NAME: Final = r"(?:(?<![A-Za-z])[A-Za-zα-ωΑ-Ω]\w?\s*=\s*)"
_ONE: Final = rf"(?:{_NAME}?(?:{MARK}|[-−±]?\\?\$?\d+(?:\.\d+)?(?:/\d+)?(?:\s?π(?:/\d+)?)?[°%]?))"
_OWN: Final = re.compile(r"^\s*\\?[A-Za-zα-ωΑ-Ω]+(?:_\w|_\{\w+\}|[₀-₉]{1,2})?\s*=\s*")
_COMMAND: Final = re.compile(r"\\[A-Za-z]+")
_OF_LETTERS: Final = re.compile(r"[A-Za-z][^=]*=")
"""An equation whose left side is no name: `2x = s + d`."""
_LISTED: Final = re.compile(
    rf"(?<![\w.])(?P<members>{_ONE}(?:\s*,\s*{_ONE})*\s*,?\s+(?:as\s+well\s+as|and|or|&)\s+(?:(?:at|for|to|when|if|with|in|by)\s+)?{_ONE})(?![\w])"
)
_BETWEEN: Final = re.compile(r"\s*,\s*|\s+(?:as\s+well\s+as|and|or|&)\s+(?:(?:at|for|to|when|if|with|in|by)\s+)?")
_SEVERAL: Final = re.compile(
    rf"(?<![\w.(\[{{])(?P<members>{_ONE}(?:,\s+{_ONE}){{2,}}+)(?!\w|\s*(?:,|and\b|or\b)|[)\]}}])"
)
"""`1, 3, 5, 7`"""
_ENDS: Final = re.compile(
    rf"\b(?:between|from|lower\s+than|within)\s+(?P<low>{_ONE})(?P<first>\s*\((?:included|excluded|inclusive|exclusive)\))?(?:\s?[A-Za-z%°]{{1,6}})?\s+(?:and|to|up\s+to)(?P<not>\s+but\s+not\s+including)?\s+(?P<high>{_ONE})(?P<rest>[^.;:]{{0,60}})",
    re.IGNORECASE,
)
_CLOSED: Final = re.compile(r"\b(?:inclusive|included|ends?\s+included|allowed|closed|or\s+equal)\b", re.IGNORECASE)
_OPEN: Final = re.compile(r"\b(?:exclusive|excluded|open|strictly|not\s+includ\w+)\b", re.IGNORECASE)
_BOUND: Final = re.compile(
    rf"\b(?P<name>[a-z])\s+(?:(?:is|has\s+to\s+be|must\s+be|should\s+be|needs\s+to\s+be)\s+)?(?:(?P<more>greater\s+than|larger\s+than|bigger\s+than|above|(?:has\s+to\s+|must\s+)?exceeds?)|(?P<least>at\s+least)|(?P<less>less\s+than|smaller\s+than|below)|(?P<most>at\s+most))\s+(?P<end>{_ONE})"
)
_OF_ROW: Final = rf"(?:{MARK}|\[[-−\d.,/ ]+\])"
_ROWS: Final = re.compile(rf"\[\s*{_OF_ROW}(?:\s*[,;]\s*{_OF_ROW})+\s*\]")
_ROW: Final = re.compile(
    rf"\b(?:first|top)\s+row\s+(?P<one>{_ONE}(?:\s*,\s*{_ONE})+)\s+and\s+(?:second|bottom)\s+row\s+(?P<two>{_ONE}(?:\s*,\s*{_ONE})+)",
    re.IGNORECASE,
)
_ASSIGNED: Final = rf"(?:{_NAME}(?:{MARK}|[-−]?\d+(?:\.\d+)?(?:/\d+)?)|{MARK})"
_TOGETHER: Final = re.compile(
    rf"(?<![\w.])(?P<one>{_ASSIGNED})(?:\s*,\s*(?:and\s+|while\s+)?|\s+(?:and|while)\s+)(?:(?:then|so|hence|thus)\s+)?(?P<other>{_ASSIGNED})(?!\w|\s*[=+*/^]|\s*,\s*(?:and\s+)?(?:{_NAME}|{MARK}))"
)
_GIVEN: Final = re.compile(
    r"\s*(?P<name>(?:[A-Za-zα-ω]|\\(?:alpha|beta|lambda|mu|theta|pi))(?:_\d|_\{\d\}|[₀-₉])?)\s*=(?!.*(?:\\to|→|[<>|]|\([^()]*,))[^=]+"
)
_GOES_BEFORE: Final = re.compile(r"=[^=,;]{1,20},\s*$")
"""Before a value that is not the first of a list."""
_AS_TO: Final = re.compile(r"\bas\s+(?P<one>\d+(?:\.\d+)?)\s+(?:is|are)\s+to\s+(?P<two>\d+(?:\.\d+)?)(?![\w])")
_RATIO: Final = re.compile(r"(?<![\w.:])\d+(?:\.\d+)?(?:\s*(?::|∶|to)\s*\d+(?:\.\d+)?){1,3}(?![\w:])")


def pieces(response: Response, text: str, kind: str) -> Iterator[Found]:
    """The collections of a sentence that may be of the asked sort, as the answer language writes them."""
    if kind in ("tuple", "range", "set"):
        form = "({})" if kind == "tuple" else "\\{{{}\\}}"
        for match in itertools.chain(_LISTED.finditer(text), _SEVERAL.finditer(text)):
            members = [_plain(response, each) for each in _BETWEEN.split(match["members"]) if each]
            if any(_OF_LETTERS.search(_COMMAND.sub("", each)) for each in members):
                continue
            yield Found(form.format(", ".join(members)), match.start(), match.end(), "listed")
        yield from _ranges(response, text)
    if kind == "tuple":
        yield from _assigned(response, text)
    if kind in ("tuple", "matrix"):
        for match in _ROWS.finditer(text):
            written = response.undelimited(match[0])
            yield Found(written, match.start(), match.end(), "rows")
        for match in _ROW.finditer(text):
            yield Found(f"[[{match['one']}], [{match['two']}]]", match.start(), match.end(), "rows")
    if kind in ("number", "ratio"):
        for match in _RATIO.finditer(text):
            yield Found(re.sub(r"\s*(?::|∶|to)\s*", ":", match[0]), match.start(), match.end(), "ratio")
        for match in _AS_TO.finditer(text):
            yield Found(f"{match['one']}:{match['two']}", match.start("one"), match.end(), "ratio")


def _assigned(response: Response, text: str) -> Iterator[Found]:
    """The values of two letters side by side: `x = 4, y = 3`, `$x=1$ and then $y=2$`."""
    for match in _TOGETHER.finditer(text):
        if _GOES_BEFORE.search(text, 0, match.start()):
            continue
        both = [_GIVEN.fullmatch(response.undelimited(match[side])) for side in ("one", "other")]
        names = [each["name"] for each in both if each is not None]
        if len(names) == len(both) and names[0] != names[1]:
            values = ", ".join(_plain(response, match[side]) for side in ("one", "other"))
            yield Found(f"({values})", match.start(), match.end(), "listed")


def _plain(response: Response, member: str) -> str:
    return _OWN.sub("", response.written(member).strip(" $"))


def _ranges(response: Response, text: str) -> Iterator[Found]:
    for match in _ENDS.finditer(text):
        low, high = (_plain(response, match[name]) for name in ("low", "high"))
        said = match["rest"] if not match["not"] else ""
        closed = _CLOSED.search(said) is not None and _OPEN.search(said) is None
        first = closed or (match["first"] is not None and _CLOSED.search(match["first"]) is not None)
        bracket = ("[" if first else "(", "]" if closed else ")")
        yield Found(f"{bracket[0]}{low}, {high}{bracket[1]}", match.start(), match.end(), "between")
    for match in _BOUND.finditer(text):
        sign = ">" if match["more"] else "\\ge" if match["least"] else "<" if match["less"] else "\\le"
        yield Found(f"{match['name']} {sign} {_plain(response, match['end'])}", match.start(), match.end(), "bound")
    said = range_of(response.written(text))
    if said is not None:
        yield Found(said, 0, len(text), "range")
