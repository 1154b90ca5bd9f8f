"""Formulas as they are said: `x squared plus one`, `root two over two`. What may mean two is not read."""

import re
from typing import Final

from grading.language.numerals import number_of

_TOKEN: Final = re.compile(r"\d+(?:\.\d+)?|[A-Za-z]+|\S")
_HYPHEN: Final = re.compile(r"(?<=[A-Za-z])-(?=[A-Za-z])")
_BRACKETS: Final = (
    (re.compile(r"\b(?:open(?:ing)?|left)\s+(?:brackets?|parenthes[ie]s|paren)\b", re.IGNORECASE), "("),
    (re.compile(r",?\s*\b(?:clos(?:e|ed|ing)|right)\s+(?:brackets?|parenthes[ie]s|paren)\b", re.IGNORECASE), ")"),
    (re.compile(r"\b(?:the\s+)?natural\s+log(?:arithm)?\b", re.IGNORECASE), "ln"),
)
_SIGNS: Final = {"+": "plus", "-": "minus", "−": "minus", "*": "times", "·": "times", "×": "times", "/": "over"}
_FUNCTIONS: Final = {
    "sine": "\\sin", "sin": "\\sin", "cosine": "\\cos", "cos": "\\cos", "tangent": "\\tan", "tan": "\\tan",
    "ln": "\\ln", "log": "\\log", "logarithm": "\\log",
}  # fmt: skip
_JOINED: Final = {"product": "{} \\cdot {}", "sum": "({} + {})", "quotient": "\\frac{{{}}}{{{}}}"}
_OF_ALL: Final = ("all", "over", "divided", "squared", "cubed")
_ENDS: Final = ("plus", "minus", "over", "divided", "to", ",", "all", ")", "and")
_LETTERS: Final = frozenset(["pi", "theta", "alpha", "beta", "gamma", "lambda", "mu", "omega", "phi"])
_PARTS: Final = ("half", "halves", "third", "quarter", "fourth", "fifth", "sixth", "eighth", "ninth", "tenth")
_MOST: Final = 18
_WORD_OF_ALGEBRA: Final = re.compile(
    r"\b(?:plus|minus|over|times|divided|squared|cubed|root|half|halves|quarters?|thirds?|twice|pi|to\s+the|sine|cosine|tangent|ln|logarithm|factorial|choose|product|sum|quotient)\b"
    r"|^\W*(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\s+[A-Za-z]\b",
    re.IGNORECASE,
)


class _NoFormulaError(Exception):
    """What stands there is no formula, or two of them."""


def spoken_algebra(text: str) -> str | None:
    """The formula that all of a text says; None of a text that says none, only numbers, or what has two readings."""
    for said, sign in _BRACKETS:
        text = said.sub(sign, text)
    tokens = _TOKEN.findall(_HYPHEN.sub(" ", text.strip(" .!")))
    words = [_SIGNS.get(token, token) if len(token) == 1 else token.lower() for token in tokens]
    if len(words) < 2 or len(words) > _MOST or _WORD_OF_ALGEBRA.search(text) is None:
        return None
    try:
        reader = _Reader(words)
        formula = reader.sum()
    except _NoFormulaError:
        return None
    return formula if reader.place == len(words) and reader.algebraic else None


class _Reader:
    """Recursive descent over at most 18 words."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.place = 0
        self.algebraic = False
        self.multiplied = False
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
        while self._next() in ("plus", "minus", ",", "all"):
            if self._ended():
                found, terms = self._of_all(found, terms) or found, 1
                continue
            if self.open:
                raise _NoFormulaError
            operator = "+" if self._next() == "plus" else "-"
            self.place += 1
            found, terms = f"{found} {operator} {self._term(later=True)}", terms + 1
        if self.open and terms > 1:
            raise _NoFormulaError
        return found

    def _ended(self) -> bool:
        """Whether a comma, or `all`, ends what was said before: nothing of it is open any more."""
        comma = self._take(",")
        if comma and self._next() not in ("plus", "minus", *_OF_ALL):
            raise _NoFormulaError
        self.open = self.open and not comma and self._next() != "all"
        return (comma and self._next() in ("plus", "minus")) or self._next() in _OF_ALL

    def _of_all(self, found: str, terms: int) -> str | None:
        """`all over two`, `all squared` of all that was said before, where that has no product of a sum."""
        if self._next() in ("plus", "minus"):
            return None
        if terms > 1 and self.multiplied:
            raise _NoFormulaError  # `n times n plus one, all over two`
        _ = self._take("all")
        for said, form in ((("squared",), "({})^{{2}}"), (("cubed",), "({})^{{3}}")):
            if self._take(*said):
                return form.format(found)
        if not (self._take("over") or self._take("divided", "by")):
            raise _NoFormulaError
        self.open = True
        return f"\\frac{{{found}}}{{{self._factors(False)}}}"

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
        """`half of x`, `a quarter of pi`, `four thirds pi r cubed`"""
        start = self.place
        end = next((at for at in range(start, min(start + 3, len(self.words))) if self._is_part(at)), None)
        share = number_of(" ".join(self.words[start : end + 1]).lower()) if end is not None else None
        if end is None or share is None or not share.denominator > 1:
            return None
        self.place = end + 1
        if not self._take("of") and self._next() in ("", "plus", "minus", "over", "times", "divided", "and", ","):
            raise _NoFormulaError
        count = "" if share.numerator == 1 else f"{share.numerator} "
        found = f"\\frac{{{count}{self._factors(False)}}}{{{share.denominator}}}"
        # Where a fraction ends is heard: `a third of x plus two` may mean either, `one half x plus two` does not.
        self.open = self.open or "of" in self.words[end : end + 2]
        return found

    def _is_part(self, place: int) -> bool:
        return self.words[place].removesuffix("s") in _PARTS or self.words[place] in _PARTS

    def _factors(self, later: bool) -> str:
        found = "2" if self._take("twice") else ""
        found += self._factor(later)
        while self.place < len(self.words) and self._next() not in _ENDS:
            if self._take("choose"):
                found = f"\\binom{{{found}}}{{{self._factor(False)}}}"
                continue
            self.multiplied = self.multiplied or self._next() == "times"
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
        if self._take("factorial"):
            return f"{base}!"
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
        if self._take("("):
            inner = self.sum()
            if not self._take(")"):
                raise _NoFormulaError
            self.open = False
            return f"({inner})"
        if self._take("the"):
            known = ("square", "root", "cube", *_FUNCTIONS, *_JOINED)
            return self._base() if self._next() in known else self._fail()
        if self._next() in _JOINED and self.words[self.place + 1 : self.place + 2] == ["of"]:
            return self._joined(_JOINED[self._next()])
        for said, form in ((("square", "root"), "\\sqrt"), (("cube", "root"), "\\sqrt[3]"), (("root",), "\\sqrt")):
            if self._take(*said):
                self.algebraic = True
                return f"{form}{{{self._under()}}}"
        if self._next() in _FUNCTIONS:
            name = _FUNCTIONS[self.words[self.place]]
            self.place += 1
            _ = self._take("of")
            self.open = True
            return f"{name}({self._factor(False)})"
        return self._letter()

    def _joined(self, form: str) -> str:
        """`the product of a and b`"""
        self.place += len(("product", "of"))
        one = self._factors(False)
        if not self._take("and"):
            raise _NoFormulaError
        return form.format(one, self._factors(False))

    def _under(self) -> str:
        """What stands under a root: a number, a letter, or a sum that begins with a square: its own root is no root."""
        of = self._take("of")
        ahead = self.words[self.place : self.place + 3]
        squared = ahead[1:2] == ["squared"] and ahead[2:] in (["plus"], ["minus"])
        if squared and re.fullmatch("[A-Za-z]", ahead[0]):
            inner = self.sum()
            self.open = False
            return inner
        if ahead[:1] == ["("]:
            return self._base()
        if of and re.fullmatch("[A-Za-z],over,[A-Za-z]", ",".join(ahead)) and self.place + 3 == len(self.words):
            self.place += 3
            return f"\\frac{{{ahead[0]}}}{{{ahead[2]}}}"
        number = self._number()
        self.open = self.open or number is None
        return number if number is not None else self._letter()

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
