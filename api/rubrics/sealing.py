"""How a rubric is sealed: under the key of reviews, for the owner's eyes."""

from uuid import UUID

from api.core.crypto import seal, unseal
from api.rubrics.schemas import RubricDocument


def seal_rubric(key: bytes, rubric_id: UUID, document: RubricDocument) -> bytes:
    """A document bound to its row."""
    return seal(key, document.model_dump_json().encode(), rubric_binding(rubric_id))


def open_rubric(key: bytes, rubric_id: UUID, sealed: bytes) -> RubricDocument:
    """The document of a row. Raises SealError for a changed row."""
    return RubricDocument.model_validate_json(unseal(key, sealed, rubric_binding(rubric_id)))


def rubric_binding(rubric_id: UUID) -> str:
    """What it is bound to."""
    return f"rubric:{rubric_id}:1"
