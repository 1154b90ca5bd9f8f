"""Posted trajectories: each becomes a session of its own, played by a host from the actions alone."""

from typing import Any

from api.admission.player import episode_seed, parse_trajectory
from api.core.db import AsyncSession
from api.core.ids import new_id
from api.hosting.models import LiveSession, Origin
from api.hosting.session_repository import SessionRepository
from api.lanes.repository import LaneRepository
from api.submissions.grading_repository import UngradedItem
from api.submissions.repository import SubmissionRepository
from protection.fingerprints import Fingerprints, variant_text


async def create_replay_sessions(
    session: AsyncSession, fingerprints: Fingerprints, items: list[UngradedItem]
) -> list[UngradedItem]:
    """Make a session and its job for every episode among a submission's items; the questions that are left are
    returned."""
    episodes = [item for item in items if item.episode]
    if not episodes:
        return items
    owner = await SubmissionRepository(session).one(episodes[0].submission_id)
    assert owner
    for item in episodes:
        row = LiveSession(
            id=new_id(),
            problem_id=item.problem_id,
            split_id=item.split_id,
            submission_id=owner.id,
            organisation_id=owner.organisation_id,
            key_id=owner.key_id,
            origin=Origin.POSTED.value,
            seed=episode_seed(item.problem_id.bytes),
            variant=variant_text(fingerprints.shown(owner.organisation_id, item).variant),
        )
        if await SessionRepository(session).add(row):
            await LaneRepository(session).add_session(row.organisation_id, row.id)
    return [item for item in items if not item.episode]


def plan(trajectory: list[Any]) -> tuple[list[dict[str, Any]], str]:
    """What a host is asked to play of a posted trajectory: the actions, and the finish reason behind them."""
    found = parse_trajectory(trajectory)
    actions = [action.model_dump(mode="json", exclude_none=True) for action in found.actions]
    return actions, found.reason.value
