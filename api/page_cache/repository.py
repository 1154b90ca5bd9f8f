"""SQL of the versions of public pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Query


@dataclass(frozen=True)
class TopicVersion:
    """A topic and the rows that make its version, in order."""

    topic: str
    ids: list[UUID]


_VERSIONS = Query(
    TopicVersion,
    "The versions of topics; one of which nothing has changed yet has no row.",
    "select topic, ids from page_versions(cast(:topics as text[]))",
)


class PageVersionRepository:
    """The versions of what public pages show."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def of(self, topics: Iterable[str]) -> list[TopicVersion]:
        """Of these topics, as the last commit left them."""
        return await self._session.fetch_all(_VERSIONS, topics=sorted(topics))
