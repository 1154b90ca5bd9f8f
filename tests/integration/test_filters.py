"""Filters of problems, and query parameters that a route does not have."""

import dataclasses

import pytest

from packs.problem import Image
from tests.support.service import Service, choice_pack


async def test_problems_are_filtered_by_subject_type_and_pictures(service: Service) -> None:
    pack = choice_pack(count=8)
    changed = [
        problem.model_copy(update={"images": (Image(path="a.png"),)}) if problem.id == "test-3" else problem
        for problem in pack.problems
    ]
    changed = [p.model_copy(update={"type": "open"}) if p.id in ("test-3", "test-5") else p for p in changed]
    await service.publish(dataclasses.replace(pack, problems=tuple(changed)))
    ada = await service.reader()

    async def found(**query: str) -> set[str]:
        page = await ada.get("/v1/benchmarks/quiz/problems", params={"split": "test"} | query)
        return {item["statement"].removesuffix("?").split()[-1] for item in page.raise_for_status().json()["items"]}

    assert await found(subject="s1") == {f"test-{n}" for n in (1, 3, 5, 7)}
    assert await found(type="open") == {"test-3", "test-5"}
    assert await found(with_images="true") == {"test-3"}
    assert len(await found(with_images="false")) == 7
    assert await found(subject="s0", type="open") == set()
    first = (await ada.get("/v1/benchmarks/quiz/problems?split=test&subject=s1&limit=2")).json()
    again = await ada.get(f"/v1/benchmarks/quiz/problems?split=test&limit=2&cursor={first['next']}")
    assert again.json()["code"] == "bad_cursor"


@pytest.mark.parametrize(
    "path", ["/v1/benchmarks?limt=3", "/v1/benchmarks/quiz/leaderboard?modle=x&split=test", "/v1/limits?x"]
)
async def test_an_unknown_parameter_is_refused_and_the_known_are_named(service: Service, path: str) -> None:
    response = await service.client.get(path)
    assert (response.status_code, response.json()["code"]) == (400, "unknown_parameter")
    known = response.json()["known"]
    assert (
        "verified" in known
        if "leaderboard" in path
        else known == (["cursor", "limit"] if "benchmarks?" in path else [])
    )


async def test_every_route_refuses_it_and_pages_do_not(service: Service) -> None:
    paths = service.app.openapi()["paths"]
    assert len(paths) > 50
    for path, methods in paths.items():
        for method in methods:
            response = await service.client.request(method.upper(), f"{path}?no_such_parameter=1")
            if path.startswith("/v1/"):
                assert response.json()["code"] == "unknown_parameter", (method, path, response.text)
    assert (await service.client.get("/?utm_source=mail")).status_code == 200
