"""How an upload's parts and its report are sealed."""

from uuid import UUID

from api.core.crypto import seal, unseal
from api.uploads.schemas import PackReport


def part_binding(upload_id: UUID, number: int) -> str:
    """What a part of an archive is bound to."""
    return f"vault.pack_part:{upload_id}:{number}:1"


def seal_report(key: bytes, upload_id: UUID, report: PackReport) -> bytes:
    """A report for the owner's eyes; `key` is that of reviews."""
    return seal(key, report.model_dump_json().encode(), report_binding(upload_id))


def open_report(key: bytes, upload_id: UUID, sealed: bytes | None) -> PackReport:
    """The report of an upload, an empty one before its check. Raises SealError for a changed row."""
    if sealed is None:
        return PackReport()
    return PackReport.model_validate_json(unseal(key, sealed, report_binding(upload_id)))


def report_binding(upload_id: UUID) -> str:
    """What it is bound to."""
    return f"pack_upload:{upload_id}:1"
