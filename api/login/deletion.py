"""Deleting an account: the person goes, the ledger stays."""

from uuid import UUID

from api.accounts.deletion_repository import DeletionRepository
from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.core.errors import NotFoundError
from api.login.errors import SoleOwnerError
from api.login.repository import LoginRepository


async def delete_account(session: AsyncSession, user_id: UUID) -> None:
    """Erase a person's data and end everything they hold, in the caller's transaction.

    Name, address, identities, sessions, links and guesses are erased; keys are revoked; names under agreements
    become a pseudonym. The row itself stays, empty, because submissions and the ledger point at it.
    Raises SoleOwnerError where other members, or benchmarks, would be left without an owner.
    """
    accounts, login, catalog = DeletionRepository(session), LoginRepository(session), CatalogRepository(session)
    await accounts.lock_organisations(user_id)
    owned = await accounts.solely_owned(user_id)
    left_alone = [row.slug for row in owned if row.others or await catalog.owned_by(row.id)]
    if left_alone:
        names = ", ".join(left_alone)
        raise SoleOwnerError(f"make somebody else an owner of {names} first, or remove its members")
    await accounts.end_everything(user_id, await login.emails_of(user_id))
    await login.erase(user_id)
    if not await accounts.empty_account(user_id):
        raise NotFoundError("there is no such account, or it has been deleted already")
