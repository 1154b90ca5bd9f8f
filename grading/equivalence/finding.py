"""What a comparison found, and the rules it follows."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from grading.equivalence.point import Work
from grading.language.units import Unit


class Judgement(Enum):
    """The evidence may not be enough; an answer that cannot be evaluated is unreadable."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Finding:
    """A judgement and the sentence that explains it."""

    judgement: Judgement
    reason: str
    unevaluated: bool = False
    """Whether the doubt is that something could not be evaluated."""

    @property
    def equal(self) -> bool:
        """Whether the two mean the same."""
        return self.judgement is Judgement.EQUAL

    @property
    def different(self) -> bool:
        """Whether the two certainly differ."""
        return self.judgement is Judgement.DIFFERENT


def equal(reason: str) -> Finding:
    """They mean the same."""
    return Finding(Judgement.EQUAL, reason)


def different(reason: str) -> Finding:
    """They differ."""
    return Finding(Judgement.DIFFERENT, reason)


def unknown(reason: str) -> Finding:
    """The evidence is not enough."""
    return Finding(Judgement.UNKNOWN, reason)


def unevaluated(reason: str) -> Finding:
    """The evidence is not enough, since something could not be evaluated."""
    return Finding(Judgement.UNKNOWN, reason, unevaluated=True)


def unreadable(reason: str) -> Finding:
    """The answer has no value, so it says nothing that could be compared."""
    return Finding(Judgement.UNREADABLE, reason)


def all_equal(findings: Iterable[Finding], reason: str) -> Finding:
    """Equal when all are; the first difference decides, else the first doubt.

    All are found before any is looked at: right and wrong take the same work.
    """
    doubt: Finding | None = None
    for found in list(findings):
        if found.different:
            return found
        if not found.equal and doubt is None:
            doubt = found
    return doubt or equal(reason)


@dataclass(frozen=True, slots=True)
class Rules:
    """How strictly to compare. Tolerances are relative to the gold (`rel_tol`) or in its unit (`abs_tol`).

    `assume` is `positive`, `real`, `integer` or empty; `variables` are letters that are never the constants e and i;
    `constants` are arbitrary constants of the gold; `up_to` is empty, `sign`, `constant` (a factor), `additive` or
    `permutation`; `shape` is empty (inferred), `set`, `set of tuples`, `tuple`, `vector`, `interval`, `number`.
    `question` is what was asked, where it is known, for the choice among the values of a long response.
    `work` keeps the values of the one answer that is compared.
    """

    rel_tol: Fraction | None = None
    abs_tol: tuple[Fraction, ...] = ()
    exact: bool = False
    significant_figures: int | None = None
    unit: Unit | None = None
    unit_required: bool = False
    percent: bool = False
    ordered: bool | None = None
    assume: str = ""
    assumed: dict[str, str] = field(default_factory=dict, hash=False)
    variables: frozenset[str] = frozenset()
    constants: frozenset[str] = frozenset()
    up_to: str = ""
    shape: str = ""
    decimal_comma: bool = False
    question: str = field(default="", compare=False)
    work: Work = field(default_factory=Work, hash=False, compare=False)
