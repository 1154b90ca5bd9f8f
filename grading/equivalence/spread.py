"""Answers that are worked out before they are compared: all choices of signs, operations in words with their result."""

import itertools
import re
from fractions import Fraction
from typing import Final

from grading.language.numerals import number_of

_ALL_SIGNS: Final = re.compile(
    r"(?P<core>[^()]*?(?:\\pm|\\mp|±|∓)[^()]*?)[\s,;$]*(?:\\q?quad\s*)*(?:\\text\s*\{\s*)?\(?\s*(?:with\s+|for\s+|taking\s+)?"
    r"(?:(?:all|any|every)\s+(?:of\s+the\s+)?(?:two|four|eight|\d)?\s*(?:possible\s+|independent\s+)?"
    r"(?:(?:sign\s+)?combinations?|choices?)(?:\s+of\s+(?:the\s+)?signs?)?|(?:the\s+)?signs\s+(?:are\s+)?(?:chosen\s+)?independent(?:ly)?)\s*\)?\s*\}?[\s.$]*"
)
_SIGN: Final = re.compile(r"\\(?:pm|mp)(?![A-Za-z])\s*|[±∓]\s*")
_PAIRED: Final = re.compile(
    r"(?:\\\(|\$)?\s*(?:\([a-z],\s*[a-z]\)\s*(?:=|\\in)\s*)?(?:\(|\\left\()?\s*(?:[a-z]\s*=\s*)?(?P<one>(?:\\pm|±)[^(),;=±∓]{1,30})"
    r"\$?\s*(?:,|;|\band\b)[\s$]*(?:\\[,; ]|\\q?quad)*\s*"
    r"(?:[a-z]\s*=\s*)?(?P<other>(?:\\pm|\\mp|±|∓)[^(),;=±∓$]{1,30}?)"
    r"(?:\\right\)|\))?(?:\$|\\\))?[\s,;$]*\(?\s*(?:\\text\s*\{\s*)?(?:(?:with|taking|using)\s+)?(?:the\s+)?(?P<how>same|equal|matching|corresponding|like"
    r"|opposite|different)\s+signs?(?:\s+(?:taken\s+)?(?:together|in\s+both(?:\s+coordinates)?))?\s*\)?\s*\}?[\s.$]*"
)
"""`x = ±2, y = ±3 (same signs)`"""
_TIMES: Final = (
    r"(?P<{0}>\d|one|two|three|four|five|six|1|simple|double|twice|repeated(?:\s+twice)?|triple|three\s+times|thrice)"
)
_COUNTED: Final = re.compile(
    r"(?P<value>\$[^$\n]{1,60}\$|[^\s,;:$(){}]{1,30}(?:\s*=\s*[^\s,;:$(){}]{1,30})?)"
    r"(?:\s+is\s+(?:an?|the(?:\s+only)?)\s+(?:eigenvalue|root|solution|zero))?\s*,?\s*(?:\\text\s*\{\s*)?"
    r"(?:(?P<open>[(\[])\s*)?(?:which\s+(?:is|has)\s+|with\s+|of\s+|has\s+)?(?:an?\s+|the\s+)?"
    rf"(?:(?:algebraic\s+|alg\.?\s+)?mult(?:iplicity|\.)\s*(?:of\s+|is\s+|=\s*)?\$?{_TIMES.format('times')}\$?(?!\$|\.?\d)"
    r"(?:,?\s*(?:and\s+|but\s+)?geometric\s+multiplicity\s+\$?\d\$?)?"
    rf"|{_TIMES.format('often')}(?:\s+(?:root|zero|eigenvalue|solution|pole))?(?<![\d])(?=\s*[)\]]|\s*$|\s*[.,;]|\s+and\b))"
    r"\s*(?(open)[)\]])(?:\s*\})?,?"
)
"""`λ = 4 (multiplicity 2)`, `1 with algebraic multiplicity two`, `-1 (double root)`"""
_OFTEN: Final = {"simple": 1, "double": 2, "twice": 2, "repeated": 2, "triple": 3, "thrice": 3}
_MULTIPLE: Final = re.compile(r"\bmult(?:iplicity|\.)|\b(?:double|twice|repeated|triple|thrice)\b")
_LONGEST: Final = 400
_NAME: Final = re.compile(r"^\W*[A-Za-z](?:_\w)?\s*(?:=|\\in|∈)\s*")
_NUMBER: Final = r"(?:[-−]?\d+(?:\.\d+)?|[a-z]+(?:-[a-z]+)?)"
_WORKED: Final = re.compile(
    rf"(?P<before>^|.*?\s)(?:(?P<times>twice|double|half(?:\s+of)?|triple)\s+(?P<one>{_NUMBER})|(?P<base>{_NUMBER})\s+(?P<power>squared|cubed)"
    rf"|(?P<first>{_NUMBER})\s+(?P<sign>times|plus|minus|divided\s+by)\s+(?P<second>{_NUMBER})"
    rf"|the\s+(?P<of>sum|product|difference)\s+of\s+(?P<left>{_NUMBER})\s+and\s+(?P<right>{_NUMBER}))"
    rf"\s*,?\s*(?:that\s+is,?|i\.\s?e\.,?|namely,?|or|which\s+(?:is|equals|makes|gives)|=)\s+(?P<value>[-−]?\d+(?:\.\d+)?)\.?\s*",
    re.IGNORECASE | re.DOTALL,
)
_FACTORS: Final = {"twice": Fraction(2), "double": Fraction(2), "half": Fraction(1, 2), "triple": Fraction(3)}
_MOST_SIGNS: Final = 3


def with_all_signs(text: str) -> str | None:
    """`\\pm1\\pm i` with "all four combinations" as the set of all of them, `(±2, ±3)` with "same signs" as two points.

    None of other texts.
    """
    paired = _PAIRED.fullmatch(text.strip()) if "sign" in text else None
    if paired is not None:
        one, other = (_SIGN.sub("", paired[each]).strip(" $\\") for each in ("one", "other"))
        turned = (paired["how"] in ("opposite", "different")) != bool(re.match(r"\\mp|∓", paired["other"]))
        return f"({one}, {'-' if turned else ''}{other}), (-{one}, {'' if turned else '-'}{other})"
    found = _ALL_SIGNS.fullmatch(text.strip()) if "sign" in text or "combination" in text else None
    if found is None:
        return None
    core = _NAME.sub("", found["core"].strip(" $,"))
    core = re.sub(r"^\\?\{|\\?\}$", "", core.strip()).strip()
    signs = _SIGN.findall(core)
    if not 0 < len(signs) <= _MOST_SIGNS or "," in core:
        return None
    parts = _SIGN.split(core)
    spread = [
        "".join(itertools.chain(*zip(parts, (*choice, ""), strict=True)))
        for choice in itertools.product("+-", repeat=len(signs))
    ]
    return f"\\{{{', '.join(each.lstrip('+ ') for each in spread)}\\}}"


def worked_in_words(text: str) -> str | None:
    """`5 squared, that is, 25` as 25, where the operation gives that; None of other texts."""
    found = _WORKED.fullmatch(text) if re.search(r"\d\.?\s*$", text) else None
    if found is None:
        return None
    value = _result(found)
    same = value is not None and value == Fraction(found["value"].replace("−", "-"))
    return f"{found['before']}{found['value']}".strip() if same else None


def _result(found: re.Match[str]) -> Fraction | None:
    """What the operation in words gives."""
    if found["times"]:
        one = _number(found["one"])
        return None if one is None else one * _FACTORS[found["times"].split()[0].lower()]
    if found["power"]:
        base = _number(found["base"])
        return None if base is None else base ** (2 if found["power"].lower() == "squared" else 3)
    sides = (found["first"] or found["left"], found["second"] or found["right"])
    first, second = (_number(side) for side in sides)
    if first is None or second is None:
        return None
    match (found["sign"] or found["of"]).lower().split()[0]:
        case "times" | "product":
            return first * second
        case "plus" | "sum":
            return first + second
        case "minus" | "difference":
            return first - second
        case _:
            return first / second if second else None


def _number(text: str) -> Fraction | None:
    plain = text.replace("−", "-")
    return Fraction(plain) if re.fullmatch(r"-?\d+(?:\.\d+)?", plain) else number_of(plain)


def with_repeats(text: str, gold: str = "") -> str:
    """`1 (multiplicity 2) and 4` with each value as many times as it is one, `1, 1 and 4`; other texts as they are.

    An answer is left as it is beside a gold that has no value twice.
    """
    if len(text) > _LONGEST or _MULTIPLE.search(text) is None:
        return text
    values = [value.strip() for value in gold.strip("{}\\$ ").split(",")]
    if gold and len({*values}) == len(values):
        return text

    def written(found: re.Match[str]) -> str:
        times = (found["times"] or found["often"]).split()
        first = times[0].lower()
        count = int(first) if first.isdigit() else _OFTEN.get(first) or int(number_of(first) or 1)
        end = "," if found[0].endswith(",") else ""
        return ", ".join([found["value"]] * count) + end if "," not in found["value"] else found[0]

    return _COUNTED.sub(written, text)
