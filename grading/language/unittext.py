"""Reads units from tokens: `m/s^2`, `\\mathrm{kJ\\,mol^{-1}}`, `^\\circ C`, `10^{-23} s`, `cm^3`, `per cent`."""

from fractions import Fraction

from grading.language import units
from grading.language.limits import LanguageError
from grading.language.tokens import Token, tokenize
from grading.language.units import ONE, Unit

_FRACTIONS = ("frac", "dfrac", "tfrac")
_PER = frozenset({"/", "per", "pro", "par", "por"})
_FILLERS = frozenset({"unit", "units"})
_SIGNS = frozenset({"%", "deg", "permille"})
_MAX_TOKENS = 60
_TIMES = frozenset({"second", "minute", "hour", "day", "week", "month", "year"})
"""Hours a day are hours."""
_SYMBOL = 3
"""Letters of the longest symbol of a unit that is not told from a word by its length."""
_LIGHT = Unit(Fraction(299792458), (("m", 1), ("s", -1)))
_COMPOUNDS: dict[tuple[str, ...], str] = {
    ("r", "/", "min"): "rpm",
    **{("light", joint, word): "ly" for joint in ("-",) for word in ("year", "years", "yr")},
    **{("light", word): "ly" for word in ("year", "years")},
    **{("astronomical", word): "au" for word in ("unit", "units")},
    **{("metric", word): "t" for word in ("ton", "tons", "tonne", "tonnes")},
    **{("nautical", word): "nmi" for word in ("mile", "miles")},
}
"""Names of several words, longer ones first."""
_BEGINNINGS = frozenset({"c", *(words[0] for words in _COMPOUNDS)})


class UnitReader:
    """Recursive descent over at most 60 tokens, from `start` to `stop`."""

    def __init__(self, tokens: list[Token], start: int, stop: int) -> None:
        self.tokens = tokens
        self.start = self.position = start
        self.stop = min(stop, start + _MAX_TOKENS)
        self.depth = 0

    def text(self) -> str:
        """The next token's text, empty at the end."""
        return self.tokens[self.position].text if self.position < self.stop else ""

    def product(self) -> Unit | None:
        """Factors multiplied or divided; after a slash everything beside belongs below it."""
        self.depth += 1
        if self.depth > 8:
            return None
        result = self.factor(1)
        sign = 1
        while result is not None and self.position < self.stop and self.text() not in (")", "}"):
            if self.text() == "-" and not self._is_hyphen():
                return None
            if self.text() in ("*", ".", "-", "times"):
                self.position += 1
            elif self.text() in _PER or (each := self._each()):
                self.position += 1 if self.text() in _PER else each
                sign = -1
            elif self.tokens[self.position].kind == "number":
                return None
            found = self.factor(1)
            result = result.times(found, sign) if found is not None else None
        self.depth -= 1
        return result

    def _each(self) -> int:
        """The tokens of an article between two words that means `per`: `tonnes a hectare`, `miles an hour`."""
        if self.text() != "a" or self.position == self.start:
            return 0
        count = 2 if self.position + 1 < self.stop and self.tokens[self.position + 1].text == "n" else 1
        sides = (self.tokens[self.position - 1], *self.tokens[self.position + count : self.stop][:1])
        if len(sides) == 1 or any(len(each.text) <= _SYMBOL for each in sides):
            return 0
        return 0 if all(each.text.rstrip("s") in _TIMES for each in sides) else count

    def _is_hyphen(self) -> bool:
        """Whether a minus joins two names without space (`5 N-m`): in `3(m - 2)` and `3m-s` it takes away."""
        before, behind = self.tokens[self.position - 1], self.tokens[self.position + 1 : self.stop][:1]
        if self.tokens[self.position].space or not behind or behind[0].space or behind[0].kind == "number":
            return False
        upright = before.kind in ("roman", "word") and behind[0].kind in ("roman", "word")
        return upright or (self.depth == 1 and (not self.start or self.tokens[self.start].space))

    def factor(self, power: int) -> Unit | None:
        """One unit with its exponent."""
        text = self.text()
        if text in ("square", "cubic", "sq", "cu"):
            self.position += 1
            found = self.factor(power)
            return ONE.times(found, 2 if text.startswith("s") else 3) if found is not None else None
        base = self.base()
        if base is None:
            return None
        exponent = self.exponent()
        if exponent is None:
            return None
        return base if exponent == 1 else ONE.times(base, exponent)

    def base(self) -> Unit | None:
        """A name, a group, a fraction of units or a power of ten."""
        text = self.text()
        if not text:
            return None
        if text in ("(", "{", "["):
            self.position += 1
            inner = self.product()
            closed = self.text() in (")", "}", "]")
            self.position += 1
            return inner if closed else None
        if text in _FRACTIONS:
            return self._fraction()
        if self.tokens[self.position].kind == "number":
            return self._number()
        return self._named()

    def _fraction(self) -> Unit | None:
        self.position += 1
        over = self.base()
        under = self.base()
        return over.times(under, -1) if over is not None and under is not None else None

    def _number(self) -> Unit | None:
        text = self.text()
        self.position += 1
        if not text.strip("0."):
            return None  # Nothing is measured in no kilograms.
        try:
            return Unit(Fraction(text), ()) if len(text) < 20 else None
        except ValueError:
            return None

    def _named(self) -> Unit | None:
        if self.text() in ("deg", "degree", "degrees"):
            self.position += 1
            if self.text() in ("C", "F", "Celsius", "celsius", "Fahrenheit", "fahrenheit", "centigrade"):
                self.position += 1
                return units.named("deg" + self.tokens[self.position - 1].text[0].upper())
            return units.named("deg")
        compound = self._compound()
        if compound is not None:
            return compound
        name, after = self._name()
        if name in _FILLERS:
            self.position = after
            return ONE
        found = units.named(name)
        if found is None and name[:1] == "°":
            return None
        self.position = after
        return found

    def _compound(self) -> Unit | None:
        """Units of two words (`light-years`), and the speed of light below an energy (`GeV/c^2`)."""
        if self.text() not in _BEGINNINGS:
            return None
        words = [token.text for token in self.tokens[self.position : min(self.position + 3, self.stop)]]
        for parts, spelling in _COMPOUNDS.items():
            if tuple(words[: len(parts)]) == parts:
                self.position += len(parts)
                return units.named(spelling)
        before = self.tokens[self.position - 1].text if self.position > 1 else ""
        if words[:1] == ["c"] and before == "/" and self._after_energy():
            self.position += 1
            return _LIGHT
        return None

    def _after_energy(self) -> bool:
        """Whether an electronvolt stands before the slash."""
        spelt = "".join(token.text for token in self.tokens[max(0, self.position - 8) : self.position - 1])
        return spelt.rstrip("}").endswith("eV")

    def _name(self) -> tuple[str, int]:
        """A name joined from letters that stand without space, `\\mu` with what follows."""
        token = self.tokens[self.position]
        name, index = token.text, self.position + 1
        if token.kind not in ("letter", "roman"):
            return name, index
        while index < self.stop:
            following = self.tokens[index]
            beside = not following.space or name == "mu"
            if token.kind == "roman" and beside and following.text == "Omega" and index == self.position + 1:
                return name + following.text, index + 1
            if following.kind not in ("letter", "roman", "word") or not beside or len(name) > 12:
                break
            if token.kind == "roman" and name != "mu":
                break
            name, index = name + following.text, index + 1
        return name, index

    def exponent(self) -> int | None:
        """An integer exponent, 1 where there is none; `squared` and `cubed` are exponents in words."""
        if self.text() in ("squared", "cubed"):
            self.position += 1
            return 2 if self.tokens[self.position - 1].text == "squared" else 3
        if self.text() == "^":
            self.position += 1
            closing = "}" if self.text() == "{" else ")" if self.text() == "(" else ""
            self.position += 1 if closing else 0
            sign = -1 if self.text() == "-" else 1
            self.position += 1 if self.text() in ("-", "+") else 0
            digits = self.text()
            self.position += 1
            if closing:
                closed = self.text() == closing
                self.position += 1
                if not closed:
                    return None
            return sign * int(digits) if digits.isdigit() and len(digits) < 3 else None
        beside = self.position < self.stop and not self.tokens[self.position].space
        if beside and self.text() in ("2", "3") and self.tokens[self.position - 1].kind in ("letter", "word", "roman"):
            self.position += 1
            return int(self.tokens[self.position - 1].text)
        return 1


def read_unit(tokens: list[Token], start: int, stop: int) -> Unit | None:
    """The unit that tokens `start`..`stop` spell in full, or None."""
    reader = UnitReader(tokens, start, stop)
    if stop - start > _MAX_TOKENS or start >= stop:
        return None
    if not any(token.kind not in ("number", "op") or token.text in _SIGNS for token in tokens[start:stop]):
        return None  # `(100)(5^2)` is a number.
    try:
        unit = reader.product()
    except (IndexError, KeyError, ZeroDivisionError):
        return None
    return unit if reader.position == stop else None


def is_spelt(text: str) -> bool:
    """Whether a text that is prepared already spells a unit."""
    try:
        tokens = tokenize(text.strip())
    except LanguageError:
        return False
    return read_unit(tokens, 0, len(tokens) - 1) not in (None, ONE)
