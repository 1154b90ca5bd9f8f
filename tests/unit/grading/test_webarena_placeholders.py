"""Placeholders in what a page must hold: the 17 published tasks that have them, and how answers lose their quotes."""

import json
from pathlib import Path
from typing import Any

import pytest

from grading import Answer, Evidence, Outcome, grade

FILE = Path("web", "webarena", "test.raw.json")
THE_17 = {*range(552, 556), *range(562, 567), *range(681, 689)}
SITES = {
    "__SHOPPING__": "http://shop.test:7770",
    "__SHOPPING_ADMIN__": "http://shop.test:7780/admin",
    "__REDDIT__": "http://forum.test:9999",
    "__GITLAB__": "http://code.test:8023/",
}


def verdict(content: str, required: dict[str, Any], mode: str, sites: dict[str, str] | None = None) -> Outcome:
    """What a page with this content is worth."""
    reference = {"kind": "page_content", "mode": mode, "targets": [{"evidence": "page", "required": required}]}
    value = {"url": "http://code.test:8023/x", "content": content, "text": content, "sites": sites or SITES}
    return grade(Answer(evidence=(Evidence(name="page", value=value),)), reference).outcome


@pytest.mark.parametrize("mode", ["classic", "strict"])
@pytest.mark.parametrize(
    ("content", "required", "expected"),
    [
        ("see http://forum.test:9999/f/a/1/b", {"must_include": ["__REDDIT__/f/a/1/b"]}, True),
        ("see http://code.test:8023/a/b", {"must_include": ["__GITLAB__/a/b"]}, True),
        ("see __REDDIT__/f/a/1/b", {"must_include": ["__REDDIT__/f/a/1/b"]}, False),
        ("see http://other.test:9999/f/a/1/b", {"must_include": ["__REDDIT__/f/a/1/b"]}, False),
        ("http://shop.test:7780/admin/x", {"exact_match": "__SHOPPING_ADMIN__/x"}, True),
        ("http://shop.test:7770/x", {"exact_match": "__SHOPPING_ADMIN__/x"}, False),
        ("http://forum.test:9999/x", {"must_include": ["__GITLAB__/x |OR| __REDDIT__/x"]}, True),
    ],
)
def test_placeholders_stand_for_the_sessions_addresses(
    content: str, required: dict[str, Any], expected: bool, mode: str
) -> None:
    assert (verdict(content, required, mode) is Outcome.CORRECT) is expected


def _page(target: dict[str, Any]) -> str:
    text = "\n".join(target["required_contents"]["must_include"])
    for name, address in SITES.items():
        text = text.replace(name, address.rstrip("/"))
    return text


@pytest.mark.parametrize("mode", ["classic", "strict"])
def test_the_17_tasks_pass_when_they_should_and_only_then(data: Path, mode: str) -> None:
    if not (data / FILE).is_file():
        pytest.skip(f"WebArena's file is not at {data / FILE}")
    tasks = json.loads((data / FILE).read_text("utf-8"))
    chosen = [
        task for task in tasks if "__" in json.dumps([e["required_contents"] for e in task["eval"]["program_html"]])
    ]
    assert {task["task_id"] for task in chosen} == THE_17
    for task in chosen:
        judged = task["eval"]
        reference = {
            "kind": "webarena",
            "mode": mode,
            "eval_types": judged["eval_types"],
            "reference_url": judged["reference_url"] or "",
            "program_html": judged["program_html"],
        }
        address = (judged["reference_url"] or "__REDDIT__/f/x/1").split(" |OR| ")[0]
        for name, site in SITES.items():
            address = address.replace(name, site.rstrip("/"))
        scores = []
        for sites, cut in ((SITES, 0), (SITES, 1), ({}, 0)):
            evidence = [Evidence(name="page", value={"url": address, "sites": SITES})]
            for place, target in enumerate(judged["program_html"]):
                page = _page(target)
                value = {"url": address, "content": page[: len(page) - cut], "text": None, "sites": sites}
                evidence.append(Evidence(name=f"target_{place}", value=value))
            scores.append(grade(Answer(text="done", evidence=tuple(evidence)), reference).score)
        assert scores == [1.0, 0.0, 0.0], task["task_id"]


@pytest.mark.parametrize(
    ("given", "expected", "outcome"),
    [
        ("'\"Sprite\"'", "Sprite", Outcome.CORRECT),
        ("\"'Sprite'\"", "Sprite", Outcome.CORRECT),
        ("''Sprite''", "Sprite", Outcome.CORRECT),
        ("'''Sprite'''", "Sprite", Outcome.INCORRECT),
        ("' Sprite '", "Sprite", Outcome.CORRECT),
        ("'Sprite", "Sprite", Outcome.INCORRECT),
    ],
)
def test_an_answer_loses_two_layers_of_quotes_as_published(given: str, expected: str, outcome: Outcome) -> None:
    reference = {"kind": "fuzzy", "mode": "classic", "answers": {"exact_match": expected}}
    assert grade(Answer(text=given), reference).outcome is outcome


def test_requests_are_compared_with_placeholders_in_their_fields() -> None:
    expected = {"url": "__REDDIT__/submit", "http_method": "POST", "post_data": {"submission[url]": "__GITLAB__/a/b"}}
    reference = {"kind": "network_event", "expected": expected}
    for posted, outcome in (("http://code.test:8023/a/b", Outcome.CORRECT), ("__GITLAB__/a/b", Outcome.INCORRECT)):
        request = {
            "url": "http://forum.test:9999/submit",
            "http_method": "POST",
            "post_data": {"submission[url]": posted},
        }
        evidence = Evidence(name="network", value={"requests": [request], "sites": SITES})
        assert grade(Answer(evidence=(evidence,)), reference).outcome is outcome
