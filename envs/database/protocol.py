"""The text protocol of AgentBench's database track, and its tools.

Facts: THUDM/AgentBench v0.2 (format of actions, limits of observations); the wording here is ours.
"""

import json
import re
from dataclasses import dataclass
from typing import Literal

from envs.base import Action, Tool
from envs.database.spec import DatabaseSpec

LONGEST = 800
CUT = "[TRUNCATED]"
NUDGE = (
    "No action was found, so nothing was done. Write 'Action: Operation' with one statement in a ```sql block, or "
    "'Action: Answer' with a line 'Final Answer: [\"...\"]', or call one of the tools."
)
_ACTION = re.compile(r"Action:[ \t]*(.*?)[ \t]*(?:\n|$)")
_STATEMENT = re.compile(r"```sql[ \t]*\n(.*?)\n?```", re.DOTALL)
_FINAL = re.compile(r"(?:^|\n)[ \t]*Final Answer:(.*)")
# As published: one space, the line ends, a block's marks and the answer stand on lines of their own.
_PUBLISHED_ACTION = re.compile(r"Action: (.*?)\n")
_PUBLISHED_STATEMENT = re.compile(r"```sql\n(.*?)\n```", re.DOTALL)
_PUBLISHED_FINAL = re.compile(r"\nFinal Answer:(.*)")


@dataclass(frozen=True, slots=True)
class Request:
    """What a reply asks for: run the statement `text`, or commit the answer `text`."""

    kind: Literal["statement", "answer"]
    text: str


def parse(action: Action, *, published: bool = False, answer_only: bool = False) -> Request | None:
    """The request in a text or a tool call; None where there is none.

    With `answer_only` (no statement is left) only an answer counts, whatever else the reply asks for, and as published
    an empty one is none.
    """
    if action.text is None:
        request = _parse_tool(action)
    elif published:
        request = _parse_published(action.text, answer_only=answer_only)
    else:
        request = _parse_text(action.text)
    return None if answer_only and request is not None and request.kind != "answer" else request


def _parse_published(text: str, *, answer_only: bool) -> Request | None:
    """The first `Action:` line decides; one statement, its newlines made spaces; an answer as it stands on its line."""
    action = _PUBLISHED_ACTION.search(text)
    if action is not None and action.group(1) == "Operation" and not answer_only:
        statement = _PUBLISHED_STATEMENT.search(text)
        return Request("statement", statement.group(1).strip().replace("\n", " ")) if statement else None
    final = _PUBLISHED_FINAL.search(text)
    return Request("answer", final.group(1)) if final and (final.group(1) or not answer_only) else None


def _parse_text(text: str) -> Request | None:
    """The first `Action:` line decides; one statement, its newlines made spaces."""
    action = _ACTION.search(text)
    if action is None:
        return None
    if action.group(1) == "Operation":
        statement = _STATEMENT.search(text)
        return Request("statement", statement.group(1).strip().replace("\n", " ")) if statement else None
    final = _FINAL.search(text)
    return Request("answer", final.group(1).strip()) if final else None


def _parse_tool(action: Action) -> Request | None:
    if action.tool is None:
        return None
    if action.tool.name == "execute_sql":
        query = action.tool.arguments.get("query")
        return Request("statement", query) if isinstance(query, str) else None
    answers = action.tool.arguments.get("answers")
    if action.tool.name != "commit_final_answer" or not isinstance(answers, list):
        return None
    return Request("answer", json.dumps(answers, ensure_ascii=False))


def shorten(text: str) -> str:
    """An observation as published: at most 800 characters and a mark."""
    return text if len(text) <= LONGEST else text[:LONGEST] + CUT


def opening(spec: DatabaseSpec) -> list[str]:
    """What is said before the first reply, turn by turn: the two actions, and the problem."""
    asked = spec.problem + (f"\n{spec.hint}" if spec.hint else "")
    if spec.instruction:
        return [spec.instruction, *spec.example, spec.lead + asked]
    return [_INSTRUCTION.replace("{turns}", str(spec.turns)) + asked]


_INSTRUCTION = """\
You work with a MySQL database through a client that runs one SQL statement at a time. Find the answer to the question \
about it, or change the data as you are told. You may run up to {turns} statements. Write what you think, then exactly \
one action:

1. To run one statement:

Action: Operation
```sql
SELECT * FROM `table name` WHERE `some column` = 'value';
```

You are shown the rows that come back, or the error, shortened where it is long. Quote names with back-ticks.

2. To commit your answer, which ends the work; when you only had to change data, any answer will do:

Action: Answer
Final Answer: ["first value", "second value"]

The answer is a list on one line, with one text for each value.

"""

TOOLS = (
    Tool(
        name="execute_sql",
        description="Run one SQL statement (MySQL dialect); shows the rows or the error.",
        parameters={
            "type": "object",
            "properties": {"query": {"type": "string", "description": "one statement"}},
            "required": ["query"],
            "additionalProperties": False,
        },
    ),
    Tool(
        name="commit_final_answer",
        description="End the work with the answer: a list with one text for each value; anything after changing data.",
        parameters={
            "type": "object",
            "properties": {"answers": {"type": "array", "items": {"type": "string"}}},
            "required": ["answers"],
            "additionalProperties": False,
        },
    ),
)
