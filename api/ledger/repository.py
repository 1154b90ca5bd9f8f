"""SQL of the exposure ledger and its hash chain."""

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from pydantic import JsonValue

from api.core.db import AsyncSession
from api.core.query import Command, Query


@dataclass(frozen=True)
class ServedProblem:
    """One problem served: to whom, when, from where, in which variant. `seal` is its hash in the chain."""

    id: int
    organisation: str
    key: str
    problem: str
    split: str
    variant: str
    channel: str
    address: str
    served_at: datetime
    seal: str | None


@dataclass(frozen=True)
class ServedAt:
    """A row of the ledger as patterns of scraping are looked for: `at` in seconds, `key` the key's hint."""

    at: float
    key: str
    organisation: str
    address: str
    position: int


@dataclass(frozen=True)
class LedgerContent:
    """A row of the ledger as the chain hashes it; all None where the row is gone."""

    id: int | None
    organisation_id: UUID | None
    key_id: UUID | None
    problem_id: UUID | None
    split_id: UUID | None
    variant: str | None
    channel: str | None
    address: str | None
    served_at: datetime | None

    def content(self) -> dict[str, JsonValue]:
        """What is hashed."""
        at = self.served_at.astimezone(UTC).isoformat(timespec="microseconds") if self.served_at else None
        return {
            "id": self.id,
            "organisation": str(self.organisation_id),
            "key": str(self.key_id),
            "problem": str(self.problem_id),
            "split": str(self.split_id),
            "variant": self.variant,
            "channel": self.channel,
            "address": self.address,
            "served_at": at,
        }


@dataclass(frozen=True)
class ChainHead:
    """The last seal."""

    number: int
    hash: str


@dataclass(frozen=True)
class SealedRow(LedgerContent):
    """A seal with the row of the ledger it is for."""

    number: int
    exposure_id: int
    hash: str


_CONTENT = "e.id, e.organisation_id, e.key_id, e.problem_id, e.split_id, e.variant, e.channel, e.address, e.served_at"
# Rows may commit out of order, but not by this many places.
_LATE = 100_000


@dataclass(frozen=True)
class LedgerFilters:
    """Which rows of a benchmark's ledger: by slug, name or text as they are shown; None is any. `until` is excluded."""

    organisation: str | None = None
    split: str | None = None
    problem: str | None = None
    key: str | None = None
    channel: str | None = None
    address: str | None = None
    since: datetime | None = None
    until: datetime | None = None


_PAGE = Query(
    ServedProblem,
    "Who was served what of a benchmark, newest first.",
    """select e.id, o.slug as organisation, k.name as key, p.name as problem, s.name as split, e.variant, e.channel,
              e.address, e.served_at, l.hash as seal
       from exposure e join split s on s.id = e.split_id join release r on r.id = s.release_id
       join organisation o on o.id = e.organisation_id join api_key k on k.id = e.key_id
       join problem p on p.id = e.problem_id left join ledger_seal l on l.exposure_id = e.id
       where r.benchmark_id = :benchmark and e.id < coalesce(cast(:before as bigint), 9223372036854775807)
         and (cast(:organisation as text) is null or o.slug = :organisation)
         and (cast(:split as text) is null or s.name = :split)
         and (cast(:problem as text) is null or p.name = :problem)
         and (cast(:key as text) is null or k.name = :key)
         and (cast(:channel as text) is null or e.channel = :channel)
         and (cast(:address as text) is null or e.address = :address)
         and (cast(:since as timestamptz) is null or e.served_at >= :since)
         and (cast(:until as timestamptz) is null or e.served_at < :until)
       order by e.id desc limit :limit""",
)
_SERVED = Query(
    ServedAt,
    "The newest rows of a benchmark's hidden splits, for patterns of scraping.",
    """select extract(epoch from e.served_at) as at, k.hint as key, o.slug as organisation, e.address, p.position
       from exposure e join split s on s.id = e.split_id join release r on r.id = s.release_id
       join organisation o on o.id = e.organisation_id join api_key k on k.id = e.key_id
       join problem p on p.id = e.problem_id
       where r.benchmark_id = :benchmark and s.visibility <> 'dev' order by e.id desc limit :limit""",
)
_LOCK_CHAIN = Query(
    object,
    "Let one process at a time seal, until the end of the transaction.",
    "select cast(pg_advisory_xact_lock(hashtextextended('ledger', 0)) as text)",
)
_HEAD = Query(ChainHead, "The last seal.", "select number, hash from ledger_seal order by number desc limit 1")
_UNSEALED = Query(
    LedgerContent,
    "Rows of the ledger that are not in the chain yet.",
    f"""select {_CONTENT} from exposure e left join ledger_seal l on l.exposure_id = e.id
        where l.exposure_id is null and e.id > (select coalesce(max(exposure_id), 0) - {_LATE} from ledger_seal)
        order by e.id limit :limit""",  # noqa: S608 - constants of this module
)
_SEAL = Command(
    "Take rows of the ledger into the chain.",
    """insert into ledger_seal (number, exposure_id, hash, sealed_at)
       select :first + ordinal - 1, u.id, u.hash, clock_timestamp()
       from unnest(cast(:ids as bigint[]), cast(:hashes as text[])) with ordinality as u(id, hash, ordinal)""",
)
_CHAIN = Query(
    SealedRow,
    "Seals in order, each with its row of the ledger.",
    f"""select l.number, l.exposure_id, l.hash, {_CONTENT}
        from ledger_seal l left join exposure e on e.id = l.exposure_id
        where l.number > :after order by l.number limit :limit""",  # noqa: S608 - constants of this module
)


class LedgerRepository:
    """The exposure ledger and its chain."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def page(
        self, benchmark_id: UUID, before: int | None, filters: LedgerFilters, limit: int
    ) -> list[ServedProblem]:
        """Rows of the ledger that the filters let through, newest first, from before an id."""
        return await self._session.fetch_all(_PAGE, benchmark=benchmark_id, before=before, limit=limit, **vars(filters))

    async def served(self, benchmark_id: UUID, limit: int) -> list[ServedAt]:
        """The newest rows with what patterns of scraping need."""
        return await self._session.fetch_all(_SERVED, benchmark=benchmark_id, limit=limit)

    async def lock_chain(self) -> None:
        """Let one process at a time seal, until the end of the transaction."""
        await self._session.fetch_one(_LOCK_CHAIN)

    async def head(self) -> ChainHead | None:
        """The last seal; None before the first."""
        return await self._session.fetch_optional(_HEAD)

    async def unsealed(self, limit: int) -> list[LedgerContent]:
        """Rows of the ledger that are not in the chain yet."""
        return await self._session.fetch_all(_UNSEALED, limit=limit)

    async def seal(self, first: int, ids: list[int], hashes: list[str]) -> None:
        """Take rows into the chain, numbered from `first`."""
        await self._session.run(_SEAL, first=first, ids=ids, hashes=hashes)

    async def chain(self, after: int, limit: int) -> list[SealedRow]:
        """Seals in order, each with its row of the ledger (None where the row is gone)."""
        return await self._session.fetch_all(_CHAIN, after=after, limit=limit)
