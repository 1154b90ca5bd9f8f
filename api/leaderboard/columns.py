"""The columns of a leaderboard, each declared once: JSON (`cells`), CSV, the page and the terminal show this list.

To show another field of an entry, add a `Column` here. It then is in every entry's `cells`, and where `shown_in` says.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import JsonValue

from api.leaderboard.models import EntryRow
from api.leaderboard.usage import readable_usage
from grading.statistics.intervals import standard_error
from protection.best_of import adjusted


class Format(StrEnum):
    """How a value is written for people; `heldout._tables` writes the same in a terminal."""

    TEXT = "text"
    INTEGER = "integer"
    SCORE = "score"
    PERCENT = "percent"
    MONEY = "money"
    SECONDS = "seconds"
    DATE = "date"
    FLAG = "flag"
    INTERVAL = "interval"
    GAP = "gap"

    @property
    def numeric(self) -> bool:
        """Whether cells are aligned to the right."""
        return self not in (Format.TEXT, Format.DATE, Format.FLAG)


class Place(StrEnum):
    """Where a column is shown. JSON has them all."""

    CSV = "csv"
    PAGE = "page"
    TERMINAL = "terminal"


@dataclass(frozen=True)
class RankedEntry:
    """An entry and its rank: 1 + the number of better scores; None where not every problem was answered."""

    rank: int | None
    entry: EntryRow

    @property
    def adjusted(self) -> float | None:
        """The score less the expected luck of the best of that many attempts, to four decimals; the board's on a
        hidden split."""
        if self.entry.adjusted is not None or self.entry.near_chance:
            return self.entry.adjusted
        error = standard_error(self.entry.low, self.entry.high)
        return round(adjusted(self.entry.score, error, self.entry.attempts), 4)

    @property
    def usage(self) -> dict[str, float]:
        """The sums that are numbers within bounds."""
        return readable_usage(self.entry.usage)

    @property
    def judge_weak(self) -> bool:
        """Whether a judge decided answers of which people have not yet confirmed enough."""
        return self.entry.judge_weak or bool((self.entry.correction or {}).get("weak"))

    @property
    def score(self) -> float | None:
        """None in the last class of a hidden split, which cannot be told from guessing."""
        return None if self.entry.near_chance else self.entry.score

    @property
    def interval(self) -> list[JsonValue] | None:
        """The 95 % interval; None where there is no score."""
        return None if self.entry.near_chance else [self.entry.low, self.entry.high]

    def before_correction(self, name: str) -> JsonValue:
        """`score`, `low` or `high` as the judge gave it, before people's sample corrected it."""
        raw: dict[str, JsonValue] = (self.entry.correction or {}).get("raw") or {}
        return raw.get(name)


@dataclass(frozen=True)
class Column:
    """One column: `name` in JSON and CSV, `label` for people, `value` of a row as JSON, how and where it is shown.

    An `optional` column is left out of a page or terminal where every row has an empty value (none, no text, no).
    A terminal is 80 characters wide, so it is shown few columns.
    """

    name: str
    label: str
    value: Callable[[RankedEntry], JsonValue]
    format: Format = Format.TEXT
    shown_in: frozenset[Place] = frozenset(Place)
    hint: str = ""
    optional: bool = False


_CSV = frozenset({Place.CSV})
_WIDE = frozenset({Place.CSV, Place.PAGE})
_READ = frozenset({Place.PAGE, Place.TERMINAL})
COLUMNS: tuple[Column, ...] = (
    Column("rank", "Rank", lambda row: row.rank, Format.INTEGER),
    Column("model", "Model", lambda row: row.entry.model.get("name")),
    Column(
        "version",
        "Version",
        lambda row: row.entry.model.get("version"),
        shown_in=_CSV | {Place.TERMINAL},
        optional=True,
    ),
    Column("score", "Score", lambda row: row.score, Format.SCORE),
    Column("interval", "95 % interval", lambda row: row.interval, Format.INTERVAL, _READ),
    Column("low", "Low", lambda row: row.entry.low if row.interval else None, Format.SCORE, _CSV),
    Column("high", "High", lambda row: row.entry.high if row.interval else None, Format.SCORE, _CSV),
    Column("organisation", "Organisation", lambda row: row.entry.organisation),
    Column(
        "organisation_verified",
        "Verified organisation",
        lambda row: row.entry.organisation_verified,
        Format.FLAG,
        _CSV | {Place.TERMINAL},
        hint="somebody has made sure that the organisation is who it says it is",
        optional=True,
    ),
    Column("coverage", "Coverage", lambda row: row.entry.coverage, Format.PERCENT),
    Column(
        "attempts",
        "Attempts",
        lambda row: row.entry.attempts,
        Format.INTEGER,
        hint="submissions of the organisation to this split up to this one, of all its models",
    ),
    Column(
        "adjusted",
        "Adjusted",
        lambda row: row.adjusted,
        Format.SCORE,
        _WIDE,
        hint="the score minus the expected luck of the best of that many attempts",
    ),
    Column(
        "contamination",
        "Exposed − held back",
        lambda row: row.entry.contamination,
        Format.GAP,
        frozenset({Place.PAGE}),
        hint="score on exposed minus score on held-back siblings, 95 % interval, permutation p",
        optional=True,
    ),
    Column(
        "tokens",
        "Tokens",
        lambda row: row.usage.get("tokens"),
        Format.INTEGER,
        _WIDE,
        optional=True,
    ),
    Column("cost", "Cost", lambda row: row.usage.get("cost"), Format.MONEY, _WIDE, optional=True),
    Column("seconds", "Seconds", lambda row: row.usage.get("seconds"), Format.SECONDS, _CSV),
    Column("verified", "Verified", lambda row: row.entry.verified, Format.FLAG, _CSV | {Place.TERMINAL}, optional=True),
    Column(
        "by_service",
        "Run by the service",
        lambda row: row.entry.by_service,
        Format.FLAG,
        hint="the service asked the model itself: nobody else saw the problems",
        optional=True,
    ),
    Column(
        "overfit",
        "Overfit",
        lambda row: row.entry.overfit,
        Format.FLAG,
        hint="better on the feedback part than on the ranking part, beyond chance and the choice among attempts",
        optional=True,
    ),
    Column(
        "contaminated",
        "Contaminated",
        lambda row: row.entry.contaminated,
        Format.FLAG,
        _WIDE,
        hint="better on exposed than on held-back siblings (p < 0.01)",
        optional=True,
    ),
    Column("created_at", "Date", lambda row: row.entry.created_at.isoformat(), Format.DATE, _WIDE),
    Column("raw_score", "Raw score", lambda row: row.before_correction("score"), Format.SCORE, _CSV),
    Column("raw_low", "Raw low", lambda row: row.before_correction("low"), Format.SCORE, _CSV),
    Column("raw_high", "Raw high", lambda row: row.before_correction("high"), Format.SCORE, _CSV),
    Column("correction", "Correction", lambda row: (row.entry.correction or {}).get("method"), shown_in=_CSV),
    Column("judge_weak", "Judge weak", lambda row: row.judge_weak, Format.FLAG, _CSV),
)


def cells(row: RankedEntry) -> dict[str, JsonValue]:
    """The values of all columns by name."""
    return {column.name: column.value(row) for column in COLUMNS}


def columns_of(place: Place) -> list[Column]:
    """The columns that a place shows."""
    return [column for column in COLUMNS if place in column.shown_in]


def filled(columns: Iterable[Column], rows: Sequence[Mapping[str, JsonValue]]) -> list[Column]:
    """These columns without the optional ones that are empty in all rows (as `cells` gives them)."""
    known = {name for row in rows for name, value in row.items() if not _empty(value)}
    return [column for column in columns if not column.optional or column.name in known]


def _empty(value: JsonValue) -> bool:
    return value is None or value is False or value == ""


_WRITTEN: dict[Format, Callable[[Any], str]] = {
    Format.TEXT: str,
    Format.INTEGER: "{:,.0f}".format,
    Format.SCORE: "{:.3f}".format,
    Format.PERCENT: "{:.0%}".format,
    Format.MONEY: "${:,.2f}".format,
    Format.SECONDS: "{:,.0f} s".format,
    Format.DATE: lambda value: str(value[:10]),
    Format.FLAG: lambda value: "yes" if value else "",
    Format.INTERVAL: lambda value: "{:.3f}–{:.3f}".format(*value),
    Format.GAP: lambda value: "{gap:+.2f} ({low:+.2f} to {high:+.2f}), p = {p}".format(**value),
}


def written(form: Format, value: JsonValue) -> str:
    """A value as people read it; `–` where there is none, and where it is not of the column's form.

    One bad value in one entry must not take the page from everybody.
    """
    if value is None:
        return "–"
    try:
        return _WRITTEN[form](value)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return "–"
