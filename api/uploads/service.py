"""What an owner does with a pack: send it in parts, have it checked, look at it, publish it."""

from uuid import UUID

from api.core import queue
from api.core.crypto import IntakeSeal
from api.core.db import AsyncSession
from api.core.ids import new_id, parse_id, public_id
from api.core.settings import Settings
from api.uploads.errors import (
    BadPartError,
    NoPackError,
    PackStateError,
    PackTooLargeError,
    TooManyPacksError,
    UploadsClosedError,
)
from api.uploads.models import CONTAINER, PACK, PackState
from api.uploads.repository import Upload, UploadRepository
from api.uploads.schemas import PackCreate, PackPreview, PackPublic
from api.uploads.sealing import open_pictures, open_report, part_binding

_LISTED = 50
_CONTAINERS = 10
_PREFIXES = {PACK: "pck", CONTAINER: "ctr"}
_PART_BYTES = 4 * 1024 * 1024
_FORM_BYTES = 64 * 1024


class UploadService:
    """Uploads of one organisation. The archive is sealed on the way in; nothing here can read it again."""

    def __init__(
        self, session: AsyncSession, settings: Settings, user_id: UUID, organisation_id: UUID, kind: str = PACK
    ) -> None:
        self._kind = kind
        self._session = session
        self._settings = settings
        self._user = user_id
        self._organisation = organisation_id
        self._repository = UploadRepository(session)

    async def begin(self, body: PackCreate) -> PackPublic:
        """Begin an upload. Raises UploadsClosedError, TooManyPacksError, PackTooLargeError."""
        organisation = self._organisation
        most, largest = self._limits(verified=await self._repository.verified(organisation))
        if body.size > largest:
            raise PackTooLargeError(f"the archive has {body.size} bytes; at most {largest} are taken")
        if await self._repository.waiting(organisation, self._kind) >= most:
            raise TooManyPacksError(f"{most} are the limit; publish or delete some of GET /v1/{self._kind}s")
        upload_id, body_bytes = new_id(), self._settings.max_body_bytes
        # A page sends a part as a field of a form, which has a head of its own.
        part_bytes = min(_PART_BYTES, body_bytes - _FORM_BYTES if body_bytes > 2 * _FORM_BYTES else body_bytes)
        await self._repository.begin(
            upload_id,
            organisation,
            self._user,
            kind=self._kind,
            name=body.name,
            size=body.size,
            sha256=body.sha256,
            part_bytes=part_bytes,
            parts=-(-body.size // part_bytes),
        )
        return self._public(await self._one(upload_id))

    def _limits(self, *, verified: bool) -> tuple[int, int]:
        """How many archives may be there, and their bytes. Raises UploadsClosedError."""
        settings = self._settings
        if self._kind == CONTAINER:
            if settings.container_bytes == 0:
                raise UploadsClosedError("this service runs no containers; its operator sets HELDOUT_CONTAINER_BYTES")
            return _CONTAINERS, settings.container_bytes
        if settings.pack_uploads == 0:
            raise UploadsClosedError("this service takes no uploads; ask its operator to import the pack")
        if settings.pack_uploads_verified and not verified:
            raise UploadsClosedError("only verified organisations upload here; see GET /v1/organisation")
        return settings.pack_uploads, settings.pack_bytes

    async def keep(self, pack: str, number: int, content: bytes) -> None:
        """Keep one part, in the place of an earlier one. Raises NoPackError, BadPartError, PackStateError."""
        upload = await self._of(pack)
        if not 0 <= number < upload.parts:
            raise BadPartError(f"the archive has the parts 0 to {upload.parts - 1}")
        last = number == upload.parts - 1
        expected = upload.size - number * upload.part_bytes if last else upload.part_bytes
        if len(content) != expected:
            raise BadPartError(f"part {number} has {expected} bytes, {len(content)} came")
        sealed = IntakeSeal(await self._repository.public_key()).seal(content, part_binding(upload.id, number))
        if not await self._repository.keep(upload.id, number, sealed):
            raise PackStateError("it is not being uploaded any more; begin another with POST /v1/packs")

    async def check(self, pack: str) -> PackPublic:
        """Have the whole archive checked. Raises NoPackError, PackStateError."""
        upload = await self._of(pack)
        if not await self._repository.ask_check(upload.id):
            # Anew: another request may have asked meanwhile.
            upload = await self._one(upload.id)
            if upload.state is not PackState.UPLOADING:
                return self._public(upload)
            raise PackStateError(f"the parts {self._public(upload).missing[:20]} have not come yet")
        await self._defer(queue.CHECK_PACK, upload, queue.PACKS)
        return self._public(await self._one(upload.id))

    async def publish(self, pack: str, *, anyway: bool) -> PackPublic:
        """Have a checked pack published as a release. Raises NoPackError, PackStateError."""
        upload = await self._of(pack)
        if upload.state not in (PackState.PUBLISHING, PackState.PUBLISHED):
            await self._require_rubrics(upload)
            if not await self._repository.ask_publish(upload.id, anyway=anyway):
                raise PackStateError(_not_yet(upload))
            await self._defer(queue.PUBLISH_PACK, upload, queue.SLOW)
        return self._public(await self._one(upload.id))

    async def _require_rubrics(self, upload: Upload) -> None:
        """Raises PackStateError where a problem has no rubric that somebody has approved."""
        wanted = open_report(self._key, upload.id, upload.report).rubrics_required
        if not wanted or upload.slug is None:
            return
        approved = await self._repository.approved_rubrics(upload.organisation_id, upload.slug)
        if left := sorted(set(wanted) - set(approved)):
            named = ", ".join(left[:20])
            raise PackStateError(f"approve the rubrics of {named} first; the job 'draft_rubrics' has them drafted")

    async def drop(self, pack: str) -> None:
        """Forget an upload that is not published. Raises NoPackError, PackStateError."""
        upload = await self._of(pack)
        if not await self._repository.drop(upload.id):
            raise PackStateError(
                f"it is {upload.state.value}; a release stays, a check ends first, and so does what runs it"
            )

    async def show(self, pack: str) -> PackPublic:
        """One upload. Raises NoPackError."""
        return self._public(await self._of(pack))

    async def listed(self) -> list[PackPublic]:
        """The organisation's uploads, newest first."""
        rows = await self._repository.of_organisation(self._organisation, self._kind, _LISTED)
        return [self._public(row) for row in rows]

    async def preview(self, pack: str) -> PackPreview:
        """The first problems of each split as a participant will see them. Raises NoPackError, PackStateError."""
        upload = await self._of(pack)
        if upload.slug is None:
            raise PackStateError("there is a preview once the check has passed")
        report = open_report(self._key, upload.id, upload.report)
        pictures = open_pictures(self._key, upload.id, await self._repository.pictures(upload.id))
        for image in (image for problem in report.preview for image in problem.images):
            image.data = pictures.get(image.path)
        return PackPreview(benchmark=upload.slug, version=upload.version, items=report.preview)

    @property
    def _key(self) -> bytes:
        return self._settings.secrets.raw("review")

    async def _of(self, pack: str) -> Upload:
        upload_id = parse_id(_PREFIXES[self._kind], pack)
        upload = upload_id and await self._repository.one(upload_id)
        if not upload or upload.organisation_id != self._organisation or upload.kind != self._kind:
            raise NoPackError(f"GET /v1/{self._kind}s lists your organisation's {self._kind}s")
        return upload

    async def _one(self, upload_id: UUID) -> Upload:
        upload = await self._repository.one(upload_id)
        assert upload
        return upload

    async def _defer(self, task: str, upload: Upload, where: str) -> None:
        # One check of an organisation at a time: its packs may be large, and others wait behind them.
        lock = f"packs:{upload.organisation_id}"
        await queue.defer(self._session, task, {"upload": str(upload.id)}, queue=where, lock=lock)

    def _public(self, upload: Upload) -> PackPublic:
        report = open_report(self._key, upload.id, upload.report)
        return PackPublic(
            id=public_id(_PREFIXES[self._kind], upload.id),
            name=upload.name,
            size=upload.size,
            sha256=upload.sha256,
            state=upload.state.value,
            stage=upload.stage,
            done=upload.done,
            total=upload.total,
            part_bytes=upload.part_bytes,
            parts=upload.parts,
            missing=sorted(set(range(upload.parts)) - set(upload.received)),
            benchmark=upload.slug,
            version=upload.version,
            admissible=upload.admissible,
            faults=report.faults,
            faults_left_out=report.faults_left_out,
            refusals=report.refusals,
            warnings=report.warnings,
            rubrics_required=report.rubrics_required,
            rubrics_possible=report.rubrics_possible,
            splits=report.splits,
            created_at=upload.created_at,
            changed_at=upload.changed_at,
        )


def _not_yet(upload: Upload) -> str:
    if upload.state is PackState.CHECKED:
        return "the admission check failed: read 'refusals' and mend the pack, or publish with 'anyway'"
    if upload.state is PackState.REFUSED:
        return "the pack has faults; mend them and upload it again"
    return f"it is {upload.state.value}; publish it when it is checked"
