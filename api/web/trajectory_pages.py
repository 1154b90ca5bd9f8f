"""An episode step by step: for its own organisation while it runs and after, for everybody where a board lists it."""

import asyncio
import base64
import binascii
import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse

from api.accounts.principal import Public
from api.accounts.repository import AccountRepository
from api.core.crypto import Aliases
from api.core.db import AsyncSession, Database
from api.core.deps import AliasesDep, SessionDep, SettingsDep
from api.core.errors import NotFoundError
from api.core.ids import parse_id, public_id
from api.core.ratelimit import limited
from api.core.schemas import IdPath
from api.core.settings import Settings
from api.hosting.models import OVER
from api.problems.deps import FingerprintsDep
from api.sessions.schemas import SessionPublic, TranscriptStep
from api.sessions.trajectories import TrajectoryAccess, TrajectoryRepository
from api.sessions.view import transcript_step, view
from api.web.inspect_log import inspect_log
from api.web.render import page, templates
from api.web.viewer import MaybeViewerDep, Viewer
from protection.fingerprints import Fingerprints

router = APIRouter(
    prefix="/t/{session}",
    tags=["pages"],
    dependencies=[Depends(Public()), Depends(limited("public"))],
    include_in_schema=False,
)
_LOOK_SECONDS = 1.0
# Then the browser asks again, and whoever was signed out meanwhile sees no more.
_LOOKS = 240
# Of one organisation in one process: each looks at the database every second.
_WATCHED_AT_ONCE = 8
_BUSY = "retry: 30000\n: your organisation watches as many episodes as it may\n\n"


@dataclass(frozen=True)
class _Reader:
    """What the view of an episode is made with."""

    aliases: Aliases
    fingerprints: Fingerprints
    settings: Settings

    async def read(self, session: AsyncSession, session_id: UUID) -> SessionPublic:
        idle = self.settings.session_idle_seconds
        return await view(session, self.aliases, self.fingerprints, session_id, idle, whole=True)


async def _reader(aliases: AliasesDep, fingerprints: FingerprintsDep, settings: SettingsDep) -> _Reader:
    return _Reader(aliases, fingerprints, settings)


ReaderDep = Annotated[_Reader, Depends(_reader)]


@dataclass(frozen=True)
class ShownStep:
    """A step with the seconds since the one before; None for the first that is shown."""

    step: TranscriptStep
    seconds: float | None


@router.get("", response_class=HTMLResponse)
async def trajectory_page(
    request: Request,
    session: IdPath,
    database: SessionDep,
    reader: ReaderDep,
    viewer: MaybeViewerDep,
    search: Annotated[str, Query(max_length=200)] = "",
) -> HTMLResponse:
    """Instruction, every step with what was observed, how it ended; with `search` only steps that have the words."""
    where, own = await _access(database, session, viewer)
    shown = await reader.read(database, where.id)
    steps = timed(shown.transcript or [])
    context = {
        "session": session,
        "where": where,
        "own": own,
        "shown": shown,
        "steps": [step for step in steps if not search or _has(step.step, search.casefold())],
        "search": search,
        "live": own and where.state not in OVER,
        "submission": public_id("sub", where.submission_id) if where.submission_id else None,
        "seconds": (where.ended_at - where.started_at).total_seconds() if where.ended_at else None,
    }
    return page(request, "trajectory.html", context)


@router.get("/export.json")
async def export_json(session: IdPath, database: SessionDep, reader: ReaderDep, viewer: MaybeViewerDep) -> Response:
    """The whole episode as the API gives it to its own organisation."""
    where, _ = await _access(database, session, viewer)
    shown = await reader.read(database, where.id)
    return _download(shown.model_dump(mode="json"), f"{session}.json")


@router.get("/inspect.json")
async def export_inspect(session: IdPath, database: SessionDep, reader: ReaderDep, viewer: MaybeViewerDep) -> Response:
    """The same as a log of Inspect."""
    where, _ = await _access(database, session, viewer)
    return _download(inspect_log(where, await reader.read(database, where.id)), f"{session}-inspect.json")


@router.get("/steps/{number}/{name}.png")
async def step_picture(
    session: IdPath,
    number: Annotated[int, Path(ge=0, le=100_000)],
    name: Annotated[str, Path(max_length=100)],
    database: SessionDep,
    viewer: MaybeViewerDep,
) -> Response:
    """A picture that was observed."""
    where, _ = await _access(database, session, viewer)
    found = await TrajectoryRepository(database).since(where.id, number - 1)
    images = found[0].observation.get("images") or {} if found and found[0].number == number else {}
    try:
        content = base64.b64decode(images[name], validate=True)
    except (KeyError, binascii.Error):
        raise NotFoundError("nothing of this name was observed at this step") from None
    return Response(content, media_type="image/png", headers={"Content-Security-Policy": "sandbox"})


@router.get("/events")
async def events(
    request: Request,
    session: IdPath,
    database: SessionDep,
    viewer: MaybeViewerDep,
    after: Annotated[int, Query(ge=-1, le=100_000)] = -1,
    last_event_id: Annotated[str, Header(max_length=20)] = "",
) -> Response:
    """Steps as they are taken, as server-sent events with HTML, for the episode's own organisation."""
    where, own = await _access(database, session, viewer)
    if not own:
        raise NotFoundError("episodes are watched by their own organisation")
    begin = int(last_event_id) if last_event_id.isdecimal() else after
    watched: Counter[UUID] = request.app.state.watched
    stream = _bounded(watched, where.organisation_id, _events(request.app.state.database, where.id, session, begin))
    # Proxies that gather a response before they send it would turn a live view into none.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


async def _bounded(watched: Counter[UUID], organisation: UUID, events: AsyncIterator[str]) -> AsyncIterator[str]:
    """The events, unless the organisation watches as many episodes as it may: then the browser asks again later."""
    if watched[organisation] >= _WATCHED_AT_ONCE:
        yield _BUSY
        return
    watched[organisation] += 1
    try:
        async for event in events:
            yield event
    finally:
        watched[organisation] -= 1
        if not watched[organisation]:
            del watched[organisation]


async def _events(database: Database, session_id: UUID, public: str, after: int) -> AsyncIterator[str]:
    for _ in range(_LOOKS):
        async with database.session() as session:
            repository = TrajectoryRepository(session)
            over = await repository.state(session_id) in OVER
            steps = await repository.since(session_id, after)
        for step in steps:
            after = step.number
            shown = ShownStep(transcript_step(step), None)
            html = templates.get_template("_step.html").render(item=shown, session=public)
            yield f"id: {after}\nevent: step\ndata: {json.dumps(html)}\n\n"
        if over and not steps:
            yield "event: over\ndata: {}\n\n"
            return
        if not steps:
            yield ": waiting\n\n"
            await asyncio.sleep(_LOOK_SECONDS)


async def _access(session: AsyncSession, public: str, viewer: Viewer | None) -> tuple[TrajectoryAccess, bool]:
    """An episode that the viewer may read, and whether it is their own. Raises NotFoundError for any other alike."""
    identity = parse_id("ses", public)
    where = await TrajectoryRepository(session).access(identity) if identity else None
    if where is not None and not where.unseen:
        found = viewer and await AccountRepository(session).membership(viewer.user_id, where.organisation_id)
        if where.public or found:
            return where, found is not None
    raise NotFoundError("no board lists a run with such an episode, and it is none of your organisation")


def timed(steps: list[TranscriptStep]) -> list[ShownStep]:
    """Steps with the seconds between them."""
    before = [None, *(step.at for step in steps)]
    return [
        ShownStep(step, (step.at - earlier).total_seconds() if earlier else None)
        for step, earlier in zip(steps, before, strict=False)
    ]


def _has(step: TranscriptStep, words: str) -> bool:
    action = step.action.model_dump_json() if step.action else ""
    return words in f"{action}\n{step.observation.text}\n{step.error or ''}\n{step.answer or ''}".casefold()


def _download(document: dict[str, object], name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return JSONResponse(document, headers=headers)
