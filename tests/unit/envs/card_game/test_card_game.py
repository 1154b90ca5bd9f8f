"""Matches of the card game, played: gold and those who know nothing, replies as published, and attacks."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from api.admission import policies, random_player, simulation
from envs import registry
from envs.base import Action, FinishReason, Probe, SpecError, StepResult, ToolCall
from envs.card_game import generator
from envs.card_game.environment import CardGame
from envs.card_game.fish import UNUSED
from envs.card_game.importers import agentbench_dcg
from envs.card_game.match import Match
from envs.card_game.opponents import LADDER, SecondBaseline
from envs.card_game.oracle import solve
from envs.card_game.rules import Dice
from envs.card_game.spec import CardGameSpec
from packs.problem import ReferenceLine
from packs.read import read_pack

ROOT = Path(__file__).parents[4]
CONFIG = """
cg-dev:
  parameters:
    name: "CardGame-dev"
    test_time: 1

cg-std:
  parameters:
    test_time: 2
"""
GUESS = '{"guess_type": "eel", "target_position": 0}'
MOVE = '{"pick_fish": "spray", "action": "normal", "target_position": 0}'


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "card_game.yaml"
    file.write_text(CONFIG)
    return file


async def begun(**spec: Any) -> CardGame:
    game = CardGame()
    await game.reset(spec, 0)
    return game


async def said(game: CardGame, *texts: str) -> StepResult:
    for text in texts[:-1]:
        await game.step(Action(text=text))
    return await game.step(Action(text=texts[-1]))


async def seen(game: CardGame) -> Any:
    (evidence,) = await game.probe([Probe(name="match", type="match")])
    return evidence.value


async def scores(lines: Sequence[ReferenceLine], policy: Any, seed: int = 0) -> list[float]:
    played = await simulation.simulate_episodes(lines, policy, seed=seed)
    assert [one.error for one in played] == [None] * len(lines)
    return [one.verdict.score or 0.0 for one in played]


@pytest.mark.parametrize("mode", ["published", "fixed"])
async def test_published_matches(source: Path, mode: Any) -> None:
    draft = agentbench_dcg.read(source, mode=mode, part="std")
    assert (draft.report.read, len(draft.references), draft.report.excluded) == (8, 8, [])
    assert len(agentbench_dcg.read(source, mode=mode, part="dev").references) == 4
    for seed in range(3):
        assert await scores(draft.references, policies.gold, seed) == [1.0] * 8
    assert await scores(draft.references, lambda _: policies.null) == [0.0] * 8
    assert await scores(draft.references, lambda _: policies.echo) == [0.0] * 8
    assert max(await scores(draft.references, lambda line: random_player.player(line.id))) < 1


def test_sources_that_are_none(tmp_path: Path, source: Path) -> None:
    with pytest.raises(FileNotFoundError, match="checkout"):
        agentbench_dcg.read(tmp_path / "nothing")
    with pytest.raises(ValueError, match="no part 'test'"):
        agentbench_dcg.read(source, part="test")  # type: ignore[arg-type]
    source.write_text("cg-dev: {}")
    with pytest.raises(ValueError, match="test_time"):
        agentbench_dcg.read(source)


async def test_generated_matches_are_won_by_the_gold() -> None:
    draft = generator.generate(seed=77, count=10)
    again = generator.generate(seed=77, count=10)
    assert [line.model_dump() for line in draft.references] == [line.model_dump() for line in again.references]
    assert {problem.subject for problem in draft.problems} == set(LADDER)
    assert len({problem.statement for problem in draft.problems}) == 10
    assert await scores(draft.references, policies.gold) == [1.0] * 10
    assert max(await scores(draft.references, lambda _: policies.null)) < 0.3


def test_the_shipped_pack_is_what_the_generator_makes(tmp_path: Path) -> None:
    shipped = read_pack(ROOT / "benchmarks" / "live-card-game", registry)
    generator.generate(seed=20261121, split="dev").write(tmp_path / "same")
    assert read_pack(tmp_path / "same", registry).digest == shipped.digest


async def test_equal_replies_see_equal_observations() -> None:
    spec = CardGameSpec.model_validate({"opponent": "search", "team": UNUSED[:4], "enemy": UNUSED[4:], "seed": 9})
    script = solve(spec)
    assert script is not None
    shows = []
    for seed in (0, 1):
        game = CardGame()
        first = await game.reset(spec.model_dump(mode="json"), seed)
        shows.append([first, *[(await game.step(Action(text=text))).observation for text in script]])
        assert (await seen(game))["won"]
    assert shows[0] == shows[1]


async def test_a_turn_in_both_protocols() -> None:
    texts, calls = await begun(), await begun()
    assert "identities" not in (asked := (await said(texts, f"I think so: {GUESS}")).observation.text)
    assert '"ID": "unknown"' in asked
    guess = ToolCall(name="guess", arguments={"guess_type": "eel", "target_position": 0})
    assert (await calls.step(Action(tool=guess))).observation.text == asked
    move = ToolCall(name="move", arguments={"pick_fish": "spray", "action": "normal", "target_position": 0})
    after = await said(texts, MOVE.replace('"', "'"))
    assert (await calls.step(Action(tool=move))).observation == after.observation
    assert "Your last guess: wrong" in after.observation.text
    assert (await seen(texts))["damage"] == 100


async def test_of_several_objects_the_first_that_can_be_taken() -> None:
    game = await begun()
    await said(game, '{"guess_type": "whale", "target_position": 0} or {"guess_type": "spray", "target_position": "0"}')
    assert (await seen(game))["damage"] == 200


@pytest.mark.parametrize(
    ("texts", "finish"),
    [
        (["no"] * 5, FinishReason.INVALID_FORMAT),
        (["no"] * 4 + [GUESS], FinishReason.INVALID_ACTION),
        (['{"pick_fish": "flame", "action": "active", "target_position": 1}'] * 5, FinishReason.INVALID_ACTION),
        ([MOVE.replace("spray", "hammerhead")] * 5, FinishReason.INVALID_ACTION),
    ],
)
async def test_five_replies_that_cannot_be_taken_lose(texts: list[str], finish: FinishReason) -> None:
    game = await begun(protocol="published")
    assert (await said(game, GUESS, *texts[:-1])).finish is None
    assert (await said(game, texts[-1])).finish is finish
    assert await seen(game) == {"won": False, "finished": True, "damage": 0, "total": 1600}


async def test_a_guess_that_is_never_given_is_none() -> None:
    game = await begun(protocol="published")
    first = await said(game, "?")
    assert "That was not taken" not in first.observation.text
    assert (await said(game, "?", "?", "?", "?")).observation.data["phase"] == "move"
    told = await said(await begun(), "?")
    assert "no JSON object" in told.observation.text


async def test_what_is_hidden_stays_hidden() -> None:
    spec = CardGameSpec(enemy=("sunfish", "eel", "flame", "spray"), seed=4242424242, opponent="baseline2", first=False)
    game = CardGame()
    first = await game.reset(spec.model_dump(mode="json"), 0)
    shown = [first, *[(await said(game, text)).observation for text in (GUESS, MOVE, "x", "{}", '{"seed": 1}')]]
    text = json.dumps([one.model_dump(mode="json") for one in shown])
    assert "4242424242" not in text
    assert "baseline2" not in text
    orders = [CardGameSpec(**{**spec.model_dump(), "enemy": spec.enemy[::turn]}) for turn in (1, -1)]
    openings = [(await CardGame().reset(one.model_dump(mode="json"), 0)).text for one in orders]
    assert openings[0].split("An action")[0].split("A guess is asked")[0] == openings[1].split("A guess is asked")[0]


async def test_no_points_without_playing() -> None:
    for reply in (
        '{"won": true, "damage": 1600}',
        '{"guess_type": ["eel"], "target_position": 0}',
        '{"pick_fish": "spray", "action": "normal", "target_position": -1}',
        '{"pick_fish": "spray", "action": "normal", "target_position": 1e9}',
        "{" * 200_000,
        '{"target_position": ' + "9" * 5000 + "}",
    ):
        game = await begun()
        for _ in range(12):
            if (await game.step(Action(text=reply))).finish is not None:
                break
        assert await seen(game) == {"won": False, "finished": True, "damage": 0, "total": 1600}
    game = await begun()
    assert await seen(game) == {"won": False, "finished": False, "damage": 0, "total": 1600}


async def test_a_specification_that_is_wrong() -> None:
    for spec in ({"team": ["eel", "eel", "spray", "flame"]}, {"opponent": "me"}, {"sead": 1}, {"enemy": ["eel"]}):
        with pytest.raises(SpecError):
            await CardGame().reset(spec, 0)


def test_the_ladder_rises() -> None:
    """The upper half wins more of its games against the second baseline's replies than the lower half."""
    wins = {name: sum(_beaten(name, seed) for seed in range(12)) for name in LADDER}
    assert wins["search"] + wins["greedy"] > wins["random"] + wins["baseline1"]


def _beaten(name: str, seed: int) -> bool:
    """Whether the opponent `name` beats a participant who plays as the second baseline does."""
    enemy = ("eel", "spray", "sunfish", "flame")
    spec = CardGameSpec.model_validate({"opponent": name, "first": seed % 2 == 0, "seed": seed, "enemy": enemy})
    match, player = Match(spec), SecondBaseline(tuple(sorted(spec.enemy)), Dice(seed))
    while not match.over:
        guess = player.guess(match.board)
        match.guess(*guess) if guess else match.skip_guess()
        if not match.over:
            match.act(player.act(match.board))
        if match.enemy:
            player.saw(match.enemy)
    return not match.won
