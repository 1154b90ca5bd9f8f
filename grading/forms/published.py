"""TurkingBench's scoring as its code has it (Xu et al. 2024, arXiv:2403.11905; evaluation code of 2024-11-25).

Kept with its faults: punctuation goes, so "-2" equals "2"; any one annotator's checkboxes suffice; the first seen
value wins a tied vote, empty ones count; a range counts as full credit in the score of an instance.
"""

import string
from collections.abc import Mapping

from grading.forms.fields import FormField, Value, number
from grading.matching.overlap import rouge_l

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class UnsupportedFieldError(Exception):
    """The published code knows no score for this type of field."""


def counts(field: FormField) -> bool:
    """Whether the published code counts the field: displayed, and not a free text nobody filled."""
    shown = field.visible and field.type != "hidden"
    return shown and not (field.free_text and not field.filled())


def normal(text: str) -> str:
    """Lower case, without ASCII punctuation, single spaces."""
    return " ".join(text.lower().translate(_NO_PUNCTUATION).split())


def _text(given: str, field: FormField) -> float:
    golds = {value.replace("&amp;", "&") for value in field.filled()}
    return 1.0 if given in golds else max(rouge_l(given, gold) for gold in golds)


def _majority(golds: tuple[str, ...]) -> str:
    return max(golds, key=golds.count)


def _range(given: str, field: FormField) -> float:
    prediction, golds = number(given), [number(value) for value in field.golds()]
    known = [value for value in golds if value is not None]
    if prediction is None or len(known) != len(golds):
        return sum(normal(given) == normal(value) for value in field.golds()) / len(golds)
    distance = sum(abs(value - prediction) for value in known) / len(known)
    largest = max(abs(value) for value in (*known, prediction))
    return 1 - (distance / largest if largest else distance)


def score_field(field: FormField, value: Value) -> float:
    """Score of one field, in [0, 1] but for ranges of mixed signs. Raises UnsupportedFieldError."""
    given, golds = field.as_text(value), field.golds()
    if golds in ((), ("",)):
        return float(given == "")
    if field.free_text:
        return _text(given, field) if field.filled() else float(given == "")
    if field.type in ("radio", "select"):
        return float(normal(given) == normal(_majority(golds)))
    if field.type == "checkbox":
        return float(any(normal(given) == normal(gold) for gold in golds))
    if field.type == "range":
        return _range(given, field)
    raise UnsupportedFieldError(f"the published scoring has no rule for a field of type '{field.type}'")


def score_form(fields: tuple[FormField, ...], values: Mapping[str, Value]) -> tuple[float, dict[str, float]]:
    """Score of the instance and of each counted field. Raises UnsupportedFieldError.

    The mean over counted fields, ranges as 1.0; 0 without a counted field. The second member has the true range scores.
    """
    scores = {field.name: score_field(field, values.get(field.name, "")) for field in fields if counts(field)}
    if not scores:
        return 0.0, {}
    ranges = {field.name for field in fields if field.type == "range"}
    return sum(1.0 if name in ranges else score for name, score in scores.items()) / len(scores), scores
