"""A league: everybody meets everybody, and ratings on Elo's scale from how their matches ended."""

import asyncio
import itertools
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Generic, TypeVar, get_args

from envs.card_game.duel import Duel, Ended, Participant
from envs.card_game.fish import KINDS
from envs.card_game.spec import CardGameSpec

CENTRE, SCALE = 1000.0, 400 / math.log(10)
ROUNDS = 1000
CLOSE_ENOUGH = 1e-9


@dataclass(frozen=True)
class Game:
    """One match of a league, and how it ended. `winner` is one of the two names."""

    first: str
    second: str
    number: int
    winner: str
    ended: Ended
    phases: int


Name = TypeVar("Name")


@dataclass(frozen=True)
class Tally(Generic[Name]):
    """How often matches of two participants ended like this; each counts as `weight` matches for the ratings."""

    players: tuple[Name, Name]
    winner: Name
    ended: Ended
    count: int = 1
    weight: float = 1.0


@dataclass(frozen=True)
class Rating(Generic[Name]):
    """`elo` with the half-width of its 95 % interval, about the field's mean of 1,000; `won`, `played` and `lost_by`,
    lost matches by what ended them, count all matches."""

    name: Name
    elo: float
    interval: float
    won: int
    played: int
    lost_by: Counter[Ended]


def meetings(names: Sequence[str], matches: int) -> Iterator[tuple[str, str, int]]:
    """Who meets whom: each pair `matches` times, and as often with the other one first, on the same deal."""
    for number in range(matches):
        for one, other in itertools.combinations(names, 2):
            yield one, other, number
            yield other, one, number


def deal(seed: int, number: int) -> CardGameSpec:
    """The line-ups and the dice of a match, drawn from the league's seed. Both matches of a pair on one deal have the
    same, so that each of the two plays each side of it."""
    draw = random.Random(f"league {seed} {number}")
    team, enemy = (tuple(draw.sample(sorted(KINDS), 4)) for _ in range(2))
    return CardGameSpec.model_validate({"team": team, "enemy": enemy, "seed": draw.getrandbits(62)})


async def play(
    participants: Sequence[Participant],
    *,
    seed: int,
    matches: int,
    seconds: float,
    out: Path,
    at_once: int = 4,
    played: Callable[[Game], None] = lambda _: None,
) -> list[Game]:
    """All matches of a league; `out` has a line for each, and those that it has are not played again.

    Raises ValueError for names that are not different, for a file of another league and for one that is none.
    """
    by_name = {one.name: one for one in participants}
    if len(by_name) < max(2, len(participants)):
        raise ValueError("a league has at least two participants, with different names")
    wanted = list(meetings(list(by_name), matches))
    done = {(game.first, game.second, game.number): game for game in read(out)}
    if strangers := done.keys() - set(wanted):
        raise ValueError(f"{out} holds matches of another league, such as {min(strangers)[:2]}; name a new file")
    slots = asyncio.Semaphore(at_once)

    async def one(first: str, second: str, number: int) -> None:
        async with slots:
            result = await Duel(deal(seed, number)).play((by_name[first], by_name[second]), seconds)
        winner = (first, second)[result.winner]
        game = Game(first, second, number, winner, result.ended, result.phases)
        with out.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(game)) + "\n")
        done[first, second, number] = game
        played(game)

    await asyncio.gather(*(one(*meeting) for meeting in wanted if meeting not in done))
    return [done[meeting] for meeting in wanted]


def read(file: Path) -> list[Game]:
    """The matches that a file holds; none where there is no file. Raises ValueError for one that is none."""
    if not file.exists():
        return []
    try:
        games = [Game(**json.loads(line)) for line in file.read_text("utf-8").splitlines()]
    except (TypeError, ValueError) as error:
        raise ValueError(f"{file} has a line that is no match: {error}") from error
    if wrong := [game for game in games if game.ended not in get_args(Ended)]:
        raise ValueError(f"{file} has a match that ended by {wrong[0].ended!r}")
    return games


def ratings(games: Sequence[Game]) -> list[Rating[str]]:
    """The ratings of a league; see `rated`."""
    return rated([Tally((game.first, game.second), game.winner, game.ended) for game in games])


def rated(tallies: Sequence[Tally[Name]], anchors: Collection[Name] = ()) -> list[Rating[Name]]:
    """The Bradley-Terry model on Elo's scale, best first: the order of matches does not count.

    Everybody has one match more won and one more lost against the field's mean, so that who won or lost all of them has
    a rating too. Where there are `anchors`, they are the field: they are rated among themselves and the others against
    them, so that no match of others with each other moves a rating.
    """
    names = {name for tally in tallies for name in tally.players}
    field = names.intersection(anchors) or names
    counted = [tally for tally in tallies if field.intersection(tally.players)]
    met: dict[Name, dict[Name, float]] = {name: defaultdict(float) for name in names}
    won: defaultdict[Name, float] = defaultdict(float)
    for tally in counted:
        for name, other in (tally.players, tally.players[::-1]):
            if name not in field or other in field:
                met[name][other] += tally.count * tally.weight
                won[name] += tally.count * tally.weight if tally.winner == name else 0.0
    strength = _strengths({name: met[name] for name in field}, won)
    for name in names - field:
        strength[name] = _strength_against(met[name], won[name], strength)
    made = [_rating(name, strength, others, tallies) for name, others in met.items()]
    return sorted(made, key=lambda one: (-one.elo, str(one.name)))


def _strengths(met: Mapping[Name, Mapping[Name, float]], won: Mapping[Name, float]) -> dict[Name, float]:
    """Strengths of a field by its own matches; their geometric mean is 1."""
    strength = dict.fromkeys(met, 1.0)
    for _ in range(ROUNDS):
        before = dict(strength)
        for name, others in met.items():
            strength[name] = _better(strength[name], others, won.get(name, 0.0), strength)
        mean = math.exp(sum(map(math.log, strength.values())) / len(strength)) if strength else 1.0
        strength = {name: value / mean for name, value in strength.items()}
        if all(abs(math.log(strength[name] / before[name])) < CLOSE_ENOUGH for name in strength):
            break
    return strength


def _strength_against(met: Mapping[Name, float], won: float, field: Mapping[Name, float]) -> float:
    """The strength of one who is not of the field, by its matches against the field."""
    own = 1.0
    for _ in range(ROUNDS):
        before, own = own, _better(own, met, won, field)
        if abs(math.log(own / before)) < CLOSE_ENOUGH:
            break
    return own


def _better(own: float, met: Mapping[Name, float], won: float, strength: Mapping[Name, float]) -> float:
    """A strength nearer to the likeliest one."""
    weight = sum(count / (own + strength[other]) for other, count in met.items())
    return (won + 1) / (weight + 2 / (own + 1))


def _rating(
    name: Name, strength: Mapping[Name, float], others: Mapping[Name, float], tallies: Sequence[Tally[Name]]
) -> Rating[Name]:
    own = strength[name]
    known = 2 * own / (own + 1) ** 2
    known += sum(count * own * strength[other] / (own + strength[other]) ** 2 for other, count in others.items())
    mine = [tally for tally in tallies if name in tally.players]
    lost: Counter[Ended] = Counter()
    for tally in mine:
        lost[tally.ended] += tally.count if tally.winner != name else 0
    won = sum(tally.count for tally in mine if tally.winner == name)
    played = sum(tally.count for tally in mine)
    return Rating(name, CENTRE + SCALE * math.log(own), 1.96 * SCALE / math.sqrt(known), won, played, +lost)
