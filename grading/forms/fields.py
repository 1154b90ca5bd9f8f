"""A form's fields: what the reference knows of one, and how values are brought into one shape."""

import math
import re
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Kind = Literal["text", "textarea", "hidden", "radio", "select", "checkbox", "range", "number", "email", "date", "other"]
Value = str | tuple[str, ...]

_FREE_TEXT = ("text", "textarea", "hidden")
_NOTHING = {"nan", "{}", "'{}'", ""}


class FormField(BaseModel):
    """One field: every annotator's answer as `gold`, and what the page shows before anything is done.

    Checkbox answers join their values with "|". `default` is the value at load, `visible` whether it is displayed at
    load; `low` and `high` are a range's bounds where the page states them. `required` overrides the corrected rule
    (a field is required when most annotators filled it).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1)]
    type: Kind
    gold: tuple[str, ...]
    default: Value = ""
    visible: bool = True
    low: float | None = None
    high: float | None = None
    required: bool | None = None

    @model_validator(mode="after")
    def _bounds(self) -> Self:
        if (self.low is None) != (self.high is None) or (self.low is not None and self.low >= (self.high or 0.0)):
            raise ValueError(f"field '{self.name}': give both 'low' and 'high' with low < high, or neither")
        return self

    @property
    def free_text(self) -> bool:
        """Whether people write into it."""
        return self.type in _FREE_TEXT

    def filled(self) -> tuple[str, ...]:
        """The annotators' answers that are not empty, numbers in their plain form, checkboxes sorted."""
        return tuple(value for value in self.golds() if value)

    def golds(self) -> tuple[str, ...]:
        """All annotators' answers in one shape; what spreadsheets write for nothing is ""."""
        cleaned = ("" if value.strip() in _NOTHING else value for value in self.gold)
        return tuple(self.as_text(value) for value in cleaned)

    def as_text(self, value: Value) -> str:
        """A submitted value as text; several values of one name are joined with "|" in sorted order."""
        if isinstance(value, str) and self.type != "checkbox":
            return plain_number(value)
        items = value.split("|") if isinstance(value, str) else value
        return "|".join(sorted(plain_number(item) for item in items))


def plain_number(text: str) -> str:
    """A number as "5" or "5.5"; any other text as it is."""
    if len(text) > 40 or not re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", text, re.ASCII):
        return text
    value = float(text)
    if not math.isfinite(value):
        return text
    return str(int(value)) if value.is_integer() else str(value)


def number(text: str) -> float | None:
    """A finite number, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
