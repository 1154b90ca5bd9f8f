"""Golds in words beside answers that only spell or inflect them otherwise, or say more behind them.

`ionisation` is `ionization`, `hydrogen bonding` is `hydrogen bonds`, `tungsten (W)` is `tungsten`.
"""

import re
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, equal
from grading.language import formulae, words
from grading.language.responses import vocabulary as say
from grading.language.responses.corrections import taken_back
from grading.language.responses.samenames import same_but_for_number
from grading.language.spellings import canonical, is_asked_name

_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TERM: Final = re.compile(r"(?:(?:the|an?)\s+)?[^\W\d_]+\d?(?:[ -][^\W\d_]+){0,4}\.?")
_HEADS_MORE: Final = re.compile(r"(?P<stem>[a-z]{4,}?)(?P<ending>s|es|ing)?")
_REMARK: Final = re.compile(
    r"(?P<head>[^,;:.()—–]{2,60}?)\s*(?:(?P<bracket>\([^()?]{1,120}\))|,\s+(?P<symbol>\$[^$]{1,30}\$|[A-Z][a-z]?|[a-zα-ω][⁺⁻+-])"
    r"|(?P<reason>,?\s+(?:because|since|as|due\s+to|owing\s+to)\s[^;?]{3,200})|(?P<place>\s+(?:between|among|within|inside|across|along)\s[^,;:?]{3,80})"
    r"|(?P<more>[;:.—–]\s+(?:it|they|its|their|this|these|both|each|the\s+(?:one-sided|left|right|two)|left|right|only)\b[^?]{3,200}))[\s.!*]*",
    re.IGNORECASE | re.DOTALL,
)
_OPENS_AGAIN: Final = re.compile(
    r"\W*(?:or|not|maybe|perhaps|but|however|wait|no|formerly|sometimes|actually|rather|previously)\b", re.IGNORECASE
)
_SETTLES_ELSE: Final = re.compile(
    r"\b(?:or|but|if|unless|except|wrong|answer|actually|instead|rather|maybe|perhaps|the\s+limit\s+(?:is|equals))\b|\?",
    re.IGNORECASE,
)
_NOWHERE: Final = re.compile(
    r"(?:(?:so|thus|hence|therefore|no)\W+)?(?:(?:it|(?:the|this|that)\s+(?:(?:two-sided|whole)\s+)?(?P<what>limit|derivative|integral|inverse|maximum|minimum|sum|value))\s+)?"
    r"(?:does(?:\s+not|n['’]t)\s+exist|is\s+(?:undefined|not\s+defined|non-?existent)|dne|(?:is\s+)?undefined)"
    r"|(?:there\s+is\s+)?no\s+(?:such\s+)?(?P<none>limit|derivative|integral|inverse|maximum|minimum)(?:\s+exists)?",
    re.IGNORECASE,
)
_PARTICLES: Final = {
    "e": "electron", "e-": "electron", "β-": "electron", "e+": "positron", "β+": "positron", "n": "neutron",
    "p": "proton", "p+": "proton", "γ": "photon", "α": "alpha particle", "ν": "neutrino", "μ-": "muon", "μ": "muon",
}  # fmt: skip
_IN_WORDS: Final = re.compile(r"(?=.*[^\W\d_]{3})[^\\$=^_\d]+")
_LONGEST: Final = 400
_SHORT: Final = 80


def with_golds_forms(gold: str, text: str, question: str = "") -> str:
    """The text with the gold's words in its spelling and number, and with or without the noun that was asked for."""
    if len(text) > _LONGEST or _TERM.fullmatch(gold) is None:
        return text
    wanted = {canonical(word): word for word in _WORD.findall(gold)}
    text = _WORD.sub(lambda word: _in_golds_spelling(word[0], wanted), text)
    head = _head(gold)
    text = head.sub(gold.strip(" ."), text) if head is not None else text
    return _with_asked_noun(gold.strip(" ."), text, question) if len(text) <= _SHORT else text


def _with_asked_noun(gold: str, text: str, question: str) -> str:
    """`An orthogonal matrix` as `orthogonal` where a matrix is asked for, and the other way round."""
    bare = re.sub(r"^\W*(?:(?:an?|the)\s+)?|[\s.!*]+$", "", text, flags=re.IGNORECASE)
    for short, long, meant in ((gold, bare, gold), (bare, gold, gold)):
        front, _, noun = long.rpartition(" ")
        if front and front.casefold() == short.casefold() and is_asked_name(noun, question):
            return meant
    return text


def _in_golds_spelling(word: str, wanted: dict[str, str]) -> str:
    meant = wanted.get(canonical(word), word)
    return word if meant.casefold() == word.casefold() else meant


@lru_cache(maxsize=256)
def _head(gold: str) -> re.Pattern[str] | None:
    """What finds a term of several words whose head noun is in another number or is the act (`bonding` for `bonds`)."""
    gold = gold.strip(" .").lower()
    front, _, head = gold.rpartition(" ")
    found = _HEADS_MORE.fullmatch(head)
    if not front or found is None or re.match(r"(?:the|an?)$", front):
        return None
    stem = found["stem"]
    return re.compile(rf"\b{re.escape(front)}\s+(?!{head}\b){stem}(?:s|es|ing)?\b(?!-)", re.IGNORECASE)


def same_with_remark(gold: str, text: str) -> Finding | None:
    """The finding where an answer is the gold's words and then a remark, a symbol, a reason or a place; else None."""
    if max(len(gold), len(text)) > _LONGEST or _IN_WORDS.fullmatch(gold) is None or words.truth(gold):
        return None
    text = text.replace("**", "").strip()
    if _same_nowhere(gold, text):
        return equal("that it does not exist")
    found = _REMARK.fullmatch(text)
    if found is None:
        return None
    head, rest = found["head"].strip(), text[found.end("head") :]
    if (
        _OPENS_AGAIN.match(rest.lstrip(" (;:.—–,"))
        or _SETTLES_ELSE.search(rest)
        or words.hedged(text)
        or taken_back(rest)
    ):
        return None
    if say.UNSETTLED.search(rest) or (found["symbol"] and not _is_symbol(found["symbol"], gold)):
        return None
    wanted, said = words.plain(gold), words.plain(head)
    same = said == wanted or same_but_for_number(said, wanted) or _same_nowhere(gold, head)
    return equal("the reference's words with a remark") if same else None


def _same_nowhere(gold: str, text: str) -> bool:
    """Whether both say that a thing does not exist, and of no two things."""
    both = [_NOWHERE.fullmatch(each.strip(" .!*")) for each in (gold, text)]
    named = {(each["what"] or each["none"] or "").casefold() for each in both if each is not None} - {""}
    return None not in both and len(named) < len(both)


def _is_symbol(symbol: str, gold: str) -> bool:
    """Whether a symbol behind a name may be its own; only those of particles are known."""
    plain = formulae.plainly(symbol.strip("$ ")).replace("\\", "")
    bare = re.sub(r"[\^_]-?\d+|[\^_{}\s]|bar", "", plain)
    bare = {"gamma": "γ", "alpha": "α", "beta-": "β-", "beta+": "β+", "nu": "ν", "mu": "μ"}.get(bare, bare)
    if bare in _PARTICLES:
        return _PARTICLES[bare] == words.plain(gold)
    return formulae.species(symbol.strip("$ ")) is not None
