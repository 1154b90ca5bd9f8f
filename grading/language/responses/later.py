"""What stands after an answer was given: whether it leaves the answer as it was, or puts another one in its place."""

import re
from collections.abc import Sequence

from grading.language.responses.asides import apart
from grading.language.responses.bare import plain_value
from grading.language.responses.corrections import DISOWNED, owned, taken_back
from grading.language.responses.segments import MARK, Response, Sentence
from grading.language.responses.turning import agrees, judges, supposes_another, turned_aside

_NUMBER = r"[-−]?\d[\d.,/]*(?<![.,])"
_VALUE = rf"(?:[A-Za-z]\s*=\s*)?(?P<value>{_NUMBER}|{MARK})"
_OPENS_AGAIN = re.compile(
    r"^\W*(?:but|however|yet|although|though|except|unfortunately|alas|h+m+|uh|um+|er+|ah+|oh|argh|eh|nay|not(?!\s+(?:[\ue000-\ue2ff]|[-−]?\d))"
    r"|edit(?:ed)?"
    r"|updated?|p\.\s?s\.?|ps|erratum|errata|correcting|corrected|revis(?:ed|ion|ing)|amend\w*|come\s+to\s+think"
    r"|in\s+hindsight"
    r"|on\s+(?:closer|further|another|second|reflection)|looking\s+(?:again|closer|more\s+closely)"
    r"|moment|halt|stopp?|hold|entschuldigung|ups|hoppla|aber|doch|jedoch|allerdings|vorzeichenfehler|irrtum"
    r"|attend(?:s|ez)|mais|cependant"
    r"|toutefois|erreur|oups|désolée?|espera|espere|perdona|pero|sin\s+embargo|porém|contudo|erro|errore|desculp\w*"
    r"|però|tuttavia"
    r"|aspetta|scusa\w*|но|однако|подожд\w+|стоп|извин\w+)\b"
    r"|^\W*(?:但|然而|等|抱歉|啊|哦|でも|しかし|待|あれ|하지만|그러나|잠깐|لكن|انتظر|عفو|परन्तु|लेकिन|रुक)",
    re.IGNORECASE,
)
"""How a sentence begins that goes back on what was said."""
_LEFT_TO_DO = re.compile(
    r"\b(?:must|should|needs?\s+to|ha(?:ve|s|d)\s+to|ought\s+to|still|remains\s+to)\b[^.!?]{0,40}?\b(?:add|subtract"
    r"|multipl|divid"
    r"|doubl|halv|flip|negat|revers|invert|adjust|exclud|remov|account|correct|chang|replac|swap|fix)\w*"
    r"|\b(?:I|we)\s+(?:\w+\s+){0,2}?(?:(?:double|over|under|mis)[- ]?count\w*|mis[- ]?\w+(?:ed|read|took)|slipped"
    r"|dropped\s+(?:a|the)"
    r"|lost\s+(?:a|the))\b"
    r"|\b(?:pending|tentative\w*|provisional\w*|unverified|unconfirmed|to\s+be\s+(?:confirmed|checked|verified"
    r"|revised))\b",
    re.IGNORECASE,
)
"""Steps that are still to be made, and slips that are owned to."""
_SLIP = re.compile(
    r"\b(?:error|mistake|slip|typo|sign|correct\w*|fix\w*|wrong|should|must|make\s+it|instead|rather|better|really|actual\w*|right|true|final\w*|answer|result)\b|^\W*\w*\W*[-−]?\d",
    re.IGNORECASE,
)
"""Words of a sentence that may put another value in the place of the answer."""
_DRAWN = re.compile(
    rf"\b(?:so|thus|hence|therefore|then|which\s+(?:leaves|gives|makes|means|brings)|leaving|giving|making|we\s+(?:get"
    rf"|obtain|find|have))\b"
    rf"\s*,?\s*(?:(?:the|it|this|that|there|we)\b(?:\s+\w+){{0,4}}?\s+(?:is|are|becomes?|equals|remains?|get|have"
    rf"|find)\s+)?(?:(?:a\s+total\s+of|only|just|exactly"
    rf"|actually|really|it\s+is)\s+)*{_VALUE}(?:\s+[a-z]+){{0,2}}\W*$",
    re.IGNORECASE,
)
"""A value that a later sentence arrives at."""
_SET_APART = re.compile(
    rf"^[^\d]{{0,90}}(?:[:：]|(?<=\w\w\w),?\s(?:i\.\s?e\.|namely),?|\bmake\s+it)\s*{_VALUE}\W*$", re.IGNORECASE
)
"""`Sign error: -5`"""
_BESIDE = re.compile(
    r"^\W*(?:check|checking|verif\w+|verification|indeed|note|notice|for\s+(?:example|instance)|since|because"
    r"|to\s+see|proof|sanity|substitut\w+"
    r"|plugging|numerically|approximately|in\s+decimals?|confidence|certainty|time|difficulty|source|reference|points?|step|part|where|here|recall|also"
    r"|similarly)\b",
    re.IGNORECASE,
)
"""How a sentence begins that speaks of something else, or shows the answer to be right."""
_LONE_NUMBER = re.compile(
    rf"^\W*(?:(?:it\s+is|it['’]s|i\s+get|we\s+get|so|is|final|answer|now|better|make|thus"
    rf"|hence)\W+)*(?P<value>[-−]?\d[\d.,/]*|{MARK})\W*$",
    re.IGNORECASE,
)
_STATED_AGAIN = re.compile(
    r"(?:^|[.!?;,:—–]\s*)(?:but\s+|and\s+|so\s+)?(?:it|this|that|the\s+(?:answer|value|result|total))\s*(?:is|['’]s"
    r"|should\s+be|must\s+be|equals)"
    rf"\s+(?:actually\s+|really\s+)?(?P<value>[-−]?\d[\d.,/]*|{MARK})(?=\W*(?:$|[.!]))",
    re.IGNORECASE,
)
_OTHERWISE_SAID = re.compile(r"\b(?:for|if|when|with|in|would|could|had|were)\b", re.IGNORECASE)


def replaced(response: Response, later: Sequence[Sentence], given: str, *, concluded: bool = False) -> bool:
    """Whether a later sentence takes `given` back, leaves it unfinished, or arrives at another value.

    Behind a conclusion that holds (`concluded`) the values of other things are none of its rivals.
    """
    if any(DISOWNED.search(each.text) for each in later):
        return True
    later, beside = apart(later)
    later, remarks = _without_remarks(later)
    beside = (*beside, *remarks)
    if taken_back(" ".join(each.text for each in later)) or owned(" ".join(each.text for each in beside)):
        return True
    said = plain_value(response.written(given))
    lone = any(
        found is not None and not each.heading and plain_value(response.written(found["value"])) != said
        for each in later
        for found in (_LONE_NUMBER.match(each.text),)
    )
    return lone or _left(response, [each for each in later if not (concluded and _of_another(each.text))], said)


def _without_remarks(later: Sequence[Sentence]) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """Later sentences, and those that turn aside; a check of one's own does not, as it judges the answer.

    What would be in another case is left out of both.
    """
    later = [each for each in later if not (supposes_another(each.text) or agrees(each.text))]
    roles = turned_aside(later)
    aside = [role == "aside" and not judges(each.text) for each, role in zip(later, roles, strict=True)]
    kept = tuple(each for each, beside in zip(later, aside, strict=True) if not beside)
    return kept, tuple(each for each, beside in zip(later, aside, strict=True) if beside)


def _of_another(text: str) -> bool:
    """Whether a sentence behind a conclusion neither goes back on it nor owns to a slip."""
    return not any(words.search(text) for words in (_OPENS_AGAIN, _LEFT_TO_DO, _SLIP, _STATED_AGAIN))


def _left(response: Response, later: Sequence[Sentence], said: str) -> bool:
    return any(_goes_back(response, each, said) for each in later if not each.heading)


def _goes_back(response: Response, sentence: Sentence, said: str) -> bool:
    text = sentence.text
    if _OPENS_AGAIN.match(text) or _LEFT_TO_DO.search(text):
        return True
    found = [_STATED_AGAIN.search(text)] if not _OTHERWISE_SAID.search(text) else []
    found += [_SET_APART.match(text), _DRAWN.search(text)] if not _BESIDE.match(text) else []
    return any(each is not None and plain_value(response.written(each["value"])) != said for each in found)
