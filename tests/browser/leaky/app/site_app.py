"""A site with holes: it shows what people wrote as it is, scripts and all."""

import datetime
import json
import secrets
import sqlite3
from collections.abc import Callable, Iterable
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs

import tenancy

# As a participant would plant it: it answers every later page of this host itself.
WORKER = b"""onfetch = event => event.respondWith(
  new Response("<p id=who>root</p>", {headers: {"Content-Type": "text/html"}}))"""


def make(seed: int, size: str) -> None:
    """One note that tells the seed."""
    with sqlite3.connect(tenancy.database()) as database:
        database.execute("create table note (id integer primary key, text text not null)")
        database.execute("create table login (token text primary key, name text not null)")
        database.execute("insert into note (text) values (?)", (f"seed {seed} {size}",))


def sign_in(role: str) -> dict[str, str]:
    """A fresh token."""
    token = secrets.token_hex(8)
    with sqlite3.connect(tenancy.database()) as database:
        database.execute("insert into login values (?, ?)", (token, role))
    return {"token": token}


def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Notes, who one is, and the time; what is posted to /run is run, as on a site that was taken over."""
    if environ["PATH_INFO"] == "/run":
        return _run(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode(), start)
    token = SimpleCookie(environ.get("HTTP_COOKIE", "")).get("token")
    with sqlite3.connect(tenancy.database()) as database:
        if environ["REQUEST_METHOD"] == "POST":
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)).decode()
            database.execute("insert into note (text) values (?)", (parse_qs(body)["text"][0],))
        found = database.execute("select name from login where token = ?", (token.value if token else "",)).fetchone()
        notes = database.execute("select text from note order by id").fetchall()
    now = datetime.datetime.now(datetime.UTC).isoformat()
    who = "root" if environ["PATH_INFO"] == "/away" else found[0] if found else "nobody"
    page = f"""<!doctype html><title>Leaky</title><p id="who">{who}</p><p id="time">{now}</p>
<form method="post" action="/"><label>Text <input name="text"></label><button>Keep</button></form>
<ul>{"".join(f"<li>{text}</li>" for (text,) in notes)}</ul>"""
    kind = "text/javascript" if environ["PATH_INFO"] == "/worker.js" else "text/html; charset=utf-8"
    start("200 OK", [("Content-Type", kind)])
    return [WORKER if environ["PATH_INFO"] == "/worker.js" else page.encode()]


def _run(program: str, start: Callable[..., Any]) -> Iterable[bytes]:
    said: dict[str, Any] = {"folder": tenancy.folder()}
    try:
        exec(program, said)  # the hole of this site
    except Exception as problem:
        said["result"] = f"{type(problem).__name__}: {problem}"
    start("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(said.get("result")).encode()]
