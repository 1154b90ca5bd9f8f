"""Matches of two participants, and how entries do in them. `Client.matches` is the way in."""

from datetime import datetime

from pydantic import Field

from heldout._records import Received
from heldout.models import Observation, Tool


class Opponent(Received):
    """Who played the other side."""

    organisation: str
    model: str


class MatchStatus(Received):
    """A match as your side sees it.

    `state`: `waiting` for an opponent, `your_turn` (`observation` asks), `their_turn`, `over`. `seconds` are given for
    each reply; who takes longer loses. `steps` counts your replies. `opponent` is named once it is over. `ended`:
    `played` to the end, `no action`, `too slow`, `gone` (given up) or `no opponent`.
    """

    id: str
    benchmark: str
    model: str
    ranked: bool
    first: bool
    state: str
    seconds: int
    seconds_left: float | None = None
    steps: int = 0
    observation: Observation | None = None
    tools: tuple[Tool, ...] = ()
    won: bool | None = None
    ended: str | None = None
    opponent: Opponent | None = None
    created_at: datetime


class MatchPage(Received):
    """Your organisation's matches, newest first."""

    items: tuple[MatchStatus, ...] = ()


class Challenge(Received):
    """A match that waits for your organisation."""

    id: str
    benchmark: str
    organisation: str
    model: str
    seconds: int
    created_at: datetime


class ChallengePage(Received):
    """Matches that wait for your organisation, newest first."""

    items: tuple[Challenge, ...] = ()


class Rating(Received):
    """An entry on Elo's scale about a mean of 1,000, with the half-width of its 95 % interval."""

    organisation: str
    organisation_slug: str
    organisation_verified: bool = False
    model: str
    elo: float
    interval: float
    won: int
    played: int
    lost_by: dict[str, int] = Field(default_factory=dict)


class RankedMatch(Received):
    """A ranked match that is over; `winner` is `first` or `second`."""

    first: Opponent
    second: Opponent
    winner: str
    ended: str
    decided_at: datetime


class RatingPage(Received):
    """Ratings of a benchmark's ranked matches, best first, and the newest matches."""

    benchmark: str
    items: tuple[Rating, ...] = ()
    matches: tuple[RankedMatch, ...] = ()
