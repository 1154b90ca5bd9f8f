"""Sites that somebody else runs, without a browser: the file, whose turn it is, putting back, signing in, state."""

import asyncio
import json
import os
import shutil
import socket
import sqlite3
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pymysql
import pytest
import pytest_asyncio

from envs.base import InfrastructureError, SpecError
from envs.browser.http1 import Request
from envs.web_sites import known
from envs.web_sites.environment import roles
from envs.web_sites.external import deployment, helpers, signing_in, state
from envs.web_sites.external.deployment import BusyError, NotWellError, Turn, put_back, turn, well
from envs.web_sites.external.registry import VARIABLE, external_sites, using
from envs.web_sites.external.served import External
from envs.web_sites.external.spec import ExternalSite, State, external_site, gateway_name, read
from envs.web_sites.spec import WebSitesSpec
from envs.web_sites.stand_ins import StandIn, needs_of

QUICK = {"seconds": 0.05}


@pytest_asyncio.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[..., ExternalSite]]:
    """Describes a site that runs on this machine: a stand-in."""
    monkeypatch.setattr(deployment, "folder", lambda: tmp_path)
    server = StandIn("shop")
    port = await server.start()

    def described(**more: Any) -> ExternalSite:
        return external_site("shop", {"address": f"http://127.0.0.1:{port}", "health": {"seconds": 5}} | more)

    yield described
    await server.close()


def at(site: ExternalSite) -> Turn:
    return Turn(site, site.places()[0])


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("http://Shop.test/", "shop.test"),
        ("http://shop.test:80", "shop.test"),
        ("http://shop.test:7770/x", "shop.test:7770"),
        ("https://shop.test", "shop.test"),
        ("https://shop.test:443", "shop.test"),
        ("https://shop.test:8443", "shop.test:8443"),
        ("http://10.0.0.5:443", "10.0.0.5:443"),
    ],
)
def test_hosts_as_a_gateway_calls_them(address: str, name: str) -> None:
    assert gateway_name(address) == name


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "'address' or 'instances'"),
        ({"address": "shop.test"}, "is no address"),
        ({"address": "ftp://shop.test"}, "is no address"),
        ({"address": "http://s.test", "adress": "x"}, "adress"),
        ({"address": "http://s.test", "upstream": "http://s.test/x"}, "the path is the address's"),
        ({"address": "http://s.test", "reset": {}}, "give one of command, http, container, volume"),
        ({"address": "http://s.test", "reset": {"command": ["x"], "http": {"url": "http://h"}}}, "give one of"),
        ({"address": "http://s.test", "sharing": "shared", "reset": {"command": ["x"]}}, "cannot be put back"),
        ({"address": "http://s.test", "sign_in": {"me": {}}}, "give one of steps, command, cookies"),
        ({"address": "http://s.test", "state": {"database": "oracle://x"}}, "state.database"),
        ({"address": "http://s.test", "state": {"command": ["psql"]}}, "name the tables"),
        ({"address": "http://s.test", "queries": {"q": {"sql": "delete from x"}}}, "queries.q.sql"),
        ({"address": "http://s.test", "like": "nowhere"}, "names no site of our own"),
    ],
)
def test_a_wrong_description_is_refused_with_its_field(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SpecError, match=complaint):
        external_site("shop", given)


def test_the_file_names_the_sites_and_comes_before_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "sites.toml"
    file.write_text(
        '[sites.shop]\naddress = "http://10.0.0.5:7770"\nlike = "shop"\n[sites.gitlab]\naddress = "http://g"\n'
    )
    assert external_sites() == {}
    monkeypatch.setenv(VARIABLE, str(file))
    assert {"shop", "gitlab", "forum"} <= set(known.names())
    assert isinstance(known.description("shop"), ExternalSite)
    assert known.description("gitlab").placeholder == "__GITLAB__"
    assert known.description("shop").now == known.description("forum").now
    assert known.description("shop").locators.keys() >= {"basket"} or known.description("shop").query_names
    with using({}):
        assert not isinstance(known.description("shop"), ExternalSite)
    file.write_text("[site.shop]\n")
    os.utime(file, (1, 1))
    with pytest.raises(SpecError, match=r"tables \[sites.NAME\]"):
        external_sites()
    with pytest.raises(SpecError, match="No such file"):
        read(tmp_path / "none.toml")


def test_a_role_is_one_of_the_file_and_the_first_where_none_is_named() -> None:
    way = {"command": ["x"]}
    site = external_site("reddit", {"address": "http://r", "sign_in": {"marvel": way, "admin": way}})
    assert roles(WebSitesSpec.model_validate({"sites": ["reddit"], "signed_in": ["reddit"]}), [site]) == {
        "reddit": "marvel"
    }
    wiki = external_site("wikipedia", {"address": "http://w"})
    with pytest.raises(SpecError, match="no role"):
        roles(WebSitesSpec.model_validate({"sites": ["wikipedia"], "signed_in": ["wikipedia"]}), [wiki])


async def test_one_session_at_a_time_has_a_place_and_the_next_finds_it_put_back(
    here: Callable[..., ExternalSite], tmp_path: Path
) -> None:
    note = tmp_path / "resets"
    line = ["sh", "-c", f"echo {{address}} >> {note}"]
    site = here(reset={"command": line}, wait_seconds=0.2)
    first = await turn(site)
    with pytest.raises(BusyError, match="was busy"):
        await turn(site)
    first.give_back()
    (await turn(site)).give_back()
    assert note.read_text().splitlines() == [site.address, site.address]


async def test_with_after_writes_only_a_site_that_was_written_to_is_put_back(
    here: Callable[..., ExternalSite], tmp_path: Path
) -> None:
    note = tmp_path / "resets"
    site = here(reset={"command": ["sh", "-c", f"echo x >> {note}"], "after": "writes"})
    for method, resets in (("GET", 1), ("POST", 1), ("GET", 2), ("GET", 2)):
        external = await External.open(site, [])
        await external(Request(method, external.hosts[0], "/x"))
        await external.close()
        assert len(note.read_text().splitlines()) == resets
    # A process that died has not said how it left the site.
    crashed = await turn(site)
    assert crashed.lock
    crashed.lock.release()
    (await turn(site)).give_back()
    assert len(note.read_text().splitlines()) == 3


async def test_several_places_serve_several_sessions_at_once(here: Callable[..., ExternalSite]) -> None:
    address = here().address
    places = [{"address": address}, {"address": f"{address}/two"}]
    site = here(address=None, instances=places, wait_seconds=0.1)
    first, second = await turn(site), await turn(site)
    assert {first.place.address, second.place.address} == {address, f"{address}/two"}
    with pytest.raises(BusyError):
        await turn(site)
    second.give_back()
    assert (await turn(site)).place.address == f"{address}/two"


@pytest.mark.parametrize(
    ("health", "complaint"),
    [
        ({"path": "/stand-in/account", "status": 200}, "answers 302 and should answer 200"),
        ({"says": "Welcome"}, "does not hold 'Welcome'"),
    ],
)
async def test_a_site_that_is_not_well_is_a_fault(
    here: Callable[..., ExternalSite], health: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(NotWellError, match=complaint):
        await well(at(here(health=QUICK | health)))
    await well(at(here(health=QUICK | {"path": "/stand-in/account"})))


async def test_a_reset_that_fails_is_a_fault_that_says_why(here: Callable[..., ExternalSite]) -> None:
    for reset, complaint in (
        ({"command": ["sh", "-c", "echo no disk >&2; exit 3"]}, "ended with 3: no disk"),
        ({"command": ["/no/such/program"]}, "No such file"),
        ({"command": ["sleep", "60"], "seconds": 0.05}, "took more than 0.05 s"),
        ({"http": {"url": "http://127.0.0.1:1/reset"}}, "ConnectError"),
        ({"volume": {"path": "/tmp/none", "snapshot": "/no/such/folder"}}, "is no folder"),
    ):
        with pytest.raises(InfrastructureError, match=complaint):
            await put_back(at(here(reset=reset)))


async def test_a_hook_is_asked_and_the_site_must_be_well_afterwards(here: Callable[..., ExternalSite]) -> None:
    await put_back(at(here(reset={"http": {"url": "{address}/reset", "method": "POST"}})))
    health = {"path": "/stand-in/account", "status": 200} | QUICK
    with pytest.raises(NotWellError):
        await put_back(at(here(reset={"http": {"url": "{address}/reset"}}, health=health)))


async def test_a_container_is_made_anew_or_restarted_and_a_volume_gets_its_snapshot(
    here: Callable[..., ExternalSite], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, program = tmp_path / "calls", tmp_path / "bin" / "docker"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> {calls}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    await put_back(at(here(reset={"container": {"name": "shop", "run": ["-p", "7770:80", "image"]}})))
    await put_back(at(here(reset={"container": {"name": "shop"}})))
    snapshot, volume = tmp_path / "kept", tmp_path / "volume"
    (snapshot / "deep").mkdir(parents=True)
    (snapshot / "deep" / "data").write_text("as it was")
    volume.mkdir()
    (volume / "left over").write_text("x")
    reset = {"volume": {"path": str(volume), "snapshot": str(snapshot), "container": "shop"}}
    await put_back(at(here(reset=reset)))
    assert calls.read_text().splitlines() == [
        "rm --force shop",
        "run --detach --name shop -p 7770:80 image",
        "restart shop",
        "stop shop",
        "start shop",
    ]
    assert [str(path.relative_to(volume)) for path in sorted(volume.rglob("*"))] == ["deep", "deep/data"]


async def test_cookies_come_from_a_file_or_a_program_and_are_checked(
    here: Callable[..., ExternalSite], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookie = {"name": "stand_in", "value": "me", "domain": "127.0.0.1", "path": "/"}
    file = tmp_path / "state.json"
    file.write_text(json.dumps({"cookies": [cookie], "origins": []}))
    monkeypatch.setenv("COOKIES", json.dumps([cookie]))
    check = {"path": "/stand-in/account", "says": "Signed in"}
    ways: list[dict[str, Any]] = [{"cookies": str(file)}, {"command": ["sh", "-c", "printenv COOKIES"]}]
    for way in ways:
        site = here(sign_in={"me": way | {"check": check}})
        assert (await signing_in.signed_in(at(site), "me", {})).cookies == (cookie,)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"command": ["echo", "[]"], "check": check}, "does not show it"),
        ({"command": ["echo", "hello"]}, "gave no storage state"),
        ({"cookies": str(tmp_path / "none")}, "No such file"),
    ]
    for way, complaint in wrong:
        with pytest.raises(InfrastructureError, match=complaint):
            await signing_in.signed_in(at(here(sign_in={"me": way})), "me", {})
    with pytest.raises(SpecError, match="has no role 'you'; it has: me"):
        await signing_in.signed_in(at(here(sign_in={"me": {"command": ["x"]}})), "you", {})


async def test_a_login_is_used_again_while_it_holds(here: Callable[..., ExternalSite], tmp_path: Path) -> None:
    note = tmp_path / "logins"
    cookie = json.dumps([{"name": "stand_in", "value": "me", "domain": "127.0.0.1", "path": "/"}])
    way = {"command": ["sh", "-c", f"echo x >> {note}; echo '{cookie}'"]}
    for check, logins in (({"path": "/stand-in/account", "says": "Signed in"}, 1), (None, 3)):
        site = here(sign_in={"me": way | ({"check": check} if check else {})})
        for _ in range(2):
            await External.at(at(site)).sign_in("me")
        assert len(note.read_text().splitlines()) == logins


def database(path: Path, *statements: str) -> Path:
    with sqlite3.connect(path) as connection:
        connection.executescript(";".join(("create table person (id integer primary key, name text)", *statements)))
    connection.close()
    return path


async def test_state_is_compared_between_a_sessions_start_and_end(
    here: Callable[..., ExternalSite], tmp_path: Path
) -> None:
    file = database(tmp_path / "site.sqlite3", "insert into person values (1, 'Ada')", "create table seen (n)")
    described: dict[str, Any] = {"state": {"database": f"sqlite:///{file}"}, "volatile": ["seen"]}
    described["queries"] = {"name": {"sql": "select name from person where id = :id"}}
    external = await External.open(here(**described), [])
    with sqlite3.connect(file) as connection:
        connection.executescript("insert into person values (2, 'Ben'); insert into seen values (1)")
    connection.close()
    assert (await external.state())["tables"] == {
        "person": {"inserted": [{"id": 2, "name": "Ben"}], "deleted": [], "updated": []}
    }
    assert await external.query("name", {"id": 2}) == [{"name": "Ben"}]
    with pytest.raises(KeyError):
        await external.query("age", {})
    await external.close()


async def test_state_is_read_by_a_program_of_the_owners(here: Callable[..., ExternalSite], tmp_path: Path) -> None:
    file = database(tmp_path / "site.sqlite3", "insert into person values (1, 'O''Neil, \"A\"'), (2, null)", NOTE)
    line = ["python3", "-c", PRINTING, str(file)]
    site = here(state={"command": line, "tables": ["person", "note"], "keys": {"person": ["id"]}})
    external = await External.open(site, [])
    with sqlite3.connect(file) as connection:
        connection.executescript("update person set name = 'Ben' where id = 1; insert into note values ('new')")
    connection.close()
    # A table that was empty, one with a key that the file names, and nothing of what did not change.
    assert (await external.state())["tables"] == {
        "person": {
            "inserted": [],
            "deleted": [],
            "updated": [{"before": {"id": "1", "name": 'O\'Neil, "A"'}, "after": {"id": "1", "name": "Ben"}}],
        },
        "note": {"inserted": [{"text": "new"}], "deleted": [], "updated": []},
    }
    await external.close()
    with sqlite3.connect(file) as connection:
        connection.execute("update person set name = 'O''Neil, \"A\"' where id = 1")
    connection.close()
    assert site.state
    assert await state.select(at(site), site.state, "select id from person where name = :n", {"n": 'O\'Neil, "A"'}) == [
        {"id": "1"}
    ]
    values: list[Any] = ["\\", None, ["x"]]
    for value in values:
        with pytest.raises(SpecError, match="no plain text or number"):
            await state.select(at(site), site.state, "select :n", {"n": value})
    with pytest.raises(SpecError, match="no name of a table"):
        await state.remember(at(site), State(command=("x",), tables=("person; drop",)), tmp_path)


NOTE = "create table note (text)"
PRINTING = """
import csv, sqlite3, sys
found = sqlite3.connect(sys.argv[1]).execute(sys.stdin.read())
out = csv.writer(sys.stdout)
out.writerow([column[0] for column in found.description])
out.writerows(found)
"""


async def test_a_query_over_http_and_the_shops_helpers(here: Callable[..., ExternalSite]) -> None:
    more = {"magento": {"username": "admin", "password": "x"}}
    query = {"http": {"path": "/rest/V1/orders?of={who}", "rows": "items"}}
    external = External.at(at(here(**more, queries={"orders": query})))
    assert await external.query("orders", {"who": "a b"}) == [{"increment_id": "000000001"}]
    newest = await external.helper("shopping_get_latest_order_url", ())
    assert newest == f"{external.address}/sales/order/view/order_id/1/"
    assert await external.helper("shopping_get_sku_latest_review_author", ("B1",)) == ""
    with pytest.raises(KeyError):
        await external.helper("reddit_get_post_url", ("x",))
    with pytest.raises(SpecError, match="magento"):
        await External.at(at(here())).helper("shopping_get_latest_order_url", ())


@pytest.mark.parametrize(
    ("url", "post"),
    [
        ("http://r:9999/f/news/123/title/-/comment/5", "http://r:9999/f/news/123/"),
        ("http://r:9999/f/news", "http://r:9999/f/news"),
        ("http://r:9999/user/x/y/z", "http://r:9999/user/x/y/z"),
    ],
)
def test_the_address_of_a_post(url: str, post: str) -> None:
    assert helpers.post_url(url) == post


def test_an_account_is_data_in_the_members_expression() -> None:
    assert helpers.member_role("a'); alert('x").endswith("(\"a'); alert('x\")")


async def test_only_looking_goes_through_a_read_only_site(here: Callable[..., ExternalSite]) -> None:
    external = External.at(at(here(read_only=True, posts=["/api/graphql"])))
    host = external.hosts[0]
    statuses = [
        (await external(Request(method, host, path))).status
        for method, path in (("GET", "/x"), ("POST", "/x"), ("POST", "/api/graphql"), ("DELETE", "/api"))
    ]
    assert statuses == [200, 403, 200, 403]


async def test_what_a_session_asked_is_noted_with_the_address_that_it_saw(here: Callable[..., ExternalSite]) -> None:
    port = str(here().address).rpartition(":")[2]
    requests: list[Any] = []
    site = here(address="http://shop.owner.test:7770", upstream=f"http://127.0.0.1:{port}")
    external = await External.open(site, requests)
    assert external.hosts == ("shop.owner.test:7770",)
    body, form = b"a=1&b=2", {"content-type": "application/x-www-form-urlencoded"}
    await external(Request("POST", external.hosts[0], "/cart", "x=1", form, body))
    await external.close()
    assert requests == [
        {
            "url": "http://shop.owner.test:7770/cart?x=1",
            "http_method": "POST",
            "post_data": {"a": "1", "b": "2"},
            "response_status": 200,
        }
    ]
    assert (await external(Request("GET", external.hosts[0], "/"))).status == 403


def test_what_a_packs_tasks_need_of_each_site() -> None:
    probe = ("page_content", {"page": {"site": "shop"}, "locator": {"named": "total"}, "role": "clerk"})
    query = ("query", {"site": "shop", "query": "q"})
    found = needs_of([({"sites": ["shop", "map"], "signed_in": {"shop": "me"}}, [probe, query])])
    assert (found["shop"].roles, found["shop"].locators, found["shop"].queries) == ({"me", "clerk"}, {"total"}, {"q"})
    assert set(found) == {"shop", "map"}


def test_a_stand_in_signs_in_below_its_own_path() -> None:
    site = StandIn("shopping_admin")
    answer = site.answer(Request("POST", "x", "/admin/stand-in/login", body=b"who=me"))
    assert (answer.status, answer.headers["Location"]) == (302, "/admin/stand-in/account")
    assert site.answer(Request("GET", "x", "/admin/stand-in/account")).status == 302
    signed_in = Request("GET", "x", "/admin/stand-in/account", headers={"cookie": "stand_in=me"})
    assert b"Signed in" in site.answer(signed_in).body
    assert site.log[0] == ("POST", "/admin/stand-in/login", 302)


def test_rows_that_are_alike_are_counted() -> None:
    two, three = ([{"word": "a"}] * count for count in (2, 3))
    before, after = (state.Snapshot(rows={"log": list(rows)}, keys={}) for rows in (two, three))
    assert state.compared(before, after) == {"log": {"inserted": [{"word": "a"}], "deleted": [], "updated": []}}
    assert state.compared(after, after) == {}


async def test_the_state_of_a_mysql_database(here: Callable[..., ExternalSite], tmp_path: Path) -> None:
    async with mariadb(tmp_path / "data") as port:
        address = f"mysql://reader:of%20all@127.0.0.1:{port}/shop"
        site = here(
            state={"database": address, "tables": ["orders"]},
            queries={"total": {"sql": "select total from orders where who like '%a' and total > :least"}},
        )
        external = await External.open(site, [])
        admin = pymysql.connect(host="127.0.0.1", port=port, user="reader", password="of all", database="shop")
        with admin, admin.cursor() as cursor:
            cursor.execute("update orders set total = 7.5 where number = 1")
            cursor.execute("insert into orders values (2, 'Eva', 9)")
            admin.commit()
        change = (await external.state())["tables"]["orders"]
        assert change["inserted"] == [{"number": 2, "who": "Eva", "total": "9.00"}]
        assert [one["after"]["total"] for one in change["updated"]] == ["7.50"]
        assert await external.query("total", {"least": 8}) == [{"total": "9.00"}]
        assert site.state
        with pytest.raises(InfrastructureError, match="cannot be read"):
            await state.select(at(site), site.state, "select 1; delete from orders", {})
        await external.close()


@asynccontextmanager
async def mariadb(folder: Path) -> AsyncIterator[int]:
    """A MariaDB server of this machine with one table. Skips where there is none."""
    if not shutil.which("mariadbd") or not shutil.which("mariadb-install-db"):
        pytest.skip("no MariaDB on this machine")
    line = ["mariadb-install-db", "--no-defaults", f"--datadir={folder}", "--user=root", "--skip-test-db"]
    await (await asyncio.create_subprocess_exec(*line, stdout=asyncio.subprocess.DEVNULL)).wait()
    start = folder / "start.sql"
    start.write_text(
        "create database shop;\ncreate user 'reader'@'127.0.0.1' identified by 'of all';\n"
        "grant all on shop.* to 'reader'@'127.0.0.1';\nuse shop;\n"
        "create table orders (number int primary key, who text, total decimal(9,2));\n"
        "insert into orders values (1, 'Ada', 5);\n"
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--datadir={folder}", f"--socket={folder}/s", f"--init-file={start}", f"--port={port}", "--user=root"]
    server = await asyncio.create_subprocess_exec(
        "mariadbd",
        "--no-defaults",
        "--bind-address=127.0.0.1",
        "--skip-name-resolve",
        *options,
        stderr=asyncio.subprocess.PIPE,
    )
    assert server.stderr
    try:
        async with asyncio.timeout(300):
            while b"ready for connections" not in await server.stderr.readline():
                assert server.returncode is None
        yield port
    finally:
        server.terminate()
        await server.wait()
