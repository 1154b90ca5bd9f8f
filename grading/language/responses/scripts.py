"""The number that ends a last sentence in another script, with what is counted."""

import re

from grading.language.responses import tongues
from grading.language.responses.making import Committed
from grading.language.responses.segments import MARK, Response, Sentence
from grading.language.responses.values import trimmed

FOREIGN_LETTERS = re.compile(
    r"[\u0590-\u05ff\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0400-\u04ff]"
)
_COUNTED = re.compile(
    r"\s*[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0600-\u06ff\u0400-\u04ff\u0900-\u097fà-ÿA-Za-z ]{0,14}"
    r"[\s.。!！]*"
)


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
    if not stated or not counter(clause[last.end() :]):
        return None
    return Committed(response.written(trimmed(last[0])), "statement")


def counter(tail: str) -> bool:
    """Whether what follows a number is only what is counted (`13只鸟`)."""
    return _COUNTED.fullmatch(tail) is not None
