"""How a host is spoken to: JSON in frames of a length and a body, over a local socket, after a shared token."""

import asyncio
import json
from typing import Any

MAX_FRAME = 64 * 1024 * 1024
_LENGTH = 4


class WireError(Exception):
    """The other side sent no frame, or one that is too large."""


async def send(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    """Write one frame."""
    body = json.dumps(message, separators=(",", ":")).encode()
    if len(body) > MAX_FRAME:
        raise WireError(f"a frame of {len(body)} bytes; at most {MAX_FRAME}")
    writer.write(len(body).to_bytes(_LENGTH, "big") + body)
    await writer.drain()


async def receive(reader: asyncio.StreamReader) -> dict[str, Any] | None:
    """Read one frame; None when the other side has closed."""
    try:
        length = int.from_bytes(await reader.readexactly(_LENGTH), "big")
        if length > MAX_FRAME:
            raise WireError(f"a frame of {length} bytes; at most {MAX_FRAME}")
        return dict(json.loads(await reader.readexactly(length)))
    except asyncio.IncompleteReadError:
        return None
