"""A site in one session, whoever runs it: what the session's browser asks of it, and what graders learn from it."""

import asyncio
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from pydantic import JsonValue

from envs.browser.http1 import Request, Response
from envs.web_sites.site import SiteDescription

NOT_FORWARDED = frozenset(("connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade", "te"))
NOT_FORWARDED |= {"host", "content-length", "accept-encoding", "trailer"}
LONGEST_LOG = 5000
LONGEST_FIELD = 2000
LONGEST_PARTS = 200_000
# Name, name of the file if it is one, content.
PART = re.compile(
    rb'name="([^"\r\n]*)"(?:; filename="([^"\r\n]*)")?[^\r\n]*(?:\r\n[^\r\n]+)*\r\n\r\n(.*?)\r\n--', re.DOTALL
)
DOCUMENTS = ("text/html", "application/json", "text/csv")
Row = dict[str, JsonValue]


@dataclass(frozen=True)
class SignedIn:
    """What a browser context holds of somebody who is signed in: Playwright's cookies, and storage by origin."""

    cookies: tuple[dict[str, Any], ...] = ()
    origins: tuple[dict[str, Any], ...] = ()

    @classmethod
    def joined(cls, several: "list[SignedIn]") -> "SignedIn":
        """Signed in on several sites at once."""
        return cls(tuple(c for one in several for c in one.cookies), tuple(o for one in several for o in one.origins))

    def storage_state(self) -> dict[str, Any]:
        """As a browser context takes it."""
        return {"cookies": list(self.cookies), "origins": list(self.origins)}


@dataclass(kw_only=True)
class ServedSite(ABC):
    """The handler of a site's hosts in a session's gateway.

    `requests` gets what the browser asked for. `fault` is set when the site failed, which is never the participant's
    doing. `scripts`: whether the site's pages say nothing without their scripts, so that graders run them.
    """

    requests: list[dict[str, JsonValue]] = field(default_factory=list)
    fault: str | None = None
    shut: bool = False
    scripts: bool = False
    _busy: int = 0
    _idle: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    @abstractmethod
    def description(self) -> SiteDescription:
        """What is known of the site."""

    @property
    @abstractmethod
    def address(self) -> str:
        """The site's address in this session, without a slash at its end."""

    @property
    @abstractmethod
    def hosts(self) -> tuple[str, ...]:
        """The gateway's names of the hosts that the site has, its own first."""

    @abstractmethod
    async def sign_in(self, role: str) -> SignedIn:
        """Sign somebody in. Raises SpecError for a role the site does not have, and InfrastructureError."""

    @abstractmethod
    async def forward(self, request: Request) -> Response:
        """The site's answer; where there is none `fault` is set."""

    @abstractmethod
    async def state(self) -> dict[str, Any]:
        """What the session changed, see `difference`. Raises SpecError where the site's state cannot be read."""

    @abstractmethod
    async def query(self, name: str, values: dict[str, JsonValue]) -> list[Row]:
        """The rows of one of the site's queries. Raises KeyError for one that the site does not have."""

    @abstractmethod
    async def for_graders(self) -> "ServedSite":
        """The site as it was left, for looking at."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of the session's part of the site."""

    @property
    def alive(self) -> bool:
        """Whether the site still runs, as far as can be seen without asking it."""
        return True

    def reads(self, request: Request) -> bool:
        """Whether a request only looks."""
        return request.method in ("GET", "HEAD")

    def own(self, url: str) -> bool:
        """Whether an address is one of the site's."""
        return url == self.address or url.startswith((f"{self.address}/", f"{self.address}?", f"{self.address}#"))

    async def helper(self, name: str, arguments: tuple[JsonValue, ...]) -> str:
        """What a helper of a published task says that asks the site itself. Raises KeyError where there is none."""
        raise KeyError(f"the site '{self.description.name}' has no helper '{name}' with {len(arguments)} argument(s)")

    async def __call__(self, request: Request) -> Response:
        """The site's answer to the session's browser."""
        if self.shut:
            return Response.html("<title>Over</title><p>The session is over.</p>", 403)
        self._busy += 1
        try:
            response = await self.forward(request)
        finally:
            self._busy -= 1
            async with self._idle:
                self._idle.notify_all()
        self._note(request, response)
        return response

    async def still(self) -> None:
        """Take no more requests, and wait until those under way are answered."""
        self.shut = True
        async with self._idle:
            await self._idle.wait_for(lambda: self._busy == 0)

    def _note(self, request: Request, response: Response) -> None:
        content = next((value for name, value in response.headers.items() if name.lower() == "content-type"), "")
        plain = request.method == "GET" and response.status < 300
        # Pictures, styles and scripts that a page loads by itself are nobody's doing.
        if (plain and not content.startswith(DOCUMENTS)) or len(self.requests) >= LONGEST_LOG:
            return
        query = f"?{request.query}" if request.query else ""
        scheme = self.address.partition("://")[0]
        self.requests.append(
            {
                "url": f"{scheme}://{request.host}{request.path}{query}",
                "http_method": request.method,
                "post_data": _fields(request),
                "response_status": response.status,
            }
        )


def target(request: Request) -> bytes:
    """The path and query of a request as they are sent on."""
    return (request.path + (f"?{request.query}" if request.query else "")).encode("ascii", "replace")


def _fields(request: Request) -> dict[str, JsonValue]:
    content = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    pairs: list[tuple[str, str]] = []
    if content == "application/x-www-form-urlencoded":
        text = request.body.decode("utf-8", "replace")
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=1000) if text.count("&") < 1000 else []
    elif content == "multipart/form-data" and len(request.body) <= LONGEST_PARTS:
        for name, file, value in PART.findall(request.body):
            pairs.append((name.decode("utf-8", "replace"), (file or value).decode("utf-8", "replace")))
    found: dict[str, Any] = {}
    for name, value in pairs:
        if not name.startswith("csrf"):
            found.setdefault(name, []).append(value[:LONGEST_FIELD])
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}
