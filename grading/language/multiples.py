"""Integers and multiples as sentences say them: `all integers that leave remainder 1 when divided by 4`.

They are written as the formula that says the same, which the comparison of families then reads.
"""

import re
from typing import Final

from grading.language import numerals

_LONGEST: Final = 240
_DRESS: Final = re.compile(r"\$|\\[()\[\],;:! ]|\*\*|~|(?<!\\)\\(?=\s)")
_TEXT: Final = re.compile(r"\\(?:text|mathrm)\s*\{([^{}]*)\}")
_LETTER: Final = r"(?:\\[a-z]{2,8}|[a-zA-Zα-ω])"
_LEAD: Final = re.compile(
    r"(?:(?:(?:so|thus|hence|therefore|then|finally|in\s+other\s+words|(?:it|this|the\s+(?:congruence|equation|statement|condition))\s+holds|it\s+works|answer)\b[\s,:]*)*)"
    r"(?:(?:the\s+)?(?:full\s+|complete\s+|general\s+|required\s+)?(?:answers?|solutions?(?:\s+set)?|set(?:\s+of\s+(?:all\s+)?solutions)?|values?(?:\s+of\s+"
    rf"{_LETTER})?|solution\s+set|they|these|it)\s+(?:is|are|consists?\s+of)\s+)?"
    rf"(?:(?P<name>{_LETTER})\s+(?:is|must\s+be|has\s+to\s+be|can\s+be|equals|=|may\s+be|ranges\s+over)\s+)?"
    r"(?:(?:exactly|precisely|when|for|just|given\s+by)\s+)*",
    re.IGNORECASE,
)
_ALL: Final = (
    r"(?:(?:the\s+)?set\s+of\s+)?(?:(?:all|any|every|each|those|the|an?|exactly|precisely)\s+)*(?:of\s+the\s+)?"
)
_SIGN: Final = r"(?P<sign>positive\s+|non-?negative\s+|negative\s+)?"
_WHOLE: Final = (
    r"(?:(?:(?P<whole>integers?|whole\s+numbers?|natural\s+numbers?|numbers?)"
    rf"\s*,?\s*(?P<letter>{_LETTER})?|[k-np](?=\s))\s*)"
)
_COUNT: Final = r"(?:\d{1,6}|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_THAT: Final = r",?\s*(?:(?:that|which|such\s+that\s+they|satisfying|who)\s+)?"
_DIVIDED: Final = rf"(?:when|upon|on|after|if)\s+(?:being\s+)?(?:divided|division)\s+by\s+(?P<divisor>{_COUNT})"
_AFTER_DIVISION: Final = _DIVIDED.replace("divisor", "divisor3")
_LEAVES: Final = re.compile(
    rf"{_ALL}{_SIGN}{_WHOLE}{_THAT}(?:(?:leave|leaves|leaving|give|gives|giving|have|has|having|with)\s+(?:an?\s+|the\s+)?remainder\s+"
    rf"(?:of\s+|equal\s+to\s+)?(?P<rest>{_COUNT})\s+{_DIVIDED}"
    rf"|(?:leave|leaves|leaving|give|gives|giving|have|has|having|with)\s+(?:an?\s+|the\s+)?remainder\s+modulo\s+(?P<divisor2>{_COUNT})\s+(?:of\s+|equal\s+to\s+)?(?P<rest2>{_COUNT})"
    rf"|whose\s+remainder\s+(?:{_AFTER_DIVISION}|modulo\s+(?P<divisor4>{_COUNT}))\s+is\s+(?P<rest3>{_COUNT})"
    rf"|(?:are\s+|is\s+)?congruent\s+to\s+(?P<rest4>{_COUNT})\s+(?:modulo|mod)\s+(?P<divisor5>{_COUNT})"
    rf"|(?:are\s+|is\s+)?(?P<more>{_COUNT})\s+(?P<which>more|less|greater|above|below)\s+(?:than\s+)?an?\s+multiple\s+of\s+(?P<divisor6>{_COUNT}))",
    re.IGNORECASE,
)
_MORE: Final = re.compile(
    rf"{_ALL}(?P<more>{_COUNT})\s+(?P<which>more|less)\s+than\s+an?\s+(?:integer\s+)?multiple\s+of\s+(?P<divisor>{_COUNT})",
    re.IGNORECASE,
)
_DIVISIBLE: Final = re.compile(
    rf"{_ALL}{_SIGN}(?:{_WHOLE}{_THAT}(?:are\s+|is\s+)?)?(?:divisible\s+by|a?\s*multiples?\s+of)\s+(?P<divisor>{_COUNT})",
    re.IGNORECASE,
)
_MULTIPLES: Final = re.compile(
    rf"{_ALL}(?P<kind>(?:integer|integral|whole|odd|even|positive|odd\s+integer|even\s+integer|positive\s+integer|odd\s+integral|integer-)\s*)?multiples?\s+of\s+"
    r"(?P<unit>[^,;:.]{1,60}?)",
    re.IGNORECASE,
)
_FORM: Final = re.compile(
    rf"{_ALL}{_SIGN}(?:{_WHOLE}{_THAT}(?:are\s+|is\s+)?)?(?:of|have|has)\s+the\s+form\s+(?P<form>[^,;:.]{{1,60}}?)"
    r"(?P<declared>(?:\s*,)?\s*(?:(?:where|with|for|,)\s*)?(?:any\s+|an?\s+|some\s+|every\s+)?(?:integer\s+)?[a-z]\s*(?:\\in|∈|is|an?)[^,;:.]{1,40})?",
    re.IGNORECASE,
)
_PARITY: Final = re.compile(
    rf"{_ALL}(?:{_LETTER}\s+)?{_SIGN}(?P<parity>odd|even)(?:\s+{_SIGN.replace('sign', 'sign2')}{_WHOLE}|\s+{_LETTER})?"
    r"(?:\s*(?:is\s+a\s+solution|are\s+(?:the\s+)?solutions|works?))?",
    re.IGNORECASE,
)
_FROM: Final = re.compile(
    rf"{_ALL}(?P<parity>odd\s+|even\s+)?(?:integers?|whole\s+numbers?|natural\s+numbers?|numbers?)\s*{_LETTER}?\s*"
    rf"(?:(?:from\s+)?(?P<low>-?{_COUNT})\s+(?:up\s+to|to|through)\s+(?P<high>-?{_COUNT})(?:,?\s*\(?inclusive\)?)?"
    rf"|between\s+(?P<low2>-?{_COUNT})\s+and\s+(?P<high2>-?{_COUNT}),?\s*\(?inclusive\)?)",
    re.IGNORECASE,
)
_LARGEST: Final = 1000
_MOST: Final = 200
_PRIMES: Final = re.compile(
    rf"{_ALL}primes?(?:\s+numbers?)?,?\s+(?:(?:that|which)\s+are\s+)?"
    rf""
    rf"(?:(?P<bound>less than|smaller than|below|under|up to|at most|not exceeding)\s+(?P<high>{_COUNT})"
    rf"|between\s+(?P<low>{_COUNT})\s+and\s+(?P<top>{_COUNT}))",
    re.IGNORECASE,
)
_DIVISORS: Final = re.compile(
    rf"{_ALL}positive\s+(?:integer\s+)?(?:divisors|factors)\s+of\s+(?P<number>{_COUNT})", re.IGNORECASE
)
_SEQUENCES: Final = (
    (re.compile(rf"{_ALL}perfect\s+squares?", re.IGNORECASE), r"\{{ k^2 : k \in \mathbb{{N}} \}}"),
    (
        re.compile(rf"{_ALL}(?:non-?zero|positive)\s+(?:perfect\s+)?squares?(?:\s+numbers?)?", re.IGNORECASE),
        r"\{{ k^2 : k \ge 1 \}}",
    ),
    (
        re.compile(rf"{_ALL}half-?\s?(?:odd\s+)?integers?(?:\s+numbers?)?", re.IGNORECASE),
        r"\{{ k + \frac{{1}}{{2}} : k \in \mathbb{{Z}} \}}",
    ),
    (
        re.compile(rf"{_ALL}positive\s+(?:integer\s+)?powers\s+of\s+(?P<base>\d{{1,4}})", re.IGNORECASE),
        r"\{{ {base}^k : k \ge 1 \}}",
    ),
    (
        re.compile(rf"{_ALL}(?:non-?negative\s+)?(?:integer\s+)?powers\s+of\s+(?P<base>\d{{1,4}})", re.IGNORECASE),
        r"\{{ {base}^k : k \ge 0 \}}",
    ),
)
"""Sequences whose members are told by their name alone."""
_MAY_NAME: Final = re.compile(
    r"multiple|remainder|divisible|congruent|form|prime|divisor|factor|square|power|half-?\s?int|\bodd\b|\beven\b"
    r"|(?:numbers?|integers?)\b.*\b(?:to|through)\b|inclusive",
    re.IGNORECASE,
)
_AGAIN: Final = re.compile(
    r"\s*(?:,\s*|\()(?:i\.\s?e\.|that\s+is|or|namely|in\s+other\s+words)\s*,?\s*(?P<again>\S.*?)\)?\s*$"
)
_VALUE: Final = re.compile(r"(?:[-−+\d\s/^{}()√π°]|\\(?:pi|frac|tfrac|dfrac|sqrt|circ|degree|cdot)(?![a-z])|degrees)+")
_SIGNED: Final = {"positive": r"\ge 1", "nonnegative": r"\ge 0", "negative": r"\le -1"}


def family_in_words(text: str) -> tuple[str, ...]:
    """The formula of the integers or multiples that a sentence names, and that in which it says it again.

    Empty for any other text.
    """
    if len(text) > _LONGEST or _MAY_NAME.search(text) is None:
        return ()
    plain = " ".join(_DRESS.sub(" ", _TEXT.sub(r" \1 ", text)).split()).rstrip(" .")
    again = _AGAIN.search(plain)
    said = _family(plain[: again.start()] if again is not None else plain)
    if said is None:
        return ()
    return (said,) if again is None else (said, again["again"])


def _family(plain: str) -> str | None:
    lead = _LEAD.match(plain)
    rest = plain[lead.end() :] if lead is not None else plain
    listed = _PRIMES.fullmatch(rest) or _DIVISORS.fullmatch(rest)
    if listed is not None:
        return _members(listed)
    for pattern, formula in _SEQUENCES:
        if (found := pattern.fullmatch(rest)) is not None:
            return formula.format(**found.groupdict())
    for pattern, write in (
        (_LEAVES, _residue),
        (_MORE, _residue),
        (_DIVISIBLE, _multiple),
        (_MULTIPLES, _steps),
        (_FORM, _form),
        (_PARITY, _parity),
        (_FROM, _between),
    ):
        found = pattern.fullmatch(rest)
        if found is not None:
            return write(found)
    return None


def _members(found: re.Match[str]) -> str | None:
    """The primes below a number, or the divisors of one, each by itself."""
    said = found.groupdict()
    if "number" in said:
        number = _count(said["number"])
        divisors = [str(n) for n in range(1, number + 1) if number % n == 0]
        return f"\\{{ {', '.join(divisors)} \\}}" if 1 <= number <= _LARGEST and len(divisors) <= _MOST else None
    low = _count(said["low"]) if said["low"] else 0
    high = _count(said["high"] or said["top"])
    closed = said["bound"] is not None and re.fullmatch(r"up to|at most|not exceeding", said["bound"])
    last = high if closed or said["low"] else high - 1
    primes = [str(n) for n in range(max(2, low), min(last, _LARGEST) + 1) if all(n % d for d in range(2, n))]
    ambiguous = said["low"] and (str(low) in primes or str(high) in primes)
    return f"\\{{ {', '.join(primes)} \\}}" if 0 < len(primes) <= _MOST and high <= _LARGEST and not ambiguous else None


def _count(text: str) -> int:
    value = numerals.number_of(text) if not text.isdigit() else int(text)
    return int(value) if value is not None else 0


def _residue(found: re.Match[str]) -> str | None:
    parts = found.groupdict()
    divisors = [value for name, value in parts.items() if name.startswith("divisor") and value]
    rests = [value for name, value in parts.items() if name.startswith("rest") and value]
    divisor = _count(divisors[0])
    rest = _count(rests[0] if rests else parts["more"] or "0")
    if parts.get("which") and parts["which"].lower() in ("less", "below"):
        rest = -rest
    if not divisor:
        return None
    return _set(divisor, rest % divisor, parts.get("sign"), parts.get("whole"))


def _multiple(found: re.Match[str]) -> str | None:
    divisor = _count(found["divisor"])
    return _set(divisor, 0, found["sign"], found["whole"]) if divisor else None


def _set(divisor: int, rest: int, sign: str | None, whole: str | None) -> str | None:
    """The members, of positive integers from the first one on."""
    signed = (sign or "").strip().lower().replace("-", "")
    if whole is not None and whole.lower().startswith("natural"):
        signed = signed or ("positive" if rest else "nonnegative")
    if signed == "negative" and rest:
        return None
    bound = _SIGNED.get(signed if not rest or not signed else "nonnegative")
    declared = f", k {bound}" if signed else ""
    return f"\\{{ {divisor} k + {rest} : k \\in \\mathbb{{Z}}{declared} \\}}"


def _steps(found: re.Match[str]) -> str | None:
    """`odd multiples of π/2` as a family."""
    unit = found["unit"].strip()
    if _VALUE.fullmatch(unit) is None or not re.search(r"\d|π|pi", unit):
        return None
    kind = (found["kind"] or "").lower()
    factor = "(2k+1)" if "odd" in kind else "(2k)" if "even" in kind else "k"
    declared = ", k \\ge 1" if "positive" in kind else ""
    unit = unit.replace("degrees", "^\\circ")
    return f"{factor} \\cdot \\left({unit}\\right), k \\in \\mathbb{{Z}}{declared}"


def _form(found: re.Match[str]) -> str | None:
    """`integers of the form 4k + 1`, whose letter runs through the integers where nothing else is said."""
    form = found["form"].strip()
    letters = set(re.findall(r"[A-Za-z]", re.sub(r"\\[A-Za-z]+", "", form)))
    if len(letters) != 1 or found["whole"] is None or (found["sign"] and not found["declared"]):
        return None
    declared = (found["declared"] or "").strip(" ,")
    if declared and not re.search(r"integer|Z|ℤ|N|ℕ", declared):
        return None
    return f"{form}, {declared}" if declared else f"{form}, {letters.pop()} \\in \\mathbb{{Z}}"


def _parity(found: re.Match[str]) -> str | None:
    return _set(2, int(found["parity"].lower() == "odd"), found["sign"] or found["sign2"], found["whole"])


def _between(found: re.Match[str]) -> str | None:
    """`all even integers from 2 to 100` by its members."""
    low, high = (
        -_count(each[1:]) if each.startswith("-") else _count(each)
        for each in ((found["low"] or found["low2"]), (found["high"] or found["high2"]))
    )
    parity = (found["parity"] or "").strip().lower()
    members = [str(n) for n in range(low, min(high, low + _MOST) + 1) if not parity or n % 2 == (parity == "odd")]
    return f"\\{{ {', '.join(members)} \\}}" if members and high - low <= _MOST else None
