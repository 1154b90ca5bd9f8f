"""A site's pages are kept only as long as they would be made again just the same."""

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pages
import pytest

Start = Callable[..., Any]


class Shop:
    """An application that counts how often it made a page; `given` are cookies that it sets."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "site.sqlite3"
        self.pages = pages.Pages()
        self.made = 0
        self.given: list[str] = []
        self.writes = False
        self.looks: Callable[[dict[str, Any]], Any] = len
        self.status = "200 OK"
        self.write("create table note (text)")

    def write(self, sql: str) -> None:
        with sqlite3.connect(self.database) as connection:
            connection.execute(sql)
        connection.close()

    def show(self, path: str = "/", **said: str) -> bytes:
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "", **said}

        def make(asked: dict[str, Any], start: Start) -> Iterable[bytes]:
            self.made += 1
            self.looks(asked)
            if self.writes:
                self.write("insert into note values ('seen')")
            start(self.status, [("Set-Cookie", one) for one in self.given])
            return [f"{path} {self.made}".encode()]

        return self.pages.answer(self.database, environ, make).body


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_a_page_is_made_once_until_somebody_writes(shop: Shop) -> None:
    assert [shop.show(), shop.show()] == [b"/ 1", b"/ 1"]
    shop.write("insert into note values ('hello')")
    assert [shop.show(), shop.show()] == [b"/ 2", b"/ 2"]


def test_a_database_put_back_is_another_one(shop: Shop) -> None:
    before = shop.database.read_bytes()
    shop.show()
    shop.write("insert into note values ('hello')")
    fresh = shop.database.with_suffix(".new")
    fresh.write_bytes(before)
    fresh.rename(shop.database)
    assert shop.show() == b"/ 2"


@pytest.mark.parametrize(
    "said", [{"path": "/other"}, {"QUERY_STRING": "a=1"}, {"HTTP_COOKIE": "a=1"}, {"HTTP_ACCEPT": "text/html"}]
)
def test_what_is_asked_otherwise_is_made_for_itself(shop: Shop, said: dict[str, str]) -> None:
    shop.show()
    shop.show(**said)
    assert shop.made == 2


LOOKING: dict[str, Callable[[dict[str, Any]], Any]] = {
    "by name": lambda asked: asked["HTTP_REFERER"],
    "asked for": lambda asked: asked.get("HTTP_REFERER"),
    "whether": lambda asked: "HTTP_REFERER" in asked,
    "taken out": lambda asked: asked.pop("HTTP_REFERER"),
    "copied": dict,
    "spread": lambda asked: {**asked},
    "all": lambda asked: [*asked.items()],
    "values": lambda asked: [*asked.values()],
}


@pytest.mark.parametrize("looks", LOOKING.values(), ids=LOOKING)
def test_where_somebody_comes_from_counts_if_it_is_looked_at(
    shop: Shop, looks: Callable[[dict[str, Any]], Any]
) -> None:
    for place in ("http://x/", "http://y/"):
        shop.show(HTTP_REFERER=place)
    assert shop.made == 1
    shop.looks = looks
    for place in ("http://x/", "http://y/", "http://x/", "http://y/"):
        shop.show("/looks", HTTP_REFERER=place)
    assert shop.made == 3


def test_a_page_that_writes_is_made_each_time(shop: Shop) -> None:
    shop.writes = True
    shop.show()
    shop.writes = False
    shop.show()
    assert shop.made == 2


def test_a_cookie_is_given_anew_unless_the_browser_has_it(shop: Shop) -> None:
    shop.given = [" token=abc; Path=/"]
    shop.show(HTTP_COOKIE="a=1")
    shop.show(HTTP_COOKIE="a=1")
    assert shop.made == 2
    shop.show(HTTP_COOKIE="a=1; token=abc")
    shop.show(HTTP_COOKIE="a=1; token=abc")
    assert shop.made == 3


@pytest.mark.parametrize("said", [{"REQUEST_METHOD": "POST"}, {"REQUEST_METHOD": "HEAD"}])
def test_only_looking_is_kept(shop: Shop, said: dict[str, str]) -> None:
    shop.show(**said)
    shop.show(**said)
    assert shop.made == 2


def test_a_failure_is_not_kept(shop: Shop) -> None:
    shop.status = "500 Internal Server Error"
    shop.show()
    shop.show()
    assert shop.made == 2


def test_where_writing_cannot_be_seen_nothing_is_kept(shop: Shop) -> None:
    shop.write("pragma journal_mode = wal")
    shop.show()
    shop.show()
    assert shop.made == 2


def test_what_was_used_longest_ago_goes(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_BYTES", 2 * pages.BESIDES + 100)
    for path in ("/a", "/b", "/a", "/c"):
        shop.show(path)
    assert shop.made == 3
    shop.show("/a")
    assert shop.made == 3
    shop.show("/b")
    assert shop.made == 4
