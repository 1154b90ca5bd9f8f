"""A feedback part that is presumed public is published at the scheduled release that finds it so."""

import re
from collections.abc import Collection, Sequence

import structlog

from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.core.errors import ServiceError
from api.feedback.repository import HiddenSplit
from api.worker.retiring import NotRotatedError, retire
from api.worker.state import Worker

log = structlog.get_logger(__name__)
_INTO = "dev"


async def rotate_worn(worker: Worker, released: Sequence[HiddenSplit]) -> int:
    """Publish the worn feedback parts of splits that were just released, and draw new ones. Returns how many.

    What an owner keeps back (`rotation = "by_owner"`), and what cannot be published as it is, stays for the owner.
    """
    done = 0
    for split in released:
        if split.config.rotation != "automatic":
            continue
        try:
            async with worker.database.session() as session:
                made = await _rotate(session, worker, split)
        except NotRotatedError:
            continue
        except ServiceError as error:
            log.error("split.not_rotated", split=str(split.id), code=error.code)
            continue
        done += 1
        log.info("split.rotated", split=str(split.id), version=made)
    return done


async def _rotate(session: AsyncSession, worker: Worker, split: HiddenSplit) -> str:
    catalog = CatalogRepository(session)
    benchmark, release, row = await catalog.whereabouts(split.id)
    taken = [made.version for made in await catalog.releases(benchmark.id)]
    dev = await catalog.split(release.id, _INTO)
    into = _INTO if dev is None or dev.visibility == "dev" else f"{row.name}-published"
    version = next_version(release.version, taken)
    await retire(session, worker.settings, benchmark.slug, row.name, version, into)
    return version


def next_version(version: str, taken: Collection[str]) -> str:
    """The version with its last number raised until nobody has it; one without a number gets one."""
    found = re.fullmatch(r"(.*?)(\d+)(\D*)", version, re.DOTALL)
    head, number, tail = (found[1], int(found[2]), found[3]) if found else (f"{version}.", 0, "")
    while (made := f"{head}{number + 1}{tail}") in taken:
        number += 1
    return made
