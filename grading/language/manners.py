"""What people say around the value of a short answer and what says nothing of it: `oh, easy:`, `that's the lot`.

    answer = opener* , statement , tail*

An opener or a tail goes where it is one of the forms below and holds no word that denies, doubts, bounds or changes
the value. What is left is read by the grammar as it stands.
"""

import re
from fractions import Fraction
from typing import Final

from grading.language.numerals import PARTS, WHOLE, number_of
from grading.language.responses import changing
from grading.language.responses import vocabulary as say
from grading.language.responses.corrections import taken_back
from grading.language.responses.namewords import words
from grading.language.spokenalgebra import spoken_algebra

_LONGEST: Final = 240
_MOST: Final = 3
"""Openers and tails that are taken off."""
_NUMERAL: Final = rf"\b(?:{'|'.join([*WHOLE, *PARTS])})s?\b"
NUMBERED: Final = re.compile(rf"\d|[πα-ω]|{_NUMERAL}|\b(?:pair|couple|trio|gross)\b", re.IGNORECASE)
"""A figure or a number word."""
_BREAK: Final = re.compile(
    r"(?:[,;:!]|\.(?=\s+[A-Z])|\.\.\.|…)\s+|\s+(?:[—–]|-)\s+"
    r"|\s+(?=(?:because|since|once\s+(?:you|we|one|they)|now\s+that|ever\s+since|if\s+you\s+(?:like|please|prefer|wish|will|want)\b)\s?)"
)
_SETTLED: Final = re.compile(
    r"(?:the\s+)?[a-z]+\s+(?:does(?:n['’]t|\s+not)|don['’]t)\s+(?:matter|come\s+into\s+it|enter\s+into\s+it|count|make\s+(?:any|a)\s+difference)|"
    r"no\s+more(?:,?\s+and\s+no\s+fewer)?|(?:and\s+)?not\s+(?:an?|one)\s+(?:single\s+)?[a-z]+\s+(?:more|less|later|earlier|sooner|longer|over|under)(?:\s+(?:or|and|nor)\s+[a-z]+)?|"
    r"(?:and\s+)?(?:that['’]s|that\s+is)\s+(?:it|all|that|final|the\s+(?:lot|end\s+of\s+(?:it|that|the\s+story)|whole\s+(?:lot|story|list))|all\s+there\s+(?:is|are)(?:\s+to\s+(?:it|say|that))?|for\s+sure|a\s+fact|what\s+it\s+is)"
    r"|no\s+more(?:\s*,)?\s+(?:and\s+)?no\s+less|neither\s+more\s+nor\s+less|nothing\s+(?:else|more(?:\s*,?\s*nothing\s+less)?|to\s+it|(?:too|very|all\s+that|terribly|particularly)\s+\w+|fancy|wild|special)"
    r"|(?:there['’]s\s+|there\s+is\s+)?no\s+(?:doubt|question|mistake)(?:\s+about\s+(?:it|that))?|no\s+two\s+ways\s+about\s+it|no\s+(?:ifs|buts)\b[\s\w,]{0,20}|no\s+(?:sweat|problem|trick(?:s|ery)?|surprises?|magic|fuss|kidding|joke)(?:\s+(?:here|there|needed|required))?"
    r"|(?:as\s+)?(?:plain|clear|easy|simple|sure|quick|neat|clean|nice|short)\s+(?:(?:and\s+\w+)|as\s+(?:\w+\s*){1,3}|enough|one|peasy)?|(?:piece\s+of\s+cake|child['’]s\s+play)"
    r"|full\s+stop|period|end\s+of(?:\s+(?:the\s+)?story)?|done(?:\s+and\s+dusted)?|sorted|bingo|voil[aà]|ta-?da+h?|hands\s+down|(?:spot|bang|dead)\s+on|on\s+the\s+(?:nose|dot|button|money)"
    r"|exactly|precisely|to\s+be\s+(?:exact|precise|clear|sure|specific)|of\s+course|naturally|obviously|clearly|evidently|certainly|definitely|absolutely|for\s+(?:sure|certain)|without\s+(?:a\s+|any\s+)?(?:doubt|question)"
    r"|all\s+told|in\s+all|all\s+in\s+all|altogether|in\s+total|if\s+you\s+(?:like|please|prefer|wish|will|want|must\s+know)|as\s+(?:they|we|people)\s+(?:say|put\s+it)|as\s+the\s+(?:saying\s+goes|name\s+(?:says|tells|suggests))"
    r"|(?:as\s+)?you\s+(?:see|know)|mind|mate|(?:my\s+)?(?:dear\s+)?friends?|folks|buddy|pal|sir|love|ph+e+w+|whew|b+r{2,}|wow|yay|yum|ouch|hooray|hurra[hy]|ha(?:ha)*|cheers|thanks|thank\s+you|you['’]re\s+welcome"
    r"|(?:and\s+)?i(?:['’]m|\s+am)\s+(?:quite\s+|pretty\s+|very\s+|absolutely\s+|dead\s+)?(?:sure|certain|positive|confident)(?:\s+(?:of|about)\s+(?:it|that))?|trust\s+me|believe\s+me|i\s+(?:can\s+)?(?:promise|swear|assure|guarantee)(?:\s+you)?|take\s+my\s+word\s+for\s+it"
    r"|(?:the|a|an|[A-Z]\w+|any|every|my|your|old)\s+(?:\w+\s+){0,2}?would\s+be\s+(?:so\s+|very\s+)?(?:proud|pleased|happy|delighted|glad|thrilled)|[A-Z]\w+\s+would\s+be\s+(?:proud|pleased|happy|delighted|glad|thrilled)"
    r"|as\s+(?:any|every|each)\s+(?:\w+\s+){1,3}(?:knows|(?:will|can)\s+(?:tell|confirm)(?:\s+you)?)|nice\s+and\s+\w+|give\s+(?:me|us)\s+(?:a|another)\s+\w+\s+one|lucky\s+(?:you|me|him|her|them)",
    re.IGNORECASE,
)
"""A tail that assures, exclaims or takes leave."""
_SINCE: Final = re.compile(
    r"(?:because|since|(?:ever\s+since)|seeing\s+(?:that|as)|given\s+that|now\s+that|considering\s+(?:that)?|once\s+(?:you|we|one|they)(?=\s+[a-z])"
    r"|as(?!\s+(?:an?|well|much|many|long|far|soon|opposed|per|of|in|to|if|though|some|claimed|said|stated|given|reported|expected|usual|against)\b))\s+(?P<why>\S.{4,})",
    re.IGNORECASE | re.DOTALL,
)
_DOING: Final = re.compile(
    r"(?!(?:doubl|halv|tripl|squar|cub|multiply|divid|add|subtract|negat|mak|giv|leav|bring|total|yield|becom|go|ris|dropp|fall|turn|chang|equal|includ|exclud|ignor|assum|depend|miss|lack"
    r"|need|pend|barr|mean|neglect|forgett|omitt|allow|discount|suppos|provid|permitt|round|guess|estimat|exceed|approach|say|accord|tak|remov|minus|plus|during|string|nothing|something|everything|anything)ing\b)"
    r"(?:all\s+|each\s+|just\s+|nicely\s+|neatly\s+)?[a-z]{2,}ing\s+(?P<rest>.{3,80})",
    re.IGNORECASE,
)
_BESIDE: Final = re.compile(
    r"(?:(?:right|just|straight|immediately)\s+(?:after|before)|(?:full|made|built|composed)\s+of|packed\s+with|thanks\s+to|courtesy\s+of|one\s+for\s+(?:each|every)|(?:just\s+|much\s+)?like|(?:the\s+)?same\s+as|just\s+as|true\s+to|with\s+all|wherever|no\s+matter|whatever)"
    r"\s+(?!(?:double|doubling|halving|adding|tax|rounding|correct)\w*\b)(?P<rest>[^;:]{3,80})",
    re.IGNORECASE,
)
"""Remarks of place, likeness and cause without a verb."""
_EXPLAINS: Final = re.compile(
    r"(?:just\s+|simply\s+)?(?:pair|group|count|add|sort|line|think|remember|recall|picture|look|see|check|note|use|apply|work|read|split|cancel|factor|collect|write|plug|bring)\s+(?!(?:it|that|this|to\s+it)\b\s*(?:up|down|twice|again)?\W*$)(?P<rest>[^;:]{4,100})"
    r"|(?:every|each|all|both|they|it|you|we)\s+(?P<other>[^;:]{6,100})",
    re.IGNORECASE,
)
"""How a value is found, behind a colon: `pair them off as elevens`."""
_ORDERS_ON: Final = re.compile(
    r"\b(?:add|subtract|double|halve|square|multiply|divide|negate|round)\s+(?:it|that|this|another|one\s+(?:more|to))\b|\b(?:to|from)\s+(?:it|that)\W*$",
    re.IGNORECASE,
)
_MANNERLY: Final = re.compile(
    r"\bif\s+(?:you|one|we)\s+(?:(?:want|like|care|must|feel\s+like|wish)\s+(?:to\s+)?(?:sound|be|know|show|look|ask|impress)\b[^,;]{0,30}|(?:value|love)\s+(?:your|my)\s[^,;]{0,20})|\bfunny\s+enough\b",
    re.IGNORECASE,
)
_LIKENED: Final = re.compile(
    r"^(?:slow|quick|fast|easy|simple|plain|clear|sweet|sure|right|good|safe|hard|dull)\s+as\s+", re.IGNORECASE
)
_CHATTER: Final = re.compile(
    r"^\W*$|(?:[a-z]+\s+)?(?:(?:and|bless|poor|good|dear|old|just|nothing|slow|quick|easy|plain|simple|sat|stuck|right)\s+)?(?:i|you|we|my|our|your|his|her|me|us|everyone|everybody|every\s+(?!second|minute|hour|day|week|month|year|one|other)[a-z]+|both|(?-i:[A-Z][a-z]+)['’]s)(?:['’](?:d|ve|re|s|m|ll))?\b"
    r"|an?\s+(?!(?:lower|upper|third|half|quarter|multiple|factor|share|part|fraction|guess|trap|decoy|slip|typo|lie|herring|red|distractor|hypothetical|mere|few|couple|lot|little|bit)\b)[a-z]"
    r"|(?:ugh|argh|oof|meh|gosh|golly|blimey|boy|sigh|eek|yikes|yawn|sweet|neat|lovely|splendid)\W*$"
    r"|(?:tattoo|engrave|write|mark|note|remember|memorise|memorize|carve|hang|frame|print|put)\s+(?:it|that|this)\b",
    re.IGNORECASE,
)
"""How a remark about its teller, a likeness or an exclamation begins."""
_WORK: Final = re.compile(
    r"\b(?:half|halv\w+|twice|thrice|doubl\w+|tripl\w+|times|plus|minus|squared?|cubed?|roots?|reciprocal|inverse|negative|complement|product|quotient|difference|multipl\w+|divid\w+|add\w*|subtract\w*|modulo|apiece|each\s+(?:of|one|way|side)|per"
    r"|off|short|over|under|above|below|before|after|hex\w*|binary|octal|base|degrees?|now|today|used|dreams?|foot|pigs?|leg|ma[dk]e\w*|pick\w*|cop(?:y|ied)|roll\w*|toss\w*|flip\w*|lie[ds]?|idea|mix\w*|forg\w+|invent\w*|imagin\w*|bet|wager|cheat\w*|random|try|tries|attempt|tell\s+me|coin|dic?e|heard|asked?|question|wish|clue|first|second|red\s+herring|in\s+(?:theory|principle)|left|spare|gone|missing|lost|added|removed)\b",
    re.IGNORECASE,
)
"""Words of an operation, of a base, of a time or of irony."""
_HARMLESS: Final = re.compile(r"^plus\s+or\s+minus\s+|\s+comes\s+next$", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^\W*(?:an?\s+|[-−+]?[$€£]|minus\s+|negative\s+)?", re.IGNORECASE)
_MOST_OF_VALUE, _FEWEST = 8, 3
_FINITE: Final = re.compile(
    r"\b(?:is|are|was|were|must|has|have|had|can|do|does|did|will|gives?|makes?|needs?|comes?|leaves?|gets?)\b",
    re.IGNORECASE,
)
_COUNTS_ANOTHER: Final = re.compile(
    rf"\d|(?<!its )(?<!their )(?<!['’]s )(?<!the )(?<!-){_NUMERAL}",
    re.IGNORECASE,
)
_SHY: Final = re.compile(
    r"(?:just\s+)?(?P<by>(?!just\b)[a-z]+|\d+)\s+(?:shy|short)\s+of\s+(?P<of>[a-z -]+|\d+)", re.IGNORECASE
)
_LITTLE: Final = r"(?:(?:just\s+)?an?\s+(?:hair|touch|whisker|shade|tad|little|bit|smidgen)|just|slightly)"
_UNDER: Final = re.compile(
    rf"{_LITTLE}\s+(?P<how>short\s+of|shy\s+of|under|below|less\s+than|over|above|more\s+than|past)\s+(?:an?\s+)?"
    r"(?P<of>[a-z -]+|\d+)",
    re.IGNORECASE,
)
_DANGER: Final = re.compile(
    r"\b(?:not|never|cannot|neither|nor|nobody|none|or|but|unless|if|except|maybe|perhaps|possibly|probably|might|may|could|should|supposedly|apparently|allegedly|guess\w*|think|thought|believe|reckon|hope|suppose\w*|assum\w+|claims?|claimed|said"
    r"|says?|told|wrong|false|mistake\w*|error|myth|lie|joke|nonsense|sorry|wait|actually|rather|instead|correction|oops|scratch|otherwise|else|however|though|although|yet|almost|nearly|roughly|about|around|approximately|least|most|minimum|maximum|max|min|limit|cap|bound|ceiling|floor"
    r"|then|next|more|less|fewer|too|excluding|without|ignoring|depend\w*|hardly|barely|still|remain\w*|different|another|other|opposite|versus|unlike|anything|forget|no|different|old|former|previous|initial\w*|original\w*|at\s+first|got|gets?|key|textbook|calculator|teacher|friend|they)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
"""Words that in an opener, or in a remark without a conjunction of reason, may unsettle or change the value."""
_OPERATES: Final = re.compile(
    r"\b(?:half|halves|halved?|twice|thrice|doubled?|triple[sd]?|times|plus|minus|squared?|cubed?|roots?|reciprocal|inverse|negative|complement|conjugate|sum|product|quotient|difference|ratio|multiplied|divided|by|from|over|under|above|below|between|within|up|to|of|mod|modulo|per|every|each)\b",
    re.IGNORECASE,
)
_SAID_SO: Final = re.compile(
    r",?\s*as\s+(?:they|we|you|people|folks|the\s+[a-z]+s)\s+(?:like\s+to\s+)?(?:say|put\s+it|call\s+(?:it|them))\b",
    re.IGNORECASE,
)
_MANY: Final = {"gross": 144, "score": 20, "dozen": 12, "baker's dozen": 13, "half a dozen": 6, "pair": 2, "couple": 2}
"""Names of numbers."""
_WORKING: Final = frozenset(
    [
        "plus",
        "minus",
        "times",
        "over",
        "divided",
        "by",
        "squared",
        "cubed",
        "root",
        "square",
        "all",
        "of",
        "the",
        "to",
        "power",
        "half",
        "pi",
        "sum",
        "product",
        "and",
    ]
)
_EXCLAIMS: Final = re.compile(
    r"\W*(?:(?:oh|ah|aha|ha+|ooh|hey|hm+|well|right|ok(?:ay)?|so|sure|now|yes|yep|yeah|yup|easy|simple|quick|got\s+it|no\s+(?:sweat|problem|doubt)|piece\s+of\s+cake|child['’]s\s+play|of\s+course|obviously|clearly|naturally|bingo|eureka|voil[aà]|ta-?da+|lucky\s+(?:you|me)|on\s+the\s+(?:nose|dot)"
    r"|(?:that|this)(?:['’]s|\s+is)\s+(?:an?\s+)?(?:easy|simple|quick|nice|good|fun)(?:\s+(?:one|enough|question|peasy))?|(?:an?\s+)?(?:easy|simple|quick|nice|good|fun|neat|classic)\s+(?:one|question|peasy|puzzle)|let['’]?s?\s+(?:me\s+)?see|here\s+(?:goes|you\s+go|it\s+is)|in\s+(?:short|a\s+nutshell|brief|total|all)"
    r"|all\s+(?:told|in\s+all)|to\s+cut\s+a\s+long\s+story\s+short|long\s+story\s+short|without\s+(?:a\s+|any\s+)?doubt|thanks\s+for\s+asking|drum\s?roll|ready|there\s+you\s+(?:go|have\s+it)|my\s+(?:dear\s+)?friend|mate|folks)(?:[\s,.!:;—–-]+|$))+",
    re.IGNORECASE,
)
_RESTATES: Final = re.compile(
    r"^(?:i\.\s?e\.,?|that\s+is(?:\s+to\s+say)?,?|in\s+other\s+words,?|so|hence|thus|that['’]s|which\s+is|namely|meaning)\s+(?=\S)",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_]+")


def without_tails(text: str) -> str:
    """A short text without the tails behind its first value that say nothing of it."""
    if len(text) > _LONGEST or "\n" in text.strip():
        return text
    text = text.strip()
    for _ in range(_MOST):
        shorter = _shortened(text)
        if shorter is None:
            break
        text = shorter
    return text


def _shortened(text: str) -> str | None:
    """The text without one tail; the longest that may go first."""
    for found in _BREAK.finditer(text):
        head, mark, tail = text[: found.start()], found[0].strip(), text[found.end() :].strip(" .!)(")
        joy = mark == "!" and head[-1:].isdigit()
        ratio = mark == ":" and head[-1:].isdigit() and tail[:1].isdigit()
        if not tail or joy or ratio or (NUMBERED.search(head) is None and not _is_formula(head)):
            continue
        if _says_nothing(tail, mark, head) and not head.endswith((" and", " or", " but", " so")):
            return head.rstrip(" ,;:.!")
    return None


def _says_nothing(tail: str, mark: str, head: str) -> bool:
    """Whether what stands behind a value is an assurance, a reason or a remark that leaves it as it is."""
    if _SETTLED.fullmatch(tail):
        return True
    part = changing.AS_WHAT.search(_LIKENED.sub("", tail)) and not _FINITE.search(tail)
    compared = _compares(tail, head)
    if taken_back(tail) or say.UNSETTLED.search(tail) or part or compared is not None:
        return compared is True
    why = _SINCE.fullmatch(tail)
    if why is not None:
        return _is_reason(why["why"])
    if mark in (":", "...", "…"):
        explained = _EXPLAINS.fullmatch(tail) if mark == ":" else None
        return explained is not None and not _DANGER.search(tail) and not _ORDERS_ON.search(tail)
    remark = _DOING.fullmatch(tail) or _BESIDE.fullmatch(tail)
    if remark is None and mark != "!" and _is_whole(head) and is_chatter(tail):
        return True
    if remark is None or _COUNTS_ANOTHER.search(remark["rest"]) or _DANGER.search(tail):
        return False
    return re.search(r"\b(?:which|so(?!\s+that))\b", tail) is None


def _is_formula(head: str) -> bool:
    return head[:6].lower() == "big o " or spoken_algebra(head) is not None


def _is_whole(head: str) -> bool:
    """Whether what stands before a remark is an answer by itself: a value that begins it, and no sentence."""
    if _is_formula(head):
        return True
    head = _HARMLESS.sub("", head)
    begins = NUMBERED.match(_ARTICLE.sub("", head)) is not None and len(head.split()) <= _MOST_OF_VALUE
    return begins and not _FINITE.search(head) and not _DANGER.search(head)


def is_chatter(tail: str) -> bool:
    """Whether a remark of free words behind a whole answer tells of its teller, or likens, and unsettles nothing.

    Such a remark has a person in it, or an article before it; no number, no bound, no condition, no operation.
    """
    tail = _MANNERLY.sub("", _LIKENED.sub("my ", tail))
    chatter = _CHATTER.match(tail)
    if chatter is None or (tail and len(tail.split()) < _FEWEST and chatter.end() < len(tail)):
        return False
    return not any(
        form.search(tail)
        for form in (NUMBERED, _DANGER, say.DENIED, say.UNSETTLED, say.REPORTED, _WORK, _ORDERS_ON, changing.AS_WHAT)
    )


def _is_reason(why: str) -> bool:
    """Whether a clause of reason neither doubts its value nor draws another one."""
    drawn = re.search(
        r"[,;]\s*(?:so|hence|thus|therefore|then|but|which|making|giving|leaving)\b|\bguess|\b(?:i|you)\s+asked\b|\b(?:should|ought|wanted|pick|choose|others?)\b",
        why,
        re.IGNORECASE,
    )
    reported = say.REPORTED.search(re.sub(r"\bwere\b|\bwithout\b|\bfalse\b|\bneither\b|\bif\b|\bwhen\b", "", why))
    return drawn is None and reported is None and not _ORDERS_ON.search(why)


def _compares(tail: str, head: str) -> bool | None:
    """Whether a remark such as `one shy of fifty` holds of the number before it; None of other remarks."""
    shy, under = _SHY.fullmatch(tail), _UNDER.fullmatch(tail)
    if shy is None and under is None:
        return None
    value = _only_number(head)
    if value is None:
        return False
    if shy is not None:
        by, of = _only_number(shy["by"]), _only_number(shy["of"])
        return by is not None and of is not None and value == of - by
    of = _only_number(under["of"]) if under is not None else None
    if under is None or of is None:
        return False
    value = value / 100 if of < 1 < value else value
    more = under["how"].lower().split()[0] in ("over", "above", "more", "past")
    return value > of if more else value < of


def falsely_compared(text: str) -> bool:
    """Whether a number is compared with another, and the comparison does not hold: `46 %, just over half`."""
    found = _BREAK.search(text)
    head, tail = (text[: found.start()], text[found.end() :].strip(" .!")) if found is not None else ("", "")
    under = _UNDER.fullmatch(tail) or _SHY.fullmatch(tail)
    if under is None or _only_number(head) is None or _only_number(under["of"]) is None:
        return False
    return _compares(tail, head) is False


def _only_number(text: str) -> Fraction | None:
    """The only number of a text, in figures or in plain."""
    figures = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])", text)
    if figures:
        return Fraction(figures[0]) if len(figures) == 1 else None
    plain = [word for word in re.split(r"[\s-]+", text.strip(" .,!").lower()) if word]
    for start in range(len(plain)):
        for end in range(len(plain), start, -1):
            value = number_of(" ".join(plain[start:end]))
            if value is not None:
                return value if not NUMBERED.search(" ".join(plain[:start] + plain[end:])) else None
    return None


def without_opener(text: str) -> str:
    """A short text without an exclamation, a name or a first form before its value: `A gross, or so: 144`."""
    if len(text) > _LONGEST or "\n" in text.strip():
        return text
    for found in reversed(list(_BREAK.finditer(text))):
        front, mark, rest = text[: found.start()], found[0].strip(), text[found.end() :].strip()
        restated = _RESTATES.match(rest)
        rest = rest[restated.end() :] if restated is not None else rest
        if not rest or not _is_value(rest) or front.count("(") != front.count(")"):
            continue
        said_again = restated is not None or mark in (":", "!")
        return rest if _EXCLAIMS.fullmatch(front) or (said_again and _is_said_before(front, rest)) else text
    return text


LEAVES: Final = re.compile(rf"[,;:!.—–]\s+(?:{_SETTLED.pattern})[\s.!]*$", _SETTLED.flags)
"""An assurance at the end of a short text, of whatever it is."""


def without_exclamation(text: str) -> str:
    """A short text without an exclamation before what it says: `Ha, easy one: Oslo`."""
    found = _EXCLAIMS.match(text)
    return text[found.end() :] if found is not None and re.search(r"[,.!:;—–-]\s*$", found[0]) else text


def _is_value(text: str) -> bool:
    """Whether a text begins with a number and has at most three plain behind it, or is a formula."""
    plain = [word for word in re.split(r"[\s-]+", text.strip(" .!")) if word]
    if len(plain) > 12 or not plain or "," in text:
        return False
    if re.fullmatch(r"\d+\s+to\s+\d+\W*", text.strip()):
        return True
    if re.match(r"[-−+]?[$€£]?\d", plain[0]):
        return len(plain) <= 4 and all(_WORD.fullmatch(word) for word in plain[1:]) and not _OPERATES.search(text[1:])
    if (
        re.match(r"[\w()√π+*/^²³ .−-]{3,60}$", text.strip(" .!"))
        and re.search(r"[()^/²³√=]", text)
        and not re.search(r"[a-z]{3}", text)
    ):
        return True
    for end in range(min(len(plain), 9), 0, -1):
        if number_of(" ".join(plain[:end]).lower()) is not None:
            rest = " ".join(plain[end:])
            return len(plain) - end <= 3 and not _OPERATES.search(rest) and not NUMBERED.search(rest)
    return False


def _is_said_before(front: str, value: str) -> bool:
    """Whether a text says a value in other plain: by a name of a number, by its working, or by its numbers."""
    front = _SAID_SO.sub("", front)
    if taken_back(front) or _DANGER.search(front) or say.DENIED.search(front) or say.REPORTED.search(front):
        return False
    if re.search(r"\d", front):
        return False
    plain = [word.strip(",()") for word in re.split(r"[\s-]+", front.strip(" ,.!").lower()) if word]
    many = _MANY.get(" ".join(plain[1:] if plain[:1] in (["a"], ["an"]) else plain))
    if many is not None:
        return _only_number(value) == many
    one = _only_number(value)
    if one is not None and number_of(" ".join(plain)) is not None:
        return number_of(" ".join(plain)) == one
    letters = any(len(word) == 1 and word != "a" for word in plain)
    if letters and all(word in _WORKING or number_of(word) is not None or len(word) == 1 for word in plain):
        return True
    said = _numbers(front)
    return len(said) > 1 and sorted(said) == sorted(_numbers(value))


def _numbers(text: str) -> list[Fraction]:
    """The numbers of a text, in figures or in words."""
    found = re.findall(rf"\d+|{_NUMERAL}(?:[\s-]+{_NUMERAL})*", text, re.IGNORECASE)
    numbers = [Fraction(each) if each.isdigit() else number_of(each) for each in found]
    return [each for each in numbers if each is not None]


def leads_plainly(front: str, question: str) -> bool:
    """Whether the words before a value deny, doubt and work nothing, but what the question has in its own words."""
    asked = {word.casefold() for word in _WORD.findall(question)}
    plain = " ".join(word for word in _WORD.findall(front) if word.casefold() not in asked)
    named = [each[1].casefold() for each in _DETERMINED.finditer(front)]
    if any(word not in asked | _PASSED | {"very", "own"} for word in named):
        return False
    return not any(
        (
            taken_back(front),
            _DANGER.search(plain),
            say.DENIED.search(front),
            _OPERATES.search(plain),
            say.REPORTED.search(plain),
        )
    )


_DETERMINED: Final = re.compile(
    r"\b(?:the|an?|its|their|his|her|our|your|my|this|that)\s+(?:very\s+|own\s+)?([a-z]{2,})", re.IGNORECASE
)
"""What a subject names."""
_LINKS: Final = re.compile(
    r"\s+(?:is|are|was|were|equals?|comes?\s+(?:out\s+)?(?:to|as|at)|works?\s+out\s+(?:to|as|at)|amounts?\s+to)\s+(?:(?:just|simply|exactly|of\s+course|therefore|thus|then|naturally),?\s+)*",
    re.IGNORECASE,
)
_PASSED: Final = words(
    "the a an of in for on at to and with by its it this that these those his her their so thus hence therefore well"
    " very own definition number value total result amount quantity there thing answer formula expression function"
    " equation is are"
)


def without_subject(text: str, question: str) -> str:
    """A short sentence without a subject that says the question again: `the pH of a 0.001 M HCl solution is 3`."""
    asked = {word.casefold() for word in re.findall(r"[\w.]+", question)}
    for found in _LINKS.finditer(text):
        front = text[: found.start()]
        said = {word.casefold() for word in re.findall(r"[\w.]+", front)} - _PASSED
        if said and said <= asked and not say.DENIED.search(front):
            return text[found.end() :]
    return text
