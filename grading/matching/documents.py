"""Comparing a JSON document with an expected one, leaf by leaf, by a JSON Schema with typed leaves."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from pydantic import JsonValue

from grading.matching import typed
from grading.matching.pairing import pair
from grading.matching.patterns import compiled
from grading.matching.tokens import fold

Schema = Mapping[str, Any]
FORMATS = frozenset(get_args(typed.Format))
_DEFAULTS = {"number": "number", "integer": "number", "boolean": "boolean", "null": "null", "string": "string"}
MAX_DOCUMENT = 200_000


class SchemaError(ValueError):
    """The schema uses what is not supported; the message says what."""


def check_schema(schema: Schema, where: str = "$") -> None:
    """Raise SchemaError unless the schema is of the supported subset: type, properties, items, format, tolerance."""
    known = {"type", "properties", "items", "format", "tolerance", "title", "ordered", "additionalProperties"}
    if extra := set(schema) - known - {"required", "description"}:
        raise SchemaError(f"{where}: unsupported keyword(s) {', '.join(sorted(extra))}")
    form = schema.get("format")
    if form is not None and form not in FORMATS:
        raise SchemaError(f"{where}: unknown format '{form}'; known: {', '.join(sorted(FORMATS))}")
    for name, inner in (schema.get("properties") or {}).items():
        check_schema(inner, f"{where}.{name}")
    if "items" in schema:
        check_schema(schema["items"], f"{where}[]")


def document(text: str) -> JsonValue:
    """The JSON document in a text: all of it, else the last fenced block. Raises ValueError when there is none."""
    if len(text) > MAX_DOCUMENT:
        raise ValueError("the answer is too long")
    fenced = re.findall(r"```(?:json)?\s*\n(.*?)```", text, re.DOTALL)
    for candidate in (text, *fenced[::-1]):
        try:
            value: JsonValue = json.loads(candidate, parse_constant=str)
        except (ValueError, RecursionError):
            continue
        return value
    raise ValueError("no JSON document was found")


def difference(given: JsonValue, expected: JsonValue, schema: Schema, where: str = "$") -> str | None:
    """Where `given` first differs from `expected`, or None when it agrees.

    Arrays are compared as multisets unless the schema says `ordered`; an element of an expected array that is itself
    an array, where the schema has no array there, lists alternatives. Objects must have exactly the expected members
    (more where `additionalProperties` is true). An expected text from `^` to `$` is a pattern for all of the given one,
    without case (WebArena-Verified).
    """
    kind = schema.get("type")
    if isinstance(expected, list) and kind not in (None, "array"):
        found = [difference(given, option, schema, where) for option in expected]
        return None if None in found else f"{where} is none of the {len(expected)} alternatives"
    if isinstance(expected, list):
        return _array(given, expected, schema, where)
    if isinstance(expected, dict) and not _is_leaf(expected, schema):
        return _object(given, expected, schema, where)
    return _leaf(given, expected, schema, where)


def _is_leaf(expected: Mapping[str, JsonValue], schema: Schema) -> bool:
    address = schema.get("title") == "full_address" or schema.get("format") == "address"
    return address or set(expected) == {"latitude", "longitude"}


def _array(given: JsonValue, expected: Sequence[JsonValue], schema: Schema, where: str) -> str | None:
    items: Schema = schema.get("items") or {}
    if not isinstance(given, list):
        return f"{where} is no array"
    if len(given) != len(expected):
        return f"{where} has {len(given)} element(s), not {len(expected)}"
    if schema.get("ordered"):
        found = (difference(a, b, items, f"{where}[{n}]") for n, (a, b) in enumerate(zip(given, expected, strict=True)))
        return next((text for text in found if text), None)
    pairs = pair(list(expected), given, lambda one, other: difference(other, one, items) is None)
    return (
        None if len(pairs) == len(expected) else f"{where}: {len(expected) - len(pairs)} element(s) fit none expected"
    )


def _object(given: JsonValue, expected: Mapping[str, JsonValue], schema: Schema, where: str) -> str | None:
    if not isinstance(given, dict):
        return f"{where} is no object"
    properties: Mapping[str, Schema] = schema.get("properties") or {}
    if missing := sorted(set(expected) - set(given)):
        return f"{where} lacks {', '.join(missing)}"
    extra = sorted(set(given) - set(expected))
    if extra and not schema.get("additionalProperties"):
        return f"{where} has unexpected {', '.join(extra)}"
    found = (
        difference(given[name], expected[name], properties.get(name) or {}, f"{where}.{name}") for name in expected
    )
    return next((text for text in found if text), None)


def _leaf(given: JsonValue, expected: JsonValue, schema: Schema, where: str) -> str | None:
    kind = schema.get("type")
    form = "address" if schema.get("title") == "full_address" else schema.get("format")
    if isinstance(expected, bool) or isinstance(given, bool):
        chosen = "boolean"
    elif form:
        chosen = form
    else:
        fallback = "number" if isinstance(expected, int | float) else "string"
        chosen = _DEFAULTS.get(kind, fallback) if isinstance(kind, str) else fallback
    if expected is not None and kind == "string" and not isinstance(given, str) and not form:
        return f"{where} is no text"
    if chosen == "string" and isinstance(expected, str) and expected.startswith("^") and expected.endswith("$"):
        return None if _fits(given, expected) else f"{where} differs"
    same = typed.same(given, expected, cast("typed.Format", chosen), schema.get("tolerance"))
    return None if same else f"{where} differs"


def _fits(given: JsonValue, pattern: str) -> bool:
    """Whether a text fits as it is or folded; the pattern's own text does, so that a reference agrees with itself."""
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return False
    whole = compiled(pattern, re.IGNORECASE)
    text = str(given)[: typed.MAX_VALUE]
    return text == pattern or any(whole.fullmatch(one) for one in (text.strip(), fold(text)))
