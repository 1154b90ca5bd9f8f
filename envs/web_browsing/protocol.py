"""The text protocol of AgentBench's web browsing track, and a tool for it.

Facts: THUDM/AgentBench v0.2 (form of questions and replies); the wording here is ours. Its function-calling variant has
no such track, so the tool is ours, too.
"""

import re
from dataclasses import dataclass

from envs.base import Action, Tool
from envs.web_browsing.dom import Shown
from envs.web_browsing.spec import WebBrowsingSpec, Words

LONGEST = 20_000
NONE = "A"
LETTERS = tuple("ABCDEF")
OPERATIONS = ("CLICK", "SELECT", "TYPE")
LATEST = 5
UNREADABLE = (
    "The reply could not be read. Give one of the letters above as 'Answer: B.' and, unless it is A, 'Action: CLICK', "
    "'Action: SELECT' or 'Action: TYPE', with 'Value: ...' for the last two. "
    "The question again:"
)
_LETTER = re.compile(r"Answer: (A|B|C|D|E|F)")
_OPERATION = re.compile(r"Action: (CLICK|SELECT|TYPE)")
_VALUE = re.compile(r"Value: (.*)$", re.MULTILINE)
_FREE_LETTER = re.compile(r"\banswer\b[*\s]*:[*\s]*\(?([A-F])\b", re.IGNORECASE)
_FREE_OPERATION = re.compile(r"\baction\b[*\s]*:[*\s]*(CLICK|SELECT|TYPE)\b", re.IGNORECASE)
_FREE_VALUE = re.compile(r"\bvalue\b[*\s]*:(?:\*\*)?[^\S\n]*(.*)$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Choice:
    """A letter of a question, and an operation with its value as one text ("SELECT Two adults")."""

    letter: str
    action: str


def parse(action: Action, protocol: str) -> Choice | None:
    """The choice in a reply. As published a reply without a letter means A, and anything is an operation; where the
    protocol is "fixed" such a reply is None."""
    if action.text is not None:
        text = action.text[:LONGEST].strip()
        return parse_published(text) if protocol == "published" else _fixed(text)
    called = action.tool
    if called is None or called.name != TOOL.name:
        return Choice(NONE, "") if protocol == "published" else None
    letter, operation, value = (called.arguments.get(name, "") for name in ("choice", "action", "value"))
    if not (isinstance(letter, str) and isinstance(operation, str) and isinstance(value, str)):
        return Choice(NONE, "") if protocol == "published" else None
    if letter not in LETTERS:
        return Choice(NONE, "") if protocol == "published" else None
    given = Choice(letter, f"{operation} {value[:LONGEST].strip()}".strip())
    return given if protocol == "published" else _sound(letter, operation, value[:LONGEST])


def parse_published(text: str) -> Choice:
    """A reply as AgentBench reads it: the first letter, operation and value that it finds."""
    letter, operation, value = (pattern.search(text) for pattern in (_LETTER, _OPERATION, _VALUE))
    action = f"{operation.group(1) if operation else ''} {value.group(1).strip() if value else ''}"
    return Choice(letter.group(1) if letter else NONE, action.strip())


def _fixed(text: str) -> Choice | None:
    """What is said last counts."""
    letters = _FREE_LETTER.findall(text)
    if not letters:
        return None
    operations, values = _FREE_OPERATION.findall(text), _FREE_VALUE.findall(text)
    return _sound(letters[-1].upper(), operations[-1].upper() if operations else "", values[-1] if values else "")


def _sound(letter: str, operation: str, value: str) -> Choice | None:
    if letter == NONE:
        return Choice(NONE, "")
    if operation not in OPERATIONS:
        return None
    return Choice(letter, operation if operation == "CLICK" else f"{operation} {value.strip()}".strip())


def lettered(shown: Shown) -> dict[str, str]:
    """The element of each letter."""
    return {chr(ord(NONE) + number): id_ for number, (id_, _) in enumerate(shown.choices, 1)}


def question(spec: WebBrowsingSpec, shown: Shown) -> str:
    """A question in the published form."""
    words = spec.words or WORDS
    before = "\n".join(spec.previous[-LATEST:] or ("None",))
    choices = "".join(f"{letter}. {text}\n" for letter, (_, text) in zip(lettered(shown), shown.choices, strict=True))
    return (
        f"'''\n{shown.page}\n'''\n\n{words.intro}\nTask: {spec.task}\nPrevious actions:\n{before}\n{words.ask}\n\n"
        f"{NONE}. {words.none}\n{choices}"
    )


def reply(choice: Choice, thought: str) -> str:
    """A reply in the published form."""
    operation, _, value = choice.action.partition(" ")
    lines = [f"Thought: {thought}", f"Answer: {choice.letter}."]
    lines += [f"Action: {operation}"] if operation else []
    return "\n".join([*lines, f"Value: {value}"] if value else lines)


WORDS = Words(
    intro="Above is a web page in a short form, cut down to the parts around some of its elements. Somebody is doing "
    "this on it:",
    ask="Which element is used next, and how? Ways are short and go along the links of the page; forms are filled in "
    "from the top to the bottom. Choose one of the following, or A if the element that is needed is not among them. "
    "Write a thought and then the letter, and unless it is A the action CLICK, SELECT or TYPE, the last two with what "
    "is selected or typed:",
    none="None of these elements",
)
_TASK = "'''\n{}\n'''\n\n{}\nTask: {}\nPrevious actions:\n{}\n{}\n\nA. {}\n{}"


def _shot(page: str, task: str, previous: str, choices: str) -> str:
    return _TASK.format(page, WORDS.intro, task, previous, WORDS.ask, WORDS.none, choices)


SHOTS = (
    _shot(
        "<html> <form> <label> Size of the box </label> <select id=0 size> <option s> Small </option> <option l> Large "
        "</option> </select> <button id=1 submit> Order the box </button> </form> <a id=2> About the farm </a> </html>",
        "Order a large box of vegetables",
        "[link] Boxes -> CLICK",
        "B. <select id=0 size> <option s> Small </option> <option l> Large\n"
        "C. <button id=1 submit> Order the box </button>\nD. <a id=2> About the farm </a>",
    ),
    "Thought: The size has to be chosen before the box is ordered.\nAnswer: B.\nAction: SELECT\nValue: Large",
    _shot(
        "<html> <ul> <li> <a id=0> Concerts </a> </li> <li> <a id=1> Choirs </a> </li> </ul> <div> <p> Doors open at "
        "seven. </p> <a id=2 tickets> Buy tickets </a> </div> </html>",
        "Find the address of the music library",
        "None",
        "B. <a id=0> Concerts </a>\nC. <a id=1> Choirs </a>\nD. <a id=2 tickets> Buy tickets </a>",
    ),
    "Thought: Neither concerts, choirs nor tickets lead to the library.\nAnswer: A.",
    _shot(
        "<html> <div> <label> Name of the boat </label> <input id=0 text boat /> <button id=1> Look it up </button> "
        "<button id=2> Clear </button> </div> </html>",
        "Look up the boat Heron",
        "[textbox] Name of the boat -> TYPE: Heron",
        "B. <input id=0 text boat />\nC. <button id=1> Look it up </button>\nD. <button id=2> Clear </button>",
    ),
    "Thought: The name is there; now it has to be looked up.\nAnswer: C.\nAction: CLICK",
)

TOOL = Tool(
    name="choose_element",
    description="Answer the question: the letter of a choice, and unless it is A what is done with the element.",
    parameters={
        "type": "object",
        "properties": {
            "choice": {"type": "string", "enum": list(LETTERS), "description": "letter of the choice"},
            "action": {"type": "string", "enum": list(OPERATIONS), "description": "what is done with the element"},
            "value": {"type": "string", "description": "what is selected or typed"},
        },
        "required": ["choice"],
        "additionalProperties": False,
    },
)
