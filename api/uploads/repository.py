"""SQL of uploads."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query
from api.uploads.models import PackState


@dataclass(frozen=True)
class Upload:
    """An uploaded pack; `organisation` is its owner's slug."""

    id: UUID
    organisation_id: UUID
    organisation: str
    user_id: UUID
    kind: str
    name: str
    size: int
    sha256: str
    part_bytes: int
    parts: int
    received: list[int]
    state: PackState
    stage: str
    done: int
    total: int
    slug: str | None
    version: str | None
    admissible: bool | None
    report: bytes | None
    created_at: datetime
    changed_at: datetime


_COLUMNS = """u.id, u.organisation_id, o.slug as organisation, u.user_id, u.kind, u.name, u.size, u.sha256,
  u.part_bytes, u.parts, u.received, u.state, u.stage, u.done, u.total, u.slug, u.version, u.admissible, u.report,
  u.created_at, u.changed_at
  from pack_upload u join organisation o on o.id = u.organisation_id"""
_ONE = Query(Upload, "An upload.", f"select {_COLUMNS} where u.id = :id")
_LOCKED = Query(
    Upload, "An upload that nobody else changes now.", f"select {_COLUMNS} where u.id = :id for update of u"
)
_LISTED = Query(
    Upload,
    "Uploads of an organisation, newest first.",
    f"select {_COLUMNS} where u.organisation_id = :organisation and u.kind = :kind order by u.id desc limit :limit",
)
_WAITING = Query(
    int,
    "How many uploads of an organisation are not published.",
    """select count(*) from pack_upload
       where organisation_id = :organisation and kind = :kind and state <> 'published'""",
)
_VERIFIED = Query(
    bool,
    "Whether an organisation is verified; its uploads are begun one after the other.",
    "select verified_at is not null as verified from organisation where id = :organisation for update",
)
_PUBLIC = Query(bytes, "The public key under which uploads are sealed.", "select public from intake_key")
_BEGIN = Command(
    "An upload begins.",
    """insert into pack_upload (id, organisation_id, user_id, kind, name, size, sha256, part_bytes, parts, created_at)
       values (:id, :organisation, :user, :kind, :name, :size, :sha256, :part_bytes, :parts, now())""",
)
_KEEP = Query(bool, "Keep one part of the archive, sealed.", "select keep_pack_part(:upload, :number, :sealed) as kept")
_ASK = Query(bool, "Ask for an upload's check or publication.", "select ask_pack(:upload, :wish, :anyway) as asked")
_DROP = Query(bool, "Drop an upload and its archive.", "select drop_pack(:upload) as dropped")
_PROGRESS = Command(
    "How far a check or a publication is.",
    """update pack_upload set stage = :stage, done = :done, total = :total, changed_at = now() where id = :upload
       and state in ('checking', 'publishing')""",
)
_CHECKED = Command(
    "What a check found.",
    """update pack_upload set state = :state, stage = '', done = 0, total = 0, slug = :slug, version = :version,
         admissible = :admissible, report = :report, pictures = :pictures, changed_at = now() where id = :upload""",
)
_PICTURES = Query(
    bytes,
    "The pictures of an upload's preview, sealed.",
    "select pictures from pack_upload where id = :upload and pictures is not null",
)
_PUBLISHED = Command(
    "An upload is a release now.",
    """update pack_upload set state = 'published', stage = '', done = 0, total = 0, changed_at = now()
       where id = :upload""",
)
_NOT_PUBLISHED = Command(
    "An upload is as it was before its publication was asked for.",
    """update pack_upload set state = 'checked', stage = '', done = 0, total = 0, changed_at = now()
       where id = :upload and state = 'publishing'""",
)
_APPROVED = Query(
    str,
    "Names of the problems of a benchmark whose rubric is approved and not published yet.",
    """select r.name from rubric r join benchmark b on b.id = r.benchmark_id
       where b.slug = :slug and b.organisation_id = :organisation and r.state = 'approved'""",
)
_ABANDONED = Query(
    UUID,
    "Uploads that nobody has touched for long, and no rubric of theirs.",
    """select u.id from pack_upload u where u.state in ('uploading', 'refused', 'checked')
       and u.changed_at < now() - make_interval(days => :days)
       and not exists (select from rubric r join benchmark b on b.id = r.benchmark_id
         where b.slug = u.slug and b.organisation_id = u.organisation_id and u.state = 'checked'
         and r.changed_at > now() - make_interval(days => :days)) limit 100""",
)


class UploadRepository:
    """Uploads. What changes their state is a function of the database, or the worker."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def one(self, upload_id: UUID) -> Upload | None:
        return await self._session.fetch_optional(_ONE, id=upload_id)

    async def locked(self, upload_id: UUID) -> Upload | None:
        """An upload that nobody else changes until the transaction ends. For the worker."""
        return await self._session.fetch_optional(_LOCKED, id=upload_id)

    async def of_organisation(self, organisation_id: UUID, kind: str, limit: int) -> list[Upload]:
        """Newest first."""
        return await self._session.fetch_all(_LISTED, organisation=organisation_id, kind=kind, limit=limit)

    async def waiting(self, organisation_id: UUID, kind: str) -> int:
        """How many uploads of an organisation are not published."""
        return await self._session.fetch_one(_WAITING, organisation=organisation_id, kind=kind)

    async def verified(self, organisation_id: UUID) -> bool:
        """Whether an organisation is verified; locks it, so that two uploads are not begun at once."""
        return await self._session.fetch_one(_VERIFIED, organisation=organisation_id)

    async def public_key(self) -> bytes:
        """The public key under which uploads are sealed."""
        return await self._session.fetch_one(_PUBLIC)

    async def begin(
        self,
        upload_id: UUID,
        organisation_id: UUID,
        user_id: UUID,
        *,
        kind: str,
        name: str,
        size: int,
        sha256: str,
        part_bytes: int,
        parts: int,
    ) -> None:
        """Write an upload down of which nothing has come yet."""
        await self._session.run(
            _BEGIN,
            id=upload_id,
            organisation=organisation_id,
            user=user_id,
            kind=kind,
            name=name,
            size=size,
            sha256=sha256,
            part_bytes=part_bytes,
            parts=parts,
        )

    async def keep(self, upload_id: UUID, number: int, sealed: bytes) -> bool:
        """Keep a part, in the place of an earlier one; False where the upload takes none."""
        return await self._session.fetch_one(_KEEP, upload=upload_id, number=number, sealed=sealed)

    async def ask_check(self, upload_id: UUID) -> bool:
        """Begin the check; False where parts are missing or it has begun."""
        return await self._session.fetch_one(_ASK, upload=upload_id, wish="check", anyway=False)

    async def ask_publish(self, upload_id: UUID, *, anyway: bool) -> bool:
        """Begin publication; False where the check has not passed."""
        return await self._session.fetch_one(_ASK, upload=upload_id, wish="publish", anyway=anyway)

    async def drop(self, upload_id: UUID) -> bool:
        """Drop an upload and its archive; False while it is checked or published, and after."""
        return await self._session.fetch_one(_DROP, upload=upload_id)

    async def progress(self, upload_id: UUID, stage: str, done: int, total: int) -> None:
        """Say how far a check or a publication is."""
        await self._session.run(_PROGRESS, upload=upload_id, stage=stage, done=done, total=total)

    async def checked(
        self,
        upload_id: UUID,
        state: PackState,
        report: bytes,
        slug: str | None = None,
        version: str | None = None,
        *,
        pictures: bytes | None = None,
        admissible: bool | None = None,
    ) -> None:
        """Write down what a check found."""
        await self._session.run(
            _CHECKED,
            upload=upload_id,
            state=state.value,
            report=report,
            pictures=pictures,
            slug=slug,
            version=version,
            admissible=admissible,
        )

    async def pictures(self, upload_id: UUID) -> bytes | None:
        """The sealed pictures of an upload's preview; None: it has none."""
        return await self._session.fetch_optional(_PICTURES, upload=upload_id)

    async def published(self, upload_id: UUID) -> None:
        """An upload is a release now."""
        await self._session.run(_PUBLISHED, upload=upload_id)

    async def not_published(self, upload_id: UUID) -> None:
        """It waits to be published, as before."""
        await self._session.run(_NOT_PUBLISHED, upload=upload_id)

    async def approved_rubrics(self, organisation_id: UUID, slug: str) -> list[str]:
        """Names of the problems that have an approved rubric, of an organisation's benchmark."""
        return await self._session.fetch_all(_APPROVED, organisation=organisation_id, slug=slug)

    async def abandoned(self, days: int) -> list[UUID]:
        """Uploads that wait for their owner and that nobody has touched for so many days."""
        return await self._session.fetch_all(_ABANDONED, days=days)
