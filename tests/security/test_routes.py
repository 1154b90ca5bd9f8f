"""Every route has a limit, and either a scope or a mark that it is public."""

from collections.abc import Iterator
from typing import Any

from fastapi.routing import APIRoute, iter_route_contexts

from api.accounts.principal import Public, Require
from tests.service import Service


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
        assert any(hasattr(call, "rate") for call in calls), f"{context.path} has no rate limit"
        marked = any(isinstance(call, Require | Public) for call in calls)
        assert marked, f"{context.path} names neither a scope nor Public"


async def test_nothing_answers_without_a_key_but_what_is_marked_public(service: Service) -> None:
    for context in _routes(service):
        if any(isinstance(call, Public) for call in _calls(context.dependant)):
            continue
        path = context.path.replace("{path:path}", "x")
        for method in context.methods:
            response = await service.client.request(method, path)
            assert response.status_code == 401, f"{method} {path} answered {response.status_code}"
            assert response.headers["content-type"] == "application/problem+json"
