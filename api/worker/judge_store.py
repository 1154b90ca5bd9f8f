"""What all workers share about judges: replies by content, and what each benchmark has asked."""

from collections.abc import Callable
from contextvars import ContextVar
from uuid import UUID

import structlog
from pydantic import ValidationError

from api.core.blocking import UNREACHABLE, BlockingDatabase
from api.core.crypto import SealError
from api.reviews.judge_budget import JudgeBudgetRepository
from api.vault.judge_replies import JudgeReplyRepository
from grading.tools import JudgeReply, JudgeUnavailableError

log = structlog.get_logger(__name__)

# Whose answers are being graded: threads that grade inherit it.
benchmark: ContextVar[UUID | None] = ContextVar("benchmark", default=None)


class StoredBudget:
    """At most `limit` requests a benchmark, over all time and workers. Blocking; safe between threads."""

    def __init__(self, database: BlockingDatabase, limit: int) -> None:
        self._repository = JudgeBudgetRepository(database)
        self._limit = limit

    def spend(self) -> None:
        """Take one call. Raises JudgeUnavailableError when none is left or the count cannot be kept."""
        whose = _whose()
        try:
            left = self._repository.spend(whose, self._limit)
        except UNREACHABLE as error:
            raise JudgeUnavailableError("the budget for judges could not be read") from error
        if not left:
            raise JudgeUnavailableError("the benchmark's budget for judges is used up")

    def record(self, tokens: int) -> None:
        """Add the tokens of a call that was answered; for the owner's information."""
        whose = _whose()
        try:
            self._repository.record(whose, tokens)
        except UNREACHABLE as error:
            raise JudgeUnavailableError("the budget for judges could not be written") from error


class StoredCache:
    """Replies by the digest of all that was asked.

    What cannot be read is asked again: the budget, not the cache, fails closed.
    """

    def __init__(self, database: BlockingDatabase, key: Callable[[], bytes]) -> None:
        self._repository = JudgeReplyRepository(database, key)

    def get(self, digest: str) -> JudgeReply | None:
        """The reply, if it is known and unchanged."""
        try:
            return self._repository.get(digest)
        except (*UNREACHABLE, SealError, ValidationError) as error:
            log.warning("judge.cache", error=type(error).__name__)
            return None

    def put(self, reply: JudgeReply) -> None:
        """Keep a reply for all workers."""
        try:
            self._repository.put(reply)
        except UNREACHABLE as error:
            log.warning("judge.cache", error=type(error).__name__)


def _whose() -> UUID:
    whose = benchmark.get()
    if whose is None:
        raise JudgeUnavailableError("it is not known which benchmark asks the judge")
    return whose
