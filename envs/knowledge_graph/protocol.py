"""How replies are read and what is said: the text protocol of AgentBench's knowledge graph track, and its functions.

Facts: THUDM/AgentBench v0.2 (form of replies, messages) and main (the seven functions; the answer is a text in both
variants). The messages of the protocol are published; the instruction and the example here are ours.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from envs.base import Action, Tool
from envs.knowledge_graph.spec import KnowledgeGraphSpec

LONGEST = 10_000
NO_VARIABLE = "Invalid variable id! Need to recheck the action."
NO_ACTION = "No executable function found! Need to recheck the action."
NO_FUNCTION = "Function is not executed!"
_FINAL = re.compile(r"(?:Find|Final) Answer: #([0-9]+)")
_FINAL_FIXED = re.compile(r"(?:find|final) answer\W{0,10}(?:variable\W{0,5})?#([0-9]+)", re.IGNORECASE)
_ACTION = re.compile(r"Action.*?:")
_FUNCTION = re.compile(r"(?<!\w)(\w+)\(")


@dataclass(frozen=True)
class Call:
    """A call that a reply makes; `arguments` is None where they cannot be read."""

    name: str
    arguments: tuple[str, ...] | None


def reply_of(action: Action) -> str:
    """The text of a reply as it counts: up to an observation that the participant made up."""
    text = (action.text or "").split("Observation:")[0]
    return text.replace("\\_", "_")


def answer_of(reply: str, *, published: bool) -> int | None:
    """The number of the variable that a reply commits to."""
    found = (_FINAL if published else _FINAL_FIXED).search(reply)
    return int(found.group(1)[:9]) if found else None


def action_line(reply: str) -> str | None:
    """The line that a reply's action stands in."""
    return next((line[:LONGEST] for line in reply.split("\n") if _ACTION.match(line[:LONGEST])), None)


def calls_of(line: str) -> list[Call]:
    """Every call of a line, read as published: arguments end at the first closing bracket, commas part them."""
    return [Call(name, _published_arguments(name, line)) for name in _FUNCTION.findall(line)]


def _published_arguments(name: str, line: str) -> tuple[str, ...] | None:
    begin = line.find(f"{name}(") + len(name) + 1
    end = line.find(")", begin + 1)
    return tuple(re.split(r"\s*,\s*", line[begin:end])) if end > 0 else None


def call_of(line: str, tools: Collection[str], entities: Collection[str]) -> Call | None:
    """The first call of one of the `tools` in a line; arguments may be names of entities with commas and brackets."""
    for found in _FUNCTION.finditer(line):
        if found.group(1) in tools:
            return Call(found.group(1), _arguments(line[found.end() :], entities))
    return None


def _arguments(text: str, entities: Collection[str]) -> tuple[str, ...] | None:
    names = sorted(entities, key=len, reverse=True)
    found: list[str] = []
    while True:
        argument, text = _argument(text.lstrip(), names)
        found.append(argument)
        if not text.startswith(","):
            return tuple(found) if text.startswith(")") and all(found) else None
        text = text[1:]


def _argument(text: str, names: Sequence[str]) -> tuple[str, str]:
    """The first argument of a text and what follows it."""
    for before in ("", "variable ", "Variable "):
        for name in names:
            for quote in ("", '"', "'"):
                whole = before + quote + name + quote
                rest = text.removeprefix(whole).lstrip()
                if text.startswith(whole) and rest[:1] in (",", ")"):
                    return name, rest
    end = min((place for mark in ",)" if (place := text.find(mark)) >= 0), default=len(text))
    return text[:end].strip().strip("\"'"), text[end:]


def called(action: Action) -> Call | None:
    """The call of a function by name; None for one that there is not or whose arguments are of other types."""
    call = action.tool
    names = PARAMETERS.get(call.name) if call is not None else None
    if call is None or names is None:
        return None
    given = [call.arguments.get(name) for name in names]
    texts = tuple(one.strip()[:LONGEST] for one in given if isinstance(one, str))
    fits = len(texts) == len(names) == len(call.arguments)
    return Call(call.name, texts if fits else None)


def refusal(name: str, arguments: Sequence[str] | None) -> str:
    """What is said of a call that was not executed; `arguments` are those that are shown, None for none."""
    if arguments is None:
        return (
            f"I may make a syntax error when calling {name} (e.g., unmatched parenthesis). "
            "I need to fix it and reuse the tool"
        )
    shown = f"{name}({', '.join(arguments)}) cannot be executed."
    if name == "intersection":
        return f"{shown} The two variables are not of the same type. You may further explore them by call get_relations"
    return f"{shown} You may make a mistake and need to fix it."


def opening(spec: KnowledgeGraphSpec) -> list[str]:
    """What is said before the first reply, turn by turn."""
    own = not spec.instruction
    before = [_instruction(spec), *_EXAMPLE] if own else [spec.instruction, *spec.example]
    asked = f"{LEAD if own else spec.lead}{spec.question}\nEntities: [{', '.join(spec.entities)}]"
    return [*before, asked]


def _instruction(spec: KnowledgeGraphSpec) -> str:
    types = " They must be of one type." if spec.rules == "published" else ""
    return INSTRUCTION.replace("{types}", types).replace("{turns}", str(spec.turns))


LEAD = "A new question: "
INSTRUCTION = """\
You answer questions from a knowledge graph that you cannot see. Seven tools look into it. A variable is a set of \
entities that a tool has found, or a number; the first one is #0, the next #1, and so on.

get_relations(variable): lists the relations that leave a variable, or an entity of the question, named as it is there.
get_neighbors(variable, relation): makes a variable of what a relation leads to. The relation must have been listed by \
get_relations for the same variable or entity before.
intersection(variable1, variable2): makes a variable of what is in both.{types}
get_attributes(variable): lists the attributes with values that can be ordered. Use it for the greatest, the first, \
the smallest and the like.
argmax(variable, attribute): makes a variable of what has the greatest value. The attribute must have been listed by \
get_attributes for the same variable before.
argmin(variable, attribute): the same with the least value.
count(variable): makes a variable that is the number of entities in a variable.

In each turn think first, then take exactly one action, and wait for its observation:

Thought: what you think
Action: get_relations(#0)

As soon as a variable is the answer, give its number and end with it:

Final Answer: #3

You have {turns} turns in all.
"""
_EXAMPLE = (
    "Understood. What is the question?",
    "Question: who taught the youngest pupil of Linden School working in fresco?\nEntities: [Linden School, fresco]",
    "Thought: I begin with the pupils of the school.\nAction: get_relations(Linden School)",
    "Observation: [art.school.founder, art.school.pupils, art.school.town]",
    "Thought: Its pupils are what I need.\nAction: get_neighbors(Linden School, art.school.pupils)",
    "Observation: variable #0, which are instances of art.painter",
    "Thought: Now those who work in fresco.\nAction: get_relations(fresco)",
    "Observation: [art.technique.painters, art.technique.tools]",
    "Thought: The painters of that technique.\nAction: get_neighbors(fresco, art.technique.painters)",
    "Observation: variable #1, which are instances of art.painter",
    "Thought: Those in both sets.\nAction: intersection(#0, #1)",
    "Observation: variable #2, which are instances of art.painter",
    "Thought: The youngest has the greatest year of birth.\nAction: get_attributes(#2)",
    "Observation: [art.painter.works_known, art.painter.year_of_birth]",
    "Thought: I take the greatest year.\nAction: argmax(#2, art.painter.year_of_birth)",
    "Observation: variable #3, which are instances of art.painter",
    "Thought: Who taught that painter?\nAction: get_relations(#3)",
    "Observation: [art.painter.taught_by, art.painter.technique]",
    "Thought: That relation leads to the answer.\nAction: get_neighbors(#3, art.painter.taught_by)",
    "Observation: variable #4, which are instances of art.painter",
    "Thought: #4 holds the painters asked for.\nFinal Answer: #4",
)

PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "get_relations": ("variable",),
    "get_neighbors": ("variable", "relation"),
    "intersection": ("variable1", "variable2"),
    "get_attributes": ("variable",),
    "argmax": ("variable", "attribute"),
    "argmin": ("variable", "attribute"),
    "count": ("variable",),
}
_DESCRIPTIONS: Mapping[str, str] = {
    "get_relations": "List the relations that leave a variable (#0) or an entity of the question (its name).",
    "get_neighbors": "Make a variable of what a relation that was listed leads to from a variable or an entity.",
    "intersection": "Make a variable of what is in both of two variables.",
    "get_attributes": "List the attributes of a variable whose values can be ordered.",
    "argmax": "Make a variable of those with the greatest value of an attribute that was listed.",
    "argmin": "Make a variable of those with the least value of an attribute that was listed.",
    "count": "Make a variable that is the number of entities in a variable.",
}


def _tool(name: str) -> Tool:
    fields: dict[str, JsonValue] = {field: {"type": "string"} for field in PARAMETERS[name]}
    parameters: dict[str, JsonValue] = {"type": "object", "properties": fields, "required": list(fields)}
    return Tool(name=name, description=_DESCRIPTIONS[name], parameters=parameters)


TOOLS = tuple(_tool(name) for name in PARAMETERS)
