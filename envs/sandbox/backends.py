"""Which backend this machine offers."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from envs.sandbox.base import Backend, BackendUnavailableError, Image, SandboxError
from envs.sandbox.bubblewrap import BubblewrapBackend
from envs.sandbox.engine_names import HOST_IMAGE

if TYPE_CHECKING:
    from envs.sandbox.engine import DockerBackend

    Known = DockerBackend | BubblewrapBackend

_FOREIGN = "foreign"
KNOWN = ("docker", "docker-runsc", "bubblewrap", "bubblewrap-user")


async def default_backend(*, images: Path | None = None, prefer: str | None = None) -> Backend:
    """The best backend there is: Docker Engine if one answers and has our image, else bubblewrap.

    `prefer` or HELDOUT_SANDBOX, one of KNOWN or "auto", decides instead. Raises BackendUnavailableError with what
    is missing. Bubblewrap runs as root's kind where the process is root, and else as the ordinary user's.
    """
    return await _chosen(images, prefer)


async def _chosen(images: Path | None, prefer: str | None) -> "Known":
    wanted = prefer or os.environ.get("HELDOUT_SANDBOX") or "auto"
    if wanted not in (*KNOWN, "auto"):
        raise BackendUnavailableError(f"no sandbox backend '{wanted}'; known: {', '.join(KNOWN)}")
    if wanted.startswith("docker"):
        return await _docker("runsc" if wanted == "docker-runsc" else None)
    if wanted == "auto":
        try:
            return await _docker(None)
        except SandboxError:
            pass
    return BubblewrapBackend(images=images, root=False if wanted == "bubblewrap-user" else None)


async def _docker(runtime: str | None) -> "DockerBackend":
    # The SDK takes half a second to import: only who asks for Docker pays for it.
    from envs.sandbox.engine import DockerBackend

    backend = await DockerBackend.open(runtime=runtime)
    if not await backend.has_image(HOST_IMAGE):
        await backend.close()
        raise BackendUnavailableError(f"Docker Engine answers but has no image '{HOST_IMAGE}': run 'make images'")
    return backend


async def backend_of_foreign(rootfs: Path, *, prefer: str | None = None) -> tuple[Backend, Image]:
    """The best backend, with an image whose root is the folder `rootfs`: that folder is the backend's from then on.

    Raises BackendUnavailableError, SandboxError.
    """
    backend = await _chosen(None, prefer)
    if isinstance(backend, BubblewrapBackend):
        images = rootfs.parent / "images"
        (images / _FOREIGN).mkdir(parents=True)
        rootfs.rename(images / _FOREIGN / "rootfs")
        await backend.close()
        root = False if prefer == "bubblewrap-user" else None
        return BubblewrapBackend(images=images, root=root), Image(name=_FOREIGN)
    try:
        return backend, Image(name=await backend.foreign.take(rootfs))
    except BaseException:
        await backend.close()
        raise
