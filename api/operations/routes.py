"""/healthz: the process lives. /readyz: it can serve."""

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from api.accounts.principal import Public
from api.core.db import unreachable
from api.core.ratelimit import limited
from api.operations.readiness import readiness

router = APIRouter(
    tags=["operations"], dependencies=[Depends(Public()), Depends(limited("public"))], include_in_schema=False
)


@router.get("/healthz", response_class=PlainTextResponse)
async def health() -> str:
    """The process answers."""
    return "ok\n"


@router.get("/readyz")
async def ready(request: Request) -> Response:
    """200 with {"ready": true, "waiting": answers by lane}; 503 with what is wrong. No name, address or secret."""
    try:
        async with request.app.state.database.session() as session:
            found = await readiness(session)
    except Exception as error:
        if unreachable(error) is None:
            raise
        return JSONResponse({"ready": False, "faults": ["the database does not answer"]}, 503)
    if found.faults:
        return JSONResponse({"ready": False, "faults": found.faults}, 503)
    return JSONResponse({"ready": True, "waiting": found.waiting})
