"""Compares numbers with units: converts what is stated, reads a bare number in the unit that was asked for."""

from fractions import Fraction

from grading.equivalence.exactly import exact
from grading.equivalence.expressions import compare_expressions
from grading.equivalence.finding import Finding, Rules, different, equal, unknown, unreadable
from grading.equivalence.numbers import is_constant
from grading.language import units
from grading.language.tree import Constant, Function, Node, Number, Power, Product, Quantity, Relation, Sum, Symbol
from grading.language.units import ONE, Unit, is_number, same_dimension
from grading.language.walking import walk
from grading.matching.stem import stem

PERCENT = units.named("percent") or ONE
DEGREE = units.named("deg") or ONE
_ROUNDING = Fraction(1, 50)
"""By how much the members of a chain may differ, each rounded in its own unit."""
_FEWEST_ROUNDED, _FEWEST_SHIFTED = 3, 2
"""Digits from which on a number in another unit may be rounded; fewer of degrees and kelvins."""
_SINGULAR = {"people": "person", "men": "man", "women": "woman", "children": "child", "mice": "mouse"}


def as_quantity(node: Node) -> Quantity | None:
    """A quantity, also from a sign of degrees or per cent at the top."""
    match node:
        case Quantity():
            return node
        case Function(name="percent", arguments=(value,)):
            return Quantity(value, PERCENT)
        case Function(name="degrees", arguments=parts):
            scaled = tuple(Product((part, Number(Fraction(1, 60**place)))) for place, part in enumerate(parts))
            return Quantity(parts[0] if len(parts) == 1 else Sum(scaled), DEGREE)
        case Product(factors=(Number(value=value) as sign, inner)) if value == -1:
            found = as_quantity(inner)
            return Quantity(Product((sign, found.value)), found.unit) if found is not None else None
    return None


def converted(quantity: Quantity, target: Unit) -> Node:
    """The number of `target` units that a quantity of the same dimension is."""
    unit = quantity.unit
    factor = Number(unit.scale / target.scale)
    value: Node = quantity.value if factor.value == 1 else Product((quantity.value, factor))
    turns = unit.pi_power - target.pi_power
    if turns:
        value = Product((value, Power(Constant("pi"), Number(Fraction(turns)))))
    shift = (unit.offset - target.offset) / target.scale
    return Sum((value, Number(shift))) if shift else value


def in_radians(node: Node) -> Node:
    """Degrees as a number, beside angles that are written without a sign."""
    found = as_quantity(node)
    return converted(found, ONE) if found is not None and found.unit == DEGREE else node


def degrees_of(node: Node) -> Node | None:
    """The number of degrees of an angle, by the sign or by the word; None of any other node."""
    if isinstance(node, Function) and len(node.arguments) != 1:
        return None
    found = as_quantity(node)
    return found.value if found is not None and found.unit == DEGREE else None


def in_step(chain: Relation) -> bool:
    """Whether the quantities of a chain measure the same, up to rounding."""
    found = [part for part in chain.operands if isinstance(part, Quantity)]
    last = found[-1]
    for other in found[:-1]:
        if not same_dimension(other.unit, last.unit):
            return False
        left, right = exact(converted(other, last.unit)), exact(last.value)
        if left is not None and right is not None and abs(left - right) > abs(right) * _ROUNDING:
            return False
    return True


def of_itself(node: Node) -> bool:
    """Whether an equation would give a letter by itself: what stands behind its value is then a unit."""
    head, last = (node.operands[0], node.operands[-1]) if isinstance(node, Relation) else (node, node)
    return (
        isinstance(node, Relation) and isinstance(head, Symbol) and isinstance(last, Product) and head in last.factors
    )


def is_quantity(gold: Node, given: Node, rules: Rules) -> bool:
    """Whether units play a part in a comparison."""
    return rules.unit is not None or as_quantity(gold) is not None or as_quantity(given) is not None


def compare_quantities(gold: Node, given: Node, rules: Rules) -> Finding:
    """Compare under the asked unit, the gold's own unit, or none."""
    expected, found = as_quantity(gold), as_quantity(given)
    clash = _other_things(expected, found)
    if clash is not None:
        return clash
    asked = rules.unit or (expected.unit if expected is not None else None)
    if asked is None or asked == ONE:
        return _unasked(expected.value if expected is not None else gold, given, found, rules)
    value = gold if expected is None else expected.value
    if expected is not None and expected.unit != asked and same_dimension(expected.unit, asked):
        value = converted(expected, asked)
    if found is not None and found.unit == ONE and found.counted:
        return unreadable(f"'{found.counted}' is no unit that is known here")
    if found is None or found.unit == ONE:
        return _bare(value, found.value if found is not None else given, asked, rules)
    if not same_dimension(found.unit, asked):
        return different("the unit has the wrong dimension")
    if found.unit == asked:
        return compare_expressions(value, found.value, rules)
    finding = compare_expressions(value, converted(found, asked), rules)
    if not finding.equal and _is_rounded(Quantity(value, asked), found, rules):
        return equal("rounded after the conversion of units")
    return equal(f"equal after the conversion of units; {finding.reason}") if finding.equal else finding


def _is_rounded(gold: Quantity, given: Quantity, rules: Rules) -> bool:
    """Whether an answer is the gold in a unit that is no power of ten of the gold's, rounded (`298 K` for `25 °C`)."""
    number = given.value
    sign = 1
    if isinstance(number, Product) and len(number.factors) == 2 and number.factors[0] == Number(Fraction(-1)):
        sign, number = -1, number.factors[1]
    declared = rules.exact or rules.rel_tol is not None or rules.abs_tol or rules.significant_figures
    if declared or not isinstance(number, Number) or not is_constant(gold.value):
        return False
    shifted = gold.unit.offset != given.unit.offset
    if number.digits < (_FEWEST_SHIFTED if shifted else _FEWEST_ROUNDED) or _in_tens(gold.unit, given.unit):
        return False
    half = Fraction(1, 2 * 10 ** (number.places or 0))
    stated = Number(sign * number.value)
    return compare_expressions(converted(gold, given.unit), stated, Rules(abs_tol=(half,), work=rules.work)).equal


def _in_tens(one: Unit, other: Unit) -> bool:
    """Whether two units differ by a power of ten alone."""
    ratio = one.scale / other.scale
    digits = str(max(ratio.numerator, ratio.denominator)).strip("0")
    same = one.offset == other.offset and one.pi_power == other.pi_power
    return same and digits == "1" and min(ratio.numerator, ratio.denominator) == 1


def _other_things(gold: Quantity | None, given: Quantity | None) -> Finding | None:
    """Where both name what they count, one must name what the other does (`4 red balls`, `4 balls`)."""
    expected, found = (_things(quantity) for quantity in (gold, given))
    if gold is None or given is None:
        return None
    if expected and found and not (expected <= found or found <= expected):
        return different(f"{given.counted} were counted, not {gold.counted}")
    counted, other = (gold, given) if expected else (given, gold)
    if bool(expected) != bool(found) and counted.unit == ONE and not is_number(other.unit):
        said = f"'{counted.counted}' is no unit that is known here"
        return unknown(said) if expected else unreadable(said)
    return None


def _things(quantity: Quantity | None) -> frozenset[str]:
    named = quantity.counted.split() if quantity is not None else []
    return frozenset(stem(_SINGULAR.get(word, word)) for word in named)


def _unasked(gold: Node, given: Node, found: Quantity | None, rules: Rules) -> Finding:
    """No unit was asked for: per cent and degrees are converted, any other stated unit is passed over."""
    if found is None:
        return compare_expressions(gold, given, rules)
    if is_number(found.unit) and found.unit != ONE:
        return compare_expressions(gold, converted(found, ONE), rules)
    return compare_expressions(gold, found.value, rules)


def _bare(gold: Node, given: Node, asked: Unit, rules: Rules) -> Finding:
    """A bare number stands in the asked unit; beside per cent a share, beside degrees radians with pi, will do too."""
    if rules.unit_required:
        return different("the unit is missing")
    finding = compare_expressions(gold, given, rules)
    if finding.equal or not is_number(asked):
        return finding
    if asked == PERCENT or (asked == DEGREE and _speaks_of_pi(given)):
        other = compare_expressions(converted(Quantity(gold, asked), ONE), given, rules)
        return other if other.equal else finding
    return finding


def _speaks_of_pi(node: Node) -> bool:
    return any(isinstance(part, Constant) and part.name == "pi" for part in walk(node))
