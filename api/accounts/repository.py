"""SQL of users, organisations, keys and agreements."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlmodel import col, select

from api.accounts.models import (
    AgreementAcceptance,
    ApiKey,
    Invitation,
    Membership,
    Organisation,
    Reviewer,
    User,
)
from api.core.db import AsyncSession
from api.core.ids import new_id
from api.core.query import Command, Query


@dataclass(frozen=True)
class KeyOwner:
    """A valid key, with its user and its organisation (`slug`, and by name `organisation`).

    `unverified_of` is the account that made the organisation, as long as nobody has verified it. `networks`: where it
    works (none named: anywhere). `lead_id`: the organisation that leads its group, or itself.
    """

    id: UUID
    name: str
    scopes: list[str]
    user_id: UUID
    is_operator: bool
    organisation_id: UUID
    slug: str
    organisation: str
    unverified_of: UUID | None
    networks: list[str]
    requests_per_minute: int | None
    lead_id: UUID


_KEY = Query(
    KeyOwner,
    "The owner of a key, and a note that it was used, at most once a minute: one statement on every request. A key that"
    " is known by an earlier pepper is known by the present one from then on.",
    """with found as (
         select k.id, k.name, k.scopes, k.digest, k.last_used_at, k.user_id, u.is_operator, k.organisation_id, o.slug,
                o.name as organisation, case when o.verified_at is null then o.created_by end as unverified_of,
                k.networks, k.requests_per_minute, group_lead(o.id) as lead_id
         from api_key k join account u on u.id = k.user_id join organisation o on o.id = k.organisation_id
         where k.digest = any(:digests) and k.revoked_at is null and u.deleted_at is null
           and (k.expires_at is null or k.expires_at > now())),
       used as (
         update api_key set last_used_at = now(), digest = :digest from found where api_key.id = found.id
           and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute'
                or found.digest <> :digest))
       select id, name, scopes, user_id, is_operator, organisation_id, slug, organisation, unverified_of, networks,
              requests_per_minute, lead_id
       from found""",
)
_KEY_BY_ID = Query(
    KeyOwner,
    "The owner of a key in force.",
    """select k.id, k.name, k.scopes, k.user_id, u.is_operator, k.organisation_id, o.slug, o.name as organisation,
              case when o.verified_at is null then o.created_by end as unverified_of, k.networks, k.requests_per_minute,
              group_lead(o.id) as lead_id
       from api_key k join account u on u.id = k.user_id join organisation o on o.id = k.organisation_id
       where k.id = :id and k.revoked_at is null and u.deleted_at is null
         and (k.expires_at is null or k.expires_at > now())""",
)
_REVOKE = Command(
    "End one key of a user.",
    "update api_key set revoked_at = :at where id = :key and user_id = :user and revoked_at is null",
)
_LIMIT = Command(
    "Change where one key of a user works, and how often it may ask.",
    """update api_key set networks = cast(:networks as text[]), requests_per_minute = :requests
       where id = :key and user_id = :user and revoked_at is null""",
)
_ACCEPT = Command(
    "Record an acceptance; an earlier one of the same release stays as it was.",
    """insert into agreement_acceptance
         (id, organisation_id, release_id, user_id, name, text_digest, state, reason, accepted_at)
       values (:id, :organisation_id, :release_id, :user_id, :name, :text_digest, :state, '', :accepted_at)
       on conflict (organisation_id, release_id) do nothing""",
)
_REVIEWERS = Query(
    str,
    "Addresses of those who review a benchmark by name.",
    """select a.email from reviewer r join account a on a.id = r.user_id
       where r.benchmark_id = :benchmark and a.email is not null order by a.email""",
)
_REMOVE_REVIEWER = Command(
    "Somebody reviews a benchmark no more.",
    """delete from reviewer r using account a
       where r.benchmark_id = :benchmark and a.id = r.user_id and a.email = :email""",
)
_TRANSFER_AGREEMENTS = Command(
    "Acceptances of one release hold for another with the same text.",
    """insert into agreement_acceptance
         (id, organisation_id, release_id, user_id, name, text_digest, state, reason, accepted_at, decided_at,
          decided_by)
       select gen_random_uuid(), organisation_id, :later, user_id, name, text_digest, state, reason, accepted_at,
              decided_at, decided_by
       from agreement_acceptance where release_id = :earlier on conflict (organisation_id, release_id) do nothing""",
)
_ADD_USER = Command(
    "Make a user; of two at the same moment one is made.",
    """insert into account (id, email, name, is_operator, run_letters, created_at)
       values (:id, :email, :name, false, false, clock_timestamp()) on conflict (email) do nothing""",
)
_LOCK_USER = Command("One change of what a user has at a time.", "select 1 from account where id = :id for update")
_KEYS_IN_USE = Query(
    int,
    "How many of a user's keys are neither revoked nor expired.",
    """select count(*) from api_key where user_id = :user and revoked_at is null
         and (expires_at is null or expires_at > clock_timestamp())""",
)
_RESERVE = Command(
    "Keep what a name looks like for an organisation; one that is taken stays whose it is.",
    """insert into organisation_name (folded, organisation_id) values (:folded, :organisation)
       on conflict (folded) do nothing""",
)
_NAME_OWNER = Query(
    UUID,
    "Whose name looks like this.",
    "select organisation_id from organisation_name where folded = :folded",
)
_VALID_KEYS = Query(
    UUID,
    "Which of some keys are good: neither revoked nor expired, of an account that was not deleted.",
    """select k.id from api_key k join account a on a.id = k.user_id
       where k.id = any(:ids) and k.revoked_at is null and a.deleted_at is null
         and (k.expires_at is null or k.expires_at > now())""",
)


class AccountRepository:
    """Users, organisations, keys, agreements."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def key_by_digest(self, digests: list[bytes]) -> KeyOwner | None:
        """Key, user and organisation in one row, and notes the use (at most once a minute).

        `digests`: under the present pepper, then under others that still hold good.
        """
        return await self._session.fetch_optional(_KEY, digest=digests[0], digests=digests)

    async def key_by_id(self, key_id: UUID) -> KeyOwner | None:
        """The same by the key's id, for what was begun with it; None for a key that is not in force any more."""
        return await self._session.fetch_optional(_KEY_BY_ID, id=key_id)

    async def valid_keys(self, ids: list[UUID]) -> set[UUID]:
        """Which of the keys are neither revoked nor expired, of accounts that were not deleted."""
        return set(await self._session.fetch_all(_VALID_KEYS, ids=ids))

    async def user_by_email(self, email: str) -> User | None:
        return (await self._session.exec(select(User).where(User.email == email))).one_or_none()

    async def user_with(self, email: str, name: str) -> User:
        """The user of an address, made when it is new."""
        await self._session.run(_ADD_USER, id=new_id(), email=email, name=name)
        return (await self._session.exec(select(User).where(User.email == email))).one()

    async def user(self, user_id: UUID) -> User | None:
        return await self._session.get(User, user_id)

    async def organisation_by_slug(self, slug: str) -> Organisation | None:
        return (await self._session.exec(select(Organisation).where(Organisation.slug == slug))).one_or_none()

    async def lock_user(self, user_id: UUID) -> None:
        """One change of what a user has at a time, until the end of the transaction."""
        await self._session.run(_LOCK_USER, id=user_id)

    async def keys_in_use(self, user_id: UUID) -> int:
        """How many of a user's keys are neither revoked nor expired."""
        return await self._session.fetch_one(_KEYS_IN_USE, user=user_id)

    async def reserve_name(self, folded: str, organisation_id: UUID) -> bool:
        """Keep what a name looks like for an organisation; False where another has it."""
        await self._session.run(_RESERVE, folded=folded, organisation=organisation_id)
        return await self._session.fetch_optional(_NAME_OWNER, folded=folded) == organisation_id

    async def organisation(self, organisation_id: UUID) -> Organisation:
        """Raises NoResultFound."""
        return await self._session.get_one(Organisation, organisation_id)

    async def membership(self, user_id: UUID, organisation_id: UUID) -> Membership | None:
        return await self._session.get(Membership, (user_id, organisation_id))

    async def organisations_of(self, user_id: UUID) -> list[tuple[Organisation, str]]:
        """A user's organisations by slug, each with the user's role."""
        statement = (
            select(Organisation, Membership.role)
            .join(Membership, col(Membership.organisation_id) == col(Organisation.id))
            .where(Membership.user_id == user_id)
            .order_by(Organisation.slug)
        )
        return [(row[0], row[1]) for row in await self._session.exec(statement)]

    async def keys_of(self, user_id: UUID) -> list[tuple[ApiKey, str]]:
        """A user's keys, newest first, each with the slug of its organisation."""
        statement = (
            select(ApiKey, Organisation.slug)
            .join(Organisation, col(Organisation.id) == col(ApiKey.organisation_id))
            .where(ApiKey.user_id == user_id)
            .order_by(col(ApiKey.created_at).desc())
        )
        return [(row[0], row[1]) for row in await self._session.exec(statement)]

    async def add(self, row: User | Organisation | Membership | Invitation | ApiKey | Reviewer) -> None:
        self._session.add(row)
        await self._session.flush()

    async def revoke(self, key_id: UUID, user_id: UUID, at: datetime) -> bool:
        return await self._session.run(_REVOKE, key=key_id, user=user_id, at=at) == 1

    async def limit_key(self, key_id: UUID, user_id: UUID, networks: list[str], requests: int | None) -> bool:
        """Change a key's limits; False where the user has no such key in force."""
        return await self._session.run(_LIMIT, key=key_id, user=user_id, networks=networks, requests=requests) == 1

    async def accept_agreement(self, row: AgreementAcceptance) -> None:
        """Record an acceptance; an earlier one of the same release stays as it was."""
        await self._session.run(_ACCEPT, **row.model_dump(exclude={"reason", "decided_at", "decided_by"}))

    async def transfer_agreements(self, earlier_id: UUID, later_id: UUID) -> None:
        """What was accepted, asked or declined for one release holds for a later one with the same text."""
        await self._session.run(_TRANSFER_AGREEMENTS, earlier=earlier_id, later=later_id)

    async def acceptance(self, organisation_id: UUID, release_id: UUID) -> AgreementAcceptance | None:
        statement = select(AgreementAcceptance).where(
            AgreementAcceptance.organisation_id == organisation_id, AgreementAcceptance.release_id == release_id
        )
        return (await self._session.exec(statement)).one_or_none()

    async def reviewers(self, benchmark_id: UUID) -> list[str]:
        """Addresses of those who review a benchmark by name, in order."""
        return await self._session.fetch_all(_REVIEWERS, benchmark=benchmark_id)

    async def remove_reviewer(self, benchmark_id: UUID, email: str) -> bool:
        """Take a reviewer's part back; False where nobody of this address has it."""
        return await self._session.run(_REMOVE_REVIEWER, benchmark=benchmark_id, email=email) == 1

    async def is_reviewer(self, benchmark_id: UUID, user_id: UUID) -> bool:
        return await self._session.get(Reviewer, (benchmark_id, user_id)) is not None
