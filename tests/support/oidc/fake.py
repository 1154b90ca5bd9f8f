"""Providers that lie, on loopback: an OpenID Connect provider and GitHub, scripted by each test."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


@dataclass
class FakeProvider:
    """What it will say; `claims` change the honest id token, `metadata` the discovery document."""

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    token: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    github_user: dict[str, Any] = field(default_factory=lambda: {"id": 7, "login": "ada", "name": "Ada"})
    github_emails: list[dict[str, Any]] = field(default_factory=list)
    nonce: str = ""
    token_requests: list[dict[str, str]] = field(default_factory=list)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "k"}, private=True))
    signing_key: RSAKey | None = None

    def authorized(self, there: str, back: str, **more: str) -> str:
        """What the provider makes of an authorization request: the callback with a code."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(there).query).items()}
        self.nonce = asked.get("nonce", "")
        given = {"code": "a-code", "state": asked["state"]} | more
        return back + "?" + "&".join(f"{name}={value}" for name, value in given.items())

    def routes(self) -> list[Route]:
        return [
            Route("/.well-known/openid-configuration", self._metadata),
            Route("/jwks", self._jwks),
            Route("/token", self._token, methods=["POST"]),
            Route("/userinfo", self._userinfo),
            Route("/login/oauth/access_token", self._github_token, methods=["POST"]),
            Route("/api/user", self._github("github_user")),
            Route("/api/user/emails", self._github("github_emails")),
        ]

    async def _metadata(self, _request: Request) -> JSONResponse:
        told = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "id_token_signing_alg_values_supported": ["RS256"],
        }
        return JSONResponse(told | self.metadata)

    async def _jwks(self, _request: Request) -> JSONResponse:
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    async def _token(self, request: Request) -> JSONResponse:
        async with request.form() as form:
            self.token_requests.append({name: str(value) for name, value in form.items()})
        moment = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": "heldout",
            "sub": "ada",
            "iat": moment,
            "exp": moment + 600,
            "nonce": self.nonce,
            "email": "ada@example.org",
            "email_verified": True,
        } | self.claims
        claims = {name: value for name, value in claims.items() if value is not None}
        signed = jwt.encode({"alg": "RS256", "kid": "k"}, claims, self.signing_key or self.key)
        return JSONResponse({"access_token": "t", "token_type": "Bearer", "id_token": signed} | self.token)

    async def _userinfo(self, _request: Request) -> JSONResponse:
        return JSONResponse(self.userinfo)

    async def _github_token(self, request: Request) -> JSONResponse:
        async with request.form() as form:
            self.token_requests.append({name: str(value) for name, value in form.items()})
        return JSONResponse({"access_token": "gho", "token_type": "bearer", "scope": "read:user,user:email"})

    def _github(self, name: str) -> Any:
        async def answer(request: Request) -> JSONResponse:
            known = request.headers.get("authorization") == "Bearer gho"
            return JSONResponse(getattr(self, name)) if known else JSONResponse({"message": "who?"}, 401)

        return answer


@asynccontextmanager
async def fake_provider() -> AsyncIterator[FakeProvider]:
    """Serve it in this event loop."""
    provider = FakeProvider()
    listening = socket.create_server(("127.0.0.1", 0))
    provider.issuer = f"http://127.0.0.1:{listening.getsockname()[1]}"
    config = uvicorn.Config(Starlette(routes=provider.routes()), log_level="error", access_log=False, lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield provider
    finally:
        server.should_exit = True
        await asyncio.wait_for(serving, 60)
