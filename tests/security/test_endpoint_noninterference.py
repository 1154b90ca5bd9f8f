"""Runs that the service plays on a hidden split: progress, costs, words, times and what is asked hang on no gold.

Two services that differ in golds alone, such that the endpoint has everything right in one and nothing in the other,
and in a third pair in what grading costs and cannot decide, are walked through the same run.
"""

import asyncio
import re
from contextlib import nullcontext
from typing import Any

import httpx2
import pytest

import api.submissions.view
from api.worker.app import run as run_jobs
from api.worker.deciding import decide_due
from api.worker.endpoint_model import EndpointModel
from tests.security.test_noninterference import SEALED, Grading, costly
from tests.support.models import RefusedError, scripted_model
from tests.support.service import Caller, Service
from tests.support.service_fixtures import Cluster
from tests.support.sql import sql
from tests.support.twins import Golds, Item, Played, Scenario, Twin, VirtualClock, steady, twins
from tests.support.walk import pages

_NAME = re.compile(r"Say (p\d+)\.")
# The endpoint listens on a port of its own in either world, and the driver's own times are not the service's.
_PORT = re.compile(r"127\.0\.0\.1:\d+")
_LAST = 25
# What begins, resumes and ends a run are functions of the database and a column's default: by the virtual clock, too.
_CLOCK = """do $$ declare one record; begin
  for one in select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and 'search_path=public' = any(p.proconfig)
  loop execute format('alter function %s set search_path = clock, public, pg_catalog', one.name); end loop;
  alter table endpoint_run alter changed_at set default clock.now();
end $$"""


def by_heart(found: Played, items: list[Item]) -> Golds:
    """What the endpoint answers is right everywhere, or nowhere."""
    kinds = {item.id: ("A" if item.type == "multiple_choice" else "11") for item in items}
    return Golds(found.golds.first | kinds, found.golds.first | {i.id: i.other(kinds[i.id]) for i in items})


class Endpoint:
    """Answers alike in both worlds: refuses one question, fails once, and what it was asked is written down."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        text = str(body["messages"][-1]["content"])
        self.asked.append(text)
        found = _NAME.search(text)
        if found and found[1] == "p003":
            raise RefusedError(422)
        if found and int(found[1][1:]) == _LAST and sum(f"p{_LAST:03}" in one for one in self.asked) == 1:
            raise RefusedError(401)
        return {"role": "assistant", "content": "ANSWER: A" if "option A" in text else "ANSWER: 11"}


async def watched(twin: Twin, grading: Grading | None = None) -> tuple[list[tuple[str, Any]], list[str]]:
    """Everything that is seen of a run that stops, is resumed, is cancelled, goes on and is decided."""
    clock, endpoint = VirtualClock(twin.begin), Endpoint()
    seen: list[tuple[str, Any]] = []
    with steady(clock):
        async with Service.running(twin.settings) as service, scripted_model(endpoint) as model:
            async with service.admin.session() as session:
                await sql(session, _CLOCK)
            await clock.move(service, 1)
            caller = Caller(service.client, twin.keys["team0"])
            begun = await caller.post("/v1/endpoint-runs", json=_asked(model))
            assert begun.status_code == 202, begun.text
            run = begun.json()["id"]

            async def look(event: str) -> None:
                found = {"answered": (await caller.get(f"/v1/endpoint-runs/{run}"))} | {
                    path: await caller.get(path) for path in (f"/v1/submissions/{begun.json()['submission']}",)
                }
                seen.append((event, {name: _whole(reply) for name, reply in found.items()}))

            await look("begun")
            with grading(clock, service) if grading else nullcontext():
                await run_jobs(service.worker, wait=False)
            # Graders of what was handed in before took their time; a run's own times are those of its requests.
            await clock.move(service, 60, twin.begin)
            await look("stopped")
            resumed = {"key": "sk", "tokens": 10_000}
            (await caller.post(f"/v1/endpoint-runs/{run}/resume", json=resumed)).raise_for_status()
            await look("resumed")
            with grading(clock, service) if grading else nullcontext():
                await run_jobs(service.worker, wait=False)
            await clock.move(service, 300, twin.begin)
            await look("played")
            known = twin.known | {"run": [run, *twin.known["run"]]}
            everything = Twin(twin.settings, twin.scenario, twin.keys, twin.runs, known, twin.begin)
            seen.append(("walk", {k: _PORT.sub("endpoint", v) for k, v in (await pages(service, everything)).items()}))
            assert await decide_due(service.worker, clock.at) == 0
            await look("before the decision")
    assert "done" in str(seen[3])
    return seen, endpoint.asked


def _asked(model: str) -> dict[str, Any]:
    asked = {"benchmark": "twin", "split": "test", "model": {"name": "played"}, "endpoint_model": "m", "key": "sk"}
    return asked | {"url": str(model), "requests_per_minute": 600, "input_price": 2, "output_price": 3}


def _whole(reply: httpx2.Response) -> str:
    heads = "\n".join(f"{key}: {value}" for key, value in sorted(reply.headers.items()))
    return _PORT.sub("endpoint", f"{reply.status_code}\n{heads}\n\n{reply.text}")


async def compared(cluster: Cluster, grading: Grading | None = None) -> list[str]:
    """Where the two worlds are not the same."""
    alike = (
        (lambda found, items: Golds(by_heart(found, items).first, by_heart(found, items).first)) if grading else None
    )
    async with twins(cluster, Scenario(2, SEALED, runs=2), alike or by_heart) as (one, other):
        first, asked = await watched(one)
        second, asked_again = await watched(other, grading)
    found = [] if asked == asked_again else ["the endpoint was asked otherwise"]
    for (event, mine), (_, theirs) in zip(first, second, strict=True):
        found += [f"{event}: {name}: {_where(mine[name], theirs[name])}" for name in mine if mine[name] != theirs[name]]
    return found


def _where(one: str, other: str) -> str:
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    window = slice(max(0, place - 80), place + 80)
    return f"…{one[window]}… against …{other[window]}…"


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(_: EndpointModel) -> None:
        """How often it is asked is the participant's own affair."""

    monkeypatch.setattr(EndpointModel, "_pace", at_once)


def test_a_run_that_has_everything_right_looks_like_one_that_has_nothing_right(cluster: Cluster) -> None:
    assert asyncio.run(compared(cluster)) == []


def test_a_run_looks_alike_whatever_grading_costs_and_cannot_decide(cluster: Cluster) -> None:
    assert asyncio.run(compared(cluster, costly)) == []


def test_the_comparison_sees_a_time_of_grading(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    show = api.submissions.view._show_hidden

    async def telling(session: Any, service: Any, row: Any, public: Any, hidden: Any) -> None:
        public.graded_at = row.graded_at
        await show(session, service, row, public, hidden)

    monkeypatch.setattr(api.submissions.view, "_show_hidden", telling)
    found = asyncio.run(compared(cluster, costly))
    assert found
    assert all("submissions" in line for line in found)
