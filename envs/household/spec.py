"""What a household problem is made of: the secret `spec` of its episode."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from envs.base import NoArguments

Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[a-z0-9_]+$")]
Term = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^\??[a-z0-9_]+$")]
Fact = tuple[Name, ...]
Pattern = tuple[Term, ...]

ARITY: Mapping[str, int] = {
    "atlocation": 2,
    "receptacleatlocation": 2,
    "objectatlocation": 2,
    "receptacletype": 2,
    "objecttype": 2,
    "cancontain": 2,
    "inreceptacle": 2,
    "inreceptacleobject": 2,
    "holds": 2,
    "openable": 1,
    "opened": 1,
    "pickupable": 1,
    "isreceptacleobject": 1,
    "cleanable": 1,
    "heatable": 1,
    "coolable": 1,
    "toggleable": 1,
    "sliceable": 1,
    "isclean": 1,
    "ishot": 1,
    "iscool": 1,
    "istoggled": 1,
    "issliced": 1,
}
"""The predicates of the published domain that any action or text of it reads, with their numbers of arguments."""


class HouseholdSpec(BaseModel):
    """`facts` hold at the start, by predicate; `task` is told to the participant. The episode is won as soon as all of
    `goal` hold together: each is a predicate and its arguments, of which `?x` stands for anything, the same everywhere,
    and the two names of each pair of `distinct` for different things.

    `grammar` "move" is the published games' ("move O to R"), "put" the older one ("put O in/on R"). `rules` "published"
    reads replies exactly as published; "fixed" also understands the other grammar's verb. `instruction`, `example`
    (turns: the participant's, the world's, and so on) and `lead` come before the task in place of our own words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    facts: dict[str, tuple[Fact, ...]]
    goal: tuple[Pattern, ...] = Field(min_length=1, max_length=40)
    distinct: tuple[tuple[Term, Term], ...] = Field(default=(), max_length=40)
    task: str = Field(min_length=1, max_length=2000)
    grammar: Literal["move", "put"] = "move"
    rules: Literal["published", "fixed"] = "fixed"
    turns: int = Field(default=35, ge=1, le=500)
    instruction: str = Field(default="", max_length=20_000)
    example: tuple[str, ...] = Field(default=(), max_length=100)
    lead: str = Field(default="", max_length=2000)

    @model_validator(mode="after")
    def _is_a_world(self) -> Self:
        for predicate, rows in self.facts.items():
            for row in rows:
                _fits(predicate, row)
        for pattern in self.goal:
            _fits(pattern[0], pattern[1:])
        if len(self.facts.get("atlocation", ())) != 1:
            raise ValueError("'atlocation' says once where the participant stands")
        if self.facts.get("holds"):
            raise ValueError("the participant begins with empty hands: leave 'holds' out")
        named = {term for pattern in self.goal for term in pattern[1:]}
        if free := [term for pair in self.distinct for term in pair if term not in named]:
            raise ValueError(f"'distinct' names {free[0]!r}, which is not in the goal")
        return self


def _fits(predicate: str, arguments: tuple[str, ...]) -> None:
    if ARITY.get(predicate) != len(arguments):
        wanted = ARITY.get(predicate)
        said = f"there is no predicate {predicate!r}; known: {', '.join(ARITY)}"
        raise ValueError(said if wanted is None else f"{predicate!r} takes {wanted} arguments, not {len(arguments)}")


class FactsProbe(BaseModel):
    """Arguments of type "facts": the predicates to tell of; all of them where none is named."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    predicates: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _are_known(self) -> Self:
        if unknown := sorted(set(self.predicates) - set(ARITY)):
            raise ValueError(f"there is no predicate {unknown[0]!r}; known: {', '.join(ARITY)}")
        return self


PROBES: Mapping[str, type[FactsProbe | NoArguments]] = {"facts": FactsProbe, "log": NoArguments}
