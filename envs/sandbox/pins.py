"""What stands behind the names of images on this machine, for a release to record."""

from collections.abc import Iterable

from envs.sandbox import images
from envs.sandbox.base import SandboxError


async def recorded(names: Iterable[str]) -> dict[str, list[str]]:
    """Digests by name, of each kind that there is here: "docker sha256:…", "rootfs sha256:…". Asks the engine."""
    found: dict[str, list[str]] = {name: [] for name in names}
    for name, digests in found.items():
        try:
            digests.append(images.digest(name, images.built_images()))
        except SandboxError:
            continue
    for name, digest in (await _of_the_engine(list(found))).items():
        found[name].insert(0, digest)
    return found


async def _of_the_engine(names: list[str]) -> dict[str, str]:
    if not names:
        return {}
    # The SDK takes half a second to import: only a release that names an image pays for it.
    from envs.sandbox.engine import DockerBackend

    told: dict[str, str] = {}
    try:
        async with await DockerBackend.open() as backend:
            for name in names:
                if await backend.has_image(name):
                    told[name] = await backend.digest(name)
    except SandboxError:
        return told
    return told
