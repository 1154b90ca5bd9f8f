"""A published game file (`game.tw-pddl`: JSON with PDDL domain, PDDL problem and grammar) as facts and a goal."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from envs.household.spec import ARITY

Node = str | list["Node"]
MAX_BYTES = 10_000_000
_WORD = re.compile(r"[()]|[^\s()]+")
_TASK = re.compile(r"Your task is to: ([^\"]*)\"")
_TEMPLATE = re.compile(r"action\s+PutObject\s*\{\s*template\s*::\s*\"([^\"]*)\"")
_GRAMMARS: dict[str, Literal["move", "put"]] = {"move {o} to {r}": "move", "put {o} in/on {r}": "put"}
# The domain names them, and no action or text of it reads them.
_IGNORED = {"checked", "examined", "moveable", "ison", "isreceptacleobjectfull", "wasinreceptacle", "full"}


class GameFile(BaseModel):
    """The published JSON."""

    pddl_domain: str = ""
    grammar: str
    pddl_problem: str
    walkthrough: list[str] | None = None


@dataclass(frozen=True)
class Game:
    """A game as a household's specification needs it, and the commands published as its solution."""

    facts: dict[str, list[list[str]]]
    goal: list[list[str]]
    distinct: list[list[str]]
    task: str
    grammar: Literal["move", "put"]
    walkthrough: list[str]


def read_game(path: Path) -> Game:
    """The game in a file. Raises ValueError for what is no such game, or has a form of goal that is not known."""
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"a game of more than {MAX_BYTES} bytes")
    return parse_game(GameFile.model_validate(json.loads(path.read_text("utf-8"))))


def parse_game(file: GameFile) -> Game:
    """The game of a file. Raises ValueError."""
    sections = {str(section[0]).lower(): section[1:] for section in _sections(file.pddl_problem)}
    if ":init" not in sections or len(sections.get(":goal", ())) != 1:
        raise ValueError("the PDDL problem has no (:init ...) or no single (:goal ...)")
    task, template = _TASK.search(file.grammar), _TEMPLATE.search(file.grammar)
    if task is None or template is None or template.group(1) not in _GRAMMARS:
        raise ValueError("the grammar is neither the one with 'move O to R' nor the one with 'put O in/on R'")
    goal, distinct = _goal(sections[":goal"][0])
    return Game(
        facts=_facts(sections[":init"]),
        goal=goal,
        distinct=distinct,
        task=task.group(1).strip(),
        grammar=_GRAMMARS[template.group(1)],
        walkthrough=list(file.walkthrough or ()),
    )


def _sections(text: str) -> Iterator[list[Node]]:
    found = _parsed(text)
    if not isinstance(found, list) or not found or found[0] != "define":
        raise ValueError("the PDDL problem is no (define ...)")
    for node in found[1:]:
        if isinstance(node, list) and node and isinstance(node[0], str):
            yield node


def _parsed(text: str) -> Node:
    """The first expression, lower-case as PDDL reads it."""
    text = re.sub(r";[^\n]*", "", text).lower()
    stack: list[list[Node]] = [[]]
    for word in _WORD.findall(text):
        if word == "(":
            stack.append([])
        elif word != ")":
            stack[-1].append(word)
        elif len(stack) > 1:
            done = stack.pop()
            stack[-1].append(done)
        else:
            raise ValueError("a bracket is closed that was never opened")
    if len(stack) != 1 or not stack[0]:
        raise ValueError("a bracket is never closed")
    return stack[0][0]


def _facts(nodes: list[Node]) -> dict[str, list[list[str]]]:
    found: dict[str, set[tuple[str, ...]]] = {}
    for node in nodes:
        words = _words(node)
        if words is None or words[0] in _IGNORED or words[0] == "=":
            continue
        if ARITY.get(words[0]) != len(words) - 1:
            raise ValueError(f"the domain has no fact like ({' '.join(words)})")
        found.setdefault(words[0], set()).add(tuple(words[1:]))
    # What could be put where is said of every type there is: the types in this room are enough.
    kinds = {kind for name in ("objecttype", "receptacletype") for _, kind in found.get(name, ())}
    found["cancontain"] = {pair for pair in found.get("cancontain", ()) if set(pair) <= kinds}
    return {name: [list(row) for row in sorted(rows)] for name, rows in sorted(found.items())}


def _words(node: Node) -> list[str] | None:
    """A flat expression; None for one with others in it, such as a distance."""
    if not isinstance(node, list) or not node or not all(isinstance(word, str) for word in node):
        return None
    return [str(word) for word in node]


def _goal(node: Node) -> tuple[list[list[str]], list[list[str]]]:
    goal: list[list[str]] = []
    distinct: list[list[str]] = []
    fresh = count(1)

    def walk(node: Node, scope: dict[str, str]) -> None:
        if not isinstance(node, list) or not node:
            raise ValueError(f"no goal: {node}")
        head, *rest = node
        if head == "and":
            for part in rest:
                walk(part, scope)
        elif head == "exists" and len(rest) == 2 and (bound := _words(rest[0])):
            named = {word: f"{word}{next(fresh)}" for word in bound if word.startswith("?")}
            walk(rest[1], scope | named)
        elif head == "not" and len(rest) == 1 and (pair := _words(rest[0])) and pair[0] == "=" and len(pair) == 3:
            distinct.append([scope.get(word, word) for word in pair[1:]])
        elif (words := _words(node)) and words[0] in ARITY:
            goal.append([words[0], *(scope.get(word, word) for word in words[1:])])
        else:
            raise ValueError(f"a form of goal that is not known: ({head} ...)")

    walk(node, {})
    return goal, distinct
