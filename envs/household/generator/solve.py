"""The shortest solution of a household, by breadth-first search over all that can matter to its goal."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass

from envs.household.goal import Goal
from envs.household.world import Act, State, World

Rows = Sequence[tuple[str, ...]]
MOST_STATES = 60_000
_IDLE = frozenset({"look", "inventory", "help", "examine", "close"})
_APPLIANCES = {"isclean": "sinkbasintype", "ishot": "microwavetype", "iscool": "fridgetype"}


@dataclass(frozen=True)
class Solution:
    """The commands of one shortest solution, and how many states were looked at until it was found."""

    commands: tuple[str, ...]
    states: int


def shortest(facts: Mapping[str, Rows], goal: Sequence[tuple[str, ...]], distinct: Rows) -> Solution | None:
    """A shortest solution; None where there is none, or none within MOST_STATES.

    What can matter: things of the types that the goal names, and where they lie; places of the types that it names; the
    appliance for each state that it asks for. Nothing else helps, since a participant holds one thing at a time and
    places are reached in one step. Slicing is not looked for: a knife would have to be put down somewhere.
    """
    if any(pattern[0] == "issliced" for pattern in goal):
        raise ValueError("goals with sliced things are not searched for")
    world = World(_matters(facts, goal))
    wanted = Goal(goal, [(a, b) for a, b in distinct])
    start = world.start()
    came: dict[State, tuple[State, Act] | None] = {start: None}
    layer = [start]
    while layer and len(came) < MOST_STATES:
        after: list[State] = []
        for state in layer:
            # In one order, whatever the order of sets: of equally short solutions the same is found every time.
            for act in sorted(world.acts(state), key=astuple):
                if act.verb in _IDLE:
                    continue
                then = world.after(state, act)
                if then in came:
                    continue
                came[then] = (state, act)
                if wanted.holds(world.facts(then)):
                    return Solution(_commands(came, then, World(facts)), len(came))
                after.append(then)
        layer = after
    return None


def _commands(came: Mapping[State, tuple[State, Act] | None], last: State, world: World) -> tuple[str, ...]:
    found: list[str] = []
    step = came[last]
    while step is not None:
        found.append(world.command(step[1]))
        step = came[step[0]]
    return tuple(reversed(found))


def _matters(facts: Mapping[str, Rows], goal: Sequence[tuple[str, ...]]) -> dict[str, list[tuple[str, ...]]]:
    kinds = {pattern[2] for pattern in goal if pattern[0] in ("objecttype", "receptacletype")}
    kinds |= {_APPLIANCES[pattern[0]] for pattern in goal if pattern[0] in _APPLIANCES}
    things = {thing for thing, kind in facts.get("objecttype", ()) if kind in kinds}
    where = {place for thing, place in facts.get("inreceptacle", ()) if thing in things}
    where |= {place for place, kind in facts.get("receptacletype", ()) if kind in kinds}
    kept = things | where
    about = {"atlocation", "cancontain"}
    return {
        name: [row for row in rows if name in about or (row[0] in kept and (name != "inreceptacle" or row[1] in kept))]
        for name, rows in facts.items()
    }
