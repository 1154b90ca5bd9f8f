"""Every route has a limit, and either a scope or a mark that it is public."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute, iter_route_contexts
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from api.accounts.principal import Public, Require, RequireAtOnce
from api.web.forms import checked
from api.web.viewer import SignedIn
from tests.support.listening import listening
from tests.support.service import Service


def _calls(dependant: Any) -> Iterator[Any]:
    for item in dependant.dependencies:
        yield item.call
        yield from _calls(item)


def _routes(service: Service) -> list[Any]:
    return [c for c in iter_route_contexts(service.app.routes) if isinstance(c.original_route, APIRoute)]


async def test_every_route_has_a_limit_and_a_scope(service: Service) -> None:
    routes = _routes(service)
    assert len(routes) > 20
    for context in routes:
        calls = list(_calls(context.dependant))
        limited = any(hasattr(call, "rate") for call in calls)
        assert limited or context.path == "/healthz", f"{context.path} has no rate limit"
        marked = any(isinstance(call, Require | Public | SignedIn) for call in calls)
        assert marked, f"{context.path} names neither a scope nor Public nor a web session"


async def test_nothing_answers_without_a_key_but_what_is_marked_public(service: Service) -> None:
    for context in _routes(service):
        if any(isinstance(call, Public) for call in _calls(context.dependant)):
            continue
        path = context.path.replace("{path:path}", "x")
        page = any(isinstance(call, SignedIn) for call in _calls(context.dependant))
        for method in context.methods:
            response = await service.client.request(method, path)
            if page:
                assert response.status_code == 303, f"{method} {path} answered {response.status_code}"
                assert response.headers["location"].startswith("/login?next=%2F")
                continue
            assert response.status_code == 401, f"{method} {path} answered {response.status_code}"
            assert response.headers["content-type"] == "application/problem+json"


def _channels(service: Service) -> list[Any]:
    return [c for c in iter_route_contexts(service.app.routes) if isinstance(c.original_route, APIWebSocketRoute)]


async def test_every_channel_has_a_limit_and_a_scope_and_is_refused_without_a_key(service: Service) -> None:
    channels = _channels(service)
    assert [context.path for context in channels] == ["/v1/sessions/{session}/steps"]
    async with listening(service.app) as port:
        for context in channels:
            calls = list(_calls(context.dependant))
            assert any(hasattr(call, "rate") for call in calls), f"{context.path} has no rate limit"
            assert any(isinstance(call, RequireAtOnce) for call in calls), f"{context.path} names no scope"
            with pytest.raises(InvalidStatus) as refused:
                await connect(f"ws://127.0.0.1:{port}{context.path}", open_timeout=60)
            assert refused.value.response.status_code == 401
            assert refused.value.response.headers["content-type"] == "application/problem+json"


async def test_every_form_of_a_page_is_checked_for_where_it_came_from(service: Service) -> None:
    posts = [c for c in _routes(service) if "POST" in c.methods and not c.path.startswith("/v1")]
    assert len(posts) > 12
    for context in posts:
        assert checked in list(_calls(context.dependant)), f"{context.path} takes forms from anywhere"
