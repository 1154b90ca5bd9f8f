"""The operations on runs that the service plays; see `heldout._flow`."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import TypeAdapter

from heldout._flow import Flow, Pause, Request
from heldout._key_calls import KeyCalls
from heldout._session_calls import part_of, post
from heldout.endpoints import EndpointRun, EndpointRunPage
from heldout.models import Model

_RUN = TypeAdapter(EndpointRun)
_RUNS = TypeAdapter(EndpointRunPage)
_LONGEST_PAUSE = 10.0


class EndpointCalls(KeyCalls):
    """Operations of people who have the service ask their endpoint."""

    def start_endpoint_run(
        self, benchmark: str | None, model: Model, body: Mapping[str, Any], key: str | None
    ) -> Flow[EndpointRun]:
        slug = yield from self.slug(benchmark)
        described = model.model_dump(mode="json", exclude_defaults=True)
        request = post("/v1/endpoint-runs", {**body, "benchmark": slug, "model": described}, key)
        return (yield from self._typed(request, _RUN))

    def endpoint_runs(self) -> Flow[EndpointRunPage]:
        return self._typed(Request("GET", "/v1/endpoint-runs"), _RUNS)

    def endpoint_run(self, identifier: str) -> Flow[EndpointRun]:
        return self._typed(Request("GET", _path(identifier)), _RUN)

    def cancel_endpoint_run(self, identifier: str) -> Flow[EndpointRun]:
        return self._typed(post(f"{_path(identifier)}/cancel", {}), _RUN)

    def resume_endpoint_run(self, identifier: str, body: Mapping[str, Any]) -> Flow[EndpointRun]:
        return self._typed(post(f"{_path(identifier)}/resume", dict(body)), _RUN)

    def wait_for_endpoint_run(self, identifier: str, report: Callable[[EndpointRun], None] | None) -> Flow[EndpointRun]:
        """Ask until the service asks nothing more."""
        seconds = 0.5
        while True:
            run = yield from self.endpoint_run(identifier)
            if report is not None:
                report(run)
            if run.settled:
                return run
            yield Pause(seconds)
            seconds = min(_LONGEST_PAUSE, seconds * 1.5)


def _path(identifier: str) -> str:
    return f"/v1/endpoint-runs/{part_of(identifier)}"
