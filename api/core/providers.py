"""Who vouches for people at the sign-in: OpenID Connect providers and GitHub, as an operator names them."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Domain = Annotated[str, StringConstraints(to_lower=True, pattern=r"^[a-z0-9.-]+\.[a-z]{2,}$", max_length=253)]
Address = Annotated[str, StringConstraints(pattern=r"^https?://[^\s?#]+$", max_length=500)]


class LoginProvider(BaseModel):
    """One entry of HELDOUT_LOGIN_PROVIDERS. The secret is in a file, never in a variable.

    `domains` are e-mail domains for which this provider has the last word: an owner who signed in here with a verified
    address of one of them can have their organisation verified by it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,31}$")]
    kind: Literal["oidc", "github"] = "oidc"
    title: Annotated[str, StringConstraints(max_length=60)] = ""
    issuer: Address | None = None
    client_id: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    client_secret_file: Path | None = None
    scope: str = ""
    domains: tuple[Domain, ...] = ()
    github_url: Address = "https://github.com"
    github_api_url: Address = "https://api.github.com"
    timeout_seconds: Annotated[float, Field(gt=0, le=60)] = 15.0

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "oidc" and self.issuer is None:
            raise ValueError("an OpenID Connect provider needs its 'issuer'")
        return self

    @property
    def label(self) -> str:
        """What the button says."""
        return self.title or ("GitHub" if self.kind == "github" else self.name)

    @property
    def vouches_as(self) -> str:
        """What subjects are unique under: the issuer, whatever the entry is called."""
        return (self.issuer or self.github_url) if self.kind == "oidc" else self.github_url

    def secret(self) -> str | None:
        """The client's secret; None for a public client. Raises OSError."""
        return self.client_secret_file.read_text().strip() if self.client_secret_file else None
