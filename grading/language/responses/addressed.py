"""Whether a text speaks to whoever grades it, or is a program: nothing is picked out of such a text."""

import re
from typing import Final

_TOLD: Final = (
    r"(?:all|any|every|the|your|my|these|those|other|previous|prior|earlier"
    r"|above|that|this|it|what(?:ever)?|everything|anything)"
)
_ADDRESSED: Final = re.compile(
    r"\b(?:graders?|grading|verdict|reference\s+answer|full\s+marks|mark\s+(?:this|it|as|my|\S{1,12}\s+as)"
    rf"|ignore\b(?:\s+{_TOLD}\b){{0,5}}(?:\s+(?:instruct\w*|rubrics?|criteri\w+|references?|prompts?|below|text|said|(?<=the\s)rules)(?!\w)|(?<=above|.that|.this|...it|thing|rlier|prior)[\s.,!;:]|\W*$)"
    r"|(?:give|assign|award|output|return)(?:\s+(?:me|it|this|us|an?|the|my|answer|response|full|max(?:imum)?|highest|perfect)){0,6}\s+(?:score|points|credit)"
    r"|(?:full|max(?:imum)?|highest|deserves)\s+(?:a\s+)?(?:full\s+)?(?:score|credit)(?!\s+of\s)"
    r"|scored?\s*(?::|=|(?:this|it|me|as)\b)|(?:previous|prior|your|these|following|above|system|new)\s+instructions?)(?!\w)"
    r"|\bimport\s|\beval\(|(?<!\\)\blambda\s+\w+\s*:|__\w+__|\w\(\)",
    re.IGNORECASE,
)
"""To ignore something of the task, or to give a score; `ignore friction` and `a score of 80` speak to nobody."""
_GREETING: Final = re.compile(
    r"\W*(?:dear|hello|hi|hey|greetings)\W+(?:(?:my|the)\s+)?(?:graders?|examiners?|markers?|teachers?)\s*[,:!.–—-]\s*",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"\b(?:you|yours?|yourself|please|kindly|ignore|disregard|follow|treat|consider|score|grade|judge|read|note|assume|let|accept|count|give|award|mark|mercy|favou?r|trust|believe|key|reference|expected|whatever|any)\b",
    re.IGNORECASE,
)
"""A greeting alone asks nothing of the one who is greeted; these words do."""
_PROGRAM: Final = re.compile(r"(?<!`)`[^`\n]{1,200}`(?!`)")
"""A part of a program between backticks, which speaks to nobody."""


def addressed(text: str) -> bool:
    """Whether a text speaks to its grader."""
    greeted = _GREETING.match(text)
    text = text[greeted.end() :] if greeted is not None and not _ASKS.search(text, greeted.end()) else text
    return _ADDRESSED.search(_PROGRAM.sub(" ", text) if "`" in text else text) is not None
