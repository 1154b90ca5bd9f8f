"""What stands under a heading that names the answer."""

import re
from typing import Final

from grading.language.numerals import number_of
from grading.language.responses import changing
from grading.language.responses import vocabulary as say
from grading.language.responses.corrected import without_correction
from grading.language.responses.segments import MARK, Sentence
from grading.language.responses.verbs import VERB

HEADING: Final = re.compile(
    r"^\W*(?:the\s+)?(?:(?:final|correct|short|my|exact|numerical|complete|overall)\s+)*(?:(?:answer|result|solution)s?(?:\s+set)?"
    r"(?:\s+to\s+(?:the|this|your)\s+(?:question|problem|exercise))?|conclusion|(?:expected\s+|program\s+)?output|antwort|lösung"
    r"|réponse|respuesta|resposta|risposta|答案|答え|ответ|الجواب)\W*$",
    re.IGNORECASE,
)
SOUND_NAME: Final = re.compile(
    r"(?!.*\b(?:case|step|part|note|check|remark|hint|given|example|estimate|guess|bound|attempt|input|data"
    r"|known|lemma|theorem"
    r"|question|problem|confidence|difficulty|points|first|second|third|intermediate|initial|previous|option"
    r"|choice|recall|source"
    r"|warning|chapter|lines?\s+of|failed|left|ruled|excluded|limit|classmate|friend|student|teacher|colleague"
    r"|their|his|her|someone|key"
    r"|skipped|missing|lost|wasted|unused|year|time\s+taken|page"
    r"|equation(?!\s+of)|formula(?!\s+(?:of|for))|(?<!tangent )(?<!normal )(?<!straight )line(?!\s+(?:in"
    r"|through|with|of)\b)"
    r"|wrong|naive|version|old|draft)\b)",
    re.IGNORECASE,
)
"""What a line may not be headed by whose value is to be the answer."""
OTHER_NAME: Final = re.compile(
    r"\b(?:at\s+(?:most|least)|(?:upper|lower)\s+(?:bound|limit|estimate)|bounds?|half|twice|doubled?"
    r"|squared?(?!\s+(?:root|matrix))|cubed?"
    r"|reciprocal|inverse|negative|opposite|instead|rather|other|another|than|if|when|unless|without"
    r"|approximately|less|more|than)\b",
    re.IGNORECASE,
)
"""Words in the name of a line with which its value is that of another thing, or a bound."""
_COUNTED: Final = re.compile(
    rf"(?P<count>{MARK}|\d[\d,]*)\s+(?!(?:times|halves|thirds|quarters|fifths|tenths|dozens|pairs|hundreds|thousands|millions|billions"
    rf"|digits|less|plus|minus|equals|is|was|has|does|percents?|units)\b)[a-z]+s\s+(?:(?!(?:if|unless|or|but|more|less|fewer|than|too|short)\b)[a-z]+\s+){{0,5}}[a-z]+\.?"
)
_IN_WORDS: Final = re.compile(
    r"\W*(?P<words>[A-Za-z]+(?:[- ][A-Za-z]+)?)(?=\s*[,;—–-]\s|\s*\(|\s+(?:because|since|as)\b)"
)
_LAST_BRACKET: Final = re.compile(r"\s\([^()]*\)[\s.*]*$")


def from_heading(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The sentences from the last heading on that names the answer: what stands before it is the way to it."""
    places = [place for place, each in enumerate(sentences[:-1]) if HEADING.match(each.text)]
    return sentences[places[-1] :] if places and sentences[places[-1]].heading else sentences


def under_heading(text: str) -> str | None:
    """The value of a sentence under a heading that names the answer, where it is said of what is counted."""
    counted = _COUNTED.fullmatch(text.strip())
    return counted["count"] if counted is not None else None


def without_last_bracket(text: str) -> str:
    """A sentence without the remark in brackets that ends it."""
    return _LAST_BRACKET.sub("", text)


def leading_in_digits(text: str) -> str:
    """A text that begins with a number in words before a reason or a bracket, with its digits: `Zero, because …`."""
    found = _IN_WORDS.match(text)
    number = number_of(found["words"]) if found is not None else None
    return text if found is None or number is None else f"{number}{text[found.end('words') :]}"


def is_sound(heading: str) -> bool:
    """Whether a value alone under a heading may be the answer: not under `Estimate`, `Check`, `Upper bound`."""
    name = f"{heading.strip(' *:')}: "
    others = OTHER_NAME.search(name) or say.ASIDE.search(name) or say.NOT_STATED.match(name)
    return SOUND_NAME.match(name) is not None and others is None


_LONGEST_FRAGMENT: Final = 80
_ASKS: Final = re.compile(
    r"\W*(?:(?:is|are|was|were|do|does|did|can|could|would|should|will|might|may|shall)\s+(?:it|this|that|they|we|i|you|there|the)\b|(?:if|whether|perhaps|maybe|possibly|not|never)\b)[^.!?]*$"
    r"|.*\b(?:not|never|n['’]t)(?:\s+\w+)?\W*$|.*\b(?:could|might|may|would|seems\s+to|appears\s+to)\s+(?:well\s+|perhaps\s+)?(?:be|equal)\W*$",
    re.IGNORECASE,
)


def hangs(line: Sentence) -> bool:
    """Whether a line before a last one is the beginning of what that one ends: `Half of`, `Is it`, `Not this:`."""
    return _leads_on(line.text.strip(" *_"))


def leads_astray(text: str) -> bool:
    """Whether the line before the last is the beginning of what the last one ends."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and _leads_on(lines[-2].strip(" *_"))


def _leads_on(text: str) -> bool:
    begun = not re.search(r"[.!?]$", text) and len(text) < _LONGEST_FRAGMENT
    return begun and (changing.BEFORE.search(f"{text.rstrip(':')} ") is not None or _ASKS.match(text) is not None)


HEADED_LINE: Final = re.compile(
    r"^(?P<name>[A-Z][\w\s'’(),\ue000-\ue2ff-]{1,69}(?:[a-zA-Z)\ue000-\ue2ff]|\b(?:of|for|from|between|below|dividing)\s+\d{1,9}))"
    r":\s+(?P<value>\S.*)$",
    re.DOTALL,
)


_MANNER: Final = re.compile(
    r"^[\W_]*(?P<how>(?:by|using|from|with|via|through|(?!(?:assum|suppos|guess|imagin|pretend|ignor|neglect|forgett|omitt|exclud|skipp|miss|remain|start|open"
    r"|clos|exist|follow|preced|outstand|accord|estimat|noth|someth|everyth|anyth|interest|warn|mean|head|rul|reject|discard|eliminat|bound)ing\b)[a-z]{3,}ing)\b"
    r"(?:[^:.?!\n\ue000-\ue2ff]|\.(?=\d)){0,80}?(?:\s\$?[a-zA-Z]\$?\s*=\s*[\w.]{1,8})?)(?<!\s):\**\s+(?=\S)",
    re.IGNORECASE,
)
_UNTRUSTED: Final = re.compile(
    r"\b(?:mistakes?|accident|error|guess\w*|luck|chance|default|keys?|books?|notes|memory|rumou?rs?|hearsay|the\s+(?:hint|question|problem|start|beginning)|contrast|comparison|now|far)\b",
    re.IGNORECASE,
)
"""What no value comes from that is worked out."""


_GUESSED: Final = re.compile(
    r"^[\W_]*(?:before|without|unless|except|guessing|estimating|forgetting|omitting|skipping|imagining|pretending)\b[^:?!\n]{0,60}:\s",
    re.IGNORECASE,
)
"""A head whose value is none of the result's: `Before doubling: 12`."""


def _from_elsewhere(text: str) -> bool:
    """Whether a value comes from where none is worked out: `By mistake: 12`, `From memory: 12`."""
    found = _MANNER.match(text)
    return found is not None and _UNTRUSTED.search(found["how"]) is not None


def without_manner(text: str) -> str:
    """A line without the words before its colon that only say how its value was found: `Dividing by 3.6: 20 m/s`."""
    found = _MANNER.match(text) if ":" in text and "\n" not in text.strip() else None
    if found is None:
        return text
    unsound = (_UNTRUSTED, OTHER_NAME, changing.AROUND, changing.REPORTERS, say.DENIED, say.DOUBTED, say.REPORTED)
    return text if any(words.search(found["how"]) for words in unsound) else text[found.end() :]


_BESIDE: Final = re.compile(
    r"(?:expected|seed|input|target|goal|(?:partial|intermediate|preliminary|provisional|tentative|random|various)\s+\w+|(?:some|any)\s+(?:numbers?|values?|guess\w*))",
    re.IGNORECASE,
)
"""Names of what is none of a result: `Partial sum`, and of what was to come out."""


def names_another(text: str) -> bool:
    """Whether a line is headed by the name of something that is not asked for: `Estimate: 5`, `Attempts left: 5`."""
    if without_manner(text) != text:
        return False
    if "\n" not in text and ":" in text and (_GUESSED.match(text) or _from_elsewhere(text)):
        return True
    text = without_correction(text) if text[:6].lower().startswith(("not ", "so not")) else text
    found = HEADED_LINE.match(text.strip("* ")) if "\n" not in text and ":" in text else None
    name = found["name"] if found is not None and not say.STRONG.search(found["value"]) else ""
    return (
        bool(name)
        and VERB.search(name) is None
        and not (SOUND_NAME.match(name) and not say.NOT_STATED.match(f"{name}:") and not _BESIDE.fullmatch(name))
    )
