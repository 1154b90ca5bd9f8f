"""Signed cookies. Secure and host-bound wherever the service is not reached over plain HTTP on loopback."""

import hashlib
import json
import secrets
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request, Response
from itsdangerous import BadSignature, Signer

from api.core.crypto import SealError, seal, unseal
from api.core.keys import each
from api.core.settings import Settings

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
SESSION = "heldout_session"
VISITOR = "heldout_visitor"
PENDING = "heldout_pending"
_PENDING_SECONDS = 600


def origin(request: Request) -> str:
    """Scheme, host and port under which browsers reach the service: the setting, else what the request says."""
    settings: Settings = request.app.state.settings
    parts = urlsplit(settings.public_url or str(request.base_url))
    return f"{parts.scheme}://{parts.netloc}".lower()


class Cookies:
    """The cookies of one request, and those its response will set."""

    def __init__(self, request: Request) -> None:
        key = request.app.state.settings.secrets.raw("cookie")
        self._key = key
        self._request = request
        self._signer = Signer(
            list(reversed(each(key))), salt="heldout.cookie", key_derivation="hmac", digest_method=hashlib.sha256
        )
        parts = urlsplit(origin(request))
        self._secure = parts.scheme == "https" or parts.hostname not in _LOOPBACK
        self._days = request.app.state.settings.web_session_days

    def _name(self, name: str) -> str:
        # A browser takes a __Host- cookie from this very host over TLS alone: no subdomain can plant one.
        return f"__Host-{name}" if self._secure else name

    def read(self, name: str) -> str | None:
        """A cookie's value if its signature is ours."""
        raw = self._request.cookies.get(self._name(name))
        if not raw or len(raw) > 4000:
            return None
        try:
            return self._signer.unsign(f"{name}={raw}".encode()).decode().partition("=")[2]
        except (BadSignature, UnicodeError):
            return None

    def write(self, response: Response, name: str, value: str, seconds: int) -> None:
        """Set a signed cookie that scripts cannot read and other sites' forms do not carry."""
        # The name is signed, too: a value of one cookie is worth nothing in another.
        signed = self._signer.sign(f"{name}={value}").decode().partition("=")[2]
        response.set_cookie(
            self._name(name), signed, max_age=seconds, path="/", secure=self._secure, httponly=True, samesite="lax"
        )

    def drop(self, response: Response, name: str) -> None:
        """Make the browser forget a cookie."""
        response.delete_cookie(self._name(name), path="/", secure=self._secure, httponly=True, samesite="lax")

    def session(self) -> str | None:
        """The token of a web session."""
        return self.read(SESSION)

    def sign_in(self, response: Response, token: str) -> None:
        """Hand a session's token to the browser."""
        self.write(response, SESSION, token, self._days * 24 * 3600)

    def visitor(self) -> str | None:
        """What forms of somebody who is not signed in are bound to."""
        return self.read(VISITOR)

    def new_visitor(self) -> str:
        """A value for `visitor`."""
        return secrets.token_urlsafe(24)

    def remember(self, response: Response, pending: dict[str, Any]) -> None:
        """Keep what a sign-in under way needs (state, nonce, verifier), sealed, for ten minutes."""
        sealed = seal(self._key, json.dumps(pending).encode(), PENDING).hex()
        self.write(response, PENDING, sealed, _PENDING_SECONDS)

    def pending(self) -> dict[str, Any]:
        """What `remember` kept; empty when there is nothing."""
        text = self.read(PENDING)
        try:
            return dict(json.loads(unseal(self._key, bytes.fromhex(text), PENDING))) if text else {}
        except (ValueError, SealError):
            return {}
