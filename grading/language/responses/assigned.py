"""Values of several letters that a sentence states together: `the lines cross where x = 2 and y = 5`."""

import re
from typing import Final

from grading.language.responses.doubts import doubted
from grading.language.responses.segments import MARK, Response
from grading.language.responses.spotted import CONDITIONED, SIDE
from grading.language.responses.values import tail_of

_IS: Final = r"(?:=|\bis\b|\bequals\b)"
_ONE: Final = rf"(?:[A-Za-zα-ω](?:_?\w)?\s*{_IS}\s*{SIDE}|{MARK})"
_LIST: Final = re.compile(
    rf"^(?P<lead>[^=\d\ue000-\ue2ff]*?)(?P<list>{_ONE}(?:(?:\s*[,;]|,?\s*and(?:\s+then)?|,\s*then)\s+{_ONE}){{1,5}})\W*$"
)
_NAMED: Final = re.compile(r"\s*(?P<name>\\?[A-Za-zα-ω]+(?:_?\w|_\{\w+\})?)\s*(?:=|\bis\b|\bequals\b)[^=<>]+")
_OF_A_POINT: Final = re.compile(r"(?<=\bpoint)\s+(?:with|where|at(?:\s+which)?)\s*$", re.IGNORECASE)
_MEET: Final = re.compile(
    r"\b(?:meets?|cross(?:es)?|intersects?|touch(?:es)?|coincides?|agrees?|vanish(?:es)?|occurs?|happens?|(?:is|are)\s+(?:solved|satisfied|met|attained|reached|fulfilled"
    r"|minimal|maximal|smallest|largest|zero|equal|stationary|true)|holds?|lies?|found|located|situated)\b[^,;:]{0,60}?(?:(?<!\sif)\s+)"
    r"(?P<at>(?:where|when|at|for|with|(?:exactly|precisely|only)\s+(?:if|when|for|where))\s+$)",
    re.IGNORECASE,
)
"""The main clause of which the values are what it is about."""
_REASON: Final = re.compile(
    r"^(?P<said>.*?[\w)\ue000-\ue2ff])(?P<tail>\s*[,;—–]\s*(?:since|because|as|which|and)\s[^\d=\ue000-\ue2ff?]*)$",
    re.DOTALL,
)


def without_reason(text: str) -> str:
    """A sentence without a last clause that gives a reason or a check and has no value of its own."""
    found = _REASON.match(text)
    return text if found is None or tail_of(found["tail"]) != "" else found["said"]


def assigned(response: Response, text: str) -> str | None:
    """The values of letters that a sentence ends in, each of another letter; None of other sentences."""
    found = _LIST.match(without_reason(text))
    if found is None:
        return None
    lead = _OF_A_POINT.sub("", found["lead"])
    parts = re.split(r"\s*[,;]\s*(?:and\s+)?(?:then\s+)?|\s+and\s+(?:then\s+)?", found["list"])
    named = [_NAMED.fullmatch(re.sub(MARK, lambda mark: response.formula(mark[0]), part)) for part in parts]
    names = {each["name"] for each in named if each is not None}
    if None in named or (len(names) < len(parts) and re.search(MARK, found["list"])):
        return None
    about = _MEET.search(lead)
    if about is None and re.match(MARK, found["list"]):
        return None
    bare = lead[: about.start("at")] if about is not None else lead
    if doubted(bare) or CONDITIONED.search(bare):
        return None
    return response.written(", ".join(re.sub(r"\s+(?:is|equals)\s+", " = ", part) for part in parts))
