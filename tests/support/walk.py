"""Every GET of the service as everybody, for comparing two services reply by reply."""

import re
from typing import Any

from fastapi.routing import APIRoute, iter_route_contexts

from tests.support.service import Caller, Service
from tests.support.twins import Twin

# Of a process, not of the database behind it.
_OF_THE_PROCESS = {"/metrics", "/v1/openapi.json"}
FILTERS: tuple[dict[str, str], ...] = (
    {},
    {"split": "test"},
    {"split": "test", "all": "true", "sort": "created_at"},
    {"split": "test", "format": "csv"},
    {"split": "test", "organisation": "team0", "verified": "false"},
)
"""Queries that boards, lists and pages are asked with; a route takes what it knows."""


async def pages(service: Service, twin: Twin) -> dict[str, str]:
    """Status, headers and body of every reply, by caller, address and query."""
    callers: dict[str, Caller | None] = {"anonymous": None}
    callers |= {name: Caller(service.client, key) for name, key in list(twin.keys.items())[:2]}
    found: dict[str, str] = {}
    for name, caller in callers.items():
        for address in await _addresses(service, twin):
            for query in FILTERS if "leaderboard" in address else FILTERS[1:2]:
                call = caller.call if caller else service.client.request
                reply = await call("GET", address, params=query)
                if reply.status_code == 400 and reply.json()["code"] == "unknown_parameter":
                    known = {key: value for key, value in query.items() if key in reply.json()["known"]}
                    reply = await call("GET", address, params=known)
                heads = "\n".join(f"{key}: {value}" for key, value in sorted(reply.headers.items()))
                found[f"{name} {address} {query}"] = f"{reply.status_code}\n{heads}\n\n{reply.text}"
    assert len(found) > 100
    return found


async def _addresses(service: Service, twin: Twin) -> list[str]:
    first = twin.runs[0]
    alias = (await Caller(service.client, twin.keys[first[0]]).problems("twin", "test"))[0]["id"]
    values: dict[str, str] = {"slug": "twin", "alias": alias, "name": "agentbench", "version": "1.0.0"}
    found = []
    for context in iter_route_contexts(service.app.routes):
        if not isinstance(context.original_route, APIRoute) or not context.path or "GET" not in (context.methods or ()):
            continue
        if context.path in _OF_THE_PROCESS:
            continue
        runs = [submission for _, submission in twin.runs] if "{submission}" in context.path else [first[1]]
        found += [_filled(context.path, values | {"submission": run, "entry": run}) for run in runs]
    return found


def _filled(path: str, values: dict[str, Any]) -> str:
    return re.sub(r"{([^}:]*)[^}]*}", lambda hit: values.get(hit.group(1), "none"), path)
