"""The one text in bold type of a last paragraph: `The doctrine at work is **res judicata**, also called …`."""

import re
from typing import Final

from grading.equivalence.pointed import BELONGS
from grading.language.responses import vocabulary as say

_BOLD: Final = re.compile(r"\*\*([^*\n]{2,80}?)[.,;:]?\*\*")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z*\"“(])|(?<=[a-z]{4}[.!?])\s+(?=\d)|(?<=[。！？])")
_CHANGED: Final = re.compile(
    r"\b(?:not|never|no|nor|neither|if|unless|or|would|could|might|may|almost|nearly|opposite|but|except|seems?|looks?|appears?|however|although|maybe|perhaps|possibly"
    r"|probably|unlike|instead|rather|than|converse|negation|false|wrong|incorrect|before|after|until|between|wait|actually|sorry|guess|students?|claims?|says?|said|suppose"
    r"|nicht|pas|kein\w*|sino|sondern|mais|aber|pero|(?:rul(?:e|es|ed|ing)\s+out|reject\w*|exclud\w*|eliminat\w*|discard\w*|dismiss\w*|cross(?:ed)?\s+out)(?=\W[^,;]*$)|confus\w*|mistak\w*|similar|like|related|contrast|differs?|different|versus|vs|author|wife|husband|son|daughter|pupil"
    r"|student|teacher|successor|predecessor|sequel|inspired|influenced|rival|enemy|capital\s+of|part\s+of|member\s+of|one\s+of|kind\s+of|type\s+of|form\s+of)\b|n['’]t\b|\?|不是|ではな|아니",
    re.IGNORECASE,
)
"""Words before the bold text with which it may be another thing than what was asked for."""
_AFTER: Final = re.compile(
    r"^\W*(?:not|or|if|unless|would|could|might|may|is\s+(?:wrong|incorrect|false|not)|was\s+(?:wrong|not)|isn|wasn|and\s+\*\*|seems|fails|cannot|can['’]t|,?\s*(?:but|however|although))\b",
    re.IGNORECASE,
)
_LIMITED: Final = re.compile(
    r"^[\s,;:–—-]*(?:formerly|previously|once|sometimes|partly|usually|often|sort\s+of|then|no\b|and\s+(?:the|an?)\s|later|but)|\b(?:never|sometimes|no\s+longer)\b",
    re.IGNORECASE,
)
"""Words behind the bold text that take some of it back."""
_DUTY: Final = re.compile(
    r"\b(?:must|has\s+to|have\s+to|is\s+required\s+to)\s+(?:prove|show|establish|demonstrate|claim|say)\b",
    re.IGNORECASE,
)
"""What somebody has to prove or to say, which reports nothing."""
_QUOTED: Final = re.compile(r"(?<!\w)[\"“][A-Z][^\"“”\n]{1,60}[\"”](?!\w)")
"""A name between quotation marks, whose words deny nothing: `the code for "Not Found" is`."""
_TITLE: Final = re.compile(r"^[\s\d.)*#-]*\*\*[^*]+?[.:]?\*\*[:.]?(?:\s|$)")
_ALIAS: Final = re.compile(r"^(?P<name>.{2,60}?)\s*[(（](?P<alias>[^()（）]{2,60})[)）]$")


def text_in_bold(text: str) -> tuple[str, ...]:
    """The one bold text of the last paragraph and its alias in brackets; empty where words about it change it."""
    blocks = [block.strip() for block in re.split(r"\n\s*\n", text.strip()) if block.strip()]
    if not blocks or "\n" in blocks[-1] or len(blocks[-1]) > 600:
        return ()
    last = blocks[-1]
    found = list(_BOLD.finditer(last))
    if len(found) != 1 or (_TITLE.match(last) and len(last) > found[0].end() + 3):
        return ()
    start = max([0, *(each.end() for each in _SENTENCE.finditer(last) if each.end() <= found[0].start())])
    stop = next((each.start() for each in _SENTENCE.finditer(last) if each.start() >= found[0].end()), len(last))
    lead, tail = last[start : found[0].start()], last[found[0].end() : stop]
    lead = _QUOTED.sub(" ", _DUTY.sub(" ", lead))
    doubted = any(words.search(f"{lead} | {tail}") for words in (say.DOUBTED, say.REPORTED))
    unsound = _CHANGED.search(lead) or BELONGS.search(lead) or _AFTER.match(tail) or _LIMITED.search(tail)
    if doubted or unsound or say.UNSETTLED.search(last[found[0].end() :]):
        return ()
    alias = _ALIAS.match(found[0][1])
    return (found[0][1],) if alias is None else (found[0][1], alias["name"], alias["alias"])
