"""Sums as people type them: + - * / ^ %, brackets, decimal points. Read by a parser of our own, exact in tenths."""

import re
from decimal import ROUND_HALF_EVEN, Context, Decimal, DecimalException

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?|\.\d+)|(\*\*|[-+*/^%()]))", re.ASCII)
LONGEST, DEEPEST, LARGEST_POWER = 200, 40, 200
EXACT = Context(prec=40, rounding=ROUND_HALF_EVEN, Emax=400, Emin=-400)
SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-"})


class SumError(ValueError):
    """The text is not a sum; the message tells the reader why."""


def worked_out(text: str) -> str:
    """The value as plain decimal digits, at most twelve after the point. Raises SumError."""
    if len(text) > LONGEST:
        raise SumError(f"A sum has at most {LONGEST} characters.")
    # A comma between groups of three digits is for the eye only.
    plain = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text.translate(SIGNS))
    reader = _Reader(_tokens(plain))
    try:
        value = reader.sum(0)
        if reader.place < len(reader.tokens):
            raise SumError(f"There is a '{reader.tokens[reader.place]}' too much.")
        value = EXACT.quantize(value, Decimal("1e-12"))
    except DecimalException:
        raise SumError("That cannot be worked out: a division by zero, or too large a number.") from None
    return f"{value:f}".rstrip("0").rstrip(".") if value else "0"


def _tokens(text: str) -> list[str]:
    found, place = [], 0
    while text[place:].strip():
        match = TOKEN.match(text, place)
        if not match:
            raise SumError(f"'{text[place:].strip()[0]}' is no part of a sum; use numbers, + - * / ^ % and brackets.")
        found.append(match[1] or match[2].replace("**", "^"))
        place = match.end()
    if not found:
        raise SumError("Type a sum, for example 12.50 * 3 + 4.")
    return found


class _Reader:
    """Recursive descent: sums over products over signs over powers over numbers and brackets."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = 0

    def sum(self, depth: int) -> Decimal:
        if depth > DEEPEST:
            raise SumError("There are too many brackets.")
        value = self._product(depth)
        while sign := self._taken("+", "-"):
            other = self._product(depth)
            value = EXACT.add(value, other) if sign == "+" else EXACT.subtract(value, other)
        return value

    def _product(self, depth: int) -> Decimal:
        value = self._signed(depth)
        while sign := self._taken("*", "/"):
            other = self._signed(depth)
            value = EXACT.multiply(value, other) if sign == "*" else EXACT.divide(value, other)
        return value

    def _signed(self, depth: int) -> Decimal:
        minus = False
        while sign := self._taken("+", "-"):
            minus ^= sign == "-"
        value = self._power(depth)
        return EXACT.minus(value) if minus else value

    def _power(self, depth: int) -> Decimal:
        value = self._one(depth)
        if not self._taken("^"):
            return value
        exponent = self._signed(depth + 1)
        if abs(exponent) > LARGEST_POWER or exponent != int(exponent):
            raise SumError(f"Powers are whole numbers up to {LARGEST_POWER}.")
        return EXACT.power(value, exponent)

    def _one(self, depth: int) -> Decimal:
        if self._taken("("):
            value = self.sum(depth + 1)
            if not self._taken(")"):
                raise SumError("A bracket is not closed.")
        elif self.place < len(self.tokens) and self.tokens[self.place][0] in ".0123456789":
            value = EXACT.create_decimal(self.tokens[self.place])
            self.place += 1
        else:
            raise SumError("A number is missing.")
        while self._taken("%"):
            value = EXACT.divide(value, Decimal(100))
        return value

    def _taken(self, *wanted: str) -> str:
        if self.place < len(self.tokens) and self.tokens[self.place] in wanted:
            self.place += 1
            return self.tokens[self.place - 1]
        return ""
