"""`Client.packs` and `AsyncClient.packs`."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from heldout._calls import Calls
from heldout.packs import Pack, PackPreview, Watch

Sent = Callable[[int, int], None]


class Packs:
    """What an owner does with packs; needs a key with `benchmarks:write`."""

    def __init__(self, calls: Calls, run: Callable[[Any], Any]) -> None:
        self._calls = calls
        self._run = run

    def upload(self, path: Path | str, *, progress: Sent | None = None) -> Pack:
        """Send a pack (its folder, or a zip, tar, tar.gz or tar.zst of it) and have it checked.

        An upload of the same bytes that was interrupted goes on where it stopped. `progress` is called with
        (parts sent, all). Raises Invalid where there is no pack at `path`.
        """
        return Pack.model_validate(self._run(self._calls.upload_pack(Path(path), progress)))

    def wait(self, pack: str, *, progress: Watch | None = None) -> Pack:
        """Wait until a check or a publication has ended; `progress` gets each state on the way."""
        return Pack.model_validate(self._run(self._calls.wait_for_pack(pack, progress)))

    def get(self, pack: str) -> Pack:
        """A pack by its id."""
        return Pack.model_validate(self._run(self._calls.pack(pack)))

    def all(self) -> list[Pack]:
        """Your organisation's newest packs."""
        return list(self._run(self._calls.packs()).items)

    def preview(self, pack: str) -> PackPreview:
        """The first problems of each split as a participant will see them."""
        return PackPreview.model_validate(self._run(self._calls.preview_pack(pack)))

    def publish(self, pack: str, *, anyway: bool = False) -> Pack:
        """Publish a checked pack as a release; `anyway` though the admission check failed, which its page says."""
        return Pack.model_validate(self._run(self._calls.publish_pack(pack, anyway=anyway)))

    def delete(self, pack: str) -> None:
        """Forget a pack that is not published, with its archive."""
        self._run(self._calls.delete_pack(pack))


class AsyncPacks:
    """As `Packs`, to be awaited."""

    def __init__(self, calls: Calls, run: Callable[[Any], Awaitable[Any]]) -> None:
        self._calls = calls
        self._run = run

    async def upload(self, path: Path | str, *, progress: Sent | None = None) -> Pack:
        """Send a pack and have it checked; see `Packs.upload`."""
        return Pack.model_validate(await self._run(self._calls.upload_pack(Path(path), progress)))

    async def wait(self, pack: str, *, progress: Watch | None = None) -> Pack:
        """Wait until a check or a publication has ended."""
        return Pack.model_validate(await self._run(self._calls.wait_for_pack(pack, progress)))

    async def get(self, pack: str) -> Pack:
        """A pack by its id."""
        return Pack.model_validate(await self._run(self._calls.pack(pack)))

    async def all(self) -> list[Pack]:
        """Your organisation's newest packs."""
        return list((await self._run(self._calls.packs())).items)

    async def preview(self, pack: str) -> PackPreview:
        """The first problems of each split as a participant will see them."""
        return PackPreview.model_validate(await self._run(self._calls.preview_pack(pack)))

    async def publish(self, pack: str, *, anyway: bool = False) -> Pack:
        """Publish a checked pack as a release."""
        return Pack.model_validate(await self._run(self._calls.publish_pack(pack, anyway=anyway)))

    async def delete(self, pack: str) -> None:
        """Forget a pack that is not published."""
        await self._run(self._calls.delete_pack(pack))
