"""WebArena-Verified (ServiceNow, Apache-2.0) as a pack: its file `webarena-verified.json`.

The participant answers with a JSON object, compared with typed values. What the file judges by network events becomes
a `network_event` reference: until an environment records requests these tasks stay unscored when the answer is right.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from envs.web_sites.importers import webarena_sites as shared
from grading.answer import Answer
from grading.registry import grade
from grading.verdict import Outcome
from packs.draft import DraftPack
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

TASK = frozenset(("sites", "task_id", "intent_template_id", "start_urls", "intent", "intent_template")) | {
    "instantiation_dict",
    "eval",
    "revision",
}
RESPONSE = "AgentResponseEvaluator"
NETWORK = "NetworkEventEvaluator"
RULES = frozenset(("ignored_query_params", "ignored_query_params_patterns", "ignored_post_data_params_patterns")) | {
    "query_params_schema",
    "post_data_schema",
    "decode_base64_query",
    "last_event_only",
    "should_not_exist",
}
EVALUATOR = {RESPONSE: frozenset(("results_schema", "ordered")), NETWORK: RULES}
EXPECTED = {
    RESPONSE: frozenset(("task_type", "status", "retrieved_data")),
    NETWORK: frozenset(("url", "http_method", "post_data", "query_params", "headers", "response_status"))
    | {"response_content", "response_cookies"},
}
FORMAT = """End with a JSON object: "task_type" (RETRIEVE, NAVIGATE or MUTATE), "status" (SUCCESS, NOT_FOUND_ERROR,
ACTION_NOT_ALLOWED_ERROR, PERMISSION_DENIED_ERROR, DATA_VALIDATION_ERROR or UNKNOWN_ERROR) and "retrieved_data" (a list,
or null where nothing is asked for)."""
CARD = """WebArena-Verified's 812 tasks (Apache-2.0). The score is the mean over templates. Tasks and answers are
public: results measure ability and contamination together. The sites themselves are no part of the pack."""


def read(source: Path, *, sites: str | Sequence[str] = (), limit: int | None = None) -> DraftPack:
    """The tasks of `source`; `sites` names the sites that are served here with WebArena's data.

    Raises FileNotFoundError, or ValueError for what is no such file and for fields it does not know.
    """
    here = shared.served(sites)
    report = Report(source.name)
    tasks = [(f"webarena-verified-{task['task_id']}", task) for task in shared.load(source, "start_urls", limit)]
    report.read = len(tasks)
    problems: list[Problem] = []
    lines: list[ReferenceLine] = []
    for id_, task in tasks:
        _check(task)
        plain = shared.problem(id_, task, f"WebArena-Verified task {task['task_id']}, revision {task['revision']}")
        problems.append(plain.model_copy(update={"answer_format": FORMAT}))
        lines.append(_line(id_, task, report))
    shared.mark_missing_sites(((id_, task["sites"]) for id_, task in tasks), here, report)
    shared.mark_shared_templates(tasks, report)
    head = shared.benchmark("webarena-verified", "WebArena-Verified", "github.com/ServiceNow/webarena-verified", CARD)
    return DraftPack(report, problems, lines, card=lambda _: head)


def _check(task: dict[str, Any]) -> None:
    """Every field is one that the importer takes over."""
    where = f"task {task['task_id']}"
    shared.refuse_unknown(task, TASK, where)
    for item in task["eval"]:
        name = item["evaluator"]
        if name not in EVALUATOR:
            raise ValueError(f"{where} has an unknown evaluator '{name}'; known are {', '.join(EVALUATOR)}")
        shared.refuse_unknown(item, EVALUATOR[name] | {"evaluator", "expected"}, f"{where}, {name}")
        shared.refuse_unknown(item["expected"], EXPECTED[name], f"{where}, {name}.expected")


def _line(id_: str, task: dict[str, Any], report: Report) -> ReferenceLine:
    parts = [_response(item) if item["evaluator"] == RESPONSE else _event(item) for item in task["eval"]]
    answer = next(part for part in parts if part["kind"] == "typed_json")
    gold: str | None = json.dumps(_first(answer["expected"], answer["schema"]), ensure_ascii=False)
    verdict = grade(Answer(text=gold), answer)
    if verdict.outcome is not Outcome.CORRECT:
        report.mark(id_, "gold refused", verdict.reason)
        gold = None
    kinds = Counter(part["kind"] for part in parts)
    if events := kinds["network_event"]:
        report.mark(id_, "requests not recorded", f"{events} network evaluator(s): no credit until they are recorded")
    if answer["expected"]["status"] != "SUCCESS":
        report.mark(id_, "unachievable", answer["expected"]["status"])
    reference = {"kind": "composite", "rule": "all", "parts": [{"reference": part} for part in parts]}
    spec = {
        "sites": task["sites"],
        "signed_in": [site for site in task["sites"] if site in shared.ACCOUNTS],
        "start": [shared.start(address) for address in task["start_urls"]],
        "template": shared.template(task),
        "revision": task["revision"],
    }
    probes = (Probe(name="network", kind="network"),) if kinds["network_event"] else ()
    episode = Episode(environment="web_sites", spec=spec, probes=probes, steps=shared.STEPS)
    return ReferenceLine(id=id_, reference=reference, gold=gold, episode=episode)


def _response(item: dict[str, Any]) -> dict[str, Any]:
    data = dict(item["results_schema"])
    items = data.get("items")
    if isinstance(items, dict) and "type" not in items:
        data["items"] = {"type": "string"} | items  # else a list of alternatives would be read as an array
    if "ordered" in item:
        data["ordered"] = item["ordered"]
    schema = {"type": "object", "additionalProperties": True, "properties": {"retrieved_data": data}}
    return {"kind": "typed_json", "expected": item["expected"], "schema": schema}


def _event(item: dict[str, Any]) -> dict[str, Any]:
    rules = {name: value for name, value in item.items() if name in RULES}
    return {"kind": "network_event", "expected": item["expected"], "rules": rules}


def _first(wanted: Any, schema: dict[str, Any]) -> Any:
    """The expected value with the first of each list of alternatives."""
    if isinstance(wanted, list):
        if schema.get("type") not in (None, "array"):
            return _first(wanted[0], schema) if wanted else None
        return [_first(item, schema.get("items") or {}) for item in wanted]
    if isinstance(wanted, dict):
        properties = schema.get("properties") or {}
        return {name: _first(value, properties.get(name) or {}) for name, value in wanted.items()}
    return wanted
