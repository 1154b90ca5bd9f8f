"""Pages from templates, with what every page needs: the viewer and the token of its forms."""

from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.templating import Jinja2Templates

from api.core.errors import ServiceError, service_error
from api.web import forms
from api.web.cookies import PENDING, VISITOR, Cookies
from api.web.viewer import SignInNeededError, Viewer

templates = Jinja2Templates(Path(__file__).parent / "templates")
_VISIT_SECONDS = 24 * 3600


def page(request: Request, name: str, context: dict[str, Any] | None = None, status: int = 200) -> HTMLResponse:
    """A page. One with a form for a stranger gives the browser what the form is bound to."""
    viewer: Viewer | None = getattr(request.state, "viewer", None)
    cookies = Cookies(request)
    bound_to = forms.binding(request, viewer)
    fresh = None if bound_to else cookies.new_visitor()
    values = {"viewer": viewer, "csrf": forms.token(request, bound_to or fresh or "")} | (context or {})
    response = templates.TemplateResponse(request, name, values, status_code=status)
    if viewer is not None or values.get("has_form"):
        response.headers["Cache-Control"] = "no-store"
    if fresh and values.get("has_form"):
        cookies.write(response, VISITOR, fresh, _VISIT_SECONDS)
    return response


def go(path: str) -> RedirectResponse:
    """See another page of this service, by GET."""
    return RedirectResponse(path, status_code=303, headers={"Cache-Control": "no-store"})


async def _page_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ServiceError)
    if isinstance(error, SignInNeededError):
        return go(error.headers["Location"])
    if request.url.path.startswith("/v1") or "text/html" not in request.headers.get("accept", ""):
        return await service_error(request, error)
    context = {"title": error.title, "detail": error.detail, "request_id": request.state.request_id}
    response = page(request, "error.html", context, error.status)
    response.headers.update({k: v for k, v in error.headers.items() if k.lower() != "location"})
    if request.url.path.startswith("/login/callback/"):
        # What was kept for one sign-in serves no second try.
        Cookies(request).drop(response, PENDING)
    return response


def install(app: FastAPI) -> None:
    """Show errors to people as pages; programs get the problem documents."""
    app.add_exception_handler(ServiceError, _page_error)
