"""Small web applications of our own: pages by address, templates that escape, forms that only a site's own pages send.

Nothing runs in the browser, and nothing but the session's database is written. A login is a signed cookie; what its
owner may do is looked up at each request.
"""

import hashlib
import hmac
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlencode

import jinja2
import tenancy

LONGEST_BODY = 400_000
MOST_FIELDS = 200
NOTICE = "notice"
STYLE = "/style.css"
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
)
Row = sqlite3.Row


class RefusedError(Exception):
    """The request is answered with this status and sentence, and nothing is changed."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def not_found(what: str = "page") -> RefusedError:
    """There is no such thing here."""
    return RefusedError("404 Not Found", f"There is no such {what}.")


def forbidden(message: str = "You are not allowed to do this.") -> RefusedError:
    """The person may not do this."""
    return RefusedError("403 Forbidden", message)


def wrong(message: str) -> RefusedError:
    """What was sent cannot be taken; the sentence says why."""
    return RefusedError("422 Unprocessable Content", message)


@dataclass
class Request:
    """One request. `person` is whoever is signed in, as the site's own look-up gives it; None for nobody."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    form: Mapping[str, list[str]]
    cookies: Mapping[str, str]
    database: sqlite3.Connection
    person: Any = None
    neighbours: str = ""

    def asked(self, name: str, default: str = "") -> str:
        """A field of the address."""
        return self.query.get(name, [default])[0].strip()

    def text(self, name: str, *, longest: int = 200, least: int = 0, lines: bool = False) -> str:
        """A field of the form, without spaces at its ends. Raises RefusedError when it is too short or too long."""
        text = self.form.get(name, [""])[0].replace("\r\n", "\n").strip()
        if not lines:
            text = " ".join(text.split())
        if len(text) > longest or len(text) < least:
            label = name.replace("_", " ").capitalize()
            raise wrong(f"{label}: between {least} and {longest} characters, please; these are {len(text)}.")
        return text

    def number(self, name: str, low: float, high: float, *, whole: bool = True) -> float:
        """A number of the form. Raises RefusedError for what is none, and outside of its bounds."""
        label = name.replace("_", " ").capitalize()
        found = re.fullmatch(r"\d{1,9}" if whole else r"\d{1,9}(\.\d{1,2})?", self.text(name))
        value = float(found[0]) if found else -1.0
        if not found or not low <= value <= high:
            kind = "a whole number" if whole else "a number with at most two decimals"
            raise wrong(f"{label}: {kind} between {low:g} and {high:g}, please.")
        return value

    def one(self, sql: str, *values: Any, what: str = "page") -> Row:
        """The one row of a SELECT. Raises RefusedError where there is none."""
        row: Row | None = self.database.execute(sql, values).fetchone()
        if row is None:
            raise not_found(what)
        return row

    def rows(self, sql: str, *values: Any) -> list[Row]:
        """The rows of a SELECT."""
        return self.database.execute(sql, values).fetchall()

    def run(self, sql: str, *values: Any) -> int:
        """Change rows; the number of the row that was inserted."""
        return self.database.execute(sql, values).lastrowid or 0


@dataclass
class Reply:
    """What a request is answered with; `location` sends the browser on, `notice` is shown on its next page."""

    body: bytes = b""
    status: str = "200 OK"
    kind: str = "text/html; charset=utf-8"
    location: str = ""
    notice: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)


Handler = Callable[..., "Reply | str"]


def see(location: str, notice: str = "") -> Reply:
    """Send the browser on to another page."""
    return Reply(status="303 See Other", location=location, notice=notice)


class Application:
    """The WSGI application of a site in the folder `here` with `templates/` and `style.css`.

    `cookie` names the login; `look_up` gives the person of a user name, or None. A page without `anybody` is for
    people who are signed in.
    """

    def __init__(self, here: Path, cookie: str, look_up: Callable[[sqlite3.Connection, str], Any]) -> None:
        self._style = (here / "style.css").read_bytes()
        self._cookie = cookie
        self._look_up = look_up
        self._handlers: list[tuple[str, re.Pattern[str], Handler, bool]] = []
        self.templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(here / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def page(self, pattern: str, *, method: str = "GET", anybody: bool = False) -> Callable[[Handler], Handler]:
        """Register the handler of addresses that match `pattern` whole; its groups follow the request."""

        def register(handler: Handler) -> Handler:
            self._handlers.append((method, re.compile(pattern), handler, anybody))
            return handler

        return register

    def form(self, pattern: str) -> Callable[[Handler], Handler]:
        """As `page`, for what is posted there."""
        return self.page(pattern, method="POST")

    def render(self, request: Request, template: str, **values: Any) -> str:
        """A page of the site. The template knows the request, the `token` of forms and the `notice` to show."""
        notice = unquote(request.cookies.get(NOTICE, ""))
        page = self.templates.get_template(template)
        return page.render(request=request, token=self._token(request), notice=notice, **values)

    def login(self, username: str) -> dict[str, str]:
        """The cookie of somebody who is signed in."""
        return {self._cookie: f"{username}.{_signed('login', username)}"}

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        if environ.get("PATH_INFO") == STYLE:
            public = ("Cache-Control", "public, max-age=31536000")
            reply = Reply(self._style, kind="text/css; charset=utf-8", headers=[public])
        else:
            with opened() as database:
                reply = self._reply(environ, database)
        headers = [("Content-Type", reply.kind), ("Content-Length", str(len(reply.body))), *HEADERS, *reply.headers]
        if reply.location:
            headers.append(("Location", reply.location))
        if not any(name == "Cache-Control" for name, _ in headers):
            headers.append(("Cache-Control", "no-store"))
        start(reply.status, headers)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else reply.body]

    def _reply(self, environ: dict[str, Any], database: sqlite3.Connection) -> Reply:
        request = self._request(environ, database)
        try:
            try:
                reply = self._handled(request, environ)
            except RefusedError as refusal:
                database.rollback()
                page = self.render(request, "refused.html", message=refusal.message, status=refusal.status)
                reply = Reply(page.encode(), refusal.status)
            if request.method == "POST":
                database.commit()
        finally:
            database.rollback()
        if reply.notice:
            reply.headers.append(("Set-Cookie", f"{NOTICE}={quote(reply.notice)}; Path=/; HttpOnly; SameSite=Lax"))
        elif NOTICE in request.cookies and not reply.location:
            reply.headers.append(("Set-Cookie", f"{NOTICE}=; Path=/; Max-Age=0"))
        return reply

    def _request(self, environ: dict[str, Any], database: sqlite3.Connection) -> Request:
        method = "GET" if environ["REQUEST_METHOD"] == "HEAD" else str(environ["REQUEST_METHOD"])
        # WSGI hands the address over byte by byte.
        path = str(environ.get("PATH_INFO", "")).encode("latin-1").decode("utf-8", "replace")
        cookies = _cookies(str(environ.get("HTTP_COOKIE", "")))
        form = _form(environ) if method == "POST" else {}
        # Whatever a page does to show itself is undone; only what is posted is kept.
        database.execute("begin immediate" if method == "POST" else "begin")
        neighbours = str(environ.get("HTTP_X_HELDOUT_NEIGHBOURS", ""))
        query = _fields(str(environ.get("QUERY_STRING", "")))
        request = Request(method, path, query, form, cookies, database, neighbours=neighbours)
        name, _, signature = cookies.get(self._cookie, "").rpartition(".")
        if name and hmac.compare_digest(signature.encode(), _signed("login", name).encode()):
            request.person = self._look_up(database, name)
        return request

    def _handled(self, request: Request, environ: dict[str, Any]) -> Reply:
        matching = [(one, found) for one in self._handlers if (found := one[1].fullmatch(request.path))]
        if not matching:
            raise not_found()
        for (method, _, handler, anybody), found in matching:
            if method != request.method:
                continue
            if request.person is None and not anybody:
                raise RefusedError("401 Unauthorized", "You are not signed in.")
            if method == "POST":
                self._check_origin(request, environ)
            reply = handler(request, *found.groups())
            return reply if isinstance(reply, Reply) else Reply(reply.encode())
        raise RefusedError("405 Method Not Allowed", "This address does not take that.")

    def _check_origin(self, request: Request, environ: dict[str, Any]) -> None:
        sent = request.form.get("token", [""])[0]
        own = environ.get("HTTP_SEC_FETCH_SITE", "same-origin") in ("same-origin", "none")
        if not own or not hmac.compare_digest(sent.encode(), self._token(request).encode()):
            raise forbidden("This form did not come from one of this site's pages.")

    def _token(self, request: Request) -> str:
        return _signed("form", request.cookies.get(self._cookie, ""))


@contextmanager
def opened() -> Iterator[sqlite3.Connection]:
    """The session's database; nothing is kept that was not committed."""
    with closing(sqlite3.connect(tenancy.database(), timeout=20, isolation_level=None)) as database:
        database.row_factory = sqlite3.Row
        database.execute("pragma synchronous=off")
        database.execute("pragma journal_mode=memory")
        yield database


def with_query(request: Request, **changed: str | int) -> str:
    """The request's address with fields of it changed; empty ones are left out."""
    fields = {name: values[0] for name, values in request.query.items()} | {k: str(v) for k, v in changed.items()}
    kept = {name: value for name, value in fields.items() if value}
    return request.path + (f"?{urlencode(kept)}" if kept else "")


def _signed(purpose: str, text: str) -> str:
    # Another session's cookies say nothing here, though one process serves both.
    message = f"{purpose}:{tenancy.folder().resolve().name}:{text}".encode()
    return hmac.new(os.environ["HELDOUT_SITE_SECRET"].encode(), message, hashlib.sha256).hexdigest()


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}


def _form(environ: dict[str, Any]) -> dict[str, list[str]]:
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > LONGEST_BODY:
        return {}
    return _fields(environ["wsgi.input"].read(length).decode("utf-8", "replace"))


def _fields(text: str) -> dict[str, list[str]]:
    try:
        found = parse_qs(text, max_num_fields=MOST_FIELDS, keep_blank_values=True)
    except ValueError:
        return {}
    return {name: [value.replace("\0", "") for value in values] for name, values in found.items()}
