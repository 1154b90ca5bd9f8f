"""Findings 5, 6, 15, 18 of the review: what participants say of their runs breaks no page and weighs down no list."""

import csv
import io
import json
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from sqlmodel import select

from api.core.spreadsheet import safe_cell
from api.leaderboard.columns import COLUMNS, Place, columns_of, filled, written
from api.leaderboard.models import Entry
from api.leaderboard.repository import LeaderboardRepository
from api.leaderboard.routes import _csv
from api.leaderboard.schemas import MAX_MODEL_BYTES, ModelInfo
from api.leaderboard.service import _public
from api.leaderboard.usage import MOST_DOLLARS, MOST_SECONDS, MOST_TOKENS, readable_usage, total_usage
from api.submissions.models import Submission
from api.submissions.schemas import MAX_ITEMS, Usage
from tests.integration.test_leaderboard_columns import ENTRY, ranked
from tests.support.service import Service, choice_pack

BOARD = "/v1/benchmarks/quiz/leaderboard"
HUGE: list[Any] = [1e308, 1.7976931348623157e308, 10**400, 10**4000, -1, -1e308, True, "1", None, [1], {"n": 1}, 5e-324]
FLAGS: dict[str, Any] = {"submission_id": UUID(int=1), "organisation_slug": "o"} | dict.fromkeys(
    ("overfit", "contaminated", "declared", "hidden", "near_chance", "judge_weak", "organisation_verified"), False
)
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**400), 10**4000])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
)
JSON = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["name", "version", "organisation", "url", "access", "parameters", "tokens", "cost", "seconds"])


@given(st.dictionaries(NAMES, JSON, max_size=9), st.dictionaries(NAMES, JSON, max_size=9), st.floats(0, 1))
def test_finding_5_a_row_is_shown_whatever_is_in_it(model: Any, usage: Any, score: float) -> None:
    row = ranked(FLAGS | {"organisation": "o", "model": model, "usage": usage, "score": score})
    shown = _public(row)
    assert json.loads(shown.model_dump_json())["usage"] == readable_usage(usage)
    assert all(isinstance(written(column.format, shown.cells[column.name]), str) for column in COLUMNS)
    assert filled(columns_of(Place.PAGE), [shown.cells])
    (read,) = csv.DictReader(io.StringIO(_csv([shown])))
    assert read["score"] == str(score)


@given(st.sampled_from(COLUMNS), JSON)
def test_finding_5_a_cell_is_written_whatever_its_value(column: Any, value: Any) -> None:
    assert isinstance(written(column.format, value), str)


def test_finding_5_usage_is_bounded_where_it_comes_in() -> None:
    Usage(tokens=MOST_TOKENS, cost=MOST_DOLLARS, seconds=MOST_SECONDS)
    for name in ("tokens", "cost", "seconds"):
        for value in (1e308, 10**400, float("inf"), float("nan"), -1, MOST_TOKENS + 1):
            with pytest.raises(ValidationError):
                Usage.model_validate({name: value})


def test_finding_5_sums_are_checked() -> None:
    most = {"tokens": MOST_TOKENS, "cost": MOST_DOLLARS, "seconds": MOST_SECONDS}
    whole = total_usage([most] * MAX_ITEMS)
    assert whole == readable_usage(whole) == {name: value * MAX_ITEMS for name, value in most.items()}
    assert total_usage([{"cost": value} for value in HUGE] + [{"cost": 1.5}, None]) == {"cost": 1.5}
    assert total_usage([]) == {}


async def _entries(service: Service, count: int) -> None:
    """Entries as they may stand in a database from before there were bounds."""
    await service.publish(choice_pack())
    reader = await service.reader()
    (first, *_) = await reader.problems("quiz", "test")
    for number in range(count):
        (await reader.submit("quiz", "test", {first["id"]: "A"}, model=f"m{number}")).raise_for_status()
    async with service.admin.session() as session:
        for number, submission in enumerate(await session.exec(select(Submission))):
            changed = {
                "submission_id": submission.id,
                "split_id": submission.split_id,
                "organisation_id": submission.organisation_id,
                "organisation": "Lab",
                "model_name": f"m{number}",
                "model": {"name": f"m{number}", "parameters": {"prompt": "long " * 2000}},
                "usage": {"tokens": HUGE[number], "cost": HUGE[number], "seconds": HUGE[number]},
            }
            await LeaderboardRepository(session).publish(Entry(**ENTRY | changed))


async def test_findings_5_and_6_boards_stand_and_stay_small(service: Service) -> None:
    count = len(HUGE)
    await _entries(service, count)
    for path in ("/b/quiz?split=test", BOARD, f"{BOARD}?format=csv"):
        response = await service.client.get(path)
        assert response.status_code == 200, path
        assert len(response.content) < 6_000 * count
        assert "long long" not in response.text
    items = (await service.client.get(BOARD)).json()["items"]
    assert len(items) == count
    assert all("parameters" not in item["model"] for item in items)


def test_finding_6_a_model_has_four_kilobytes() -> None:
    ModelInfo(name="m", parameters={"prompt": "x" * (MAX_MODEL_BYTES - 200)})
    for parameters in ({"prompt": "x" * MAX_MODEL_BYTES}, {"p": ["é" * 2000, "é" * 2000]}):
        with pytest.raises(ValidationError, match="4096 are the limit"):
            ModelInfo.model_validate({"name": "m", "parameters": parameters})


async def test_finding_6_parameters_are_its_makers_to_read_one_by_one(service: Service) -> None:
    await service.publish(choice_pack())
    ada = await service.reader()
    model = {"name": "m", "parameters": {"temperature": 0.5}}
    body = {"benchmark": "quiz", "split": "dev", "model": model, "items": []}
    made = (await ada.post("/v1/submissions", json=body)).raise_for_status().json()
    await service.work()
    one = (await ada.get(f"/v1/submissions/{made['id']}")).json()
    assert one["model"]["parameters"] == {"temperature": 0.5}
    (listed,) = (await ada.get("/v1/submissions")).json()["items"]
    assert listed["model"]["parameters"] == {}
    async with service.admin.session() as session:
        (entry,) = await session.exec(select(Entry))
    assert "parameters" not in entry.model


async def test_finding_18_pages_ask_crawlers_for_what_the_api_asks(service: Service) -> None:
    await service.publish(choice_pack())
    api = (await service.client.get(BOARD)).headers
    for path in ("/", "/b/quiz", "/robots.txt", "/static/heldout.css", "/b/none", "/login"):
        page = (await service.client.get(path)).headers
        for name in ("X-Robots-Tag", "Content-Usage"):
            assert page[name] == api[name], path


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "＋1", "－1", "＠x", "﹢1", "﹣1", "\t=1", " =1", "\u200b=1", "\r1"],
)
def test_finding_15_no_cell_is_a_formula(text: str) -> None:
    assert safe_cell(text) == "'" + text


@pytest.mark.parametrize("value", ["GPT-4", "a=b", "", 0.5, None, " plain", "ｆｕｌｌ"])
def test_finding_15_other_cells_stay(value: object) -> None:
    assert safe_cell(value) == value
