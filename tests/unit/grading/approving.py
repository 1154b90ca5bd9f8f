"""What the answer language and the comparison say, approved line by line in `approved/*.jsonl`.

A line of `pairs.jsonl` or `fresh_pairs.jsonl` is a pair with its options and what the verdict said; a line of another
file names a call with its arguments and what it gave. `python -m tests.unit.grading.approving` writes what is said now
into the files: look at the difference before you commit it.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from grading import Answer, grade
from grading.equivalence.definitions import Definition, definition_of
from grading.equivalence.exactly import exact, is_infinite
from grading.equivalence.expressions import integer_symbols
from grading.equivalence.gathered import names_of
from grading.equivalence.members import as_matrix, components, members
from grading.equivalence.normal import unified
from grading.equivalence.quantities import as_quantity
from grading.equivalence.reals import NotRealsError, Piece, pieces
from grading.equivalence.signs import written_out
from grading.equivalence.texts import skeleton
from grading.language import LanguageError, constants_hold, evaluate_constants
from grading.language.characters import to_ascii
from grading.language.choices import chosen
from grading.language.extract import extract
from grading.language.forms import form_problem
from grading.language.formulae import is_marked, shells, species
from grading.language.numerals import leading, number_of
from grading.language.prepare import prepare
from grading.language.read import read, with_unit
from grading.language.responses.claims import is_sentence
from grading.language.responses.commitments import committed
from grading.language.tree import Node, Number
from grading.language.unitnames import unit_of
from grading.language.units import Unit, named
from grading.language.walking import walk
from grading.language.words import clock, hedged, negated, parts, phrase, plain, truth
from grading.pair_lines import reference_of

FILES = [*sorted((Path(__file__).parent / "approved").glob("*.jsonl")), Path(__file__).parent / "fresh_pairs.jsonl"]
_REFUSED = (LanguageError, ArithmeticError, NotRealsError)


def dump(value: object) -> str:
    """One spelling of a result: nodes by name and parts, numbers with their places and digits."""
    if isinstance(value, Number):
        written = f"#{value.places},{value.digits}" if value.places is not None or value.digits else ""
        return f"{_fraction(value.value)}{written}"
    if isinstance(value, Unit):
        measures = "*".join(f"{name}^{power}" for name, power in value.dimension)
        return f"<{value.scale} {measures} +{value.offset} pi^{value.pi_power}>"
    if isinstance(value, Node | Piece | Definition):
        return f"{type(value).__name__}({', '.join(dump(getattr(value, field.name)) for field in fields(value))})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {dump(each)}' for name, each in value.items())}}}"
    if isinstance(value, frozenset):
        return dump(sorted(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(dump, value))}]"
    return _fraction(value) if isinstance(value, Fraction) else repr(value)


def _fraction(value: Fraction) -> str:
    """A rational, or the bits of one that is too long to be looked at."""
    bits = value.numerator.bit_length(), value.denominator.bit_length()
    return str(value) if max(bits) < 4000 else f"{bits[0]} over {bits[1]} bits"


def _read(text: str, variables: Iterable[str] = (), grouped: bool = True, comma: bool = False) -> object:
    found = read(text, frozenset(variables), grouped, comma)
    return [found.node, found.source, found.conditions, found.upright]


def _with_unit(text: str) -> object:
    found = with_unit(text)
    return found and [found.node, found.source, found.upright]


def _extract(text: str | None, data: object = None) -> object:
    found = extract(Answer(text=text) if data is None else Answer(data=data))
    return [found.text, found.rule, found.others, found.problem]


def _committed(text: str) -> object:
    found = committed(text)
    return [found.text, found.rule, found.condition, found.comma, found.problem]


def _of_tree(function: Callable[[Node], object]) -> Callable[[str], object]:
    """A function of a tree as one of the text that is read as it."""
    return lambda text: function(read(text).node)


def _fractions(values: dict[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(value) for name, value in values.items()}


CALLS: dict[str, Callable[..., object]] = {
    "read": _read,
    "with_unit": _with_unit,
    "extract": _extract,
    "unit_of": unit_of,
    "named": named,
    "to_ascii": to_ascii,
    "prepare": prepare,
    "committed": _committed,
    "is_sentence": is_sentence,
    "form_problem": form_problem,
    "species": species,
    "shells": shells,
    "is_marked": is_marked,
    "number_of": number_of,
    "leading": leading,
    "clock": clock,
    "hedged": hedged,
    "negated": negated,
    "parts": parts,
    "phrase": phrase,
    "plain": plain,
    "truth": truth,
    "chosen": chosen,
    "walk": lambda text: list(walk(read(text).node)),
    "as_matrix": _of_tree(as_matrix),
    "as_quantity": _of_tree(as_quantity),
    "components": _of_tree(components),
    "members": _of_tree(members),
    "names_of": _of_tree(names_of),
    "pieces": _of_tree(pieces),
    "definition_of": _of_tree(definition_of),
    "exact": _of_tree(exact),
    "is_infinite": _of_tree(is_infinite),
    "written_out": _of_tree(written_out),
    "integer_symbols": _of_tree(integer_symbols),
    "skeleton": skeleton,
    "unified": lambda gold, given: unified(read(gold).node, read(given).node),
    "evaluate_constants": lambda text, values: evaluate_constants(text, _fractions(values)),
    "constants_hold": lambda text, values: constants_hold(text, _fractions(values)),
}


def called(line: dict[str, Any]) -> str:
    """What a line's call gives, or with which words it is refused."""
    try:
        return _cut(dump(CALLS[line["call"]](*line["arguments"])))
    except _REFUSED as error:
        return f"{type(error).__name__}: {error}"


def _cut(text: str) -> str:
    """A text of at most 600 characters, a longer one with a digest of what is left out."""
    return text if len(text) <= 600 else f"{text[:300]} {len(text)} {hashlib.sha256(text.encode()).hexdigest()}"


def judged(pair: dict[str, Any]) -> str:
    """Outcome, score, rule and sentence of a pair's verdict."""
    verdict = grade(Answer(text=pair["pred"]), reference_of(pair))
    rule = verdict.detail.get("rule", "")
    return f"{verdict.outcome} {verdict.score} | {rule} | {verdict.reason}"


def lines_of(file: Path) -> list[dict[str, Any]]:
    """The lines of an approved file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def said(line: dict[str, Any]) -> str:
    """What is said of a line now."""
    return judged(line) if "gold" in line else called(line)


def main() -> None:
    """Write what is said now into every approved file."""
    for file in FILES:
        written = [json.dumps({**line, "said": said(line)}, ensure_ascii=False) + "\n" for line in lines_of(file)]
        file.write_text("".join(written), encoding="utf-8")


if __name__ == "__main__":
    main()
