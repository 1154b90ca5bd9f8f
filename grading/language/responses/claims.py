"""Words in an answer that change what it says: which text of an answer is compared, and when none may be."""

import re
from functools import lru_cache

from grading.language import words
from grading.language.limits import MAX_LENGTH
from grading.language.responses import tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.commitments import alone, beginning, committed
from grading.language.responses.headed import HEADING, leads_astray, names_another
from grading.language.responses.making import Committed
from grading.language.responses.segments import without_formulas
from grading.language.responses.tables import total_of
from grading.language.upright import UPRIGHT_TEXT
from grading.language.wordless import is_wordless

# Before 3.11.5 Python matches a possessive repetition of a group wrongly: none is written here.
_ENVIRONMENT = re.compile(r"\\begin\{[a-z*]{1,20}\}[^\\]{0,4000}(?:\\(?!end\{)[^\\]{0,4000})*\\end\{[a-z*]{1,20}\}")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
_REAL_WORD = re.compile(
    r"(?<![\\A-Za-z])(?!(?:a(?:rc)?)?(?:sin|cos|tan|cot|sec|csc)h?\b|(?:log|exp|sqrt|max|min|gcd|lcm|lim)\b)"
    r"(?:(?![²³¹⁰⁴-⁹₀-₉ⁿ])[^\W\d_]){3,}|[⟹⇒→]|\b(?i:so|is|or|if|by|of|at|in|we|it|as|be|no|do|on|up)\b"
)
"""A word that is no function and no power of a letter, or an arrow between steps."""
_FOREIGN = re.compile(r"[\u0590-\u05ff\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0400-\u04ff]")
_CONDITIONAL = re.compile(
    r"(?:\b(?:if|when|whenever|unless|provided|assuming|presuming|granted\s+that|in\s+case|as\s+long\s+as|subject\s+to|contingent\s+(?:up)?on|conditional\s+on)\b"
    r"|(?<=\d)\s*,?\s*(?:should|had|were)\b(?=\s+(?:the|an?|it|this|that|we|they|one|you)\b))(?P<rest>[^.;]*)",
    re.IGNORECASE,
)
_ELSE = re.compile(
    r"\b(?:otherwise|else|or\s+any|or\s+so|any\s+other|whatever(?!\s+(?:\$?\S+\s+)?(?:is|may\s+be)\b))\b", re.IGNORECASE
)
_UNSETTLED = re.compile(
    r"\b(?:nearly|almost(?!\s+(?:surely|everywhere|certainly|always|all))|close\s+to|just\s+(?:under|over|short\s+of|shy\s+of)|not|never|n['’]t|at\s+most|at\s+least|(?<!add\s)(?<!adds\s)(?<!adding\s)(?<!added\s)(?<!sum\s)(?<!sums\s)up\s+to|more\s+than|less\s+than|fewer\s+than|greater\s+than"
    r"|larger\s+than|smaller\s+than|no\s+more"
    r"|exceed\w*|above|below|or\s+(?:more|less|fewer)|times|half\s+of|twice|double|reciprocal|factorial|rather"
    r"|placeholder|stopgap|backwards?|upside\s+down|in\s+reverse|digits?\s+long|pending|tentative\w*|provisional\w*|unverified|unconfirmed|instead|wrong|incorrect|maybe|perhaps"
    r"|possibly|probably|suppose|assume|claims?|said|doubt\w*|nobody|hardly|neither|except|allegedly|presumably|supposedly|reportedly|loosely\s+speaking|in\s+a\s+manner\s+of\s+speaking|barring)\b"
    r"|(?<=\d)\s+(?:doubled|halved|tripled|quadrupled|reversed|negated|inverted|minus|plus|score|too\s+(?:many|few|much|little|large|small|high|low))\W*$"
    r"|(?<=[\d$})])\s*-?(?:th|st|nd|rd)\b|\borders?\s+of\s+magnitude\b|(?<=\d)-?\s?fold\b|(?<=\d)\s+(?:minimum|maximum|max|tops|or\s+thereabouts)\W*$",
    re.IGNORECASE,
)
_DENIED_VALUE = re.compile(r"\s*\$?\s*(?:!=?|¬|~~)\s*\d")
EVENT = re.compile(
    r"\b(?:when|as|once)\s+(?:it|he|she|they|(?:the|its|a)\s+[a-z]+(?:\s+[a-z]+)?)\s+(?:finally\s+|first\s+|just\s+)?(?:reach(?:es)?|hits?|strikes?|leaves?|lands?|arrives?|passes"
    r"|enters?|exits?|stops?|starts?|crosses|touches|returns|meets?|comes\s+to\s+rest|is\s+(?:released|opened|closed|dropped|thrown|heated|cooled|removed|(?:switched|turned)\s+(?:on|off)))\b"
    r"[a-z\s]*?(?=\s*(?:[.,;*]|$))",
    re.IGNORECASE,
)
"""A moment, which is no condition: `when it reaches the barrier`."""
_OF_EVENT = re.compile(
    r"^[\s$*]*(?:\\(?:Pr|Bbb|mathbb|mathrm|operatorname)\b\{?)?\s*[PEN]?r?\}?\s*(?:\\(?:left|[bB]igl?))?\s*[(\[]\s*(?:\\(?:text|mathrm|textit)\s*\{[^{}]{1,80}\}|[^()=\\$]{1,80})\s*(?:\\(?:right|[bB]igr?))?\s*[)\]]\s*(?==|≈|\\approx)"
)
"""The name of a probability, whose event may hold any words: `P(\\text{at least one head}) =`."""
_ONCE = re.compile(
    r"for\s+(?:one|a|an?\s+(?:single|full|complete|whole)|one\s+(?:single|full|complete|whole))\s+(?:revolution|orbit|rotation|turn"
    r"|lap|cycle|oscillation|period|swing|round\s+trip|trip|journey|crossing)",
    re.IGNORECASE,
)
"""How often what is timed happens, which is no condition: `for one revolution`."""
_SMALLNESS = re.compile(
    r"(?:for|at|in\s+the\s+limit\s+of|when|with)\s+(?:sufficiently\s+|very\s+)?(?:small|large|low|high|weak|strong|slow|long|short|slight)\s+[a-z]+(?:\s+[a-z]+)?(?:\s+(?:is|are)\s+(?:small|large))?",
    re.IGNORECASE,
)
"""In which limit a formula holds, in words alone: `for small amplitudes`."""
_IDEAL = re.compile(
    r"(?:assuming\s+)?(?:that\s+)?(?=.*\b(?:full\s+power|ideal\w*|lossless|perfect(?:ly)?|no\s+leap\s+years?|constant|steady|standard|complete(?:ly)?"
    r"|uniform(?:ly)?|fair|independent|room\s+temperature|the\s+whole\s+time|throughout)\b)(?!.*\b(?:not|no\s+longer|half|double|twice|only|other|another|biased|unfair)\b)[a-z][a-z\s'’-]{2,80}",
    re.IGNORECASE,
)
"""What is assumed as everybody does, and leaves nothing of the question away: `assuming a constant speed`."""
_PART = re.compile(r"\b(?:even|odd|at\s+(?:most|least)|only|divisible|multiple)\b", re.IGNORECASE)
"""Words of a condition that leaves out a part of the numbers."""
_PART_OF_COMPLEX = re.compile(
    r"\\(?:Re|Im)(?![A-Za-z])|(?:\\(?:operatorname\*?|mathrm|mathfrak|text)\s*\{\s*)?(?<![A-Za-z])(?:Re|Im)(?![A-Za-z])\s*\}?"
)
"""The real part of a letter in a condition is no letter: `for \\operatorname{Re} s > 0`."""
_CASES = re.compile(r"\\begin\{(?:[dr]?cases|array)\}")
_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])|\\[a-z]+")
_SPOKEN = re.compile(
    r"\W*[A-Z][a-z]+ing\b[^.;]{0,120}\b(?:gives?|yields?|leads\s+to|results\s+in)\s|\W*(?:it|that)['’]s\s+\S|\W*(?:I|we|you|one|he|she|they|this|that|it|so|thus|hence"
    r"|therefore)\s+[a-z]{2,}\b",
    re.IGNORECASE,
)
_DRAWN = re.compile(
    r"^\W*(?:il\s+y\s+a|hay|existem|existen|ci\s+sono|in\s+total|altogether|on\s+(?:obtient|trouve)|therefore|thus|(?:and\s+)?so|this|that|these|those|he|she|they|there"
    r"|only|hence|consequently|finally|donc|also|somit|daher|damit|folglich|insgesamt|zusammen|au\s+total|en\s+total|in\s+totale|no\s+total|итак|значит|итого|всего|logo|dunque|quindi|portanto"
    r"|por\s+(?:lo\s+)?tanto|entonces|luego|ainsi|alors|所以|因此|故|よって|したがって|따라서)\b"
    r"|[,;]\s*(?:so|hence|thus|therefore|giving)\s+[A-Za-zα-ω]\w{0,3}\s*=|^\W*(?:substituting|simplifying|solving|evaluating|rearranging|combining|numerically)\s*,"
    r"|\s(?:é|è|vaut|beträgt|ergibt|sont|sind|sono|são)\s|[,;—]\s*(?:since|because|as|so)\b",
    re.IGNORECASE,
)
"""How a text begins, or goes on, that is a sentence however short it is."""
_NAMED = re.compile(
    r"\W*[A-Za-z]\w{0,3}(?:\([^()]{1,20}\)|\s*=\s*-?[\d.]+)?\s+(?:is|ist|est|es|è|é|must\s+(?:be|equal)|has\s+to\s+(?:be|equal))\s",
    re.IGNORECASE,
)
"""`n must be 5`"""
_TWO_VALUES = re.compile(
    r"\b(?:at|when|where|for)\s+[A-Za-z]\w?\s*=\s*\S+?,?\s+(?:where|with|and)\b[^.]*\b(?:is|value|equals|=)\W*[-−]?\d",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?:réponse|respuesta|resposta|risposta|antwort|lösung|ergebnis|ответ|la|die|le|il|das|el|o)\b", re.IGNORECASE
)
_ORDINAL = re.compile(r"\d{1,9}(?:st|nd|rd|th)\.?")
_CHECKED = re.compile(r"\n[^\w\n]*(?:check|verification|proof|remark|note)\W", re.IGNORECASE)
_SAYS = re.compile(
    r"[\w)%°!²³}$]\s+(?:is|are|equals?)\s+[^\w\s\\]{0,3}[-−]?[$€£]?(?:\d|√|π)[^=\n]*$"
    r"|[.;]\s+[A-Z][a-z]+(?:\s[a-z]+){0,4}:\s+\S[^:\n]*$|=\s*\*\*[-−]?[\d.,/]+\*\*\s+[a-z]{3}"
)
"""A short sentence that says a number (`15% of 240 is 36`), that ends in a named one, or in a bold one and its noun."""
_ALONE = re.compile(
    r"\W*(?P<value>\d[\d.,/]*(?<![.,]))(?:\s?[%°]|\s+[a-z]+){0,2}\W*[.!]\W*\s+(?=(?:The|Its|Their|An?)\s[^.!?\n]*[.!]?\s*$)"
)
"""`30. The number of electrons is 26.`"""
_PLAINLY = re.compile(
    r"\W*(?:(?-i:[A-Z])[a-z]+\s+(?!(?:says|claims|writes|answers|gets|guesses|thinks|believes|gives|prints|reports|shows|states|finds)\s)[a-z]{2,20}s\s[^\n]{0,120}[.!]"
    r"|(?-i:A|An)\s+[-−]?[$€£]?\d[\d.,]*\s?\S{0,8}\s+[a-z]{3,}[.!]|(?-i:A|An)\s+[a-z]{3,20}\s+of\s+[-−]?[$€£]?\d[\d.,]{0,12}\s?\S{0,8}[.!]|(?:all|every|any)\s+[a-z]\s+(?:with|such\s+that|in|for\s+which)\s[^\n]{0,80}"
    r"|(?-i:[A-ZÀ-Ý])\w*\s+(?![^\n]*\b(?:answer|claim|sa(?:id|ys)|f[io]und|g[eo]t|guess|wrote|writes|obtain|report|thought|thinks)\w*\s)"
    r"[^\W\d_]{2,20}\s[^\n\d:=]{0,40}\d[\d.,]*\s?[A-Za-zµ€£°%][^\n:=]{0,12}\."
    r"|(?-i:[A-Z])[a-z]{2,20}:\s+\$[^$\n]{1,200}\$[.]?|\$[^$\n]{1,80}\$\s+(?:is|are|equals?)\s+\$[^$\n]{1,200}\$[.]?|[^\n]{1,120}\n\*\*[-−]?[\d.,/]{1,20}\*\*\s+[a-z]{3,20}[.!]?)\s*",
    re.IGNORECASE,
)
"""Short sentences: `Kevin pays $5.`, `A 15% rise.`, `All x with x > 2`, `Line: $y=2x$`, `$A$ is $I$`, `**9** ways`."""
_SENTENCE = 3
_SHORT = 200
_WORDS_OF_LINES = 2


@lru_cache(maxsize=16)
def in_words(text: str) -> str:
    """The words of an answer: formulas and commands away, the contents of `\\text` kept."""
    spoken = without_formulas(text, lambda inner: f" {' '.join(UPRIGHT_TEXT.findall(inner))} ")
    spoken = _ENVIRONMENT.sub(lambda match: f" {' '.join(UPRIGHT_TEXT.findall(match[0]))} ", spoken)
    return _COMMAND.sub(" ", UPRIGHT_TEXT.sub(r" \1 ", spoken))


def is_sentence(text: str) -> bool:
    """Whether a text is a sentence of a person, or more than one line, or longer than an answer may be."""
    if len(text) > MAX_LENGTH:
        return True
    if is_wordless(text):
        return False
    plain = _COMMAND.sub(" ", _ENVIRONMENT.sub(" ", without_formulas(text)))
    if _SPOKEN.match(plain) or any(HEADING.match(line) for line in text.split("\n")[:-1]):
        return True
    if len(text) <= _SHORT and (_SAYS.search(text) is not None or _PLAINLY.fullmatch(text) is not None):
        return True
    count = len(_WORD.findall(plain)) if plain.isascii() or _REAL_WORD.search(plain) else 0
    formula = count >= _WORDS_OF_LINES and without_formulas(text) != text
    spoken = formula or count >= _SENTENCE or len(_FOREIGN.findall(plain)) >= _WORDS_OF_LINES
    spoken = spoken or _NAMED.match(plain) is not None
    lines = "\n" in text.strip() and (count >= _WORDS_OF_LINES or _CHECKED.search(text) is not None)
    if spoken or lines or say.STRONG.search(text) is not None or say.FOREIGN.search(text) is not None:
        return True
    return count > 0 and any(
        pattern.search(plain) for pattern in (say.NOT_STATED, say.DOUBTED, say.DENIED, _DRAWN, say.HANGING)
    )


def claim_of(text: str, rule: str, gold: str) -> Committed | None:
    """What a sentence commits to, or why it commits to nothing; None where a text has to be read as it stands."""
    if names_another(text) and re.search(r"[.!?]\s+[A-Z]", text) is None:
        return Committed(None, "headed line", problem="a value of something that was not asked for")
    if not is_sentence(text) or words.phrase(text[:_SHORT]) is not None:
        return None
    if rule != "whole":
        return alone(text)
    total = total_of(text) if text.rstrip().endswith("|") else None
    if total is not None:
        return Committed(total, "table")
    found = committed(text)
    if found.text is not None and found.rule == "statement" and _begins_otherwise(text, found.text):
        return Committed(None, "none", problem="a value alone, and another one of something else")
    if found.named or len(_WORD.findall(in_words(gold))) >= _WORDS_OF_LINES:
        return found if found.named else None
    begun = beginning(text)
    plain = _COMMAND.sub(" ", without_formulas(text))
    named = re.split(r"=|\\approx", text)[0]
    if begun is None and (say.DENIED.search(named) or (tongues.NO.search(named) and _SUBJECT.search(named))):
        return Committed(None, "none", problem="a denial before the value")
    if begun is None and _TWO_VALUES.search(plain):
        return Committed(None, "none", problem="a place, and the value there")
    if begun is None and leads_astray(text):
        return Committed(None, "none", problem="what stands before the last line goes on in it")
    if begun is None and say.HANGING.match(plain):
        return Committed(None, "none", problem="a clause of reason or condition alone states nothing")
    if begun is None and (_SPOKEN.match(plain) or say.NOT_STATED.match(plain) or say.DOUBTED.search(plain)):
        return Committed(None, "none", problem="no sentence commits to an answer")
    return begun


def _begins_otherwise(text: str, stated: str) -> bool:
    """Whether a response begins with a value alone, and only states another one beside it."""
    found = _ALONE.match(text)
    if found is None or say.THEREFORE.search(text, found.end()):
        return False
    return found["value"] != "1" and found["value"] not in re.findall(r"\d[\d.,/]*(?<![.,])", stated)


def unsettling(text: str, gold: str) -> str | None:
    """The words of an answer that make it no answer, where the gold has none of them; None where there are none."""
    denied = _DENIED_VALUE.match(text)
    if denied is None and is_wordless(text):
        return None
    if words.phrase(text) is not None or _ORDINAL.fullmatch(text.strip()):
        return None
    if _CASES.search(text) or _CASES.search(gold):
        return None
    if denied is not None:
        return "a denied value"
    if (abroad := tongues.unsettled(text)) is not None:
        return f"'{abroad}' in the answer"
    said, expected = EVENT.sub(" ", in_words(_OF_EVENT.sub("", text))), in_words(gold)
    for pattern in (_ELSE, _UNSETTLED):
        found = pattern.search(said)
        if found is not None and not pattern.search(expected):
            return f"'{found[0].strip()}' in the answer"
    condition = _CONDITIONAL.search(said)
    if condition is None or _CONDITIONAL.search(expected):
        return None
    if re.match(r"\W*(?:had|were)\b", condition[0], re.IGNORECASE):
        return "a supposition"
    return conditional(UPRIGHT_TEXT.sub(r" \1 ", text)[-len(text) :].partition(condition[0][:3].strip())[2], gold)


def conditional(condition: str, gold: str) -> str | None:
    """Why an answer on a condition is none beside an unconditional gold: the gold lacks what it speaks of."""
    if (
        EVENT.fullmatch(condition.strip(" .,*"))
        or _IDEAL.fullmatch(condition.strip(" .,*"))
        or _ONCE.fullmatch(condition.strip(" .,*"))
    ):
        return None
    if _SMALLNESS.fullmatch(condition.strip(" .,*")) and re.search(
        r"[A-Za-z]", _COMMAND.sub("", UPRIGHT_TEXT.sub("", gold))
    ):
        return None
    letters = set(_LETTER.findall(_PART_OF_COMPLEX.sub(" ", condition))) - {
        "a",
        "\\text",
        "\\mathbb",
        "\\in",
        "\\geq",
        "\\leq",
        "\\ge",
        "\\le",
        "\\neq",
        "\\ne",
    }
    known = set(_LETTER.findall(UPRIGHT_TEXT.sub(" ", gold))) | set(
        re.findall(r"[A-Za-z]", _COMMAND.sub(" ", UPRIGHT_TEXT.sub(" ", gold)))
    )
    part = _PART.search(condition)
    if not letters or letters - known or (part is not None and part[0].lower() not in gold.lower()):
        return "an answer on a condition that the reference does not have"
    return None
