"""What a knowledge graph problem is made of: the secret `spec` of its episode."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from envs.base import NoArguments

Id = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9_.\-]+$")]
"""An entity (`m.0km5c`), a relation (`biology.animal_breed.temperament`) or a type, as Freebase names them."""
Value = int | float | Annotated[str, Field(max_length=2000)]


class KnowledgeGraphSpec(BaseModel):
    """`question` and the names of `entities` are shown to the participant; `entities` gives each name's id.

    `graph` "micro" is a graph of the problem's own: `edges` from entities to entities and `values` (numbers, or texts
    such as dates of one form), by relation and subject; for a relation in `inverses` every edge holds backwards too,
    under the other name. `ranges` are the relations that `get_relations` may list, with the type of what they lead to,
    `attributes` those that `get_attributes` may list, `broader` the types above a type. With `graph` "freebase" the
    operator of the machine says where a SPARQL endpoint of Freebase and its vocabulary are; `ranges` and `attributes`
    are added to that.

    `rules` "published" reads replies, orders relations and refuses intersections as published; "fixed" sorts
    relations, reads arguments with commas and brackets and intersects sets whatever their types. Entities that are
    named in a query are no part of its result, as published, unless `keeps_entities`. `instruction`, `example` (turns:
    the participant's, the world's, and so on) and `lead` come before the question in place of our own words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(min_length=1, max_length=5000)
    entities: dict[str, Id] = Field(default_factory=dict, max_length=50)
    graph: Literal["micro", "freebase"] = "micro"
    edges: dict[Id, dict[Id, tuple[Id, ...]]] = Field(default_factory=dict)
    values: dict[Id, dict[Id, tuple[Value, ...]]] = Field(default_factory=dict)
    inverses: dict[Id, Id] = Field(default_factory=dict)
    ranges: dict[Id, Id] = Field(default_factory=dict)
    attributes: tuple[Id, ...] = ()
    broader: dict[Id, tuple[Id, ...]] = Field(default_factory=dict)
    keeps_entities: bool = False
    rules: Literal["published", "fixed"] = "fixed"
    turns: int = Field(default=15, ge=1, le=25)
    instruction: str = Field(default="", max_length=20_000)
    example: tuple[str, ...] = Field(default=(), max_length=100)
    lead: str = Field(default="", max_length=2000)

    @model_validator(mode="after")
    def _has_one_graph(self) -> Self:
        own = self.edges or self.values
        if self.graph == "micro" and not own:
            raise ValueError("a graph of the problem's own has 'edges' or 'values'")
        if self.graph == "freebase" and own:
            raise ValueError("Freebase has its own edges and values: leave 'edges' and 'values' out")
        return self


PROBES: Mapping[str, type[NoArguments]] = {"answer": NoArguments, "log": NoArguments}
