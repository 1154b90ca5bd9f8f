"""The published words, out of an owner's own checkout of AgentBench (v0.2): nothing of them is shipped here.

The code is read, never run.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

from envs import checkout as published

FOLDER = Path("src/server/tasks/knowledgegraph")
ONTOLOGY = FOLDER / "ontology"


@dataclass(frozen=True)
class Words:
    """The instruction, what follows it until the question (the participant's turn first), and what comes before the
    question."""

    instruction: str
    example: list[str]
    lead: str


def read_words(checkout: Path) -> Words:
    """The words of a checkout. Raises ValueError for a folder that has them not, or where they are not found."""
    tree = published.parse(checkout, FOLDER / "task.py")
    try:
        assigned = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
        instruction = str(ast.literal_eval(assigned["INSTRUCTIONS"]))
        shots = [str(text) for text in ast.literal_eval(assigned["ONE_SHOT"])]
        start = next(
            node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef) and node.name == "start_sample"
        )
        said = [content for node in ast.walk(start) if isinstance(node, ast.Dict) for content in _contents(node)]
        reply = next(ast.literal_eval(content) for role, content in said if role == "agent")
        lead = next(text for role, content in said if role == "user" for text in _begins(content))
    except (KeyError, StopIteration, ValueError, TypeError) as error:
        raise ValueError(f"the words of the knowledge graph are not found in {checkout}: {error!r}") from None
    return Words(instruction, [str(reply), *shots], lead)


def _contents(node: ast.Dict) -> list[tuple[str, ast.expr]]:
    fields = {ast.unparse(key): value for key, value in zip(node.keys, node.values, strict=True) if key is not None}
    role, content = fields.get("'role'"), fields.get("'content'")
    return [(str(ast.literal_eval(role)), content)] if role is not None and content is not None else []


def _begins(content: ast.expr) -> list[str]:
    """The literal text that a sum of texts begins with."""
    while isinstance(content, ast.BinOp):
        content = content.left
        if isinstance(content, ast.Constant) and isinstance(content.value, str):
            return [content.value]
    return []
