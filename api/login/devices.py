"""The device flow (RFC 8628): a command line gets a key after somebody signed in has approved its code."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from api.accounts.models import Scope
from api.accounts.repository import AccountRepository
from api.accounts.service import AccountService
from api.core.client_address import throttled_address
from api.core.crypto import keyed_digests
from api.core.db import AsyncSession, now
from api.core.errors import ForbiddenError
from api.core.settings import Settings
from api.login.device_repository import DeviceRepository, PendingGrant, PolledGrant
from api.login.errors import NoCodeError, TooManyGuessesError
from api.login.models import DeviceGrant, GrantState

# No vowels and nothing that looks like something else: 20^8 codes, as RFC 8628 advises.
ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
LENGTH = 8
MINUTES = 10
GUESSES = 5
GUESS_WINDOW = timedelta(minutes=10)
SLOWER = 5
# Users behind one address may mistype, too.
ADDRESS_FACTOR = 4


class Refusal(StrEnum):
    """Why a poll gives no key (RFC 8628 section 3.5, RFC 6749 section 5.2)."""

    PENDING = "authorization_pending"
    SLOW_DOWN = "slow_down"
    DENIED = "access_denied"
    EXPIRED = "expired_token"
    INVALID = "invalid_grant"


@dataclass(frozen=True)
class Begun:
    """What the command line is given."""

    device_code: str
    user_code: str
    expires_in: int
    interval: int


@dataclass(frozen=True)
class Granted:
    """The key, this once."""

    key: str
    scopes: list[str]
    organisation: str
    expires_at: datetime | None


@dataclass(frozen=True)
class Guesser:
    """Who types a user code: the throttle counts both."""

    user_id: UUID
    address: str

    def limits(self) -> dict[str, int]:
        """Wrong codes allowed within the window, by subject."""
        return {f"user:{self.user_id}": GUESSES, f"address:{throttled_address(self.address)}": GUESSES * ADDRESS_FACTOR}


class DeviceService:
    """Device grants in one transaction of the caller's, which commits whatever the answer is."""

    def __init__(self, session: AsyncSession, settings: Settings) -> None:
        self._repository = DeviceRepository(session)
        self._accounts = AccountService(session, settings.secrets.raw("pepper"))
        self._organisations = AccountRepository(session)
        self._pepper = settings.secrets.raw("pepper")

    async def begin(self, client: str, scopes: list[Scope], address: str) -> Begun:
        """A pair of codes that wait for approval."""
        device_code = secrets.token_urlsafe(32)
        user_code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        grant = DeviceGrant(
            device_digest=self._digests("device", device_code)[0],
            user_digest=self._digests("user", user_code)[0],
            client=client,
            address=address,
            scopes=sorted({scope.value for scope in scopes}),
            expires_at=now() + timedelta(minutes=MINUTES),
        )
        await self._repository.add(grant)
        return Begun(device_code, shown_code(user_code), MINUTES * 60, grant.interval)

    async def find(self, text: str, guesser: Guesser) -> PendingGrant:
        """The waiting grant of a user code. Raises NoCodeError (counted by `miss`) and TooManyGuessesError."""
        if await self._repository.too_many(guesser.limits(), GUESS_WINDOW):
            raise TooManyGuessesError("wait ten minutes, then start again on the command line to get a new code")
        row = await self._repository.pending(self._digests("user", plain_code(text)))
        if row is None:
            raise NoCodeError("check the code; codes are valid for ten minutes, then run `heldout login` again")
        return row

    async def miss(self, guesser: Guesser) -> None:
        """Count a wrong code; the caller commits this, whatever it shows."""
        await self._repository.count_miss(list(guesser.limits()), GUESS_WINDOW)

    async def approve(self, text: str, guesser: Guesser, organisation_id: UUID, days: int | None) -> None:
        """Let the command line have a key for an organisation of the user's. Raises as `find` does."""
        row = await self.find(text, guesser)
        await self._accounts.may_give(guesser.user_id, organisation_id, row.scopes)
        if not await self._repository.approve(row.id, guesser.user_id, organisation_id, days):
            raise NoCodeError("it has already been approved or denied")

    async def deny(self, text: str, guesser: Guesser) -> None:
        """Tell the command line no."""
        row = await self.find(text, guesser)
        if not await self._repository.deny(row.id, guesser.user_id):
            raise NoCodeError("it has already been approved or denied")

    async def poll(self, device_code: str) -> Granted | Refusal:
        """The key, exactly once, or why not yet. The grant's row is locked until the caller commits."""
        row = await self._repository.locked(self._digests("device", device_code))
        if row is None or row.state is GrantState.CONSUMED:
            return Refusal.INVALID
        if row.expired:
            return Refusal.EXPIRED
        if row.too_soon:
            await self._repository.polled(row.id, slower=SLOWER)
            return Refusal.SLOW_DOWN
        await self._repository.polled(row.id)
        if row.state is GrantState.APPROVED:
            return await self._give(row)
        return Refusal.DENIED if row.state is GrantState.DENIED else Refusal.PENDING

    async def _give(self, row: PolledGrant) -> Granted | Refusal:
        await self._repository.consume(row.id)
        assert row.user_id
        assert row.organisation_id
        try:
            await self._accounts.may_give(row.user_id, row.organisation_id, row.scopes)
        except ForbiddenError:
            # Whoever approved has left the organisation, or lost the role for it, since then.
            return Refusal.DENIED
        key, secret = await self._accounts.create_key(
            row.user_id, row.organisation_id, row.client, row.scopes, row.days
        )
        organisation = await self._organisations.organisation(row.organisation_id)
        return Granted(secret, key.scopes, organisation.slug, key.expires_at)

    def _digests(self, kind: str, code: str) -> list[bytes]:
        return keyed_digests(self._pepper, "device_grant", kind, code)


def plain_code(text: str) -> str:
    """A user code as it was made, whatever case, dashes and spaces it was typed with."""
    return "".join(character for character in text.upper() if character.isalnum())[: LENGTH + 1]


def shown_code(text: str) -> str:
    """A user code as a command line shows it; empty for what cannot be one."""
    code = plain_code(text)
    return f"{code[:4]}-{code[4:]}" if len(code) == LENGTH and set(code) <= set(ALPHABET) else ""
