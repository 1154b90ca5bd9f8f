"""SQL of the leaderboard."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession

_PAGE = """
select e.submission_id, e.organisation, e.model_name, e.model, e.score, e.low, e.high, e.coverage, e.attempts,
       e.breakdown, e.usage, e.verified, e.hidden, e.declared, e.contamination, e.correction, e.created_at
from entry e
where e.split_id = :split {filters}
order by {order} limit :limit
"""
_ORDERS = {
    "score": ("e.score desc, e.submission_id", "(-e.score, e.submission_id) > (-cast(:a as double precision), :b)"),
    "created_at": ("e.created_at desc, e.submission_id desc", "(e.created_at, e.submission_id) < (:a, :b)"),
}


@dataclass(frozen=True)
class Filters:
    """What to list: best of each model unless `everything`; `hidden` ones only for owners."""

    everything: bool = False
    hidden: bool = False
    model: str | None = None
    organisation: str | None = None
    verified: bool | None = None
    sort: str = "score"


class LeaderboardRepository:
    """Entries of splits."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def page(self, split_id: UUID, filters: Filters, after: list[Any] | None, limit: int) -> list[Any]:
        """Entries in order, after a key."""
        order, keyset = _ORDERS[filters.sort]
        values: dict[str, Any] = {"split": split_id, "limit": limit}
        clauses = ["and e.visible_from <= now()"]
        if not filters.hidden:
            clauses.append("and not e.hidden")
        if not filters.everything:
            clauses.append("and e.best")
        for name, column in (("model", "model_name"), ("organisation", "organisation")):
            if getattr(filters, name) is not None:
                clauses.append(f"and e.{column} = :{name}")
                values[name] = getattr(filters, name)
        if filters.verified is not None:
            clauses.append("and e.verified = :verified")
            values["verified"] = filters.verified
        if after:
            clauses.append("and " + keyset)
            values |= {"a": after[0], "b": UUID(after[1])}
        return list((await self._session.sql(_PAGE.format(filters=" ".join(clauses), order=order), values)).all())

    async def best(self, split_id: UUID) -> list[Any]:
        """The best entry of each organisation's model on a split."""
        result = await self._session.sql(
            """select organisation_id, organisation, model_name, score, low, high from entry
               where split_id = :split and best and not hidden and visible_from <= now()
               order by score desc, submission_id limit 10000""",
            {"split": split_id},
        )
        return list(result.all())

    async def better(self, split_id: UUID, score: float, filters: Filters) -> int:
        """Listed entries with a better score: the rank of `score` less one."""
        best = "" if filters.everything else "and best"
        result = await self._session.sql(
            f"""select count(*) from entry where split_id = :split and score > :score and not hidden {best}
                and visible_from <= now()""",  # noqa: S608 - the clause is one of two constants
            {"split": split_id, "score": score},
        )
        return int(result.scalar_one())

    async def publish(self, values: dict[str, Any]) -> None:
        """Insert the entry of a submission; again it replaces its score. Then mark the best of its model."""
        await self._session.sql(
            """insert into entry (submission_id, split_id, organisation_id, organisation, model_name, model, score, low,
                 high, coverage, attempts, breakdown, usage, verified, hidden, best, declared, created_at, visible_from)
               values (:submission_id, :split_id, :organisation_id, :organisation, :model_name, cast(:model as jsonb),
                 :score, :low, :high, :coverage, :attempts, cast(:breakdown as jsonb), cast(:usage as jsonb), false,
                 false, false, exists (
                   select 1 from submission u join declaration d
                     on d.split_id = u.split_id and d.organisation_id = u.organisation_id
                     and d.model_name = u.model->>'name' and d.commit = u.model->>'version'
                     and d.declared_at < u.created_at
                   where u.id = :submission_id),
                 :created_at, :visible_from)
               on conflict (submission_id) do update set score = excluded.score, low = excluded.low,
                 high = excluded.high, coverage = excluded.coverage, breakdown = excluded.breakdown""",
            values,
        )
        await self.mark_best(values["split_id"], values["organisation_id"], values["model_name"])

    async def set_contamination(self, submission_id: UUID, found: dict[str, Any] | None) -> None:
        """The test of exposed against held-back items; None where it could not be computed."""
        await self._session.sql(
            "update entry set contamination = cast(:found as jsonb) where submission_id = :id",
            {"id": submission_id, "found": json.dumps(found) if found else None},
        )

    async def set_correction(self, submission_id: UUID, found: dict[str, Any]) -> Any | None:
        """Keep the correction for the judge; a corrected score becomes the entry's. None: nothing is published."""
        best = found.get("corrected") or {}
        result = await self._session.sql(
            """update entry set correction = cast(:found as jsonb), score = coalesce(:score, score),
                 low = coalesce(:low, low), high = coalesce(:high, high)
               where submission_id = :id returning split_id, organisation_id, model_name""",
            {"id": submission_id, "found": json.dumps(found), **{k: best.get(k) for k in ("score", "low", "high")}},
        )
        return result.one_or_none()

    async def mark_best(self, split_id: UUID, organisation_id: UUID, model_name: str) -> None:
        """One `best` for each organisation and model: the highest score, then the earliest."""
        await self._session.sql(
            """with ranked as (
                 select submission_id, row_number() over (order by hidden, score desc, submission_id) = 1 as best
                 from entry where split_id = :split and organisation_id = :organisation and model_name = :model)
               update entry e set best = ranked.best from ranked
               where e.submission_id = ranked.submission_id and e.best is distinct from ranked.best""",
            {"split": split_id, "organisation": organisation_id, "model": model_name},
        )

    async def change(self, submission_id: UUID, owner_id: UUID, column: str, value: bool) -> Any | None:
        """Hide, restore or verify an entry of one's own benchmark."""
        assert column in ("hidden", "verified")
        result = await self._session.sql(
            f"""update entry e set {column} = :value from split s, release r, benchmark b
                where e.submission_id = :id and s.id = e.split_id and r.id = s.release_id and b.id = r.benchmark_id
                  and b.organisation_id = :owner
                returning e.split_id, e.organisation_id, e.model_name""",  # noqa: S608 - one of two names
            {"value": value, "id": submission_id, "owner": owner_id},
        )
        return result.one_or_none()

    async def organisation_name(self, organisation_id: UUID) -> str:
        result = await self._session.sql("select name from organisation where id = :id", {"id": organisation_id})
        return str(result.scalar_one())
