"""Which variant an organisation is served: the same in the web process and in the worker."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from protection import tardos


class Fingerprints:
    """Numbers of variants under the instance's fingerprint key."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def number(self, organisation: UUID, problem: UUID, variation: Mapping[str, Any] | None) -> int | None:
        """The number of the organisation's variant; None for a problem that does not vary."""
        if not variation or not variation.get("variants"):
            return None
        bits = len(variation["variants"]).bit_length() - 1
        return tardos.number(self.key, str(organisation), str(problem), bits)

    def shown(self, organisation: UUID, row: Any) -> tuple[str, str, list[dict[str, str]]]:
        """What the organisation sees of a problem's row: the variant's number (or ""), statement, choices."""
        number = self.number(organisation, row.id, row.variation)
        if number is None:
            return "", row.statement, row.choices
        variant = row.variation["variants"][number]
        return str(number), variant["statement"], variant["choices"]
