"""TurkingBench's fields scored for what was submitted: signs kept, ties open, ranges scored, required fields counted.

A field that most annotators filled is required, displayed at load or not. The score of an instance is put on a scale
on which doing nothing is 0 and the annotators' consensus is 1.
"""

from collections import Counter
from collections.abc import Mapping
from statistics import median

from grading.forms.fields import FormField, Value, number
from grading.matching.overlap import jaccard, rouge_l
from grading.matching.tokens import fold, tokens

SHORT = 2


def required(field: FormField) -> bool:
    """Whether the field counts: most annotators filled it, unless the reference says otherwise."""
    if field.required is not None:
        return field.required
    return len(field.filled()) * 2 > len(field.gold)


def same(left: str, right: str) -> bool:
    """Equal text without case and space; a number equals a number of the same value and sign."""
    a, b = number(left), number(right)
    if a is not None and b is not None:
        return a == b
    return fold(left) == fold(right)


def _text(given: str, gold: str) -> float:
    """ROUGE-L; short golds (labels, numbers) by whole tokens, because stemming flatters them."""
    if same(given, gold) or (tokens(given) and tokens(given) == tokens(gold)):
        return 1.0
    return 0.0 if len(gold.split()) <= SHORT else rouge_l(given, gold)


def _vote(given: str, golds: tuple[str, ...]) -> float:
    """One of the most frequent answers; every value of a tie is right."""
    votes = Counter(fold(value) for value in golds)
    most = max(votes.values())
    return float(any(same(given, value) for value, count in votes.items() if count == most))


def _boxes(given: str, golds: tuple[str, ...]) -> float:
    """Jaccard with the options that most annotators ticked; an option ticked by exactly half counts neither way."""
    votes = Counter(option for gold in golds for option in {fold(part) for part in gold.split("|") if part})
    ticked = {option for option, count in votes.items() if count * 2 > len(golds)}
    open_ones = {option for option, count in votes.items() if count * 2 == len(golds)}
    chosen = {fold(part) for part in given.split("|") if part}
    return jaccard(chosen - open_ones, ticked - open_ones)


def _range(given: str, golds: tuple[str, ...], field: FormField) -> float:
    """1 minus the distance to the annotators' median, as a share of the range's length (of their spread if unknown)."""
    prediction = number(given)
    known = [value for value in map(number, golds) if value is not None]
    if prediction is None or not known:
        return float(any(same(given, gold) for gold in golds))
    low, high = (field.low, field.high) if field.low is not None else (min(known), max(known))
    span = (high or 0.0) - (low or 0.0)
    distance = abs(prediction - median(known))
    return max(0.0, 1 - distance / span) if span else float(distance == 0)


def score_field(field: FormField, value: Value) -> float:
    """Score of one field, in [0, 1]."""
    given = field.as_text(value)
    if field.type == "checkbox":
        return _boxes(given, field.golds() or ("",))
    golds = field.filled()
    if not golds:
        return float(given.strip() == "")
    if field.free_text:
        expected = {gold.replace("&amp;", "&") for gold in golds}
        return 1.0 if given in expected else max(_text(given, gold) for gold in expected)
    return _range(given, golds, field) if field.type == "range" else _vote(given, golds)


def consensus(field: FormField) -> Value:
    """The answer that agrees best with the annotators: what an ideal participant could submit."""
    if field.type == "checkbox":
        votes = Counter(option for gold in field.golds() for option in set(gold.split("|")) if option)
        return tuple(sorted(option for option, count in votes.items() if count * 2 > len(field.gold)))
    if not field.filled():
        return ""
    known = [value for value in map(number, field.filled()) if value is not None]
    if field.type == "range" and known:
        return str(median(known))
    return field.filled()[0] if field.free_text else max(field.golds(), key=lambda value: score_field(field, value))


def agreement(field: FormField) -> float | None:
    """How well the annotators do against each other: mean score of each against the rest; None with fewer than two."""
    if len(field.gold) < 2:
        return None
    rest = [
        field.model_copy(update={"gold": field.gold[:place] + field.gold[place + 1 :]})
        for place in range(len(field.gold))
    ]
    return sum(score_field(other, gold) for other, gold in zip(rest, field.golds(), strict=True)) / len(rest)


def score_form(fields: tuple[FormField, ...], values: Mapping[str, Value]) -> tuple[float, dict[str, float]]:
    """Raw score (mean over required fields, 0 without one) and the score of each of them."""
    scores = {field.name: score_field(field, values.get(field.name, "")) for field in fields if required(field)}
    return (sum(scores.values()) / len(scores) if scores else 0.0), scores


def normalise(score: float, nothing: float) -> float:
    """`score` on the scale where doing nothing (`nothing`) is 0 and full credit is 1; doing harm is 0 too."""
    if nothing >= 1 - 1e-9:
        return score
    return min(1.0, max(0.0, (score - nothing) / (1 - nothing)))
