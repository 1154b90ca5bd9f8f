"""The tools: a home page, a calculator, and a scratchpad kept in the session's database."""

import json
import random
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import tenancy

from . import pages
from .calculating import SumError, worked_out
from .noting import first_notes

NOTE = re.compile(r"/scratchpad/(\d{1,9})(/delete)?")
LONGEST_TITLE, LONGEST_TEXT, MOST_NOTES, LONGEST_BODY = 100, 4000, 200, 40_000
HEADERS = [
    ("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
]


@dataclass
class Answer:
    """What a request is answered with; `location` redirects the browser."""

    body: bytes = b""
    status: str = "200 OK"
    kind: str = "text/html; charset=utf-8"
    location: str | None = None
    headers: list[tuple[str, str]] = field(default_factory=lambda: list(HEADERS))


def make(seed: int, size: str) -> None:
    """A scratchpad with a few notes."""
    notes = first_notes(random.Random(f"tools:{seed}"), 8 if size == "full" else 3)
    with _database() as database:
        database.execute(
            "create table note (id integer primary key autoincrement, title text not null, text text not null)"
        )
        database.executemany("insert into note (title, text) values (?, ?)", notes)


def sign_in(role: str) -> dict[str, str]:
    """Nobody needs cookies here."""
    del role
    return {}


def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Answer one request."""
    answer = _answer(environ)
    headers = [("Content-Type", answer.kind), ("Content-Length", str(len(answer.body))), *answer.headers]
    if answer.location is not None:
        headers.append(("Location", answer.location))
    start(answer.status, headers)
    return [answer.body if environ["REQUEST_METHOD"] != "HEAD" else b""]


def _answer(environ: dict[str, Any]) -> Answer:
    path, query = environ["PATH_INFO"], _first(parse_qs(environ.get("QUERY_STRING", ""), max_num_fields=20))
    if environ["REQUEST_METHOD"] == "POST":
        return _posted(environ, path)
    if path == "/":
        return Answer(pages.home(_neighbours(environ)))
    if path == "/style.css":
        return Answer(pages.STYLE.encode(), kind="text/css; charset=utf-8")
    if path == "/calculator":
        return _calculated(query.get("sum", "").strip())
    if path == "/scratchpad":
        return Answer(pages.scratchpad(_rows("select id, title, text from note order by id")))
    found = NOTE.fullmatch(path)
    rows = _rows("select id, title, text from note where id = ?", int(found[1])) if found and not found[2] else []
    return Answer(pages.edit(*rows[0])) if rows else Answer(pages.not_here(), "404 Not Found")


def _neighbours(environ: dict[str, Any]) -> list[tuple[str, str]]:
    """The session's other sites, as the framework names them."""
    return [(title, address) for title, address in json.loads(environ.get("HTTP_X_HELDOUT_NEIGHBOURS") or "[]")]


def _calculated(asked: str) -> Answer:
    if not asked:
        return Answer(pages.calculator("", "", ""))
    try:
        return Answer(pages.calculator(asked, worked_out(asked), ""))
    except SumError as problem:
        return Answer(pages.calculator(asked, "", str(problem)))


def _posted(environ: dict[str, Any], path: str) -> Answer:
    # No cookie tells who asks, so that another site's page must not be able to post here.
    if environ.get("HTTP_SEC_FETCH_SITE", "none") not in ("same-origin", "none"):
        return Answer(pages.page("Refused", "<p>Notes are changed on their own pages only.</p>"), "403 Forbidden")
    given = _form(environ)
    title = " ".join(given.get("title", "").split())
    text = given.get("text", "").replace("\r\n", "\n").strip()
    found = NOTE.fullmatch(path)
    if path == "/scratchpad":
        return _added(title, text)
    if found and found[2]:
        return _changed("delete from note where id = ?", int(found[1]))
    if found:
        if error := _wrong(title, text):
            return Answer(pages.edit(int(found[1]), title, text, error), "422 Unprocessable Content")
        return _changed("update note set title = ?, text = ? where id = ?", title, text, int(found[1]))
    return Answer(pages.not_here(), "404 Not Found")


def _added(title: str, text: str) -> Answer:
    notes = _rows("select id, title, text from note order by id")
    if error := _wrong(title, text) or ("The scratchpad is full." if len(notes) >= MOST_NOTES else ""):
        return Answer(pages.scratchpad(notes, error), "422 Unprocessable Content")
    return _changed("insert into note (title, text) values (?, ?)", title, text)


def _wrong(title: str, text: str) -> str:
    if not title:
        return "A note needs a title."
    if len(title) > LONGEST_TITLE or len(text) > LONGEST_TEXT:
        return f"A title has at most {LONGEST_TITLE} characters, a text {LONGEST_TEXT}."
    return ""


def _changed(statement: str, *values: str | int) -> Answer:
    with _database() as database:
        changed = database.execute(statement, values).rowcount
    if not changed:
        return Answer(pages.not_here(), "404 Not Found")
    return Answer(status="303 See Other", location="/scratchpad")


def _rows(statement: str, *values: int) -> list[tuple[int, str, str]]:
    with _database() as database:
        return database.execute(statement, values).fetchall()


@contextmanager
def _database() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tenancy.database(), timeout=20)) as database, database:
        yield database


def _form(environ: dict[str, Any]) -> dict[str, str]:
    length = min(int(environ.get("CONTENT_LENGTH") or 0), LONGEST_BODY)
    return _first(parse_qs(environ["wsgi.input"].read(length).decode("utf-8", "replace"), max_num_fields=20))


def _first(values: dict[str, list[str]]) -> dict[str, str]:
    return {name: found[0] for name, found in values.items()}
