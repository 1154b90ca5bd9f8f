"""SQL of matches."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query
from envs.card_game.duel import Ended
from envs.card_game.league import Rating, Tally

# Seconds since anything happened in a match, by the database's clock.
_IDLE = """cast(extract(epoch from now() - greatest(m.created_at,
      (select max(t.joined_at) from match_seat t where t.match_id = m.id),
      (select max(a.created_at) from match_action a where a.match_id = m.id))) as double precision)"""


@dataclass(frozen=True)
class SeatRow:
    """A seat with its match and who sits opposite. `steps`: its replies; `idle`: seconds since anything happened in the
    match."""

    id: UUID
    match_id: UUID
    side: int
    organisation_id: UUID
    model_name: str
    benchmark: str
    benchmark_id: UUID
    ranked: bool
    deal: dict[str, Any]
    seconds: int
    created_at: datetime
    winner: int | None
    ended: str | None
    opponent: str | None
    opponent_model: str | None
    steps: int
    idle: float


@dataclass(frozen=True)
class UndecidedMatch:
    """A match for the worker. `seats`: how many are taken."""

    id: UUID
    benchmark_id: UUID
    ranked: bool
    deal: dict[str, Any]
    seconds: int
    seats: int
    idle: float


@dataclass(frozen=True)
class LoggedAction:
    """A reply of a side; None: it gave up."""

    number: int
    side: int
    action: dict[str, Any] | None


@dataclass(frozen=True)
class FreeSeat:
    """A seat that nobody has taken."""

    match_id: UUID
    side: int


@dataclass(frozen=True)
class Challenge:
    """A match that waits for the organisation that was challenged."""

    match_id: UUID
    side: int
    benchmark_id: UUID
    benchmark: str
    organisation: str
    model_name: str
    seconds: int
    created_at: datetime


@dataclass(frozen=True)
class RatingRow:
    """An entry's rating with who it is of."""

    organisation: str
    organisation_slug: str
    organisation_verified: bool
    model_name: str
    elo: float
    interval: float
    won: int
    played: int
    lost_by: dict[str, int]


@dataclass(frozen=True)
class DecidedMatch:
    """A ranked match that is over."""

    first: str
    first_model: str
    second: str
    second_model: str
    winner: int
    ended: str
    decided_at: datetime


@dataclass(frozen=True)
class _Met:
    first: UUID
    first_model: str
    second: UUID
    second_model: str
    winner: int
    ended: Ended
    count: int
    met: int


_PLAYS = Query(
    bool,
    "Whether a release has a game that two can play.",
    "select exists (select from problem where release_id = :release and type = 'card_game') as plays",
)
_DECLARED = Query(
    bool,
    "Whether an organisation has declared runs of a model on a benchmark, and the declaration counts.",
    """select exists (
         select from declaration d join split s on s.id = d.split_id join release r on r.id = s.release_id
         where r.benchmark_id = :benchmark and d.organisation_id = :organisation and d.model_name = :model
           and d.counts_from <= now()) as declared""",
)
_LOCK = Command(
    "Let whoever opens or accepts a match on a benchmark wait for each other.",
    "select pg_advisory_xact_lock(hashtextextended('matches ' || cast(:benchmark as text), 0))",
)
_OPEN = Query(
    int,
    "How many seats of a party are in matches that are not decided.",
    """select count(*) as open from match_seat s join game_match m on m.id = s.match_id
       where s.party = :party and m.ended is null""",
)
_REPEATED = Query(
    UUID,
    "The seat that an organisation took with this idempotency key.",
    "select id from match_seat where organisation_id = :organisation and idempotency_key = :key",
)
_WAITING = Query(
    FreeSeat,
    "A free seat of a ranked match of another party: one of those that wait, by lot, so that nobody chooses.",
    """select m.id as match_id, 1 - s.side as side from game_match m join match_seat s on s.match_id = m.id
       where m.benchmark_id = :benchmark and m.invited is null and m.ended is null
         and m.created_at > now() - make_interval(secs => :seconds)
         and s.party <> :party and s.organisation_id <> :organisation
         and not exists (select from match_seat t where t.match_id = m.id and t.id <> s.id)
         and not exists (select from match_action a where a.match_id = m.id)
       order by random() limit 1""",
)
_ADD_MATCH = Command(
    "A match is opened.",
    """insert into game_match (id, benchmark_id, invited, deal, seconds)
       values (:id, :benchmark, :invited, cast(:deal as jsonb), :seconds)""",
)
_ADD_SEAT = Command(
    "A seat is taken.",
    """insert into match_seat (id, match_id, side, organisation_id, party, model_name, idempotency_key)
       values (:id, :match, :side, :organisation, :party, :model, :key)""",
)
_ADD_ACTION = Query(
    int,
    "A reply is logged, if no other has its number.",
    """insert into match_action (match_id, number, side, action)
       values (:match, :number, :side, cast(:action as jsonb))
       on conflict (match_id, number) do nothing returning number""",
)
_SEAT = f"""select s.id, s.match_id, s.side, s.organisation_id, s.model_name, b.slug as benchmark, m.benchmark_id,
      m.invited is null as ranked, m.deal, m.seconds, m.created_at, m.winner, m.ended, p.name as opponent,
      o.model_name as opponent_model,
      (select count(*) from match_action a where a.match_id = m.id and a.side = s.side and a.action is not null)
        as steps,
      {_IDLE} as idle
    from match_seat s join game_match m on m.id = s.match_id join benchmark b on b.id = m.benchmark_id
      left join match_seat o on o.match_id = m.id and o.id <> s.id
      left join organisation p on p.id = o.organisation_id"""  # noqa: S608 - constants
_ONE = Query(SeatRow, "A seat.", f"{_SEAT} where s.id = :id")
_OF_ORGANISATION = Query(
    SeatRow,
    "Seats of an organisation, newest first.",
    f"{_SEAT} where s.organisation_id = :organisation order by s.id desc limit :limit",
)
_LOG = Query(
    LoggedAction,
    "The replies of a match in their order.",
    "select number, side, action from match_action where match_id = :match order by number",
)
_CHALLENGES = Query(
    Challenge,
    "Matches that wait for an organisation, newest first.",
    """select m.id as match_id, 1 - s.side as side, m.benchmark_id, b.slug as benchmark, o.name as organisation,
              s.model_name, m.seconds, m.created_at
       from game_match m join match_seat s on s.match_id = m.id join benchmark b on b.id = m.benchmark_id
         join organisation o on o.id = s.organisation_id
       where m.invited = :organisation and m.ended is null
         and m.created_at > now() - make_interval(secs => :seconds)
         and not exists (select from match_seat t where t.match_id = m.id and t.id <> s.id)
         and not exists (select from match_action a where a.match_id = m.id)
       order by m.id desc limit :limit""",
)
_UNDECIDED = f"""select m.id, m.benchmark_id, m.invited is null as ranked, m.deal, m.seconds,
      (select count(*) from match_seat s where s.match_id = m.id) as seats, {_IDLE} as idle
    from game_match m where m.ended is null"""  # noqa: S608 - constants
_UNDECIDED_ONE = Query(UndecidedMatch, "A match that is not decided.", f"{_UNDECIDED} and m.id = :id")
_DUE = Query(
    UUID,
    "Matches in which somebody was late, or that nobody joined.",
    f"""select u.id from ({_UNDECIDED}) u join game_match m on m.id = u.id
        where u.idle > case when u.seats = 2 then u.seconds + :grace when m.invited is null then :waited
                            else :challenged end
        order by u.id limit 100""",  # noqa: S608 - constants
)
_DECIDE = Command(
    "How a match ended.",
    "update game_match set winner = :winner, ended = :ended, decided_at = now() where id = :id and ended is null",
)
_TALLIES = Query(
    _Met,
    "How ranked matches of a benchmark ended, and how often the two parties have met.",
    """select f.organisation_id as first, f.model_name as first_model, s.organisation_id as second,
              s.model_name as second_model, m.winner, m.ended, count(*) as count,
              cast(sum(count(*)) over (partition by least(f.party, s.party), greatest(f.party, s.party)) as bigint)
                as met
       from game_match m join match_seat f on f.match_id = m.id and f.side = 0
         join match_seat s on s.match_id = m.id and s.side = 1
       where m.benchmark_id = :benchmark and m.invited is null and m.winner is not null
       group by f.organisation_id, f.model_name, f.party, s.organisation_id, s.model_name, s.party, m.winner,
         m.ended""",
)
_VERIFIED = Query(
    UUID,
    "The verified organisations that have played ranked matches of a benchmark.",
    """select distinct o.id from game_match m join match_seat s on s.match_id = m.id
         join organisation o on o.id = s.organisation_id
       where m.benchmark_id = :benchmark and m.invited is null and o.verified_at is not null""",
)
_DROP_RATINGS = Command("A benchmark's ratings make room.", "delete from match_rating where benchmark_id = :benchmark")
_RATE = Command(
    "Ratings of a benchmark.",
    """insert into match_rating (benchmark_id, organisation_id, model_name, elo, interval, won, played, lost_by)
       select :benchmark, u.organisation, u.model, u.elo, u.interval, u.won, u.played, u.lost_by
       from jsonb_to_recordset(cast(:rows as jsonb)) as u(organisation uuid, model text, elo double precision,
         interval double precision, won integer, played integer, lost_by jsonb)""",
)
_RATINGS = Query(
    RatingRow,
    "Ratings of a benchmark, best first.",
    """select o.name as organisation, o.slug as organisation_slug, o.verified_at is not null as organisation_verified,
              r.model_name, r.elo, r.interval, r.won, r.played, r.lost_by
       from match_rating r join organisation o on o.id = r.organisation_id
       where r.benchmark_id = :benchmark order by r.elo desc, o.slug, r.model_name limit :limit""",
)
_RATED = Query(
    bool,
    "Whether entries of a benchmark are rated.",
    "select exists (select from match_rating where benchmark_id = :benchmark) as rated",
)
_DECIDED = Query(
    DecidedMatch,
    "Ranked matches of a benchmark that are over, newest first.",
    """select a.name as first, f.model_name as first_model, b.name as second, s.model_name as second_model, m.winner,
              m.ended, m.decided_at
       from game_match m join match_seat f on f.match_id = m.id and f.side = 0
         join match_seat s on s.match_id = m.id and s.side = 1 join organisation a on a.id = f.organisation_id
         join organisation b on b.id = s.organisation_id
       where m.benchmark_id = :benchmark and m.invited is null and m.winner is not null
       order by m.decided_at desc, m.id limit :limit""",
)
Entry = tuple[UUID, str]
"""An organisation and the name of its model."""


class MatchRepository:
    """Matches, seats, replies and ratings."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def plays(self, release_id: UUID) -> bool:
        """Whether a release has a game that two can play."""
        return await self._session.fetch_one(_PLAYS, release=release_id)

    async def declared(self, benchmark_id: UUID, organisation_id: UUID, model: str) -> bool:
        """Whether the entry was declared, and the declaration counts."""
        return await self._session.fetch_one(
            _DECLARED, benchmark=benchmark_id, organisation=organisation_id, model=model
        )

    async def lock(self, benchmark_id: UUID) -> None:
        """One match of a benchmark is opened, accepted or rated at a time, until the end of the transaction."""
        await self._session.run(_LOCK, benchmark=benchmark_id)

    async def open_seats(self, party: UUID) -> int:
        """Seats of a party in matches that are not decided."""
        return await self._session.fetch_one(_OPEN, party=party)

    async def repeated(self, organisation_id: UUID, key: str) -> UUID | None:
        """The seat that was taken with this idempotency key."""
        return await self._session.fetch_optional(_REPEATED, organisation=organisation_id, key=key)

    async def waiting(self, benchmark_id: UUID, organisation_id: UUID, party: UUID, seconds: int) -> FreeSeat | None:
        """A free seat opposite another party that began to wait at most so many seconds ago."""
        return await self._session.fetch_optional(
            _WAITING, benchmark=benchmark_id, organisation=organisation_id, party=party, seconds=seconds
        )

    async def add_match(
        self, match_id: UUID, benchmark_id: UUID, invited: UUID | None, deal: str, seconds: int
    ) -> None:
        """Open a match."""
        await self._session.run(
            _ADD_MATCH, id=match_id, benchmark=benchmark_id, invited=invited, deal=deal, seconds=seconds
        )

    async def add_seat(
        self, seat_id: UUID, free: FreeSeat, organisation_id: UUID, party: UUID, model: str, key: str | None
    ) -> None:
        """Take a seat."""
        await self._session.run(
            _ADD_SEAT,
            id=seat_id,
            match=free.match_id,
            side=free.side,
            organisation=organisation_id,
            party=party,
            model=model,
            key=key,
        )

    async def add_action(self, match_id: UUID, number: int, side: int, action: str | None) -> bool:
        """Log a reply (JSON); False where another came first."""
        added = await self._session.fetch_optional(_ADD_ACTION, match=match_id, number=number, side=side, action=action)
        return added is not None

    async def seat(self, seat_id: UUID) -> SeatRow | None:
        return await self._session.fetch_optional(_ONE, id=seat_id)

    async def seats(self, organisation_id: UUID, limit: int) -> list[SeatRow]:
        """Newest first."""
        return await self._session.fetch_all(_OF_ORGANISATION, organisation=organisation_id, limit=limit)

    async def log(self, match_id: UUID) -> list[LoggedAction]:
        """The replies of a match in their order."""
        return await self._session.fetch_all(_LOG, match=match_id)

    async def challenges(self, organisation_id: UUID, seconds: int, limit: int) -> list[Challenge]:
        """Matches that wait for an organisation, at most so many seconds old, newest first."""
        return await self._session.fetch_all(_CHALLENGES, organisation=organisation_id, seconds=seconds, limit=limit)

    async def undecided(self, match_id: UUID) -> UndecidedMatch | None:
        return await self._session.fetch_optional(_UNDECIDED_ONE, id=match_id)

    async def due(self, grace: int, waited: int, challenged: int) -> list[UUID]:
        """Matches in which somebody was late by `grace` seconds, and those that waited so long for an opponent."""
        return await self._session.fetch_all(_DUE, grace=grace, waited=waited, challenged=challenged)

    async def decide(self, match_id: UUID, winner: int | None, ended: str) -> bool:
        """Say how a match ended; False where it was said before."""
        return await self._session.run(_DECIDE, id=match_id, winner=winner, ended=ended) > 0

    async def tallies(self, benchmark_id: UUID, most: int) -> list[Tally[Entry]]:
        """How the ranked matches of each two entries ended. Those of two parties weigh as much as `most` at most."""
        return [
            Tally(
                entries := ((row.first, row.first_model), (row.second, row.second_model)),
                entries[row.winner],
                row.ended,
                row.count,
                min(1.0, most / row.met),
            )
            for row in await self._session.fetch_all(_TALLIES, benchmark=benchmark_id)
        ]

    async def verified(self, benchmark_id: UUID) -> set[UUID]:
        """The verified organisations that have played ranked matches."""
        return set(await self._session.fetch_all(_VERIFIED, benchmark=benchmark_id))

    async def rate(self, benchmark_id: UUID, ratings: Sequence[Rating[Entry]]) -> None:
        """Put these in the place of the benchmark's ratings."""
        rows = [
            {
                "organisation": str(one.name[0]),
                "model": one.name[1],
                "elo": one.elo,
                "interval": one.interval,
                "won": one.won,
                "played": one.played,
                "lost_by": one.lost_by,
            }
            for one in ratings
        ]
        await self._session.run(_DROP_RATINGS, benchmark=benchmark_id)
        await self._session.run(_RATE, benchmark=benchmark_id, rows=json.dumps(rows))

    async def ratings(self, benchmark_id: UUID, limit: int) -> list[RatingRow]:
        """Best first."""
        return await self._session.fetch_all(_RATINGS, benchmark=benchmark_id, limit=limit)

    async def rated(self, benchmark_id: UUID) -> bool:
        """Whether entries of a benchmark are rated."""
        return await self._session.fetch_one(_RATED, benchmark=benchmark_id)

    async def decided(self, benchmark_id: UUID, limit: int) -> list[DecidedMatch]:
        """Ranked matches that are over, newest first."""
        return await self._session.fetch_all(_DECIDED, benchmark=benchmark_id, limit=limit)
