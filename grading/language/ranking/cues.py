"""Words that tell what a sentence does with a value, for the features of candidates."""

import re
from typing import Final

LEADS: Final = re.compile(
    r"\b(?:is|are|was|were|equals?|be|has|have|had|gives?|yields?|makes?|totals?|becomes?|get|find|obtain|found|leaves?|comes?\s+(?:out\s+)?(?:to|at|as)|works\s+out\s+(?:to|at|as)|amounts\s+to|takes?|costs?|needs?|requires?|reads?|reaches|weighs?|contains?|earns?|pays?|saves?|receives?|simplif\w+\s+to|reduces\s+to|evaluates\s+to)\s+"
    r"(?:(?:about|approximately|roughly|exactly|just|only|simply|therefore|thus|then|also|a\s+total\s+of|around|precisely|nearly|almost|the|an?|at|to|now)\s+)*[$€£*_(]*$",
    re.IGNORECASE,
)
OPENS: Final = re.compile(
    r"^\W*(?:so|thus|hence|therefore|consequently|finally|accordingly|in\s+(?:conclusion|summary|total|all|short)|altogether|overall|this\s+(?:gives|means|yields|leaves|makes)|that\s+(?:gives|means|leaves|makes)|which\s+gives|we\s+(?:get|obtain|find|conclude|have)"
    r"|it\s+follows|putting|combining|adding|substituting|plugging|solving|dividing|multiplying|simplifying|evaluating|taking|integrating|inserting|rearranging|subtracting)\b",
    re.IGNORECASE,
)
CONSEQUENCE: Final = re.compile(
    r"\b(?:so(?!\s+far\b)|thus|hence|therefore|consequently|finally|altogether|overall|in\s+total|conclude)\b",
    re.IGNORECASE,
)
CHECK: Final = re.compile(
    r"\b(?:check\w*|verif\w+|gives\s+back|recovers|returns\s+to|sanity|confirm\w*|consistent|agree\w*|matches|as\s+expected|cross-check|test|plausib\w+|reassuring|makes\s+sense|reasonable|double-check\w*|compare\w*|comparison|comparable)\b",
    re.IGNORECASE,
)
REMARK: Final = re.compile(
    r"\b(?:note|notice|observe|remember|recall|interesting\w*|incidentally|by\s+the\s+way|in\s+practice|typical\w*|usually|often|for\s+(?:reference|comparison|example|instance)|e\.g\.|mistake|error|pitfall|common\w*|instead|wrong\w*|forget\w*|contrast|similarly|likewise|also"
    r"|rule\s+of\s+thumb|intuiti\w+|limit\w*|interpret\w*|meaning|physically|context|in\s+other\s+words|roughly|about|however)\b",
    re.IGNORECASE,
)
UNREAL: Final = re.compile(r"\b(?:would|could|might|if|were|had|suppose|imagine|unless)\b", re.IGNORECASE)
GIVEN: Final = re.compile(
    r"\b(?:given|let|denote|where|with|set|define\w*|assum\w+|know|known|we\s+are\s+told|use|using|formula|recall|need|want|find\s+the|asked|question|problem|starts?|start\s+with|first|step\s+1|suppose|consider)\b",
    re.IGNORECASE,
)
OF_IT: Final = re.compile(
    r"^\W*(?:its?|this|that|these|they|their|the\s+(?:other|same|second|remaining|corresponding))\b", re.IGNORECASE
)
MUSING: Final = re.compile(r"\b(?:hmm|wait|let\s+me|i\s+think|maybe)\b", re.IGNORECASE)
ASKED: Final = re.compile(
    r"\b(?:what\s+(?:we|you|was|is|the\s+\w+)\s+(?:want|need|ask|look|seek|sought)\w*|(?:asked|looking|wanted)\s+(?:for|to)|we\s+were\s+after|question\s+asks|as\s+required|required|desired|sought)\b",
    re.IGNORECASE,
)
ANOTHER: Final = re.compile(
    r"\b(?:other|remaining|rest|next|correspondingly|likewise|similarly|another|second|instead|versus|compared|than|against|rather|not)\b",
    re.IGNORECASE,
)
OTHER_CASE: Final = re.compile(
    r"\b(?:holds?|valid|true|works?|applies)\s+(?:only\s+)?(?:for|in)\s+(?:the|an?)\s+"
    r"(?:small|larg|simpl|special|other|easi|easy|trivial|limiting|ideal|previous)\w*\s+case\b",
    re.IGNORECASE,
)
"""Behind a value that is another case's."""
SUBORDINATE: Final = re.compile(
    r"\b(?:if|when|since|because|as|where|which|than|for|with|at|from)\b[^,;:]*$", re.IGNORECASE
)
OPERAND: Final = re.compile(
    r"\b(?:add|adding|subtract\w*|by|times|plus|minus|factors?\s+of|ratio\s+of|multipl\w+|divid\w+|multiples?\s+of|powers?\s+of|modulo|base|first|last|next|each|every|below|above|under|over|within|between|up\s+to|only|all)\s+(?:the\s+)?[$*]*$",
    re.IGNORECASE,
)
DECIMALS: Final = re.compile(
    r"(?:in\s+decimals?|numerically|about|approximately|roughly|≈|\\approx|around|nearly|close\s+to|or)\s*[$*({]*$|\b(?:in\s+decimals?|numerically)\b",
    re.IGNORECASE,
)
PLACE: Final = re.compile(
    r"\b(?:at|for|when|where|if|from|than|of|by|in|with|between|and|or|per|every|after|before|until|as)\s+(?:the\s+|about\s+)?[$*]*$",
    re.IGNORECASE,
)
WORDS_OF_ANY_QUESTION: Final = frozenset(
    [
        "this",
        "that",
        "with",
        "from",
        "have",
        "will",
        "your",
        "which",
        "there",
        "then",
        "them",
        "they",
        "when",
        "what",
        "where",
        "into",
        "been",
        "were",
        "also",
        "each",
        "their",
        "than",
        "more",
        "about",
        "after",
        "before",
        "first",
        "using",
        "gives",
        "given",
        "find",
        "value",
        "total",
        "answer",
        "number",
    ]
)
CHANGED_BEFORE: Final = re.compile(
    r"(?:\b(?:not|never|cannot|neither|nor|hardly|at\s+(?:most|least)|(?:more|less|fewer|greater|larger|smaller|higher|lower|longer|shorter|other|rather)\s+than|instead\s+of|than|under|over|below|above|beyond|exceeds?|up\s+to|half|twice|thrice|double|triple|a\s+(?:third|quarter|tenth)\s+of|multiples?\s+of|(?:square|cube|root|reciprocal|inverse|opposite|negative|factorial|logarithm|complement|sum|product|difference|quotient|remainder|divisors?|factors?)\s+of|perhaps|maybe|possibly|probably|presumably|might\s+be|could\s+be|may\s+be|if|unless|suppose|assum\w+|exclud\w+|except|reject\w*|discard\w*|wrongly|mistakenly|claims?|claimed|guess(?:es|ed)?|minus)|n['’]t)\s+"
    r"(?:(?:the|a|an|be|is|it|value|number|exactly|just|quite|really|equal|to|about|of|it['’]s|that|get|have|give)\s+){0,3}[$*(]*$",
    re.IGNORECASE,
)
"""Words directly before a value that deny, bound, doubt or change it."""
CHANGED_BEHIND: Final = re.compile(
    r"^[\s$*),]*(?:[A-Za-z°%]+[,\s]+){0,2}?(?:or\s+(?:\$|[-−]?\d|more|less|fewer|so|maybe|perhaps|possibly)|if\b|unless\b|otherwise\b|provided\b|(?:is|are|was|were|seems|looks|would\s+be)\s+(?:not|wrong|incorrect|false|impossible|too\s|excluded|rejected|ruled\s+out|a\s+(?:guess|bound|mistake|trap))|cannot|can['’]t|isn['’]t|fails?\b|must\s+be\s+(?:rejected|excluded|doubled|halved)|doubled|halved|squared(?!\s*\w)|times\b|to\s+the\s+power|(?:minimum|maximum|tops|at\s+(?:most|least))\b|[!?]=)",
    re.IGNORECASE,
)
"""Words directly behind a value that do so."""
UNCHANGED_BEFORE: Final = re.compile(
    r"(?:\b(?:by\s+)?an?\s+(?:\w+\s+)?(?:factor|sum|remainder|product|difference|quotient)\s+of|\b(?:add|sum|speed|com|tot)\w*\s+up\s+to|\b(?:slightly|just|a\s+(?:little|bit))\s+\w+\s+than)\s+[$*(]*$",
    re.IGNORECASE,
)
"""What only looks like that before a value: `leaves a remainder of 1`, `slightly less than 4.67`."""
UNCHANGED_BEHIND: Final = re.compile(
    r"^\W*(?:[A-Za-z°%/²³]+\W+)?(?:(?:which|and)\s+(?:(?:is|are)\s+not|(?:is|are)n['’]t|can(?:\s?not|['’]t))(?!\s+(?:be\s+)?(?:right|correct|true|possible|allowed|valid|what|the\s+answer)\b)"
    r"|times\b(?!\s+(?:\d|[\ue000-\ue2ff]|(?:that|this|as|what)\b))|is\s+the\s+(?:maximum|minimum)\b)",
    re.IGNORECASE,
)
"""And behind one: `3 kHz and cannot be told from it`, `12 times.`"""
REVERSED: Final = re.compile(
    r"^[\s$*),]*(?:[A-Za-z°%/²³]{1,6}\s+)?with\s+(?:every|all|each|both|the|its|opposite)\s+(?:\w+\s+)?signs?(?:\s+(?:reversed|flipped|changed|switched|inverted))?\b",
    re.IGNORECASE,
)
"""What takes another value instead: `with every sign reversed`."""
HEDGED: Final = re.compile(
    r"\b(?:maybe|perhaps|possibly|not\s+sure|unsure|my\s+(?:best\s+)?guess|I['’]?m?\s+guess\w*|hard\s+to\s+say|either\b[^.]*\bor\b|one\s+of\s+(?:these|them|the\s+two)|take\s+(?:your\s+pick|the\s+one|whichever)|(?:both|either|any|all)\s+(?:are|is|of\s+\w+\s+(?:are|is))\s+(?:fine|ok(?:ay)?|possible|acceptable|solutions)|leave\s+(?:it|that|this|the)\b[^.]*\bto\s+(?:you|the\s+reader)|whichever|pick\s+one|cannot\s+decide|can['’]t\s+decide|could\s+also\s+be|if\s+(?:that\s+is\s+)?(?:correct|right))\b",
    re.IGNORECASE,
)
"""Words of a sentence whose value is no commitment."""
WORKED_ON_BEFORE: Final = re.compile(
    r"\b(?:subtract\w*|tak(?:e|ing)|remov\w+|deduct\w*)\s+[^,;.]{1,30}\s+from\s+(?:the\s+)?[$*]*$|\b(?:each\s+of|out\s+of|before|divides|divide|multiply|double|halve|square|subtract|add)\s+(?:the\s+|these\s+|those\s+)?[$*]*$",
    re.IGNORECASE,
)
WORKED_ON_BEHIND: Final = re.compile(
    r"[^.;:]{0,60}?,\s+(?:which|that|and)\s+(?:we|you|must|has\s+to|have\s+to|is\s+then|are\s+then|then)\s+(?:\w+\s+){0,2}?(?:multipl|divid|doubl|halv|add|subtract|squar|increas|reduc)|,?\s+and\s+\w+\s+is\s+(?:\w+\s+)?(?:more|less|times|twice|half)\b",
    re.IGNORECASE,
)
"""Words about a value that was worked out before, with which the argument goes on from it."""
OTHERS: Final = re.compile(
    r"\W*(?:some|other|many|most|several|certain)\s+(?:books?|texts?|people|students?|authors?|sources|calculators|tables)\b",
    re.IGNORECASE,
)
"""Those whose value a sentence reports."""
