"""What a last statement points at, in bold or behind `Answer:`: golds that are words, dates, times or formulae."""

import re
from collections.abc import Callable
from functools import lru_cache

from grading.equivalence.finding import Finding, different, equal, unknown
from grading.language import formulae, words
from grading.language.responses import tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.corrections import taken_back
from grading.language.responses.spoken import stemmed
from grading.matching.calendar import Day, day, find_days, same_day

_SHORT = 80
_BOLD = re.compile(r"\*\*([^*\n]{1,120})\*\*")
_QUOTED = re.compile(
    r"(?<![\w*])\*([^*\s][^*\n]{0,78}?)\*(?![\w*])|(?<!\w)_([^_\s][^_\n]{0,78}?)_(?!\w)|[“„]([^“”„\n]{1,80})[”“]|«\s*([^«»\n]{1,80}?)\s*»|\"([^\"\n]{1,80})\""
)
"""A part in italics or between quotation marks."""
_SAID_IN = re.compile(
    r"(?:^\W*|\b(?:is|was|are|called|titled|entitled|named|est|ist|es|é|è|heißt|s['’]intitule|['’]s)\s*|:\s*"
    r"|^(?!.*\b(?:as|and|than|anything|nothing|like)\b)[^,;:]{0,80}\b(?:is|was|are|were|comes?|came|stems?|originates?|appears?|occurs?|taken|found|wrote|written|said|spoken|quoted?"
    r"|lines?|set|plays?)\b[^,;:]{0,40}\b(?:in|from)\s*)(?:(?:the|an?|la|le|der|die|das|el)\s+(?:\w+\s+)?)?$",
    re.IGNORECASE,
)
"""What stands before a title that a sentence names."""
_OF_ANOTHER = re.compile(
    r"\b(?:author|writer|creator|hero|composer|painter|director|sequel|prequel|different|far|away|apart|older|newer|later|earlier|similar|inspired|adapted|influenced|borrowed"
    r"|imitat\w+|parod\w+|other|unlike|pupil|student|teacher|successor|predecessor|fan|title|translation|version|word|letters?|meaning|absent|missing|out)\b",
    re.IGNORECASE,
)
"""Words with which a title in a sentence only belongs to what is spoken of."""
BELONGS = re.compile(
    r"\b(?!(?:city|town|village|state|country|kingdom|republic|island|element|planet|month|year|day|name|title|title|case|law|theorem|principle|method|process|field|type|kind|form|choice"
    r"|colou?r|class|battle|treaty|river|lake|mount|house|university|sea|ocean|isle|deficiency|lack|shortage|crime|tort|plea|verdict|writ|doctrine|is|was|are|consists?|made|composed)\b)[a-z]+\s+of\s+(?:the\s+)?$",
    re.IGNORECASE,
)
"""What stands before a name that only belongs to another thing: `the sister of`."""
_WHO = re.compile(r"^\s*,\s+(?:who|whose|which|where)\s+[^;:?]{3,160}$")
_EXPLAINED = re.compile(r"^\s*(?::|,\s+with)\s+(?!(?:not|no|wrong\w*|false\w*|rejected|excluded)\b)[a-z][^?]{6,200}$")
_NAMED_TOO = re.compile(r"^\s*\((?!(?:no|nope|not|or|wrong|maybe|formerly|was|actually|rather)\b)[^()?]{1,80}\)")
_APPOSED = re.compile(
    r"^\s*,\s+(?!(?:sometimes|formerly|previously|once|partly|usually|often|sort|kind|or|then)\b)(?:[\w'’-]+\s+){0,6}[\w'’-]+\W*$"
)
_FORMULA = re.compile(r"\$([^$\n]{1,80})\$")
_NAMES_IT = re.compile(r"(?:\b(?:is|called)|:|\bis\s+(?!not\b)[a-z][\w()\s-]{2,40},)\s*$", re.IGNORECASE)
"""Before the formula of what is asked for: `The compound is`."""
_LABEL = re.compile(
    r"^\W*(?:(?:final|short|correct)\s+)?answer\W*$|^\W*(?:final\s+|correct\s+)?answer\s*:\W*", re.IGNORECASE
)
_REASON = re.compile(
    r"^\W*(?:because|since|as)\b(?:(?!\*\*)[^.;]){1,160},|[,;]?\s+(?:because|since|as|due\s+to|denn|weil|car|porque)\s.*$",
    re.IGNORECASE | re.DOTALL,
)
"""Clauses of reason: a denial in one of them denies nothing of the answer."""
_CHANGED = re.compile(
    r"\b(?:not|never|no|nor|neither|if|unless|or|would|could|might|may|almost|opposite|but|except|only|seems?|looks?"
    r"|appears?|however|although|maybe|perhaps|possibly|probably|unlike|instead|rather|than|converse|negation|false"
    r"|(?:rul(?:e|es|ed|ing)\s+out|reject\w*|exclud\w*|eliminat\w*|discard\w*|dismiss\w*|cross(?:ed)?\s+out)(?=\W[^,;]*$)"
    r"|wrong|incorrect|before|after|until|between|around|about|earliest|latest|wait|actually|sorry|guess|student"
    r"|claims?|says?|said|suppose|when|nicht|pas|kein\w*|sino|sondern|mais|aber|pero)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_BY = re.compile(r"\bby\b", re.IGNORECASE)
_TAIL = re.compile(
    r"\W*$|\s*\((?!(?:no|nope|not|or|wrong|maybe|actually|rather)\b)[^()]{1,80}\)\W*$"
    r"|,?\s+(?:on|in|of|for\s+all|everywhere|throughout|over|at|hybridi[sz]ed|game|triangle|curve|function|the\s+game)\b"
    r"|\s*,\s+(?:the|an?|also|known|called|i\.e\.)\s",
    re.IGNORECASE,
)
_PREDICATED = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|comes?|goes|increases?|decreases?|increasing|decreasing|diverges?|converges?"
    r"|and|then|while|whereas|so|next|second)\b|;",
    re.IGNORECASE,
)
_WINS = re.compile(
    r"\s+(?:wins?|will\s+win|has\s+(?:a|the)\s+winning\s+strategy|can\s+(?:always\s+)?win)(?:\s+the\s+game)?$"
)
_ALIAS = re.compile(
    r"\s*\((?!(?:no|nope|not|or|wrong|maybe|actually|rather)\b)[^()]{1,80}\)$|,\s+(?:also\s+known\s+as|called)\s.{1,60}$"
)
_TRUTHS = {
    **dict.fromkeys(("yes", "oui", "ja", "sí", "si", "sim", "да", "是", "はい"), "yes"),
    **dict.fromkeys(("no", "non", "nein", "não", "nee", "нет", "否", "いいえ"), "no"),
}
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_MONTHS = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_FULL_DATE = re.compile(
    rf"\bon\s+(?:the\s+)?(?:\w+day,?\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTHS},?|{_MONTHS}\s+\d{{1,2}}(?:st|nd|rd|th)?,?)\s+([12]\d{{3}})(?!\d)"
)
_ERA = r"(?:A\.?\s?D\.?|B?\.?\s?C\.?(?:\s?E\.?)?)"
_DATED = re.compile(rf"(?:A\.?\s?D\.?\s?\d{{1,4}}|\d{{1,4}}\s?{_ERA})", re.IGNORECASE)
_CENTURIES = {
    **{
        f"{word}teenth": f"{place}th"
        for place, word in enumerate(["thir", "four", "fif", "six", "seven", "eigh", "nine"], 13)
    },
    "twelfth": "12th",
    "twentieth": "20th",
    "twenty-first": "21st",
}
_CENTURY = re.compile(
    rf"\W*(?:(?:it\s+was\s+)?(?:in|during)\s+)?(?:the\s+)?(?P<which>[a-z-]{{5,14}}|\d{{1,2}}(?:st|nd|rd|th)|[12]\d\d0s)(?:(?<=0s)|\s+century(?P<era>\s{_ERA})?)\W*",
    re.IGNORECASE,
)
_AT_THE_TIME = re.compile(
    r"(?<=\d),?\s+(?:(?:just|shortly|immediately|soon|only|\w+\s+(?:days?|weeks?|months?|hours?|years?))\s+)?(?:after|before|when|while|during|as)\s(?![^.;?]*\b(?:not|never|if|unless|but|would|wrong)\b)[^\d;?]*$",
    re.IGNORECASE,
)
"""What else happened, behind a date: `, two days after the election`."""
_IN_THE_YEAR = re.compile(
    rf"\W*(?:(?:it|this|that|he|she|they)\s+)?(?:(?:was|were|is)\s+)?(?:[a-z]{{2,12}}(?:ed|en|rn)\s+)?(?:back\s+)?(?:in\s+)?(?:the\s+)?(?:year\s+(?:of\s+)?)?(?:{_MONTHS}\s+)?"
    rf"(?P<before>A\.?\s?D\.?\s+)?(?P<year>\d{{1,4}})(?P<era>\s?{_ERA})?(?:,?\s+(?:by\s+(?-i:[A-Z])[^\d,;:?]{{2,60}}|\([^()\d?]{{2,60}}\)))?\W*",
    re.IGNORECASE,
)
"""`In 1869.`, `Published in May 1869 by Mendeleev`, `the year 44 BC`"""
_NEAR_DATE = re.compile(r"\b(?:after|before|until|till|since|later|earlier|anniversary|years?|or)\b", re.IGNORECASE)
_PARTICLES = frozenset({"si", "no", "non"})
"""Words of truth that stand in sentences besides."""
_TRUTH = re.compile(rf"\W*({'|'.join(_TRUTHS)})\W*?(?:[,.;:!—–，。]|\*\*|$)", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"\b(?:but|however|actually|wait|unless|if|although|except|only|mais|aber|pero|sauf|außer|wenn|falls|si|mas|sino"
    r"|sondern|jedoch|cependant|in\s+fact|would\s+seem|provided|when|almost)\b|\?",
    re.IGNORECASE,
)
_BOUNDS_TRUTH = re.compile(
    r"^\W*(?:but|if|unless|only|provided|when|except|however|although|though|sometimes|in\s+some|mais|aber|pero|sauf|außer|wenn|falls|si|mas|jedoch|cependant)\b"
    r"|\b(?:otherwise|actually|wait|depends|sometimes|unless|only\s+(?:if|when|for)|in\s+that\s+case|would|almost|in\s+fact|sondern|sino)\b|\?",
    re.IGNORECASE,
)
"""Words in sentences behind a truth with which it does not stand."""
_ONLY_NEXT = re.compile(r"(?<!but )\bonly\b", re.IGNORECASE)
"""`No, only square ones do`: what a denial leaves bounds no denial."""
_AGREED = re.compile(
    r"\W*(?:(?P<yes>(?:(?:that|this|it)(?:\s+is|['’]s)\s+)?(?:correct|right|indeed|certainly|definitely|of\s+course))"
    r"|(?P<no>not\s+(?:necessarily|in\s+general|always|generally|at\s+all)|by\s+no\s+means|(?:that|this|it)(?:\s+is|['’]s)\s+not\s+(?:so|the\s+case))(?:[;:,(—–]\s*(?!(?:but|or|if|unless)\b)[^?]{3,160})?)\W*",
    re.IGNORECASE,
)
"""`Correct.`, `Not in general; consider (-1)^n.`"""
_ONLY_SO = re.compile(
    r"(?<=[a-z]\s)only\s+(?![^,;.]*\b(?:if|when(?:ever)?|for|in|on|at|under|where|while|with|within|provided|some|sometimes|half|partly)\b)",
    re.IGNORECASE,
)
"""`No, it converges only conditionally`: what is so in another manner, and under no condition."""
_CLOCK = re.compile(
    r"(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?\s?m\b\.?|\s+(?:in\s+the\s+(?:morning|afternoon|evening)|at\s+night)\b)?(?![\d:])",
    re.IGNORECASE,
)
_BOUNDED = re.compile(r"\b(?:after|before|until|till|by|past|since|later\s+than|earlier\s+than)\W*$", re.IGNORECASE)
_ARRIVES = re.compile(
    r"\b(?:brings?\s+(?:us|you|it|him|her|them)\s+to|(?:ends?|ended|finish(?:es)?|finished|arrives?|arrived|lands?|landed|is\s+over|is\s+back)\s+at|(?:is|gives|makes|becomes|reaches)(?:\s+(?:then|exactly))?)\W*$|[=→]\W*$",
    re.IGNORECASE,
)
"""What stands before the time that a line arrives at."""
_STARTS = re.compile(
    r"\b(?:starts?|started|begins?|began|leaves?|left|departs?|departed|opens?|from|since|not|before|after|until|till|by)\b[^,;]*$|n['’]t\b",
    re.IGNORECASE,
)
_SEVERAL = 2
_SCHOENFLIES = re.compile(r"\W*(?:\\[a-z]+\W*)?[CDSTOI](?:\W*(?:_|\d|\\infty|∞|[₀-₉]))*\W*[vhdsiᵥₕₛᵢ]\W*")
_PART_OF_GROUP = re.compile(r"\b(?:sub|super)group|\border\b", re.IGNORECASE)
"""What is said of a point group that is not the one of a molecule."""
_MONTH_ORDER = re.compile(r"\b(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}\b")
_MONTH = re.compile(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d{4}", re.IGNORECASE
)
_COUNTER = re.compile(r"(\d+)\s*([\u3040-\u30ff\u4e00-\u9fff]{1,3})")
_STATED_TRUTH = re.compile(
    r"\b(?:answer|reply|verdict|response)\s*(?:is|:|=)\W*([a-z]+)|[.!?;]\s+(?:so|hence|thus|therefore)[,\s]+(?:it\s+is\s+)?([a-z]+)[\s.!*]*$"
    r"|[.!?;]\s+(yes|no|true|false)(?=\s*[,.!;:—–])",
    re.IGNORECASE,
)
"""`Yes, I have read it. My answer is no.`, `Yes, at first sight. … So no.`"""
_LONGEST = 400
_LAST = 12
"""The last month by number: a first part above it is a day."""


def pointed_at(gold: str, response: str) -> Finding | None:
    """The finding where the last statement of a response says a gold that is no mathematics; None where it does not."""
    if len(gold) > _SHORT or len(response) > 20_000:
        return None
    rules = _rules_of(gold.strip())
    last = _last(response) if rules else ""
    if len(last) > _LONGEST:
        return None
    for rule in rules:
        found = rule(gold.strip(), last)
        if found is not None:
            return found
    return None


@lru_cache(maxsize=512)
def _rules_of(gold: str) -> tuple[Callable[[str, str], Finding | None], ...]:
    """The rules that know golds of this sort; most golds are mathematics, and then there is none."""
    return tuple(
        rule
        for rule, known in (
            (_truth, words.plain(gold) in _TRUTHS and not formulae.is_dressed(gold)),
            (_date, _MONTH.fullmatch(gold) is not None or _day_of(gold) is not None),
            (_clock, words.clock(gold) is not None),
            (_year, _YEAR.fullmatch(gold) is not None or _DATED.fullmatch(gold) is not None),
            (_period, _CENTURY.fullmatch(gold) is not None),
            (_counted, _COUNTER.fullmatch(gold) is not None),
            (_point_group, _SCHOENFLIES.fullmatch(gold) is not None and len(formulae.point_groups(gold)) == 1),
            (_words, bool(words.plain(gold)) and (formulae.species(gold) is not None or _is_said_in_words(gold))),
        )
        if known
    )


def _last(response: str) -> str:
    """The last line, or what stands under the last heading `Answer`, without that label."""
    lines = [line.strip() for line in response.rpartition("</think>")[2].splitlines() if line.strip()]
    for place in range(len(lines) - 1, max(-1, len(lines) - 4), -1):
        label = _LABEL.match(lines[place])
        if label is not None and (rest := lines[place][label.end() :].strip()) and place == len(lines) - 1:
            return rest
        if label is not None and label.end() == len(lines[place]) and place + 1 < len(lines):
            return lines[place + 1]
    return lines[-1] if lines else ""


def _truth(gold: str, last: str) -> Finding | None:
    """Yes and no in several languages, with a sentence that repeats the question."""
    expected = _TRUTHS.get(words.plain(gold))
    agreed = _AGREED.fullmatch(last)
    if agreed is not None and expected is not None:
        said = "yes" if agreed["yes"] is not None else "no"
        return equal("the same truth value") if said == expected else different("another truth value")
    found = _TRUTH.match(last)
    if expected is None or found is None:
        return None
    rest = last[found.end() :]
    others = {
        _TRUTHS[word] for word in re.findall(r"\w+", rest.casefold()) if word in _TRUTHS and word not in _PARTICLES
    }
    said = _TRUTHS[found[1].casefold()]
    ended = last[: found.end()].rstrip("* ").endswith((".", "!"))
    words_stated = {word.casefold() for found in _STATED_TRUTH.findall(last[found.start() :]) for word in found}
    stated = {_TRUTHS[word] for word in words_stated & _TRUTHS.keys()}
    bounds = _BOUNDS_TRUTH if ended else _TAKEN_BACK
    rest = _ONLY_SO.sub(" ", rest) if said == "yes" else _ONLY_NEXT.sub(" ", rest)
    if bounds.search(rest) or (others | stated) - {said} or words.hedged(last):
        return None
    return equal("the same truth value") if said == expected else different("another truth value")


def _year(gold: str, last: str) -> Finding | None:
    """The year that a short answer is, or of the one date that the last sentence says: `It came down on 9 May 1989.`"""
    alone, asked = _IN_THE_YEAR.fullmatch(last), _IN_THE_YEAR.fullmatch(gold)
    if alone is not None and asked is not None and (alone["year"], _is_bc(alone)) == (asked["year"], _is_bc(asked)):
        return equal("the same year")
    said = re.split(r"(?<=[a-z\d][.!])\s+", last.replace("*", ""))[-1]
    found = _FULL_DATE.findall(said)
    years = _YEAR.findall(said)
    unsaid = (_TAKEN_BACK, say.DENIED, say.REPORTED, say.DOUBTED, _NEAR_DATE)
    if len(found) != 1 or years != found or any(words.search(said) for words in unsaid):
        return None
    return equal("the year of the date") if found[0] == gold else None


def _is_bc(year: re.Match[str]) -> bool:
    return "b" in (year["era"] or "").casefold()


def _statement(text: str) -> str:
    """A statement without its clauses of reason."""
    return _REASON.sub(" ", text)


def _date(gold: str, last: str) -> Finding | None:
    """A date that a sentence says; which of two numbers is the month is not guessed."""
    if _MONTH.fullmatch(gold):
        found = {match[0].casefold() for match in _MONTH.finditer(last)}
        if len(found) != 1 or _CHANGED.search(_statement(last)):
            return None
        return equal("the same month") if gold.casefold() in found else different("another month")
    expected = _day_of(gold)
    if expected is None:
        return None
    order = _MONTH_ORDER.search(last)
    if order is not None and order[1] != order[2] and int(order[1]) <= _LAST and int(order[2]) <= _LAST:
        return unknown("which of the two numbers is the month is not said")
    last = _AT_THE_TIME.sub("", last)
    days = set(find_days(last.replace("*", " ").replace("$", " ")))
    if len(days) != 1 or _CHANGED.search(_statement(last)) or _BY.search(last):
        return None
    same = same_day(days.pop(), expected)
    if same is None:
        return unknown("the year is missing")
    return equal("the same date") if same else different("another date")


@lru_cache(maxsize=256)
def _day_of(gold: str) -> Day | None:
    return day(gold) if re.search(r"[A-Za-z]{3}|\d{4}-\d", gold) else None


def _arrived(last: str) -> list[re.Match[str]]:
    """The times of a line; of several the last one, where the line arrives at it or has it alone in bold type."""
    places = list(_CLOCK.finditer(last))
    if len(places) < _SEVERAL:
        return places
    before = last[places[-2].end() : places[-1].start()]
    bold = [found for found in _BOLD.finditer(last) if _CLOCK.search(found[1])]
    pointed = len(bold) == 1 and bold[0].start() <= places[-1].start() < bold[0].end()
    arrives = _ARRIVES.search(before) is not None or (pointed and _STARTS.search(before) is None)
    return places[-1:] if arrives else places


def _clock(gold: str, last: str) -> Finding | None:
    expected = words.clock(gold)
    places = _arrived(last)
    times = [match[0] for match in places]
    if expected is not None and len(places) == 1 and _BOUNDED.search(last[: places[0].start()]):
        return different("the time bounds what is said")
    if (
        expected is None
        or len(times) != 1
        or _BY.search(last)
        or _CHANGED.search(_statement(re.sub(r"\bat\b", " ", last)))
    ):
        return None
    found = words.clock(times[0])
    if found is None:
        return None
    return equal("the same time of day") if found == expected else different("another time of day")


def _point_group(gold: str, last: str) -> Finding | None:
    """The only point group that a statement names: `Water belongs to the C₂ᵥ point group.`"""
    named = {each for each in formulae.point_groups(last) if not each[-1].isdigit()}
    said = _statement(last)
    unsaid = (_CHANGED, _PART_OF_GROUP, say.DENIED, say.REPORTED, say.DOUBTED)
    if len(named) != 1 or any(words.search(said) for words in unsaid):
        return None
    return equal("the same point group") if named == formulae.point_groups(gold) else different("another point group")


def _period(gold: str, last: str) -> Finding | None:
    """A century or a decade, with or without its preposition: `in the nineteenth century`."""
    said = _CENTURY.fullmatch(last)
    asked = _CENTURY.fullmatch(gold)
    if said is None or asked is None:
        return None
    first, second = (_CENTURIES.get(each["which"].lower(), each["which"].lower()) for each in (asked, said))
    return equal("the same time") if first == second and _is_bc(asked) == _is_bc(said) else None


def _counted(gold: str, last: str) -> Finding | None:
    """`56 通り` beside `**56通り** です。`: one number in the line, with the same word for what is counted."""
    asked = _COUNTER.fullmatch(gold)
    if asked is None or len(re.findall(r"\d+", last)) != 1 or tongues.NO.search(last):
        return None
    found = _COUNTER.search(last.replace("*", ""))
    if found is None or not found[2].startswith(asked[2]):
        return None
    return equal("the same number of the same things") if found[1] == asked[1] else different("another number")


def _words(gold: str, last: str) -> Finding | None:
    """The only bold part of a line, or the line behind a label, which is the gold; the rest must not change it."""
    bold = _set_apart(gold, last)
    if len(bold) > 1:
        return None
    core = next(part for part in bold[0].groups() if part is not None) if bold else last
    core = core.strip(" .!*")
    if not _is_gold(core, gold):
        return None
    before, after = (last[: bold[0].start()], last[bold[0].end() :]) if bold else ("", "")
    if BELONGS.search(before):
        return None
    if re.fullmatch(r"[A-Z][a-z]+", gold):
        after = _WINS.sub("", after.rstrip(" .!"))
    if any(pattern.search(core) for pattern in (say.DENIED, say.DOUBTED)) and core != gold:
        return None
    after = _without_remarks(after)
    after = re.sub(r"[,;]?\s+(?:because|since|as|due\s+to)\s.*$", "", after, flags=re.DOTALL)
    if not _TAIL.match(after) or _PREDICATED.search(after) or _CHANGED.search(after):
        return None
    before = re.split(r",\s+(?:so|hence|thus|therefore)\s", before)[-1]
    before = re.sub(r"^\W*(?:because|since|as)\b[^.;*]{1,160},", "", before, flags=re.IGNORECASE)
    unsound = _CHANGED.search(before) or say.DENIED.search(before) or say.DOUBTED.search(before)
    if unsound or say.REPORTED.search(before) or re.search(r"[.;:]\s*\w|,\s*(?:and|so)\b.*,", before):
        return None
    return equal("what the answer points at")


def _set_apart(gold: str, last: str) -> list[re.Match[str]]:
    """The parts of a line in bold type, its one title in italics or quotes, or the formulas of substances it names."""
    bold = list(_BOLD.finditer(last))
    if bold:
        return bold
    quoted = list(_QUOTED.finditer(last))
    if len(quoted) == 1 and _SAID_IN.search(last[: quoted[0].start()]) and not _OF_ANOTHER.search(last):
        return quoted
    if formulae.species(gold) is None:
        return []
    return [found for found in _FORMULA.finditer(last) if _NAMES_IT.search(last[: found.start()])]


def _without_remarks(after: str) -> str:
    """What stands behind a name, without another name in brackets, what it is, who it is, and why."""
    named_too = _NAMED_TOO.match(after)
    if named_too is not None and not _CHANGED.search(named_too[0]):
        after = after[named_too.end() :]
    judged = (say.UNSETTLED, say.DOUBTED)
    if _EXPLAINED.match(after) and not (taken_back(after) or any(found.search(after) for found in judged)):
        return ""
    apposed = _APPOSED.match(after) and not _PREDICATED.search(after)
    return "" if (_WHO.match(after) or apposed) and not _CHANGED.search(after) else after


def _is_gold(core: str, gold: str) -> bool:
    wanted = words.plain(gold)
    if not wanted:
        return False
    if formulae.species(gold) is not None:
        written = _ALIAS.sub("", core)
        return formulae.species(written) is not None and formulae.species(written) == formulae.species(gold)
    if not _is_worded(gold):
        return _is_hybrid(gold) and _lowered(core) == _lowered(gold)
    spoken = _WINS.sub("", core) if re.fullmatch(r"[A-Z][a-z]+", gold) else core
    if stemmed(core.lower()) == stemmed(gold.lower()):
        return True
    return wanted in (words.plain(core), words.plain(_ALIAS.sub("", core)), words.plain(spoken))


def _is_said_in_words(gold: str) -> bool:
    return _is_worded(gold) or _is_hybrid(gold)


def _is_worded(gold: str) -> bool:
    return re.search(r"[^\W\d_]{3}", gold) is not None and re.search(r"[\\$=^]", gold) is None


def _is_hybrid(gold: str) -> bool:
    """Whether a gold is the name of an orbital, such as `sp3`."""
    return re.fullmatch(r"[a-z]{1,3}\^?\d", gold) is not None


def _lowered(text: str) -> str:
    """`sp³` and `sp^3` as `sp3`."""
    return re.sub(r"[\^_{}$\s]", "", text.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")))
