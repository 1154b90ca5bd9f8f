"""Words in an answer that change what it says: which text of an answer is compared, and when none may be."""

import re

from grading.language import words
from grading.language.responses import vocabulary as say
from grading.language.responses.commitments import HEADING, Committed, alone, beginning, committed

_MATHS = re.compile(r"\$[^$]*\$|\\\(.*?\\\)|\\\[.*?\\\]|\\begin\{.*?\\end\{[a-z*]+\}", re.DOTALL)
_TEXT = re.compile(r"\\(?:text|textbf|textit|mathrm|mbox|textrm)\s*\{([^{}]*)\}")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
_FOREIGN = re.compile(r"[\u0590-\u05ff\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0400-\u04ff]")
_CONDITIONAL = re.compile(r"\b(?:if|when|whenever|unless|provided|assuming|in\s+case)\b(?P<rest>[^.;]*)", re.IGNORECASE)
_ELSE = re.compile(r"\b(?:otherwise|else|or\s+any|or\s+so|any\s+other|whatever)\b", re.IGNORECASE)
_UNSETTLED = re.compile(
    r"\b(?:not|never|n['’]t|at\s+most|at\s+least|up\s+to|more\s+than|less\s+than|fewer\s+than|greater\s+than"
    r"|larger\s+than|smaller\s+than|no\s+more"
    r"|exceed\w*|above|below|or\s+(?:more|less|fewer)|times|half\s+of|twice|double|reciprocal|factorial|rather"
    r"|instead|wrong|incorrect|maybe|perhaps"
    r"|possibly|probably|suppose|assume|claims?|said|doubt\w*|nobody|hardly|neither|except)\b"
    r"|(?<=[\d$})])\s*-?(?:th|st|nd|rd)\b",
    re.IGNORECASE,
)
_CASES = re.compile(r"\\begin\{(?:[dr]?cases|array)\}")
_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])|\\[a-z]+")
_SPOKEN = re.compile(r"\W*(?:I|we|it|so|thus|hence|therefore)\s+[a-z]{2,}\b", re.IGNORECASE)
_PREDICATE = re.compile(
    r"(?P<lead>(?:(?:yes|no|so|thus|hence|therefore|then|and|finally)\b[, ]*)*)(?P<subject>(?:the|it|this|that"
    r"|these|they|both|our|all|such|a|an)\b(?: [\w-]+){0,8}?)"
    r" (?:(?:is|are)(?: (?:always|indeed|therefore|thus|clearly|in fact))? (?P<said>[a-z][a-z -]{1,40})"
    r"|(?P<state>converges|diverges|does not exist|doesn['’]t exist|do not exist))[.! ]*",
    re.IGNORECASE,
)
_DENYING = re.compile(r"\b(?:not|never|no)\b|n['’]t", re.IGNORECASE)
_STATES = {"converges": "convergent", "diverges": "divergent"}
_MISSING = re.compile(r"(?:does|do) not exist|doesn['’]t exist")
_ORDINAL = re.compile(r"\d{1,9}(?:st|nd|rd|th)\.?")
_SENTENCE = 3
_WORDS_OF_LINES = 2


def in_words(text: str) -> str:
    """The words of an answer: formulas and commands away, the contents of `\\text` kept."""
    return _COMMAND.sub(" ", _TEXT.sub(r" \1 ", _MATHS.sub(lambda match: " ".join(_TEXT.findall(match[0])), text)))


def is_sentence(text: str) -> bool:
    """Whether a text is a sentence of a person, or more than one line."""
    plain = _COMMAND.sub(" ", _MATHS.sub(" ", text))
    if _SPOKEN.match(plain) or any(HEADING.match(line) for line in text.split("\n")[:-1]):
        return True
    spoken = len(_WORD.findall(plain)) >= _SENTENCE or len(_FOREIGN.findall(plain)) >= _SENTENCE
    lines = "\n" in text.strip() and len(_WORD.findall(plain)) >= _WORDS_OF_LINES
    return spoken or lines or say.STRONG.search(text) is not None or say.FOREIGN.search(text) is not None


def claim_of(text: str, rule: str, gold: str) -> Committed | None:
    """What a sentence commits to, or why it commits to nothing; None where a text has to be read as it stands."""
    if not is_sentence(text):
        return None
    if rule != "whole":
        return alone(text)
    found = committed(text)
    if found.named or len(_WORD.findall(in_words(gold))) >= _WORDS_OF_LINES:
        return found if found.named else None
    begun = beginning(text)
    if begun is None and _SPOKEN.match(_COMMAND.sub(" ", text)):
        return Committed(None, "none", problem="no sentence commits to an answer")
    return begun


def predicate(text: str) -> str | None:
    """What a sentence says of its subject (`The statement is true.`); None of other texts, and of denials."""
    found = _PREDICATE.fullmatch(" ".join(in_words(text).split()))
    if found is None or "$" in text:
        return None
    if say.DENIED.search(found["subject"]) or say.SUPPOSED.search(found["subject"]) or say.UNSETTLED.search(text):
        return None
    said = words.plain(found["said"] or found["state"])
    if _DENYING.search(found["said"] or found["state"]) and not _MISSING.fullmatch(said):
        return None
    return "does not exist" if _MISSING.fullmatch(said) else _STATES.get(said, said)


def unsettling(text: str, gold: str) -> str | None:
    """The words of an answer that make it no answer, where the gold has none of them; None where there are none."""
    if words.phrase(text) is not None or _ORDINAL.fullmatch(text.strip()):
        return None
    if _CASES.search(text) or _CASES.search(gold):
        return None
    said, expected = in_words(text), in_words(gold)
    for pattern in (_ELSE, _UNSETTLED):
        found = pattern.search(said)
        if found is not None and not pattern.search(expected):
            return f"'{found[0].strip()}' in the answer"
    condition = _CONDITIONAL.search(said)
    if condition is None or _CONDITIONAL.search(expected):
        return None
    return conditional(_TEXT.sub(r" \1 ", text)[-len(text) :].partition(condition[0][:3].strip())[2], gold)


def conditional(condition: str, gold: str) -> str | None:
    """Why an answer on a condition is none beside an unconditional gold: the gold lacks what it speaks of."""
    letters = set(_LETTER.findall(condition)) - {
        "a",
        "\\text",
        "\\mathbb",
        "\\in",
        "\\geq",
        "\\leq",
        "\\ge",
        "\\le",
        "\\neq",
        "\\ne",
    }
    known = set(_LETTER.findall(_TEXT.sub(" ", gold))) | set(
        re.findall(r"[A-Za-z]", _COMMAND.sub(" ", _TEXT.sub(" ", gold)))
    )
    if not letters or letters - known:
        return "an answer on a condition that the reference does not have"
    return None
