"""Labels of multiple choice in phrases of other languages, and behind the label that begins a line."""

import re
from functools import lru_cache

from grading.language.responses import tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.corrections import corrected_label, taken_back
from grading.language.responses.labelwords import OWN_WORDS
from grading.language.responses.leads import uncommitted
from grading.language.responses.scripts import FOREIGN_LETTERS

_FILLING = (
    r"(?:\s*(?:therefore|thus|then|clearly|definitely|certainly|surely|obviously|indeed|simply|most\s+likely|likely"
    r"|for\s+sure|option|choice|letter|answer|alternative|statement|with|number|the|la|a|opción|alternativa|lettre|letra|lettera"
    r"|buchstabe|opção|opzione|die|de|le"
    r"|[:：=\-–—→])){0,6}\s*[(\[（]?\s*"
)
_SECOND = re.compile(
    r"^[)\]\s]*(?:,|/|&|\+|;|，|、|或|和|または|か|와|또는|и|или|أو|\b(?:and/or|or|and|as\s+well\s+as|plus|und|oder|et|ou|y|o|e)\b)*"
    r"\s*(?:maybe\s+|perhaps\s+|possibly\s+|also\s+)?(?:option\s+|choice\s+)?[(\[]?(?P<label>[A-Za-z])(?![A-Za-z'’])"
)
_JOINED = re.compile(
    r"^[)\]\s]*(?:[,/&+]|，|、|或|和|または|か|와|또는|или|أو|\b(?:and|or|as|plus|und|oder|et|ou|y|o|e)\b)"
)
_ANOTHER = re.compile(
    r"^[)\]\s]*[,;]?\s*(?:and\s+|but\s+)?(?:certainly\s+|definitely\s+|clearly\s+)?"
    r"(?:not|rather\s+than|instead\s+of|over|as\s+opposed\s+to|unlike|non|nicht|pas|no|não)"
    r"\s+(?:option\s+|choice\s+|by\s+)?[(\[]?[A-Za-z](?![A-Za-z'’])",
)
"""What follows a label when another one is turned down beside it."""
_BESIDE = re.compile(r"[)\]\s]*(?:[(\[]\s*[A-Z]\s*[)\]]|[A-Z]\b\W*$)")
"""Another label right behind a label."""
_SHARED = re.compile(r"[)\]]?\s*\(?\s*(?:about\s+)?\d[\d.]*\s?%?\s*\)?\s*[,;/]\s*[(\[]?[A-Z]\b")
"""A share of the answer, and another label: `B (60 %), C (40 %)`."""
_NOT_OTHER = re.compile(r"[)\]]?[。，,]?\s*(?:而)?不是\s*[A-Z]")
_UNFIT = re.compile(
    r"^[)\]\s]*[.,;:—–-]*\s*\(?\s*(?:(?:inconsistent|incompatible|contradict\w*|unsupported|violating|that\s+(?:fails|contradicts|violates)|after\s+\(?[A-Z]\b"
    r"|if|unless|when|whenever|provided|assuming|only|or|nor|no|nope|maybe|perhaps|possibly|probably"
    r"|actually|sorry|wait|i\s+mean|false|wrong|incorrect|not|never|is|was|isn['’]?t|are|typo|correction|said|says"
    r"|according|depending|for\s+(?:even|odd|case)|in\s+(?:case|one|the\s+(?:first|second|other))|with\s+probability"
    r"|fails?|and|but|yet|out|eliminated|excluded|rejected|to|plus|minus|half)\b|\?|→|->|=>|\(\s*\?)",
    re.IGNORECASE,
)
"""What may not follow a label that was chosen."""
_CONDITIONAL_WORDS = re.compile(
    r"^[)\]]?[.:]\s+(?:If|When|Unless)\s(?:(?!\b(?:I|we|you|answer|option|choice|key|correct|right|wrong|otherwise|but|[A-Z][).])\b)[^?,]){3,160},\s+(?:(?!\b(?:I|we|you|answer|option|choice|key|correct|right|wrong|otherwise|but)\b)[^?]){3,160}$"
)
"""The words of a choice that is a conditional: `C. If it does not rain, then the match is played.`"""
_MAY_FOLLOW = re.compile(
    r"^[)\]\s]*(?:$|[.。!！,，:：;；、✓✔✅—–)（(-]|\b(?i:because|since|as|due|given|which|where|so|based|among|after\s+\w+ing|of|by|in|it|here|weil|da|denn"
    r"|car|parce|porque|ya|pois|perché|poiché|as)\b|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0600-\u06ff])"
)
_UNSETTLED = re.compile(
    r"\b(?:otherwise|else|unless|but|however|typo|should\s+(?:read|be|say)|correction|kidding|not\s+sure|unsure"
    r"|if\s+and\s+only|or\s+rather|depending|(?:by|in)\s+contrast|with\s+the\s+wrong)\b|\?|→",
    re.IGNORECASE,
)
OTHER_CASE = re.compile(
    r"\W*(?i:(?:option|choice|answer|statement)\s+)?[(\[]?(?!I\s+w)[A-Z][)\]]?(?:\s*,[^,.;]{1,60},)?\s+(?:would|could|might)\s"
)
"""`(Option E, g sin θ, would be right for a rough surface.)` speaks of another case."""
_MOST_SENTENCES = 200
_MOST_MATCHES = 20
_LONGEST = 500
"""Characters of a sentence that are looked at before and after a phrase."""


@lru_cache(maxsize=64)
def _forms(choices: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """Phrases of other languages that commit to a label."""
    labels = "[" + "".join(re.escape(choice) for choice in choices) + "]"
    one = rf"(?P<label>{labels})(?![A-Za-z0-9'’_^])"
    foreign = say.FOREIGN.pattern.replace("?P<", "?P<_")
    return (
        re.compile(rf"(?i:{foreign})(?:(?i:{_FILLING})){one}".replace("(?i:(?P", "(?i:(?P")),
        re.compile(
            r"(?i:\b(?:opción|alternativa|opção|opzione|option|respuesta|resposta|risposta)\s+(?:correcta|correta"
            rf"|corretta|correcte)\s+(?:es|é|è|est)\s+(?:la\s+|a\s+|l['’])?[(\[]?){one}"
        ),
        re.compile(rf"(?:故|应|應|应该|所以|因此|，|。|^)\s*(?:选择|选|選)\s*[:：]?\s*[(（]?{one}"),
        re.compile(
            rf"(?i:\brichtig\s+ist\s+(?:(?:also|somit|daher|demnach|folglich)\s+)?(?:(?:die\s+)?(?:antwort|option)\s+)?[(]?){one}"
        ),
        re.compile(
            rf"(?i:^\W*(?:damit|somit|also|daher|folglich|demnach)\s+ist\s+(?:(?:die\s+)?(?:antwort|option)\s+)?[(]?){one}"
            r"[)]?\s+(?i:richtig|korrekt|die\s+richtige(?:\s+antwort)?)(?=\W*$)"
        ),
        re.compile(
            rf"^\W*(?i:réponse|respuesta|resposta|risposta|antwort|opción|opzione|opção)\s*:?\s*[(]?{one}(?=[)]?\W*$)"
        ),
    )


def sentences(text: str) -> list[str]:
    """The sentences of a text whose lines begin with labels now and then (`B. Mitochondria`), the last ones of many."""
    found: list[str] = []
    for line in text.split("\n"):
        head = re.match(r"\W*(?:(?i:option|choice)\s+)?[(\[]?[A-Za-z][)\].:]{1,2}\s+", line)
        start = head.end() if head else 0
        parts = re.split(r"(?<=[.!?])(?<!\b[Vv]\.)(?<!\b[Vv]s\.)[)\]]*\s+(?=\S)|(?<=[。！？؟])", line[start:])
        found += [line[:start] + parts[0], *parts[1:]]
    return [each.strip() for each in found if each.strip()][-_MOST_SENTENCES:]


def chosen_abroad(sentence: str, choices: tuple[str, ...]) -> tuple[str | None, str] | None:
    """The label that a phrase of another language commits to, or None and why; None where there is no such phrase."""
    sentence = sentence[-_LONGEST * 4 :]
    if re.search(r"\?\W*$", sentence):
        return None
    found = sorted(
        (match for form in _forms(choices) for match in form.finditer(sentence)), key=lambda each: each.end()
    )
    result: tuple[str | None, str] | None = None
    for match in found[-_MOST_MATCHES:]:
        if uncommitted(sentence[: match.start()][-_LONGEST:], "", "any") is not None:
            continue
        after = sentence[match.end() :][:_LONGEST]
        problem = _follows(after, match["label"])
        if not _ANOTHER.match(after) and tongues.NO.search(re.split(r"[,，、;；]", after[:30])[0]):
            problem = "does not commit to its label"
        if problem is None:
            result = match["label"], "one label"
        elif result is None or result[0] is None:
            result = result or (None, problem)
    return result


def _follows(after: str, label: str) -> str | None:
    """Why what follows a label unsettles it, or None."""
    if (own := OWN_WORDS.match(after)) is not None and not taken_back(own["rest"] or ""):
        return None
    if _CONDITIONAL_WORDS.match(after) and not taken_back(after):
        return None
    if _ANOTHER.match(after):
        rest = after
    else:
        second = _SECOND.match(after)
        if second is not None and second["label"] != label and _is_label(after, second):
            return "commits to several labels"
        if _UNFIT.match(after):
            return "does not commit to its label"
        if not _MAY_FOLLOW.match(after):
            return "does not commit to its label"
        rest = after
    if _UNSETTLED.search(re.sub(r"\bbut\s+not\b", "", rest)):
        return "does not commit to its label"
    return None


def _is_label(after: str, second: re.Match[str]) -> bool:
    """Whether a lone letter behind a label is a second one (`B or C`), not a word ("B, a fallacy")."""
    if second["label"].islower():
        return False
    joined = _JOINED.match(after) is not None
    rest = after[second.end() :]
    word = second["label"] in "AI" and re.match(r"\s+[a-z]{2,}", rest)
    told = re.match(
        r"[)\]]?(?:\s*(?:,|and|or)\s*\(?[A-Z]\b\)?)*\s+(?:is|was|fails|lacks|would|could|can|do|does|being)\b",
        rest,
    )
    return bool(joined and not word and not told)


_NEW_SENTENCE = re.compile(r"[)\]]?\.\s+(?:The|This|That|It|They|There|We|You|In|At|If|When|Since|Because)\s[a-z]")
"""A sentence of its own behind a label and a full stop."""


def settled(rest: str, label: str) -> bool:
    """Whether what follows a label that begins a line leaves it chosen: a reason, the words of the choice, another
    one turned down."""
    if _BESIDE.match(rest) or _SHARED.match(rest):
        return False
    if (own := OWN_WORDS.match(rest)) is not None and not taken_back(own["rest"] or ""):
        return True
    if another := _ANOTHER.match(rest):
        return not another[0].rstrip(")] ").endswith(label)
    if _NOT_OTHER.match(rest):
        return True
    if taken_back(rest) or corrected_label(rest) or "?" in rest:
        return False
    if _NEW_SENTENCE.match(rest) and not _UNSETTLED.search(re.sub(r"\b(?:but|however)\b", "", rest)):
        return True
    if _follows(rest, label) is not None:
        return False
    if FOREIGN_LETTERS.match(rest):
        return False
    if re.match(r"[)\]]?\s+[a-z]+s\s+(?:the|this|that|an?|its|both|on|upon)\b", rest):
        return False
    if rest[:1] == " " and not re.match(r"\s*(?:because|since|as|due|[-–—(:])", rest):
        return False
    word = re.match(r"[)\]\s]*[.,:;)—–-]*\s*(?P<word>[a-z]+)?", rest)
    return not (word and word["word"] and say.DENIED.match(word["word"]))
