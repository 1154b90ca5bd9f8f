"""SQL of the judges' budgets: how often a benchmark has asked a judge, over all time and workers. Blocking."""

from uuid import UUID

from api.core.blocking import BlockingDatabase

_SPEND = """insert into judge_budget (benchmark_id, calls, tokens) values (%(id)s, 1, 0)
on conflict (benchmark_id) do update set calls = judge_budget.calls + 1 where judge_budget.calls < %(limit)s
returning calls"""
_RECORD = "update judge_budget set tokens = tokens + %(tokens)s where benchmark_id = %(id)s returning calls"


class JudgeBudgetRepository:
    """Calls and tokens by benchmark. Its methods raise one of `api.core.blocking.UNREACHABLE`."""

    def __init__(self, database: BlockingDatabase) -> None:
        self._database = database

    def spend(self, benchmark_id: UUID, limit: int) -> bool:
        """Count one call; False when `limit` calls are counted already."""
        return limit > 0 and self._database.row(_SPEND, {"id": benchmark_id, "limit": limit}) is not None

    def record(self, benchmark_id: UUID, tokens: int) -> None:
        """Add the tokens of a call that was answered."""
        self._database.row(_RECORD, {"id": benchmark_id, "tokens": tokens})
