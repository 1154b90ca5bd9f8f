"""The clause that a value stands in, apart from clauses before it that only say why, when or against what.

    sentence = (reason | concession | manner)* , main clause

A denial or a report in such a clause denies nothing of the main one: `Since no digit is repeated, there are 12`.
What supposes (`if`, `suppose`) or reports (`he claims`) holds for all that follows, and is left where it stands.
"""

import re
from functools import lru_cache
from typing import Final

from grading.language.responses.prefaced import without_preface
from grading.language.responses.segments import MARK

_SETTING: Final = (
    r"(?:since|because|as(?!\s+(?:if|though)\b)|given(?:\s+that)?|now\s+that|seeing\s+that|considering|due\s+to|thanks\s+to"
    r"|owing\s+to|(?:regardless|irrespective|independently)\s+of|no\s+matter|al?though|though|even\s+though|while|whereas|despite|in\s+spite\s+of|notwithstanding|after|once|by"
    r"|where(?=\s+(?:both|all|the\s+two|they|these)\b)|when(?=\s+(?:\w+ed|we\s+\w+|\w+ing)\b)|using|with|without\s+loss|from|contrary\s+to|unlike|instead\s+of|rather\s+than"
    r"|to\s+[a-z]+|[a-z]+ing)"
)
_OPENED: Final = re.compile(
    rf"^\W*(?:(?:so|thus|hence|therefore|now|then|and|but|finally)\b[\s,]*)*{_SETTING}\b", re.IGNORECASE
)
_SUBJECT: Final = re.compile(
    r"\s*(?:(?:so|thus|hence|therefore|then|and|but|finally|indeed)\b[\s,]*)*(?:there|it|we|you|one|the|this|these|those|our|its|each|every"
    rf"|all|both|an?|exactly|only|his|her|their|he|she|they|{MARK}|-?\d[\d.,]*|(?-i:[A-Z][a-z]+)|[a-z](?=\s*(?:=|$|\bis\b|\bequals\b)))(?!\w)",
    re.IGNORECASE,
)
_SUPPOSES: Final = re.compile(
    r"\b(?:if|unless|suppos\w*|assum\w*|imagin\w*|pretend\w*|hypothe\w+|claim\w*|sa(?:y|ys|id|ying)|thinks?|thought|believ\w*"
    r"|guess\w*|friend|someone|somebody|maybe|perhaps|possibly|allegedly|supposedly|according|wonder\w*|doubt\w*|wrong\w*|false\w*"
    r"|in\s+no|under\s+no|by\s+no|at\s+no)\b|\?|\b(?:that|whether|than)\W*$",
    re.IGNORECASE,
)
_CUT: Final = re.compile(r"[,;]\s+(?!\d)")


SHOWN: Final = re.compile(
    r"^(?:[a-z]+ing|from|by|using|with|after)\b[^,;:?]{2,100}?\s(?:we|one|you|i)\s+(?:(?:can|may|now|thus|therefore|then|finally)\s+)*(?:see|find|conclude|get|obtain|deduce|have)s?\s+that(?:\s+|$)"
    r"|^[a-z]+ing\b[^,;:?]{2,100}?\s(?:confirms|shows|proves)\s+that\s+",
    re.IGNORECASE,
)
"""`Counting the list above we see that` before what is concluded."""


_WHICH: Final = re.compile(
    r"\b(?P<head>(?:largest|smallest|greatest|least|biggest|first|last|lowest|highest|longest|shortest|number\s+of|probability|set\s+of|how\s+many)"
    r"\b[^,;:]*?)\s+(?:that|which|who|for\s+which)\s+(?:[a-z]+\s+){0,2}?(?:can\s*not|can['’]t|could\s+not|do(?:es)?\s+not|do(?:es)?n['’]t|(?:is|are)\s+not"
    r"|(?:is|are)n['’]t|fails?\s+to|never)\s+(?!(?:\w+\s+)?(?:the|an?|answer|solution|correct|right|valid|allowed|possible|admissible|acceptable|work|fit|satisfy"
    r"|count|qualify|so)\b)[^,;:]*$",
    re.IGNORECASE,
)
"""`the largest amount that cannot be paid`: what is denied belongs to the name of what is stated."""


def without_relative(lead: str) -> str:
    """What leads to a value without the relative clause of its subject."""
    return _WHICH.sub(lambda found: f"{found['head']} ", lead)


def main_clause(lead: str) -> str:
    """What leads to a value without the clauses of reason, concession and manner before it."""
    cuts = list(_CUT.finditer(lead))
    for cut in cuts:
        if not _OPENED.match(lead):
            return lead
        before, rest = lead[: cut.start()], lead[cut.end() :]
        if _SUPPOSES.search(before):
            return lead
        if _SUBJECT.match(rest):
            return rest
    return lead


_CONDITION: Final = re.compile(
    r"\b(?:if|unless|were|had|without|otherwise|else|but|alone|instead|naive\w*|naively|not|never|only|expect\w*|though|although"
    r"|however|yet|might|maybe|perhaps|still)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_ABLE: Final = re.compile(
    r"\b(?:would|could)\s+(?:(?:then|now|together|thus|therefore|all)\s+)?(?=(?:take|need|require|finish|cost|reach|make|fill|fit|do|read|show|display|measure|indicate|register)\b)"
    r"|\b(?:could|may)\s+(?=be\s+(?:\w+ed|chosen|drawn|made|done|put|cut|given|seen|written|built|split|found)\b)",
    re.IGNORECASE,
)


_DRAWN_BY_ADVERB: Final = re.compile(
    r"\b(is|are|equals?|has|have)\s+(?:accordingly|consequently|ultimately|as\s+a\s+(?:result|consequence)|in\s+(?:turn|conclusion|summary|fact|total|the\s+end)|then|therefore|thus|hence|altogether|overall),?\s+(?=[\w\ue000-\ue2ff$(\[{-])",
    re.IGNORECASE,
)
"""`is accordingly`"""


_NUMBER: Final = rf"(?:{MARK}|[-−]?\d[\d.,/]*)"
_WITH_VALUE: Final = re.compile(
    r"^(?P<name>.*?\b(?:the|its|our)\s+(?:(?:global|absolute|local|least|greatest|largest|smallest)\s+)*(?:minimum|maximum|extremum|supremum|infimum|bound|value))\b[^,;:]{0,40}?\s+(?:is|are)\s+"
    rf"(?:attained|reached|achieved|taken|assumed|located|found)\s+(?:(?:only|exactly|precisely|for|when|if|at|in)\s+)+[^,;:]{{1,60}}?,?\s+(?:with|giving|and\s+its\s+value\s+is|where\s+it\s+(?:is|equals))\s+(?:the\s+)?(?:(?:minimum|maximum)\s+)?(?:value\s+)?(?P<value>{_NUMBER})(?=\W*$)",
    re.IGNORECASE,
)
"""`the minimum is attained at x = 2 with value 5`"""
_EVENT: Final = re.compile(
    r"(?P<name>\b(?:probability|chance|likelihood|odds|number\s+of\s+ways)\s+)(?:of|that|to)\s+(?!(?:the\s+event|this(?:\s+event)?|that|it)\s+(?:does|do|did|will|never|fails?|is)\b)(?:(?!\b(?:is|are|equals?|was|not|if)\b)[\w'’-]+\s+){0,5}?(?:at\s+(?:least|most)|more\s+than|fewer\s+than|less\s+than|no|not|neither|without|exactly)\s+"
    rf"(?:(?!\b(?:is|are|equals?|was|if)\b)[\w'’-]+\s+){{1,9}}?(?P<verb>(?:is|equals|are)\s+)(?=(?:about\s+|approximately\s+|exactly\s+|just\s+|therefore\s+|thus\s+|then\s+)*(?:{_NUMBER}|[a-z-]+\W*$|[a-z]+\s+[a-z-]+\W*$))",
    re.IGNORECASE,
)
"""What happens in an event (`of at least one six`) bounds or denies nothing of its probability."""
_NEARLY: Final = re.compile(
    r"(?<=[\w\ue000-\ue2ff%)]),\s+(?:(?:a\s+(?:little|bit|tad)|slightly|just|somewhat|only\s+just|marginally)\s+(?:less|more|under|over|above|below|short)(?:\s+(?:than|of))?|(?:roughly|nearly|almost|about)\s+(?=an?\s|one\s|two\s|three\s|half)|(?:some|about|roughly|nearly|almost)?\s*\d+\s?%\s+(?:above|below|more|less|higher|lower|longer|shorter|larger|smaller|greater)\b)[^,;:=]*(?=[.!]?\s*$)",
    re.IGNORECASE,
)
"""A comparison behind the value: `, a little less than one third`."""


_TENDING: Final = re.compile(
    rf"(?:^As|(?<=\bthat\s)as)\s+(?:{MARK},?\s+(?=(?:the|this|it|its|our)\b)"
    rf"|(?:[a-z]|{MARK})\s+(?:grows|increases|tends|goes|approaches|becomes)\b[^,;:?]{{1,40}},\s+(?=\S))"
)
"""`As n → ∞ the probability tends to`, `as n grows without bound,`"""
_OTHERS: Final = re.compile(
    r",\s+and\s+(?:[^,;:?]{1,40}\s)?there\s+(?:(?:are|is)\s+(?:no|not\s+any)|can(?:not|['’]t)\s+be\s+any|aren['’]t\s+any)\s+(?:others?|more|further)\b[^.;:?=\d]*(?=[.!]?\s*$)",
    re.IGNORECASE,
)
"""`, and there cannot be any others`"""
_ZEROS: Final = re.compile(
    r"\bends?\s+(?:in|with)\s+(?:exactly\s+|precisely\s+)?(?=\d+\s+(?:trailing\s+)?zero(?:e?s)?\b)", re.IGNORECASE
)


_ONLY_ABOUT: Final = re.compile(
    r"\b((?:has|have|is|are)\s+)(?:only|just)\s+(?:about\s+)?(?=an?\s+[\d.]+\s?\\?%\s+(?:chance|probability)\b)",
    re.IGNORECASE,
)
_BEHIND_IT: Final = re.compile(
    r"(?<=[\w\ue000-\ue2ff%)]),\s+(?:counting|including|considering|treating)\s+[^;:?=]*(?=[.!]?\s*$)"
)
"""What behind a count says how it was counted: `, counting 12 itself`."""
_WITH_CHARGES: Final = re.compile(
    r"(?<=[\w\ue000-\ue2ff%)]),?\s+(?:including|inclusive\s+of|excluding|exclusive\s+of|before|after|with)\s+(?:(?:the|all|any|sales|service|local|state|other|applicable)\s+)*"
    r"(?:tax(?:es)?|vat|fees?|charges?|tips?|gratuity|delivery|shipping|postage)(?=\W*$)"
    r"|(?<=[\w\ue000-\ue2ff%)]),?\s+(?:when|once|after\s+being)\s+(?:fully\s+|completely\s+)?(?:simplified|reduced)(?=\W*$)",
    re.IGNORECASE,
)
"""With which charges a price is meant, and that a value is in lowest terms."""


_GIVEN: Final = re.compile(
    r"\b((?:at|of|through|from|on|in|to|for|by|with)\s+the\s+)given\s+(?=[a-z]{3,})", re.IGNORECASE
)
"""`at the given point`"""
_ELSE: Final = re.compile(
    r"(?<=[\w\ue000-\ue2ff)\]%])(?:,?\s+(?:and|but)\s+(?:(?:nowhere|nothing|no\s*one|never|(?:[a-z]+\s+)?(?:everywhere|anywhere))\s+else"
    r"|(?:for|at|on|in)\s+no\s+other)\b[a-z ]*"
    r"|;\s+(?!\s*(?:but|however|wrong|actually)\b)[^;:?\d\ue000-\ue2ff]*\bwould\b[^;:?\d\ue000-\ue2ff]*"
    r"|,\s+(?:and|which)\s+(?![^;:?]*\b(?:wrong|false|incorrect|not|contradict\w*|absurd|too|answer)\b)"
    r"[^;:?]*\bwould\b[^;:?]*)(?=[.!]?\s*$)",
    re.IGNORECASE,
)
"""A last clause that excludes everything else (`and nowhere else`), or says what would be in another case."""
_MODULO: Final = re.compile(r"\s+mod(?:ulo)?\s+\d+(?=,?\s+(?:is|are|has|equals|must|comes)\b)", re.IGNORECASE)
_TIME_PASSED: Final = re.compile(
    r"^\W*(?:(?:after|within|in|over|during|at\s+the\s+end\s+of|when|once)\s+(?:(?:the|these|those|all)\s+)?)"
    r"\d[\d.,]*\s+(?:s|h|min|seconds?|minutes?|hours?|days?|weeks?|months?|years?|half-lives|steps|rounds|turns|throws|tosses|draws|periods)"
    r"(?:\s+(?:have|had|are)\s+(?:passed|elapsed|gone(?:\s+by)?|over|up))?(?:,\s+|\s+(?=(?:the|there|it|only|exactly|about|we|he|she|they|[A-Z][a-z]+|\d+)\b))"
    rf"(?=.*(?:\d|{MARK}))",
    re.IGNORECASE,
)
"""When it is so, before the value: `After 16 hours the body still holds 10 mg`."""
_ALL_IN: Final = re.compile(
    rf"\bconsists\s+of\s+(?:exactly\s+)?(?:all|every|the)\s+(?:real\s+)?(?:numbers?|values?|points?|[a-z]|reals?)\s+(?:that\s+(?:lie|are)\s+)?in\s+(?=(?:the\s+(?:open\s+|closed\s+)?(?:interval|set)\s+)?{MARK})",
    re.IGNORECASE,
)
"""A set by its numbers: `consists of all real numbers in [0, 1)`."""
_EITHER_WAY: Final = re.compile(
    r"^\W*(?:either\s+way|in\s+(?:any|either|both)\s+(?:cases?|ways?)|at\s+any\s+rate|in\s+any\s+event)\s*(?:,|(?=(?:the|we|there|it|you|one|she|he|they)\b))\s*",
    re.IGNORECASE,
)


_OWN_BOUND: Final = re.compile(
    r"(?<=\w)\s+at\s+(?:least|most)\s+(?:(?:once|twice)(?=\s*(?:[.,;)*]|$|(?:in|on|during|before|per|every|among|each)\b))"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten)\s+(?=[a-z]{3})(?!(?:more|less|fewer|half|third|quarter|of|and|dozen|hundred|thousand|million|billion|point|times|[a-z]+ths?)\b))"
)
"""A bound with a number word of its own: `until every face has turned up at least once`."""
_AT_THE_TIME: Final = re.compile(
    r"^(?P<so>\W*(?:so|thus|hence|therefore|consequently|finally)\b[\s,]*)(?:at\s+the\s+(?:instant|moment|time)\s+)?(?:when|as|while|once)\s+"
    r"(?!(?:[\ue000-\ue2ff]|[A-Za-z])\s+(?:is|are|=))(?P<what>[^,;:?=<>]{3,90}),\s+(?=\S)",
    re.IGNORECASE,
)
_CASE: Final = re.compile(
    r"\b(?:even|odd|prime|positive|negative|zero|nonzero|equal|not|no|never|only|instead|other|different|first|second|both|neither|either|or|less|greater|smaller|larger|more|alone|if|rounded)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words of a clause of time that single out one case of several."""


def _without_time(text: str) -> str:
    """A conclusion without its clause of time: `So when the lift accelerates upward, the period is`."""
    found = _AT_THE_TIME.match(text)
    return text if found is None or _CASE.search(found["what"]) else f"{found['so']}{text[found.end() :]}"


_INSIDE: Final = re.compile(
    rf"\b(?P<what>mean|average|proportion|parameter|difference|value|percentage|x|[μµp]|{MARK})\s+(?:is|lies|falls)\s+(?:in|within|inside)\s+the\s+(?:(?:open|closed|half-open|confidence)\s+)?interval\s+(?=[(\[]|{MARK})",
    re.IGNORECASE,
)
"""`the true mean lies in the interval (2, 3)`"""
_HARMLESS: Final = re.compile(
    r"\b(?:asymptotically\s+)?tight(?:est)?\s+(?:asymptotic\s+|upper\s+)?bound\b|\b(?:we|one|you)\s+(?:are|is|can\s+be)\s+(?:about\s+)?\d+(?:\.\d+)?\s?\\?%\s+confident\s+that\s+(?=(?:the\s+)?(?:true|population|actual|mean|proportion|average|[μµp\ue000-\ue2ff])(?!\w))|\b(?:up\s+)?to\s+\w+\s+order,?\s+(?=we\b)|\s*\bwithout\s+(?:bound|limit|loss\s+of\s+generality|replacement)\b"
    r"|\s+at\s+(?:the|an?)\s+(?:\d+(?:\.\d+)?\s?%|0?\.\d+)\s+(?:significance\s+)?level\b",
    re.IGNORECASE,
)
_ADD_UP: Final = re.compile(r"\b(?:add|sum|total)(s?)\s+up\s+to\b")


_AS_YOU_LIKE: Final = re.compile(
    rf"(?:,?\s+or\s+{_NUMBER}|\s+\(or\s+{_NUMBER}),?\s+if\s+(?:you|one)\s+(?:prefers?|likes?|wants?|insists?|wish(?:es)?)\b[^,;:.]*(?=[.)!]*\s*$)",
    re.IGNORECASE,
)
"""A second form for the reader's taste: `, or 0.5 if you prefer decimals`."""


_DURATION: Final = re.compile(
    r"(?<![\d.,])(?P<large>\d{1,4})\s+(?P<of>days?|hours?|minutes?)\s+and\s+(?P<small>\d{1,2})\s+(?P<unit>hours?|minutes?|seconds?)(?!\w)"
)
_PARTS: Final = {("day", "hour"): 24, ("hour", "minute"): 60, ("minute", "second"): 60}


def _in_one_unit(found: re.Match[str]) -> str:
    """`2 hours and 30 minutes` as `150 minutes`."""
    many = _PARTS.get((found["of"].rstrip("s"), found["unit"].rstrip("s")))
    return found[0] if many is None else f"{int(found['large']) * many + int(found['small'])} {found['unit']}"


@lru_cache(maxsize=256)
def settled(text: str) -> str:
    """A sentence with the modal of what is possible at the given rate as a statement: `it would take 12 days`.

    Beside a condition, a contrast or a denial `would` and `could` speak of another case and stay.
    """
    text = without_preface(text)
    text = _TIME_PASSED.sub("", _MODULO.sub("", _ELSE.sub("", _EITHER_WAY.sub("", _AS_YOU_LIKE.sub("", text)))))
    text = _DURATION.sub(_in_one_unit, text)
    text = _ALL_IN.sub("is ", _GIVEN.sub(r"\1", text))
    text = _INSIDE.sub(r"\g<what> is ", _HARMLESS.sub("", text))
    text = _ZEROS.sub("has ", _OTHERS.sub("", text))
    text = _BEHIND_IT.sub("", _WITH_CHARGES.sub("", text))
    text = _ONLY_ABOUT.sub(r"\1", _TENDING.sub("", text))
    text = _NEARLY.sub("", _EVENT.sub(r"\g<name>\g<verb>", _WITH_VALUE.sub(r"\g<name> is \g<value>", text)))
    text = _ADD_UP.sub(r"amount\1 to", _DRAWN_BY_ADVERB.sub(r"\1 ", text))
    text = _without_time(_OWN_BOUND.sub(" ", text))
    return text if _CONDITION.search(text) else _ABLE.sub("can ", text)
