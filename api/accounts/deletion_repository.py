"""SQL of deleting an account."""

from uuid import UUID

from api.core.db import AsyncSession

# The pseudonym is the same wherever the person stood, so that who keeps the books can still tell people apart.
_PSEUDONYM = "'deleted account ' || left(replace(cast(:user as text), '-', ''), 32)"
_ENDED = (
    # An invitation keeps the address it was sent to.
    """update invitation i set email = null, withdrawn_at = coalesce(i.withdrawn_at, clock_timestamp())
       where i.email in (select email from identity where user_id = :user
                         union select email from account where id = :user)""",
    "delete from identity where user_id = :user",
    "delete from web_session where user_id = :user",
    "delete from login_link where user_id = :user",
    "delete from device_grant where user_id = :user",
    "delete from code_guess where subject = 'user:' || cast(:user as text)",
    "delete from reviewer where user_id = :user",
    "delete from membership where user_id = :user",
    "update invitation set withdrawn_at = clock_timestamp() where invited_by = :user and used_at is null",
    # A key's name may say whose machine it is on.
    """update api_key set revoked_at = coalesce(revoked_at, clock_timestamp()), name = 'deleted', scopes = '{}'
       where user_id = :user""",
    f"update agreement_acceptance set name = {_PSEUDONYM} where user_id = :user",  # noqa: S608 - a constant
)


class DeletionRepository:
    """What holds a person's data."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def lock_organisations(self, user_id: UUID) -> None:
        """Hold the members of the user's organisations as they are: two last owners cannot go at once."""
        await self._session.sql(
            """select 1 from organisation o join membership m on m.organisation_id = o.id
               where m.user_id = :user order by o.id for update of o""",
            {"user": user_id},
        )

    async def sole_owner_of(self, user_id: UUID) -> list[str]:
        """Organisations with other members, or with benchmarks, that only this user owns."""
        result = await self._session.sql(
            """select o.slug from organisation o join membership m on m.organisation_id = o.id
               where m.user_id = :user and m.role = 'owner'
                 and not exists (select 1 from membership x where x.organisation_id = o.id and x.role = 'owner'
                                 and x.user_id <> :user)
                 and (exists (select 1 from membership x where x.organisation_id = o.id and x.user_id <> :user)
                      or exists (select 1 from benchmark b where b.organisation_id = o.id))
               order by o.slug""",
            {"user": user_id},
        )
        return [str(row.slug) for row in result.all()]

    async def empty_account(self, user_id: UUID) -> bool:
        result = await self._session.sql(
            """update account set email = null, name = '', is_operator = false, deleted_at = clock_timestamp()
               where id = :user and deleted_at is null""",
            {"user": user_id},
        )
        return result.rowcount == 1

    async def end_everything(self, user_id: UUID) -> None:
        for statement in _ENDED:
            await self._session.sql(statement, {"user": user_id})
