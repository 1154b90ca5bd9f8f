"""Every GET of the service as everybody, for comparing two services reply by reply."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
from fastapi.routing import APIRoute, iter_route_contexts

from tests.support.service import Caller, Service
from tests.support.twins import OWNER, Twin
from tests.support.visitor import enter

# Of a process, not of the database behind it.
_OF_THE_PROCESS = {"/metrics", "/v1/openapi.json"}
# What a browser's own session puts into a page, and when it was seen.
_OF_THE_BROWSER = re.compile(r'name="csrf" value="[0-9a-f]*"|heldout_session=[^;]*')
FILTERS: tuple[dict[str, str], ...] = (
    {},
    {"split": "test"},
    {"split": "test", "all": "true", "sort": "created_at"},
    {"split": "test", "format": "csv"},
    {"split": "test", "organisation": "team0", "verified": "false"},
    {"split": "test", "sort": "cost", "order": "asc", "search": "model"},
    {"split": "test", "coverage": "partial", "sort": "adjusted"},
)
"""Queries that boards, lists and pages are asked with; a route takes what it knows."""
_BESIDES: dict[str, tuple[dict[str, str], ...]] = {
    "/v1/reviews/queue": ({"benchmark": "twin"},),
    "/v1/benchmarks/twin/ledger": ({"format": "csv"}, {"organisation": "team0"}),
    "/v1/benchmarks/twin/access": ({"format": "csv"},),
    "/b/twin/exposure": ({"chain": "true"}, {"organisation": "team0", "split": "test"}),
    "/b/twin/owner": ({"split": "test"},),
}
"""What single routes are asked besides."""
_BOARDS = ("/v1/benchmarks/twin/leaderboard", "/b/twin", "/b/twin/compare")
_READ_BY_MEMBERS = ("/b/", "/s/", "/m/", "/o/", "/t/", "/account/usage")
# A key opens no page, and a browser no route of the API. The account's pages show when browsers were seen.
_ASKED: dict[str, Callable[[str], bool]] = {
    "anonymous": lambda _: True,
    "key": lambda address: address.startswith("/v1/"),
    "member": lambda address: address == "/" or address.startswith(_READ_BY_MEMBERS),
}
MET = (
    f"{OWNER} /v1/benchmarks/twin/jobs",
    f"{OWNER} /v1/benchmarks/twin/disputes/received",
    "team0 /v1/disputes",
    "anonymous /v1/benchmarks/twin/disputes",
    "anonymous /v1/overall/twins",
    "member /b/twin/owner/jobs",
    "member /b/twin/owner",
    f"{OWNER} /v1/packs",
    f"{OWNER} /v1/benchmarks/twin/access",
    f"{OWNER} /v1/benchmarks/twin/ledger",
    f"{OWNER} /v1/benchmarks/twin/scraping",
    "team0 /v1/endpoint-runs",
    "member /o/team0",
    "member /account/usage",
    "member /b/twin/exposure",
    "member /b/twin/exposure.csv",
    "member /b/twin/access.csv",
    f"{OWNER} /v1/benchmarks/twin/reviewers",
)
"""Replies that are pages, by caller and address: a walk that meets errors alone would show nothing."""
_OF_THE_TWIN = (
    ("team0", "run", "/v1/endpoint-runs/"),
    ("team0", "session", "/v1/sessions/"),
    (OWNER, "pack", "/v1/packs/"),
)
MET_ONCE_LISTED = ("anonymous /m/team0/model%200", "anonymous /o/team0", "anonymous /overall/twins")
_Asker = Callable[[str, dict[str, Any]], Awaitable[httpx2.Response]]
_known: dict[tuple[str, str, str], dict[str, Any]] = {}
"""What was left of a caller's query at an address after the service had named the parameters that it knows there: it is
the program that knows them, so the next walk need not be told again."""


async def pages(service: Service, twin: Twin) -> dict[str, str]:
    """Status, headers and body of every reply, by caller, address and query."""
    found = {
        f"{name} {line}": text
        for name, ask in (await _askers(service, twin)).items()
        for line, text in (await _walked(service, twin, name, ask)).items()
    }
    assert len(found) > 100
    _require_met(found, twin)
    refused = [found[f"{OWNER} /v1/jobs/{job} {FILTERS[1]}"] for job in twin.known["job"][2:4]]
    refused.append(found[f"{OWNER} /v1/benchmarks/twin/items {FILTERS[1]}"])
    assert all("owner_takes_part" in text for text in refused)
    asked = [
        f"{OWNER} /v1/reviews/queue {_BESIDES['/v1/reviews/queue'][0]}",
        "member /b/twin/exposure {'chain': 'true'}",
    ]
    assert all(found[name].startswith("200\n") for name in asked)
    return found


async def public_pages(service: Service, twin: Twin) -> dict[str, str]:
    """The same, of what nobody in particular is shown."""
    walked = await _walked(service, twin, "anonymous", _by_key(service, None))
    found = {f"anonymous {line}": text for line, text in walked.items()}
    assert len(found) > 50
    _require_met(found, twin)
    return found


async def _walked(service: Service, twin: Twin, name: str, ask: _Asker) -> dict[str, str]:
    """The replies to one caller, by address and query."""
    found: dict[str, str] = {}
    compared = {"split": "test", "entry": [run for _, run in twin.runs][:5]}
    for address in filter(_ASKED.get(name, _ASKED["key"]), await _addresses(service, twin)):
        queries: tuple[dict[str, Any], ...] = FILTERS if address in _BOARDS else FILTERS[1:2]
        queries += _BESIDES.get(address, ())
        for query in (*queries, compared) if address.endswith("/compare") else queries:
            place = (name, address, str(query))
            reply = await ask(address, _known.get(place, query))
            if reply.status_code == 400 and address.startswith("/v1/") and reply.json()["code"] == "unknown_parameter":
                _known[place] = {key: value for key, value in query.items() if key in reply.json()["known"]}
                reply = await ask(address, _known[place])
            heads = "\n".join(f"{key}: {value}" for key, value in sorted(reply.headers.items()))
            whole = f"{reply.status_code}\n{heads}\n\n{reply.text}"
            found[f"{address} {query}"] = _OF_THE_BROWSER.sub("", whole)
    return found


def _require_met(found: dict[str, str], twin: Twin) -> None:
    """The replies that are to be pages are, for every caller that was asked for."""
    listed = "model 0" in found[f"anonymous /b/twin {FILTERS[1]}"]
    met: tuple[str, ...] = MET + MET_ONCE_LISTED if listed else MET
    met += tuple(f"{who} {path}{one}" for who, name, path in _OF_THE_TWIN for one in twin.known[name])
    # An export and a diff speak of no participant; the other jobs are refused to an owner who takes part.
    met += tuple(f"{OWNER} /v1/jobs/{job}" for job in twin.known["job"][:2])
    callers = {line.split(" ", 1)[0] for line in found}
    asked = [address for address in met if address.split(" ", 1)[0] in callers]
    unanswered = {address for address in asked if not found[f"{address} {FILTERS[1]}"].startswith("200\n")}
    assert not unanswered, f"no longer met on the walk: {unanswered}"


def _by_key(service: Service, key: str | None) -> _Asker:
    async def ask(address: str, query: dict[str, Any]) -> httpx2.Response:
        if key is None:
            return await service.client.request("GET", address, params=query)
        return await Caller(service.client, key).call("GET", address, params=query)

    return ask


async def _askers(service: Service, twin: Twin) -> dict[str, _Asker]:
    """Nobody, two organisations and the benchmark's owner, a member of the first, with their keys, and that member with
    a browser."""
    organisation = next(iter(twin.keys))
    member = await enter(service, f"{organisation}@example.org", organisation)

    async def by_browser(address: str, query: dict[str, Any]) -> httpx2.Response:
        return await member.client.get(address, params=query, headers=member.headers)

    keyed = [*twin.scenario.organisations[:2], OWNER]
    keys = {"anonymous": None} | {name: twin.keys[name] for name in keyed}
    return {name: _by_key(service, key) for name, key in keys.items()} | {"member": by_browser}


async def _addresses(service: Service, twin: Twin) -> list[str]:
    first = twin.runs[0]
    alias = (await Caller(service.client, twin.keys[first[0]]).problems("twin", "test"))[0]["id"]
    values: dict[str, str] = {"slug": "twin", "alias": alias, "name": "twins", "version": "1.0.0"}
    values |= {"organisation": first[0], "model": "model%200", "split": "test", "position": "1"}
    found = []
    for context in iter_route_contexts(service.app.routes):
        if not isinstance(context.original_route, APIRoute) or not context.path or "GET" not in (context.methods or ()):
            continue
        if context.path in _OF_THE_PROCESS:
            continue
        runs = [submission for _, submission in twin.runs] if "{submission}" in context.path else [first[1]]
        named = {"slug": first[0]} if context.path.startswith("/o/") else {}
        for name, known in twin.known.items():
            if f"{{{name}}}" in context.path:
                found += [_filled(context.path, values | named | {name: one}) for one in known]
                break
        else:
            found += [_filled(context.path, values | named | {"submission": run, "entry": run}) for run in runs]
    return found


def _filled(path: str, values: dict[str, Any]) -> str:
    return re.sub(r"{([^}:]*)[^}]*}", lambda hit: values.get(hit.group(1), "none"), path)
