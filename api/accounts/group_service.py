"""Groups of verified organisations that are one hand: formed and ended by operators."""

from collections.abc import Sequence
from uuid import UUID

import structlog

from api.accounts.errors import GroupRefusedError, NoGroupError, NoOrganisationError
from api.accounts.group_repository import GroupRepository, GroupRow
from api.accounts.models import Organisation
from api.accounts.repository import AccountRepository
from api.core.db import AsyncSession
from api.core.errors import InvalidError

log = structlog.get_logger(__name__)
_LISTED = 500


async def groups(session: AsyncSession) -> list[GroupRow]:
    """Every group there is or was, those that hold first."""
    return await GroupRepository(session).all(_LISTED)


async def form_group(session: AsyncSession, lead: str, members: Sequence[str], by: UUID | None, reason: str) -> None:
    """Let organisations (short names) share limits and releases; `by`: the operator, None at the command line.

    Raises NoOrganisationError, InvalidError, GroupRefusedError.
    """
    others = [slug for slug in dict.fromkeys(members) if slug != lead]
    if not others:
        raise InvalidError("name one organisation or more that shares the limits of the one that leads")
    found = [await _organisation(session, slug) for slug in (lead, *others)]
    if unverified := [row.slug for row in found if row.verified_at is None]:
        raise GroupRefusedError(f"verify {', '.join(unverified)} first: who is not verified shares already")
    if not await GroupRepository(session).form(found[0].id, [row.id for row in found[1:]], by, reason):
        raise GroupRefusedError("one of them is in another group, or leads one; end that first")
    log.info("organisations.grouped", lead=lead, members=others, by=str(by or "command line"), reason=reason)


async def end_group(session: AsyncSession, lead: str, by: UUID | None) -> None:
    """Let each have limits of its own again; what was used stays used. Raises NoOrganisationError, NoGroupError."""
    row = await _organisation(session, lead)
    if not await GroupRepository(session).end(row.id, by):
        raise NoGroupError(f"'{lead}' leads no group")
    log.info("organisations.ungrouped", lead=lead, by=str(by or "command line"))


async def _organisation(session: AsyncSession, slug: str) -> Organisation:
    row = await AccountRepository(session).organisation_by_slug(slug)
    if row is None:
        raise NoOrganisationError(f"there is no organisation '{slug}'")
    return row
