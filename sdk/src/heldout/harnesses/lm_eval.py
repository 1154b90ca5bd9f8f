"""Benchmarks of the service as tasks of lm-evaluation-harness (`pip install 'heldout[lm-eval]'`).

    python -m heldout.harnesses.lm_eval --model my-model@1 --split dev --out tasks
    lm_eval run --tasks heldout --include_path tasks --model local-chat-completions ... --apply_chat_template

The first line writes a task for each benchmark that has such a split, and the group `heldout` of them all. The harness
asks the model, the service grades: at the end a task's answers are one submission, and what the service says of it are
the task's metrics (`score`, `low`, `high`, `coverage`; not a number where the split tells nothing yet). Problems with
pictures are left out: these tasks are text.
"""

import argparse
import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from datasets import Dataset

from heldout.client import Client, Submission
from heldout.models import Benchmark, Item, Model

_LOG = logging.getLogger(__name__)
_FUNCTIONS = "functions"
_METRICS = ("score", "low", "high", "coverage")
_MODULE = f"from heldout.harnesses.lm_eval import {', '.join(sorted((*_METRICS, 'load', 'sent')))}  # noqa: F401\n"
_TASK = """\
task: {name}
output_type: generate_until
custom_dataset: !function {functions}.load
test_split: {split}
doc_to_text: "{{{{prompt}}}}"
doc_to_target: ""
generation_kwargs:
  until: []
  max_gen_toks: 4096
process_results: !function {functions}.sent
metric_list:
{metrics}metadata: {metadata}
"""
_METRIC = "  - metric: {name}\n    aggregation: !function {functions}.{name}\n    higher_is_better: true\n"
Sent = tuple[str, str, str, str, str]
"""Benchmark, split, model, problem, answer."""


def write_tasks(client: Client, out: Path, *, model: str, split: str, benchmarks: Sequence[str] = ()) -> list[str]:
    """Write the tasks and their group into a folder; the names of the tasks. Raises HeldoutError."""
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{_FUNCTIONS}.py").write_text(_MODULE, encoding="utf-8")
    chosen = benchmarks or [found.slug for found in client.benchmarks() if _readable(found, split)]
    names = [f"heldout_{slug}_{split}" for slug in chosen]
    metrics = "".join(_METRIC.format(name=metric, functions=_FUNCTIONS) for metric in _METRICS)
    for name, slug in zip(names, chosen, strict=True):
        told = {"version": client.benchmark(slug).version, "benchmark": slug, "split": split, "submitted_as": model}
        text = _TASK.format(name=name, functions=_FUNCTIONS, split=split, metrics=metrics, metadata=json.dumps(told))
        (out / f"{name}.yaml").write_text(text, encoding="utf-8")
    (out / "heldout.yaml").write_text(json.dumps({"group": "heldout", "task": names}) + "\n", encoding="utf-8")
    return names


def _readable(found: Benchmark, split: str) -> bool:
    return any(item.name == split and item.visibility != "private" for item in found.splits)


def load(benchmark: str, split: str, submitted_as: str, **_: Any) -> dict[str, Dataset]:
    """The split's questions, as the harness asks for a data set. No gold is among them."""
    with Client(benchmark=benchmark) as client:
        problems = [problem for problem in client.get_problems(split) if not problem.episode]
    asked = [problem for problem in problems if not problem.images]
    if len(asked) < len(problems):
        _LOG.warning("%s: %d problems with pictures are left out", benchmark, len(problems) - len(asked))
    head = {"benchmark": benchmark, "split": split, "model": submitted_as}
    return {split: Dataset.from_list([head | {"id": problem.id, "prompt": problem.prompt} for problem in asked])}


def sent(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, Sent]:
    """What is sent of one question, for each metric: they are the service's, and stand for all answers at once."""
    item: Sent = (doc["benchmark"], doc["split"], doc["model"], doc["id"], str(results[0]))
    return dict.fromkeys(_METRICS, item)


@cache
def _submitted(items: tuple[Sent, ...]) -> Submission:
    benchmark, split, model, _, _ = items[0]
    with Client(benchmark=benchmark) as client:
        longest = client.limits().answer_characters
        answers = [Item(problem=problem, answer=answer[-longest:]) for _, _, _, problem, answer in items]
        done = client.submit(answers, model=Model.of(model), split=split).wait(timeout=3600)
    _LOG.warning("submission %s: %s. %s", done.id, done.state, done.note)
    return done


def _told(value: Callable[[Submission], float | None]) -> Callable[[Sequence[Sent]], float]:
    def aggregation(items: Sequence[Sent]) -> float:
        found = value(_submitted(tuple(tuple(item) for item in items)))
        return math.nan if found is None else found

    return aggregation


score = _told(lambda done: done.score)
low = _told(lambda done: done.interval.low if done.interval else None)
high = _told(lambda done: done.interval.high if done.interval else None)
coverage = _told(lambda done: done.coverage)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m heldout.harnesses.lm_eval", description=__doc__)
    parser.add_argument("--model", required=True, help="what it is submitted as: name or name@version")
    parser.add_argument("--split", default="test")
    parser.add_argument("--benchmark", action="append", default=[], help="several times; without it, all there are")
    parser.add_argument("--out", type=Path, default=Path("tasks"))
    given = parser.parse_args()
    with Client() as client:
        names = write_tasks(client, given.out, model=given.model, split=given.split, benchmarks=given.benchmark)
    print(f"{len(names)} tasks in the group heldout: lm_eval run --tasks heldout --include_path {given.out} ...")


if __name__ == "__main__":
    main()
