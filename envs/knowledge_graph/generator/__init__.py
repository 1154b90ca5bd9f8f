"""Fresh questions over graphs of invented worlds, drawn from a seed, each with one right answer."""

import random
from collections import Counter
from collections.abc import Sequence

from envs.knowledge_graph.draft import drafted
from envs.knowledge_graph.generator.more_domains import DOMAINS
from envs.knowledge_graph.generator.questions import SHAPES, Question, draw_question
from envs.knowledge_graph.generator.world import World, draw_world
from envs.knowledge_graph.oracle import replies
from envs.knowledge_graph.query import named
from envs.knowledge_graph.spec import KnowledgeGraphSpec
from envs.knowledge_graph.store import MicroGraph
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Soundness
from packs.problem import Problem, ReferenceLine
from packs.report import Report

WORLDS = 20
TRIES = 150


def generate(*, seed: int, count: int = 15, split: str = "test", slug: str = "live-knowledge-graph") -> DraftPack:
    """A pack of `count` fresh problems; the same for the same seed. Every split but "dev" is private.

    The numbers of steps take turns: a problem's `type` is `knowledge_graph_1` to `knowledge_graph_5`.
    """
    report = Report(f"knowledge graph, seed {seed}", read=count)
    built = [_built(seed, number, f"{slug}-{number:04d}", split) for number in range(count)]

    def card(kept: Sequence[Problem]) -> Benchmark:
        return cards.live(
            slug,
            split,
            seed,
            title="Live: knowledge graph",
            summary="Questions over graphs of invented worlds, answered with seven tools.",
            card=_CARD.format(count=len(kept)),
            scoring=Scoring(),
        )

    def notes(kept: Sequence[Problem]) -> list[str]:
        found = sorted(Counter(problem.type[-1] for problem in kept).items())
        return ["steps of the golds: " + ", ".join(f"{steps} in {times}" for steps, times in found)]

    problems, references = [problem for problem, _ in built], [line for _, line in built]
    return DraftPack(report, problems, references, card=card, soundness=Soundness(seed=seed), notes=notes)


def _built(seed: int, number: int, id_: str, split: str) -> tuple[Problem, ReferenceLine]:
    steps = number % len(SHAPES) + 1
    world, question, spec = _drawn(seed, number, steps)
    problem = Problem(
        id=id_,
        split=split,
        type=f"knowledge_graph_{steps}",
        subject=world.domain.name,
        statement=question.text,
        episode=True,
    )
    return drafted(problem, spec, question.gold, replies(question.query, spec.entities, published=False))


def _drawn(seed: int, number: int, steps: int) -> tuple[World, Question, KnowledgeGraphSpec]:
    """A world and a question about it. Raises ValueError where none is found."""
    shape = SHAPES[steps][number // len(SHAPES) % len(SHAPES[steps])]
    for attempt in range(WORLDS):
        draw = random.Random(f"knowledge graph {seed} {number} {attempt}")
        world = draw_world(draw, draw.choice(DOMAINS))
        graph = MicroGraph(_spec(world, "?", {}))
        for _ in range(TRIES):
            question = draw_question(draw, world, shape, graph.ask)
            if question is not None:
                entities = sorted(named(question.query))
                draw.shuffle(entities)
                return world, question, _spec(world, question.text, {world.names[one]: one for one in entities})
    raise ValueError(f"no question of the shape {shape} was found for problem {number} of seed {seed}")


def _spec(world: World, text: str, entities: dict[str, str]) -> KnowledgeGraphSpec:
    fields = {"edges": world.edges, "values": world.values, "inverses": world.inverses, "ranges": world.ranges}
    return KnowledgeGraphSpec.model_validate(
        {"question": text, "entities": entities, "attributes": sorted(world.attributes), **fields}
    )


_CARD = """\
{count} questions over graphs of ships, music, stars, kitchens, books and climbers that nobody has seen, answered with
the seven tools of AgentBench's knowledge graph track, 15 turns each. The golds take one to five steps: relations, an
intersection, a superlative, a count. Every question was asked of its graph: it has one answer, and none of its steps
can be left out. The score is the mean F1 of the answers.

All worlds are drawn from a seed: another seed gives a test set that nobody has seen.
"""
