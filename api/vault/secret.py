"""What the vault keeps of one problem, by variant."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SecretSide:
    """The secret side of one variant. `reference` is JSON of a reference model of `grading`."""

    reference: dict[str, Any]
    gold: str | None
    solution: str


@dataclass(frozen=True)
class Secret:
    """The secret side of a problem. `record` is its reference line as JSON, with the variants of its variants."""

    record: Mapping[str, Any]

    @property
    def variants(self) -> list[SecretSide]:
        """The side of every variant by number; of a problem that does not vary its only one."""
        return [
            SecretSide(dict(side["reference"]), side.get("gold"), side.get("solution") or "")
            for side in self.record.get("variants") or [self.record]
        ]

    def side(self, variant: int | None) -> SecretSide:
        """The side of a variant (None: the problem does not vary)."""
        return self.variants[variant or 0]

    @property
    def oracle(self) -> list[dict[str, Any]]:
        """Actions that solve the episode; empty where none are known."""
        return list(self.record.get("oracle") or ())
