"""`network_event`: a request that the participant's browser made (WebArena-Verified's network evaluator)."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from grading.answer import Answer
from grading.evidence import read
from grading.matching import places
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict
from grading.webarena import urls

DECIDED = frozenset(("url", "http_method", "query_params", "post_data", "response_status"))
# Fields beside the expected ones never hurt here, so rules that leave some out of sight change nothing.
LENIENT = frozenset(("ignored_query_params", "ignored_query_params_patterns", "ignored_post_data_params_patterns"))
RULES = frozenset(("should_not_exist", "last_event_only"))


class Request(BaseModel):
    """One request as evidence: `post_data` holds the fields of its form or JSON body."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    url: str
    http_method: str = "GET"
    post_data: dict[str, JsonValue] = Field(default_factory=dict)
    response_status: int | None = None


class Network(BaseModel):
    """Evidence: the session's requests in order, and the addresses of the sites' placeholders."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    requests: tuple[Request, ...]
    sites: dict[str, str] = Field(default_factory=dict)


class NetworkEventReference(Reference):
    """`expected` request, and the file's other `rules` as they are.

    Evidence (default "network"): `{"requests": [{"url", "http_method", "post_data", "response_status"}], "sites":
    {"__SHOP__": "http://..."}}`.
    Decided here: address (or a list of them), method, query, flat fields of the body and status, and the rules
    `should_not_exist`, `last_event_only` and those that ignore further fields. What needs more (JSON paths, patterns,
    headers, response bodies, schemas) is unscored, never wrong.
    """

    kind: Literal["network_event"] = "network_event"
    expected: dict[str, JsonValue]
    rules: dict[str, JsonValue] = Field(default_factory=dict)
    evidence: str = "network"


@grader(NetworkEventReference, version="3")
def network_event(answer: Answer, reference: NetworkEventReference, _tools: Tools) -> Verdict:
    """Correct when one of the requests is the expected one."""
    evidence = read(answer, reference.evidence, Network)
    if isinstance(evidence, Verdict):
        return evidence
    if problem := _undecided(reference):
        return Verdict.unscored(f"the expected request cannot be decided: {problem}")
    wanted = [urls.resolve(str(one), evidence.sites) for one in _options(reference.expected.get("url"))]
    if any(address.startswith("__") for address in wanted):
        return Verdict.unscored("a site's placeholder is unknown")
    asked = evidence.requests[-1:] if reference.rules.get("last_event_only") else evidence.requests
    expected = reference.expected | {
        part: _resolved(reference.expected.get(part) or {}, evidence.sites) for part in ("query_params", "post_data")
    }
    made = any(_fits(request, expected, wanted) for request in asked)
    reason = "the request was made" if made else "the request was not made"
    right = made is not bool(reference.rules.get("should_not_exist"))
    return Verdict.correct(reason) if right else Verdict.incorrect(reason)


def _resolved(fields: JsonValue, sites: dict[str, str]) -> JsonValue:
    if not isinstance(fields, dict):
        return fields
    return {name: urls.resolve(value, sites) if isinstance(value, str) else value for name, value in fields.items()}


def _undecided(reference: NetworkEventReference) -> str:
    expected = reference.expected
    fields = sorted((set(expected) - DECIDED) | (set(reference.rules) - LENIENT - RULES))
    body = expected.get("post_data")
    if fields:
        return f"it uses {', '.join(fields)}"
    if isinstance(body, dict) and any(name.startswith("$") or "{{" in name for name in body):
        return "it uses paths into the body"
    wanted = [*_options(expected.get("url")), *_leaves(body), *_leaves(expected.get("query_params"))]
    return "it uses patterns or nested values" if any(_hard(value) for value in wanted) else ""


def _hard(value: JsonValue) -> bool:
    return isinstance(value, list | dict) or (isinstance(value, str) and value.startswith("^"))


def _leaves(value: JsonValue) -> list[JsonValue]:
    return list(value.values()) if isinstance(value, dict) else []


def _options(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


def _fits(request: Request, expected: Mapping[str, Any], wanted: list[str]) -> bool:
    same = any(urls.strict(request.url, address) for address in wanted)
    method = expected.get("http_method", "GET")
    status = expected.get("response_status")
    parsed = places.url(request.url)
    query: dict[str, JsonValue] = dict(parsed.query) if parsed else {}
    return (
        same
        and request.http_method.upper() == str(method).upper()
        and status in (None, request.response_status)
        and _holds(query, expected.get("query_params") or {})
        and _holds(request.post_data, expected.get("post_data") or {})
    )


def _holds(given: Mapping[str, JsonValue], wanted: Mapping[str, JsonValue]) -> bool:
    return all(name in given and str(given[name]).strip() == str(value).strip() for name, value in wanted.items())
