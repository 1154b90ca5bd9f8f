"""Pages of a benchmark: its leaderboard with all that belongs to it, models side by side, a key to take part with."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse

from api.accounts.errors import NoOrganisationError
from api.accounts.principal import Public
from api.accounts.repository import AccountRepository
from api.accounts.service import AccountService
from api.catalog.errors import NoSplitError
from api.catalog.models import SplitRow
from api.catalog.schemas import BenchmarkPublic, SplitPublic
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.deps import CursorsDep, SessionDep, SettingsDep
from api.core.errors import InvalidError
from api.core.ids import parse_id, public_id
from api.core.pagination import Cursors
from api.core.ratelimit import limited
from api.core.schemas import SlugPath, VersionQuery
from api.feedback.service import FeedbackService
from api.leaderboard.columns import Place, columns_of, filled, written
from api.leaderboard.filters import Filters
from api.leaderboard.repository import LeaderboardRepository, Point
from api.leaderboard.schemas import EntryPublic
from api.leaderboard.service import LeaderboardService
from api.matches.repository import MatchRepository
from api.page_cache.conditions import holds_until
from api.problems.deps import FingerprintsDep
from api.submissions.comparison import paired_differences
from api.web.access_pages import access_status_of
from api.web.account_pages import USUAL
from api.web.badges import badge
from api.web.board_query import BoardQuery, BoardQueryDep
from api.web.charts import against_cost, against_date, interval_bar
from api.web.citation import bibtex
from api.web.cookies import origin
from api.web.forms import FormDep
from api.web.markdown import has_formulas, render
from api.web.render import page, page_with_formulas
from api.web.viewer import MaybeViewerDep, Viewer, ViewerDep, signed_in
from envs.base import FinishReason
from packs.benchmark import Scoring, Visibility
from protection import canaries

router = APIRouter(
    prefix="/b/{slug}",
    tags=["pages"],
    dependencies=[Depends(Public()), Depends(limited("public"))],
    include_in_schema=False,
)
joining = APIRouter(
    prefix="/b/{slug}",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
_PAGE = 50
_UNRANKED = 20
_POINTS = 200
_RECORDS = 30
_MAX_SUBJECTS = 8
_COMPARED = 5
_KEY_DAYS = 30


@router.get("", response_class=HTMLResponse)
async def benchmark_page(
    request: Request,
    slug: SlugPath,
    session: SessionDep,
    settings: SettingsDep,
    cursors: CursorsDep,
    fingerprints: FingerprintsDep,
    viewer: MaybeViewerDep,
    asked: BoardQueryDep,
) -> HTMLResponse:
    """A benchmark's card and the leaderboard of one of its splits: a hidden one unless asked otherwise.

    `version`: the board of an earlier release; the rest of the page is that of the current one.
    """
    benchmark = await CatalogService(session).show(slug)
    split = _split_of(benchmark, asked.split)
    release, row = await CatalogService(session).split(slug, split.name, asked.version)
    known = viewer if benchmark.agreement is not None else None
    statuses, undecided = await access_status_of(session, known, slug) if known is not None else ([], [])
    rules = await FeedbackService(session, settings).rules(row.id)
    holds_until(request, rules.next_release if rules else None)
    card = render(benchmark.card, formulas=True)
    context: dict[str, Any] = {
        "canary": canaries.draw(fingerprints.key_of(release.id), slug, release.version, "page").text,
        "benchmark": benchmark,
        "split": split,
        "release": release,
        "asked": asked,
        "card": card,
        "formulas": has_formulas(card),
        "agreement": render(benchmark.agreement.text) if benchmark.agreement else None,
        "statuses": statuses,
        "open": undecided or not statuses,
        "rules": rules,
        "config": row.config,
        "citation": bibtex(benchmark, origin(request)),
        "origin": origin(request),
        **await _board(session, cursors, row, asked),
        "rated": await MatchRepository(session).rated(release.benchmark_id),
        **await _joining(session, viewer),
    }
    return (page_with_formulas if context["formulas"] else page)(request, "benchmark.html", context)


@router.get("/compare", response_class=HTMLResponse)
async def compare_page(
    request: Request,
    slug: SlugPath,
    session: SessionDep,
    _viewer: MaybeViewerDep,
    entry: Annotated[list[str] | None, Query(max_length=64)] = None,
    split: Annotated[str, Query(max_length=64)] = "",
    version: VersionQuery = None,
) -> HTMLResponse:
    """Two to five entries side by side; on an open split with their paired differences."""
    benchmark = await CatalogService(session).show(slug)
    shown = _split_of(benchmark, split or None)
    release, row = await CatalogService(session).split(slug, shown.name, version or None)
    chosen = [found for text in dict.fromkeys(entry or ()) if (found := parse_id("sub", text))]
    if not 2 <= len(chosen) <= _COMPARED:
        raise InvalidError(f"choose two to {_COMPARED} entries on the leaderboard")
    entries = await LeaderboardService(session).some(row, chosen)
    open_split = row.visibility == Visibility.DEV
    listed = [found for found in chosen if public_id("sub", found) in {one.submission for one in entries}]
    pairs = await paired_differences(session, listed, Scoring.model_validate(release.scoring)) if open_split else []
    context = {
        "benchmark": benchmark,
        "split": shown,
        "release": release,
        "version": version,
        "entries": entries,
        "open_split": open_split,
        "pairs": pairs,
        "names": {one.submission: one.model.name for one in entries},
        "public": lambda identity: public_id("sub", identity),
        "subjects": _subjects(entries),
        "written": written,
        "columns": filled(columns_of(Place.PAGE), [one.cells for one in entries]),
        "bar": interval_bar,
    }
    return page(request, "compare.html", context)


@router.get("/badge.svg")
async def benchmark_badge(
    slug: SlugPath, session: SessionDep, split: Annotated[str, Query(max_length=64)] = ""
) -> Response:
    """The best score of a split as an image for a README."""
    benchmark = await CatalogService(session).show(slug)
    shown = _split_of(benchmark, split or None)
    _, row = await CatalogService(session).split(slug, shown.name)
    points = await LeaderboardRepository(session).points(row.board, Filters(), 1)
    best = f"best {points[0].score:.3f}" if points else "no entry yet"
    return Response(badge(f"{slug} · {shown.name}", best), media_type="image/svg+xml")


@joining.post("/take-part", response_class=HTMLResponse)
async def make_joining_key(
    request: Request, slug: SlugPath, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep
) -> HTMLResponse:
    """A key for one's own commands; this page is the only place that ever shows it."""
    benchmark = await CatalogService(session).show(slug)
    split = _split_of(benchmark, form.text("split", 64) or None)
    organisation = await AccountRepository(session).organisation_by_slug(form.text("organisation", 64))
    if organisation is None:
        raise NoOrganisationError("choose one of your organisations")
    service, scopes = AccountService(session, settings.secrets.raw("pepper")), list(USUAL)
    await service.may_give(viewer.user_id, organisation.id, scopes)
    _, key = await service.create_key(viewer.user_id, organisation.id, f"take part in {slug}", scopes, _KEY_DAYS)
    context = {"benchmark": benchmark, "split": split, "key": key, "origin": origin(request), "days": _KEY_DAYS}
    return page(request, "take_part_key.html", context)


def _split_of(benchmark: BenchmarkPublic, name: str | None) -> SplitPublic:
    """The split of this name; without one a hidden split, if there is one. Raises NoSplitError."""
    hidden = [item for item in benchmark.splits if item.visibility != Visibility.DEV]
    if name is None:
        return (hidden or benchmark.splits)[0]
    found = next((item for item in benchmark.splits if item.name == name), None)
    if found is None:
        raise NoSplitError(f"the splits are: {', '.join(item.name for item in benchmark.splits)}")
    return found


async def _board(session: AsyncSession, cursors: Cursors, row: SplitRow, asked: BoardQuery) -> dict[str, Any]:
    """The table with those apart that did not answer all, the charts and the history of the best."""
    service, repository = LeaderboardService(session), LeaderboardRepository(session)
    ranked = replace(asked.filters, coverage="full")
    listing = f"page:{row.id}:{ranked}"
    entries, last = await service.page(row, ranked, cursors.decode(listing, asked.cursor), _PAGE)
    unranked: list[EntryPublic] = []
    points: list[Point] = []
    records: list[Point] = []
    if asked.cursor is None:
        unranked, _ = await service.page(row, replace(asked.filters, coverage="partial"), None, _UNRANKED)
        points = await repository.points(row.board, asked.filters, _POINTS)
        records = await repository.records(row.board, _RECORDS) if points else []
    cells = [entry.cells for entry in [*entries, *unranked]]
    return {
        "entries": entries,
        "unranked": unranked,
        "columns": asked.shown(cells),
        "offered": columns_of(Place.PAGE),
        "written": written,
        "bar": interval_bar,
        "subjects": _subjects(entries),
        "ends": _ends(entries),
        "cost_chart": against_cost(points),
        "date_chart": against_date(points, [] if asked.filters.narrowed else records),
        "records": records,
        "public_id": lambda point: public_id("sub", point.submission_id),
        "following": asked.link(cursor=cursors.encode(listing, last)) if last else None,
    }


async def _joining(session: AsyncSession, viewer: Viewer | None) -> dict[str, Any]:
    """The organisations for which a signed-in reader can make a key."""
    found = await AccountRepository(session).organisations_of(viewer.user_id) if viewer else []
    return {"organisations": [row for row, _ in found]}


def _ends(entries: list[EntryPublic]) -> list[str]:
    """Finish reasons of the episodes behind these entries, in their usual order."""
    names = {name for entry in entries for name in entry.breakdown.get("finish_reason", {})}
    return [reason.value for reason in FinishReason if reason.value in names]


def _subjects(entries: list[EntryPublic]) -> list[str]:
    names = {name for entry in entries for name in entry.breakdown.get("subject", {})}
    return sorted(names) if len(names) <= _MAX_SUBJECTS else []
