"""A browser without scripts, for tests of pages: keeps cookies, fills in the forms it was shown."""

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import httpx2

from api.accounts.models import MemberRole
from api.accounts.service import AccountService
from api.login.service import LoginService
from tests.support.service import Service

ORIGIN = "http://127.0.0.1:8080"
_TOKEN = re.compile(r'name="csrf" value="([0-9a-f]*)"')


@dataclass
class Visitor:
    """One browser."""

    client: httpx2.AsyncClient
    page: str = ""
    origin: str = ORIGIN
    headers: dict[str, str] = field(default_factory=lambda: {"accept": "text/html"})

    @classmethod
    def of(cls, service: Service) -> "Visitor":
        """A new browser at the service's address."""
        transport = httpx2.ASGITransport(app=service.app, raise_app_exceptions=False)
        return cls(httpx2.AsyncClient(transport=transport, base_url=ORIGIN, timeout=120))

    async def get(self, path: str) -> httpx2.Response:
        """A page; redirects are not followed."""
        response = await self.client.get(path, headers=self.headers)
        self.page = response.text
        return response

    async def post(self, path: str, fields: dict[str, Any] | None = None, **more: Any) -> httpx2.Response:
        """Send a form as the last page had it, with its token."""
        token = _TOKEN.search(self.page)
        data = ({"csrf": token[1]} if token else {}) | (fields or {})
        headers = self.headers | {"origin": self.origin} | more.pop("headers", {})
        response = await self.client.post(path, data=data, headers=headers, **more)
        if response.status_code == 200:
            self.page = response.text
        return response

    async def fill(self, path: str, action: str, fields: dict[str, Any] | None = None) -> httpx2.Response:
        """Look at a page, then send one of its forms."""
        (await self.get(path)).raise_for_status()
        return await self.post(action, fields)

    def text(self) -> str:
        """The last page without its markup."""
        return unescape(re.sub(r"<[^>]+>", " ", self.page))

    def session(self) -> str | None:
        """The session's cookie."""
        return self.client.cookies.get("heldout_session")


async def enter(
    service: Service,
    email: str,
    organisation: str | None = None,
    *,
    role: MemberRole = MemberRole.OWNER,
    operator: bool = False,
) -> Visitor:
    """Somebody signed in by a link, and in an organisation."""
    async with service.admin.session() as session:
        accounts = AccountService(session, service.settings.secrets.raw("pepper"))
        user = await accounts.ensure_user(email, email.split("@")[0].title(), operator=operator)
        if organisation:
            await accounts.ensure_member(user, await accounts.ensure_organisation(organisation), role)
        token = await LoginService(session, service.settings).make_link(user)
    visitor = Visitor.of(service)
    response = await visitor.fill(f"/login/link?token={token}", "/login/link", {"token": token})
    assert response.status_code == 303, response.text
    return visitor
