"""`/v1/benchmarks/{slug}/leaderboard`: public, no key."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request, Response

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Public, Require
from api.catalog.service import CatalogService
from api.core.deps import CursorsDep, SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import CSV_TOO, CursorQuery, IdPath, SlugPath, UtcTime, VersionQuery
from api.core.spreadsheet import table
from api.feedback.service import FeedbackService
from api.leaderboard.columns import COLUMNS, Column, Place, columns_of
from api.leaderboard.combined import combined_in
from api.leaderboard.filters import Access, Coverage, Filters, Order, SortName, owners_filters
from api.leaderboard.overall_service import listed, overall
from api.leaderboard.participants import ParticipantService
from api.leaderboard.schemas import (
    ColumnPublic,
    DeclarationCreate,
    DeclarationPublic,
    EntryChange,
    EntryPublic,
    LeaderboardPage,
    OverallListed,
    OverallPage,
    OwnedEntryPage,
)
from api.leaderboard.service import LeaderboardService
from api.page_cache.conditions import holds_until, holds_with_files

public = APIRouter(prefix="/v1", tags=["leaderboard"], dependencies=[Depends(Public()), Depends(limited("public"))])
router = APIRouter(
    prefix="/v1",
    tags=["leaderboard"],
    dependencies=[Depends(Require(Scope.BENCHMARKS_WRITE)), Depends(limited("owner"))],
)
participants = APIRouter(
    prefix="/v1",
    tags=["leaderboard"],
    dependencies=[Depends(Require(Scope.SUBMISSIONS_WRITE)), Depends(limited("write"))],
)


async def filters(
    everything: Annotated[bool, Query(alias="all")] = False,
    model: Annotated[str | None, Query(max_length=200)] = None,
    organisation: Annotated[str | None, Query(max_length=200)] = None,
    verified: bool | None = None,
    search: Annotated[str | None, Query(max_length=100)] = None,
    access: Access | None = None,
    since: UtcTime | None = None,
    until: UtcTime | None = None,
    coverage: Coverage | None = None,
    sort: SortName = "score",
    order: Order | None = None,
) -> Filters:
    """The filters of the query string."""
    return Filters(
        everything=everything,
        model=model,
        organisation=organisation,
        verified=verified,
        search=search,
        access=access,
        since=since,
        until=until,
        coverage=coverage,
        sort=sort,
        order=order,
    )


FiltersDep = Annotated[Filters, Depends(filters)]


@public.get("/benchmarks/{slug}/leaderboard", response_model=LeaderboardPage, responses=CSV_TOO)
async def show_leaderboard(
    request: Request,
    slug: SlugPath,
    session: SessionDep,
    settings: SettingsDep,
    cursors: CursorsDep,
    chosen: FiltersDep,
    split: Annotated[str, Query(max_length=64)] = "test",
    version: VersionQuery = None,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> LeaderboardPage | Response:
    """Ranks with 95 % intervals; the best entry of each model unless `all=true`; JSON or CSV; any `version`."""
    service = LeaderboardService(session)
    release, row = await CatalogService(session).split(slug, split, version)
    listing = f"leaderboard:{row.id}:{chosen}"
    items, key = await service.page(row, chosen, cursors.decode(listing, cursor), limit)
    following = cursors.encode(listing, key) if key else None
    if form == "csv":
        query = f"split={split}&version={release.version}&format=csv&limit={limit}&cursor={following}"
        link = {"Link": f'<?{query}>; rel="next"'} if following else {}
        return Response(_csv(items), media_type="text/csv", headers=link)
    rules = await FeedbackService(session, settings).rules(row.id)
    holds_until(request, rules.next_release if rules else None)
    return LeaderboardPage(
        benchmark=slug,
        version=release.version,
        split=split,
        feedback=row.feedback,
        rules=rules,
        count=row.problem_count,
        columns=[_column(column) for column in COLUMNS],
        items=items,
        next=following,
    )


@public.get("/overall")
async def list_overall(request: Request, settings: SettingsDep) -> list[OverallListed]:
    """Scores over several benchmarks."""
    holds_with_files(request, combined_in(settings.data_dir))
    return listed(settings.data_dir)


@public.get("/overall/{name}")
async def show_overall(request: Request, name: SlugPath, session: SessionDep, settings: SettingsDep) -> OverallPage:
    """A combined leaderboard; a part without an entry counts 0."""
    holds_with_files(request, combined_in(settings.data_dir))
    return await overall(session, settings.data_dir, name)


@router.get("/benchmarks/{slug}/entries")
async def list_entries(
    slug: SlugPath,
    principal: PrincipalDep,
    session: SessionDep,
    cursors: CursorsDep,
    split: Annotated[str, Query(max_length=64)] = "test",
    hidden: bool | None = None,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> OwnedEntryPage:
    """Every entry of one's own benchmark, also those taken off the board; `hidden` lists these alone, or the others."""
    catalog = CatalogService(session)
    await catalog.owned(slug, [principal.organisation_id])
    release, row = await catalog.split(slug, split)
    listing = f"entries:{row.id}:{hidden}"
    items, key = await LeaderboardService(session).page(
        row, owners_filters(hidden), cursors.decode(listing, cursor), limit
    )
    following = cursors.encode(listing, key) if key else None
    return OwnedEntryPage(benchmark=slug, version=release.version, split=split, items=items, next=following)


@router.patch("/leaderboard/{entry}", status_code=204)
async def change_entry(entry: IdPath, body: EntryChange, principal: PrincipalDep, session: SessionDep) -> None:
    """Hide, restore or verify an entry of one's own benchmark."""
    await LeaderboardService(session).change(principal.user_id, principal.organisation_id, entry, body)


@participants.post("/benchmarks/{slug}/declarations", status_code=201)
async def declare_run(
    slug: SlugPath, body: DeclarationCreate, principal: PrincipalDep, session: SessionDep, settings: SettingsDep
) -> DeclarationPublic:
    """Declare a run before it is made: an entry with this model and this commit as its version carries a mark."""
    return await ParticipantService(session, principal).declare(slug, body, settings.declaration_lead_seconds)


def _column(column: Column) -> ColumnPublic:
    return ColumnPublic(
        name=column.name,
        label=column.label,
        format=column.format,
        hint=column.hint,
        shown_in=sorted(column.shown_in),
        optional=column.optional,
    )


def _csv(items: list[EntryPublic]) -> str:
    columns = columns_of(Place.CSV)
    return table([[column.name for column in columns], *([item.cells[c.name] for c in columns] for item in items)])
