"""What a host counts about itself. Numbers and kinds alone: nothing of problems, sessions or people."""

from dataclasses import dataclass, field
from typing import Any

from envs.sandbox.base import Backend
from envs.sandbox.warm import WarmBackend

# Seconds; a handover takes some milliseconds, a cold start up to some seconds.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


@dataclass
class Latency:
    """A histogram: how many were at most each bucket's bound, the sum of all, and how many there were."""

    counts: list[int] = field(default_factory=lambda: [0] * len(BUCKETS))
    total: float = 0.0
    count: int = 0

    def add(self, seconds: float) -> None:
        """One more."""
        self.count += 1
        self.total += seconds
        for place, bound in enumerate(BUCKETS):
            if seconds <= bound:
                self.counts[place] += 1


@dataclass
class Counters:
    """Counts since the host began."""

    steps: int = 0
    replays: int = 0
    divergences: int = 0
    faults: int = 0
    refusals: int = 0
    claims: dict[str, Latency] = field(default_factory=dict)

    def claimed(self, spec: str, seconds: float) -> None:
        """A sandbox was handed over."""
        self.claims.setdefault(spec, Latency()).add(seconds)

    def told(self, backend: Backend | None) -> dict[str, Any]:
        """As JSON, with how the pool stands."""
        counts = {name: getattr(self, name) for name in ("steps", "replays", "divergences", "faults", "refusals")}
        claims = {
            name: {"buckets": seen.counts, "sum": round(seen.total, 6), "count": seen.count}
            for name, seen in self.claims.items()
        }
        told: dict[str, Any] = {"counts": counts, "claims": claims}
        if isinstance(backend, WarmBackend):
            stats = backend.stats
            told["pool"] = {
                "ready": stats.ready,
                "claimed": stats.in_use,
                "starting": stats.starting,
                "committed_bytes": stats.committed_bytes,
                "refills": stats.started,
                "refill_failures": stats.start_failures,
                "waited": stats.waited,
                "destroyed": stats.destroyed,
                "exhausted": stats.exhausted,
            }
        return told
