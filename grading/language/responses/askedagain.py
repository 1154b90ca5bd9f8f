"""What a question asks, in the words of a response about its choices."""

import re
from typing import Final

_TOPICAL: Final = re.compile(
    r"\b(?:second|third|next|worst|least|fewer|less|lower|oldest|older|previous|closest|closer|nearest|opposite|contrary|converse|inverse|reverse|complement|negation|similar"
    r"|difference|different|weak(?:est|er)?|drawback|defect|fault|objection|against|fallacy|misconception|myth)\b",
    re.IGNORECASE,
)
"""Words that set something beside the answer, unless they are what is asked for: `Second place goes to B`."""


_ASKED_NOUN: Final = re.compile(
    r"\b(?:which|what)\s+(?!(?:is|are|was|were|of|do|does|did|can|will|has|have)\b)([a-z]{3,})\b", re.IGNORECASE
)
"""What sort of thing the choices are: `which wall of the heart`."""

_LONGEST: Final = 600
"""Characters at the end of a question that are looked at."""


def in_its_terms(text: str, question: str, choices: tuple[str, ...]) -> str:
    """A response without the colour of such words that its question uses, where no choice does, and without the noun
    that its choices are adjectives of: `of the inferior wall` beside `Which wall?`."""
    asked = {found[0].lower() for found in _TOPICAL.finditer(question[-_LONGEST:])}
    asked -= {found[0].lower() for each in choices for found in _TOPICAL.finditer(each)}
    if asked:
        text = re.sub(rf"\b(?:{'|'.join(sorted(asked))})\b", "particular", text, flags=re.IGNORECASE)
    noun = next((found[1] for found in reversed([*_ASKED_NOUN.finditer(question[-_LONGEST:])])), None)
    single = [re.escape(each) for each in choices if re.fullmatch(r"[^\W\d_]{3,}", each)]
    if noun is None or len(single) < len(choices) or not single:
        return text
    named = rf"(?P<choice>{'|'.join(single)})\s+{re.escape(noun)}\b(?!-|['’])"
    text = re.sub(
        rf"(?P<is>\b(?:this|that|it)\s+(?:is|was)\s+)an?\s+\w+\s+(?:of|in)\s+(?:the\s+)?{named}",
        r"\g<is>\g<choice>",
        text,
        flags=re.IGNORECASE,
    )
    return re.sub(named, r"\g<choice>", text, flags=re.IGNORECASE)
