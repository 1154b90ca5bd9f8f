"""How an upload's parts, its report and the pictures of its preview are sealed."""

import json
from collections.abc import Mapping
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


def seal_pictures(key: bytes, upload_id: UUID, pictures: Mapping[str, str]) -> bytes | None:
    """The pictures of a preview, path to data URI; None where there are none."""
    plain = json.dumps(dict(pictures)).encode()
    return seal(key, plain, pictures_binding(upload_id)) if pictures else None


def open_pictures(key: bytes, upload_id: UUID, sealed: bytes | None) -> dict[str, str]:
    """What `seal_pictures` was given. Raises SealError for a changed row."""
    return dict(json.loads(unseal(key, sealed, pictures_binding(upload_id)))) if sealed is not None else {}


def pictures_binding(upload_id: UUID) -> str:
    """What they are bound to."""
    return f"pack_upload.pictures:{upload_id}:1"


def report_binding(upload_id: UUID) -> str:
    """What it is bound to."""
    return f"pack_upload:{upload_id}:1"
