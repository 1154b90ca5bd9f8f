"""What an import found: counts, and each problem that was left out or marked, with the cause."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Remark:
    """One sample that was left out, or kept with a mark. `kind` is one word for counting."""

    id: str
    kind: str
    cause: str


@dataclass
class Report:
    """The outcome of `convert`. `read` samples were found, `kept` are in the pack."""

    source: str
    read: int = 0
    kept: int = 0
    excluded: list[Remark] = field(default_factory=list)
    marked: list[Remark] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def exclude(self, id_: str, kind: str, cause: str) -> None:
        """A sample is left out."""
        self.excluded.append(Remark(id_, kind, cause))

    def mark(self, id_: str, kind: str, cause: str) -> None:
        """A sample is kept, but there is something to know about it."""
        self.marked.append(Remark(id_, kind, cause))

    def nothing(self) -> str:
        """What to say where no sample is left: each cause once, with how many samples have it and the first of them."""
        head = f"{self.source}: no sample of {self.read} can be converted; is it another format?"
        causes = Counter(remark.cause for remark in self.excluded)
        first = {remark.cause: remark.id for remark in reversed(self.excluded)}
        listed = [
            f"  {count} of {self.read}: {cause} (first: {first[cause]})" for cause, count in causes.most_common(5)
        ]
        return "\n".join([head, *listed])

    def lines(self) -> list[str]:
        """The report for people, one line a fact."""
        head = [f"{self.source}: {self.read} samples read, {self.kept} kept, {len(self.excluded)} left out"]
        return head + self.notes + list(_remarks("left out", self.excluded)) + list(_remarks("marked", self.marked))


def _remarks(word: str, remarks: Iterable[Remark]) -> Iterable[str]:
    remarks = list(remarks)
    for kind, count in sorted(Counter(remark.kind for remark in remarks).items()):
        yield f"{word}, {kind}: {count}"
        yield from (f"  {remark.id}: {remark.cause}" for remark in remarks if remark.kind == kind)
