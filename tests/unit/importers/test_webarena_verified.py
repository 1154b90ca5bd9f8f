"""WebArena-Verified's file as a pack, and the judgement of recorded requests."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from envs import registry
from envs.web_sites.importers import webarena_verified
from grading.answer import Answer, Evidence
from grading.registry import grade
from grading.verdict import Outcome
from packs.pack import Pack
from packs.read import read_pack
from packs.report import Report

FILE = Path("web", "webarena-verified", "webarena-verified.json")


@pytest.fixture(scope="module")
def tasks(data: Path) -> list[dict[str, Any]]:
    if not (data / FILE).is_file():
        pytest.skip(f"WebArena-Verified's file is not at {data / FILE}")
    found: list[dict[str, Any]] = json.loads((data / FILE).read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def imported(tasks: Any, data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Pack]:
    out = tmp_path_factory.mktemp("verified") / "pack"
    report = webarena_verified.read(data / FILE).write(out)
    return report, read_pack(out, registry, grade_gold=False)


def test_every_task_is_kept_with_all_its_fields(imported: tuple[Report, Pack], tasks: Any) -> None:
    report, pack = imported
    assert (report.read, report.kept, len(pack.problems)) == (812, 812, 812)
    for task, item, line in zip(tasks, pack.problems, pack.references, strict=True):
        assert line.episode is not None
        spec: Any = line.episode.spec
        starts = [f"__{tab['site'].upper()}__{tab['path']}" for tab in spec["start"]]
        assert (item.statement, item.group) == (task["intent"], f"template-{task['intent_template_id']}")
        assert set(spec["signed_in"]) == set(task["sites"]) - {"map", "wikipedia"}
        assert (starts, spec["sites"], spec["revision"]) == (task["start_urls"], task["sites"], task["revision"])
        assert (spec["template"]["text"], spec["template"]["values"]) == (
            task["intent_template"],
            task["instantiation_dict"],
        )
        for judged, part in zip(task["eval"], line.reference["parts"], strict=True):
            held = part["reference"]
            assert held["expected"] == judged["expected"]
            rules = {k: v for k, v in judged.items() if k not in ("evaluator", "expected")}
            if held["kind"] == "network_event":
                assert held["rules"] == rules
            else:
                schema = held["schema"]["properties"]["retrieved_data"]
                assert schema["type"] == rules["results_schema"]["type"]
                assert schema.get("ordered") == rules.get("ordered")


def test_evaluators_are_as_many_as_in_the_file(imported: tuple[Report, Pack], data: Path) -> None:
    report, pack = imported
    text = (data / FILE).read_text("utf-8")
    kinds = Counter(part["reference"]["kind"] for line in pack.references for part in line.reference["parts"])
    assert kinds["typed_json"] == text.count('"AgentResponseEvaluator"') == 812
    assert kinds["network_event"] == text.count('"NetworkEventEvaluator"') == 663
    marks = Counter(mark.kind for mark in report.marked)
    assert (marks["requests not recorded"], marks["unachievable"], marks["gold refused"]) == (488, 40, 0)


def test_gold_is_right_and_waits_only_for_requests(imported: tuple[Report, Pack]) -> None:
    for line in imported[1].references:
        assert line.gold is not None
        alone = len(line.reference["parts"]) == 1
        assert grade(Answer(text=line.gold), line.reference).score == (1.0 if alone else None), line.id
        wrong = json.dumps({"task_type": "retrieve", "status": "UNKNOWN_ERROR", "retrieved_data": ["?"]})
        assert grade(Answer(text=wrong), line.reference).score == 0.0, line.id


EXPECTED = {
    "url": ["__SHOP__/cart/add", "__SHOP__/cart/add/1"],
    "http_method": "POST",
    "post_data": {"qty": 2},
    "response_status": 302,
}
POST = {"url": "http://shop:7770/cart/add", "http_method": "POST", "post_data": {"qty": "2"}, "response_status": 302}


def outcome(expected: dict[str, Any], request: dict[str, Any], rules: Any = None, sites: Any = None) -> Outcome:
    value = {"requests": [request], "sites": {"__SHOP__": "http://shop:7770"} if sites is None else sites}
    reference = {"kind": "network_event", "expected": expected, "rules": rules or {}}
    return grade(Answer(evidence=(Evidence(name="network", value=value),)), reference).outcome


def test_the_expected_request_is_found() -> None:
    assert outcome(EXPECTED, POST) is Outcome.CORRECT


@pytest.mark.parametrize(
    "change",
    [
        {"url": "http://shop:7770/cart/added"},
        {"http_method": "GET"},
        {"post_data": {"qty": "3"}},
        {"post_data": {}},
        {"response_status": 500},
    ],
)
def test_another_request_is_not_it(change: dict[str, Any]) -> None:
    assert outcome(EXPECTED, POST | change) is Outcome.INCORRECT


def test_rules_that_are_decided() -> None:
    other = POST | {"url": "http://shop:7770/cart/added"}
    assert outcome(EXPECTED, POST, rules={"should_not_exist": True}) is Outcome.INCORRECT
    assert outcome(EXPECTED, other, rules={"should_not_exist": True}) is Outcome.CORRECT
    for ignored in ("ignored_query_params", "ignored_query_params_patterns", "ignored_post_data_params_patterns"):
        assert outcome(EXPECTED, POST, rules={ignored: ["x"]}) is Outcome.CORRECT
        assert outcome(EXPECTED, other, rules={ignored: ["x"]}) is Outcome.INCORRECT
    value = {"requests": [POST, other], "sites": {"__SHOP__": "http://shop:7770"}}
    reference = {"kind": "network_event", "expected": EXPECTED}
    answer = Answer(evidence=(Evidence(name="network", value=value),))
    assert grade(answer, reference).outcome is Outcome.CORRECT
    assert grade(answer, reference | {"rules": {"last_event_only": True}}).outcome is Outcome.INCORRECT


def test_what_is_not_decided_is_unscored() -> None:
    assert outcome(EXPECTED, POST, rules={"post_data_schema": {}}) is Outcome.UNSCORED
    assert outcome(EXPECTED | {"post_data": {"$.a": 1}}, POST) is Outcome.UNSCORED
    assert outcome(EXPECTED | {"url": "^http://shop.*$"}, POST) is Outcome.UNSCORED
    assert outcome(EXPECTED | {"headers": {"referer": "x"}}, POST) is Outcome.UNSCORED
    assert outcome(EXPECTED, POST, sites={}) is Outcome.UNSCORED


def test_unknown_fields_and_evaluators_are_errors(tmp_path: Path) -> None:
    judged = {"evaluator": "Other", "expected": {}}
    task = {"task_id": 1, "start_urls": ["__MAP__"], "sites": ["map"], "intent": "Where?", "eval": [judged]}
    source = tmp_path / "tasks.json"
    source.write_text(json.dumps([task]))
    with pytest.raises(ValueError, match="unknown evaluator 'Other'"):
        webarena_verified.read(source)
    source.write_text(json.dumps([task | {"hint": ""}]))
    with pytest.raises(ValueError, match=r"unknown field.*hint"):
        webarena_verified.read(source)
