"""Authorization code with PKCE, state and nonce, through Authlib; what comes back is one checked `Claims`."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import httpx2
from starlette.requests import Request

from api.accounts.addresses import normal_email
from api.core.names import visible_part
from api.core.providers import LoginProvider
from api.core.settings import Settings
from api.login.errors import NoProviderError, ProviderDownError, SignInFailedError

# Signatures that only the provider can make; a secret shared with the client is none of them.
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")


@dataclass(frozen=True)
class Claims:
    """Whom the provider vouches for. `email` is None unless the provider says that it is verified."""

    issuer: str
    subject: str
    email: str | None
    name: str


class Providers:
    """The configured providers of one application."""

    def __init__(self, settings: Settings) -> None:
        self.all = settings.login_providers
        self._registrations = {provider.name: _registration(provider) for provider in self.all}

    @cached_property
    def _oauth(self) -> Any:
        # Loaded by the first sign-in: Authlib is a thirtieth of what the web process starts with.
        from authlib.integrations.starlette_client import OAuth

        oauth = OAuth()
        for name, registration in self._registrations.items():
            oauth.register(name, **registration)
        return oauth

    def named(self, name: str) -> LoginProvider:
        """Raises NoProviderError."""
        found = next((item for item in self.all if item.name == name), None)
        if found is None:
            raise NoProviderError("the sign-in page lists the providers")
        return found

    async def begin(self, request: Request, name: str, back: str) -> str:
        """Where the browser goes; state, nonce and the PKCE verifier are put into `request.session`."""
        self.named(name)
        client = self._client(name)
        try:
            response = await client.authorize_redirect(request, back)
        except _with_library_errors(httpx2.HTTPError, RuntimeError, ValueError) as error:
            raise ProviderDownError("try again in a moment, or use another provider") from error
        return str(response.headers["location"])

    async def finish(self, request: Request, name: str) -> Claims:
        """The checked claims behind a callback. Raises SignInFailedError, ProviderDownError."""
        provider = self.named(name)
        client = self._client(name)
        try:
            if provider.kind == "github":
                return await _github(client, request, provider)
            return await _openid(client, request, provider)
        except httpx2.HTTPError as error:
            raise ProviderDownError("try again in a moment, or use another provider") from error
        # What the provider sent may hold anything, so none of it is repeated.
        except _with_library_errors(RuntimeError, ValueError, KeyError, TypeError) as error:
            raise SignInFailedError("the provider's response was not valid; start again") from error

    def _client(self, name: str) -> Any:
        return self._oauth.create_client(name)


def _with_library_errors(*errors: type[Exception]) -> tuple[type[Exception], ...]:
    from authlib.common.errors import AuthlibBaseError
    from joserfc.errors import JoseError

    return *errors, AuthlibBaseError, JoseError


def _registration(provider: LoginProvider) -> dict[str, Any]:
    kwargs: dict[str, Any] = {"code_challenge_method": "S256", "timeout": provider.timeout_seconds}
    common = {"client_id": provider.client_id, "client_secret": provider.secret(), "client_kwargs": kwargs}
    if provider.kind == "github":
        kwargs["scope"] = provider.scope or "read:user user:email"
        web = provider.github_url.rstrip("/") + "/login/oauth"
        return common | {
            "authorize_url": f"{web}/authorize",
            "access_token_url": f"{web}/access_token",
            "api_base_url": provider.github_api_url.rstrip("/") + "/",
        }
    assert provider.issuer
    kwargs["scope"] = provider.scope or "openid email profile"
    if provider.client_secret_file is None:
        kwargs["token_endpoint_auth_method"] = "none"  # noqa: S105 - a public client, kept safe by PKCE
    return common | {"server_metadata_url": provider.issuer.rstrip("/") + "/.well-known/openid-configuration"}


async def _openid(client: Any, request: Request, provider: LoginProvider) -> Claims:
    metadata = await client.load_server_metadata()
    if metadata.get("issuer") != provider.issuer:
        raise ValueError("the discovery document is another issuer's")
    supported = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
    metadata["id_token_signing_alg_values_supported"] = [name for name in supported if name in _ALGORITHMS]
    # RFC 9207: a response that names another issuer was mixed up on its way.
    issuer = request.query_params.get("iss")
    if issuer is not None or metadata.get("authorization_response_iss_parameter_supported"):
        _same(issuer, provider.issuer)
    # Authlib checks the issuer by itself, but takes a token for somebody else whose `azp` names this client.
    options = {
        "iss": {"essential": True, "value": provider.issuer},
        "aud": {"essential": True, "value": provider.client_id},
    }
    token = await client.authorize_access_token(request, claims_options=options)
    claims = token.get("userinfo")
    if not claims:
        raise ValueError("there is no ID token in the response")
    if "email" not in claims and metadata.get("userinfo_endpoint"):
        more = await client.userinfo(token=token)
        _same(more.get("sub"), claims["sub"])
        claims = {**claims, **more}
    # Only a plain true counts: some providers write words into it.
    email = normal_email(str(claims.get("email") or "")) if claims.get("email_verified") is True else None
    return Claims(provider.vouches_as, _subject(claims["sub"]), email, _name(claims.get("name")))


async def _github(client: Any, request: Request, provider: LoginProvider) -> Claims:
    token = await client.authorize_access_token(request)
    user = (await client.get("user", token=token)).raise_for_status().json()
    addresses = (await client.get("user/emails", token=token)).raise_for_status().json()
    primary = [item["email"] for item in addresses if item.get("primary") is True and item.get("verified") is True]
    email = normal_email(str(primary[0])) if primary else None
    return Claims(provider.vouches_as, _subject(int(user["id"])), email, _name(user.get("name") or user.get("login")))


def _same(found: object, wanted: object) -> None:
    if found != wanted:
        raise ValueError("the response is about another subject")


def _subject(value: object) -> str:
    text = str(value)
    if not 0 < len(text) <= 255:
        raise ValueError("the subject is empty or too long")
    return text


def _name(value: object) -> str:
    return visible_part(str(value or "")).strip()[:200]
