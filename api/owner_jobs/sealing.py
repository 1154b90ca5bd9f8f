"""How a job's result and file are sealed: under the key of reviews, for the owner's eyes."""

from uuid import UUID

from api.core.crypto import seal, unseal
from api.owner_jobs.schemas import RESULTS, JobResult


def seal_result(key: bytes, job_id: UUID, result: JobResult) -> bytes:
    """A result bound to its job."""
    return seal(key, RESULTS.dump_json(result), result_binding(job_id))


def open_result(key: bytes, job_id: UUID, sealed: bytes) -> JobResult:
    """The result of a job. Raises SealError for a changed row."""
    return RESULTS.validate_json(unseal(key, sealed, result_binding(job_id)))


def seal_file(key: bytes, job_id: UUID, content: bytes) -> bytes:
    """A file bound to its job."""
    return seal(key, content, file_binding(job_id))


def open_file(key: bytes, job_id: UUID, sealed: bytes) -> bytes:
    """The file of a job. Raises SealError for a changed row."""
    return unseal(key, sealed, file_binding(job_id))


def result_binding(job_id: UUID) -> str:
    """What a result is bound to."""
    return f"owner_job:{job_id}:result:1"


def file_binding(job_id: UUID) -> str:
    """What a file is bound to."""
    return f"owner_job:{job_id}:file:1"
