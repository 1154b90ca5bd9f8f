"""Formulas as they are said: `x squared plus one`, `root two over two`. What may mean two is not read."""

import re
from typing import Final

from grading.language.numerals import number_of

_TOKEN: Final = re.compile(r"\d+(?:\.\d+)?|[A-Za-z]+|\S")
_FUNCTIONS: Final = {
    "sine": "\\sin", "sin": "\\sin", "cosine": "\\cos", "cos": "\\cos", "tangent": "\\tan", "tan": "\\tan",
    "ln": "\\ln",
}  # fmt: skip
_LETTERS: Final = frozenset(["pi", "theta", "alpha", "beta", "gamma", "lambda", "mu", "omega", "phi"])
_PARTS: Final = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "eighth": 8, "tenth": 10}
_MOST: Final = 14
_WORD_OF_ALGEBRA: Final = re.compile(
    r"\b(?:plus|minus|over|times|divided|squared|cubed|root|half|quarter|third|twice|pi|to\s+the)\b", re.IGNORECASE
)


class _NoFormulaError(Exception):
    """What stands there is no formula, or two of them."""


def spoken_algebra(text: str) -> str | None:
    """The formula that all of a text says; None of a text that says none, only numbers, or what has two readings."""
    words = [token if len(token) == 1 else token.lower() for token in _TOKEN.findall(text.replace("-", " "))]
    if len(words) < 2 or len(words) > _MOST or _WORD_OF_ALGEBRA.search(text) is None:
        return None
    try:
        reader = _Reader(words)
        formula = reader.sum()
    except _NoFormulaError:
        return None
    return formula if reader.place == len(words) and reader.algebraic else None


class _Reader:
    """Recursive descent over at most 14 words."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.place = 0
        self.algebraic = False
        self.open = False
        """Whether what stands last (under a root, a fraction line or in an exponent) may go on."""

    def _next(self) -> str:
        return self.words[self.place] if self.place < len(self.words) else ""

    def _take(self, *expected: str) -> bool:
        if tuple(self.words[self.place : self.place + len(expected)]) != expected:
            return False
        self.place += len(expected)
        return True

    def sum(self) -> str:
        """Terms with `plus` and `minus` between them, none of which has an open end or a fraction line."""
        sign = "-" if self._take("minus") or self._take("negative") else ""
        found, terms = sign + self._term(), 1
        while (operator := {"plus": "+", "minus": "-"}.get(self._next())) is not None:
            if self.open:
                raise _NoFormulaError
            self.place += 1
            found, terms = f"{found} {operator} {self._term(later=True)}", terms + 1
        if self.open and terms > 1:
            raise _NoFormulaError
        return found

    def _term(self, later: bool = False) -> str:
        part = self._part()
        if part is not None:
            return part
        found = self._factors(later)
        for said in (("over",), ("divided", "by")):
            if self._take(*said):
                self.open = True
                return f"\\frac{{{found}}}{{{self._factors(False)}}}"
        return found

    def _part(self) -> str | None:
        """`half of x`, `a quarter of pi`"""
        start = self.place
        _ = self._take("a") or self._take("one")
        under = _PARTS.get(self._next())
        if under is None:
            self.place = start
            return None
        self.place += 1
        if not self._take("of"):
            raise _NoFormulaError
        self.open = True
        return f"\\frac{{{self._factors(False)}}}{{{under}}}"

    def _factors(self, later: bool) -> str:
        found = "2" if self._take("twice") else ""
        found += self._factor(later)
        while self.place < len(self.words) and self._next() not in ("plus", "minus", "over", "divided", "to"):
            times = " \\cdot " if self._take("times") else " "
            if not times.strip() and found[-1:].isdigit() and self._next().isdigit():
                raise _NoFormulaError
            found += times + self._factor(later)
        return found

    def _factor(self, later: bool) -> str:
        number = self._number()
        base = number if number is not None else self._base()
        if self._take("squared") or self._take("cubed"):
            if later and number is not None:
                raise _NoFormulaError  # `x plus one squared`
            return f"{{{base}}}^{{{'2' if self.words[self.place - 1] == 'squared' else '3'}}}"
        if self._take("to", "the"):
            return f"{{{base}}}^{{{self._exponent()}}}"
        return base

    def _exponent(self) -> str:
        """`to the fourth`, `to the power of five`, `to the two x`: an open end."""
        powered = self._take("power", "of") or self._take("power")
        self.open = True
        if not powered and re.fullmatch(r"[a-z]+(?:th|rd)", self._next()):
            ordinal = number_of(self._next())
            if ordinal is None or ordinal.denominator > 1:
                raise _NoFormulaError
            self.place += 1
            _ = self._take("power")
            self.open = False
            return str(ordinal)
        sign = "-" if self._take("minus") or self._take("negative") else ""
        return sign + self._factors(False)

    def _number(self) -> str | None:
        """The longest run of words that is a number."""
        if self._next()[:1].isdigit():
            self.place += 1
            return self.words[self.place - 1]
        for end in range(min(len(self.words), self.place + 6), self.place, -1):
            words = self.words[self.place : end]
            value = number_of(" ".join(words)) if words[0] not in ("a", "minus", "negative", *_PARTS) else None
            if value is not None and value.denominator == 1 and not words[-1].endswith(("th", "rd", "second", "first")):
                self.place = end
                return str(value)
        return None

    def _base(self) -> str:
        if self._take("the"):
            return self._base() if self._next() in ("square", "root", "cube") else self._fail()
        for said, form in ((("square", "root"), "\\sqrt"), (("cube", "root"), "\\sqrt[3]"), (("root",), "\\sqrt")):
            if self._take(*said):
                self.algebraic = True
                _ = self._take("of")
                number = self._number()
                self.open = self.open or number is None
                return f"{form}{{{number if number is not None else self._letter()}}}"
        if self._next() in _FUNCTIONS:
            name = _FUNCTIONS[self.words[self.place]]
            self.place += 1
            _ = self._take("of")
            self.open = True
            return f"{name}({self._factor(False)})"
        return self._letter()

    def _letter(self) -> str:
        word = self._next()
        self.place += 1
        if re.fullmatch(r"[A-Za-z]", word):
            self.algebraic = True
            return word
        if word in _LETTERS:
            self.algebraic = True
            return f"\\{word}"
        return self._fail()

    def _fail(self) -> str:
        raise _NoFormulaError
