"""A site on a port of this machine, for a person's own browser."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from envs.browser.http1 import HEAD_LIMIT, BadRequest, Request, Response, encode, read_body, read_head, request_of
from envs.web_sites import process
from envs.web_sites.instance import Instance
from envs.web_sites.site import Site

HERE = "127.0.0.1"
LARGEST_BODY = 10_000_000


async def answered(
    answer: Callable[[Request], Awaitable[Response]], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer one connection."""
    with contextlib.suppress(BadRequest, ConnectionError, TimeoutError):
        head = await read_head(reader)
        if head:
            writer.write(encode(await answer(request_of(head, await read_body(reader, head, LARGEST_BODY)))))
            await writer.drain()
    writer.close()


class SignedIn:
    """An instance, to whose visitors the cookies of a role are given where they have none of their own."""

    def __init__(self, instance: Instance, cookies: dict[str, str]) -> None:
        self._instance, self._cookies = instance, cookies

    async def __call__(self, request: Request) -> Response:
        """The site's answer."""
        if request.host != self._instance.host:
            # A page of another name that leads to this port would otherwise act for the person.
            return Response.html(f"<title>Not here</title><p>The site is at http://{self._instance.host}/.</p>", 421)
        sent = request.headers.get("cookie", "")
        names = {part.partition("=")[0].strip() for part in sent.split(";")}
        given = {name: value for name, value in self._cookies.items() if name not in names}
        if not given:
            return await self._instance(request)
        whole = "; ".join(filter(None, [sent, *(f"{name}={value}" for name, value in given.items())]))
        answer = await self._instance(replace(request, headers={**request.headers, "cookie": whole}))
        set_here = tuple(f"{name}={value}; Path=/; HttpOnly; SameSite=Lax" for name, value in given.items())
        return replace(answer, cookies=(*set_here, *answer.cookies))


@asynccontextmanager
async def serving(site: Site, role: str | None, port: int, seed: int, size: str) -> AsyncIterator[str]:
    """A fresh copy of a site at a port (0: a free one), somebody signed in in a role; gives its address.

    Raises SpecError for a role that it does not have, OSError for a port that is taken, and InfrastructureError.
    """
    made: list[SignedIn] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await answered(made[0], reader, writer)

    async with contextlib.AsyncExitStack() as stack:
        server = await asyncio.start_server(serve, HERE, port, limit=HEAD_LIMIT, start_serving=False)
        stack.callback(server.close)
        stack.push_async_callback(process.shared().close)
        host = f"{HERE}:{server.sockets[0].getsockname()[1]}"
        instance = await Instance.open(site, host, seed, size)
        stack.push_async_callback(instance.close)
        cookies = await instance.cookies(role) if role is not None else []
        made.append(SignedIn(instance, {one["name"]: one["value"] for one in cookies}))
        await server.start_serving()
        yield instance.address
