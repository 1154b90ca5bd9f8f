"""The text protocol of AgentBench's operating-system track, and its tools.

Facts: THUDM/AgentBench v0.2 (format of actions, limits of observations); the wording here is ours.
"""

import re
from dataclasses import dataclass
from typing import Literal

from envs.base import Action, Tool
from envs.operating_system.spec import OperatingSystemSpec

SHOWN = 780
LONGEST = 800
CUT = "\n[truncated because the output is too long]"
EMPTY = "The output of the OS is empty."
OUTPUT = "The output of the OS:\n\n"
NUDGE = (
    "No action was found, so nothing was done. Write one line 'Act: bash' with a ```bash block, 'Act: finish' or "
    "'Act: answer(...)', or call one of the tools."
)

_ACT = re.compile(r"^[ \t]*Act:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_BLOCK = re.compile(r"```bash[ \t]*\n(.*?)\n?```", re.DOTALL)
# As published: anywhere in a line, also with the action on a later line; a block's marks stand on lines of their own.
_PUBLISHED_ACT = re.compile(r"Act:\s*(.+)")
_PUBLISHED_BLOCK = re.compile(r"```bash\n(.*?)\n```", re.DOTALL)
# Terminal control: OSC up to BEL or ST, CSI sequences, two-byte escapes, and single control characters.
_CONTROL = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|[\x00-\x08\x0b\x0c\x0e-\x1f]"
)


@dataclass(frozen=True, slots=True)
class Command:
    """What a reply asks for: run `text` in the shell, finish, or answer with `text`."""

    kind: Literal["bash", "finish", "answer"]
    text: str = ""


def parse(action: Action, *, published: bool = False) -> Command | None:
    """The command in a text or a tool call; None where there is none."""
    if action.text is None:
        return _parse_tool(action)
    return _parse_published(action.text) if published else _parse_text(action.text)


def _parse_published(text: str) -> Command | None:
    """The last `Act:` that names an action counts; all bash blocks are joined by an empty line, none is no command."""
    for act in reversed(_PUBLISHED_ACT.findall(text)):
        word = act.lower()
        if word.startswith("bash"):
            return Command("bash", "\n\n".join(_PUBLISHED_BLOCK.findall(text)))
        if word.startswith("finish"):
            return Command("finish")
        if word.startswith("answer"):
            given = act[len("answer") :]
            if "(" in given and ")" in given:
                return Command("answer", given[given.find("(") + 1 : given.rfind(")")])
    return None


def _parse_text(text: str) -> Command | None:
    """The last line `Act:` that names an action counts; all bash blocks are joined by an empty line."""
    for line in reversed(_ACT.findall(text)):
        word = line.lower()
        if word.startswith("bash"):
            blocks = [block.strip() for block in _BLOCK.findall(text)]
            return Command("bash", "\n\n".join(blocks)) if blocks else None
        if word.startswith("finish"):
            return Command("finish")
        if word.startswith("answer") and "(" in line and line.rfind(")") > line.find("("):
            return Command("answer", line[line.find("(") + 1 : line.rfind(")")])
    return None


def _parse_tool(action: Action) -> Command | None:
    if action.tool is None:
        return None
    name, arguments = action.tool.name, action.tool.arguments
    if name == "finish_action":
        return Command("finish")
    kind: Literal["bash", "answer"] = "bash" if name == "bash_action" else "answer"
    text = arguments.get({"bash_action": "script", "answer_action": "answer"}.get(name, ""))
    if isinstance(text, int | float) and not isinstance(text, bool) and kind == "answer":
        text = str(text)
    return Command(kind, text) if isinstance(text, str) else None


def refusal(action: Action) -> str:
    """Why an action cannot be understood; a call is answered with the tools and their fields."""
    if action.tool is None:
        return "no action was found in the reply"
    calls = ", ".join(f"{tool.name}({', '.join(_fields(tool))})" for tool in TOOLS)
    return f"no tool is called '{action.tool.name}' with these arguments; there are {calls}"


def _fields(tool: Tool) -> list[str]:
    properties = tool.parameters["properties"]
    return list(properties) if isinstance(properties, dict) else []


def nudge(action: Action) -> str:
    """What costs a turn and is answered in a "fixed" episode."""
    return NUDGE if action.tool is None else refusal(action)


def clean(output: str) -> str:
    """Output without terminal control sequences, with newlines as they should be."""
    return _CONTROL.sub("", output.replace("\r\n", "\n"))


def observe(output: str, *, published: bool = False) -> str:
    """An observation: at most 800 characters, or the first 780 and a mark. As published, white space is an output."""
    if not (output if published else output.strip()):
        return EMPTY
    return OUTPUT + (output if len(output) <= LONGEST else output[:SHOWN] + CUT)


def opening(spec: OperatingSystemSpec) -> list[str]:
    """What is said before the first reply, turn by turn: the three actions, one worked example, and the problem."""
    if spec.instruction:
        return [spec.instruction, *spec.example, spec.lead + spec.problem]
    return [_INSTRUCTION.replace("{turns}", str(spec.turns)) + spec.problem]


_INSTRUCTION = """\
You operate a Linux machine through a bash shell, and solve a problem on it. You have {turns} turns. In each turn \
write what you think, then exactly one action:

1. To run commands in the shell, which stays open between turns:

Think: why you run them
Act: bash
```bash
# your commands
```

2. To end because the task is done and no answer is asked for:

Think: why the task is done
Act: finish

3. To give the answer to a question:

Think: why this is the answer
Act: answer(the answer, and nothing else)

You are shown what the commands print, shortened where it is long. The shell has no terminal: no editors, no \
pagers, no prompts for input. Where the problem asks for a number, answer with the number alone.

Here is an example. The problem: how many files are there in the directory /etc?

Think: I list the files of /etc and count the lines.
Act: bash
```bash
ls -1 /etc | wc -l
```

The output of the OS:

220

Think: The count is 220.
Act: answer(220)

The example ends here. Now the machine is a new one, and the problem is:

"""

TOOLS = (
    Tool(
        name="bash_action",
        description="Run commands in the shell, which stays open between calls; shows what they print.",
        parameters={
            "type": "object",
            "properties": {"script": {"type": "string", "description": "the commands"}},
            "required": ["script"],
            "additionalProperties": False,
        },
    ),
    Tool(
        name="finish_action",
        description="End the episode: the task is done, and no answer is asked for.",
        parameters={
            "type": "object",
            "properties": {"thought": {"type": "string", "description": "why it is done"}},
            "additionalProperties": False,
        },
    ),
    Tool(
        name="answer_action",
        description="End the episode with the answer to the question, and nothing but the answer.",
        parameters={
            "type": "object",
            "properties": {"answer": {"type": "string"}},
            "required": ["answer"],
            "additionalProperties": False,
        },
    ),
)
