"""SQL of the audit."""

import json
from datetime import UTC
from typing import Any
from uuid import UUID

from pydantic import JsonValue

from api.audit.models import LeakTrace, TraceState
from api.core.db import AsyncSession

_LEDGER = """
select e.id, o.slug as organisation, k.name as key, p.name as problem, s.name as split, e.variant, e.channel,
       e.address, e.served_at, l.hash as seal
from exposure e join split s on s.id = e.split_id join release r on r.id = s.release_id
join organisation o on o.id = e.organisation_id join api_key k on k.id = e.key_id
join problem p on p.id = e.problem_id left join ledger_seal l on l.exposure_id = e.id
where r.benchmark_id = :benchmark and e.id < coalesce(cast(:before as bigint), 9223372036854775807)
  and (cast(:organisation as text) is null or o.slug = :organisation)
order by e.id desc limit :limit
"""
_COLUMNS = "e.id, e.organisation_id, e.key_id, e.problem_id, e.split_id, e.variant, e.channel, e.address, e.served_at"
# Rows may commit out of order, but not by this many places.
_LATE = 100_000


class AuditRepository:
    """The exposure ledger and its chain, traces, declarations, regrades."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def ledger(self, benchmark_id: UUID, before: int | None, organisation: str | None, limit: int) -> list[Any]:
        """Rows of the exposure ledger, newest first."""
        values = {"benchmark": benchmark_id, "before": before, "organisation": organisation, "limit": limit}
        return list((await self._session.sql(_LEDGER, values)).all())

    async def serves(self, benchmark_id: UUID, limit: int) -> list[Any]:
        """The newest rows with what scraping patterns need."""
        result = await self._session.sql(
            """select extract(epoch from e.served_at) as at, k.hint as key, o.slug as organisation, e.address,
                      p.position
               from exposure e join split s on s.id = e.split_id join release r on r.id = s.release_id
               join organisation o on o.id = e.organisation_id join api_key k on k.id = e.key_id
               join problem p on p.id = e.problem_id
               where r.benchmark_id = :benchmark and s.visibility <> 'dev' order by e.id desc limit :limit""",
            {"benchmark": benchmark_id, "limit": limit},
        )
        return list(result.all())

    async def lifts(self, benchmark_id: UUID) -> list[Any]:
        result = await self._session.sql(
            """select o.slug as organisation, u.name as lifted_by, l.reason, l.created_at
               from scraping_lift l join organisation o on o.id = l.organisation_id
               join account u on u.id = l.lifted_by where l.benchmark_id = :benchmark order by l.created_at desc""",
            {"benchmark": benchmark_id},
        )
        return list(result.all())

    async def lift(self, benchmark_id: UUID, organisation: str, by: UUID, reason: str) -> bool:
        result = await self._session.sql(
            """insert into scraping_lift (benchmark_id, organisation_id, lifted_by, reason, created_at)
               select :benchmark, id, :by, :reason, clock_timestamp() from organisation where slug = :organisation
               on conflict (benchmark_id, organisation_id) do update set reason = excluded.reason,
                 lifted_by = excluded.lifted_by, created_at = excluded.created_at""",
            {"benchmark": benchmark_id, "organisation": organisation, "by": by, "reason": reason},
        )
        return result.rowcount == 1

    async def restore(self, benchmark_id: UUID, organisation: str) -> bool:
        result = await self._session.sql(
            """delete from scraping_lift l using organisation o
               where l.benchmark_id = :benchmark and o.id = l.organisation_id and o.slug = :organisation""",
            {"benchmark": benchmark_id, "organisation": organisation},
        )
        return result.rowcount == 1

    async def lock_chain(self) -> None:
        await self._session.sql("select pg_advisory_xact_lock(hashtextextended('ledger', 0))")

    async def chain_head(self) -> Any | None:
        result = await self._session.sql("select number, hash from ledger_seal order by number desc limit 1")
        return result.one_or_none()

    async def unsealed(self, limit: int) -> list[Any]:
        """Rows of the ledger that are not in the chain yet."""
        result = await self._session.sql(
            f"""select {_COLUMNS} from exposure e left join ledger_seal l on l.exposure_id = e.id
                where l.exposure_id is null
                  and e.id > (select coalesce(max(exposure_id), 0) - {_LATE} from ledger_seal)
                order by e.id limit :limit""",  # noqa: S608 - constants of this module
            {"limit": limit},
        )
        return list(result.all())

    async def seal(self, first: int, ids: list[int], hashes: list[str]) -> None:
        await self._session.sql(
            """insert into ledger_seal (number, exposure_id, hash, sealed_at)
               select :first + ordinal - 1, u.id, u.hash, clock_timestamp()
               from unnest(cast(:ids as bigint[]), cast(:hashes as text[])) with ordinality as u(id, hash, ordinal)""",
            {"first": first, "ids": ids, "hashes": hashes},
        )

    async def chain(self, after: int, limit: int) -> list[Any]:
        """Seals in order, each with its row of the ledger (columns None where the row is gone)."""
        result = await self._session.sql(
            f"""select l.number, l.exposure_id, l.hash, {_COLUMNS}
                from ledger_seal l left join exposure e on e.id = l.exposure_id
                where l.number > :after order by l.number limit :limit""",  # noqa: S608 - constants of this module
            {"after": after, "limit": limit},
        )
        return list(result.all())

    async def add_trace(self, row: LeakTrace) -> None:
        self._session.add(row)
        await self._session.flush()

    async def trace(self, trace_id: UUID, organisation_id: UUID | None = None) -> Any | None:
        """A trace with its benchmark; only that of an owner where an organisation is named."""
        result = await self._session.sql(
            """select t.id, t.state, t.payload, t.report, t.created_at, b.slug, b.id as benchmark_id, b.release_id
               from leak_trace t join benchmark b on b.id = t.benchmark_id
               where t.id = :id and (cast(:organisation as uuid) is null or b.organisation_id = :organisation)""",
            {"id": trace_id, "organisation": organisation_id},
        )
        return result.one_or_none()

    async def finish_trace(self, trace_id: UUID, state: TraceState, report: dict[str, Any] | None) -> None:
        await self._session.sql(
            """update leak_trace set state = :state, report = cast(:report as jsonb), payload = null,
                 finished_at = clock_timestamp() where id = :id""",
            {"id": trace_id, "state": state.value, "report": json.dumps(report) if report else None},
        )

    async def marked_problems(self, release_id: UUID) -> list[Any]:
        """Problems of hidden splits that have variants."""
        result = await self._session.sql(
            """select p.id, p.variation from problem p join split s on s.id = p.split_id
               where p.release_id = :release and s.visibility <> 'dev' and p.variation is not null""",
            {"release": release_id},
        )
        return list(result.all())

    async def candidates(self, release_id: UUID) -> list[Any]:
        """Organisations that were served anything of a release."""
        result = await self._session.sql(
            """select distinct o.id, o.slug from exposure e join split s on s.id = e.split_id
               join organisation o on o.id = e.organisation_id where s.release_id = :release order by o.slug""",
            {"release": release_id},
        )
        return list(result.all())

    async def answers(self, submission_id: UUID, benchmark_id: UUID) -> Any | None:
        """A submission's organisation, release and answers by problem."""
        result = await self._session.sql(
            """select u.organisation_id, u.release_id,
                      coalesce(jsonb_object_agg(cast(i.problem_id as text), i.answer)
                               filter (where i.answer is not null), '{}') as answers
               from submission u join release r on r.id = u.release_id and r.benchmark_id = :benchmark
               left join submission_item i on i.submission_id = u.id
               where u.id = :id group by u.organisation_id, u.release_id""",
            {"id": submission_id, "benchmark": benchmark_id},
        )
        return result.one_or_none()


def content(row: Any) -> dict[str, JsonValue]:
    """A row of the ledger as the chain hashes it."""
    return {
        "id": row.id,
        "organisation": str(row.organisation_id),
        "key": str(row.key_id),
        "problem": str(row.problem_id),
        "split": str(row.split_id),
        "variant": row.variant,
        "channel": row.channel,
        "address": row.address,
        "served_at": row.served_at.astimezone(UTC).isoformat(timespec="microseconds") if row.served_at else None,
    }
