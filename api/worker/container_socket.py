"""What a container sees of the service: a socket in its sandbox, with problems, sessions and the way to its endpoint.

The JSON is that of the HTTP interface; there is no key, for there is nobody else on the socket, and nothing else is
reached through it. Whatever comes is bounded before it is read. What the container asks of the endpoint is asked by the
worker: with the sealed key, at the run's pace, within its caps.
"""

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import uvicorn
from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from api.core.errors import ServiceError
from api.sessions.schemas import SessionCreate, SessionFinish, StepCreate
from api.worker.container_desk import ContainerAnswer, ContainerDesk
from api.worker.endpoint_model import EndpointRejectedError
from envs.sandbox.base import Sandbox

FOLDER, SOCKET = "/run/heldout", "service.sock"
PLACE = f"{FOLDER}/{SOCKET}"
_README = b"The service listens on service.sock: docs/containers.md.\n"
_LARGEST = 8 << 20
_AT_ONCE = 32
_BACKLOG = 64
T = TypeVar("T", bound=BaseModel)


@asynccontextmanager
async def served(sandbox: Sandbox, desk: ContainerDesk, meeting: Path | None = None) -> AsyncIterator[None]:
    """While this is open, the desk is to be reached on the socket in the sandbox.

    `meeting` is the machine's folder that the sandbox sees there; without one the folder is made inside.
    """
    if meeting is None:
        await sandbox.write_file(f"{FOLDER}/README", _README)
        folder = await sandbox.locate(FOLDER)
    else:
        (meeting / "README").write_bytes(_README)
        folder = os.open(meeting, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        place = f"/proc/self/fd/{folder}/{SOCKET}"
        listening.bind(place)
        Path(place).chmod(0o666)  # in the sandbox, which is one container's alone
        listening.listen(_BACKLOG)
        listening.setblocking(False)
        server = _Server(uvicorn.Config(application(desk), **_OPTIONS))
        task = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield
        finally:
            server.should_exit = server.force_exit = True
            with contextlib.suppress(asyncio.CancelledError):
                await task
    finally:
        os.close(folder)
        listening.close()


_OPTIONS: dict[str, Any] = {
    "http": "h11",
    "ws": "none",
    "lifespan": "off",
    "log_config": None,
    "access_log": False,
    "proxy_headers": False,
    "server_header": False,
    "limit_concurrency": _AT_ONCE,
    "h11_max_incomplete_event_size": 1 << 16,
}


class _Server(uvicorn.Server):
    """One that leaves the worker's signals alone."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def application(desk: ContainerDesk) -> Starlette:
    """The desk over HTTP."""

    async def problems(_: Request) -> Response:
        return JSONResponse({"items": [item.model_dump(mode="json") for item in await desk.problems()]})

    async def picture(request: Request) -> Response:
        found = await desk.picture(request.url.path)
        if found is None:
            raise HTTPException(404)
        return Response(found.content, media_type=found.media_type)

    async def answer(request: Request) -> Response:
        await desk.answer(await _read(request, ContainerAnswer))
        return Response(status_code=204)

    async def episodes(_: Request) -> Response:
        return JSONResponse({"items": [item.model_dump(mode="json") for item in await desk.episodes()]})

    async def open_session(request: Request) -> Response:
        opened = await desk.open((await _read(request, SessionCreate)).problem)
        return JSONResponse(opened.model_dump(mode="json"), 201)

    async def show(request: Request) -> Response:
        return JSONResponse((await desk.show(request.path_params["session"])).model_dump(mode="json"))

    async def step(request: Request) -> Response:
        reply = await desk.step(request.path_params["session"], await _read(request, StepCreate))
        return Response(msgspec.json.encode(reply), media_type="application/json")

    async def finish(request: Request) -> Response:
        end = await _read(request, SessionFinish)
        return JSONResponse((await desk.finish(request.path_params["session"], end)).model_dump(mode="json"))

    async def complete(request: Request) -> Response:
        asked = json.loads(await _body(request) or b"null")
        if not isinstance(asked, dict):
            raise HTTPException(422, "send an object with 'messages'")
        return Response(await desk.complete(asked), media_type="application/json")

    asset = "/v1/benchmarks/{slug}/assets/{version}/{path:path}"
    return Starlette(
        routes=[
            Route("/v1/problems", problems),
            Route(asset, picture),
            Route("/v1/answers", answer, methods=["POST"]),
            Route("/v1/episodes", episodes),
            Route("/v1/sessions", open_session, methods=["POST"]),
            Route("/v1/sessions/{session}", show),
            Route("/v1/sessions/{session}/steps", step, methods=["POST"]),
            Route("/v1/sessions/{session}/finish", finish, methods=["POST"]),
            Route("/v1/chat/completions", complete, methods=["POST"]),
        ],
        exception_handlers={
            ServiceError: _refused,
            EndpointRejectedError: _rejected,
            ValidationError: _invalid,
            ValueError: _invalid,
        },
    )


async def _read(request: Request, model: type[T]) -> T:
    return model.model_validate_json(await _body(request))


async def _body(request: Request) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > _LARGEST:
            raise HTTPException(413, f"at most {_LARGEST} bytes")
        parts.append(part)
    return b"".join(parts)


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, ServiceError)
    told = {"code": error.code, "detail": error.detail, "status": error.status}
    return JSONResponse(told | error.extensions, error.status, headers=error.headers)


def _rejected(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": {"message": str(error), "type": "endpoint_rejected"}}, 400)


def _invalid(_: Request, error: Exception) -> Response:
    del error
    return JSONResponse({"code": "invalid", "detail": "the body is not of this form", "status": 422}, 422)
