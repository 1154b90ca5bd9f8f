"""The specification of a match, and its probe."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from envs.base import NoArguments
from envs.card_game.fish import KINDS, PUBLISHED

PROBES: dict[str, type[NoArguments]] = {"match": NoArguments}
OpponentName = Literal["random", "baseline1", "baseline2", "greedy", "search"]
Team = tuple[str, str, str, str]


class CardGameSpec(BaseModel):
    """One match. All of it is the episode's secret: who knows `seed` knows how the dice fall.

    `team` and `enemy` are four different kinds each, by position. `first`: the participant begins. `phases`: after so
    many guesses and actions of both sides the better side wins. `tries`: how often a reply that cannot be taken may be
    given again. `protocol` "published" asks for a guess in every turn and says nothing of what was wrong with a reply;
    "fixed" says it, and asks for no guess once every living enemy is exposed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    opponent: OpponentName = "baseline1"
    team: Team = PUBLISHED
    enemy: Team = PUBLISHED
    first: bool = True
    seed: int = Field(default=0, ge=0, lt=1 << 63)
    phases: int = Field(default=128, ge=2, le=128)
    tries: int = Field(default=5, ge=1, le=5)
    protocol: Literal["published", "fixed"] = "fixed"

    @model_validator(mode="after")
    def _known_fish(self) -> Self:
        for name, team in (("team", self.team), ("enemy", self.enemy)):
            if len(set(team)) != len(team) or not set(team) <= KINDS.keys():
                raise ValueError(f"'{name}' has four different fish out of {', '.join(KINDS)}")
        return self
