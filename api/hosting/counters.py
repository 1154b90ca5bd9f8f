"""What a host counts about itself. Numbers and kinds alone: nothing of problems, sessions or people."""

from dataclasses import dataclass, field
from typing import Any

from prometheus_client import Histogram

from envs.sandbox.base import Backend
from envs.sandbox.warm import WarmBackend

# Seconds; a handover takes some milliseconds, a cold start up to some seconds.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


def _lease_seconds() -> Histogram:
    # In no registry: the host has no page of metrics, its heartbeat carries them to the service.
    return Histogram("lease_seconds", "How long a lease took.", ["spec"], buckets=BUCKETS, registry=None)


@dataclass
class Counters:
    """Counts since the host began; `lease_seconds` by the pool's specification of the sandbox."""

    steps: int = 0
    replays: int = 0
    divergences: int = 0
    faults: int = 0
    refusals: int = 0
    lease_seconds: Histogram = field(default_factory=_lease_seconds)

    def leased(self, spec: str, seconds: float) -> None:
        """A sandbox was handed over."""
        self.lease_seconds.labels(spec).observe(seconds)

    def to_json(self, backend: Backend | None) -> dict[str, Any]:
        """As JSON, with how the pool stands: `counts` by name, `leases` as cumulative buckets and a sum by kind."""
        counts = {name: getattr(self, name) for name in ("steps", "replays", "divergences", "faults", "refusals")}
        stats: dict[str, Any] = {"counts": counts, "leases": self._leases()}
        if isinstance(backend, WarmBackend):
            pool = backend.stats
            stats["pool"] = {
                "ready": pool.ready,
                "claimed": pool.in_use,
                "starting": pool.starting,
                "committed_bytes": pool.committed_bytes,
                "refills": pool.started,
                "refill_failures": pool.start_failures,
                "waited": pool.waited,
                "destroyed": pool.destroyed,
                "exhausted": pool.exhausted,
            }
        return stats

    def _leases(self) -> dict[str, dict[str, Any]]:
        leases: dict[str, dict[str, Any]] = {}
        for sample in (sample for metric in self.lease_seconds.collect() for sample in metric.samples):
            lease = leases.setdefault(sample.labels["spec"], {"buckets": [], "sum": 0.0})
            if sample.name.endswith("_bucket"):
                # A list: the database keeps no order of names.
                lease["buckets"].append([sample.labels["le"], sample.value])
            elif sample.name.endswith("_sum"):
                lease["sum"] = sample.value
        return leases
