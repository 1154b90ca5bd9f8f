"""The operations on packs; see `heldout._flow`."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from heldout._flow import Flow, Pause, Request, exchange
from heldout._session_calls import SessionCalls, part_of, post
from heldout.packs import Pack, PackPage, PackPreview, Watch, archived, digest

_PACK = TypeAdapter(Pack)
_PACKS = TypeAdapter(PackPage)
_PREVIEW = TypeAdapter(PackPreview)
_LONGEST_PAUSE = 5.0


class PackCalls(SessionCalls):
    """Operations of people who bring benchmarks."""

    def packs(self) -> Flow[PackPage]:
        return self._typed(Request("GET", "/v1/packs"), _PACKS)

    def pack(self, identifier: str) -> Flow[Pack]:
        return self._typed(Request("GET", _path(identifier)), _PACK)

    def upload_pack(self, path: Path, report: Callable[[int, int], None] | None) -> Flow[Pack]:
        """Send what has not come yet of an archive or a folder, and have it checked."""
        with archived(path) as archive:
            sha256 = digest(archive)
            begun = yield from self.packs()
            found = [pack for pack in begun.items if pack.state == "uploading" and pack.sha256 == sha256]
            if found:
                pack = found[0]
            else:
                body = {"name": archive.name, "size": archive.stat().st_size, "sha256": sha256}
                pack = yield from self._typed(post("/v1/packs", body), _PACK)
            with archive.open("rb") as file:
                for number in pack.missing:
                    file.seek(number * pack.part_bytes)
                    part = file.read(pack.part_bytes)
                    yield from exchange(_part(pack, number, part), self._retries)
                    if report is not None:
                        report(number + 1, pack.parts)
        return (yield from self._typed(post(f"{_path(pack.id)}/check", {}), _PACK))

    def preview_pack(self, identifier: str) -> Flow[PackPreview]:
        return self._typed(Request("GET", f"{_path(identifier)}/preview"), _PREVIEW)

    def publish_pack(self, identifier: str, *, anyway: bool) -> Flow[Pack]:
        return self._typed(post(f"{_path(identifier)}/publish", {"anyway": anyway}), _PACK)

    def delete_pack(self, identifier: str) -> Flow[None]:
        yield from exchange(Request("DELETE", _path(identifier)), self._retries)

    def wait_for_pack(self, identifier: str, report: Watch | None) -> Flow[Pack]:
        """Ask until the service has nothing more to do with it."""
        seconds = 0.2
        while True:
            pack = yield from self.pack(identifier)
            if report is not None:
                report(pack)
            if pack.settled:
                return pack
            yield Pause(seconds)
            seconds = min(_LONGEST_PAUSE, seconds * 1.5)


def _path(identifier: str) -> str:
    return f"/v1/packs/{part_of(identifier)}"


def _part(pack: Pack, number: int, content: bytes) -> Request:
    request = Request("PUT", f"{_path(pack.id)}/parts/{number}", body=content)
    return replace(request, headers={"content-type": "application/octet-stream"})
