"""Steps over one WebSocket of a session. Whatever goes wrong there is asked again by POST, which says what it is.

Needs the package `websockets` (`pip install 'heldout[channel]'`); without it every step is a POST.
"""

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

from heldout._config import Config
from heldout._flow import Reply, Request

if TYPE_CHECKING:
    import websockets.asyncio.client
    import websockets.sync.client

CONNECT_SECONDS = 20.0
_FAILURES = 3
_LARGEST = 1 << 18


class _Channel:
    """What the sync and the async channel share: when to give it up, and how a message becomes a reply."""

    def __init__(self, config: Config, timeout: float) -> None:
        self._config = config
        self._timeout = timeout
        self._failures = 0

    def _carries(self, request: Request) -> bool:
        return self._failures < _FAILURES and request.body is not None and len(request.body) <= _LARGEST

    def _options(self, request: Request) -> dict[str, Any]:
        return {
            "uri": self._config.base_url.replace("http", "ws", 1) + request.path,
            "additional_headers": self._config.authorization(request) | self._config.headers(),
            "open_timeout": CONNECT_SECONDS,
            "max_size": None,
            "compression": None,
            "user_agent_header": None,
            "ping_interval": None,  # the service pings; a step has its own deadline
        }


def _reply(message: str | bytes) -> Reply:
    content = json.loads(message)
    # A problem document alone has a status; what the POST says in headers stands in it.
    seconds = content.get("retry_after")
    headers = {"x-request-id": str(content.get("request_id", ""))}
    body = message.encode() if isinstance(message, str) else message
    return Reply(content.get("status", 200), headers | ({"retry-after": str(seconds)} if seconds else {}), body)


class Channel(_Channel):
    """The channel of a `Session`; opened at its first step."""

    _line: "websockets.sync.client.ClientConnection | None" = None

    def send(self, request: Request) -> Reply | None:
        """The reply, or None where the POST has to be asked."""
        if not self._carries(request):
            return None
        try:
            from websockets.exceptions import WebSocketException
            from websockets.sync.client import connect
        except ImportError:
            self._failures = _FAILURES
            return None
        try:
            if self._line is None:
                self._line = connect(**self._options(request))
            self._line.send((request.body or b"").decode())
            reply = _reply(self._line.recv(self._timeout))
        except (OSError, ValueError, WebSocketException):
            self._failures += 1
            self.close()
            return None
        except BaseException:
            # Whoever interrupts leaves an answer behind that is not the next step's.
            self.close()
            raise
        self._failures = 0
        return reply

    def close(self) -> None:
        """Close it; the next step opens another."""
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(OSError):
                line.close()


class AsyncChannel(_Channel):
    """The channel of an `AsyncSession`; opened at its first step."""

    _line: "websockets.asyncio.client.ClientConnection | None" = None

    async def send(self, request: Request) -> Reply | None:
        """The reply, or None where the POST has to be asked."""
        if not self._carries(request):
            return None
        try:
            from websockets.asyncio.client import connect
            from websockets.exceptions import WebSocketException
        except ImportError:
            self._failures = _FAILURES
            return None
        try:
            if self._line is None:
                self._line = await connect(**self._options(request))
            await self._line.send((request.body or b"").decode())
            async with asyncio.timeout(self._timeout):
                reply = _reply(await self._line.recv())
        except (OSError, ValueError, WebSocketException):
            self._failures += 1
            await self.close()
            return None
        except BaseException:
            # Whoever is cancelled leaves an answer behind that is not the next step's.
            line, self._line = self._line, None
            if line is not None:
                line.transport.abort()
            raise
        self._failures = 0
        return reply

    async def close(self) -> None:
        """Close it; the next step opens another."""
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(OSError):
                await line.close()
