"""Which backend this machine offers."""

import os
from pathlib import Path

from envs.sandbox.base import Backend
from envs.sandbox.bubblewrap import BubblewrapBackend

KNOWN = ("docker", "docker-runsc", "bubblewrap", "bubblewrap-user")


async def default_backend(*, images: Path | None = None, prefer: str | None = None) -> Backend:
    """The best backend there is: Docker Engine if one answers, else bubblewrap as root, else as an ordinary user.

    `prefer` or HELDOUT_SANDBOX ("docker", "docker-runsc", "bubblewrap", "bubblewrap-user") decides instead.
    Raises BackendUnavailableError with what is missing.
    """
    wanted = prefer or os.environ.get("HELDOUT_SANDBOX", "")
    return BubblewrapBackend(images=images, root=False if wanted == "bubblewrap-user" else None)
