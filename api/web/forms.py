"""Forms: each POST of a page is from a page of ours (its Origin) and carries a token bound to its browser."""

import hmac
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.datastructures import FormData, UploadFile

from api.core.crypto import keyed_digests
from api.core.errors import ForbiddenError, InvalidError
from api.core.names import visible_text
from api.core.nul import holds_nul
from api.web.cookies import Cookies, origin
from api.web.viewer import MaybeViewerDep, Viewer

FIELD = "csrf"
# The most that a form has: the 50 criteria of a rubric, with eight fields each.
_FIELDS = 420


class ForgedFormError(ForbiddenError):
    code = "forged_form"
    title = "The form was not sent from a page of this service, or the page has expired"


class Form:
    """The fields of a checked form."""

    def __init__(self, data: FormData) -> None:
        self._data = data

    def text(self, name: str, limit: int = 200) -> str:
        """A field without the space around it; empty when it is not there. Raises InvalidError."""
        value = self._data.get(name, "")
        if isinstance(value, UploadFile) or len(value) > limit or holds_nul(value):
            raise InvalidError(f"'{name}' is too long, or contains a character that cannot be stored")
        return value.strip()

    def visible(self, name: str, limit: int = 200) -> str:
        """The same, of a name that others are shown. Raises InvalidError."""
        try:
            return visible_text(self.text(name, limit))
        except ValueError as error:
            raise InvalidError(f"'{name}': {error}") from None

    async def file(self, name: str) -> tuple[str, bytes]:
        """The name and the content of a file that was chosen; both empty where none was."""
        value = self._data.get(name)
        if not isinstance(value, UploadFile):
            return "", b""
        return value.filename or "", await value.read()

    def several(self, name: str) -> list[str]:
        """Every value of a field."""
        return [value for value in self._data.getlist(name) if isinstance(value, str)]


def token(request: Request, bound_to: str) -> str:
    """The token of forms for one browser."""
    return _tokens(request, bound_to)[0]


def _tokens(request: Request, bound_to: str) -> list[str]:
    digests = keyed_digests(request.app.state.settings.secrets.raw("cookie"), "csrf", bound_to)
    return [digest.hex() for digest in digests]


def binding(request: Request, viewer: Viewer | None) -> str | None:
    """What the browser's forms are bound to: its session, else its visitor's cookie."""
    return viewer.token if viewer else Cookies(request).visitor()


async def checked(request: Request, viewer: MaybeViewerDep) -> Form:
    """The form of a request; of anything but a POST, an empty one. Raises ForgedFormError."""
    if request.method in ("GET", "HEAD"):
        return Form(FormData())
    again = "go back, reload the page and submit the form again"
    if not _is_ours(request):
        raise ForgedFormError(again)
    data = await request.form(max_files=1, max_fields=_FIELDS)
    bound_to = binding(request, viewer)
    given = data.get(FIELD, "")
    if bound_to is None or not isinstance(given, str):
        raise ForgedFormError(again)
    if not any(hmac.compare_digest(one.encode(), given.encode()) for one in _tokens(request, bound_to)):
        raise ForgedFormError(again)
    return Form(data)


def _is_ours(request: Request) -> bool:
    sent = request.headers.get("origin")
    if sent is None:
        # Browsers of today send Origin with every form; the referrer stands in where a proxy took it away.
        parts = urlsplit(request.headers.get("referer", ""))
        sent = f"{parts.scheme}://{parts.netloc}"
    return sent.lower() == origin(request)


FormDep = Annotated[Form, Depends(checked)]
