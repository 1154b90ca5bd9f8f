"""`Client.containers` and `AsyncClient.containers`."""

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from heldout._calls import Calls
from heldout.containers import Container
from heldout.endpoints import EndpointRun
from heldout.models import Model

Sent = Callable[[int, int], None]


class Containers:
    """What a participant does with containers that the service runs; `Client.endpoints` has their runs."""

    def __init__(self, calls: Calls, run: Callable[[Any], Any]) -> None:
        self._calls = calls
        self._run = run

    def upload(self, path: str | os.PathLike[str], *, progress: Sent | None = None) -> Container:
        """Send a folder, a tar of files, or an image's tar; what has come before is not sent again.

        `progress` gets how many parts were sent, and of how many.
        """
        return Container.model_validate(self._run(self._calls.upload_container(Path(path), progress)))

    def start(
        self,
        container: Container,
        *,
        model: Model | Mapping[str, Any] | str,
        command: Sequence[str] = (),
        split: str = "test",
        benchmark: str | None = None,
        idempotency_key: str | None = None,
        **options: Any,
    ) -> EndpointRun:
        """Have it run over a split; `command` is what is run in it, an image's own by default.

        `options`: `url` and `endpoint_model` of the endpoint that it may ask, and what `Endpoints.start` takes.
        """
        body = {"container": {"id": container.id, "command": list(command)}, "split": split, **options}
        flow = self._calls.start_endpoint_run(benchmark, Model.of(model), body, idempotency_key)
        return EndpointRun.model_validate(self._run(flow))

    def all(self) -> list[Container]:
        """Your organisation's newest containers."""
        return list(self._run(self._calls.containers()).items)

    def delete(self, container: str) -> None:
        """Delete a container that no run needs now."""
        self._run(self._calls.delete_container(container))


class AsyncContainers:
    """As `Containers`, to be awaited."""

    def __init__(self, calls: Calls, run: Callable[[Any], Awaitable[Any]]) -> None:
        self._calls = calls
        self._run = run

    async def upload(self, path: str | os.PathLike[str], *, progress: Sent | None = None) -> Container:
        """Send a folder, a tar of files, or an image's tar; see `Containers.upload`."""
        return Container.model_validate(await self._run(self._calls.upload_container(Path(path), progress)))

    async def start(
        self,
        container: Container,
        *,
        model: Model | Mapping[str, Any] | str,
        command: Sequence[str] = (),
        split: str = "test",
        benchmark: str | None = None,
        idempotency_key: str | None = None,
        **options: Any,
    ) -> EndpointRun:
        """Have it run over a split; see `Containers.start`."""
        body = {"container": {"id": container.id, "command": list(command)}, "split": split, **options}
        flow = self._calls.start_endpoint_run(benchmark, Model.of(model), body, idempotency_key)
        return EndpointRun.model_validate(await self._run(flow))

    async def all(self) -> list[Container]:
        """Your organisation's newest containers."""
        return list((await self._run(self._calls.containers())).items)

    async def delete(self, container: str) -> None:
        """Delete a container that no run needs now."""
        await self._run(self._calls.delete_container(container))
