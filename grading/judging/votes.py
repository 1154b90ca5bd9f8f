"""Several votes of a judge: asking, and what they agree on."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from pydantic import BaseModel

from grading.judging.asking import JudgeVerdict, ask
from grading.matching.tokens import fold
from grading.tools import Judge, JudgeRequest
from grading.verdict import Verdict

T = TypeVar("T", bound=Hashable)

MIN_QUOTATION = 8
MAX_VOTES = 9


def poll(judge: Judge | None, requests: Sequence[JudgeRequest], shape: type[BaseModel]) -> list[JudgeVerdict] | Verdict:
    """One reply to each request, or the unscored verdict of the first that failed."""
    heard: list[JudgeVerdict] = []
    for request in requests:
        reply = ask(judge, request, shape)
        if not isinstance(reply, JudgeVerdict):
            return reply
        heard.append(reply)
    return heard


def majority(values: Iterable[T]) -> T | None:
    """The value of more than half of the votes, or None."""
    votes = Counter(values)
    if not votes:
        return None
    value, count = votes.most_common(1)[0]
    return value if count * 2 > votes.total() else None


@lru_cache(maxsize=8)
def _folded(answer: str) -> str:
    return fold(answer)


def occurs(quotation: str, answer: str) -> bool:
    """Whether a quotation really stands in the answer, but for case, space and typographic quotes.

    Shorter than MIN_QUOTATION it must be the whole answer: a word that stands anywhere proves nothing.
    """
    part, whole = fold(quotation).strip("\"' "), _folded(answer)
    if len(part) < MIN_QUOTATION:
        return bool(part) and part == whole.strip("\"' ")
    return part in whole
