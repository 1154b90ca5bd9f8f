"""`name = value`: what is named, what it is, and the letters that are only arguments."""

import re
from dataclasses import dataclass

from grading.equivalence.exactly import is_infinite
from grading.equivalence.expressions import symbols
from grading.equivalence.signs import renamed
from grading.language.tree import (
    Bound,
    Call,
    Constant,
    Ellipsis,
    Function,
    Indexed,
    Listing,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Ratio,
    Relation,
    SetOf,
    SetOperation,
    Sum,
    Symbol,
    Tuple,
)
from grading.language.walking import is_wordy, parts, walk

_OPERATIONS = frozenset({"root", "percent", "degrees", "factorial", "factorial2", "based", "binomial", "mod"})
_EQUAL = ("=", "~=", "->")
_FULL_DERIVATIVE = re.compile(r"D(\d)\[([A-Za-z]\w*);[A-Za-z]\]")
_MEASURES = {
    **dict.fromkeys(("rank", "rk", "dim", "codim", "nullity", "ker"), "dimension"),
    **dict.fromkeys(("tr", "Tr", "trace"), "trace"),
    **dict.fromkeys(("P", "Pr"), "probability"),
    **dict.fromkeys(("Corr", "corr"), "correlation"),
    **{name: name for name in ("det", "deg", "E", "Var", "Cov", "SD")},
}
"""What the left sides that are names measure: a rank may be told as a dimension, but never as a determinant."""
_PAIR = 2
_ARGUMENT = re.compile(r"^name:[^|]*\(([A-Za-z])\)$")
_SQUARED = re.compile(r"(?:hat:)?(?:sigma|chi)(?:_|$)")
"""Letters whose square is a name of its own: a variance, a test statistic."""
_MEASURED = re.compile(rf"name:\\?({'|'.join(sorted(_MEASURES, key=len, reverse=True))})(?!e)")


@dataclass(frozen=True, slots=True)
class Definition:
    """`name(arguments) = value`; `rest` are further members of a chain of equations."""

    name: str
    arguments: tuple[str, ...]
    value: Node
    rest: tuple[Node, ...] = ()


def definition_of(node: Node) -> Definition | None:
    """The definition that a relation is, or None where its left side is no name."""
    if not isinstance(node, Relation) or any(sign not in _EQUAL for sign in node.operators):
        return None
    head = _head(node.operands[0])
    if head is None and isinstance(node.operands[0], Bound) and is_infinite(node.operands[-1]):
        head = "label:" + repr(node.operands[0])[:200], ()
    if head is None and _is_of_named_sets(node.operands[0]):
        head = "label:" + repr(node.operands[0])[:200], ()
    if head is None and _is_bracket(node):
        head = "label:" + repr(node.operands[0])[:200], ()
    if head is None:
        head = _called(node)
    others = list(node.operands[1:])
    while head is not None and len(others) > 1 and _head(others[0]) is not None and node.operators[0] == "=":
        others.pop(0)
    if head is None:
        return None
    name, arguments = head
    exact = [other for other, sign in zip(node.operands[1:], node.operators, strict=True) if sign == "="]
    value = exact[-1] if exact else others[0]
    if name in symbols(value):
        return None
    arguments = arguments or _index_argument(name, value)
    rest = tuple(other for other in exact[:-1] if other in others)
    return Definition(name, arguments, value, rest)


_OF_FREQUENCY = frozenset({"omega", "f", "s"})
"""What a transfer function is one of: its size is a name as good as any."""


def _head(node: Node) -> tuple[str, tuple[str, ...]] | None:
    """Name and argument letters of a left side such as `y`, `f(x)`, `a_n`, `|AB|`, `(x, y)`."""
    changed = _change(node)
    if changed is not None:
        return changed, ()
    match node:
        case Symbol(name=name) | Constant(name="e" | "i" as name):
            return name, ()
        case Call(name=name, arguments=arguments):
            letters = tuple(a.name for a in arguments if isinstance(a, Symbol))
            return name, letters if len(letters) == len(arguments) else ()
        case Bound() if _is_asked_for(node):
            return "label:" + repr(node)[:200], ()
        case Product(factors=(Symbol(name=name), Symbol(name=letter))) if len(letter) == 1:
            return name, (letter,)
        case Product(factors=(Symbol(name=name), Number(value=value))):
            return f"{name}({value})", ()
        case Ratio(parts=parts) if all(_is_named(part) for part in parts):
            return "ratio", ()
        case Indexed(name=name):
            return name, ()
        case Function(name="abs", arguments=(inner,)) if not isinstance(inner, Call):
            return "|" + repr(inner)[:60], ()
        case Tuple(items=items) if items and all(_head(item) is not None for item in items):
            return "tuple", ()
    if has_words(node):
        return "label:" + repr(node)[:200], ()
    return None


def _called(node: Relation) -> tuple[str, tuple[str, ...]] | None:
    """The name and the letter of a left side such as `\\hat f(\\omega)`, where the value speaks of that letter."""
    match node.operands[0]:
        case Product(factors=(Symbol(name=name), Symbol(name=letter))) if name != letter in symbols(node.operands[-1]):
            return name, (letter,)
        case Product(factors=(Symbol(name=name), Symbol(name=letter))) if isinstance(node.operands[-1], SetOf):
            return f"{name}({letter})", ()
    return None


def _is_named(part: Node) -> bool:
    """Whether a part of a ratio is a name: a letter, or a line segment by its ends (`AB`)."""
    letters = part.factors if isinstance(part, Product) and len(part.factors) == 2 else (part,)
    return all(isinstance(letter, Symbol) for letter in letters) and (
        len(letters) == 1 or all(letter.name.isupper() for letter in letters if isinstance(letter, Symbol))
    )


def _is_bracket(node: Relation) -> bool:
    """Whether a left side is a bracket of two things, of which the value is none: `[x, p^2] =`, `\\{f, g\\} =`."""
    head, *values = node.operands
    items = head.items if isinstance(head, SetOf) or (isinstance(head, Tuple) and head.bracket in ("[]", "{}")) else ()
    if len(items) != _PAIR or not all(symbols(each) for each in items):
        return False
    return not any(isinstance(each, Tuple | SetOf | SetOperation | Listing) for each in values)


def _is_of_named_sets(node: Node) -> bool:
    """Whether an expression is an operation on sets of which each is a letter: `A \\cap (B \\cup C)`."""
    return isinstance(node, SetOperation) and all(isinstance(part, SetOperation | Symbol) for part in walk(node))


def labelled(node: Node, gold: Node) -> Relation | None:
    """`E_2 - E_1 = 5`, `sin t = 3/5` beside a gold that is a value: an equation whose left side only says of what.

    The left side is one function or has two letters or more, none of which the value or the gold speaks of.
    """
    if not isinstance(node, Relation) or any(sign not in ("=", "~=") for sign in node.operators):
        return None
    head, *values = node.operands
    if not is_label(head) or symbols(head) & (symbols(gold) | symbols(values[-1])):
        return None
    return node


def approximated(node: Node) -> Node | None:
    """What `n! ~ value`, `pi(x) ~ value` say that something grows like; None of any other node.

    The left side is a function, a power, a quotient, a sum, an integral or a call, and speaks of a letter of the value
    (`sqrt(1+x) ~ 1 + x/2`).
    """
    if not isinstance(node, Relation) or node.operators != ("~=",):
        return None
    head, value = node.operands
    counting = isinstance(head, Function | Power | Quotient)
    counting = counting or head == Product((Constant("pi"), Symbol("x"))) or isinstance(head, Bound)
    return value if counting and symbols(value) and symbols(value) <= symbols(head) else None


def summed(node: Node) -> Node | None:
    """What a sum with dots comes to (`1 + 2 + ... + 10 = 55`); None of any other node."""
    if not isinstance(node, Relation) or len(node.operands) != _PAIR or node.operators != ("=",):
        return None
    head, value = node.operands
    return value if parts(head, Ellipsis) and not symbols(node) else None


def is_label(node: Node) -> bool:
    """Whether an expression can be the name of what was asked for."""
    if isinstance(node, Function) and node.name not in _OPERATIONS:
        return bool(symbols(node))
    if (core := _worked_on(node)) is not node and _is_one_name(core):
        return False  # `1 - P(A) = 0.3` and `f(2)/2 = 8` do not say what `P(A)` and `f(2)` are.
    if any(isinstance(part, Call) for part in walk(node)) and not symbols(node):
        return True
    if isinstance(node, Product) and any(isinstance(part, Number) and abs(part.value) != 1 for part in node.factors):
        return False  # `3ab = 9` does not say what `ab` is.
    known = Sum | Product | Quotient | Power | Symbol | Call | Indexed | Number | Function
    return len(symbols(node)) > 1 and all(isinstance(part, known) for part in walk(node))


def _worked_on(node: Node) -> Node:
    """What a sign, a factor, a power, a root or a summand in numbers works on; the node where there is none."""
    match node:
        case Sum(terms=parts) | Product(factors=parts):
            others = [part for part in parts if symbols(part) or any(isinstance(each, Call) for each in walk(part))]
            return _worked_on(others[0]) if len(others) == 1 and len(parts) > 1 else node
        case Quotient(over=Number(), under=inner) | Quotient(over=inner, under=Number()):
            return _worked_on(inner)
        case Power(base=inner, exponent=Number()) | Function(name="root", arguments=(inner, Number())):
            return _worked_on(inner)
    return node


def _is_one_name(node: Node) -> bool:
    """Whether an expression is one letter or one call, also of a probability or a change of one letter."""
    match node:
        case Symbol() | Call() | Indexed():
            return True
        case Product(factors=(Symbol(name=first), Symbol())):
            return first in ("P", "Pr") or first.partition("_")[0] == "Delta"
    return False


def _change(node: Node) -> str | None:
    """The name of a change, a standard value, a square or a size: `Delta lambda`, `E°`, `sigma^2`, `|H(j omega)|`."""
    match node:
        case Function(name="abs", arguments=(Call(name="H" | "G" as name, arguments=(inner,)),)) if (
            _OF_FREQUENCY & symbols(inner)
        ):
            return f"|{name}|"
        case Product(factors=(Symbol(name=first), *rest)) if first.partition("_")[0] == "Delta":
            names = [part.name if isinstance(part, Symbol) else _change(part) for part in rest]
            return f"{first} {' '.join(filter(None, names))}" if all(names) else None
        case Function(name="degrees", arguments=(Symbol(name=name),)):
            return f"{name}°"
        case Power(base=Symbol(name=name), exponent=Number(value=value)) if value == 2 and _SQUARED.match(name):
            return f"{name}^2"
    return None


def _is_asked_for(node: Bound) -> bool:
    """Whether an operator on the left only says what was asked for: of an unknown function, or one without bounds."""
    if node.kind == "derivative" or (node.kind == "integral" and node.lower is None):
        return True
    return any(isinstance(part, Call) or _is_indexed(part, node) for part in walk(node.body))


def _is_indexed(part: Node, bound: Bound) -> bool:
    """Whether a part is a sequence with the bound letter for its index (`a_n`)."""
    return isinstance(part, Symbol) and part.name.rpartition("_")[0] != "" and part.name.endswith(f"_{bound.variable}")


def is_derivative(name: str) -> bool:
    """Whether a name stands for a derivative, so that it may not be dropped like any other left side."""
    return "[" in name or "dot:" in name or "'" in name


def same_derivative(first: str, second: str) -> bool:
    """Whether two names are one derivative: spelt alike, or one of them with primes (`f'` for `df/dx`)."""
    full = [_FULL_DERIVATIVE.fullmatch(name) for name in (first, second)]
    primed = [
        name if match is None else match[2] + "'" * int(match[1])
        for name, match in zip((first, second), full, strict=True)
    ]
    return first == second or (None in full and primed[0] == primed[1])


def measure_of(name: str) -> str | None:
    """What the name of a left side says that it is of its object (`determinant`); None of any other name."""
    operator = _MEASURED.match(name)
    return _MEASURES[operator[1]] if operator is not None else None


def _index_argument(name: str, value: Node) -> tuple[str, ...]:
    """The letter `n` of `a_n`, and the one of `f^{-1}(y)`, where the value speaks of it."""
    argument = _ARGUMENT.search(name)
    if argument is not None:
        return (argument[1],) if argument[1] in symbols(value) else ()
    _, _, index = name.rpartition("_")
    return (index,) if len(index) == 1 and index.isalpha() and index in symbols(value) else ()


def value_of(node: Node) -> Node:
    """What a definition or a label in words (`Area: 5`) names, or the node."""
    if isinstance(node, Ratio) and len(node.parts) == 2 and has_words(node.parts[0]):
        return node.parts[1]
    defined = definition_of(node)
    return defined.value if defined is not None else node


def has_words(node: Node) -> bool:
    """Whether words take part in an expression."""
    return any(is_wordy(part.name) for part in parts(node, Symbol))


def in_golds_letter(gold: Node, defined: Definition) -> Node:
    """What a function of one letter is, in the one letter that the gold has and it has not: `f(t) = t^2` for `x^2`."""
    ours, theirs = symbols(gold), symbols(defined.value)
    if len(defined.arguments) != 1 or len(ours - theirs) != 1 or theirs - ours != {*defined.arguments}:
        return defined.value
    return renamed(defined.value, {defined.arguments[0]: min(ours - theirs)})
