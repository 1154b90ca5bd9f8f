"""One of our own sites as somebody else's deployment: an HTTP server on a port, with hooks of its owner's."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from envs.browser.http1 import HEAD_LIMIT, Request, Response
from envs.web_sites.instance import Instance
from envs.web_sites.listening import answered
from envs.web_sites.site import site

HOOKS = "/owner/"
FETCH = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())"


@dataclass
class Deployment:
    """A site that runs at `port`; its pages are at `address`."""

    instance: Instance
    address: str
    port: int
    resets: int = 0

    @property
    def upstream(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def described(self, **more: Any) -> dict[str, Any]:
        """What its owner writes of it in sites.toml."""
        line = [sys.executable, "-c", FETCH, f"{self.upstream}{HOOKS}cookies?{{role}}"]
        roles = {
            role: {"command": [part.replace("{role}", role) for part in line]} for role in self.instance.site.roles
        }
        return {
            "like": self.instance.site.name,
            "address": self.address,
            "upstream": self.upstream,
            "reset": {"http": {"url": "{upstream}" + f"{HOOKS}reset"}},
            "sign_in": roles,
            "state": {"database": f"sqlite:///{self.instance.database}"},
            "scripts": False,
            "health": {"seconds": 20},
        } | more

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection."""
        await answered(self._answer, reader, writer)

    async def _answer(self, request: Request) -> Response:
        if request.path == f"{HOOKS}reset" and request.method == "POST":
            self.resets += 1
            await self.instance.restore()
            return Response(204)
        if request.path == f"{HOOKS}cookies":
            cookies = await self.instance.cookies(request.query)
            host = self.instance.host.partition(":")[0]
            return Response.html(json.dumps([one | {"domain": host} for one in cookies]))
        return await self.instance(request)


@asynccontextmanager
async def deployment(name: str, seed: int, size: str, host: str = "") -> AsyncIterator[Deployment]:
    """A deployment with the content of a seed; `host` is its name, else its address is where it listens."""
    made: list[Deployment] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await made[0].serve(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=HEAD_LIMIT)
    port = int(server.sockets[0].getsockname()[1])
    public = host or f"127.0.0.1:{port}"
    instance = await Instance.open(site(name), public, seed, size)
    made.append(Deployment(instance, f"http://{public}", port))
    try:
        yield made[0]
    finally:
        server.close()
        await instance.close()
