"""The two statements of an opening: the episode that it is of, and its beginning."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from api.hosting.grouped import Grouped
from api.hosting.repository import Lease


class EpisodeOfProblem(msgspec.Struct, frozen=True):
    """A problem's sealed episode and the images its release was published with."""

    problem: UUID
    sandbox_images: dict[str, list[str]] | None
    sealed: bytes | None


class EpisodeReader(Grouped[UUID, EpisodeOfProblem | None]):
    """The sealed episode of a problem; None where there is no such problem."""

    statement = r"""
select json_build_object(
  'problem', p.id,
  'sandbox_images', (select r.sandbox_images from release r where r.id = p.release_id),
  'sealed', (select translate(encode(e.sealed, 'base64'), E'\n', '') from vault.episode e where e.problem_id = p.id))
from problem p where p.id in (select value::uuid from jsonb_array_elements_text($1::jsonb))
"""

    async def _answers(self, group: list[UUID]) -> list[EpisodeOfProblem | None]:
        rows = (_episode.decode(row) for row in await self._execute(list(group)))
        found = {row.problem: row for row in rows}
        return [found.get(problem) for problem in group]


@dataclass(frozen=True)
class Beginning:
    """The first observation of a session under a lease, with the limits of its episode.

    `built_for`: problem, seed and variant that its environment was built from, where that was before it was admitted.
    """

    lease: Lease
    observation: dict[str, Any]
    digest: str
    limit: int
    seconds: int
    built_for: dict[str, Any]

    def values(self) -> dict[str, Any]:
        first = {"observation": self.observation, "digest": self.digest, "limit": self.limit, "seconds": self.seconds}
        return self.lease.values() | first | self.built_for


class _Begun(msgspec.Struct):
    session: UUID
    deadline: datetime


class Beginnings(Grouped[Beginning, datetime | None]):
    """`opening → running` with the first observation, if the lease stands; when the session's wall clock is over.

    None: fenced out, or the session is another than its environment was built for.
    """

    statement = """
with asked as (
  select * from jsonb_to_recordset($1::jsonb) as a (
    session uuid, host uuid, epoch integer, observation jsonb, digest text, "limit" integer, seconds integer,
    problem uuid, seed integer, variant text)),
mine as (
  update live_session l set state = 'running', step_limit = a.limit, seconds = a.seconds,
    active_at = clock_timestamp(), deadline = clock_timestamp() + make_interval(secs => a.seconds)
  from asked a
  where l.id = a.session and l.host_id = a.host and l.epoch = a.epoch and l.state = 'opening'
    and (a.problem is null or (l.problem_id = a.problem and l.seed = a.seed and l.variant = a.variant))
  returning l.id, l.deadline),
first as (
  insert into session_step (session_id, number, observation, digest, stored_at)
  select a.session, 0, a.observation, a.digest, clock_timestamp() from asked a join mine on mine.id = a.session)
select json_build_object('session', id, 'deadline', deadline) from mine
"""

    async def _answers(self, group: list[Beginning]) -> list[datetime | None]:
        rows = (_begun.decode(row) for row in await self._execute([one.values() for one in group]))
        found = {row.session: row.deadline for row in rows}
        return [found.get(one.lease.session) for one in group]


_episode = msgspec.json.Decoder(EpisodeOfProblem)
_begun = msgspec.json.Decoder(_Begun)
