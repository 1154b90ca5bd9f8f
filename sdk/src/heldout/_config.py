"""Where the service is and who asks: arguments first, environment second."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from urllib.parse import urlsplit

import httpx2

from heldout._credentials import stored_key
from heldout._flow import Lost, Reply, Request
from heldout._text import unsendable
from heldout.errors import AuthenticationError, Invalid

DEFAULT_URL = "http://127.0.0.1:8080"
# Seconds of a request, unless the client is given others.
TIMEOUT = 60.0
# An evaluation asks from as many threads as it plays tasks: each keeps its connection.
LIMITS = httpx2.Limits(max_connections=256, max_keepalive_connections=256)
_LOCAL = {"127.0.0.1", "localhost", "::1"}


def package_version() -> str:
    """This package's version."""
    try:
        return version("heldout")
    except PackageNotFoundError:
        return "0"


@dataclass(frozen=True)
class Config:
    """Address, key and default benchmark. The key is kept out of the repr."""

    base_url: str
    api_key: str | None
    benchmark: str | None

    @classmethod
    def of(cls, base_url: str | None = None, api_key: str | None = None, benchmark: str | None = None) -> "Config":
        """Fill what is not given from HELDOUT_BASE_URL, HELDOUT_API_KEY and HELDOUT_BENCHMARK.

        Without any key, the one that `heldout login` keeps for this very address is taken.
        """
        url = (base_url or os.environ.get("HELDOUT_BASE_URL") or DEFAULT_URL).rstrip("/")
        key = (api_key or os.environ.get("HELDOUT_API_KEY") or "").strip() or stored_key(url)
        return cls(url, key, benchmark or os.environ.get("HELDOUT_BENCHMARK") or None)

    def __repr__(self) -> str:
        return f"Config(base_url={self.base_url!r}, api_key={'...' if self.api_key else None}, {self.benchmark!r})"

    def check(self) -> None:
        """Refuse addresses that are none, keys that no header can hold, and a key over plain HTTP to other machines."""
        if fault := unsendable(self.api_key or ""):
            advice = "copy the key anew, without quotation marks around it"
            raise AuthenticationError(f"the API key {fault}", code="bad_api_key", advice=advice)
        parts = urlsplit(self.base_url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            advice = "write it as https://host or http://127.0.0.1:8080"
            raise Invalid(f"'{self.base_url}' is not an address", code="bad_base_url", advice=advice)
        allowed = os.environ.get("HELDOUT_ALLOW_HTTP") == "1"
        if parts.scheme == "http" and self.api_key and parts.hostname not in _LOCAL and not allowed:
            advice = "use https, or set HELDOUT_ALLOW_HTTP=1 on a network that you trust"
            detail = f"the key would travel unencrypted to {parts.hostname}"
            raise Invalid(detail, code="insecure_base_url", advice=advice)

    def headers(self) -> dict[str, str]:
        """Headers of every request."""
        return {"accept": "application/json", "user-agent": f"heldout-python/{package_version()}"}

    def local_path(self, url: str) -> str:
        """The path of a file of this service; the key never goes to another host."""
        if url.startswith(f"{self.base_url}/"):
            return url[len(self.base_url) :]
        if url.startswith("/") and not url.startswith("//"):
            return url
        raise Invalid("this file is not on the service", code="foreign_url", advice="fetch it without the key")

    def authorization(self, request: Request) -> dict[str, str]:
        """The key's header, if the request needs one or there is one."""
        if self.api_key:
            return {"authorization": f"Bearer {self.api_key}"}
        if request.public:
            return {}
        raise AuthenticationError("this call needs an API key", code="no_api_key")


def to_reply(response: httpx2.Response) -> Reply:
    """The parts of a response that flows look at."""
    origin = f"{response.url.scheme}://{response.url.netloc.decode()}"
    return Reply(response.status_code, {k.lower(): v for k, v in response.headers.items()}, response.content, origin)


Notice = Callable[[str, float], None]
"""Called with the reason and the seconds of the pause before a failed request is sent again."""


def to_lost(error: httpx2.TransportError, base_url: str, *, first: bool = False) -> Lost:
    """Why there was no response; `first`: there never was one from there."""
    return Lost(f"no answer from {base_url}: {type(error).__name__} {error}".rstrip(), first)
