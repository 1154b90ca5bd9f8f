"""The words of AgentBench's database track, out of an owner's checkout."""

import ast
from pathlib import Path

from envs import checkout as published
from envs.checkout import Words

FILE = Path("src/server/tasks/dbbench/__init__.py")


def read_words(checkout: Path) -> Words:
    """The words of a checkout. Raises ValueError for a folder that has them not, or where they are not found."""
    tree = published.parse(checkout, FILE)
    try:
        instruction = str(published.assigned(tree, "big_prompt"))
        said = published.injected(published.function(tree, "start_sample"))
        reply = next(str(ast.literal_eval(content)) for role, content in said if role == "agent")
    except (StopIteration, ValueError) as error:
        raise ValueError(f"the words of the database task are not found in {checkout}: {error!r}") from None
    return Words(instruction, (reply,))
