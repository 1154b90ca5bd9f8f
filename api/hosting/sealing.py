"""What sealed episodes and evidence are bound to, so that a value moved to another row does not open."""

import json
from typing import Any
from uuid import UUID

from api.core.crypto import seal, unseal


def episode_binding(problem_id: UUID) -> str:
    """What it is bound to."""
    return f"vault.episode:{problem_id}:1"


def evidence_binding(session_id: UUID) -> str:
    """What it is bound to."""
    return f"vault.evidence:{session_id}:1"


def seal_episode(key: bytes, problem_id: UUID, forms: list[dict[str, Any]]) -> bytes:
    """An episode in each of its variants (`packs.format.Episode` as JSON) under the hosts' key."""
    return seal(key, json.dumps(forms).encode(), episode_binding(problem_id))


def open_episode(key: bytes, problem_id: UUID, sealed: bytes) -> list[dict[str, Any]]:
    """Raises SealError."""
    return list(json.loads(unseal(key, sealed, episode_binding(problem_id))))


def seal_evidence(key: bytes, session_id: UUID, evidence: list[dict[str, Any]]) -> bytes:
    """What the probes of a session saw (`envs.base.Evidence` as JSON)."""
    return seal(key, json.dumps(evidence).encode(), evidence_binding(session_id))


def open_evidence(key: bytes, session_id: UUID, sealed: bytes) -> list[dict[str, Any]]:
    """Raises SealError."""
    return list(json.loads(unseal(key, sealed, evidence_binding(session_id))))
