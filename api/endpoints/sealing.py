"""How an endpoint's key is sealed."""

from uuid import UUID


def key_binding(run_id: UUID) -> str:
    """What the key of a run's endpoint is bound to."""
    return f"vault.endpoint_key:{run_id}:1"
