"""Before a web process's first submission: what taking one in imports, compiles and connects at its first use.

Without it the first after each start cost the process 120 ms of its own time where later ones cost 10.
"""

import contextlib
from uuid import UUID

import anyio
import structlog
from fastapi import FastAPI
from sqlalchemy.exc import DBAPIError, NoResultFound

from api.accounts.repository import AccountRepository
from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession, Database
from api.feedback.service import FeedbackService
from api.lanes.repository import LaneRepository
from api.problems.repository import ProblemFilters, ProblemRepository
from api.submissions.repository import ADD_ITEMS, ADD_SEALED, SubmissionRepository

log = structlog.get_logger(__name__)
_NOBODYS = UUID(int=0)


async def warm(app: FastAPI) -> None:
    """Go the way of a submission once, without one, while others are served. Nothing is written, and what fails here is
    said by the first request."""
    # Loads what is behind every dependency that has an end.
    anyio.get_cancelled_exc_class()
    database: Database = app.state.database
    with contextlib.suppress(OSError, DBAPIError):
        async with database.session() as session:
            await _known(session)
            await _taken(session)
            feedback = FeedbackService(session, app.state.settings)
            await feedback.of_split(_NOBODYS)
            await feedback.intake(_NOBODYS)
    log.info("web.warm")


async def _known(session: AsyncSession) -> None:
    """The key, the split and its problems."""
    await AccountRepository(session).key_by_digest([bytes(32)])
    catalog, problems = CatalogRepository(session), ProblemRepository(session)
    await catalog.split_access("", "", _NOBODYS)
    await problems.listing("", "", _NOBODYS, 0, 1, 1, ProblemFilters())
    await problems.known(_NOBODYS, [_NOBODYS])
    with contextlib.suppress(NoResultFound):
        await catalog.whereabouts(_NOBODYS)


async def _taken(session: AsyncSession) -> None:
    """The submission, its answers and its jobs."""
    submissions, lanes = SubmissionRepository(session), LaneRepository(session)
    await submissions.by_idempotency_key(_NOBODYS, "")
    await submissions.one(_NOBODYS)
    await submissions.take_quota(_NOBODYS)
    with contextlib.suppress(NoResultFound):
        await submissions.add_items(_NOBODYS, [])
    for command in (ADD_ITEMS, ADD_SEALED):
        command.prepare()
    await submissions.finalise(_NOBODYS)
    await lanes.lock(_NOBODYS)
    await lanes.waiting(_NOBODYS)
    await lanes.add_items(_NOBODYS, _NOBODYS)
