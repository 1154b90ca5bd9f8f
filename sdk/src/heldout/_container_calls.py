"""The operations on containers; see `heldout._flow`."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from heldout._endpoint_calls import EndpointCalls
from heldout._flow import Flow, Request, exchange
from heldout._session_calls import part_of, post
from heldout.containers import Container, ContainerPage, bundled
from heldout.packs import digest

_CONTAINER = TypeAdapter(Container)
_CONTAINERS = TypeAdapter(ContainerPage)


class ContainerCalls(EndpointCalls):
    """Operations of people who have the service run their container."""

    def containers(self) -> Flow[ContainerPage]:
        return self._typed(Request("GET", "/v1/containers"), _CONTAINERS)

    def delete_container(self, identifier: str) -> Flow[None]:
        yield from exchange(Request("DELETE", _path(identifier)), self._retries)

    def upload_container(self, path: Path, report: Callable[[int, int], None] | None) -> Flow[Container]:
        """Send what has not come yet of an archive or a folder; nothing where all of it is there."""
        with bundled(path) as archive:
            sha256 = digest(archive)
            begun = yield from self.containers()
            found = [container for container in begun.items if container.sha256 == sha256]
            if found:
                container = found[0]
            else:
                body = {"name": archive.name, "size": archive.stat().st_size, "sha256": sha256}
                container = yield from self._typed(post("/v1/containers", body), _CONTAINER)
            with archive.open("rb") as file:
                for number in container.missing:
                    file.seek(number * container.part_bytes)
                    yield from exchange(_part(container, number, file.read(container.part_bytes)), self._retries)
                    if report is not None:
                        report(number + 1, container.parts)
        return (yield from self._typed(Request("GET", _path(container.id)), _CONTAINER))


def _path(identifier: str) -> str:
    return f"/v1/containers/{part_of(identifier)}"


def _part(container: Container, number: int, content: bytes) -> Request:
    request = Request("PUT", f"{_path(container.id)}/parts/{number}", body=content)
    return replace(request, headers={"content-type": "application/octet-stream"})
