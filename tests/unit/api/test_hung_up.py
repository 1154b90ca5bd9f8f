"""A client that hangs up in the middle of a form is no fault of the service."""

import pytest
from fastapi import FastAPI, Request
from starlette.types import Message, Scope
from structlog.testing import capture_logs

from api.core import errors
from api.core.middleware import Envelope
from api.web import render


async def test_a_client_that_hangs_up_in_a_form_is_no_error() -> None:
    app = FastAPI()
    errors.install(app)
    render.install(app)

    @app.post("/form")
    async def form(request: Request) -> None:
        await request.form()
        pytest.fail("the form never came whole")

    pieces: list[Message] = [
        {"type": "http.request", "body": b"csrf=ab", "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return pieces.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/x-www-form-urlencoded"), (b"accept", b"text/html")]
    scope: Scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/form",
        "query_string": b"",
        "headers": headers,
    }
    with capture_logs() as logs:
        # What the application raises, uvicorn logs as "Exception in ASGI application".
        await Envelope(app)(scope, receive, send)
    assert [(line["event"], line["log_level"]) for line in logs] == [("client.left", "info")]
    assert sent[0]["status"] == 400
