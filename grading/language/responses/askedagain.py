"""What a question asks, in the words of a response about its choices."""

import re
from typing import Final

_TOPICAL: Final = re.compile(
    r"\b(?:second|third|next|worst|least|fewer|less|lower|oldest|older|previous|closest|closer|nearest|opposite|contrary|converse|inverse|reverse|complement|negation|similar"
    r"|difference|different|weak(?:est|er)?|drawback|defect|fault|objection|against|fallacy|misconception|myth)\b",
    re.IGNORECASE,
)
"""Words that set something beside the answer, unless they are what is asked for: `Second place goes to B`."""


def in_its_terms(text: str, question: str, choices: str) -> str:
    """A response without the colour of such words that its question uses, where no choice does."""
    asked = {found[0].lower() for found in _TOPICAL.finditer(question[-600:])}
    asked -= {found[0].lower() for found in _TOPICAL.finditer(choices)}
    if not asked:
        return text
    return re.sub(rf"\b(?:{'|'.join(sorted(asked))})\b", "particular", text, flags=re.IGNORECASE)
