"""`/v1/device`, the device flow for command lines (forms in, JSON out, as RFC 8628 has it), and `/v1/me/delete`."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import JSONResponse

from api.accounts.addresses import normal_email
from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Public, Require
from api.accounts.repository import AccountRepository
from api.accounts.schemas import AccountDelete
from api.core.client_address import client_address
from api.core.db import now
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import ForbiddenError, InvalidError, problem_response
from api.core.ratelimit import limited
from api.login.deletion import delete_account
from api.login.devices import DeviceService, Refusal
from api.login.schemas import DeviceAuthorization, DeviceToken

_SCOPE = "|".join(scope.value for scope in Scope)
_SCOPES = f"^(?: *(?:{_SCOPE})(?: +(?:{_SCOPE}))* *)?$"
GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code"
_WHY = {
    Refusal.PENDING: "nobody has approved the code yet",
    Refusal.SLOW_DOWN: "wait five seconds longer between polls",
    Refusal.DENIED: "the request was denied",
    Refusal.EXPIRED: "the code has expired; start again",
    Refusal.INVALID: "unknown device code, or its key has already been issued",
}
beginning = APIRouter(prefix="/v1/device", tags=["login"], dependencies=[Depends(Public()), Depends(limited("login"))])
leaving = APIRouter(
    prefix="/v1", tags=["accounts"], dependencies=[Depends(Require(Scope.ACCOUNT_WRITE)), Depends(limited("write"))]
)
polling = APIRouter(prefix="/v1/device", tags=["login"], dependencies=[Depends(Public()), Depends(limited("public"))])


@beginning.post("/authorize")
async def begin_device(
    request: Request,
    session: SessionDep,
    settings: SettingsDep,
    scope: Annotated[
        str, Form(max_length=300, json_schema_extra={"pattern": _SCOPES})
    ] = "problems:read submissions:write sessions:write",
    client: Annotated[str, Form(max_length=100)] = "a command line",
) -> DeviceAuthorization:
    """A pair of codes: the device keeps one and shows the other, which somebody types in at `/device`."""
    wanted = scope.split()
    known = {item.value for item in Scope}
    if not wanted or set(wanted) - known:
        raise InvalidError(f"the scopes are: {', '.join(sorted(known))}", error="invalid_scope")
    service = DeviceService(session, settings)
    begun = await service.begin(client, [Scope(item) for item in wanted], client_address(request))
    page = f"{settings.public_url.rstrip('/') or str(request.base_url).rstrip('/')}/device"
    return DeviceAuthorization(
        device_code=begun.device_code,
        user_code=begun.user_code,
        verification_uri=page,
        verification_uri_complete=f"{page}?user_code={begun.user_code}",
        expires_in=begun.expires_in,
        interval=begun.interval,
    )


@polling.post("/token", response_model=DeviceToken)
async def poll_device(
    request: Request,
    session: SessionDep,
    settings: SettingsDep,
    device_code: Annotated[str, Form(min_length=1, max_length=100)],
    grant_type: Annotated[str, Form(max_length=100)] = GRANT_TYPE,
) -> DeviceToken | JSONResponse:
    """The key, once, after the approval; until then `authorization_pending`, or `slow_down` to those in a hurry."""
    if grant_type != GRANT_TYPE:
        why = "this endpoint supports only the device flow"
        return problem_response(request.scope, 400, "bad_request", why, error="unsupported_grant_type")
    found = await DeviceService(session, settings).poll(device_code)
    if isinstance(found, Refusal):
        # Returned, not raised: what was counted and consumed is committed.
        return problem_response(request.scope, 400, found.value, _WHY[found], error=found.value)
    seconds = int((found.expires_at - now()).total_seconds()) if found.expires_at else None
    return DeviceToken(
        access_token=found.key, scope=" ".join(found.scopes), organisation=found.organisation, expires_in=seconds
    )


@leaving.post("/me/delete", status_code=204)
async def delete_me(body: AccountDelete, principal: PrincipalDep, session: SessionDep) -> None:
    """Delete one's account: personal data is erased, keys and sessions end, the ledger stays. There is no way back."""
    user = await AccountRepository(session).user(principal.user_id)
    if user is None or normal_email(body.email) != user.email:
        raise ForbiddenError("enter the account's own e-mail address, so that nothing is deleted by mistake")
    await delete_account(session, principal.user_id)
