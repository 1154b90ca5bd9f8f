"""Words that take an answer back after it was given: corrections, judgements on it, changes to it."""

import re

from grading.language.responses.segments import MARK

_BE = (
    r"(?:['’]s|\s+is|\s+was|\s+seems|\s+has\s+been|\s+(?:can\s*not|can['’]?t|could\s+not|couldn['’]?t|must\s+not)\s+be)"
)
_FALSE = (
    r"(?:wrong|incorrect|false|untrue|invalid|mistaken(?!\s+for\b)|impossible|absurd|nonsense|contradictory|ruled\s+out|excluded"
    r"|(?:not\s+)(?:right|correct|the\s+(?:answer|case|solution)|true|it|possible|valid|so)"
    r"|an?\s+(?:\w+\s+)?(?:mistake|error|lie|joke|guess|contradiction|typo|slip|(?:trap|decoy|bluff|hoax|fib|distractor|red\s+herring)(?=\W*$)))"
)
_ADVERB = r"(?:obviously\s+|clearly\s+|of\s+course\s+|actually\s+|surely\s+|simply\s+|just\s+|plainly\s+)?"
_WORDS = re.compile(
    r"\b(?:corrections?(?=\W*$|\s*[:,;.!—–-]|\s+(?:to|of)\s+(?:the\s+above|my|that|this)|\s+(?:is|was)\s+(?:needed|due|necessary))|erratum|typo|scratch\s+that|i\s+mean(?:t)?|make\s+(?:that|it)|(?<![a-z]\s)wait|(?<!\band\s)(?<!\bto\s)(?<!\bmust\s)(?<!\bwill\s)(?<!\bcan\s)wait(?=\s*[,!—–…]|\s+(?:no|that|i|actually|it|let)\b)|sorry|apolog\w+|pardon|oops"
    r"|whoops|hmm+|jk|(?:up)?on\s+(?:further\s+)?reflection|(?:on\s+)?second\s+thoughts?|thinking\s+(?:again|about\s+it"
    r"\s+again|it\s+over)|no\s+wait|kidding|nope|nah|i\s+stand\s+corrected|superseded|retracted|withdrawn|off\s+by\s+(?:one|a)|as\s+if(?=\W*$|\W*[.!])"
    r"|except\s+(?:that\s+)?(?:it|this|that|not)|(?:or\s+)?so\s+(?:i|we|they)\s+thought|no\s+longer|hold\s+on"
    r"|(?:was|were)\s+(?:only\s+|just\s+)?(?:my|our|the|a)\s+(?:first|initial|early|wild|naive)\s+\w+"
    r"|let\s+me\s+(?:re\w+|correct|fix|check\s+again|try\s+again)|(?:i|we)\s+(?:made|have\s+made)\s+(?:a|an)\s+\w*\s*"
    r"(?:mistake|error|slip)|my\s+(?:mistake|bad|error)|strike\s+(?:that|this|the|out)|ignore\s+(?:that|this|the\s+above)|disregard"
    r"|never\s*mind|or\s+rather|forget\s+(?:that|this|it)"
    r"|(?:revised|new|updated|corrected|amended)\s+(?:answer|value|result)"
    r"|should\s+(?:read|say)|should\s+(?:be|have\s+been|rather\s+be|actually\s+be)(?=\W*(?:\d|[\ue000-\ue2ff]|minus|negative))"
    r"|i\s+(?:just\s+|simply\s+)?(?:made\s+(?:that|this|it)\s+up|made\s+up\s+(?:that|this))|i(?:['’]m|\s+am|\s+was)\s+(?:wrong|lying|mistaken)|i\s+(?:lied|take\s+(?:it|that|this)\s+back|retract|withdraw|recant"
    r"|change(?:d)?\s+my\s+mind|miss(?:ed)?|forgot|overlooked|mis(?:counted|calculated|read|took|typed|spoke))|we\s+(?:missed|forgot|overlooked|mis(?:counted|calculated|read|took))"
    r"|would\s+be\s+(?:wrong|incorrect|false|a\s+mistake|an\s+error)\s+to\s+(?:say|claim|conclude|answer)"
    r"|i\s+(?:[a-z]+\s+){1,8}?(?:wrongly|incorrectly|by\s+mistake|in\s+error)|my\s+[a-z]+\s+(?:had|used|was|has|shows?|contains?|contained)\s+(?:(?:the\s+)?wrong|an?\s+(?:error|mistake|slip))|(?:at\s+least\s+)?(?:i|we)\s+thought\s+so"
    r"|must\s+(?:still\s+)?be\s+(?:added|subtracted|doubled|halved|multiplied|divided|negated|squared))\b",
    re.IGNORECASE,
)
_JUDGED = re.compile(
    rf"\b(?:that|this|it|which|the\s+(?:above|answer|value|result))\s*{_BE}\s+{_ADVERB}{_FALSE}"
    r"|\b(?:that|this|it|which)\s+(?:can['’]?t|can\s*not|could\s+not|couldn['’]t)\s+be(?!\s+(?:simplified|reduced|improved"
    r"|written|factored|expressed|more|further|larger|smaller|greater|less|exceeded|lowered|beaten))"
    r"|\b(?:which|(?<![a-z]\s)that|this)\s+(?:contradicts|nobody|no\s+one|i\s+doubt|(?:i\s+)?do(?:es)?\s+not\s+(?:believe|hold))"
    r"|(?:^\W*|[.!?;:—–]\s*|\s-\s*|,\s*(?:a\s+)?)(?:not|false|wrong|incorrect|lie|untrue|contradiction)\s*(?:[.!]|$)"
    r"|(?:^\W*|[.!?;]\s*)(?:false|wrong|incorrect|untrue)\s*[,:;—–-]+\s*(?:it|this|that|the\s+(?:answer|value|result))\b"
    r"|(?:^\W*|[.!?;—–,]\s*|\s-\s*)no\s*[,.:;!]|(?:^\W*|[.!?;—–]\s*)no\s+(?:wait|that|it|-|—)"
    r"|(?:^\W*|[.!?;]\s*)or\s+(?:not|is\s+it|maybe|perhaps|else)\b"
    r"|\bI\s+(?:don['’]?t|do\s+not)\s+(?:think|believe|agree)\b"
    r"|(?:^\W*|[.!?;,:—–]\s*)(?:(?:so|or|and|just|please|now|then)\s+)*(?:take|choose|pick|select|use|accept|read|put)\s+(?:your\s+(?:pick|choice)\W*$|(?:whatever|anything|any\s+(?:other\s+)?(?:number|value|answer|one))\s+(?:else\s+)?(?:you|is|the\s+(?:key|reference))\b)"
    r"|(?:^\W*|[.!?;]\s*)(?:you|the\s+reader)\s+(?:may\s+|can\s+|get\s+to\s+)?(?:decide|choose|pick)\W*$"
    rf"|^\W*(?:is|was|seems)\s+{_ADVERB}{_FALSE}"
    r"|^[\s$.*]*\(\s*(?:wrong|incorrect|false|not|typo|correction|read|recte|should|was|formerly|previously|no\b)",
    re.IGNORECASE,
)
TURNED_DOWN = re.compile(
    r"\b(?:deleted|removed|rejected|dismissed|flagged|withdrawn|struck|taken\s+down|marked)\b[^.!?]{0,30}\bas\s+(?:wrong|incorrect|false|erroneous|invalid|nonsense|an?\s+(?:mistake|error))\b"
    r"|\b(?:he|she|they|I|we|someone|somebody|who)\s+(?:\w+\s+)?(?:(?:struck|crossed)\s+(?:it|this|that)\s+out|(?:deleted|erased|withdrew|retracted|removed)\s+(?:it|this|that))\b"
    r"|[,—–]\s*(?:which\s+is\s+)?an?\s+(?:obvious|clear|evident|plain|known|blatant)\s+(?:glitch|bug|error|mistake|typo|slip|lie|joke|hoax|blunder|misprint)\b"
    r"|\bthe\s+(?:(?:answer\s+|official\s+|test\s+)?key|test(?:\s+case)?|calculator|program|source|website|book|table|witness|proof|derivation|argument|method|oracle)\s+(?:is|was)\s+(?:broken|buggy|flawed|faulty|unreliable|an?\s+(?:hoax|fake|forgery|fraud|liar))\b"
    r"|(?:^\W*|[.!?]\s*)except\s+(?:for\s+)?(?:the|its|one)\s+[a-z]+\s*[.!]|\b(?:and|so|but)\s+I\s+(?:yield|concede|relent|back\s+down|give\s+in)\b"
    r"|\bI\s+(?:have\s+|then\s+|later\s+)?(?:changed|corrected|amended|altered|revised)\s+(?:it|this|that)\s+(?:to|into)\b"
    rf"|(?:^\W*|[.!?;]\s*)(?:but\s+)?(?:(?:all|both)\s+of\s+(?:them|these|those)|they(?:\s+all)?)\s+(?:are|were)\s+(?:all\s+|both\s+)?{_FALSE}"
    r"|(?:^\W*|[.!?;]\s*)(?:but\s+)?(?:none|not\s+one|neither)\s+of\s+(?:them|these|those)\s+(?:is|are|was|were)\s+(?:right|correct|true)"
    r"|\b(?:that|this)\s+(?:claim|assertion|statement|answer|value|belief|rumou?r|post)\s+(?:does|did|can)(?:\s*not|n['’]t)\s+(?:survive|hold|stand|withstand|bear|pass)\b",
    re.IGNORECASE,
)
"""A judgement that others have passed on what was quoted: `the moderators deleted it as incorrect`."""
DISOWNED = re.compile(
    r"(?:^\W*|[.!?;]\s*)(?:that|this)\s+(?:was|would\s+be|would\s+hold)\s+(?:only\s+)?(?:for|in)\s+(?:the\s+[a-z]+\s+(?:case|equation|part|version|variant|edition|problem|question|one)|part\b|question\b|problem\b)"
    r"|(?:^\W*|[.!?;,]\s*)or\s+so\s+(?:I|we|it)\s+(?:would|hope|believe|guess|assume|like|was|were|seems?)\b"
    r"|\b(?:note\s+added|added\s+later|later\s+note|added\s+in\s+proof)\b[^.!?]{0,40}\b(?:wrong|incorrect|false|mistaken|error|mistake)\b"
    r"|\b(?:shows?|showed|proves?|proved|indicates?|suggests?)\s+otherwise\b",
    re.IGNORECASE,
)
"""Sentences, also of suppositions and remarks, by which what was said before is another case's, or no longer held."""
_REPLACED = re.compile(
    r"\bbut\s+\S{1,20}\s+is\s+(?:right|correct|the\s+(?:right|correct|true|actual)\b)|"
    r"\b(?:the\s+)?(?:correct|right|true|actual|real|proper|exact|intended)\s+(?:value|answer|result|one|number)\b"
    r"(?:\s*,\s*however\s*,)?\s+(?:is|was|should)(?=\s+(?!also\b|indeed\b|therefore\b|thus\b|the\s+same))"
    rf"|(?:^\W*|[.!?;]\s*)(?:edit(?:ed)?|update[d]?|better|now|correct(?:ed)?|fixed|amended|recte)\s*[:,]\s*(?:it\s*(?:is|['’]s)\s*)?"
    rf"(?=[-−]?\d|{MARK}|\$|[A-Z]\b)|\bshould\s+be\s+(?=\$?[-−]?\d|{MARK})|^\W*(?:->|→|=>|⇒)"
    r"|(?:^\W*|[.!?;]\s*)edit(?:ed)?\s*:",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"(?:^\W*|[.!?;]\s+)(?:(?:but|so|now|then|next|finally|and)\s+)*(?:double(?!-)|halve|negate|square|invert|add|subtract|multiply"
    r"|divide|flip|reverse|increase|decrease|take\s+(?:its|the\s+(?:negative|reciprocal|square|inverse|opposite)))\b"
    r"(?!\s+(?:units?|(?:kilo|centi|milli)?met(?:re|er)s?|feet|inches|miles|yards|up|both|the\s+(?:equation|two|first|second)))",
    re.IGNORECASE,
)
"""A command to change what was given; verification works on equations and sides instead."""
FOREIGN = re.compile(
    r"(?:^\W*|[.!?;,—–]\s*)(?:nein|moment|falsch|korrektur|verzeihung|quatsch|non|pardon|perdón|não|anzi|no|нет|아니)\b\s*[,.!:]"
    r"|\bdas\s+(?:ist|war)\s+(?:falsch|ein\s+fehler|nicht)|\b(?:c['’]est|c['’]était)\s+(?:faux|une\s+erreur|incorrect)"
    r"|\ben\s+fait\b|\ben\s+realidad\b|\bna\s+verdade\b|\bin\s+realtà\b|\b(?:eso|esto)\s+es\s+(?:falso|incorrecto|un\s+error)"
    r"|\bisso\s+(?:está|é)\s+(?:errado|falso|um\s+erro)|\b(?:è|era)\s+(?:sbagliato|falso|un\s+errore)|\banzi\b"
    r"|\btatsächlich\s+(?:ist|sind)\b|\bкорректура|\bневерно|\bошиб\w+|\bна\s+самом\s+деле"
    r"|不对|不對|错了|錯了|更正|不，|不是|いや|間違|訂正|違います|아니|틀렸|정정|لا،|هذا\s+خطأ|خطأ|تصحيح",
    re.IGNORECASE,
)
_ACTUALLY = re.compile(
    r"(?:^|[.!?;,—–\n]\s*|\s)(?:actually|rather(?!\s+than)|instead(?!\s+of)|in\s+fact"
    r"|(?:(?:double-?|re-?)check|re-?do|re-?comput|re-?calculat|re-?consider|re-?think|re-?count|re-?examin)\w*)\b[,:]?\s*(?P<rest>[^\n]{0,80})",
    re.IGNORECASE,
)
_CHECKED = re.compile(r"\W*(?:double-?|re-?)check", re.IGNORECASE)
_FOUND_RIGHT = re.compile(
    r"^(?!.*(?:\b(?:no|not|nope|never|but|however|instead|actually|rather|should|must|wrong|incorrect|error|mistake|slip|off|fails?|find|finds"
    r"|found|get|gets|gives?|only)\b|n['’]t\b)).*\b(?:yes|confirm(?:s|ed)?|consistent|agrees?|matches|correct|fine|works|checks\s+out|holds|in\s+order)\b",
    re.IGNORECASE | re.DOTALL,
)
"""What a check says that finds nothing to change."""
_OTHER_LABEL = re.compile(
    r"\b(?i:actually|rather|instead)\b[,:]?\s*(?:(?i:it\s*(?:is|['’]s))\s*)?\(?[A-Z]\b(?!\s+[a-z])"
)
_CHECK_FINDS = re.compile(
    r"\b(?i:double-?|re-?)(?i:check\w*|consider\w*|read\w*"
    r"|think\w*)\b[^.!?\n]{0,80}(?<![A-Za-z'’°])(?<!° )(?:[B-HJ-Z]|\(A\))(?![A-Za-z'’])"
)
"""Another look at the question that arrives at a label."""
SHOULD_BE_AND_IS = re.compile(
    r"\bshould\s+(?:then\s+)?(?:be|equal|give|return)\s+(?P<value>[-−]?\d[\d.]*)(?=\s*[:,;(][^?!\n]{1,120}=\s*(?P=value)(?![\d.]*\d)\s*(?:[✓✔.)]|$))"
)
"""What a check expects and finds: `f(2) should be 4: (9 − 1)/2 = 4 ✓`."""
_SEARCHED = 2_000


def owned(after: str) -> bool:
    """Whether a part beside the argument corrects the answer; what it judges are other people's mistakes."""
    after = SHOULD_BE_AND_IS.sub(r"is \g<value>", after)
    return _WORDS.search(after) is not None or _REPLACED.search(after) is not None


def taken_back(after: str) -> bool:
    """Whether what follows an answer takes it back. "Actually" does so only where a value follows."""
    after = after[:_SEARCHED]
    if any(pattern.search(after) for pattern in (_WORDS, _JUDGED, TURNED_DOWN, DISOWNED, _REPLACED, _CHANGED, FOREIGN)):
        return True
    return any(
        re.search(rf"\d|{MARK}", match["rest"]) and not _confirms(match[0], after[match.end() :])
        for match in _ACTUALLY.finditer(after)
    )


def _confirms(said: str, rest: str) -> bool:
    """Whether a sentence that checks the answer again finds it right."""
    whole = f"{said}{rest}".lstrip(" .!?;,:—–\n")
    sentence = re.split(r"[.!?;](?:\s|$)|\n", whole)[0]
    return _CHECKED.match(sentence) is not None and _FOUND_RIGHT.search(sentence) is not None


def corrected_label(after: str) -> bool:
    """Whether words of correction, and not judgements on other things, follow a label."""
    after = after[:_SEARCHED]
    return any(pattern.search(after) for pattern in (_WORDS, _REPLACED, _OTHER_LABEL, _CHECK_FINDS))


def names_other_label(after: str) -> bool:
    """Whether another label is put in the place of one that was given."""
    return any(pattern.search(after[:_SEARCHED]) for pattern in (_OTHER_LABEL, _CHECK_FINDS))


_DENIED_BOX = re.compile(
    r"\b(?:exclude|reject|eliminate|discard|refute|dismiss|(?:rule|cross)\s+out|cannot\s+be|can\s+not\s+be|can['’]t\s+be|could\s+not\s+be"
    r"|isn['’]t|differs?\s+from)\W*$|"
    r"\bnot\W*$|n['’]t\W*$|\bnever\W*$|\b(?:wrong|incorrect|false|bad|invalid|tempting|naive)\s+(?:answer|solution|value|result|one|guess)\b"
    r"[^.]{0,30}$|\b(?:do|does|did|would|should|must|can)\s*(?:not|n['’]t)\s+(?:think|believe|write|answer|say|claim|box|choose|pick"
    r"|submit)\b[^.]{0,40}$|\bnot\s+answer\b[^.]{0,20}$|\b(?:nobody|no\s+one|instead\s+of|rather\s+than|other\s+than|anything\s+but"
    r"|different\s+from|unlike|except)\b[^.,;]{0,30}$|\bsuppose\b[^.,;]{0,40}$|\b(?:claims?|says|said|thinks?)\s+(?:that\s+)?(?:it\s+is|the"
    r"\s+answer\s+is)\W*$",
    re.IGNORECASE,
)


def denied_before(text: str, place: int) -> bool:
    """Whether the words that lead to a box turn down what stands in it."""
    lead = text[max(0, place - 200) : place]
    return _DENIED_BOX.search(re.split(r"[.!?]\s|\n\s*\n", lead)[-1]) is not None
