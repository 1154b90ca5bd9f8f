"""Conditions on values and rows."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from grading.matching.patterns import compiled
from grading.matching.tokens import fold, holds, tokens


class Condition(BaseModel):
    """A condition on one value; exactly one member is given.

    `equals` any of the listed values strictly typed but for numbers; `text`: the same text without case, punctuation
    and space; `holds`: whole tokens that must occur; `pattern`: a regular expression for the whole text; `number`
    within `tolerance`; `present`: whether the value is neither null nor "".
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    equals: tuple[JsonValue, ...] | None = None
    text: str | None = None
    holds: tuple[str, ...] | None = None
    pattern: str | None = None
    number: float | None = None
    tolerance: Annotated[float, Field(ge=0)] = 0.0
    present: bool | None = None

    @model_validator(mode="after")
    def _one_test(self) -> Self:
        given = [self.equals, self.text, self.holds, self.pattern, self.number, self.present]
        if sum(test is not None for test in given) != 1:
            raise ValueError("a condition has exactly one of equals, text, holds, pattern, number, present")
        if self.pattern is not None:
            compiled(self.pattern)
        return self

    def met(self, value: JsonValue) -> bool:
        """Whether the value meets the condition."""
        if self.equals is not None:
            return any(same_value(value, expected) for expected in self.equals)
        if self.present is not None:
            return (value is not None and value != "") is self.present
        if self.number is not None:
            found = as_number(value)
            return found is not None and abs(found - Decimal(str(self.number))) <= Decimal(str(self.tolerance))
        return isinstance(value, str) and self._met_by_text(value)

    def _met_by_text(self, value: str) -> bool:
        if self.text is not None:
            expected = tokens(self.text)
            return tokens(value) == expected if expected else fold(value) == fold(self.text)
        if self.pattern is not None:
            return re.fullmatch(self.pattern, value, re.DOTALL) is not None
        words = tokens(value)
        return all(holds(words, tokens(part)) for part in self.holds or ())


# A plain JSON value stands for `{"equals": [value]}`; an object with other members than a condition's is refused.
ValueCondition = Condition | str | int | float | bool | None


def as_number(value: JsonValue) -> Decimal | None:
    """A JSON number, or a plain decimal written as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value)
    plain = len(text) <= 60 and re.fullmatch(r"[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?", text, re.ASCII)
    return Decimal(text) if plain else None


def same_value(value: JsonValue, expected: JsonValue) -> bool:
    """Equal JSON; numbers by value also when a driver wrote one of them as text; 0 and 1 equal false and true."""
    if value == expected:
        return True
    if isinstance(value, bool) or isinstance(expected, bool) or (isinstance(value, str) and isinstance(expected, str)):
        return False
    left, right = as_number(value), as_number(expected)
    return left is not None and left == right


def row_meets(row: Mapping[str, JsonValue] | None, expected: Mapping[str, ValueCondition]) -> bool:
    """Whether a row exists and meets the condition of every named column; a column it lacks meets none."""
    if row is None:
        return not expected
    return all(name in row and value_meets(row[name], test) for name, test in expected.items())


def value_meets(value: JsonValue, expected: ValueCondition) -> bool:
    """Whether a value meets a condition or equals a plain value."""
    return expected.met(value) if isinstance(expected, Condition) else same_value(value, expected)
