"""Deleting an account: the person goes, the ledger stays."""

from uuid import UUID

from api.accounts.deletion_repository import DeletionRepository
from api.core.db import AsyncSession
from api.core.errors import ConflictError, NotFoundError


class SoleOwnerError(ConflictError):
    code = "sole_owner"
    title = "An organisation would be left without an owner"


async def delete_account(session: AsyncSession, user_id: UUID) -> None:
    """Erase a person's data and end everything they hold, in the caller's transaction.

    Name, address, identities, sessions, links and guesses are erased; keys are revoked; names under agreements
    become a pseudonym. The row itself stays, empty, because submissions and the ledger point at it.
    Raises SoleOwnerError where other members would be left without an owner.
    """
    repository = DeletionRepository(session)
    await repository.lock_organisations(user_id)
    left_alone = await repository.sole_owner_of(user_id)
    if left_alone:
        names = ", ".join(left_alone)
        raise SoleOwnerError(f"make somebody else an owner of {names} first, or remove its members")
    await repository.end_everything(user_id)
    if not await repository.empty_account(user_id):
        raise NotFoundError("there is no such account, or it is deleted")
