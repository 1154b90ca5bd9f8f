"""Constants of two letters: where one side has `h` and the other `ħ`, `h` is `2πħ`; `k` beside `k_B` is that."""

from fractions import Fraction

from grading.equivalence.expressions import symbols
from grading.equivalence.signs import substituted
from grading.language.tree import Constant, Node, Number, Product, Symbol

_BAR = "hbar"
_WHOLE = Product((Number(Fraction(2)), Constant("pi"), Symbol(_BAR)))


def one_planck(gold: Node, given: Node) -> tuple[Node, Node]:
    """Both trees in `ħ` where one has only `ħ` and the other only `h`, and in one Boltzmann constant."""
    gold, given = _one_boltzmann(gold, given)
    ours, theirs = ({"h", _BAR} & symbols(node) for node in (gold, given))
    if ours == {_BAR} and theirs == {"h"}:
        return gold, substituted(given, "h", _WHOLE)
    if ours == {"h"} and theirs == {_BAR}:
        return substituted(gold, "h", _WHOLE), given
    return gold, given


def _one_boltzmann(gold: Node, given: Node) -> tuple[Node, Node]:
    """Both trees in `k_B` where one has only it beside a temperature and the other has only `k`."""
    ours, theirs = (symbols(node) for node in (gold, given))
    if "k_B" in ours and "T" in ours and ours & {"k", "k_B"} == {"k_B"} and theirs & {"k", "k_B"} == {"k"}:
        return gold, substituted(given, "k", Symbol("k_B"))
    if "k_B" in theirs and "T" in theirs and theirs & {"k", "k_B"} == {"k_B"} and ours & {"k", "k_B"} == {"k"}:
        return substituted(gold, "k", Symbol("k_B")), given
    return gold, given
