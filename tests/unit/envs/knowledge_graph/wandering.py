"""A participant who wanders: every call of it can be executed, and which one it makes is chance."""

import random
import re
from collections.abc import Collection
from dataclasses import dataclass, field

from envs.base import Action, Observation

_LIST = re.compile(r"Observation: \[(.*)\]")
RUBBISH = (
    "I do not know.",
    "",
    "Action: get_relation({a})",
    "Action: get_relations {a}",
    "Action: get_relations({a}",
    "Action: get_relations()",
    "Action: get_relations(no such thing)",
    "Action: get_relations(#99)",
    "Action: get_neighbors({a})",
    "Action: get_neighbors({a}, no.such.relation)",
    "Action: intersection({a}, {a})",
    "Action: intersection(#0)",
    "Action: count({a})",
    "Action: argmax(#0, no.such.attribute)",
    "Action: get_attributes({a})",
    "Action: fly({a}) then get_relations({a})",
    "Action: union(#0, #0)",
    "Action: count(variable #0)",
    "Action: count(#-1)",
    "Action 1: get_relations({a}) and get_relations(#0)",
    "action: get_relations({a})",
    "Thought: I see.\nAction: get\\_relations({a})\nObservation: [people.person]\nFinal Answer: #0",
    "Thought: I act.\nAction: none\nAction: get_relations({a})",
    "Find Answer: #77",
    "Final Answer: 0",
)


@dataclass
class Wanderer:
    """`rubbish` is the share of replies that are no sound calls. Sets that an extreme was taken of are left alone by
    further extremes, and numbers by all but counts and intersections: published, those were never executed."""

    draw: random.Random
    entities: Collection[str]
    rubbish: float = 0.0
    relations: dict[str, list[str]] = field(default_factory=dict)
    attributes: dict[str, list[str]] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)
    extreme: set[str] = field(default_factory=set)
    last: tuple[str, ...] = ("",)
    turn: int = 0

    def __call__(self, seen: Observation, number: int) -> Action:
        """The next reply, for the player."""
        if number:
            self._learn(seen.text)
        return Action(text=self._reply())

    def _learn(self, text: str) -> None:
        tool, *arguments = self.last
        listed = _LIST.fullmatch(text)
        if listed is not None and tool in ("get_relations", "get_attributes"):
            names = [name for name in listed.group(1).split(", ") if name]
            (self.relations if tool == "get_relations" else self.attributes)[arguments[0]] = names
        elif made := re.match(r"Observation: variable (#\d+), (which is a number|.* type\.int$)?", text):
            (self.numbers if made.group(2) else self.sets).append(made.group(1))
            if tool.startswith("arg") or self.extreme.intersection(arguments):
                self.extreme.add(made.group(1))

    def _reply(self) -> str:
        self.turn += 1
        made = [*self.sets, *self.numbers]
        if self.draw.random() < self.rubbish:
            self.last = ("",)
            return self.draw.choice(RUBBISH).replace("{a}", self.draw.choice(sorted(self.entities)))
        if made and self.draw.random() < self.turn / 20:
            return f"Final Answer: {self.draw.choice(made)}"
        self.last = self._call()
        tool, *arguments = self.last
        return f"Thought: on.\nAction: {tool}({', '.join(arguments)})"

    def _call(self) -> tuple[str, ...]:
        draw, sets = self.draw, self.sets
        starts = [*self.entities, *sets]
        options = [("get_relations", start) for start in starts if start not in self.relations]
        options += [("get_attributes", one) for one in sets if one not in self.attributes]
        calls: list[tuple[str, ...]] = [draw.choice(options)] if options else []
        for start, names in self.relations.items():
            calls += [("get_neighbors", start, draw.choice(names))] if names else []
        for start, names in self.attributes.items():
            if names and start not in self.extreme:
                calls.append((draw.choice(("argmax", "argmin")), start, draw.choice(names)))
        if len(sets) > 1:
            calls.append(("intersection", *draw.sample(sets, 2)))
        if len(self.numbers) > 1:
            calls.append(("intersection", *draw.sample(self.numbers, 2)))
        if sets or self.numbers:
            calls.append(("count", draw.choice([*sets, *self.numbers])))
        return draw.choice(calls or [("get_relations", draw.choice(starts))])
