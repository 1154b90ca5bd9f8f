"""What a database problem is made of: the secret `spec` of its episode."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from envs.base import SpecError

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

    `protocol` "published" is AgentBench's: 15 statements, a reply that cannot be read ends the episode. "fixed" tells
    what was wrong and goes on. `timeout` is seconds a statement; `sql_mode` is the server's.
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


def parse_spec(data: dict[str, Any]) -> DatabaseSpec:
    """The typed specification. Raises SpecError, which says what is wrong."""
    try:
        return DatabaseSpec.model_validate(data)
    except ValidationError as error:
        raise SpecError(f"the database's specification: {error}") from None
