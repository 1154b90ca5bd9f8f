"""/healthz: the process lives. /readyz: it can serve."""

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from api.accounts.principal import Public
from api.core.db import unreachable
from api.core.deps import SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import Model
from api.operations.readiness import readiness
from api.submissions.schemas import MAX_ANSWER, MAX_ITEMS

router = APIRouter(tags=["operations"], dependencies=[Depends(Public())], include_in_schema=False)


public = APIRouter(prefix="/v1", tags=["operations"], dependencies=[Depends(Public()), Depends(limited("public"))])


class ServiceLimits(Model):
    """What one request may hold, in characters, items and bytes; and seconds until an idle episode ends."""

    answer_characters: int
    items: int
    body_bytes: int
    session_idle_seconds: int


@public.get("/limits")
async def limits(settings: SettingsDep) -> ServiceLimits:
    """What the service takes: ask before a long run."""
    return ServiceLimits(
        answer_characters=MAX_ANSWER,
        items=MAX_ITEMS,
        body_bytes=settings.max_body_bytes,
        session_idle_seconds=settings.session_idle_seconds,
    )


@router.get("/healthz", response_class=PlainTextResponse)
async def health() -> str:
    """The process answers, whatever it needs does not: who asks ends processes that do not. So it has no limit."""
    return "ok\n"


@router.get("/readyz", dependencies=[Depends(limited("public"))])
async def ready(request: Request) -> Response:
    """200, with each lane's queue as `moves` or `stands`; 503 with what is wrong. No number, name or secret."""
    try:
        async with request.app.state.database.session() as session:
            found = await readiness(session)
    except Exception as error:
        if unreachable(error) is None:
            raise
        return JSONResponse({"ready": False, "faults": ["the database does not answer"]}, 503)
    if found.faults:
        return JSONResponse({"ready": False, "faults": found.faults}, 503)
    return JSONResponse({"ready": True, "queue": found.queue})
