"""Problems of open splits, for everybody: statement, pictures, gold, and how each model answered."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from api.accounts.principal import Public
from api.catalog.models import ReleaseRow, SplitRow
from api.catalog.repository import CatalogRepository
from api.catalog.service import CatalogService
from api.core.db import AsyncSession
from api.core.deps import CursorsDep, SessionDep
from api.core.errors import NotFoundError
from api.core.ids import public_id
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, SlugPath
from api.problems.deps import FingerprintsDep
from api.problems.repository import ProblemFilters, ProblemRepository, ServedProblem
from api.submissions.open_items import OpenItemRepository
from api.web.render import page_with_formulas
from api.web.viewer import MaybeViewerDep
from packs.benchmark import Visibility
from protection import canaries
from protection.fingerprints import shown_as

router = APIRouter(
    prefix="/b/{slug}",
    tags=["pages"],
    dependencies=[Depends(Public()), Depends(limited("public"))],
    include_in_schema=False,
)
_PAGE = 50
_MODELS = 40
_BEGINNING = 160


@router.get("/problems", response_class=HTMLResponse)
async def problems_page(
    request: Request,
    slug: SlugPath,
    session: SessionDep,
    cursors: CursorsDep,
    _viewer: MaybeViewerDep,
    split: Annotated[str, Query(max_length=64)] = "dev",
    subject: Annotated[str, Query(max_length=100)] = "",
    cursor: CursorQuery = None,
) -> HTMLResponse:
    """The problems of an open split, with the beginnings of their statements."""
    release, row = await _open_split(session, slug, split)
    listing = f"pages:problems:{row.id}:{subject}"
    after = cursors.decode(listing, cursor)
    filters = ProblemFilters(subject=subject or None)
    items = await ProblemRepository(session).page(row.id, after[0] if after else 0, _PAGE, filters)
    context = {
        "benchmark": await CatalogService(session).show(slug),
        "release": release,
        "split": row,
        "subject": subject,
        "items": [(item, _beginning(item)) for item in items],
        "following": cursors.encode(listing, [items[-1].position]) if len(items) == _PAGE else None,
    }
    return page_with_formulas(request, "problems.html", context)


@router.get("/problems/{split}/{position}", response_class=HTMLResponse)
async def problem_page(
    request: Request,
    slug: SlugPath,
    split: SlugPath,
    position: Annotated[int, Path(ge=1, le=10_000_000)],
    session: SessionDep,
    fingerprints: FingerprintsDep,
    _viewer: MaybeViewerDep,
) -> HTMLResponse:
    """One problem of an open split as it is without variation, its gold, and how each model answered."""
    release, row = await _open_split(session, slug, split)
    repository = ProblemRepository(session)
    found = await repository.page(row.id, position - 1, 1, ProblemFilters())
    if not found or found[0].position != position:
        raise NotFoundError("this split has no problem with this number")
    problem = found[0]
    canary = canaries.draw(fingerprints.key_of(release.id), slug, release.version, "page")
    context = {
        "canary": canary.text,
        "benchmark": await CatalogService(session).show(slug),
        "release": release,
        "split": row,
        "problem": problem,
        "shown": shown_as(problem, None),
        "answers": await OpenItemRepository(session).answers(row.board, problem.id, _MODELS),
        "public_id": public_id,
    }
    return page_with_formulas(request, "problem.html", context)


@router.get("/files/{version}/{path:path}")
async def open_file(
    slug: SlugPath,
    version: Annotated[str, Path(max_length=40)],
    path: Annotated[str, Path(max_length=300)],
    session: SessionDep,
) -> Response:
    """A picture of an open problem. Pictures of hidden ones need a key, whatever their name."""
    row = await CatalogRepository(session).open_asset(slug, version, path)
    if row is None:
        raise NotFoundError("no open problem of this version has such a picture")
    return Response(row.content, media_type=row.media_type, headers={"Content-Security-Policy": "sandbox"})


async def _open_split(session: AsyncSession, slug: str, name: str) -> tuple[ReleaseRow, SplitRow]:
    """An open split of the current release. Raises NoBenchmarkError, NoSplitError, NotFoundError."""
    release, row = await CatalogService(session).split(slug, name)
    if row.visibility != Visibility.DEV:
        raise NotFoundError("problems of a hidden split are served to keys alone, a few at a time")
    return release, row


def _beginning(row: ServedProblem) -> str:
    text = " ".join(shown_as(row, None).statement.split())
    return text if len(text) <= _BEGINNING else text[: _BEGINNING - 1] + "…"
