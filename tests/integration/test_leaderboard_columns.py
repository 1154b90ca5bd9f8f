"""One list of columns feeds JSON, CSV, page and terminal: each heading stands over its own value in all of them."""

import csv
import io
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import httpx2
import pytest
from rich.console import Console

from api.leaderboard import columns
from api.leaderboard.columns import COLUMNS, Column, Format, Place, RankedEntry, filled, written
from api.leaderboard.models import Entry, EntryRow
from api.leaderboard.repository import LeaderboardRepository
from heldout._tables import leaderboard_table
from heldout._tables import written as written_in_terminal
from heldout.models import Column as SdkColumn
from heldout.models import Entry as SdkEntry
from heldout.models import Model as SdkModel
from tests.support.service import Service, choice_pack
from tests.support.sql import sql

# Every value is another one, so that no two columns could be exchanged unnoticed.
ENTRY: dict[str, Any] = {
    "model": {"name": "m1", "version": "v2", "url": "https://m1.example"},
    "score": 0.5,
    "low": 0.31,
    "high": 0.62,
    "coverage": 1.0,
    "attempts": 7,
    "breakdown": {"subject": {"optics": {"n": 2, "score": 0.25}}},
    "usage": {"tokens": 12345, "cost": 6.5, "seconds": 78.0},
    "verified": True,
    "contamination": {"gap": 0.12, "low": -0.01, "high": 0.2, "p": 0.04},
    "correction": {
        "method": "difference",
        "judged": 4,
        "reviewed": 3,
        "weak": False,
        "raw": {"score": 0.41, "low": 0.22, "high": 0.73},
        "corrected": {"score": 0.5, "low": 0.31, "high": 0.62},
    },
    "created_at": datetime(2026, 3, 4, 5, 6, tzinfo=UTC),
}
CSV = {
    "by_service": "False",
    "overfit": "False",
    "contaminated": "False",
    "rank": "1",
    "model": "m1",
    "version": "v2",
    "organisation": "Lab",
    "organisation_verified": "False",
    "score": "0.5",
    "low": "0.31",
    "high": "0.62",
    "coverage": "1.0",
    "attempts": "7",
    "adjusted": "0.3931",
    "tokens": "12345",
    "cost": "6.5",
    "seconds": "78.0",
    "verified": "True",
    "created_at": "2026-03-04T05:06:00+00:00",
    "raw_score": "0.41",
    "raw_low": "0.22",
    "raw_high": "0.73",
    "correction": "difference",
    "judge_weak": "False",
}
PAGE = {
    "Rank": "1",
    "Model": "m1 v2 verified",
    "Organisation": "Lab",
    "Score": "0.500 raw 0.410",
    "95 % interval": "0.310–0.620",
    "Coverage": "100%",
    "Attempts": "7",
    "Adjusted": "0.393",
    "Exposed − held back": "+0.12 (-0.01 to +0.20), p = 0.04",
    "Tokens": "12,345",
    "Cost": "$6.50",
    "Date": "2026-03-04",
    "optics": "0.25",
}
TERMINAL = {
    "rank": "1",
    "model": "m1",
    "version": "v2",
    "organisation": "Lab",
    "score": "0.500",
    "95 % interval": "0.310–0.620",
    "coverage": "100%",
    "attempts": "7",
    "verified": "yes",
}


def ranked(changed: dict[str, Any]) -> RankedEntry:
    """ENTRY with changes, as a row."""
    values: dict[str, Any] = {field.name: None for field in fields(EntryRow)} | ENTRY | changed
    return RankedEntry(1, EntryRow(**values))


async def _board(service: Service) -> None:
    """A benchmark with ENTRY on its leaderboard."""
    await service.publish(choice_pack())
    reader = await service.reader()
    problems = await reader.problems("quiz", "test")
    made = (await reader.submit("quiz", "test", {problems[0]["id"]: "A"})).raise_for_status().json()
    async with service.admin.session() as session:
        split = (await sql(session, "select split_id, organisation_id from submission")).one()
        entry = Entry(
            submission_id=UUID(hex=made["id"].removeprefix("sub_")),
            split_id=split.split_id,
            organisation_id=split.organisation_id,
            organisation="Lab",
            model_name="m1",
            **ENTRY,
        )
        await LeaderboardRepository(session).publish(entry)


def _texts(row: str, cell: str) -> list[str]:
    """The text of each cell of a row of HTML."""
    cells = row.split(f"</{cell}>")[:-1]
    plain = ["".join(part.partition(">")[2] for part in f">{text}".split("<")) for text in cells]
    return [" ".join(text.replace("&nbsp;", " ").split()) for text in plain]


def _terminal_table(page: httpx2.Response) -> dict[str, str]:
    body = page.json()
    table = leaderboard_table(
        [SdkColumn.model_validate(column) for column in body["columns"]],
        [SdkEntry.model_validate(item) for item in body["items"]],
    )
    console = Console(file=io.StringIO(), width=80)
    console.print(table)
    written = console.file.getvalue()  # type: ignore[attr-defined]
    assert all(str(cell) in written for column in table.columns if column.no_wrap for cell in column.cells)
    return {str(column.header): "".join(str(cell) for cell in column.cells) for column in table.columns}


async def _shown(service: Service) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Headings with the values below them: in CSV, on the page, in a terminal."""
    path = "/v1/benchmarks/quiz/leaderboard"
    text = (await service.client.get(path, params={"format": "csv"})).raise_for_status().text
    (row,) = csv.DictReader(io.StringIO(text))
    html = (await service.client.get("/b/quiz?split=test")).raise_for_status().text
    head, _, body = html.partition('<table class="board">')[2].partition("</thead>")
    headings, values = _texts(head, "th"), _texts(body.partition("</tr>")[0], "td")
    terminal = _terminal_table(await service.client.get(path))
    return row, dict(zip(headings, values, strict=True)), terminal


async def test_headings_stand_over_their_values_in_all_four(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    await _board(service)
    assert await _shown(service) == (CSV, PAGE, TERMINAL)
    page = (await service.client.get("/v1/benchmarks/quiz/leaderboard")).json()
    (item,) = page["items"]
    assert list(item["cells"]) == [column["name"] for column in page["columns"]] == [c.name for c in COLUMNS]
    assert {name: str(item["cells"][name]) for name in CSV} == CSV
    assert item["cells"]["interval"] == [item["interval"]["low"], item["interval"]["high"]] == [0.31, 0.62]

    # A column more is one element of the list, and is there in all of them.
    more = Column("reviews", "Reviews", lambda row: (row.entry.correction or {}).get("reviewed"), Format.INTEGER)
    for name in ("columns.COLUMNS", "routes.COLUMNS"):
        monkeypatch.setattr(f"api.leaderboard.{name}", (*COLUMNS, more))
    service.app.state.kept_pages.clear()
    in_csv, on_page, in_terminal = await _shown(service)
    assert (in_csv.pop("reviews"), on_page.pop("Reviews"), in_terminal.pop("reviews")) == ("3", "3", "3")
    assert (in_csv, on_page, in_terminal) == (CSV, PAGE, TERMINAL)


@pytest.mark.parametrize(
    ("form", "value"),
    [(form, None) for form in Format]
    + [
        (Format.TEXT, "[b] & co"),
        (Format.INTEGER, 1234567),
        (Format.SCORE, 0.12345),
        (Format.SCORE, 1),
        (Format.PERCENT, 0.876),
        (Format.MONEY, 1234.5),
        (Format.SECONDS, 4321.6),
        (Format.DATE, "2026-03-04T05:06:00+00:00"),
        (Format.FLAG, True),
        (Format.FLAG, False),
        (Format.INTERVAL, [0.1, 0.25]),
        (Format.GAP, {"gap": -0.5, "low": -1, "high": 0.25, "p": 0.002}),
    ],
)
def test_page_and_terminal_write_a_value_alike(form: Format, value: object) -> None:
    assert written(form, value) == written_in_terminal(form.value, value)  # type: ignore[arg-type]


def test_a_terminal_shows_a_format_that_it_does_not_know() -> None:
    assert written_in_terminal("colour", 5) == "5"
    assert written_in_terminal("interval", "no pair") == "no pair"


@pytest.mark.parametrize(("tokens", "shown"), [(None, False), (0, True)])
def test_an_optional_column_needs_a_value(tokens: int | None, shown: bool) -> None:
    changed = {"usage": {"tokens": tokens}, "contamination": None, "verified": False}
    cells = columns.cells(ranked(changed))
    on_page = {column.name for column in filled(columns.columns_of(Place.PAGE), [cells])}
    assert on_page & {"tokens", "cost", "contamination"} == ({"tokens"} if shown else set())
    offered = [
        SdkColumn(name=c.name, label=c.name, format=c.format, shown_in=("terminal",), optional=c.optional)
        for c in COLUMNS
    ]
    table = leaderboard_table(offered, [SdkEntry(rank=1, model=SdkModel(name="m"), score=0.5, cells=cells)])
    in_terminal = {str(column.header) for column in table.columns}
    assert in_terminal & {"tokens", "cost", "verified"} == ({"tokens"} if shown else set())


def test_names_and_labels_are_given_once() -> None:
    assert len({column.name for column in COLUMNS}) == len(COLUMNS)
    assert len({column.label for column in COLUMNS}) == len(COLUMNS)
