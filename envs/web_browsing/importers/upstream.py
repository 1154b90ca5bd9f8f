"""The published words and examples, out of an owner's own copy of AgentBench's prompt: nothing of them is shipped."""

import json
import re
from pathlib import Path
from typing import Any

from envs.web_browsing.spec import Words

PROMPT = Path("data/mind2web/prompt/llm_prompt_cot.json")
_QUESTION = re.compile(
    r"\A'''\n.*\n'''\n\n(?P<intro>.*?)\nTask: .*?\nPrevious actions:\nNone\n(?P<ask>.*?)\n\nA\. (?P<none>.*?)\nB\. ",
    re.DOTALL,
)


def read_prompt(place: Path) -> tuple[Words, tuple[str, ...]]:
    """The words of a question and the turns before it, of a checkout of AgentBench v0.2 or of its prompt itself.

    Raises ValueError where they are not found.
    """
    file = place / PROMPT if place.is_dir() else place
    try:
        turns = [_content(turn) for turn in json.loads(file.read_text("utf-8"))]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file} is no prompt of AgentBench v0.2: {error!r}") from None
    # The last turn is the place of the question.
    shots = tuple(turns[:-1])
    found = _QUESTION.match(shots[0]) if len(shots) >= 2 and len(shots) % 2 == 0 else None
    if found is None:
        raise ValueError(f"the first example of {file} is no question whose task is at its beginning")
    return Words.model_validate(found.groupdict()), shots


def _content(turn: Any) -> str:
    return str(turn["content"])
