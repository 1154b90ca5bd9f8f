"""The table of the ledger's seals."""

from datetime import datetime

from sqlalchemy import BigInteger
from sqlmodel import Column, Field, SQLModel

from api.core.db import now


class LedgerSeal(SQLModel, table=True):
    """The hash chain over the exposure ledger, in order of sealing. Append-only, written by the worker alone."""

    __tablename__ = "ledger_seal"
    number: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    exposure_id: int = Field(sa_column=Column(BigInteger, nullable=False, unique=True))
    hash: str = Field(max_length=64)
    sealed_at: datetime = Field(default_factory=now)
