"""`serve.py SITE FOLDER`: serve all sessions of a site on the socket FOLDER/socket.

The first line of the standard input is JSON: `control`, the word by which the environment signs roles in, and
`secret`, a key for the site's own signatures. When the input ends, the environment has gone, and so does this process.

A request names its session in the header `X-Heldout-Session` (the browser's gateway sets it and lets nobody else do
so); the session's folder is FOLDER/sessions/<name>.
"""

import gc
import hmac
import json
import os
import re
import shutil
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs

import tenancy
import waitress
from loading import load
from pages import Pages

THREADS = 4
BODY_LIMIT = 12_000_000
NAME = re.compile(r"[0-9a-f]{32}")
Start = Callable[..., Any]


class Sessions:
    """The WSGI application around a site's own: finds the session, and lets no request through without one."""

    def __init__(self, site: ModuleType, sessions: Path, control: str) -> None:
        self._site = site
        self._sessions = sessions
        self._control = control
        self._pages = Pages()

    def __call__(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        """Answer within the session that the request names."""
        name = str(environ.pop("HTTP_X_HELDOUT_SESSION", ""))
        control = str(environ.pop("HTTP_X_HELDOUT_CONTROL", ""))
        folder = self._sessions / name
        if not NAME.fullmatch(name) or not folder.is_dir():
            return _plain(start, "404 Not Found", b"no such session")
        with tenancy.within(folder):
            if not control:
                return self._answer(environ, start)
            if not hmac.compare_digest(control, self._control):
                return _plain(start, "403 Forbidden", b"refused")
            return self._sign_in(environ, start)

    def _answer(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        answer = self._pages.answer(tenancy.database(), environ, self._site.application)
        start(answer.status, list(answer.headers))
        return [answer.body]

    def _sign_in(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        role = parse_qs(environ.get("QUERY_STRING", "")).get("role", [""])[0]
        return _plain(start, "200 OK", json.dumps(self._site.sign_in(role)).encode())


def _plain(start: Start, status: str, body: bytes) -> Iterable[bytes]:
    start(status, [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))])
    return [body]


def _end_with_the_input(folder: Path) -> None:
    sys.stdin.read()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def main(site: str, folder: str) -> None:
    """Serve until the standard input ends."""
    told = json.loads(sys.stdin.readline())
    os.environ["HELDOUT_SITE_SECRET"] = told["secret"]
    threading.Thread(target=_end_with_the_input, args=(Path(folder),), daemon=True).start()
    wrapped = Sessions(load(Path(site)), Path(folder) / "sessions", told["control"])
    # What was loaded stays, and a page makes tens of thousands of objects: looking for cycles every 700 takes a fifth
    # of its time.
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(Path(folder) / "socket"))
    listening.listen(64)
    print("ready", flush=True)
    waitress.serve(
        wrapped,
        sockets=[listening],
        threads=THREADS,
        ident=None,
        max_request_body_size=BODY_LIMIT,
        clear_untrusted_proxy_headers=True,
        _quiet=True,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
