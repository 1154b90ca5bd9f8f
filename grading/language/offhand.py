"""Short answers in lively wording as the plain statements that they are."""

import re

from grading.language.manners import without_opener, without_subject, without_tails
from grading.language.responses.clauses import is_foreign
from grading.language.saidformulas import spoken_formula
from grading.language.spokenforms import in_signs
from grading.language.wordless import is_wordless

_LONGEST = 240
_JUST = re.compile(
    r"^(?:(?:just|only|exactly|precisely|merely|simply|all\s+of|a\s+(?:mere|measly|whopping|full|solid|tidy|paltry|grand\s+total\s+of|total\s+of|cool|modest|good\s+old|meagre|healthy|generous))\s+)+(?=\S+\s*\S)",
    re.IGNORECASE,
)
"""What praises or belittles a value before it."""
_BIG_O = re.compile(r"^big[\s-]o\b", re.IGNORECASE)
_ABROAD = re.compile(r"[^\W\d_a-zA-Zà-éπα-ω]{2}")


def offhand(text: str, gold: str, question: str) -> tuple[str, ...]:
    """What a short answer says without its manners, and the same in signs; none where that is what it was."""
    text = text.strip()
    if (
        not text
        or len(text) > _LONGEST
        or "\n" in text
        or is_wordless(text)
        or _ABROAD.search(text)
        or is_foreign(_BIG_O.sub("", text))
    ):
        return ()
    last = without_opener(without_tails(_JUST.sub("", text)))
    plain = in_signs(last, gold, question)
    readings = dict.fromkeys((last, plain, without_subject(plain, question), spoken_formula(last, question)))
    return tuple(each for each in readings if each and each != text)
