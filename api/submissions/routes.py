"""`/v1/submissions`."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query, Response

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.catalog.repository import CatalogRepository
from api.core.deps import AliasesDep, CursorsDep, SessionDep, SettingsDep
from api.core.ids import public_id
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, IdPath
from api.submissions.models import Submission
from api.submissions.schemas import ItemsCreate, SubmissionCreate, SubmissionPage, SubmissionPublic
from api.submissions.service import SubmissionService
from api.submissions.view import view

router = APIRouter(
    prefix="/v1/submissions",
    tags=["submissions"],
    dependencies=[Depends(Require(Scope.SUBMISSIONS_WRITE)), Depends(limited("submissions"))],
)
reading = APIRouter(
    prefix="/v1/submissions",
    tags=["submissions"],
    dependencies=[Depends(Require(Scope.SUBMISSIONS_WRITE)), Depends(limited("read"))],
)
IdempotencyKey = Annotated[str | None, Header(max_length=200, min_length=1)]


async def _service(
    session: SessionDep, aliases: AliasesDep, principal: PrincipalDep, settings: SettingsDep
) -> SubmissionService:
    return SubmissionService(session, aliases, principal, settings)


ServiceDep = Annotated[SubmissionService, Depends(_service)]


async def _view(
    session: SessionDep, aliases: AliasesDep, settings: SettingsDep, row: Submission, *, whole: bool = True
) -> SubmissionPublic:
    benchmark, release, split = await CatalogRepository(session).whereabouts(row.split_id)
    return await view(session, aliases, settings, row, benchmark.slug, release, split, whole=whole)


@router.post("", status_code=202)
async def create_submission(
    body: SubmissionCreate,
    response: Response,
    session: SessionDep,
    aliases: AliasesDep,
    service: ServiceDep,
    settings: SettingsDep,
    idempotency_key: IdempotencyKey = None,
) -> SubmissionPublic:
    """Submit a run: accepted means stored, and graded even if every process dies now."""
    row = await service.create(body, idempotency_key)
    response.headers["Location"] = f"/v1/submissions/{public_id('sub', row.id)}"
    return await _view(session, aliases, settings, row, whole=False)


@router.post("/{submission}/items")
async def add_items(
    submission: IdPath,
    body: ItemsCreate,
    session: SessionDep,
    aliases: AliasesDep,
    service: ServiceDep,
    settings: SettingsDep,
) -> SubmissionPublic:
    """Add items to an open submission; items sent before stay as they were, so a part may be sent again."""
    return await _view(session, aliases, settings, await service.add_items(submission, body.items), whole=False)


@router.post("/{submission}/finalize", status_code=202)
async def finalise(
    submission: IdPath, session: SessionDep, aliases: AliasesDep, service: ServiceDep, settings: SettingsDep
) -> SubmissionPublic:
    """End the intake; problems without an answer count as wrong."""
    return await _view(session, aliases, settings, await service.finalise(submission), whole=False)


@router.post("/{submission}/select")
async def select_submission(
    submission: IdPath, session: SessionDep, aliases: AliasesDep, service: ServiceDep, settings: SettingsDep
) -> SubmissionPublic:
    """Have a submission ranked at the split's next scheduled release, in the place of what was selected before."""
    return await _view(session, aliases, settings, await service.select(submission))


@reading.get("/{submission}")
async def show_submission(
    submission: IdPath, session: SessionDep, aliases: AliasesDep, service: ServiceDep, settings: SettingsDep
) -> SubmissionPublic:
    """State, place in the queue, and what the split's feedback policy allows."""
    return await _view(session, aliases, settings, await service.own(submission))


@reading.get("")
async def list_submissions(
    session: SessionDep,
    aliases: AliasesDep,
    cursors: CursorsDep,
    service: ServiceDep,
    settings: SettingsDep,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> SubmissionPage:
    """The organisation's submissions, newest first."""
    before = cursors.decode("submissions", cursor)
    rows = await service.page(UUID(before[0]) if before else None, limit)
    items = [await _view(session, aliases, settings, row, whole=False) for row in rows]
    following = cursors.encode("submissions", [rows[-1].id.hex]) if len(rows) == limit else None
    return SubmissionPage(items=items, next=following)
