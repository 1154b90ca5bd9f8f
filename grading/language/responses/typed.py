"""Formulas typed among words without delimiters and without commands: `the antiderivative is x³/3 + C`.

    sum    = [sign] term , (operator , [sign] term)*
    term   = factor+
    factor = (number | letter | ½ | π | "(" sum ")" | function factor | √ factor) , power*

One is taken for a formula where it has a power, a function, a root, π, a letter behind a sign or letters in a sum,
and where nothing is left over beside it: a part of a formula would be another value. Units (`5 m²`) are none.
"""

import re
from collections.abc import Iterator

from grading.language.unitnames import is_unit

_SPACE = re.compile(r"[ \t\u202f]*")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?(?![,.]*\d)|\.\d+")
_LETTER = re.compile(r"[A-Za-zα-ωΓΔΘΛΞΣΦΨΩ](?:_(?:\w|\{\w{1,8}\})|[₀-₉ₙₖᵢⱼ]{1,3})?(?![A-Za-z\d_'’])")
_NEGATED = re.compile(rf"{_LETTER.pattern}(?!\s*[=<>≤≥])")
"""A letter behind a sign that is no left side."""
_FIRST_OF_TWO = re.compile(r"(?:(?<=[\d(+−*/×·÷⋅²³-])|(?<=[+−*/×·-]\s))[a-zα-ω](?=[a-zα-ω](?![A-Za-z_'’]))")
_SMALL_WORDS = frozenset(
    re.findall(r"\w+", "an as at be by do go he if in is it me my no of oh on or so to up us we am")
)
_SHARE = re.compile(r"[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]")
_FUNCTION = re.compile(
    r"(?:ln|log(?:_\d+|₂|₁₀)?|exp|sqrt|a(?:rc)?(?:sin|cos|tan)h?|(?:sin|cos|tan|cot|sec|csc)h?)(?![A-Za-z_])"
)
_RAISED = re.compile("[⁰¹²³⁴-⁹⁺⁻ⁱⁿˣʸᵃᵇᵏᵐᵗ]+")
_OPERATOR = re.compile(r"[ \t]*(?P<sign>[-+−*/×·÷⋅])[ \t]*")
_POWERED = re.compile(r"(?:\^[-−]?(?:\w|[({][^(){}\s]{1,12}[)}])|[⁰¹²³⁴-⁹ⁿˣ])$")
_POWER = re.compile(r"[A-Za-zα-ω](?:\^|[⁰¹²³⁴-⁹⁻ⁿˣ])")
"""A power beside a power: `y^{-1/2} e^{-2y}`."""
_BEFORE_POWER = re.compile(r"(?:[)\d²³]|[\d)][A-Za-z])$")
"""What a power goes on behind a gap: `(x² + 2x) eˣ`, `2x eˣ`, but not `a x²`, whose first letter may be an article."""
_INVERSE = re.compile(r"[A-Za-z]⁻¹\s?\(\s?[A-Za-z]\s?\)\s*=\s*(?=\S)")
"""The name of an inverse function belongs to its formula: `f⁻¹(x) = 2x + 1`."""
_CLOSES = {"(": ")", "{": "}"}
_START = re.compile(
    r"(?:^|(?<=[\s(=≈:,“\"])|(?<=[^\w)]\*\*)|(?<=^\*\*))[-−]?(?=[\dA-Za-zα-ωΓΔΘΛΞΣΦΨΩ(√½⅓⅔¼¾])"
    rf"(?=[(√]|{_LETTER.pattern}|{_FUNCTION.pattern}|{_NUMBER.pattern}|{_SHARE.pattern})",
    re.MULTILINE,
)
"""Where a formula may begin: with one of what a factor begins with, and not with a word."""
_GOES_ON = re.compile(
    r"[\w'’({\[%°√!\\$\ue000-\ue2ff]|[ \t]*(?:[+−/×·÷⋅^]|\*(?!\*)|\*\*[\w(])|[ \t]*-(?!\s+[A-Za-z]{2})"
    r"|[ \t]+[a-zA-Z](?:[-+−*/^²³⁻ⁿˣ)]|\s*[-+=/^])"
)
"""What behind a formula says that more of it follows."""
_OPERATED = re.compile(r"(?:[-+−/×·÷⋅^_\\]|(?<!\*)\*|[\w)]\*\*|[\d\ue000-\ue2ff%°])[ \t]*$")
"""What before a formula says that it is a part of one, or the unit of a number."""
_UNIT = re.compile(r"[ \t]+([A-Za-zµΩ][\w/·²³⁻¹°^-]{0,20})(?=[\s.,;:)]|$)")
_LANDAU = frozenset("OΘΩo")
_DEEPEST = 5
_LONGEST = 120
_MOST = 100
_POWER_AND_SIGNS = 20
"""Characters that end in a power."""


class _Reader:
    """One attempt to read a formula from a place on; `marked` where it has what words have not."""

    def __init__(self, text: str, place: int) -> None:
        self.text = text[: place + _LONGEST]
        self.place = place
        self.marked = False
        self.letters = 0

    def sum(self, depth: int) -> bool:
        if self._peek() in "-−+":
            self.place += 1
            self.marked = self.marked or _NEGATED.match(self.text, self.place) is not None
        if not self.term(depth):
            return False
        while (sign := _OPERATOR.match(self.text, self.place)) is not None:
            kept, letters, marked = self.place, self.letters, self.marked
            self.place = sign.end()
            if self._peek() in "-−":
                self.place += 1
            if not self.term(depth):
                self.place, self.letters, self.marked = kept, letters, marked
                return True
            divided = sign["sign"] == "/" and self.letters == letters + 1 == 2
            self.marked = self.marked or (self.letters > 0 and not divided)
        return True

    def term(self, depth: int) -> bool:
        if not self.factor(depth):
            return False
        while True:
            kept, letters, marked = self.place, self.letters, self.marked
            self.place = self._after_space()
            joined = (
                self.place == kept
                or self._peek() == "√"
                or _FUNCTION.match(self.text, self.place) is not None
                or self._goes_on_with_power(kept)
            )
            if not joined or not self.factor(depth):
                self.place, self.letters, self.marked = kept, letters, marked
                return True

    def _goes_on_with_power(self, end: int) -> bool:
        """Whether a power stands behind a gap, which belongs to what ends there and is no unit of it."""
        if _POWER.match(self.text, self.place) is None:
            return False
        before = max(0, end - _POWER_AND_SIGNS)
        if _POWERED.search(self.text, before, end) is not None:
            return True
        unit = _UNIT.match(self.text, end)
        measured = unit is not None and is_unit(unit[1])
        return not measured and _BEFORE_POWER.search(self.text, before, end) is not None

    def factor(self, depth: int) -> bool:
        if depth > _DEEPEST:
            return False
        return self._base(depth) and self._powers(depth)

    def _base(self, depth: int) -> bool:
        called = _FUNCTION.match(self.text, self.place)
        if called is not None:
            self.marked = True
            self.place = called.end()
            self._raised()
            self.place = self._after_space()
            return self.factor(depth + 1)
        if self._peek() == "√":
            self.marked = True
            self.place += 1
            return self.factor(depth + 1)
        if self._peek() == "(":
            return self._bracketed(depth)
        number = _NUMBER.match(self.text, self.place) or _SHARE.match(self.text, self.place)
        if number is not None:
            self.place = number.end()
            return True
        letter = _LETTER.match(self.text, self.place) or self._first_of_two()
        if letter is None:
            return False
        self.letters += 1
        self.place = letter.end()
        if letter[0] == "π":
            self.marked = True
        if letter[0] in _LANDAU and self._peek() == "(":
            self.marked = True
        return True

    def _first_of_two(self) -> re.Match[str] | None:
        """The first of two factors that stand side by side: `ab` of `12ab²`, but not a word or a unit."""
        found = _FIRST_OF_TWO.match(self.text, self.place)
        run = self.text[self.place : self.place + 2]
        if found is None or not self.place:
            return None
        other = is_unit(run) if self.text[self.place - 1].isdigit() else run in _SMALL_WORDS
        return None if other else found

    def _bracketed(self, depth: int) -> bool:
        closing = _CLOSES[self._peek()]
        self.place += 1
        if not self.sum(depth + 1) or self._peek() != closing:
            return False
        self.place += 1
        return True

    def _powers(self, depth: int) -> bool:
        self._raised()
        if self._peek() != "^":
            return True
        self.marked = True
        self.place += 1
        if self._peek() in "-−":
            self.place += 1
        return self._bracketed(depth) if self._peek() in _CLOSES else self._base(depth + 1)

    def _raised(self) -> None:
        raised = _RAISED.match(self.text, self.place)
        if raised is not None:
            self.marked = True
            self.place = raised.end()

    def _peek(self) -> str:
        return self.text[self.place : self.place + 1] or "\n"

    def _after_space(self) -> int:
        gap = _SPACE.match(self.text, self.place)
        return self.place if gap is None else gap.end()


def _is_measured(text: str, end: int) -> bool:
    """Whether a unit follows, and not more of the formula (`3 × 10⁸ m/s`)."""
    unit = _UNIT.match(text, end)
    return unit is not None and len(unit[1]) > 1 and is_unit(unit[1])


def typed_formulas(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each formula in plain type. Linear in the length."""
    place = count = 0
    while count < _MOST and (begun := _START.search(text, place)) is not None:
        start = begun.start()
        named = _INVERSE.match(text, start)
        reader = _Reader(text, named.end() if named is not None else start)
        if not reader.sum(0):
            place = begun.end() + 1
            continue
        end = reader.place
        place = max(end, begun.end() + 1)
        if (
            not reader.marked
            or (_GOES_ON.match(text, end) and not _is_measured(text, end))
            or _OPERATED.search(text[max(0, start - 12) : start])
        ):
            continue
        if text[start].isalpha() and is_unit(text[start:end]):
            continue
        count += 1
        yield start, end
