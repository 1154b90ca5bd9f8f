"""Fits the weights by which the label of a multiple-choice response is chosen, to responses whose label is known.

    python -m tools.fit_labels [DIRECTORY] [--write]

Each file of the directory (that of the tests) is by another hand: lines of `{question, gold, pred, right, options}`;
where `right` is false the response does not choose `gold`. The tables of sentences are fitted to as well. The model is
that of `tools.fit_ranking`. Printed is what the rules alone read from each file, and what is read with weights that
were fitted to other files; `--write` then fits to all of them.
"""

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grading.language.labelranking as labelranking
from grading.kinds.multiple_choice import entered
from grading.language.extract import extract
from grading.language.labelranking.contest import Contest
from grading.language.labelranking.rank import most_likely
from grading.pair_lines import read_pair
from tools.fit_ranking import TABLES, Labelled, fitted, names_of

DIRECTORY = Path("tests/unit/grading/chosen")
HANDS, RESPONSES = 3, 8
"""By how many hands, and in how many responses, a word has to be used."""
FOLDS = 5
OF_ATTACK = 2.0
"""How much more a response that does not choose the label counts than one that does."""


@dataclass
class Response:
    """A labelled response and what the rules read; `found` is None where they settle it or no choice is mentioned."""

    hand: str
    gold: str
    attack: bool
    ruled: str | None
    found: Contest | None


@dataclass
class Example:
    """A response that is ranked; `right` are its mentions of the gold, which it does not choose in an attack."""

    hand: str
    attack: bool
    found: Contest
    right: list[bool]


def rows() -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows about choices of the tables of sentences."""
    for file in sorted((DIRECTORY.parent / "sentences").glob("*.tsv")):
        for row in file.read_text().splitlines():
            kind, *fields = row.replace("⏎", "\n").split("\t")
            if kind == "multiple_choice" and '"texts"' in fields[1] and '"labels"' not in fields[1]:
                gold, options, pred, question = (*fields, "")[:4]
                given = {"gold": gold, "options": {"type": "mc", **json.loads(options)}, "pred": pred}
                yield TABLES, {**given, "question": question, "right": not file.stem.endswith("_wrong")}


def response_of(line: tuple[str, dict[str, Any]]) -> Response:
    """A line of a hand's file, read by the rules."""
    hand, given = line
    pair = read_pair(json.dumps({name: given[name] for name in ("gold", "pred", "options", "question")}).encode(), 1)
    reference: Any = pair.reference
    if pair.answer is None or reference is None:
        raise SystemExit(f"{hand}: {pair.problem}: {given}")
    extraction = extract(pair.answer)
    ruled, found = entered(pair.answer, extraction, reference) if extraction.text is not None else (None, None)
    return Response(hand, reference.value, not given.get("right", True), ruled.label if ruled else None, found)


def _example(each: Response) -> list[Example]:
    if each.found is None:
        return []
    return [Example(each.hand, each.attack, each.found, [one.label == each.gold for one in each.found.live])]


def _counted(each: Labelled) -> float:
    """Rows of the tables count alike: most of them do not choose, and many more would make the weights timid."""
    return OF_ATTACK if each.attack and each.hand != TABLES else 1.0


def outcome(gold: str, label: str | None) -> str:
    """`gold` where the gold is read, `other` where another label is, `none`."""
    return "none" if label is None else "gold" if label == gold else "other"


def across(responses: Sequence[Response]) -> dict[tuple[str, bool], dict[str, Counter[str]]]:
    """What the rules, and weights that were fitted to others, read of each hand's responses; attacks by themselves."""
    hands = sorted({each.hand for each in responses} - {TABLES})
    names = names_of(
        [one for each in responses for one in _example(each)], least_hands=HANDS, least_responses=RESPONSES
    )
    counts: dict[tuple[str, bool], dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for out in range(FOLDS):
        mine = set(hands[out::FOLDS])
        weights = fitted(
            [one for each in responses if each.hand not in mine for one in _example(each)], names, _counted
        )
        for each in responses:
            if each.hand in mine:
                label = each.ruled if each.found is None else most_likely(each.found, weights)
                counts[each.hand, each.attack]["rules"][outcome(each.gold, each.ruled)] += 1
                counts[each.hand, each.attack]["ranked"][outcome(each.gold, label)] += 1
    return counts


def main() -> int:
    """A line for each hand, then all together, right ones and attacks apart."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, nargs="?", default=DIRECTORY)
    parser.add_argument("--write", action="store_true", help="fit to all files and keep the weights")
    arguments = parser.parse_args()
    files = sorted(arguments.directory.glob("*.jsonl"))
    lines = [(file.stem, json.loads(line)) for file in files for line in file.read_text().splitlines()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        responses = list(pool.map(response_of, [*lines, *rows()], chunksize=20))
    counts = across(responses)
    for attack in (False, True):
        total: dict[str, Counter[str]] = defaultdict(Counter)
        for (hand, is_attack), by in sorted(counts.items()):
            if is_attack is attack:
                sys.stdout.write(json.dumps({"hand": hand, "attack": attack, **by}) + "\n")
                for how, counted in by.items():
                    total[how] += counted
        sys.stdout.write(json.dumps({"all": sum(total["rules"].values()), "attack": attack, **total}) + "\n")
    if arguments.write:
        found = [one for each in responses for one in _example(each)]
        names = names_of(found, least_hands=HANDS, least_responses=RESPONSES)
        weights = fitted(found, names, _counted)
        file = Path(labelranking.__path__[0]) / "weights.json"
        file.write_text(json.dumps(weights, indent=0, ensure_ascii=False, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
