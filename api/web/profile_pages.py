"""Public pages of submissions, models and organisations: what boards say of them, and more for their own members."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import HTMLResponse

from api.accounts.errors import NoOrganisationError
from api.accounts.group_repository import GroupRepository
from api.accounts.models import Organisation
from api.accounts.principal import Public
from api.accounts.repository import AccountRepository
from api.catalog.models import BenchmarkRow, ReleaseRow, SplitRow
from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.core.deps import AliasesDep, SessionDep, SettingsDep
from api.core.errors import NotFoundError
from api.core.ids import parse_id, public_id
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.leaderboard.columns import Format, Place, columns_of, written
from api.leaderboard.profiles import ProfileRepository
from api.leaderboard.schemas import EntryPublic, Interval
from api.leaderboard.service import LeaderboardService
from api.submissions.models import Submission
from api.submissions.open_items import OpenItemRepository
from api.submissions.repository import SubmissionRepository
from api.submissions.view import view
from api.web.badges import badge
from api.web.charts import interval_bar
from api.web.cookies import origin
from api.web.render import page
from api.web.viewer import MaybeViewerDep, Viewer

router = APIRouter(
    tags=["pages"], dependencies=[Depends(Public()), Depends(limited("public"))], include_in_schema=False
)
_ENTRIES = 200
_ITEMS = 1000


@dataclass(frozen=True)
class _Run:
    """A submission with where it belongs; `entry` is what its board lists, `own` says that the viewer is a member."""

    row: Submission
    benchmark: BenchmarkRow
    release: ReleaseRow
    split: SplitRow
    entry: EntryPublic | None
    own: bool


@router.get("/s/{submission}", response_class=HTMLResponse)
async def submission_page(
    request: Request,
    submission: IdPath,
    session: SessionDep,
    aliases: AliasesDep,
    settings: SettingsDep,
    viewer: MaybeViewerDep,
) -> HTMLResponse:
    """A run: for everybody what its board lists, for its own organisation all that the split's policy allows."""
    run = await _run(session, submission, viewer)
    mine = None
    if run.own:
        mine = await view(session, aliases, settings, run.row, run.benchmark.slug, run.release, run.split)
    organisation = await AccountRepository(session).organisation(run.row.organisation_id)
    context: dict[str, Any] = {
        "submission": submission,
        "benchmark": run.benchmark,
        "release": run.release,
        "split": run.split,
        "entry": run.entry,
        "mine": mine,
        "organisation": organisation,
        "model": mine.model if mine else run.entry and run.entry.model,
        "items": await OpenItemRepository(session).items(run.row.id, _ITEMS),
        "columns": columns_of(Place.PAGE),
        "written": written,
        "bar": interval_bar,
        "public_id": public_id,
        "origin": origin(request),
    }
    return page(request, "submission.html", context)


@router.get("/s/{submission}/badge.svg")
async def submission_badge(submission: IdPath, session: SessionDep) -> Response:
    """What a board says of a run, as an image for a README."""
    run = await _run(session, submission, None)
    entry = run.entry
    assert entry
    score = "near chance" if entry.score is None else f"{entry.score:.3f}"
    rank = "" if entry.rank is None else f" · rank {entry.rank}"
    return Response(badge(f"{run.benchmark.slug} · {run.split.name}", score + rank), media_type="image/svg+xml")


@router.get("/m/{organisation}/{model:path}", response_class=HTMLResponse)
async def model_page(
    request: Request,
    organisation: SlugPath,
    model: Annotated[str, Path(max_length=200)],
    session: SessionDep,
    _viewer: MaybeViewerDep,
) -> HTMLResponse:
    """Every listed run of an organisation's model."""
    owner = await AccountRepository(session).organisation_by_slug(organisation)
    entries = await ProfileRepository(session).entries(owner.id, model, _ENTRIES) if owner else []
    if not entries:
        raise NotFoundError("no board lists such a model of this organisation")
    context = {"organisation": owner, "model": entries[0].model, "name": model, "entries": entries} | _writers()
    return page(request, "model.html", context)


async def public_organisation(request: Request, session: AsyncSession, organisation: Organisation) -> HTMLResponse:
    """What everybody may see of an organisation: its benchmarks and the best of its models.

    Raises NoOrganisationError where there is neither: nobody learns which organisations there are.
    """
    found = await profile(session, organisation)
    if not found["owned"] and not found["entries"]:
        raise NoOrganisationError("you are not a member of an organisation with this name")
    return page(request, "organisation_public.html", {"organisation": organisation} | found)


async def profile(session: AsyncSession, organisation: Organisation) -> dict[str, Any]:
    """Benchmarks that an organisation owns, with whom it shares limits, and the best entries of its models."""
    repository = ProfileRepository(session)
    return {
        "owned": await repository.benchmarks(organisation.id),
        "group": await GroupRepository(session).of(organisation.id),
        "entries": await repository.entries(organisation.id, None, _ENTRIES),
    } | _writers()


def _writers() -> dict[str, Any]:
    """How pages of profiles write what they list."""
    return {
        "public_id": public_id,
        "bar": lambda row: interval_bar(None if row.near_chance else row.score, Interval(low=row.low, high=row.high)),
        "score": lambda row: written(Format.SCORE, None if row.near_chance else row.score),
    }


async def _run(session: AsyncSession, public: str, viewer: Viewer | None) -> _Run:
    """A run that is listed, or of the viewer's own organisation. Raises NotFoundError for any other alike."""
    identity = parse_id("sub", public)
    row = await SubmissionRepository(session).one(identity) if identity else None
    if row is not None:
        benchmark, release, split = await CatalogRepository(session).whereabouts(row.split_id)
        entries = await LeaderboardService(session).some(split, [row.id])
        member = viewer and await AccountRepository(session).membership(viewer.user_id, row.organisation_id)
        if entries or member:
            return _Run(row, benchmark, release, split, entries[0] if entries else None, member is not None)
    raise NotFoundError("no board lists such a run, and it is none of your organisation")
