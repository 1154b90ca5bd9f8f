"""Whether a web process can serve: its database answers, has this release's tables, and its jobs are being done."""

from dataclasses import dataclass

from api.core.db import AsyncSession
from api.core.query import Query
from api.core.revision import expected_version


@dataclass(frozen=True)
class Readiness:
    """`faults` says what is wrong, empty when all is well; `waiting` counts answers to be graded, by lane."""

    faults: list[str]
    waiting: dict[str, int]


@dataclass(frozen=True)
class _Waiting:
    lane: str
    items: int


_VERSION = Query(str, "The release of the tables.", "select version_num from alembic_version")
_WAITING = Query(
    _Waiting,
    "Answers that wait to be graded, by lane; lanes without any too.",
    """select l.lane, coalesce(sum(j.items), 0)::int as items
       from lane_turn l left join grading_job j on j.lane = l.lane group by l.lane order by l.lane""",
)


async def readiness(session: AsyncSession) -> Readiness:
    """Ask the database. Raises what its driver raises when it does not answer."""
    found = await session.fetch_one(_VERSION)
    faults = []
    if found != expected_version():
        faults.append(f"the tables are at {found}, this release needs {expected_version()}: run heldout-server migrate")
    waiting = await session.fetch_all(_WAITING)
    return Readiness(faults, {row.lane: row.items for row in waiting})
