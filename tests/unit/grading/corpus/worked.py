"""Published worked solutions without their box: how often the grader finds the answer, and how often another value.

`python -m tests.unit.grading.corpus.worked FILE.jsonl [FROM TO]`; each line has `solution` and `answer`.
Each solution is graded beside its own answer and beside the last values that it mentions.
"""

import json
import re
import sys
from pathlib import Path

from grading import Answer, grade
from grading.language.responses.segments import formulas

_BOX = re.compile(r"\\(?:boxed|fbox)\s*(?=\{)")
_PICTURE = re.compile(r"\[asy\].*?\[/asy\]", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")
_MENTIONED = 12
_LONGEST = 60


def unboxed(text: str) -> str:
    """A solution whose boxes are taken off, what stood in them kept."""
    while (found := _BOX.search(text)) is not None:
        depth, end = 0, found.end()
        while end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0) if text[end - 1] != "\\" else 0
            end += 1
            if depth == 0:
                break
        text = text[: found.start()] + text[found.end() + 1 : end - 1] + text[end:]
    return text


def mentioned(text: str) -> list[str]:
    """The last numbers and formulas of a text."""
    found = [part.strip(" .,") for each in formulas(text) for part in (each, re.split(r"=|\\approx|,", each)[-1])]
    values = [*found, *_NUMBER.findall(text)]
    return list(dict.fromkeys(each for each in values if 0 < len(each) < _LONGEST))[-_MENTIONED:]


def _is_right(text: str, gold: str) -> bool:
    return grade(Answer(text=text), {"kind": "math", "value": gold}).score == 1


def main(path: str, first: int, last: int) -> None:
    """Print how many solutions say their answer, and how many values they only mention are accepted."""
    right = count = accepted = others = 0
    for line in Path(path).read_text(encoding="utf-8").splitlines()[first:last]:
        row = json.loads(line)
        text = unboxed(_PICTURE.sub("", row["solution"])).strip()
        count += 1
        right += _is_right(text, row["answer"])
        for other in mentioned(text):
            if not _is_right(other, row["answer"]):
                others += 1
                accepted += _is_right(text, other)
    print(f"{right} of {count} answers found, {accepted} of {others} other values accepted")


if __name__ == "__main__":
    main(sys.argv[1], *(int(each) for each in sys.argv[2:4] or ("0", "1000000")))
