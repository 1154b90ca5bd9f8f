"""Who is asking: the bearer key becomes a Principal, checked for the scope a route names."""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from api.accounts import keys
from api.accounts.errors import KeyAddressError, ScopeError, UnauthenticatedError
from api.accounts.models import Scope
from api.accounts.repository import AccountRepository, KeyOwner
from api.core.audit import Actor
from api.core.client_address import client_address, within
from api.core.deps import SessionDep

_bearer = HTTPBearer(auto_error=False, description="an API key: `Authorization: Bearer hld_…`")


@dataclass(frozen=True)
class Principal:
    """The owner of a key, acting for one organisation.

    `unverified_of`: the account that made the organisation, as long as nobody has verified it. `requests_per_minute`
    and `networks`: the key's own limits beside the organisation's. `lead_id`: the organisation that leads its group.
    `by_service`: the service's own player acts for them, in a run that it plays.
    """

    key_id: UUID
    key_name: str
    user_id: UUID
    organisation_id: UUID
    organisation_slug: str
    organisation: str
    scopes: frozenset[str]
    is_operator: bool
    address: str
    unverified_of: UUID | None = None
    requests_per_minute: int | None = None
    networks: tuple[str, ...] = ()
    lead_id: UUID | None = None
    by_service: bool = False

    @classmethod
    def of(cls, row: KeyOwner, address: str, *, by_service: bool = False) -> "Principal":
        """The owner of a key, asking from `address`."""
        return cls(
            key_id=row.id,
            key_name=row.name,
            user_id=row.user_id,
            organisation_id=row.organisation_id,
            organisation_slug=row.slug,
            organisation=row.organisation,
            scopes=frozenset(row.scopes),
            is_operator=row.is_operator,
            address=address,
            unverified_of=row.unverified_of,
            requests_per_minute=row.requests_per_minute,
            networks=tuple(row.networks),
            lead_id=row.lead_id,
            by_service=by_service,
        )

    @property
    def limited(self) -> bool:
        """Whether the key has limits of its own, which it can neither lift nor get around by another key."""
        return bool(self.networks or self.requests_per_minute)

    @property
    def capped_by(self) -> UUID:
        """Whose limits a request counts against: of its organisation or group, or of the account that made it."""
        return self.unverified_of or self.lead_id or self.organisation_id

    def may(self, scope: Scope) -> bool:
        """Whether the key has `scope`. `admin` covers every scope, but only in an operator's hands."""
        return scope in self.scopes or (self.is_operator and Scope.ADMIN in self.scopes)


CredentialsDep = Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]


async def authenticate(request: HTTPConnection, session: SessionDep, credentials: CredentialsDep) -> Principal:
    """The principal of the request's key. Raises UnauthenticatedError, KeyAddressError."""
    challenge = {"WWW-Authenticate": 'Bearer realm="heldout"'}
    if credentials is None:
        raise UnauthenticatedError("send 'Authorization: Bearer <key>'", headers=challenge)
    key = credentials.credentials
    row = None
    if keys.looks_right(key):
        pepper = request.scope["app"].state.settings.secrets.raw("pepper")
        row = await AccountRepository(session).key_by_digest(keys.digests(pepper, key))
    if row is None:
        raise UnauthenticatedError("the key is mistyped, expired, revoked or unknown", headers=challenge)
    principal = Principal.of(row, client_address(request))
    if row.networks and not within(principal.address, row.networks):
        raise KeyAddressError("its owner named the networks that it works from, and this address is in none of them")
    request.state.principal = principal
    request.state.actor = Actor(principal.user_id, principal.key_id, principal.organisation_id)
    return principal


PrincipalDep = Annotated[Principal, Depends(authenticate)]


class Require:
    """A router dependency: the key must have one of these scopes (none named: any valid key)."""

    def __init__(self, *scopes: Scope) -> None:
        self.scopes = scopes

    async def __call__(self, principal: PrincipalDep) -> None:
        self.check(principal)

    def check(self, principal: Principal) -> None:
        """Raises ScopeError."""
        if self.scopes and not any(principal.may(scope) for scope in self.scopes):
            wanted = " or ".join(f"'{scope.value}'" for scope in self.scopes)
            raise ScopeError(f"this route needs a key with the scope {wanted}")


async def authenticate_at_once(connection: HTTPConnection) -> Principal:
    """As `authenticate`, in a transaction that ends at once, for connections that outlive one."""
    scheme, _, key = connection.headers.get("authorization", "").partition(" ")
    bearer = key.strip() if scheme.lower() == "bearer" else ""
    credentials = HTTPAuthorizationCredentials(scheme=scheme, credentials=bearer) if bearer else None
    async with connection.scope["app"].state.database.session() as session:
        return await authenticate(connection, session, credentials)


class RequireAtOnce:
    """As `Require`, for connections that outlive a transaction: the key is looked up in one that ends at once."""

    def __init__(self, *scopes: Scope) -> None:
        self._require = Require(*scopes)

    async def __call__(self, connection: HTTPConnection, _: CredentialsDep) -> None:
        self._require.check(await authenticate_at_once(connection))


class Public:
    """Marks a route that needs no key; the walk over all routes looks for it."""

    async def __call__(self) -> None:
        return None
