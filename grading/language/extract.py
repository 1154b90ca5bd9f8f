"""Finds the final answer in a full response."""

import itertools
import json
import re
from dataclasses import dataclass

from grading.answer import Answer
from grading.language.limits import MAX_RESPONSE

_MARK = re.compile(r"\b(?:final\s+)?answer(?:\s+is)?\s*(?:\*\*|__)?\s*:\s*(?:\*\*|__)?", re.IGNORECASE)
_BOXED = re.compile(r"\\(?:boxed|fbox|framebox)\s*")
_BETWEEN = re.compile(
    r"^(?:[\s,;.$&]|\\[()\[\],;! ]|\\q?quad|and|or|\\text\s*\{[^{}]{0,40}\}|\\(?:mathrm|mbox)\s*\{\s*(?:and|or)\s*\})*$"
)
_PHRASES = re.compile(
    r"(?:(?:final\s+)?answer\s+(?:is|would be|must be|should be|comes? out (?:to|as))|(?:final\s+)?answer\s*[:=]"
    r"|\bla\s+r[ée]ponse\s+est|r[ée]ponse\s+(?:est|:)|respuesta\s+(?:es|:)|antwort\s+(?:ist|:)|答案(?:是|为|：|:)|答えは)",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"<\|[^|]*\|>.*$|\bI hope (?:it|this) is (?:correct|right).*$", re.IGNORECASE | re.DOTALL)
_TAGGED = re.compile(r"<answer>(.{1,4000}?)</answer>", re.DOTALL)
_HASHES = re.compile(r"^####[ \t]*(\S[^\n]{0,4000})$", re.MULTILINE)
_CORRECTION = re.compile(r"\b(?:correction|scratch that|i mean|wait|no,|no wait|actually)\b", re.IGNORECASE)


_MARKED = 20_000
"""Characters from the end in which an answer line is looked for."""
_MAX_MARKS = 40


@dataclass(frozen=True)
class Extraction:
    """`text` is the final answer (None where there is none), `rule` how it was found, `others` what else was seen."""

    text: str | None
    rule: str
    others: tuple[str, ...] = ()
    problem: str | None = None


def extract(answer: Answer) -> Extraction:
    """The final answer: structured `data`, the last `ANSWER:` line, the last boxes, or the response itself."""
    if answer.data is not None:
        return _from_data(answer.data)
    text = answer.text or ""
    if not text.strip():
        return Extraction(None, "empty", problem="the answer is empty")
    return extract_text(text)


def _from_data(data: object) -> Extraction:
    if isinstance(data, dict) and len(data) == 1 and "answer" in data:
        data = data["answer"]
    if isinstance(data, list):
        return Extraction(", ".join(_scalar(item) for item in data), "data")
    return Extraction(_scalar(data), "data")


def _scalar(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def extract_text(text: str) -> Extraction:
    """The committed answer of a response by its explicit marks; without any, the whole response."""
    text = _TRAILER.sub("", text[-MAX_RESPONSE:]) or text[-MAX_RESPONSE:]
    text = text.rpartition("</think>")[2] if "</think>" in text else text
    return _marked(text) or _tagged(text) or boxed(text) or Extraction(text.strip(), "whole")


def _tagged(text: str) -> Extraction | None:
    """`<answer>5</answer>`, `#### 5` on a line of its own, or a JSON object with an answer alone."""
    found = _TAGGED.findall(text[-_MARKED:]) or _HASHES.findall(text[-_MARKED:])
    if found:
        inner = found[-1].strip()
        return boxed(inner) or (Extraction(inner, "tag") if inner else None)
    if text.lstrip().startswith("{") and len(text) < _MARKED:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return None
        if isinstance(data, dict) and isinstance(data.get("answer"), str | int | float) and len(data) == 1:
            return _from_data(data)
    return None


def _marked(text: str) -> Extraction | None:
    marks = list(_MARK.finditer(text[-_MARKED:]))
    text = text[-_MARKED:]
    if len(marks) > _MAX_MARKS:
        return Extraction(None, "answer line", problem=f"more than {_MAX_MARKS} answers were announced")
    if not marks:
        return None
    last = marks[-1]
    rest = text[last.end() :].lstrip(" \t")
    if rest.startswith("\n"):
        rest = rest.lstrip()
    line = rest if rest.lstrip().startswith(("\\[", "$$", "\\begin")) else rest.split("\n", 1)[0]
    line = re.sub(r"^(?:\*\*|__)|(?:\*\*|__)$", "", line.strip()).strip()
    same_line = [m for m in marks[:-1] if "\n" not in text[m.end() : last.start()]]
    values = {text[m.end() : n.start()].strip() for m, n in itertools.pairwise(marks) if m in same_line}
    if values - {line, ""}:
        return Extraction(None, "answer line", tuple(sorted(values)), "two different answers in one line")
    if not line:
        return Extraction(None, "answer line", problem="nothing stands after 'ANSWER:'")
    if _CORRECTION.search(line) or _CORRECTION.search(rest[len(line) :][:200]):
        return Extraction(None, "answer line", (line,), "the answer is taken back after it was given")
    inner = boxed(line)
    return inner if inner and inner.text else Extraction(line, "answer line")


def boxed(text: str) -> Extraction | None:
    """The last box, or the last run of boxes that only commas or "and" separate."""
    boxes = [(match.start(), *span) for match in _BOXED.finditer(text) if (span := _group(text, match.end()))]
    if not boxes:
        return None
    run = [boxes[-1]]
    for box in reversed(boxes[:-1]):
        if not _BETWEEN.match(text[box[2] : run[0][0]]):
            break
        run.insert(0, box)
    contents = list(dict.fromkeys(text[start + 1 : end - 1].strip() for _, start, end in run))
    others = tuple(text[start + 1 : end - 1] for _, start, end in boxes[: -len(run)])
    if len(contents) > 1 and re.search(r"\\(?:fbox|boxed)", "".join(contents)):
        return Extraction(None, "boxed", others, "boxes within boxes")
    return Extraction(", ".join(contents), "boxed", others)


def _group(text: str, start: int) -> tuple[int, int] | None:
    """Span of the brace group that opens at `start`; an unclosed one reaches to the end of the line."""
    if not text.startswith("{", start):
        return None
    depth = 0
    for position in range(start, min(len(text), start + 20_000)):
        if text[position] == "{" and text[position - 1] != "\\":
            depth += 1
        elif text[position] == "}" and text[position - 1] != "\\":
            depth -= 1
            if depth == 0:
                return start, position + 1
    end = text.find("\n", start)
    return start, (end if end >= 0 else len(text)) + 1


def after_phrase(text: str) -> str | None:
    """What stands after the last "the answer is", up to the end of its sentence."""
    matches = list(_PHRASES.finditer(text))
    if not matches:
        return None
    rest = text[matches[-1].end() :].lstrip(" :").split("\n", 1)[0]
    if _CORRECTION.search(text[matches[-1].end() :]):
        return None
    sentence = re.split(r"(?<=[^\d\s])\.(?:\s|$)|(?<=\d)\.(?:\s+[A-Z]|\s*$)|。", rest, maxsplit=1)[0]
    return sentence.strip() or None
