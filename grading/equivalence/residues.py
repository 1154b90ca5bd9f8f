"""Sets of integers that are said in words or as `n = 5k`: even, odd, the multiples of a number, the perfect squares."""

import re
from functools import lru_cache

from grading.equivalence.finding import Finding, different, equal

_WHOLE = r"(?:(?:integers?|numbers?|values?)(?:\s+of)?)?(?:\s*n)?"
_OPENING = re.compile(
    r"^(?:(?:so|thus|hence|therefore|exactly|precisely|all|the|every|set of|for|it holds|when|these|are)[,:]?\s+)+"
)
_PARITY = re.compile(rf"(?:n (?:is|must be|has to be) )?(?P<parity>even|odd)(?: {_WHOLE})?")
_MULTIPLE = re.compile(
    rf"(?:{_WHOLE} )?(?:n (?:is|must be) )?(?:an? |the )?(?:(?:integer |integral )?multiples? of"
    r"|divisible by|(?:that are )?divisible by) (?P<divisor>\d{1,6})"
)
_SQUARE = re.compile(rf"(?:n (?:is|must be) )?(?:an? )?perfect squares?(?: {_WHOLE})?")
_FORM = re.compile(
    r"(?:n\s*=\s*)?(?P<factor>\d{0,6})\s*(?P<letter>[a-z])\s*(?:(?P<sign>[+-])\s*(?P<rest>\d{1,6}))?(?P<declared>.*)"
)
_POWER = re.compile(r"n\s*=\s*(?P<letter>[a-z])\^\{?2\}?(?P<declared>.*)")
_LETTERS = frozenset("kmtjl")


def compare_residues(gold: str, given: str) -> Finding | None:
    """The finding where both are sets of integers of this sort; None where they are not."""
    expected = _residues_of_gold(gold)
    found = _residues(given) if expected is not None else None
    if found is None:
        return None
    return equal("the same integers") if found == expected else different("other integers")


@lru_cache(maxsize=512)
def _residues_of_gold(gold: str) -> tuple[str, int, int] | None:
    return _residues(gold) if re.search(r"[a-z]{3}", gold) else None


def _residues(text: str) -> tuple[str, int, int] | None:
    """`("mod", m, r)` or `("squares", 0, 0)`."""
    if len(text) > 120:
        return None
    plain = re.sub(r"\\mathbb\s*\{?\s*Z\s*\}?|ℤ", "Z", text)
    plain = re.sub(
        r"\\(?:in|text|mathrm)\b|∈|[$*{}()]|\\[()\[\],;]", lambda m: " in " if m[0] in ("\\in", "∈") else " ", plain
    )
    plain = " ".join(plain.lower().strip(" .").split())
    words = _OPENING.sub("", plain + " ").strip()
    parity = _PARITY.fullmatch(words)
    if parity is not None:
        return "mod", 2, int(parity["parity"] == "odd")
    multiple = _MULTIPLE.fullmatch(words)
    if multiple is not None and int(multiple["divisor"]):
        return "mod", int(multiple["divisor"]), 0
    if _SQUARE.fullmatch(words):
        return "squares", 0, 0
    power = _POWER.fullmatch(words)
    if power is not None and _is_integer(power["letter"], power["declared"]):
        return "squares", 0, 0
    form = _FORM.fullmatch(words)
    if form is None or not _is_integer(form["letter"], form["declared"]) or not int(form["factor"] or 0):
        return None
    factor = int(form["factor"])
    return "mod", factor, (int(form["rest"] or 0) * (-1 if form["sign"] == "-" else 1)) % factor


def _is_integer(letter: str, declared: str) -> bool:
    """Whether a letter is one of those for integers, declared as any integer or not at all."""
    said = re.sub(rf"\b(?:with|for|where|some|any|an|every|all|integers?|{letter}|in|z|is)\b|[\s,:]", "", declared)
    return letter in _LETTERS and not said
