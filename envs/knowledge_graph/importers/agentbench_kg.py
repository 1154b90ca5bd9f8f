"""AgentBench's knowledge graph samples (`dev.json`, `std.json`, `kg_rl_all.json`) as a pack.

Each question gets a graph of its own (`micro.Builder`), in which its gold actions have exactly its gold answers, or,
with `graph` "freebase", is asked of the SPARQL endpoint of Freebase that the operator of the machine names.

Mode "published" reads replies, orders relations and refuses intersections of different types as published, so that
some golds cannot be executed; they are kept and marked with the cause. Mode "fixed" intersects any two sets, sorts
relations, lists the relations of golds that the published vocabulary lacks, takes every id of Freebase, lets an answer
be what its own question names where the gold is that, and leaves steps out that begin from a type; these are marked
too. The score is the mean F1 of the answers, as published.
"""

import random
import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from envs.knowledge_graph.draft import drafted
from envs.knowledge_graph.importers.defects import defects
from envs.knowledge_graph.importers.micro import FALLBACK, Builder, Plan
from envs.knowledge_graph.importers.programs import query_of
from envs.knowledge_graph.importers.upstream import ONTOLOGY, Words, read_words
from envs.knowledge_graph.ontology import Ontology, read_ontology
from envs.knowledge_graph.oracle import replies
from envs.knowledge_graph.query import Extreme, Neighbors, Query, members, named, walk
from envs.knowledge_graph.spec import KnowledgeGraphSpec
from envs.knowledge_graph.store import MicroGraph
from packs import cards
from packs.benchmark import Benchmark
from packs.draft import DraftPack, Mode, Soundness, known_mode
from packs.files import json_rows
from packs.problem import Problem, ReferenceLine
from packs.report import Report

TURNS = 15
PLANS = (Plan(), Plan(), Plan(), Plan(near=False), Plan(others=False, near=False))
Source = Literal["micro", "freebase"]
_ENTITY = re.compile(r"[a-z]+\.[A-Za-z0-9_]+")


Label = Annotated[str, BeforeValidator(lambda found: found if isinstance(found, str | int) else "")]


class AnswerRow(BaseModel):
    """One gold answer: an entity's id, or a text."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    answer_argument: str
    answer_type: Any = None

    @property
    def is_text(self) -> bool:
        """Whether it is no entity; some rows do not say."""
        return self.answer_type == "Value" or not _ENTITY.fullmatch(self.answer_argument)


class Sample(BaseModel):
    """One published sample; further fields are not needed. Of ids and sources that are no text there is none."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    question: str
    qid: Label = ""
    source: Label = "unknown"
    entities: dict[str, str]
    actions: list[str]
    answer: Annotated[list[AnswerRow], Field(min_length=1)]

    @property
    def gold(self) -> list[str]:
        """The gold answers, each once."""
        return list(dict.fromkeys(row.answer_argument for row in self.answer))


def read(
    source: Path,
    *,
    mode: Mode = "fixed",
    seed: int = 0,
    limit: int | None = None,
    turns: int = TURNS,
    graph: Source = "micro",
    ontology: str = "",
    upstream: str = "",
) -> DraftPack:
    """The samples of a published file. `limit` takes the first alone; `seed` draws what stands beside the golds.

    The vocabulary (vocab.json, fb_roles, fb_types, reverse_properties) is looked for in the folder `ontology`, else in
    `ontology/` beside the file, else in `upstream`, a checkout of AgentBench v0.2, whose instruction and example are
    then shown in place of ours. Raises FileNotFoundError, and ValueError for another mode or graph and for a file that
    is none.
    """
    known_mode(mode)
    if graph not in ("micro", "freebase"):
        raise ValueError(f"there is no graph '{graph}'; known are micro and freebase")
    words = read_words(Path(upstream)) if upstream else None
    known = read_ontology(_folder(source, ontology, upstream))
    report = Report(source.name)
    built: list[tuple[Problem, ReferenceLine]] = []
    ids: set[str] = set()
    for number, row in enumerate(_rows(source)[:limit]):
        report.read += 1
        try:
            sample = Sample.model_validate(row)
            id_ = _id(sample.qid, number, ids)
            wrong = defects(query_of(sample.actions, entities_only=False), sample.gold, known)
            query = query_of(sample.actions, entities_only=mode == "fixed")
            spec = _spec(sample, query, known, mode=mode, graph=graph, seed=seed)
        except (ValidationError, ValueError, RecursionError) as error:
            report.exclude(f"sample {number}", "format", _reason(error))
            continue
        spec = KnowledgeGraphSpec.model_validate(spec.model_dump() | {"turns": turns} | _shown(words))
        for cause in wrong:
            report.mark(id_, "gold refused as published" if mode == "published" else "fixed", cause)
        texts = replies(query, sample.entities, published=mode == "published")
        built.append(drafted(_problem(id_, sample), spec, sample.gold, texts))
    problems, references = [problem for problem, _ in built], [line for _, line in built]
    return DraftPack(
        report,
        problems,
        references,
        card=partial(benchmark, mode),
        soundness=None if graph == "freebase" else Soundness(exclude=mode == "fixed", seed=seed, times=1),
        notes=_by_source,
    )


def _reason(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)[:300]
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"[:300]


def _folder(source: Path, ontology: str, upstream: str) -> Path:
    folders = [Path(ontology)] if ontology else [source.parent / "ontology"]
    if upstream and not ontology:
        folders.append(Path(upstream) / ONTOLOGY)
    found = next((folder for folder in folders if (folder / "fb_roles").exists()), None)
    if found is None:
        raise FileNotFoundError(
            f"no vocabulary (vocab.json, fb_roles, fb_types, reverse_properties) in {', '.join(map(str, folders))}; "
            "say where it is with ontology=FOLDER"
        )
    return found


def _rows(source: Path) -> list[Any]:
    rows = json_rows(source)
    if rows and not any(isinstance(row, dict) and "question" in row for row in rows):
        raise ValueError(f"{source.name} holds no list of samples")
    return rows


def _id(qid: str, number: int, taken: set[str]) -> str:
    id_ = "".join(c if c.isascii() and (c.isalnum() or c in "-._") else "-" for c in qid).lstrip("-._")[:120]
    id_ = f"kg-{number}" if not id_ else f"{id_}-{number}" if id_ in taken else id_
    taken.add(id_)
    return id_


def _problem(id_: str, sample: Sample) -> Problem:
    subject = sample.source[:100] or "unknown"
    return Problem(
        id=id_, split="dev", type="knowledge_graph", subject=subject, statement=sample.question, episode=True
    )


def _shown(words: Words | None) -> dict[str, Any]:
    return {} if words is None else {"instruction": words.instruction, "example": words.example, "lead": words.lead}


def _spec(sample: Sample, query: Query, known: Ontology, *, mode: Mode, graph: Source, seed: int) -> KnowledgeGraphSpec:
    """The specification without words. Raises ValueError where no graph has the gold answers."""
    # As published, what a query names is no part of its result: a gold that the question names cannot be had.
    keeps = mode == "fixed" and bool(set(sample.gold) & named(query))
    fields: dict[str, Any] = {"question": sample.question, "entities": sample.entities, "keeps_entities": keeps}
    fields |= {"graph": graph, "rules": mode}
    if graph == "freebase":
        return KnowledgeGraphSpec.model_validate(fields | (_lacking(query, known) if mode == "fixed" else {}))
    texts = frozenset(row.answer_argument for row in sample.answer if row.is_text)
    for number, plan in enumerate(PLANS):
        builder = Builder(known, random.Random(f"{sample.qid} {seed} {number}"), plan, texts)
        made = builder.build(query, sample.gold)
        inverses = builder.inverses()
        there = made.relations | set(inverses.values())
        words = _vocabulary(there, query, known, mode)
        own = {"edges": made.edges, "values": made.values, "inverses": inverses}
        spec = KnowledgeGraphSpec.model_validate(fields | own | words)
        if set(MicroGraph(spec).ask(members(query, named(query) - set(sample.gold)))) == set(sample.gold):
            return spec
    raise ValueError("no graph was found in which the gold actions have the gold answers")


def _vocabulary(there: set[str], query: Query, known: Ontology, mode: Mode) -> dict[str, Any]:
    """Of what is in the graph, what may be listed; in mode "fixed" all that the gold actions use."""
    ranges = {name: known.ranges[name] for name in sorted(there & known.relations) if name in known.ranges}
    attributes = there & known.attributes
    if mode == "fixed":
        lacking = _lacking(query, known)
        ranges |= lacking["ranges"]
        attributes |= set(lacking["attributes"])
    broader: dict[str, list[str]] = {}
    left = list(ranges.values())
    while left:
        type_ = left.pop()
        if type_ in known.broader and type_ not in broader:
            broader[type_] = sorted(known.broader[type_])
            left.extend(broader[type_])
    return {"ranges": ranges, "attributes": sorted(attributes), "broader": broader}


def _lacking(query: Query, known: Ontology) -> dict[str, Any]:
    """What the gold actions use and the published vocabulary lacks."""
    uses = list(walk(query))
    relations = {one.relation for one in uses if isinstance(one, Neighbors)} - (known.relations & known.ranges.keys())
    attributes = {one.attribute for one in uses if isinstance(one, Extreme)} - known.attributes
    ranges = {name: known.ranges.get(name, FALLBACK) for name in sorted(relations)}
    return {"ranges": ranges, "attributes": sorted(attributes)}


def _by_source(kept: Sequence[Problem]) -> list[str]:
    counts = sorted(Counter(problem.subject for problem in kept).items())
    return ["kept by source: " + ", ".join(f"{name} {count}" for name, count in counts)]


def benchmark(mode: Mode, problems: Sequence[Problem]) -> Benchmark:
    """The card of the pack; the score is the mean F1, as published."""
    return cards.published(
        "agentbench-kg",
        mode,
        problems,
        title="knowledge graph",
        licence="Apache-2.0; the questions and ids inside under the terms of their own sets, Freebase's CC-BY",
        summary="Questions over a knowledge graph, answered with seven tools.",
        card=_CARD.format(mode=mode, count=len(problems)),
    )


_CARD = """\
{count} questions of GrailQA, CWQ, GraphQuestions and WebQSP, as AgentBench's knowledge graph track asks them (Liu et
al., ICLR 2024, arXiv:2308.03688), mode "{mode}".

Each question has a graph of its own, in which its gold actions have exactly its gold answers, unless the pack says that
Freebase itself is asked. The score is the mean F1 of the answers; exact match and executability are with each verdict.
The questions have been public since 2023: good for practice and for comparing, not as a hidden test.
"""
