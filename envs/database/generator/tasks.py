"""Templates of database problems over drawn tables: each computes its gold here, and the oracle asks the server."""

# ruff: noqa: S608 - the statements are gold made of names drawn here, and run in a sandbox

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from packs.words import name, names

Row = list[str]


@dataclass(frozen=True)
class Theme:
    """What a table is about: its title, the column of names, columns of categories and of whole numbers."""

    title: str
    key: str
    categories: tuple[str, str]
    numbers: tuple[str, str]


THEMES = (
    Theme("Harbour Ferries", "Ferry", ("Home port", "Operator"), ("Seats", "Year built")),
    Theme("Observatory Log", "Object", ("Constellation", "Telescope"), ("Minutes", "Night no.")),
    Theme("Village Orchards", "Orchard", ("Parish", "Main fruit"), ("Trees", "Yield (kg)")),
    Theme("Chess Club Results", "Player", ("Club", "Opening"), ("Wins", "Rating")),
    Theme("Museum Loans", "Exhibit", ("Lender", "Hall"), ("Insured value", "Days")),
    Theme("Mountain Huts", "Hut", ("Range", "Warden"), ("Beds", "Altitude (m)")),
)


@dataclass
class Sheet:
    """A drawn table, and how its columns are called in the problem."""

    theme: Theme
    rows: list[Row] = field(default_factory=list)

    @property
    def columns(self) -> list[str]:
        """The names in the order of the cells."""
        return [self.theme.key, *self.theme.categories, *self.theme.numbers]

    @property
    def sql(self) -> str:
        """The quoted name of the table."""
        return quoted(self.theme.title)


@dataclass
class Task:
    """One problem: `answer` for a question, `statement_of_gold` in both; `kind` as in AgentBench."""

    kind: str
    text: str
    gold: str
    answer: str | None = None


def quoted(text: str) -> str:
    """A name in back-ticks."""
    return "`" + text.replace("`", "``") + "`"


def sheet(draw: random.Random) -> Sheet:
    """A table of 15 to 40 rows; the names in its first column are all different."""
    theme = draw.choice(THEMES)
    first, second = [word.title() for word in names(draw, 5)], [word.title() for word in names(draw, 4, parts=1)]
    keys = [word.title() for word in names(draw, draw.randint(15, 40))]
    figures = draw.sample(range(20, 4000), len(keys))
    rows = [
        [key, draw.choice(first), draw.choice(second), str(figure), str(draw.randint(1, 60))]
        for key, figure in zip(keys, figures, strict=True)
    ]
    return Sheet(theme, rows)


def other(draw: random.Random, table: Sheet) -> Task:
    """One cell of one row."""
    row, column = draw.choice(table.rows), draw.randrange(1, 5)
    label = table.columns[column]
    text = f"What is the {label} of the {table.theme.key.lower()} {row[0]}?"
    gold = f"SELECT {quoted(label)} FROM {table.sql} WHERE {quoted(table.theme.key)} = '{row[0]}'"
    return Task("other", text, gold, row[column])


def counting(draw: random.Random, table: Sheet) -> Task:
    """How many rows have one category and a number above a bound."""
    category, limit = draw.choice(table.rows)[1], draw.randint(10, 40)
    count = sum(row[1] == category and int(row[4]) > limit for row in table.rows)
    one, two = table.theme.categories[0], table.theme.numbers[1]
    text = f"How many rows have the {one} {category} and a {two} above {limit}?"
    where = f"{quoted(one)} = '{category}' AND CAST({quoted(two)} AS SIGNED) > {limit}"
    return Task("counting", text, f"SELECT COUNT(*) FROM {table.sql} WHERE {where}", str(count))


def comparison(draw: random.Random, table: Sheet) -> Task:
    """Which of two has more."""
    left, right = draw.sample(table.rows, 2)
    number = table.theme.numbers[0]
    answer = left[0] if int(left[3]) > int(right[3]) else right[0]
    text = f"Which has the greater number under '{number}': {left[0]} or {right[0]}? Answer with its name."
    key = quoted(table.theme.key)
    gold = f"SELECT {key} FROM {table.sql} WHERE {key} IN ('{left[0]}', '{right[0]}') {_top(number)}"
    return Task("comparison", text, gold, answer)


def ranking(draw: random.Random, table: Sheet) -> Task:
    """Who is second, or third."""
    place = draw.choice((1, 2))
    number = table.theme.numbers[0]
    ordered = sorted(table.rows, key=lambda row: -int(row[3]))
    word = ("second", "third")[place - 1]
    text = f"Which {table.theme.key.lower()} has the {word} highest value under '{number}'? Answer with its name."
    gold = f"SELECT {quoted(table.theme.key)} FROM {table.sql} {_top(number)} OFFSET {place}"
    return Task("ranking", text, gold, ordered[place][0])


def aggregation(draw: random.Random, table: Sheet) -> Task:
    """Sum, least, greatest or mean of a number over one category."""
    function = draw.choice(("SUM", "MIN", "MAX", "AVG"))
    most = Counter(row[1] for row in table.rows).most_common(3)
    category = draw.choice(most)[0]
    values = [int(row[3]) for row in table.rows if row[1] == category]
    mean = sum(values) / len(values)
    answer = {"SUM": sum(values), "MIN": min(values), "MAX": max(values), "AVG": round(mean, 4)}[function]
    word = {"SUM": "total", "MIN": "lowest", "MAX": "highest", "AVG": "average"}[function]
    number, one = table.theme.numbers[0], table.theme.categories[0]
    text = f"What is the {word} of '{number}' over the rows whose {one} is {category}?"
    cast = f"{function}(CAST({quoted(number)} AS SIGNED))"
    return Task(
        f"aggregation-{function}",
        text,
        f"SELECT {cast} FROM {table.sql} WHERE {quoted(one)} = '{category}'",
        str(answer),
    )


def insert(draw: random.Random, table: Sheet) -> Task:
    """A new row."""
    like = draw.choice(table.rows)
    row = [name(draw, 3).title(), like[1], like[2], str(draw.randint(20, 4000)), str(draw.randint(1, 60))]
    cells_text = ", ".join(f"{column} {cell}" for column, cell in zip(table.columns, row, strict=True))
    cells = ", ".join(f"'{cell}'" for cell in row)
    return Task("INSERT", f"Add a row to the table: {cells_text}.", f"INSERT INTO {table.sql} VALUES ({cells})")


def update(draw: random.Random, table: Sheet) -> Task:
    """Change one cell of the rows of one category."""
    like = draw.choice(table.rows)
    one, two = table.theme.categories
    fresh = name(draw, 3).title()
    number, limit = table.theme.numbers[1], int(like[4])
    text = f"Set {two} to '{fresh}' in every row whose {one} is {like[1]} and whose {number} is at least {limit}."
    where = f"{quoted(one)} = '{like[1]}' AND CAST({quoted(number)} AS SIGNED) >= {limit}"
    return Task("UPDATE", text, f"UPDATE {table.sql} SET {quoted(two)} = '{fresh}' WHERE {where}")


def delete(draw: random.Random, table: Sheet) -> Task:
    """Remove the rows below a bound."""
    number = table.theme.numbers[0]
    bound = sorted(int(row[3]) for row in table.rows)[draw.randint(2, 6)]
    text = f"Remove every row whose '{number}' is below {bound}."
    return Task("DELETE", text, f"DELETE FROM {table.sql} WHERE CAST({quoted(number)} AS SIGNED) < {bound}")


def _top(number: str) -> str:
    return f"ORDER BY CAST({quoted(number)} AS SIGNED) DESC LIMIT 1"


TEMPLATES: tuple[Callable[[random.Random, Sheet], Task], ...] = (
    other,
    insert,
    update,
    counting,
    insert,
    update,
    comparison,
    delete,
    update,
    ranking,
    insert,
    delete,
    aggregation,
)
