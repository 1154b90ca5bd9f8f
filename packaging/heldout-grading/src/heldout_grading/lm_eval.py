"""For lm-evaluation-harness: importing this module registers the metric `heldout_math`.

In a task's YAML: `process_results: !function utils.process_results` with `from heldout_grading.lm_eval import
process_results`, and `metric_list: [{metric: heldout_math, aggregation: mean, higher_is_better: true}]`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import lm_eval.api.metrics  # noqa: F401 - registers the aggregation
from lm_eval.api.registry import register_metric

from heldout_grading.single import grade


@register_metric(metric="heldout_math", higher_is_better=True, output_type="generate_until", aggregation="mean")
def heldout_math(references: Sequence[str], predictions: Sequence[str], **_: Any) -> float:
    """The share of predictions that are right; the harness gives one of each at a time."""
    right = [grade(prediction, str(gold)).correct for prediction, gold in zip(predictions, references, strict=True)]
    return sum(right) / len(right) if right else 0.0


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """1.0 or 0.0 for a document with `answer` (or `target`) and the model's one result."""
    gold = str(doc["answer"] if "answer" in doc else doc["target"])
    return {"heldout_math": float(grade(results[0], gold).correct)}
