"""The metric in lm-evaluation-harness: found in its registry, aggregated by it, and as process_results."""

import math

from heldout_grading.lm_eval import process_results
from lm_eval.api.registry import get_aggregation, get_metric

if __name__ == "__main__":
    metric, mean = get_metric("heldout_math"), get_aggregation("heldout_mean")
    scores = [metric(references=[gold], predictions=[text]) for text, gold in (("The answer is 5", "5"), ("6", "5"))]
    assert mean(scores) == 0.5, scores
    assert process_results({"answer": "5"}, [r"so $x=\boxed{5}$"]) == {"heldout_math": 1.0, "heldout_unscored": 0.0}
    assert process_results({"answer": 5}, ["It is 5."])["heldout_math"] == 1.0
    assert process_results({"target": "b", "choices": ["x", "y"]}, ["It is (B)."])["heldout_math"] == 1.0
    unread = process_results({"answer": ""}, ["5"])
    assert math.isnan(unread["heldout_math"]), unread
    assert unread["heldout_unscored"] == 1.0, unread
    assert mean([1.0, unread["heldout_math"], 0.0]) == 0.5
    print("lm-eval: metric registered and aggregated")
