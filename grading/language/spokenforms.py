"""What only speech says with words, in signs: clock times, powers of ten, members one by one, sums read out."""

import re
from fractions import Fraction
from typing import Final

from grading.language.figures import written
from grading.language.manners import leads_plainly
from grading.language.numerals import PARTS, WHOLE, leading, number_of

_WORD: Final = rf"(?:{'|'.join(WHOLE)})\b"
_AND: Final = r"(?:(?:(?<=hundred\s)|(?<=thousand\s))and\s+)?"
_PLAIN: Final = rf"(?:an?\s+(?=hundred|thousand|million|dozen))?{_WORD}(?:[\s-]+{_AND}{_WORD})*"
_FRACTION: Final = rf"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten)[\s-]+(?:{'|'.join(PARTS)})s?\b"
_MIXED: Final = rf"{_PLAIN}(?:\s+point(?:\s+{_WORD})+|\s+and\s+{_FRACTION})?"
_VALUE: Final = rf"(?:(?:minus|negative|plus)\s+)?(?:{_FRACTION}|{_MIXED}|[-−]?\d+(?:\.\d+)?)"
_HOUR: Final = r"(?P<{0}>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{{1,2}})"
_HALF_DAY: Final = r"(?:\s+(?P<half>in\s+the\s+(?:morning|afternoon|evening)|at\s+night|[ap]\.?m\b\.?))?"
_PAST: Final = re.compile(
    rf"\b(?:(?:an?\s+)?(?P<quarter>quarter)|(?P<halfpast>half)|(?P<minutes>{_PLAIN}|\d{{1,2}})(?:\s+minutes?)?)\s+(?P<way>past|after|to|before|till)\s+"
    rf"(?:{_HOUR.format('hour')}(?!\s+(?:o['’]clock\s+)?(?:hundred|thousand))|(?P<noon>noon|midday|midnight))\b(?:\s+o['’]clock)?{_HALF_DAY}",
    re.IGNORECASE,
)
_SHARP: Final = re.compile(
    rf"\b{_HOUR.format('hour')}(?:\s+o['’]clock(?P<sharp>)|[\s-]+(?P<minutes>(?:ten|fifteen|twenty|thirty|forty|fifty)(?:-?(?:one|two|three|four|five|six|seven|eight|nine))?))?{_HALF_DAY}",
    re.IGNORECASE,
)
_POWER_OF_TEN: Final = re.compile(
    rf"(?P<front>{_VALUE})\s+(?:times|by|x|×)\s+(?:ten|10)\s+to\s+the\s+(?:power\s+(?:of\s+)?)?(?P<sign>(?:minus|negative)\s+)?(?P<power>[a-z]+(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine|first|second|third|[a-z]+th))?|\d+)(?:th|st|nd|rd)?(?:\s+power)?\b",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    rf"\b(?P<name>[a-zA-Z])\s+(?:is|equals|being|=)\s+(?:equal\s+to\s+|just\s+)?(?P<value>{_VALUE})(?=\s*(?:[,.;!]|$|(?:and|while|with)\b))"
)
_SO_DOES: Final = re.compile(
    rf"^(?P<one>{_VALUE})\s+(?P<verb>works?|does|fits?|is|do(?:es)?\s+(?:it|the\s+(?:job|trick))|solves?\s+it|qualifies)\s*,?\s+and\s+so\s+(?:does|do|is)\s+(?P<two>{_VALUE})[\s.!]*$",
    re.IGNORECASE,
)
_EITHER_SIGN: Final = re.compile(
    rf"^(?P<lead>.{{0,60}}?)\b(?:plus\s+(?:or|and)\s+minus)\s+(?P<value>{_VALUE})[\s.!]*$", re.IGNORECASE
)
_SUMMED: Final = re.compile(
    rf"^(?P<first>{_VALUE})(?P<more>(?:\s+(?:plus|minus|times|divided\s+by|and)\s+{_VALUE})+)\s*,?\s+(?:gives?(?:\s+(?:you|us|me))?|is|are|makes?|equals?|comes?\s+to)\s+(?P<end>{_VALUE})(?P<noun>\s+[a-z%°]+)?[\s.!]*$",
    re.IGNORECASE,
)
_STEP: Final = re.compile(rf"\s+(?P<sign>plus|minus|times|divided\s+by|and)\s+(?P<value>{_VALUE})", re.IGNORECASE)
_POINT: Final = re.compile(
    rf"^(?P<lead>[^,;:\d]{{0,60}}?\b(?:at|is|in)\s+)?(?:the\s+)?(?:(?:point|origin|pair|vertex)\s+)?(?P<x>{_VALUE})\s*,\s*(?P<y>{_VALUE})(?:\s*,\s*(?P<z>{_VALUE}))?[\s.!]*$",
    re.IGNORECASE,
)
_TUPLE: Final = re.compile(r"\s*\(?\s*\([^()]+,[^()]+\)\s*\)?\s*")
_PLUS: Final = re.compile(rf"^plus\s+{_VALUE}[\s.!]*$", re.IGNORECASE)
_SIGNED: Final = re.compile(
    rf"\b(?:(?:minus|negative)\s+)?{_MIXED}(?![\s-]+(?:of\s|{'|'.join(PARTS)})|-?\w)",
    re.IGNORECASE,
)
_IN_BOTH: Final = re.compile(r"^[A-Za-z][^\d]*,?\s+(?:or|i\.\s?e\.,?|that\s+is,?)\s+\d")
"""`Eleven hundred watts, or 1.1 kilowatts`"""
_WORKED: Final = re.compile(
    r"\b(?:plus|times|over|doubled?|halved?|tripled?|squared?|cubed?|twice|half|divided|multiplied|root|factorial|power)\b",
    re.IGNORECASE,
)
"""Words of an operation, whose numbers stay in words."""
_OPERAND: Final = re.compile(rf"{_WORD}|[A-Za-z]|squared|cubed|pi", re.IGNORECASE)
"""Before `minus` it is an operation."""
_TWICE_PER: Final = re.compile(r"\bper\s+second,?\s+(?:per|every|each|and)\s+second\b", re.IGNORECASE)
_TO_EACH: Final = re.compile(
    r"(?<=[a-z]\s)to\s+(?:the|an?|each|every)\s+(?=(?:mole|litre|liter|gallon|hour|minute|second|metre|meter|kilogram|kilo|gram|day)\W*$)",
    re.IGNORECASE,
)
_PART_OF: Final = re.compile(
    rf"^(?P<part>{_FRACTION})\s+of\s+(?:an?|one|the)\s+(?P<noun>[a-z]{{3,}})[\s.!]*$", re.IGNORECASE
)
_MANY: Final = {
    "half a dozen": 6,
    "a baker's dozen": 13,
    "a gross": 144,
    "a score": 20,
    "a pair": 2,
    "a couple": 2,
    "a brace": 2,
    "a trio": 3,
    "a quartet": 4,
    "a quintet": 5,
}
_MANY_OF: Final = re.compile(
    rf"^(?P<many>{'|'.join(_MANY)})(?:\s+of)?\s+(?P<noun>[a-z]+(?:\s[a-z]+)?)[\s.!]*$", re.IGNORECASE
)
_MOVED: Final = re.compile(
    rf"^[^,;:\d]{{0,30}}?\b(?:down|lower|falls?|fell|fallen|drops?|dropped|shrinks?|shrank|sinks?|sank|decreases?d?|loses|lost)\s+(?:overall\s+)?(?:by\s+)?(?P<by>{_VALUE})\s*(?:%|per\s?cent)[\s.!]*$",
    re.IGNORECASE,
)
"""`it's down by one per cent` beside a change with its sign"""
_OUT_OF: Final = re.compile(
    rf"^(?P<one>{_VALUE})(?P<noun>(?:\s+[a-z]+){{0,3}})\s+out\s+of\s+(?:the\s+|a\s+possible\s+)?{_VALUE}(?:\s+[a-z]+){{0,2}}[\s.!]*$",
    re.IGNORECASE,
)
_SCORES: Final = re.compile(r"\b(?:scores?|points?|marks?|goals?)\b", re.IGNORECASE)
_BELOW: Final = re.compile(rf"^(?:it['’]s\s+)?(?P<value>{_VALUE})\s+(?:degrees\s+)?below[\s.!]*$", re.IGNORECASE)
_TEMPERATURE: Final = re.compile(r"\b(?:temperature|thermometer|Celsius|Fahrenheit)\b", re.IGNORECASE)
_NEXT: Final = re.compile(rf"^(?P<value>{_VALUE})\s+(?:comes|is|follows|goes)\s+next[\s.!]*$", re.IGNORECASE)
_MONTH: Final = r"(?P<month>January|February|March|April|May|June|July|August|September|October|November|December)"
_DAY: Final = re.compile(
    rf"\b(?:the\s+)?(?P<day>(?:twenty|thirty)?-?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth|[a-z]+teenth|twentieth|thirtieth)\s+(?:of\s+)?{_MONTH}\b",
    re.IGNORECASE,
)
_YEARS: Final = re.compile(
    r"\b(?P<front>ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)[\s-]+"
    r"(?:(?:oh|o)[\s-](?P<small>one|two|three|four|five|six|seven|eight|nine)"
    r"|(?P<rest>(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?|ten|eleven|twelve|[a-z]+teen))(?![\s-]*(?:hundred|thousand|million))\b",
    re.IGNORECASE,
)
"""`nineteen sixty-nine`"""
_NOT_THEN: Final = re.compile(
    r"\b(?:before|after|by|until|till|since|not|never|or|between|around|about|if|unless|but|than|early|late|might|maybe|perhaps|following|previous|said|claims?|no)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_DIGIT: Final = r"(?:oh|o|zero|nought|one|two|three|four|five|six|seven|eight|nine)"
_SPELT: Final = re.compile(
    rf"\b{_DIGIT}(?:(?:\s|-|,\s){_DIGIT}){{2,11}}\b(?!\s+(?:hundred|thousand|point))", re.IGNORECASE
)
"""A code that is read out digit by digit: `four-oh-four`."""
_EACH: Final = re.compile(
    r"(?:(?<=[a-z]\s)(?:in\s+)?(?:every|each)\s+(?:single\s+)?|(?<=s\s)an?\s+)(?=(?:second|minute|hour|day|week|month|year|kilogram|metre|meter|mole|litre|liter)\W*$)",
    re.IGNORECASE,
)
_EVEN: Final = re.compile(
    r"^(?:an?|some)\s+(?:even|round|clean|cool|full|whole|neat|flat|mere|measly|good|straight|tidy|nice|plain|solid|handsome)\s+(?=(?:hundred|thousand|million|dozen|score)\b)",
    re.IGNORECASE,
)
_ORDINAL: Final = re.compile(
    r"^(?:it\s+(?:is|was)\s+|in\s+)?the\s+(?P<ordinal>[a-z]+(?:-[a-z]+)?|\d{1,2}(?:st|nd|rd|th))\s+(?P<noun>century|floor|place|term|period|group|position|day|month|week|row|letter|power|harmonic|grade)\b[\s.!]*$",
    re.IGNORECASE,
)
_DAY_PARTS: Final = {"morning": "am", "afternoon": "pm", "evening": "pm", "night": "pm"}


def in_signs(text: str, gold: str, question: str) -> str:
    """A short text with what it says in words of speech in signs; as it is where nothing of the kind stands there."""
    if ":" in gold and re.search(r"\d:\d\d", gold):
        return _clock(text, question)
    if _PLUS.match(text):
        return f"+{_figure(text.strip(' .!'))}"
    text = _TO_EACH.sub("per ", _EACH.sub("per ", text))
    text = _digits(text, gold, question)
    counted = _counted(text, gold, question)
    if counted is not None:
        return counted
    text = _POWER_OF_TEN.sub(_power, text)
    summed = _SUMMED.match(text)
    if summed is not None:
        return _sum(summed) or text
    so_does = _SO_DOES.match(text)
    if so_does is not None:
        return f"{_figure(so_does['one'])} and {_figure(so_does['two'])}"
    signed = _EITHER_SIGN.match(text)
    if signed is not None and re.search(r"[{,±]|\bor\b", gold):
        return f"{signed['lead']}±{_figure(signed['value'])}"
    text = _NAMED.sub(lambda found: f"{found['name']} = {_figure(found['value'])}", text)
    text = re.sub(r"(?<=\d)\s+(?:while|with)\s+(?=[a-z] = )", ", ", text)
    return _placed(text, gold, question)


def _counted(text: str, gold: str, question: str) -> str | None:
    """A count, a share of what the question names, or a change with its sign; None of other texts."""
    below = _BELOW.match(text) if _TEMPERATURE.search(question) else None
    if below is not None:
        return f"-{_figure(below['value'])}"
    part = _PART_OF.match(text) if re.search(r"[/.]", gold) else None
    if part is not None and part["noun"].lower().rstrip("s") in question.lower():
        return _figure(part["part"])
    many = _MANY_OF.match(text)
    if many is not None and gold.strip(" $").isdigit():
        return f"{_MANY[' '.join(many['many'].lower().split())]} {many['noun'] or ''}".strip()
    moved = _MOVED.match(text) if gold.lstrip(" $").startswith(("-", "−")) and "chang" in question else None
    if moved is not None:
        return f"-{_figure(moved['by'])}%"
    points = _OUT_OF.match(text) if gold.strip(" $").isdigit() and _SCORES.search(question) else None
    if points is not None:
        return f"{_figure(points['one'])}{points['noun'] or ''}"
    return None


def _placed(text: str, gold: str, question: str) -> str:
    """The same of what has a place: what comes next, a date, a point, an ordinal number."""
    coming = _NEXT.match(text) if "next" in question else None
    if coming is not None:
        return _figure(coming["value"])
    text = _DAY.sub(_day, text) if re.search(r"\d\s+[A-Z][a-z]{2}|[a-z]\s+\d", gold) else text
    point = _POINT.match(text) if _TUPLE.fullmatch(gold) else None
    if point is not None:
        return f"({', '.join(_figure(point[axis]) for axis in 'xyz' if point[axis])})"
    ordinal = _ORDINAL.match(text) if gold.strip().isdigit() else None
    if ordinal is not None and ordinal["noun"].lower() in question.lower():
        number = number_of(ordinal["ordinal"]) if ordinal["ordinal"].isalpha() or "-" in ordinal["ordinal"] else None
        return written(number) if number is not None else re.sub(r"\D", "", ordinal["ordinal"]) or text
    return _in_figures(_EVEN.sub("a ", text), listed="{" in gold)


def _day(found: re.Match[str]) -> str:
    day = number_of(found["day"])
    return f"{written(day)} {found['month']}" if day is not None else found[0]


def _digits(text: str, gold: str, question: str) -> str:
    """A text with a year, or with a code that is read out digit by digit, in figures beside a gold that is one."""
    plain = gold.strip(" $")
    if not plain.isdigit():
        return text
    if len(plain) == 4 and not _NOT_THEN.search(text) and re.search(r"\byear\b|\bwhen\b", question, re.IGNORECASE):
        years = {_year(found) for found in _YEARS.finditer(text)}
        if len(years) == 1:
            return years.pop()
    if len(plain) > 2 and re.search(r"\b(?:code|digits?|bits?|binary|number|sequence|pin)\b", question, re.IGNORECASE):
        return _SPELT.sub(
            lambda found: "".join(_digit(each) for each in re.findall(_DIGIT, found[0], re.IGNORECASE)), text
        )
    return text


def _year(found: re.Match[str]) -> str:
    rest = found["small"] or found["rest"]
    return f"{_figure(found['front'])}{int(number_of(rest) or 0):02}"


def _digit(word: str) -> str:
    return "0" if word.lower() in ("o", "oh", "zero", "nought") else _figure(word)


def twice_per(text: str) -> str:
    """A text with an acceleration in the unit that is used for it: `five metres per second, every second`."""
    return _TWICE_PER.sub("per second squared", text) if "second" in text else text


def _in_figures(text: str, *, listed: bool) -> str:
    """A text without figures with its number words in figures; `one` and `zero` only where a list may be meant."""
    if _WORKED.search(text):
        return text
    if re.search(r"[\d$\\]", text):
        return leading(text) or text if _IN_BOTH.search(text) else text

    def told(found: re.Match[str]) -> str:
        before = text[: found.start()].rstrip().rpartition(" ")[2]
        if re.match(r"(?:minus|negative)\b", found[0], re.IGNORECASE) and _OPERAND.fullmatch(before):
            return found[0]
        return found[0] if found[0].lower() in ("one", "zero") and not listed else _figure(found[0])

    return _SIGNED.sub(told, text)


def _figure(text: str) -> str:
    """A number in words in figures; other words as they stand."""
    sign = "-" if re.match(r"(?:minus|negative)\s", text, re.IGNORECASE) else ""
    plain = re.sub(r"^(?:minus|negative|plus)\s+", "", text.strip(), flags=re.IGNORECASE)
    value = Fraction(plain.replace("−", "-")) if re.match(r"[-−]?\d", plain) else number_of(plain)
    return sign + written(value) if value is not None else text


def _power(found: re.Match[str]) -> str:
    power = found["power"] if found["power"].isdigit() else None
    spoken = number_of(found["power"]) if power is None else None
    power = power or (written(spoken) if spoken is not None and spoken.denominator == 1 else None)
    return f"{_figure(found['front'])}*10^{{{'-' if found['sign'] else ''}{power}}}" if power else found[0]


def _sum(found: re.Match[str]) -> str | None:
    """`four plus ten gives fourteen` as an equation; None where a word is no number."""
    signs = {"plus": "+", "and": "+", "minus": "-", "times": "*"}
    steps = [
        f" {signs.get(step['sign'].lower(), '/')} {_figure(step['value'])}" for step in _STEP.finditer(found["more"])
    ]
    chain = f"{_figure(found['first'])}{''.join(steps)} = {_figure(found['end'])}"
    return f"{chain}{found['noun'] or ''}" if not re.search(r"[a-z]", chain) else None


def _clock(text: str, question: str) -> str:
    """A time of day in words as `4:10 pm`, where the text has one only."""
    found = list(_PAST.finditer(text))
    pattern = _past
    if not found:
        found = [each for each in _SHARP.finditer(text) if each["sharp"] is not None or each["minutes"] or each["half"]]
        pattern = _sharp
    if len(found) != 1:
        return text
    said = pattern(found[0])
    if said is None:
        return text
    alone = leads_plainly(text[: found[0].start()], question) and not text[found[0].end() :].strip(" .!")
    return said if alone else f"{text[: found[0].start()]}{said}{text[found[0].end() :]}"


def _hour(text: str) -> int:
    return int(text) if text.isdigit() else int(number_of(text) or 0)


def _past(found: re.Match[str]) -> str | None:
    minutes = 15 if found["quarter"] else 30 if found["halfpast"] else _hour(found["minutes"])
    back = found["way"].lower() in ("to", "before", "till")
    if not 0 < minutes < 60 or (found["halfpast"] and found["way"].lower() != "past"):
        return None
    if found["noon"]:
        total = (0 if found["noon"].lower() == "midnight" else 720) + (-minutes if back else minutes)
        return f"{total % 1440 // 60:02}:{total % 60:02}"
    return _said(60 * _hour(found["hour"]) + (-minutes if back else minutes), found["half"])


def _sharp(found: re.Match[str]) -> str | None:
    minutes = int(number_of(found["minutes"]) or 0) if found["minutes"] else 0
    return _said(60 * _hour(found["hour"]) + minutes, found["half"])


def _said(total: int, half: str | None) -> str | None:
    if not 0 < total < 13 * 60:
        return None
    hour, minute = total // 60 or 12, total % 60
    word = re.sub(r"[\s.]", "", half.lower().rpartition(" ")[2]) if half else ""
    word = _DAY_PARTS.get(word, word)
    if half and half.lower().endswith("night") and (hour < 6 or hour == 12):
        word = "am"
    return f"{hour}:{minute:02} {word}".strip()
