"""Functions, powers, products and sums."""

from fractions import Fraction

from grading.language import names
from grading.language.atoms import number
from grading.language.calculus import Calculus
from grading.language.kets import is_state
from grading.language.tree import (
    Call,
    Constant,
    Function,
    Matrix,
    Node,
    Number,
    Order,
    PlusMinus,
    Power,
    Product,
    Quotient,
    SetOperation,
    Symbol,
    Tuple,
)
from grading.language.tree import Sum as SumNode
from grading.language.walking import are_groups

MINUS_ONE = Number(Fraction(-1))
_CALLED = frozenset(["f", "g", "h", "F", "G", "H"])


def negative(node: Node) -> Node:
    """`-node`, folded into a number where it is one."""
    if isinstance(node, Number):
        return Number(-node.value, node.places, node.digits)
    return Product((MINUS_ONE, node))


def rotation(angle: Node) -> Node:
    """`cos + i sin` of an angle."""
    return Power(Constant("e"), Product((Constant("i"), angle)))


def transposed(node: Matrix | Tuple) -> Node:
    """A matrix with rows for columns; a tuple is row and column alike."""
    return Matrix(tuple(zip(*node.rows, strict=True))) if isinstance(node, Matrix) else node


def is_vector(node: Node) -> bool:
    """Whether a factor is written as a vector: with an arrow, in bold, as a unit vector, or made of such."""
    match node:
        case Symbol(name=name):
            return name.startswith(("vec:", "hat:"))
        case Function(name=name):
            return name == "cross"
        case Product(factors=parts):
            return any(is_vector(part) for part in parts)
        case SumNode(terms=parts):
            return all(is_vector(part) for part in parts)
    return False


_NABLA = Symbol("nabla")


class Expressions(Calculus):
    """Rules above the operand."""

    def sum(self) -> Node:
        """Terms joined by plus, minus and plus-minus."""
        with self.deeper():
            terms = [self._signed_term()]
            while self.at("+", "-", "pm", "mp"):
                terms.append(self._signed_term())
            return terms[0] if len(terms) == 1 else SumNode(tuple(terms))

    def _signed_term(self) -> Node:
        if self.accept("+"):
            return self._signed_term_after_plus()
        if self.accept("-"):
            return negative(self._signed_term_after_plus())
        if self.at("pm", "mp"):
            flipped = self.take().text == "mp"
            return PlusMinus(self.term(), flipped)
        return self.term()

    def _signed_term_after_plus(self) -> Node:
        with self.deeper():
            if self.at("-", "+", "pm", "mp"):
                return self._signed_term()
            return self.term()

    def term(self) -> Node:
        """Factors multiplied, with and without signs of multiplication, and divided."""
        with self.deeper():
            factors = [self.factor()]
            while True:
                if self.tokens[self.position].kind == "end":
                    return self._join(factors)
                if self.at("*", "times"):
                    self._multiply(factors, self.take().text)
                elif self.at("otimes"):
                    self._tensor(factors)
                elif self.at("/"):
                    self.take()
                    over = self._join(factors)
                    factors = [Quotient(over, self._denominator(over))]
                elif self.implicit_starts():
                    factors.append(self.factor())
                else:
                    return self._join(factors)

    def _multiply(self, factors: list[Node], sign: str) -> None:
        """A written product; a cross product where `\\times` stands between vectors."""
        following = self._factor_signed()
        if factors[-1] == _NABLA != following:
            # A divergence and a curl are no gradient: the sign tells that it works as a vector.
            factors[-1] = Symbol("vec:nabla")
            following = Function("cross", (factors.pop(), following)) if sign == "times" else following
            factors.append(following)
        elif sign == "times" and is_vector(factors[-1]) and is_vector(following):
            factors[-1] = Function("cross", (factors[-1], following))
        elif sign == "*" and are_groups((factors[-1], following)):
            factors[-1] = SetOperation("free", (factors[-1], following))
        else:
            factors.append(following)

    def _tensor(self, factors: list[Node]) -> None:
        """`|0\\rangle\\otimes|1\\rangle`; of anything else the order would be lost."""
        self.take()
        following = self.factor()
        if not all(isinstance(node, Symbol) and is_state(node.name) for node in (factors[-1], following)):
            raise self.error("tensor products are not of the language")
        factors.append(following)

    @staticmethod
    def _join(factors: list[Node]) -> Node:
        return factors[0] if len(factors) == 1 else Product(tuple(factors))

    def _factor_signed(self) -> Node:
        if self.accept("-"):
            return negative(self.factor())
        self.accept("+")
        return self.factor()

    def _denominator(self, over: Node) -> Node:
        """After a slash: `h/2m` divides by `2m`, `1/2 m` and `1/2m` are halves of `m`."""
        first = self._factor_signed()
        if isinstance(over, Number) and isinstance(first, Number):
            return first
        parts = [first]
        while self.token.kind in ("letter", "roman") and not self.token.space and isinstance(first, Number | Symbol):
            parts.append(self.factor())
        return self._join(parts)

    def implicit_starts(self) -> bool:
        """Whether the next token starts a factor of an unwritten product."""
        token = self.token
        if token.kind in ("letter", "roman"):
            return True
        if token.kind == "command":
            return token.text not in ("over", "choose", "atop", "end", "middle", "bmod", "pmod", "mod", "iff")
        if token.kind == "number":
            return self._number_may_follow()
        if token.kind == "word":
            return token.text not in names.JOINERS and token.text not in names.CONDITIONS
        if token.text in ("|", "||", "lvert", "<<") and (self.ket_ahead() or self.bra_ahead()):
            return True
        if token.text in ("|", "||"):
            return not self.open_bars
        if token.text in ("(", "[") and self.side_bracket():
            return False
        if token.text in ("[", "<<"):
            return self._closes(token.text, "]" if token.text == "[" else ">>")
        if token.text == "(" and self.ahead().text in ("mod", "pmod"):
            return False
        return token.text in ("(", "{", "lvert", "lfloor", "lceil", "...")

    def side_bracket(self) -> bool:
        """Whether a bracket opens here that holds a relation: a condition, not a factor (`(k \\in Z)`)."""
        depth = 0
        for token in self.tokens[self.position : self.position + 60]:
            if token.kind == "op" and token.text in ("(", "[", "{", "lbrace"):
                depth += 1
            elif token.kind == "op" and token.text in (")", "]", "}", "rbrace"):
                depth -= 1
                if depth <= 0:
                    return False
            elif depth == 1 and token.kind == "op" and token.text in names.RELATIONS:
                return True
        return False

    def _closes(self, opening: str, closing: str) -> bool:
        """Whether the bracket that opens here is closed by its partner; looks at most 300 tokens ahead."""
        depth = 0
        for token in self.tokens[self.position : self.position + 300]:
            depth += (token.text == opening) - (token.text == closing)
            if depth == 0:
                return True
        return False

    def _number_may_follow(self) -> bool:
        """Two numbers side by side are a product only before a power of ten (`6.02 10^{23}`)."""
        previous = self.tokens[self.position - 1]
        if previous.kind == "number" and self.tokens[self.position - 2].text != "_":
            return self.token.text == "10" and self.ahead().text == "^"
        return True

    def factor(self) -> Node:
        """An operand with its powers, factorials and signs of per cent or degree."""
        with self.deeper():
            base = self.called(self.atom())
            return self.postfix(base)

    def called(self, node: Node) -> Node:
        """`f(x)` or `u(x, t)`: a name before a bracket."""
        if not isinstance(node, Symbol) or not self.at("("):
            return node
        if node.name in ("zeta", "Gamma"):
            self.take()
            return Function(node.name.lower(), (self.bracket("("),))
        if node.name in ("O", "o", "Theta"):
            self.take()
            return self._order(node.name)
        head = node.name.partition("_")[0].rstrip("'")
        known = head in _CALLED or names.ORDERED.fullmatch(node.name) is not None
        if not known and not self._comma_inside() and not self._is_left_side():
            return node
        argument = self.bracket("(") if self.accept("(") else node
        if isinstance(argument, Tuple):
            if node.name == "C" and len(argument.items) == 2:
                return Function("binomial", argument.items)
            return Call(node.name, argument.items)
        return Call(node.name, (argument,))

    def _order(self, letter: str) -> Node:
        argument = self.bracket("(")
        return Order(letter, argument)

    def _is_left_side(self) -> bool:
        """Whether the answer begins `E(r) =`: a function of one small letter, not a product."""
        behind = [token.text for token in self.tokens[self.position : self.position + 4]]
        if self.position != 1 or len(behind) < 4 or behind[0] != "(" or behind[2:] != [")", "="]:
            return False
        return (len(behind[1]) == 1 or behind[1] in names.GREEK) and behind[1].islower()

    def _comma_inside(self) -> bool:
        """Whether the bracket that opens here holds a comma of its own; looks at most 40 tokens ahead."""
        depth = 0
        for token in self.tokens[self.position : self.position + 40]:
            if token.text in ("(", "[", "{"):
                depth += 1
            elif token.text in (")", "]", "}"):
                depth -= 1
                if depth == 0:
                    return False
            elif token.text == "," and depth == 1:
                return True
        return False

    def postfix(self, base: Node) -> Node:
        """Powers, factorials, per cent, degrees after an operand."""
        while True:
            if self.tokens[self.position].kind != "op":
                return base
            if self.at("^") and isinstance(base, Matrix | Tuple) and self._transposes():
                base = transposed(base)
            elif self.at("^") and not isinstance(base, Symbol) and self._starred():
                base = Function("conj", (base,))
            elif self.at("^"):
                self.take()
                base = self._subscripted(Power(base, self.exponent()))
            elif self.at("!"):
                base = self._factorial(base)
            elif self.at("%"):
                self.take()
                base = Function("percent", (base,))
            elif self.at("deg"):
                base = self.degrees(base)
            elif self.at("'") and isinstance(base, SetOperation):
                self.take()
                base = Function("conj", (base,))
            elif self.at("'") and isinstance(base, Number):
                base = self._minutes(base)
            else:
                return base

    def _transposes(self) -> bool:
        """Consume the sign of a transpose, if it stands here: `^T`, `^{\\mathrm T}`, `^\\top`."""
        start = self.position
        self.take()
        depth = 0
        while self.accept("{"):
            depth += 1
        sign = self.take()
        if sign.text in ("T", "t", "top", "intercal") and all(self.accept("}") for _ in range(depth)):
            return True
        self.position = start
        return False

    def _starred(self) -> bool:
        """Consume the star of a conjugate (`(3+4i)^*`), if it stands here; a number after it is a factor's."""
        start = self.position
        self.take()
        braced = self.accept("{")
        star = self.take().text in ("*", "star")
        if star and (not braced or self.accept("}")) and self.token.kind != "number" and not self.at("("):
            return True
        self.position = start
        return False

    def _subscripted(self, power: Power) -> Node:
        """`v^2_0` is the square of `v_0`."""
        if self.at("_") and isinstance(power.base, Symbol):
            return Power(self.decorated(power.base.name), power.exponent)
        return power

    def _factorial(self, base: Node) -> Node:
        self.take()
        if self.at("!"):
            self.take()
            # Three signs are no factorial of a double one; of what they are no value is needed.
            return Function("factorial3" if self.accept("!") else "factorial2", (base,))
        return Function("factorial", (base,))

    def degrees(self, base: Node) -> Node:
        """`60^\\circ 42' 30''` in degrees."""
        self.take()
        if self.token.kind in ("letter", "roman") and self.token.text in ("C", "F") and not self.token_continues():
            raise self.error("degrees of temperature are a unit")
        parts = [base]
        while len(parts) < 3 and self.token.kind == "number" and self.ahead().text == "'":
            parts.append(self.atom())
            while self.accept("'"):
                pass
        return Function("degrees", tuple(parts))

    def _minutes(self, base: Number) -> Node:
        """`30'` and `15''` as parts of a degree."""
        parts: list[Node] = [Number(Fraction(0)), base]
        self.take()
        if self.accept("'"):
            parts.insert(0, Number(Fraction(0)))
        elif self.token.kind == "number" and self.ahead().text == "'":
            parts.append(self.atom())
            self.take()
            self.expect("'")
        return Function("degrees", tuple(parts))

    def token_continues(self) -> bool:
        """Whether the next letter goes on into a longer expression."""
        return self.ahead().kind in ("letter", "roman", "number") or self.ahead().text in ("_", "^", "'")

    def exponent(self) -> Node:
        """What is raised to: a group, or one signed operand (`e^-x`, `x^10`)."""
        with self.deeper():
            if self.accept("-"):
                return negative(self.exponent())
            self.accept("+")
            inner = self.atom() if self.at("{") else self._bare_exponent()
            if self.at("^"):
                self.take()
                return Power(inner, self.exponent())
            return inner

    def _bare_exponent(self) -> Node:
        if self.token.kind in ("letter", "roman"):
            return self._bare_letter()
        if self.token.kind == "number":
            return number(self.take())
        node = self.atom()
        return self._factorial(node) if self.at("!") and self.tokens[self.position - 1].text == ")" else node

    def command(self) -> Node:
        """A command: constant, fraction, root, function, sum or integral, environment, accent."""
        token = self.take()
        name = token.text
        if name == "pi" and self.at("_"):
            return self.decorated(name)
        if name in names.CONSTANTS:
            return Constant(names.CONSTANTS[name])
        if name == "sqrt":
            return self.root()
        found = self.derivative(name) or self.fraction(name) or self.large(name) or self.special(name)
        if found is not None:
            return found
        if f"\\{name}" in self.variables:
            return self.decorated(f"macro:{name}")
        if name in names.FUNCTIONS or name in ("gamma", "zeta"):
            return self.function(names.FUNCTIONS.get(name, name))
        self.position -= 1
        raise self.error(f"the command '\\{name}' is not of the language")

    def function(self, name: str) -> Node:
        """A function with its power and base: `\\sin^2 x`, `\\log_2 n`, `\\sinh^{-1}(1)`."""
        power: Node | None = None
        base: Node | None = None
        for _ in range(2):
            if self.at("^") and power is None:
                self.take()
                power = self.exponent()
            elif self.at("_") and base is None:
                self.take()
                base = self.tex_argument() if self.at("{") else self._bare_base()
        if power == MINUS_ONE and name in names.INVERSES:
            name, power = names.INVERSES[name], None
        applied = self.apply(name, base, self._argument(name))
        return applied if power is None else Power(applied, power)

    def _bare_base(self) -> Node:
        return self.tex_argument() if self.token.kind != "number" else number(self.take())

    def _argument(self, name: str) -> tuple[Node, ...]:
        if self.at("(", "[", "{", "lvert", "|"):
            braced = self.at("{")
            argument = self.atom()
            if braced and not isinstance(argument, Tuple):
                argument = self.postfix(argument)
            return argument.items if isinstance(argument, Tuple) else (argument,)
        if name in ("max", "min", "gcd", "lcm", "diag", "span") and self.at("lbrace"):
            inner = self.atom()
            return getattr(inner, "items", (inner,))
        return (self._run_argument(),)

    def _run_argument(self) -> Node:
        """An argument without brackets: factors up to a sign, a function, or a new bracket."""
        with self.deeper():
            if self.accept("-"):
                return negative(self._run_argument())
            factors = [self.factor()]
            while self._run_continues():
                factors.append(self.factor())
            if self.at("/") and self.ahead().kind == "number" and len(factors) == 1:
                self.take()
                return Quotient(factors[0], self.factor())
            return self._join(factors)

    def _run_continues(self) -> bool:
        token = self.token
        if token.kind in ("letter", "roman"):
            if token.text.startswith("vec:"):
                return self.tokens[self.position - 1].text.startswith(
                    "vec:"
                )  # `\\cos t \\mathbf i` is no cosine of `t i`.
            return not (token.text == "e" and self.ahead().text == "^") and not self.differential_ahead()
        if token.kind == "command":
            return token.text in names.CONSTANTS
        return token.kind == "number" and self.tokens[self.position - 1].kind != "number"

    def apply(self, name: str, base: Node | None, arguments: tuple[Node, ...]) -> Node:
        """The tree of a function; logarithms carry their base second."""
        if name == "sqrt":
            return Function("root", (*arguments, Number(Fraction(2))))
        if name == "cbrt":
            return Function("root", (*arguments, Number(Fraction(3))))
        if name == "lg":
            return Function("log", (*arguments, Number(Fraction(10))))
        if name == "cis" and base is None and len(arguments) == 1:
            return rotation(arguments[0])
        if name == "li" and base is not None:
            return Function("polylog", (base, *arguments))
        if name == "log" and base is not None:
            return Function("log", (*arguments, base))
        if name in ("ln", "log"):
            return Function("ln", arguments)
        if name in ("max", "min", "gcd", "lcm") and len(arguments) < 2:
            raise self.error(f"'{name}' compares two values or more")
        if base is not None:
            raise self.error(f"'{name}' takes no subscript")
        return Function(name, arguments)
