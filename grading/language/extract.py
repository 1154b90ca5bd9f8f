"""Finds the final answer in a full response."""

import itertools
import json
import re
from dataclasses import dataclass, replace

from grading.answer import Answer
from grading.language.gaps import without_long_runs
from grading.language.jsonanswers import in_json
from grading.language.limits import MAX_RESPONSE
from grading.language.responses import changing, tongues
from grading.language.responses import vocabulary as say
from grading.language.responses.aroundbox import attached, changes_box
from grading.language.responses.contrasts import without_contrast
from grading.language.responses.corrections import denied_before, taken_back
from grading.language.responses.leads import uncommitted
from grading.language.responses.retracted import retracted_after
from grading.language.scaled import in_plain_digits
from grading.language.wordless import is_wordless
from grading.language.wrappers import unwrapped

_MARK = re.compile(r"(?<![^\W_])(?:final\s+)?answer(?:\s+is)?[\s*_]{0,6}:\s*(?:\*\*|__)?", re.IGNORECASE)
_TWICE_BOXED = re.compile(r"\\boxed\s*\{\s*(\\boxed\s*\{(?:[^{}]|\{[^{}]*\})*\})\s*\}")
"""A box in which there is nothing but a box."""
_SET_TYPE = re.compile(r"\\(?:text|textbf|mathbf|mathrm|textit)\s*\{\s*$")
"""What opens before a mark that is set in a type with its answer: `\\textbf{Answer: B}`."""
_BOXED = re.compile(r"\\(?:boxed|fbox|framebox)\s*")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_STRUCK = re.compile(
    r"(?<![^\s(\[*$])~~(?=[^\s~])[^~\n]{1,200}~~(?![^\s)\].,;:*$])|<(?P<tag>s|del|strike)>[^<>\n]{1,200}</(?P=tag)>"
)
"""What is struck out is not said."""
_LAST_REMARK = re.compile(
    r"(?<=[^\s:=(])[ \t]*\n\s*[*_]{0,2}\("
    r"(?P<said>(?!(?:if|for|when|where|with|unless|not|or|only|and|but|wrong|assuming|provided|given"
    r"|otherwise|answer|answers|correct|plus|minus|times)\b)"
    r"[a-zA-Z]{2,}[^()?\n]{2,120})\)[*_.]{0,3}\s*$",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"(?:\$?\\(?:blacksquare|square|Box|qed|qedsymbol)\$?|[∎■□▪✓✔✅☑\U0001f389]\ufe0f?|(?<![A-Za-z])(?:QED"
    r"|Q\.\s?E\.\s?D))$"
)
"""Signs at the end of a proof."""
_BETWEEN = re.compile(
    r"^(?:[\s,;.$&]|\\[()\[\],;! ]|\\q?quad|and|or|\\text\s*\{[^{}]{0,40}\}|\\(?:mathrm|mbox)\s*\{\s*(?:and|or)\s*\})*$"
)
_OPERATED = re.compile(
    r"(?:(?<![\n-])[-−+/^]|(?<!\*)\*|\\(?:cdot|times|div|pm|mp|sqrt|neg|lnot)(?:\[[^\]]*\])?\s*\{?"
    r"|\\[dt]?frac\s*(?:\{[^{}]*\}\s*)?\{|\d)[ ]*$"
)
_OPERATES = re.compile(r"\s*(?:\^|\\(?:cdot|times|div|pm|mp)\b|[+/]\s*[\d\\A-Za-z]|[-−]\s?\d|\*\s?\d|!(?![\s$]|\Z))")
_EXCLAIMED = re.compile(r"!\s*(?:\$|\\\)|\\\]|\Z)")
_DEFINES = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|(?:re)?newenvironment|(?:New|Renew|Declare|Provide)[A-Z][A-Za-z]*"
    r"|[gex]?def|let|futurelet|(?:math)?chardef|catcode|csname|newif|if(?:false|true|x|num|case)|begin\s*\{comment\})(?![A-Za-z])"
)
"""Commands by which what is written, also a box, stands for something else than it shows."""
_QUOTED_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,200}`", re.DOTALL)
_PICTURES = re.compile(
    "[\U0001f300-\U0001f440\U0001f442-\U0001f44d\U0001f44f-\U0001f5ff\U0001f600-\U0001f613\U0001f680-\U0001f6aa\U0001f947-\U0001f9cf\u2b50\u2728]\ufe0f?"
)
"""Pictures that say nothing; not a thumb down, doubt, shrugs, crosses and signs of prohibition."""
_TRAILER = re.compile(
    r"<\|[^|]*\|>.*$|\bI hope (?:it|this) is (?:correct|right).*$"
    r"|\b(?:I hope (?:this|that|it) helps|(?:Please )?let me know if|Feel free to ask"
    r"|Happy to (?:help|explain))\b[^\d$\\]{0,120}$",
    re.IGNORECASE | re.DOTALL,
)
_FENCED = re.compile(r"```\w*[ \t]*\n(?P<line>[^\n`]{1,400})\n[ \t]*```")
"""One line between fences, behind an answer's mark."""
_NO_PROGRAM = re.compile(r"```(?:text|txt|plain|plaintext|output|math|latex|tex)?[ \t]*\n", re.IGNORECASE)
_BEGUN_WITH_DOTS = re.compile(r"^\s*(?:…|\.\.\.)\s*(?=[A-Za-z]{2})")
_TAGGED = re.compile(
    r"<(?:answer|final(?:[_-]?answer)?|ans|result|choice)>(.{1,4000}?)</(?:answer|final(?:[_-]?answer)?|ans|result|choice)>",
    re.DOTALL,
)
_HASHES = re.compile(r"^####[ \t]*(?!(?:\$\$|\\\[)[ \t]*$)(\S[^\n]{0,4000})$", re.MULTILINE)
_CHAT = re.compile(
    r"^\s*(?:yep|yeah|yup|hm+|ok(?:ay)?|alright)[,!]?\s+(?!right\b)(?=\S)|(?<=[\w.!])\s*[:;]-?[)D]\s*$", re.IGNORECASE
)
"""How people chat around an answer: `yep 55`, `minus four :)`."""
_WORDS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
"""Words with which a line behind hashes, and a section under it, is a heading."""
_DIGITS = {
    ord(digit): str(place)
    for row in ("٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "０１２３４５６７８９")
    for place, digit in enumerate(row)
} | {ord("٫"): ".", ord("٬"): ",", ord("．"): ".", ord("－"): "-"}


_SHORT = 400
_MAY_BE_MARKED = re.compile(r"[<\"#Q]|~~|(?i:box|square|qed|answer)")
"""A sign of what is struck out, boxed, tagged or ended: a short text without words has no other mark of an answer."""
_MARKED = 20_000
"""Characters from the end in which an answer line is looked for."""
_MAX_MARKS = 40
_MOST_ENDS, _END = 3, 24
"""Signs at the end of a proof, and the characters of the longest."""


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
    text = response_of(answer)
    if not text.strip():
        return Extraction(None, "empty", problem="the answer is empty")
    return extract_text(text)


def response_of(answer: Answer) -> str:
    """The end of a response that is looked at, without its long runs."""
    return without_long_runs((answer.text or "")[-MAX_RESPONSE:])


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
    if "\\" in text and _DEFINES.search(_QUOTED_CODE.sub(" ", text) if "`" in text else text):
        return Extraction(None, "whole", problem="commands are defined anew")
    if len(text) <= _SHORT and is_wordless(text) and _MAY_BE_MARKED.search(text) is None:
        return Extraction(text.strip(), "whole")
    text = _TRAILER.sub("", text[-MAX_RESPONSE:]) or text[-MAX_RESPONSE:]
    text = _BEGUN_WITH_DOTS.sub("", _CHAT.sub("", text)) or text if len(text) <= _SHORT else text
    text = unwrapped(without_long_runs(_STRUCK.sub(" ", text)) if "~~" in text or "<" in text else text)
    text = text.rpartition("</think>")[2] if "</think>" in text else text
    text = _without_end(text) if len(text) <= _MARKED else text
    text = text.translate(_DIGITS) if not text.isascii() else text
    text = in_plain_digits(_PICTURES.sub(" ", text) if not text.isascii() else text)
    text = _TWICE_BOXED.sub(r"\1", text) if text.count("\\boxed") == len("{}") else text
    text = _without_last_remark(without_contrast(_out_of_code(text)))
    marked = _json(text) or _marked(text) or _tagged(text) or _kept(text)
    if marked is None and len(text) <= _SHORT and tongues.DENIED_NUMBER.search(text):
        return Extraction(None, "whole", problem="the number is denied or bounded")
    return marked or Extraction(text.strip(), "whole")


def _out_of_code(text: str) -> str:
    """A text that stands between backticks as a whole, without them."""
    bare = text.strip()
    fenced = _FENCED.fullmatch(bare) if bare.startswith("```") and _NO_PROGRAM.match(bare) else None
    if fenced is not None:
        return fenced["line"].strip()  # Of a program a line is no answer.
    whole = bare.startswith("`") and bare.endswith("`") and bare.count("`") == len("``")
    return bare[1:-1] if whole and "\n" not in bare else text


def _without_end(text: str) -> str:
    """A text without the signs that end a proof."""
    # A pattern that begins with any number of spaces would be tried at each of them.
    for _ in range(_MOST_ENDS):
        body = text.rstrip().rstrip(". \t\n")
        found = _ENDED.search(body[-_END:])
        if found is None:
            break
        text = body[: len(body) - len(found[0])].rstrip(". \t\n")
    return text


def _without_last_remark(text: str) -> str:
    """A text without a last line in brackets that only says something beside its answer."""
    found = _LAST_REMARK.search(text[-300:])
    if found is None or taken_back(found["said"]):
        return text
    changes = (say.UNSETTLED, say.DENIED, say.DOUBTED, say.CHANGED, changing.AROUND, changing.WORK_LEFT)
    if any(words.search(found["said"]) for words in changes):
        return text
    return text[: len(text) - len(text[-300:]) + found.start()]


def _json(text: str) -> Extraction | None:
    """A JSON object with an answer at the very end."""
    found = in_json(text)
    return None if found is None else _from_data(found)


def _kept(text: str) -> Extraction | None:
    """The last box, if nothing after it takes it back."""
    found = boxed(text)
    if found is None:
        return None
    start, end = _run(text)
    if _beside_a_box(text):
        return Extraction(None, "boxed", found.others, "the box is a part of a larger expression")
    if denied_before(text, [match.start() for match in _BOXED.finditer(text)][-1]):
        return Extraction(None, "boxed", found.others, "what stands in the box is denied")
    if retracted_after(text[end:].lstrip("$"), found.text or ""):
        return Extraction(None, "boxed", found.others, "the answer is taken back after it was given")
    changed = changes_box(text[:start], text[start:end], text[end:])
    if changed is not None:
        return Extraction(None, "boxed", found.others, changed)
    return found if found.text is None else replace(found, text=attached(found.text, text[end:]))


def _beside_a_box(text: str) -> bool:
    """Whether an operation before or behind the last box goes on with it: `-\\boxed{5}`, `\\boxed{5}^2`."""
    start = [match.start() for match in _BOXED.finditer(text)][-1]
    group = _group(text, text.index("{", start), _closings(text)) if "{" in text[start:] else None
    if (
        group is not None
        and _EXCLAIMED.match(text, group[1])
        and (text[group[1] + 1 :].strip() or not text[:start].strip())
    ):
        # `\boxed{5}!` in a formula or alone is a factorial; behind a sentence the sign is joy.
        return True
    return _OPERATED.search(text[max(0, start - 30) : start]) is not None or (
        group is not None and _OPERATES.match(text, group[1]) is not None
    )


def _tagged(text: str) -> Extraction | None:
    """`<answer>5</answer>`, `#### 5` on a line of its own, or a JSON object with an answer alone."""
    text = text[-_MARKED:]
    found = list(_TAGGED.finditer(text)) or list(_HASHES.finditer(text))
    if found and not (found[-1].re is _HASHES and text[found[-1].end() :].strip() and _WORDS.search(found[-1][1])):
        inner = found[-1][1].strip()
        if retracted_after(text[found[-1].end() :], inner):
            return Extraction(None, "tag", (inner,), "the answer is taken back after it was given")
        return boxed(inner) or (Extraction(inner, "tag") if inner else None)
    return None


def _marked(text: str) -> Extraction | None:
    text = text[-_MARKED:]
    marks = list(_MARK.finditer(text))
    if len(marks) > _MAX_MARKS:
        return Extraction(None, "answer line", problem=f"more than {_MAX_MARKS} answers were announced")
    marks = [
        match
        for place, match in enumerate(marks)
        if uncommitted(_lead(text, match.start()), "", "") is None
        or (place and "\n" not in text[marks[place - 1].end() : match.start()])
    ]
    if not marks:
        return None
    last = marks[-1]
    rest = text[last.end() :].lstrip(" \t")
    if rest.startswith("\n"):
        rest = rest.lstrip()
    fenced = _FENCED.match(rest)
    if fenced is not None:
        rest = fenced["line"] + rest[fenced.end() :]
    line = rest if rest.lstrip().startswith(("\\[", "$$", "\\begin")) else _listed(rest) or rest.split("\n", 1)[0]
    line = re.sub(r"^(?:\*\*|__)|(?:\*\*|__)$", "", line.strip()).strip()
    if _SET_TYPE.search(text[max(0, last.start() - 30) : last.start()]):
        line = _without_closing(line)
    if last[0].endswith("**") and line.count("**") % 2:
        line = line.replace("**", "", 1)
    same_line = [m for m in marks[:-1] if "\n" not in text[m.end() : last.start()]]
    values = {text[m.end() : n.start()].strip() for m, n in itertools.pairwise(marks) if m in same_line}
    if values - {line, ""}:
        return Extraction(None, "answer line", tuple(sorted(values)), "two different answers in one line")
    if not line:
        return Extraction(None, "answer line", problem="nothing stands after 'ANSWER:'")
    # `C. No, because …`, `B. False` may be a choice's own words, which the grader of choices knows.
    said = _LABELLED.sub("", line)
    if taken_back(said) or retracted_after(rest[len(line) :][:2_000], line):
        return Extraction(None, "answer line", (line,), "the answer is taken back after it was given")
    inner = boxed(line)
    return inner if inner and inner.text else Extraction(_SORT.sub("", line), "answer line")


_BULLET = re.compile(r"[ \t]*[-*•+][ \t]+(?P<item>(?=[^\n]*[\d$]|[A-J]\W*$)[^\n:]{1,80}?)[ \t.,;]*$")
_SORT = re.compile(r"^(?:the\s+(?:number|value|integer|year)\s+|(?:in\s+)(?=[12]\d{3}\W*$))(?=\S+\W*$)", re.IGNORECASE)
"""What sort of thing the value is, before it: `the year 1648`."""

_LABELLED = re.compile(r"^\W*[A-Z]\b[)\].:*\s]+(?:no|not|false|incorrect|wrong|untrue)\b\W*", re.IGNORECASE)


def _listed(rest: str) -> str | None:
    """The lines of a list that is all that stands behind an answer's mark, in one; None of other texts."""
    items = [_BULLET.match(line) for line in rest.splitlines() if line.strip()]
    found = [each["item"] for each in items if each is not None]
    return ", ".join(found) if 1 < len(found) == len(items) else None


def _without_closing(line: str) -> str:
    """A line without the first brace that closes none of its own."""
    depth = 0
    for brace in _BRACE.finditer(line):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth < 0:
            return line[: brace.start()] + line[brace.end() :]
    return line


def _lead(text: str, place: int) -> str:
    """What stands before an answer's mark in its sentence."""
    line = text[max(text.rfind("\n", 0, place) + 1, place - 300) : place]
    return re.sub(
        r"\\(?:text|textbf|mathbf|mathrm|textit)\s*\{|[*_#>`|-]+|^\s*\(?\w{1,3}[.)]\s",
        " ",
        re.split(r"[.!?]\s", line)[-1],
    )


def boxed(text: str) -> Extraction | None:
    """The last box, or the last run of boxes that only commas or "and" separate."""
    closing = _closings(text)
    boxes = [(match.start(), *span) for match in _BOXED.finditer(text) if (span := _group(text, match.end(), closing))]
    if not boxes:
        return None
    run = _last_run(text, boxes)
    contents = list(dict.fromkeys(text[start + 1 : end - 1].strip() for _, start, end in run))
    others = tuple(text[start + 1 : end - 1] for _, start, end in boxes[: -len(run)])
    if len(contents) > 1 and re.search(r"\\(?:fbox|boxed)", "".join(contents)):
        return Extraction(None, "boxed", others, "boxes within boxes")
    return Extraction(", ".join(contents), "boxed", others)


def _last_run(text: str, boxes: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    run = [boxes[-1]]
    for box in reversed(boxes[:-1]):
        if not _BETWEEN.match(text[box[2] : run[0][0]]):
            break
        run.insert(0, box)
    return run


def _run(text: str) -> tuple[int, int]:
    """Where the last run of boxes begins and ends."""
    closing = _closings(text)
    boxes = [(match.start(), *span) for match in _BOXED.finditer(text) if (span := _group(text, match.end(), closing))]
    run = _last_run(text, boxes)
    return run[0][0], run[-1][2]


def unboxed(text: str) -> str:
    """What stands in the last box of a text, or the text."""
    found = boxed(text) if "\\boxed" in text or "\\fbox" in text else None
    return found.text if found is not None and found.text else text


def _closings(text: str) -> dict[int, int]:
    """Where each brace is closed, by the place where it opens."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            found[opened.pop()] = match.end()
    return found


def _group(text: str, start: int, closing: dict[int, int]) -> tuple[int, int] | None:
    """Span of the brace group that opens at `start`; an unclosed one reaches to the end of the line."""
    if not text.startswith("{", start):
        return None
    if start in closing:
        return start, closing[start]
    end = text.find("\n", start)
    return start, (end if end >= 0 else len(text)) + 1
