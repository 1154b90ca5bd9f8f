"""What the question asks about, and how the words about a value answer to it.

Only the choice among the values of a response is guided by it; equality never is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grading.language.ranking.candidates import Candidate, bare
from grading.language.ranking.cues import WORDS_OF_ANY_QUESTION
from grading.language.responses.segments import segmented
from grading.language.responses.sizes import Size, same, size_of

_STEM: Final = 5
"""Letters by which words are the same: `brakes` and `braking`."""
_PASSED: Final = WORDS_OF_ANY_QUESTION | frozenset(
    re.findall(
        r"\w+",
        "a an the of in on at to for by and or as is are was be it its these those how many much does do did you i we "
        "us our his her he she who whom if determine compute calculate evaluate give state show express solve get one "
        "two would can could must should has had not no so all per up over under between use following",
    )
)
_ASKS: Final = re.compile(
    r"\?|\b(?:find|determine|compute|calculate|evaluate|express|give|solve|state|simplify|estimate|what|how|write|prove|name|derive|obtain|identify|which|who)\b",
    re.IGNORECASE,
)
_ASKING: Final = re.compile(
    r"\b(?:find|determine|compute|calculate|evaluate|express|estimate|what|how|which|who|derive|solve|state|give|name)\b",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r",?\s+(?:if|when|given|assuming|where|after|for which|such that|while|before)\b", re.IGNORECASE
)
_FORMULA: Final = re.compile(r"\$([^$]+)\$|\\\((.*?)\\\)")
_LETTER: Final = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?:_\w+)?(?:'|\([a-z0-9]\))?(?![A-Za-z'’])")
_NUMBER: Final = re.compile(r"\d[\d,]*\.?\d*(?:\s*(?:\\times|×)\s*10\^?\{?[-−]?\d+\}?)?")
_IN_UNIT: Final = re.compile(r"\bin\s+(?:units\s+of\s+)?(\\?[A-Za-z°%µμ/²³^·\-]+(?:\s+per\s+\w+)?)\s*[?.]?\s*$")
_COUNTED: Final = re.compile(r"how\s+(?:many|much)\s+(?:more\s+)?(?:\w+\s+)?([a-z]+)", re.IGNORECASE)
_SHARE: Final = re.compile(r"percent|per cent|%", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[,;:]|\band\b|\bbut\b|\bso\b|\bwhile\b")
_LONGEST: Final = 4000


@dataclass(frozen=True, slots=True)
class Question:
    """Stems of what is asked (`core`), of its sentence (`asking`), of all `words`; the symbols and numbers in it."""

    core: frozenset[str]
    asking: frozenset[str]
    words: frozenset[str]
    symbols: frozenset[str]
    sizes: tuple[Size, ...]
    unit: str
    counted: str
    share: bool


def stems(text: str) -> frozenset[str]:
    """The stems of the words that say something."""
    words = re.findall(r"[a-z]{2,}", re.sub(r"\\[a-zA-Z]+", " ", text.lower()))
    return frozenset(word[:_STEM] for word in words if word not in _PASSED)


@lru_cache(maxsize=64)
def question_of(text: str) -> Question | None:
    """What a question asks; None where there is none."""
    text = text[-_LONGEST:]
    response = segmented(text)
    sentences = [each for each in response.sentences if each.text.strip()]
    if not sentences:
        return None
    asking = next((each for each in reversed(sentences) if _ASKS.search(each.text)), sentences[-1])
    sentence = response.written(asking.text)
    begun = [*_ASKING.finditer(sentence)]
    clause = sentence[begun[-1].start() :] if begun else sentence
    core = _CONDITION.split(clause, 1)[0] or clause
    symbols = {bare(part) for parts in _FORMULA.findall(core) for part in parts if part}
    symbols |= {word for word in _LETTER.findall(core) if word not in ("a", "A", "I")}
    numbers = (size_of(each.strip().rstrip(".,")) for each in _NUMBER.findall(re.sub(r"\\[,;]", "", text)))
    unit, counted = _IN_UNIT.search(clause), _COUNTED.search(clause)
    return Question(
        core=stems(core),
        asking=stems(sentence),
        words=stems(text),
        symbols=frozenset(symbols),
        sizes=tuple(each for each in numbers if each is not None),
        unit=unit[1].lower().replace(" ", "") if unit else "",
        counted=counted[1].lower()[:_STEM] if counted else "",
        share=_SHARE.search(clause) is not None,
    )


def asks_for_share(text: str) -> bool:
    """Whether a question asks for so many per cent."""
    asked = question_of(text) if text and _SHARE.search(text) else None
    return asked is not None and asked.share


def answering(asked: Question, live: Sequence[Candidate]) -> list[dict[str, float]]:
    """The features of each candidate beside the question."""
    found = [_answers(asked, each) for each in live]
    for name in ("q core clause", "q core sentence"):
        top = max((each[name] for each in found), default=0.0)
        for each in found:
            each[f"{name} best"] = float(top > 0 and each[name] == top)
            each[f"{name} less"] = top - each[name]
    return found


def _answers(asked: Question, given: Candidate) -> dict[str, float]:
    sentence = stems(given.lead[-160:]) | stems(given.rest[:80]) | stems(given.sentence.text)
    clause = stems(_CLAUSE.split(given.lead)[-1]) | stems(re.split(rf"{_CLAUSE.pattern}|[.(]", given.rest)[0])
    count = max(1, len(asked.core))
    nouns = {word[:_STEM] for word in re.findall(r"[a-z]+", given.rest.lower())[:3]}
    named = bool(given.name) and given.name in asked.symbols
    before = bare(given.lead[-60:])
    unit = bool(asked.unit) and asked.unit in (given.written + given.rest[:25]).lower().replace(" ", "")
    share = _SHARE.search(given.written + given.rest[:10]) is not None
    known: dict[str, float | bool] = {
        "q core clause": len(asked.core & clause) / count,
        "q core sentence": len(asked.core & sentence) / count,
        "q asking words": min(len(asked.asking & sentence), 5) / 5,
        "q other words": min(len(sentence & (asked.words - asked.asking)), 4) / 4,
        "q unknown words": min(len(sentence - asked.words), 10) / 10,
        "q given": given.size is not None and any(same(given.size, each) for each in asked.sizes),
        "q name": named,
        "q other name": bool(given.name) and bool(asked.symbols) and not named and len(given.name) < 8,
        "q named before": any(
            re.search(rf"(?<![A-Za-z]){re.escape(each)}(?![A-Za-z])", before) for each in asked.symbols
        ),
        "q noun": bool(asked.counted) and asked.counted in nouns,
        "q other noun": bool(asked.counted)
        and asked.counted not in nouns
        and bool(re.match(r"\s*[a-z]{3,}", given.rest)),
        "q unit": unit,
        "q no unit": bool(asked.unit) and not unit,
        "q share": asked.share and share,
        "q no share": asked.share and not share,
        "q share not asked": not asked.share and share,
    }
    return {name: float(value) for name, value in known.items()}
