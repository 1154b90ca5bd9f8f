"""Pages from templates, with what every page needs: the viewer and the token of its forms."""

import json
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.templating import Jinja2Templates
from starlette.exceptions import HTTPException

from api.core.errors import ServiceError, problem_of, service_error
from api.web import forms
from api.web.cookies import PENDING, VISITOR, Cookies
from api.web.viewer import SignInNeededError, Viewer

templates = Jinja2Templates(Path(__file__).parent / "templates")
_TITLES = {404: "There is no such page", 500: "Something went wrong on our side"}
_VISIT_SECONDS = 24 * 3600
_FORMULAS_CSP = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


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


def page_with_formulas(request: Request, name: str, context: dict[str, Any]) -> HTMLResponse:
    """A page on which KaTeX sets formulas: it writes sizes and positions as inline styles."""
    response = page(request, name, context)
    response.headers["Content-Security-Policy"] = _FORMULAS_CSP
    return response


def go(path: str) -> RedirectResponse:
    """See another page of this service, by GET."""
    return RedirectResponse(path, status_code=303, headers={"Cache-Control": "no-store"})


async def _page_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ServiceError)
    if isinstance(error, SignInNeededError):
        return go(error.headers["Location"])
    if not _for_people(request):
        return await service_error(request, error)
    context = {"title": error.title, "detail": error.detail, "request_id": request.state.request_id}
    response = page(request, "error.html", context, error.status)
    response.headers.update({k: v for k, v in error.headers.items() if k.lower() != "location"})
    if request.url.path.startswith("/login/callback/"):
        # What was kept for one sign-in serves no second try.
        Cookies(request).drop(response, PENDING)
    return response


def _for_people(request: Request) -> bool:
    return not request.url.path.startswith("/v1") and "text/html" in request.headers.get("accept", "")


async def _other_error(request: Request, error: Exception) -> Response:
    """An address with nothing at it, a query that cannot be read, a fault of ours: the problem document as a page."""
    response = await problem_of(request, error)
    if not _for_people(request):
        return response
    problem = json.loads(bytes(response.body))
    title = _TITLES.get(response.status_code, problem["title"])
    context = {"title": title, "detail": problem["detail"], "request_id": problem["request_id"]}
    shown = page(request, "error.html", context, response.status_code)
    if "allow" in response.headers:
        shown.headers["Allow"] = response.headers["allow"]
    return shown


def install(app: FastAPI) -> None:
    """Show errors to people as pages; programs get the problem documents."""
    app.add_exception_handler(ServiceError, _page_error)
    for kind in (HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(kind, _other_error)
