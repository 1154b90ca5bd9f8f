"""The words of AgentBench's operating-system track, out of an owner's checkout."""

import ast
from collections.abc import Iterator
from pathlib import Path

from envs import checkout as published
from envs.checkout import Words

FILE = Path("src/server/tasks/os_interaction/task.py")


def read_words(checkout: Path) -> Words:
    """The words of a checkout. Raises ValueError for a folder that has them not, or where they are not found."""
    tree = published.parse(checkout, FILE)
    try:
        shots = published.assigned(tree, "ONE_SHOT")
        assert isinstance(shots, list)
        first, *rest = [str(turn["content"]) for turn in shots]
        judge = published.function(tree, "_judge")
        said = [content for role, content in published.injected(judge) if role == "user"]
        instruction = next(str(one.value) for one in said if isinstance(one, ast.Constant))
        lead = next(text for one in said for text, _ in _sum(one))
        sums = [part for node in ast.walk(judge) if isinstance(node, ast.AugAssign) for part in _sum(node.value)]
        before = next(text for text, added in sums if added == "ONE_SHOT[0]['content']")
    except (AssertionError, KeyError, StopIteration, TypeError, ValueError) as error:
        raise ValueError(f"the words of the operating-system task are not found in {checkout}: {error!r}") from None
    return Words(f"{instruction}{before}{first}", tuple(rest), lead)


def _sum(node: ast.expr) -> Iterator[tuple[str, str]]:
    """A text and what is added to it."""
    if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):
        yield str(node.left.value), ast.unparse(node.right)
