"""The answer of a response that no mark names: what is chosen, and what words about it take it back."""

import json
from pathlib import Path
from typing import Any

import pytest

from grading import Answer, grade
from grading.language.ranking.contest import Contest, contest
from grading.language.ranking.pairs import add_pairs
from grading.language.ranking.rank import WEIGHTS, most_likely
from grading.language.ranking.sorts import Sort, agreement, asked_for, sort_of
from grading.pool.limits import Limits
from grading.pool.pool import GradingPool
from tools.fit_ranking import Example, Line, example_of, fitted, names_of, outcome

RESPONSES = Path(__file__).parent / "responses"
FILES = sorted(RESPONSES.glob("*.jsonl"))
ATTACKS = sorted(RESPONSES.glob("attacks/*.jsonl"))

EVERY = 16
WORKED = (
    "The tank holds 40 litres and the tap fills 8 litres a minute.\n\n"
    "Dividing, the time is\n\n$$t = \\frac{40}{8} = 5\\ \\text{min}.$$\n\n"
    "%s\n\n"
    "A second tap of the same sort halves the time to 2.5 min.\n\n"
    "In practice the pressure drops a little while the tank fills. Plumbers therefore add a margin."
)


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def _is_accepted(line: dict[str, Any], gold: str, *, asked: bool = True) -> bool:
    answer = Answer(text=line["pred"], context={"statement": line["question"]} if asked else {})
    return grade(answer, {"kind": "math", "value": gold, **line["options"]}).score == 1


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_answers_are_found_and_other_values_are_not(file: Path) -> None:
    """Some responses of each hand; the shares are those of responses that the weights were fitted to."""
    lines = _lines(file)[::EVERY]
    right = sum(_is_accepted(line, line["gold"]) for line in lines)
    others = sum(_is_accepted(line, line["other"]) for line in lines if line["other"])
    assert right >= len(lines) // 2
    assert others <= 1 + 0.2 * len(lines)


@pytest.mark.parametrize(("asked", "share"), [(True, 0.75), (False, 0.7)])
def test_all_hands_together(asked: bool, share: float) -> None:
    lines = [line for file in FILES for line in _lines(file)[3::30]]
    right = sum(_is_accepted(line, line["gold"], asked=asked) for line in lines)
    assert len(lines) > 100
    assert right >= share * len(lines)


def test_what_commits_to_something_else_is_not_accepted() -> None:
    lines = [line for file in ATTACKS for line in _lines(file)[1::6]]
    assert len(lines) > 200
    assert sum(_is_accepted(line, line["gold"]) for line in lines) <= 0.02 * len(lines)


def test_a_share_beside_a_question_for_per_cent() -> None:
    asked = {"statement": "What is the effective annual rate, in percent?"}
    reference = {"kind": "math", "value": "12.68"}
    assert grade(Answer(text="12.68%", context=asked), reference).score == 1
    assert grade(Answer(text="12.68%"), reference).score == 0
    assert grade(Answer(text="13.68%", context=asked), reference).score == 0
    assert grade(Answer(text="0.5%", context=asked), {"kind": "math", "value": "0.5"}).score == 0


@pytest.mark.parametrize(
    ("sentence", "gold"),
    [
        ("The row for the total reads:\n\n| part | mass |\n|---|---|\n| first | 2 kg |\n| total | 7 kg |", "7 kg"),
        ("It comes to two hundred and forty kilometres.", "240 km"),
        ("So that is $V = 6.4\\pi\\approx 20.11$ cubic units.", "\\frac{32\\pi}{5}"),
        ("So $F(s) = \\frac{1}{s+3},\\qquad s>-3.$", "\\frac{1}{s+3}"),
        ("L = μ₀ (ln b − ln a) / (2π)", "\\frac{\\mu_0}{2\\pi}(\\ln b-\\ln a)"),
        ("x may be anything from 3 to 13, both excluded.", "(3, 13)"),
        ("So x is either 1 or 2.", "\\{1, 2\\}"),
        ("Hence four out of seven survive.", "4/7"),
        ("The film ends at 22:15.", "22:15"),
        ("The vector is ⟨−3, 6, −3⟩.", "(-3, 6, -3)"),
        ("Thus curl F = (x − 2xz, 0, z² − z), which is not zero.", "(x - 2xz, 0, z^2 - z)"),
        ("So −5 ≤ x < −2 describes all solutions.", "[-5, -2)"),
        ("All four residues 1, 3, 5, 7 are solutions.", "{1, 3, 5, 7}"),
        ("It has eigenvalues λ = 5 and λ = 2; they add up to 7.", "{2, 5}"),
        ("Hence (x − 2)² + (y + 3)² = 25 describes the circle.", "(x-2)^2 + (y+3)^2 = 25"),
        ("AB = [[2, 1], [4, 3]], so they do not commute.", "[[2,1],[4,3]]"),
        ("A is to C as 8 is to 9.", "8:9"),
        ("You need seven and a half cups (7.5 cups) of it.", "7.5"),
        ("It is a magnification of 400×.", "400"),
        ("So $\\frac{\\sin x-x}{x^3}\\longrightarrow-\\frac16\\qquad(x\\to0).$", "-1/6"),
        ("The row for it reads:\n\n| term | W |\n|---|---|\n| in | 653 |\n| **net** | **446.5** |", "446.5 W"),
        ("The time is 12/5 hours = 2 hours 24 minutes.", "2.4 hours"),
        ("Then $y=C_1\\cos x+C_2\\sin x+x,\\qquad C_1,C_2\\in\\mathbb R.$", "y = C1 cos x + C2 sin x + x"),
        ("So you need 5 L of the stronger (70%) solution and 15 L of the other.", "5 L"),
        ("It takes 2.4 hours (2 hours and 24 minutes).", "2.4 hours"),
        ("The moment is M = wL²/8 = 54 kNm (at midspan).", "54 kN·m"),
        ("So $q(t)=Q(1-e^{-t/T}),\\qquad T=RC.$", "Q(1-e^{-t/T})"),
        ("$$\\begin{aligned}\\ln y&=x\\ln x\\\\ y'&=x^x\\,(\\ln x+1)\\end{aligned}$$", "x^x(\\ln x+1)"),
        ("Adding both gives x = 4, and then y = 3.", "(4, 3)"),
        ("∇f = ⟨2xy, x² + cos y⟩ is the gradient.", "(2xy, x^2+\\cos y)"),
        ("So B = (μ₀I/4πR²)·2πR = μ₀I/(2R), whatever the angle.", "\\frac{\\mu_0 I}{2R}"),
        ("So the inverse is $x\\mapsto\\frac{3x+1}{x-2}$.", "\\frac{3x+1}{x-2}"),
        ("Hence $P_N\\;\\xrightarrow[N\\to\\infty]{}\\;\\frac12$.", "1/2"),
        ("It comes up one time in six.", "1/6"),
        ("It stores exactly one joule.", "1 J"),
        ("The bar hits the end in 3 min 45 s.", "3 min 45 s"),
        ("So we brought in 6.28 tonnes a hectare.", "6.28 t/ha"),
        ("f' = 400·340/306 ≈ 444 Hz is what is heard.", "444 Hz"),
        ("The momentum is p = 1500 × 20 = 30 000 kg·m/s.", "30000 kg·m/s"),
        ("So the quotient equals 2i.", "2i"),
        ("$V=\\frac{10}{3}\\approx3.33\\ \\text{litres}$ have to be added.", "10/3 L"),
        ("So it expands to **a³ − 6a²b + 12ab² − 8b³**.", "(a-2b)^3"),
        ("f′(x) = 2x eˣ + x² eˣ = (x² + 2x) eˣ", "(x^2+2x)e^x"),
    ],
)
def test_where_a_sentence_says_its_value(sentence: str, gold: str) -> None:
    """Its value is among the candidates, in whatever way it is said."""
    found = contest(f"Let us see what follows from $2 + 3 = 5$.\n\n{sentence}", asked_for(gold, None))
    assert found is not None
    said = [each.text for each in found.live]
    assert any(grade(Answer(data=each), {"kind": "math", "value": gold}).score == 1 for each in said), said


@pytest.mark.parametrize(
    ("sentence", "score"),
    [
        ("So the tank is full after 5 min.", 1.0),
        ("That leaves time for a coffee.", 1.0),
        ("So the tank is full after at most 5 min.", 0.0),
        ("The tank may be full after 5 min, or 6 min.", 0.0),
        ("Maybe it takes 5 min.", 0.0),
        ("Actually, I forgot the drain, so the time is 7 min.", 0.0),
        ("So the tank is full after 5 min (counting the first as one of them).", 1.0),
        ("So it takes 5 min, and perhaps 2 L are lost.", 1.0),
        ("So it takes 5 min, which isn't long.", 1.0),
        ("So it takes 5 min, which isn't right.", 0.0),
        ("So it takes 5 min with the sign reversed.", 0.0),
        ("So the tap brings it up to 5 min.", 0.0),
    ],
)
def test_words_about_the_chosen_value(sentence: str, score: float) -> None:
    verdict = grade(Answer(text=WORKED % sentence), {"kind": "math", "value": "5 min"})
    assert (verdict.score or 0.0) == score


@pytest.mark.parametrize("before", ["We look at the problem in steps. We use what is known. ", "$2+3=5$ holds. " * 7])
@pytest.mark.parametrize(
    "sentence",
    [
        "The order is divisible by 13.",
        "It comes right after 13.",
        "Whoever writes 13 has overlooked the identity.",
        "The order is coprime to 13.",
        "So far I have found 13.",
        "The answer lies next to 13.",
        "Suppose the order is 13.",
        "The radius is 13. The diameter is twice that.",
        "The order is 7. The order is 13.",
        "**Lower bound:** 13",
        "Nicht 13.",
    ],
)
def test_what_one_sentence_refuses_is_not_chosen(before: str, sentence: str) -> None:
    """A value that stands nowhere else is no answer where the grammar turns its sentence down."""
    assert grade(Answer(text=before + sentence), {"kind": "math", "value": "13"}).score != 1


async def test_a_confined_process_chooses_as_well() -> None:
    """It can open no file: what a choice needs is there before."""
    async with GradingPool(1, Limits(cpu_seconds=60, wall_seconds=120)) as pool:
        verdict = await pool.grade(Answer(text=WORKED % "That is all."), {"kind": "math", "value": "5 min"})
    assert (verdict.score, verdict.reason) == (1.0, "the same answer")


def test_another_value_is_not_chosen() -> None:
    for other in ("2.5 min", "40", "8"):
        assert grade(Answer(text=WORKED % "That is all."), {"kind": "math", "value": other}).score != 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("36 kN\\cdot m", "quantity"),
        ("10.2%", "quantity"),
        ("e-2", "number"),
        ("$30.84", "quantity"),
        ("$x + 1$", "expression"),
        ("{2, 5}", "set"),
        ("-2 \\pm 3i", "set"),
        ("9.81 ± 0.05", "number"),
        ("8:15 pm", "time"),
        ("9:8", "ratio"),
        ("[[2, 1], [4, 3]]", "matrix"),
        ("\\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}", "tuple"),
        ("f^{-1}(x) = \\ln x, x > 0", "expression"),
        ("E = \\frac{1}{2}mv^2", "expression"),
        ("-1 < x < 4", "range"),
        ("(2, 3)", "tuple"),
        ("\\{1, 2\\}", "set"),
        ("O(n\\log n)", "order"),
        ("\\sum_{k=1}^{4} k", "number"),
    ],
)
def test_sorts(text: str, kind: str) -> None:
    assert sort_of(text).kind == kind


def test_an_equation_is_asked_for_whole() -> None:
    circle, line = asked_for("(x-3)^2 + (y+2)^2 = 25", None), asked_for("y = -3x + 5", None)
    assert agreement(circle, sort_of("x^2 + y^2 = 9")) == 1
    assert agreement(circle, sort_of("25")) == agreement(circle, sort_of("r = 5")) == 0
    assert 0 < agreement(line, sort_of("3x + y = 5")) < agreement(line, sort_of("y = x + 1")) == 1


def test_a_time_or_a_ratio_is_told_by_the_question() -> None:
    assert asked_for("8:15", None, "When does the train leave?").sort.kind == "time"
    assert asked_for("8:15", None, "What is A : C?").sort.kind == "ratio"
    assert agreement(asked_for("8:15", None, "Find the ratio."), sort_of("3:10")) == 1


def test_money_is_not_per_cent() -> None:
    asked = asked_for("$227.65", None)
    assert agreement(asked, sort_of("$30")) == 1
    assert 0 < agreement(asked, sort_of("227.65")) < 1
    assert agreement(asked, sort_of("10%")) == 0


def test_features_count_in_pairs() -> None:
    features = {"concludes": 1.0, "last value": 1.0, "place": 0.5, "bold": 1.0, "new": 0.0}
    add_pairs([features])
    assert features["concludes & place"] == features["last value & place"] == 0.5
    assert features["concludes & last value"] == 1
    assert not any("bold &" in name or "new" in name.split(" & ")[1:] for name in features)
    assert all(any(" & " in name for name in WEIGHTS[which]) for which in ("asked", "unasked"))


def test_a_quantity_of_another_dimension_is_no_candidate() -> None:
    asked = asked_for("5 m", None)
    assert agreement(asked, sort_of("7 m")) == 1
    assert 0 < agreement(asked, sort_of("7")) < 1
    assert agreement(asked, sort_of("7 s")) == agreement(asked, sort_of("x + 1")) == 0
    # Letters in italics may be factors: then an expression is asked for as well.
    assert agreement(asked_for("\\frac{7}{48} M L^2", None), Sort("expression")) == 1


def _example(hand: str, *, attack: bool = False) -> Example:
    """Two candidates, of which the first has the feature `a` and is the gold."""
    found = contest("Its width is 2 + 3 = 5 cm. Its height is 3 + 4 = 7 cm.", asked_for("5 cm", None))
    assert found is not None
    live = found.live[:2]
    features = [{"a": 1.0, "w:odd": 1.0}, {"b": 1.0}]
    return Example(hand, attack, Contest(live, [None, None], features, {"n": 1.0}, [[0], [1]]), [True, False])


def test_weights_are_fitted_to_what_is_right() -> None:
    """Two features, one of which tells the answer: it gets the weight, and a word of a single hand none."""
    told = [_example(hand) for hand in ("one", "two")]
    names = names_of(told)
    assert names == ["a", "b", "n"]
    found = fitted(told, names)
    assert found["a"] > 0 > found["b"]
    assert outcome(told[0], found) == "gold"
    assert all(len(weights) > 100 for weights in WEIGHTS.values())


def test_weights_are_fitted_against_what_attacks() -> None:
    told = [_example("one", attack=True)]
    found = fitted(told, names_of(told))
    assert found["a"] < 0 < found["n"]
    assert outcome(told[0], found) != "gold"


def test_no_answer_has_to_be_clearly_less_likely() -> None:
    found = _example("one").found
    assert most_likely(found, {"a": 0.0, "n": 0.0}) is None
    assert most_likely(found, {"a": 3.0, "n": 0.0}) == 0


def test_an_attack_without_its_gold_teaches_nothing() -> None:
    line = {"question": "How long?", "gold": "9 m", "pred": "It is 5 m. Then it is 7 m.", "options": {}}
    assert example_of(Line("one", True, line, 1)) is None
