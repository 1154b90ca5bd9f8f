"""Golds that name persons: an answer's first names may be left out, written out, or shortened to initials.

Whether a gold is a person's name is told by the question ("who", "which chemist"), or by initials on one of the sides.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grading.language.responses import namewords

_PARTICLE: Final = r"(?:von|van|der|den|de|del|della|di|da|du|la|le|al|el|ter|ten|zu)"
_NAME: Final = r"[A-ZÀ-ÞŁŠŽ][\w'’]+(?:-[\w'’]+)*"
_INITIAL: Final = r"[A-ZÀ-Þ]\.?(?:-[A-Z]\.?)?(?![\w'’])"
_FIRST: Final = rf"(?:(?:{_INITIAL}|{_NAME}(?![\w'’-]))[ ~]?)"
_RUN: Final = re.compile(r"(?<=\b[A-Z]\.)(?=[A-Z](?:\.|[a-z]))")
"""Between initials, or an initial and a name, without a gap."""
_PERSON: Final = re.compile(rf"(?P<firsts>{_FIRST}{{0,4}}?)(?P<last>(?:{_PARTICLE} ){{0,2}}{_NAME})")
_TITLES: Final = re.compile(r"^(?:Sir|Dame|Lord|Dr|Prof|Professor)\.?$")
_GENERATION: Final = re.compile(r"^(?:Jr|Sr|Junior|Senior|I{1,3}|IV|VI{0,3})\.?$")
_JOINED: Final = re.compile(r"\s*(?:,\s*(?:and\s+)?|;|\band\b|&)\s*")
_INVERTED: Final = re.compile(rf"\W*(?P<last>(?:{_PARTICLE} ){{0,2}}{_NAME}),\s+(?P<firsts>{_FIRST}{{1,4}})\W*")
_TOKEN: Final = re.compile(rf"{_INITIAL}|[^\W\d_][\w'’-]*\.?")
_GOES_ON: Final = re.compile(rf"\s?['’]s?\b|-\w|\s+(?:{_NAME}|(?:Jr|Sr|I{{1,3}}|IV|VI{{0,3}})\b|[A-Z]\.)")
"""What makes another name, or somebody else, of a last name before it: `Planck's pupil`, `Planck Institute`."""
_ASKS: Final = re.compile(
    r"\bwho(?:se|m)?\b|\b(?:named|called)\s+(?:after|for|in\s+hono)|\b(?:which|what|name)\b[^?.]{0,60}?\b(?:person|people|man|woman"
    r"|scientist|physicist|chemist|mathematician|biologist|astronomer|geologist|botanist|zoologist|naturalist|philosopher|logician"
    r"|economist|statistician|psychologist|physician|doctor|engineer|inventor|discoverer|explorer|author|writer|poet|novelist"
    r"|playwright|dramatist|composer|painter|artist|sculptor|architect|director|actor|actress|singer|astronaut|cosmonaut|aviator"
    r"|monk|priest|nurse|surgeon|king|queen|emperor|empress|general|admiral|officer|musician|[a-z]+(?:ologist|ographer|icist)"
    r"|president|chancellor|statesman|politician|laureate|scholar|researcher|pioneer|theorist|thinker)(?:s|['’]s?)?\b",
    re.IGNORECASE,
)
_FAMILIES: Final = namewords.words(
    "adams bernoulli bragg bronte bush curie dumas grimm herschel huxley kennedy roosevelt strauss wright"
)
"""Families of whom several are known by one name: only first names tell which one is meant."""
_ABROAD: Final = {
    name: row
    for row in (
        "leo lev leon", "peter pyotr piotr petr pierre pietro pedro", "nicholas nikolai nikolay nicolas nicolaus",
        "alexander aleksandr alexandr alexandre alessandro", "michael mikhail michel miguel",
        "john johann johannes jean giovanni juan jan", "charles carl karl carlos carlo",
        "william wilhelm guillaume guglielmo", "frederick frederic friedrich federico", "henry heinrich henri enrico",
        "louis ludwig luis luigi", "francis francesco francois franz francisco", "joseph josef giuseppe jose iosif",
        "george georg georges giorgio", "christopher cristobal cristoforo", "theodore theodor fyodor fedor feodor",
        "dmitri dmitry dmitriy dimitri", "sergei sergey sergej serge", "andrew andrei andrey andre", "paul pavel",
        "anthony antoine antonio anton antonie", "gregory gregor grigori", "jacob jakob jacques james giacomo",
        "philip philipp philippe", "ferdinand fernando fernao", "stephen stefan etienne", "ernest ernst ernesto",
    )
    for name in row.split()
}  # fmt: skip
"""First names as they are written in several languages."""
_NO_NAMES: Final = (
    namewords.DETERMINERS
    | namewords.PREPOSITIONS
    | namewords.RELATIVES
    | namewords.ADVERBS
    | namewords.PRONOUNS
    | namewords.AUXILIARIES
    | namewords.words(
        "not no neither nor or only maybe perhaps probably possibly yes either both answer final so then mr mrs"
    )
)
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Person:
    """A person as one text writes the name; `firsts` and `last` without accents, in small letters."""

    firsts: tuple[str, ...]
    last: str
    written: str


def with_golds_names(gold: str, text: str, question: str) -> str:
    """The text with the gold's persons as the gold writes them; any other text as it is."""
    if len(text) > _LONGEST or not gold[:1].isupper():
        return text
    persons = _persons(gold)
    asked = question != "" and _ASKS.search(question) is not None
    if not persons or not (asked or any(_has_initials(each.firsts) for each in persons) or "." in text):
        return text
    text = _RUN.sub(" ", text)
    inverted = _INVERTED.fullmatch(text)
    if inverted is not None and len(persons) == 1 and _fold(inverted["last"]) == persons[0].last:
        text = f"{inverted['firsts'].strip()} {inverted['last']}"
    for person in persons:
        text = _with_name(text, person, asked)
    return text


@lru_cache(maxsize=256)
def _persons(gold: str) -> tuple[Person, ...]:
    found = [_person(part) for part in _JOINED.split(_RUN.sub(" ", gold.strip(" ."))) if part]
    known = tuple(each for each in found if each is not None)
    return known if len(known) == len(found) and len({each.last for each in known}) == len(known) else ()


def _person(text: str) -> Person | None:
    match = _PERSON.fullmatch(text)
    if match is None:
        return None
    firsts = tuple(_fold(name) for name in _TOKEN.findall(match["firsts"]) if not _TITLES.match(name))
    words = {name for name in (*firsts, *_fold(match["last"]).split()) if len(name) > 1}
    if _GENERATION.match(match["last"]) or words & (_NO_NAMES - namewords.PREPOSITIONS - namewords.DETERMINERS):
        return None
    return Person(firsts, _fold(match["last"]), text)


def _fold(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.strip(" ~").translate(str.maketrans("łŁ’", "lL'")))
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold().rstrip(".")


def _has_initials(firsts: tuple[str, ...]) -> bool:
    return any(len(name) == 1 for name in firsts)


def _with_name(text: str, person: Person, asked: bool) -> str:
    """The text with each mention of a person by the gold's name; as it is where one mention is of somebody else."""
    bare = person.last.rpartition(" ")[2]
    if text.strip(" .!") == bare:
        return person.written if asked and _alike((), person, asked) else text
    parts: list[str] = []
    end = 0
    for found in _mentions(text, bare):
        begin, firsts = _firsts_before(text, found.start(), end)
        if _GOES_ON.match(text, found.end()) or not _alike(firsts, person, asked):
            return text
        parts += [text[end:begin], person.written]
        end = found.end()
    return "".join([*parts, text[end:]]) if parts else text


def _mentions(text: str, last: str) -> list[re.Match[str]]:
    words = re.finditer(_NAME, text)
    return [word for word in words if _fold(word[0]) == last or _fold(word[0]).rpartition("-")[2] == last]


def _firsts_before(text: str, place: int, start: int) -> tuple[int, tuple[str, ...]]:
    """Where the name begins whose last name stands at a place, and its first names."""
    firsts: list[str] = []
    begin = place
    for token in reversed(list(_TOKEN.finditer(text, start, place))):
        if re.fullmatch(r"[ ~]?", text[token.end() : begin]) is None or len(firsts) > 4:
            break
        name = _fold(token[0])
        if re.fullmatch(_PARTICLE, token[0]) and begin == place:
            begin = place = token.start()
            continue
        initial = len(name) == 1 and token[0].endswith(".")
        if not token[0][0].isupper() or (name in _NO_NAMES and not initial):
            break
        begin = token.start()
        if not _TITLES.match(token[0]):
            firsts.insert(0, name)
    return begin, tuple(firsts)


def _alike(firsts: tuple[str, ...], person: Person, asked: bool) -> bool:
    """Whether first names may be the person's: none disagrees, and one list begins or abbreviates the other."""
    short, long = sorted((firsts, person.firsts), key=len)
    family = person.last.rpartition(" ")[2] in _FAMILIES
    if not short:
        return (not long) or (asked and not (family and person.firsts))
    if not asked and not (_has_initials(firsts) or _has_initials(person.firsts)):
        return False
    if len(short) < len(long) and family:
        return False
    if len(short) == 1 and len(short[0]) > 1 and short[0] in long:
        return True  # Somebody may be called by a later first name.
    return all(_same_first(one, other) for one, other in zip(short, long, strict=False))


def _same_first(one: str, other: str) -> bool:
    if len(one) == 1 or len(other) == 1:
        return one[0] == other[0]
    return one == other or (one in _ABROAD and _ABROAD[one] == _ABROAD.get(other))
