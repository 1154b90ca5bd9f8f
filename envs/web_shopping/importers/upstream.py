"""The published words, out of an owner's own checkout of AgentBench (v0.2): nothing of them is shipped here.

The code is read, never run.
"""

import ast
from pathlib import Path

from envs import checkout as published

FILE = Path("src/server/tasks/webshop/__init__.py")


def read_opening(checkout: Path) -> tuple[str, ...]:
    """What is said before the first page, turn by turn, the user's first. Raises ValueError for a folder that has it
    not."""
    tree = published.parse(checkout, FILE)
    texts = _assigned(tree)
    turns = [turn for call in ast.walk(tree) if isinstance(call, ast.Call) for turn in _turn(call, texts)]
    turns.sort(key=lambda turn: turn[0])
    roles = [role for _, role, _ in turns]
    if not turns or roles != ["user", "agent"] * (len(turns) // 2):
        raise ValueError(f"the words of the shopping task are not found in {checkout / FILE}")
    return tuple(text for _, _, text in turns)


def _assigned(tree: ast.Module) -> dict[str, str]:
    """The texts that names of the module stand for."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.AnnAssign | ast.Assign) and isinstance(node.value, ast.Constant):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name) and isinstance(node.value.value, str):
                found[target.id] = node.value.value
    return found


def _turn(call: ast.Call, texts: dict[str, str]) -> list[tuple[int, str, str]]:
    """The turn that a call of `inject` says, with its line, where its text stands in the code."""
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "inject" and call.args):
        return []
    given = call.args[0]
    if not isinstance(given, ast.Dict):
        return []
    held = {
        key.value: value for key, value in zip(given.keys, given.values, strict=True) if isinstance(key, ast.Constant)
    }
    role, content = held.get("role"), held.get("content")
    text = texts.get(content.id) if isinstance(content, ast.Name) else getattr(content, "value", None)
    if isinstance(role, ast.Constant) and isinstance(role.value, str) and isinstance(text, str):
        return [(call.lineno, role.value, text)]
    return []
