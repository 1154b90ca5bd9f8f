"""Sentences behind an answer that turn aside from it: remarks, comparisons, other cases, invitations to check.

A sentence turns aside by how it begins, and the rest of its paragraph follows it, up to a sentence that concludes. What
such a sentence says is about something else, so its values and its judgements are none of the answer's. A sentence that
only speaks of what is not so, or says nothing of the answer's value, takes with it those that go on about the same.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from grading.language.responses.segments import MARK, Sentence

_ADVERB: Final = (
    r"(?:(?:also|again|finally|and|but|as\s+a\s+(?:final|side|last)\s+(?:remark"
    r"|note|comment)|incidentally|in\s+passing),?\s+)*"
)
_METHOD: Final = (
    r"(?:approach|method|route|way|derivation|proof|argument|calculation"
    r"|computation|reasoning|procedure|technique|strategy|trick|idea|formula|check|test)s?"
)
_OTHER: Final = (
    r"(?:analogous|similar|same|alternative|alternate|different|second|quicker|faster|slicker|shorter|longer|more\s+\w+|less\s+\w+|purely\s+\w+|related|equivalent"
    r"|further|independent|other|another|corresponding|reverse|dual|parallel)"
)
_ERROR: Final = r"(?:mistake|error|slip|pitfall|trap|misconception|confusion|blunder)s?\b"
_DOING: Final = r"[a-z]+ing\b[^.!?]{3,80}\b"
"""What is done, as the subject of a judgement: `Forgetting the factor`."""
_PEOPLE: Final = (
    r"(?:students?|people|learners?|beginners?|textbooks?|authors?"
    r"|books?|candidates|readers?|test[-\s]takers|sources|solvers)"
)
_SET_BESIDE: Final = (
    r"(?:anyone|anybody|someone|somebody|whoever|(?:a|any)\s+(?:person|student|reader|solver)|those)\s+(?:who\s+)?(?:forgets?|forgetting|miss(?:es|ing)|ignor\w+|overlook\w*|confus\w+|mistak\w+|neglect\w*|omit\w*|mix\w*|[^.;:?]{2,60}?\swould)\b"
    rf"|(?:an?|the)\s+(?:lazy|hasty|sloppy|careless|naive|tempting|wrong)\s+(?:{_METHOD}|guess|answer|shortcut|reading)\b"
    # Another thing is set beside it.
    r"|[^.;:?]{3,60}?,?\s(?:on\s+the\s+other\s+hand|by\s+contrast|in\s+contrast)\b(?!.*\b(?:works?|satisf\w+|solves?|fits?|survives?|holds?|so|hence|thus|therefore|answers?|is\s+(?:the|an?|what))\b)"
    r"|before\s+(?:the|any|that|this)\s[^,.;:]{2,40}\s(?:it|this|that|the\s+figure)\s+(?:was|would)\b"
    r"|(?-i:[A-Z])\w+(?:['’]s\s+\w+)?\s+(?:also\s+|nicely\s+)?confirms?\s+(?:it|this|that)\b|contrast\s+(?:this|it|that)\b|(?:its|the|a)\s+(?:mirror[-\s]image|sibling|counterpart|analogue|cousin)\b|(?:on|for|in|with)\s[^.;:?]{2,60}?\s(?:this|it|the\s+(?:formula|result))\s+generali[sz]es\b"
)
"""Others who err, and what is set beside the answer: this states another value than the answer's."""
_OPENS: Final = re.compile(
    rf"^\W*{_ADVERB}(?:"
    # The reader is told to look.
    r"(?:do\s+)?(?:please\s+)?(?:note|notice)(?:\s+(?:that|how|also|too|the|here|in\s+passing|once|why|again|as\s+well)\b|\s*,)|mind\s+(?:you|that)\b|(?:bear|keep)\s+in\s+mind|be\s+(?:careful|aware|warned)|beware|do\s+not\s+confuse|don['’]t\s+confuse"
    r"|(?:side\s+|final\s+)?(?:remarks?|notes?|asides?|comments?|caveats?|caution|limitations?|footnotes?|background|context|trivia|disclaimer|nota\s+bene|n\.?b\.?)\s*[:.–—]\s*(?=\S)|by\s+the\s+way|fun\s+fact"
    # It is worth a look.
    r"|it(?:['’]s|\s+is|\s+may\s+be|\s+might\s+be|\s+can\s+be|\s+should\s+be)\s+(?:also\s+|perhaps\s+|often\s+|well\s+|very\s+|quite\s+)*(?:worth|worthwhile|interesting|instructive|useful|helpful|amusing|illuminating|reassuring|noteworthy|remarkable|common|tempting|natural"
    r"|easy|good\s+(?:practice|style)|customary|informative|curious|no\s+(?:coincidence|accident))\b(?!\s*:)"
    r"|(?:interestingly|curiously|amusingly|incidentally|remarkably|historically|physically|geometrically|graphically|intuitively|informally|in\s+(?:practice|passing|the\s+literature))\b"
    # The case is widened, or the matter seen from elsewhere.
    r"|(?:[a-z-]+\s+){0,3}(?:cross-?)?checks?\s*[:–—]\s*(?=\S)|(?:more\s+generally|in\s+general(?!,\s+(?:then|therefore|thus|hence)\b)|generally|equivalently|similarly|likewise|of\s+course|conversely|by\s+contrast|in\s+contrast|to\s+be\s+sure|admittedly|unsurprisingly|as\s+expected)\s*,|the\s+general\s+(?:formula|case|result|rule|pattern|term)\b"
    r"|of\s+course\b|(?:a|an)\s+(?:(?:quick|short|simple|crude|numerical|direct|brute[-\s]force|computer|monte[-\s]carlo|small|further)\s+)*(?:simulation|experiment|computation|search|enumeration|plot|sketch|graph|test)\b"
    r"|(?:[A-Z]\w+['’]s\s+(?:theorem|law|rule|formula|principle)\s+(?:also\s+)?(?:tells|shows|says)\b)"
    # Something is compared.
    r"|(?:for|by|in|as\s+a)\s+(?:comparison|contrast|reference|perspective|the\s+record|curiosity|context|illustration|a\s+sense\s+of\s+scale|scale)\b|compar(?:e|ed|ing)\b|to\s+(?:put|see)\s+(?:this|that|it)\s+in\s+(?:perspective|context)|to\s+get\s+a\s+(?:feel\w*|sense)"
    # Another way, another quantity, another case.
    rf"|(?:an?|the|one|some)\s+{_OTHER}\s+(?:[a-z-]+\s+)?{_METHOD}\b(?!\s+(?:is|are)\s+(?:therefore|thus|hence))"
    rf"|(?:an?|one)\s+(?:{_METHOD})\s+(?:with|by|using|via|that\s+(?:avoids|uses))\b|(?:another|yet\s+another|one\s+more)\s"
    r"|(?:if|had|were|should|suppose|assuming|unless)\s(?!and\s+only)(?=.*\b(?:would|could|might|were|had|will)\b)"
    r"|(?:in|for|with|at|under|on|without|using)\s+(?:an?\s+|the\s+|any\s+|all\s+|most\s+|many\s+)?(?:other|different|larger|smaller|higher|lower|general|basic|acidic|alkaline|realistic|real|actual|opposite|reverse|non-?\w+|more|[A-Za-z\ue000-\ue2ff]-?th|\w+er)\b(?=.*\b(?:would|could|might|instead|no\s+longer|differ\w*|else)\b)"
    r"|(?:the\s+)?(?:other|remaining|rejected|discarded|wrong|incorrect)\s+(?:options?|choices?|answers?|alternatives?|statements?|distractors?|roots?|candidates?|cases?)\b"
    r"|as\s+(?:for|to)\s+(?:the\s+)?(?:others?|rest|remaining)\b|of\s+(?:this|that|these|those|it|them|which)\s*,"
    # Others err.
    rf"|(?:an?|the|one|another|some)\s+(?:(?:very|most|rather|quite)\s+)?(?:common|frequent|typical|usual|popular|classic|tempting|standard|likely|easy|possible|natural|subtle)\s+(?:(?:student|beginner['’]?s?)\s+)?(?:mistake|error|slip|pitfall|trap|misconception|misreading|confusion|fallacy|objection|source\s+of\s+error|wrong\s+\w+|distractor|temptation)s?\b"
    rf"|(?:some|many|most|several|other|inattentive|careless|hasty)\s+{_PEOPLE}\b|one\s+(?:often|sometimes|might\s+(?:be\s+tempted|think|object|worry|wonder|expect))\b|you\s+(?:might|may)\s+(?:be\s+tempted|think|wonder|object|expect)\b"
    rf"|{_DOING}(?:is|are|would\s+be)\s+(?:an?|the|one|another)\s+(?:\w+\s+){{0,3}}{_ERROR}"
    rf"|{_SET_BESIDE}"
    # The reader may check.
    r"|(?:you|one|the\s+reader|readers|a\s+reader|anyone)\s+(?:can|may|could|might|should|will|is\s+(?:invited|encouraged))\b|(?:feel\s+free|let\s+me\s+know|i\s+hope)\b"
    # The answer is spoken of.
    r"|(?:none|all|both|each|neither|either|two|three|some|most)\s+of\s+(?:them|these|those)\b|(?:both|all|the\s+two|these\s+two|all\s+three|the)\s+(?:rows?|methods?|approaches|results?|values?|sides|numbers?|checks?|figures?|ways)\s+(?:match|agree|coincide|are\s+consistent|confirm)\w*"
    r"|(?:this|that|the)\s+(?:result|answer|value|number|figure|outcome|conclusion|choice)?\s*(?:(?:also|nicely|indeed|therefore|again)\s+)?(?:agrees?|matches|coincides|fits|confirms|(?:is|seems|looks)\s+(?:(?:in\s+(?:agreement|line|accord|keeping)|consistent|compatible)\s+with|plausible|reasonable|sensible|physically|intuitive\w*|as\s+expected|typical|familiar|well[-\s]known|a\s+(?:special\s+case|well-known|classic\w*|famous|standard|typical|familiar|manifestation|consequence))|makes\s+(?:good\s+|perfect\s+|physical\s+|intuitive\s+)?sense)"
    r"|(?:a|the|my|any)\s+(?:pocket\s+|graphing\s+)?(?:calculator|computer|spreadsheet)\s+(?:also\s+)?(?:gives|confirms|shows|returns|agrees|says)\b|(?:an?\s+)?(?:quick|sanity)\s+check\b"
    # Remarks are announced.
    r"|(?:some|a\s+few|two|three|several|one|a|an)\s+(?:(?:final|further|brief|general|additional|short|quick|closing|last|other|side)\s+)*(?:comments?|remarks?|observations?|notes?|words?|caveats?|side\s+notes?|asides?)\b"
    r"|as\s+an?\s+(?:aside|(?:side|final|closing|last)[\s-](?:note|remark|comment)|bonus|footnote|curiosity|sanity\s+check|(?:quick|further|final|additional|second|independent)\s+(?:check|test|verification))\b"
    r")",
    re.IGNORECASE,
)
"""How a sentence begins that turns aside."""
_BRACKETED: Final = re.compile(
    r"\((?!so\b|hence\b|thus\b|therefore\b)[A-Za-z](?:[^()]|\([^()]*\))*\)[.!]?", re.IGNORECASE
)
"""A sentence that stands in brackets as a whole."""
_BESIDE_IT: Final = re.compile(rf"^\W*(?:{_SET_BESIDE})", re.IGNORECASE)
_PROPORTIONAL: Final = re.compile(
    r"\b(?:falls?(?:\s+off)?|drops?(?:\s+off)?|decays?|decreases?|grows?|increases?|rises?|scales?|var(?:y|ies)|goes|go"
    r"|behaves?|diminish(?:es)?)\s+(?:\w+ly\s+)?(?:as|like|with)\s",
    re.IGNORECASE,
)
"""How the answer depends on a letter: `the field falls off as 1/r`."""
_OWN_CHECK: Final = re.compile(r"^\W*(?:as\s+an?\s+)?(?:\w+[\s-]+){0,2}?(?:check|verif|test|confirm)", re.IGNORECASE)
"""A check of one's own, whose judgement is about the answer."""
_OF_THE_ANSWER: Final = re.compile(
    r"^\W*(?:(?:also|but|and|please|do)\s+)*(?:note|notice|mind\s+(?:you|that)|(?:bear|keep)\s+in\s+mind|be\s+(?:careful|aware|warned)|beware)(?:[\s,:]+that)?[\s,:]+(?:(?:this|it|that)\b(?!\s+[a-z]+\s+(?:is|are|was)\b)"
    r"|the\s+(?:above|answer|value|result|sign|factor)\b|(?:I|we|one|you)\s+(?:still\s+)?(?:must|have|need|should|forgot|missed|made)\b)",
    re.IGNORECASE,
)
"""A remark on the answer itself: `Note that this is wrong.`"""
_SUPPOSES: Final = re.compile(
    r"^\W*(?:(?:side\s+)?(?:remark|note|aside|comment|caveat)s?\s*[:.–—]\s*|(?:note|notice)\s+(?:also\s+)?(?:that\s+)?,?\s*)?(?:if\s+(?!I\b|we\s+made)|had\s|were\s|should\s+(?:the|an?)\s|with\s+(?:an?\s+)?(?:other|different)\s)[^?!]*?\b(?:would|could|might)\b",
    re.IGNORECASE,
)
_UNREAL: Final = re.compile(
    r"\b(?:would|could|might)\s+(?!(?:then\s+|therefore\s+|thus\s+)?(?:mark|choose|pick|say|answer|go|select|conclude|call|report|take|put)\b)|\bhad\s+(?:the|it|we|there|this)\b[^,]*\bbeen\b",
    re.IGNORECASE,
)
_PREDICATE: Final = r"(?:is|are|has|have|exists?|converges?|holds?|becomes?|remains?|was|were)"
_WITHOUT_VALUE: Final = re.compile(
    # Its values stand in a clause of reason alone, or behind what is said of the answer.
    rf"^\W*(?:since|as|because)\b(?=[^\d\ue000-\ue2ff,;:?]*(?:\d|{MARK}))[^,;:?]*,\s+(?:the|this|that|our|it)\s[^\d\ue000-\ue2ff,;:?]*\b{_PREDICATE}\s[^\d\ue000-\ue2ff,;:?]+$"
    rf"|^\W*(?:(?:since|as|because)\b[^,;:?]*,\s+)?(?:it|this|that|the)\s[^\d\ue000-\ue2ff,;:?]*\b{_PREDICATE}\s[^\d\ue000-\ue2ff,;:?]+,\s+with\s+(?!(?:the\s+|a\s+)?(?:value|total|result|answer|probability)\b)[^,;:?]+$"
    r"|^\W*(?:the|this|its|our)\s[^;:?]{3,100}\b(?:is|are|was|were)(?:n['’]t|\s+not)\s+(?:actually\s+|even\s+)?(?:needed|required|necessary|used|relevant)\W*$"
    r"|\binstead\W*$",
    re.IGNORECASE,
)
"""A main clause that states no value (`It is biased, with mean 5`), or that of another case (`gives 5 instead`)."""
_COMES_BACK: Final = re.compile(
    r"\b(?:but|yet|however)\b(?!.*\b(?:would|could|might)\b).*"
    rf"\b(?:so|hence|thus|therefore|leaving|leaves|giving|gives|making|makes)\b.*(?:\d|{MARK})",
    re.IGNORECASE,
)
"""Another case, and then what is so: `it would be 2 if …, but …, so it is 5`."""
_LONGEST: Final = 400
_RETURNS: Final = re.compile(
    r"^\W*(?:so|thus|hence|therefore|consequently|accordingly|altogether|overall|we\s+conclude|in\s+(?:conclusion|summary|short|total)|to\s+(?:conclude|summari[sz]e|sum\s+up)|the\s+(?:\w+\s+)?(?:answer|result|solution)\b"
    r"|(?:in|with|for|under|by|using)\s+(?:our\b|the\s+[a-z]+\s+(?:of|in|from)\s+(?:this|the|our)\s+(?:problem|question|exercise|task)\b|(?:this|the)\s+(?:problem|question|exercise|task)\b)"
    r"|(?!note\b|notice\b)[^.,;:?]{3,60},\s+(?:though|however),\s)",
    re.IGNORECASE,
)
"""How a sentence begins that comes back to the answer."""
_GOES_ON: Final = re.compile(
    r"^\W*(?:and|but|then|also)?\W*(?:it|its|they|their|this|that|these|those|such|there|then|here|in\s+(?:that|this|which)\s+case|otherwise"
    r"|instead|now\s+it)\b(?!\s+does\s*:)",
    re.IGNORECASE,
)
"""How a sentence begins that goes on about what the one before speaks of."""
_SECTION: Final = re.compile(
    r"^\W*(?:\d+[.)]\s*)?(?:(?:some|a|an|the|and|but|brief|short|final|general|further|additional)\s+)*(?:why\b|what\s+(?:if|happens|about|would|this\s+means|does\s+(?:this|it)\s+mean|else|can\s+go\s+wrong)|where\s+(?:this|it|such|these)\b|how\s+(?:this|it|such|these|to\s+(?:remember|check|avoid))\b|when\s+(?:this|it|does)\b"
    r"|(?:closer|deeper|second)\s+look|(?:numerical|computer|thought)\s+(?:experiments?|simulations?)|(?:practical|physical|geometric(?:al)?|real[-\s]world|historical|biological|chemical|clinical|economic|intuitive|statistical)\s+(?:\w+\s+)?(?:meaning|significance|picture|interpretation|relevance|importance|context|remarks?"
    r"|background|applications?|uses?|notes?|considerations?|implications?|aspects?|intuition|explanation)|significance|meaning\b|implications?|relevance|applications?\s*(?:in\b|and\b|$)|uses\b|(?:more|further)\s+(?:on|about|details?|reading|insights?|facts?)|beyond\b|going\s+further|(?:link|connection|relation)s?\s+(?:to|with)"
    r"|related\s+(?:facts?|results?|problems?|topics?|concepts?|questions?)|(?:key|main)\s+(?:ideas?|takeaways?|points?|insights?|lessons?|concepts?)|takeaways?|lessons?|insights?|limitations?|accuracy|sensitivity|sources?\s+of\s+(?:error|uncertainty)|assumptions\b|generali[sz]\w+|summary\s+of\s+the\s+(?:procedure|method|steps|approach)|tips?\b|good\s+to\s+know|did\s+you\s+know)",
    re.IGNORECASE,
)
"""The heading of a section about something else than the answer."""


_CHECKS: Final = re.compile(
    r"\bas\s+(?:it|they|we)\s+(?:should|must|ought|have\s+to|has\s+to)\b"
    rf"|^\W*(?:at|for|with)\s+(?:{MARK}|[A-Za-z]\s*=\s*\S+)(?=.*\b(?:as\s+well|agrees?|matches|(?:true|exact|actual|tabulated)\s+value|the\s+two|both|differs?)\b)",
    re.IGNORECASE,
)
"""A sentence behind one that states a value, which holds it against what it has to be."""


_AGREES: Final = re.compile(
    rf"^\W*(?:at|for|with)\s+(?:{MARK}|[A-Za-z]\s*=\s*\S+)(?!.*\b(?:not|but|wrong|however|instead|should)\b)(?!.*n['’]t\b)"
    r"(?=.*\b(?:as\s+well|too|agrees?|matches)\b)",
    re.IGNORECASE,
)
_ROUNDS: Final = re.compile(
    r"^\W*(?:(?:that|this|it)(?:['’]s|\s+(?:is|equals|comes\s+to|works\s+out\s+(?:to|at|as)|corresponds\s+to|amounts\s+to|means))\s+)?"
    r"(?:just\s+|only\s+)?(?:about|roughly|approximately|around|nearly|almost)\b",
    re.IGNORECASE,
)
"""`This is about 15 %.`"""


def begins_aside(text: str) -> bool:
    """Whether a sentence says by how it begins that it turns aside, or stands in brackets."""
    return _OPENS.match(text) is not None or _BRACKETED.fullmatch(text) is not None


def agrees(text: str) -> bool:
    """Whether a sentence finds by one value that what was said is right: `At x = 2 both are 7 as well`."""
    return len(text) < _LONGEST and _AGREES.match(text) is not None


def returns(text: str) -> bool:
    """Whether a sentence comes back to the answer by how it begins."""
    return _RETURNS.match(text) is not None


@lru_cache(maxsize=256)
def opens_aside(text: str) -> bool:
    """Whether a sentence turns aside by how it begins, or speaks of what is not so."""
    if comes_back(text):
        return False
    bracketed = _BRACKETED.fullmatch(text) is not None
    return bracketed or _OPENS.match(text) is not None or hypothetical(text) or states_nothing(text)


def says_beside(text: str) -> bool:
    """Whether a sentence says how the answer depends on a letter, or sets another thing beside it."""
    return _PROPORTIONAL.search(text) is not None or _BESIDE_IT.match(text) is not None


def rounds(text: str) -> bool:
    """Whether a sentence or clause says of what stands before it how much that is about."""
    return _ROUNDS.match(text) is not None


def comes_back(text: str) -> bool:
    """Whether a sentence speaks of another case and then arrives at what is so."""
    return hypothetical(text) and _COMES_BACK.search(text) is not None


def states_nothing(text: str) -> bool:
    """Whether the values of a sentence stand in its reason, or behind what is said of the answer."""
    return len(text) < _LONGEST and _WITHOUT_VALUE.search(text) is not None


@lru_cache(maxsize=256)
def hypothetical(text: str) -> bool:
    """Whether a sentence speaks of another case (`the level would rise to 73 dB`)."""
    return _UNREAL.search(text.split(";")[0]) is not None


def supposes_another(text: str) -> bool:
    """Whether a sentence says what would be if something were otherwise: nothing in it is about what is so."""
    return _SUPPOSES.match(text) is not None


_OTHERS_ERR: Final = re.compile(
    rf"^\W*{_DOING}(?:is|are)\s+(?:an?|the|one|another)\s+(?:very\s+)?(?:common|classic|typical|usual|frequent|popular|easy|standard)\s"
    rf"(?:\w+\s+){{0,2}}{_ERROR}(?!.*:)",
    re.IGNORECASE,
)


def others_err(text: str) -> bool:
    """Whether a sentence names what people do wrong: `Forgetting the factor is the classic slip`."""
    return _OTHERS_ERR.match(text) is not None


def judges(text: str) -> bool:
    """Whether a sentence that turns aside checks the answer itself or says something of it."""
    return _OWN_CHECK.match(text) is not None or _OF_THE_ANSWER.match(text) is not None


def turned_aside(sentences: Sequence[Sentence]) -> list[str]:
    """For each sentence `aside` where it or its paragraph turned aside, `section` where its heading did, or nothing."""
    found: list[str] = []
    paragraph, aside, section, beside = -1, False, False, False
    stated = False
    for each in sentences:
        if each.paragraph != paragraph:
            paragraph, aside, stated, beside = each.paragraph, False, False, False
        if each.heading:
            section = bool(found) and _SECTION.match(each.text) is not None
        checks = stated and len(each.text) < _LONGEST and _CHECKS.search(each.text) and not _RETURNS.match(each.text)
        turns = opens_aside(each.text)
        if checks or (turns and _OPENS.match(each.text)):
            aside = True
        elif aside and _RETURNS.match(each.text):
            aside = False
        beside = turns or (beside and _GOES_ON.match(each.text) is not None)
        stated = re.search(rf"\d|{MARK}", each.text) is not None
        found.append("aside" if aside or beside else "section" if section else "")
    return found
