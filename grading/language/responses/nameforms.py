"""Forms of sentences in which a name is said: of other scripts, orders to use a program, pictures of a disease."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from grading.language.responses.namewords import LINKS

FIRST_ATOM: Final = 0xA500
ATOMS: Final = "[\ua500-\ua5ff]"
_ORDERED: Final = re.compile(
    rf"^\W*(?:you\s+(?:can\s+|should\s+)?)?(?:use|run|type|enter|execute|call"
    rf"|write)\s+(?:the\s+(?:command\s+)?)?(?P<code>{ATOMS})",
    re.IGNORECASE,
)
"""`Use ...`: what a program is to be given."""
_JAPANESE: Final = re.compile(
    r"[はが]\s*(?P<name>[^、。はが（()）]{1,30}?)\s*(?:[（(](?P<alias>[^（()）]{1,40})[）)])?\s*(?:です|である|だ|でした|だった)[。.\s]*$"
)
_CHINESE: Final = re.compile(
    r"(?<!不)(?:是|叫做|叫|称为|(?<![不认以因成])为)\s*(?P<name>[^，,。；;（()）不]{1,30}?)\s*(?:[（(](?P<alias>[^（()）]{1,40})[）)])?(?:[，,]\s*而?不是[^，。]{1,20})?[。.\s]*$"
)
AND_NOT: Final = re.compile(r"[，,]\s*而不是[^，。！？\n]{1,20}(?=[。.]?\s*$)")
"""`，而不是悉尼`: what a sentence turns down at its end."""
OF_PICTURE: Final = re.compile(
    r"(?<=\s)(?P<is>(?:is|are))\s+(?:(?:that|those|typical|characteristic|diagnostic)\s+of"
    r"|(?:an?\s+)?(?:(?:clear|classic|typical|textbook|simple|plain|good|well-known)\s+)?(?:cases?|matter|instances?|examples?)\s+of|the\s+(?:work|creation|invention|brainchild|discovery|definition|hallmark)\s+of)(?=\s)"
    r"|(?<=\w)(?P<colon>:)\s+an?\s+(?:case|instance|example)\s+of(?=\s)"
)
"""`the picture is that of` before the name."""
NAME_IN_BRACKETS: Final = re.compile(
    r"[^\W\d_]\s\((?:(?:engl?|en|anglais|inglés|inglese|inglês|englisch)[.:]?\s+)?(?P<name>[^\W\d_][^()\d,;:?]{1,40})\)"
    r"(?=\s*(?:[.!,]|$))",
    re.IGNORECASE,
)
"""The name in English behind a foreign one: `est le Kilimandjaro (Kilimanjaro)`."""
MAKES_IT: Final = re.compile(
    r"^(?![^,]*\b(?:if|suppos\w*|would|were|had|claims?|says?|said|not|never)\b)[^,;:?]{3,160},\s+(?:which|and\s+this)\s+makes\s+"
    r"(?:it|this|that)\s+(?=an?\s)",
    re.IGNORECASE,
)
"""`no heat is exchanged, which makes it an adiabatic process`"""
WITHOUT_VERB: Final = re.compile(
    r"^\W*(?:the|an?|that|one|some)\s+[a-z]+(?:\s+[a-z]+){0,3}\s+(?:who(?:m|se)?\b(?!.*\b(?:is|was|are|were|be|has|had)\b)"
    r"|(?:that|which)\s+(?!(?:is|was|are|were|has|had)\b)[a-z]+(?:\s+(?:the|an?|in|on|of))?(?:\s+[\w'’-]+){1,2}\W*$)",
    re.IGNORECASE,
)
"""Somebody described, of whom nothing is said: `the man who quarrelled with Newton`."""
ARRIVES: Final = re.compile(r"^\W*so\s+it(?:['’]s|\s+is)\b", re.IGNORECASE)
RETURNS: Final = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore),?\s+)?(?:what\s+(?:you|the\s+question)\b|(?:that|this)\s+[\w-]+(?:\s+[\w-]+)?,\s+[A-Z]|the\s+[\w-]+(?:\s+[\w-]+)?\s+(?:(?:(?:that|which)\s+)?(?:the|your|this)\s+(?:question|description|passage|text|clue)s?\s+(?:describes?|asks?\s+(?:for|about)|seeks?|refers?\s+to|has\s+in\s+mind|points?\s+to)|(?:in|of|from)\s+(?:the|your|this)\s+question"
    r"|in\s+question|described|asked\s+(?:for|about)|sought|wanted|(?:that\s+)?you(?:['’]re|\s+are)?\s+(?:describ\w+|look\w*|seek\w*|ask\w*|mean|want|need|after|have\s+in\s+mind)))\b",
    re.IGNORECASE,
)
"""How a sentence begins that comes back to what was asked: `what you describe`, `the theorem in question`."""
INSERTED: Final = re.compile(
    r"^(?P<subject>[^,;:?]{3,100}),\s+(?:where|in\s+which|with|namely|such\s+as|i\.\s?e\.|that\s+is|which|who|an?)\b[^;?]{3,240},\s+(?=(?:is|are|was|were)\s)",
    re.IGNORECASE,
)
"""A clause between the subject and its verb."""
_APPOSED: Final = re.compile(
    r"^\W*(?:that|this)\s+[\w-]+(?:\s+[\w-]+){0,3},\s+(?P<name>(?-i:[A-ZÀ-Þ])[\w'’.-]*(?:\s+(?-i:[A-ZÀ-Þ])[\w'’.-]*){0,4}),\s+(?:is|was|are|were|has|remains|became)\s",
    re.IGNORECASE,
)
"""`That purpose-built city, Canberra, is the capital.`"""
INITIAL: Final = re.compile(
    r"(?<=[a-zà-ÿ.]\s[A-Z])\.(?=\s(?:[A-Z]\.\s)*(?!(?:The|It|Its|This|That|These|Those|In|An?|He|She|They|We|There|But|And|So|Hence|Thus|For|If|When|As|At|On|By|To|Both|All|Not?|Here|From|With|Since|Of|Only|One|His|Her|Their)\b)[A-ZÀ-Þ][a-zà-ÿ]+)"
)
"""The point behind an initial in the middle of a name: `Neil A. Armstrong`."""
AS_STATEMENT: Final = re.compile(
    r"(?:^|\s)(?:the|an?|any|each|every|one['’]s|someone['’]s)\s+(?:\w+['’]s\s+)?claims?\b(?=\s+(?:is|are|was|under|in|itself|by|of|will|can|must|fails?|has|had|rests?|arises?)\b|\W*(?:$|[.,;]))",
    re.IGNORECASE,
)
"""A claim that is spoken of, and not what somebody claims."""
DESCRIBED: Final = re.compile(
    r"^(?P<noun>\W*The\s+(?!(?:answer|option|choice|one|guess|idea|term|word|name)\b)[^;:?]{2,80}?)\s(?:that|which|who|whose)\s(?![^;:?]*\b(?:wrong\w*|incorrect\w*|false\w*|mistak\w*|thought|think|believ\w*|say|says|said|claim\w*|guess\w*|students?|people|reject\w*|exclud\w*|eliminat\w*|ruled|tempting|might|may|could|would|should|maybe|perhaps)\b)"
    r"[^;:?]{3,160}?\s(?=(?:is|was|are|were)\s(?:called\s|known\s+as\s|the\s|an?\s)*[\w'’-]+(?:\s[\w'’-]+){0,4}(?:\s\([^()]*\))?[.!]?$)"
)
"""A thing by what is said of it, before its name: `the gas that binds more tightly than oxygen does is`."""
CALLS_IT: Final = re.compile(
    r"\b(?P<is>is|are)\s+what\s+(?:(?:one|we|you|[a-z]+(?<!student)(?<!beginner)(?<!layman)(?<!novice)s)\s+calls?|is\s+(?:called|known\s+as|termed))\s+(?=\S)"
)
"""`is what one calls`"""
NONE_OTHER: Final = re.compile(r"(?<=\b(?:is|as|be)\s)(?:none|no)\s+other\s+than\s", re.IGNORECASE)
APPOSED: Final = re.compile(r"^,\s(?:the|an?)\s[^,]{3,80}?\s,\s")
"""What a subject is, between commas."""
VERSUS: Final = re.compile(r"\b[Vv]s?\.(?=\s[A-Z])")
AT_THE_TIME: Final = re.compile(
    r"(?<=\w)\s+when\s+(?=(?:the|this|that|his|her|its|their|he|she|it|they|[A-Z])\b)(?!.*\b(?:not|never|if|unless|would)\b)(?=[^,;:?]*\b(?:was|were|had|became|began|[a-z]+ed|fell|took|came|died|broke)\b)[^,;:?]*(?=[.!\s]*$)"
)
"""When it was, in the past: `was queen when the Armada was defeated`."""
SAYS_MORE: Final = re.compile(
    r"^;\s+(?:it|he|she|they|this|these|its|his|her)\s+(?!\w+\s+(?:not|never)\b)(?:\w+\s+)?(?:(?:is|was|were|are|has|have|had)\s+(?:(?:also|often|first|later|mainly|usually)\s+)?(?:[a-z]+(?:ed|en|wn|nd|de|ght)|an?|one|the|in|on|at|from|to|for|part)\b"
    r"|(?!(?:is|was|were|are|has|have|had|could|would|might|may|should|will|can)\b)[a-z]{3,}\s)(?!.*\b(?:that|who|which|but|not|actually|called|known|however)\b)"
    r"|^;\s+[^;?]*\bwould\b[^;?]*\b(?:if|for|were|in\s+(?:the|a)\s+case|only)\b|^;\s+(?:before\s+(?:that|then)|until\s+then|earlier|previously)\b",
    re.IGNORECASE,
)
"""A second clause that only goes on about what was named, or tells of another case."""
_GERMAN: Final = re.compile(
    r"\b(?:wird|werden|wurde|wurden|ist|sind|war|hat|haben)\s+(?:[^,;:?]{1,60}?\s)?(?:in|im|von|vom|durch|am|an|auf|aus|mit)\s+(?:(?:der|dem|den|einem|einer|das|die)\s+)?(?P<name>[A-ZÄÖÜ][\w-]+(?:\s+[A-ZÄÖÜ][\w-]+){0,3})\s+[a-zäöüß]+(?:t|en)(?=\W*$|,|\s+und\s)"
)
"""`wird in der Leber gebildet`, `wurde von Theodor Storm geschrieben`"""
_ONE_OF_A_KIND: Final = re.compile(
    r"^[^;:?]{0,200}?\b(?:(?:just|only|exactly|precisely)\s+one|one|a\s+single)\s+(?:such\s+)?[a-z][\w-]*(?:\s+[\w-]+){0,2},\s+(?:namely\s+)?(?:(?:the|an?)\s+)?(?P<name>[^\W\d_][\w'’-]*(?:\s+[\w'’-]+){0,3})\W*$"
)
"""`All three features fit just one organelle, the mitochondrion.`"""

CITATION: Final = re.compile(
    r",\s+\d{1,4}\s+(?:[A-Z][\w.]{0,10}\s){1,3}(?:(?:2d|3d|4th)\s)?\d{1,5}(?:,\s\d{1,5})?(?:\s*\([^()\d]{0,20}\d{4}\))?(?=[\s.,;]|$)"
)
"""Where a decision is printed: volume, reporter and page behind its name (`, 384 U.S. 436 (1966)`)."""

DOUBTS_FIRST: Final = re.compile(
    r"^(?P<lead>[^.;]*?\b(?:tempting|might|may|not|n['’]t|never|although|though|[Pp]eople|[Ss]tudents|[Mm]any|[Ss]ome|often"
    r"|sometimes|confus\w+|think|thought|wrong)\b[^.;]*?),?\s+but\s+(?=(?:the|this|it|its|in|here|all|only|[A-Z]))"
)
"""What is granted before `but`, behind which the answer stands."""
ALSO: Final = re.compile(
    r"^(?:also\s+|sometimes\s+|often\s+|formerly\s+)?(?:known\s+as|called|named|abbreviated|spelled|spelt)\b.*$",
    re.IGNORECASE,
)
"""Other names of what stands before a bracket."""


def apposed_name(text: str) -> str | None:
    """The name that stands between commas behind what it is, or at the end behind the only one of its kind."""
    found = _APPOSED.match(text) or _ONE_OF_A_KIND.match(text)
    return found["name"] if found is not None else None


def lone_names(text: str, unsaid: Callable[[str], bool]) -> Iterator[str]:
    """What a sentence of Japanese or Chinese says of its subject, or the part of a program that is to be used."""
    for pattern in (_JAPANESE, _CHINESE):
        abroad = pattern.search(text)
        if abroad is not None:
            yield abroad["name"].strip("「」『』《》“”‘’")
            if abroad["alias"] is not None and not unsaid(abroad["alias"]):
                yield abroad["alias"]
            sort = re.match(r"[^家者人]{1,6}[家者人](?=[^的]{2})", abroad["name"])
            if sort is not None:
                yield abroad["name"][sort.end() :]
            return
    german = _GERMAN.search(text)
    if german is not None and not unsaid(text):
        yield german["name"]
    ordered = _ORDERED.match(text)
    if ordered is not None and not unsaid(text):
        yield ordered["code"]


WORKED: Final = re.compile(
    r"^[^;:?]{3,200},\s+(?:and\s+)?(?:so|thus|hence|therefore)\s+(?=(?:it|this)\s+(?:\w+ly\s+)?(?:prints"
    r"|returns|outputs|gives|yields|evaluates|displays|produces)\b)",
    re.DOTALL,
)
"""`…, so it prints` before what a program gives."""
WHERE_IT_IS: Final = re.compile(
    r"\W*(?:the|my|our)\s+(?:\w+\s+)?answer\s+(?:is|was|can\s+be|lies|appears|occurs|stands)\s+(?:[a-z]+(?:ed|en|und)\s+)?(?:in|on|at|within|inside|near|from)\s",
    re.IGNORECASE,
)
"""Where an answer can be found, and not what it is."""


def is_noun(plain: list[str], place: int) -> bool:
    """Whether a word before a preposition is what the answer is said to be, or is shared: `it is a character in`."""
    led = place > 1 and plain[place - 1] in ("a", "an") and plain[place - 2] in LINKS
    return led or bool({"share", "shares", "shared"} & set(plain[:place]))
