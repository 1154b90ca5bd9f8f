"""The pool before a host's sandboxes, and what it keeps ready from the start."""

from collections import Counter

import psutil
import structlog

from api.core.db import Database
from api.core.settings import Settings
from api.hosting.repository import HostRepository
from api.hosting.sealing import open_episode
from envs import registry
from envs.base import EpisodeError
from envs.sandbox.backends import default_backend
from envs.sandbox.base import MIB, Backend
from envs.sandbox.pool import Observer, PoolSpec
from envs.sandbox.warm import WarmBackend
from packs.problem import Episode

log = structlog.get_logger(__name__)
# A sandbox seldom uses a tenth of what it may: more than the machine has is promised, and the setting says how much.
OVERCOMMIT = 1.5
_SAMPLE = 100
_KINDS = 8


async def open_backend(settings: Settings, observe: Observer | None = None) -> Backend:
    """The best backend of this machine behind a pool. Raises BackendUnavailableError."""
    backend = await default_backend(prefer=settings.sandbox)
    if not settings.pool_ready:
        return backend
    budget = settings.pool_memory * MIB if settings.pool_memory else int(psutil.virtual_memory().total * OVERCOMMIT)
    return await WarmBackend(backend, ready=settings.pool_ready, budget=budget, observe=observe).open()


async def keep_published(database: Database, key: bytes, backend: WarmBackend) -> None:
    """Keep ready what the published episodes begin with, judged by a sample of them."""
    async with database.session() as session:
        sealed = await HostRepository(session).sample(_SAMPLE)
    found: dict[str, PoolSpec] = {}
    counts: Counter[str] = Counter()
    for row in sealed:
        episode = Episode.model_validate(open_episode(key, row.problem_id, row.sealed)[0])
        try:
            spec = await registry.pool_spec(episode.environment, backend, dict(episode.spec))
        except EpisodeError as error:
            # The opening of such an episode fails and says so.
            log.info("pool.left_out", environment=episode.environment, error=type(error).__name__)
            continue
        if spec is not None:
            found[spec.key] = spec
            counts[spec.key] += 1
    for name, _ in counts.most_common(_KINDS):
        backend.keep(found[name])
