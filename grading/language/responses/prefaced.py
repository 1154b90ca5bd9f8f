"""What prefaces a statement and takes nothing from it: a law, a citation, a past doubt, that it was asked for.

`According to Ohm's law, the current is 3 A`, `By [3, Theorem 4] there are 5`, `At first I wasn't sure, but it is 10`,
`the roots are 2 and 5; their product, which was asked for, is 10`.
"""

import re
from typing import Final

_START: Final = r"^\W*(?:(?:so|thus|hence|therefore|and|now)\b[\s,]*)*"
_LAW: Final = re.compile(
    rf"{_START}according\s+to\s+(?:(?!(?:my|his|her|your|wrong|false|old|outdated|naive|that|some|an?)\b)[\w'’-]+\s+){{0,4}}?"
    r"(?:laws?|theorem|rules?|formula|definition|principle|identity|equation|lemma|criterion|standards?|convention)"
    r"(?:\s+of\s+(?!(?:my|his|her|the\s+book)\b)[a-z]+(?:\s+(?:and|of)\s+[a-z]+)?)?\s*,?\s+(?=(?:it|the|there|this|its|we|one|an?|every|each|only|exactly)\b)",
    re.IGNORECASE,
)
_CITED: Final = re.compile(
    rf"{_START}(?:see|by|from|in|cf\.?)\s+\[\d{{1,3}}(?:,[^\[\]=]{{1,40}})?\](?:\s*[:,;]\s+|\s+(?=(?:it|the|there|this|its|we|one)\b))",
    re.IGNORECASE,
)
_PAST_DOUBT: Final = re.compile(
    rf"{_START}(?:at\s+first|initially|for\s+a\s+(?:moment|while))\s*,?\s+(?:I|we)\s+(?:was\s*n[’']t|were\s*n[’']t|was|were|did\s*n[’']t|had|doubted|wondered|hesitated)\b"
    r"(?!\s+(?:got|found|obtained|written))[^.;:?\d\ue000-\ue2ff]{0,100},\s+but\s+(?=(?:it|the|there|this|its|we|in|on)\b)(?!(?:it|this|the\s+answer|the\s+result)\s+(?:could|might|may|would)\b)",
    re.IGNORECASE,
)
_WANTED: Final = re.compile(
    r"(?:^|[;,:]\s+|\b(?:and|but|so|while)\s+)(?P<subject>(?:the|its|their|his|her)\s+[^,;:?\d\ue000-\ue2ff]{2,60}),\s+which\s+(?:is|was)\s+"
    r"(?:what\s+(?:we|you|they)\s+(?:want(?:ed)?|need(?:ed)?|seek|sought|(?:were|are)\s+(?:asked|looking)\s+for|were\s+after)"
    r"|what\s+(?:is|was)\s+(?:asked(?:\s+for)?|wanted|required|sought)|asked\s+for|wanted|required|sought),\s+(?=(?:is|are|was|equals)\s)(?P<is>[^;:?]*)$",
    re.IGNORECASE,
)


def without_preface(text: str) -> str:
    """A sentence without such a preface; of one that says what was asked for, that clause."""
    if "which" in text:
        wanted = _WANTED.search(text)
        text = f"{wanted['subject']} {wanted['is']}" if wanted is not None else text
    if "[" in text:
        text = _CITED.sub("", text)
    begun = text[:40].lower()
    if "according" in begun:
        return _LAW.sub("", text)
    return _PAST_DOUBT.sub("", text) if "first" in begun or "initially" in begun or "for a" in begun else text
