"""Fits the weights by which the answer of a response is chosen, to responses whose answer is known.

    python -m tools.fit_ranking [DIRECTORY] [--write]

Each file of the directory (that of the tests) is by another hand: lines of `{question, gold, pred, options?}`. In its
files `pred` is right; in those of its folder `attacks`, and in the tables of wrong sentences, it mentions the gold and
does not commit to it. The weights are those of a conditional logit model, one for responses whose question is known
and one for the others: the share of the right mentions among all candidates and "no answer" is to be large, that of a
gold that is only mentioned small, with a penalty on the weights' squares. Printed is what is chosen of each file by
weights that were fitted to other files; `--write` then fits to all of them.
"""

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import grading.language.ranking as ranking
from grading import Answer, grade
from grading.kinds.math import rules_of
from grading.language.extract import extract_text, unboxed
from grading.language.ranking.contest import Contest, contest
from grading.language.ranking.pairs import BESIDE
from grading.language.ranking.rank import most_likely
from grading.language.ranking.sorts import asked_for
from grading.pair_lines import read_pair

Floats = NDArray[np.float64]

DIRECTORY = Path("tests/unit/grading/responses")
TABLES, WRONG = "tables", "wrong tables"
BEFORE = (
    "We look at the problem in steps. We use what is known. ",
    "First, $2+3=5$ and $4\\cdot 2=8$. Then $8-5=3$ is used. ",
)
"""Sentences that are put before every fourth of the wrong ones."""
EVERY = 4
HANDS, RESPONSES = 4, 12
"""By how many hands, and in how many responses, a word has to be used."""
PENALTY, PENALTY_OF_WORDS, PENALTY_OF_PAIRS = 1.0, 3.0, 7.0
OF_ATTACK, OF_TABLES = 2.0, 3.0
"""How much more an attack, and a right row of a table, counts than a right response."""
FOLDS = 5
STEPS = 150
MATHEMATICS = ("math", "numeric", "symbolic", "set", "interval")
ABOUT_NOTHING = ("n:", "np:", "nw:", "s:")
"""Beginnings of names of features that stand for the grammar's reasons, which are the same for every hand."""


class Rivals(Protocol):
    """The candidates of a response by their features, and those of "no answer"."""

    features: list[dict[str, float]]
    nothing: dict[str, float]


class Labelled(Protocol):
    """A response of a hand; `right` are its candidates that say the gold."""

    @property
    def hand(self) -> str: ...

    @property
    def attack(self) -> bool: ...

    @property
    def found(self) -> Rivals: ...

    @property
    def right(self) -> list[bool]: ...


@dataclass
class Example:
    """A response; `right` are its candidates that say the gold, to which it commits unless it is an attack."""

    hand: str
    attack: bool
    found: Contest
    right: list[bool]


@dataclass(frozen=True)
class Line:
    """A labelled response as it is read; `asked` is whether its question is given to the contest."""

    hand: str
    attack: bool
    pair: dict[str, Any]
    number: int
    asked: bool = True


def lines(directory: Path) -> Iterator[Line]:
    """The labelled responses of a directory, and of the tables of sentences beside it."""
    for file in sorted(directory.glob("**/*.jsonl")):
        attack = file.parent.name == "attacks"
        for number, line in enumerate(file.read_text().splitlines(), 1):
            yield Line(file.stem, attack, json.loads(line), number)
    for file in sorted((directory.parent / "sentences").iterdir()):
        wrong = file.suffix == ".txt" or file.stem.endswith("_wrong")
        for number, row in enumerate(file.read_text().splitlines(), 1):
            pair = _of_row(file, row)
            if pair is None or file.stem.startswith("labels"):
                continue
            yield Line(WRONG if wrong else TABLES, wrong, pair, number)
            if wrong and number % EVERY == 0:
                before = BEFORE[number // EVERY % len(BEFORE)]
                yield Line(WRONG, wrong, pair | {"pred": before + pair["pred"]}, number)


def _of_row(file: Path, row: str) -> dict[str, Any] | None:
    fields = row.replace("⏎", "\n").split("\t")
    if file.suffix == ".txt":
        return {"gold": "5", "pred": fields[0], "options": {}}
    if len(fields) == len(("gold", "response")):
        return {"gold": fields[0], "pred": fields[1], "options": {}}
    if len(fields) < len(("kind", "gold", "options", "response")) or fields[0] not in MATHEMATICS:
        return None
    asked = fields[4] if len(fields) > len(("kind", "gold", "options", "response")) else ""
    return {"gold": fields[1], "pred": fields[3], "options": json.loads(fields[2] or "{}"), "question": asked}


def example_of(line: Line) -> Example | None:
    """The contest of a response; None where there is none, or where an attack's gold is no candidate."""
    pair = read_pair(json.dumps({name: line.pair[name] for name in ("gold", "pred", "options")}).encode(), line.number)
    reference: Any = pair.reference
    if pair.answer is None or reference is None or not hasattr(reference, "rel_tol"):
        return None
    extraction = extract_text(pair.answer.text or "")
    if extraction.rule != "whole" or extraction.text is None:
        return None
    shown = {"statement": line.pair.get("question", "")}
    question = shown["statement"] if line.asked else ""
    found = contest(extraction.text, asked_for(unboxed(reference.value), rules_of(reference).unit, question), question)
    if found is None:
        return None
    verdicts = {each.text: grade(Answer(data=each.text, context=shown), reference).score == 1 for each in found.live}
    right = [verdicts[each.text] for each in found.live]
    return Example(line.hand, line.attack, found, right) if any(right) or not line.attack else None


def examples(directory: Path, *, asked: bool) -> list[Example]:
    """The examples of a directory, with their questions or without."""
    read = [Line(each.hand, each.attack, each.pair, each.number, asked) for each in lines(directory)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return [found for found in pool.map(example_of, read, chunksize=20) if found is not None]


def names_of(found: Sequence[Labelled], *, least_hands: int = HANDS, least_responses: int = RESPONSES) -> list[str]:
    """The features that are used: those of words only where so many hands, in so many responses, use them."""
    hands: dict[str, set[str]] = defaultdict(set)
    responses: Counter[str] = Counter()
    for each in found:
        names = {name for features in (*each.found.features, each.found.nothing) for name in features}
        responses.update(names)
        for name in names:
            hands[name].add(each.hand)
    return sorted(
        name
        for name in hands
        if (":" not in name and BESIDE not in name)
        or (responses[name] >= least_responses and (len(hands[name]) >= least_hands or name.startswith(ABOUT_NOTHING)))
    )


def counted(each: Labelled) -> float:
    """How much a response counts in the likelihood."""
    return OF_ATTACK if each.attack else OF_TABLES if each.hand == TABLES else 1.0


def fitted(
    found: Sequence[Labelled], names: Sequence[str], counts: Callable[[Labelled], float] = counted
) -> dict[str, float]:
    """The weights under which the likelihood of what is known of the responses, less the penalty, is largest."""
    loss = _loss([each for each in found if any(each.right)], names, counts)
    weights = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x
    return {name: float(weight) for name, weight in zip(names, weights.round(3), strict=True) if weight}


def _penalty(name: str) -> float:
    return PENALTY_OF_PAIRS if BESIDE in name else PENALTY_OF_WORDS if ":" in name else PENALTY


def _loss(
    found: Sequence[Labelled], names: Sequence[str], counts: Callable[[Labelled], float]
) -> Callable[[Floats], tuple[float, Floats]]:
    """The penalised loss of weights, and its slope."""
    penalty = np.array([_penalty(name) for name in names])
    matrix, right, begins = _matrix(found, names)
    attack = np.array([each.attack for each in found])
    count = np.array([counts(each) for each in found])
    lengths = np.diff(np.append(begins, matrix.shape[0]))

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = matrix @ weights
        share = np.exp(scores - np.repeat(np.maximum.reduceat(scores, begins), lengths))
        share /= np.repeat(np.add.reduceat(share, begins), lengths)
        wanted = share * right
        gold = np.clip(np.add.reduceat(wanted, begins), 1e-9, 1 - 1e-9)
        value = count @ np.where(attack, -np.log1p(-gold), -np.log(gold)) + 0.5 * (penalty * weights) @ weights
        all_gold = np.repeat(gold, lengths)
        slope = np.where(
            np.repeat(attack, lengths), (wanted - share * all_gold) / (1 - all_gold), share - wanted / all_gold
        )
        return float(value), matrix.T @ (np.repeat(count, lengths) * slope) + penalty * weights

    return loss


def _matrix(found: Sequence[Labelled], names: Sequence[str]) -> tuple[Any, Floats, NDArray[np.int64]]:
    """A row for each candidate and one for no answer, which of them are right, and where each response begins."""
    columns = {name: place for place, name in enumerate(names)}
    rows: list[int] = []
    cells: list[int] = []
    values: list[float] = []
    right: list[bool] = []
    begins: list[int] = []
    for each in found:
        begins.append(len(right))
        for features in (*each.found.features, each.found.nothing):
            known = [(columns[name], value) for name, value in features.items() if name in columns and value]
            rows += [len(right)] * len(known)
            cells += [cell for cell, _ in known]
            values += [value for _, value in known]
            right.append(False)
        right[begins[-1] : -1] = each.right
    matrix = csr_matrix((values, (rows, cells)), shape=(len(right), len(names)))
    return matrix, np.array(right, dtype=np.float64), np.array(begins)


def outcome(example: Example, weights: dict[str, float]) -> str:
    """`gold` where the gold is chosen, `other` where another value is, `none`."""
    place = most_likely(example.found, weights)
    return "none" if place is None else "gold" if example.right[place] else "other"


def across(found: Sequence[Example]) -> dict[str, Counter[str]]:
    """What is chosen of each hand's responses by weights fitted to others; attacks and tables go by lines."""
    hands = sorted({each.hand for each in found if not each.attack and each.hand != TABLES})
    fold = {hand: place % FOLDS for place, hand in enumerate(hands)}
    counted: Counter[str] = Counter()
    folds = []
    for each in found:
        folds.append(fold.get(each.hand, counted[each.hand] // 7 % FOLDS))
        counted[each.hand] += 1
    names, chosen = names_of(found), defaultdict[str, Counter[str]](Counter)
    for out in range(FOLDS):
        weights = fitted([each for each, at in zip(found, folds, strict=True) if at != out], names)
        for each, at in zip(found, folds, strict=True):
            if at == out:
                chosen[each.hand][outcome(each, weights)] += 1
    return chosen


def main() -> int:
    """A line for each hand, then all together, with the questions and without."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, nargs="?", default=DIRECTORY)
    parser.add_argument("--write", action="store_true", help="fit to all files and keep the weights")
    arguments = parser.parse_args()
    weights = {}
    for name, asked in (("asked", True), ("unasked", False)):
        found = examples(arguments.directory, asked=asked)
        attacks = {each.hand for each in found if each.attack}
        chosen = across(found)
        right = [hand for hand in chosen if hand not in attacks and hand != TABLES]
        for hand in sorted(chosen):
            sys.stdout.write(json.dumps({"hand": hand, "attack": hand in attacks, **chosen[hand]}) + "\n")
        total = sum((chosen[hand] for hand in right), Counter[str]())
        reach = sum(any(each.right) for each in found if each.hand in right)
        sys.stdout.write(json.dumps({name: total.total(), "among the candidates": reach, **total}) + "\n")
        sys.stdout.flush()
        if arguments.write:
            weights[name] = fitted(found, names_of(found))
    if arguments.write:
        file = Path(ranking.__path__[0]) / "weights.json"
        file.write_text(json.dumps(weights, indent=0, ensure_ascii=False, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
