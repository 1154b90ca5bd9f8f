"""AgentBench's own knowledge graph task, run as it is, with its SPARQL calls answered by a graph of ours."""

import importlib
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pyoxigraph

from envs.knowledge_graph.query import NAMESPACE
from envs.knowledge_graph.spec import KnowledgeGraphSpec
from envs.knowledge_graph.store import MicroGraph

PARTS = ("src/__init__.py", "src/typings", "src/utils", "src/server/__init__.py", "src/server/task.py")
TASK = "src/server/tasks/knowledgegraph"


class _Wrapper:
    """The part of SPARQLWrapper that is used; Virtuoso's dialect is put as SPARQL 1.1 has it."""

    store: pyoxigraph.Store

    def __init__(self, url: str) -> None:
        del url

    def setReturnFormat(self, name: str) -> None:  # noqa: N802 - the library's name
        """Always JSON."""

    def setQuery(self, text: str) -> None:  # noqa: N802 - the library's name
        text = text.replace("SELECT COUNT DISTINCT ?x", "SELECT (COUNT(DISTINCT ?x) AS ?size)")
        self._text = text.replace("FILTER regex(?x0,", "FILTER regex(str(?x0),").replace(" OR ", " || ")
        # Short names with more than one full stop in them, which the library's parser does not take.
        self._text = re.sub(r"(?<=[\s=])(?:ns)?:([\w.]*\w)", rf"<{NAMESPACE}\1>", self._text)

    def query(self) -> "_Wrapper":
        return self

    def convert(self) -> dict[str, Any]:
        found = self.store.query(self._text)
        assert isinstance(found, pyoxigraph.QuerySolutions)
        name = found.variables[0].value
        return {"results": {"bindings": [{name: {"value": getattr(row[0], "value", "")}} for row in found]}}


class Session:
    """What the task needs of a session: it is given these replies, one a turn, and then no more."""

    def __init__(self, replies: Sequence[str], outputs: ModuleType) -> None:
        self._replies, self._outputs = list(replies), outputs
        self.history: list[SimpleNamespace] = []
        self.observed: list[str] = []
        self._begun = False

    def inject(self, item: dict[str, str]) -> None:
        if self._begun:
            self.observed.append(item["content"])
        self.history.append(SimpleNamespace(**item))

    async def action(self) -> Any:
        self._begun = True
        if not self._replies:
            return SimpleNamespace(status="cancelled", content=None)
        text = self._replies.pop(0)
        self.history.append(SimpleNamespace(role="agent", content=text))
        return SimpleNamespace(status=self._outputs.AgentOutputStatus.NORMAL, content=text)


class Upstream:
    """The task over the samples of a file."""

    def __init__(self, samples: Path) -> None:
        module = importlib.import_module("src.server.tasks.knowledgegraph.task")
        self.api = importlib.import_module("src.server.tasks.knowledgegraph.api")
        self.typings = importlib.import_module("src.typings")
        self.words = (module.INSTRUCTIONS, module.ONE_SHOT)
        self.task = module.KnowledgeGraph(data_file=str(samples), name="kg")

    async def play(self, index: int, spec: KnowledgeGraphSpec, replies: Sequence[str]) -> tuple[list[str], Any]:
        """What is said after each reply, and the task's result, with the graph of `spec` behind it."""
        _Wrapper.store = MicroGraph(spec).store
        self.api.variable_relations_cache.clear()  # they would be shared by all sessions
        self.api.variable_attributes_cache.clear()
        self.session = Session(replies, self.typings)
        result = await self.task.start_sample(index, self.session)
        return self.session.observed, result


@contextmanager
def upstream(checkout: Path, data: Path, folder: Path, samples: Path) -> Iterator[Upstream]:
    """The task from `checkout`, with the vocabulary of `data`, put together in `folder` for the time of a test."""
    for part in (*PARTS, TASK):
        source, target = checkout / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    shutil.copytree(data / "agentbench/knowledgegraph/ontology", folder / TASK / "ontology", dirs_exist_ok=True)
    for package in ("src/server/tasks/__init__.py",):
        (folder / package).touch()
    stubs = {"SPARQLWrapper": SimpleNamespace(SPARQLWrapper=_Wrapper, JSON="json"), "tqdm": SimpleNamespace(tqdm=iter)}
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        sys.modules.update({name: stub for name, stub in stubs.items() if name not in before})  # type: ignore[misc]
        yield Upstream(samples)
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if name in stubs or name.split(".")[0] == "src":
                del sys.modules[name]
