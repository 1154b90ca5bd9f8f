"""The tools: a home page, a calculator that runs in the page, and a scratchpad kept in the session's database."""

import html
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qs

import tenancy

HOME = (
    '<h1>Tools</h1><ul><li><a href="/calculator">Calculator</a></li><li><a href="/scratchpad">Scratchpad</a></li></ul>'
)
CALCULATOR = """<h1>Calculator</h1><form method="get" action="/calculator">
<label>First number <input name="a" value="{a}"></label>
<label>Operation <select name="operation"><option>plus</option><option>minus</option><option>times</option></select>
</label><label>Second number <input name="b" value="{b}"></label><button>Work out</button></form>
<p id="result">{result}</p>"""
PAD = """<h1>Scratchpad</h1><form method="post" action="/scratchpad"><label>Note <input name="text" size="60"></label>
<button>Keep</button></form>{notes}"""


def make(seed: int, size: str) -> None:
    """An empty scratchpad."""
    del seed, size
    with sqlite3.connect(tenancy.database()) as database:
        database.execute("create table note (id integer primary key, text text not null)")


def sign_in(role: str) -> dict[str, str]:
    """Nobody needs cookies here."""
    del role
    return {}


def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """The pages."""
    path, query = environ["PATH_INFO"], parse_qs(environ.get("QUERY_STRING", ""))
    pages = {"/": lambda: HOME, "/calculator": lambda: _calculator(query), "/scratchpad": lambda: _pad(environ)}
    if path not in pages:
        start("404 Not Found", [("Content-Type", "text/html; charset=utf-8")])
        return [b"<!doctype html><title>Not here</title><p>There is no such page.</p>"]
    body = pages[path]()
    start("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    title = body[body.index("<h1>") + 4 : body.index("</h1>")]
    return [f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>{body}</html>'.encode()]


def _calculator(query: dict[str, list[str]]) -> str:
    a, b = query.get("a", [""])[0], query.get("b", [""])[0]
    try:
        x, y = float(a), float(b)
        result = f"{ {'plus': x + y, 'minus': x - y, 'times': x * y}[query.get('operation', ['plus'])[0]]:g}"
    except (ValueError, KeyError):
        result = ""
    return CALCULATOR.format(a=html.escape(a), b=html.escape(b), result=result)


def _pad(environ: dict[str, Any]) -> str:
    with sqlite3.connect(tenancy.database()) as database:
        if environ["REQUEST_METHOD"] == "POST":
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)).decode("utf-8", "replace")
            if text := parse_qs(body).get("text", [""])[0].strip():
                database.execute("insert into note (text) values (?)", (text[:500],))
        rows = database.execute("select text from note order by id").fetchall()
    return PAD.format(notes="".join(f'<p class="note">{html.escape(text)}</p>' for (text,) in rows))
