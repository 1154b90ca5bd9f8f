"""Which tasks on sites start alike, so that one episode says something of all of them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from packs.pack import Pack
from packs.problem import Probe, ReferenceLine

BUSY_SECONDS = 600


@dataclass
class SharedStart:
    """Tasks with one specification (sites, content, who is signed in, open tabs), and all their probes by name.

    Probes look and change nothing, so that more of them see the same.
    """

    start: str
    lines: list[ReferenceLine] = field(default_factory=list)
    probes: dict[str, Probe] = field(default_factory=dict)

    def takes(self, line: ReferenceLine) -> bool:
        """Whether a task belongs here: it starts alike, and none of its probes has another's name."""
        assert line.episode
        alike = self.probes
        return _start(line) == self.start and all(alike.get(one.name, one) == one for one in line.episode.probes)

    def add(self, line: ReferenceLine) -> None:
        """Take a task in."""
        assert line.episode
        self.lines.append(line)
        self.probes |= {one.name: one for one in line.episode.probes}

    def only(self, ids: set[str]) -> "SharedStart":
        """The same with these tasks alone."""
        return replace(self, lines=[line for line in self.lines if line.id in ids])

    def line(self, who: ReferenceLine, *, as_text: bool = False) -> ReferenceLine:
        """A task as it is played here: its own oracle and reference, this start, all probes, and more time.

        `as_text`: pages are shown as text, also where the task shows them as pictures.
        """
        assert self.lines[0].episode
        first = self.lines[0].episode
        # A busy machine is no reason to refuse a task.
        changed = {"timeout": BUSY_SECONDS} | ({"mode": "accessibility", "marks": False} if as_text else {})
        spec = first.spec | (changed if first.environment == "web_sites" else {})
        episode = first.model_copy(update={"probes": tuple(self.probes.values()), "spec": spec})
        return who.model_copy(update={"episode": episode})


@dataclass(frozen=True)
class Play:
    """An oracle to be played from a start. `about` is the task of which the other tasks' verdicts on it are meant."""

    start: SharedStart
    who: ReferenceLine
    about: str

    @property
    def own(self) -> bool:
        """Whether it is the oracle's own start."""
        return self.who in self.start.lines


def _start(line: ReferenceLine) -> str:
    assert line.episode
    return json.dumps([line.episode.environment, line.episode.spec, line.episode.steps], sort_keys=True)


def shared_starts(pack: Pack) -> list[SharedStart]:
    """The starts of a pack, in the order of its tasks."""
    found: list[SharedStart] = []
    for line in pack.references:
        start = next((one for one in found if one.takes(line)), None)
        if start is None:
            start = SharedStart(_start(line))
            found.append(start)
        start.add(line)
    return found


def siblings(pack: Pack, line: ReferenceLine) -> list[ReferenceLine]:
    """The other tasks of the same template with another right result."""
    groups = {problem.id: problem.group for problem in pack.problems}
    others = [one for one in pack.references if groups[one.id] == groups[line.id] and one.reference != line.reference]
    return [one for one in others if one.oracle != line.oracle]


def plays(pack: Pack) -> Iterator[Play]:
    """Each oracle from its own start; and, for a task that no sibling starts like, a sibling's oracle in the task's."""
    for start in shared_starts(pack):
        for line in start.lines:
            yield Play(start, line, line.id)
            others = siblings(pack, line)
            if others and not any(other in start.lines for other in others):
                yield Play(start.only({line.id}), others[0], line.id)
