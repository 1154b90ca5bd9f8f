"""What stands behind a committing phrase, read whole: a value, and what may follow a value."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from grading.language import names, numerals, words
from grading.language.responses import changing
from grading.language.responses import vocabulary as say
from grading.language.responses.corrections import taken_back
from grading.language.responses.counted import GOES_ON, counted, predicated
from grading.language.responses.drawn import draws_another
from grading.language.responses.explained import VERIFIABLE, WHAT_IT_IS, explained
from grading.language.responses.segments import MARK
from grading.language.responses.shares import is_part_of_answer, without_whole
from grading.language.responses.there import NUMBER, SIGN_EXPLAINED, SIZE, measured_there
from grading.language.unitnames import without_substance

_CORE = re.compile(rf"{MARK}|{NUMBER}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_CUT = re.compile(
    rf"\s*(?:[,，;；](?=\s*(?:i\.\s?e|e\.\s?g|cf\.|viz\.))|[,，;；](?!\s*[-−+]?\s*(?:\d|{MARK}"
    rf"|[A-Za-z]\b(?!\s+[a-z]{{2,}})|and\s+[-−]?(?:\d|{MARK})|or\s))"
    rf"|[—–](?!\d)|:\s|\s-\s(?!\d)"
    r"|(?<![/·*×])\s\((?=[^()]*(?:[^\W\d_]{3}|≈|~|=))"
    r"|\bat(?=\s+(?:[\ue000-\ue2ff]|[A-Za-z]\w?\s*=|the\s+(?:point|origin)|(?:that|this|these|those|each)\s+[a-z]{3}))"
    r"|(?<=s)\s+to\s+(?!the\b)(?=[a-z]+\b(?:\s+[a-z]+){0,5}\W*$)"
    r"|(?<=[a-z])\s+to\s+(?=(?:reach|cover|travel|complete|finish|fill|empty|drain|charge|heat|cool|traverse|attain|produce)\b)"
    r"|\b(?:(?:exactly|just|precisely)\s+as|to\s+(?:first|second|third|leading|lowest|zeroth)[\s-]+order|thanks"
    r"|because|denn|weil|nämlich|car|puisque|parce\s+que|porque|ya\s+que|pues|pois|perché|poiché|since|as|given"
    r"|so\s+that|so|which|where|wherever|when|whenever|for"
    r"|and\s+(?=[a-z]{3,}s\s+(?:the|an?|its|to|in|at|on)\b)|if|by|from|using|due\s+to|of\s+course|assuming"
    r"|provided|rather|instead|not|but|otherwise|or\s+else|unless"
    r"|while|whereas|although|though|after|with|that|who|attained|and\s+(?:we|this|that|so|it|not|nothing|hence"
    r"|therefore|thus|otherwise)|in\s+(?:case|which)|only\s+if|see|cf)\b)",
    re.IGNORECASE,
)
KNOWN_GROUP = re.compile(
    r"^(?:(?:the|a)\s+)?(?:(?:symmetric|alternating|dihedral|cyclic|quaternion|Galois|full|abelian|free"
    r"|permutation)\s+)+"
    rf"group\s+(?=(?:{MARK}|\$?\\?[A-Za-z]+_?\{{?\d))",
    re.IGNORECASE,
)
"""`the symmetric group` before `S_3`."""
_MINUTES = re.compile(r"\d(?:'{1,2}|\")\W*$")
_SIGN = re.compile(rf"^(?:negative|minus)\s+(?=\d|{MARK}|\.\d)", re.IGNORECASE)
_COUNT = re.compile(
    r"\s+(?:every\s+\w+|each\s+\w+|each|in\s+(?:all|total|lowest\s+terms|simplest\s+form|the\s+end)|of\s+(?:them"
    r"|these|those)(?:\s+all)?(?:\s+in\s+(?:all|total))?|altogether|all\s+(?:together|told)|overall)$",
    re.IGNORECASE,
)
_PLACED = re.compile(r"\s+(?:of|in|on|into|at|to)\b", re.IGNORECASE)
_NAMED_AGAIN = re.compile(rf"\s*[:,—–]\s*(?:i\.\s?e\.,?\s*)?({MARK})\W*$")
"""Behind a value in words, its formula: `empty: $\\varnothing$`."""
_MOST_WORDS = 6
_LONGEST = 600


@dataclass(frozen=True, slots=True)
class Value:
    """A value with the side condition that stands behind it; both still with stand-ins for formulas."""

    text: str
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why what stands behind a committing phrase is no value."""

    reason: str


@lru_cache(maxsize=256)
def value_of(rest: str) -> Value | Refused:
    """The value that `rest` begins with, if all that follows it may follow a value."""
    cut = len(rest.strip()) > _LONGEST
    rest = say.APPROXIMATELY.sub("", rest.strip()[:_LONGEST], count=1).strip()
    rest = _OPEN_BRACKET.sub("", rest) if rest.count(")") == rest.count("(") + 1 else rest
    rest = _without_sort(KNOWN_GROUP.sub("", rest.replace(":=", "=")))
    rest = _ABOUT.sub(r"\1 = ", rest)
    rest, signs = _SIGN.subn("-", rest, count=1)
    if signs and (mark := re.match(rf"-({MARK})", rest)):
        return Refused(f"a sign in words before a formula ({mark.start()})")
    if _CITED.match(rest):
        return Refused("a source, not a value")
    rest = measured_there(_share_in_digits(rest))
    if is_part_of_answer(rest):
        return Refused("a part of the answer")
    things = counted(rest)
    if things is not None:
        return Value(things)
    rest = without_whole(rest)
    described = _DESCRIBED.match(rest)
    if described is not None and not _changes_its_value(described["what"] + " "):
        rest = rest[described.end() :]
    rest, second = _restated(_MONEY_LEFT.sub(r"\1", rest))
    if second is not None:
        return second
    percent = _OR_PERCENT.match(rest)
    if percent is not None:
        return Value(f"{percent[2]}\\% \\iff {percent[1]}")
    ratio = _RATIO.match(rest)
    if ratio is not None:
        return Value(ratio[1])
    head, tail = _cut(rest)
    if cut and not tail:
        return Refused("longer than a value is")
    head = SIZE.sub("", head.rstrip(" .")) if _CORE.search(head) and not tail else head
    again = _NAMED_AGAIN.match(tail) if words.phrase(head.strip()) is not None else None
    if again is not None:
        return Value(again[1])
    why = explained(head, tail) if tail else None
    if why is False:
        return Refused("the parts of it have another sum")
    tail = "" if why else tail
    problem = _not_a_value(without_substance(head.strip()))
    found = tail_of(tail) if problem is None else Refused(problem)
    return found if isinstance(found, Refused) else _with_tail(_without_place(head), tail, found)


def _with_tail(head: str, tail: str, condition: str) -> Value | Refused:
    """A value, unless what follows it works out or draws another one."""
    bare = _bare(head)
    worked = _WORKED_OUT.match(tail)
    one, other = (_fraction(trimmed(bare)), _fraction(worked[1])) if worked is not None else (None, None)
    if one is not None and other is not None:
        return Value(bare, condition) if abs(one - other) <= abs(one) / 150 else Refused("two different values")
    drawn = _DRAWN.search(tail)
    another = draws_another(tail) if drawn is None else drawn[1] not in bare
    return Refused("another value is drawn from it") if another else Value(bare, condition)


def _share_in_digits(rest: str) -> str:
    """`1 in 6` and `one in six` as `1/6`, `forty-two (42)` as 42."""
    in_words = _ONE_IN_WORDS.match(rest)
    if in_words is not None:
        one, of = (numerals.number_of(part) for part in in_words.groups())
        rest = f"{one}/{of}" if one and of and one <= of else rest
    return _IN_BRACKETS.sub(_said_in_digits, _CHANCE.sub(r"\1", _ONE_IN.sub(r"\1/\2", rest)))


def _without_sort(rest: str) -> str:
    """What stands behind words that only say what sort of thing the value is."""
    sort = _SORT.match(rest)
    return rest[sort.end() :] if sort is not None and not _changes_its_value(sort["sort"]) else rest


def _without_place(head: str) -> str:
    """A counted or measured thing without the place where it is."""
    placed = _PLACED_THING.match(numerals.leading(head) or head)
    if placed is None or changing.AROUND.search(placed["place"]) or _ONE_OF_CASES.search(placed["place"]):
        return head
    return placed["thing"]


_ABOUT = re.compile(r"^([A-Za-z]\w{0,3})\s*≈\s*(?=[-−]?\d)")
"""`V ≈ 31.2 L`"""
_SORT = re.compile(
    rf"^(?P<sort>(?:an?|the|our|its)\s+(?:[a-z-]+\s+){{1,4}}?)(?={MARK}|[-−]?[$€£]?\d|\(\s*[-−]?\d)", re.IGNORECASE
)
"""`a grand total of` before 42, `the diagonal matrix` before a formula."""
_DESCRIBED = re.compile(
    rf"^(?P<what>(?:an?|the)\s+(?!(?:answer|other|another)\b)[a-z][a-z -]{{3,80}}?)\s*[,:]\s+"
    rf"(?:namely\s+|i\.\s?e\.,?\s+)?(?={MARK}\s*(?:[.!]?$|,?\s*(?:with|where|for)\b))"
)
"""What sort of thing a formula is: `a family of parabolas through the origin, F`."""
_RESULT_OF = re.compile(
    r"an?\s+(?:\w+\s+)?(?:remainder|quotient|difference|total|balance|surplus)\s+of\s+", re.IGNORECASE
)
"""`a remainder of` before 13 says what 13 is; `the remainder of` would work on it."""
_PLACED_THING = re.compile(
    rf"^(?P<thing>\W*{NUMBER}\s+[A-Za-z-]+(?:\s+[A-Za-z-]+)?)\s+(?P<place>(?:(?:in|on|at|inside|along|around"
    rf"|from|behind|under)\s+(?:the|this|that|its|each|our|his|her)\b|in\s+an?\s+(?!case\b|row\b)|in\s+(?!base"
    rf"|total|all|the\b)[a-z]{{3,}})[^\d\ue000-\ue2ff]*)$"
)
"""`20 litres in the tank`"""


def _changes_its_value(sort: str) -> bool:
    """Whether words before a value make another thing of it."""
    if _RESULT_OF.fullmatch(sort):
        return False
    last = sort.split()[-1].lower()
    if _RESULT.fullmatch(sort):
        return False
    return (
        any(words.search(sort) for words in (changing.BEFORE, changing.NUMBERED, changing.AROUND, say.CHANGED))
        or last in ("to", "with", "at", "in", "on", "and", "is", "are", "or", "after", "before", "by", "for")
        or last in _MATHEMATICS
        or changing.applied(sort) is not None
    )


_MONEY_LEFT = re.compile(
    r"^(\\?[$€£]\s?\d[\d.,]*)\s+(?:left|back|remaining|(?:in|as)\s+change|in\s+(?:cash|all|total))(?:\s+(?:over|in|on|from|after)\b[^,;:\d]*)?(?=[.!]*$)"
)
_OPEN_BRACKET = re.compile(r"(?<![\d\s])\)[\s.]*$")
"""The end of a bracket that was opened before the phrase: `(the solution set is empty)`."""
_RESULT = re.compile(
    r"(?:the|an?|its|our)\s+(?:\w+\s+)?(?:quotient|remainder|sum|product|difference|total|derivative"
    r"|antiderivative|integral|limit|maximum|minimum|root)\s*",
    re.IGNORECASE,
)
"""What an operation gives, by its name, directly before the value: `the quotient` of `leaves the quotient 5`."""
_RATIO = re.compile(rf"^({NUMBER}(?:\s*(?:\bto\b|[:∶])\s*{NUMBER}){{1,3}})\W*$")
_ONE_IN = re.compile(r"^(\d{1,9}) (?:in|out of) (?:every )?(\d{1,9})(?=\W*$|[,:])")
"""A share: `1 in 6`."""
_ONE_IN_WORDS = re.compile(r"^([a-z]+) (?:in|out of) (?:every )?([a-z]+(?:-[a-z]+)?)(?=\W*$)")
_CHANCE = re.compile(
    r"^(?:an?\s+)?(\d[\d.,]*\s?(?:%|per\s?cent))\s+(?:chance|probability|likelihood"
    r"|increase|decrease|gain|loss|profit|discount|rise|reduction"
    r"|drop|return|share|growth)\b(?:\s+of\s+[a-z ]{1,40}(?=\W*$|,))?"
)
_DRAWN = re.compile(
    r"\b(?:so|thus|hence|therefore|making|giving|leaving)\s+(?:(?:a\s+total\s+of|only|just|exactly|there\s+are"
    r"|it\s+is)\s+)*"
    r"(?:[A-Za-z]\w?\s*=\s*)?([-−]?\d[\d.]*)(?:\s+[a-z]+){0,5}\W*$",
    re.IGNORECASE,
)
"""A number that a clause behind a value arrives at."""
_WORKED_OUT = re.compile(
    rf"^[\s,;]*(?:which|that)\s+(?:is|equals|gives|(?:simplifies|reduces|evaluates)\s+to"
    rf"|is\s+equal\s+to)\s+(?:about\s+|approximately\s+|just\s+)?({NUMBER})\W*$",
    re.IGNORECASE,
)
"""`10/2, which is 5`"""
_CITED = re.compile(
    r"(?:given\s+(?:by|in)\s+)?(?:the\s+)?(?:eq\.?|equation|formula|expression|function|theorem|lemma|table|figure"
    r"|line|step)"
    r"\s*\(?\d+\)?\W*$|given\s+(?:by|in)\s+\(\d+\)",
    re.IGNORECASE,
)
"""A number that only says where to look."""
_TWICE = re.compile(
    rf"^(?P<first>{NUMBER}\s?%?)\s*,?\s*(?P<joiner>or|i\.\s?e\.,?|that\s+is,?)\s+(?:about|approximately|roughly"
    rf"|equivalently)?\s*"
    rf"(?P<second>{NUMBER}\s?%?)\W*$",
    re.IGNORECASE,
)
"""A number and another spelling of it: `3/4, or 0.75`."""

_IN_BRACKETS = re.compile(
    r"^(?P<words>[A-Za-z][A-Za-z -]{2,60}?)(?P<share>\s+per\s?cent)?(?:\s+\(|,?\s+(?:i\.\s?e\.,?|that\s+is,?|or)\s+)"
    r"(?P<digits>-?\d{1,12}(?:\.\d{1,6})?)(?P<sign>\s?(?:\\?%|per\s?cent))?\)?(?=\W*$|,)"
)


def _said_in_digits(found: re.Match[str]) -> str:
    """`forty-two (42)` in digits, where the two are one number."""
    same = numerals.number_of(found["words"]) == Fraction(found["digits"])
    shares = (found["share"] is None) == (found["sign"] is None)
    return f"{found['digits']}{found['sign'] or ''}" if same and shares else found[0]


_OR_PERCENT = re.compile(
    rf"^({MARK})\s*,?\s*(?:or|i\.\s?e\.,?|that\s+is,?|which\s+is)\s+(?:about\s+)?(\d[\d.]*)\s?\\?%\W*$"
)


def _restated(rest: str) -> tuple[str, Refused | None]:
    """A value without its other spelling; Refused where the two are different numbers."""
    found = _TWICE.match(rest)
    if found is None:
        return rest, None
    first, second = _fraction(found["first"]), _fraction(found["second"])
    if first is not None and second is not None and found["joiner"] == "or" and not re.search(r"[%,]", rest):
        return (found["first"] if first == second else rest), None
    if first is None or second is None or abs(first - second) > abs(first) / 150:
        return rest, Refused("two different values")
    return found["first"], None


def _fraction(text: str) -> Fraction | None:
    plain = re.sub(r"[\s,]", "", text).replace("−", "-")
    try:
        value = Fraction(plain.rstrip("%"))
    except (ValueError, ZeroDivisionError):
        return None
    return value / 100 if plain.endswith("%") else value


def trimmed(text: str, marks: str = " .。,") -> str:
    """A text without marks at its ends; a point before a digit is part of the number."""
    return re.sub(rf"^(?:(?![.]\d)[{re.escape(marks)}])+", "", text).rstrip(marks)


def _bare(head: str) -> str:
    """A value without punctuation and without words that only say what sort of thing it is."""
    head = trimmed(head, " .。,;:!*_" + ("" if _MINUTES.search(head) else "\"'“”"))
    head = SIZE.sub("", _COUNT.sub("", head)) if _CORE.search(head) else head
    core = _CORE.search(head)
    sort = re.match(
        r"(?:(?:the|an?)\s+)?(?:(?:ordered|single|unique|open|closed|straight|real|half-open)\s+)?(?:circle"
        r"|hyperbola|parabola|ellipse"
        r"|sphere|plane|curve|family|region|polynomial|union|sequence|quadratic|cubic|point|pair|triple|set|interval"
        r"|function|matrix|vector|line|value|number|expression|equation|ratio|fraction)\s+(?=\W*\S)",
        head,
        re.IGNORECASE,
    )
    return head[sort.end() :] if sort is not None and core is not None else head


def _cut(rest: str) -> tuple[str, str]:
    """The value and what follows it."""
    core = _CORE.match(rest)
    for cut in _CUT.finditer(rest, core.end() if core else 1):
        if rest[: cut.start()].strip():
            return rest[: cut.start()], rest[cut.start() :]
    return rest, ""


def _not_a_value(head: str) -> str | None:
    """Why words and numbers are no value; None where they are one."""
    if re.match(r"\W*(?:!=?|¬|~~|≠)\W*\w", head):
        return "a denial, not a value"
    head = trimmed(head, " .。!*\"'“”")
    if not head or not re.search(rf"\w|{MARK}|[∞∅]", head):
        return "nothing stands after the committing phrase"
    if numerals.number_of(head) is not None or words.phrase(head) is not None:
        return None
    head = predicated(head)
    if GOES_ON.search(head):
        return "a value that goes on"
    if re.match(r"[<>≤≥≠!¬~]", head):
        return "a bound or a denial, not a value"
    if re.match(r"(?:number|no\.?|nr\.?|item|entry|row|line)\s+\d+\s+\w", head, re.IGNORECASE):
        return "a place in a list, not a value"
    core = _CORE.search(head)
    before, after = (head[: core.start()], head[core.end() :]) if core else (head, "")
    if (
        core is not None
        and not say.NAMED.match(before)
        and not re.fullmatch(r"\W*(?:\S{0,30}\s*=)?[\w\s\\^{}()\[\]/*+|.-]{0,60}", before)
    ):
        return "words before the value that are not understood"
    changed = say.CHANGED.search(head)
    if changed is not None:
        return f"'{changed[0]}' beside the value"
    unnamed = "" if _NAME_OF_IT.fullmatch(before) else _DIFFERENCE.sub("", before)
    named = [word for word in _WORD.findall(unnamed) if not say.NAMED.match(word)]
    if core is not None and any(word.lower() not in _MATHEMATICS for word in named):
        return "words before the value that are not understood"
    if core is not None and core[0][-1:].isdigit() and _PLACED.match(after) and not _COUNT.fullmatch(after):
        return "words after the value that are not understood"
    if len(_WORD.findall(after)) > _MOST_WORDS or (core is None and len(_WORD.findall(head)) > _MOST_WORDS):
        return "more words than a value has"
    return None


_NAME_OF_IT = re.compile(r"\W*[A-Za-zα-ωΔ∆][^\s=≈()]{0,9}(?:\([^()=≈\d]{1,40}\))?\s*[=≈]\s*")
"""The name of the value before it: `pH =`, `Var(X) =`."""
_DIFFERENCE = re.compile(r"^\W*[Δ∆][A-Za-z][°⊖∘]?\w{0,4}[°⊖]?\s*(?==|≈)")
"""The name of a difference: `ΔH° =`."""
_MATHEMATICS = frozenset({*names.GREEK, *names.FUNCTIONS, "frac", "dfrac", "sqrt", "infinity"})
"""Words that belong to a formula written without delimiters."""
_ONE_OF_CASES = re.compile(
    r"\bfor\s+(?:the|an?|another)\s+(?:(?:easier|simpler|harder|other|different|previous|next|wrong|similar|sample|practice|smaller|larger|bigger)\s+)"
    r"(?:question|problem|case|task|exercise|version|one|triangle|circle|figure|part|value)\b|"
    r"\bin\s+(?:the\s+)?(?:first|second|third|one|other|former|latter|even|odd)\s+(?:case|of|instance|situation)"
    r"|\bin\s+the\s+(?:second|other"
    r"|latter)\b",
    re.IGNORECASE,
)
_REFUSING = re.compile(
    r"\s*(?:not|if|unless|only|(?:always\s+|please\s+)?(?:accept|grade|mark)\b|wrong|incorrect|false|rejected|discarded|excluded|eliminated|extraneous|spurious|impossible"
    r"|invalid|or|read|recte|typo|sic|was|were|formerly|previously|now|should|i\s+mean|maybe|and|minus|plus"
    r"|times|less|to\s+be\s+(?:\w+\s+)?\w+ed|needs?|must|half|twice|doubled?|halved|before\s+(?:\w+ing)"
    r"|[-−]?\d[\d.,]*\s*$)",
    re.IGNORECASE,
)
"""A remark in brackets that puts another value in place of the one before it, or doubts it."""


_WORK_LEFT = re.compile(
    r"\b(?:so|then|hence|therefore|thus|and|which|that)\s+(?:now\s+)?(?:we|i|you"
    r"|one)\s+(?:\w+\s+){0,2}?(?:multiply|divide|double|triple|halve|add|subtract"
    r"|square|negate|invert|scale|take)\b"
    r"|\b(?:which|that|this|it)\s+(?:still\s+)?(?:has|must|needs|ought|is"
    r"|remains)\s+(?:still\s+)?(?:to\s+)?be\s+(?:halved|doubled|multiplied|divided"
    r"|added|subtracted|squared|negated|tripled|scaled|corrected|adjusted)\b"
    r"|\b(?:have|need|has|got|ought)\s+to\s+(?:now\s+|still\s+|then\s+)?(?:multiply|divide|double|triple|halve|square|negate|invert|scale)\s+(?:it|that|this)\b(?!\s+to\s+(?:check|see|get|recover)\b)"
    r"|\b(?:from|to|by|with)\s+which\s+(?:[a-z]+\s+){0,4}?(?:must|should|has\s+to|have\s+to|needs?\s+to|is\s+to|are\s+to)\b"
    r"|\baccording\s+to\s+(?:\w+\s+){0,2}?(?:nobody|no\s+one|flawed|wrong|faulty|outdated|buggy|erroneous|old|key|friend"
    r"|teacher|textbook|calculator)\b",
    re.IGNORECASE,
)
"""A step behind a value that is still to be made with it, or a source that is not trusted."""


_RANGE_OF_LETTER = re.compile(
    rf"(?:(?:where|with|for)\s+)?(?:{MARK}|[A-Za-z])\s+(?:is\s+)?(?:an?\s+|any\s+)?"
    r"(?:natural|positive|negative|non-?negative|non-?zero|whole|even|odd|real|complex|rational)\b[a-z -]*",
    re.IGNORECASE,
)
"""`n a positive integer` in brackets: no aside, but what the letter runs through."""


_PART_OF = re.compile(
    r"\s*,?\s*as\s+an?\s+(?:proper\s+|normal\s+)?(?:sub\w+|factor|divisor|member|element|quotient|part|term|limit)\b",
    re.IGNORECASE,
)
_FOR_EACH = re.compile(r"[\s,]*for\s+(?:each|every(?:\s+one)?)\s+of\s+(?:the|these|those)\b", re.IGNORECASE)
_ENDS_IN_ANOTHER = re.compile(
    rf"[\s,]*(?:which|that|who|where|and|but)\s+(?:\w+\s+){{1,8}}?(?:is|are|equals|saves?|makes?|gives?|leaves?"
    rf"|gets?|has|have)\s+(?:{MARK}|[-−$]?\d[\d.,]*)"
    r"(?:\s+[^\W\d]+)?(?:\s+of\s+\w+)?\W*$",
    re.IGNORECASE,
)
"""A relative clause that ends in a value of its own: `120 m, which saves 160 m`."""
_ONE_FOR_EACH = re.compile(
    r"^[\s,;:—–]*(?:namely\s+)?(?:exactly\s+)?one\s+for\s+(?:each|every)\b(?![^.]*\b(?:but|except|twice|not)\b)",
    re.IGNORECASE,
)
_OF_WHICH = re.compile(  # `$1,629, of which $629 is interest`
    rf"^\s*,\s+of\s+which\s+[$€£]?{NUMBER}\s?%?\s*(?:is|are|was|were)\s+(?!(?:the|an?|wrong|missing|not)\b)[a-z]+(?:\s+[a-z]+)?[.\s]*$"
)
_NO_OTHER = re.compile(
    r"\bno\s+(?:other|further|smaller|larger)\s+(?:\w+\s+)?(?:survives?|works?|fits|remains?|exists?|qualif\w+"
    r"|is\s+possible)\b",
    re.IGNORECASE,
)
_AND = re.compile(r"^[\s,;]*and\s+(?:so\s+)?")
_ANOTHER_CLAUSE = re.compile(
    r"[\s,;]+and\s+(?:so\s+)?(?:the|this|it|that|both|no|all|there|these|its|(?-i:[A-Z][A-Za-z₀-₉⁺⁻]*))\s+(?:[a-z-]+\s+){0,5}?(?:is|are"
    r"|was|holds?|converges?|agrees?|works?|follows?|shows?|confirms?|completes?|exists?"
    r"|remains?|stays?|checks?|matches|fits|persists)\b",
    re.IGNORECASE,
)
"""`, and the convergence is absolute`: a clause of its own behind a value."""
_OTHER = re.compile(
    r"\b(?:other|another|second|also|too|negative|opposite|reciprocal|inverse|conjugate|answers?|solutions?"
    r"|values?|wrong|half|twice|same)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    rf"\d|{MARK}|\b(?:no|or|if|and\s+(?:one|two|three|four|five|six|seven|eight|nine|ten|zero))\b", re.IGNORECASE
)


def tail_of(tail: str) -> str | Refused:
    """The side condition in what follows a value, or why it may not follow one."""
    tail = WHAT_IT_IS.sub("", VERIFIABLE.sub("", SIGN_EXPLAINED.sub("", tail.strip())))
    while remark := re.match(r"\(([^()]{0,300}(?:\([^()]{0,100}\)[^()]{0,200})?)\)", tail):
        if say.UNSETTLED.search(remark[1]) or taken_back(remark[1]) or _REFUSING.match(remark[1]):
            return Refused("a remark in brackets unsettles the value")
        if _RANGE_OF_LETTER.fullmatch(remark[1].strip()):
            return remark[1].strip()
        tail = tail[remark.end() :].strip()
    if not re.search(rf"\w|{MARK}", tail):
        return Refused("a question, not an answer") if "?" in tail else ""
    if say.ANOTHER.match(tail):
        return "" if not say.UNSETTLED.search(tail[4:].replace("but not", "")) else Refused("the value is unsettled")
    if taken_back(tail):
        return Refused("the answer is taken back after it was given")
    unsettled = say.UNSETTLED.search(tail) or _WORK_LEFT.search(tail)
    if unsettled is not None:
        return Refused(f"'{unsettled[0].strip()}' after the value")
    return _plain_tail(tail)


def _plain_tail(tail: str) -> str | Refused:
    """The side condition in a tail without words that unsettle the value, empty for a reason or a remark."""
    if _FOR_EACH.match(tail) or _PART_OF.match(tail) or changing.AS_WHAT.match(tail.lstrip(" ,")):
        return Refused("a value for each of several, or a part of another")
    if _ONE_FOR_EACH.match(tail) or _OF_WHICH.match(tail):
        return ""
    declared = _RANGE_OF_LETTER.fullmatch(tail.strip(" ,;.()"))
    if declared is not None:
        return declared[0]
    if say.CONDITION.match(tail) and not re.match(
        r"[\s,;]*(?:for\s+(?:a\s+total|the\s+\w+\s+(?:of|to)|this|our|short|example|instance)|on\s+(?:the|average)"
        r"|when\s+(?:rounded|expressed))\b",
        tail,
    ):
        if say.SECOND.search(tail) or _ONE_OF_CASES.search(tail):
            return Refused("several values on several conditions")
        return tail.strip(" ,;.")
    if _ONE_OF_CASES.search(tail):
        return Refused("a value for one case of several")
    if say.REASON.match(tail):
        another = _ENDS_IN_ANOTHER.match(tail)
        return Refused("another value is stated behind it") if another else ""
    said = _NO_OTHER.sub("", tail)
    if _ANOTHER_CLAUSE.match(said) and not _OTHER.search(said):
        said = _AND.sub("", said)
    joined = re.match(r"[\s,;:]*and\b(?!\s+[a-z]{2,}s\s+(?:the|an?|its|to|in|at|on)\b)", said)
    if (
        joined is None
        and re.search(r"[^\W\d_]{3}", said)
        and not any(found.search(said) for found in (changing.AROUND, changing.WORK_LEFT, changing.BEHIND, _NUMBERED))
    ):
        return ""
    return Refused("words after the value that are not understood")
