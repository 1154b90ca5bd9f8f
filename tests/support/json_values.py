"""JSON values read with the type that a test expects of them; anything else fails the test."""

from typing import Any

from pydantic import TypeAdapter

ROWS: TypeAdapter[list[dict[str, Any]]] = TypeAdapter(list[dict[str, Any]])
TEXTS: TypeAdapter[list[str]] = TypeAdapter(list[str])
CREDITS: TypeAdapter[dict[str, float]] = TypeAdapter(dict[str, float])
