"""The wording that every variant of a problem shares."""

import re
from collections.abc import Iterator

from packs.problem import Problem, Variation

_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_]\w*)\s*\}\}")


def shared_wording(problem: Problem, variation: Variation | None) -> Iterator[str]:
    """Runs of text that every variant shows, constants written as 0; a paraphrase ends a run."""
    constants = variation.constants if variation else {}
    for text in (problem.statement, *(choice.text for choice in problem.choices)):
        filled = _PLACEHOLDER.sub(lambda match: "0" if match[1] in constants else "\x00", text)
        yield from filled.split("\x00")
