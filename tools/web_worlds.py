"""Which tasks on sites start alike, so that one episode tells something of all of them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from packs.pack import Pack
from packs.problem import Probe, ReferenceLine

PATIENCE = 600


@dataclass
class World:
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

    def only(self, ids: set[str]) -> "World":
        """The same with these tasks alone."""
        return replace(self, lines=[line for line in self.lines if line.id in ids])

    def line(self, who: ReferenceLine) -> ReferenceLine:
        """A task as it is played here: its own oracle and reference, this start, all probes, and patience."""
        assert self.lines[0].episode
        first = self.lines[0].episode
        # A busy machine is no reason to refuse a task.
        spec = first.spec | ({"patience": PATIENCE} if first.environment == "web_sites" else {})
        episode = first.model_copy(update={"probes": tuple(self.probes.values()), "spec": spec})
        return who.model_copy(update={"episode": episode})


@dataclass(frozen=True)
class Play:
    """An oracle to be played in a world. `about` is the task of which the other tasks' verdicts on it tell."""

    world: World
    who: ReferenceLine
    about: str

    @property
    def own(self) -> bool:
        """Whether it is the oracle's own world."""
        return self.who in self.world.lines


def _start(line: ReferenceLine) -> str:
    assert line.episode
    return json.dumps([line.episode.environment, line.episode.spec, line.episode.steps], sort_keys=True)


def worlds(pack: Pack) -> list[World]:
    """The starts of a pack, in the order of its tasks."""
    found: list[World] = []
    for line in pack.references:
        world = next((one for one in found if one.takes(line)), None)
        if world is None:
            world = World(_start(line))
            found.append(world)
        world.add(line)
    return found


def siblings(pack: Pack, line: ReferenceLine) -> list[ReferenceLine]:
    """The other tasks of the same template with another right result."""
    groups = {problem.id: problem.group for problem in pack.problems}
    others = [one for one in pack.references if groups[one.id] == groups[line.id] and one.reference != line.reference]
    return [one for one in others if one.oracle != line.oracle]


def plays(pack: Pack) -> Iterator[Play]:
    """Each oracle in its own world; and, for a task that no sibling starts like, a sibling's oracle in the task's."""
    for world in worlds(pack):
        for line in world.lines:
            yield Play(world, line, line.id)
            others = siblings(pack, line)
            if others and not any(other in world.lines for other in others):
                yield Play(world.only({line.id}), others[0], line.id)
