"""Products of matrices beside transposes: `A^T B` is not `B A^T`, `(AB)^T` is `B^T A^T`."""

from collections import defaultdict
from fractions import Fraction

from grading.equivalence.finding import Finding, different, equal
from grading.language.tree import Node, Number, Power, Product, Quotient, Sum, Symbol
from grading.language.walking import kept, parts, walk

_T = Symbol("T")
_MOST = 64
_POWERS = 5
_Letter = tuple[str, bool, bool]
"""Name, whether it is inverted, whether it is transposed."""
_Words = dict[tuple[tuple[_Letter, ...], tuple[str, ...]], Fraction]
"""Coefficients by the matrices in order and the scalars."""


def compare_transposed(gold: Node, given: Node) -> Finding | None:
    """A finding where the two are sums of products of matrices and one has a transpose; None of anything else."""
    vectors = _transposed(gold) | _transposed(given)
    if not any(_is_matrix(name) or _stands_bare(name, gold) for name in vectors):
        return None
    first, second = _expanded(gold, vectors), _expanded(given, vectors)
    if first is None or second is None:
        return None
    return equal("the same products of matrices") if first == second else different("other products of matrices")


@kept
def _transposed(node: Node) -> frozenset[str]:
    """Letters of what carries a transpose; none where T is also a letter of its own, or an exponent (`(1+r)^T`)."""
    letters = parts(node, Symbol).count(_T)
    if not letters:
        return frozenset()
    marks = [part for part in parts(node, Power) if part.exponent == _T]
    others = letters - len(marks)
    if others or any(isinstance(part, Number) for mark in marks for part in walk(mark.base)):
        return frozenset()
    return frozenset(part.name for mark in marks for part in walk(mark.base) if isinstance(part, Symbol))


def _stands_bare(name: str, node: Node) -> bool:
    """Whether a letter that carries a transpose also stands without one, beside a matrix (`x^T A x`)."""
    letters = [part.name for part in parts(node, Symbol)]
    marked = parts(node, Power).count(Power(Symbol(name), _T))
    return 0 < marked < letters.count(name) and any(_is_matrix(letter) for letter in letters if letter != "T")


def _is_matrix(name: str) -> bool:
    head = name.partition("_")[0]
    return head.startswith("vec:") or (len(head) == 1 and head.isupper())


def _expanded(node: Node, vectors: frozenset[str]) -> _Words | None:
    """A sum of products, each once; None where something else stands in the tree, or too many of them."""
    found: _Words = defaultdict(Fraction)
    terms = _terms(node, vectors)
    if terms is None:
        return None
    for matrices, scalars, factor in terms:
        turned = _turned(matrices)
        row = len(matrices) > 1 and matrices[0][2] and not _is_matrix(matrices[0][0])
        column = row and not matrices[-1][2] and not _is_matrix(matrices[-1][0])
        found[min(matrices, turned) if column else matrices, tuple(sorted(scalars))] += factor
    return {key: factor for key, factor in found.items() if factor}


_Term = tuple[tuple[_Letter, ...], tuple[str, ...], Fraction]


def _terms(node: Node, vectors: frozenset[str]) -> list[_Term] | None:
    found: list[_Term] | None = None
    match node:
        case Number(value=value):
            found = [((), (), value)]
        case Symbol(name=name):
            matrix = name in vectors or _is_matrix(name)
            found = [(((name, False, False),), (), Fraction(1))] if matrix else [((), (name,), Fraction(1))]
        case Sum(terms=terms):
            parts = [_terms(term, vectors) for term in terms]
            found = None if None in parts else [term for part in parts if part is not None for term in part]
        case Product(factors=factors):
            found = [((), (), Fraction(1))]
            for factor in factors:
                found = _multiplied(found, _terms(factor, vectors))
        case Quotient(over=over, under=Number(value=value)) if value:
            found = _multiplied([((), (), 1 / value)], _terms(over, vectors))
        case Power(base=base, exponent=exponent):
            found = _raised(_terms(base, vectors), exponent)
    return found if found is not None and len(found) <= _MOST else None


def _turned(matrices: tuple[_Letter, ...]) -> tuple[_Letter, ...]:
    return tuple((name, inverted, not across) for name, inverted, across in reversed(matrices))


def _multiplied(left: list[_Term] | None, right: list[_Term] | None) -> list[_Term] | None:
    if left is None or right is None or len(left) * len(right) > _MOST:
        return None
    return [(a[0] + b[0], a[1] + b[1], a[2] * b[2]) for a in left for b in right]


def _raised(terms: list[_Term] | None, exponent: Node) -> list[_Term] | None:
    """Transposes, inverses of one product, and small powers."""
    if terms is None:
        return None
    if exponent == _T:
        return [(_turned(matrices), scalars, factor) for matrices, scalars, factor in terms]
    if not isinstance(exponent, Number) or exponent.value.denominator != 1:
        return None
    count = int(exponent.value)
    if count == -1 and len(terms) == 1 and not terms[0][1] and terms[0][2] == 1:
        return [(tuple((name, not inv, across) for name, inv, across in reversed(terms[0][0])), (), Fraction(1))]
    if not 0 < count <= _POWERS:
        return None
    found: list[_Term] | None = terms
    for _ in range(count - 1):
        found = _multiplied(found, terms)
    return found
