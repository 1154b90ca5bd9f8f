"""`make fuzz-api`: so many requests at random, statuses counted, and every 5xx, stall and failed job written down."""

import argparse
import asyncio
import itertools
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import psycopg
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts
from psycopg.sql import SQL, Identifier

from api.core import migrate
from api.core.db import local_server
from api.core.localpg import LocalServer
from api.core.settings import Settings
from api.hosting.server import Host
from tests.support.models import RefusedError, scripted_model
from tests.support.service import Service
from tests.support.sql import sql
from tests.support.visitor import ORIGIN
from tools.fuzz_api.scene import PEOPLE, Scene
from tools.fuzz_api.values import Values

AT_ONCE = 16
# Then jobs are run, and what was made meanwhile is known to the requests that follow.
ROUND = 500
# Every so many rounds what takes a process or many jobs is asked for, too: the check of an uploaded pack.
WHOLE = 10
STALL_SECONDS = 120.0
# Streams of what happens in an episode, which end with it: no stall. In this process a reply is read whole.
ENDLESS = ("/t/{session}/events",)
# The share of requests with a query parameter that their route may not have: it is refused before anything else.
UNDECLARED = 0.01
_TYPES = ("application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "")
FIELDS = (
    *("name", "slug", "email", "role", "domain", "decision", "agree", "digest", "scopes", "days"),
    *("organisation", "user_code", "next", "token", "reason"),
)
CSRF = re.compile(r'name="csrf" value="([0-9a-f]*)"')
_Operation = tuple[str, str, dict[str, Any]]


class Fuzzer:
    """Draws requests, sends them and keeps what went wrong."""

    def __init__(self, scene: Scene, seed: int) -> None:
        self._scene = scene
        self._chance = random.Random(seed)
        document = scene.service.app.openapi()
        self._schemas: dict[str, Any] = document["components"]["schemas"]
        self._operations: list[_Operation] = list(_operations(document))
        self._pages: list[_Operation] = list(_pages(scene.service))
        self.statuses: Counter[int] = Counter()
        self.codes: Counter[str] = Counter()
        self._rounds = 0
        self.reached: Counter[str] = Counter()
        self.faults: list[str] = []

    @property
    def operations(self) -> int:
        """How many operations there are to be asked for."""
        return len(self._operations) + len(self._pages)

    async def one(self) -> None:
        """Send one request."""
        chance = self._chance
        values = Values(self._schemas, self._scene.known, chance)
        method, template, operation = chance.choice(self._operations if chance.random() < 0.75 else self._pages)
        path, query = _address(template, operation, values, chance)
        headers = _headers(chance)
        who = chance.choice([*PEOPLE, "participant", ""])
        caller = self._scene.callers.get(who)
        if caller is not None and chance.random() < 0.97:
            headers["Authorization"] = f"Bearer {caller.key}"
        content = _content(operation, values, headers, chance)
        if not template.startswith("/v1/") and who and chance.random() < 0.8:
            path, content = f"{ORIGIN}{path}", self._as_browser(who, method, headers, values)
        said = f"{method} {path}?{query!r} as {who or 'nobody'} {headers.get('Content-Type')} {content[:600]!r}"
        try:
            async with asyncio.timeout(STALL_SECONDS):
                response = await self._scene.service.client.request(
                    method, path, params=query, headers=headers, content=content
                )
        except TimeoutError:
            self.faults.append(f"stalled: {said}")
            return
        except (httpx2.InvalidURL, httpx2.LocalProtocolError, UnicodeError):
            # No request came of it.
            return
        self.statuses[response.status_code] += 1
        if response.status_code < 400:
            self.reached[f"{method} {template}"] += 1
        self._learn(response)
        if response.status_code >= 500:
            self.faults.append(f"{response.status_code}: {said}\n    {response.text[:300]}")
        if response.status_code == 401 and who and headers.get("Authorization"):
            await self._scene.renew(who, caller)

    def _learn(self, response: httpx2.Response) -> None:
        """Count what was refused as what, and remember cursors: nobody can make one up."""
        if not response.content or not response.headers.get("Content-Type", "").partition(";")[0].endswith("json"):
            return
        told = response.json()
        if not isinstance(told, dict):
            return
        if response.status_code >= 400:
            self.codes[str(told.get("code"))] += 1
        if told.get("next"):
            self._scene.known["cursor"] = [*self._scene.known.get("cursor", ())[-20:], told["next"]]

    def _as_browser(self, who: str, method: str, headers: dict[str, str], values: Values) -> bytes:
        """The cookies of somebody who is signed in, and a form as a page of ours sends it."""
        visitor, chance = self._scene.visitors[who], self._chance
        headers["Cookie"] = "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.client.cookies.jar)
        if method != "POST":
            return b""
        headers |= {"Origin": ORIGIN, "Content-Type": "application/x-www-form-urlencoded"}
        fields = {name: values.parameter(name, {"type": "string"}) for name in FIELDS if chance.random() < 0.7}
        if (token := CSRF.search(visitor.page)) and chance.random() < 0.95:
            fields["csrf"] = token[1]
        pairs = [[quote(part, errors="replace") for part in pair] for pair in fields.items()]
        return "&".join("=".join(pair) for pair in pairs).encode()

    async def round(self, count: int) -> None:
        """Send so many, some at once; then do the jobs, and look for ids anew."""
        left = itertools.count()

        async def send() -> None:
            while next(left) < count:
                await self.one()

        await asyncio.gather(*(send() for _ in range(AT_ONCE)))
        await self._scene.service.work(may_fail=True)
        async with self._scene.service.admin.session() as session:
            failed = "select task_name, args from queue.procrastinate_jobs where status = 'failed'"
            rows = (await sql(session, failed)).all()
            await sql(session, "delete from queue.procrastinate_jobs where status = 'failed'")
        self.faults += [f"job failed: {row.task_name} {str(row.args)[:200]}" for row in rows]
        self._rounds += 1
        await self._scene.look(whole=self._rounds % WHOLE == 0)


def _operations(document: dict[str, Any]) -> Any:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def _pages(service: Service) -> Any:
    for context in iter_route_contexts(service.app.routes):
        if context.path in ENDLESS:
            continue
        if isinstance(context.original_route, APIRoute) and context.path and not context.path.startswith("/v1"):
            names = sorted(set(_query_names(context.original_route.dependant)))
            asked = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in names]
            for method in context.methods or ():
                yield method, context.path, {"parameters": asked}


def _query_names(dependant: Dependant) -> Iterator[str]:
    for field in dependant.query_params:
        yield field.alias
    for inner in dependant.dependencies:
        yield from _query_names(inner)


def _address(
    template: str, operation: dict[str, Any], values: Values, chance: random.Random
) -> tuple[str, dict[str, str]]:
    path, query = template, {}
    for parameter in operation.get("parameters", ()):
        name, schema = parameter["name"], parameter.get("schema", {})
        if parameter["in"] == "query" and chance.random() < 0.5:
            query[name] = values.parameter(name, schema).encode("utf-8", "replace").decode()
    for name in [part.partition("}")[0] for part in template.split("{")[1:]]:
        text = values.parameter(name.partition(":")[0], {"type": "string"})
        path = path.replace(f"{{{name}}}", quote(text[:2000], safe="", errors="surrogatepass"))
    if chance.random() < UNDECLARED:
        query[chance.choice(("cursor", "q", "split[]", "\x00"))] = chance.choice(("1", "", "x" * 500))
    return path, query


def _headers(chance: random.Random) -> dict[str, str]:
    headers = {"Content-Type": "application/json" if chance.random() < 0.93 else chance.choice(_TYPES)}
    if chance.random() < 0.1:
        headers["Idempotency-Key"] = chance.choice(["once", "a" * 200, "a" * 201, "'"])
    if chance.random() < 0.1:
        headers["Accept"] = chance.choice(["text/html", "*/*", "nonsense", "text/csv;q=x"])
    if chance.random() < 0.05:
        headers["Cookie"] = chance.choice(["heldout_session=x.y", "heldout_pending=z; ;=", "\x7f=;;"])
    if chance.random() < 0.03:
        headers["Authorization"] = chance.choice(["Bearer", "Bearer hld_", "Basic eDp5", f"Bearer {'x' * 5000}"])
    return headers


def _content(operation: dict[str, Any], values: Values, headers: dict[str, str], chance: random.Random) -> bytes:
    body = operation.get("requestBody", {}).get("content", {})
    if not body:
        return b"" if chance.random() < 0.95 else b"{}"
    kind, media = next(iter(body.items()))
    if kind == "application/octet-stream":
        headers["Content-Type"] = kind
        return bytes(chance.choice((*values.known("content"), b"", b"x", b"PK\x03\x04" * 100)))
    value = values.of(media.get("schema", {}))
    if kind != "application/json" and isinstance(value, dict) and chance.random() < 0.9:
        headers["Content-Type"] = kind
        pairs = [[quote(str(part), errors="replace") for part in pair] for pair in value.items()]
        return "&".join("=".join(pair) for pair in pairs).encode()
    if chance.random() < 0.03:
        return chance.choice([b"", b"{", b"[" * 20_000, b'{"a":' * 5_000, b"\xff\xfe", b"9" * 5_000, b'"\xed\xa0\x80"'])
    return json.dumps(value).encode()


async def run(count: int, seed: int, minutes: float, out: Path | None) -> int:
    """Send `count` requests, or as many as `minutes` hold; the number of faults."""
    with tempfile.TemporaryDirectory(prefix="hldf", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        settings = Settings(
            data_dir=Path(folder),
            rate_limits_enabled=False,
            port=0,
            pool_ready=0,
            declaration_lead_seconds=0,
            endpoint_networks=(ip_network("127.0.0.0/8"),),
        )
        migrate.prepare(settings)
        server = local_server(settings)
        if server:
            _unsafe(server)
        try:
            async with (
                Service.running(settings) as service,
                Host.running(settings),
                scripted_model(_refusing) as endpoint,
            ):
                return await _fuzz(await Scene.made(service, endpoint), count, seed, minutes, out)
        finally:
            if server:
                server.stop()


def _unsafe(server: LocalServer) -> None:
    """Nothing here outlives the run, so nobody waits for the disk."""
    with psycopg.connect(server.uri(), autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(SQL("alter system set {} = off").format(Identifier(setting)))
        connection.execute("select pg_reload_conf()")


def _refusing(_: dict[str, Any]) -> dict[str, Any]:
    raise RefusedError(401)


async def _fuzz(scene: Scene, count: int, seed: int, minutes: float, out: Path | None) -> int:
    fuzzer, started = Fuzzer(scene, seed), time.monotonic()
    sent, written = 0, 0
    while sent < count and (not minutes or time.monotonic() - started < 60 * minutes):
        await fuzzer.round(min(ROUND, count - sent))
        sent += min(ROUND, count - sent)
        print(f"{sent} sent in {time.monotonic() - started:.0f} s, {len(fuzzer.faults)} faults", file=sys.stderr)
        # At once: a run that is broken off has said what it found.
        for fault in fuzzer.faults[written:]:
            print(fault[:1500], file=sys.stderr)
        written = len(fuzzer.faults)
    if out is not None:
        out.write_text("\n".join(fuzzer.faults), encoding="utf-8", errors="replace")
    found = {
        "requests": sum(fuzzer.statuses.values()),
        "operations": fuzzer.operations,
        "answered_2xx_3xx": len(fuzzer.reached),
        "refused_most": dict(fuzzer.codes.most_common(12)),
        "unknown_parameter": fuzzer.codes["unknown_parameter"],
        "statuses": {str(status): number for status, number in sorted(fuzzer.statuses.items())},
        "server_errors": sum(number for status, number in fuzzer.statuses.items() if status >= 500),
        "faults": len(fuzzer.faults),
    }
    print(json.dumps(found))
    return len(fuzzer.faults)


def main() -> None:
    """Read the arguments; exit 1 where anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0.0, help="stop after so many; 0: never")
    parser.add_argument("--out", type=Path, help="write every fault into this file")
    chosen = parser.parse_args()
    raise SystemExit(1 if asyncio.run(run(chosen.count, chosen.seed, chosen.minutes, chosen.out)) else 0)


if __name__ == "__main__":
    main()
