"""Fits the weights by which the answer of a long response is chosen, to responses whose answer is known.

    python -m tools.fit_ranking [DIRECTORY] [--write]

Each file of the directory (that of the tests) is by another hand: lines of `{gold, pred, options?}` whose `pred` is
right. The weights are those of a conditional logit model (the share of a response's mentions of its answer among all
candidates), with a penalty on their squares. Printed is how many answers are chosen of each file by weights fitted to
the other files; `--write` then fits to all of them. Features of single words are used where four hands wrote them.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import grading.language.ranking as ranking
from grading import Answer, grade
from grading.kinds.math import rules_of
from grading.language.extract import extract_text, unboxed
from grading.language.ranking.candidates import Candidate
from grading.language.ranking.features import Features
from grading.language.ranking.rank import contest, most_likely, score
from grading.language.ranking.sorts import asked_for
from grading.language.responses.segments import segmented
from grading.pair_lines import read_pair

Matrix = NDArray[np.float64]

DIRECTORY = Path("tests/unit/grading/responses")
TABLES = ("concluded_right.tsv", "turned_right.tsv", "described_right.tsv", "spelt_right.tsv")
"""Short arguments that were written for the grammar of sentences; as one hand, of more weight as they are few."""
HANDS, RESPONSES = 4, 12
"""By how many hands, and in how many responses, a word has to be used."""
PENALTY, PENALTY_OF_WORDS = 1.0, 3.0
OF_TABLES = 2.0
STEPS, RATE = 600, 0.05


@dataclass
class Example:
    """A response: its candidates, their features, and which of them say the answer."""

    hand: str
    live: list[Candidate]
    features: list[Features]
    right: Sequence[bool] | NDArray[np.bool_]


def examples(directory: Path) -> Iterator[Example]:
    """The responses that the grammar of sentences leaves to the ranking."""
    for file in sorted(directory.glob("*.jsonl")):
        for number, line in enumerate(file.read_bytes().splitlines(), 1):
            found = _example(file.stem, line, number)
            if found is not None:
                yield found
    for name in TABLES:
        for number, row in enumerate((directory.parent / "sentences" / name).read_text().splitlines(), 1):
            fields = row.split("\t")
            if len(fields) != len(("kind", "gold", "options", "response")):
                continue
            pair = {"gold": fields[1], "pred": fields[3].replace("⏎", "\n"), "options": json.loads(fields[2] or "{}")}
            found = _example("tables", json.dumps(pair).encode(), number)
            if found is not None:
                yield found


def _example(hand: str, line: bytes, number: int) -> Example | None:
    pair = read_pair(line, number)
    reference: Any = pair.reference
    if pair.answer is None or reference is None or not hasattr(reference, "rel_tol"):
        return None
    extraction = extract_text(pair.answer.text or "")
    asked = asked_for(unboxed(reference.value), rules_of(reference).unit)
    if extraction.rule != "whole" or extraction.text is None:
        return None
    found = contest(extraction.text, segmented(extraction.text), asked)
    if found is None:
        return None
    live, features = found
    verdicts = {each.text: grade(Answer(data=each.text), reference).score == 1 for each in live}
    right = np.array([verdicts[each.text] for each in live], dtype=bool)
    return Example(hand, live, features, right)


def names_of(found: Sequence[Example]) -> list[str]:
    """The features that are used: those of words only where many use them."""
    hands: dict[str, set[str]] = defaultdict(set)
    responses: Counter[str] = Counter()
    for each in found:
        names = {name for features in each.features for name in features}
        responses.update(names)
        for name in names:
            hands[name].add(each.hand)
    return sorted(
        name for name in hands if ":" not in name or (len(hands[name]) >= HANDS and responses[name] >= RESPONSES)
    )


def fitted(found: Sequence[Example], names: Sequence[str]) -> dict[str, float]:
    """The weights under which the answers have the largest share (Adam on the penalised likelihood)."""
    penalty = np.array([PENALTY_OF_WORDS if ":" in name else PENALTY for name in names])
    rows = [
        (_matrix(each, names), np.asarray(each.right), OF_TABLES if each.hand == "tables" else 1.0)
        for each in found
        if any(each.right)
    ]
    weights, first, second = (np.zeros(len(names)) for _ in range(3))
    for step in range(1, STEPS + 1):
        slope = penalty * weights
        for matrix, right, count in rows:
            scores = matrix @ weights
            share = np.exp(scores - scores.max())
            share /= share.sum()
            wanted = share * right
            slope += count * matrix.T @ (share - wanted / (wanted.sum() + 1e-12))
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights = weights - RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return dict(zip(names, weights.round(3).tolist(), strict=True))


def _matrix(example: Example, names: Sequence[str]) -> Matrix:
    return np.array([[features.get(name, 0.0) for name in names] for features in example.features])


def chosen(example: Example, weights: dict[str, float]) -> bool:
    """Whether the answer is chosen."""
    if not example.live:
        return False
    scores = [score(each, weights) for each in example.features]
    return bool(example.right[most_likely(example.live, scores)])


def main() -> int:
    """A line for each hand, then all together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, nargs="?", default=DIRECTORY)
    parser.add_argument("--write", action="store_true", help="fit to all files and keep the weights")
    arguments = parser.parse_args()
    found = list(examples(arguments.directory))
    names = names_of(found)
    total = 0
    for hand in sorted({each.hand for each in found}):
        weights = fitted([each for each in found if each.hand != hand], names)
        own = [each for each in found if each.hand == hand]
        right = sum(chosen(each, weights) for each in own)
        total += right
        print(
            json.dumps({"hand": hand, "responses": len(own), "chosen by the weights of the others": right}), flush=True
        )
    reachable = sum(any(each.right) for each in found)
    print(json.dumps({"responses": len(found), "with their answer among the candidates": reachable, "chosen": total}))
    if arguments.write:
        weights = {name: value for name, value in fitted(found, names).items() if value}
        file = Path(ranking.__path__[0]) / "weights.json"
        file.write_text(json.dumps(weights, indent=0, ensure_ascii=False, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
