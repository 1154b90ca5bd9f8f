"""Published words, out of an owner's own checkout of AgentBench (v0.2): nothing of them is shipped here.

The code is read, never run.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from envs import python_text


@dataclass(frozen=True)
class Words:
    """The instruction, what follows it until the problem (the participant's turn first), and what comes before the
    problem in its turn."""

    instruction: str
    example: tuple[str, ...]
    lead: str = ""

    def spec(self) -> dict[str, object]:
        """The fields of a specification that show these words."""
        return {"instruction": self.instruction, "example": list(self.example), "lead": self.lead}


def parse(checkout: Path, file: Path) -> ast.Module:
    """The syntax tree of a file of the checkout. Raises ValueError for a folder that has it not."""
    try:
        return python_text.module((checkout / file).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{checkout} is no checkout of AgentBench v0.2: {error}") from None


def assigned(tree: ast.Module, name: str) -> object:
    """The literal that a module gives to `name`. Raises StopIteration and ValueError."""
    targets = (node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name)
    return ast.literal_eval(next(targets).value)


def function(tree: ast.Module, name: str) -> ast.AST:
    """The function or method called `name`. Raises StopIteration."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return next(node for node in ast.walk(tree) if isinstance(node, kinds) and node.name == name)


def injected(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Role and content of each turn that a function writes down as `{"role": ..., "content": ...}`, in its order."""
    found = [one for one in ast.walk(node) if isinstance(one, ast.Dict)]
    for turn in sorted(found, key=lambda one: one.lineno):
        pairs = zip(turn.keys, turn.values, strict=True)
        fields = {ast.unparse(key): value for key, value in pairs if key is not None}
        role, content = fields.get("'role'"), fields.get("'content'")
        if isinstance(role, ast.Constant) and content is not None:
            yield str(role.value), content
