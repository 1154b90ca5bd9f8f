"""One row of the table: what was tried, and how it ended."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How a row ended. `OPEN` and `BROKEN` are the bad ones."""

    WORKS = "works"
    BROKEN = "broken"
    REFUSED = "refused"
    CONTAINED = "contained"
    OPEN = "open"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Row:
    """What was tried, how it ended, and what was measured."""

    group: str
    name: str
    outcome: Outcome
    detail: str = ""

    @property
    def bad(self) -> bool:
        """Whether an operator has to know."""
        return self.outcome in (Outcome.OPEN, Outcome.BROKEN)
