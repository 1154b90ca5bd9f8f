"""JSON of the ledger."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from api.core.schemas import Model


class LedgerRow(Model):
    """One problem served: to whom, when, from where, in which variant. `seal` is its hash in the chain."""

    id: int
    organisation: str
    key: str
    problem: str
    split: str
    variant: str
    channel: str
    address: str
    served_at: datetime
    seal: str | None


class LedgerPage(Model):
    benchmark: str
    items: list[LedgerRow]
    next: str | None


class LedgerCheck(Model):
    """Whether the hash chain holds. `broken` is the first row that does not fit; keep `head` in another place."""

    holds: bool
    rows: int
    head: str
    broken: int | None = None
    unsealed: int = 0


class ScrapingFlag(Model):
    pattern: str
    subject: str
    count: int
    note: str


class LiftPublic(Model):
    """An organisation that is not slowed down, by whose decision and why."""

    organisation: str
    lifted_by: str
    reason: str
    created_at: datetime


class ScrapingReport(Model):
    benchmark: str
    served: int
    flags: list[ScrapingFlag]
    lifts: list[LiftPublic] = Field(default_factory=list)


class LiftCreate(Model):
    """Let this organisation (its short name) read at any pace."""

    organisation: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    reason: Annotated[str, StringConstraints(max_length=1000, strip_whitespace=True)] = ""
