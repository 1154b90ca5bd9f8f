"""Ways between well-known places, worked out when the content is made, for those who write tasks."""

import random
import sqlite3
from collections.abc import Callable
from itertools import combinations

from .routing import MEANS, NoRouteError, Route, length, minutes

TABLE = """create table way (id integer primary key, origin integer not null, goal integer not null,
    means text not null, metres real not null, seconds real not null, length text not null, minutes integer not null,
    steps integer not null)"""
KNOWN = (
    "hotel",
    "museum",
    "hospital",
    "library",
    "station",
    "cinema",
    "townhall",
    "post office",
    "restaurant",
    "school",
)
LANDMARKS = {"full": 16, "small": 5}
Router = Callable[[tuple[float, float], tuple[float, float], str], Route]


def plan(database: sqlite3.Connection, seed: int, size: str, route: Router) -> None:
    """The table `way`: between some places whose names nothing else has or holds, by every means."""
    database.execute(TABLE)
    rows = database.execute("select id, name, kind, lat, lon from place where name <> '' order by id").fetchall()
    names = [row[1].lower() for row in rows]
    fit = [row for row in rows if row[2] in KNOWN and sum(row[1].lower() in name for name in names) == 1]
    draw = random.Random(f"ways:{seed}")
    chosen = draw.sample(fit, min(len(fit), LANDMARKS[size]))
    for one, other in combinations(chosen, 2):
        for means in MEANS:
            try:
                found = route(one[3:], other[3:], means)
            except NoRouteError:
                continue
            shown = (found.metres, found.seconds, length(found.metres), minutes(found.seconds), len(found.steps))
            sql = """insert into way (origin, goal, means, metres, seconds, length, minutes, steps)
                values (?, ?, ?, ?, ?, ?, ?, ?)"""
            database.execute(sql, (one[0], other[0], means, *shown))
