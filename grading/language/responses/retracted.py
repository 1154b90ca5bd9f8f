"""What takes a marked answer back: a box, an answer line, a tag, or a phrase that names the answer.

Only four things do, and all of them are about the answer: its writer goes back on himself (`wait`, `I forgot a case`),
judges it false (`that is wrong`), gives it anew (`the answer should be 6`, `so 6`), or leaves a step on it to do
(`now double it`). What a check, a remark or a consequence says of other things takes nothing back, whatever its words.
"""

import re
from collections.abc import Sequence
from typing import Final

from grading.language.responses.asides import apart
from grading.language.responses.bare import plain_value
from grading.language.responses.corrections import (
    DISOWNED,
    FOREIGN,
    SHOULD_BE_AND_IS,
    TURNED_DOWN,
    names_other_label,
    taken_back,
)
from grading.language.responses.segments import MARK, Response, Sentence, segmented
from grading.language.responses.sizes import same, size_of
from grading.language.responses.turning import judges, others_err, supposes_another, turned_aside

_LEADS: Final = (
    r"(?:(?:but|and|so|now|then|next|finally|well|oh|ah|ok|okay|please|however|unfortunately|alas|actually"
    r"|not(?:e|ice)\s+that)[\s,]+)*"
)
_START: Final = rf"(?:^\W*|[.!?;:,…—–(]\s*|\s-\s+){_LEADS}"
_FIRST: Final = rf"^\W*{_LEADS}"
_ADVERB: Final = (
    r"(?:(?:obviously|clearly|of\s+course|actually|really|surely|simply|just|only|plainly|still|in\s+fact|completely|(?:most\s+|very\s+)?(?:probably|likely)|almost\s+certainly"
    r"|all|therefore|thus|hence|then)\s+)*"
)
_NOUN: Final = r"(?:answer|result|solution|value|number|figure|total|count)"
_GIVEN: Final = (
    r"(?:the|my|our|this|that)\s+(?:(?:above|boxed|previous|final|given|stated|original)\s+)*(?:answer|result|solution|value|number|conclusion|calculation|box)"
    r"(?:\s+(?:above|in\s+the\s+box|(?:just\s+)?given(?:\s+above)?|stated|(?:that\s+)?(?:I|we)\s+(?:gave|got|found|obtained)))?|the\s+above|the\s+box"
)
"""Names of the answer that was given."""
_BE: Final = (
    r"(?:['’]s|\s+is|\s+was|\s+seems|\s+looks|\s+has\s+been"
    r"|\s+(?:can\s*not|can['’]?t|could\s+not|couldn['’]?t|must\s+not)\s+be)"
)
_FALSE: Final = (
    r"(?:wrong|incorrect|false|untrue|invalid|mistaken|impossible|absurd|nonsense|contradictory|ruled\s+out|excluded|superseded|retracted|withdrawn|off\s+by|half\s+(?:of\s+)?(?:it|the\s+(?:answer|result))|too\s+(?:small|large|big|low|high|few|many)"
    r"|right(?<=be\sright)|correct(?<=be\scorrect)|not\s+(?:right|correct|the\s+(?:right\s+|correct\s+|final\s+)?(?:answer|case|solution)|true|it|possible|valid|so)"
    r"|(?:my|our|an?|the)\s+(?:(?:first|initial|early|wild|naive|\w+)\s+)?(?:mistake|error|lie|joke|guess|attempt|thought|contradiction|typo|slip))"
    r"(?!\s+(?:to|that|for|in|with|unless|as|if)\b)"
)
_NUMBER: Final = r"[-−]?\d[\d.,/]*(?<![.,])"
_SIGN: Final = rf"(?:[A-Za-z]\s*=\s*)?(?P<value>{_NUMBER}(?:\s?\\?%)?|{MARK})"
_NO_WORD: Final = r"(?!\s+(?-i:[a-z]))"
_LABEL: Final = r"(?:(?:option|choice)\s+)?[(\[]?(?P<value>(?-i:[A-Z]))\b[)\]]?" + _NO_WORD

_STEPS: Final = (
    r"(?:add|subtract|multipl[yi]|divid|doubl|halv|flip|negat|revers|invert|adjust|correct|chang"
    r"|replac|swap|fix|squar)\w*"
)
_OBJECT: Final = rf"(?:it|this|that|{_GIVEN}|the\s+sign|one|two|three|{MARK}|{_NUMBER})"

_GOES_BACK: Final = re.compile(
    rf"{_START}(?:wait(?=\W*$|\s*[,.!—–…:;-]|\s+(?:no|I|that|it|the|this|an?|we|actually|there)\b)|hold\s+on|hmm+|oops|whoops|no\s+wait|nope|nah|jk|(?:just\s+)?kidding"
    r"|never\s*mind|sorry(?!\s+(?:for|about|if)\b)|(?:my\s+)?apologies|i\s+apologi[sz]e|pardon|my\s+(?:mistake|bad|error)\b|(?:scratch|strike)\s+(?:that|this|it|the)\b"
    r"|(?:correction|erratum|errata|typo|edit(?:ed)?|updated?)(?=\W*$|\s*[:,;.!—–-])|corrections\s*:|correcting\b|come\s+to\s+think"
    r"|(?:up)?on\s+(?:(?:further|closer|second|another)\s+)*(?:reflection|thoughts?|inspection|look)|in\s+hindsight|looking\s+(?:again|closer|more\s+closely)"
    r"|thinking\s+(?:again|about\s+it\s+again|it\s+over)|let\s+me\s+(?:re-?(?:do|comput|calculat|count|consider|vis|examin|think|evaluat)\w*|correct|fix|try\s+again|check\s+again)"
    r"|(?:disregard|ignore|forget)\s+(?:that|this|it|the\s+(?:above|answer|box)|my|what)\b|or\s+rather\b|(?:or\s+)?so\s+(?:i|we)\s+thought"
    rf"|(?:(?:sign|arithmetic(?:al)?|calculation|computation|algebra|counting|copying|index|unit|transcription)\s+error|(?:small\s+|slight\s+|my\s+)?(?:mistake|slip|typo))(?:\s+(?:above|here|spotted|found))?\s*[:!—–]|rather(?=\s*,?\s*(?:{_NUMBER}|{MARK})\W*$))"
    r"|^\W*(?:ah+|oh|uh|um+|er+|argh|eh)\b(?!\s+well\b|\W+and\s)|(?:^\W*|[.!?;]\s*)or\s+(?:not|is\s+it|maybe|perhaps|else)\b|^\W*as\s+if\W*$"
    r"|\bwait\W*$|\b(?:revised|updated|corrected|amended|new)\s+answer\b|\bno\s+longer\s+(?:think|believe|right|correct|valid|stands)"
    r"|(?:^\W*(?:actually,?\s+|oh,?\s+)?|[.!?;—–]\s*|\s-\s*)no\s*(?:[,.:;!—–](?!\s+of\b)|wait|that\b|it\b)"
    r"|(?:^\W*|[.!?;]\s*)(?:not|false|wrong|incorrect|untrue|lie|nonsense|contradiction)\s*(?:[.!]|$|[,:;—–-]+\s*(?:it|this|that|the\s+answer)\b)",
    re.IGNORECASE,
)
"""Words by which one goes back on what one said."""
_SELF: Final = re.compile(
    rf"\bI\s+(?:just\s+|simply\s+)?(?:made\s+(?:this|that|it|{_GIVEN})\s+up|made\s+up\s+(?:this|that|{_GIVEN}))\b|\bdo\s*n['’]t\s+(?:quote|trust|hold)\s+me\b|\b(?:I|we)\s+(?:should|ought\s+to)\s+have\s+{_STEPS}|\bI\s+(?:have\s+|had\s+)?(?:got|had)\s+(?:this|that|it)\s+wrong|"
    r"(?<!if\s)(?<!had\s)(?<!when\s)\b(?:I|we)\s+(?:(?:have|had|just|then|also|did|do|accidentally|mistakenly|unfortunately|see|realise|realize|notice)\s+){0,2}"
    r"(?:made\s+an?\s+(?:\w+\s+)?(?:mistake|error|slip)|(?:forgot|missed|overlooked)(?!\s+(?:nothing|none|no)\b)|mis-?(?:counted|calculated|read|took|typed|spoke|applied|copied|placed)"
    r"|slipped|(?:dropped|lost)\s+(?:an?|the)\s+(?:\w+\s+)?(?:sign|minus|factor|term|case)|(?:double|over|under)[-\s]?count(?:ed)?|(?:used|took|had|applied|read|wrote|copied)\s+the\s+wrong"
    r"|lied|retract|withdraw|recant|take\s+(?:it|that|this)\s+back|changed?\s+my\s+mind|stand\s+corrected|no\s+longer|(?:don['’]?t|not)\s+(?:think|believe|agree)"
    r"|meant?\s+(?!(?:that|by|to|the|for|it)\b)\S)"
    r"|\bi(?:['’]m|\s+am|\s+was)\s+(?:wrong|lying|mistaken)",
    re.IGNORECASE,
)
"""Slips that are owned to."""
_SUPPOSED: Final = re.compile(
    r"\b(?:if|had|suppose|unless|when)\s+(?:I|we|one|you)\b|\b(?:would|could|might)\b",
    re.IGNORECASE,
)
_FAILS: Final = (
    r"ignore[sd]?|overlook(?:s|ed)?|miss(?:es|ed)?|forg[eo]ts?|omit(?:s|ted)?|left\s+out|leaves\s+out|neglect(?:s|ed)?|double[-\s]?count\w*|over-?count\w*|under-?count\w*|contradicts?|violates?|fails?\b"
    r"|(?:does\s+not|doesn['’]t)\s+(?:work|satisfy|hold|fit|include|account|count)\b"
)
_JUDGED: Final = re.compile(
    rf"\b(?:{_GIVEN}){_BE}\s+{_ADVERB}{_FALSE}|{_FIRST}(?:that|this|it){_BE}\s+{_ADVERB}{_FALSE}"
    rf"|{_FIRST}(?:that|this|it)\s+(?:can['’]?t|can\s*not|could\s+not|couldn['’]t)\s+be(?=\W*$|\s*[,;—–])"
    rf"|(?:\b(?:{_GIVEN})|^\W*(?:but|however|yet|unfortunately|alas)\b[\s,]*(?:this|that|it))\s+(?:{_FAILS})"
    rf"|(?:\b(?:{_GIVEN})|{_FIRST}(?:this|that|it))\s+was\s+(?:computed|calculated|obtained|found|derived|based)\s+(?:with|from|using|by|on)\s+(?:the|an?)\s+(?:wrong|incorrect|false)\b"
    rf"|\b(?:{_GIVEN})\s+(?:must|should|has\s+to|needs\s+to)\s+be\s+(?:rejected|discarded|dropped|thrown\s+out|ignored|withdrawn)\b"
    r"|\bthe\s+(?:correct|right|true)\s+(?:answer|value|result|number|one)\s+(?:is|was|should\s+be)\s+(?:twice|half|double|larger|smaller|bigger|higher|lower|greater|another|different|one\s+(?:more|less))\b"
    rf"|{_FIRST}(?:an?|one|the)\s+(?:minus\s+)?(?:sign|factor(?:\s+of\s+\S+)?|term|case|digit|zero)\s+(?:is|was|went|got|has\s+been)\s+(?:missing|lost|dropped|forgotten|left\s+out|overlooked)\b"
    rf"|{_FIRST}(?:this|that|it|{_GIVEN})\s+(?:contradicts|i\s+doubt)\b|\b(?:which|this|that)\s+contradicts\s+(?:this|that|it|{_GIVEN})\W*$"
    rf"|\bwould\s+be\s+(?:wrong|incorrect|false|a\s+mistake|an\s+error)\s+to\s+(?:say|claim|conclude|answer)\s+(?:that|so|this)\W*$",
    re.IGNORECASE,
)
_ONLY_FIRST: Final = re.compile(
    r"\b(?:impossible|absurd|contradict\w*|ruled\s+out|excluded|not\s+possible)\b",
    re.IGNORECASE,
)
"""Judgements that a pronoun passes on the answer only where nothing else stands between."""
_VALUE_JUDGED: Final = re.compile(
    rf"(?<![\w.,/])(?:[A-Za-z]\s*=\s*)?(?P<value>{_NUMBER}|{MARK})"
    rf"(?:(?:,?\s+which)?{_BE}\s+{_ADVERB}(?:{_FALSE}|not\s+an?\s+(?:root|solution|answer))|\s+(?:does\s+not|doesn['’]t)\s+(?:work|satisfy|solve|fit)\b|\s+fails\b)"
    rf"|(?:{_FIRST}it|\b(?:answer|result|solution))\s+(?:is|was)(?:\s+not|n['’]t)\s+(?P<value2>{_NUMBER}|{MARK}|(?-i:[A-Z])[\w'’-]+(?:\s(?-i:[A-Z])[\w'’-]+){{0,3}})(?=\W*$)",
    re.IGNORECASE,
)
"""A judgement on the value itself: `so 5 is not a solution`."""


def _anew(value: str) -> re.Pattern[str]:
    """How an answer is given anew, with `value` for what may be given."""
    said = rf"{_ADVERB}(?:(?:instead|rather|indeed|now|:)\s+)*{value}"
    lone = value.replace(_NO_WORD, "")
    modal = r"(?:should|must|ought\s+to)(?:\s+(?:actually|really|instead|rather|then|therefore))?"
    forms = (
        (
            rf"\b(?:(?:the|my|our)\s+(?:(?:correct|right|true|actual|real|proper|intended|final|new|revised)\s+)*(?:answer|option|choice)|the\s+(?:correct|right)\s+{_NOUN})(?:\s*,\s*however\s*,)?"
            rf"\s+(?:is|are|was|becomes?|equals|{modal}\s+(?:be|have\s+been|read|say|equal))\s+{said}(?=\W|$)"
        ),
        (
            rf"\b(?:it|this|that|{_GIVEN})\s+(?:should|ought\s+to|must\s+(?:actually|really|instead))(?:\s+(?:actually|really|instead|rather|then|therefore))?"
            rf"\s+(?:be|have\s+been|read|say|contain|equal)\s+{said}(?=\W|$)"
        ),
        (
            r"^\W*(?:(?:it\s+is|it['’]s|it\s+becomes|i\s+get|so|thus|hence|therefore|final|answer|now|better|correct(?:ed)?|fixed|amended|recte|make(?:\s+(?:it|that))?|actually|rather|instead"
            rf"|in\s+fact|but|then)\W+)+{value}(?:\s?[A-Za-z%°]{{1,2}})?\W*$"
        ),
        (
            rf"(?:{_FIRST}(?:(?:thus|hence|therefore|actually|in\s+fact)[\s,]+)*|[,;—–]\s*(?:so|thus|hence|therefore|then|and)\s+|;\s*)"
            rf"(?:it|that|this)(?:['’]s|\s+(?:is|becomes|equals|must\s+be))\s+{said}\W*$"
        ),
        rf"(?:\bmake\s+(?:it|that)|^\W*(?:->|→|=>|⇒)|^\W*(?:final\s+)?answer\b[^.:\n]{{0,30}}:)\s*{value}\W*$",
        rf"(?<![\w.]){lone}\s+is\s+(?:indeed\s+)?(?:the\s+)?(?:right|correct|true)(?:\s+(?:answer|one|value|result|choice|option))?(?=\W*$|\s*[,.;])",
        rf"{_FIRST}(?:change|replace|correct|switch|update)\s+{_OBJECT}\s+(?:to|by|with|into)\s+{value}",
        rf"\b(?:use|take|say|write|read)\s+{value}\s+instead\b",
        rf"\bI\s+(?:would\s+)?(?:now|rather)\s+(?:choose|pick|select|say|answer|go\s+(?:with|for))\s+{value}",
        (
            rf"(?:\b(?:(?:double|re)-?check|re-?(?:do|comput|calculat|consider|count|examin))\w*|^\W*(?:up)?on\s+(?:closer\s+|re-?)?(?:review|read|check|examin|inspect|consider)\w*)\b[^.!?\n]{{0,80}}?"
            rf"(?:\b(?:gives?|get|find|have|obtain|yields?|is|makes|shows|hence|thus|so|giving)|[:,—–])\s*{value}\W*$"
        ),
    )
    return re.compile("|".join(_numbered(forms)), re.IGNORECASE)


def _numbered(forms: tuple[str, ...]) -> list[str]:
    """Each form with a name of its own for the group of its value."""
    return [each.replace("?P<value>", f"?P<value{place}>") for place, each in enumerate(forms)]


_ANEW: Final = _anew(_SIGN)
_OTHER_LABEL: Final = _anew(_LABEL)
_CORRECT_IS: Final = re.compile(
    "|".join(
        _numbered(
            (
                rf"\bthe\s+(?:correct|right|true|actual)\s+answer\s+(?:is|should\s+be|must\s+be)\s+{_ADVERB}{_SIGN}",
                rf"^\W*(?:so\s+|please\s+)?(?:use|take|say|write|read)\s+{_SIGN}\s+instead\W*$",
                rf"^\W*I\s+(?:would\s+)?(?:now|rather)\s+(?:choose|pick|select|say|answer|go\s+(?:with|for))\s+{_SIGN}",
                rf"^\W*I\s+(?:would\s+)?(?:now|rather)\s+(?:choose|pick|select|say|answer|go\s+(?:with|for))\s+{_LABEL}",
            )
        )
    ),
    re.IGNORECASE,
)
"""What gives the answer anew in whatever a sentence turns to."""
_LEFT: Final = re.compile(
    rf"{_FIRST}(?:double(?!-)|halve|negate|square|invert|add|subtract|multiply|divide|flip|reverse|increase|decrease|take\s+(?:its|the)\s+(?:negative|reciprocal|square|inverse|opposite))"
    rf"(?:\s+{_OBJECT})?(?:\s+(?:by|to|from|of)\s+(?:{_OBJECT}|[a-z]+))?(?:\s+(?:to|and)\s+(?:get|obtain|give|find)\b[^:=]{{0,60}})?(?:\s+(?:for|because\s+of|due\s+to)\s+[a-z]+(?:\s+[a-z]+){{0,4}})?\W*$"
    rf"|\b(?:this|that|it|the\s+sign|(?:one|another|an?|the|\d+)\s+(?:more|further|other|factor\s+of\s+\S+|\w+\s+sign|half)|{_GIVEN})\s+(?:still\s+)?(?:must|should|needs?\s+to|ha(?:s|ve)\s+to|ought\s+to|remains\s+to|is\s+(?:yet|still)\s+to)\s+(?:still\s+|now\s+)?be\s+{_STEPS}\b(?!\s+(?:when|whenever|if|for|in|with)\b)"
    rf"|\b(?:I|we|one|you)\s+(?:(?:still|now)\s+)?(?:must|should|need\s+to|have\s+to|ought\s+to)\s+(?:(?:still|now)\s+)?{_STEPS}\s+(?:[^.!?]{{0,30}}\s)?(?:it|this|that|the\s+(?:answer|result|sign)|\S+,\s+(?:leaving|giving|making|hence|so|which)\b)(?=\W|$)"
    rf"|\b(?:I|we|one)\s+still\s+(?:must|should|need\s+to|have\s+to|ought\s+to)\s+{_STEPS}|\b(?:I|we|one)\s+must\s+still\s+{_STEPS}"
    r"|\b(?:pending|tentative(?:ly)?|provisional(?:ly)?|unverified|unconfirmed|to\s+be\s+(?:confirmed|checked|verified|revised))\b",
    re.IGNORECASE,
)
"""A step on the answer that is left to do."""
_FALLS_SHORT: Final = re.compile(
    rf"^\W*(?:but|however|yet|unfortunately|alas|although|though|except)\b[\s,]*(?:that\s+)?(?:(?:the\s+(?:question|problem|task|exercise)|they)\s+(?:\w+ly\s+)?(?:wants?|asks?|asked|says?|said|requires?)\b|(?:this|that|it|I|we|here\s+we|{_GIVEN})\s+(?:\w+ly\s+)?(?:have\s+|has\s+|had\s+)?"
    rf"(?:{_FAILS}|counts?\b|{_FALSE}))"
    r"|^\W*except\s+(?:that\s+)?(?:it|this|that|not)\b",
    re.IGNORECASE,
)
"""What is held against the answer: `but this ignores reflections`."""
_IN_ANOTHER_CASE: Final = re.compile(
    rf"^\W*(?:but|however|unless|otherwise|else)\b(?!.*\b(?:would|could|might|were|had)\b).*\b(?:it|the\s+answer)\s+(?:is|becomes|equals)\s+{_SIGN}",
    re.IGNORECASE,
)
"""A second answer under a condition: `However, if n is even it is 6`."""
_FOREIGN_TURN: Final = re.compile(
    r"^\W*(?:moment|halt|stopp?|entschuldigung|ups|hoppla|aber|doch|jedoch|allerdings|vorzeichenfehler|irrtum|attend(?:s|ez)|mais|cependant|toutefois|erreur|oups|désolée?|corrijo|corrigindo|(?:me|mi)\s+corr\w+|espera|espere|perdona|pero"
    r"|sin\s+embargo|porém|contudo|erro|errore|desculp\w*|però|tuttavia|aspetta|scusa\w*|но|однако|подожд\w+|стоп|извин\w+)\b"
    r"|^\W*(?:但|然而|等|抱歉|啊|哦|でも|しかし|待|あれ|하지만|그러나|잠깐|لكن|انتظر|عفو|परन्तु|लेकिन|रुक)",
    re.IGNORECASE,
)
_SAME_SENTENCE: Final = re.compile(
    r"^[^\n]{0,200}\b(?:(?:yet|but|however|whereas|while)\b[^\n]{0,120}\b(?:is|are|gives?|should|answer|not|wrong)\b|what\s+(?:most|many|some|one)\b|wrong\b|incorrect\b"
    r"|(?:which|that|this|it)\s+(?:is|was|does|can)(?:\s*not|n['’]t)\b)"
    r"|^\W*(?:is|was|does|can|would|might|could|should)(?:\s*not|n['’]t)?\s+(?:not\b|be\b|have\b)|^\s*[\])}$*]*\s*\?|^\W*(?:plus|minus|times|divided|squared|cubed|mod)\b",
    re.IGNORECASE,
)
"""The rest of the sentence that holds the answer, where it goes back on it."""
_TAIL: Final = re.compile(r"[^\n]*?(?:[.!?](?=\s|$)|\n|$)")
_LABELLED: Final = re.compile(r"\W*(?P<label>[A-Z])(?:\W*$|[).:\]])")
_SEARCHED: Final = 2_000


def retracted_after(after: str, given: str) -> bool:
    """Whether the text behind a box, a tag or an answer line takes the answer back."""
    after = after[:_SEARCHED]
    tail = _TAIL.match(after)
    beginning = tail[0] if tail is not None else ""
    if re.search(r"\w|[?→⇒>]", beginning) and (_SAME_SENTENCE.match(beginning) or taken_back(beginning)):
        return True
    response = segmented(after[len(beginning) :])
    return retracted(response, response.sentences, given)


def retracted(response: Response, later: Sequence[Sentence], given: str) -> bool:
    """Whether a later sentence takes back a marked answer."""
    if any(DISOWNED.search(each.text[:_SEARCHED]) for each in later):
        return True
    later = [each for each in later if not (supposes_another(each.text) or others_err(each.text))]
    beside = set(map(id, apart(later)[1]))
    roles = turned_aside(later)
    label = _LABELLED.match(given)
    said = label["label"] if label is not None else response.written(given)
    return any(
        _aside_takes_back(response, each.text[:_SEARCHED], said)
        if (role == "aside" or id(each) in beside) and not judges(each.text)
        else _takes_back(
            response,
            each.text[:_SEARCHED],
            said,
            first=place == 0,
            label=label is not None,
        )
        for place, (each, role) in enumerate(zip(later, roles, strict=True))
    )


def _aside_takes_back(response: Response, text: str, said: str) -> bool:
    """The same of a sentence beside the argument: what it judges are other people's mistakes."""
    return (
        _goes_back(text)
        or _LEFT.search(text) is not None
        or _another(response, _CORRECT_IS.search(text), said)
        or _judged_value(response, text, said)
    )


def _takes_back(response: Response, text: str, said: str, *, first: bool, label: bool) -> bool:
    """The same of a sentence of the argument, or of a check of one's own."""
    text = SHOULD_BE_AND_IS.sub(r"is \g<value>", text)
    if (
        _goes_back(text)
        or _FALLS_SHORT.match(text)
        or _LEFT.search(text)
        or FOREIGN.search(text)
        or TURNED_DOWN.search(text)
    ):
        return True
    if _FOREIGN_TURN.match(text):
        return True
    judged = _JUDGED.search(text)
    if judged is not None and (first or not _ONLY_FIRST.search(judged[0])):
        return True
    if label:
        return names_other_label(text) or _another(response, _OTHER_LABEL.search(text), said)
    return (
        _judged_value(response, text, said)
        or (not _SUPPOSED.search(text) and _another(response, _ANEW.search(text), said))
        or _another(response, _IN_ANOTHER_CASE.match(text), said)
    )


def _goes_back(text: str) -> bool:
    return _GOES_BACK.search(text) is not None or (_SELF.search(text) is not None and not _SUPPOSED.search(text))


def _judged_value(response: Response, text: str, said: str) -> bool:
    found = _VALUE_JUDGED.search(text)
    return found is not None and _agree(response.written(found["value"] or found["value2"]), said)


def _another(response: Response, found: re.Match[str] | None, given: str) -> bool:
    """Whether another value than the one that was given is said; its decimals, and its number alone, are the same."""
    if found is None:
        return False
    value = next(each for name, each in found.groupdict().items() if name.startswith("value") and each is not None)
    return not _agree(response.written(value), given)


def _agree(value: str, given: str) -> bool:
    other, said = plain_value(value), plain_value(given)
    if other == said or (said.startswith(other) and not re.match(r"[\d.,/^]", said[len(other) :])):
        return True
    one, two = size_of(value), size_of(given)
    return one is not None and two is not None and same(one, two)
