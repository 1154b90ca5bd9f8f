"""Which candidates are asked about next, and what the replies come to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

AT_ONCE = 5


@dataclass
class Tournament:
    """Five candidates at a time; the one that is chosen comes back at the end, the others are out.

    `lonely`: whether one that is left alone is asked about, too, where none was chosen yet (as published it is not).
    """

    pool: list[str]
    lonely: bool
    chosen: tuple[str, str] | None = field(default=None, init=False)

    @property
    def asked(self) -> Sequence[str]:
        """The candidates of the next question; none once it is over."""
        last = 0 if self.lonely and self.chosen is None else 1
        return self.pool[:AT_ONCE] if len(self.pool) > last else ()

    @property
    def prediction(self) -> tuple[str, str] | None:
        """The element that was chosen last and the action on it; None where nothing is left of the candidates."""
        return self.chosen if self.pool else None

    def reply(self, element: str | None, action: str = "") -> None:
        """Choose one of those that were asked about, or none."""
        self.pool = self.pool[AT_ONCE:]
        if element is not None:
            self.pool.append(element)
            self.chosen = (element, action)
