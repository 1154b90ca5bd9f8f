"""AgentBench v0.2 run beside ours: its modules as they are, and single functions, out of an owner's checkout."""

import ast
import importlib
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

STUBS = {
    "mysql": SimpleNamespace(),
    "mysql.connector": SimpleNamespace(),
    "docker": SimpleNamespace(),
    "docker.models": SimpleNamespace(containers=SimpleNamespace(Container=object)),
}
"""For the clients of databases and containers, which no test of texts needs."""
PARTS = ("src/__init__.py", "src/typings", "src/utils", "src/server/__init__.py", "src/server/task.py")


def checkout() -> Path:
    """A checkout of AgentBench v0.2 beside ours (or at HELDOUT_TEST_UPSTREAM); the test is skipped without one."""
    beside = Path(__file__).parents[3] / "shared" / "upstream"
    folder = Path(os.environ.get("HELDOUT_TEST_UPSTREAM") or beside) / "agentbench"
    if not folder.is_dir():
        pytest.skip(f"AgentBench v0.2 is not at {folder}; set HELDOUT_TEST_UPSTREAM to test against it")
    return folder


@contextmanager
def published(folder: Path, task: str, stubs: dict[str, Any]) -> Iterator[ModuleType]:
    """The module of a task, put together in `folder`; `stubs` stand for what it imports and a parser needs not."""
    for part in (*PARTS, f"src/server/tasks/{task}"):
        source, target = checkout() / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    (folder / "src/server/tasks/__init__.py").touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        for name, stub in stubs.items():
            patch.setitem(sys.modules, name, stub)
        try:
            yield importlib.import_module(f"src.server.tasks.{task}")
        finally:
            for name in [name for name in sys.modules if name.split(".")[0] == "src"]:
                del sys.modules[name]


def functions(file: str, names: Sequence[str], known: dict[str, Any]) -> list[Any]:
    """Functions or methods of a file of the checkout, each by itself, with `known` for the names that they use."""
    tree = ast.parse((checkout() / file).read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = {node.name: node for node in ast.walk(tree) if isinstance(node, kinds) and node.name in names}
    module = ast.Module(body=[found[name] for name in names], type_ignores=[])
    exec(compile(module, file, "exec"), known)
    return [known[name] for name in names]
