"""Sets of integers that are said in words or as `n = 5k`: even, odd, the multiples of a number, the perfect squares."""

import re
from functools import lru_cache

from grading.equivalence.finding import Finding, different, equal

_WHOLE = r"(?:(?:integers?|numbers?|values?)(?:\s+of)?)?(?:\s*n)?"
_OPENING = re.compile(
    r"^(?:(?:so|thus|hence|therefore|exactly|precisely|all|the|every|set of|for|it holds|when|these|are)[,:]?\s+)+"
)
_CONGRUENT = re.compile(
    r"n ?(?:\\equiv|≡|=) ?(?P<rest>-?\d{1,6}),? ?(?:\\pmod|\\bmod|\\mod|mod|modulo) ?(?P<modulus>\d{1,6})"
)
_PARITY = re.compile(rf"(?:n (?:(?:is|must be|has to be) )?)?(?P<parity>even|odd)(?: {_WHOLE})?")
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
_GOLD = re.compile(r"(?P<letter>[a-z])\s*(?:\\equiv|≡)")
_MOD = r"\s*,?\s*(?:\(\s*)?(?:\\?[pb]?mod(?:ulo)?)\s*\{?\s*\$?(?P<modulus>\d{1,9})\$?\}?\s*\)?"
_DIVIDED = (
    r"\s+(?:when|on|upon|after|if)\s+(?:it\s+is\s+|being\s+)?(?:divided|division)\s+by\s+\$?(?P<divisor>\d{1,9})\$?"
)
_SAID = re.compile(
    r"(?P<subject>\$?\b(?<![\\A-Za-z])[a-z]\$?|\b(?:it|they|(?:(?:all|every|the|each|any)\s+)?solutions?(?:\s+\$?[a-z]\$?)?))\s+"
    rf"(?:(?P<plain>(?:≡|\\equiv)\s*(?P<rest3>[-−]?\d{{1,9}}))|(?:(?:is|are|must\s+be|has\s+to\s+be)\s+)?(?:therefore\s+|then\s+|thus\s+)?congruent\s+to\s+\$?\**(?P<rest>[-−]?\d{{1,9}})\$?\**){_MOD}(?!\s*[\d^])"
    r"|(?P<divided>\$?\b(?<![\\A-Za-z])[a-z]\$?|\b(?:it|they))\s+(?:leaves?|has|have|gives?)\s+(?:an?\s+|the\s+)?remainder\s+(?:of\s+)?\$?\**(?P<rest2>\d{1,9})\$?\**"
    rf"{_DIVIDED}(?!\s*[\d^])"
)
"""`x is congruent to 23 modulo 105`, `x ≡ 23 (mod 105)` among words, `x leaves remainder 23 when divided by 105`"""
_BEHIND = re.compile(
    r"(?<=\})\$\**,\s+(?:with|where)\s+\$?\d{1,9}\$?\s+(?:is\s+|being\s+|as\s+)?the\s+(?:smallest|least)\s+(?:positive|non-?negative|natural)\s+(?:integer\s+)?(?:solution|one|value)(?=\W*$)"
)


def compare_residues(gold: str, given: str) -> Finding | None:
    """The finding where both are sets of integers of this sort; None where they are not."""
    expected = _residues_of_gold(gold)
    found = _residues(given) if expected is not None else None
    if found is None:
        return None
    return equal("the same integers") if found == expected else different("other integers")


def with_congruences(text: str, gold: str) -> str:
    """The text with the congruence that it says in words as a formula, beside a gold that is one."""
    asked = _GOLD.match(gold.strip(" $")) if "equiv" in gold or "≡" in gold else None
    if (
        asked is None
        or len(text) > 400
        or re.search(r"(?:congruent|remainder|≡)", text) is None
        or re.search("[A-Za-z]{4}", text) is None
    ):
        return text
    bare = re.sub(r"\*\*(\d+\s+mod(?:ulo)?\s+\d+)\*\*", r"\1", text)

    def written(found: re.Match[str]) -> str:
        subject = (found["subject"] or found["divided"]).strip("$")
        letter = subject if len(subject) == 1 else asked["letter"]
        rest = found["rest"] or found["rest2"] or found["rest3"]
        head = "" if len(subject) == 1 or found["divided"] else "the solution is "
        return f"{head}${letter} \\equiv {rest} \\pmod{{{found['modulus'] or found['divisor']}}}$"

    dollars = bare.split("$")
    said = _SAID.search(bare)
    if said is None or len(dollars) % 2 == 0 or bare[: said.start()].count("$") % 2:
        return text
    return _BEHIND.sub("$", bare[: said.start()] + written(said) + bare[said.end() :])


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
    congruent = _CONGRUENT.fullmatch(words)
    if congruent is not None and int(congruent["modulus"]):
        return "mod", int(congruent["modulus"]), int(congruent["rest"]) % int(congruent["modulus"])
    form = _FORM.fullmatch(words)
    if form is None or not _is_integer(form["letter"], form["declared"]) or not int(form["factor"] or 0):
        return None
    factor = int(form["factor"])
    return "mod", factor, (int(form["rest"] or 0) * (-1 if form["sign"] == "-" else 1)) % factor


def _is_integer(letter: str, declared: str) -> bool:
    """Whether a letter is one of those for integers, declared as any integer or not at all."""
    said = re.sub(rf"\b(?:with|for|where|some|any|an|every|all|integers?|{letter}|in|z|is)\b|[\s,:]", "", declared)
    return letter in _LETTERS and not said
