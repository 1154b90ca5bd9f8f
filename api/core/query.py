"""Named SQL with typed rows: a `Query` says what it asks, in which SQL, and what a row of the answer is.

    APPLICANTS = Query(Applicant, "Who asked to read a benchmark, newest first.", "select a.id, ... limit :limit")
    applicants = await session.fetch_all(APPLICANTS, benchmark=benchmark_id, limit=50)   # list[Applicant]

A row's type is a frozen dataclass whose fields are the columns by name, or the type of a single column (`int`, `UUID`).
Rows are validated when they are read, so a field declared as an enumeration, a `float` or a pydantic model is one, and
a column that the type does not have (or the reverse) is an error at the first call, not an `AttributeError` later.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Generic, TypeVar

from pydantic import TypeAdapter
from pydantic_core import ArgsKwargs
from sqlalchemy import text
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.sql.compiler import SQLCompiler

Row = TypeVar("Row")
_NUMBERED = PGDialect(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]


class Command:
    """SQL that changes rows and returns none. `AsyncSession.run` gives how many it changed.

    Args:
        description: one sentence, what is changed and when.
        sql: one statement with named values (`:name`).
    """

    def __init__(self, description: str, sql: str) -> None:
        self.description = description
        self.sql = sql

    @cached_property
    def _compiled(self) -> SQLCompiler:
        # When it is first run: a process knows many more than it runs.
        compiled = text(self.sql).compile(dialect=_NUMBERED)
        assert isinstance(compiled, SQLCompiler)
        return compiled

    def prepare(self) -> None:
        """Compile it before it is first run."""
        _ = self._compiled

    @cached_property
    def numbered(self) -> bytes:
        """The statement with `$1`, `$2`, as PostgreSQL takes it."""
        return str(self._compiled).encode()

    @cached_property
    def _order(self) -> tuple[str, ...]:
        return tuple(self._compiled.positiontup or ())

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The names of its values."""
        return frozenset(self._order)

    def ordered(self, values: Mapping[str, object]) -> list[object]:
        """Values in the order of `numbered`. Raises TypeError where they are not those that the statement names."""
        if values.keys() != self.parameters:
            expected, given = sorted(self.parameters), sorted(values)
            raise TypeError(f"the statement {self.description!r} takes the values {expected}, got {given}")
        return [values[name] for name in self._order]


class Query(Command, Generic[Row]):
    """SQL that returns rows of one type.

    Args:
        row: a dataclass with the columns' names, or the type of the only column.
        description: one sentence, what is asked.
        sql: one statement with named values (`:name`).
    """

    def __init__(self, row: type[Row], description: str, sql: str) -> None:
        super().__init__(description, sql)
        self._columns = tuple(f.name for f in fields(row)) if is_dataclass(row) else None
        self._row = row

    @cached_property
    def _adapter(self) -> TypeAdapter[list[Row]]:
        return TypeAdapter(list[self._row])  # type: ignore[name-defined]

    def typed(self, columns: Iterable[str], found: Iterable[Sequence[object]]) -> list[Row]:
        """Rows as the declared type. Raises TypeError for other columns, pydantic.ValidationError for other values."""
        names = tuple(columns)
        if self._columns is None:
            if len(names) != 1:
                raise TypeError(f"the query {self.description!r} has a single value, the SQL returns {names}")
            return self._adapter.validate_python([row[0] for row in found])
        if sorted(names) != sorted(self._columns):
            raise TypeError(f"the query {self.description!r} has the fields {self._columns}, the SQL returns {names}")
        places = [names.index(column) for column in self._columns]
        # By position: half the time of a mapping for each row.
        return self._adapter.validate_python([ArgsKwargs(tuple([row[at] for at in places])) for row in found])


def contains(text: str) -> str:
    """The pattern of `like` for everything that has `text` somewhere."""
    plain = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{plain}%"
