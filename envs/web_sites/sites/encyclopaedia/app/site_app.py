"""The encyclopaedia and the manuals: ZIM files made from a seed, read through kiwix-serve."""

import re
import sqlite3
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import tenancy

from . import servers
from .articles import articles
from .binding import bind
from .book import Article
from .lists import categories, lists, main_page
from .manuals import manuals
from .servers import BOOKS, Found, Servers
from .world import made

TABLES = """
create table article (id integer primary key, book text not null, path text not null, title text not null,
    kind text not null, unique (book, path));
create table fact (id integer primary key, book text not null, path text not null, label text not null,
    value text not null, target text not null);
"""
ADDRESS = re.compile(rf"/(?:skin|{'|'.join(BOOKS)})(?:/.*)?", re.DOTALL)
LONGEST = 500
NUMBER = re.compile(r"\d{1,9}", re.ASCII)
MOST = {"start": 10_000, "pageLength": 100}
HEADERS = [
    ("Content-Security-Policy", "default-src 'self' 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
]
# jQuery UI waits a while before it offers titles; a page is ready when it has asked, not some time later.
WAITS, AT_ONCE = b"autocomplete({", b"autocomplete({delay: 0,"
# The skin's signs for search and chance are of fonts that few machines have; these stand in common ones.
SIGNS = {b"&#x1f50d;": b"&#x2315;", b"&#x1F50D;": b"&#x2315;", b"&#x1F3B2;": b"&#x2684;", b"&#x1f3b2;": b"&#x2684;"}
HEAD, VIEWPORT = b"<head>", b'<meta name="viewport" content="width=device-width, initial-scale=1">'
_servers = Servers()


def make(seed: int, size: str) -> None:
    """Two books, and a database of what their articles say in short."""
    servers.program()
    world = made(seed, size)
    text = articles(world)
    text += lists(world)
    text += categories(text)
    books = {"encyclopaedia": [main_page(world, text), *text], "manuals": manuals(seed)}
    for name, held in books.items():
        bind(held, tenancy.folder() / f"{name}.zim", BOOKS[name])
    with closing(sqlite3.connect(tenancy.database())) as database, database:
        database.executescript(TABLES)
        for name, held in books.items():
            _describe(database, name, held)


def _describe(database: sqlite3.Connection, book: str, held: list[Article]) -> None:
    rows = [(book, one.path, one.title, one.kind) for one in held]
    database.executemany("insert into article (book, path, title, kind) values (?, ?, ?, ?)", rows)
    facts = [(book, one.path, fact.label, fact.value, fact.target) for one in held for fact in one.facts()]
    database.executemany("insert into fact (book, path, label, value, target) values (?, ?, ?, ?, ?)", facts)


def sign_in(role: str) -> dict[str, str]:
    """Nobody needs cookies here."""
    del role
    return {}


def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Answer one request."""
    found = _answer(environ)
    # The skin is kiwix-serve's own, whatever the books are.
    lasting = "public" if environ["PATH_INFO"].startswith("/skin/") and found.status == 200 else "no-store"
    headers = [("Content-Type", found.kind), ("Content-Length", str(len(found.body))), ("Cache-Control", lasting)]
    headers += [("Location", found.location)] if found.location else []
    start(f"{found.status} {found.reason}", [*headers, *HEADERS])
    return [found.body if environ["REQUEST_METHOD"] != "HEAD" else b""]


def _answer(environ: dict[str, Any]) -> Found:
    path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        return _said(405, "Method Not Allowed", "Nothing can be changed here.")
    given = {name: values[0][:LONGEST] for name, values in parse_qs(environ.get("QUERY_STRING", "")[:4000]).items()}
    book = given.get("content", "")
    if path == "/":
        return _to("/encyclopaedia/A/Main_Page")
    if path == "/random":
        return _to(_some_article(book, urlsplit(environ.get("HTTP_REFERER", "")).path))
    if path in ("/search", "/suggest"):
        return _ask(f"{path}?{urlencode(_question(given, book))}")
    if ADDRESS.fullmatch(path) and ".." not in path.split("/"):
        return _ask(quote(path))
    return _said(404, "Not Found", "There is no such page.")


def _question(given: dict[str, str], book: str) -> dict[str, str]:
    """What is passed on of a search: words, one book of ours, and numbers within bounds."""
    asked = {name: text for name, text in given.items() if name in ("pattern", "term")}
    for name, most in MOST.items():
        if NUMBER.fullmatch(given.get(name, "")):
            asked[name] = str(min(int(given[name]), most))
    return asked | {"content": book if book in BOOKS else next(iter(BOOKS))}


def _ask(target: str) -> Found:
    found = _servers.ask((tenancy.folder() / tenancy.TEMPLATE).resolve(), target)
    if found.location and not found.location.startswith("/"):
        return _said(404, "Not Found", "There is no such page.")
    if target == "/skin/taskbar.js":
        return Found(found.status, found.reason, found.kind, "", found.body.replace(WAITS, AT_ONCE))
    if found.kind.startswith("text/html"):
        body = found.body
        for strange, common in SIGNS.items():
            body = body.replace(strange, common)
        if b'name="viewport"' not in body:
            body = body.replace(HEAD, HEAD + VIEWPORT, 1)
        return Found(found.status, found.reason, found.kind, found.location, body)
    return found


def _some_article(book: str, seen: str) -> str:
    """An article that depends on nothing but the page on which the button was pressed, as a replay needs it."""
    book = book if book in BOOKS else next(iter(BOOKS))
    with closing(sqlite3.connect(tenancy.database())) as database:
        (count,) = database.execute("select count(*) from article where book = ?", (book,)).fetchone()
        sql = "select path from article where book = ? order by id limit 1 offset ?"
        (path,) = database.execute(sql, (book, zlib.crc32(seen.encode()) % count)).fetchone()
    return f"/{book}/A/{path}"


def _to(address: str) -> Found:
    return Found(302, "Found", "text/html; charset=utf-8", address, b"")


def _said(status: int, reason: str, text: str) -> Found:
    head = f"<head>{VIEWPORT.decode()}<title>{reason}</title></head>"
    page = f'<!doctype html><html lang="en">{head}<p>{text}</p><p><a href="/">Main page</a></p></html>'
    return Found(status, reason, "text/html; charset=utf-8", "", page.encode())
