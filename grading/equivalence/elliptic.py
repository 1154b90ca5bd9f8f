"""One short statement with another subject: a pronoun, what the question calls it, or none.

`They are independent`, `A and B are independent` and `independent` say of one subject what the gold says of it, word
for word but for number and order about "and". Comparisons may be turned round: `the median is smaller than the mean`.
"""

import re
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, different, equal
from grading.equivalence.happenings import way_of
from grading.language.responses.namewords import words

_PRONOUNS: Final = words("it they this that these those")
_PASSED: Final = words("the a an its their then therefore thus hence so")
_SAME: Final = {
    "are": "is", "was": "is", "were": "is", "have": "has", "do": "does", "turn": "become", "get": "become",
    "cannot": "can not",
}  # fmt: skip
_ALSO: Final = words("two both given")
"""Words before a noun that leave it what it is."""
_LINKS: Final = words("is become has does")
_TOKEN: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*|n['’]t|[<>=²³√π]")
_BESIDE_NUMBER: Final = re.compile(r"[-+^/*·×±.,:=]+(?=\s?\d)|(?<=\d)[-+^/*·×±.,:]+(?=\w)")
_UNSAID: Final = re.compile(
    r"\b(?:not|no|never|neither|nor|or|but|if|unless|except|only|maybe|perhaps|possibly|might|may|could|would|almost|nearly|other|of|whose"
    r"|some|all|every|each|most)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_REASON: Final = re.compile(
    r",?\s+(?:because|since|as|due\s+to)\s[^;:?]{3,120}[\s.!]*$|\s*\([^()?]{2,80}\)[\s.!]*$", re.IGNORECASE
)
_PAIR: Final = re.compile(r"\b(?P<one>[a-z-]+) and (?P<two>[a-z-]+)$")
_SUBJECT: Final = re.compile(
    r"\b(?:does|do|did|is|are|was|were|can|will|must|has|have|of|about|to)\s+(?:the\s+|an?\s+)?(?=(?P<subject>(?:[^\W_]+\s+){0,2}[^\W_]+))",
    re.IGNORECASE,
)
"""Words of which a question may ask."""
_COMPARED: Final = re.compile(
    r"\W*(?:the\s+)?(?P<one>[^,;:.?!<>]{1,40}?)\s+(?:(?:is|are)\s+(?P<how>[a-z]+(?:er|ore|ess))\s+than\s+(?:the\s+)?|(?P<sign>[<>])\s*)(?P<other>[^,;:.?!<>]{1,40}?)[\s.!]*",
    re.IGNORECASE,
)
_MOST_BEFORE: Final = 4
_LONGEST: Final = 160


def same_statement(gold: str, text: str, question: str) -> Finding | None:
    """The finding where both say the same of one subject; None where that is not certain."""
    if max(len(gold), len(text)) > _LONGEST or "\\" in gold or re.search(r"[^\W\d_]{3}", gold) is None:
        return None
    compared = _same_comparison(gold, text)
    if compared is not None:
        return compared
    expected, found = _spelt(gold), _spelt(_REASON.sub("", text.replace("*", "")))
    if not expected or not found or len(expected) < 2 or _signs(gold) != _signs(text):
        return None
    for length in range(min(len(expected), len(found)), 0, -1):
        if expected[-length:] == found[-length:]:
            of_gold, of_text = expected[:-length], found[:-length]
            known = _of_one_subject(of_gold, of_text, expected[-length:], question)
            return equal("the same of its subject") if known else None
    return None


def _signs(text: str) -> list[str]:
    """The signs beside the numbers of a text, which its words do not show: `-286`, `10^-3`."""
    return _BESIDE_NUMBER.findall(text.replace("−", "-"))


@lru_cache(maxsize=256)
def _spelt(text: str) -> tuple[str, ...]:
    """The words of a statement in one number, those about a last "and" in one order."""
    plain = " ".join(_one(token) for token in _TOKEN.findall(text.lower()) if token not in _PASSED)
    pair = _PAIR.search(plain)
    if pair is not None:
        plain = plain[: pair.start()] + " and ".join(sorted((pair["one"], pair["two"])))
    return tuple(plain.split())


def _one(token: str) -> str:
    """A word in the singular, or a verb as with "they"; forms of one word as one."""
    token = "not" if token in ("n't", "n’t") else token
    bare = token[:-1] if len(token) > 3 and token.endswith("s") and token[-2] not in "sui" else token
    return _SAME.get(token) or _SAME.get(bare, bare)


def _of_one_subject(of_gold: tuple[str, ...], of_text: tuple[str, ...], rest: tuple[str, ...], question: str) -> bool:
    """Whether what stands before the words that both share is one subject: `they`, `the two events`, or nothing."""
    if max(len(of_gold), len(of_text)) > _MOST_BEFORE or _UNSAID.search(" ".join((*of_gold, *of_text))):
        return False
    asked = _asked(question)
    told = set(rest) - _LINKS - _PRONOUNS
    if not told or all(_UNSAID.fullmatch(word) for word in told):
        return False
    if not of_text:
        # `In a circle`, `red`: the subject and its verb are the question's.
        return rest[0] not in _LINKS and set(of_gold) <= {*_PRONOUNS, *_LINKS, *_words_of(question)}
    if not of_gold:
        return rest[0] not in _LINKS and set(of_text) <= {*_ALSO, *asked}
    if len(rest) < 2 and rest[0] in _LINKS:
        return False
    if of_text[0] in _PRONOUNS or of_gold[0] in _PRONOUNS:
        named = of_gold if of_text[0] in _PRONOUNS else of_text
        shorter = of_text if named is of_gold else of_gold
        return len(shorter) == 1 and not set(named) & _LINKS and (named is of_gold or named[-1] in asked)
    return of_gold[-1] == of_text[-1] and set(of_gold) ^ set(of_text) <= {*_ALSO, *asked}


@lru_cache(maxsize=64)
def _asked(question: str) -> frozenset[str]:
    """The words of the subjects that a question names behind its verbs."""
    found = (_spelt(each["subject"]) for each in _SUBJECT.finditer(question))
    return frozenset(word for each in found for word in each)


@lru_cache(maxsize=64)
def _words_of(question: str) -> frozenset[str]:
    return frozenset(_spelt(question))


def _same_comparison(gold: str, text: str) -> Finding | None:
    """The finding where both compare two things, perhaps the other way round or by a sign."""
    expected, found = _comparison(gold), _comparison(text.replace("$", "").replace("*", ""))
    if expected is None or found is None:
        return None
    alike = expected[3] == found[3] or _is_sign(gold) or _is_sign(text)
    if {expected[0], expected[1]} != {found[0], found[1]} or not alike:
        return None
    same = (expected[2] == found[2]) == (expected[0] == found[0])
    return equal("the same comparison") if same else different("the other way round")


def turned_round(gold: str, text: str) -> bool:
    """Whether a text compares the gold's two things the other way round."""
    # Two inequalities in signs are compared as what they are.
    if max(len(gold), len(text)) > _LONGEST or not ("than" in gold or ("than" in text and _is_sign(gold))):
        return False
    found = _same_comparison(gold, text)
    return found is not None and found.different


def _is_sign(text: str) -> bool:
    return "<" in text or ">" in text


@lru_cache(maxsize=256)
def _comparison(text: str) -> tuple[str, str, int, str] | None:
    found = _COMPARED.fullmatch(text)
    if found is None or _UNSAID.search(found["one"]) or _UNSAID.search(found["other"]):
        return None
    how = (1, "") if found["sign"] == ">" else (-1, "") if found["sign"] else way_of(found["how"].lower())
    if how is None:
        return None
    return " ".join(_spelt(found["one"])), " ".join(_spelt(found["other"])), *how
