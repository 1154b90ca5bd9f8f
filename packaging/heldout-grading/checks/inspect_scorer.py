"""The scorer in Inspect, with its mock model: values, explanations, metrics and a log that Inspect reads again."""

import math
import tempfile

from heldout_grading.inspect import heldout_math
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

if __name__ == "__main__":
    said = {"a": r"The answer is $\frac12$.", "b": "It is 3.", "c": "Only green fits, so (B).", "d": "5", "e": "5"}
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in said.values()]
    for output in outputs:
        # Without it the mock model fetches a tokeniser.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    dataset = [
        Sample(input="a", target="0.5"),
        Sample(input="b", target="4"),
        Sample(input="c", target="green", choices=["red", "green"]),
        Sample(input="d", target=""),
        Sample(input="e", target=r"5 + \href{x}{y}"),
    ]
    task = Task(dataset=dataset, scorer=heldout_math())
    model = get_model("mockllm/model", custom_outputs=outputs)
    with tempfile.TemporaryDirectory() as folder:
        made = eval(task, model=model, log_dir=folder, display="none", max_connections=1, max_samples=1)[0]
        log = read_eval_log(made.location)
    assert log.status == "success", log.error.message
    values = [next(iter(sample.scores.values())).value for sample in log.samples]
    assert values[:3] == ["C", "I", "C"], values
    assert all(math.isnan(value) for value in values[3:]), values
    accuracy = log.results.scores[0].metrics["accuracy"].value
    assert abs(accuracy - 2 / 3) < 1e-9, accuracy
    print("inspect: three samples scored, two without a verdict left out, log read again")
