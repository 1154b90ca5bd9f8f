"""The clause of its own in which a sentence concludes, apart from the clauses that are joined before it.

    sentence = (clause , joint)* , own clause
    joint    = a colon, a semicolon, "and" or "but" before a new subject, "we see that", "that is"

What an earlier clause denies, it denies of its own subject: `the right end doesn't: the series converges on V`.
Where it supposes, reports or judges, that holds for all that follows, and nothing is cut off.
"""

import re
from typing import Final

from grading.language.responses.segments import MARK

_NEW_SUBJECT: Final = (
    r"(?:(?:so|thus|hence|therefore|then|finally|indeed|altogether)\s+)*(?:the|it|there|we|you|one|its|their|our|this|these|an?"
    rf"|he|she|they|his|her|(?:[A-Za-z]|{MARK})\s+(?:is|equals))(?!\w)"
)
_JOINT: Final = re.compile(
    rf"[;:]\s+|,?\s+(?:(?:and|but)\s+|(?=so\s))(?={_NEW_SUBJECT})"
    r"|(?<!\bto\s)(?<!\bmust\s)(?<!\bshall\s)(?<!\bwill\s)\b(?:see|find|conclude|deduce|shows?|means?|confirms?)\s+that\s+(?:in\s+(?:total|all)\s+)?",
    re.IGNORECASE,
)
_AGAIN: Final = re.compile(
    r"(?:^|.*\s)(?:i\.\s?e\.|that\s+is|namely|which\s+is)[\s,:]+(?=\S+$)", re.IGNORECASE | re.DOTALL
)
_PREDICATES: Final = re.compile(r"\b[a-z]{2,}s\b[^,;:]*?(?P<joint>,?\s+(?:and|but)\s+)(?=(?:is|has|[a-z]{3,}s)\s)")
_DENIES: Final = re.compile(r"\b(?:fails?|lacks?|misses|never|not|neither|without|none)\b|n['’]t\b", re.IGNORECASE)
_SOFT: Final = (
    (re.compile(r"\b(?:takes?|took|taken|draws?|drew)\s+(?:in|up|on)\b", re.IGNORECASE), "has"),
    (re.compile(r"(?<=[a-z]\s)(?:expects?\s+to\s+see|sees|saw)\b", re.IGNORECASE), "has"),
    (
        re.compile(
            r"\bcan\s+(?:thus\s+|then\s+|therefore\s+|now\s+)?(?:write|tell|say|think\s+of|form|expect)\b",
            re.IGNORECASE,
        ),
        "has",
    ),
    (
        re.compile(
            r"\b(?:is|are)\s+(?:(?:thus|therefore|hence|then|only)\s+)?(?:defined|valid|solvable)\s+(?:on|for)\s+(?=$)",
            re.IGNORECASE,
        ),
        "is ",
    ),
    (re.compile(r"\b(?:doubles|halves|triples)\s+in\s+(?:about\s+|roughly\s+)?(?=$)", re.IGNORECASE), "takes "),
    (re.compile(r"\bthought\s+of\b", re.IGNORECASE), "had"),
    (
        re.compile(
            r"\b(?:earn|cost|gain|gave|give|br[io]ng|brought|paid|pay|owe|lend|lent|leave|left|save|w[io]n|buy|bought|made|make|t[ao]ke|took)(?:s|d|ed)?"
            r"\s+(?:him|her|them|us|me|you|it)\s+(?=$)",
            re.IGNORECASE,
        ),
        "has ",
    ),
    (re.compile(r"\b(?P<verb>is|was|had|equals)\s+the\s+number\s+(?=$)", re.IGNORECASE), r"\g<verb> "),
    (
        re.compile(
            r"\b(?:breaks?|splits?|comes?|falls?|(?:separate|decompose|develope?|resolve)[sd]?|(?:turn|transform)(?:s|ed)?|grown|changes)"
            r"\s+(?:up\s+|apart\s+|down\s+)?(?:into|as)\s+(?=$)",
            re.IGNORECASE,
        ),
        "is ",
    ),
    (
        re.compile(
            r"^(?!.*\b(?:off|wrong\w*|differs?|errors?|too|multipl\w+|divid\w+|answers?|results?|mistake\w*|should|guess\w*|estimate\w*)\b)(?P<said>.*?)"
            r"\b(?:by|is|as)\s+an?\s+factor(?:\s+of)?\s+(?:about\s+|exactly\s+)?(?=$)",
            re.IGNORECASE,
        ),
        r"\g<said>is ",
    ),
    (
        re.compile(
            r"^(?!.*\b(?:answer|result|solution)\b)(?P<said>.*?)\b(?:ends?|finish(?:es)?)\s+(?:in|with|on)\s+(?:an?|the\s+(?:last\s+)?digit)\s+(?=$)",
            re.IGNORECASE,
        ),
        r"\g<said>has ",
    ),
    (
        re.compile(
            r"(?<!can\s)(?<!may\s)(?<!could\s)(?<!might\s)\b(?:goes|went|rises|rose|climbs|climbed|jumps|jumped|increases|grows|grew|comes|drops|dropped|falls|fell)"
            r"\s+(?:back\s+)?(?:up|down|all\s+the\s+way)\s+to\s+(?=$)",
            re.IGNORECASE,
        ),
        "is ",
    ),
    (re.compile(r"\b(?:chance|likelihood)\s+of\s+(?=$)", re.IGNORECASE), "value of "),
    (re.compile(r"\b(?:more|less|most|least)\s+(?:likely|probable|common|frequent)\b", re.IGNORECASE), "rare"),
    (re.compile(r"\bhas\s+no\s+other\s+(?:[a-z]+\s+){1,2}(?:than|but|except)\s+(?=$)", re.IGNORECASE), "has "),
)
"""Words of a closed class where they belong to the name of the thing or to a verb, and govern no value."""
_COLON: Final = re.compile(r"[;:]\s*$")
_WORDS: Final = re.compile(r"[^\w\ue000-\ue2ff]*(?:[A-Za-z]|\d[\d,]*\s+[a-z]+\s+[a-z]+)")
_LONGEST: Final = 600
_HOLDS_ON: Final = re.compile(
    r"\b(?:if|unless|whether|suppos\w*|assum\w*|imagin\w*|pretend\w*|hypothe\w+|claim\w*|say|says|said|thinks?|thought|believ\w*"
    r"|guess\w*|friend|someone|somebody|students?|people|books?|authors?|maybe|perhaps|possibly|probably|allegedly|supposedly|according"
    r"|wonder\w*|doubt\w*|wrong\w*|false\w*|incorrect\w*|mistake\w*|mistaken\w*|error|naive\w*|careless\w*|tempting|trap|would|could|might"
    r"|than|otherwise|(?<!we\s)were|had|let|answers?|question|key|hint|case|true|correct|right(?!\s+(?:end|endpoint|side|hand|angle|triangle)s?\b)|sure|certain|clear|known?|proved?|proven|over-?count\w*"
    r"|never|(?:opposite|contrary|reverse)\s+of|way|hope\w*|wish\w*|forg[eo]t\w*|ignor\w*|compar\w+|example|check\w*|verif\w+|note|notice)\b|\?",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|do|does|did|can|cannot|can['’]t|will|must|\w+n['’]t|[a-z]{2,}(?:s|ed))\b",
    re.IGNORECASE,
)
_IN_TERMS: Final = re.compile(r"\W*in\s+(?:the\s+)?(?:language|terms|words|context|setting|units?)\b", re.IGNORECASE)
_SAID: Final = re.compile(rf"{MARK}|\d")


def own_clause(text: str, *, known: bool = False) -> str:
    """The last clause of a sentence that holds its values; the whole where an earlier clause is more than said beside.

    An earlier clause has no values of its own, unless the last value of the sentence is `known` to be worked out.
    """
    if len(text) > _LONGEST:
        return text
    again = _AGAIN.match(text) if known else None
    if again is not None and not _HOLDS_ON.search(again[0]) and not _DENIES.search(again[0]):
        return text[again.end() :]
    for joint in reversed(list(_JOINT.finditer(text))):
        before, own = text[: joint.start()], text[joint.end() :]
        worded = _VERB.search(own) is not None and _WORDS.match(own) is not None
        if (_COLON.search(joint[0]) and not worded and not known) or not _SAID.search(own):
            continue
        if (
            (_SAID.search(before) and not known)
            or _HOLDS_ON.search(before)
            or not (_VERB.search(before) or _IN_TERMS.match(before))
        ):
            return text
        return own
    return text


def plainly_led(lead: str) -> str:
    """What leads to a value, without words that only look like a bound, a doubt or an operation on it."""
    for pattern, said in _SOFT:
        lead = pattern.sub(said, lead)
    found = _PREDICATES.search(lead)
    if found is not None and _DENIES.search(lead, 0, found.start("joint")) and not _DENIES.search(lead, found.end()):
        return f"it {lead[found.end('joint') :]}"
    return lead
