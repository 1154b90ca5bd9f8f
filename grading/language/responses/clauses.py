"""The grammar of a plain sentence: openers, a subject, any verb, one value with its unit or noun, what trails behind.

    sentence = opener* , lead , value [unit | noun] , middle , trailing
    lead     = any words, none of which changes the value (`changing`), and no other value
    middle   = any words of the same clause, the same
    trailing = a clause of reason, place, contrast or consequence (`values.tail_of`), or any words without a value

Words are read by closed classes alone: what no class names says nothing about the value.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from grading.language import numerals
from grading.language.responses import changing, tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.corrections import taken_back
from grading.language.responses.ownclause import plainly_led
from grading.language.responses.roles import SHOWN, main_clause
from grading.language.responses.segments import MARK
from grading.language.responses.shares import behind_share, is_part_of_answer
from grading.language.responses.there import is_unit_of
from grading.language.responses.values import Refused, Value, value_of
from grading.language.romans import roman_value
from grading.language.unitnames import ends_in_word, is_unit


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OPENER = re.compile(
    r"^[^\w\ue000-\ue2ff]*(?:(?:so|thus|hence|therefore|then|finally|consequently|accordingly|altogether|overall|ultimately|clearly|now|and|yes|again"
    r"|as\s+a\s+(?:result|consequence)|in\s+(?:total|all|conclusion|summary|short|the\s+end|other\s+words|this\s+way|particular|fact)|to\s+(?:conclude|sum\s+up|summari[sz]e)"
    r"|we\s+have\s+(?:(?:thus|now|therefore)\s+)?(?:shown|proved|proven|established|found|seen)\s+that|(?:we|i|one|you)\s+(?:(?:can|may|must|now|thus|therefore|then|finally|also)\s+)*(?:conclude|see|find|deduce|infer|note|get|obtain|have|know)s?\s+that"
    r"|for\s+(?:this|that|these|those|all\s+(?:of\s+)?these)\s+reasons?|on\s+(?:this|these)\s+grounds?|it\s+(?:then\s+|thus\s+|now\s+)?follows\s+that|(?:this|which|that)\s+(?:means|shows|implies|tells\s+us|proves|gives)\s+that|that\s+is(?=,)|from\s+this|by\s+symmetry"
    r"|among\s+(?:them|these|those)|of\s+(?:them|these|those))\b[\s,:]*)+",
    re.IGNORECASE,
)
_ADVERBIAL = re.compile(
    r"^(?!for\b|if\b|unless\b|when(?:ever)?\b|assuming\b|supposing\b|let\b|say\b|of\b)"
    r"(?P<how>(?:after|by|using|with|since|because|as|at|in|on|from|given|taking|under|once|upon|during|through|to|up\s+to|rounded|\w+ing|\w+ed\s+to)\b[^,;:.!?]{0,120}),\s+(?=\S)",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\w+ing\b[^,]*\b(?:therefore|thus|hence)\s+[a-z]+s\b", re.IGNORECASE)
"""A sentence whose subject is a gerund: `Rolling an eight therefore happens with`."""
_DRAWN_CLAUSE = re.compile(
    r"^[^,;:?\d\ue000-\ue2ff]{3,100},\s+(?:and\s+)?(?:so|hence|thus|therefore)\s+(?=\S)", re.IGNORECASE
)
_BEGUN_CLAUSE = re.compile(
    r"^(?P<said>[^,;:?\d\ue000-\ue2ff]{3,100}),\s+and\s+(?=(?:the|its|our|it|there)\b)", re.IGNORECASE
)
"""`The two counts are simply multiplied, and` before what is concluded."""
"""`No smaller value works, so` before what is concluded."""
_IF = re.compile(
    r"\b(?:if|unless|when|suppos\w*|assum\w*|would|were|had|claim\w*|sa(?:y|ys|id)|thinks?)\b", re.IGNORECASE
)
_DENIES_ALL = re.compile(
    r"(?:n['’]t|\bnot)\s+(?:right|true|correct|so|the\s+case|proved|proven|sure|certain|clear)\b", re.IGNORECASE
)
NUMBER = (
    r"(?:[-−+](?=[\d.$€£]))?[$€£¥]?\s?(?:\d{1,3}(?:[,\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?(?:\s?/\s?\d+(?:\.\d+)?)?|\.\d+)"
    r"(?:\s?[%°]\s?[CF]?(?![\w])|\s(?:thousand|million|billion|trillion)(?![\w])(?!\s+(?:times|of\b)))?"
)
_BARE = (
    r"(?<![\w/])(?!and/or)(?![\w()^+*/.-]{0,56}[A-Za-z]{4})(?=[\w()√π.]{1,24}[/^+*])"
    r"[\w()^+*/.√π-]{3,60}(?<=[\w)])(?![\w/])"
)
_TUPLE = r"[(\[{][-−]?\d[-−\d.,/ ]*\d[)\]}]"
_NAMED = r"(?:(?<![A-Za-z_])[A-Za-z]\w?\s*=\s*)"
_ONE = rf"(?:{_NAMED}?(?:{MARK}|{_TUPLE}|(?<![\w.])(?<![A-Za-z]{{2}}-){NUMBER}(?!\w*[_^])|{_BARE}))"
VALUE = re.compile(rf"{_ONE}(?:(?:\s*,\s*{_ONE})*+\s*,?\s+and\s+{_ONE}(?=\W*(?:$|[a-z])))?")
_TRAILING = re.compile(
    rf"\s*(?:[,;](?!\d)|\bat\s+(?={MARK}|[A-Za-z]\w?\s*=)|[—–]|\s-\s|:\s|\s\(|\b(?:because|since|so\s+that|so|thus|hence|therefore|whereas|while|although|though|which|where|i\.e\.)\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?<!\S)[A-Za-z][a-zà-ÿ]{2,}(?=[\s,.:;]|$)")
"""Words, and not letters of a formula."""
_SUBSTANCE = re.compile(
    r"\s+of\s+(?:the\s+)?[A-Za-z]+(?:\s+(?!(?:is|are|was|were|has|have|in|at|on|from|to|into|per|and|flows?|remains?)\b)[a-z]+)?"
)
"""What a quantity is a quantity of."""
_WORDS = re.compile(r"[^\W\d_](?:[\w'’.-]*\w)?")
_NO_NOUN: Final = _words(
    "among is are was were be been has have had do does did will can must at in on by of for from to with "
    "after before per than as and or but that who which when where if up down out off away apart "
    "long wide tall high deep left right more less each every too not remain remains pass passes "
    "total altogether remained flow flows suffice suffices follow follows survive survives need "
    "needs work works satisfy into during under over around between goes divides lies falls comes belongs"
    " all together belong lie qualify satisfies"
)
"""Words that are neither a unit nor what is counted."""
_DETERMINERS: Final = _words("the a an this that its our only both all some any")
"""Before them stands a verb."""
_PLAIN: Final = _words("different distinct possible such more additional separate valid unique")
"""Adjectives that say nothing of what is counted."""
_VANISHES = (
    (
        re.compile(
            r"\s(?:(?:therefore|thus|hence|indeed|identically|always|must|simply|then)\s+){0,2}(?:vanish(?:es)?"
            r"|(?:is|are)\s+(?:identically\s+|exactly\s+|simply\s+|all\s+)?(?:zero|null|nil))(?!\w)",
            re.IGNORECASE,
        ),
        "0",
    ),
    (re.compile(r"\sis\s+(?:infinite|unbounded\s+above)(?!\w)", re.IGNORECASE), "∞"),
)
_SUBJECT = re.compile(
    rf"\s*(?:(?:so|thus|hence|therefore|and)\s+)*(?:it|this|that|the|its|their|our|every|each|all|both|{MARK})(?!\w)",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"\b(\d+)\s+(?:in|out\s+of)\s+(?:every\s+)?(\d+)(?:\s+(?:cases|times|trials|draws|attempts|instances)\b|(?=\W*$))",
    re.IGNORECASE,
)
"""`3 out of 8 cases`"""
_FRACTION = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|a(?=\s\w+\s+of\s+(?:the|his|her|its|their|my|your|our)\s+(?!answer|result|number|value|sum)[a-z]+\s+(?:remains?|is|are|was|were)\b))"
    r"[\s-](?:half|halves|thirds?|quarters?|[a-z]+ths?)\b\s*",
    re.IGNORECASE,
)
_OXIDATION = re.compile(r"(?<=[+−-])(?:VIII|VII|VI|IV|V|III|II|I)\b")
_PIECES = (
    (r"\bone\s+and\s+a\s+half\b", "1.5"),
    (r"\bhalf\s+an\s+hour\b", "0.5 hours"),
    (r"\ba\s+dozen\b(?!\s+and)", "12"),
)
HARMLESS = re.compile(
    r"(?:(?<=\bis\s)|(?<=\bare\s))actually\s+(?=[a-z])|\bonly\b(?!\s+(?:for|half|if|when)\b)|(?<=\s)were\s+(?=(?:(?:all|both|then|just)\s+)?(?!(?:supposed|expected|required|allowed|intended|rejected|needed)\b)[a-z]+(?:ed|en)\b)"
    r"(?![^.;]*\b(?:if|would|had)\b)",
    re.IGNORECASE,
)
"""`is actually`, `only`, and the past of a passive (`12 were sold`), which supposes nothing."""
_ONLY = re.compile(r"^(?:both|all|only)\s+(?=[^a-z])", re.IGNORECASE)
_BOUNDING = re.compile(
    r"\b(?:after|before|until|till|since|past|(?:been|ended|begun|started|finished|died|left|become|disappeared|vanished|fallen|completed?|founded|built"
    r"|published|stopped|over|gone|extinct)\s+by)\s+$",
    re.IGNORECASE,
)
"""`a year after 1815`"""
_REASON_AT_END = re.compile(
    r"(?P<said>[,;]\s+and\s+(?!(?:so|hence|thus|therefore)\b)[^;:?]{3,80}?),?\s+(?:since|because)\s[^;:?]*$",
    re.IGNORECASE,
)
"""A further clause behind a value, whose reason may have values of its own."""
_ATTAINED = re.compile(r"\s*(?:is|are)\s+(?:attained|reached|taken|achieved|assumed)\b|\s*occurs\b", re.IGNORECASE)
_ANSWER = re.compile(
    r"\b(?:answers?|réponse|respuesta|resposta|risposta|antwort|lösung|ergebnis|antwoord|ответ)\b", re.IGNORECASE
)
"""A sentence about the answer itself is left to the phrases that name it."""
_DRAWN = re.compile(
    r"^\W*(?:so|thus|hence|therefore|giving|making|leaving|which|where|that\s+is|i\.\s?e\.|or|namely|and)(?!\w)",
    re.IGNORECASE,
)
"""What begins a clause behind a value that may put another one in its place."""
_FOREIGN = re.compile(
    r"\b(?:ist|sind|der|die|das|dass|daraus|wird|werden|beträgt|es\s+gibt|man|est|sont|les?|la|une?|des|dans|donc|que|el|los|las|son|hay|una?|igual|il|lo|gli|sono|è|pari"
    r"|há|de|du|von|o|os|um|uma|são|é|restam|portanto|het|een|er|zijn|dus|blijven|van|quedan|restano|reste|restent|bleiben|quindi|entonces)\b",
    re.IGNORECASE,
)
_ENGLISH = re.compile(r"\b(?:the|are|that|has|have|with|and|this|gives|was)\b", re.IGNORECASE)
_NEEDED = re.compile(
    r"\s*(?!(?:this|its|has|was|is)\b)[a-z]{3,}s\s+are\s+(?:always\s+|therefore\s+|thus\s+)?(?:needed|required|necessary|possible|enough|sufficient)\W*$"
)
"""`$T_n = 2^n - 1$ moves are needed`"""
_ON_AVERAGE = re.compile(
    r"\s*(?:time|space|memory|[a-z]{4,}s)\s+(?:complexity\s+)?(?:in\s+the\s+(?:worst|average|best|general)\s+case|on\s+average|overall|in\s+(?:total|all))\W*"
)
"""`O(log n) comparisons in the worst case`"""
_DIRECTION = re.compile(
    r"\s*(?:radially\s+)?(?:out|in)wards?\W*|\s*(?:down|up|along|towards?|parallel\s+to|perpendicular\s+to|around|about)\s+the\s+(?!answer|result|value)[a-z]+\W*"
)
"""`down the incline` behind a formula."""
_CHOSEN_FROM = re.compile(
    r"\W*(?:of|among(?:st)?|out\s+of|from|between)\s+(?:the|these|those|all|its|our)\b", re.IGNORECASE
)
"""`Of the candidates 2 and 3,` before a main clause."""
_TAKES = re.compile(r"\b(?:takes?|took|costs?|needs?|requires?|leaves?|is|are)\s+$")
"""The verb of a gerund that is a subject: `producing 5 mol of iron takes`."""
_LONGEST, _MOST_VALUES = 400, 30


@dataclass(frozen=True, slots=True)
class Clause:
    """A main clause cut at its value; all parts still with stand-ins for formulas."""

    lead: str
    value: str
    noun: str
    middle: str
    trailing: str


def plain_clause(text: str, names: frozenset[str], objects: Mapping[str, bool]) -> Value | Refused | None:
    """What a sentence with one value says; Refused where a word changes it, None where the grammar is silent.

    `names` are formulas that only name what is spoken of, `objects` those that are sets, points
    or expressions, and whether brackets stand about them.
    """
    if (
        len(text) > _LONGEST
        or not (_WORD.search(text) or _OPENER.match(text))
        or re.search(r"[?\\]", text)
        or any(words.match(text) for words in (say.HANGING, say.ELSEWHERE, say.NOT_STATED))
    ):
        return None
    zero = _vanishing(text)
    if zero is not None:
        return zero
    begun = len(text)
    text = _in_digits(text)
    text = _ONLY.sub("", without_openers(text))
    if changing.IMPERATIVE.match(text) or say.ASIDE.search(text):
        return None
    clause = _cut(text, names)
    if clause is None or not (clause.lead.strip() or clause.noun or clause.middle.strip() or len(text) < begun):
        return None
    if _ANSWER.fullmatch(clause.lead.strip(" *_:")):
        return None
    if not clause.lead.strip() and re.match(r"\s*(?:for|where|with|when|if)\b", clause.middle):
        return None
    if re.search(r"[{}^_]", clause.lead + clause.middle) or (
        VALUE.search(clause.trailing) and _DRAWN.match(clause.trailing)
    ):
        return None
    if _CHOSEN_FROM.match(clause.lead) and clause.trailing.lstrip().startswith(","):
        return Refused("a value of those that something is chosen from")
    if _of_itself(clause):
        plain = len(re.findall(r"\b[a-z]{2,}", clause.middle)) > 1
        return Refused("a value of which something is said") if plain else None
    problem = _changed(clause) or _applied(clause, objects)
    if problem is not None:
        return Refused(f"'{problem}' in the sentence that states a value")
    return value_of(f"{clause.value}{f' {clause.noun}' if _is_kept(clause) else ''}{_kept(clause.trailing)}")


def _vanishing(text: str) -> Value | Refused | None:
    """`The commutator vanishes.` says 0, `its order is infinite` says infinity."""
    for pattern, value in _VANISHES:
        found = pattern.search(text)
        if found is None:
            continue
        lead, tail = text[: found.start()], text[found.end() :]
        if VALUE.search(tail) and not re.match(r"\W*(?:because|since|as)\b", tail):
            return None
        subject = _SUBJECT.match(re.split(r"[,:]", lead)[-1]) is not None
        if subject and not re.search(r"\d", lead) and not changing.AROUND.search(HARMLESS.sub("", lead)):
            return value_of(f"{value} {tail}")
    return None


def _in_digits(text: str) -> str:
    """A sentence with its number in digits; words stay where digits or a formula say the value."""
    if "oxidation" in text.lower():
        text = _OXIDATION.sub(lambda found: str(roman_value(found[0])), text)
    for pattern, digits in _PIECES:
        text = re.sub(pattern, digits, text, flags=re.IGNORECASE)
    text = _FRACTION.sub(_fraction_in_digits, text)
    spoken = text if re.search(rf"\d|{MARK}", without_openers(text)) else numerals.in_digits(text)
    spoken = re.sub(r"\bone(?=\s+(?:in|out\s+of)\s+\d)", "1", spoken, flags=re.IGNORECASE)
    return _SHARE.sub(r"\1/\2", spoken)


def _fraction_in_digits(found: re.Match[str]) -> str:
    value = numerals.number_of(found[0])
    return f"{value} " if value is not None else found[0]


def without_openers(text: str) -> str:
    """A sentence without words of consequence and without clauses before its subject that say how it came about."""
    for _ in range(4):
        shorter = main_clause(_OPENER.sub("", text, count=1))
        drawn = _DRAWN_CLAUSE.match(shorter) or SHOWN.match(shorter)
        if drawn is not None and not _IF.search(drawn[0]) and not _DENIES_ALL.search(drawn[0]):
            shorter = shorter[drawn.end() :]
        begun = _BEGUN_CLAUSE.match(shorter)
        if begun is not None and not any(
            words.search(begun["said"]) for words in (changing.AROUND, changing.REPORTERS, changing.IMPERATIVE)
        ):
            shorter = shorter[begun.end() :]
        how = _ADVERBIAL.match(shorter)
        if (
            how is not None
            and not changing.AROUND.search(how["how"])
            and not _WHOLE.match(how["how"])
            and re.search(rf"\d|{MARK}", shorter[how.end() :])
        ):
            shorter = shorter[how.end() :]
        if shorter == text:
            break
        text = shorter
    return text


def _cut(text: str, names: frozenset[str]) -> Clause | None:
    """The clause about its only value; None where it has none or several."""
    found = [each for each in VALUE.finditer(text) if not is_unit_of(text, each)]
    found = [each for each in found if each[0] not in names] or found
    if not found or len(found) > _MOST_VALUES:
        return None
    first = found[0]
    end = next((cut.start() for cut in _TRAILING.finditer(text, first.end())), len(text))
    others = [each for each in found[1:] if each.start() < end]
    if numerals.in_digits(text[first.end() : end]) != text[first.end() : end]:
        return None
    before = text[: first.start()]
    if re.search(r"[;:]|,\s+(?:and|but|so|while|whereas)\b", before) or (others and not _belongs(text, first, others)):
        return None
    rest = text[first.end() : end].rstrip(" .!")
    stuck = re.match(r"[^\W\d_]+", rest)
    if (stuck is not None and not (first[0][-1].isdigit() and is_unit(stuck[0]))) or re.search(r"[(\[{]\s*$", before):
        return None
    noun, middle = noun_of(rest, lone=re.search(rf"=|{MARK}|[)\]}}]$", first[0]) is not None)
    reason = _REASON_AT_END.match(text, end)
    trailing = text[end:] if reason is None or VALUE.search(reason["said"]) else reason["said"]
    return Clause(before, first[0].strip(), noun, middle, trailing)


def _belongs(text: str, first: re.Match[str], others: list[re.Match[str]]) -> bool:
    """Whether further numbers only belong to the noun: `9 of the 12 marbles`, `17 is the largest divisor of 2023`."""
    lead = text[: first.start()].strip()
    behind = text[first.end() :]
    return len(others) == 1 and (
        changing.OF_ALL.match(text[first.end() : others[0].start()]) is not None
        or (
            not lead
            and re.match(
                r"\s+(?:is|are)\s+the\s+[^\d]*\b(?:of|to|by|for|than|in|on|dividing)\s*$",
                behind[: others[0].start() - first.end()],
            )
            is not None
        )
    )


def noun_of(rest: str, *, lone: bool) -> tuple[str, str]:
    """The unit or what is counted behind a value, and the words after it."""
    spelt = list(_WORDS.finditer(rest))[:5]
    plain = rest.lstrip()
    unit = re.match(
        r"[€£¥](?!\s?\d)|[A-Za-zµΩÅ°][\w°µΩ·*/^²³⁻¹().-]*(?:\s+(?:per|squared|cubed|/)?\s*[\w²³/]+){0,3}", plain
    )
    if unit is not None:
        tokens = unit[0].rstrip(".,").split()
        for count in range(len(tokens), 0, -1):
            spelling = " ".join(tokens[:count])
            if is_unit(spelling) and not ends_in_word(tokens, count):
                of = _SUBSTANCE.match(plain, len(spelling))
                return plain[: of.end() if of is not None else len(spelling)], plain[
                    of.end() if of is not None else len(spelling) :
                ]
    if lone:
        return "", rest
    while len(spelt) > 1 and spelt[0][0].lower() in _PLAIN and spelt[1][0].lower() not in _NO_NOUN:
        rest = rest[spelt[0].end() :]
        spelt = list(_WORDS.finditer(rest))[:5]
    noun = spelt[0][0] if spelt and not rest[: spelt[0].start()].strip() else ""
    if (
        not noun
        or noun.lower() in _NO_NOUN
        or numerals.number_of(noun) is not None
        or not re.fullmatch(r"[A-Za-z-]+", noun)
    ):
        return "", rest
    if len(spelt) > 1 and spelt[1][0].lower() in _DETERMINERS:
        return "", rest
    if len(spelt) > 1 and not noun.endswith("s") and spelt[1][0].endswith("s") and spelt[1][0].lower() not in _NO_NOUN:
        noun = rest[spelt[0].start() : spelt[1].end()]
    return (noun, rest[rest.index(noun) + len(noun) :]) if re.fullmatch(r"[A-Za-z -]+", noun) else ("", rest)


def _kept(trailing: str) -> str:
    """What trails behind, without a plain consequence in words that has no value of its own."""
    bare = trailing.strip(" .!")
    unsettled = (VALUE, changing.AROUND, changing.WORK_LEFT, say.UNSETTLED)
    if not bare or not (taken_back(trailing) or any(words.search(trailing) for words in unsettled)):
        return ""
    return trailing if trailing[0] in ",;:" else f" {trailing.lstrip()}"


def _changed(clause: Clause) -> str | None:
    """The word that makes another thing of the value; None where there is none."""
    bare = _bare_lead(clause)
    if _ANSWER.search(clause.lead):
        return "answer"
    if _is_foreign(clause) and ((there := _changed_abroad(clause)) or not _is_kept(clause)):
        return there
    if is_part_of_answer(f"{clause.value}{clause.middle}"):
        return "a part of the answer"
    abroad = tongues.BOUNDED.search(f"{bare} | {clause.middle}")
    if abroad is not None:
        return abroad[0]
    if re.search(r"\b(?:is|are|equals?|was)\s*$", bare) and re.match(
        r"\s*(?:is|are|was|were|has|have)\b", clause.middle
    ):
        return "a value of which something is said"
    near = changing.BEFORE.search(bare) or (changing.NUMBERED.search(bare) if clause.value[0].isdigit() else None)
    if not clause.noun and clause.value[0].isdigit() and _BOUNDING.search(bare):
        return "a time before or after the value"
    if near is not None and changing.WITH_UNIT.search(bare) and is_unit(clause.noun.split(" of ")[0]):
        near = None
    if near is not None and clause.value.startswith("+") and near[0].strip() == "the":
        near = None
    if near is not None and not (near[0].split()[-1] == "of" and _ATTAINED.match(clause.middle)):
        return near[0].strip()
    if changing.GERUND.match(bare) and not (changing.STORES.search(bare) or changing.COMES_TO.search(bare)):
        return "what is done with the value"
    around = changing.AROUND.search(
        HARMLESS.sub("", f"{bare} | {behind_share(clause.value, clause.noun, clause.middle)}")
    ) or changing.REPORTERS.search(bare)
    if around is not None:
        return around[0].strip()
    return _changed_behind(clause)


def _changed_behind(clause: Clause) -> str | None:
    """The word behind a value that makes another thing of it."""
    if is_unit(clause.noun) and (
        re.match(r"\s*away\s+from\s+the\b", clause.middle) or changing.given_to(clause.lead, clause.noun, clause.middle)
    ):
        return None
    as_what = changing.AS_WHAT.search(clause.middle)
    if as_what is not None:
        return as_what[0].strip()
    behind = changing.BEHIND.search(
        clause.middle if not clause.noun else f"{clause.noun} {clause.middle}"
    ) or changing.BEHIND.search(clause.middle)
    return behind[0].strip() if behind is not None else None


def _bare_lead(clause: Clause) -> str:
    """What stands before the value, with `x` for formulas, and without what has to be done with an amount."""
    bare = plainly_led(re.sub(rf"{MARK}", "x", clause.lead))
    return changing.NEEDED.sub(r"\g<needs> have ", bare) if is_unit(clause.noun.split(" of ")[0]) else bare


def _applied(clause: Clause, objects: Mapping[str, bool]) -> str | None:
    """The operation in words that a clause applies to its value, or just to a set, a point or an expression."""
    if (made := changing.made_of(clause.lead)) is not None:
        return made
    if clause.value not in objects and clause.value[0] not in "([{":
        return None
    if (divides := re.search(r"\b(?:is|are)\s+(?:an?\s+)?factors?\s+of\s+$", clause.lead)) is not None:
        return divides[0].strip()
    found = changing.applied(without_openers(clause.lead))
    bracketed = clause.value[0] in "([{" or objects.get(clause.value)
    if found is None or (found["where"].lower() != "of" and not bracketed):
        return None
    return found[0].strip()


def beside_bold(lead: str, tail: str) -> bool:
    """Whether words before or behind a value in bold type deny, doubt or change it."""
    lead = re.sub(r"^(?:keep|take|choose|retain|are\s+left\s+with)\s", "", without_openers(lead))
    bare = HARMLESS.sub("", plainly_led(re.sub(r"[\s:]+$", " ", lead)))
    words = (
        changing.BEFORE.search(bare),
        changing.GERUND.match(bare) and not (_TAKES.search(bare) or changing.COMES_TO.search(bare)),
        changing.IMPERATIVE.match(bare),
        changing.AROUND.search(f"{bare} | {tail}"),
        changing.REPORTERS.search(bare),
        changing.BEHIND.search(tail),
    )
    return any(words) or (not _ENGLISH.search(f"{lead} {tail}") and tongues.denied(f"{lead} | {tail}") is not None)


def _of_itself(clause: Clause) -> bool:
    """Whether a bare value begins a sentence that says something of it, not that it is what was asked for."""
    lead = clause.lead.strip()
    begun = (not lead or changing.SORT_ALONE.fullmatch(lead)) and not clause.noun and clause.middle.strip()
    counted = re.match(r"\s*of\s+(?:the|them|these|those|all|what)\b", clause.middle)
    counted = counted or _DIRECTION.fullmatch(clause.middle)
    needed = _NEEDED.match(clause.middle) is not None or _ON_AVERAGE.fullmatch(clause.middle) is not None
    return bool(begun) and counted is None and not needed and changing.SUFFICES.match(clause.middle) is None


def is_foreign(text: str) -> bool:
    """Whether words are of another language that is written in Latin letters."""
    return (_FOREIGN.search(text) or re.search("[à-öø-ÿ]", text)) is not None and _ENGLISH.search(text) is None


def _is_foreign(clause: Clause) -> bool:
    """Whether a clause is in another language."""
    return is_foreign(f"{clause.lead} {clause.noun} {clause.middle}")


def _is_kept(clause: Clause) -> bool:
    """Whether what stands behind the value is its unit or an English noun; other nouns are not of the language."""
    return bool(clause.noun) and (is_unit(clause.noun.split(" of ")[0]) or not _is_foreign(clause))


def _changed_abroad(clause: Clause) -> str | None:
    said = f"{clause.lead} | {clause.noun} {clause.middle} {clause.trailing}"
    found = tongues.denied(said) or tongues.TURNED_DOWN.search(said)
    found = found or tongues.of_given_things(clause.lead) or tongues.SPANISH_NO.search(said)
    if found is None and tongues.asked_or_supposed(said):
        return "a question"
    return found[0] if found is not None else None
