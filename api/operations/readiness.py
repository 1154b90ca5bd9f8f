"""Whether a web process can serve: its database answers, takes changes, has this release's tables; are jobs done?"""

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


@dataclass(frozen=True)
class _Access:
    standby: bool
    read_only: bool


_ACCESS = Query(
    _Access,
    "Whether this connection may change anything.",
    "select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::bool as read_only",
)
_VERSION = Query(str, "The release of the tables.", "select version_num from alembic_version")
_LANES = Query(
    _Lane,
    "Lanes in which something has waited too long for a worker to take it. How much waits is for operators alone.",
    """select l.lane, coalesce(min(j.free_at) < now() - make_interval(secs => :seconds), false) as stands
       from lane_turn l left join grading_job j on j.lane = l.lane group by l.lane order by l.lane""",
)


async def read_only_fault(session: AsyncSession) -> str | None:
    """Says that the database takes no changes, and why; None where it takes them."""
    access = await session.fetch_one(_ACCESS)
    if access.standby:
        return "the database only reads: it is a standby that nobody has promoted, or is being restored"
    return "the database only reads: default_transaction_read_only is on" if access.read_only else None


async def readiness(session: AsyncSession) -> Readiness:
    """Ask the database. Raises what its driver raises when it does not answer."""
    found = await session.fetch_one(_VERSION)
    # While a release is rolled out, `migrate` has run and processes of the release before still serve.
    tables = None if of_later_release(found) else tables_fault(found)
    if faults := [fault for fault in (await read_only_fault(session), tables) if fault]:
        return Readiness(found, faults, {})
    lanes = await session.fetch_all(_LANES, seconds=STANDS_SECONDS)
    return Readiness(found, [], {row.lane: "stands" if row.stands else "moves" for row in lanes})
