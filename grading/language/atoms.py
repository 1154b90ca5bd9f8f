"""Atoms of the grammar: numbers, symbols with their decorations, groups, brackets, fractions, roots, accents."""

from fractions import Fraction

from grading.language import names
from grading.language.kets import Kets
from grading.language.limits import MAX_ITEMS, TooLargeError
from grading.language.tokens import Token
from grading.language.tree import (
    Constant,
    Ellipsis,
    Function,
    Indexed,
    Interval,
    NamedSet,
    Node,
    Number,
    Quotient,
    SetOf,
    Symbol,
    Tuple,
)

_FRACTIONS = frozenset({"frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac", "flatfrac"})
_BINOMIALS = frozenset({"binom", "dbinom", "tbinom"})
_BASES = {"two": "2", "three": "3", "five": "5", "eight": "8", "ten": "10", "sixteen": "16", "hex": "16", "bin": "2"}
_CLOSERS = {"(": ")", "[": "]", "<<": ">>", "lbrace": "rbrace"}


def number(token: Token) -> Number:
    """An exact rational from a literal."""
    text = token.text.lower()
    mantissa, _, exponent = text.partition("e")
    places = len(mantissa.partition(".")[2]) if "." in mantissa and not mantissa.endswith(".") else None
    if exponent and abs(int(exponent)) > 5000:
        raise TooLargeError("the exponent of a literal is beyond 5000", token.position)
    value = Fraction(int(mantissa)) if mantissa.isdigit() else Fraction(mantissa.rstrip("."))
    if exponent:
        power = int(exponent)
        value *= Fraction(10) ** power
        places = max(0, (places or 0) - power)
    digits = len(mantissa.replace(".", "").lstrip("0"))
    return Number(value, places, digits)


class Atoms(Kets):
    """Rules for one operand."""

    def atom(self) -> Node:
        """One operand without its powers. Raises LanguageError."""
        with self.deeper():
            token = self.token
            if token.kind == "number":
                return self._number()
            if token.kind in ("letter", "roman"):
                return self.symbol()
            if token.kind == "command":
                return self.command()
            if token.kind == "word":
                return self._word()
            return self._bracketed()

    def _number(self) -> Node:
        token = self.take()
        literal = number(token)
        if self.at("_") and literal.places is None:
            return self._based(token)
        return self._mixed(literal)

    def _based(self, token: Token) -> Node:
        """`204_5`: digits in a stated base."""
        self.take()
        written = self._subscript_text()
        written = _BASES.get(written, written)
        base = int(written) if written.isascii() and written.isdigit() and len(written) < 4 else 0
        if not 2 <= base <= 36:
            raise self.error("a base lies between 2 and 36")
        try:
            value = int(token.text, base)
        except ValueError:
            raise self.error(f"{token.text} has digits beyond base {base}") from None
        return Function("based", (Number(Fraction(value)), Number(Fraction(base))))

    def _mixed(self, whole: Number) -> Node:
        """`2\\frac13` and `2 1/3`: a whole number and a proper fraction beside it."""
        if whole.places is not None or not whole.value:
            return whole
        start = self.position
        if self.token.kind == "command" and self.token.text in _FRACTIONS:
            part = self.command()
        elif self.token.kind == "number" and self.token.space and self.ahead().text == "/":
            over = number(self.take())
            self.take()
            if self.token.kind != "number":
                self.position = start
                return whole
            part = Quotient(over, number(self.take()))
        else:
            return whole
        if isinstance(part, Quotient) and isinstance(part.over, Number) and isinstance(part.under, Number):
            proper = 0 < part.over.value < part.under.value and part.over.places is None is part.under.places
            if proper and not self._continues():
                return Number(whole.value + part.over.value / part.under.value)
        self.position = start
        return whole

    def _continues(self) -> bool:
        """Whether a factor follows that makes a mixed number unlikely (`2\\frac12 x`)."""
        return self.token.kind in ("letter", "command") or self.at("(", "^", "{", "!")

    def symbol(self) -> Node:
        """A letter with subscripts, primes and decorations; or one of the constants e, i, pi; or a number set."""
        token = self.take()
        name = token.text
        if name.startswith("bb:"):
            return self._number_set(name)
        if name == "pi" and not self.at("_"):
            return Constant("pi")
        if name in ("e", "i") and name not in self.variables and not self.at("_", "'") and not self._names_a_function():
            return Constant(name)
        return self.decorated(name)

    def _names_a_function(self) -> bool:
        """Whether `i(t) =`, a current, begins the answer."""
        behind = [token.text for token in self.tokens[self.position : self.position + 4]]
        return self.position == 1 and behind in (["(", "t", ")", "="], ["(", "t", ")", "~="])

    def _number_set(self, name: str) -> Node:
        letter = name[3:]
        if letter in names.SETS and not self.at("_", "^"):
            return NamedSet(letter)
        sign = ""
        while self.at("_", "^") and not (self.at("^") and self.ahead().kind == "number"):
            mark = self.take().text
            sign += mark + self._subscript_text().replace("times", "*")
        return Symbol(name + sign) if sign else NamedSet(letter)

    def decorated(self, name: str) -> Node:
        """Read what belongs to the name of a symbol after its letter."""
        index: Node | None = None
        while True:
            if self.at("_"):
                self.take()
                start = self.position
                text = self._subscript_text()
                if len(text) > 1 and text[-1] not in "+-" and any(sign in text for sign in "+-*/"):
                    index = self._reread(start)
                else:
                    name = f"{name}_{text}"
            elif self.at("'"):
                self.take()
                name += "'"
            elif self.at("^") and self._decoration():
                name += self._decoration_text()
            elif self._digit_suffix(name):
                name = f"{name}_{self.take().text}"
            else:
                return Indexed(name, index) if index is not None else Symbol(name)

    def _digit_suffix(self, name: str) -> bool:
        """`x1` without a space is `x_1`."""
        token = self.token
        plain = len(name) == 1 and name.isalpha()
        return plain and token.kind == "number" and not token.space and token.text.isdigit() and len(token.text) <= 2

    def _reread(self, start: int) -> Node:
        end, self.position = self.position, start
        braced = self.accept("{")
        node = self.sum()
        if braced:
            self.expect("}")
        if self.position != end:
            raise self.error("unreadable subscript")
        return node

    def _decoration(self) -> bool:
        """`^*`, `^\\dagger`, `^{\\prime}`, `^{*}`, `^{(1)}`: part of the name, not a power."""
        first, second = self.ahead(1), self.ahead(2)
        inner = second if first.text == "{" else first
        return inner.text in ("*", "'", "dagger", "star") or (
            first.text == "{" and inner.text in ("+", "-") and self.ahead(3).text == "}"
        )

    def _decoration_text(self) -> str:
        self.take()
        text = self._subscript_text()
        return text if set(text) == {"'"} else f"^{text}"

    def _subscript_text(self) -> str:
        """The raw text of a subscript or of a decoration, styles dropped."""
        if not self.at("{"):
            token = self.take()
            return token.text
        close = self.group_close(self.position)
        inside = self.tokens[self.position + 1 : close]
        self.position = close + 1
        return "".join(token.text for token in inside if token.text not in ("{", "}"))

    def tex_argument(self) -> Node:
        """The argument of a LaTeX command: a brace group, or one token (of a number, one digit)."""
        with self.deeper():
            token = self.token
            if token.text == "{":
                return self._bracketed()
            if token.kind == "number" and len(token.text) > 1 and token.text.isdigit():
                rest = Token("number", token.text[1:], token.position + 1)
                self.tokens[self.position] = rest
                return Number(Fraction(int(token.text[0])))
            if token.kind == "number":
                return number(self.take())
            if token.kind in ("letter", "roman"):
                return self._bare_letter()
            return self.atom()

    def _bare_letter(self) -> Node:
        name = self.take().text
        if name == "pi":
            return Constant("pi")
        if name in ("e", "i") and name not in self.variables:
            return Constant(name)
        return NamedSet(name[3:]) if name.startswith("bb:") else Symbol(name)

    def fraction(self, name: str) -> Node | None:
        """`\\frac`, `\\binom` and their kin."""
        if name in _FRACTIONS:
            over = self.tex_argument()
            return Quotient(over, self.tex_argument())
        if name == "based":
            value = self.tex_argument()
            return Function("based", (value, self.tex_argument()))
        if name in _BINOMIALS:
            over = self.tex_argument()
            return Function("binomial", (over, self.tex_argument()))
        return None

    def root(self) -> Node:
        """`\\sqrt[n]{x}`, `sqrt(x)`, `√2`."""
        degree: Node | None = None
        if self.at("[") and self.tokens[self.position - 1].position < self.token.position:
            self.take()
            degree = self.sum()
            self.expect("]")
        plain = not self.tokens[self.position].text.startswith("{") and self.token.kind == "number"
        radicand = self.atom() if plain or self.at("(") else self.tex_argument()
        return Function("root", (radicand, degree or Number(Fraction(2))))

    def _word(self) -> Node:
        token = self.take()
        if token.text in names.JOINERS or token.text in names.CONDITIONS:
            self.position -= 1
            raise self.error("a value was expected")
        return self.decorated(token.text)

    def _bracketed(self) -> Node:
        state = self.dirac()
        if state is not None:
            return state
        token = self.take()
        text = token.text if token.kind == "op" else ""
        if text in ("lvert", "|", "||"):
            return self._absolute(text)
        if text in ("lfloor", "lceil"):
            inner = self.sum()
            self.expect("r" + text[1:])
            return Function(text[1:], (inner,))
        if text == "{":
            return self._group()
        if text in ("(", "[", "]", "<<", "lbrace"):
            return self.bracket(text)
        if text == "...":
            return self.dots()
        self.position -= 1 if token.kind != "end" else 0
        raise self.error("a value was expected")

    def dots(self) -> Node:
        """An ellipsis."""
        return Ellipsis()

    def _absolute(self, opening: str) -> Node:
        closing = {"lvert": "rvert", "|": "|", "||": "||"}[opening]
        outer, self.open_bars = self.open_bars, 1
        inner = self.sum()
        self.open_bars = outer
        if closing == "rvert" and self.at("|"):
            closing = "|"
        self.expect(closing)
        return Function("abs", (inner,))

    def _group(self) -> Node:
        """A brace group, with the old infix commands `\\over` and `\\choose`."""
        outer, self.open_bars = self.open_bars, 0
        if self.at("}"):
            raise self.error("an empty group")
        inner = self.items("}")
        if self.token.kind == "command" and self.token.text in ("over", "choose", "atop"):
            name = self.take().text
            other = self.sum()
            first = inner[0]
            inner = [Quotient(first, other) if name == "over" else Function("binomial", (first, other))]
        self.expect("}")
        self.open_bars = outer
        return inner[0] if len(inner) == 1 else Tuple(tuple(inner), "{}")

    def items(self, *closers: str) -> list[Node]:
        """Members separated by commas or semicolons, up to one of `closers` (not consumed)."""
        found = [self.item()]
        while not self.at(*closers):
            if not self.accept(",", ";"):
                break
            if self.at(*(closer for closer in closers if closer != "[")):
                break
            found.append(self.item())
            if len(found) > MAX_ITEMS:
                raise TooLargeError(f"more than {MAX_ITEMS} members", self.token.position)
        return found

    def plain_bracket(self, opening: str) -> Node:
        """`(`, `[`, `]` or `<<`: a group when one member stands inside, else a tuple or an interval."""
        outer, self.open_bars = self.open_bars, 0
        closers = (")", "]", "[") if opening != "<<" else (">>",)
        inner = self.items(*closers)
        closing = self.take().text
        self.open_bars = outer
        if closing not in closers or (closing == "[" and (len(inner) != 2 or opening == "(")):
            self.position -= 1
            raise self.error(f"the bracket '{opening}' is not closed")
        matched = _CLOSERS.get(opening) == closing
        if len(inner) == 1 and matched and opening != "<<":
            return inner[0]
        if len(inner) == 2 and not matched:
            return Interval(inner[0], inner[1], opening == "[", closing == "]")
        if not matched:
            raise self.error("brackets do not match")
        return Tuple(tuple(inner), opening + closing if opening != "<<" else "<>")

    def finite_set(self, items: list[Node]) -> Node:
        """`\\{a, b\\}`; the empty one is the empty set."""
        return SetOf(tuple(items)) if items else NamedSet("empty")
