"""What the boards talk about: read from `vocabulary.txt`, written for this project."""

import functools
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("vocabulary.txt")


@dataclass(frozen=True)
class Subject:
    """A board's subject. `things` are owned and bought, `jobs` done, `troubles` met."""

    group: str
    title: str
    things: tuple[str, ...]
    jobs: tuple[str, ...]
    troubles: tuple[str, ...]


@functools.cache
def subjects() -> tuple[Subject, ...]:
    """All subjects, in the file's order."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    blocks = "\n".join(lines).split("\n\n")
    return tuple(_subject(block.strip().splitlines()) for block in blocks if block.strip())


def _subject(lines: list[str]) -> Subject:
    head, things, jobs, troubles = lines
    group, title = head.split(" / ")
    return Subject(group, title, *(tuple(part.split(", ")) for part in (things, jobs, troubles)))
