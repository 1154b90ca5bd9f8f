"""For lm-evaluation-harness: importing this module registers the metric `heldout_math`.

In a task's YAML: `process_results: !function utils.process_results` with `from heldout_grading.lm_eval import
process_results`, and `metric_list: [{metric: heldout_math, aggregation: heldout_mean, higher_is_better: true},
{metric: heldout_unscored, aggregation: mean, higher_is_better: false}]`.

A document without a verdict (its gold cannot be read, a limit) is no wrong answer: its value is NaN, which
`heldout_mean` leaves out, and `heldout_unscored` counts it. Each is logged as a warning.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any

import lm_eval.api.metrics  # noqa: F401 - registers the aggregation
from lm_eval.api.registry import register_aggregation, register_metric

from heldout_grading.single import Graded, grade

_log = logging.getLogger(__name__)


@register_aggregation("heldout_mean")
def heldout_mean(values: Sequence[float]) -> float:
    """The mean of the documents that have a verdict; NaN where none has."""
    scored = [value for value in values if not math.isnan(value)]
    if len(scored) < len(values):
        _log.warning("%d of %d documents have no verdict and are left out", len(values) - len(scored), len(values))
    return sum(scored) / len(scored) if scored else math.nan


@register_metric(metric="heldout_math", higher_is_better=True, output_type="generate_until", aggregation="heldout_mean")
def heldout_math(references: Sequence[Any], predictions: Sequence[str], **_: Any) -> float:
    """The share of predictions that are right, of those with a verdict; the harness gives one of each at a time."""
    return heldout_mean([_value(_graded(text, gold)) for text, gold in zip(predictions, references, strict=True)])


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """1.0, 0.0 or NaN for a document with `answer` (or `target`), and the model's one result.

    `choices` and `question` (or `problem`) of the document are used where it has them.
    """
    gold, question = doc["answer"] if "answer" in doc else doc["target"], doc.get("question", doc.get("problem", ""))
    graded = _graded(results[0], gold, doc.get("choices", ()), question)
    return {"heldout_math": _value(graded), "heldout_unscored": float(graded.score is None)}


def _value(graded: Graded) -> float:
    return math.nan if graded.score is None else float(graded.correct)


def _graded(response: str, gold: Any, choices: Any = (), question: Any = "") -> Graded:
    """The verdict, which is none where the gold cannot be."""
    texts = choices.get("text", ()) if isinstance(choices, Mapping) else choices
    try:
        graded = grade(response, gold, choices=tuple(texts), question=str(question))
    except ValueError as error:
        graded = Graded.unscored(f"the gold cannot be: {' '.join(str(error).split())[:300]}")
    if graded.score is None:
        _log.warning("no verdict beside the gold %r: %s", gold, graded.reason)
    return graded
