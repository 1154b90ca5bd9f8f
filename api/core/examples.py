"""Examples for the OpenAPI document, made from its schemas: every object that goes over HTTP gets one that is valid."""

from collections.abc import Mapping
from typing import Any

# What a field holds by its name, where that is a text or a number that says something.
_BY_NAME: dict[str, Any] = {
    "accepted_at": "2026-11-20T09:30:00Z",
    "access": "open",
    "address": "192.0.2.7",
    "answer": "The last step follows from line 3.\nANSWER: C",
    "benchmark": "rivers",
    "channel": "api",
    "commit": "0123abc",
    "created_at": "2026-11-20T09:30:00Z",
    "email": "ann@example.org",
    "gold": "C",
    "hint": "hld_4fK8…",
    "key": "hld_4fK8wJc1v0Qm7ZsTqL2xYb9Rn3Ue6Ad5Gh1PiWo",
    "key_id": "key_019a0c5e7d5b7c3fa1f2d4e6b8c0a1b2",
    "licence": "CC-BY-4.0",
    "locations": "",
    "model": "my-model",
    "name": "my-model",
    "new": "1.0.1",
    "old": "1.0.0",
    "organisation": "my-lab",
    "owner": "my-organisation",
    "problem": "prb_4mX0TqYc",
    "reason": "The gold of problem 7 was wrong.",
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "slug": "rivers",
    "split": "test",
    "statement": "Which river flows through Cologne?",
    "subject": "geography",
    "submission": "sub_019a0c5e7d5b7c3fa1f2d4e6b8c0a1b2",
    "summary": "Questions on rivers.",
    "text": "ANSWER: C",
    "title": "Rivers",
    "type": "multiple_choice",
    "url": "https://models.example/v1",
    "version": "1.0.0",
}
_FORMATS = {
    "date-time": "2026-11-20T09:30:00Z",
    "network": "192.0.2.0/24",
    "plain-name": "my-model",
    "visible-text": "a word or two that people read",
    "visible-address": "https://models.example",
}
_DEEPEST = 6


def with_examples(document: dict[str, Any]) -> dict[str, Any]:
    """The document, its objects with an `examples` each that has none."""
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        if schema.get("properties") and "examples" not in schema:
            schema["examples"] = [_object(schema, schemas, 0)]
    for operation in (one for path in document["paths"].values() for one in path.values()):
        media = [*operation.get("requestBody", {}).get("content", {}).values()]
        media += [one for reply in operation["responses"].values() for one in reply.get("content", {}).values()]
        for one in media:
            if one.get("schema") and "example" not in one and "examples" not in one:
                one["example"] = _of(one["schema"], schemas, "", 0)
    return document


def _object(schema: Mapping[str, Any], schemas: Mapping[str, Any], depth: int) -> dict[str, Any]:
    """Every field of a body that is required, of a result all; where one of several is asked for, the first."""
    given = schema.get("oneOf") or schema.get("anyOf") or [{}]
    named = {*schema.get("required", ()), *given[0].get("required", ())}
    chosen = named or set(schema["properties"]) - {one for other in given for one in other.get("required", ())}
    return {
        name: _of(field, schemas, name, depth + 1) for name, field in schema["properties"].items() if name in chosen
    }


def _of(schema: Mapping[str, Any], schemas: Mapping[str, Any], name: str, depth: int) -> Any:
    if "$ref" in schema:
        found = schemas[schema["$ref"].rpartition("/")[2]]
        return found["examples"][0] if "examples" in found else _of(found, schemas, name, depth)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return _BY_NAME[name] if _BY_NAME.get(name) in schema["enum"] else schema["enum"][0]
    if "default" in schema and schema["default"] not in ("", None) and not isinstance(schema["default"], list | dict):
        return schema["default"]
    options = schema.get("anyOf") or schema.get("oneOf")
    if options and not schema.get("properties"):
        return _of(next((one for one in options if one.get("type") != "null"), options[0]), schemas, name, depth)
    if schema.get("properties"):
        return _object(schema, schemas, depth) if depth < _DEEPEST else {}
    return _plain(schema, schemas, name, depth)


def _plain(schema: Mapping[str, Any], schemas: Mapping[str, Any], name: str, depth: int) -> Any:
    """A value without fields of its own: a list, a mapping, a text or a number within its bounds."""
    kind = schema.get("type")
    if kind == "array":
        items = schema.get("items", {})
        return [_of(items, schemas, name.removesuffix("s"), depth + 1)] if depth < _DEEPEST else []
    if kind == "object":
        return {}
    if kind == "boolean":
        return False
    if kind in ("integer", "number"):
        least = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1 if "exclusiveMinimum" in schema else 0)
        return max(least, 1 if kind == "integer" else 0.5)
    if kind == "string":
        return _text(schema, name)
    return None if kind == "null" else "any JSON"


def _text(schema: Mapping[str, Any], name: str) -> str:
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    known = _BY_NAME.get(name)
    if isinstance(known, str) and len(known) <= schema.get("maxLength", len(known)):
        return known
    if name == "id" or name.endswith("_id"):
        return "sub_019a0c5e7d5b7c3fa1f2d4e6b8c0a1b2"
    return name.replace("_", " ") or "text"
