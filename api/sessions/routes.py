"""`/v1/sessions`."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query, Request, Response

from api.accounts.models import Scope
from api.accounts.principal import Principal, PrincipalDep, Require
from api.core.crypto import Aliases
from api.core.db import AsyncSession, Database
from api.core.deps import AliasesDep, CursorsDep, SessionDep, SettingsDep
from api.core.ids import public_id
from api.core.ratelimit import limited
from api.core.schemas import CursorQuery, IdPath, SlugPath
from api.hosting.models import OVER, LiveSession, SessionState
from api.hosting.session_repository import SessionRepository
from api.hosting.step_views import ObservationPublic, StepPublic, observation_view
from api.problems.deps import FingerprintsDep, serving
from api.sessions.cache import CachedSession, StepCache
from api.sessions.lookup import own_session
from api.sessions.schemas import (
    EpisodeListed,
    EpisodePage,
    SessionCreate,
    SessionFinish,
    SessionPublic,
    StepCreate,
)
from api.sessions.service import SessionService
from api.sessions.shown import Shown
from api.sessions.steps import StepHandler
from api.sessions.view import session_view, view
from envs.base import View
from protection.fingerprints import Fingerprints

_scope = Depends(Require(Scope.SESSIONS_WRITE))
router = APIRouter(prefix="/v1", tags=["sessions"], dependencies=[_scope, Depends(limited("write"))])
stepping = APIRouter(prefix="/v1", tags=["sessions"], dependencies=[_scope, Depends(limited("steps"))])
reading = APIRouter(prefix="/v1", tags=["sessions"], dependencies=[_scope, Depends(limited("read"))])
IdempotencyKey = Annotated[str | None, Header(max_length=200, min_length=1)]


async def _service(
    request: Request,
    session: SessionDep,
    aliases: AliasesDep,
    principal: PrincipalDep,
    fingerprints: FingerprintsDep,
) -> AsyncIterator[SessionService]:
    # Ends the transaction of authentication: an environment may work for minutes, a connection may not wait for it.
    await session.commit()
    state = request.app.state
    share = state.settings.session_share
    yield SessionService(state.database, aliases, principal, fingerprints, state.host_client, share)


ServiceDep = Annotated[SessionService, Depends(_service, scope="function")]


class _Viewer:
    """Shows a session: read in a transaction of its own, or in one that there is."""

    def __init__(self, database: Database, aliases: Aliases, fingerprints: Fingerprints, idle_seconds: int) -> None:
        self._database = database
        self._aliases = aliases
        self._fingerprints = fingerprints
        self._idle = idle_seconds

    async def __call__(self, session_id: UUID, *, whole: bool = False) -> SessionPublic:
        async with self._database.session() as session:
            return await view(session, self._aliases, self._fingerprints, session_id, self._idle, whole=whole)

    async def within(self, session: AsyncSession, row: LiveSession) -> SessionPublic:
        """The whole of what was read in a transaction that is still open, as it is there."""
        return await view(session, self._aliases, self._fingerprints, row, self._idle, whole=True)

    def of(self, shown: Shown) -> SessionPublic:
        """What was read already."""
        return session_view(shown, self._aliases, self._fingerprints, self._idle)


async def _viewer(
    request: Request, aliases: AliasesDep, fingerprints: FingerprintsDep, settings: SettingsDep
) -> _Viewer:
    return _Viewer(request.app.state.database, aliases, fingerprints, settings.session_idle_seconds)


ViewerDep = Annotated[_Viewer, Depends(_viewer)]


@dataclass(frozen=True)
class _Acting:
    """What an opening and an end are made with; the transaction of authentication is theirs."""

    principal: Principal
    service: SessionService
    viewer: _Viewer


async def _acting(request: Request) -> _Acting:
    database, given = request.app.state.database, await serving(request)
    principal, settings, aliases, marks = given.principal, given.settings, given.aliases, given.fingerprints
    share, idle = settings.session_share, settings.session_idle_seconds
    service = SessionService(database, aliases, principal, marks, request.app.state.host_client, share)
    return _Acting(principal, service, _Viewer(database, aliases, marks, idle))


ActingDep = Annotated[_Acting, Depends(_acting)]


@router.post("/sessions", status_code=201)
async def open_session(
    body: SessionCreate,
    response: Response,
    acting: ActingDep,
    session: SessionDep,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> SessionPublic:
    """Open an episode: instruction, first observation, tools, limits. 429 with Retry-After when all slots are used."""
    viewer, principal = acting.viewer, acting.principal
    opening = await acting.service.open(session, body.problem, body.submission, idempotency_key)
    session_id = opening.id
    response.headers["Location"] = f"/v1/sessions/{public_id('ses', session_id)}"
    opened = viewer.of(opening.shown) if opening.shown else await viewer(session_id)
    if opened.state == SessionState.RUNNING:
        cache: StepCache = request.app.state.step_cache
        cache.add_key(request.headers["Authorization"], principal)
        running = CachedSession(session_id, opened.id, principal.organisation_id, opened.deadline, opened.limits.steps)
        cache.add_session(opened.id, running)
    return opened


@stepping.post("/sessions/{session}/steps")
async def step_session(
    session: IdPath, body: StepCreate, request: Request, principal: PrincipalDep, database: SessionDep
) -> StepPublic:
    """Act. Stored before it is answered; the same number and action again gives the same answer."""
    # Ends the transaction of authentication: the environment may work for minutes.
    await database.commit()
    handler: StepHandler = request.app.state.steps
    return await handler.take(principal, session, body)


@stepping.post("/sessions/{session}/observe")
async def observe_session(session: IdPath, body: View, service: ServiceDep) -> ObservationPublic:
    """Look at a running episode in another mode. It is no step and changes nothing; browsers only."""
    return observation_view(await service.observe(session, body))


@reading.get("/sessions/{session}")
async def show_session(
    session: IdPath, principal: PrincipalDep, database: SessionDep, viewer: ViewerDep
) -> SessionPublic:
    """State and transcript."""
    return await viewer.within(database, await own_session(SessionRepository(database), principal, session))


@router.post("/sessions/{session}/finish")
async def finish_session(
    session: IdPath, body: SessionFinish, acting: ActingDep, database: SessionDep
) -> SessionPublic:
    """End the episode; its state is then looked at from outside and judged. The reply has the transcript."""
    row, viewer = await acting.service.finish(database, session, body), acting.viewer
    # What was over when it was read is the same row still: an agent that reports what it cost asks here.
    return await (viewer.within(database, row) if row.state in OVER else viewer(row.id, whole=True))


@stepping.post("/sessions/{session}/keep-alive", status_code=204)
async def keep_session_alive(session: IdPath, service: ServiceDep) -> None:
    """Say that an action is still thought about: the episode does not end as idle. Its deadline stays."""
    await service.keep_alive(session)


@router.delete("/sessions/{session}")
async def cancel_session(session: IdPath, service: ServiceDep, viewer: ViewerDep) -> SessionPublic:
    """Give the episode up, unjudged; within a submission it counts as not solved."""
    return await viewer(await service.cancel(session))


@reading.get("/benchmarks/{slug}/episodes")
async def list_episodes(
    slug: SlugPath,
    principal: PrincipalDep,
    service: ServiceDep,
    aliases: AliasesDep,
    cursors: CursorsDep,
    split: Annotated[str, Query(max_length=64)],
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 100,
) -> EpisodePage:
    """The ids of a split's episodes, of private splits too: what they ask is shown in a session alone."""
    listing = f"episodes:{slug}:{split}"
    after = cursors.decode(listing, cursor)
    rows = await service.episodes(slug, split, after[0] if after else 0, limit)
    items = [
        EpisodeListed(id=aliases.encode(principal.organisation_id, row.id), type=row.type, subject=row.subject)
        for row in rows
    ]
    following = cursors.encode(listing, [rows[-1].position]) if len(rows) == limit else None
    return EpisodePage(items=items, next=following)
