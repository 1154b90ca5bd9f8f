"""Pages of the sign-in: the ways in, a provider's callback, login links, the way out."""

from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from api.accounts.principal import Public
from api.core.audit import Actor
from api.core.client_address import client_address
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import NotFoundError
from api.core.ratelimit import limited
from api.login.errors import SignInFailedError
from api.login.providers import Providers
from api.login.service import LINK_MINUTES, LoginService
from api.mail import letters
from api.mail.outbox import Outbox
from api.web.cookies import PENDING, SESSION, VISITOR, Cookies, origin
from api.web.forms import FormDep
from api.web.render import go, page
from api.web.viewer import MaybeViewerDep, ViewerDep, look, safe_next, signed_in

router = APIRouter(
    tags=["pages"],
    # Looked at on each of these pages: their forms are bound to the session, if there is one.
    dependencies=[Depends(Public()), Depends(look), Depends(limited("login"))],
    include_in_schema=False,
)
leaving = APIRouter(
    tags=["pages"], dependencies=[Depends(signed_in), Depends(limited("write"))], include_in_schema=False
)
Name = Annotated[str, Path(max_length=32)]
Next = Annotated[str, Query(alias="next", max_length=1000)]


async def _providers(request: Request) -> Providers:
    providers = request.app.state.providers
    assert isinstance(providers, Providers)
    return providers


ProvidersDep = Annotated[Providers, Depends(_providers)]


@router.get("/login", response_class=HTMLResponse)
async def login_page(
    request: Request,
    viewer: MaybeViewerDep,
    providers: ProvidersDep,
    settings: SettingsDep,
    following: Next = "",
) -> Response:
    """The ways to sign in."""
    if viewer:
        return go(safe_next(following))
    context = {
        "providers": providers.all,
        "next": quote(safe_next(following), safe=""),
        "mail": bool(settings.smtp_host),
    }
    return page(request, "login.html", context | {"has_form": bool(settings.smtp_host)})


@router.post("/login/email", response_class=HTMLResponse)
async def mail_link(request: Request, form: FormDep, session: SessionDep, settings: SettingsDep) -> HTMLResponse:
    """Send a link that signs in once to an address. The page says the same whoever that is."""
    if not settings.smtp_host:
        raise NotFoundError("this service sends no mail")
    email = form.text("email", 320)
    found = await LoginService(session, settings).mailed_link(email)
    if found is not None:
        address, token = found
        link = f"{settings.base_url}/login/link?token={token}"
        await Outbox(session, settings).post(letters.sign_in(address, link, LINK_MINUTES))
    return page(request, "link_sent.html", {"email": email, "minutes": LINK_MINUTES})


@router.get("/login/start/{name}")
async def begin_login(request: Request, name: Name, providers: ProvidersDep, following: Next = "") -> Response:
    """Send the browser to a provider; what the answer is checked against stays in its own sealed cookie."""
    request.scope["session"] = {}
    there = await providers.begin(request, name, f"{origin(request)}/login/callback/{name}")
    response = Response(status_code=303, headers={"Location": there, "Cache-Control": "no-store"})
    pending = {"provider": name, "next": safe_next(following), "authlib": request.scope["session"]}
    Cookies(request).remember(response, pending)
    return response


@router.get("/login/callback/{name}")
async def end_login(
    request: Request, name: Name, session: SessionDep, settings: SettingsDep, providers: ProvidersDep
) -> Response:
    """The provider's answer."""
    cookies = Cookies(request)
    pending: dict[str, Any] = cookies.pending()
    if pending.get("provider") != name:
        raise SignInFailedError(
            "this browser did not start this sign-in, or did so more than ten minutes ago; start again"
        )
    request.scope["session"] = pending["authlib"]
    claims = await providers.finish(request, name)
    user = await LoginService(session, settings).user_of(claims)
    return await _enter(request, session, settings, user.id, pending["next"])


@router.get("/login/link", response_class=HTMLResponse)
async def link_page(request: Request, token: Annotated[str, Query(max_length=100)] = "") -> HTMLResponse:
    """Ask before the link is used up: programs that look at links open them, too."""
    return page(request, "link.html", {"token": token, "has_form": True})


@router.post("/login/link")
async def use_link(request: Request, form: FormDep, session: SessionDep, settings: SettingsDep) -> Response:
    """Sign in by a link that was sent by e-mail, or that the server's command printed."""
    user_id = await LoginService(session, settings).use_link(form.text("token"))
    return await _enter(request, session, settings, user_id, "/account")


@leaving.post("/logout")
async def logout(
    request: Request, viewer: ViewerDep, _form: FormDep, session: SessionDep, settings: SettingsDep
) -> Response:
    """End this browser's session, here and on the server."""
    await LoginService(session, settings).close(viewer.token)
    response = go("/")
    Cookies(request).drop(response, SESSION)
    return response


async def _enter(
    request: Request, session: SessionDep, settings: SettingsDep, user_id: UUID, following: str
) -> Response:
    cookies = Cookies(request)
    token = await LoginService(session, settings).open(
        user_id,
        address=client_address(request),
        agent=request.headers.get("user-agent", ""),
        replacing=cookies.session(),
    )
    request.state.actor = Actor(user_id, enters=True)
    response = go(safe_next(following))
    cookies.sign_in(response, token)
    cookies.drop(response, PENDING)
    cookies.drop(response, VISITOR)
    return response
