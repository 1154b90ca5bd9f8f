"""A knowledge graph of a school and its painters for tests."""

from typing import Any

QUESTION = "Who taught the youngest pupil of Linden School working in fresco?"
ENTITIES = {"Linden School": "m.school", "fresco (wet, dry)": "m.fresco"}
SPEC: dict[str, Any] = {
    "question": QUESTION,
    "entities": ENTITIES,
    "edges": {
        "art.school.pupils": {"m.school": ["m.ada", "m.ben", "m.cleo"]},
        "art.school.head": {"m.school": ["m.dora"]},
        "art.technique.painters": {"m.fresco": ["m.ben", "m.cleo", "m.eli"]},
        "art.painter.taught_by": {"m.ben": ["m.dora"], "m.cleo": ["m.fay", "m.gus"], "m.ada": ["m.hal"]},
        "hidden.relation": {"m.school": ["m.ada"]},
    },
    "inverses": {"art.school.pupils": "art.painter.school"},
    "values": {
        "art.painter.born": {"m.ada": [1900], "m.ben": [1910], "m.cleo": [1920], "m.eli": [1920]},
        "art.painter.first_shown": {"m.ben": ["1931-05-01"], "m.cleo": ["1930-12-24"]},
        "art.painter.motto": {"m.ben": ["Paint!", "Wait."]},
    },
    "ranges": {
        "art.school.pupils": "art.painter",
        "art.school.head": "art.teacher",
        "art.technique.painters": "art.fresco_painter",
        "art.painter.taught_by": "art.teacher",
        "art.painter.school": "art.school",
        "art.painter.motto": "type.text",
    },
    "attributes": ["art.painter.born", "art.painter.first_shown"],
    "broader": {"art.fresco_painter": ["art.painter"], "art.painter": ["people.person"]},
}
GOLD = ["m.fay", "m.gus"]
CALLS: tuple[tuple[str, ...], ...] = (
    ("get_relations", "Linden School"),
    ("get_neighbors", "Linden School", "art.school.pupils"),
    ("get_relations", "fresco (wet, dry)"),
    ("get_neighbors", "fresco (wet, dry)", "art.technique.painters"),
    ("intersection", "#0", "#1"),
    ("get_attributes", "#2"),
    ("argmax", "#2", "art.painter.born"),
    ("get_relations", "#3"),
    ("get_neighbors", "#3", "art.painter.taught_by"),
)
OBSERVED = (
    "Observation: [art.school.head, art.school.pupils]",
    "Observation: variable #0, which are instances of art.painter",
    "Observation: [art.technique.painters]",
    "Observation: variable #1, which are instances of art.fresco_painter",
    "Observation: variable #2, which are instances of art.fresco_painter",
    "Observation: [art.painter.born, art.painter.first_shown]",
    "Observation: variable #3, which are instances of art.fresco_painter",
    "Observation: [art.painter.school, art.painter.taught_by]",
    "Observation: variable #4, which are instances of art.teacher",
)
FINAL = "Final Answer: #4"


def spec(**changed: Any) -> dict[str, Any]:
    """The specification with some fields changed."""
    return SPEC | changed


def text(call: tuple[str, ...]) -> str:
    """A call as a reply."""
    name, *arguments = call
    return f"Thought: on.\nAction: {name}({', '.join(arguments)})"


SOLUTION = (*map(text, CALLS), FINAL)
