"""Public pages: the list of benchmarks, a benchmark with its leaderboard, robots.txt. No key, no script."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, PlainTextResponse

from api.accounts.principal import Public
from api.catalog.errors import NoSplitError
from api.catalog.service import CatalogService
from api.core.deps import CursorsDep, SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, SlugPath, VersionQuery
from api.feedback.service import FeedbackService
from api.leaderboard.columns import Place, columns_of, filled, written
from api.leaderboard.overall_service import listed, overall
from api.leaderboard.repository import Filters
from api.leaderboard.schemas import EntryPublic
from api.leaderboard.service import LeaderboardService
from api.regrades.service import regrades
from api.web.access_pages import access_status_of
from api.web.charts import intervals
from api.web.markdown import render
from api.web.render import page
from api.web.viewer import MaybeViewerDep
from envs.base import FinishReason
from protection import canaries

router = APIRouter(
    tags=["pages"], dependencies=[Depends(Public()), Depends(limited("public"))], include_in_schema=False
)

_ROBOTS = """# Requests to honest crawlers; what is hidden is behind keys and not on these pages.
User-agent: *
Content-Usage: train-ai=n
Disallow: /v1/
Allow: /
"""
_MAX_SUBJECTS = 8
_REVIEW_CSP = (
    "default-src 'none'; img-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@router.get("/", response_class=HTMLResponse)
async def index(request: Request, session: SessionDep, settings: SettingsDep, _viewer: MaybeViewerDep) -> HTMLResponse:
    """Every benchmark."""
    items = await CatalogService(session).page(None, 200)
    return page(request, "index.html", {"items": items, "overall": listed(settings.data_dir) if items else []})


@router.get("/overall/{name}", response_class=HTMLResponse)
async def overall_page(
    request: Request,
    name: SlugPath,
    session: SessionDep,
    settings: SettingsDep,
    _viewer: MaybeViewerDep,
) -> HTMLResponse:
    """A score over several benchmarks."""
    return page(request, "overall.html", {"board": await overall(session, settings.data_dir, name)})


@router.get("/b/{slug}", response_class=HTMLResponse)
async def benchmark_page(
    request: Request,
    slug: SlugPath,
    session: SessionDep,
    settings: SettingsDep,
    cursors: CursorsDep,
    viewer: MaybeViewerDep,
    split: Annotated[str | None, Query(max_length=64)] = None,
    cursor: CursorQuery = None,
    everything: Annotated[bool, Query(alias="all")] = False,
    version: VersionQuery = None,
) -> HTMLResponse:
    """A benchmark's card and the leaderboard of one of its splits: a hidden one unless asked otherwise.

    `version`: the board of an earlier release; the rest of the page is that of the current one.
    """
    benchmark = await CatalogService(session).show(slug)
    hidden = [item.name for item in benchmark.splits if item.visibility != "dev"]
    name = split or (hidden or [benchmark.splits[0].name])[0]
    chosen = next((item for item in benchmark.splits if item.name == name), None)
    if chosen is None:
        raise NoSplitError(f"the splits are: {', '.join(item.name for item in benchmark.splits)}")
    service = LeaderboardService(session)
    release, row = await CatalogService(session).split(slug, name, version)
    listing = f"page:{row.id}:{everything}"
    filters = Filters(everything=everything)
    entries, last = await service.page(row, filters, cursors.decode(listing, cursor), 50)
    asked = viewer if benchmark.agreement is not None else None
    statuses, undecided = await access_status_of(session, asked, slug) if asked is not None else ([], [])
    key = request.app.state.fingerprints.key
    context: dict[str, Any] = {
        "canary": canaries.draw(key, slug, benchmark.version, "page").text,
        "benchmark": benchmark,
        "split": chosen,
        "entries": entries,
        "columns": filled(columns_of(Place.PAGE), [entry.cells for entry in entries]),
        "written": written,
        "subjects": _subjects(entries),
        "ends": _ends(entries),
        "chart": intervals([entry for entry in entries if entry.score is not None][:20]),
        "card": render(benchmark.card),
        "everything": everything,
        "release": release,
        "versioned": f"&version={version}" if version else "",
        "agreement": render(benchmark.agreement.text) if benchmark.agreement else None,
        "statuses": statuses,
        "open": undecided or not statuses,
        "rules": await FeedbackService(session, settings).rules(row.id),
        "following": cursors.encode(listing, last) if last else None,
    }
    return page(request, "benchmark.html", context)


@router.get("/b/{slug}/regrades", response_class=HTMLResponse)
async def regrades_page(request: Request, slug: SlugPath, session: SessionDep, _viewer: MaybeViewerDep) -> HTMLResponse:
    """What was corrected after publication, and whose scores changed."""
    return page(request, "regrades.html", {"page": await regrades(session, slug)})


@router.get("/review/{slug}", response_class=HTMLResponse)
async def review_page(request: Request, slug: SlugPath, session: SessionDep, _viewer: MaybeViewerDep) -> HTMLResponse:
    """The page on which people grade; it holds nothing until a reviewer's key is given, which stays in the tab."""
    benchmark = await CatalogService(session).show(slug)
    response = page(request, "review.html", {"benchmark": benchmark})
    # KaTeX sets sizes and positions as inline styles.
    response.headers["Content-Security-Policy"] = _REVIEW_CSP
    return response


@router.get("/robots.txt", response_class=PlainTextResponse)
async def robots() -> str:
    """What crawlers are asked for."""
    return _ROBOTS


def _ends(entries: list[EntryPublic]) -> list[str]:
    """Finish reasons of the episodes behind these entries, in their usual order."""
    names = {name for entry in entries for name in entry.breakdown.get("finish_reason", {})}
    return [reason.value for reason in FinishReason if reason.value in names]


def _subjects(entries: list[EntryPublic]) -> list[str]:
    names = {name for entry in entries for name in entry.breakdown.get("subject", {})}
    return sorted(names) if len(names) <= _MAX_SUBJECTS else []
