"""What a benchmark may ask its judge, counted in the database: all workers share it, and it fails closed."""

from contextvars import ContextVar
from uuid import UUID

import psycopg

from api.core.db import SEARCH_PATH, Role, address
from api.core.settings import Settings
from grading.tools import JudgeUnavailableError

# Whose answers are being graded: threads that grade inherit it.
benchmark: ContextVar[UUID | None] = ContextVar("benchmark", default=None)

_SPEND = """insert into judge_budget (benchmark_id, calls, tokens) values (%(id)s, 1, 0)
on conflict (benchmark_id) do update set calls = judge_budget.calls + 1 where judge_budget.calls < %(limit)s
returning calls"""


class StoredBudget:
    """At most `judge_calls` requests a benchmark, over all time and workers. Blocking; safe between threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def spend(self) -> None:
        """Take one call. Raises JudgeUnavailableError when none is left or the count cannot be kept."""
        limit = self._settings.judge_calls
        if limit < 1 or not self._run(_SPEND, {"limit": limit}):
            raise JudgeUnavailableError("the benchmark's budget for judges is used up")

    def record(self, tokens: int) -> None:
        """Add the tokens of a call that was answered; for the owner's information."""
        self._run(
            "update judge_budget set tokens = tokens + %(tokens)s where benchmark_id = %(id)s returning calls",
            {"tokens": tokens},
        )

    def _run(self, statement: str, values: dict[str, int]) -> bool:
        whose = benchmark.get()
        if whose is None:
            raise JudgeUnavailableError("it is not known which benchmark asks the judge")
        url = address(self._settings, Role.WORKER).set(drivername="postgresql").render_as_string(hide_password=False)
        try:
            with psycopg.connect(url, options=f"-c search_path={SEARCH_PATH}", connect_timeout=10) as connection:
                return connection.execute(statement, {"id": whose, **values}).fetchone() is not None
        except psycopg.Error as error:
            raise JudgeUnavailableError("the budget for judges could not be read") from error
