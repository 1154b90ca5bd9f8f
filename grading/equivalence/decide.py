"""Decides whether a read answer means the gold: dispatches by what the two are."""

from dataclasses import replace

from grading.equivalence import chains, families, gathered, members, quantities
from grading.equivalence.ahead import behind_what_is_named, evaluate_ahead
from grading.equivalence.definitions import (
    Definition,
    approximated,
    definition_of,
    in_golds_letter,
    is_derivative,
    labelled,
    measure_of,
    same_derivative,
    summed,
    value_of,
)
from grading.equivalence.expressions import compare_expressions, symbols
from grading.equivalence.extensions import compare_extensions
from grading.equivalence.finding import Finding, Judgement, Rules, all_equal, different, equal, unknown, unreadable
from grading.equivalence.flats import described_otherwise
from grading.equivalence.identities import is_other_integrand, with_eulers_constant, worked_out
from grading.equivalence.normal import unified
from grading.equivalence.numbers import is_constant
from grading.equivalence.orders import compare_orders
from grading.equivalence.parametric import compare_families, is_listed, listed, of_another_congruence, residues_of
from grading.equivalence.plain import is_plain
from grading.equivalence.planck import one_planck
from grading.equivalence.point import Work
from grading.equivalence.relations import compare_equations, compare_inequalities
from grading.equivalence.sequences import compare_runs
from grading.equivalence.sequences import written_out as written_out_runs
from grading.equivalence.signs import has_sign, renamed, substituted, without_uncertainty
from grading.equivalence.stated import Stated, conditional, conflict, defined_before, narrowed, split, with_definitions
from grading.equivalence.subspaces import compare_span
from grading.equivalence.termwise import compare_termwise
from grading.equivalence.transposed import compare_transposed
from grading.equivalence.values import is_odd
from grading.equivalence.vectors import as_points
from grading.language.read import Parsed
from grading.language.tree import (
    Call,
    Listing,
    Matrix,
    Node,
    Number,
    Order,
    Product,
    Quantity,
    Ratio,
    Relation,
    Restated,
    SetOf,
    Sum,
    Symbol,
    Text,
    Tuple,
)
from grading.language.walking import parts

_TWO = 2
_SIDES = frozenset({"<", ">", "<=", ">="})
_COORDINATES = frozenset("xyz")
"""Names that never stand for one another: `x = 4` and `y = 4` are different lines."""


def decide(gold: Parsed, given: Parsed, rules: Rules) -> Finding:
    """Whether `given` means `gold` under the rules.

    The answer is evaluated first: where it cannot be, it is no answer, whatever the gold. Only beside a gold that
    cannot be evaluated either are the two compared by their writing.
    """
    problem = evaluate_ahead(given.node, rules, rules.work)
    if (
        problem is not None
        and not isinstance(gold.node, Relation)
        and (end := behind_what_is_named(given.node)) is not None
    ):
        # What cannot be integrated at every point is a name of what was asked for; its value stands behind it.
        given = replace(given, node=end)
        problem = evaluate_ahead(end, rules, rules.work)
    if problem is not None and _has_values(gold, rules):
        return unreadable(f"the answer could not be evaluated: {problem}")
    finding = _decide(gold, given, rules)
    return unreadable(finding.reason) if finding.unevaluated and _has_values(gold, rules) else finding


def _has_values(gold: Parsed, rules: Rules) -> bool:
    return evaluate_ahead(gold.node, rules, Work()) is None


def _is_plain(gold: Parsed, given: Parsed, rules: Rules) -> bool:
    """Whether two values stand beside each other of which nothing is listed, named, stated or repeated."""
    if gold.conditions or given.conditions or rules.shape not in ("", "number") or isinstance(gold.node, Symbol):
        return False
    return is_plain(gold.node) and is_plain(given.node) and families.periodic_parameter(gold.node) is None


def _decide(gold: Parsed, given: Parsed, rules: Rules) -> Finding:
    if _is_plain(gold, given, rules):
        same = gold.node == given.node and not rules.unit_required
        return equal("the same answer") if same else _values(gold.node, given.node, rules)
    left, right = unified(gold.node, given.node)
    if left == right and gold.conditions == given.conditions and not rules.unit_required:
        return equal("the same answer")
    span = compare_span(left, right)
    if span is not None:
        return span
    if of_another_congruence(left, right):
        return different("a congruence of something else")
    left, right = written_out_runs(left, right), written_out_runs(right, left)
    run = compare_runs((left, gold.conditions), (right, given.conditions))
    if run is not None:
        return run
    expected, found = split(residues_of(left), gold.conditions), split(residues_of(right), given.conditions)
    if not isinstance(expected.node, Listing):
        found = defined_before(found)
    left = with_definitions(expected, symbols(value_of(found.node)) - {name for name, _ in found.definitions})
    right = with_definitions(found, symbols(value_of(expected.node)) - {name for name, _ in expected.definitions})
    expected, found = replace(expected, node=left), replace(found, node=right)
    return _beside(expected, found, given, rules)


def _beside(expected: Stated, found: Stated, given: Parsed, rules: Rules) -> Finding:
    """The finding for two values with what is stated of their letters."""
    refused = conditional(expected, found) or narrowed(expected, found, rules.question)
    if refused is not None:
        return refused
    left, right = as_points(expected.node, found.node)
    expected, found = replace(expected, node=left), replace(found, node=right)
    if (described := described_otherwise(expected, found, rules)) is not None:
        return described
    if found.relations:
        rules = replace(rules, question="")  # A constant on a condition is no arbitrary one.
    family = compare_families(expected, found, rules, compare)
    if family is not None and (family.equal or not is_listed(expected, found)):
        return family
    other = listed(expected, zero=True), listed(found, zero=True)
    expected, found = listed(expected), listed(found)
    left, right = expected.node, found.node
    finding = compare(left, _parameter_renamed(left, right, given), rules)
    if other != (expected, found):
        from_zero = compare(other[0].node, other[1].node, rules)
        finding = finding if finding.equal else from_zero
    return (conflict(expected, found) or finding) if finding.equal else finding


def _parameter_renamed(gold: Node, given: Node, parsed: Parsed) -> Node:
    """A tuple's lone parameter in the gold's letter (`(2t, t)` for `(2s, s)`)."""
    if not any(isinstance(value_of(node), Tuple) for node in (gold, given)) or not isinstance(value_of(given), Tuple):
        return given
    ours, theirs = symbols(value_of(gold)), symbols(value_of(given))
    if len(ours - theirs) == 1 and len(theirs - ours) == 1:
        old, new = next(iter(theirs - ours)), next(iter(ours - theirs))
        if isinstance(gold, Relation) or "integer" in parsed.conditions or "real" in parsed.conditions:
            return renamed(given, {old: new})
    return given


def compare(gold: Node, given: Node, rules: Rules) -> Finding:
    """Whether two trees mean the same."""
    if gold == given and not rules.unit_required:
        _compare(gold, given, rules)  # As much work as for a part that is written otherwise.
        return equal("the same answer")
    if isinstance(gold, Restated):
        return compare(gold.forms[-1], given, rules)
    if isinstance(given, Restated):
        return _restated(gold, given, rules)
    if isinstance(gold, Text) or isinstance(given, Text):
        same = isinstance(gold, Text) and isinstance(given, Text) and gold.words == given.words
        return equal("the same words") if same else different("other words than the reference's")
    if not has_sign(gold) and has_sign(given):
        given = without_uncertainty(given, anyway=bool(rules.rel_tol or rules.abs_tol))
    given = _solved_last(gold, given, rules)
    listed = gathered.compare_named(gold, given, rules, compare) or gathered.compare_chain(gold, given)
    return listed or _compare(gold, given, rules)


def _compare(gold: Node, given: Node, rules: Rules) -> Finding:
    if rules.shape in ("tuple", "vector") or (rules.shape == "" and _is_vector(gold, given)):
        ordered = gathered.compare_in_order(gold, given, rules, compare)
        if ordered is not None:
            return ordered
    if (
        rules.shape == "interval"
        or gathered.is_real_set(gold)
        or (gathered.is_real_set(given) and isinstance(gold, Tuple))
    ):
        found = gathered.compare_reals(gold, given, rules, compare)
        if found is not None:
            return found
    for gather in (gathered.compare_matrix, gathered.compare_collection):
        decided = gather(gold, given, rules, compare)
        if decided is not None:
            return decided
    for rule in (_order, _ratio, _relation, _extension):
        decided = rule(gold, given, rules)
        if decided is not None:
            return decided
    sets = gathered.compare_sets(gold, given, rules, compare)
    if sets is not None:
        return sets
    return _values(gold, given, rules)


def _is_vector(gold: Node, given: Node) -> bool:
    """Whether a gold is a vector by its form, or by its unit vectors beside entries; a unit may stand by."""
    gold, given = (node.value if isinstance(node, Quantity) else node for node in (gold, value_of(given)))
    in_entries = isinstance(given, Tuple | Matrix) and isinstance(gold, Sum | Product)
    return isinstance(gold, Tuple) or (in_entries and members.components(gold) is not None)


def _restated(gold: Node, given: Restated, rules: Rules) -> Finding:
    """The last form decides; the others must say the same, or hold where the last one does."""
    *before, last = given.forms
    if not (finding := compare(gold, last, rules)).equal:
        return finding
    rules = replace(rules, question="")
    for form in before:
        same = compare(last, form, rules).equal or compare(gold, form, rules).equal or _holds_for(form, last, rules)
        if not same:
            return different("the answer contradicts itself")
    return finding


def _solved_last(gold: Node, given: Node, rules: Rules) -> Node:
    """The last of several equations, where it is a value of the one letter for which all before it hold."""
    if not isinstance(given, Listing) or isinstance(gold, Listing | SetOf | Tuple) or given.joiner == "or":
        return given
    *before, last = given.items
    defined = definition_of(last)
    if defined is None or not is_constant(defined.value) or not all(isinstance(each, Relation) for each in before):
        return given
    same = all(symbols(each) == {defined.name} and _holds_for(each, last, rules) for each in before)
    return last if same else given


def _holds_for(form: Node, last: Node, rules: Rules) -> bool:
    """Whether an equation holds for the value that another one gives (`2x = 6` for `x = 3`)."""
    defined = definition_of(last)
    if defined is None or not isinstance(form, Relation) or form.operators != ("=",) or len(form.operands) != _TWO:
        return False
    left, right = form.operands
    values = [
        compare(substituted(left, defined.name, value), substituted(right, defined.name, value), rules)
        for value in members.members(defined.value)
    ]
    return bool(values) and all(value.equal for value in values)


def _order(gold: Node, given: Node, rules: Rules) -> Finding | None:
    gold, given = value_of(gold), value_of(given)
    if isinstance(given, Relation) and set(given.operators) == {"="} and isinstance(given.operands[-1], Sum):
        given = given.operands[-1]  # `\\ln(1+x) = x - x^2/2 + O(x^3)`
    if not parts(gold, Order) and not parts(given, Order):
        return None
    return compare_orders(gold, given, rules)


def _ratio(gold: Node, given: Node, rules: Rules) -> Finding | None:
    from grading.equivalence.ratios import compare_ratios

    before = gold, given
    gold, given = value_of(gold), value_of(given)
    if not isinstance(gold, Ratio) and not isinstance(given, Ratio):
        labelled = any(isinstance(node, Ratio) for node in before)
        return compare(gold, given, rules) if labelled else None
    return compare_ratios(gold, given, rules)


def _relation(gold: Node, given: Node, rules: Rules) -> Finding | None:
    """Equations, definitions and inequalities."""
    before = (gold, given)
    gold, given = chains.chain_value(gold), chains.chain_value(given)
    if not isinstance(gold, Relation) and not isinstance(given, Relation):
        return compare(gold, given, rules) if before != (gold, given) else None
    remarked = _without_remark(gold, given, rules)
    if remarked is not None:
        return remarked
    first, second = definition_of(gold), definition_of(given)
    if first is not None and second is not None and isinstance(gold, Relation) and isinstance(given, Relation):
        return _definitions(gold, given, first, second, rules)
    if second is not None and isinstance(given, Relation) and not isinstance(gold, Relation):
        return _consistent(second, given, rules) or _defined_value(gold, given, second, rules)
    label = labelled(given, gold) or chains.computed(given) if not isinstance(gold, Relation) else None
    if label is not None:
        return _labelled_value(gold, label, rules)
    if first is not None and not isinstance(given, Relation):
        return compare(first.value, given, rules)
    worked = worked_out(gold, given, rules, compare) if not isinstance(gold, Relation) else None
    if worked is not None:
        return worked
    grown = (approximated(given) or summed(given)) if not isinstance(gold, Relation) else None
    if grown is not None:
        return compare(gold, grown, rules)
    if not isinstance(gold, Relation) and not isinstance(given, Relation):
        return None
    if isinstance(gold, Relation) and not isinstance(given, Relation):
        return _solved(gold, given, rules)
    if not isinstance(gold, Relation) or not isinstance(given, Relation):
        return different("only one of the two is a relation")
    return _relations(gold, given, rules)


def _without_remark(gold: Node, given: Node, rules: Rules) -> Finding | None:
    """`E = -5 < 0` as `E = -5`, where the remark behind the value is true; None where no remark stands there."""
    if not isinstance(given, Relation) or len(given.operands) <= _TWO or given.operators[-1] not in _SIDES:
        return None
    if set(given.operators[:-1]) != {"="} or (isinstance(gold, Relation) and set(gold.operators) & _SIDES):
        return None
    *kept, bound = given.operands
    if not is_constant(bound):
        return None
    finding = compare(gold, Relation(tuple(kept), given.operators[:-1]), rules)
    remark = Relation((kept[-1], bound), (given.operators[-1],))
    if finding.equal and not chains.may_hold(remark):
        return different("the answer contradicts itself")
    return finding


def _defined_value(gold: Node, given: Relation, defined: Definition, rules: Rules) -> Finding:
    """The exact value of a chain, or the number that it ends in (`= 1 - Phi(0.5) ~ 0.3085`)."""
    finding = compare(gold, in_golds_letter(gold, defined), rules)
    last = given.operands[-1]
    if last != defined.value and (finding.judgement is Judgement.UNREADABLE or finding.unevaluated):
        # The working of the chain is out of reach; its end can be told apart.
        return compare(gold, last, rules)
    if finding.equal or last == defined.value or not is_constant(last) or is_constant(defined.value):
        return finding
    return compare(gold, last, rules)


def _labelled_value(gold: Node, given: Relation, rules: Rules) -> Finding:
    """The value at the end of `label = value`; numbers between must agree with it."""
    *between, last = given.operands[1:]
    if between and given.operators[-1] == "~=" and is_constant(between[-1]) and is_constant(last):
        # Decimals behind an exact value are its second form, and only have to be near.
        far = chains.is_far(between[-1], last)
        return different("the answer contradicts itself") if far else compare(gold, between[-1], rules)
    for other in between:
        if is_constant(other) and is_constant(last) and compare(last, other, rules).different:
            approximate = given.operators[-1] == "~=" and compare(gold, other, rules).equal
            return equal("the exact side of the answer") if approximate else different("the answer contradicts itself")
    return compare(gold, last, rules)


def _solved(gold: Relation, given: Node, rules: Rules) -> Finding:
    """An expression for the one variable that it does not speak of solves the gold's equation."""
    missing = symbols(gold) - symbols(given)
    if gold.operators != ("=",) or len(missing) != 1 or not symbols(given) or is_odd(given):
        return different("only one of the two is a relation")
    name = next(iter(missing))
    left, right = (substituted(operand, name, given) for operand in gold.operands)
    finding = compare_expressions(left, right, rules)
    return equal(f"solves the equation for {name}") if finding.equal else different("does not solve the equation")


def _consistent(defined: Definition, given: Relation, rules: Rules) -> Finding | None:
    """A chain `x = a = b` must not contradict itself, nor an integral its antiderivative."""
    rules = replace(rules, question="")  # What a step is not defined for, its end may be.
    if is_other_integrand(given.operands[0], defined.value, rules):
        return different("the answer contradicts itself")
    for other in defined.rest:
        if chains.is_formula_for(defined.value, other) or symbols(other) - symbols(defined.value):
            # A formula in other letters: they may be what the next member puts in for them.
            continue
        if compare(quantities.in_radians(defined.value), quantities.in_radians(other), rules).different:
            return different("the answer contradicts itself")
    last = given.operands[-1]
    rounded = given.operators[-1] == "~=" and is_constant(last) and is_constant(defined.value)
    return different("the answer contradicts itself") if rounded and chains.is_far(defined.value, last) else None


def _definitions(gold: Relation, given: Relation, first: Definition, second: Definition, rules: Rules) -> Finding:
    broken = _consistent(second, given, rules)
    if broken is not None:
        return broken
    derived = is_derivative(first.name) or is_derivative(second.name)
    if derived and not same_derivative(first.name, second.name):
        if first.name.strip("'") == second.name.strip("'"):
            return different("a derivative is not the function itself")
        return _relations(gold, given, rules)
    measures = measure_of(first.name), measure_of(second.name)
    if None not in measures and measures[0] != measures[1]:
        return different(f"{measures[1]} was given where {measures[0]} was asked for")
    if len(gold.operands) == len(given.operands) > 2:
        pairs = zip(gold.operands[1:], given.operands[1:], strict=True)
        chain = all_equal((compare(a, b, rules) for a, b in pairs), "the same chain")
        if chain.different:
            return chain
    if len(first.arguments) == len(second.arguments):
        fresh = [f"argument:{place}" for place in range(len(first.arguments))]
        left = renamed(first.value, dict(zip(first.arguments, fresh, strict=True)))
        finding = compare(left, renamed(second.value, dict(zip(second.arguments, fresh, strict=True))), rules)
    elif not first.arguments or not second.arguments:
        finding = compare(first.value, in_golds_letter(first.value, second), rules)
    else:
        return different("functions of different numbers of arguments")
    coordinates = {first.name, second.name} <= _COORDINATES and not first.arguments and not second.arguments
    if finding.equal and coordinates and first.name != second.name:
        return different(f"{second.name} was given where {first.name} was asked for")
    if not finding.equal:
        # Two equations that are solved for the same name agree where their values do, and have been compared.
        heads = gold.operands[0], given.operands[0]
        alike = heads[0] == heads[1] or all(isinstance(head, Symbol | Call) for head in heads)
        solved = first.name == second.name and alike
        crossed = not solved and first.name in symbols(given) and second.name in symbols(gold)
        if crossed and len(gold.operands) == len(given.operands) == 2:
            other = compare_equations(gold, given, rules)
            return other if other.equal else finding
    return finding


def _relations(gold: Relation, given: Relation, rules: Rules) -> Finding:
    equations = [set(relation.operators) <= {"=", "~="} for relation in (gold, given)]
    if all(equations):
        if len(gold.operands) == len(given.operands) == 2:
            levels = families.compare_levels(gold, given, rules) if definition_of(gold) is None else None
            return levels or compare_equations(gold, given, rules)
        pairs = zip(gold.operands, given.operands, strict=False)
        same = all_equal((compare(a, b, rules) for a, b in pairs), "the same chain")
        return same if len(gold.operands) == len(given.operands) else different("chains of different lengths")
    if any(equations):
        return different("an equation is not an inequality")
    found = gathered.compare_reals(gold, given, rules, compare)
    return found if found is not None else compare_inequalities(gold, given, rules)


def _extension(gold: Node, given: Node, rules: Rules) -> Finding | None:
    return compare_extensions(gold, given, rules, compare) if isinstance(gold, Product) else None


def _names(node: Node) -> set[str]:
    return {part.name for part in parts(node, Symbol)} | {part.name for part in parts(node, Call)}


def _clash(gold: Node, given: Node) -> Finding | None:
    """Where tuples, sets or dots take part in an expression, only structure can tell."""
    odd = [is_odd(node) for node in (gold, given)]
    if not any(odd):
        return None
    if all(odd) and _names(gold) == _names(given):
        return unknown("expressions of this kind are compared by their writing only")
    return different("answers of different kinds")


def _values(gold: Node, given: Node, rules: Rules) -> Finding:
    """Expressions and quantities."""
    gold, given = one_planck(*with_eulers_constant(gold, given))
    clash = _clash(gold, given) or compare_transposed(gold, given)
    if clash is not None:
        return clash
    if rules.constants & symbols(gold):
        return families.compare_with_constants(gold, given, rules)
    general = families.compare_general(gold, given, rules)
    if general is not None:
        return general
    arbitrary = families.constants_of_integration(gold, given)
    if arbitrary:
        return families.compare_with_constants(gold, given, replace(rules, constants=arbitrary))
    bare = quantities.degrees_of(given) if isinstance(gold, Number) else None
    if bare is not None:
        turned = compare_expressions(gold, quantities.in_radians(given), rules)
        return turned if turned.equal else compare_expressions(gold, bare, rules)
    if quantities.is_quantity(gold, given, rules):
        return quantities.compare_quantities(gold, given, rules)
    found = compare_expressions(gold, given, rules)
    return (compare_termwise(gold, given, rules) if found.judgement is Judgement.UNKNOWN else None) or found
