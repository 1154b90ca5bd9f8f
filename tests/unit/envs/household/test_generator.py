"""Fresh households: the same for the same seed, each solved by search in as few actions as can be."""

from collections.abc import Sequence

import pytest

from api.admission import policies, simulation
from envs import engine
from envs.household.generator import generate
from envs.household.generator.solve import shortest
from envs.household.generator.tasks import TEMPLATES
from grading.verdict import Outcome
from packs.problem import ReferenceLine
from tests.unit.envs.household.kitchen import FACTS, GOAL, SOLUTION

Rows = dict[str, list[tuple[str, ...]]]


def facts() -> Rows:
    return {name: [tuple(row) for row in rows] for name, rows in FACTS.items()}


def goal(patterns: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    return [tuple(pattern) for pattern in patterns]


def test_the_shortest_solution_is_found() -> None:
    found = shortest(facts(), goal(GOAL), [])
    assert found is not None
    assert len(found.commands) == len(SOLUTION)
    assert {*found.commands} - {*SOLUTION} <= {"go to countertop 1"}  # the sink stands there


def test_what_cannot_be_done_has_no_solution() -> None:
    asked = goal([["ishot", "?o"], ["objecttype", "?o", "knifetype"]])
    assert shortest(facts(), asked, []) is None
    with pytest.raises(ValueError, match="sliced"):
        shortest(facts(), [("issliced", "?o")], [])


async def won(lines: Sequence[ReferenceLine], participant: str) -> int:
    try:
        policy = policies.gold if participant == "gold" else lambda _: getattr(policies, participant)
        played = await simulation.simulate_episodes(lines, policy, seed=3)
        return sum(item.verdict.outcome is Outcome.CORRECT for item in played)
    finally:
        await engine.close()


async def test_golds_win_and_who_knows_nothing_does_not() -> None:
    draft = generate(seed=77, count=18)
    assert {problem.subject for problem in draft.problems} == set(TEMPLATES)
    assert [await won(draft.references, one) for one in ("gold", "null", "echo")] == [18, 0, 0]


def test_a_seed_gives_the_same_pack_and_another_gives_another() -> None:
    once, again, other = (generate(seed=seed, count=9) for seed in (5, 5, 6))
    assert (once.problems, once.references) == (again.problems, again.references)
    assert once.references != other.references


def test_no_secret_stands_in_the_statement() -> None:
    for problem in generate(seed=8, count=9).problems:
        assert "_bar_" not in problem.model_dump_json()
