"""The picture market: lots with photos, charts and town plans. What they show stands in the pictures alone."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import tenancy
from small_site import Application, Reply, Request, not_found, see, wrong

from . import drawing, facts

MOST_LISTED = 30
VISITOR = "visitor"
SIZES = {"full": (10, 12, 6), "small": (2, 6, 2)}
TABLES = """
create table seller (id integer primary key, name text not null);
create table lot (
  id integer primary key, number integer not null unique, seller_id integer not null, price text not null);
create table lot_fact (lot_id integer primary key, thing text, colour text, pattern text, count integer, code text);
create table chart (id integer primary key, title text not null, kind text not null);
create table chart_fact (chart_id integer, series text, place integer, label text, value integer);
create table plan (id integer primary key, town text not null);
create table plan_fact (plan_id integer, sight text, across integer, down integer, street text, road text);
create table wish (id integer primary key autoincrement, lot_id integer not null unique);
"""

application = Application(Path(__file__).parent, "visitor", lambda _, name: name if name == VISITOR else None)
render = application.render


def make(seed: int, size: str) -> None:
    """Words from one stream, pictures from another."""
    fill(random.Random(f"market:{seed}"), random.Random(f"pictures of the market:{seed}"), size)


def fill(words: random.Random, pictures: random.Random, size: str) -> None:
    """Write the database and the pictures; pages are made of what `words` gives alone."""
    sellers, each, shown = SIZES[size]
    with closing(sqlite3.connect(tenancy.database())) as database, database:
        database.executescript(TABLES)
        _sellers(database, words, sellers, each)
        _charts_and_plans(database, words, shown)
        for lot, what in enumerate(facts.lots(pictures, sellers * each), 1):
            row = (lot, what.thing, what.colour, what.pattern, what.count, what.code)
            database.execute("insert into lot_fact values (?, ?, ?, ?, ?, ?)", row)
            drawing.saved(drawing.photo(what), _media("lots", lot))
        for number, title, kind in database.execute("select id, title, kind from chart order by id").fetchall():
            drawn = facts.chart(pictures, kind)
            database.executemany("insert into chart_fact values (?, ?, ?, ?, ?)", _figures(number, drawn))
            drawing.saved(drawing.chart(drawn, kind, title), _media("charts", number))
        for (number,) in database.execute("select id from plan order by id").fetchall():
            town = facts.plan(pictures)
            for sight, (across, down) in town.sights.items():
                place = (number, sight, across, down, town.streets[across], town.roads[down])
                database.execute("insert into plan_fact values (?, ?, ?, ?, ?, ?)", place)
            drawing.saved(drawing.plan(town), _media("plans", number))


def _sellers(database: sqlite3.Connection, words: random.Random, sellers: int, each: int) -> None:
    people = [f"{given} {surname}" for given in facts.GIVEN for surname in facts.SURNAMES]
    numbers = words.sample(range(1000, 10_000), sellers * each)
    for seller, name in enumerate(words.sample(people, sellers), 1):
        database.execute("insert into seller values (?, ?)", (seller, name))
        for _ in range(each):
            price = f"${words.randrange(300, 9900, 25) / 100:.2f}"
            values = (numbers.pop(), seller, price)
            database.execute("insert into lot (number, seller_id, price) values (?, ?, ?)", values)


def _charts_and_plans(database: sqlite3.Connection, words: random.Random, shown: int) -> None:
    titles = [f"{what} in {town}, 2025" for what in facts.COUNTED for town in facts.TOWNS]
    for place, title in enumerate(words.sample(titles, 2 * shown)):
        kind = ("bars", "lines")[place % 2]
        said = "" if kind == "bars" else ": blue this year, orange the year before"
        database.execute("insert into chart (title, kind) values (?, ?)", (title + said, kind))
    towns = words.sample(facts.TOWNS, shown)
    database.executemany("insert into plan (town) values (?)", [(town,) for town in towns])


def _figures(number: int, drawn: facts.Chart) -> Iterator[tuple[Any, ...]]:
    for name, values in drawn.series.items():
        for place, (label, value) in enumerate(zip(facts.MONTHS, values, strict=True)):
            yield number, name, place, label, value


def _media(kind: str, number: int) -> Path:
    return tenancy.folder() / tenancy.MEDIA / kind / f"{number}.png"


def sign_in(role: str) -> dict[str, str]:
    """The cookie of the visitor."""
    return application.login(role)


@application.page("/", anybody=True)
def front(request: Request) -> str:
    """What there is."""
    sellers = request.rows("select id, name from seller order by name")
    charts, plans = request.rows("select * from chart order by id"), request.rows("select * from plan order by town")
    return render(request, "front.html", sellers=sellers, charts=charts, plans=plans)


@application.page(r"/sellers/(\d{1,6})/", anybody=True)
def seller(request: Request, number: str) -> str:
    """A seller's lots, with their photos."""
    who = request.one("select id, name from seller where id = ?", int(number), what="seller")
    lots = request.rows("select * from lot where seller_id = ? order by number", who["id"])
    return render(request, "seller.html", who=who, lots=lots)


def _lot(request: Request, number: str) -> sqlite3.Row:
    sql = """select l.*, s.name, w.id is not null as listed from lot l join seller s on s.id = l.seller_id
    left join wish w on w.lot_id = l.id where l.number = ?"""
    return request.one(sql, int(number), what="lot")


@application.page(r"/lots/(\d{1,6})/", anybody=True)
def lot(request: Request, number: str) -> str:
    """A lot: its photo, price and seller."""
    return render(request, "lot.html", lot=_lot(request, number))


@application.form(r"/lots/(\d{1,6})/want/")
def want(request: Request, number: str) -> Reply:
    """Put a lot on the list."""
    found = _lot(request, number)
    if found["listed"]:
        raise wrong("This lot is on your list already.")
    if request.one("select count(*) as n from wish")["n"] >= MOST_LISTED:
        raise wrong(f"A list holds at most {MOST_LISTED} lots.")
    request.run("insert into wish (lot_id) values (?)", found["id"])
    return see("/list/", f"Lot {found['number']} is on your list.")


@application.form(r"/lots/(\d{1,6})/leave/")
def leave(request: Request, number: str) -> Reply:
    """Take a lot off the list."""
    found = _lot(request, number)
    request.run("delete from wish where lot_id = ?", found["id"])
    return see("/list/", f"Lot {found['number']} is no longer on your list.")


@application.page("/list/")
def wish_list(request: Request) -> str:
    """The list."""
    lots = request.rows("select l.* from wish w join lot l on l.id = w.lot_id order by w.id")
    return render(request, "list.html", lots=lots)


@application.page(r"/charts/(\d{1,6})/", anybody=True)
def chart(request: Request, number: str) -> str:
    """A chart."""
    return render(request, "chart.html", chart=request.one("select * from chart where id = ?", int(number)))


@application.page(r"/plans/(\d{1,6})/", anybody=True)
def plan(request: Request, number: str) -> str:
    """The plan of a town."""
    return render(request, "plan.html", plan=request.one("select * from plan where id = ?", int(number)))


@application.page(r"/media/((?:lots|charts|plans)/\d{1,6}\.png)", anybody=True)
def picture(request: Request, name: str) -> Reply:
    """A picture, which depends on the seed: no other session's browser keeps it."""
    del request
    file = tenancy.media(name)
    if file is None:
        raise not_found("picture")
    return Reply(file.read_bytes(), kind="image/png")
