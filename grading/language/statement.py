"""Relations, sets, environments and lists: the top of the grammar."""

from fractions import Fraction

from grading.language import names
from grading.language.expression import Expressions, negative, rotation
from grading.language.limits import MAX_ITEMS, TooLargeError
from grading.language.tree import (
    Builder,
    Constant,
    Function,
    Listing,
    Matrix,
    NamedSet,
    Node,
    Number,
    Piecewise,
    PlusMinus,
    Product,
    Quotient,
    Ratio,
    Relation,
    Restated,
    SetOf,
    SetOperation,
    Symbol,
    Tuple,
)
from grading.language.tree import Sum as SumNode
from grading.language.walking import walk

_SET_SIGNS = {"cup": "union", "cap": "intersection", "setminus": "difference", "oplus": "plus"}
_MATRICES = frozenset({"matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "array"})
_ROWS = frozenset({"cases", "dcases", "rcases", "aligned", "align", "align*", "gathered", "split"})
_MOST_FORMS = 6
ZERO = Number(Fraction(0))
_ACCENT_NAMES = {"widehat": "hat", "widetilde": "tilde", "overrightarrow": "vec", "overline": "bar"}


class Statements(Expressions):
    """The grammar of a whole answer."""

    def answer(self) -> Node:
        """Everything up to the end, or up to words of condition. Raises LanguageError for what is left over."""
        forms = [self._statement()]
        while self._restates():
            self.take()
            forms.append(self._statement())
            if len(forms) > _MOST_FORMS:
                raise TooLargeError(f"the same said more than {_MOST_FORMS} times", self.token.position)
        return forms[0] if len(forms) == 1 else Restated(tuple(forms))

    def _restates(self) -> bool:
        return self.token.kind == "command" and self.token.text == "iff"

    def _statement(self) -> Node:
        items, joiner = [self.relation()], ","
        while self.at(",", ";", "row") or self.at_word("and", "or") or self._past_condition() or self._side_follows():
            if self._side_follows():
                items.extend(self._bracketed_conditions())
                continue
            word = self._separator()
            joiner = word if word in ("or",) or joiner == "," else joiner
            if self.token.kind == "end" or self._at_condition() or self._restates():
                break
            items.append(self.relation())
            if len(items) > MAX_ITEMS:
                raise TooLargeError(f"more than {MAX_ITEMS} answers", self.token.position)
        if self._modulus_follows():
            items = self._congruences(items)
        if self.token.kind != "end" and not self._at_condition() and not self._restates():
            raise self.error("unreadable after the answer")
        return items[0] if len(items) == 1 else Listing(tuple(items), joiner)

    def _separator(self) -> str:
        """One separator, or a comma and a word (`, and`)."""
        first = self.take()
        if first.text in (",", ";", "row") and self.token.kind == "word" and self.token.text in ("and", "or"):
            return self.take().text
        return first.text if first.kind == "word" else ","

    def _side_follows(self) -> bool:
        return self.at("(", "[") and self.side_bracket()

    def _bracketed_conditions(self) -> list[Node]:
        """Conditions in brackets after an answer."""
        closing = {"(": ")", "[": "]"}[self.take().text]
        found = self.items(closing)
        self.expect(closing)
        return found

    def _past_condition(self) -> bool:
        """Pass over "for all x in Q," where another answer follows after "and"."""
        if not self.at_word("for"):
            return False
        for place in range(self.position, len(self.tokens) - 1):
            token, following = self.tokens[place], self.tokens[place + 1]
            if token.text == "," and following.kind == "word" and following.text == "and":
                self.position = place
                return True
        return False

    def _at_condition(self) -> bool:
        return self.token.kind == "word" and self.token.text in names.CONDITIONS

    def relation(self) -> Node:
        """Operands chained by relations."""
        with self.deeper():
            operands = [self.set_expression()]
            operators: list[str] = []
            while self.token.kind == "op" and self.token.text in names.RELATIONS:
                operators.append(self.take().text)
                operands.append(_as_set(self.set_expression(), operators[-1]))
            found = operands[0] if not operators else Relation(tuple(operands), tuple(operators))
            return self._congruence(found)

    def _modulus_follows(self) -> bool:
        inner = self.ahead() if self.at("(") else self.token
        return inner.kind == "command" and inner.text in ("pmod", "mod")

    def _congruence(self, found: Node) -> Node:
        """`x \\equiv 3 \\pmod 7`: `x` is a member of `7k + 3`, k an integer. A list waits for its end."""
        if not isinstance(found, Relation) or found.operators != ("=",) or not self._modulus_follows():
            return found
        modulus = self._modulus()
        return Relation((found.operands[0], _class(found.operands[1], modulus)), ("in",))

    def _congruences(self, items: list[Node]) -> list[Node]:
        """`x \\equiv 1, 4 \\pmod 5`, `3 \\pmod 7`: a modulus that stands after several rests, or after a rest alone."""
        first, *others = items
        if any(isinstance(item, Relation) for item in others) or not all(map(_is_rest, others)):
            raise self.error("a modulus belongs to a congruence")
        whole = isinstance(first, Relation) and first.operators in (("=",), ("in",))
        if not whole and (others or not _is_rest(first)):
            raise self.error("a modulus belongs to a congruence")
        modulus = self._modulus()
        if not isinstance(first, Relation):
            return [_class(first, modulus)]
        rests = [first.operands[1], *others]
        return [Relation((first.operands[0], _class(rest, modulus)), ("in",)) for rest in rests]

    def _modulus(self) -> Node:
        bracketed = self.accept("(")
        self.take()
        modulus = self.tex_argument() if self.at("{") else self.sum()
        if bracketed:
            self.expect(")")
        return modulus

    def set_expression(self) -> Node:
        """Unions, intersections, differences and ratios."""
        left = self.sum()
        if self.tokens[self.position].kind == "end":
            return left
        if self.token.kind == "command" and self.token.text == "bmod":
            self.take()
            left = Function("mod", (left, self.sum()))
        while self.at("cup", "cap", "setminus", "oplus"):
            operation = _SET_SIGNS[self.take().text]
            left = SetOperation(operation, (left, self.sum()))
        if self.at(":") and not getattr(self, "_in_builder", False):
            parts = [left]
            while self.accept(":"):
                parts.append(self.sum())
            return Ratio(tuple(parts))
        return left

    def item(self) -> Node:
        """A member of a list may be a relation."""
        if self.at(",", ";"):
            raise self.error("a value was expected")
        return self.relation()

    def bracket(self, opening: str) -> Node:
        """Round, square and angle brackets; braces make sets."""
        if opening != "lbrace":
            return self.plain_bracket(opening)
        outer, self.open_bars = self.open_bars, 1
        found = self._set()
        self.open_bars = outer
        return found

    def _set(self) -> Node:
        if self.accept("rbrace"):
            return NamedSet("empty")
        self._in_builder = True
        items = self.items("rbrace", "|", ":")
        if not self.at("|", ":"):
            self._in_builder = False
            self.expect("rbrace")
            return self.finite_set(items)
        self.take()
        conditions = [self.relation()]
        while self.accept(",", ";") or self.at_word("and"):
            if self.at_word("and"):
                self.take()
            conditions.append(self.relation())
        if self.at_word("or") and len(conditions) == 1:
            self.take()
            conditions = [Listing((conditions[0], self.relation()), "or")]
        self._in_builder = False
        self.expect("rbrace")
        return Builder(items[0] if len(items) == 1 else Tuple(tuple(items)), tuple(conditions))

    def special(self, name: str) -> Node | None:
        """Commands with a meaning of their own."""
        if name in names.ACCENTS:
            return self._accent(_ACCENT_NAMES.get(name, name))
        if name == "begin":
            return self._environment()
        if name in ("emptyset", "varnothing", "O"):
            return NamedSet("empty")
        if name in ("angle", "triangle"):
            return self._named_figure(name)
        state = self.named_state(name)
        if state is not None:
            return state
        if name in ("Re", "Im"):
            return self.function(name.lower())
        if name in ("AA", "angstrom"):
            return Symbol("AA")
        return None

    def _named_figure(self, name: str) -> Node:
        """`\\angle ABC`: the letters are points; before a number it is the argument of a phasor."""
        if name == "angle" and (self.token.kind == "number" or self.at("-", "(", "{") or self.token.text == "pi"):
            return self._phasor()
        letters = ""
        while self.token.kind in ("letter", "roman") and len(letters) < 8:
            letters += self.take().text
        if not letters:
            raise self.error("the points were expected")
        return self.decorated(f"{name}:{letters}")

    def _phasor(self) -> Node:
        braced = self.accept("{")
        negated = self.accept("-")
        angle = self.factor()
        while self.implicit_starts() and self.token.text in ("pi",):
            angle = Product((angle, self.factor()))
        if self.accept("/"):
            angle = Quotient(angle, self.factor())
        if braced:
            self.expect("}")
        known = (Constant("pi"),)
        if not any(part in known or (isinstance(part, Function) and part.name == "degrees") for part in walk(angle)):
            raise self.error("an angle in degrees or with pi was expected")
        return rotation(negative(angle) if negated else angle)

    def _accent(self, name: str) -> Node:
        inner = self.tex_argument()
        if isinstance(inner, Symbol) and inner.name.startswith("vec:") and name in ("hat", "vec"):
            inner = Symbol(inner.name.removeprefix("vec:"))
        if inner == Constant("i"):
            inner = Symbol("i")
        if isinstance(inner, Symbol) and ":" not in inner.name:
            return self.decorated(f"{name}:{inner.name}")
        if name in ("bar", "vec"):
            letters = [node.name for node in getattr(inner, "factors", ()) if isinstance(node, Symbol)]
            if letters and len(letters) == len(getattr(inner, "factors", ())):
                return Symbol(f"{name}:{''.join(letters)}")
        if isinstance(inner, Symbol):
            return self.decorated(f"{name}:{inner.name}")
        if name == "bar" and isinstance(inner, Number):
            return inner  # A class by a number in it, or the conjugate of a real number.
        if name == "bar" and (Constant("i") in walk(inner) or isinstance(inner, SetOperation)):
            return Function("conj", (inner,))
        raise self.error(f"'\\{name}' over an expression is not of the language")

    def _environment(self) -> Node:
        name = self._name_of_environment()
        if name == "array" and self.at("{"):
            self.position = self.group_close(self.position) + 1
        if name not in _MATRICES and name not in _ROWS:
            raise self.error(f"the environment '{name}' is not of the language")
        rows = self._rows()
        self.take()
        if self._name_of_environment() != name:
            raise self.error(f"the environment '{name}' is not closed")
        if name in _ROWS:
            return _branches(rows)
        width = max(len(row) for row in rows)
        filled = tuple(tuple(row) + (ZERO,) * (width - len(row)) for row in rows)
        matrix = Matrix(filled)
        return Function("det", (matrix,)) if name == "vmatrix" else matrix

    def _name_of_environment(self) -> str:
        if not self.at("{"):
            raise self.error("an environment's name was expected")
        close = self.group_close(self.position)
        name = "".join(token.text for token in self.tokens[self.position + 1 : close])
        self.position = close + 1
        return name

    def _at_end(self) -> bool:
        return self.token.kind == "command" and self.token.text == "end"

    def _rows(self) -> list[list[Node]]:
        """Cells by row; an empty cell is zero, a last empty row is dropped."""
        outer, self.open_bars = self.open_bars, 0
        rows: list[list[Node]] = [[]]
        count = 0
        while not self._at_end():
            if self.token.kind == "end":
                raise self.error("an environment is not closed")
            if self.accept("row"):
                rows.append([])
            elif self.accept("&"):
                if not rows[-1] or self.tokens[self.position - 2].text == "&":
                    rows[-1].append(ZERO)
            else:
                rows[-1].append(self._cell())
            count += 1
            if count > 4 * MAX_ITEMS:
                raise TooLargeError("the matrix is too large", self.token.position)
        self.open_bars = outer
        rows = [row for row in rows if row]
        if not rows:
            raise self.error("the environment is empty")
        return rows

    def _parity(self) -> Node | None:
        """`n is odd`, `n even`: a condition in words."""
        place = self.position
        words = [token.text for token in self.tokens[place + 1 : place + 3]]
        if words[:1] in (["is"], ["are"]):
            words = words[1:]
        if self.token.kind not in ("letter", "roman") or words[:1] not in (["odd"], ["even"]):
            return None
        name = self.take().text
        while self.take().text not in ("odd", "even"):
            pass
        rest = Number(Fraction(1 if words[0] == "odd" else 0))
        return Relation((Function("mod", (Symbol(name), Number(Fraction(2)))), rest), ("=",))

    def _cell(self) -> Node:
        """One cell; in branches the words `if`, `for`, `otherwise` and a comma before the condition are passed over."""
        if self._at_condition():
            word = self.take().text
            if word in ("otherwise", "else"):
                self.accept(".")
                return Symbol("otherwise")
        found = self._parity() or self.relation()
        if self.accept(",", ".", ";") and self._at_condition():
            pass
        while self.accept(",", "."):
            pass
        if self.at_word("and", "or"):
            joiner = self.take().text
            return Listing((found, self.relation()), joiner)
        return found


def _as_set(node: Node, operator: str) -> Node:
    """`x \\in {2, 3}`: braces without a backslash make a set behind a sign of membership."""
    member = operator in ("in", "notin") and isinstance(node, Tuple) and node.bracket == "{}"
    return SetOf(node.items) if member and isinstance(node, Tuple) else node


def _class(rest: Node, modulus: Node) -> Node:
    """The whole numbers `rest + modulus k`."""
    step = Symbol("residue:k")
    return Builder(SumNode((rest, Product((modulus, step)))), (Relation((step, NamedSet("Z")), ("in",)),))


def _is_rest(node: Node) -> bool:
    """Whether a node is a whole number, perhaps with a sign or both signs."""
    inner = node.term if isinstance(node, PlusMinus) else node
    return isinstance(inner, Number) and inner.value.denominator == 1


def _branches(rows: list[list[Node]]) -> Node:
    """Rows of a `cases` environment: branches with conditions, or a system of relations."""
    if all(len(row) == 1 for row in rows):
        return Listing(tuple(row[0] for row in rows), "and")
    branches: list[tuple[Node, Node | None]] = []
    for row in rows:
        condition = row[1] if len(row) > 1 else None
        otherwise = isinstance(condition, Symbol) and condition.name == "otherwise"
        branches.append((row[0], None if otherwise else condition))
    return Piecewise(tuple(branches))
