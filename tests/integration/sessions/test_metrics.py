"""Metrics: what operators see, and nobody else."""

import asyncio

from prometheus_client.parser import text_string_to_metric_families

from api.accounts.models import Scope
from api.hosting.counters import BUCKETS, Counters
from api.hosting.server import Host
from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.sql import sql

PATIENCE = 120.0


def samples(text: str) -> dict[tuple[str, str], float]:
    """Values by name and labels."""
    return {
        (sample.name, ",".join(f"{key}={value}" for key, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_an_operator_sees_counts_and_no_one_else_does(service: Service, host: Host, player: Player) -> None:
    first, second, *_ = await player.episodes("test")
    ended = (await player.opened(first))["id"]
    await player.said(ended, 1, "one")
    await player.said(ended, 2, "finish[0]")
    going = (await player.opened(second))["id"]
    for identifier in list(host.episodes.epochs):
        await host.episodes.drop(identifier)
    await player.said(going, 1, "one")
    host.episodes.counters.leased("operating_system", 0.004)
    operator = await service.reader("root@example.org", "operators", scopes=[Scope.ADMIN], operator=True)
    async with asyncio.timeout(PATIENCE):
        while True:
            told = (await operator.get("/v1/metrics")).raise_for_status()
            seen = samples(told.text)
            if seen.get(("heldout_host_steps_total", "host=0")) == 3 and any("claim" in name for name, _ in seen):
                break
            await asyncio.sleep(0.1)
    assert told.headers["content-type"].startswith("text/plain")
    expected = {
        ("heldout_sessions_open", "state=running"): 1,
        ("heldout_sessions_open", "state=opening"): 0,
        ("heldout_sessions_ended_total", "finish=completed"): 1,
        ("heldout_session_steps_total", ""): 3,
        ("heldout_host_replays_total", "host=0"): 1,
        ("heldout_host_divergences_total", "host=0"): 0,
        ("heldout_host_slots", "host=0"): 64,
        ("heldout_host_sessions", "host=0"): 1,
        ("heldout_pool_claim_seconds_bucket", "host=0,kind=operating_system,le=0.0025"): 0,
        ("heldout_pool_claim_seconds_bucket", "host=0,kind=operating_system,le=0.005"): 1,
        ("heldout_pool_claim_seconds_count", "host=0,kind=operating_system"): 1,
    }
    assert {name: seen.get(name) for name in expected} == expected
    for secret in ("test-0", "this is", first, ended, going, str(host.id), "parrot"):
        assert secret not in told.text
    assert (await player.caller.get("/v1/metrics")).status_code == 403
    assert (await service.client.get("/v1/metrics")).status_code == 401
    async with service.admin.session() as session:
        await sql(session, "update account set is_operator = false")
    assert (await operator.get("/v1/metrics")).status_code == 403


def test_leases_are_counted_by_what_they_are_at_most() -> None:
    counters = Counters()
    for seconds in (0.0005, 0.001, 0.002, 100.0):
        counters.leased("operating_system", seconds)
    lease = counters.to_json(None)["leases"]["operating_system"]
    buckets = dict(lease["buckets"])
    assert [buckets[bound] for bound in ("0.001", "0.0025", "60.0", "+Inf")] == [2, 3, 3, 4]
    assert lease["sum"] == 100.0035
    assert [bound for bound, _ in lease["buckets"]] == [*map(str, BUCKETS), "+Inf"]
