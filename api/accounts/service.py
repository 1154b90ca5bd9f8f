"""What can be done with accounts."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from api.accounts import keys
from api.accounts.addresses import normal_email
from api.accounts.errors import TooManyKeysError
from api.accounts.models import ApiKey, MemberRole, Membership, Organisation, Reviewer, Scope, User
from api.accounts.repository import AccountRepository
from api.core.db import AsyncSession, now
from api.core.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from api.core.names import folded

# More than anybody needs: limits are the organisation's, so that further keys give nothing.
KEYS_AT_MOST = 50
# What a member's own key may do; the rest is for owners of an organisation, and `admin` for operators.
_MEMBERS = {Scope.PROBLEMS_READ, Scope.SUBMISSIONS_WRITE, Scope.SESSIONS_WRITE, Scope.REVIEWS_WRITE}


def grantable(role: str, *, operator: bool) -> list[Scope]:
    """The scopes that a user with this role in an organisation may give to a key for it."""
    owner = role == MemberRole.OWNER or operator
    return [s for s in Scope if (operator if s is Scope.ADMIN else owner or s in _MEMBERS)]


class AccountService:
    """Users, organisations and keys in one transaction of the caller's."""

    def __init__(self, session: AsyncSession, pepper: bytes) -> None:
        self._repository = AccountRepository(session)
        self._pepper = pepper

    async def ensure_user(self, email: str, name: str, *, operator: bool = False) -> User:
        """The user with this address, made when it is new. Raises InvalidError."""
        address = normal_email(email)
        if address is None:
            raise InvalidError("this is not a valid e-mail address")
        user = await self._repository.user_by_email(address)
        if user is None:
            user = User.model_validate({"email": address, "name": name, "is_operator": operator})
            await self._repository.add(user)
        elif operator and not user.is_operator:
            user.is_operator = True
            await self._repository.add(user)
        return user

    async def ensure_reviewer(self, benchmark_id: UUID, user: User) -> None:
        """Let the user grade the benchmark's queue; again it changes nothing."""
        if not await self._repository.is_reviewer(benchmark_id, user.id):
            await self._repository.add(Reviewer(benchmark_id=benchmark_id, user_id=user.id))

    async def ensure_organisation(self, slug: str, name: str = "") -> Organisation:
        """The organisation with this slug, made when it is new."""
        organisation = await self._repository.organisation_by_slug(slug)
        if organisation is None:
            organisation = Organisation.model_validate({"slug": slug, "name": name or slug})
            await self._repository.add(organisation)
            for text in {slug, name or slug}:
                # An operator's word counts, whoever has a name that looks the same.
                await self._repository.reserve_name(folded(text), organisation.id)
        return organisation

    async def ensure_member(self, user: User, organisation: Organisation, role: MemberRole) -> None:
        """Make `user` a member of `organisation`; an existing role stays."""
        if await self._repository.membership(user.id, organisation.id) is None:
            await self._repository.add(Membership(user_id=user.id, organisation_id=organisation.id, role=role.value))

    async def create_key(
        self,
        user_id: UUID,
        organisation_id: UUID,
        name: str,
        scopes: list[Scope],
        days: int | None = None,
        networks: Sequence[str] = (),
        requests_per_minute: int | None = None,
    ) -> tuple[ApiKey, str]:
        """A new key of a member. Returns the row and the secret, which is not kept. Raises TooManyKeysError."""
        if await self._repository.membership(user_id, organisation_id) is None:
            raise ForbiddenError("you are not a member of that organisation")
        user = await self._repository.user(user_id)
        if Scope.ADMIN in scopes and not (user and user.is_operator):
            raise ForbiddenError("the scope 'admin' is for operators")
        await self._repository.lock_user(user_id)
        if await self._repository.keys_in_use(user_id) >= KEYS_AT_MOST:
            raise TooManyKeysError(f"you have {KEYS_AT_MOST} keys that are in use; revoke one first")
        secret = keys.new_key()
        row = ApiKey(
            user_id=user_id,
            organisation_id=organisation_id,
            name=name,
            hint=keys.hint(secret),
            digest=keys.digest(self._pepper, secret),
            scopes=sorted({scope.value for scope in scopes}),
            expires_at=now() + timedelta(days=days) if days else None,
            networks=list(networks),
            requests_per_minute=requests_per_minute,
        )
        await self._repository.add(row)
        return row, secret

    async def limit_key(self, key_id: UUID, user_id: UUID, networks: Sequence[str], requests: int | None) -> ApiKey:
        """Change where one's own key works and how often it may ask; it holds from the next request on."""
        if not await self._repository.limit_key(key_id, user_id, list(networks), requests):
            raise NotFoundError("you have no such key, or it is revoked already")
        return next(row for row, _ in await self._repository.keys_of(user_id) if row.id == key_id)

    async def may_give(self, user_id: UUID, organisation_id: UUID, scopes: list[Scope]) -> None:
        """Raises ForbiddenError unless the user's role in the organisation covers these scopes."""
        membership = await self._repository.membership(user_id, organisation_id)
        user = await self._repository.user(user_id)
        if membership is None or user is None:
            raise ForbiddenError("you are not a member of that organisation")
        known = grantable(membership.role, operator=user.is_operator)
        missing = sorted(scope.value for scope in scopes if scope not in known)
        if missing:
            raise ForbiddenError(f"your role in this organisation does not cover: {', '.join(missing)}")

    async def revoke_key(self, key_id: UUID, user_id: UUID) -> None:
        """Revoke one's own key; it stops at once."""
        if not await self._repository.revoke(key_id, user_id, now()):
            raise NotFoundError("you have no such key, or it is revoked already")

    async def init_operator(self, email: str, name: str, organisation: str) -> tuple[User, str]:
        """The first operator with a key of every scope. Raises ConflictError when the address is taken."""
        if await self._repository.user_by_email(normal_email(email) or email):
            raise ConflictError("there is a user with this address already")
        user = await self.ensure_user(email, name, operator=True)
        team = await self.ensure_organisation(organisation)
        await self.ensure_member(user, team, MemberRole.OWNER)
        _, secret = await self.create_key(user.id, team.id, "first operator", list(Scope))
        return user, secret
