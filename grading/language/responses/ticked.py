"""Choices that are ticked or crossed: by signs beside their labels, or by a verdict in the row of their words."""

import re

from grading.language import words
from grading.language.responses import vocabulary as say
from grading.language.responses.askedagain import excepts
from grading.language.responses.choosing import choice_in
from grading.language.responses.corrections import taken_back
from grading.language.responses.headed import HEADING
from grading.language.responses.labels import sentences

OPENS = re.compile(
    r"^[^\w(]*(?:the\s+)?(?:(?:final|correct|best|right|my)\s+)*(?:answer|option|choice)(?:\s+is)?\s*[:：]?\s*$",
    re.IGNORECASE,
)
"""A line that announces the answer."""
TICK = re.compile("[✅✓✔☑]")
CROSS = re.compile("[❌✗✘✖☒]")
_LISTED = re.compile(r"[-•*\s✅✓✔☑❌✗✘✖☒\ufe0f(\[|]*(?:[Oo]ption\s+)?(?P<label>[A-Za-z])\s*(?:[).:\]|–—*-]|$)")
_ROW = re.compile(r"(?P<head>\w[^|–—:*✓✔✅❌✗✘✖☒]{0,59}?)\*{0,2} ?(?P<rest>(?:\||:| [–—-] |[✓✔✅❌✗✘✖☒]).*)$")
"""A line that says something of what it begins with."""
_VERDICT = re.compile(
    r"\|\s*\**(?:(?P<yes>yes|correct|true|right)|no|wrong|false|incorrect)\b(?!\s+\w)[^|]*(?=\||$)", re.IGNORECASE
)
_FEWEST = 3
"""Choices of which lines have to tell for a list of verdicts."""


def with_verdicts(text: str, spelt: dict[str, str], question: str) -> str:
    """A text whose lines that begin with the words of a choice begin with its label, and with signs for the verdicts
    of its tables (`| mitochondrion | yes |`), where the question asks for what is so."""
    named = {words.plain(each): label for label, each in spelt.items() if words.plain(each)}
    rows = [_ROW.match(" ".join(line.split()).lstrip("-•*| ")) for line in text.split("\n")]
    labelled = [row and (row["head"] if row["head"] in spelt else named.get(words.plain(row["head"]))) for row in rows]
    if len({label for label in labelled if label}) < _FEWEST or excepts(question):
        return text
    return "\n".join(
        f"{label}) {_VERDICT.sub(_signed, row['rest'])}" if row and label else line
        for line, row, label in zip(text.split("\n"), rows, labelled, strict=True)
    )


def _signed(cell: re.Match[str]) -> str:
    return "| ✓ " if cell["yes"] else "| ✗ "


def ticked_label(text: str, choices: tuple[str, ...]) -> tuple[str | None, str] | None:
    """The one label whose line is ticked, where it is the last line or others are crossed; None of other texts."""
    if CROSS.search(text) is None and TICK.search(text) is None:
        return None
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    found = [(match["label"], line) for line in lines if (match := _LISTED.match(line)) and match["label"] in choices]
    begun = [label for label, line in found if TICK.match(line)]
    if (
        len(begun) == 1
        and found[-1] == (begun[0], lines[-1])
        and not say.UNSETTLED.search(lines[-1].partition(begun[0])[2])
    ):
        return begun[0], "the ticked label"
    crossed = {label for label, line in found if CROSS.search(line)}
    only = {label for label, line in found if TICK.search(line)} - crossed
    if len(only) == 1 and len(found) == len(choices) and only | crossed == set(choices):
        behind = "\n".join(lines[lines.index(found[-1][1]) + 1 :])
        named = any(choice_in(each, choices).named for each in sentences(behind))
        return None if named or taken_back(behind) or say.UNSETTLED.search(behind) else (only.pop(), "the ticked label")
    headed = len(lines) > 1 and (HEADING.match(lines[-2]) or OPENS.match(lines[-2]))
    if not crossed or found[-1][1] != lines[-1] or (headed and not CROSS.search(lines[-1])):
        return None
    ticked = {label for label, line in found if TICK.search(line)} - crossed
    left = ticked or {label for label, _ in found} - crossed
    return (left.pop(), "the ticked label") if len(left) == 1 else (None, "the labels are crossed out")
