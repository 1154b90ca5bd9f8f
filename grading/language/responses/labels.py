"""Sentences that commit to one label of a multiple choice: by which phrase, and whether what surrounds it lets them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from grading.language.responses import tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.corrections import corrected_label, taken_back
from grading.language.responses.leads import uncommitted
from grading.language.responses.statements import FOREIGN_LETTERS
from grading.language.responses.turning import supposes_another

_FILLING = (
    r"(?:\s*(?:therefore|thus|then|clearly|definitely|certainly|surely|obviously|indeed|simply|most\s+likely|likely"
    r"|for\s+sure|option|choice|letter|answer|alternative|statement|with|number|the|la|a|opción|alternativa|lettre|letra|lettera"
    r"|buchstabe|opção|opzione|die|de|le"
    r"|[:：=\-–—→])){0,6}\s*[(\[（]?\s*"
)
_SURELY = (
    r"(?:\s+(?:therefore|thus|clearly|indeed|obviously|definitely|certainly|surely|also|then|hence|plainly"
    r"|in\s+fact)){0,3}"
)
_IS = (
    rf"(?:\s+(?:is|are|must\s+be|has\s+(?:got\s+)?to\s+be|have\s+to\s+be|would\s+(?:have\s+to\s+)?be|should\s+be){_SURELY}\b"
    r"|['’]s\b|\s*[:=：→]|\s+[-–—](?=\s)|\s*[-–—]>)"
)
_PRAISE = (
    r"(?:only|single|one|most|correct|right|true|best|better|proper|appropriate|accurate|likely|plausible|fitting|defensible"
    r"|reasonable|sensible|suitable|logical|convincing|compelling)"
)
_THING = r"(?:answers?|options?|choices?|ones?|statements?|alternatives?|responses?|fit)"
_NAMING = (
    r"(?:answers?|option|choice|alternative|solution|selection|pick|statement|letter|response|(?:best|final|educated)\s+guess|candidate|verdict|conclusion)"
    r"(?:\s+(?:choice|option|letter))?"
    r"(?:\s+(?:to|for|of|among|from|out\s+of|in)\s+(?!question\s+\d)[^,;:.()]{1,60}?)?"
    r"(?:\s+(?:here|then|therefore|thus|that\s+(?:must\s+be|has\s+to\s+be|is|remains|fits|works)(?:\s+(?:true|correct|right|left|best))?))?"
)
_CHOOSE = (
    r"(?:choos|pick|select|mark|tick|circl|submit|enter|favou?r|prefer|endors)(?:e|ing)?|cho(?:se|sen)|picked|selected|marked|ticked|circled|submitted|favou?red"
    r"|(?:go(?:ing)?|went)\s+(?:with|for)|opt(?:ed|ing)?\s+for|settl(?:e|ed|ing)\s+(?:on|for|upon)|vot(?:e|ing)\s+for|commit(?:ting)?\s+to|decid(?:e|ed|ing)\s+(?:on|for)"
    r"|land(?:ed|ing)?\s+on|lean(?:ing)?\s+(?:towards?|to)|answer(?:ing)?\s+(?:with)?|stick(?:ing)?\s+(?:with|to)|bet(?:ting)?\s+on|say"
)
"""Verbs of choosing; what stands before them says who chooses."""
_STAYS = (
    r"(?:holds?(?:\s+up)?|stands?|remains?|survives?|fits?|works?|qualifies|(?:is|are)\s+(?:left|possible|consistent|correct|right|true|valid"
    r"|plausible|accurate)|(?:has|gives|yields|shows)\s+the\s+(?:right|correct)\s+\w+|(?:follows?|applies|appl(?:y|ies)|makes?\s+sense|agrees?|accounts?|explains?)(?!\s+(?:only|if|when|unless|nothing|no|none|neither|little|few|hardly|poorly)\b)|(?:satisf(?:y|ies)|meets?|match(?:es)?|fulfils?|fulfills?|captures?|describes?)\s+\w+)"
)
_SECOND = re.compile(
    r"^[)\]\s]*(?:,|/|&|\+|;|，|、|或|和|または|か|와|또는|и|или|أو|\b(?:and/or|or|and|as\s+well\s+as|plus|und|oder|et|ou|y|o|e)\b)*"
    r"\s*(?:maybe\s+|perhaps\s+|possibly\s+|also\s+)?(?:option\s+|choice\s+)?[(\[]?(?P<label>[A-Za-z])(?![A-Za-z'’])"
)
_JOINED = re.compile(
    r"^[)\]\s]*(?:[,/&+]|，|、|或|和|または|か|와|또는|или|أو|\b(?:and|or|as|plus|und|oder|et|ou|y|o|e)\b)",
    re.IGNORECASE,
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
_OWN_WORDS = re.compile(
    r"^\s*[)\].:]*[\s*]*(?:Yes|No)\b(?:\s*[.!]?\s*$|\s*[,;:–—-]?\s*(?P<rest>(?:because|since|as|if|unless|but|so|under|even|only"
    r"|when|provided|although|though|due|where|given|regardless|in|the)\b(?:(?!\b[A-Z]\b[).]|\([A-Z]\)|[?\n]).)*)$)"
)
"""The words of a choice that begins with yes or no: `(B) No, because the offer had lapsed.`"""
_CONDITIONAL_WORDS = re.compile(
    r"^[)\]]?[.:]\s+(?:If|When|Unless)\s(?:(?!\b(?:I|we|you|answer|option|choice|key|correct|right|wrong|otherwise|but|[A-Z][).])\b)[^?,]){3,160},\s+(?:(?!\b(?:I|we|you|answer|option|choice|key|correct|right|wrong|otherwise|but)\b)[^?]){3,160}$"
)
"""The words of a choice that is a conditional: `C. If it does not rain, then the match is played.`"""
_OTHER_IS_NOT = re.compile(
    r"(?:(?<=\bright)|(?<=\bcorrect)|(?<=\bbest)|(?<=\btrue)),?\s+(?:and|while|whereas|but)\s+(?:(?i:option|choice|statement)\s+)?\(?[A-Z]\)?(?:,[^,]{1,60},)?\s+(?:is|does|are)(?:n['’]t|\s+not)(?:\s+(?:right|correct))?\s*[.!]?\s*$"
)
"""`B is right and D is not`: another label turned down behind the one that is right."""
_MAY_FOLLOW = re.compile(
    r"^[)\]\s]*(?:$|[.。!！,，:：;；、✓✔✅—–)（(-]|\b(?i:because|since|as|due|given|which|where|so|based|among|after\s+\w+ing|of|by|in|it|here|weil|da|denn"
    r"|car|parce|porque|ya|pois|perché|poiché|as)\b|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0600-\u06ff])"
)
_UNSETTLED = re.compile(
    r"\b(?:otherwise|else|unless|but|however|typo|should\s+(?:read|be|say)|correction|kidding|not\s+sure|unsure"
    r"|if\s+and\s+only|or\s+rather|depending)\b|\?|→",
    re.IGNORECASE,
)
_MODEST = re.compile(
    r"\b(?:I\s+am|I['’]m|we\s+are)\s+(?:(?:very|quite|fairly|pretty|absolutely)\s+)?(?:confident|sure|certain)(?:\s+that)?\b|"
    r"\b(?:I|we)(?:\s+(?:would|will|should|can|must|have\s+to|am\s+going\s+to|can\s+only)|['’](?:d|ll|m(?!\s+not)|re(?!\s+not))|\s+am(?!\s+not))\b"
    r"|\b[Ll]et['’]s\b"
)
"""Words of a lead that neither deny nor report what is chosen."""
_TURNED_DOWN = re.compile(
    r"(?:\b(?:[Ii]t|[Tt]his|[Tt]hat)\s+)?(?:(?:[Oo]ption|[Cc]hoice|[Ss]tatement|[Aa]nswer)s?\s+)?"
    r"\(?\b(?:[A-Z]|[IVX]{1,4}|\d)\b\)?(?:\s*(?:,|,?\s+and|,?\s+or)\s+\(?(?:[A-Z]|[IVX]{1,4}|\d)\b\)?)*\s+(?:(?:is|are|was|were)(?:n['’]t|\s+not)?|seems?|looks?|can|would)\s+"
    r"(?:clearly\s+|also\s+|plainly\s+|obviously\s+)?(?:wrong|incorrect|false|right|correct|plausible|tempting|be\s+\w+)"
    r"|\b[Nn](?:either|one\s+of)\s+\(?[A-Z]\b\)?(?:\s*(?:,|,?\s+nor|,?\s+and|,?\s+or)\s+\(?[A-Z]\b\)?)*"
)
"""Clauses of a lead that speak of other labels."""
_UNREAL = re.compile(r"\b(?:would|could|might|should)\s+have\s*$", re.IGNORECASE)
_OTHERS_SAY = re.compile(
    r"\b(?:critics?|opponents?|some|many|most|others?|people|they|he|she|students?|one)\s+(?:\w+\s+)?(?:say|claim|argue|think|believe|hold|suggest)s?\b",
    re.IGNORECASE,
)
_SINGLED_OUT = re.compile(
    r"\b(?P<one>the|my|our)\s+(?:(?:only|one|single|far|much|clearly)\s+)*(?:more|remaining|surviving|viable|consistent|sole|(?<=only\s)\w+(?:le|nt|ed|ing))(?:\s+(?:accurate|precise|plausible"
    r"|likely|defensible|convincing|appropriate|suitable|fitting|reasonable|sensible|compelling|natural|complete|viable))?(?=\W*$)",
    re.IGNORECASE,
)
"""`the more accurate`, `the only remaining`: before what is chosen, that it is the one."""
_CONTRAST = re.compile(r"\b(?:but|however|yet|still|nevertheless|nonetheless)\b\s*,?\s*$", re.IGNORECASE)
_CONCESSION = re.compile(r"^\W*(?:al?though|while|even\s+though|whereas|despite)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,;:—–]\s*|\s-\s|\b(?:but|so|hence|therefore|thus|yet|because|since|and)\b\s*,?\s*", re.IGNORECASE
)
_CONDITIONAL = re.compile(
    r"\b(?:if|unless|suppos\w*|assum\w*|imagine|pretend|whether|had|were|when|whenever|in\s+case|provided)\b|\?",
    re.IGNORECASE,
)
_ALL_BUT = re.compile(
    r"\b(?:\w*thing|all|none|any\w*|every\w*|each|no\s+\w+)\s+(?:\w+\s+){0,2}(?:but|except|save)\W*$", re.IGNORECASE
)
_NOT_BUT = re.compile(r"\bnot\s+(?:option\s+)?\(?[A-Z]\)?\s*[,;]?\s*but\s+(?:rather\s+)?(?=\(?[A-Z]\b)")
_OPTION = (
    r"(?:option|choice|answer|alternative|statement|letter|réponse|reponse|antwort|opción|opcion|respuesta|opção|resposta|opzione|risposta"
    r"|antwoord|ответ|вариант)"
)
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
"""Words for the places of the choices."""
_PLACED = re.compile(
    rf"^(?P<lead>.{{0,300}}?)\b(?i:the\s+(?P<place>{'|'.join(PLACES)}|last)\s+(?:of\s+the\s+(?:\w+\s+)?(?:statements|options|choices|answers|alternatives|claims)"
    r"|(?:statement|option|choice|answer|alternative|one))\s+(?:is|must\s+be)\s+(?:(?:therefore|thus|indeed|clearly)\s+)?(?:the\s+)?(?:only\s+)?(?:right|correct|true|best|appropriate)"
    r"(?:\s+(?:one|answer|choice|option|statement))?)\W*$"
)
"""`the third of the options is correct`"""
SPOKEN_AGAINST = re.compile(
    r"\b(?:error|slip|flaw|weakness|problem|unlike|compare\w*|contrary|(?:rule[sd]?|ruling|cross(?:ed|es)?|crossing)\s+out|reject\w*|eliminat\w*|discard\w*|exclud\w*|dismiss\w*|trap|distractor"
    r"|tempting|dissent\w*|opponents?|critics?|opposing|fewer|less|more|than|cf|see|lemma|theorem|equation|eq|figure|fig|table|step|part|case|section|line|point"
    r"|by|from|in|as\s+in|versus|vs|like|similar|confus\w*|mix\w*|mistak\w*|overlook\w*|forget\w*|ignor\w*|contradict\w*|violat\w*|avoid\w*|wrongly|falsely|nor|neither|no"
    r"|not|never|isn|aren|doesn|don|cannot|can|without|except|but|or|if|unless|would|could|might|may|perhaps|maybe|probably|possibly|suppose\w*|assum\w*|claims?|says?|said"
    r"|careless|readers?|popular|wrong|incorrect|false|remains?|look\w*|pick\w*|ch[oe]os\w*|select\w*|leaves|refut\w*|disprov\w*|common\w*|responses?|half|twice|class|people"
    r"|students?|most|favou?rites?|keys?|examin\w*|authors?|teacher|friend|classmates?|test\w*|try|tried|check\w*|consider\w*|next|second|third|pretend\w*|doubt\w*|den(?:y|ies|ied)"
    r"|need\w*|want\w*|ask\w*|guess\w*|estimat\w*|expect\w*|hop\w*|apart|aside|left|out|against|opposite|other\w*|instead|rather|only"
    r"|argu\w*|think\w*|believ\w*|some|many|others?|at\s+first|initially|however|although|though|while|whereas)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
"""Words of a sentence with which a label in brackets at its end may be none."""
_PLAINLY_BEGUN = re.compile(
    r"\W*(?:(?:so|thus|hence|therefore|consequently|accordingly|finally|altogether|overall|i\s+(?:therefore\s+)?conclude\s+that|in\s+(?:conclusion|total|all|short|summary)|for\s+(?:this|these)"
    r"\s+reasons?|all\s+in\s+all|donc|also|somit|daher|portanto|luego|entonces|quindi|dus)\b[\s,]*)*"
    r"(?:we\s+(?:\w+ly\s+)?(?:get|find|obtain|conclude|have|see|count)|it|there\s+(?:is|are)|this|that|the|its|their|our|each|every|both|all|counting|adding|hay|es\s+gibt"
    r"|le|la|les|el|los|las|il|gli|der|die|das|\d+|[A-Z][a-z]+\s+[a-z]+)\b",
    re.IGNORECASE,
)
"""How a plain statement of what was found begins."""
_REASON_BEHIND = re.compile(
    r"(?<=\))\s*,\s*(?:because|since|as|due\s+to|for\s+(?:instance|example)|given)\b[^?]*$", re.IGNORECASE
)
OTHER_CASE = re.compile(
    r"\W*(?i:(?:option|choice|answer|statement)\s+)?[(\[]?(?!I\s+w)[A-Z][)\]]?(?:\s*,[^,.;]{1,60},)?\s+(?:would|could|might)\s"
)
"""`(Option E, g sin θ, would be right for a rough surface.)` speaks of another case."""
_MOST_SENTENCES = 200
_MOST_MATCHES = 20
_LONGEST = 500
"""Characters of a sentence that are looked at before and after a phrase."""


@dataclass(frozen=True, slots=True)
class LabelCommitment:
    """What a sentence says: the `label` it commits to, or None with the `reason` why to none.

    `weak` where it only calls the label right, as others may be called.
    """

    label: str | None
    weak: bool = False
    reason: str = "one label"


@dataclass(frozen=True, slots=True)
class Phrases:
    """The patterns for a set of labels, each with a group `label`; which of them need no understood lead."""

    named: tuple[re.Pattern[str], ...]
    only: tuple[re.Pattern[str], ...]
    foreign: tuple[re.Pattern[str], ...]
    arrow: re.Pattern[str]
    left: re.Pattern[str]
    weak: re.Pattern[str]
    opening: tuple[re.Pattern[str], ...]
    lone: re.Pattern[str]
    ending: re.Pattern[str]
    bracketed: re.Pattern[str]
    placed: re.Pattern[str]


def _bracketed(one: str) -> re.Pattern[str]:
    """A label in brackets, or behind a mark and its name, at the end of a sentence."""
    return re.compile(
        rf"^(?P<lead>.{{6,300}}?)(?:\s*\((?i:{_OPTION}\s+)?{one}\)|\s*[,:;–—]\s*(?i:(?:i\.\s?e\.|that\s+is|so|hence|therefore|thus|namely)[,\s]+)?"
        rf"(?i:{_OPTION})\s+[(\[]?{one.replace('label', 'named')}[)\]]?)\W*$"
    )


def _foreign_forms(one: str, foreign: str) -> tuple[re.Pattern[str], ...]:
    """Phrases of other languages that commit to a label."""
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


def _said_right(one: str) -> tuple[re.Pattern[str], ...]:
    """Phrases by which a label says what was found: `which is what choice A states`."""
    return (
        re.compile(
            rf"(?i:\b(?:is|are)\s+(?:exactly\s+|precisely\s+|just\s+)?what\s+(?:{_OPTION}\s+)?[(\[]?){one}[)\]]?\s+"
            r"(?i:states|says|asserts|describes|claims|expresses|predicts|shows|gives)\b(?!\s+(?:wrongly|falsely))"
        ),
        re.compile(
            rf"^(?i:\W*(?:so\s+|thus\s+)?(?:that|this|it)(?:['’]s|\s+is)\s+(?:exactly|precisely)\s+(?:{_OPTION}\s+)?[(\[]?){one}"
        ),
        re.compile(
            rf"^\W*(?i:{_OPTION}\s+)[(\[]?{one}[)\]]?\s+(?i:(?:states|says|asserts|describes|expresses)\s+(?:exactly|precisely|just)\s+(?:this|that|so))\b"
        ),
    )


@lru_cache(maxsize=64)
def phrases(choices: tuple[str, ...]) -> Phrases:
    """The patterns by which one of these labels is committed to. Labels keep their case: the article "a" is none."""
    labels = "[" + "".join(re.escape(choice) for choice in choices) + "]"
    one = rf"(?P<label>{labels})(?![A-Za-z0-9'’_^])"
    alone = rf"(?<![A-Za-z0-9'’\\_^]){one}[)\]]?"
    foreign = say.FOREIGN.pattern.replace("?P<", "?P<_")
    return Phrases(
        named=(
            re.compile(rf"(?i:\b{_NAMING}{_IS}{_FILLING}){one}"),
            re.compile(rf"(?i:\b(?:{_CHOOSE}){_FILLING}){one}"),
        ),
        only=(
            re.compile(rf"(?i:\bonly\s+(?:option|choice|statement|answer)?\s*[(\[]?){one}[)\]]?\s+(?i:{_STAYS}\b)"),
            re.compile(
                rf"(?i:\bit(?:['’]s|\s+is)\s+(?:{_OPTION}\s+)?[(\[]?){one}[)\]]?"
                rf"\s+(?i:(?:that|which)\s+(?:(?:\w+ly|best)\s+)?{_STAYS}\b)"
            ),
        ),
        foreign=_foreign_forms(one, foreign),
        arrow=re.compile(
            rf"(?<![A-Z)\]])(?<![A-Z)\]]\s)(?:→|=>|⇒|->|\\(?:to|rightarrow|Rightarrow)\b)\s*[(\[]?{one}[)\]]?\s*[.!]?$"
        ),
        left=re.compile(
            rf"(?i:\b(?:leaves?|leaving|left\s+with|by\s+(?:the\s+)?(?:process\s+of\s+)?elimination)\b\s*(?:,\s*)?(?:(?:us|me|only|just|with"
            rf"|it\s+is|it\s+must\s+be|we\s+get|option|choice|answer|as\s+the\s+answer)\s+)*[(\[]?){one}"
        ),
        weak=re.compile(
            rf"{alone}(?:(?i:\s+(?:is|must\s+be|has\s+to\s+be|remains){_SURELY}\s+(?:(?:the|a)\s+)?"
            rf"(?:{_PRAISE}\s+){{0,4}}(?<!\ba\s)"
            rf"(?:correct|right|true|best|better|accurate|appropriate|{_THING})(?:\s+(?:answer|option|choice|one|statement))?"
            rf"(?:\s+(?:that|which)\s+(?:fits|works|is\s+(?:correct|right|true)|matches|remains))?\b(?!-))"
            r"|(?i:\s+(?:makes\s+(?:the\s+most|more)\s+sense|(?:fits|matches|works)\s+(?:best|better))\b)"
            r"|(?:\s*[:.–—-]|(?<=[)\]]))\s*(?i:(?:correct|right)\b|yes\b(?=\W*$)))"
        ),
        opening=(
            re.compile(
                r"(?:^\W*|[,;]\s*(?:but|and|yet)\s+(?=(?i:on\s+balance|in\s+the\s+end|overall|ultimately)\b)|[,;]\s*(?=(?i:it\s+(?:is|must\s+be))\b)|[,;\s]\s*(?=(?i:so|thus|hence|therefore)\b))(?i:(?:so|thus|hence|therefore|then|clearly|definitely|certainly|finally|consequently|final|correct|on\s+balance|in\s+the\s+end|overall|ultimately"
                r"|i\s+(?:think|believe|say|guess)|i(?:['’]m|\s+am)\s+(?:(?:very|quite|fairly|pretty|absolutely)\s+)?(?:confident|sure|certain)(?:\s+that)?|it\s+(?:is|must\s+be|has\s+to\s+be)|it['’]s|most\s+(?:likely|probably)"
                r"|(?:this|that|which)\s+(?:is|must\s+be|matches|corresponds\s+to|points\s+to|agrees\s+with|means)"
                r"|the|my|pick|choice|option|answer|letter)\b[\s,:→=>]*+){1,9}"
                rf"[(\[]?\s*{one}(?=[)\]]?\s*(?:$|[.!,;:]|[—–](?=\s)|because\b|since\b|as\b|rather\s+than|instead\s+of|not\s+\(?[A-Z]\b|and\s+not))"
            ),
            re.compile(
                rf"^(?i:\W*(?:final\s+)?(?:result|answer|conclusion)\s*[:：]\s*)?(?i:so|well|then|ok|right)?[\s,]*[(\[]?{one}[)\]]?\s+it\s+is\W*$"
            ),
            re.compile(
                rf"[\d.\w°²³/)}}%]\s*,\s*which\s+(?:is|matches|corresponds\s+to|agrees\s+with)\s+(?i:option|choice|answer)\s*[(\[]?{one}"
            ),
            re.compile(rf"^\W*(?:→|=>|⇒|✅|✓|✔)\s*[(\[]?{one}"),
            *_said_right(one),
        ),
        lone=re.compile(rf"^[(\[]?{one}[)\]]?[.!]?$"),
        bracketed=_bracketed(one),
        placed=_PLACED,
        ending=re.compile(rf"^(?P<lead>.{{3,300}})[,;]\s*(?:so\s+)?[(\[]?{one}[)\]]?[.!]?$"),
    )


def sentences(text: str) -> list[str]:
    """The sentences of a text whose lines begin with labels now and then (`B. Mitochondria`), the last ones of many."""
    found: list[str] = []
    for line in text.split("\n"):
        head = re.match(r"\W*(?:(?i:option|choice)\s+)?[(\[]?[A-Za-z][)\].:]{1,2}\s+", line)
        start = head.end() if head else 0
        parts = re.split(r"(?<=[.!?])[)\]]*\s+(?=\S)|(?<=[。！？؟])", line[start:])
        found += [line[:start] + parts[0], *parts[1:]]
    return [each.strip() for each in found if each.strip()][-_MOST_SENTENCES:]


def commitment_in(sentence: str, known: Phrases) -> LabelCommitment | None:
    """What a sentence commits to, None where it commits to nothing."""
    sentence = _OTHER_IS_NOT.sub(".", _NOT_BUT.sub("", sentence[-_LONGEST * 4 :]))
    if "?" in sentence and re.search(r"\?\W*$", sentence):
        return None
    if OTHER_CASE.match(sentence) or supposes_another(sentence):
        return None
    alone = known.lone.match(sentence)
    if alone is not None:
        return LabelCommitment(alone["label"], weak=True)
    end = known.ending.match(sentence)
    if end is not None and not re.search(r"\w", _TURNED_DOWN.sub("", end["lead"])):
        return LabelCommitment(end["label"], weak=True)
    results = [found for found in (_one(sentence, *each) for each in _matches(sentence, known)) if found]
    chosen = [each for each in results if each.label]
    firm = [each for each in chosen if not each.weak]
    if any(each.label is None for each in results) and not firm:
        return next(each for each in results if each.label is None)
    last = (firm or chosen)[-1] if chosen else None
    if last is None or (last.weak and len({each.label for each in chosen}) > 1):
        return LabelCommitment(None, reason="commits to several labels") if last else None
    return last


def at_the_end(sentence: str, known: Phrases) -> str | None:
    """The label behind a plain statement: `The pressure falls (option C).`; None where its words may be against it."""
    reason = _REASON_BEHIND.search(sentence)
    settles = reason is not None and not _UNSETTLED.search(reason[0]) and not taken_back(reason[0])
    found = known.bracketed.match(sentence[: reason.start()] if reason is not None and settles else sentence)
    if found is None:
        return None
    granted, drawn, lead = found["lead"].rpartition(", so ")
    lead = found["lead"] if not drawn or say.REPORTED.search(granted) or say.DOUBTED.search(granted) else lead
    if SPOKEN_AGAINST.search(lead) or not _PLAINLY_BEGUN.match(lead):
        return None
    label = found["label"] or found["named"]
    others = re.findall(r"(?<![A-Za-z0-9'’\\_^])[B-HJ-Z](?![A-Za-z0-9'’_^])", found["lead"])
    return label if not set(others) - {label} else None


def by_place(sentence: str, known: Phrases, choices: tuple[str, ...]) -> str | None:
    """The label of `the third option is correct`; None of other sentences."""
    found = known.placed.match(sentence)
    if found is None or not _leads(found["lead"], "named") or re.search(r"\b(?:neither|nor|or)\b|\?", sentence):
        return None
    word = found["place"].lower()
    place = len(choices) - 1 if word == "last" else PLACES.index(word)
    return choices[place] if place < len(choices) else None


def _matches(sentence: str, known: Phrases) -> Iterator[tuple[re.Match[str], str]]:
    groups = (
        ("named", known.named),
        ("only", known.only),
        ("foreign", known.foreign),
        ("left", (known.left, known.arrow)),
        ("weak", (known.weak,)),
        ("opening", known.opening),
    )
    found = [(match, kind) for kind, patterns in groups for each in patterns for match in each.finditer(sentence)]
    yield from sorted(found, key=lambda each: each[0].start("label"))[-_MOST_MATCHES:]


def _one(sentence: str, match: re.Match[str], kind: str) -> LabelCommitment | None:
    """What one phrase of a sentence commits to."""
    if not _leads(sentence[: match.start()][-_LONGEST:], kind):
        return None
    after = sentence[match.end() :][:_LONGEST]
    if kind != "weak" or not match[0].rstrip(")]").endswith(match["label"]):
        problem = _follows(after, match["label"], praised=kind in ("weak", "only"))
        if (
            kind == "foreign"
            and not _ANOTHER.match(after)
            and tongues.NO.search(re.split(r"[,，、;；]", after[:30])[0])
        ):
            problem = "does not commit to its label"
        if problem is not None:
            return LabelCommitment(None, reason=problem)
    return LabelCommitment(match["label"], weak=kind == "weak")


def _leads(lead: str, kind: str) -> bool:
    """Whether what stands before a phrase in its sentence lets it commit."""
    if _ALL_BUT.search(lead) or _UNREAL.search(lead) or (kind == "opening" and _OTHERS_SAY.search(lead)):
        return False
    lead = _MODEST.sub("", lead)
    if kind == "left":
        return not (
            _CONDITIONAL.search(lead) or re.search(r"\b(?:not|never|claims?|says?|would|could|might)\b|n['’]t", lead)
        )
    if kind == "foreign":
        return uncommitted(lead, "", "any") is None
    lead = f"{lead}, " if kind == "opening" and lead.strip() else lead
    ends = list(_CLAUSE.finditer(lead))
    clause, earlier = (lead[ends[-1].end() :], lead[: ends[-1].end()]) if ends else (lead, "")
    clause = re.sub(r"\b(?:option|choice|statement|answer)\s*[(\[]?\s*$|[(\[]\s*$", "", clause, flags=re.IGNORECASE)
    if re.search(r"\b(?:because|since)\b\s*,?\s*$", earlier, re.IGNORECASE):
        return False
    if re.search(r"\band\b\s*,?\s*$", earlier, re.IGNORECASE):
        earlier = re.sub(r"\band\b\s*,?\s*$", "", earlier, flags=re.IGNORECASE)
    if not say.LEAD.match(_SINGLED_OUT.sub(r"\g<one>", clause)):
        doubtful = say.DENIED.search(clause) or say.SUPPOSED.search(clause)
        if doubtful or not say.ADVERBIAL.match(clause):
            return False
    if _CONCESSION.match(earlier) or _CONTRAST.search(earlier):
        return not re.search(r"\b(?:if|unless|suppos\w*|assum\w*)\b", earlier, re.IGNORECASE)
    return not say.REPORTED.search(_TURNED_DOWN.sub("", say.SOURCE.sub("", earlier)))


def _follows(after: str, label: str, *, praised: bool) -> str | None:
    """Why what follows a label unsettles it, or None."""
    if (own := _OWN_WORDS.match(after)) is not None and not taken_back(own["rest"] or ""):
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
        if not praised and not _MAY_FOLLOW.match(after):
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


def settled(rest: str, label: str) -> bool:
    """Whether what follows a label that begins a line leaves it chosen: a reason, the words of the choice, another
    one turned down."""
    if _BESIDE.match(rest) or _SHARED.match(rest):
        return False
    if (own := _OWN_WORDS.match(rest)) is not None and not taken_back(own["rest"] or ""):
        return True
    if another := _ANOTHER.match(rest):
        return not another[0].rstrip(")] ").endswith(label)
    if _NOT_OTHER.match(rest):
        return True
    if taken_back(rest) or corrected_label(rest) or "?" in rest or _follows(rest, label, praised=False) is not None:
        return False
    if FOREIGN_LETTERS.match(rest):
        return False
    if re.match(r"[)\]]?\s+[a-z]+s\s+(?:the|this|that|an?|its|both|on|upon)\b", rest):
        return False
    if rest[:1] == " " and not re.match(r"\s*(?:because|since|as|due|[-–—(:])", rest):
        return False
    word = re.match(r"[)\]\s]*[.,:;)—–-]*\s*(?P<word>[a-z]+)?", rest)
    return not (word and word["word"] and say.DENIED.match(word["word"]))
