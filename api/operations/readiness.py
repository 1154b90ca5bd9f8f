"""Whether a web process can serve: its database answers, has this release's tables, and its jobs are being done."""

from dataclasses import dataclass

from api.core.db import AsyncSession
from api.core.query import Query
from api.core.revision import of_later_release, tables_fault

STANDS_SECONDS = 1800


@dataclass(frozen=True)
class Readiness:
    """`faults` says what is wrong, empty when all is well; `version` of the tables; `queue` by lane: is it taken?"""

    version: str
    faults: list[str]
    queue: dict[str, str]


@dataclass(frozen=True)
class _Lane:
    lane: str
    stands: bool


_VERSION = Query(str, "The release of the tables.", "select version_num from alembic_version")
_LANES = Query(
    _Lane,
    "Lanes in which something has waited too long for a worker to take it. How much waits is for operators alone.",
    """select l.lane, coalesce(min(j.free_at) < now() - make_interval(secs => :seconds), false) as stands
       from lane_turn l left join grading_job j on j.lane = l.lane group by l.lane order by l.lane""",
)


async def readiness(session: AsyncSession) -> Readiness:
    """Ask the database. Raises what its driver raises when it does not answer."""
    found = await session.fetch_one(_VERSION)
    # While a release is rolled out, `migrate` has run and processes of the release before still serve.
    if (fault := tables_fault(found)) and not of_later_release(found):
        return Readiness(found, [fault], {})
    lanes = await session.fetch_all(_LANES, seconds=STANDS_SECONDS)
    return Readiness(found, [], {row.lane: "stands" if row.stands else "moves" for row in lanes})
