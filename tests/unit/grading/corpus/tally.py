"""How the cases were graded: rates by dress and by mutation, the weakest first."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from grading import Answer, Outcome, grade
from grading.pair_lines import reference_of
from tests.unit.grading.corpus.composing import Case


@dataclass(slots=True)
class Rate:
    """Right answers that were accepted, and wrong ones that were."""

    right: int = 0
    accepted: int = 0
    wrong: int = 0
    wrong_accepted: int = 0

    def add(self, *, expected: bool, accepted: bool) -> None:
        """Counts one case."""
        if expected:
            self.right += 1
            self.accepted += accepted
        else:
            self.wrong += 1
            self.wrong_accepted += accepted

    @property
    def recall(self) -> float:
        """The share of right answers that were accepted."""
        return self.accepted / self.right if self.right else 1.0

    @property
    def wrongly(self) -> float:
        """The share of wrong answers that were accepted."""
        return self.wrong_accepted / self.wrong if self.wrong else 0.0


@dataclass(slots=True)
class Tally:
    """All rates of a run, and the cases that were graded wrongly with the reason."""

    total: Rate = field(default_factory=Rate)
    dresses: dict[str, Rate] = field(default_factory=lambda: defaultdict(Rate))
    mutations: dict[str, Rate] = field(default_factory=lambda: defaultdict(Rate))
    shapes: dict[str, Rate] = field(default_factory=lambda: defaultdict(Rate))
    failures: list[tuple[Case, str]] = field(default_factory=list)

    def lines(self) -> Iterable[str]:
        """The tables, the weakest dress and the weakest mutation first."""
        yield f"{'dress':<26}{'right answers':>14}{'accepted':>10}{'wrong ones':>12}{'accepted':>10}"
        for name, rate in sorted(self.dresses.items(), key=lambda each: (each[1].recall, -each[1].wrongly, each[0])):
            yield f"{name:<26}{rate.right:>14}{rate.recall:>10.1%}{rate.wrong:>12}{rate.wrongly:>10.1%}"
        yield f"{'mutation':<26}{'wrong ones':>14}{'accepted':>10}"
        for name, rate in sorted(self.mutations.items(), key=lambda each: (-each[1].wrongly, each[0])):
            yield f"{name:<26}{rate.wrong:>14}{rate.wrongly:>10.1%}"
        yield f"{'shape':<26}{'right answers':>14}{'accepted':>10}{'wrong ones':>12}{'accepted':>10}"
        for name, rate in sorted(self.shapes.items(), key=lambda each: each[1].recall):
            yield f"{name:<26}{rate.right:>14}{rate.recall:>10.1%}{rate.wrong:>12}{rate.wrongly:>10.1%}"
        total = self.total
        yield f"{'all':<26}{total.right:>14}{total.recall:>10.1%}{total.wrong:>12}{total.wrongly:>10.1%}"


def graded(case: Case) -> tuple[Outcome, str]:
    """This project's verdict on a case."""
    verdict = grade(Answer(text=case.answer), reference_of(case.pair()))
    return verdict.outcome, verdict.reason


def tallied(cases: Iterable[Case], judge: Callable[[Case], tuple[Outcome, str]] = graded) -> Tally:
    """Grades every case; each counts once for every dress and mutation that it has."""
    tally = Tally()
    for case in cases:
        outcome, reason = judge(case)
        expected, accepted = not case.mutations, outcome is Outcome.CORRECT
        dresses = [tally.dresses[name] for name in case.dresses]
        mutations = [tally.mutations[name] for name in case.mutations]
        for rate in (tally.total, tally.shapes[case.gold.shape], *dresses, *mutations):
            rate.add(expected=expected, accepted=accepted)
        if accepted != expected:
            tally.failures.append((case, reason))
    return tally
