"""Values for parameters and bodies: mostly what the schema asks for, sometimes what nobody expects."""

import random
import string
from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]
HOSTILE_TEXTS: tuple[str, ...] = (
    *("", " ", "\x00", "a\x00b", "\ud800", "\ufeff", "\u202e\u200b", "🙂" * 50, "é" * 3000, "a" * 100_000),
    *("' or 1=1 --", "%00", "../../etc/passwd", "${7*7}{{7*7}}", "<script>alert(1)</script>", "=1+1", "＝1+1"),
    *("null", "NaN", "Infinity", "-1", "1e400", "9" * 5000, "0x10", "2026-13-45T99:99:99Z", "\\", '"', "\r\nX-A: b"),
    *("$" * 200, "\\frac{" * 400, "(" * 3000, "10^{10^{10^{10}}}", "x" * 40 + "!", "\\sum_{k=1}^{10^9} k"),
)
HOSTILE_NUMBERS: tuple[Any, ...] = (
    *(0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**30, 10**400, 0.1, -0.0, 1e308, 5e-324),
    *(float("nan"), float("inf"), float("-inf"), True),
)


class Values:
    """Draws values for schemas. `known` are real ids and names by the parameter or field they belong to."""

    def __init__(
        self, schemas: Mapping[str, Schema], known: Mapping[str, Sequence[Any]], chance: random.Random
    ) -> None:
        self._schemas = schemas
        self._known = known
        self._chance = chance

    def known(self, name: str) -> Sequence[Any]:
        """Real values of a parameter or a field, as far as there are some."""
        return self._known.get(name, ())

    def parameter(self, name: str, schema: Schema) -> str:
        """A value for a path or a query."""
        return _plain(self.of(schema, name))

    def of(self, schema: Schema, name: str = "", depth: int = 0) -> Any:
        """A value for a schema; one in ten is of no schema."""
        chance = self._chance
        if chance.random() < 0.1 or depth > 6:
            return self.hostile()
        if name in self._known and chance.random() < 0.85:
            return chance.choice(self._known[name])
        if "$ref" in schema:
            return self.of(self._schemas[schema["$ref"].rpartition("/")[2]], name, depth)
        for union in ("anyOf", "oneOf", "allOf"):
            if union in schema:
                return self.of(chance.choice(schema[union]), name, depth)
        if "enum" in schema:
            return chance.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        return self._typed(schema, depth)

    def hostile(self, depth: int = 0) -> Any:
        """Anything that JSON can say, and some that it cannot."""
        chance = self._chance
        kind = chance.randrange(9)
        if kind < 4:
            return chance.choice(HOSTILE_TEXTS)
        if kind < 6:
            return chance.choice(HOSTILE_NUMBERS)
        if kind == 6:
            return None
        if depth > 2:
            return _nested(chance.choice((5, 70, 600)))
        items = [self.hostile(depth + 1) for _ in range(chance.randrange(4))]
        return items if kind == 7 else {self._text(8): item for item in items}

    def _typed(self, schema: Schema, depth: int) -> Any:
        chance, kind = self._chance, schema.get("type")
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            low = schema.get("minItems", 0)
            return [self.of(schema.get("items", {}), "", depth + 1) for _ in range(low + chance.randrange(4))]
        if kind == "integer":
            return chance.choice((schema.get("minimum", 0), schema.get("maximum", 50), chance.randrange(1, 60)))
        if kind == "number":
            return chance.choice((schema.get("minimum", 0), schema.get("maximum", 1), chance.random() * 100))
        if kind == "boolean":
            return chance.random() < 0.5
        if kind == "string":
            return self._string(schema)
        return None if kind == "null" else self.hostile()

    def _object(self, schema: Schema, depth: int) -> dict[str, Any]:
        chance, required = self._chance, set(schema.get("required", ()))
        chosen = {
            name: self.of(part, name, depth + 1)
            for name, part in schema.get("properties", {}).items()
            if chance.random() < (0.97 if name in required else 0.5)
        }
        if chance.random() < 0.05:
            chosen[self._text(6)] = self.hostile()
        return chosen

    def _string(self, schema: Schema) -> str:
        if self._chance.random() < 0.15:
            return self._chance.choice(HOSTILE_TEXTS)
        if schema.get("format") == "date-time":
            return "2026-01-02T03:04:05Z"
        low, high = schema.get("minLength", 0), schema.get("maxLength", 20)
        return self._text(self._chance.choice((low, high, min(high, low + 8))) if high < 300 else low + 12)

    def _text(self, length: int) -> str:
        return "".join(self._chance.choices(string.ascii_lowercase + "-_0123456789", k=length))


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else repr(value)


def _nested(depth: int) -> Any:
    value: Any = 0
    for number in range(depth):
        value = [value] if number % 2 else {"a": value}
    return value
