"""JSON of matches."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from api.core.nul import holds_nul
from api.core.schemas import NUMBER, Model
from api.hosting.step_views import ObservationPublic
from api.leaderboard.schemas import ModelName
from envs.base import Action, Tool

MAX_CALL = 4096


class MatchCreate(Model):
    """Take part in a match. Without `opponent` (an organisation's short name) the service pairs, and it is ranked."""

    model: ModelName
    opponent: Annotated[str, StringConstraints(min_length=1, max_length=64)] | None = None


class ChallengeAccept(Model):
    """The model that takes a challenge up."""

    model: ModelName


class MatchStepCreate(Model):
    """A reply to what is asked. `number` counts your own from 1; the same number with the same action is taken once."""

    number: Annotated[int, Field(ge=1, le=100_000), NUMBER]
    action: Action

    @model_validator(mode="after")
    def _can_be_stored(self) -> "MatchStepCreate":
        if holds_nul(self.action.model_dump(mode="json")):
            raise ValueError("an action must not contain the character U+0000")
        if self.action.tool and len(self.action.tool.model_dump_json()) > MAX_CALL:
            raise ValueError(f"a tool call has at most {MAX_CALL} characters as JSON")
        return self


class MatchOpponent(Model):
    """Who played the other side."""

    organisation: str
    model: str


class MatchPublic(Model):
    """A match as one side sees it: your session of it.

    `state`: `waiting` for an opponent, `your_turn` (`observation` asks), `their_turn`, `over`. `seconds` are given for
    each reply, `seconds_left` of them are left to whoever is to reply; who takes longer loses. `steps` counts your
    replies. `opponent` is named once it is over. `ended`: `played` to the end, `no action` (five replies in turn that
    cannot be taken), `too slow`, `gone` (given up) or `no opponent`.
    """

    id: str
    benchmark: str
    model: str
    ranked: bool
    first: bool
    state: Literal["waiting", "your_turn", "their_turn", "over"]
    seconds: int
    seconds_left: float | None
    steps: int
    observation: ObservationPublic | None
    tools: list[Tool]
    won: bool | None
    ended: str | None
    opponent: MatchOpponent | None
    created_at: datetime


class MatchPage(Model):
    """Your organisation's matches, newest first, without what is asked."""

    items: list[MatchPublic]


class ChallengePublic(Model):
    """A match that waits for your organisation."""

    id: str
    benchmark: str
    organisation: str
    model: str
    seconds: int
    created_at: datetime


class ChallengePage(Model):
    """Matches that wait for your organisation, newest first."""

    items: list[ChallengePublic]


class RatingPublic(Model):
    """An entry on Elo's scale about a mean of 1,000, with the half-width of its 95 % interval. `lost_by` counts lost
    matches by what ended them."""

    organisation: str
    organisation_slug: str
    organisation_verified: bool
    model: str
    elo: float
    interval: float
    won: int
    played: int
    lost_by: dict[str, int]


class MatchListed(Model):
    """A ranked match that is over: who moved first, who second, and who won."""

    first: MatchOpponent
    second: MatchOpponent
    winner: Literal["first", "second"]
    ended: str
    decided_at: datetime


class RatingPage(Model):
    """Ratings of a benchmark's ranked matches, best first, and the newest matches."""

    benchmark: str
    items: list[RatingPublic]
    matches: list[MatchListed]
