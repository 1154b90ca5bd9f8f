"""Metrics of the instance in Prometheus' text format: what the database knows, the same from every web process."""

from collections.abc import Iterator

from fastapi import APIRouter, Depends, Response
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from api.accounts.errors import ScopeError
from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Require
from api.core.deps import SessionDep
from api.core.ratelimit import limited
from api.hosting.leases import LeaseRepository
from api.operations.work import Work, work
from api.sessions.metrics import SessionMetrics

router = APIRouter(
    prefix="/v1", tags=["metrics"], dependencies=[Depends(Require(Scope.ADMIN)), Depends(limited("read"))]
)


@router.get("/metrics", include_in_schema=False)
async def show_metrics(session: SessionDep, principal: PrincipalDep) -> Response:
    """Prometheus' text format, for operators."""
    if not principal.is_operator:
        raise ScopeError("metrics are for operators")
    registry = CollectorRegistry(auto_describe=False)
    leases = LeaseRepository(session)
    registry.register(SessionMetrics(await leases.counts(), await leases.host_stats()))
    registry.register(_WorkMetrics(await work(session)))
    return Response(generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST})


class _WorkMetrics(Collector):
    """What waits to be done, and for how long."""

    def __init__(self, found: Work) -> None:
        self._found = found

    def collect(self) -> Iterator[Metric]:
        found = self._found
        items = GaugeMetricFamily("heldout_queue_items", "Answers and episodes to be graded.", labels=["lane"])
        taken = GaugeMetricFamily("heldout_queue_items_taken", "Of these, those that a worker has.", labels=["lane"])
        retried = GaugeMetricFamily("heldout_queue_items_retried", "Of these, those tried before.", labels=["lane"])
        oldest = GaugeMetricFamily("heldout_queue_oldest_seconds", "How long the longest waits.", labels=["lane"])
        for lane in found.lanes:
            items.add_metric([lane.lane], lane.items)
            taken.add_metric([lane.lane], lane.taken)
            retried.add_metric([lane.lane], lane.retried)
            oldest.add_metric([lane.lane], lane.oldest)
        jobs = GaugeMetricFamily("heldout_background_jobs", "Other jobs.", labels=["queue", "state"])
        for job in found.jobs:
            jobs.add_metric([job.queue, job.state], job.n)
        yield from (items, taken, retried, oldest, jobs)
        waiting = GaugeMetricFamily("heldout_waiting", "What is not finished.", labels=["what"])
        longest = GaugeMetricFamily("heldout_waiting_seconds", "How long the oldest waits.", labels=["what"])
        for row in found.waiting:
            waiting.add_metric([row.what], row.n)
            longest.add_metric([row.what], row.oldest)
        size = GaugeMetricFamily("heldout_database_bytes", "Size of the database.", value=found.bytes)
        yield from (waiting, longest, size)
