"""A last clause that sets the answer apart from another value: `7, and not 9`, `7 (do not confuse this with 9)`.

It names what the answer is not, and leaves the answer as it was. Only a clause that ends the response is read so, and
only where its value is written otherwise than the answer's: `7, and not 7` takes the answer back.
"""

import re

from grading.language.responses.bare import plain_value

_NUMBER = r"[-−]?\d(?:[\d.,/]*\d)?"
_BOX = r"\\boxed\s*\{[^{}\n]{1,40}(?:\{[^{}\n]*\}[^{}\n]{0,20}){0,3}\}"
_VALUE = rf"(?:\$\$?[^$\n]{{1,80}}\$?\$|{_BOX}|{_NUMBER}|\([A-J]\)|\b[A-J]\b)"
_NOT = (
    r"(?:and|but|et|und|y|e|en)?\s*(?:surtout|certainly|definitely|most\s+certainly)?\s*"
    r"(?:not|nicht|pas|no|não|non|niet)\s+(?:the\s+|to\s+)?"
)
_INSTEAD_OF = (
    r"(?:rather\s+than|instead\s+of|as\s+opposed\s+to|in\s+contrast\s+(?:to|with)|frente\s+a|en\s+(?:vez|lugar)\s+de"
    r"|anstatt|statt|plutôt\s+que|au\s+lieu\s+de)\s+(?:(?:the|los|las|el|la|den|die|das|le|les)\s+)?"
)
_CONFUSED = r"(?:please\s+)?(?:do\s+not|don['’]t|not\s+to\s+be)\s+confused?\s+(?:this\s+|it\s+|that\s+)?with\s+"
_CLOSE = r"(?:,?\s*(?:tempting|as|though|of|del|de|des|der|from|for)\b[^.!?\n$\d]{0,60})?"
_BESIDE = re.compile(
    rf"(?P<given>{_VALUE})(?!\W*(?-i:No)\b)(?P<rest>[\s.,*(]{{0,6}}(?:{_NOT}|{_INSTEAD_OF}|{_CONFUSED})(?P<other>{_VALUE}){_CLOSE}\W*)$",
    re.IGNORECASE,
)
_OTHER_QUESTION = re.compile(
    rf"(?P<given>{_VALUE})(?P<rest>[\s,*]{{1,4}}(?:whereas|while)\s+(?P<other>{_VALUE})\s+(?:would|is|belongs?|answers?)\b"
    r"(?![^.\n]*\b(?:correct|right|true|actual)\b)[^.!?\n$\d]{0,40}\b(?:different|another|other)\s+"
    r"(?:question|problem|quantity|exercise)\W*)$",
    re.IGNORECASE,
)
_FALSE_READING = re.compile(
    rf"(?P<given>{_VALUE})(?P<rest>[\s.,$*\\}}]{{1,8}}\(?(?:the|a|an|some|many)\s+(?:naive|tempting|common|usual|hasty|careless"
    rf"|answer\s+keys|textbooks|people|students)\b[^.!?\n$\d]{{0,60}}(?P<other>{_VALUE})[,;]?\s*(?:but\s+)?(?:which|that|this)"
    r"\s+(?:is|would\s+be)\s+(?:wrong|incorrect|false|an?\s+(?:error|mistake|trap|slip))\W*)$",
    re.IGNORECASE,
)
_SEARCHED = 400


def without_contrast(text: str) -> str:
    """The response without such a last clause; as it is where there is none."""
    end = text[-_SEARCHED:]
    for pattern in (_BESIDE, _OTHER_QUESTION, _FALSE_READING):
        match = pattern.search(end)
        if match is not None and plain_value(match["given"]) != plain_value(match["other"]):
            return text[: len(text) - len(end)] + end[: match.start("rest")] + _closing(match["rest"])
    return text


def _closing(rest: str) -> str:
    """The end of a display that the clause stood behind."""
    return "$$" if re.match(r"[\s.,\\]*\$\$", rest) else ""
