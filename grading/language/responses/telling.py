"""Which sentence of a response says the name that is its answer, by how it stands among the others.

One that concludes, at the end; the line alone under a heading; one that comes back to what was asked or names what
was described (`this is called a deadlock`, `that leaves Titan`); a name alone before the sentences that only go on
about it; the only sentence, or the first or last of a few. What only goes on takes nothing back, whatever it denies of
other things.
"""

import re
from collections.abc import Sequence
from typing import Final

from grading.language.responses import vocabulary as say
from grading.language.responses.asides import argument, ended
from grading.language.responses.headed import is_sound
from grading.language.responses.labelwords import PREDICTS, UNREAL
from grading.language.responses.nameforms import ARRIVES, DESCRIBED, DOUBTS_FIRST, RETURNS, SAYS_MORE
from grading.language.responses.namewords import ALSO_NOUNS, IRREGULAR, LINKS
from grading.language.responses.segments import Sentence
from grading.language.responses.turning import begins_aside

CONCLUDES: Final = re.compile(
    r"^\W*(?:so|thus|hence|therefore|consequently|accordingly|in\s+(?:short|summary|conclusion|other\s+words)"
    r"|overall|altogether|to\s+(?:sum\s+up|conclude|summari[sz]e)"
    r"|we\s+conclude|it\s+follows|all\s+in\s+all|putting|also|somit|folglich|donc|ainsi|por\s+lo\s+tanto"
    r"|portanto|quindi|dunque)\b",
    re.IGNORECASE,
)
_OFTEN: Final = (
    r"(?:(?:usually|often|commonly|generally|formally|technically|then|now|simply|today|also|therefore|thus|hence)\s+)*"
)
_SORT: Final = (
    r"(?:(?:kind|type|sort|form|state|class)\s+of\s+)?(?:[a-z-]+\s+)?(?:situations?|states?|conditions?|phenomen(?:on|a)|process(?:es)?|effects?|principles?|laws?|rules?|concepts?|ideas?|propert(?:y|ies)|problems?|strateg(?:y|ies)|structures?"
    r"|arrangements?|practices?|systems?|methods?|relations?|quantit(?:y|ies)|points?|organisms?|reactions?|changes?|doctrines?|defen[cs]es?|devices?|figures?|techniques?|errors?|fallac(?:y|ies)|bias(?:es)?|movements?|styles?|periods?|markets?|behaviou?rs?|cells?|molecules?|bonds?|diseases?|disorders?|syndromes?|terms?|names?|words?|answers?|authors?|theorems?|instruments?|organs?|elements?|compounds?)"
)
_CALLED: Final = re.compile(
    rf"^(?=[^,;:?]*\b(?:this|that|these|those|such)\b)(?![^,;:?]*\b(?:of|to|from|than|against|for)\s+(?:this|that|these|those)\b(?!\s+(?:\w+\s+)?(?:kinds?|sorts?|types?|nature|manner|form|class|shape|size|length|description|property)\b)[^,;:?]*?\s(?:is|are|was)\s)[^,;:?]{{2,110}}?\s(?:is|are|was)\s+{_OFTEN}(?:called|known\s+as|termed|named(?!\s+(?:after|for|in)\b)|referred\s+to\s+as|said\s+to\s+be)\s+(?=\S)",
    re.IGNORECASE,
)
"""`a profile with this property is called`: what was described is named."""
_IT_IS_CALLED: Final = re.compile(
    rf"^\W*(?:it|they)\s+(?:is|are)\s+{_OFTEN}(?:called|known\s+as|termed|named(?!\s+(?:after|for|in)\b)|referred\s+to\s+as)\s+(?=\S)",
    re.IGNORECASE,
)
_CALL: Final = re.compile(
    rf"^\W*(?:in\s+[^,;:?]{{3,40}}?,?\s+)?(?:(?:we|one|you|people|(?:[a-z-]+\s+)?[a-z]+s)\s+)(?:will\s+)?{_OFTEN}(?:(?:calls?|terms?|names?|labels?|refers?\s+to|speaks?\s+of)\s+(?:this|that|such\s+an?|such|these)\s+(?:{_SORT}\s+(?:as\s+)?|[a-z-]+(?:\s+[a-z-]+)?\s+(?:as\s+)?(?=(?:an?|the)\s))|(?:calls?|terms?|names?|labels?)\s+(?:this|that|it|these|them)\s+|(?:refers?\s+to|speaks?\s+of)\s+(?:this|that)\s+as\s+|(?:knows?|describes?)\s+(?:this|that|it)\s+as\s+)(?=\S)",
    re.IGNORECASE,
)
"""`textbooks call this situation`"""
_LEFT: Final = re.compile(
    r"^\W*(?:so\s+)?(?:(?:that|this)\s+(?:only\s+|just\s+)?leaves\s+(?:us\s+with\s+)?(?:only\s+|just\s+)?(?!open\b|no\b|nothing\b|us\b|the\s+question\b|it\b)"
    r"|(?:the\s+(?:(?:only|one|sole|single|great)\s+)?exception|what\s+(?:remains|is\s+left)|the\s+(?:only\s+)?(?:one|candidate)\s+(?:left|that\s+(?:remains|fits)))\s+(?:is|was|are)\s+)(?=\S)",
    re.IGNORECASE,
)
"""`that leaves`, `the exception is`"""
_USED: Final = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore|here|in\s+this\s+case),?\s+)?(?:you|we|one)\s+(?:will|should|can|must|need\s+to)\s+(?:use|apply|employ|choose|run)\s+(?=\S)",
    re.IGNORECASE,
)
"""`you should use`"""
_SPEAKS: Final = re.compile(
    rf"^\W*(?:(?:when|where|in|if|for)\s[^;:?]{{3,140}}?,\s+)?(?:(?:we|one|people|(?:[a-z-]+\s+)?[a-z]+s)\s+)(?:will\s+)?{_OFTEN}(?:speaks?|talks?)\s+of\s+(?!(?:this|that|such|these|it)\b)(?=\S)",
    re.IGNORECASE,
)
"""`where clauses begin alike, one speaks of`"""
_LOOKS_FOR: Final = re.compile(
    r"^\W*(?:so\s+)?(?:you(?:['’]re|\s+are)|the\s+question\s+is)\s+(?:looking\s+for|describing|thinking\s+of|after|asking\s+(?:for|about))\s+(?=\S)",
    re.IGNORECASE,
)
"""`you are looking for`"""
_WANTED: Final = re.compile(
    r"^\W*(?:we|one|you)\s+(?:want|need|look\s+for|seek|are\s+(?:looking\s+for|after))\s+[^;:?]{3,140}?,\s+(?:and\s+)?(?:that|this|which)\s+(?:is|was)\s+(?=\S)",
    re.IGNORECASE,
)
"""`we want …, and that is`"""
_WHEN_THIS: Final = re.compile(
    r"^\W*(?:when|where|whenever)\s[^;:?]{3,140}?,\s+(?:this|that|it)\s+is\s+(?:called\s+|known\s+as\s+|termed\s+)?(?=\S)",
    re.IGNORECASE,
)
"""`when an author hints at what comes, this is`"""
_IN_ANOTHER_CASE: Final = re.compile(r"\b(?:but|in\s+fact|otherwise|instead)\b|[,;]\s+(?:and\s+)?so\b", re.IGNORECASE)
_OF_WHAT: Final = re.compile(r"\s(?:that|which|who|whose|where|in\s+which|when)\s.*", re.IGNORECASE | re.DOTALL)
_SO_BEGUN: Final = re.compile(
    r"\b(?:not|never|wrongly|falsely|mistakenly|incorrectly|loosely|sometimes|used\s+to|no\s+longer|would|could|might|may|if|students?|people|beginners|laymen|laypeople|some|many|most|nobody|no\s+one|few|formerly|previously|originally|(?:close|akin|similar|comparable|analogous|next)\s+to|than|unlike|resembl\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words with which a name that is given to something is another's, or none."""
_ITSELF: Final = re.compile(
    r"^\W*the\s+[\w-]+(?:\s+[\w-]+){0,2}\s+(?:itself|themselves|proper)\s+(?:is|are|was|were)\s", re.IGNORECASE
)
"""What was asked about, behind what else there is: `the strands themselves are separated by`."""
_ABOUT_IT: Final = re.compile(
    r"^\W*(?:its|his|her|their)\s+(?:[a-z-]+\s+){1,3}?(?:is|was|are|were)\s"
    r"|^\W*(?:it|they|he|she|the\s+[\w-]+(?:\s+[\w-]+){0,3}?)\s+(?:was|were|is|are)\s+(?:[\w-]+\s+){0,2}?\w+(?:ed|en|wn|ght|und|pt|de|ung)\b[^,;:?]{0,60}\bby\s",
    re.IGNORECASE,
)
"""What is said of the thing of which the first sentence speaks: `its author was`, `it was written by`."""
_STATES_FIRST: Final = re.compile(
    rf"^\W*(?:it|this|that|(?:the|its|our)\s+{_SORT}(?:\s+[a-z]+){{0,3}}?)\s+(?:is|was|are|were)\s+(?:(?:called|known\s+as|the|an?)\s+)?(?!(?:not|[a-z]+(?:ed|wn|ing|ly))\b)(?:[^\s,;:.?]+\s){{0,3}}[^\s,;:.?]+(?:[,;.(]|$)",
    re.IGNORECASE,
)
_MADE_BY: Final = re.compile(r"\b(?:was|were|is|are)\s+(?:\w+\s+){1,3}by\s+(?:the\s+)?[A-ZÀ-Þ]")
_OF_ITS: Final = re.compile(r"\W*(?:its|his|her|their)\b", re.IGNORECASE)
_WRONG: Final = (
    r"(?:answers?|(?:right|correct|proper|true|actual|real|better|exact|precise)\s+(?:\w+\s+)?"
    r"(?:term|name|word|one|label|expression|concept|doctrine|case|choice|person|place|diagnosis))"
)
GOES_BACK: Final = re.compile(
    r"^\W*(?:no(?=\s*(?:[,.:;!—–]|$)|\s+(?:it|that|this|wait|the)\b)|nope|wait|actually|or(?!\s+(?:in|also|more|simply)\b)|instead|rather|sorry|correction|hmm+|oops|strictly|properly|more\s+(?:precisely|exactly|correctly|accurately))\b(?!\s+than\b)"
    r"|^\W*(?:but|however|yet|still)\b[^.;]{0,80}\b(?:it|this|that|these|those|the\s+(?:\w+\s+)?(?:term|name|word|answer|question|description|case))\s+(?:\w+\s+)?(?:is|are|was|were|has|would|could|should|might|may|does|do)\b"
    rf"|\b(?:{_WRONG}|misnomer|(?:I|we)\s+(?:meant|mean|said|was|were|forgot|overlooked|misread|confused|mixed)|my\s+(?:mistake|error|bad)|(?:this|that|it|I)\s+(?:is|was|am)\s+(?:wrong|incorrect|mistaken|false)"
    r"|(?:it|this|that)\s+(?:is|was)(?:n['’]t|\s+not)\s+(?:the\s+(?:\w+\s+)?(?:answer|term|name|case|one|word|right|correct)|what|it|right|correct|so|true)|outdated|obsolete|no\s+longer|formerly)\b|[,;]\s+(?:and\s+)?so\s+(?:it|this|that)\s+(?:is|was|must\s+be)\b|\?\s*$",
    re.IGNORECASE,
)
"""How a sentence behind the one that names something goes back on it."""
_GOES_AGAINST: Final = re.compile(
    r"^\W*(?:but|however|not)\b|,\s*(?:though|however)\s*,|\b(?:instead|wait|actually|correct|answer)\b|\b(?:is|are|was|were)\s+not\s+(?:so|true|really|quite)\b",
    re.IGNORECASE,
)
_OTHER_SECTION: Final = re.compile(
    r"\b(?:differentials?|wrong|excluded|ruled|alternatives?|hints?|questions?|topics?|title|subject|fields?|keywords?|references?|see\s+also|opposite|related|contrast|confus\w*|history|etymology|level|category|sources?"
    r"|author|date|background|option|not|similar|versus|vs|symptoms?|causes?|treatment|complications?|steps?|reasoning)\b",
    re.IGNORECASE,
)
"""Headings under which a name alone is none that was asked for."""
_VERB: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(LINKS - ALSO_NOUNS))}|has|have|had|does|do|did|can|will|must|let|see|go|take|use|say)\b"
    r"|\b\w+(?:n['’]t|['’](?:s|re|ll|ve|d))\s+(?!\w+\s*$)",
    re.IGNORECASE,
)
_ACTS: Final = re.compile(
    r"(?<=\s)(?:[a-z]+(?<!ss)(?<!us)(?<!is)(?<!ics)s(?=\s(?!of\b|and\b|or\b|in\b|for\b|with\b|at\b))|[a-z]+ed(?=\s+(?:[A-Z\d\"“\ua500-\ua5ff\ue000-\ue2ff]|(?:the|an?|his|her|its|their|by|in|on|at|to|from|for|with|it|them)\b)))"
    rf"|(?<=\s)(?:{'|'.join(sorted(IRREGULAR))})\b"
)
"""What looks like the verb of a subject."""
_NO_NAME: Final = re.compile(
    r"\W*(?:good|great|nice|interesting|excellent|tough|tricky|sure|okay|ok|right|alright|yes|no|true|false|thanks?|hello|hi|well|of\s+course|certainly|step|solution|explanation|analysis|reasoning|answer|question|problem|context|background"
    r"|overview|given|note|hint|first|second|third|finally|short|brief|not|neither|maybe|perhaps|probably|either)\b",
    re.IGNORECASE,
)
"""How a group of words begins that opens a response and names nothing."""
_ALSO: Final = re.compile(r"\W*(?:or\s+(?:in|also|more|simply)|also|in\s+[A-Z])\b", re.IGNORECASE)
"""How a second name of the same begins."""
_LINK: Final = re.compile(r"\b(?:is|are|was|were|must\s+be|has\s+to\s+be|called|known)\b|['’]s\b", re.IGNORECASE)
_THIS_IS: Final = re.compile(
    r"\W*(?:this|that)(?:\s+(?:is|was)|['’]s)\s+(?:known\s+as\s+|called\s+)?(?:the|an?)\s+(?!(?:\w+\s+)?(?:problem|question|reason|case|point|result|answer|fact|opposite|reverse|mistake|error|way)\b)(?:[\w'’-]+\s+){0,5}[\w'’-]+(?:\s+\([^()]{1,40}\))?[.!]?",
    re.IGNORECASE,
)
"""`This is the tragedy of the commons.`"""
_LINE: Final = re.compile(
    r"(?:the\s+)?(?:(?:most\s+likely|likely|final|correct|probable|legal)\s+)?(?:diagnosis|verdict|term|name|holding|doctrine|concept|case|author|theorem|principle|law|identification|conclusion|result|effect|process|word|country|city|capital|person|place|event|title|work|disease|organism|pathogen|structure|enzyme|drug|compound|element|planet|species|figure\s+of\s+speech|literary\s+device|device)\s*:\s+(?P<name>[^:;?]{2,60}?)\.?",
    re.IGNORECASE,
)
_SO_INSIDE: Final = re.compile(
    r"^[^;:?]{3,240}[,;–—]\s+(?:and\s+)?(?:so|hence|thus|therefore)\s+(?=(?:it|this|that)\s+(?:is|was|must\s+be|has\s+to\s+be)\s)(?P<said>[^;:?]*)$",
    re.IGNORECASE | re.DOTALL,
)
"""`With four of them we are one past it, so this is`: a conclusion within a sentence."""
_WHEN_SEEN: Final = re.compile(
    r"^\W*(?:so\s+)?when(?:ever)?\s+(?:you|we|one)\s+(?:see|meet|find|come\s+across)\s[^;:?]{3,160},\s+(?=the\s+[a-z]+\s+(?:is|was)\s)",
    re.IGNORECASE,
)
"""`So when you see it in a table, the symbol is`"""
_OF_PEOPLE: Final = re.compile(
    r",\s+(?:even\s+though|although|though|despite|no\s+matter|whatever)\s[^,;:?]*\b(?:people|many|most|some|others|students|everyone|everybody|plenty)\b[^,;:?]*$",
    re.IGNORECASE,
)
"""What others say, granted behind an answer."""
_IT_IS: Final = re.compile(
    r"\W*(?:it|that)(?:['’]s|\s+(?:is|was))\s+(?!(?:not|no|an?|true|clear|important|easy|hard|worth|well|known|useful|helpful)\b)",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(r"\W*(?:it|its|he|she|his|her|they|their|this|these|such|the\s+other)\b", re.IGNORECASE)
_MOST_SENTENCES, _SHORT, _NAME = 4, 600, 6
_MOST_OF_OPENER: Final = 2
"""Words of a line that only says that a summary follows."""


def telling(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The sentences that may say the answer; none where a later one goes back on it, or where none does."""
    told = tuple(each for each in ended(argument(sentences)[0]) if not _is_aside(each.text))
    if not told or CONCLUDES.match(told[-1].text) or say.STRONG.search(told[-1].text):
        return told[-1:]
    headed = _under_a_heading(sentences) or _labelled(told)
    if headed is not None:
        return (headed,) if not _gone_back(told[told.index(headed) + 1 :] if headed in told else ()) else ()
    place = _that_names(told)
    if place is None and _is_lone(told) and len(told) > 1:
        place = 0
    if place is None and len(told) > 1 and _IT_IS.match(told[0].text):
        # The answer comes first, and nothing behind it concludes.
        place = 0
    if place is not None:
        return (told[place],) if not _gone_back(told[place + 1 :]) else ()
    return _of_a_few(told)


def own_sentences(sentences: tuple[Sentence, ...]) -> list[Sentence]:
    """The sentences of the argument, without asides, headings and items of lists."""
    told = ended(argument(sentences)[0])
    return [each for each in told if not (each.heading or each.listed or _is_aside(each.text))]


def _is_aside(text: str) -> bool:
    return say.ASIDE.search(DOUBTS_FIRST.sub("", predicted(_OF_PEOPLE.sub("", text).split(";")[0]))) is not None


def predicted(text: str) -> str:
    """A sentence with `will` for the `would` of the case that the question sets, where nothing else is supposed."""
    head, mark, rest = text.partition(";")
    if "would" not in head or UNREAL.search(head):
        return text
    return PREDICTS.sub(lambda found: f"{found['subject']}will ", head) + mark + rest


def restated(text: str) -> str:
    """A sentence that names what was described as `it is …`, up to what goes on behind the name."""
    text = _CONTRACTED.sub(r"\g<it> is", _OF_PEOPLE.sub("", text))
    text = _WHEN_SEEN.sub("", text)
    inside = _SO_INSIDE.match(text)
    text = inside["said"] if inside is not None else text
    forms = (
        (_CALL, "it is called "),
        (_CALLED, "it is called "),
        (_SPEAKS, "it is called "),
        (_LEFT, "it is "),
        (_USED, "it is "),
        (_LOOKS_FOR, "it is "),
        (_WANTED, "it is "),
        (_WHEN_THIS, "it is called "),
    )
    for form, said in forms:
        found = form.match(text)
        if found is None:
            continue
        name, *behind = _REMARKED.split(text[found.end() :], maxsplit=1)
        head, mark, rest = "".join(behind).partition(";")
        further = bool(mark) and SAYS_MORE.match(f";{rest}") is None
        if (
            further
            or GOES_BACK.search(head)
            or _IN_ANOTHER_CASE.search(head)
            or _SO_BEGUN.search(_OF_WHAT.sub("", found[0]))
        ):
            break
        return said + name
    return text


_CONTRACTED: Final = re.compile(
    r"^(?P<it>\W*(?:(?:so|thus|hence|therefore|well|yes),?\s+)?(?:it|that|this|he|she|what))['’]s(?!\w)", re.IGNORECASE
)
_REMARKED: Final = re.compile(
    r",\s+(?=(?:after|who|which|where|when|because|since|as|in\s+which|named|also|or\s+(?:simply|just)|for|so|and|although|though|[a-z]+(?:ed|ing|wn|en))\b)|\s(?=(?:after|because|since|when|where|in\s+which|here|to|for\s+(?:this|that|such))\b)"
)


def _that_names(told: Sequence[Sentence]) -> int | None:
    """The place of the sentence that comes back to what was asked, or else names what was described or is left."""
    back = [
        at
        for at, each in enumerate(told)
        if ARRIVES.match(each.text)
        or (RETURNS.match(each.text) and _LINK.search(each.text))
        or (CONCLUDES.match(each.text) and len(each.text.split()) > _MOST_OF_OPENER)
        or _SO_INSIDE.match(each.text)
    ]
    if back:
        return back[-1]
    forms = (_CALLED, _CALL, _SPEAKS, _LEFT, _LOOKS_FOR, _WANTED, _ITSELF)
    naming = [at for at, each in enumerate(told) if any(form.match(each.text) for form in forms)]
    if not _STATES_FIRST.match(told[0].text):
        naming = (
            naming or []
            if _is_lone(told)
            else naming or [at for at, each in enumerate(told) if _IT_IS_CALLED.match(each.text)]
        )
        naming = naming or [at for at, each in enumerate(told) if _ends_in_a_name(told, at) and not _is_lone(told)]
    elif naming != [0]:
        return None
    return naming[0] if len(naming) == 1 else None


def _ends_in_a_name(told: Sequence[Sentence], at: int) -> bool:
    """Whether a paragraph ends in the name of what the sentence describes: `The poet who died there was`."""
    ends = all(
        told[at].paragraph != each.paragraph or (at > 1 and _GOES_ON.match(each.text)) for each in told[at + 1 :]
    )
    return ends and DESCRIBED.match(told[at].text) is not None


def _is_lone(told: Sequence[Sentence]) -> bool:
    """Whether a response begins with a name alone, before sentences about it."""
    first = told[0].text.strip(" *_")
    return (
        not first.endswith(("?", ":", ",", "!", "…"))
        and _NO_NAME.match(first) is None
        and not told[0].listed
        and is_name(first)
        and not (told[0].heading and told[1:2] and told[1].heading)
        and not any(is_name(each.text) for each in told[1:] if not each.heading and not each.listed)
    )


def is_name(text: str) -> bool:
    """Whether a sentence is a group of words without a verb."""
    verbs = (_VERB.search(text), _ACTS.search(text), _ALSO.match(text))
    return len(text.split()) <= _NAME and not any(verbs)


def _under_a_heading(sentences: Sequence[Sentence]) -> Sentence | None:
    """The line that stands alone under a heading, where there is only one such section."""
    found: list[Sentence] = []
    for at in range(len(sentences) - 1):
        heading, body = sentences[at], sentences[at + 1]
        if not heading.heading or body.heading or body.listed:
            continue
        alone = at + 2 >= len(sentences) or sentences[at + 2].heading
        if not alone or not is_name(body.text) or body.text.rstrip().endswith(("?", ":")):
            continue
        found.append(body)
        if _OTHER_SECTION.search(heading.text) or not is_sound(heading.text) or say.DENIED.search(body.text):
            return None
    return found[0] if len(found) == 1 else None


def _labelled(sentences: Sequence[Sentence]) -> Sentence | None:
    """The one line that gives its name behind a label: `Diagnosis: appendicitis`."""
    found = [each for each in sentences if (line := _LINE.fullmatch(each.text.strip())) and is_name(line["name"])]
    sound = (
        found and not _OTHER_SECTION.search(found[0].text.partition(":")[0]) and not say.DENIED.search(found[0].text)
    )
    return found[0] if len(found) == 1 and sound and len(sentences) > 1 else None


def _gone_back(later: Sequence[Sentence]) -> bool:
    return any(GOES_BACK.search(each.text) for each in later)


def _of_a_few(told: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The first of a few sentences, where the others go on about it, or the last of more."""
    told = (told[0], *(each for each in told[1:] if not begins_aside(each.text)))
    first = told[0]
    if is_name(first.text) and any(is_name(each.text) for each in told[1:]):
        return ()
    few = len(told) <= _MOST_SENTENCES and sum(len(each.text) for each in told) <= _SHORT
    goes_on = any(states(each.text) and not _speaks_of_it(each.text) for each in told[1:])
    goes_on = goes_on or _gone_back(told[1:]) or any(_GOES_AGAINST.search(each.text) for each in told[1:])
    if few and len(told) > 1 and goes_on:
        return ()
    if few and not first.heading:
        return (first,)
    short = [at for at, each in enumerate(told) if _THIS_IS.fullmatch(each.text)]
    return (told[short[0]],) if len(short) == 1 and not _gone_back(told[short[0] + 1 :]) else told[-1:]


def is_named_before(sentences: tuple[Sentence, ...]) -> bool:
    """Whether an earlier sentence than the last is the one that names what was asked for, by its form or its place."""
    told = tuple(each for each in ended(argument(sentences)[0]) if not _is_aside(each.text))
    if len(told) < 2 or CONCLUDES.match(told[-1].text) or say.STRONG.search(told[-1].text):
        return False
    headed = _under_a_heading(sentences) or _labelled(told)
    if headed is not None:
        return headed is not told[-1]
    place = _that_names(told)
    if place is not None:
        return place < len(told) - 1
    if (
        sum(
            is_name(each.text)
            for each in told
            if not each.heading and not each.listed and not _NO_NAME.match(each.text)
        )
        > 1
    ):
        return True
    if sum(any(form.match(each.text) for form in (_CALLED, _CALL)) for each in told) > 1:
        return True
    named_first = _STATES_FIRST.match(told[0].text) and any(form.match(told[-1].text) for form in (_CALLED, _CALL))
    made_first = _MADE_BY.search(told[0].text) and _OF_ITS.match(told[-1].text)
    return _is_lone(told) or bool(named_first or made_first)


def second_telling(sentences: tuple[Sentence, ...], chosen: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The only sentence of the first paragraph that says something of what the first one speaks of.

    It counts where the first sentence names nothing, and where the `chosen` one is but the last of another paragraph.
    """
    told = tuple(each for each in ended(argument(sentences)[0]) if not _is_aside(each.text))
    if len(told) < 2 or told[0].heading:
        return ()
    if chosen and chosen[0] not in (told[0], told[-1]):
        return ()
    if chosen and chosen[0] is not told[0] and is_firm(chosen[0].text):
        return ()
    about = [
        at
        for at, each in enumerate(told)
        if each.paragraph == told[0].paragraph and (_ABOUT_IT.match(each.text) or _THIS_IS.fullmatch(each.text))
    ]
    return (told[about[0]],) if len(about) == 1 and about[0] and not _gone_back(told[about[0] + 1 :]) else ()


def is_firm(text: str) -> bool:
    """Whether a sentence concludes, comes back to what was asked, or names what was described."""
    return any(form.match(text) for form in (CONCLUDES, RETURNS, ARRIVES, _CALLED, _CALL, _LEFT, _LOOKS_FOR)) or bool(
        say.STRONG.search(text)
    )


def states(text: str) -> bool:
    """Whether a clause says that something is something."""
    words = set(re.findall(r"[^\W\d_]+", text.casefold()))
    return bool(words & (LINKS - ALSO_NOUNS)) and not words & {"not", "never", "no"} and "n't" not in text


def _speaks_of_it(text: str) -> bool:
    return (
        re.match(
            r"\W*(?:it|this|that|these|they|he|she|his|her|its|their|such|the\s+\w+\s+(?:is|was)\s+(?:called"
            r"|named|also))\b",
            text,
            re.IGNORECASE,
        )
        is not None
    )
