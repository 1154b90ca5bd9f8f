"""Posted trajectories: each becomes a session of its own, played by a host from the actions alone."""

from typing import Any
from uuid import UUID

from pydantic import ValidationError

from api.core import queue
from api.core.db import AsyncSession
from api.core.ids import new_id
from api.sessions.models import LiveSession, Origin
from api.sessions.repository import SessionRepository
from api.sessions.schemas import StepCreate
from api.sessions.service import seed_of
from api.worker.sessions import SessionJobsRepository
from envs.base import Action, FinishReason
from protection.fingerprints import Fingerprints


async def divert(session: AsyncSession, fingerprints: Fingerprints, submission_id: UUID, items: list[Any]) -> list[Any]:
    """Make a session and its job for every episode among the items; the questions that are left are returned."""
    episodes = [item for item in items if item.episode]
    if not episodes:
        return items
    owner = await SessionJobsRepository(session).owner(submission_id)
    for item in episodes:
        row = LiveSession(
            id=new_id(),
            problem_id=item.problem_id,
            split_id=item.split_id,
            submission_id=submission_id,
            organisation_id=owner.organisation_id,
            key_id=owner.key_id,
            origin=Origin.POSTED.value,
            seed=seed_of(item.problem_id),
            variant=fingerprints.shown(owner.organisation_id, item)[0],
        )
        if await SessionRepository(session).add(row):
            await queue.defer(session, queue.CONCLUDE, {"session": str(row.id)})
    return [item for item in items if not item.episode]


def actions(trajectory: list[Any]) -> tuple[list[dict[str, Any]], FinishReason]:
    """The actions of a trajectory up to the first that is none; what was claimed to be observed is left out."""
    found: list[Action] = []
    for entry in trajectory:
        asked = entry.get("action", entry) if isinstance(entry, dict) else None
        if isinstance(asked, dict):
            asked = {name: value for name, value in asked.items() if name in ("text", "tool")}
        try:
            found.append(StepCreate.model_validate({"number": 1, "action": asked}).action)
        except ValidationError:
            return _plain(found), FinishReason.INVALID_FORMAT
    return _plain(found), FinishReason.COMPLETED


def _plain(found: list[Action]) -> list[dict[str, Any]]:
    return [action.model_dump(mode="json", exclude_none=True) for action in found]
