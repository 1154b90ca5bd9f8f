"""Planck's constant with and without a bar: where one side has `h` and the other `ħ`, `h` is `2πħ`."""

from fractions import Fraction

from grading.equivalence.expressions import symbols
from grading.equivalence.signs import substituted
from grading.language.tree import Constant, Node, Number, Product, Symbol

_BAR = "hbar"
_WHOLE = Product((Number(Fraction(2)), Constant("pi"), Symbol(_BAR)))


def one_planck(gold: Node, given: Node) -> tuple[Node, Node]:
    """Both trees in `ħ` where one has only `ħ` and the other only `h`; as they stand otherwise."""
    ours, theirs = ({"h", _BAR} & symbols(node) for node in (gold, given))
    if ours == {_BAR} and theirs == {"h"}:
        return gold, substituted(given, "h", _WHOLE)
    if ours == {"h"} and theirs == {_BAR}:
        return substituted(gold, "h", _WHOLE), given
    return gold, given
