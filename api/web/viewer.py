"""Who looks at a page: nobody known, or somebody with a web session."""

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote, urlsplit
from uuid import UUID

from fastapi import Depends, Request

from api.accounts.errors import UnauthenticatedError
from api.core.audit import Actor
from api.core.client_address import client_address
from api.core.deps import SessionDep, SettingsDep
from api.login.service import LoginService
from api.web.cookies import Cookies

HOME = "/account"


@dataclass(frozen=True)
class Viewer:
    """Somebody signed in."""

    user_id: UUID
    session_id: UUID
    name: str
    email: str | None
    is_operator: bool
    address: str
    token: str

    @property
    def label(self) -> str:
        """What the page calls them."""
        return self.name or self.email or "account"


class SignInNeededError(UnauthenticatedError):
    """Nobody is signed in; pages answer with the way to the sign-in."""


async def look(request: Request, session: SessionDep, settings: SettingsDep) -> Viewer | None:
    """The viewer of this request, if their session goes on."""
    token = Cookies(request).session()
    row = await LoginService(session, settings).viewer(token) if token else None
    viewer = None
    if row is not None and token is not None:
        viewer = Viewer(
            user_id=row.user_id,
            session_id=row.id,
            name=row.name,
            email=row.email,
            is_operator=row.is_operator,
            address=client_address(request),
            token=token,
        )
        request.state.actor = Actor(viewer.user_id)
    request.state.viewer = viewer
    return viewer


MaybeViewerDep = Annotated[Viewer | None, Depends(look)]


class SignedIn:
    """A router dependency: pages for people with a web session; the walk over all routes looks for it."""

    async def __call__(self, request: Request, viewer: MaybeViewerDep) -> Viewer:
        if viewer is None:
            raise sign_in_needed(request)
        return viewer


def sign_in_needed(request: Request) -> SignInNeededError:
    """The error that leads to the sign-in, and from there back to this page."""
    here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    following = here if request.method == "GET" else HOME
    return SignInNeededError("sign in first", headers={"Location": f"/login?next={quote(following, safe='')}"})


signed_in = SignedIn()
ViewerDep = Annotated[Viewer, Depends(signed_in)]


def safe_next(text: str | None) -> str:
    """Where to go after a sign-in: a path of this service, or the account's page."""
    if not text or len(text) > 1000 or not text.startswith("/") or text.startswith(("//", "/\\")):
        return HOME
    if "\\" in text or any(ord(character) < 0x21 or ord(character) == 0x7F for character in text):
        return HOME
    try:
        parts = urlsplit(text)
    except ValueError:
        return HOME
    return HOME if parts.scheme or parts.netloc else text
