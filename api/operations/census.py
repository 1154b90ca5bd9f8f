"""What a database holds, as numbers that two copies can be compared by."""

from dataclasses import dataclass

from api.core.db import AsyncSession
from api.core.query import Command, Query


@dataclass(frozen=True)
class TableCount:
    """Rows of a table, and the sum of their hashes: equal for equal rows in any order."""

    rows: int
    digest: str


@dataclass(frozen=True)
class _Table:
    schema: str
    name: str


_TABLES = Query(
    _Table,
    "Every table of the service, its queue and its vault.",
    """select schemaname as schema, tablename as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2""",
)
_UTC = Command("Write times in UTC.", "set local time zone 'UTC'")
_REVISION = Query(str, "The migration the schema is at.", "select version_num from alembic_version")


async def count_tables(session: AsyncSession) -> dict[str, TableCount]:
    """Each table by `schema.name`, in one pass over its rows."""
    # A server of another time zone writes times otherwise.
    await session.run(_UTC)
    found = {}
    for table in await session.fetch_all(_TABLES):
        name = f'"{table.schema}"."{table.name}"'
        query = Query(
            TableCount,
            "Rows of a table and the sum of their hashes.",
            f"""select count(*) as rows, coalesce(sum(hashtextextended(counted::text, 0)::numeric), 0)::text as digest
                from {name} as counted""",  # noqa: S608 - the names are PostgreSQL's own
        )
        found[f"{table.schema}.{table.name}"] = await session.fetch_one(query)
    return found


async def revision(session: AsyncSession) -> str:
    """The migration that the schema is at."""
    return await session.fetch_one(_REVISION)
