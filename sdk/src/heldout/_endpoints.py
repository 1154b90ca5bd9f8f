"""`Client.endpoints` and `AsyncClient.endpoints`."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from heldout._calls import Calls
from heldout.endpoints import EndpointRun, Watch
from heldout.models import Model


class Endpoints:
    """What a participant does with runs that the service plays."""

    def __init__(self, calls: Calls, run: Callable[[Any], Any]) -> None:
        self._calls = calls
        self._run = run

    def start(
        self,
        *,
        url: str,
        endpoint_model: str,
        model: Model | Mapping[str, Any] | str,
        split: str = "test",
        benchmark: str | None = None,
        idempotency_key: str | None = None,
        **options: Any,
    ) -> EndpointRun:
        """Have the service ask an OpenAI-compatible endpoint (`url` ends before `/chat/completions`).

        `options`: `key`, `system`, `parameters` (sampling settings), the caps `tokens` and `cost` with `input_price`
        and `output_price` (US dollars for a million tokens), `requests_per_minute`.
        """
        body = {"url": url, "endpoint_model": endpoint_model, "split": split, **options}
        flow = self._calls.start_endpoint_run(benchmark, Model.of(model), body, idempotency_key)
        return EndpointRun.model_validate(self._run(flow))

    def get(self, run: str) -> EndpointRun:
        """A run by its id."""
        return EndpointRun.model_validate(self._run(self._calls.endpoint_run(run)))

    def all(self) -> list[EndpointRun]:
        """Your organisation's newest runs."""
        return list(self._run(self._calls.endpoint_runs()).items)

    def wait(self, run: str, *, progress: Watch | None = None) -> EndpointRun:
        """Wait until a run is done, stopped or cancelled; `progress` gets each state on the way."""
        return EndpointRun.model_validate(self._run(self._calls.wait_for_endpoint_run(run, progress)))

    def cancel(self, run: str) -> EndpointRun:
        """Have nothing more asked; what was answered stays."""
        return EndpointRun.model_validate(self._run(self._calls.cancel_endpoint_run(run)))

    def resume(self, run: str, **options: Any) -> EndpointRun:
        """Go on with a run that stopped or was cancelled: with its `key` again, and other caps (`tokens`, `cost`)."""
        return EndpointRun.model_validate(self._run(self._calls.resume_endpoint_run(run, options)))


class AsyncEndpoints:
    """As `Endpoints`, to be awaited."""

    def __init__(self, calls: Calls, run: Callable[[Any], Awaitable[Any]]) -> None:
        self._calls = calls
        self._run = run

    async def start(
        self,
        *,
        url: str,
        endpoint_model: str,
        model: Model | Mapping[str, Any] | str,
        split: str = "test",
        benchmark: str | None = None,
        idempotency_key: str | None = None,
        **options: Any,
    ) -> EndpointRun:
        """Have the service ask an endpoint; see `Endpoints.start`."""
        body = {"url": url, "endpoint_model": endpoint_model, "split": split, **options}
        flow = self._calls.start_endpoint_run(benchmark, Model.of(model), body, idempotency_key)
        return EndpointRun.model_validate(await self._run(flow))

    async def get(self, run: str) -> EndpointRun:
        """A run by its id."""
        return EndpointRun.model_validate(await self._run(self._calls.endpoint_run(run)))

    async def all(self) -> list[EndpointRun]:
        """Your organisation's newest runs."""
        return list((await self._run(self._calls.endpoint_runs())).items)

    async def wait(self, run: str, *, progress: Watch | None = None) -> EndpointRun:
        """Wait until a run is done, stopped or cancelled."""
        return EndpointRun.model_validate(await self._run(self._calls.wait_for_endpoint_run(run, progress)))

    async def cancel(self, run: str) -> EndpointRun:
        """Have nothing more asked; what was answered stays."""
        return EndpointRun.model_validate(await self._run(self._calls.cancel_endpoint_run(run)))

    async def resume(self, run: str, **options: Any) -> EndpointRun:
        """Go on with a run that stopped or was cancelled."""
        return EndpointRun.model_validate(await self._run(self._calls.resume_endpoint_run(run, options)))
