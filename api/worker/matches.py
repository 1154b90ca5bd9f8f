"""How matches ended, by their logs, and the ratings that follow."""

from uuid import UUID

import structlog

from api.core.db import AsyncSession
from api.matches import course
from api.matches.repository import MatchRepository
from api.worker.state import Worker
from envs.card_game.league import rated

log = structlog.get_logger(__name__)
# A reply that was taken in time may be on its way into the log for so long.
_GRACE_SECONDS = 10
_MOST_OF_TWO = 30
"""Ranked matches of the same two parties weigh as many as these at most: whoever lets another win gains little."""


async def decide_late(worker: Worker) -> None:
    """Decide matches in which somebody was late, or that nobody joined, and those whose job was lost."""
    async with worker.database.session() as session:
        due = await MatchRepository(session).due(_GRACE_SECONDS, course.PAIRING_SECONDS, course.CHALLENGE_SECONDS)
    for match_id in due:
        await decide(worker, match_id)


async def decide(worker: Worker, match_id: UUID) -> None:
    """Decide a match that is over, and rate the benchmark's entries anew where it counts."""
    async with worker.database.session() as session:
        repository = MatchRepository(session)
        match = await repository.undecided(match_id)
        if match is None:
            return
        # Nobody joins it meanwhile.
        await repository.lock(match.benchmark_id)
        match = await repository.undecided(match_id)
        if match is None:
            return
        replies = await repository.log(match_id)
        if match.seats == 2:
            duel = course.replayed(match.deal, replies)
            late = course.late(duel, match.idle, match.seconds + _GRACE_SECONDS)
            end = course.End(duel.result.winner, duel.result.ended) if duel.result else late
        else:
            end = course.unjoined(replies, match.idle, ranked=match.ranked)
        if end is None or not await repository.decide(match_id, end.winner, end.ended):
            return
        if match.ranked and end.winner is not None:
            await rate(session, match.benchmark_id)
    log.info("match.decided", match=str(match_id), ended=end.ended)


async def rate(session: AsyncSession, benchmark_id: UUID) -> None:
    """Rate the entries of a benchmark by all their ranked matches; the session holds its lock.

    Entries of verified organisations are the field. Whoever makes organisations to lose against gains nothing by them.
    """
    repository = MatchRepository(session)
    tallies, verified = await repository.tallies(benchmark_id, _MOST_OF_TWO), await repository.verified(benchmark_id)
    anchors = {entry for tally in tallies for entry in tally.players if entry[0] in verified}
    await repository.rate(benchmark_id, rated(tallies, anchors))
