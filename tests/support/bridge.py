"""A synchronous client's way to the application in this process: its requests run on the test's event loop."""

import asyncio

import httpx2

from tests.support.service import Service


class Bridge(httpx2.BaseTransport):
    """Made on the event loop, used from other threads."""

    def __init__(self, service: Service) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport = httpx2.ASGITransport(app=service.app, raise_app_exceptions=False)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        return asyncio.run_coroutine_threadsafe(self._handle(request), self._loop).result(timeout=120)

    async def _handle(self, request: httpx2.Request) -> httpx2.Response:
        content = request.read()
        sent = httpx2.Request(request.method, request.url, headers=request.headers, content=content)
        response = await self._transport.handle_async_request(sent)
        return httpx2.Response(response.status_code, headers=response.headers, content=await response.aread())
