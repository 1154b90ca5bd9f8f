"""Metrics of sessions, hosts and pools. Kinds and counts; no problem, session or person."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from api.hosting.leases import HostStats, SessionCount

_POOL_GAUGES = {
    "claimed": "Sandboxes that were handed over and not given back.",
    "starting": "Sandboxes being started.",
    "committed_bytes": "Memory promised to sandboxes, in bytes.",
}
_POOL_COUNTERS = {
    "refills": "Sandboxes started for the pool.",
    "refill_failures": "Starts that failed.",
    "waited": "Leases that found none ready.",
    "destroyed": "Sandboxes destroyed after use.",
    "exhausted": "Leases refused because none became free.",
}
_HOST_COUNTERS = {
    "steps": "Steps executed and stored.",
    "replays": "Environments rebuilt from a log.",
    "divergences": "Replayed steps that looked different.",
    "faults": "Faults of environments.",
    "refusals": "Calls refused for want of a sandbox.",
}


class SessionMetrics(Collector):
    """What the database says of sessions. A host is a number in the order of their starts: its id says nothing."""

    def __init__(self, sessions: list[SessionCount], hosts: list[HostStats]) -> None:
        self._sessions = sessions
        self._hosts = hosts

    def collect(self) -> Iterator[Metric]:
        yield from self._of_sessions()
        yield from self._of_hosts()
        yield from self._of_pools()

    def _of_sessions(self) -> Iterator[Metric]:
        running = GaugeMetricFamily("heldout_sessions_open", "Sessions that are open.", labels=["state"])
        ended = CounterMetricFamily("heldout_sessions_ended", "Sessions that ended, by reason.", labels=["finish"])
        steps = CounterMetricFamily("heldout_session_steps", "Steps of all sessions.")
        taken = CounterMetricFamily("heldout_session_takeovers", "Sessions taken over by another host.")
        for state in ("opening", "running"):
            running.add_metric([state], sum(row.n for row in self._sessions if row.state == state))
        ends = sorted({row.finish for row in self._sessions if row.finish})
        for reason in ends:
            ended.add_metric([reason], sum(row.n for row in self._sessions if row.finish == reason))
        ended.add_metric(["not_opened"], sum(row.n for row in self._sessions if row.state == "failed"))
        steps.add_metric([], sum(row.steps for row in self._sessions))
        taken.add_metric([], sum(row.takeovers for row in self._sessions))
        yield from (running, ended, steps, taken)

    def _of_hosts(self) -> Iterator[Metric]:
        names = ["host"]
        slots = GaugeMetricFamily("heldout_host_slots", "Sessions a host can hold.", labels=names)
        used = GaugeMetricFamily("heldout_host_sessions", "Sessions a host holds.", labels=names)
        silent = GaugeMetricFamily("heldout_host_silent_seconds", "Since a host's last heartbeat.", labels=names)
        draining = GaugeMetricFamily("heldout_host_draining", "Whether a host takes nothing new.", labels=names)
        for number, row in enumerate(self._hosts):
            name = [str(number)]
            slots.add_metric(name, row.slots)
            used.add_metric(name, row.used)
            silent.add_metric(name, row.silent)
            draining.add_metric(name, int(row.draining))
        yield from (slots, used, silent, draining)
        for key, text in _HOST_COUNTERS.items():
            family = CounterMetricFamily(f"heldout_host_{key}", text, labels=names)
            for number, row in enumerate(self._hosts):
                family.add_metric([str(number)], (row.stats or {}).get("counts", {}).get(key, 0))
            yield family

    def _of_pools(self) -> Iterator[Metric]:
        pools = [(str(number), (row.stats or {}).get("pool")) for number, row in enumerate(self._hosts)]
        ready = GaugeMetricFamily("heldout_pool_ready", "Sandboxes ready, by kind.", labels=["host", "kind"])
        for host, pool in pools:
            for kind, count in sorted((pool or {}).get("ready", {}).items()):
                ready.add_metric([host, kind], count)
        yield ready
        for family_of, texts in ((GaugeMetricFamily, _POOL_GAUGES), (CounterMetricFamily, _POOL_COUNTERS)):
            for key, text in texts.items():
                family = family_of(f"heldout_pool_{key}", text, labels=["host"])
                for host, pool in pools:
                    if pool:
                        family.add_metric([host], pool[key])
                yield family
        yield self._leases()

    def _leases(self) -> Metric:
        family = HistogramMetricFamily(
            "heldout_pool_claim_seconds", "How long the lease of a sandbox took, by kind.", labels=["host", "kind"]
        )
        for number, row in enumerate(self._hosts):
            for kind, lease in sorted((row.stats or {}).get("leases", {}).items()):
                buckets = [(bound, count) for bound, count in lease["buckets"]]
                family.add_metric([str(number), kind], buckets=buckets, sum_value=lease["sum"])
        return family
