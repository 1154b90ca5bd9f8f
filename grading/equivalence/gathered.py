"""Lists, tuples, matrices and sets of reals: what two collections are compared as."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import TypeGuard

from grading.equivalence import members, reals
from grading.equivalence.conditions import compare_with_conditions, condition_of
from grading.equivalence.definitions import definition_of, value_of
from grading.equivalence.finding import Finding, Rules, all_equal, different, equal, unknown
from grading.equivalence.indexes import index_of
from grading.equivalence.numbers import is_constant
from grading.equivalence.relations import as_chain, compare_inequalities
from grading.equivalence.signs import has_sign
from grading.equivalence.subspaces import compare_span
from grading.equivalence.vectors import with_identities
from grading.equivalence.venn import compare_venn
from grading.language.tree import (
    Builder,
    Call,
    Function,
    Interval,
    Listing,
    Matrix,
    NamedSet,
    Node,
    Number,
    Power,
    Product,
    Relation,
    SetOf,
    SetOperation,
    Sum,
    Symbol,
    Tuple,
)
from grading.language.walking import parts, walk

Same = members.Same
SETS = (Interval, SetOperation, Builder, NamedSet)
_CHAIN, _SPACE = 5, 3
_NAMING = (Symbol, Power, Product, Call, Function)
_ENTRIES = (Tuple, Matrix, Listing, SetOf)
_OF_ENTRIES = re.compile(r"\b(?:vectors?|velocity|gradient|force|eigenvectors?)\b", re.IGNORECASE)
"""What asks for entries, whose brackets may be square, and not for an interval."""
_OF_NUMBERS = re.compile(r"\b(?:intervals?|range|which|values?|domain|when|numbers?|solve|set)\b", re.IGNORECASE)
_INEQUALITIES = frozenset({"<", ">", "<=", ">=", "!=", "<<<", ">>>"})


def compare_in_order(gold: Node, given: Node, rules: Rules, same: Same) -> Finding | None:
    """Tuples and vectors; None where the two are something else."""
    if isinstance(given, Interval) or is_real_set(given) or (isinstance(given, Listing) and has_sign(gold)):
        return None
    if isinstance(given, SetOf) and isinstance(gold, Tuple):
        return different("a set was given where a tuple was asked for")
    expected, found = members.components(gold), members.components(given)
    if expected is None:
        return None
    if found is not None and len(expected) == len(found) + 1 == _SPACE and not isinstance(value_of(given), _ENTRIES):
        found = [*found, Number(Fraction(0))]  # `4i + 3j` in space.
    if found is not None and len(found) == len(expected) + 1 == _SPACE and not isinstance(value_of(gold), _ENTRIES):
        expected = [*expected, Number(Fraction(0))]
    if isinstance(given, Listing) and _alternatives(given) and len(names_of(given) or {}) > 1:
        return different("values of one name or the other are no tuple")
    if isinstance(given, Listing) and any(name.startswith("|") for name in names_of(given) or {}):
        return different("the size of a coordinate is not the coordinate")
    listed = isinstance(given, Listing) and rules.shape == "" and not isinstance(gold, Matrix)
    if isinstance(given, Listing) and listed and (_tuples_in(given) or names_of(given) is None):
        return different("a list was given where a tuple was asked for") if _tuples_in(given) else None
    if found is None:
        return _single_tuple(gold, given, rules, same)
    if isinstance(gold, Tuple) and isinstance(given, Tuple) and _other_brackets(gold, given, rules):
        return different("an end belongs to one of the intervals only")
    return members.compare_ordered(expected, found, replace(rules, shape=""), same)


def _single_tuple(gold: Node, given: Node, rules: Rules, same: Same) -> Finding | None:
    """`(x, y) = (1, 2)` on one side."""
    defined = definition_of(given) or definition_of(gold)
    if defined is None:
        matrix = members.as_matrix(given)
        found = members.components(matrix) if matrix is not None else None
        return None if found is None else members.compare_ordered(members.components(gold) or [], found, rules, same)
    return None


def _tuples_in(node: Listing) -> bool:
    return any(isinstance(item, Tuple) for item in node.items)


def _other_brackets(gold: Tuple, given: Tuple, rules: Rules) -> bool:
    pair = {gold.bracket, given.bracket}
    entries = _OF_ENTRIES.search(rules.question) is not None and _OF_NUMBERS.search(rules.question) is None
    asked = rules.shape in ("tuple", "vector") or entries
    return len(gold.items) == 2 and pair == {"()", "[]"} and not asked


def compare_reals(gold: Node, given: Node, rules: Rules, same: Same) -> Finding | None:
    """Compare as sets of reals; None where they are no such sets."""
    names = reals.variable_of(gold), reals.variable_of(given)
    if all(names) and names[0] != names[1] and isinstance(gold, Relation) and isinstance(given, Relation):
        return None
    expected, found = _pieces(gold), _pieces(given)
    if expected is None and found is None:
        if isinstance(gold, Relation) and isinstance(given, Relation):
            return None
        first, second = _bounds_of(gold, given), _bounds_of(given, gold)
        return compare_inequalities(first, second, replace(rules, shape="")) if first and second else None
    if expected is None or found is None:
        if isinstance(gold, Relation) and isinstance(given, Relation):
            side_by_side = compare_inequalities(gold, given, replace(rules, shape=""))
            if side_by_side.equal:
                return side_by_side
        if expected is None:
            return compare_with_conditions(found or [], gold)
        tried = compare_with_conditions(expected, given)
        if tried is None or not tried.equal or _is_bare(given):
            return _of_the_letter(gold, given) or tried
        return unknown("the inequality was not solved")
    return reals.compare_pieces(expected, found, replace(rules, shape=""), same)


def _bounds_of(node: Node, other: Node) -> Relation | None:
    """Inequalities, or an interval with letters in its ends as those of the one letter that only the other side has."""
    if isinstance(node, Relation):
        return node if set(node.operators) <= {"<", "<=", ">", ">="} else None
    free = [part for part in other.operands if isinstance(part, Symbol)] if isinstance(other, Relation) else []
    free = [letter for letter in free if letter not in parts(node, Symbol)]
    chain = as_chain(node, free[0]) if len(free) == 1 and isinstance(node, Interval | Tuple) else node
    return chain if isinstance(chain, Relation) else None


def _is_bare(node: Node) -> bool:
    """Whether a condition is about a power or the size of a letter alone (`x^2 < 4`): as good as solved."""
    if isinstance(node, Builder) and len(node.conditions) == 1:
        node = node.conditions[0]
    if not isinstance(node, Relation) or len(node.operands) != 2:
        return False
    if node.operators == ("!=",):
        return True
    letters = [part for part in node.operands if not is_constant(part)]
    match letters:
        case [Power(base=Symbol(), exponent=Number())] | [Function(name="abs", arguments=(Symbol(),))]:
            return True
    return False


def _of_the_letter(gold: Node, given: Node) -> Finding | None:
    """A difference where two conditions are about different letters."""
    stated, name = condition_of(given), reals.variable_of(gold)
    if stated is None or name is None or stated[0] == name:
        return None
    return different(f"{stated[0]} was given where {name} was asked for")


def _pieces(node: Node) -> list[reals.Piece] | None:
    try:
        named = definition_of(node) if isinstance(node, Relation) else None
        return reals.pieces(named.value if named is not None and isinstance(named.value, SETS) else node)
    except reals.NotRealsError:
        return None


def is_real_set(node: Node) -> bool:
    """Whether a node is a set of reals by its form."""
    if isinstance(node, SETS):
        return True
    if isinstance(node, Sum):
        return isinstance(node.terms[0], SETS)
    if isinstance(node, Relation):
        return any(sign in _INEQUALITIES or sign in ("in", "notin") for sign in node.operators)
    return isinstance(node, Listing) and all(is_real_set(item) for item in node.items)


def compare_matrix(gold: Node, given: Node, rules: Rules, same: Same) -> Finding | None:
    """Matrices, vectors beside them, and spans of vectors; None where neither is one."""
    span = compare_span(gold, given)
    if span is not None:
        return span
    gold, given = gold if isinstance(gold, Number) else with_identities(gold, given), with_identities(given, gold)
    gold, given = _named_matrix(gold, rules, same), _named_matrix(given, rules, same)
    expected, found = members.as_matrix(value_of(gold)), members.as_matrix(value_of(given))
    if expected is None and found is None:
        if isinstance(gold, Relation) and isinstance(given, Relation):
            return None
        first, second = _bounds_of(gold, given), _bounds_of(given, gold)
        return compare_inequalities(first, second, replace(rules, shape="")) if first and second else None
    expected = expected or members.rows_of(value_of(gold))
    found = found or members.rows_of(value_of(given))
    if expected is not None and found is not None:
        return members.compare_matrices(expected, found, rules, same)
    one, other = (expected, given) if expected is not None else (found, gold)
    entries = members.components(one) if one is not None else None
    others = members.components(value_of(other))
    if entries is None or others is None or isinstance(other, SetOf):
        return different("only one of the two is a matrix")
    pair = (entries, others) if expected is not None else (others, entries)
    return members.compare_ordered(*pair, rules, same)


def _named_matrix(node: Node, rules: Rules, same: Same) -> Node:
    """The matrix or the tuple that `A^{-1} = M`, `R(t) = M` names, or that equal ones end in; other nodes as they are.

    A factor in numbers before the letters makes another matrix of it: `2A = M` does not name `M`.
    """
    if not isinstance(node, Relation) or set(node.operators) != {"="} or len(node.operands) > _CHAIN:
        return node
    head, *forms = node.operands
    forms = [form for form in forms[:-1] if not _of_matrices(form)] + forms[-1:]
    if all(isinstance(form, Tuple) for form in forms) and isinstance(head, _NAMING) and not _is_scaled(head):
        return forms[-1] if all(same(forms[-1], one, rules).equal for one in forms[:-1]) else node
    begun = members.as_matrix(head)
    matrices = [matrix for form in forms if (matrix := members.as_matrix(form)) is not None]
    if len(matrices) < len(forms) or not (begun or isinstance(head, _NAMING)):
        return node
    if not begun and _is_scaled(head):
        return node
    *before, last = [begun, *matrices] if begun else matrices
    return forms[-1] if all(members.compare_matrices(last, one, rules, same).equal for one in before) else node


def _is_scaled(head: Node) -> bool:
    return isinstance(head, Product) and any(isinstance(factor, Number) for factor in head.factors)


def _of_matrices(node: Node) -> bool:
    """Whether an expression is one of matrices by their capital letters (`I + tN`)."""
    known = Sum | Product | Power | Symbol | Number
    capital = any(part.name[:1].isupper() for part in parts(node, Symbol))
    return capital and all(isinstance(part, known) for part in walk(node))


def _level(same: Same) -> Same:
    """The comparison in which a set is never its only member."""

    def level(gold: Node, given: Node, rules: Rules) -> Finding:
        if members.is_finite_set(gold) != members.is_finite_set(given):
            return different("a set is not its member")
        return same(gold, given, rules)

    return level


def compare_collection(gold: Node, given: Node, rules: Rules, same: Same) -> Finding | None:
    """Lists, sets and plus-minus."""
    if not (members.is_collection(gold) or members.is_collection(given) or rules.shape.startswith("set")):
        return None
    if is_real_set(given) and not members.is_collection(given):
        found = compare_reals(gold, given, rules, same)
        return found if found is not None else different("a set of another kind")
    expected, found_members = members.members(gold), members.members(given)
    if any(map(members.is_finite_set, (*expected, *found_members))):
        same = _level(same)
    inner = replace(rules, shape="")
    listed = rules.shape == "set" or isinstance(gold, SetOf | Listing)
    if isinstance(given, Tuple) and given.bracket == "{}" and listed:
        found_members = list(given.items)
    if rules.ordered:
        return members.compare_ordered(expected, found_members, inner, same)
    if len(expected) == 1 and not isinstance(gold, SetOf | Listing) and len(found_members) > 1:
        if _said_twice(given, found_members, rules, same):
            return same(gold, found_members[-1], rules)
        return different("several answers were given where one was asked for")
    tuples = any(isinstance(member, Tuple) for member in expected)
    bare = isinstance(given, Tuple) and given.bracket != "{}"
    if isinstance(given, Tuple) and bare and isinstance(gold, Listing | SetOf) and len(expected) > 1 and not tuples:
        entries = list(given.items)
        return members.compare_ordered(expected, entries, inner, same)
    if _are_claims(gold) and _are_claims(given) and gold.joiner != given.joiner:
        return different("letters that are joined by 'and' and by 'or'")
    return members.compare_unordered(expected, found_members, inner, same)


def _are_claims(node: Node) -> TypeGuard[Listing]:
    """Whether letters alone are joined by a word or a sign of logic: `p \\land q` lists no two values."""
    return isinstance(node, Listing) and node.joiner != "," and all(isinstance(item, Symbol) for item in node.items)


def _said_twice(given: Node, found: list[Node], rules: Rules, same: Same) -> bool:
    """Whether values that "or" joins are one number in two forms: `√20, or 2√5`."""
    exact = replace(rules, exact=True, shape="")
    return (
        _alternatives(given)
        and all(is_constant(each) for each in found)
        and all(same(found[0], each, exact).equal for each in found[1:])
    )


def compare_named(gold: Node, given: Node, rules: Rules, same: Same) -> Finding | None:
    """Two lists of `name = value` with several names each are compared name by name."""
    expected, found = names_of(gold), names_of(given)
    if expected is None or found is None:
        return None
    ours, theirs = ({name.casefold() for name in names} for names in (expected, found))
    if set(expected) != set(found):
        # Where only some are left out or added, the members are counted.
        several = min(len(ours), len(theirs)) > 1
        return different("the values of other names") if several and ours - theirs and theirs - ours else None
    if len(expected) > 1 and _alternatives(gold) != _alternatives(given):
        return different("values of all the names are not values of one or the other")
    pairs = ((expected[name], found[name]) for name in expected)
    return all_equal((same(a, b, rules) for a, b in pairs), "the same values by name")


def _alternatives(node: Node) -> bool:
    return isinstance(node, Listing) and node.joiner == "or"


def compare_chain(gold: Node, given: Node) -> Finding | None:
    """`b < a < c` beside the same symbols listed in that order; None where the two are something else."""
    if not isinstance(gold, Relation) or len(gold.operands) < _SPACE or len(set(gold.operators)) != 1:
        return None
    listed = given.items if isinstance(given, Listing | Tuple) else ()
    if gold.operators[0] not in ("<", ">", "<=", ">=") or not all(isinstance(x, Symbol) for x in gold.operands):
        return None
    if sorted(map(repr, listed)) != sorted(map(repr, gold.operands)):
        return None
    return equal("the same order") if tuple(listed) == gold.operands else different("another order")


def names_of(node: Node) -> dict[str, Node] | None:
    """Values by name of a list of definitions or of `(a, b) = (1, 2)`, None of any other node."""
    if isinstance(node, Relation) and node.operators == ("=",):
        names, values = node.operands
        if isinstance(names, Tuple) and isinstance(values, Tuple) and len(names.items) == len(values.items):
            pairs = zip(names.items, values.items, strict=True)
            return {name.name: value for name, value in pairs if isinstance(name, Symbol)}
    if not isinstance(node, Listing):
        return None
    defined = [definition_of(item) for item in node.items]
    found = {item.name: item.value for item in defined if item is not None}
    return found if len(found) == len(node.items) else None


def compare_sets(gold: Node, given: Node, rules: Rules, same: Same) -> Finding | None:
    """Sets that are no unions of intervals: the integers, groups, direct sums."""
    drawn = compare_venn(gold, given)
    if drawn is not None or (not isinstance(gold, SETS) and not isinstance(given, SETS)):
        return drawn
    found = compare_reals(gold, given, rules, same)
    if found is not None:
        return found
    groups = any(isinstance(side, SetOperation) and side.operation in ("plus", "free") for side in (gold, given))
    if type(gold) is not type(given) or isinstance(gold, NamedSet) or groups or _other_base(gold, given):
        return different("other sets")
    named = [{part.name for part in parts(side, Symbol)} for side in (gold, given)]
    if named[0] != named[1] and not parts(gold, Builder) and not parts(given, Builder):
        return different("made of other sets")
    return unknown("sets of this kind are compared by their writing only")


def _other_base(gold: Node, given: Node) -> bool:
    """Whether two sets are other sets of numbers without finitely many points (`R - {2}`, `Z - {2}`)."""
    first, second = index_of(gold), index_of(given)
    if first is not None and second is not None:
        return first.other != second.other
    real = any(_reals(node) for node in (gold, given))
    return real and any(index is not None and index.other != "R" for index in (first, second))


def _reals(node: Node) -> bool:
    try:
        return bool(reals.pieces(node))
    except reals.NotRealsError:
        return False
