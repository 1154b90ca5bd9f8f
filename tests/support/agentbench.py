"""AgentBench v0.2 run beside ours: its modules as they are, and single functions, out of an owner's checkout."""

import ast
import asyncio
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
import yaml

from envs import python_text

STUBS = {
    "mysql": SimpleNamespace(),
    "mysql.connector": SimpleNamespace(),
    "docker": SimpleNamespace(),
    "docker.models": SimpleNamespace(containers=SimpleNamespace(Container=object)),
}
"""For the clients of databases and containers, which no test of texts needs."""
ABSENT = {"__init__.py": "", "model/__init__.py": "", "model/model_adapter.py": "get_conversation_template = None\n"}
"""For the package `fastchat`, another server's client, which the assigner imports and does not use."""
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


async def assigned(folder: Path, tasks: Sequence[str], controller: str, model: int) -> str:
    """What `python -m src.assigner` says, as it is, when its HTTP agent "mine" has played `tasks` to their end.

    `controller` is USER:KEY@HOST:PORT, `model` the port of a model that answers POST /chat with {"text": ...}. Results
    are in `folder/out/mine`.
    """
    for name, text in ABSENT.items():
        file = folder / "absent" / "fastchat" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    agent = {"url": f"http://127.0.0.1:{model}/chat", "return_format": "{response[text]}"}
    address = f"http://{controller}/api"
    client = {"module": "src.client.TaskClient"}
    config = {
        "definition": {
            "task": {name: client | {"parameters": {"name": name, "controller_address": address}} for name in tasks},
            "agent": {"mine": {"module": "src.client.agents.HTTPAgent", "parameters": agent}},
        },
        "concurrency": {"task": dict.fromkeys(tasks, 2), "agent": {"mine": 2 * len(tasks)}},
        "assignments": [{"agent": "mine", "task": list(tasks)}],
        "output": str(folder / "out"),
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "ignore", "-m", "src.assigner", "--config", str(folder / "config.yaml")),
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join((str(folder / "absent"), str(checkout()))), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await running.communicate()
    assert running.returncode == 0, output.decode()
    return output.decode()


def functions(file: str, names: Sequence[str], known: dict[str, Any]) -> list[Any]:
    """Functions or methods of a file of the checkout, each by itself, with `known` for the names that they use."""
    tree = python_text.module((checkout() / file).read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = {node.name: node for node in ast.walk(tree) if isinstance(node, kinds) and node.name in names}
    module = ast.Module(body=[found[name] for name in names], type_ignores=[])
    exec(compile(module, file, "exec"), known)
    return [known[name] for name in names]
