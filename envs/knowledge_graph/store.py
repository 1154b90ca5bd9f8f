"""Where queries are answered: a graph of the problem's own in memory, or an operator's SPARQL endpoint of Freebase."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import httpx2
import pyoxigraph
from pydantic import BaseModel, ValidationError

from envs.base import InfrastructureError
from envs.knowledge_graph.ontology import FILES, read_ontology
from envs.knowledge_graph.query import NAMESPACE
from envs.knowledge_graph.spec import KnowledgeGraphSpec

ENDPOINT = "HELDOUT_FREEBASE_SPARQL"
ONTOLOGY = "HELDOUT_FREEBASE_ONTOLOGY"
SECONDS = 60.0
MAX_BYTES = 20_000_000


class QueryError(Exception):
    """The endpoint refused a query, or took too long for it: nothing is known of its result."""


@dataclass(frozen=True)
class Vocabulary:
    """The relations and attributes that may be listed, what relations lead to, and the types above each type."""

    ranges: Mapping[str, str]
    attributes: frozenset[str]
    broader: Mapping[str, frozenset[str]]


class Store(Protocol):
    """Answers queries of one variable."""

    async def select(self, sparql: str) -> list[str]:
        """The values, without Freebase's namespace. Raises QueryError and InfrastructureError."""
        ...

    async def close(self) -> None: ...


class MicroGraph:
    """A graph in memory."""

    def __init__(self, spec: KnowledgeGraphSpec) -> None:
        self.store = pyoxigraph.Store()
        self.store.extend(_quads(spec))

    def ask(self, sparql: str) -> list[str]:
        """The values of the one variable of a query."""
        found = self.store.query(sparql)
        assert isinstance(found, pyoxigraph.QuerySolutions)
        return [_plain(term.value) for (term,) in found if isinstance(term, pyoxigraph.NamedNode | pyoxigraph.Literal)]

    async def select(self, sparql: str) -> list[str]:
        return self.ask(sparql)

    async def close(self) -> None:
        """Nothing is held elsewhere."""


def _quads(spec: KnowledgeGraphSpec) -> Iterator[pyoxigraph.Quad]:
    nodes: dict[str, pyoxigraph.NamedNode] = {}

    def node(id_: str) -> pyoxigraph.NamedNode:
        return nodes.setdefault(id_, pyoxigraph.NamedNode(NAMESPACE + id_))

    for relation, subjects in spec.edges.items():
        inverse = spec.inverses.get(relation)
        for subject, objects in subjects.items():
            for object_ in objects:
                yield pyoxigraph.Quad(node(subject), node(relation), node(object_))
                if inverse is not None:
                    yield pyoxigraph.Quad(node(object_), node(inverse), node(subject))
    for relation, values in spec.values.items():
        for subject, texts in values.items():
            for value in texts:
                yield pyoxigraph.Quad(node(subject), node(relation), pyoxigraph.Literal(value))


class Endpoint:
    """A SPARQL 1.1 endpoint over HTTP. What it holds must not change while sessions are played or replayed."""

    def __init__(self, url: str, client: httpx2.AsyncClient | None = None) -> None:
        self._url = url
        self._client = client or httpx2.AsyncClient(timeout=SECONDS)

    async def select(self, sparql: str) -> list[str]:
        headers = {"Accept": "application/sparql-results+json"}
        try:
            async with self._client.stream("POST", self._url, data={"query": sparql}, headers=headers) as reply:
                body = b""
                async for chunk in reply.aiter_bytes():
                    body += chunk
                    if len(body) > MAX_BYTES:
                        raise QueryError(f"more than {MAX_BYTES} bytes of results")
        except httpx2.ReadTimeout:
            raise QueryError(f"no result after {SECONDS:g} seconds") from None
        except httpx2.HTTPError as error:
            raise InfrastructureError(f"the SPARQL endpoint cannot be reached: {type(error).__name__}") from error
        if reply.status_code in (400, 500):  # Virtuoso says 500 where a query would take too long
            raise QueryError(f"the endpoint said {reply.status_code}")
        if reply.status_code != 200:
            raise InfrastructureError(f"the SPARQL endpoint said {reply.status_code}")
        return _results(body)

    async def close(self) -> None:
        """End the connections."""
        await self._client.aclose()


class _Term(BaseModel):
    value: str


class _Bindings(BaseModel):
    bindings: list[dict[str, _Term]]


class _Results(BaseModel):
    results: _Bindings


def _results(body: bytes) -> list[str]:
    try:
        parsed = _Results.model_validate_json(body)
    except ValidationError:
        raise InfrastructureError("the SPARQL endpoint sent no SPARQL results in JSON") from None
    return [_plain(term.value) for row in parsed.results.bindings for term in row.values()]


def _plain(value: str) -> str:
    """As published: without the namespace, and without the time zone that Freebase's dates carry."""
    return value.replace(NAMESPACE, "").replace("-08:00", "")


def open_store(spec: KnowledgeGraphSpec) -> tuple[Store, Vocabulary]:
    """The graph of an episode and its vocabulary. Raises InfrastructureError where the machine has no Freebase."""
    if spec.graph == "micro":
        broader = {type_: frozenset(above) for type_, above in spec.broader.items()}
        return MicroGraph(spec), Vocabulary(spec.ranges, frozenset(spec.attributes), broader)
    url, folder = os.environ.get(ENDPOINT), os.environ.get(ONTOLOGY)
    if not url or not folder:
        raise InfrastructureError(
            f"the episode asks Freebase: set {ENDPOINT} to the address of a SPARQL endpoint and {ONTOLOGY} to the "
            f"folder with {', '.join(FILES)}"
        )
    known = _freebase(folder)
    attributes = known.attributes | set(spec.attributes)
    return Endpoint(url), Vocabulary({**known.ranges, **spec.ranges}, attributes, known.broader)


@lru_cache(maxsize=1)
def _freebase(folder: str) -> Vocabulary:
    try:
        known = read_ontology(Path(folder))
    except (OSError, ValueError) as error:
        raise InfrastructureError(f"{ONTOLOGY}: {error}") from error
    ranges = {relation: known.ranges[relation] for relation in known.relations if relation in known.ranges}
    return Vocabulary(ranges, known.attributes, known.broader)
