"""JSON of accounts."""

from datetime import datetime
from ipaddress import ip_network
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from api.accounts.models import Scope
from api.core.names import visible_text
from api.core.schemas import EMAIL, VISIBLE_TEXT, Model

Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=100, strip_whitespace=True),
    AfterValidator(visible_text),
    Field(json_schema_extra=VISIBLE_TEXT),
]


def network(text: str) -> str:
    """An address or a network in its usual notation. Raises ValueError."""
    return str(ip_network(text.strip(), strict=False))


Network = Annotated[
    str,
    StringConstraints(min_length=2, max_length=64),
    AfterValidator(network),
    Field(json_schema_extra={"format": "network"}),
]
Networks = Annotated[list[Network], Field(max_length=50)]
PerMinute = Annotated[int, Field(ge=1, le=10_000)]


class KeyLimits(Model):
    """Where a key works (addresses and networks like `192.0.2.0/24`; none named: anywhere), and how often it may ask.

    `requests_per_minute` is over all operations, beside your organisation's own limits; null: those alone.
    """

    networks: Networks = Field(default_factory=list)
    requests_per_minute: PerMinute | None = None


class KeyCreate(KeyLimits):
    """A key for oneself: `scopes` at most those of the key that asks; `days` until it expires (None: never)."""

    name: Name
    scopes: Annotated[list[Scope], Field(min_length=1)]
    days: Annotated[int, Field(ge=1, le=3650)] | None = None


class KeyPublic(Model):
    """A key as it may be shown again."""

    id: str
    name: str
    hint: str
    organisation: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    networks: list[str]
    requests_per_minute: int | None


class KeyCreated(KeyPublic):
    """A new key with its secret, shown this once."""

    key: str


class OrganisationPublic(Model):
    slug: str
    name: str
    role: str
    verified: bool


class Me(Model):
    """Who the key belongs to."""

    key: KeyPublic | None = None
    user: str
    operator: bool
    organisation: str
    organisations: list[OrganisationPublic]
    scopes: list[str]


class KeyList(Model):
    items: list[KeyPublic]


class AccountDelete(Model):
    """`email` is the account's own address, given again."""

    email: Annotated[str, StringConstraints(max_length=320, pattern=EMAIL)]
