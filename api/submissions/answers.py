"""Answers where they are kept: of dev splits as they came, of hidden splits sealed for the worker.

The web role takes answers in, so it seals them under the public half of the worker's key; it can open none, nor can
whoever has a backup.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import JsonValue

from api.core.crypto import IntakeSeal, unseal_intake
from api.core.nul import without_nul

COLUMNS = "i.answer, i.data, i.trajectory, i.sealed as sealed_answer"
"""What a query of answers selects, for a row that is a StoredAnswer."""


@dataclass(frozen=True)
class GivenAnswer:
    """What a participant gave: text, a structured field, or the actions of an episode."""

    answer: str | None
    data: JsonValue
    trajectory: list[dict[str, Any]] | None


@dataclass(frozen=True)
class StoredAnswer:
    """An answer as it is kept; all is empty where a live session answers."""

    answer: str | None
    data: JsonValue
    trajectory: list[dict[str, Any]] | None
    sealed_answer: bytes | None

    def given(self, key: bytes, submission_id: UUID, problem_id: UUID) -> GivenAnswer:
        """What was given. Raises SealError for a changed row."""
        if self.sealed_answer is None:
            return GivenAnswer(self.answer, self.data, self.trajectory)
        return GivenAnswer(
            **json.loads(unseal_intake(key, self.sealed_answer, answer_binding(submission_id, problem_id)))
        )


def sealed_answer(seal: IntakeSeal, submission_id: UUID, problem_id: UUID, fields: Mapping[str, Any]) -> bytes:
    """An answer (`answer`, `data`, `trajectory`) bound to its item."""
    plain = {name: without_nul(fields.get(name)) for name in ("answer", "data", "trajectory")}
    return seal.seal(json.dumps(plain).encode(), answer_binding(submission_id, problem_id))


def answer_binding(submission_id: UUID, problem_id: UUID) -> str:
    """What it is bound to."""
    return f"submission_item:{submission_id}:{problem_id}:1"
