"""Words about a mention of a choice, for its features."""

import re
from typing import Final

CLAUSE: Final = re.compile(r"[,;:—–]\s|\.\s|\s-\s|\b(?:and|but|while|whereas|because|since|so|although|though|yet)\b")
WORD: Final = re.compile(r"[a-z']+|[=≈→⇒:(✅✓❌✗]")
DENIES: Final = re.compile(
    r"\b(?:not|never|no|neither|nor|cannot|without|rather\s+than|instead\s+of|unlike|eliminat\w*|exclud\w*|reject\w*"
    r"|discard\w*|rul(?:e|es|ed|ing)\s+out|except|wrong\w*|incorrect\w*|false|fails?|contradict\w*|confus\w*"
    r"|distractors?|tempt\w*|mistak\w*|trap|against|less|too)\b|n['’]t\b",
    re.IGNORECASE,
)
CONCLUDES: Final = re.compile(
    r"\b(?:so(?!\s+far\b)|thus|hence|therefore|consequently|accordingly|conclu\w+|overall|in\s+(?:short|summary|sum)"
    r"|finally|which\s+(?:makes|leaves|is\s+why)|leav(?:es|ing)|that\s+is\s+why|ergo|altogether)\b|[→⇒∴]",
    re.IGNORECASE,
)
ANSWERS: Final = re.compile(
    r"\b(?:answer|correct|right|best|choose|chose|choice|pick|select|go\s+with|going\s+with|option|opt|settle|winner"
    r"|matches|fits|true|must\s+be|it['’]s|exactly|precisely|only|most\s+likely)\b",
    re.IGNORECASE,
)
DOUBTS: Final = re.compile(
    r"\b(?:if|unless|would|could|might|may|perhaps|maybe|possibly|suppose|seems?|looks?|sounds?|at\s+first|although"
    r"|though|while|whereas|even\s+if|granted|unsure|torn|guess|either|tempting|plausible|some|students?|people|books?"
    r"|friend|textbooks?|claims?|says?|argue[sd]?)\b",
    re.IGNORECASE,
)
TURNS: Final = re.compile(
    r"\W*(?:but|however|yet|still|on\s+the\s+other\s+hand|by\s+contrast|in\s+contrast|actually|wait|hmm|no\b)",
    re.IGNORECASE,
)
FINITE: Final = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|does|do|did|can|will|would|must|should|may|might|could|[a-z]{3,}(?:ed|s))\b"
    r"|['’]s\b|="
)
UNDECIDED: Final = re.compile(
    r"\b(?:cannot|unable\s+to|(?:can|could|do|would|wo|am|wouldn|couldn)(?:n?['’]t|\s+not))\s+(?:[a-z]+\s+){0,2}?"
    r"(?:tell|say|decide|choose|answer|narrow|commit|pick|settle|recall|remember|know)\b"
    r"|\b(?:leav(?:e|ing)|left)\s+(?:it|this|that|the\s+\w+)\s+(?:open|blank)\b|\b(?:torn|undecided)\b"
    r"|\bno\s+(?:answer|choice|opinion)\s+(?:of\s+my\s+own|from\s+me)\b",
    re.IGNORECASE,
)
"""Words of somebody who does not choose."""
