"""The little of HTTP/1.1 the gateway speaks: one request read, one response written."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

HEAD_LIMIT = 64 * 1024


class BadRequest(ValueError):  # noqa: N818
    """What came over the wire is not a request this gateway answers."""


@dataclass(frozen=True)
class Request:
    """A browser's request. `path` starts with a slash; header names are lower case; `body` is whole."""

    method: str
    host: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def form(self) -> list[tuple[str, str]]:
        """The fields of a form sent as `application/x-www-form-urlencoded`, in order, blanks kept."""
        return parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=10_000)


@dataclass(frozen=True)
class Response:
    """A site's answer. `body` is bytes; Content-Length is set by the gateway. `cookies`: values of Set-Cookie."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: tuple[str, ...] = ()

    @classmethod
    def html(cls, text: str, status: int = 200) -> "Response":
        """An HTML page in UTF-8."""
        return cls(status, text.encode(), {"Content-Type": "text/html; charset=utf-8"})


REASONS = {200: "OK", 204: "No Content", 302: "Found", 403: "Forbidden", 404: "Not Found", 413: "Content Too Large"}


def encode(response: Response) -> bytes:
    """The response as bytes on the wire; the connection is closed after it."""
    lines = [f"HTTP/1.1 {response.status} {REASONS.get(response.status, 'Answer')}"]
    skip = {"content-length", "connection", "transfer-encoding"}
    lines += [f"{name}: {value}" for name, value in response.headers.items() if name.lower() not in skip]
    lines += [f"Set-Cookie: {cookie}" for cookie in response.cookies]
    lines += ["Connection: close"]
    if response.status != 204:
        lines += [f"Content-Length: {len(response.body)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace") + response.body


@dataclass(frozen=True)
class Head:
    """The first line and the headers of a request."""

    method: str
    target: str
    headers: dict[str, str]


async def read_head(reader: asyncio.StreamReader) -> Head | None:
    """The head of the next request, or None at the end of the stream. Raises BadRequest."""
    try:
        block = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError as error:
        raise BadRequest(f"the head of a request is longer than {HEAD_LIMIT} bytes") from error
    lines = block.decode("latin-1").split("\r\n")
    parts = lines[0].split(" ")
    if len(parts) != 3:
        raise BadRequest("a request line has a method, a target and a version")
    headers = {}
    for line in filter(None, lines[1:]):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return Head(parts[0].upper(), parts[1], headers)


async def read_body(reader: asyncio.StreamReader, head: Head, limit: int) -> bytes:
    """The body that Content-Length announces. Raises BadRequest above `limit` bytes."""
    length = head.headers.get("content-length", "0")
    if not length.isdigit() or int(length) > limit:
        raise BadRequest(f"a request body is at most {limit} bytes")
    try:
        return await reader.readexactly(int(length))
    except asyncio.IncompleteReadError as error:
        raise BadRequest("the request ended before its body") from error


def request_of(head: Head, body: bytes, host: str | None = None) -> Request:
    """A request from its head; `host` is given inside a tunnel, where the target is a bare path."""
    parts = urlsplit(head.target)
    name = host or (parts.hostname or head.headers.get("host", "")).lower()
    if not host and parts.port not in (None, 80):
        name = f"{name}:{parts.port}"
    return Request(head.method, name, parts.path or "/", parts.query, head.headers, body)
