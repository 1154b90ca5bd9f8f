"""Fresh questions: the same for the same seed, each with one answer that none of its steps can be left out for."""

import random
import re
from collections import Counter
from typing import Any

import pytest

from api.admission import policies, random_player, simulation
from api.admission.player import Policy
from envs.knowledge_graph.generator import generate
from envs.knowledge_graph.generator.more_domains import DOMAINS
from envs.knowledge_graph.generator.questions import SHAPES, draw_question
from envs.knowledge_graph.generator.world import draw_world
from envs.knowledge_graph.query import Both, Extreme, Neighbors, Size, members, named, walk
from envs.knowledge_graph.spec import KnowledgeGraphSpec
from envs.knowledge_graph.store import MicroGraph
from packs.problem import ReferenceLine
from tests.unit.envs.knowledge_graph.wandering import Wanderer


def spec(line: ReferenceLine) -> KnowledgeGraphSpec:
    assert line.episode is not None
    return KnowledgeGraphSpec.model_validate(line.episode.spec)


def wanderer(line: ReferenceLine) -> Policy:
    return Wanderer(random.Random(line.id), list(spec(line).entities))


def policy(participant: str) -> Any:
    named_policies = {"gold": policies.gold, "random": lambda line: random_player.player(line.id), "wander": wanderer}
    return named_policies.get(participant) or (lambda _: getattr(policies, participant))


async def score(lines: Any, participant: str) -> float:
    played = await simulation.simulate_episodes(lines, policy(participant), seed=3)
    assert not [item.error for item in played if item.error]
    return sum(item.verdict.score or 0.0 for item in played) / len(played)


async def test_golds_answer_and_who_knows_nothing_does_not() -> None:
    draft = generate(seed=77, count=30)
    assert Counter(problem.type for problem in draft.problems) == {f"knowledge_graph_{n}": 6 for n in range(1, 6)}
    assert [await score(draft.references, one) for one in ("gold", "null", "echo", "random")] == [1.0, 0.0, 0.0, 0.0]
    # Calls that can be executed, one as good as another, get part of the short questions and next to none of the long.
    by_steps = [await score(list(draft.references[steps::5]), "wander") for steps in range(5)]
    assert sum(by_steps) / 5 < 0.35
    assert by_steps[4] < 0.2


def test_a_seed_gives_the_same_pack_and_another_gives_another() -> None:
    once, again, other = (generate(seed=seed, count=5) for seed in (5, 5, 6))
    assert (once.problems, once.references) == (again.problems, again.references)
    assert not {problem.statement for problem in once.problems} & {problem.statement for problem in other.problems}


def test_no_id_stands_in_what_is_shown() -> None:
    draft = generate(seed=8, count=10)
    for problem, line in zip(draft.problems, draft.references, strict=True):
        assert not re.search(r"m\.0\w{6}", problem.model_dump_json())
        assert all(name in problem.statement for name in spec(line).entities)


@pytest.mark.parametrize("steps", SHAPES)
def test_every_shape_is_found_and_every_step_of_it_matters(steps: int) -> None:
    for number, shape in enumerate(SHAPES[steps]):
        draw = random.Random(f"{steps} {number}")
        found = 0
        while found < 2:
            world = draw_world(draw, DOMAINS[(number + found) % len(DOMAINS)])
            fields = {"edges": world.edges, "values": world.values, "inverses": world.inverses}
            graph = MicroGraph(KnowledgeGraphSpec.model_validate({"question": "?", **fields}))
            for _ in range(200):
                question = draw_question(draw, world, shape, graph.ask)
                if question is not None:
                    break
            else:
                continue
            found += 1
            query = question.query
            for without in (named(query), ()):
                assert set(graph.ask(members(query, without))) == set(question.gold)
            made = list(walk(query))
            assert len(made) == steps
            assert not [one for one in made[1:] if set(graph.ask(members(one, ()))) == set(question.gold)]
            extremes = [one for one in made if isinstance(one, Extreme)]
            assert all(len(graph.ask(members(one, ()))) == 1 for one in extremes)
            assert len(extremes) == shape.count("x")
            assert isinstance(query, Size) == shape.startswith("c")
            assert len([one for one in made if isinstance(one, Both)]) == shape.count("b")
            assert len([one for one in made if isinstance(one, Neighbors)]) == shape.count("h")


def test_every_word_of_a_domain_is_of_one() -> None:
    """A misspelt type would only be met by chance."""
    for domain in DOMAINS:
        for link in domain.links:
            assert {link.source, link.target} <= set(domain.nouns)
            # Nothing stands behind the other side, which may be long, and nothing agrees with its number.
            assert all(re.fullmatch(r"[a-z ]+ \{\}", clause) for clause in (*link.forward, *link.backward))
            assert len({*link.names, *link.inverse}) >= 4 or link.source != link.target
        for measure in domain.measures:
            assert measure.of in domain.nouns
            assert measure.high - measure.low >= 9
            assert all(text.count("{}") == 1 for text in (*measure.most, *measure.least))
        relations = [(link.source, name) for link in domain.links for name in link.names]
        relations += [(link.target, name) for link in domain.links for name in link.inverse]
        relations += [(measure.of, name) for measure in domain.measures for name in measure.names]
        assert [name for name, count in Counter(relations).items() if count > 1] == []
        assert all(len(noun.names) > 1 for noun in domain.nouns.values())
