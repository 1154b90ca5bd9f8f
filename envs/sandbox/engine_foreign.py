"""Root file systems of strangers as images of Docker Engine, each for as long as its backend lives."""

import asyncio
import contextlib
import datetime
import tarfile
import uuid
from pathlib import Path
from typing import Any

from docker.errors import DockerException

from envs.sandbox.base import SandboxError
from envs.sandbox.engine_names import FOREIGN

# Runc gives a tmpfs the mode of the folder below it.
_OPEN = ("./tmp", "./var/tmp", "./work")
_LEFT_OVER = datetime.timedelta(days=1)


class ForeignImages:
    """What one backend was given to run. Nothing but the files comes along: no command, no user, no volume."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._taken: list[str] = []

    async def take(self, rootfs: Path) -> str:
        """Make an image of a folder, all of it root's; its name. Raises SandboxError."""
        name = f"{FOREIGN}:{uuid.uuid4().hex}"
        self._taken.append(name)
        try:
            await asyncio.to_thread(self._take, rootfs, name)
        except (DockerException, OSError) as error:
            raise SandboxError(f"an image could not be given to Docker Engine: {error}") from error
        return name

    def _take(self, rootfs: Path, name: str) -> None:
        self._drop_left_over()
        packed = rootfs.with_name(f"{rootfs.name}.tar")
        try:
            with tarfile.open(packed, "w") as archive:
                archive.add(rootfs, arcname=".", filter=_roots)
            told = self._client.api.import_image_from_file(str(packed), repository=FOREIGN, tag=name.rsplit(":", 1)[1])
        finally:
            packed.unlink(missing_ok=True)
        if "errorDetail" in told:
            raise DockerException(told[-500:])

    def _drop_left_over(self) -> None:
        """Those of workers that were killed."""
        oldest = datetime.datetime.now(datetime.UTC) - _LEFT_OVER
        for image in self._client.images.list(name=FOREIGN):
            if datetime.datetime.fromisoformat(image.attrs["Created"][:19] + "+00:00") < oldest:
                with contextlib.suppress(DockerException):
                    self._client.api.remove_image(image.id, force=True)

    async def drop(self) -> None:
        """Remove them; raises nothing."""
        for name in self._taken:
            with contextlib.suppress(DockerException, OSError):
                await asyncio.to_thread(self._client.api.remove_image, name, force=True)
        self._taken.clear()


def _roots(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    if member.name in _OPEN:
        member.mode = 0o1777
    return member
