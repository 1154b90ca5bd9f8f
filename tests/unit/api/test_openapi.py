"""The OpenAPI document: short names, a text for each group and operation, what a route can answer."""

import re
from pathlib import Path
from typing import Any

import httpx2
import pytest

from api.app import create_app
from api.core.settings import Settings
from api.web.api_page import groups, schemas


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("instance")
    return dict(create_app(Settings(data_dir=folder)).openapi())


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in document["paths"].values() for operation in path.values()]


def test_operations_have_short_names_of_their_own(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for operation in operations(document)]
    assert len(names) > 70
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z]+(_[a-z]+){0,4}", name)] == []


def test_every_group_and_operation_is_explained(document: dict[str, Any]) -> None:
    explained = {tag["name"]: tag["description"] for tag in document["tags"]}
    assert set(explained) == {tag for operation in operations(document) for tag in operation["tags"]}
    assert [operation["operationId"] for operation in operations(document) if not operation.get("description")] == []


def test_what_is_given_as_csv_is_said(document: dict[str, Any]) -> None:
    for path in ("/v1/benchmarks/{slug}/leaderboard", "/v1/benchmarks/{slug}/access"):
        assert "text/csv" in document["paths"][path]["get"]["responses"]["200"]["content"]


async def test_a_method_that_an_address_lacks_is_answered_with_those_that_it_has(tmp_path: Path) -> None:
    app = create_app(Settings(data_dir=tmp_path))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://heldout.test") as client:
        for path, methods in (
            ("/v1/benchmarks/quiz/agreement", "GET, POST"),
            ("/v1/packs", "GET, POST"),
            ("/v1/packs/pck_1", "DELETE, GET"),
            ("/v1/benchmarks/quiz/reviewers/a@b.org", "DELETE, PUT"),
        ):
            reply = await client.request("PATCH", path)
            assert (reply.status_code, reply.headers["allow"]) == (405, methods)


async def test_the_page_of_the_interface_shows_every_operation_and_object(
    document: dict[str, Any], tmp_path: Path
) -> None:
    found = [operation for group in groups(document) for operation in group.operations]
    assert {one.id for one in found} == {operation["operationId"] for operation in operations(document)}
    begin = next(one for one in found if one.id == "begin_job")
    assert (begin.method, begin.result) == ("POST", "OwnerJobPublic")
    jobs = ["Diff", "Export", "Retire", "RegradePreview", "Items", "Presets", "DraftRubrics", "PublishRubrics"]
    jobs.append("Delete")
    assert begin.body == " or ".join(f"{job}Ask" for job in jobs)
    board = next(one for one in found if one.id == "show_leaderboard")
    assert board.media == ["text/csv"]
    assert {field.name for field in board.parameters} >= {"slug", "split", "version", "format"}
    named = {schema.name: schema for schema in schemas(document)}
    assert [field.name for field in named["DiffAsk"].fields if field.required] == ["job", "old", "new"]


def test_bounds_of_numbers_have_their_names_in_json_schema(document: dict[str, Any]) -> None:
    """`NUMBER` before a `Field` leaves pydantic's own names of the bounds in the document, which nobody reads."""
    found: list[str] = []

    def look(value: Any, path: str) -> None:
        if isinstance(value, dict):
            if "type" in value:
                found.extend(f"{path}: {name}" for name in ("ge", "gt", "le", "lt") if name in value)
            for name, part in value.items():
                look(part, f"{path}/{name}")
        elif isinstance(value, list):
            for number, part in enumerate(value):
                look(part, f"{path}/{number}")

    look(document, "")
    assert found == []
