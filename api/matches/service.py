"""Opening matches, replying in them, giving them up, and their ratings."""

import json
import secrets
from uuid import UUID

from api.accounts.principal import Principal
from api.accounts.repository import AccountRepository
from api.catalog.service import CatalogService
from api.core import queue
from api.core.db import AsyncSession
from api.core.ids import new_id, parse_id, public_id
from api.core.settings import Settings
from api.hosting.step_views import ObservationPublic
from api.matches import course
from api.matches.errors import (
    ActionNumberError,
    ActionTakenError,
    MatchOverError,
    NoChallengeError,
    NoMatchError,
    NoOpponentError,
    NotDeclaredError,
    NotPlayedError,
    NotYourTurnError,
    TooManyMatchesError,
)
from api.matches.repository import FreeSeat, LoggedAction, MatchRepository, SeatRow
from api.matches.schemas import (
    ChallengePublic,
    MatchCreate,
    MatchListed,
    MatchOpponent,
    MatchPublic,
    MatchStepCreate,
    RatingPage,
    RatingPublic,
)
from envs.card_game import league, protocol
from envs.card_game.duel import Duel

_LISTED = 100
_MOST_OPEN = 32


async def ratings(session: AsyncSession, slug: str) -> RatingPage:
    """The ratings of a benchmark's ranked matches. Raises NoBenchmarkError."""
    benchmark = await CatalogService(session).benchmark(slug)
    repository = MatchRepository(session)
    items = [
        RatingPublic(
            organisation=row.organisation,
            organisation_slug=row.organisation_slug,
            organisation_verified=row.organisation_verified,
            model=row.model_name,
            elo=row.elo,
            interval=row.interval,
            won=row.won,
            played=row.played,
            lost_by=row.lost_by,
        )
        for row in await repository.ratings(benchmark.id, _LISTED)
    ]
    matches = [
        MatchListed(
            first=MatchOpponent(organisation=row.first, model=row.first_model),
            second=MatchOpponent(organisation=row.second, model=row.second_model),
            winner="second" if row.winner else "first",
            ended=row.ended,
            decided_at=row.decided_at,
        )
        for row in await repository.decided(benchmark.id, _LISTED)
    ]
    return RatingPage(benchmark=slug, items=items, matches=matches)


class MatchService:
    """Matches of the principal's organisation."""

    def __init__(self, session: AsyncSession, settings: Settings, principal: Principal) -> None:
        self._session = session
        self._repository = MatchRepository(session)
        self._principal = principal
        self._seconds = settings.match_seconds

    async def open(self, slug: str, body: MatchCreate, key: str | None) -> MatchPublic:
        """Be paired with somebody who waits, or wait; or challenge an organisation.

        Raises NoBenchmarkError, NotPlayedError, NotDeclaredError, NoOpponentError, TooManyMatchesError.
        """
        benchmark, release = await CatalogService(self._session).current(slug)
        await self._repository.lock(benchmark.id)
        if key and (seat_id := await self._repository.repeated(self._principal.organisation_id, key)):
            return await self._view(seat_id)
        if not await self._repository.plays(release.id):
            raise NotPlayedError(f"{slug} has no episodes of the card game")
        if body.opponent is None:
            return await self._take(await self._paired(benchmark.id, body.model), body.model, key)
        invited = await AccountRepository(self._session).organisation_by_slug(body.opponent)
        if invited is None:
            raise NoOpponentError("challenge an organisation by its short name, as boards show it")
        return await self._take(await self._new(benchmark.id, invited.id), body.model, key)

    async def _paired(self, benchmark_id: UUID, model: str) -> FreeSeat:
        organisation_id, party = self._principal.organisation_id, self._principal.capped_by
        if not await self._repository.declared(benchmark_id, organisation_id, model):
            raise NotDeclaredError(
                "declare the model with POST /v1/benchmarks/{slug}/declarations; it plays once the declaration counts"
            )
        found = await self._repository.waiting(benchmark_id, organisation_id, party, course.PAIRING_SECONDS)
        return found or await self._new(benchmark_id, None)

    async def _new(self, benchmark_id: UUID, invited: UUID | None) -> FreeSeat:
        match_id, deal = new_id(), league.deal(secrets.randbits(62), 0)
        await self._repository.add_match(match_id, benchmark_id, invited, deal.model_dump_json(), self._seconds)
        return FreeSeat(match_id, secrets.randbelow(2))

    async def _take(self, free: FreeSeat, model: str, key: str | None) -> MatchPublic:
        party, seat_id = self._principal.capped_by, new_id()
        if await self._repository.open_seats(party) >= _MOST_OPEN:
            raise TooManyMatchesError(f"{_MOST_OPEN} at once; GET /v1/matches lists yours")
        await self._repository.add_seat(seat_id, free, self._principal.organisation_id, party, model, key)
        return await self._view(seat_id)

    async def challenges(self) -> list[ChallengePublic]:
        """Matches that wait for one's organisation."""
        found = await self._repository.challenges(self._principal.organisation_id, course.CHALLENGE_SECONDS, _LISTED)
        return [
            ChallengePublic(
                id=public_id("chl", row.match_id),
                benchmark=row.benchmark,
                organisation=row.organisation,
                model=row.model_name,
                seconds=row.seconds,
                created_at=row.created_at,
            )
            for row in found
        ]

    async def accept(self, challenge: str, model: str, key: str | None) -> MatchPublic:
        """Take a challenge up. Raises NoChallengeError, TooManyMatchesError."""
        organisation_id, match_id = self._principal.organisation_id, parse_id("chl", challenge)
        if key and (seat_id := await self._repository.repeated(organisation_id, key)):
            return await self._view(seat_id)
        for row in await self._repository.challenges(organisation_id, course.CHALLENGE_SECONDS, _LISTED):
            if row.match_id == match_id:
                await self._repository.lock(row.benchmark_id)
                break
        # Once more: somebody may have taken it up while the lock was waited for.
        for row in await self._repository.challenges(organisation_id, course.CHALLENGE_SECONDS, _LISTED):
            if row.match_id == match_id:
                return await self._take(FreeSeat(row.match_id, row.side), model, key)
        raise NoChallengeError("GET /v1/challenges lists those that wait for your organisation")

    async def all(self) -> list[MatchPublic]:
        """Those of one's organisation, newest first, without what is asked."""
        rows = await self._repository.seats(self._principal.organisation_id, _LISTED)
        return [_shown(row, [] if row.ended else await self._repository.log(row.match_id)) for row in rows]

    async def show(self, match: str) -> MatchPublic:
        """One's session of a match. Raises NoMatchError."""
        return await self._view((await self._seat(match)).id)

    async def step(self, match: str, body: MatchStepCreate) -> MatchPublic:
        """Reply to what is asked.

        Raises NoMatchError, ActionTakenError, ActionNumberError, MatchOverError, NotYourTurnError.
        """
        row = await self._seat(match)
        if await self._took(row, body) or await self._took(row, body):
            return await self._view(row.id)
        raise ActionTakenError("another action was sent at the same moment")

    async def _took(self, row: SeatRow, body: MatchStepCreate) -> bool:
        """Log the reply, unless it is logged; False where another came first."""
        log = await self._repository.log(row.match_id)
        own = [entry.action for entry in log if entry.side == row.side and entry.action is not None]
        taken = course.kept(body.action)
        action = taken.model_dump(mode="json", exclude_none=True)
        if body.number <= len(own):
            if own[body.number - 1] == action:
                return True
            raise ActionTakenError("GET the match for how many actions of yours were taken", next=len(own) + 1)
        if body.number > len(own) + 1:
            raise ActionNumberError("GET the match for how many actions of yours were taken", next=len(own) + 1)
        duel = course.replayed(row.deal, log)
        if _end(row, log, duel):
            raise MatchOverError("GET the match for how it ended")
        if row.opponent is None or duel.player != row.side:
            raise NotYourTurnError("GET the match until its state is your_turn")
        if not await self._repository.add_action(row.match_id, len(log) + 1, row.side, json.dumps(action)):
            return False
        duel.take(taken)
        if duel.result is not None:
            await self._decide(row.match_id)
        return True

    async def give_up(self, match: str) -> MatchPublic:
        """Lose the match, or withdraw from one that nobody has joined; one that is over stays as it is.

        Raises NoMatchError.
        """
        row = await self._seat(match)
        await self._repository.lock(row.benchmark_id)
        row = await self._seat(match)
        for _ in range(2):
            log = await self._repository.log(row.match_id)
            if _end(row, log, course.replayed(row.deal, log)):
                break
            if await self._repository.add_action(row.match_id, len(log) + 1, row.side, None):
                await self._decide(row.match_id)
                break
        return await self._view(row.id)

    async def _decide(self, match_id: UUID) -> None:
        await queue.defer(self._session, queue.DECIDE_MATCH, {"match": str(match_id)})

    async def _seat(self, match: str) -> SeatRow:
        seat_id = parse_id("mat", match)
        row = await self._repository.seat(seat_id) if seat_id else None
        if row is None or row.organisation_id != self._principal.organisation_id:
            raise NoMatchError("GET /v1/matches lists those of your organisation")
        return row

    async def _view(self, seat_id: UUID) -> MatchPublic:
        row = await self._repository.seat(seat_id)
        assert row
        return _shown(row, await self._repository.log(row.match_id), asked=True)


def _end(row: SeatRow, log: list[LoggedAction], duel: Duel) -> course.End | None:
    """How a match ended: by the worker's word, or by what follows before it has spoken."""
    if row.ended:
        return course.End(row.winner, row.ended)
    if row.opponent is None:
        return course.unjoined(log, row.idle, ranked=row.ranked)
    if duel.result is not None:
        return course.End(duel.result.winner, duel.result.ended)
    return course.late(duel, row.idle, row.seconds)


def _shown(row: SeatRow, log: list[LoggedAction], *, asked: bool = False) -> MatchPublic:
    duel = course.replayed(row.deal, log)
    end, joined = _end(row, log, duel), row.opponent is not None
    turns = duel.turns[row.side]
    mine = duel.player == row.side
    observation = None
    if asked and end and end.winner is not None:
        outcome = "won" if end.winner == row.side else "lost"
        observation = ObservationPublic(text=f"The match is over ({end.ended}): you {outcome}.")
    elif asked and joined and mine and not end:
        seen = duel.asked()
        observation = ObservationPublic(text=seen.text, data=dict(seen.data))
    return MatchPublic(
        id=public_id("mat", row.id),
        benchmark=row.benchmark,
        model=row.model_name,
        ranked=row.ranked,
        first=row.side == 0,
        state="over" if end else "waiting" if not joined else "your_turn" if mine else "their_turn",
        seconds=row.seconds,
        seconds_left=max(0.0, row.seconds - row.idle) if joined and not end else None,
        steps=row.steps,
        observation=observation,
        tools=list(protocol.tools(turns.spec)) if asked and joined else [],
        won=end.winner == row.side if end and end.winner is not None else None,
        ended=end.ended if end else None,
        opponent=MatchOpponent(organisation=row.opponent, model=row.opponent_model or "")
        if end and row.opponent is not None
        else None,
        created_at=row.created_at,
    )
