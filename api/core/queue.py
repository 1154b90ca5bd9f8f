"""The job queue (procrastinate) as the deferring side sees it: a job exists when the caller's transaction commits.

The tasks themselves are in `api.worker`; a process that only defers never imports them.
"""

from typing import Any
from uuid import UUID

import psycopg
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException

from api.core.db import AsyncSession
from api.core.query import Command

FINALIZE_SUBMISSION = "finalize_submission"
REVIEWED = "apply_review"
TRACE = "trace_leak"
REGRADE = "regrade_submission"
BEGIN_REGRADE = "begin_regrade"
CHECK_PACK = "check_pack"
PUBLISH_PACK = "publish_pack"
PLAY_ENDPOINT = "play_endpoint"
OWNER_JOB = "owner_job"
DECIDE_MATCH = "decide_match"
SEND_LETTER = "send_letter"

DEFAULT = "default"
SLOW = "slow"
"""Whole submissions graded anew, texts compared with all that was shown: nothing else waits behind them."""
PACKS = "packs"
"""Uploaded packs are checked, up to an hour each: only other checks wait behind them."""
ENDPOINTS = "endpoints"
"""Participants' endpoints are asked, which may take hours: neither grading nor anything else waits behind them."""
CONTAINERS = "containers"
"""Participants' containers are run, each with a sandbox of its own for as long as it may."""
MAIL = "mail"
"""Letters: a mail server that answers slowly holds up nothing else."""
QUEUES = (DEFAULT, SLOW, PACKS, ENDPOINTS, CONTAINERS, MAIL)


def endpoint_lock(run_id: UUID) -> str:
    """One job at a time plays a run, also where it was cancelled and resumed."""
    return f"endpoint:{run_id}"


_CLOCK_SET_BACK = Command(
    "Believe no worker that was heard of in the future: the clock was set back since, and the worker may be dead.",
    """update queue.procrastinate_workers set last_heartbeat = now()
       where last_heartbeat > now() + interval '30 seconds'""",
)

# Never opened: every job is inserted on the connection of the transaction it belongs to.
_deferring = App(connector=PsycopgConnector())


async def defer(
    session: AsyncSession,
    task: str,
    arguments: dict[str, Any],
    *,
    queue: str = DEFAULT,
    lock: str | None = None,
    after_seconds: int = 0,
) -> None:
    """Defer `task` in the session's transaction, to run `after_seconds` from now at the earliest.

    Raises psycopg.Error, as any statement of the transaction.
    """
    options: dict[str, Any] = {"queue": queue, "connection": await session.driver()}
    if lock:
        options["lock"] = lock
    if after_seconds:
        options["schedule_in"] = {"seconds": after_seconds}
    try:
        await _deferring.configure_task(task, **options).defer_async(**arguments)
    except ConnectorException as error:
        # The library's wrapper hides a full disk and a lost server from whoever answers the request.
        if isinstance(error.__cause__, psycopg.Error):
            raise error.__cause__ from None
        raise


async def clock_was_set_back(session: AsyncSession) -> None:
    """Count the silence of workers that were heard of in the future from now on."""
    await session.run(_CLOCK_SET_BACK)
