"""Short answers in lively wording as the plain statements that they are."""

import re

from grading.language.manners import without_opener, without_subject, without_tails
from grading.language.responses.clauses import is_foreign
from grading.language.saidformulas import formula_said
from grading.language.spokenforms import in_signs
from grading.language.wordless import is_wordless

_LONGEST = 240
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
        or is_foreign(text)
    ):
        return ()
    last = without_opener(without_tails(text))
    plain = in_signs(last, gold, question)
    readings = dict.fromkeys((last, plain, without_subject(plain, question), formula_said(last, question)))
    return tuple(each for each in readings if each and each != text)
