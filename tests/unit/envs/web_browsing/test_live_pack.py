"""The shipped steps: whoever knows passes, whoever does not does not, and nothing tells what is right."""

import json
import re
from pathlib import Path

import pytest

from api.admission import policies, random_player, simulation
from envs import registry
from envs.web_browsing.spec import WebBrowsingSpec
from packs.pack import Pack
from packs.read import read_pack

WORD = re.compile(r"\w+")
SITES = {"shop", "shop_admin", "forum", "forge", "encyclopaedia", "map", "tools", "forms"}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return read_pack(Path(__file__).parents[4] / "benchmarks" / "live-web-browsing", registry)


async def test_golds_win_and_who_knows_nothing_does_not(pack: Pack) -> None:
    lines = pack.references
    assert len(lines) >= 150
    assert len({problem.group for problem in pack.problems}) >= 30
    assert {problem.subject for problem in pack.problems} == SITES
    first = await simulation.simulate_episodes(lines, policies.gold, seed=0, at_once=8)
    assert [one.verdict.score for one in first] == [1.0] * len(lines)
    again = await simulation.simulate_episodes(lines[:60], policies.gold, seed=1, at_once=1)
    assert [one.evidence for one in again] == [one.evidence for one in first[:60]]
    idle = await simulation.simulate_episodes(lines, lambda _: policies.null)
    assert {one.verdict.score for one in idle} == {0.0}
    # Who repeats what is shown repeats the last example's answer: the second choice, clicked.
    for guessing in (lambda _: policies.echo, lambda line: random_player.player(line.id)):
        chance = await simulation.simulate_episodes(lines, guessing)
        assert sum(one.verdict.score or 0 for one in chance) <= len(lines) / 6


def test_the_secret_side_is_nowhere_in_what_is_shown(pack: Pack) -> None:
    for line in pack.references:
        assert line.episode is not None
        spec = WebBrowsingSpec.model_validate(line.episode.spec)
        assert spec.protocol == "fixed"
        # The order of candidates is drawn, and what is on the page does not set the right one apart.
        assert set(line.reference["elements"]) <= set(spec.candidates)
        assert "gold" not in json.dumps(line.episode.spec)
    firsts = [line.reference["elements"][0] for line in pack.references]
    places = [
        WebBrowsingSpec.model_validate(line.episode.spec).candidates.index(one)
        for line, one in zip(pack.references, firsts, strict=True)
        if line.episode
    ]
    assert len(set(places)) > 5


def test_what_is_typed_is_said_in_the_task(pack: Pack) -> None:
    for problem, line in zip(pack.problems, pack.references, strict=True):
        operation, _, value = line.reference["action"].partition(" ")
        assert operation in ("CLICK", "SELECT", "TYPE")
        assert bool(value) is (operation != "CLICK")
        if operation == "TYPE":
            assert set(WORD.findall(value.lower())) <= set(WORD.findall(problem.statement.lower()))
