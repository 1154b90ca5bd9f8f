"""Reads lines of labelled pairs: `{gold, pred, question?, kind?, options?, expected?, id?}`, one JSON object each."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from string import ascii_letters, ascii_uppercase
from typing import Any, BinaryIO

from pydantic import ValidationError

from grading.answer import Answer
from grading.kinds.math import MathReference
from grading.language.relabelled import are_labels
from grading.reference import Reference
from grading.registry import parse_reference

MAX_LINE = 16 << 20
"""Bytes of a line; a longer one is told and passed over."""
_SET_BY_THE_PAIR = {"kind", "value"}
_SHAPES = {"set", "set of tuples", "tuple", "vector", "interval"}
_LISTS = ("choices", "texts", "vars", "constants")
_CHOICES = frozenset({"mc", "multiple_choice"})
_MATHEMATICS = frozenset({"math", "numeric", "symbolic"})
"""Types that say no more than the default: the shape of a gold is inferred."""
_TYPES = frozenset({*_SHAPES, *_CHOICES, *_MATHEMATICS, "exact"})
_FEWEST, _MOST = 2, len(ascii_uppercase)
_TEN = ascii_uppercase[:10]
_KNOWN = frozenset({*MathReference.model_fields, "type", "precision_abs", *_LISTS}) - _SET_BY_THE_PAIR
_TRUE = frozenset({"true", "correct", "right", "yes", "1"})
_FALSE = frozenset({"false", "incorrect", "wrong", "no", "0"})


class PairError(ValueError):
    """The line is no pair; the message says what is wrong with it."""


class _Written(float):
    """A JSON number that keeps its spelling: `0.50` states two decimals."""

    text: str

    def __new__(cls, text: str) -> "_Written":
        self = super().__new__(cls, text)
        self.text = text
        return self

    def __str__(self) -> str:
        return self.text


@dataclass
class Pair:
    """One line. `problem` tells why it cannot be graded; `notes` what was passed over."""

    line: int
    id: Any = None
    kind: str = ""
    expected: bool | None = None
    answer: Answer | None = None
    reference: Reference | None = None
    problem: str = ""
    notes: list[str] = field(default_factory=list)


def pairs_of(file: BinaryIO) -> Iterator[Pair]:
    """Every line of a file that is not blank, as a pair or with its problem; lines are counted from 1."""
    number = 0
    while raw := file.readline(MAX_LINE + 1):
        number += 1
        if len(raw) > MAX_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(MAX_LINE)
            yield Pair(number, problem=f"the line is longer than {MAX_LINE >> 20} MiB")
            continue
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if raw.strip():
            yield read_pair(raw, number)


def read_pair(raw: bytes, number: int) -> Pair:
    """A line as a pair; what can be told of one that cannot be graded (id, kind, label) is kept."""
    pair = Pair(number)
    try:
        content = _content(raw, pair)
        _labels(content, pair)
        if pair.problem:
            return pair
        gold, given = _required(content, "gold"), _required(content, "pred")
        pair.answer = _answer(given, content.get("question"))
        options = _options(content, pair)
        pair.reference = parse_reference(reference_of({"gold": _text(gold, "gold"), "options": options}))
    except ValidationError as error:
        pair.problem = "; ".join(_said(fault) for fault in error.errors(include_input=False, include_url=False)[:3])
    except PairError as error:
        pair.problem = str(error)
    return pair


def _said(fault: Any) -> str:
    where = [str(part) for part in fault["loc"] if part != "math"]
    return f"{' '.join('gold' if part == 'value' else part for part in where)}: {fault['msg']}".removeprefix(": ")


def _content(raw: bytes, pair: Pair) -> dict[str, Any]:
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        pair.problem = f"byte {error.start + 1} of the line is not UTF-8"
        text = raw.decode(errors="replace")
    try:
        content = json.loads(text, parse_float=_Written, parse_constant=str)
    except json.JSONDecodeError as error:
        raise PairError(pair.problem or f"no JSON: {error.msg} at character {error.pos + 1}") from None
    except (RecursionError, ValueError):
        raise PairError(pair.problem or "JSON that nests too deep or holds too long a number") from None
    if not isinstance(content, dict):
        raise PairError("not a JSON object with gold and pred")
    return content


def _labels(content: dict[str, Any], pair: Pair) -> None:
    """The id, the kind and the label; a label that is none is told and left out."""
    pair.id = content.get("id")
    kind = content.get("kind")
    pair.kind = kind if isinstance(kind, str) else "" if kind is None else json.dumps(kind)
    expected = content.get("expected")
    said = str(expected).strip().lower() if isinstance(expected, str | int) else None
    said = "01"[int(expected)] if isinstance(expected, float) and expected in (0, 1) else said
    if said in _TRUE or said in _FALSE:
        pair.expected = said in _TRUE
    elif expected is not None:
        pair.notes.append("'expected' is neither true nor false: graded without a label")


def _required(content: dict[str, Any], name: str) -> Any:
    if name not in content:
        raise PairError(f"'{name}' is missing")
    return content[name]


def _text(value: Any, name: str) -> str:
    """Text as it is, a number by its spelling; lone surrogates become the sign that no reader accepts."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int | float):
        raise PairError(f"'{name}' must be text or a number")
    return str(value).encode("utf-8", "replace").decode()


def _answer(value: Any, question: Any) -> Answer:
    """No answer at all (`null`) is an empty one; a list gives several."""
    asked = {"statement": _text(question, "question")} if question is not None else {}
    if isinstance(value, list):
        return Answer(data=[_text(item, "pred") for item in value], context=asked)
    return Answer(text="" if value is None else _text(value, "pred"), context=asked)


def _options(content: dict[str, Any], pair: Pair) -> dict[str, Any]:
    options = content.get("options") or {}
    if not isinstance(options, dict):
        raise PairError("'options' must be an object")
    if options.get("type") is not None and options["type"] not in list(_TYPES):
        raise PairError(f"option 'type' is {json.dumps(options['type'])}; known are {', '.join(sorted(_TYPES))}")
    choices = options.get("choices")
    if isinstance(choices, int) and not isinstance(choices, bool):
        if not _FEWEST <= choices <= _MOST:
            raise PairError(f"option 'choices' is {choices}; a number of choices is from {_FEWEST} to {_MOST}")
        options = options | {"choices": list(ascii_uppercase[:choices])}
    for name in _LISTS:
        value = options.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise PairError(f"option '{name}' must be a list of texts")
    pair.notes += [f"option {json.dumps(name)} is not known and was passed over" for name in options.keys() - _KNOWN]
    return options


def reference_of(pair: dict[str, Any]) -> dict[str, Any]:
    """The reference that a labelled pair describes: its options in this package's words."""
    options = pair.get("options") or {}
    if options.get("type") in list(_CHOICES) or (options.get("type") is None and _chooses(pair["gold"], options)):
        return _choice(pair["gold"], options)
    if options.get("type") == "exact":
        return {"kind": "exact", "value": pair["gold"], "case_sensitive": False}
    reference: dict[str, Any] = {"kind": "math", "value": pair["gold"]}
    known = MathReference.model_fields.keys() - _SET_BY_THE_PAIR
    reference.update({name: options[name] for name in known if name in options})
    if options.get("type") in list(_SHAPES):
        reference["shape"] = options["type"]
    if "precision_abs" in options:
        reference["abs_tol"] = options["precision_abs"]
    if options.get("vars"):
        reference["variables"] = dict.fromkeys(options["vars"], "")
    return reference


def _chooses(gold: str, options: dict[str, Any]) -> bool:
    """Whether a pair that names no type gives choices, and a gold that is the label or the words of one."""
    reference = _choice(gold, options) if options.get("choices") or options.get("texts") else {}
    return bool(reference) and reference["value"] in reference["choices"]


def _choice(gold: str, options: dict[str, Any]) -> dict[str, Any]:
    """A reference of multiple choice. `texts` are the choices in words, and so are `choices` that are no labels.

    Labels are letters, which stand for numbers and Roman numerals; a gold that is one of the texts is its label.
    """
    choices, texts = options.get("choices"), options.get("texts", [])
    label = gold.strip().strip("()[]. ")
    labels = choices if choices and are_labels(tuple(choices)) else []
    if choices and not all(len(each) == 1 and each in ascii_letters for each in choices):
        choices, texts = None, texts or choices
    if label in labels:
        choices = list(ascii_uppercase[: len(labels)])
        label = choices[labels.index(label)]
    # Four choices, or up to ten where the gold needs them.
    needed = _TEN.find(label.upper()) + 1 if len(label) == 1 else 0
    choices = choices or list(ascii_uppercase[: len(texts) or max(4, needed)])
    label = label if label in choices or label.upper() not in choices else label.upper()
    if label not in choices and gold in texts:
        label = choices[texts.index(gold)]
    reference = {"kind": "multiple_choice", "value": label, "choices": choices, "texts": texts}
    return reference | {"labels": labels} if labels else reference
