"""Kinds of reference of another distribution, graded by a service: the router knows what they need."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.core.settings import Settings
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.support.installing import EXAMPLE, install_project
from tests.support.kinds import kinds_of
from tests.support.service import Service
from tests.unit.api.judge_server import Reply, judge_server

SYNONYM = {"kind": "synonym", "word": "glad"}
NUMBER = {"kind": "numeric", "value": "12"}
# For each problem a reference, an answer, the score, and how often the judge is asked.
ASKED: dict[str, tuple[dict[str, Any], str, float, int]] = {
    "word": (SYNONYM, "happy", 1.0, 1),
    "inner": ({"kind": "composite", "rule": "all", "parts": [{"reference": SYNONYM}]}, "cheerful", 1.0, 1),
    "other": ({"kind": "either", "options": {"number": NUMBER, "word": SYNONYM}}, "sad", 0.0, 1),
    "plain": ({"kind": "either", "options": {"number": NUMBER}}, "12.0", 1.0, 0),
    "meaning": ({"kind": "fuzzy", "answers": {"fuzzy_match": ["the old harbour"]}}, "that ancient port", 1.0, 1),
}


@pytest.fixture
def example(tmp_path: Path) -> Iterator[None]:
    install_project(EXAMPLE, tmp_path)
    with kinds_of(tmp_path):
        yield


def pack() -> Pack:
    head = {
        "slug": "words",
        "title": "Words",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "c",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {"dev": {"visibility": "dev", "feedback": "full"}},
    }
    problems = [Problem(id=n, split="dev", type="word", subject=n, statement=f"Which word is {n}?") for n in ASKED]
    lines = [ReferenceLine(id=name, reference=reference) for name, (reference, *_) in ASKED.items()]
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(lines), {})


def judged(body: dict[str, Any], _number: int) -> Reply:
    said = body["messages"][1]["content"]
    if body["response_format"]["json_schema"]["name"] == "synonym":
        return Reply(json.dumps({"same": "sad" not in said}))
    return Reply(json.dumps({"verdict": "correct"}))


@pytest.mark.usefixtures("example")
async def test_what_asks_the_judge_is_judged_by_the_service_whoever_wrote_the_kind(settings: Settings) -> None:
    with judge_server(judged) as server:
        asking = settings.model_copy(update={"judge_url": server.url, "judge_model": "words-1"})
        async with Service.running(asking) as service:
            await service.publish(pack())
            ada = await service.reader()
            names = {problem["id"]: problem["subject"] for problem in await ada.problems("words", "dev")}
            answers = {id_: ASKED[name][1] for id_, name in names.items()}
            done = (await ada.submit("words", "dev", answers)).raise_for_status().json()
            await service.work()
            items = (await ada.get(f"/v1/submissions/{done['id']}")).json()["items"]
    assert {names[item["problem"]]: item["score"] for item in items} == {
        name: score for name, (_, _, score, _) in ASKED.items()
    }, items
    assert len(server.requests) == sum(times for *_, times in ASKED.values())
