"""A bare HTTP client on one kept connection, so that the load costs little next to what is measured."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


class Line:
    """One connection. Not safe for concurrent calls."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, key: str) -> None:
        self._reader, self._writer, self._key = reader, writer, key

    @classmethod
    @asynccontextmanager
    async def open(cls, port: int, key: str) -> AsyncIterator["Line"]:
        """Connect to 127.0.0.1; closed at the end."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        try:
            yield cls(reader, writer, key)
        finally:
            writer.close()

    async def post(self, path: str, body: Any) -> tuple[int, Any]:
        """Status and JSON."""
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: heldout\r\nAuthorization: Bearer {self._key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        self._writer.write(head.encode() + content)
        told = (await self._reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        length = next(int(line[15:]) for line in told if line.lower().startswith(b"content-length:"))
        return int(told[0].split()[1]), json.loads(await self._reader.readexactly(length))
