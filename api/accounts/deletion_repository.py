"""SQL of deleting an account: what accounts and organisations hold of a person."""

from dataclasses import dataclass
from uuid import UUID

from api.core.db import AsyncSession
from api.core.query import Command, Query


@dataclass(frozen=True)
class SolelyOwned:
    """An organisation with a single owner; `others`: whether it has other members."""

    id: UUID
    slug: str
    others: bool


_LOCK = Command(
    "Hold the members of the user's organisations as they are: two last owners cannot go at once.",
    """select 1 from organisation o join membership m on m.organisation_id = o.id
       where m.user_id = :user order by o.id for update of o""",
)
_SOLELY_OWNED = Query(
    SolelyOwned,
    "Organisations that only this user owns.",
    """select o.id, o.slug,
              exists (select 1 from membership x where x.organisation_id = o.id and x.user_id <> :user) as others
       from organisation o join membership m on m.organisation_id = o.id
       where m.user_id = :user and m.role = 'owner'
         and not exists (select 1 from membership x where x.organisation_id = o.id and x.role = 'owner'
                         and x.user_id <> :user)
       order by o.slug""",
)
_INVITED = Command(
    "Invitations keep the address they were sent to: it is erased, and they end.",
    """update invitation i set email = null, withdrawn_at = coalesce(i.withdrawn_at, clock_timestamp())
       where i.email = any(:emails) or i.email = (select email from account where id = :user)""",
)
_ENDED = (
    Command("A person who is gone reviews nothing.", "delete from reviewer where user_id = :user"),
    Command("A person who is gone belongs to no organisation.", "delete from membership where user_id = :user"),
    Command(
        "Invitations end with who made them.",
        "update invitation set withdrawn_at = clock_timestamp() where invited_by = :user and used_at is null",
    ),
    Command(
        "Keys end; the name of one may say whose machine it is on.",
        """update api_key set revoked_at = coalesce(revoked_at, clock_timestamp()), name = 'deleted', scopes = '{}'
           where user_id = :user""",
    ),
    Command(
        "Names under agreements become a pseudonym, the same everywhere, so that the books still tell people apart.",
        """update agreement_acceptance
           set name = 'deleted account ' || left(replace(cast(:user as text), '-', ''), 32) where user_id = :user""",
    ),
)
_EMPTY = Command(
    "Empty the account's row; it stays, because submissions and the ledger point at it.",
    """update account set email = null, name = '', is_operator = false, deleted_at = clock_timestamp()
       where id = :user and deleted_at is null""",
)


class DeletionRepository:
    """What accounts and organisations hold of a person."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def lock_organisations(self, user_id: UUID) -> None:
        """Hold the members of the user's organisations as they are: two last owners cannot go at once."""
        await self._session.run(_LOCK, user=user_id)

    async def solely_owned(self, user_id: UUID) -> list[SolelyOwned]:
        """Organisations that only this user owns, by slug."""
        return await self._session.fetch_all(_SOLELY_OWNED, user=user_id)

    async def end_everything(self, user_id: UUID, emails: list[str]) -> None:
        """End keys, memberships and invitations; `emails` are addresses of the person beside the account's own."""
        await self._session.run(_INVITED, user=user_id, emails=emails)
        for command in _ENDED:
            await self._session.run(command, user=user_id)

    async def empty_account(self, user_id: UUID) -> bool:
        """Whether there was such an account."""
        return await self._session.run(_EMPTY, user=user_id) == 1
