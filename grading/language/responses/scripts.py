"""The number that ends a last sentence in another script, with what is counted."""

import re

from grading.language.responses import tongues
from grading.language.responses.clauses import is_foreign
from grading.language.responses.making import Committed
from grading.language.responses.segments import MARK, Response, Sentence
from grading.language.responses.values import trimmed
from grading.language.responses.verbs import FOREIGN_VERB, VERB
from grading.language.unitnames import is_unit

FOREIGN_LETTERS = re.compile(
    r"[\u0590-\u05ff\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0400-\u04ff]"
)
_COUNTED = re.compile(
    r"\s*[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0600-\u06ff\u0400-\u04ff\u0900-\u097fà-ÿA-Za-z ]{0,14}"
    r"[\s.。!！]*"
)
_FOREIGN_NOUN = re.compile(
    rf"^(\s*(?:\d+|{MARK}))\s+(?:(?=[^\d=]*[^\x00-\x7f])[^\W\d_]+(?:\s+[^\W\d_]+){{0,2}}(?=\W*$)"
    r"|[^\W\d_]+(?:\s+[^\W\d_]+){0,2}?(?=\s+(?:en\s+total|au\s+total|en\s+tout|insgesamt|in\s+totale|in\s+tutto"
    r"|no\s+total|in\s+totaal)\W*$)"
    r"(?:\s+\w+){2}|(?=\S*[^\x00-\x7f])[^\W\d_]+|[^\W\d_]+(?=\s+(?:d['’]|(?:de|des|du|para|per|di|zu|om|van|pour)\s)))"
    r"(?:\s+(?:d['’]|(?:de|des|du|para|per|di|zu|om|van|pour|à|na|no|nas|nos|dans|en|im|in|auf|nel|nella"
    r"|sur)\s)[^\d=]{1,40})?(?=\W*$)"
)
"""What is counted in letters that are not of the answer language (`3 soluções`)."""
_COMMA = re.compile(r"\d,\d|\d\.\d{3}(?!\d)")
_CYRILLIC = re.compile("[\u0400-\u04ff]{2}")
_UNIT = re.compile(r"\s*([A-Za-zµΩ°][A-Za-z\d/·*^²³°]{0,11})(?![A-Za-z\d])")


def foreign_statement(response: Response, sentences: tuple[Sentence, ...]) -> Committed | None:
    """The number at the end of a last sentence in another script, with what is counted (`一共有13只鸟`)."""
    text = re.sub(r"[(（][^()（）]{0,80}[)）]", "", sentences[-1].text)
    if not FOREIGN_LETTERS.search(text):
        return None
    clause = re.split(r"[，,、；;](?!\d)|[।。]|이므로|이라서|이니까", text.rstrip("。.।! "))[-1]
    supposed = tongues.asked_or_supposed(text) or tongues.CONDITIONAL.search(text) or tongues.unsettled(text)
    if tongues.NO.search(clause) or supposed:
        return Committed(None, "statement", problem="a bound, a denial or a condition beside the value")
    numbers = list(re.finditer(rf"{MARK}|-?\d[\d.,]*(?:\s?/\s?\d+)?\s?%?", clause))
    if not numbers:
        return None
    last, before = numbers[-1], clause[: numbers[-1].start()].rstrip()
    stated = len(numbers) == 1 or before.endswith(("=", "是", "有", "为", "為", "共", "到", "هو", "هي", "は"))
    behind = clause[last.end() :]
    unit = _UNIT.match(behind)
    if unit is not None and is_unit(unit[1]):
        behind = behind[unit.end() :]
        measured = f"{response.written(trimmed(last[0]))} {unit[1]}"
    else:
        measured = response.written(trimmed(last[0]))
    return Committed(measured, "statement") if stated and counter(behind) else None


def counter(tail: str) -> bool:
    """Whether what follows a number is only what is counted (`13只鸟`)."""
    return _COUNTED.fullmatch(tail) is not None


def without_noun(text: str) -> str:
    """A number without what is counted in another language; its unit stays."""
    found = _FOREIGN_NOUN.match(text)
    measured = found is not None and is_unit(found[0][found.end(1) :].strip(" .!"))
    return text if found is None or measured else _FOREIGN_NOUN.sub(r"\1", text)


def writes_comma(text: str, value: str) -> bool:
    """Whether a sentence is of a language that writes a decimal comma, and its value may hold one."""
    if _COMMA.search(value) is None:
        return False
    abroad = any(FOREIGN_VERB.match(verb[0]) for verb in VERB.finditer(text)) or is_foreign(text)
    return abroad or _CYRILLIC.search(text) is not None
