"""The one commitment of a response that carries no explicit mark: which sentence it is, and what it says."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grading.language.responses import vocabulary as say
from grading.language.responses.segments import MARK, Response, Sentence, segmented
from grading.language.responses.values import Refused, Value, trimmed, value_of

_ADDRESSED = re.compile(
    r"\b(?:graders?|grading|verdict|scored?|reference\s+answer|instructions?|ignore|mark\s+(?:this|it|as|my)"
    r"|full\s+marks)\b|\bimport\s|\beval\(|\blambda\s|__\w+__|\w\(\)",
    re.IGNORECASE,
)
"""Words of a text that speaks to whoever grades it, or of a program; nothing is picked out of such a text."""
HEADING = re.compile(
    r"^\W*(?:the\s+)?(?:final\s+|correct\s+|short\s+|my\s+)?(?:answer|result|solution|conclusion|antwort|lösung"
    r"|réponse|respuesta|resposta|risposta|答案|答え|ответ|الجواب)\W*$",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:(?:follow|see|find|conclude|obtain|get|deduce|know|have|mean|give|show)s?\s+that(?=\W*[\ue000-\ue2ff])"
    r"|is|are|equals?|was|were|has\s+(?:equation|radius|area|length|value)|have|has|gives?|get|gets|obtain"
    r"|obtains|find|yields?|becomes|remains?|costs?|takes?|makes?|contains?|needs?|earns?|pays?|spends?|weighs?"
    r"|(?:converges|comes|amounts|evaluates|simplifies|reduces|tends|adds\s+up|sums)\s+to|be|giving|happened\s+in"
    r"|meet\s+at|intersect\s+at|lies\s+at|leaves|left\s+with|=|≈|in(?=\s+\d{4}\W*$)|at\s+the\s+point"
    r"|in\s+the\s+ratio|(?:increases?|decreases?|changes?|grows?|rises?|falls?|drops?)\s+by|got|found|counts?"
    r"|diverges\s+to|exists|est\s+de|est|sont|vaut|ist|sind|beträgt|ergibt|es\s+de|es|son|é\s+de|é|são|è|sono|vale"
    r"|равен|равна|равно|составляет)(?=\W|$)\s*[:：=]?",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"\b(?:since|because|as|given|while|when|whenever|where|if|unless|although|though|whereas|whose|after|before"
    r"|once|until|let|suppose|assume|than|how|what|whether)\b[^,;:]*$",
    re.IGNORECASE,
)
_TURNED = re.compile(
    rf"^(?P<lead>[^\d\ue000-\ue2ff]{{0,80}}?)(?P<value>{MARK}|[A-Za-z]\s*=\s*\S+"
    rf"|-?[\d.,/]+(?:\s[A-Za-z]+)?)\s+(?:is|are)\s+(?:therefore\s+|thus\s+)?(?:the|our|my)\s+(?:final\s+|correct\s+"
    rf"|right\s+|required\s+)*(?:answer|solution|result)s?"
    r"(?:\s+to\s+(?:the|this)\s+(?:problem|question))?\W*$",
    re.IGNORECASE,
)
"""`5 is the answer.`"""
_REMAINING = re.compile(
    rf"^(?:so|thus|hence|therefore|finally|then)?[\s,]*(?P<value>(?:{MARK}"
    rf"|\d[\d.,]*)(?:\s[a-z]+){{0,3}}?)\s+(?:remains?|(?:is|are)\s+(?:left|needed|required|possible)|survives?)\W*$",
    re.IGNORECASE,
)
"""`So 12 apples remain.`"""
_FOREIGN_LETTERS = re.compile(
    r"[\u0590-\u05ff\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0400-\u04ff]"
)
_FOREIGN_VALUE = re.compile(
    rf"(?P<value>{MARK}|[^,;，、；(（]*?\d[\d.,/ ]*(?:\s?[%°A-Za-zµΩ€$²³/·]{{1,12}})?|[^,;，、；(（]+)(?P<tail>.*)$",
    re.DOTALL,
)
_COUNTED = re.compile(
    r"\s*[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0600-\u06ff\u0400-\u04ff\u0900-\u097fà-ÿA-Za-z ]{0,14}"
    r"[\s.。!！]*"
)
_FOREIGN_VERB = re.compile(
    r"^(?:est|sont|vaut|ist|sind|beträgt|ergibt|es|son|é|são|è|sono|vale|рав|сост)", re.IGNORECASE
)
_DENIAL = re.compile(
    r"^\s*(?:(?:certainly|definitely|surely|clearly|obviously|of\s+course|actually|therefore|thus)\s+)?(?:not|never"
    r"|n['’]t|neither|nor|no\s+longer|anything\s+but|hardly|far\s+from|other\s+than)\b",
    re.IGNORECASE,
)
_CONSEQUENCE = re.compile(rf"{say.THEREFORE.pattern}", re.IGNORECASE)
_NO_COMMITMENT = "denied phrase"
"""The rule of a phrase that names the answer in order to deny, suppose or report it."""
_LAST_SENTENCES = 6
_MOST_PHRASES = 30
_LEADING = 600
"""Characters before a phrase that are looked at."""


@dataclass(frozen=True, slots=True)
class Committed:
    """`text` is the value with its formulas put back, None where `problem` says why there is none.

    `condition` stands behind the value ("for x > 0"); `comma` is whether the language writes a decimal comma.
    """

    text: str | None
    rule: str
    condition: str = ""
    comma: bool = False
    problem: str | None = None

    @property
    def named(self) -> bool:
        """Whether something that commits was found, be it readable or not."""
        return self.rule != "none"


_NOTHING = Committed(None, "none", problem="no sentence commits to an answer")


def committed(text: str) -> Committed:
    """The commitment of a response in sentences: phrase, heading, consequence, display, last line, in this order."""
    if _ADDRESSED.search(text):
        return Committed(None, "addressed", problem="the text speaks to its grader")
    response = segmented(text)
    sentences = response.sentences
    if not sentences:
        return _NOTHING
    named = _phrase(response, sentences)
    if named is not None and named.rule != _NO_COMMITMENT:
        return named
    for find in (_heading, _last, _conclusion, _foreign_statement):
        found = find(response, sentences)
        if found is not None:
            return found
    return named or _NOTHING


def _made(response: Response, value: Value | Refused, rule: str, comma: bool = False) -> Committed:
    if isinstance(value, Refused):
        return Committed(None, rule, problem=value.reason)
    return Committed(response.written(value.text), rule, response.written(value.condition), comma)


def _phrase(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """The last phrase that names the answer."""
    refused: Committed | None = None
    seen = 0
    for place in range(len(sentences) - 1, -1, -1):
        turned = _TURNED.match(sentences[place].text)
        if turned is not None and say.LEAD.match(turned["lead"]):
            after = " ".join(each.text for each in sentences[place + 1 :])
            back = Refused("the answer is taken back after it was given") if taken_back(after) else None
            return _made(response, back or value_of(turned["value"]), "phrase")
        for lead, rest, language in reversed(list(_phrases(sentences[place].text))[-_MOST_PHRASES:]):
            seen += 1
            if seen > _MOST_PHRASES:
                return refused
            here = re.search(rf"\w|{MARK}", rest) or place + 1 == len(sentences)
            said = rest if here else sentences[place + 1].text
            problem = _uncommitted(lead, said, language)
            if problem is not None:
                refused = refused or Committed(None, _NO_COMMITMENT, problem=problem)
                continue
            value = _foreign_value(said, language) if language else value_of(said)
            after = " ".join(each.text for each in sentences[place + 1 :])
            if taken_back(after):
                return Committed(None, "phrase", problem="the answer is taken back after it was given")
            return _made(response, value, "phrase", language in say.COMMA_LANGUAGES)
    return refused


def beginning(text: str) -> Committed | None:
    """What one sentence begins with, where that is a number or a formula (`5, since there are 10`), or None."""
    response = segmented(text)
    if len(response.sentences) != 1 or not re.match(rf"\W*(?:{MARK}|\d)", response.sentences[0].text):
        return None
    value = value_of(response.sentences[0].text)
    return None if isinstance(value, Value) and value.condition else _made(response, value, "beginning")


def alone(text: str) -> Committed:
    """What an answer line in words says: a value, a sentence that states one, or one number between plain words."""
    response = segmented(text)
    if len(response.sentences) == 0:
        return _NOTHING
    first = response.sentences[0]
    named = _phrase(response, response.sentences)
    if named is not None:
        return named
    if taken_back(" ".join(each.text for each in response.sentences[1:])):
        return Committed(None, "answer line", problem="the answer is taken back after it was given")
    value = value_of(first.text)
    if isinstance(value, Value) and (_is_valuable(value.text) or not _VERB.search(first.text)):
        return _made(response, value, "answer line")
    stated = _statement(response, first)
    if stated is not None:
        return stated
    numbers = list(re.finditer(rf"{MARK}|(?<![\w.])-?\d[\d.,]*(?:/\d+)?\s?%?", first.text))
    changed = say.CHANGED.search(first.text) or say.DENIED.search(first.text) or say.REPORTED.search(first.text)
    if len(numbers) != 1 or changed or re.search(r"\b(?:of|to|with|in)\s*$", first.text[: numbers[0].start()]):
        return _made(response, value if isinstance(value, Refused) else Refused("no value was found"), "answer line")
    return Committed(response.written(trimmed(numbers[0][0])), "answer line")


def _phrases(text: str) -> Iterator[tuple[str, str, str]]:
    """What stands before and after each phrase of a sentence, and its language, empty for English."""
    for match in say.STRONG.finditer(text):
        yield text[: match.start()], text[match.end() :], ""
    for match in say.FOREIGN.finditer(text):
        yield text[: match.start()], text[match.end() :], match.lastgroup or ""


def _uncommitted(lead: str, rest: str, language: str) -> str | None:
    """Why a phrase that names an answer commits to none."""
    lead = lead[-_LEADING:]
    if _DENIAL.match(rest):
        return "denied"
    if language:
        return "denied" if say.FOREIGN_NO.search(lead[-30:]) or say.DENIED.search(lead) else None
    clause = re.split(r"[,;:.!()—–]\s*|\b(?:but|so|therefore|hence|thus)\b\s*", lead)[-1]
    earlier = lead[: len(lead) - len(clause)]
    if re.match(r"\s*(?:that|whether|to)\b", clause):
        clause, earlier = lead, ""
    if say.REPORTED.search(earlier):
        return "a supposition or a report, not a commitment"
    if say.LEAD.match(clause):
        return None
    doubtful = say.DENIED.search(clause) or say.SUPPOSED.search(clause)
    if say.ADVERBIAL.match(clause) and not doubtful:
        return None
    return "what leads to the phrase is not understood as a commitment"


def taken_back(after: str) -> bool:
    """Whether later sentences take an answer back. "Actually" does so only where a value follows."""
    if say.TAKEN_BACK.search(after):
        return True
    return any(re.search(rf"\d|{MARK}", match["rest"]) for match in say.ACTUALLY.finditer(after))


def _foreign_value(rest: str, language: str) -> Value | Refused:
    """A value behind a phrase of another language: number or formula, unit, and a clause of reason at most."""
    if say.FOREIGN_NO.search(rest):
        return Refused("a bound, a denial or a condition beside the value")
    rest = rest.strip(" :：=*\u200f")
    bracketed = re.fullmatch(r"\(([^()]*)\)[.。]*", rest)
    rest = bracketed[1] if bracketed else rest
    match = _FOREIGN_VALUE.match(rest)
    if match is None:
        return Refused("nothing stands after the committing phrase")
    value = trimmed(match["value"])
    if language in ("fr", "de", "es", "pt", "it") and value_of(rest) == Value(value):
        return Value(value)
    if not say.FOREIGN_TAILS.match(match["tail"]) and not _counter(match["tail"]):
        return value_of(rest)
    return Value(value)


def _counter(tail: str) -> bool:
    """Whether what follows a number is only what is counted (`13只鸟`)."""
    return _COUNTED.fullmatch(tail) is not None


def _heading(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """A heading that names the answer, and what stands under it first."""
    for place in range(len(sentences) - 2, -1, -1):
        if not HEADING.match(sentences[place].text) or len(sentences[place].text) > 40:
            continue
        following = sentences[place + 1 :]
        if taken_back(" ".join(each.text for each in following[1:])):
            return Committed(None, "heading", problem="the answer is taken back after it was given")
        under = following[0].text
        value = value_of(under)
        if isinstance(value, Value) and not _VERB.search(under):
            return _made(response, value, "heading")
        inner = _statement(response, following[0])
        return inner or _made(response, value, "heading")
    return None


def _conclusion(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """The last sentences from behind: one that draws a consequence, else one that states a value or displays it."""
    last = [each for each in sentences[-_LAST_SENTENCES:] if not each.heading]
    stated: Committed | None = None
    for place in range(len(last) - 1, -1, -1):
        each = last[place]
        if say.ASIDE.search(each.text) or not re.search(rf"\d|{MARK}|\b[a-z]+\b", each.text):
            continue
        consequence = _CONSEQUENCE.search(each.text) is not None or _displays(response, each)
        found = _statement(response, each)
        foreign = _FOREIGN_LETTERS.search(each.text)
        if found is None:
            if consequence and place == len(last) - 1 and re.search(rf"\d|{MARK}", each.text) and not foreign:
                return Committed(None, "statement", problem="the conclusion is not understood")
            continue
        if taken_back(" ".join(other.text for other in last[place + 1 :])):
            return Committed(None, "statement", problem="the answer is taken back after it was given")
        if consequence:
            return found
        stated = stated or found
    return stated


def _displays(response: Response, sentence: Sentence) -> bool:
    marks = re.findall(MARK, sentence.text)
    return bool(marks) and response.is_display(marks[-1]) and bool(re.search(MARK + r"[\s.,;]*$", sentence.text))


def _statement(response: Response, sentence: Sentence) -> Committed | None:
    """What a sentence states: the value behind its last main verb; None where it states none."""
    text = sentence.text
    if "?" in text:
        return None
    doubtful = say.DENIED.search(text) or say.REPORTED.search(text)
    if not re.search(rf"\d|{MARK}", text) and len(text.split()) > 12:
        return None
    for verb in reversed(list(_VERB.finditer(text))):
        lead, rest = text[: verb.start()], text[verb.end() :]
        if re.search(r"\b(?:answer|solution|result)s?\b", lead, re.IGNORECASE):
            return Committed(None, "statement", problem="something else than the answer is stated of the answer")
        if _SUBORDINATE.search(lead) and not _CONSEQUENCE.search(lead[-40:]):
            continue
        value = value_of(rest)
        if isinstance(value, Refused) or not _is_valuable(value.text):
            continue
        foreign = _FOREIGN_VERB.match(verb[0]) and (
            say.FOREIGN_NO.search(text) or re.search(r"\bno\b", text, re.IGNORECASE)
        )
        doubtful = say.DENIED.search(f"{lead} {value.text}") or say.REPORTED.search(f"{lead} {value.text}")
        if doubtful or foreign:
            return Committed(
                None, "statement", problem=f"'{doubtful[0] if doubtful else ''}' in the sentence that states a value"
            )
        return _made(response, value, "statement")
    remaining = _REMAINING.match(text)
    if remaining is not None and not doubtful:
        return _made(response, value_of(remaining["value"]), "statement")
    return _formula_at_the_end(response, text, bool(doubtful))


def _foreign_statement(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """The number at the end of a last sentence in another script, with what is counted (`一共有13只鸟`)."""
    text = re.sub(r"[(（][^()（）]{0,80}[)）]", "", sentences[-1].text)
    if not _FOREIGN_LETTERS.search(text):
        return None
    if say.FOREIGN_NO.search(text) or "?" in text or "？" in text:
        return Committed(None, "statement", problem="a bound, a denial or a condition beside the value")
    clause = re.split(r"[，,、；;](?!\d)|[।。]", text.rstrip("。.।! "))[-1]
    numbers = list(re.finditer(rf"{MARK}|-?\d[\d.,]*(?:\s?/\s?\d+)?\s?%?", clause))
    if not numbers:
        return None
    last, before = numbers[-1], clause[: numbers[-1].start()].rstrip()
    stated = len(numbers) == 1 or before.endswith(("=", "是", "有", "为", "為", "共", "到", "هو", "هي", "は"))
    if not stated or not _counter(clause[last.end() :]):
        return None
    return Committed(response.written(trimmed(last[0])), "statement")


def _is_valuable(text: str) -> bool:
    """Whether a value holds a number, a formula, or a word that stands for one."""
    from grading.language import numerals, words

    return (
        bool(re.search(rf"\d|{MARK}|[∞=]", text))
        or words.phrase(text) is not None
        or numerals.number_of(text) is not None
    )


def _formula_at_the_end(response: Response, text: str, doubtful: bool) -> Committed | None:
    """`Hence $x = 5$.`, `So, after cancelling, F`: words that draw a consequence, and one formula at the end."""
    found = re.match(rf"^(?P<lead>[^\ue000-\ue2ff]*?)(?P<mark>{MARK})[\s.,;:!]*[∎■□]?$", text)
    if found is None:
        marks = re.findall(MARK, text)
        tail = re.match(rf"^(?P<lead>.*)(?P<mark>{MARK})[\s.,;:!]*$", text, re.DOTALL)
        if tail is None or not response.is_display(marks[-1]):
            return None
        found = tail
    lead = found["lead"]
    direct = re.search(
        r"(?:^|\b(?:so|thus|hence|therefore|then|that|finally|get|obtain|find|have|conclude|consequently|gives?"
        r"|yields?|namely|and|is|to|at|equation|point|value|ratio)\b)[\s,:]*$",
        lead,
        re.IGNORECASE,
    )
    clause = re.search(r"[,:]\s*$", lead)
    if not (direct or clause or response.is_display(found["mark"])):
        return None
    changed = say.CHANGED.search(lead.rsplit(",", 1)[-1]) and not _CONSEQUENCE.search(lead)
    if doubtful or changed:
        return Committed(None, "statement", problem="a denied, bounded or changed value")
    return Committed(
        response.formula(found["mark"]).strip(), "display" if response.is_display(found["mark"]) else "statement"
    )


def _last(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """The last line alone, where it is a value and nothing else."""
    final = sentences[-1]
    if len(sentences) < 2:
        return None
    value = value_of(final.text)
    if isinstance(value, Refused) or value.condition or not _is_valuable(value.text) or len(value.text.split()) > 6:
        return None
    return _made(response, value, "last line")
