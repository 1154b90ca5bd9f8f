"""The page where somebody signed in lets a command line have a key."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse

from api.accounts.errors import NoOrganisationError
from api.accounts.models import Organisation, Scope
from api.accounts.repository import AccountRepository
from api.accounts.service import grantable
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import InvalidError
from api.core.ratelimit import limited
from api.login.devices import DeviceService, Guesser, shown_code
from api.login.errors import NoCodeError, TooManyGuessesError
from api.web.forms import FormDep
from api.web.render import page
from api.web.viewer import Viewer, ViewerDep, signed_in

router = APIRouter(
    tags=["pages"], dependencies=[Depends(signed_in), Depends(limited("login"))], include_in_schema=False
)
KEY_DAYS = {"7": 7, "30": 30, "90": 90, "365": 365, "": None}


def _guesser(viewer: Viewer) -> Guesser:
    return Guesser(viewer.user_id, viewer.address)


@router.get("/device", response_class=HTMLResponse)
async def device_page(request: Request, user_code: Annotated[str, Query(max_length=20)] = "") -> HTMLResponse:
    """Where a code is typed in; one that came with the link is only compared."""
    return page(request, "device.html", {"code": shown_code(user_code)})


@router.post("/device", response_class=HTMLResponse)
async def show_device(
    request: Request, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep
) -> HTMLResponse:
    """Who waits behind a code, before anything is decided."""
    service, code = DeviceService(session, settings), form.text("user_code", 20)
    try:
        grant = await service.find(code, _guesser(viewer))
    except (NoCodeError, TooManyGuessesError) as error:
        return await _refused(request, service, viewer, error)
    organisations = await _covering(session, viewer, grant.scopes)
    return page(request, "device_decide.html", {"grant": grant, "code": code, "organisations": organisations})


@router.post("/device/decide", response_class=HTMLResponse)
async def decide_device(
    request: Request, viewer: ViewerDep, form: FormDep, session: SessionDep, settings: SettingsDep
) -> Response:
    """Approve or decline."""
    service, code = DeviceService(session, settings), form.text("user_code", 20)
    approved = form.text("decision") == "approve"
    try:
        if approved:
            await _approve(service, session, viewer, code, form)
        else:
            await service.deny(code, _guesser(viewer))
    except (NoCodeError, TooManyGuessesError) as error:
        return await _refused(request, service, viewer, error)
    return page(request, "device_done.html", {"approved": approved})


async def _approve(service: DeviceService, session: SessionDep, viewer: Viewer, code: str, form: FormDep) -> None:
    days = form.text("days")
    if days not in KEY_DAYS:
        raise InvalidError("choose how long the key is valid")
    organisation = await AccountRepository(session).organisation_by_slug(form.text("organisation", 64))
    if organisation is None:
        raise NoOrganisationError("choose one of your organisations")
    await service.approve(code, _guesser(viewer), organisation.id, KEY_DAYS[days])


async def _covering(session: SessionDep, viewer: Viewer, scopes: list[Scope]) -> list[Organisation]:
    """The viewer's organisations for which a key with these scopes may be given."""
    found = await AccountRepository(session).organisations_of(viewer.user_id)
    return [row for row, role in found if set(scopes) <= set(grantable(role, operator=viewer.is_operator))]


async def _refused(
    request: Request, service: DeviceService, viewer: Viewer, error: NoCodeError | TooManyGuessesError
) -> HTMLResponse:
    # A page, not an exception: the count of wrong codes has to be committed.
    if isinstance(error, NoCodeError):
        await service.miss(_guesser(viewer))
    return page(request, "device.html", {"problem": f"{error.title}: {error.detail}"}, error.status)
