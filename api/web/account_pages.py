"""Pages of one's own account: who one is, keys, sessions."""

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import ValidationError

from api.accounts.addresses import normal_email
from api.accounts.errors import NoOrganisationError
from api.accounts.models import Scope
from api.accounts.organisation_service import OrganisationService
from api.accounts.repository import AccountRepository
from api.accounts.schemas import KeyLimits
from api.accounts.service import AccountService, grantable
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import InvalidError, NotFoundError
from api.core.ids import parse_id, public_id
from api.core.ratelimit import limited
from api.core.schemas import IdPath
from api.login.deletion import delete_account
from api.login.repository import LoginRepository
from api.web.cookies import SESSION, Cookies
from api.web.device_pages import KEY_DAYS
from api.web.forms import Form, FormDep
from api.web.render import go, page
from api.web.viewer import Viewer, ViewerDep, signed_in

router = APIRouter(
    prefix="/account",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)
USUAL = (Scope.PROBLEMS_READ, Scope.SUBMISSIONS_WRITE, Scope.SESSIONS_WRITE)
MEANING = {
    Scope.PROBLEMS_READ: "read problems",
    Scope.SUBMISSIONS_WRITE: "submit answers",
    Scope.SESSIONS_WRITE: "play live episodes",
    Scope.REVIEWS_WRITE: "grade where people grade",
    Scope.BENCHMARKS_WRITE: "look after the organisation's benchmarks",
    Scope.ACCOUNT_WRITE: "change members, delete the account",
    Scope.ADMIN: "everything (operators)",
}


@router.get("", response_class=HTMLResponse)
async def account_page(request: Request, viewer: ViewerDep, session: SessionDep, settings: SettingsDep) -> HTMLResponse:
    """Who one is, one's organisations and the browsers that are signed in."""
    user = await AccountRepository(session).user(viewer.user_id)
    organisations = await AccountRepository(session).organisations_of(viewer.user_id)
    sessions = await LoginRepository(session).sessions_of(viewer.user_id)
    context = {
        "organisations": organisations,
        "sessions": sessions,
        "run_letters": user is not None and user.run_letters,
        "mail": bool(settings.smtp_host),
    }
    return page(request, "account.html", context)


@router.post("/name")
async def rename(viewer: ViewerDep, form: FormDep, session: SessionDep) -> Response:
    """Change one's name."""
    name = form.visible("name")
    if not name:
        raise InvalidError("the name must not be empty")
    repository = AccountRepository(session)
    user = await repository.user(viewer.user_id)
    assert user
    user.name = name
    await repository.add(user)
    return go("/account")


@router.post("/letters")
async def change_letters(viewer: ViewerDep, form: FormDep, session: SessionDep) -> Response:
    """Whether one gets an e-mail when a run is over."""
    repository = AccountRepository(session)
    user = await repository.user(viewer.user_id)
    assert user
    user.run_letters = form.text("run_letters") == "true"
    await repository.add(user)
    return go("/account")


@router.post("/organisations")
async def make_organisation(viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep) -> Response:
    """A new organisation of one's own."""
    service = OrganisationService(session, settings.secrets.raw("pepper"))
    row = await service.create(viewer.user_id, form.text("slug", 64), form.text("name"))
    return go(f"/o/{row.slug}")


@router.post("/sessions/end")
async def end_other_sessions(viewer: ViewerDep, _form: FormDep, session: SessionDep) -> Response:
    """Sign out everywhere but here."""
    await LoginRepository(session).end_sessions(viewer.user_id, but=viewer.session_id)
    return go("/account")


@router.get("/delete", response_class=HTMLResponse)
async def deletion_page(request: Request) -> HTMLResponse:
    """What deleting the account does, before it is done."""
    return page(request, "delete.html")


@router.post("/delete")
async def delete(request: Request, viewer: ViewerDep, form: FormDep, session: SessionDep) -> Response:
    """Delete one's account; there is no way back."""
    if normal_email(form.text("email", 320)) != viewer.email:
        raise InvalidError("enter the account's own e-mail address, so that nothing is deleted by mistake")
    await delete_account(session, viewer.user_id)
    response = go("/")
    Cookies(request).drop(response, SESSION)
    return response


@router.get("/keys", response_class=HTMLResponse)
async def keys_page(request: Request, viewer: ViewerDep, session: SessionDep) -> HTMLResponse:
    """One's keys, and the form for a new one."""
    return await _keys(request, viewer, session)


@router.post("/keys", response_class=HTMLResponse)
async def make_key(
    request: Request, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep
) -> HTMLResponse:
    """A new key; this page is the only place that ever shows it."""
    name, days = form.visible("name", 100), form.text("days")
    wanted = [scope for scope in Scope if scope.value in form.several("scopes")]
    if not name or not wanted or days not in KEY_DAYS:
        raise InvalidError("a key needs a name, at least one scope and a lifetime")
    organisation = await AccountRepository(session).organisation_by_slug(form.text("organisation", 64))
    if organisation is None:
        raise NoOrganisationError("choose one of your organisations")
    service = AccountService(session, settings.secrets.raw("pepper"))
    await service.may_give(viewer.user_id, organisation.id, wanted)
    limits = _limits(form)
    row, secret = await service.create_key(
        viewer.user_id,
        organisation.id,
        name,
        wanted,
        KEY_DAYS[days],
        limits.networks,
        limits.requests_per_minute,
    )
    return await _keys(request, viewer, session, made=row.name, secret=secret)


@router.post("/keys/{key}/limits")
async def limit_key(
    key: IdPath, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep
) -> Response:
    """Change where a key of one's own works, and how often it may ask."""
    key_id = parse_id("key", key)
    if key_id is None:
        raise NotFoundError("you have no such key")
    limits = _limits(form)
    service = AccountService(session, settings.secrets.raw("pepper"))
    await service.limit_key(key_id, viewer.user_id, limits.networks, limits.requests_per_minute)
    return go("/account/keys")


def _limits(form: Form) -> KeyLimits:
    """The limits in a form: networks apart by spaces or commas, and a count."""
    networks, requests = form.text("networks", 4000).replace(",", " ").split(), form.text("requests_per_minute", 10)
    try:
        return KeyLimits.model_validate({"networks": networks, "requests_per_minute": requests or None})
    except ValidationError:
        raise InvalidError(
            "a key works from addresses and networks like 192.0.2.7 or 2001:db8::/32, and asks 1 to 10,000 times a"
            " minute"
        ) from None


@router.post("/keys/{key}/revoke")
async def revoke_key(
    key: IdPath,
    viewer: ViewerDep,
    _form: FormDep,
    session: SessionDep,
    settings: SettingsDep,
) -> Response:
    """Revoke a key of one's own; it stops at once."""
    key_id = parse_id("key", key)
    if key_id is None:
        raise NotFoundError("you have no such key")
    await AccountService(session, settings.secrets.raw("pepper")).revoke_key(key_id, viewer.user_id)
    return go("/account/keys")


async def _keys(
    request: Request, viewer: Viewer, session: SessionDep, *, made: str = "", secret: str = ""
) -> HTMLResponse:
    repository = AccountRepository(session)
    organisations = await repository.organisations_of(viewer.user_id)
    known = {scope for _, role in organisations for scope in grantable(role, operator=viewer.is_operator)}
    keys = [(row, slug, public_id("key", row.id)) for row, slug in await repository.keys_of(viewer.user_id)]
    context = {
        "keys": keys,
        "organisations": organisations,
        "made": made,
        "secret": secret,
        "usual": USUAL,
        "scopes": [(scope, MEANING[scope]) for scope in Scope if scope in known],
    }
    return page(request, "keys.html", context)
