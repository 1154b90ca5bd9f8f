"""The published words, out of an owner's own checkout of AgentBench (v0.2): nothing of them is shipped here.

The code is read, never run.
"""

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from envs import checkout as published

FOLDER = Path("src/server/tasks/alfworld")
EXAMPLES = "alfworld_multiturn_plan_first.json"
KEYS = {
    "pick_and_place": "put",
    "pick_clean_then_place": "clean",
    "pick_heat_then_place": "heat",
    "pick_cool_then_place": "cool",
    "look_at_obj": "examine",
    "pick_two_obj": "puttwo",
}
"""The example that is shown with each type of task."""


@dataclass(frozen=True)
class Words:
    """What is said before the task: the instruction, the reply put into the participant's mouth, the text before an
    example and the one before the task, and an example (turns, the world's first) for each key of KEYS."""

    instruction: str
    reply: str
    before_example: str
    lead: str
    examples: dict[str, list[str]]

    def turns(self, task_type: str) -> list[str]:
        """What follows the instruction for a type of task, the participant's turn first."""
        first, *rest = self.examples[KEYS[task_type]]
        return [self.reply, self.before_example + first, *rest]


def read_words(checkout: Path) -> Words:
    """The words of a checkout. Raises ValueError for a folder that has them not, or where they are not found."""
    tree = published.parse(checkout, FOLDER / "task.py")
    try:
        examples = json.loads((checkout / FOLDER / "prompts" / EXAMPLES).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{checkout} is no checkout of AgentBench v0.2: {error}") from None
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    try:
        instruction = next(_texts(functions["get_task_instruction"]))
        run = functions["alfworld_run"]
        reply = next(text for node in ast.walk(run) if isinstance(node, ast.Dict) for text in _reply(node))
        assigned = {ast.unparse(node.targets[0]): node.value for node in ast.walk(run) if isinstance(node, ast.Assign)}
        before, lead = (next(_texts(assigned[name])) for name in ("history[0]", "init_prompt"))
        turns = {key: [str(turn) for turn in examples[key]] for key in KEYS.values()}
    except (KeyError, StopIteration, TypeError) as error:
        raise ValueError(f"the words of the household task are not found in {checkout}: {error!r}") from None
    return Words(instruction, reply, before, lead, turns)


def _texts(node: ast.AST) -> Iterator[str]:
    """The literal texts in a piece of code, in the order of reading."""
    found = [one for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    yield from (str(one.value) for one in sorted(found, key=lambda one: (one.lineno, one.col_offset)))


def _reply(node: ast.Dict) -> Iterator[str]:
    held = {
        key.value: value.value
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(value, ast.Constant)
    }
    if held.get("role") == "agent":
        yield str(held["content"])
