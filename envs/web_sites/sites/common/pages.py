"""Pages that were shown before, and would be made again just the same.

What a site answers follows from the session's database and from what it is asked, for the clock stands and nothing that
a request leaves lives elsewhere. So a page is kept until either differs; where somebody comes from counts with those
that look at it. One that writes, or gives a cookie that the browser does not have, is not kept.
"""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MOST_BYTES = 30_000_000
LARGEST = 1_000_000
# What an answer takes besides its body: headers, and all that was asked.
BESIDES = 4_000
# SQLite's header: which format reads it (1: a journal, so that what is written is in the file), and how often the file
# was written.
FORMATS, WRITES = slice(18, 20), slice(24, 28)
JOURNAL = b"\1\1"
FROM = "HTTP_REFERER"
Headers = list[tuple[str, str]]
Start = Callable[..., Any]
State = tuple[int, int, int, bytes]


@dataclass(frozen=True)
class Answer:
    """What was said once."""

    status: str
    headers: Headers
    body: bytes

    @property
    def size(self) -> int:
        """Bytes that it takes to keep it."""
        return len(self.body) + BESIDES


def state(database: Path) -> State | None:
    """Differs whenever something was written; None where that cannot be said."""
    with database.open("rb") as file:
        head, about = file.read(WRITES.stop), os.fstat(file.fileno())
    return (about.st_ino, about.st_size, about.st_mtime_ns, head[WRITES]) if head[FORMATS] == JOURNAL else None


class Asked(dict[str, Any]):
    """A request that notices whether the site looks where somebody comes from."""

    looked = False

    def __getitem__(self, name: str) -> Any:
        self.looked |= name == FROM
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """See `dict`."""
        self.looked |= name == FROM
        return super().get(name, default)

    def pop(self, name: str, *default: Any) -> Any:
        """See `dict`."""
        self.looked |= name == FROM
        return super().pop(name, *default)

    def __contains__(self, name: object) -> bool:
        self.looked |= name == FROM
        return super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        self.looked = True
        return super().__iter__()

    def keys(self) -> Any:
        """See `dict`."""
        self.looked = True
        return super().keys()

    def values(self) -> Any:
        """See `dict`."""
        self.looked = True
        return super().values()

    def items(self) -> Any:
        """See `dict`."""
        self.looked = True
        return super().items()


class Pages:
    """The answers of a site's process, those that were used last."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[Any, ...], tuple[State, Answer]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def answer(
        self, database: Path, environ: dict[str, Any], application: Callable[[dict[str, Any], Start], Iterable[bytes]]
    ) -> Answer:
        """The answer to a request, kept or made."""
        before = state(database)
        asked = Asked(environ)
        if environ.get("REQUEST_METHOD") != "GET" or before is None:
            return _made(application, asked)
        key, origin = _key(database, environ), environ.get(FROM)
        with self._lock:
            for place in ((key, None), (key, origin)):
                held = self._held.get(place)
                if held and held[0] == before:
                    self._held.move_to_end(place)
                    return held[1]
        made = _made(application, asked)
        if _lasts(made, environ) and state(database) == before:
            self._keep((key, origin if asked.looked else None), before, made)
        return made

    def _keep(self, key: tuple[Any, ...], seen: State, made: Answer) -> None:
        with self._lock:
            if known := self._held.pop(key, None):
                self._bytes -= known[1].size
            self._held[key] = seen, made
            self._bytes += made.size
            while self._bytes > MOST_BYTES:
                self._bytes -= self._held.popitem(last=False)[1][1].size


def _key(database: Path, environ: dict[str, Any]) -> tuple[Any, ...]:
    said = sorted((name, value) for name, value in environ.items() if name.startswith("HTTP_") and name != FROM)
    return (str(database), environ.get("PATH_INFO"), environ.get("QUERY_STRING"), *said)


def _made(application: Callable[[dict[str, Any], Start], Iterable[bytes]], asked: dict[str, Any]) -> Answer:
    begun: list[tuple[str, Headers]] = []

    def start(status: str, headers: Headers, _problem: Any = None) -> Callable[[bytes], None]:
        begun[:] = [(status, headers)]
        return body.append

    # The body is taken whole: what is made while it is sent would run outside the session.
    body: list[bytes] = []
    chunks = application(asked, start)
    try:
        body.extend(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()
    status, headers = begun[0]
    return Answer(status, headers, b"".join(body))


def _lasts(made: Answer, environ: dict[str, Any]) -> bool:
    had = {pair.strip() for pair in str(environ.get("HTTP_COOKIE", "")).split(";")}
    given = {value.split(";")[0].strip() for name, value in made.headers if name.lower() == "set-cookie"}
    return made.status.startswith("200") and given <= had and len(made.body) <= LARGEST
