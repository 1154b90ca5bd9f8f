"""Sums, products, integrals, limits and derivatives: read as objects, not worked out."""

import re
from fractions import Fraction

from grading.language.atoms import Atoms
from grading.language.tokens import Token
from grading.language.tree import Bound, Constant, Node, Number, Relation, Sum, Symbol

_LARGE = {"sum": "sum", "prod": "product", "int": "integral", "lim": "limit", "iint": "", "oint": "", "iiint": ""}
_MAX_BODY = 400
_FRACTIONS = frozenset({"frac", "dfrac", "tfrac"})
_ENDS_TERM = frozenset({"+", "-", "=", "~=", "<", ">", "<=", ">=", ",", ";", "row", "&", "pm", "mp"})
_MIXED = re.compile(r"partial (\S+) partial (\S+)")
"""`\\partial x\\,\\partial y` below a second derivative."""


class Calculus(Atoms):
    """Rules for operators that bind a variable."""

    def differential_ahead(self) -> bool:
        """Whether `d` and a letter follow, as at the end of an integrand."""
        return self.token.text == "d" and self.ahead().kind == "letter" and self._in_integral()

    def _in_integral(self) -> bool:
        return getattr(self, "_integrals", 0) > 0

    def large(self, name: str) -> Node | None:
        """A sum, product, integral or limit whose command was just taken."""
        kind = _LARGE.get(name)
        if kind is None:
            return None
        if not kind:
            raise self.error("multiple integrals are not of the language")
        i_is_variable = "i" in self.variables
        lower, upper = self._limits(kind)
        found = self._integral(lower, upper) if kind == "integral" else self._bound(kind, lower, upper)
        if not i_is_variable:
            self.variables.discard("i")
        return found

    def _limits(self, kind: str) -> tuple[Node | None, Node | None]:
        lower: Node | None = None
        upper: Node | None = None
        for _ in range(2):
            if self.at("_"):
                self.take()
                lower = self._lower() if kind != "integral" else self.tex_or_signed()
            elif self.at("^"):
                self.take()
                upper = self.exponent() if kind != "integral" else self.tex_or_signed()
        return lower, upper

    def tex_or_signed(self) -> Node:
        """An integral's limit: unbraced it is one token, perhaps signed."""
        if self.at("-"):
            return self.exponent()
        return self.tex_argument()

    def _lower(self) -> Node:
        braced = self.at("{", "(")
        if not braced:
            return self.tex_argument()
        closing = "}" if self.take().text == "{" else ")"
        if self.token.text == "i":
            self.variables.add("i")
        found = self.relation() if not self._arrow() else self._limit_target()
        self.expect(closing)
        return found

    def _arrow(self) -> bool:
        return self.ahead().text == "->"

    def _limit_target(self) -> Node:
        """`x \\to 0`, and `x \\to 0^+` with its side, 1 or -1, as a third operand."""
        variable = Symbol(self.take().text)
        self.take()
        mark = self._side()
        if mark is None:
            return Relation((variable, self.sum()), ("->",))
        held = self.tokens[mark]
        self.tokens[mark] = Token("end", "", held.position)
        target = self.sum()
        self.tokens[mark] = held
        self.position = mark + 1
        braced = self.accept("{")
        side = Number(Fraction(-1 if self.take().text == "-" else 1))
        if braced:
            self.expect("}")
        return Relation((variable, target, side), ("->", "side"))

    def _side(self) -> int | None:
        """Index of the `^` of a `^+` or `^{-}` that ends a limit's target."""
        for index in range(self.position, len(self.tokens) - 3):
            mark, first, second, third = (token.text for token in self.tokens[index : index + 4])
            if mark == "^" and (second if first == "{" else first) in ("+", "-") and "}" in (second, third):
                return index
            if mark in ("}", ")"):
                return None
        return None

    def _bound(self, kind: str, lower: Node | None, upper: Node | None) -> Node:
        if upper is None and kind != "limit" and isinstance(lower, Relation):
            lower, upper = _in_bounds(lower)
        if not isinstance(lower, Relation) or not isinstance(lower.operands[0], Symbol):
            raise self.error(f"a {kind} needs a bound variable with its start")
        variable = lower.operands[0].name
        side = lower.operands[2] if kind == "limit" and len(lower.operands) > 2 else upper
        return Bound(kind, self.term(), variable, lower.operands[1], side)

    def _integral(self, lower: Node | None, upper: Node | None) -> Node:
        end = self._differential()
        if end is None and self._differential_moved():
            end = self._differential()
        if end is None:
            raise self.error("the integral has no differential")
        variable_token = self.tokens[end + 1]
        held = self.tokens[end]
        stop = Token("end", "", held.position)
        self.tokens[end] = stop
        empty = self.position == end
        body: Node = Number(Fraction(1)) if empty else self.sum()
        self.tokens[end] = held
        if self.position != end:
            raise self.error("the integrand could not be read")
        self.position = end + 1
        variable = self.factor()
        if not isinstance(variable, Symbol):
            raise self.error(f"'{variable_token.text}' is no variable of integration")
        return Bound("integral", body, variable.name, lower, upper)

    def _differential(self) -> int | None:
        """Index of the `d` of this integral's differential: the first one at its own level."""
        depth = inner = 0
        for index in range(self.position, min(len(self.tokens) - 1, self.position + _MAX_BODY)):
            token = self.tokens[index]
            if token.kind == "command" and token.text == "int" and depth == 0:
                inner += 1
            if token.text in ("{", "(", "[", "lvert"):
                depth += 1
            elif token.text in ("}", ")", "]", "rvert"):
                depth -= 1
                if depth < 0:
                    return None
            elif depth == 0 and token.text == "d" and self.tokens[index + 1].kind in ("letter", "roman"):
                if not inner:
                    return index
                inner -= 1
        return None

    def _differential_moved(self) -> bool:
        """Move the differential out of a numerator (`\\frac{dx}{x}` to `\\frac{1}{x} dx`); whether one was there."""
        depth = 0
        for index in range(self.position, min(len(self.tokens) - 3, self.position + _MAX_BODY)):
            token = self.tokens[index]
            if depth == 0 and token.text in _FRACTIONS and self.tokens[index + 1].text == "{":
                close = self.group_close(index + 1)
                if self.tokens[close - 2].text == "d" and self.tokens[close - 1].kind in ("letter", "roman"):
                    self._move(index + 1, close)
                    return True
            depth += (token.text in ("{", "(", "[")) - (token.text in ("}", ")", "]"))
            if depth < 0:
                return False
        return False

    def _move(self, opening: int, close: int) -> None:
        """Take `d x` from the end of the group and put it behind the term that the group belongs to."""
        sign, variable = self.tokens[close - 2 : close]
        one = [Token("number", "1", sign.position)] if close - 2 == opening + 1 else []
        self.tokens[close - 2 : close] = one
        depth, place = 0, self.position
        while place < len(self.tokens) - 1:
            text = self.tokens[place].text
            depth += (text in ("{", "(", "[", "lbrace")) - (text in ("}", ")", "]", "rbrace"))
            if depth < 0 or (depth == 0 and self.tokens[place].kind == "op" and text in _ENDS_TERM):
                break
            place += 1
        self.tokens[place:place] = [sign, variable]

    def derivative(self, name: str) -> Node | None:
        """`\\frac{d^2y}{dx^2}`, `\\frac{\\partial u}{\\partial t}` of a symbol; None for a plain fraction."""
        if name not in ("frac", "dfrac", "tfrac") or not self.at("{"):
            return None
        middle = self.group_close(self.position)
        if middle + 1 >= len(self.tokens) or self.tokens[middle + 1].text != "{":
            return None
        end = self.group_close(middle + 1)
        over = " ".join(token.text for token in self.tokens[self.position + 1 : middle])
        under = " ".join(token.text for token in self.tokens[middle + 2 : end])
        bottom = re.fullmatch(r"(d|partial) (\S+(?: _ \S+| _ { [^}]* })?)(?: \^ (?:{ )?(\d)(?: })?)?", under)
        mixed = _MIXED.fullmatch(under)
        if mixed is not None and over.startswith("partial ^ 2 "):
            self.position = end + 1
            variables = ",".join(sorted((_joined(mixed[1]), _joined(mixed[2]))))
            return Symbol(f"P2[{_joined(over[len('partial ^ 2 ') :])};{variables}]")
        top = re.match(r"(d|partial)(?: \^ (?:{ )?(\d)(?: })?)?(?= |$)", over)
        if not bottom or not top or top.group(1) != bottom.group(1) or top.group(2) != bottom.group(3):
            return None
        return self._derivative_of(over[top.end() :].strip(), bottom, int(top.group(2) or 1), end)

    def _derivative_of(self, inner: str, bottom: re.Match[str], order: int, end: int) -> Node:
        kind = "D" if bottom.group(1) == "d" else "P"
        variable = _joined(bottom.group(2))
        self.position = end + 1
        if not inner:
            body = self.factor()
            if isinstance(body, Symbol):
                return Symbol(f"{kind}{order}[{body.name};{variable}]")
            return Bound("derivative", body, variable, Number(Fraction(order)), None)
        return Symbol(f"{kind}{order}[{_joined(inner)};{variable}]")


def _joined(text: str) -> str:
    """The canonical name of a symbol from its tokens."""
    return re.sub(r"[{} ]", "", text)


def _in_bounds(stated: Relation) -> tuple[Node, Node | None]:
    """`n >= 1` under a sum as `n = 1` to infinity, `1 <= k < n` as `k = 1` to `n - 1`; anything else as it is."""
    one, signs, operands = Number(Fraction(1)), stated.operators, stated.operands
    match operands:
        case (Symbol() as letter, low) if signs in ((">=",), (">",)):
            start = low if signs == (">=",) else Sum((low, one))
            return Relation((letter, start), ("=",)), Constant("inf")
        case (low, Symbol() as letter, high) if set(signs) <= {"<", "<="}:
            start = low if signs[0] == "<=" else Sum((low, one))
            stop = high if signs[1] == "<=" else Sum((high, Number(Fraction(-1))))
            return Relation((letter, start), ("=",)), stop
    return stated, None
