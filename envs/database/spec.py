"""What a database problem is made of: the secret `spec` of its episode."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

DEFAULT_IMAGES = frozenset({"", "default"})
Cell = str | int | float | None
Name = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^\x00]*$")]


class Table(BaseModel):
    """One table; every column is TEXT, as published."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    columns: tuple[Name, ...] = Field(min_length=1, max_length=200)
    rows: tuple[tuple[Cell, ...], ...] = Field(default=(), max_length=20_000)

    @model_validator(mode="after")
    def _is_a_table(self) -> "Table":
        names = [name.casefold() for name in self.columns]
        if len(set(names)) != len(names):
            raise ValueError(f"table '{self.name}' has two columns of one name")
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(f"row {number} of '{self.name}' has {len(row)} cells for {len(self.columns)} columns")
        return self


class DatabaseSpec(BaseModel):
    """`problem` and `hint` are told to the participant; `tables` are what the database holds at the start.

    `protocol` "published" is AgentBench's: 15 statements and then an answer, a reply that cannot be read ends the
    episode. "fixed" tells what was wrong and goes on. `timeout` is seconds a statement; `sql_mode` is the server's.
    `instruction`, `example` (turns: the participant's, the client's, and so on) and `lead` come before the problem in
    place of our own words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    problem: str = Field(min_length=1, max_length=20_000)
    hint: str = Field(default="", max_length=20_000)
    tables: tuple[Table, ...] = Field(min_length=1, max_length=20)
    protocol: Literal["published", "fixed"] = "fixed"
    turns: int = Field(default=15, ge=1, le=200)
    timeout: float = Field(default=30.0, ge=1.0, le=600.0)
    sql_mode: str = Field(default="", pattern=r"^[A-Z_,]*$")
    image: str = "default"
    instruction: str = Field(default="", max_length=20_000)
    example: tuple[str, ...] = Field(default=(), max_length=100)
    lead: str = Field(default="", max_length=2000)

    @model_validator(mode="after")
    def _example_ends_with_the_participant(self) -> Self:
        if self.instruction and len(self.example) % 2 == 0:
            raise ValueError("'example' begins and ends with a turn of the participant: the problem follows it")
        return self


class TableProbe(BaseModel):
    """Arguments of type "table": the name of a table that the participant left."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str


class GoldTableProbe(TableProbe):
    """Arguments of type "gold_table": a table after the gold `statements` ran in a fresh server."""

    statements: tuple[str, ...] = ()


class QueryProbe(BaseModel):
    """Arguments of type "query": a statement over what the participant left."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    statement: str = Field(min_length=1)


class GoldQueryProbe(QueryProbe):
    """Arguments of type "gold_query": a statement run in a fresh server."""


PROBES: Mapping[str, type[TableProbe | QueryProbe]] = {
    "table": TableProbe,
    "query": QueryProbe,
    "gold_table": GoldTableProbe,
    "gold_query": GoldQueryProbe,
}
