"""What all models have in common: what is received may grow, what is sent is checked."""

from pydantic import BaseModel, ConfigDict


class Received(BaseModel):
    """A record of the service; fields that this version does not know are left out."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Sent(BaseModel):
    """A record for the service; fields that it does not know are an error here."""

    model_config = ConfigDict(extra="forbid", frozen=True)
