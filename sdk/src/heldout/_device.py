"""The device flow (RFC 8628) as a flow: show a code, wait for its approval, get a key once."""

from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from pydantic import TypeAdapter

from heldout._flow import Flow, Pause, Request, Retries, exchange, parse
from heldout.errors import HeldoutError, PermissionDenied
from heldout.models import DeviceCode, Login

SCOPES = ("problems:read", "submissions:write", "sessions:write")
SLOWER = 5.0
_CODE = TypeAdapter(DeviceCode)
_LOGIN = TypeAdapter(Login)
_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


def login(show: Callable[[DeviceCode], None], scopes: Sequence[str], name: str, retries: Retries) -> Flow[Login]:
    """Begin, `show` the code, then ask at the service's pace. Raises PermissionDenied, TimeoutError."""
    reply = yield from exchange(_form("/v1/device/authorize", scope=" ".join(scopes), client=name), retries)
    code = parse(reply, _CODE)
    show(code)
    interval, waited = float(code.interval), 0.0
    while waited < code.expires_in:
        yield Pause(interval)
        waited += interval
        question = _form("/v1/device/token", device_code=code.device_code, grant_type=_GRANT)
        try:
            reply = yield from exchange(question, retries)
        except HeldoutError as error:
            if error.code == "slow_down":
                interval += SLOWER
            elif error.code == "access_denied":
                advice = "approve the code to log in"
                raise PermissionDenied("the code was declined", status=400, code=error.code, advice=advice) from None
            elif error.code == "expired_token":
                break
            elif error.code != "authorization_pending":
                raise
            continue
        return parse(reply, _LOGIN)
    raise TimeoutError("nobody approved the code in time; log in again")


def _form(path: str, **fields: str) -> Request:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    return Request("POST", path, body=urlencode(fields).encode(), headers=headers, public=True)
