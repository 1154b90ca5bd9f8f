"""Finds an answer inside a response that carries no explicit mark of it."""

import re
from collections.abc import Iterator

from grading.language.extract import after_phrase, boxed

_MATHS = re.compile(r"\$\$(.+?)\$\$|\$([^$]+)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)", re.DOTALL)
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])[-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:/\d+)?|\.\d+)(?:\s?%)?")
_MONEY = re.compile(r"(?<![A-Za-z0-9_.])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?=\s?[$€£])")
_CODE = re.compile(r"__|[{}<>;|=]{2}|\bimport\b|\beval\b|\blambda\b|\w\(\)|\w\.\w+\(|\$\{|#\w")
_ADDRESSED = re.compile(
    r"\b(?:grader?s?|grading|verdict|score|scored?|reference|instructions?|ignore|mark (?:this|it|as|my|\d))\b",
    re.IGNORECASE,
)
"""Words of a text that speaks to whoever grades it; no number is picked out of such a text."""
_EQUALS = re.compile(
    r"^(?:.*[\W\d])?(?:\b(?:is|are|equals?|be|was|have|est|es)\b|[:：]|=|为|是)\s*([^.。]{1,200})[.。]?\s*$", re.DOTALL
)
_FOREIGN = re.compile(r"[\u0590-\u05ff\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0400-\u04ff]")
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
_MIN_WORDS = 3
_TAIL = 300
_SEARCHED = 8_000


def formulas(text: str) -> list[tuple[int, str]]:
    """Delimited formulas with their places."""
    return [(match.start(), "".join(part or "" for part in match.groups())) for match in _MATHS.finditer(text)]


def unboxed(text: str) -> str:
    """What stands in the last box of a text, or the text."""
    found = boxed(text) if "\\boxed" in text or "\\fbox" in text else None
    return found.text if found is not None and found.text else text


def is_natural(text: str) -> bool:
    """Whether a text is a sentence of a person: words, no code. Formulas are passed over."""
    plain = _MATHS.sub(" ", text)
    if _CODE.search(plain) or _ADDRESSED.search(plain):
        return False
    return len(_WORD.findall(plain)) >= _MIN_WORDS or len(_FOREIGN.findall(plain)) >= _MIN_WORDS


def candidates(text: str) -> Iterator[tuple[str, str]]:
    """Readings of a response, most trusted first: `(text, rule)`."""
    text = text[-_SEARCHED:]
    phrase = after_phrase(text)
    lines = text.strip().rsplit("\n", 1)
    last_line = lines[-1].strip()
    if len(lines) == 2 and len(_WORD.findall(lines[0])) >= 2 and not _CODE.search(text) and phrase is None:
        yield last_line, "last line"
    if not is_natural(text) and (phrase is None or _CODE.search(text)):
        return
    if phrase is not None:
        yield phrase, "phrase"
        yield from _within(phrase)
        return
    yield from _within(text[-_TAIL:] if "$" not in text else text)


def _within(text: str) -> Iterator[tuple[str, str]]:
    """The end of the last sentence, its last formula, its last number."""
    found = formulas(text)
    if found and re.search(r"(?:\$|\\[\])])[\s.。]*$", text):
        yield found[-1][1], "last formula"
    ending = _EQUALS.search(text.strip())
    if ending is not None:
        yield ending.group(1).strip(), "end of sentence"
    numbers = list(_MONEY.finditer(text)) or list(_NUMBER.finditer(text))
    if numbers and (not found or numbers[-1].start() > found[-1][0] + len(found[-1][1])):
        yield numbers[-1].group().strip(), "last number"
        return
    if found:
        yield found[-1][1], "last formula"
    if numbers:
        yield numbers[-1].group().strip(), "last number"
