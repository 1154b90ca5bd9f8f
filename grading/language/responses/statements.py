"""What a sentence without a phrase that names the answer states; what is set, asked or cited states nothing."""

import re
from dataclasses import replace

from grading.language import abroad, numerals, words
from grading.language.responses import changing, tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.again import number_again
from grading.language.responses.announced import announced
from grading.language.responses.appended import without_appended, without_ratio_again
from grading.language.responses.assigned import assigned, without_reason
from grading.language.responses.changing import OF_ANOTHER
from grading.language.responses.clauses import beside_bold, is_foreign, plain_clause
from grading.language.responses.corrections import taken_back
from grading.language.responses.counted import counted
from grading.language.responses.doubts import doubted, in_a_remark, names_a_list, supposed_in, unstated
from grading.language.responses.drawn import (
    arrived_at,
    last_drawn,
    left_open,
    resulting,
    several_stated,
    without_contrast,
)
from grading.language.responses.headed import without_manner
from grading.language.responses.making import Committed, is_exact, made
from grading.language.responses.methods import changed_by, is_choice, is_object
from grading.language.responses.ownclause import own_clause
from grading.language.responses.reasons import before_reason
from grading.language.responses.remarks import is_apposed, without_apposition, without_remark
from grading.language.responses.rewritten import plainer
from grading.language.responses.roles import main_clause, without_relative
from grading.language.responses.scripts import FOREIGN_LETTERS, without_noun, writes_comma
from grading.language.responses.segments import MARK, Response, Sentence
from grading.language.responses.spotted import SIDE, named_quantity, spotted
from grading.language.responses.turning import rounds
from grading.language.responses.values import Refused, Value, tail_of, trimmed, value_of
from grading.language.responses.verbs import FOREIGN_VERB, MEASURED, VERB
from grading.language.unitnames import is_unit

_SUBORDINATE = re.compile(
    r"\b(?:since|because|as|given|while|when|whenever|where|if|unless|although|though|whereas|whose|(?:^"
    r"|(?<=[,;:]\s))(?:after|before|once|until)(?=\s+\S)"
    r"|let|suppose|assume|than|how|what|whether)\b[^,;:]*$",
    re.IGNORECASE,
)
_METHOD = (
    r"\W*This(?=\s+is\s+(?:simply\s+|just\s+)?(?:an?|the)\s+(?:(?:simple|standard|straightforward|geometric|arithmetic)\s+)?"
    r"(?:combination|permutation|arrangement|selection|counting\s+problem|proportion|series|sum|product)s?\s*:)\s"
)
"""`This is a combination:` names how a value is found."""
_AFTER_COLON = re.compile(
    rf"^(?P<lead>(?:[^:;?]{{12,240}}|{_METHOD})\b(?:is|are|and|for|gives|get|have|multiply|add"
    rf"|equals)\b[^:;?]{{0,120}}):\s+(?P<value>{MARK}(?:\s+[a-z]{{2,}}s)?|[-−]?[$€£]?\d[\d.,]*(?:\s+[^\d:;?=]{{1,60}})?|(?:one|two"
    rf"|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+[a-z][a-z ]{{2,50}})[\s.]*$"
)
"""`... and 3 for the third: 60 strings in total.`"""
_BOTH_STATED = re.compile(
    rf"\b(?:is|are|equals?|=)\s+(?:{MARK}|[-−]?\d[\d.,/]*)\s*,?\s*(?:and|while|whereas)\s+(?:the|its|their|a)\s+[^,;]*$",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(r"(?<![\w.])\d[\d.]*\s?[A-Za-zα-ω]\s*$|(?<![A-Za-z])[A-Za-z]\s*[\^²³]\s*\d?\s*$")
"""Before a sign of equality: a multiple or a power of a letter (`2x = 9`), which is no name."""
_PLACE = re.compile(r"(?:\b(?:at|for|when|where|if)|\()\s*[A-Za-z]\w?\s*$")
"""Before a sign of equality: it says where something happens."""
_FOREIGN_ANSWER = re.compile(
    r"\b(?:réponse|respuesta|resposta|risposta|antwort|lösung|ergebnis|résultat|resultado|risultato|ответ)\b",
    re.IGNORECASE,
)
_FROM_ANOTHER = re.compile(
    rf"\W*(?:(?i:so|thus|hence|therefore|then|finally|we\s+(?:get|have|find"
    rf"|obtain))\b[\s,]*)*(?P<first>{MARK})\s*[,;]?\s*(?:and\s+)?(?:so|thus|hence|therefore|giving"
    rf"|which\s+gives)(?:\s+that)?\s*,?\s*(?P<value>{MARK})\W*"
)
"""`$k = n$, so $E = k^2$`"""
_ARITHMETIC = re.compile(r"(?<![\w.=^])[-−]?\d[\d.]*(?:\s*[-−+*×·÷/]\s*\d[\d.]*){1,8}\s*$")
_WORKED = re.compile(r"\s*([-−]?\d[\d.,/]*)((?:\s+[a-z]+){0,3})\W*$")
"""A side that is worked out: `8 - 3` before `= 5`."""
_IMPLIED = re.compile(
    r"\b(?:so|thus|hence|therefore|then|giving|gives|get|implies|means)\s*,?\s*(?:that\s+)?[A-Za-z]\w{0,3}\s*$"
)
_NAME = re.compile(r"\s*\\?[A-Za-z]+(?:_\w|_\{\w+\})?'?(?:\s*\(\w\))?\s*")
_TRANSITION = re.compile(r"\s*[\w']+\s*(?:\\(?:to|(?:long)?(?:left)?rightarrow)(?![a-z])|→|↔)\s*[\w']+\s*")
"""From one level or state to another (`3\\to2`), which names a process."""
_SAID_AGAIN = re.compile(rf"\s*,?\s*(?:i\.\s?e\.|that\s+is|(?:or\s+)?equivalently|namely),?\s*({MARK})\W*")
_COUNTED_PEOPLE = re.compile(r"(?<=\d)(?:\s+\w+)?\s+(?:people|students|friends|others)\b", re.IGNORECASE)
_MOST_VERBS = 40
_OF_ANSWER = re.compile(r"\b(?<!to\s)(?:answer|solution|result)s?\b", re.IGNORECASE)
_HOLDS = re.compile(r"\bsolutions?\s+(?:contains?|weighs?|holds?)\W*$", re.IGNORECASE)
_SUBSTANCE = re.compile(r"\s*[\d.]+\s*[A-Za-z]{1,5}\s+of\s")
"""A solution in a beaker, and what is in it."""
_CHAIN_BEFORE = re.compile(
    rf"^\W*(?P<work>{MARK}|[CP]\(\d{{1,4}},\s*\d{{1,4}}\))\s*=\s*(?P<rest>(?P<value>\d[\d.,]*)\s+[a-z][^=]{{3,}})$"
)
"""`4³ = 64 different codes are possible`"""
_COUNTING = re.compile(
    rf"\b{MEASURED}\s+of\s+(?:the|this|our|a)\s+(?:\w+\s+){{0,2}}?solution\b|"
    r"\b(?:number|sum|product|total|set|count|average|mean)\s+(?:of\s+)?(?:[\w\ue000-\ue2ff-]+\s+){0,4}?(?:solutions"
    r"|results)\b"
    r"|\b(?:has|have|had)\b.*",
    re.IGNORECASE | re.DOTALL,
)
"""Solutions that are counted or summed, which is no statement about the answer."""
_OWN = re.compile(
    r"\b(?:when|if)\s+[^,;]{1,60}?\b(?:is|are)\s+(?:divided|multiplied|added|evaluated|rounded|written|thrown|rolled"
    r"|tossed)\b"
    r"|\b(?:we|you)\s+(?:were|are)\s+(?:after|looking\s+for|asked\s+(?:for|about|to\s+\w+)|seeking|interested\s+in)\b"
    r"|(?<=\w\s)we\s+(?:want|wanted|need|seek|sought)(?=\s*$)",
    re.IGNORECASE,
)
"""Clauses that belong to the name of what is stated (`the remainder when N is divided by 7`)."""
_DRAWS = re.compile(
    r"(?:^|\b(?:so|thus|hence|therefore|then|that|finally|get|obtain|find|have|conclude|consequently|gives?"
    r"|yields?|namely|and|is|to|at|equation|point|value|ratio|logo|donc|also|somit|quindi|portanto|entonces|luego)\b"
    r"|[∴⇒]|所以|因此|故|よって|したがって|따라서)[\s,:，、]*$",
    re.IGNORECASE,
)
_SUPPOSING = re.compile(
    r"\b(?:if|unless|suppos\w*|assum\w*|imagin\w*|pretend\w*|claim\w*|sa(?:y|ys|id)|thinks?|thought|told|were"
    r"|had|hypothe\w+"
    r"|guess\w*|friend|someone|somebody|maybe|perhaps|possibly|allegedly|supposedly|according)\b",
    re.IGNORECASE,
)
"""Words of an earlier clause with which what is drawn from it is supposed or reported too."""
_MANNER = re.compile(
    r"\W*(?:(?:using|by|applying|from|with|via)\b[^.;:?\d]{2,80}|(?:expanding|integrating|substituting"
    r"|simplifying|solving|evaluating"
    r"|rearranging|combining|inserting|plugging\s+in|putting\s+(?:it\s+all|everything|all\s+(?:this"
    r"|of\s+this))\s+together|numerically)\b[^.;:?\d]{0,80})[,:]\s*",
    re.IGNORECASE,
)
"""`Using the power rule,` before the formula that it leads to."""
_AGAIN_AT_THE_END = re.compile(
    rf"^(?P<lead>.{{6,}}?),?\s+(?:that\s+is(?:\s+to\s+say)?|i\.\s?e\.|in\s+other\s+words|(?:or\s+)?equivalently"
    rf"|put\s+differently)\s*[,:]?\s+"
    rf"(?:on\s+|for\s+|in\s+)?(?:(?:the|an?)\s+(?:[a-z]+\s+)?(?:point|pair|triple|bundle|set|interval|vector|matrix|line|ratio)\s+)?(?P<value>{MARK})\W*$",
    re.IGNORECASE | re.DOTALL,
)
_RELATION = re.compile(r"[=<>≤≥≡∈]|\\(?:leq?|geq?|lt|gt|in|equiv|leqslant|geqslant)(?![A-Za-z])")
_WHERE = re.compile(
    r"\b(?:negative|positive|(?:strictly\s+)?(?:above|below|between|within|outside|inside)(?=\s+(?:the|its|these|both)\b(?!\s+(?:\w+\s+)?(?:sets?|intervals?|solutions?|answer|result|range|domain)\b)))",
    re.IGNORECASE,
)
"""What an inequality at the end of its sentence says in words: `it is negative between the roots`."""
_WORKED_OPERATION = re.compile(
    r"^(?P<lead>[^,;:?]*?\b(?:is|are|equals?))\s+(?:the\s+|its\s+)?(?:(?:negative|positive|square"
    r"|cube)\s+)?(?:reciprocal|opposite|inverse|square|cube|root"
    r"|half|twice|double|triple|factorial|sum|product|difference|quotient"
    r"|complement)\b[^;:?]{0,60}?,\s+(?:i\.\s?e\.|that\s+is|namely"
    rf"|which\s+(?:is|equals|gives))[,\s]+(?P<value>{SIDE}[^,;:?]{{0,30}})$",
    re.IGNORECASE,
)
"""`the negative reciprocal of 2, i.e. -1/2`: an operation in words, and what it gives."""
_JUDGING = re.compile(
    r"\b(?:true|case|right(?!\s+(?:one|ends?|endpoint|side|hand|angle|triangle))|correct|follows?|means?"
    r"|possible|certain|clear|sure|know|known|allowed|enough|answer|solution|claim|proof|wrong|false|nobody"
    r"|no\s+one|never|way)\b",
    re.IGNORECASE,
)
"""Words with which a denial in an earlier clause may be about what is drawn from it."""
CONSEQUENCE = re.compile(rf"{say.THEREFORE.pattern}", re.IGNORECASE)


def _plainly(response: Response, text: str) -> Committed | None:
    """The value of a plain sentence, or the one that it ends in behind a colon."""
    names = {
        mark
        for mark in re.findall(MARK, text)
        if _NAME.fullmatch(formula := response.formula(mark)) or _TRANSITION.fullmatch(formula)
    }
    objects = {
        mark: formula.lstrip(" \\").startswith(("(", "[", "{", "left"))
        for mark in re.findall(MARK, text)
        if is_object(formula := response.formula(mark))
    }
    behind = _behind_colon(response, text)
    if behind is not None:
        return behind
    plain = plain_clause(text, frozenset(names), objects)
    if plain is not None:
        return made(response, plain, "statement")
    return None


def _behind_colon(response: Response, text: str) -> Committed | None:
    """The value that a sentence ends in behind a colon (`... so the temperature is the mean: 50 °C`)."""
    behind = _AFTER_COLON.match(text)
    if behind is None or doubted(behind["lead"]) or names_a_list(behind["lead"]):
        return None
    value = value_of(behind["value"])
    plain = isinstance(value, Value) and not value.condition and is_valuable(value.text)
    return made(response, value, "statement") if plain else None


def displays(response: Response, sentence: Sentence) -> bool:
    marks = re.findall(MARK, sentence.text)
    return bool(marks) and response.is_display(marks[-1]) and bool(re.search(MARK + r"[\s.,;]*$", sentence.text))


def statement(response: Response, sentence: Sentence) -> Committed | None:
    """What a sentence states: the value it arrives at last, behind a main verb; None where it states none."""
    found = _statement(response, sentence)
    comma = found is not None and writes_comma(sentence.text, found.text or "")
    return replace(found, comma=True) if found is not None and comma else found


def _statement(response: Response, sentence: Sentence) -> Committed | None:
    text = without_appended(without_apposition(without_remark(without_manner(sentence.text))), response.formula)
    if not re.search(rf"\d|{MARK}", text) and is_foreign(text):
        text = abroad.in_digits(text)
    text = without_ratio_again(plainer(text), response.written)
    if "?" in text:
        return None
    if tongues.unsettled(text) is not None or left_open(text):
        return Committed(None, "statement", problem="a denial, a doubt or a condition beside the value")
    if is_apposed(text) or changing.goes_on_from(text):
        return Committed(None, "statement", problem="a value beside a subject of which something else is said")
    strong = _emphasised(response, sentence.bold, text)
    if strong is not None:
        return strong
    text = own_clause(without_contrast(text))
    if changing.AMONG.search(before_reason(arrived_at(text))) and announced(text) is None:
        return Committed(None, "statement", problem="one of several that are possible")
    if several_stated(text, response.formula):
        return Committed(None, "statement", problem="two things are stated")
    again = _restated(response, text)
    if again is not None:
        return again
    return _arrived(response, text)


def _arrived(response: Response, text: str) -> Committed | None:
    """What a sentence arrives at by its last word of consequence, or states as a whole."""
    cut = last_drawn(text)
    whole = _stated(response, text)
    if cut is None or (whole is not None and whole.text is not None and whole.condition):
        return whole
    lead, clause = cut
    if rounds(clause) and is_exact(exact := _stated(response, lead)):
        return exact
    clause = resulting(clause, text[len(lead) :])
    arrived = _stated(response, clause)
    if arrived is None or arrived.text is None:
        arrived = _lone(response, clause) or arrived or named_quantity(clause)
    if arrived is None or arrived.text is None:
        return arrived or Committed(None, "statement", problem="what the sentence arrives at is not understood")
    if _SUPPOSING.search(lead):
        return whole
    return arrived


def _restated(response: Response, text: str) -> Committed | None:
    """The equation or inequality in which a sentence ends by saying it again (`..., that is, $n \\ge 7$`)."""
    number = number_again(text)
    if number is not None:
        return made(response, value_of(number), "statement")
    found = _AGAIN_AT_THE_END.match(text)
    if (
        found is None
        or not (_RELATION.search(formula := response.formula(found["value"])) or formula[:1] in "([")
        or doubted(found["lead"])
    ):
        return None
    return Committed(response.formula(found["value"]).strip(), "statement")


def _emphasised(response: Response, bold: tuple[str, ...], text: str) -> Committed | None:
    """The one value in bold type, where no word about it denies, doubts or changes it; None of other sentences."""
    if len(bold) != 1 or text.count(bold[0]) != 1:
        return None
    lead, tail = text.split(bold[0])
    value = value_of(without_noun(bold[0]) if is_foreign(text) else bold[0])
    if isinstance(value, Refused) or value.condition or not is_valuable(value.text) or last_drawn(tail) is not None:
        return None
    lead = re.sub(
        r"^.*\b(?:reject|discard|exclude|drop|eliminate)s?\b[^;]*?\b(?:and|but|so)\s+(?=keep|take|choose"
        r"|are\s+left|retain)",
        "",
        lead,
    )
    if counted(f"{bold[0]}{tail}") is not None:
        tail = ""
    if beside_bold(lead, re.split(r"[;(—–]|,\s", tail)[0]) or supposed_in(lead) or unstated(lead) or taken_back(tail):
        return None
    if say.ELSEWHERE.match(text) or OF_ANOTHER.match(text) or say.UNSETTLED.search(re.split(r"[;(]", tail)[0]):
        return None
    return made(response, value, "statement")


def _lone(response: Response, clause: str) -> Committed | None:
    """A clause that is a value alone (`which gives 12 cm`)."""
    value = value_of(clause)
    return None if isinstance(value, Refused) or not is_valuable(value.text) else made(response, value, "statement")


def _stated(response: Response, text: str) -> Committed | None:
    """What a clause states; None where it states nothing."""
    if not re.search(rf"\d|{MARK}", text) and len(re.split(r":\s", text)[0].split()) > 12:
        return None
    drawn = _FROM_ANOTHER.fullmatch(text)
    if drawn is not None:
        defined = re.match(r"\s*\\?[A-Za-z](?:_\w|_\{\w+\})?\s*=", response.formula(drawn["first"]))
        condition = response.written(f"with {drawn['first']}") if defined else ""
        return Committed(response.formula(drawn["value"]).strip(), "statement", condition)
    operation = _WORKED_OPERATION.match(text.rstrip(" ."))
    if operation is not None and not doubted(operation["lead"]):
        return made(response, value_of(operation["value"]), "statement")
    worked = _CHAIN_BEFORE.match(text)
    work = response.written(worked["work"]).strip("$") if worked is not None else ""
    if worked is not None and (chosen := is_choice(work, worked["value"])) is not None:
        return _stated(response, worked["rest"]) if chosen else Committed(None, "statement", problem="a false equation")
    if worked is not None and not re.search(r"[A-Za-zα-ω]", work):
        inner = _stated(response, worked["rest"])
        return inner if inner is None or inner.text is None else replace(inner, text=f"{work} = {inner.text}")
    together = assigned(response, text)
    if together is not None:
        return Committed(together, "statement")
    found = spotted(response, without_reason(text))
    if found is not None:
        return found
    if OF_ANOTHER.match(text):
        return Committed(None, "statement", problem="a value that is worked out from the answer")
    several = announced(text)
    if several is not None:
        return made(response, several, "statement")
    verbs = [verb for verb in VERB.finditer(text) if not in_a_remark(text[: verb.start()])]
    for verb in reversed(verbs[-_MOST_VERBS:]):
        found = _behind(response, text, verb)
        if found is not None:
            return found
    return _plainly(response, text) or _formula_at_the_end(response, text)


_LEFT_SIDE = re.compile(rf"\b(?:is|becomes|by)\s+(?P<side>{MARK})\s*$")
"""The left side of an equation behind a verb: `the line is 3x - y`."""


def _behind(response: Response, text: str, verb: re.Match[str]) -> Committed | None:
    """The value behind one verb of a sentence, or why there is none; None where the verb states nothing."""
    lead, rest = text[: verb.start()], text[verb.end() :]
    side = _LEFT_SIDE.search(lead) if verb[0].strip() == "=" else None
    if side is not None and re.search(r"[a-z]\s*[-+−].*[a-z]", response.formula(side["side"])):
        return None
    if verb[0][0] in "=≈" and lead.rstrip().endswith("("):
        return None
    if verb[0][0] in "=≈" and _MULTIPLE.search(lead):
        return Committed(None, "statement", problem="an equation that is not solved")
    if verb[0][0] in "=≈" and (
        "\\" in text
        or _PLACE.search(lead)
        or FOREIGN_LETTERS.search(rest)
        or not (
            _IMPLIED.search(lead)
            or re.search(r"[^\W\d_]{2}", re.split("[=≈]", text)[0])
            or re.search(r",\s*(?:since|because|as)\b", rest)
        )
    ):
        return None
    subordinate = _SUBORDINATE.search(lead)
    if subordinate is not None and not CONSEQUENCE.search(subordinate[0][-40:]) and not _whole_clause(subordinate[0]):
        return None
    if lead.lower().endswith("solution ") and say.MIXTURE.match(rest):
        return None
    if _OF_ANSWER.search(_COUNTING.sub("", lead)) and not (_HOLDS.search(lead + verb[0]) and _SUBSTANCE.match(rest)):
        return Committed(None, "statement", problem="something else than the answer is stated of the answer")
    if _BOTH_STATED.search(lead):
        return Committed(None, "statement", problem="two things are stated")
    worked = _worked_out(lead, rest) if verb[0].strip() == "=" else None
    if worked is not None:
        return worked
    value = value_of(without_noun(rest) if FOREIGN_VERB.match(verb[0]) else rest)
    if isinstance(value, Refused) or not is_valuable(value.text):
        return None
    foreign = FOREIGN_VERB.match(verb[0]) and (
        tongues.denied(f"{lead} | {rest}")
        or re.search(r"\bno\W*$", lead, re.IGNORECASE)
        or tongues.asked_or_supposed(text)
    )
    foreign = foreign or (
        _FOREIGN_ANSWER.search(lead) and (tongues.NO.search(lead) or re.search(r"\bno\b", lead, re.IGNORECASE))
    )
    lead = without_relative(main_clause(lead))
    said = f"{lead} {_COUNTED_PEOPLE.sub('', value.text)}"
    doubtful = (
        say.DENIED.search(_drawn_clause(said))
        or changing.REPORTERS.search(f"{lead}{verb[0]}")
        or supposed_in(_OWN.sub("", lead), verb[0])
        or say.REPORTED.search(_OWN.sub("", said))
    )
    if doubtful or foreign or say.ELSEWHERE.match(text) or say.HANGING.match(lead) or unstated(f"{lead} {verb[0]}"):
        named = doubtful[0] if isinstance(doubtful, re.Match) else verb[0].strip()
        return Committed(None, "statement", problem=f"'{named}' in the sentence that states a value")
    return made(response, value, "statement")


def _drawn_clause(said: str) -> str:
    """The clause that a consequence is drawn in, where the one before it turns down a value of its own."""
    parts = re.split(r",\s*(?:and\s+)?(?:so|hence|thus|therefore)\b", said)
    if len(parts) < 2:
        return said
    granted = re.search(rf"\d|{MARK}", parts[-2]) or not (_SUPPOSING.search(said) or _JUDGING.search(parts[-2]))
    return parts[-1] if granted else said


def _worked_out(lead: str, rest: str) -> Committed | None:
    """`8 - 3 = 5 apples` with both its sides; None of other equations."""
    sides = _ARITHMETIC.search(lead)
    value = _WORKED.match(rest)
    if sides is None or value is None:
        return None
    before, behind = lead[: sides.start()], value[2]
    said = f"{before} {_COUNTED_PEOPLE.sub('', value[0])}"
    if say.DENIED.search(said) or supposed_in(before) or say.CHANGED.search(behind):
        return Committed(None, "statement", problem="a denied or changed value")
    if unstated(before) or say.REPORTED.search(said):
        return None
    unit = behind.strip(" .")
    if unit and is_unit(unit):
        return None if _told_by_letters(before) else Committed(f"{trimmed(value[1])} {unit}", "statement")
    return Committed(f"{sides[0].strip()} = {trimmed(value[1])}", "statement")


def _told_by_letters(before: str) -> bool:
    """Whether what stands before a working is a product that was to be denied or is an equation of its own."""
    return re.search(r"[<>≤≥≠]\s*$", before) is not None


_GIVEN = re.compile(r"\b(?:kn[eo]w\w*|tr(?:y|ied|ies)|given|told|set|asks?|tests?|needs?\s+to|used?)\b", re.IGNORECASE)


def _whole_clause(subordinate: str) -> bool:
    """Whether a subordinate clause has its verb already (`when N is divided by 7`): the next one is the main verb."""
    if re.match(r"what\s+(?:\S+\s+)+\S", subordinate, re.IGNORECASE):
        return not (changing.AROUND.search(subordinate) or _GIVEN.search(subordinate))
    return not re.match(r"(?:if|unless|suppose|assume|let|whether|than|while)\b", subordinate, re.IGNORECASE) and bool(
        VERB.search(subordinate.split(" ", 1)[-1])
    )


def is_valuable(text: str) -> bool:
    """Whether a value holds a number, a formula, or a word that stands for one."""
    return (
        bool(re.search(rf"\d|{MARK}|[∞=]", text))
        or words.phrase(text) is not None
        or numerals.number_of(text) is not None
        or numerals.leading(text) is not None
    )


def _formula_at_the_end(response: Response, text: str) -> Committed | None:
    """`Hence $x = 5$.`, `So, after cancelling, F`: words that draw a consequence, and one formula at the end.

    A remark may follow it ("as claimed", "i.e. one half", "for all $x$").
    """
    text = text.rstrip().rstrip("∎■□").rstrip(" \t\n.,;:!")
    first = re.match(rf"^(?P<lead>[^\ue000-\ue2ff]*?)(?P<mark>{MARK})(?P<tail>.*)$", text, re.DOTALL)
    last = re.match(rf"^(?P<lead>.*)(?P<mark>{MARK})(?P<tail>)$", text, re.DOTALL)
    found = (
        first
        if first is not None and (not first["tail"] or last is None or not displayed_last(response, last))
        else last
    )
    if found is None or (found is last and first is not None and first["tail"] and not displayed_last(response, found)):
        return None
    listed = re.fullmatch(
        rf"(?P<lead>[^\ue000-\ue2ff]*?)(?P<list>{MARK}(?:\s*(?:,|,?\s*and|,?\s*or)\s*{MARK}){{1,9}})", text
    )
    if listed is not None and _DRAWS.search(listed["lead"]) and not doubted(listed["lead"]):
        return Committed(response.written(listed["list"]), "statement")
    again = _SAID_AGAIN.fullmatch(found["tail"]) if found is first else None
    if again is not None and not doubted(found["lead"]):
        return Committed(f"{response.formula(found['mark'])} \\iff {response.formula(again[1])}", "statement")
    lead, tail = found["lead"], tail_of(found["tail"])
    if re.match(r"[^\W\d_]", found["tail"]) or (found["tail"] and _SUBORDINATE.search(lead)):
        return None
    unit = found["tail"].strip(" .") if found is first else ""
    if unit and _MANNER.fullmatch(lead) and is_unit(unit) and "=" in response.formula(found["mark"]):
        return None if doubted(lead) else Committed(f"${response.formula(found['mark']).strip()}$ {unit}", "statement")
    led = _DRAWS.search(lead) or (_MANNER.fullmatch(lead) and "=" in response.formula(found["mark"]))
    if found["tail"] and (isinstance(tail, Refused) or not led):
        return None
    display = response.is_display(found["mark"])
    if not (_DRAWS.search(lead) or re.search(r"[,:]\s*$", lead) or display):
        return None
    said = _WHERE.sub("", lead) if _RELATION.search(response.formula(found["mark"]).replace("=", "")) else lead
    changed = changed_by(said.rsplit(",", 1)[-1], response.formula(found["mark"])) and not CONSEQUENCE.search(lead)
    if changed or doubted(lead):
        return Committed(None, "statement", problem="a denied, bounded or changed value")
    rule = "display" if display else "statement"
    condition = response.written(tail) if isinstance(tail, str) else ""
    return Committed(response.formula(found["mark"]).strip(), rule, condition)


def displayed_last(response: Response, found: re.Match[str]) -> bool:
    """Whether the formula that a match ends in is displayed."""
    return response.is_display(found["mark"])
