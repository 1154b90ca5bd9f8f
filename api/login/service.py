"""Who signs in, and the sessions of browsers."""

import secrets
from datetime import timedelta
from uuid import UUID

from api.accounts.addresses import normal_email
from api.accounts.models import User
from api.accounts.organisation_repository import OrganisationRepository
from api.core.crypto import keyed_digests
from api.core.db import AsyncSession, now
from api.core.errors import InvalidError
from api.core.settings import Settings
from api.login.errors import AddressNotVerifiedError, LinkSpentError, SignUpClosedError
from api.login.models import LoginLink, WebSession
from api.login.providers import Claims
from api.login.repository import LoginRepository, SessionUser

LINK_MINUTES = 15
# Nobody's mailbox is filled by somebody who knows the address.
_LINKS_AT_ONCE = 3


class LoginService:
    """Sign-in in one transaction of the caller's."""

    def __init__(self, session: AsyncSession, settings: Settings) -> None:
        self._repository = LoginRepository(session)
        self._accounts = OrganisationRepository(session)
        self._settings = settings

    async def user_of(self, claims: Claims) -> User:
        """The user whom a provider vouches for.

        Known by issuer and subject; else linked, or made, by the verified address, and by nothing else.
        Raises AddressNotVerifiedError, SignUpClosedError.
        """
        known = await self._repository.identity(claims.issuer, claims.subject)
        if known is not None:
            known.used_at = now()
            known.email = claims.email or known.email
            await self._repository.add(known)
            user = await self._accounts.user(known.user_id)
            assert user
            return user
        if claims.email is None:
            raise AddressNotVerifiedError(
                "verify it there and sign in again; accounts are matched by verified addresses"
            )
        if await self._accounts.user_by_email(claims.email) is None and not await self._may_join(claims.email):
            raise SignUpClosedError(
                "ask for an invitation; this service creates accounts only for people who were invited"
            )
        user = await self._accounts.user_with(claims.email, claims.name or claims.email.split("@")[0])
        await self._repository.link_identity(user.id, claims.issuer, claims.subject, claims.email)
        return user

    async def _may_join(self, email: str) -> bool:
        return self._settings.login_open or await self._accounts.is_invited(email)

    async def open(self, user_id: UUID, *, address: str, agent: str, replacing: str | None) -> str:
        """A new session, never an old one under a new name: what the browser held before ends. Returns its token."""
        if replacing:
            await self.close(replacing)
        token = secrets.token_urlsafe(32)
        expires = now() + timedelta(days=self._settings.web_session_days)
        row = WebSession(
            user_id=user_id,
            digest=self._digests("web_session", token)[0],
            address=address,
            agent=agent[:200],
            expires_at=expires,
        )
        await self._repository.add(row)
        return token

    async def viewer(self, token: str) -> SessionUser | None:
        """The user who holds this token, while the session goes on."""
        return await self._repository.viewer(self._digests("web_session", token))

    async def close(self, token: str) -> None:
        """End a session at once, on the server."""
        await self._repository.end_session(self._digests("web_session", token))

    async def make_link(self, user: User) -> str:
        """A token that signs `user` in once within a quarter of an hour."""
        token = secrets.token_urlsafe(32)
        expires = now() + timedelta(minutes=LINK_MINUTES)
        digest = self._digests("login_link", token)[0]
        await self._repository.add(LoginLink(digest=digest, user_id=user.id, expires_at=expires))
        return token

    async def mailed_link(self, email: str) -> tuple[str, str] | None:
        """A token for whom an address belongs to, who is made where accounts are open, and the address in the form
        that they are known by: it is sent there, and nowhere else, and shown to nobody.

        None where the address may not sign in, or was sent as many as it may. Raises InvalidError.
        """
        address = normal_email(email)
        if address is None:
            raise InvalidError("this is not a valid e-mail address")
        if await self._accounts.user_by_email(address) is None and not await self._may_join(address):
            return None
        user = await self._accounts.user_with(address, address.split("@")[0])
        if await self._repository.open_links(user.id) >= _LINKS_AT_ONCE:
            return None
        return address, await self.make_link(user)

    async def use_link(self, token: str) -> UUID:
        """The user of a link, which opens nothing from now on. Raises LinkSpentError."""
        user_id = await self._repository.use_link(self._digests("login_link", token))
        user = await self._accounts.user(user_id) if user_id else None
        if user is None or user.deleted_at is not None:
            raise LinkSpentError("it was used, or it has expired; ask for another")
        return user.id

    def _digests(self, kind: str, token: str) -> list[bytes]:
        return keyed_digests(self._settings.secrets.raw("pepper"), kind, token)
