"""Public pages: the list of benchmarks, a benchmark with its leaderboard, robots.txt. No key, no script."""

from typing import Annotated
from uuid import UUID

from cachetools import LRUCache
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, PlainTextResponse

from api.accounts.principal import Public
from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import InvalidError
from api.core.ratelimit import limited
from api.core.schemas import SlugPath
from api.leaderboard.combined import combined_in
from api.leaderboard.overall_service import overall, played
from api.leaderboard.repository import FrontRepository
from api.page_cache.conditions import holds_with_files
from api.regrades.service import regrades
from api.web.charts import best_bars
from api.web.render import page
from api.web.viewer import MaybeViewerDep

_LISTED = 40
_BEST = 3
_TYPES: LRUCache[UUID, list[str]] = LRUCache(2000)
router = APIRouter(
    tags=["pages"], dependencies=[Depends(Public()), Depends(limited("public"))], include_in_schema=False
)

_ROBOTS = """# Requests to honest crawlers; what is hidden is behind keys and not on these pages.
User-agent: *
Content-Usage: train-ai=n
Disallow: /v1/
Allow: /
"""


@router.get("/", response_class=HTMLResponse)
async def index(
    request: Request,
    session: SessionDep,
    settings: SettingsDep,
    _viewer: MaybeViewerDep,
    search: Annotated[str, Query(max_length=100)] = "",
    tag: Annotated[str, Query(max_length=64)] = "",
    after: Annotated[str, Query(max_length=64)] = "",
) -> HTMLResponse:
    """Every benchmark, or those that match, with the best of its board."""
    if "\0" in search + tag + after:
        raise InvalidError("a search has no character U+0000")
    holds_with_files(request, combined_in(settings.data_dir))
    catalog = CatalogRepository(session)
    rows = await catalog.listed(after or None, _LISTED + 1, search.strip() or None, tag or None)
    shown = rows[:_LISTED]
    releases = [row.release_id for row in shown]
    types = await _types(catalog, releases)
    context = {
        "items": shown,
        "types": types,
        "tags": sorted({name for row in shown for name in types[row.release_id]} | ({tag} if tag else set())),
        "best": await FrontRepository(session).best(releases, _BEST),
        "bars": best_bars,
        "search": search.strip(),
        "tag": tag,
        "following": shown[-1].slug if len(rows) > _LISTED else None,
        "overall": await played(session, settings.data_dir) if shown else [],
    }
    return page(request, "index.html", context)


async def _types(catalog: CatalogRepository, releases: list[UUID]) -> dict[UUID, list[str]]:
    """What kinds of problems releases have; a release never changes, so it is asked once."""
    unknown = [release for release in releases if release not in _TYPES]
    found = await catalog.types(unknown) if unknown else {}
    _TYPES.update(found)
    return {release: found.get(release) or _TYPES.get(release, []) for release in releases}


@router.get("/overall/{name}", response_class=HTMLResponse)
async def overall_page(
    request: Request,
    name: SlugPath,
    session: SessionDep,
    settings: SettingsDep,
    _viewer: MaybeViewerDep,
) -> HTMLResponse:
    """A score over several benchmarks."""
    holds_with_files(request, combined_in(settings.data_dir))
    return page(request, "overall.html", {"board": await overall(session, settings.data_dir, name)})


@router.get("/b/{slug}/regrades", response_class=HTMLResponse)
async def regrades_page(request: Request, slug: SlugPath, session: SessionDep, _viewer: MaybeViewerDep) -> HTMLResponse:
    """What was corrected after publication, and whose scores changed."""
    benchmark = await CatalogService(session).show(slug)
    return page(request, "regrades.html", {"page": await regrades(session, slug), "benchmark": benchmark})


@router.get("/robots.txt", response_class=PlainTextResponse)
async def robots() -> str:
    """What crawlers are asked for."""
    return _ROBOTS
