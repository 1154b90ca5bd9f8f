"""Answers written to cost as much as they can: none is accepted, none takes long, whatever the gold."""

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from mpmath.calculus.calculus import CalculusMethods

from grading import Answer, Outcome, grade
from grading.equivalence.finding import Rules
from grading.equivalence.point import MAX_STEPS, MAX_WORK
from grading.equivalence.texts import compare_texts
from grading.kinds.math import FAULT
from grading.language.extract import extract
from grading.language.gaps import without_long_runs, without_middles
from grading.language.relabelled import relabelled
from grading.language.responses.claims import is_sentence
from grading.language.responses.partly import stems
from grading.language.romans import roman_value
from tests.unit.grading.fuzz_grading import CHOICE_REFERENCES, RUN_UNITS, SEEDS, Attack, attack, spent_on
from tests.unit.grading.hostile_further import FURTHER
from tests.unit.grading.hostile_third import THIRD

GOLDS = ("5", "x^2 + 1", r"k\pi, k \in \mathbb{Z}")
SECONDS = 2.0
"""Processor time of one grade: several times what the slowest takes on a slow machine."""


def _nested(head: str, inner: str, tail: str, times: int) -> str:
    return head * times + inner + tail * times


def _matrix(side: int, entry: str) -> str:
    row = " & ".join([entry] * side)
    return r"\begin{pmatrix}" + r" \\ ".join([row] * side) + r"\end{pmatrix}"


def _integral(body: str, depth: int) -> str:
    return r"\int_0^1 " * depth + body + " dx" * depth


HOSTILE = {
    "towers": [
        *("^{".join([base] * height) + "}" * (height - 1) for base in ("9", "x", "1.0001") for height in (3, 5, 9, 40)),
        "9^9^9^9",
        "(-9)^{9^{9^{9}}}",
        "0^{0^{0}}",
        "2^{-9^{9^9}}",
        "e^{e^{e^{e^{e}}}}",
        "i^{i^{i^{9^9}}}",
        r"\ln\ln\ln 9^{9^{9^9}}",
        "9!!!!!!!!!!",
        "a_{9^{9^9}}",
        "x_{19^{9^9} + k}",
        r"9^{9^9} k, k \in \mathbb{Z}",
    ],
    "factorials": [
        *(f"{n}!" for n in (3000, 10**6, 10**9, 10**18)),
        "((9!)!)!",
        r"\binom{10^9}{5 \cdot 10^8}",
        r"\binom{9^{9^9}}{3}",
        r"\Gamma(10^9)",
        r"\Gamma(10^{30})",
        r"\frac{10^9!}{(10^9 - 1)!}",
        r"\gcd(9^{9^9}, 3)",
        "x!!!!",
    ],
    "roots": [
        *(_nested(r"\sqrt{", "x", "}", times) for times in (10, 50, 59, 200, 2000)),
        *(_nested(r"\sqrt{1+", "x", "}", times) for times in (10, 40, 400)),
        r"\sqrt[9^{9^9}]{2}",
        r"\sqrt[10^{-30}]{2}",
        _nested(r"\sqrt[3]{x-", "x", "}", 40),
    ],
    "brackets": [
        *(_nested(mark, "5", close, times) for mark, close in ("()", "[]", "{}", "||") for times in (30, 500, 2000)),
        *(_nested(r"\left(", "x", r"\right)", times) for times in (40, 400)),
        "(" * 4000,
        "}" * 4000,
        _nested(r"\frac{1}{1+", "x", "}", 55),
        _nested(r"\sin(", "x", ")", 59),
        _nested(r"\text{", "5", "}", 1000),
    ],
    "long": [
        "+".join(["x"] * 2000),
        "-".join(["1"] * 2000),
        "x" * 4000,
        "9" * 400,
        "9" * 4000,
        "0." + "3" * 3000,
        ", ".join(map(str, range(1000))),
        r"\{" + ", ".join(f"x^{n}" for n in range(300)) + r"\}",
        " or ".join(f"x = {n}" for n in range(200)),
        r"\cup".join(f"({n}, {n + 1}]" for n in range(150)),
        "(" + ", ".join(["x"] * 390) + ")",
        "*".join(f"(x - {n})" for n in range(200)),
        "^".join(["x"] * 60),
        "<".join(["x"] * 300),
        "=".join(["x"] * 300),
        r"\pm 1 " * 30,
        "(" + ", ".join([r"\pm 1"] * 12) + ")",
        "x = " + "y = " * 300 + "7",
        "the answer is " * 250 + "7",
        "no, actually 7. " * 200,
    ],
    "sums and integrals": [
        *(_integral("x", depth) for depth in (1, 2, 3, 6)),
        *(_integral(r"\sin(e^{x} x)", depth) for depth in (2, 4)),
        r"\int_0^\infty \sin(x^2 e^x) dx",
        r"\int_{-\infty}^{\infty} \frac{\sin(e^x)}{1+x^{200}} dx",
        r"\int_0^1 " + "x^{2^{1}} " * 25 + "dx",
        r"\int_0^1 " + " ".join([r"t_0^1"] * 25) + " x^2 dx",
        r"\int_0^{10^{12}} \sin(x^3) dx",
        r"\int_0^1 \frac{1}{x} dx",
        r"\int_0^1 \lfloor 1000 x \rfloor dx",
        r"\sum_{k=1}^{3000} \sum_{j=1}^{3000} \frac{1}{kj}",
        r"\sum_{k=1}^{3000} \sin(kx) \cos(k^2)",
        r"\sum_{k=19^{9^9}}^{n} k",
        r"\sum_{k=1}^{9^{9^9}} k",
        r"\prod_{k=1}^{-9^{9^9}} k",
        r"\sum_{k=1}^{\infty} \frac{1}{k^{1.0001}}",
        r"\sum_{k=1}^{\infty} \sin(k)",
        r"\sum_{k=1}^{\infty} \frac{(-1)^k}{\ln(\ln(k + 10))}",
        r"\prod_{k=1}^{\infty} \left(1 + \frac{1}{k^{1.01}}\right)",
        r"\lim_{x \to 0} \sin(1/x)",
        r"\lim_{x \to \infty} \int_0^x \sin(t^2) dt",
        r"\lim_{n \to \infty} \sum_{k=1}^{n} \frac{1}{k^2}",
        r"\frac{d^4}{dx^4} x^{x^{x^x}}",
        r"\frac{d^{9^9}}{dx^{9^9}} x",
        " + ".join(rf"\sum_{{k=1}}^{{300}} \sin({n}kx)" for n in range(1, 40)),
        ", ".join(r"\int_0^\infty e^{-x^2} \cos(x) dx" for _ in range(20)),
    ],
    "matrices": [
        *(_matrix(side, entry) for side in (20, 50) for entry in ("1", "x", r"\sqrt{2}")),
        _matrix(20, "1") + _matrix(20, "x"),
        _matrix(50, "1") + "^{10^9}",
        r"\det" + _matrix(4, r"\sin x"),
        r"\det" + _matrix(50, "1"),
    ],
    "no numbers": [
        *(
            "nan",
            "NaN",
            "inf",
            "-inf",
            r"\infty - \infty",
            r"\infty/\infty",
            r"0 \cdot \infty",
            r"\infty^0",
            "1/0",
            "0/0",
        ),
        *("nan*0", "nan == nan", r"\frac{0}{0} x", "0^0 x", r"\ln 0", r"\tan(\pi/2)", r"\Gamma(0)", r"5 + 0 \cdot nan"),
        *(
            "__import__('os')",
            "exec('1')",
            "lambda: 5",
            r"\input{/etc/passwd}",
            r"\csname x\endcsname",
            "{{5}} if 1 else 2",
        ),
    ],
    "unicode": [
        "٥" * 500,
        "𝟓" * 300 + "x",
        "\u202e5\u202c1",
        "5\u0301" * 300,
        "\u200b" * 3000 + "7",
        "½" * 200,
        "²" * 300,
        "√" * 300 + "x",
        "∫" * 200 + "x",
        "x" + "\u0303" * 3000,
        "\x00\x01\x02",
        "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16") * 500,
        "ＡＮＳＷＥＲ：９" * 100,
    ],
}
HOSTILE.update({f"further {sort}": texts for sort, texts in FURTHER.items()})
HOSTILE.update({f"third {sort}": texts for sort, texts in THIRD.items()})
EVERY = [(sort, text) for sort, texts in HOSTILE.items() for text in texts]


def test_there_are_enough_of_them() -> None:
    assert len({text for _, text in EVERY}) >= 300
    assert min(len(texts) for texts in HOSTILE.values()) >= 9


@pytest.mark.parametrize("sort", HOSTILE)
def test_hostile_answers_are_refused_at_a_bounded_cost(sort: str) -> None:
    slowest, where = 0.0, ""
    for text in HOSTILE[sort]:
        for gold in GOLDS:
            started = time.process_time()
            verdict = grade(Answer(text=text), {"kind": "math", "value": gold})
            spent = time.process_time() - started
            assert verdict.outcome in (Outcome.INCORRECT, Outcome.UNPARSEABLE, Outcome.UNSCORED), (text[:80], verdict)
            assert "the grader failed" not in verdict.reason, (text[:80], verdict)
            if spent > slowest:
                slowest, where = spent, f"{text[:80]} beside {gold}"
    assert slowest < SECONDS, where


@pytest.mark.parametrize("sort", HOSTILE)
def test_the_steps_of_hostile_answers_are_bounded(sort: str) -> None:
    for text in HOSTILE[sort]:
        for gold in GOLDS:
            rules = Rules()
            compare_texts(gold, extract(Answer(text=text)), rules)
            assert rules.work.steps < MAX_WORK + MAX_STEPS, text[:80]


UNEQUAL = [json.loads(line) for line in Path(__file__).with_name("unequal.jsonl").read_text("utf-8").splitlines()]
"""Answers that are not equal to their gold, by the trick that they try."""


@pytest.mark.parametrize("sort", sorted({line["sort"] for line in UNEQUAL}))
def test_answers_that_only_look_equal_are_not_accepted(sort: str) -> None:
    for line in UNEQUAL:
        if line["sort"] == sort:
            reference: dict[str, Any] = {"kind": "math", "value": line["gold"], **line.get("options", {})}
            verdict = grade(Answer(text=line["pred"]), reference)
            assert not verdict.score, (line, verdict)
            assert not verdict.reason.startswith(FAULT), (line, verdict)


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("7", "Beyond doubt the count is \\boxed{7}."),
        ("7", "There are \\boxed{7} of them, more than I expected."),
        (r"\nabla\cdot\vec E", r"$\vec{\nabla}\cdot\mathbf{E}$"),
        (r"\pi", "The value is Pi."),
        ("friction", "No, friction."),
        (r"A \setminus B", r"A \setminus (A \cap B)"),
        (r"p \lor q", "q or p"),
        ("5", "x - 1 where x = 6"),
        ("7", "In TeX: `\\def\\x{8}`. The answer is \\boxed{7}."),
        ("12", f"There are 3 rows.{' ' * 400}Each has 4 seats.{chr(10) * 90}So there are 12 seats."),
    ],
)
def test_their_right_twins_are_accepted(gold: str, text: str) -> None:
    assert grade(Answer(text=text), {"kind": "math", "value": gold}).score == 1


def test_attacks_at_random_are_graded_at_a_bounded_cost() -> None:
    """A short form of `python -m tests.unit.grading.fuzz_grading`."""
    rng = random.Random(20_261_128)
    spent_on(Attack("5 or six", CHOICE_REFERENCES[1]))
    for _ in range(250):
        attacked = attack(rng)
        spent, verdict = spent_on(attacked)
        assert not verdict.reason.startswith(FAULT), (attacked, verdict)
        assert spent < SECONDS, attacked


@pytest.mark.parametrize("unit", RUN_UNITS)
def test_a_run_between_two_formulas_is_read_in_time(unit: str) -> None:
    for length in (150, 3_000, 55_000):
        text = f"So $x = 5${unit * (length // len(unit))}$y = 6$ and the answer is 7."
        for reference in ({"kind": "math", "value": "5"}, CHOICE_REFERENCES[2]):
            spent, verdict = spent_on(Attack(text, reference))
            assert verdict.outcome is not Outcome.UNSCORED, (unit, length, verdict)
            assert spent < SECONDS, (unit, length)


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        (r"(A \cup B)^c = A^c \cap B^c", r"\lim_{n\to\infty} a_n a_n_n= " + "a_n " * 16),
        ("ACD", r"\lim_{n\to\infty}" + "n" * 24 + "_a"),
        ("y = x_1 + x_2", "y = " + "+".join(rf"x_{k} \lim_{{n\to\infty}} \frac{{\ln n}}{{n}}" for k in range(4))),
        ("x_1 + x_2", "+".join(rf"x_{k} \lim_{{n\to\infty}} \frac{{f(n)}}{{n^2}}" for k in range(1, 5))),
    ],
)
def test_limits_that_come_to_nothing_are_extrapolated_a_few_times(
    gold: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shanks, terms = CalculusMethods.shanks, 0

    def counted(ctx: Any, values: list[Any], *options: Any, **named: Any) -> Any:
        nonlocal terms
        terms += len(values)
        return shanks(ctx, values, *options, **named)

    monkeypatch.setattr(CalculusMethods, "shanks", counted)
    assert grade(Answer(text=text), {"kind": "math", "value": gold}).score != 1
    assert terms < 12_000


def test_many_labels_are_read_in_linear_time() -> None:
    started = time.process_time()
    said, letters = relabelled("(iv) " * 24_000 + "It is (ii).", ("i", "ii", "iii", "iv"), alone=True)
    # Quadratic reading takes a minute.
    assert time.process_time() - started < 20
    assert said.endswith(f"It is ({letters[1]}).")


def test_words_of_the_choices_are_taken_apart_once_for_all_sentences() -> None:
    texts = tuple(" ".join(f"word{(7 * place + k) % 40}" for k in range(60)) for place in range(6))
    reference = {"kind": "multiple_choice", "value": "B", "choices": tuple("ABCDEF"), "texts": texts}
    before = stems.cache_info().misses
    grade(Answer(text="A or B. " * 2_000), reference)
    assert stems.cache_info().misses - before < 30


@pytest.mark.parametrize("gold", [r"p \land q", r"p \to q", r"A \cap B", "5"])
def test_what_nests_deep_is_refused_and_raises_nothing(gold: str) -> None:
    hosts = ["(" * depth + "p" + ")" * depth for depth in (61, 150, 1000)]
    hosts += [sign * count + "p" for sign in ("\\neg ", "¬", "~", "-", "not ") for count in (41, 150, 1000)]
    hosts += [
        f"s {sign} " * 150 + "t" for sign in ("\\land", "\\lor", "\\to", "and", "->", "\\cap", "\\leftrightarrow")
    ]
    hosts += ["p \\to (" * 100 + "q" + ")" * 100, "\\forall x (" * 100 + "P" + ")" * 100]
    for text in hosts:
        verdict = grade(Answer(text=text), {"kind": "math", "value": gold})
        assert verdict.outcome in (Outcome.INCORRECT, Outcome.UNPARSEABLE), (text[:40], verdict)


def test_every_gold_that_some_reader_knows_refuses_what_that_reader_does_not() -> None:
    for gold in SEEDS:
        verdict = grade(Answer(text="blub"), {"kind": "math", "value": gold})
        assert verdict.outcome in (Outcome.INCORRECT, Outcome.UNPARSEABLE), (gold, verdict)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("IV", 4),
        ("MCMLXIX", 1969),
        ("IIII", None),
        ("VV", None),
        ("vv", None),
        ("", None),
        ("IC", None),
        ("X" * 99, None),
    ],
)
def test_roman_numerals_have_one_reader(text: str, value: int | None) -> None:
    assert roman_value(text) == value


def test_only_what_nobody_writes_is_shortened() -> None:
    text = "The answer is 5,\n\n    as 2 + 3 = 5. " + "A sentence of people. " * 300
    assert without_long_runs(text) == text == without_middles(text)
    assert without_long_runs("5" + " " * 3000 + "6").split() == ["5", "6"]
    assert without_long_runs("5" + "\n \t" * 3000 + "6") == "5\n\n\n6"
    assert len(without_long_runs("7" * 5000)) == 401
    kept = without_middles("It is 5, " + "and so on, " * 500 + "or 6.")
    assert kept.startswith("It is 5")
    assert kept.endswith("or 6.")
    assert len(kept) < 1500


def test_many_short_lines_are_looked_through_once() -> None:
    """Fifty texts of 1,300 lines each: 10 s of processor time where each line was looked at from each before it."""
    begun = time.process_time()
    for number in range(50):
        assert not is_sentence("\n- " * 1300 + f"x{number}")
    assert time.process_time() - begun < 5


def test_an_end_of_a_set_that_is_no_real_number_is_a_wrong_answer() -> None:
    """`\\ln W` of a letter that is negative at the point where it is tried: a comparison of complex ends raised."""
    given = "S = k_" + "B ln W" * 11 + "B ln ln W" + "B ln W" * 8 + "B -ln WB ln WB ln WB ln WB ln W"
    reference = {"kind": "math", "value": "\\{x\\in\\mathbb R: x^2<4\\}"}
    verdict = grade(Answer(text=given), reference)
    assert verdict.outcome is not Outcome.UNSCORED, verdict.reason
