"""The controller's HTTP: the calls of AgentBench v0.2 under `/api`, of its function-calling variant under `/fc`."""

import base64
import binascii
import hmac
import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Header, HTTPException, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel

from api.controller.function_calls import FunctionCalls
from api.controller.samples import RefusedError, Samples
from heldout.errors import ConnectionFailed, HeldoutError, RateLimited, ServerError

ALIVE = 0


class StartSample(BaseModel):
    name: str
    index: int | str


class Messages(BaseModel):
    messages: list[dict[str, Any]]


class AgentOutput(BaseModel):
    status: Literal["normal", "cancelled", "agent context limit"] = "normal"
    content: str | None = None


class Interact(BaseModel):
    session_id: int
    agent_response: AgentOutput


class Cancel(BaseModel):
    session_id: int


class CalculateOverall(BaseModel):
    """`results` are not looked at: what was played here is judged here."""

    name: str
    results: list[Any] = []


def controller(samples: Samples, key: str) -> FastAPI:
    """The application. Who calls gives `key`: as a bearer's token, or as the password in the controller's address.

    Raises ValueError for an empty key.
    """
    if not key:
        raise ValueError("a controller needs a key: set HELDOUT_API_KEY")

    async def allowed(authorization: Annotated[str, Header()] = "") -> None:
        if not hmac.compare_digest(_given(authorization).encode(), key.encode()):
            raise HTTPException(
                401, "give the controller's key: http://heldout:KEY@HOST:PORT/api", {"WWW-Authenticate": "Basic"}
            )

    app = FastAPI(title="AgentBench controller", docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(_routes(samples), prefix="/api", dependencies=[Depends(allowed)])
    app.include_router(_function_calls(samples), prefix="/fc", dependencies=[Depends(allowed)])
    app.add_exception_handler(RefusedError, _refused)
    app.add_exception_handler(HeldoutError, _failed)
    return app


def _given(authorization: str) -> str:
    scheme, _, value = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    if scheme.lower() != "basic":
        return ""
    try:
        return base64.b64decode(value.strip(), validate=True).decode("utf-8").partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


async def _refused(request: Request, error: Exception) -> Response:
    del request
    assert isinstance(error, RefusedError)
    return PlainTextResponse(f"Error: {error.detail}", error.status)


async def _failed(request: Request, error: Exception) -> Response:
    """A start that finds no room may be tried again (406); a call in the middle that fails is 501, as published."""
    later = isinstance(error, RateLimited | ServerError | ConnectionFailed)
    status = (406 if later else 400) if request.url.path.endswith("/start_sample") else 501
    return PlainTextResponse(f"Error: {error}", status)


def _routes(samples: Samples) -> APIRouter:
    router = APIRouter()

    @router.get("/list_workers")
    def list_workers() -> dict[str, Any]:
        return {name: {"indices": samples.indices(name), "workers": {"0": _worker(name)}} for name in samples.tasks}

    def _worker(name: str) -> dict[str, Any]:
        taken = {"capacity": samples.capacity, "current": samples.current(name)}
        return {"id": 0, "address": "", **taken, "last_visit": time.time(), "status": ALIVE, "locked": False}

    @router.get("/list_sessions")
    def list_sessions() -> dict[int, dict[str, Any]]:
        return {
            sample.id: {
                "name": sample.task.name,
                "index": sample.index,
                "worker_id": 0,
                "locked": sample.lock.locked(),
            }
            for sample in samples.running()
        }

    @router.get("/get_indices")
    def get_indices(name: str) -> list[str]:
        return samples.indices(name)

    @router.post("/start_sample")
    def start_sample(body: StartSample) -> dict[str, Any]:
        return samples.start(body.name, str(body.index))

    @router.post("/interact")
    def interact(body: Interact) -> dict[str, Any]:
        said = body.agent_response
        if said.status == "normal" and said.content is None:
            raise RefusedError(400, "a normal response has a 'content'")
        return samples.interact(body.session_id, said.status, said.content)

    @router.post("/cancel")
    def cancel(body: Cancel) -> dict[str, Any]:
        return samples.cancel(body.session_id)

    @router.post("/cancel_all")
    def cancel_all() -> None:
        for sample in samples.running():
            samples.cancel(sample.id)

    @router.post("/calculate_overall")
    def calculate_overall(body: CalculateOverall) -> dict[str, Any]:
        return samples.overall(body.name)

    return router


def _function_calls(samples: Samples) -> APIRouter:
    """The calls of the function-calling variant's evaluator: the session's number is a header."""
    router, played = APIRouter(), FunctionCalls(samples)
    number = Annotated[int, Header(alias="session_id", convert_underscores=False)]

    @router.get("/get_indices")
    def get_indices(name: str) -> list[str]:
        return samples.indices(name)

    @router.post("/start_sample")
    def start_sample(body: StartSample, response: Response) -> dict[str, Any]:
        session_id, reply = played.start(body.name, str(body.index))
        response.headers["session_id"] = str(session_id)
        return reply

    @router.post("/interact")
    def interact(body: Messages, session_id: number) -> dict[str, Any]:
        return played.interact(session_id, body.messages)

    @router.post("/cancel")
    def cancel(session_id: number) -> None:
        played.cancel(session_id)

    @router.post("/calculate_overall")
    def calculate_overall(body: CalculateOverall) -> dict[str, Any]:
        return samples.overall(body.name)

    return router
