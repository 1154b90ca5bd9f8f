"""JSON of accounts."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from api.accounts.models import Scope
from api.core.names import visible_text
from api.core.schemas import Model

Name = Annotated[
    str, StringConstraints(min_length=1, max_length=100, strip_whitespace=True), AfterValidator(visible_text)
]


class KeyCreate(Model):
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

    email: Annotated[str, StringConstraints(max_length=320)]
