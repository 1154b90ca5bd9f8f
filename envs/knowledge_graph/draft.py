"""A question as a problem and its secret side; what the importer and the generator share."""

from collections.abc import Sequence

from envs.knowledge_graph.spec import KnowledgeGraphSpec
from packs.problem import Episode, Probe, Problem, ReferenceLine

SECONDS = 1800


def drafted(
    problem: Problem, spec: KnowledgeGraphSpec, gold: Sequence[str], replies: Sequence[str]
) -> tuple[Problem, ReferenceLine]:
    """A problem and its reference line: `gold` are the ids and texts of the answer, `replies` lead to it."""
    line = ReferenceLine(
        id=problem.id,
        reference={"kind": "set_f1", "values": sorted(set(gold)), "evidence": "answer"},
        episode=Episode(
            environment="knowledge_graph",
            spec=spec.model_dump(mode="json", exclude_defaults=True),
            probes=(Probe(name="answer", kind="answer"),),
            steps=spec.turns,
            seconds=SECONDS,
        ),
        oracle=tuple({"text": reply} for reply in replies),
    )
    return problem, line
