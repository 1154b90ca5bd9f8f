"""Matches of two participants: what each sees, who loses for being slow or gone, and the ratings."""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from envs.base import Action, Observation
from envs.card_game import league
from envs.card_game.duel import BuiltIn, Duel, GoneError, Participant, Result, Session
from envs.card_game.environment import CardGame
from envs.card_game.league import Game, Tally
from envs.card_game.match import Side
from envs.card_game.spec import CardGameSpec, OpponentName

SECONDS = 60.0
LADDER: tuple[OpponentName, ...] = ("random", "baseline1", "baseline2", "greedy", "search")


@dataclass
class Scripted:
    """Replies as `say` does, and keeps what it was asked."""

    say: Callable[[Observation, int], Action]
    name: str = "scripted"
    asked: list[Observation] = field(default_factory=list)

    def begin(self, side: Side, spec: CardGameSpec) -> Session:
        async def reply(asked: Observation) -> Action:
            self.asked.append(asked)
            return self.say(asked, len(self.asked))

        return reply


def simple(asked: Observation, number: int) -> Action:
    """A guess at a place by turns, and attacks and skills of all fish by turns, so that there is something to learn."""
    if asked.data["phase"] == "guess":
        return Action(text=f'{{"guess_type": "eel", "target_position": {number % 4}}}')
    fish = ("spray", "flame", "eel", "sunfish")[number % 4]
    act = "active" if number % 3 else "normal"
    return Action(text=f'{{"pick_fish": "{fish}", "action": "{act}", "target_position": {number // 4 % 4}}}')


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("opponent", LADDER)
async def test_a_duel_with_a_built_in_player_is_the_match_with_that_opponent(
    opponent: OpponentName, first: bool
) -> None:
    spec = CardGameSpec(seed=77, opponent=opponent, first=first)
    alone, shown = CardGame(), list[Observation]()
    seen = await alone.reset(spec.model_dump(), 0)
    finish = None
    while finish is None:
        shown.append(seen)
        result = await alone.step(simple(seen, len(shown)))
        seen, finish = result.observation, result.finish
    player = Scripted(simple)
    # Both teams are the published ones, so the deal is the same from either side.
    sides: tuple[Participant, Participant] = (player, BuiltIn(opponent)) if first else (BuiltIn(opponent), player)
    result_of_both = await Duel(spec).play(sides, SECONDS)
    assert [one.text for one in player.asked] == [one.text for one in shown]
    won = sides[result_of_both.winner] is player
    assert won is (result.answer == "won")


async def test_who_does_not_reply_in_time_loses_and_so_does_who_is_gone() -> None:
    ladder = BuiltIn("random")

    class Waiting(Scripted):
        def begin(self, side: Side, spec: CardGameSpec) -> Session:
            async def reply(asked: Observation) -> Action:
                await asyncio.Event().wait()
                raise AssertionError

            return reply

    def gone(asked: Observation, number: int) -> Action:
        if number > 2:
            raise GoneError("the endpoint is down")
        return simple(asked, number)

    for place in (0, 1):
        for player, ended in ((Waiting(simple), "too slow"), (Scripted(gone), "gone")):
            pair: tuple[Participant, Participant] = (player, ladder) if place == 0 else (ladder, player)
            result = await Duel(CardGameSpec(seed=3)).play(pair, 0.05 if ended == "too slow" else SECONDS)
            assert (result.winner, result.ended) == (1 - place, ended)


async def test_rubbish_passes_guesses_over_and_loses_at_the_first_action() -> None:
    player = Scripted(lambda asked, number: Action(text="I resign myself to my fate."))
    result = await Duel(CardGameSpec(seed=3)).play((player, BuiltIn("random")), SECONDS)
    assert (result.winner, result.ended, result.phases) == (1, "no action", 1)
    assert [one.data["phase"] for one in player.asked] == ["guess"] * 5 + ["move"] * 5


async def test_no_one_is_shown_what_the_other_has() -> None:
    player = Scripted(simple)
    spec = league.deal(5, 0)
    await Duel(spec).play((player, BuiltIn("baseline2")), SECONDS)
    assert str(spec.seed) not in "".join(one.text for one in player.asked)
    first = player.asked[0].text
    # The other's kinds are listed in alphabetical order, not by position.
    assert [line[2:].split(":")[0] for line in first.splitlines() if line.startswith("- ")][4:] == sorted(spec.enemy)


def games(*results: tuple[str, str, int]) -> list[Game]:
    """Winner, loser, how often."""
    return [Game(one, other, n, one, "played", 9) for one, other, times in results for n in range(times)]


def test_ratings_say_how_often_somebody_wins() -> None:
    better, worse = league.ratings(games(("a", "b", 3000), ("b", "a", 1000)))
    assert (better.name, better.won, better.played) == ("a", 3000, 4000)
    assert math.isclose(better.elo + worse.elo, 2000, abs_tol=1e-6)
    # Three wins in four are 191 points.
    assert math.isclose(better.elo - worse.elo, 400 * math.log10(3), abs_tol=1)
    assert better.interval < 15


def test_ratings_are_finite_ordered_and_free_of_the_order_of_matches() -> None:
    played = games(("a", "b", 10), ("b", "c", 10), ("a", "c", 10))
    ranked = league.ratings(played)
    assert [one.name for one in ranked] == ["a", "b", "c"]
    assert all(math.isfinite(one.elo) and 0 < one.interval < 500 for one in ranked)
    again = {one.name: one.elo for one in league.ratings(played[::-1])}
    assert all(math.isclose(again[one.name], one.elo, abs_tol=1e-6) for one in ranked)


def _tallies(*won: tuple[str, str, int]) -> list[Tally[str]]:
    return [Tally((winner, loser), winner, "played", count) for winner, loser, count in won]


def test_matches_of_others_with_each_other_move_no_rating_where_there_is_a_field() -> None:
    honest = _tallies(("a", "b", 30), ("b", "a", 20), ("a", "x", 10), ("x", "b", 9), ("b", "x", 12))
    friends = _tallies(*(("x", f"friend {number}", 30) for number in range(10)), ("friend 1", "friend 2", 500))
    alone, together = (
        {one.name: one for one in league.rated(tallies, {"a", "b"})} for tallies in (honest, honest + friends)
    )
    assert all(math.isclose(together[name].elo, alone[name].elo, abs_tol=1e-6) for name in "abx")
    assert alone["a"].elo > alone["b"].elo > alone["x"].elo
    assert together["x"].played == 331, "every match is shown"
    assert together["friend 1"].elo == pytest.approx(league.CENTRE)
    # Without a field they lift it.
    lifted = {one.name: one.elo for one in league.rated(honest + friends)}
    assert lifted["x"] > alone["x"].elo + 100


def test_matches_with_others_move_no_rating_of_the_field() -> None:
    honest = _tallies(("a", "b", 30), ("b", "a", 20))
    lost = _tallies(*(("b", f"friend {number}", 30) for number in range(10)), ("friend 1", "a", 30))
    alone, together = (
        {one.name: one.elo for one in league.rated(all_, {"a", "b"})} for all_ in (honest, honest + lost)
    )
    assert all(math.isclose(together[name], alone[name], abs_tol=1e-6) for name in "ab")


async def _league(out: Path, names: Sequence[OpponentName], seed: int = 1) -> list[Game]:
    return await league.play([BuiltIn(name) for name in names], seed=seed, matches=2, seconds=SECONDS, out=out)


async def test_a_league_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "league.jsonl"
    whole = await _league(out, ("random", "baseline1", "greedy"))
    assert len(whole) == 12
    lines = out.read_text().splitlines()
    assert len(lines) == 12
    out.write_text("\n".join(lines[:5]) + "\n")
    assert await _league(out, ("random", "baseline1", "greedy")) == whole
    assert sorted(out.read_text().splitlines()) == sorted(lines)
    with pytest.raises(ValueError, match="another league"):
        await _league(out, ("random", "baseline2"))
    out.write_text('{"first": "a"}\n')
    with pytest.raises(ValueError, match="no match"):
        await _league(out, ("random", "baseline2"))
    with pytest.raises(ValueError, match="different names"):
        await _league(tmp_path / "other", ("random", "random"))


def test_each_deal_is_played_from_both_sides() -> None:
    met = list(league.meetings(["a", "b", "c"], 4))
    assert len(met) == len(set(met)) == 24
    assert all((other, one, number) in met for one, other, number in met)
    assert league.deal(1, 0) == league.deal(1, 0) != league.deal(1, 1) != league.deal(2, 1)


async def test_the_ladder_is_in_order(tmp_path: Path) -> None:
    names: tuple[OpponentName, ...] = ("random", "baseline1", "baseline2", "greedy", "search")
    players = [BuiltIn(name) for name in names]
    played = await league.play(players, seed=9, matches=4, seconds=SECONDS, out=tmp_path / "games")
    ranked = [one.name for one in league.ratings(played)]
    assert ranked.index("search") < ranked.index("baseline1")
    assert ranked.index("greedy") < ranked.index("random")
    assert {game.ended for game in played} == {"played"}
    assert isinstance(await Duel(league.deal(9, 0)).play((players[0], players[1]), SECONDS), Result)
