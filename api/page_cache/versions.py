"""The present version of what pages show, asked of the database by all who wait at once."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from api.core.db import Database
from api.page_cache.repository import PageVersionRepository

# A connection that was cut off without a word answers nothing; the page then says itself what is wrong.
_SECONDS = 5.0

Version = tuple[tuple[UUID, ...], ...]
"""For each topic the rows that make its version. It never comes again once it has changed."""


@dataclass
class _Look:
    """One question to the database, and who waits for the answer."""

    answer: asyncio.Future[Mapping[str, tuple[UUID, ...]]]
    topics: set[str] = field(default_factory=set)


class CurrentVersions:
    """Looks versions up, one question at a time: whoever comes while one is asked has a part in the next.

    So an answer is never older than its request, there is no subscription that could be lost, and a hundred requests
    at once cost one trip.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._next: _Look | None = None
        self._asking: asyncio.Task[None] | None = None

    async def of(self, topics: tuple[str, ...]) -> Version:
        """The version now. Raises what the database raises, TimeoutError."""
        if self._next is None:
            self._next = _Look(asyncio.get_running_loop().create_future())
            if self._asking is None:
                self._asking = asyncio.create_task(self._ask())
        self._next.topics.update(topics)
        found = await asyncio.shield(self._next.answer)
        return tuple(found.get(topic, ()) for topic in topics)

    async def _ask(self) -> None:
        while (look := self._next) is not None:
            self._next = None
            try:
                async with asyncio.timeout(_SECONDS), self._database.statements() as session:
                    rows = await PageVersionRepository(session).of(look.topics)
            except Exception as error:  # noqa: BLE001 - told to all who wait
                look.answer.set_exception(error)
                # Whoever waited may have gone.
                look.answer.exception()
            else:
                look.answer.set_result({row.topic: tuple(row.ids) for row in rows})
        self._asking = None
