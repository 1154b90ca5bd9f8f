"""Pictures of the problem that a reviewer is looking at."""

from dataclasses import dataclass
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Query


@dataclass(frozen=True)
class SheetPicture:
    """A file of a release."""

    content: bytes
    media_type: str


_PICTURE = Query(
    SheetPicture,
    "A file of the release whose problem an answer is of.",
    """select f.content, f.media_type from review r join problem p on p.id = r.problem_id
       join asset f on f.release_id = p.release_id and f.path = :path where r.id = :review""",
)


async def picture(session: AsyncSession, review_id: UUID, path: str) -> SheetPicture | None:
    """A file that a review's sheet names."""
    return await session.fetch_optional(_PICTURE, review=review_id, path=path)
