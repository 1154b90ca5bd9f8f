"""Letters that stand for complex numbers: `j` for the imaginary unit, `\\bar z` and `z^*` for the conjugate of `z`."""

from fractions import Fraction

from grading.equivalence.plain import COMPLEX
from grading.equivalence.signs import renamed, rewrite
from grading.language.tree import Bound, Constant, Function, Node, Number, Power, Product, Sum, Symbol
from grading.language.walking import parts

_I = Constant("i")
_TWO = Number(Fraction(2))
_OF_COMPLEX = frozenset({"abs", "re", "im", "arg", "conj"})


def complex_letters(gold: Node, given: Node) -> tuple[Node, Node]:
    """Both trees with one imaginary unit and one writing of conjugates."""
    gold, given = _one_unit(gold, given)
    return _conjugates(gold, given)


def _one_unit(gold: Node, given: Node) -> tuple[Node, Node]:
    """`j` as `i`, where the two have one of the letters each, or where `j4` stands beside `4j` and no other letter."""
    names = [{part.name for part in parts(node, Symbol)} for node in (gold, given)]
    units = [_I in parts(node, Constant) for node in (gold, given)]
    letters = [any(is_j(name) for name in side) for side in names]
    bound = any(part.variable == "j" for node in (gold, given) for part in parts(node, Bound))
    if bound or any(name.startswith(("vec:", "hat:")) for side in names for name in side):
        return gold, given
    one_each = units[0] != units[1] and letters[0] != letters[1] and units[0] == letters[1]
    numbers = all(is_j(name) for side in names for name in side) and all(letters) and not any(units)
    if not one_each and not numbers:
        return gold, given
    return _with_unit(gold), _with_unit(given)


def is_j(name: str) -> bool:
    """Whether a name is `j`, or `j` with the number that it multiplies."""
    return name == "j" or (name.startswith("j_") and name[2:].isdigit())


def _with_unit(node: Node) -> Node:
    def rule(part: Node) -> Node:
        if isinstance(part, Symbol) and is_j(part.name):
            factor = part.name[2:]
            return Product((_I, Number(Fraction(int(factor))))) if factor else _I
        return part

    return rewrite(node, rule)  # type: ignore[no-any-return]


def _conjugates(gold: Node, given: Node) -> tuple[Node, Node]:
    names = {part.name for node in (gold, given) for part in parts(node, Symbol)}
    starred = {name: f"bar:{name[:-2]}" for name in names if name.endswith("^*") and f"bar:{name[:-2]}" in names}
    gold, given = renamed(gold, starred), renamed(given, starred)
    functions = {part.name for node in (gold, given) for part in parts(node, Function)}
    barred = {name: _letter(name) for name in names - set(starred) if _letter(name) in names}
    if "abs" in functions:
        barred |= {name: name for name in _sizes_squared(gold) ^ _sizes_squared(given)}
    if not barred or not functions & _OF_COMPLEX:
        return gold, given
    return _with_parts(gold, barred), _with_parts(given, barred)


def _sizes_squared(node: Node) -> set[str]:
    """Letters of which a tree has `|z|^2`: beside one that has not, they are complex, for real ones need no size."""
    found = set()
    for part in parts(node, Power):
        if part.exponent == _TWO and isinstance(part.base, Function):
            size = part.base.arguments[0] if part.base.name == "abs" else None
            if isinstance(size, Symbol) and size in COMPLEX:
                found.add(size.name)
    return found


def _letter(name: str) -> str:
    """The letter that a name is the conjugate of, empty for any other name."""
    if name.startswith("bar:"):
        return name.removeprefix("bar:")
    return name[:-2] if name.endswith("^*") else ""


def _with_parts(node: Node, conjugates: dict[str, str]) -> Node:
    """The tree with `z` and its conjugate written by real and imaginary part."""
    letters = set(conjugates.values())

    def rule(part: Node) -> Node:
        if not isinstance(part, Symbol) or (part.name not in letters and part.name not in conjugates):
            return part
        letter = conjugates.get(part.name, part.name)
        sign = Number(Fraction(1 if part.name in letters else -1))
        return Sum((Symbol(f"re:{letter}"), Product((sign, _I, Symbol(f"im:{letter}")))))

    return rewrite(node, rule)  # type: ignore[no-any-return]
