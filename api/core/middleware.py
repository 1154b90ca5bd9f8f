"""What every response carries: a request id, and the requests to crawlers and caches. Plain ASGI, no buffering."""

import secrets

import structlog
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_COMMON = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex, nofollow, noarchive, noai, noimageai",
    "Content-Usage": "train-ai=n, search=n",
}
_API = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
PAGES_CSP = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; font-src 'self'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# A channel that is refused is answered as a request is.
_STARTS = ("http.response.start", "websocket.http.response.start")
# Under "no-referrer" a browser sends `Origin: null` with forms, and the check of where a form came from needs it.
_PAGES = {"Content-Security-Policy": PAGES_CSP, "Referrer-Policy": "same-origin"}


class Envelope:
    """Gives each request an id and each response its headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id = f"req_{secrets.token_hex(12)}"
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        extra = _COMMON | (_API if scope["path"].startswith("/v1") else _PAGES)

        async def with_headers(message: Message) -> None:
            if message["type"] in _STARTS:
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                for name, value in extra.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, with_headers)
