"""Sites without a browser: their descriptions, the difference of databases, specifications, oracles' places."""

import sqlite3
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import ValidationError

from envs.base import Action, Observation, SpecError
from envs.places import has_places, resolve
from envs.web_forms.spec import WebFormsSpec
from envs.web_sites import install
from envs.web_sites.difference import MOST_ROWS, TooManyChangesError, difference, rows
from envs.web_sites.environment import roles
from envs.web_sites.process import Running
from envs.web_sites.site import names, site
from envs.web_sites.spec import WebSitesSpec


def database(path: Path, *statements: str) -> Path:
    with sqlite3.connect(path) as connection:
        connection.executescript(
            ";".join(("create table person (id integer primary key, name text, age real)", *statements))
        )
    connection.close()
    return path


@pytest.fixture
def before(tmp_path: Path) -> Path:
    return database(tmp_path / "before", "insert into person values (1, 'Ada', 3), (2, 'Ben', 4), (3, 'Cid', null)")


def test_every_site_is_described_soundly() -> None:
    assert {"shop", "forum", "tools"} <= set(names())
    for name in names():
        one = site(name)
        assert one.requirements.is_file()
        assert one.roles
        assert "--hash=" in one.requirements.read_text()
    assert len({site(name).now for name in names()}) == 1


def test_a_site_that_is_not_served_is_told_by_name() -> None:
    with pytest.raises(SpecError, match=r"'shopping' is not served here; served are: .*shop"):
        site("shopping")
    with pytest.raises(SpecError, match="not served"):
        site("../shop")


def test_hosts_of_two_sites_share_no_domain_below_test() -> None:
    first, second = site("shop").host("aa"), site("tools").host("aa")
    assert (first, second) == ("shop-aa.test", "tools-aa.test")


def test_the_difference_tells_rows_that_came_went_and_changed(before: Path, tmp_path: Path) -> None:
    after = database(tmp_path / "after", "insert into person values (1, 'Ada', 3), (2, 'Bea', 4), (4, 'Dot', 5)")
    assert difference(before, after)["tables"] == {
        "person": {
            "inserted": [{"id": 4, "name": "Dot", "age": 5.0}],
            "deleted": [{"id": 3, "name": "Cid", "age": None}],
            "updated": [
                {"before": {"id": 2, "name": "Ben", "age": 4.0}, "after": {"id": 2, "name": "Bea", "age": 4.0}}
            ],
        }
    }


def test_nothing_changed_is_no_table_and_volatile_tables_do_not_count(before: Path, tmp_path: Path) -> None:
    after = database(tmp_path / "after", "insert into person values (1, 'Zoe', 3)")
    assert difference(before, before) == {"tables": {}}
    assert difference(before, after, ["person"]) == {"tables": {}}


def test_a_change_of_the_tables_themselves_is_a_change(before: Path, tmp_path: Path) -> None:
    content = "insert into person values (1, 'Ada', 3), (2, 'Ben', 4), (3, 'Cid', null)"
    after = database(tmp_path / "after", content, "create table hidden (x)")
    assert list(difference(before, after)["tables"]) == ["sqlite_master"]


def test_tables_without_a_key_are_compared_by_place(tmp_path: Path) -> None:
    make = "create table log (word text)"
    old = database(tmp_path / "old", make, "insert into log values ('a'), ('a')")
    new = database(tmp_path / "new", make, "insert into log values ('a'), ('a'), ('a')")
    assert difference(old, new)["tables"]["log"]["inserted"] == [{"rowid": 3, "word": "a"}]


def test_more_changes_than_evidence_holds_are_told(before: Path, tmp_path: Path) -> None:
    many = ", ".join(f"({number}, 'x', 0)" for number in range(10, 11 + MOST_ROWS))
    after = database(tmp_path / "after", f"insert into person values {many}")
    with pytest.raises(TooManyChangesError):
        difference(before, after)


def test_queries_only_read(before: Path) -> None:
    assert rows(before, "select name from person where id = :id", {"id": 2}) == [{"name": "Ben"}]
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        rows(before, "delete from person", {})


@pytest.mark.parametrize(
    "wrong",
    [
        {"sites": []},
        {"sites": ["shop"], "start": [{"site": "forum"}]},
        {"sites": ["shop"], "signed_in": {"forum": "member"}},
        {"sites": ["shop"], "size": "huge"},
        {"sites": ["shop"], "gold": "x"},
    ],
)
def test_a_wrong_specification_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        WebSitesSpec.model_validate(wrong)


def test_roles_are_the_sites_own() -> None:
    listed = WebSitesSpec.model_validate({"sites": ["shop"], "signed_in": ["shop"]})
    assert roles(listed, [site("shop")]) == {"shop": "customer"}
    wrong = WebSitesSpec.model_validate({"sites": ["shop"], "signed_in": {"shop": "root"}})
    with pytest.raises(SpecError, match="no role 'root'; it has: customer"):
        roles(wrong, [site("shop")])


SEEN = Observation(
    text="Tab 0: x\n[1] link 'Orders'\n\t[22] link 'Orders' focused: True\n[3] button \"Don't\"\n[4] link 'Orders 2'",
    data={"sites": {"shop": "http://shop-1.test"}, "output": " 7 "},
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("click [{{element link 'Orders'}}]", "click [1]"),
        ("click [{{element link 'Orders' 2}}]", "click [22]"),
        ("click [{{element link 'Orders 2'}}]", "click [4]"),
        ("click [{{element button 'Don't'}}]", "click [3]"),
        ("goto [{{site shop}}/basket/]", "goto [http://shop-1.test/basket/]"),
        ("stop [{{output}}]", "stop [7]"),
        ("click [{{element link 'Basket'}}]", "click [no link 'Basket' is shown]"),
        ("click [{{element link 'Orders' 3}}]", "click [no link 'Orders' is shown]"),
    ],
)
def test_places_of_an_oracle_are_found_in_what_was_seen(text: str, meant: str) -> None:
    assert has_places([{"text": text}])
    assert resolve(Action(text=text), SEEN).text == meant


async def test_only_what_a_site_calls_public_is_kept_for_all_its_sessions() -> None:
    asked: Counter[str] = Counter()
    said = {"/style": "max-age=9, public", "/mine": "private, max-age=9", "/plain": "", "/gone": "public"}

    def answer(request: httpx2.Request) -> httpx2.Response:
        path = request.url.path
        asked[f"{request.method} {path}"] += 1
        return httpx2.Response(404 if path == "/gone" else 200, headers={"Cache-Control": said[path]}, text=path)

    running = Running(None, Path(), "", httpx2.MockTransport(answer))  # type: ignore[arg-type]
    for method in ("GET", "GET", "POST"):
        for path in said:
            assert (await running.serve(method, path.encode(), [])).text == path
    await running.serve("GET", b"/style?other", [])
    assert asked == {
        "GET /style": 2,
        "GET /mine": 2,
        "GET /plain": 2,
        "GET /gone": 2,
        **{f"POST {path}": 1 for path in said},
    }


def test_a_published_pack_may_call_the_timeout_patience() -> None:
    assert WebSitesSpec.model_validate({"sites": ["shop"], "patience": 120}).timeout == 120
    assert WebFormsSpec.model_validate({"template": "<form></form>", "patience": 120}).timeout == 120


def test_a_site_gets_a_python_that_is_new_enough_or_none() -> None:
    tools = site("tools")
    assert install._interpreter(tools) == sys.executable
    assert install._interpreter(tools.model_copy(update={"python": f"3.{sys.version_info.minor}"})) == sys.executable
    assert install._interpreter(tools.model_copy(update={"python": "3.99"})) is None


def test_an_extract_is_of_one_of_the_tasks_sites() -> None:
    assert WebSitesSpec(sites=("map",), extracts={"map": "0" * 64}).extracts
    with pytest.raises(ValidationError, match="'map' is not among the task's sites"):
        WebSitesSpec(sites=("tools",), extracts={"map": "0" * 64})
