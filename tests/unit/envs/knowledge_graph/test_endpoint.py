"""Freebase behind a SPARQL endpoint that the operator names: here a server of ours over a graph of the tests."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from pyoxigraph import QueryResultsFormat, QuerySolutions

from envs.base import Action, FinishReason, InfrastructureError, Probe
from envs.knowledge_graph import store
from envs.knowledge_graph.environment import KnowledgeGraph
from envs.knowledge_graph.spec import KnowledgeGraphSpec
from envs.knowledge_graph.store import ENDPOINT, ONTOLOGY, MicroGraph
from tests.unit.envs.knowledge_graph.school import GOLD, OBSERVED, SOLUTION, SPEC, spec

FREEBASE: dict[str, Any] = {"graph": "freebase", "edges": {}, "values": {}, "inverses": {}, "ranges": {}, "broader": {}}
Reply = Callable[[str], tuple[int, bytes]]


@contextmanager
def serving(reply: Reply) -> Iterator[str]:
    """A server on a free port, and its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            status, sent = reply(parse_qs(body)["query"][0])
            self.send_response(status)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/sparql"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def school() -> Reply:
    """The school of the tests, as an endpoint gives it."""
    graph, lock = MicroGraph(KnowledgeGraphSpec.model_validate(SPEC)), threading.Lock()

    def reply(query: str) -> tuple[int, bytes]:
        with lock:
            found = graph.store.query(query)
            assert isinstance(found, QuerySolutions)
            sent = found.serialize(format=QueryResultsFormat.JSON)
        assert sent is not None
        return 200, sent

    return reply


@pytest.fixture
def ontology(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The school's vocabulary in the form of the published files; the hidden relation is not in it."""
    ranges: dict[str, str] = SPEC["ranges"]
    vocabulary = {"relations": list(ranges), "attributes": SPEC["attributes"], "classes": []}
    (tmp_path / "vocab.json").write_text(json.dumps(vocabulary))
    (tmp_path / "fb_roles").write_text("".join(f"x {name} {range_}\n" for name, range_ in ranges.items()))
    rows = [f"{type_} meta.subclassOf {above} .\n" for type_, types in SPEC["broader"].items() for above in types]
    (tmp_path / "fb_types").write_text("".join(rows))
    monkeypatch.setenv(ONTOLOGY, str(tmp_path))
    return tmp_path


async def observed(world: KnowledgeGraph, seed: int = 0) -> list[str]:
    await world.reset(spec(**FREEBASE), seed)
    return [(await world.step(Action(text=reply))).observation.text for reply in SOLUTION]


@pytest.mark.usefixtures("ontology")
async def test_an_endpoint_gives_what_a_graph_in_memory_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(school()) as address:
        monkeypatch.setenv(ENDPOINT, address)
        worlds = [KnowledgeGraph() for _ in range(8)]
        for texts in await asyncio.gather(*map(observed, worlds)):
            assert texts == [*OBSERVED, ""]
        for world in worlds:
            (found,) = await world.probe([Probe(name="answer", type="answer")])
            assert found.value == {"variable": 4, "values": GOLD}
            await world.close()


@pytest.mark.usefixtures("ontology")
async def test_relations_that_the_vocabulary_lacks_may_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(school()) as address:
        monkeypatch.setenv(ENDPOINT, address)
        world = KnowledgeGraph()
        await world.reset(spec(**(FREEBASE | {"ranges": {"hidden.relation": "art.painter"}})), 0)
        listed = (await world.step(Action(text="Action: get_relations(m.school)"))).observation.text
        assert listed == "Observation: [art.school.head, art.school.pupils, hidden.relation]"
        await world.close()


async def test_a_machine_without_freebase_is_no_fault_of_the_participant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENDPOINT, raising=False)
    with pytest.raises(InfrastructureError, match=f"set {ENDPOINT} to the address of a SPARQL endpoint and {ONTOLOGY}"):
        await KnowledgeGraph().reset(spec(**FREEBASE), 0)


@pytest.mark.usefixtures("ontology")
@pytest.mark.parametrize(
    ("status", "sent", "reason"),
    [
        (503, b"", "said 503"),
        (200, b"<html>", "no SPARQL results"),
        (200, b'{"boolean": true}', "no SPARQL results"),
    ],
)
async def test_an_endpoint_that_fails_is_no_fault_of_the_participant(
    monkeypatch: pytest.MonkeyPatch, status: int, sent: bytes, reason: str
) -> None:
    with serving(lambda _: (status, sent)) as address:
        monkeypatch.setenv(ENDPOINT, address)
        with pytest.raises(InfrastructureError, match=reason):
            await observed(KnowledgeGraph())
    with pytest.raises(InfrastructureError, match="cannot be reached"):
        await observed(KnowledgeGraph())


@pytest.mark.usefixtures("ontology")
async def test_a_query_that_is_too_much_cannot_be_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = school()
    monkeypatch.setattr(store, "MAX_BYTES", 2000)
    refused = {"said": 0}

    def reply(query: str) -> tuple[int, bytes]:
        refused["said"] += 1
        refusals = {1: (500, b"too much"), 2: (200, b" " * 3000)}
        return refusals.get(refused["said"]) or answer(query)

    with serving(reply) as address:
        monkeypatch.setenv(ENDPOINT, address)
        world = KnowledgeGraph()
        await world.reset(spec(**FREEBASE), 0)
        texts = [(await world.step(Action(text=SOLUTION[0]))).observation.text for _ in range(3)]
        failed = "get_relations(Linden School) cannot be executed. You may make a mistake and need to fix it."
        assert texts == [failed, failed, OBSERVED[0]]
        await world.close()


@pytest.mark.usefixtures("ontology")
async def test_an_answer_that_could_not_be_asked_is_unscored(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = school()
    with serving(lambda query: answer(query) if "?relation" in query else (500, b"")) as address:
        monkeypatch.setenv(ENDPOINT, address)
        world = KnowledgeGraph()
        await world.reset(spec(**FREEBASE), 0)
        for reply in SOLUTION[:2]:
            result = await world.step(Action(text=reply))
            assert result.finish is not FinishReason.COMPLETED
        with pytest.raises(InfrastructureError, match="could not be asked: the endpoint said 500"):
            await world.step(Action(text="Final Answer: #0"))
        await world.close()
