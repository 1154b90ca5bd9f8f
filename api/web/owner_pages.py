"""The owner's console of a benchmark: releases, entries, regrades, reviewers."""

from typing import Annotated
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import ValidationError

from api.accounts.models import MemberRole
from api.accounts.repository import AccountRepository
from api.catalog.errors import NotYourBenchmarkError
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.deps import CursorsDep, SessionDep, SettingsDep
from api.core.errors import InvalidError
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, IdPath, SlugPath
from api.leaderboard.filters import owners_filters
from api.leaderboard.schemas import EntryChange
from api.leaderboard.service import LeaderboardService
from api.regrades.schemas import RegradeCreate
from api.regrades.service import ask, regrades
from api.reviews.reviewers import add_reviewer, remove_reviewer, reviewers
from api.web.forms import FormDep
from api.web.render import go, page
from api.web.viewer import Viewer, ViewerDep, signed_in

router = APIRouter(
    prefix="/b/{slug}/owner",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
_PAGE = 50
_CHANGES = {
    "hide": EntryChange(hidden=True),
    "restore": EntryChange(hidden=False),
    "verify": EntryChange(verified=True),
    "unverify": EntryChange(verified=False),
}


@router.get("", response_class=HTMLResponse)
async def owner_page(
    request: Request,
    slug: SlugPath,
    viewer: ViewerDep,
    session: SessionDep,
    cursors: CursorsDep,
    split: Annotated[str, Query(max_length=64)] = "",
    hidden: bool | None = None,
    cursor: CursorQuery = None,
) -> HTMLResponse:
    """What an owner looks after, with a form for each of it."""
    organisation_id = await owner_of(session, viewer, slug)
    catalog = CatalogService(session)
    benchmark = await catalog.show(slug)
    shown = split or benchmark.splits[0].name
    _, row = await catalog.split(slug, shown)
    listing = f"page:owner:{row.id}:{hidden}"
    after = cursors.decode(listing, cursor)
    entries, last = await LeaderboardService(session).page(row, owners_filters(hidden), after, _PAGE)
    context = {
        "benchmark": benchmark,
        "split": shown,
        "hidden": hidden,
        "releases": await catalog.versions(slug),
        "entries": entries,
        "following": cursors.encode(listing, last) if last else None,
        "regrades": (await regrades(session, slug)).items[:5],
        "reviewers": (await reviewers(session, organisation_id, slug)).items,
    }
    return page(request, "owner.html", context)


@router.post("/entries/{entry}")
async def change_entry(
    slug: SlugPath, entry: IdPath, viewer: ViewerDep, form: FormDep, session: SessionDep
) -> Response:
    """Hide, restore or verify an entry, or take the verification back."""
    organisation_id = await owner_of(session, viewer, slug)
    change = _CHANGES.get(form.text("change"))
    if change is None:
        raise InvalidError(f"an entry can be changed in these ways: {', '.join(_CHANGES)}")
    await LeaderboardService(session).change(viewer.user_id, organisation_id, entry, change)
    shown = {"true": "&hidden=true", "false": "&hidden=false"}.get(form.text("hidden", 5), "")
    return go(f"/b/{slug}/owner?split={quote(form.text('split', 64))}{shown}")


@router.post("/regrades")
async def begin_regrade(slug: SlugPath, viewer: ViewerDep, form: FormDep, session: SessionDep) -> Response:
    """Have every submission graded anew, with a reason that everybody reads."""
    organisation_id = await owner_of(session, viewer, slug)
    try:
        asked = RegradeCreate(reason=form.text("reason", 1000))
    except ValidationError:
        raise InvalidError("say in at least five characters why it is regraded; everybody reads it") from None
    await ask(session, organisation_id, slug, asked.reason)
    return go(f"/b/{slug}/regrades")


@router.post("/reviewers")
async def change_reviewers(
    slug: SlugPath, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep
) -> Response:
    """Let somebody review, by e-mail address, or take it back."""
    organisation_id = await owner_of(session, viewer, slug)
    email = form.text("email", 320)
    if form.text("change") == "remove":
        await remove_reviewer(session, organisation_id, slug, email)
    else:
        await add_reviewer(session, settings.secrets.raw("pepper"), organisation_id, slug, email)
    return go(f"/b/{slug}/owner")


async def owner_of(session: AsyncSession, viewer: Viewer, slug: str) -> UUID:
    """The organisation that owns a benchmark, if the viewer is one of its owners. Raises NotYourBenchmarkError."""
    benchmark = await CatalogService(session).benchmark(slug, unpublished=True)
    found = await AccountRepository(session).membership(viewer.user_id, benchmark.organisation_id)
    if found is None or found.role != MemberRole.OWNER:
        raise NotYourBenchmarkError("your organisation owns no benchmark with this slug")
    return benchmark.organisation_id
