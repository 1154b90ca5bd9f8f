"""Answers as a caller has them, as the items that are sent."""

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from heldout._text import storable
from heldout.errors import Invalid
from heldout.models import Item, Problem

Answers = Mapping[str, str] | Mapping[Problem, str] | Iterable[Item | Mapping[str, Any] | tuple[str | Problem, str]]


def items_of(answers: Answers) -> list[Item]:
    """Items from a mapping of problem to answer, or from items, dicts and (problem, answer) pairs.

    Raises Invalid for an answer that is no text, and ValueError for a problem that is answered twice. Warns of zero
    bytes and lone surrogates, which are replaced.
    """
    rows: Iterable[Any] = answers.items() if isinstance(answers, Mapping) else answers
    replaced: list[str] = []
    items = [_item(row, replaced) for row in rows]
    if replaced:
        words = f"zero bytes or lone surrogates in the answers to {', '.join(replaced)} are sent as U+FFFD"
        warnings.warn(words, stacklevel=3)
    seen: set[str] = set()
    for item in items:
        if item.problem in seen:
            raise ValueError(f"problem {item.problem} is answered twice; send one answer for each problem")
        seen.add(item.problem)
    return items


def items_to_send(answers: Answers, *, finalize: bool) -> list[Item]:
    """`items_of`; none at all are refused where that would end the submission. Raises Invalid."""
    items = items_of(answers)
    if finalize and not items:
        advice = "give answers by problem, {problem.id: text}; finalize=False opens a submission to add to"
        raise Invalid("there are no answers to submit", code="no_answers", advice=advice)
    return items


def _item(row: Any, replaced: list[str]) -> Item:
    """The row as an item; its problem is added to `replaced` where some of its text cannot be stored as it is."""
    if isinstance(row, Item | Mapping):
        given = dict(row)
    elif isinstance(row, tuple) and len(row) == 2:
        problem, answer = row
        given = {"problem": problem.id if isinstance(problem, Problem) else problem, "answer": answer}
    else:
        raise TypeError(f"an answer is an Item, a dict or a (problem, answer) pair, not {type(row).__name__}")
    kept = storable(given)
    if kept != given:
        replaced.append(str(given.get("problem")))
    problem = given.get("problem")
    if not isinstance(row, Item) and all(given.get(name) is None for name in ("answer", "data", "trajectory")):
        raise _bad_answer(problem, "there is none", "leave a problem without an answer out")
    try:
        return Item.model_validate(kept)
    except ValidationError as error:
        faults = error.errors()
        if any(fault["loc"] == ("answer",) for fault in faults):
            said = f"it is {given['answer']!r:.80}, and an answer is text"
            raise _bad_answer(problem, said, f"submit it as a string, str({given['answer']!r:.40})") from None
        words = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
        raise _bad_answer(problem, words, "an answer has problem, answer and perhaps usage") from None


def _bad_answer(problem: object, wrong: str, advice: str) -> Invalid:
    error = Invalid(f"the answer to {problem} cannot be sent: {wrong}", code="bad_answer", advice=advice)
    error.problems = [str(problem)]
    return error
