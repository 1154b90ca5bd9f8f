"""The scorer in Inspect, with its mock model: values, explanations, metrics and a log that Inspect reads again."""

import tempfile

from heldout_grading.inspect import heldout_math
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

if __name__ == "__main__":
    said = {"a": r"The answer is $\frac12$.", "b": "It is 3."}
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in said.values()]
    for output in outputs:
        # Without it the mock model fetches a tokeniser.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    task = Task(dataset=[Sample(input="a", target="0.5"), Sample(input="b", target="4")], scorer=heldout_math())
    model = get_model("mockllm/model", custom_outputs=outputs)
    with tempfile.TemporaryDirectory() as folder:
        made = eval(task, model=model, log_dir=folder, display="none", max_connections=1, max_samples=1)[0]
        log = read_eval_log(made.location)
    assert log.status == "success", log.error.message
    values = [next(iter(sample.scores.values())).value for sample in log.samples]
    assert values == ["C", "I"], values
    print("inspect: two samples scored, log read again")
