"""JSON of the device flow, with the names of RFC 8628 and RFC 6749."""

from pydantic import BaseModel, ConfigDict


class DeviceAuthorization(BaseModel):
    """What the command line shows and keeps (RFC 8628 section 3.2)."""

    model_config = ConfigDict(extra="forbid")

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


class DeviceToken(BaseModel):
    """The key as an access token (RFC 6749 section 5.1). `expires_in` is None for a key that does not expire."""

    model_config = ConfigDict(extra="forbid")

    access_token: str
    token_type: str = "Bearer"  # noqa: S105 - the type's name
    scope: str
    organisation: str
    expires_in: int | None
