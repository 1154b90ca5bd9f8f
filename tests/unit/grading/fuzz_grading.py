"""Grades mutated answers by the hundred thousand: `python -m tests.unit.grading.fuzz_grading --count 100000`.

Half of them are seeds changed at random places beside golds of every sort, half are labelled responses with runs of
one sort of text, up to 55,000 characters, at random places. Nothing may raise, no grade may take longer than its
limit, and memory may not grow.
"""

import argparse
import json
import os
import random
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from grading import Answer, Outcome, grade
from grading.kinds.math import FAULT
from grading.verdict import Verdict

LIMIT_S = 0.5
"""Processor time of one grade: less than the pool's limit."""
MAX_GROWN_MIB = 64
MAX_RUN = 55_000
_REPEATED = re.compile(r"(.{1,20}?)\1{9,}", re.DOTALL)
RESPONSES = Path(__file__).parent / "responses"
SEEDS = [
    r"\frac{1}{2}",
    r"x^2+2x+1",
    r"\sqrt{\frac{2GM}{R}}",
    r"\{1,2,3\}",
    r"(-\infty,1]\cup[2,\infty)",
    "y=2x+3",
    "3.2 km/h",
    r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
    r"\int_0^1 x^2 dx",
    r"\sum_{k=1}^n k",
    r"O(n\log n)",
    r"x=k\pi, k\in\mathbb{Z}",
    r"\begin{cases}x&x>0\\-x&x\le0\end{cases}",
    r"\frac{dy}{dx}=ky",
    "5 or 6",
    r"\pm\sqrt3",
    "2:3",
    r"45^\circ",
    "1,024.5",
    r"e^{i\theta}",
    r"\text{odd}",
    "ANSWER: 12",
    r"We get \boxed{7}.",
    r"a_1+a_2+\cdots+a_n",
    r"\binom{n}{k}",
    "x>2 and x<5",
    r"\frac{1}{\sqrt2}(|0\rangle+|1\rangle)",
    r"x\equiv 3\pmod 7",
    "1 h 30 min",
    "twenty-one",
    r"\mathrm{SO_4^{2-}}",
    r"\vec a\times\vec b",
    r"\{x\in\mathbb R: x^2<4\}",
    "0.1666...",
    "$2 million",
    "25 °C",
]
OTHER_GOLDS = [
    r"p \land \neg q \to r",
    r"(A \cup B)^c = A^c \cap B^c",
    r"\{(x,y)\in\mathbb{R}^2 : x+y=1\}",
    r"\{\{1\},\{1,2\}\}",
    r"\{2k \mid k\in\mathbb{Z}\}",
    r"\emptyset",
    "the mitochondrion",
    "hydrogen bonding",
    "convergent",
    "yes",
    "false",
    "ACD",
    "14 March 1879",
    "Wednesday",
    "10:45",
    "July 1969",
    r"\begin{bmatrix}1&0&2\\0&1&-1\end{bmatrix}",
    r"\begin{vmatrix}a&b\\c&d\end{vmatrix}",
    r"\operatorname{span}\{(1,0,1),(0,1,0)\}",
    "(1 2 3)(4 5)",
    r"2H_2 + O_2 \to 2H_2O",
    "iron(III) oxide",
    "CuSO4·5H2O",
    "1s^2 2s^2 2p^6",
    r"\mathbb{Z}_2\times\mathbb{Z}_3",
    r"\mathbb{Q}(\sqrt2,i)",
    r"9.78\pm0.05\ \mathrm{m/s^2}",
    "101101_2",
    "12%",
    "3.5e-7 mol/L",
    r"\lim_{n\to\infty} a_n",
    "x = 1, y = 2",
    "[0, 1)",
    "S = k_B ln W",
]
SEEDS += OTHER_GOLDS
CHOICES = {"choices": ("A", "B", "C", "D")}
CHOICE_REFERENCES: list[dict[str, Any]] = [
    {"kind": "multiple_choice", "value": "B", **CHOICES},
    {"kind": "multiple_choice", "value": "C", **CHOICES, "texts": ("5", r"\frac12", "3.2 km/h", r"x^2+1")},
    {
        "kind": "multiple_choice",
        "value": "A",
        **CHOICES,
        "texts": ("the heart", "a lung", "a vein", "none of these"),
    },
    {"kind": "multiple_choice", "value": "D", **CHOICES, "texts": ("1789", "14 March 1879", "July 1969", "2001")},
    {"kind": "multiple_choice", "value": "B", **CHOICES, "labels": ("i", "ii", "iii", "iv")},
    {"kind": "exact", "value": "Gustave Eiffel", "case_sensitive": False},
    {"kind": "exact", "value": "1969"},
    {"kind": "exact", "value": "ACD"},
    {"kind": "numeric", "value": "3.2", "unit": "km/h", "unit_policy": "required"},
    {"kind": "numeric", "value": "1.234,5", "decimal_comma": True},
    {"kind": "set", "value": r"\{1,2,3\}"},
    {"kind": "interval", "value": "(0, 1]"},
    {"kind": "symbolic", "value": "C_1 e^x + C_2 e^{-x}", "constants": ("C_1", "C_2"), "up_to": "constant"},
]
"""References of other kinds than `math`, and options of it."""
PIECES = [
    *r"{}()[]^_\,;:=<>|!&%$'*+-/.~ ",
    "\\\\",
    "\\frac",
    "\\sqrt",
    "\\left(",
    "\\right)",
    "\\text{",
    "9^9^9",
    "!!",
    "\u200b",
    "π",
    "0",
]


RUN_UNITS = [
    " ",
    "\n",
    "\t",
    " \n",
    "\n\n",
    "\r\n",
    "\u00a0",
    "\u3000",
    "\u200b",
    "\u0301",
    "7",
    "0",
    "1 ",
    "1,",
    "1.",
    "12 34 ",
    "3, ",
    "1 km ",
    "(",
    ")",
    "()",
    "[",
    "{",
    "}",
    "{}",
    "|",
    "| ",
    "|---",
    "| 1 | 2 |\n",
    "\n- ",
    "\n1. ",
    "\n#### ",
    "*",
    "**",
    "_",
    "$",
    "$$",
    "$1$ ",
    "\\(1\\) ",
    "-",
    "—",
    "=",
    " = 1",
    "+",
    "+1",
    "^",
    "x",
    "x ",
    "word ",
    "the ",
    "is ",
    "not ",
    "answer ",
    "The answer is ",
    "so it is 5. ",
    "or ",
    ", and ",
    "five ",
    "one hundred ",
    "minus ",
    "wait ",
    "if ",
    "q. ",
    ".",
    ". ",
    "?",
    "!",
    ",",
    ":",
    ";",
    "'",
    '"',
    "“",
    "`",
    "```\n",
    "~~",
    "~~a~~ ",
    "<",
    "<b>",
    "<answer>",
    "</think>",
    "&",
    "\\",
    "\\\\",
    "\\ ",
    "\\,",
    "\\frac",
    "\\frac{1}{2}",
    "\\sqrt{",
    "\\text{",
    "\\text{a}",
    "\\mathrm{d}",
    "\\boxed{",
    "\\boxed{5} ",
    "\\left(",
    "\\begin{cases}",
    "\\pm ",
    "\\to ",
    "\\neg ",
    "\\land ",
    "p \\to ",
    "\\neg(",
    "\\forall x ",
    "\\int ",
    "\\sum_{k=1}^n ",
    "H2O + ",
    "(iv) ",
    "²",
    "½",
    "√",
    "∫",
    "π",
    "é",
    "好",
    "🙂",
    "答案是",
    "%",
    "° ",
    "@",
    '{"answer": ',
    "5'",
    "1/",
    "2^",
    "a_",
    "ab",
    "aA",
    "J_0(",
]
"""What a run repeats."""


def mutated(rng: random.Random) -> str:
    """A seed with a few insertions, deletions, repetitions and swaps, sometimes two seeds joined."""
    text = rng.choice(SEEDS)
    if rng.random() < 0.3:
        text += rng.choice(["", " ", ", ", "+", "^"]) + rng.choice(SEEDS)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(text) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:place] + rng.choice(PIECES) + text[place:]
        elif kind == 1:
            text = text[:place] + text[place + rng.randrange(1, 4) :]
        elif kind == 2:
            text = text[:place] + text[place : place + 6] * rng.randrange(2, 30) + text[place:]
        else:
            text = text[:place] + text[place:][::-1]
    return text


class Attack(NamedTuple):
    """A text, the reference it is graded against, the question that was asked, and whether the text is a field."""

    text: str
    reference: dict[str, Any]
    question: str = ""
    is_field: bool = False


def with_runs(rng: random.Random, text: str) -> str:
    """A text with one to three runs at random places."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        unit = rng.choice(RUN_UNITS)
        if rng.random() < 0.2:
            unit += rng.choice(RUN_UNITS)
        length = int(10 ** rng.uniform(1, 4.7))
        place = rng.choice((0, len(text), rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        text = text[:place] + (unit * (min(length, MAX_RUN) // len(unit) + 1)) + text[place:]
    return text


@cache
def hosts() -> tuple[dict[str, Any], ...]:
    """The labelled responses."""
    files = sorted(RESPONSES.glob("**/*.jsonl"))
    return tuple(json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines())


def attack(rng: random.Random) -> Attack:
    """One text at random beside a reference at random."""
    drawn = rng.random()
    reference = {"kind": "math", "value": rng.choice(SEEDS)} if drawn < 0.85 else rng.choice(CHOICE_REFERENCES)
    is_field = rng.random() < 0.1
    if rng.random() < 0.5:
        text = mutated(rng)
        return Attack(with_runs(rng, text) if rng.random() < 0.3 else text, reference, "", is_field)
    host = rng.choice(hosts())
    if drawn < 0.6:
        reference = {"kind": "math", "value": host["gold"], **host["options"]}
    return Attack(with_runs(rng, host["pred"]), reference, rng.choice((host["question"], "")), is_field)


def spent_on(attacked: Attack) -> tuple[float, Verdict]:
    """Processor time of one grade, and its verdict; what it raises is written as a fault of the grader."""
    asked = {"statement": attacked.question} if attacked.question else {}
    said = {"data" if attacked.is_field else "text": attacked.text}
    answer = Answer.model_validate({**said, "context": asked})
    started = time.process_time()
    try:
        verdict = grade(answer, attacked.reference)
    except Exception as error:  # what a kind outside `judge_text` raises is the fault that is looked for
        verdict = Verdict.unscored(f"{FAULT} {error!r}")
    return time.process_time() - started, verdict


def run(seed: int, count: int) -> dict[str, Any]:
    """Grade `count` attacks; what was seen."""
    rng = random.Random(seed)
    for reference in CHOICE_REFERENCES:
        spent_on(Attack("5", reference))  # What is loaded at first use counts for no grade.
    slowest, where, unscored, over, raised = 0.0, "", 0, 0, 0
    resident = [rss()]
    for number in range(count):
        attacked = attack(rng)
        spent, verdict = spent_on(attacked)
        if verdict.reason.startswith(FAULT):
            raised += 1
            sys.stderr.write(f"{verdict.reason} for {attacked.reference!r} <- {shortly(attacked.text)}\n")
        unscored += verdict.outcome is Outcome.UNSCORED
        if spent > slowest:
            slowest, where = spent, f"{attacked.reference} <- {shortly(attacked.text)}"
        if spent > LIMIT_S:
            over += 1
            sys.stderr.write(f"{spent:.2f} s for {attacked.reference!r} <- {shortly(attacked.text)}\n")
        if number in (min(2000, count // 4), count // 2):
            resident.append(rss())
    resident.append(rss())
    sys.stderr.write(f"slowest of seed {seed}: {slowest:.3f} s for {where}\n")
    return {
        "count": count,
        "slowest_s": slowest,
        "over": over,
        "raised": raised,
        "unscored": unscored,
        "rss_mib": resident,
    }


def shortly(text: str) -> str:
    """A text in which each run is written once, with how often it is there."""
    return _REPEATED.sub(lambda run: f"⟪{run[1]!r}x{len(run[0]) // len(run[1])}⟫", text)[:600]


def rss() -> float:
    """Resident memory of this process in MiB."""
    return round(psutil.Process().memory_info().rss / 2**20, 1)


def main() -> int:
    """All cores; exit status 1 where a bound was passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        seen = list(pool.map(run, range(chosen.seed, chosen.seed + workers), [chosen.count // workers] * workers))
    found = {
        "n": int(sum(part["count"] for part in seen)),
        "slowest_s": round(max(part["slowest_s"] for part in seen), 3),
        "raised": int(sum(part["raised"] for part in seen)),
        "over_limit": int(sum(part["over"] for part in seen)),
        "unscored": int(sum(part["unscored"] for part in seen)),
        "rss_mib_start_warm_middle_end": [part["rss_mib"] for part in seen],
        "grown_mib": round(max(part["rss_mib"][-1] - part["rss_mib"][1] for part in seen), 1),
    }
    sys.stdout.write(json.dumps(found) + "\n")
    return int(found["over_limit"] > 0 or found["raised"] > 0 or found["grown_mib"] > MAX_GROWN_MIB)


if __name__ == "__main__":
    sys.exit(main())
