"""Tracing a leak: pairs, texts and answers name their source; nothing and noise name nobody."""

import functools
import json
import random

import numpy as np
import pytest

from packs.problem import Choice, Problem, ReferenceLine, Variation
from packs.variation.answers import is_gold
from packs.variation.variants import Variant, VariantSet, build
from protection import echo, marks, tardos, tracing
from protection.marks import Pair

SECRET = b"s" * 32
ORGANISATIONS = [f"org-{n}" for n in range(100)]
NOUNS = ("harbour", "kettle", "lantern", "meadow", "orchard", "pebble", "quarry", "saddle", "timber", "violin")


@functools.cache
def published_sets() -> dict[str, VariantSet]:
    """The variants of 120 problems."""
    rng = random.Random(1)
    made = {}
    for number in range(120):
        name = f"p-{number}"
        words = [rng.choice(NOUNS) + str(rng.randrange(1000, 9999)) for _ in range(4)]
        topic = "".join(rng.choice("bcdfghklmnprstvw") + rng.choice("aeiou") for _ in range(5))
        if number % 2:
            choices = tuple(Choice(label=label, text=text) for label, text in zip("ABCD", words, strict=True))
            problem = Problem(
                id=name,
                split="test",
                type="question",
                subject="x",
                choices=choices,
                statement=f"Which of these belongs with the {topic} of {topic[::-1]}?",
            )
            line = ReferenceLine(
                id=name,
                reference={"kind": "multiple_choice", "value": "C"},
                gold="C",
                variation=Variation(choices=True),
            )
        else:
            problem = Problem(
                id=name,
                split="test",
                type="question",
                subject="x",
                statement=f"{{{{ask}}}} the {topic} weight of {{{{a}}}} {topic[::-1]} and {{{{b}}}} more.",
            )
            variation = {
                "constants": {"a": {"from": "2", "to": "40"}, "b": {"from": "2", "to": "40"}},
                "gold": "a*b+1",
                "slots": {"ask": ["Determine", "Calculate"]},
            }
            line = ReferenceLine(
                id=name, reference={"kind": "exact", "value": "0"}, variation=Variation.model_validate(variation)
            )
        made[name] = build(problem, line, SECRET)
    return made


def _copy(organisation: str) -> dict[str, Variant]:
    return {
        name: made.variants[tardos.number(SECRET, organisation, name, made.bits)]
        for name, made in published_sets().items()
    }


def _text(variant: Variant) -> str:
    return "\n".join([variant.statement, *(f"{choice.label}) {choice.text}" for choice in variant.choices)])


def test_pairs_name_their_source() -> None:
    pairs = [Pair(_text(variant), variant.gold) for variant in _copy("org-7").values()]
    report = tracing.trace(marks.read_pairs(pairs, published_sets(), is_gold), ORGANISATIONS, SECRET)
    assert report.named == ("org-7",)
    assert report.positions > 100
    assert "org-7" in report.summary
    assert report.suspects[0].bound < 1e-6


def test_the_order_of_choices_counts_nothing_where_a_leak_carries_them() -> None:
    ordered = {name: made for name, made in published_sets().items() if made.variants[0].choices}
    copies = [variant for name, variant in _copy("org-7").items() if name in ordered]

    def resorted(variant: Variant) -> Pair:
        choices = sorted(choice.text for choice in variant.choices)
        right = next(choice.text for choice in variant.choices if choice.label == variant.gold)
        shown = "\n".join(f"{label}) {text}" for label, text in zip("ABCD", choices, strict=True))
        return Pair(f"{variant.statement}\n{shown}", "ABCD"[choices.index(right)])

    verbatim = [Pair(_text(variant), variant.gold) for variant in copies]
    for pairs in (verbatim, [resorted(variant) for variant in copies]):
        assert marks.read_pairs(pairs, ordered, is_gold) == {}
    bare = [Pair(variant.statement, variant.gold) for variant in copies]
    report = tracing.trace(marks.read_pairs(bare, ordered, is_gold), ORGANISATIONS, SECRET)
    assert report.named == ("org-7",)


def test_paraphrased_pairs_name_their_source_by_their_answers() -> None:
    def paraphrase(variant: Variant) -> str:
        topic = [word for word in variant.statement.split() if not word[0].isdigit()]
        numbers = [word for word in variant.statement.split() if word[0].isdigit()]
        return "Please tell me: " + " ".join([*reversed(topic), *numbers]).replace("Calculate", "").lower()

    pairs = [Pair(paraphrase(variant), variant.gold) for variant in _copy("org-7").values()]
    report = tracing.trace(marks.read_pairs(pairs, published_sets(), is_gold), ORGANISATIONS, SECRET)
    assert report.named == ("org-7",)


@pytest.mark.parametrize("layout", ["prose", "jsonl", "json"])
def test_whole_texts_name_their_source(layout: str) -> None:
    copies = list(_copy("org-31").values())
    if layout == "prose":
        text = "Leaked test set!\n\n" + "\n\n".join(f"Q. {_text(v)}\n\nAnswer: {v.gold}" for v in copies)
    else:
        rows = [
            {"question": v.statement, "choices": [c.model_dump() for c in v.choices], "answer": v.gold} for v in copies
        ]
        text = json.dumps(rows) if layout == "json" else "\n".join(json.dumps(row) for row in rows)
    report = tracing.trace(marks.read_text(text, published_sets(), is_gold), ORGANISATIONS, SECRET)
    assert report.named == ("org-31",)


def test_two_colluders_by_turns_and_one_is_named() -> None:
    rng = random.Random(2)
    one, two = _copy("org-1"), _copy("org-2")
    pairs = [Pair(_text(v), v.gold) for v in (rng.choice((one[name], two[name])) for name in published_sets())]
    report = tracing.trace(marks.read_pairs(pairs, published_sets(), is_gold), ORGANISATIONS, SECRET)
    assert report.named
    assert set(report.named) <= {"org-1", "org-2"}


@pytest.mark.parametrize(
    "text", ["", "An unrelated text about the weather.\nAnswer: 42", '[{"question": "2+2?"}]', "[1]"]
)
def test_unrelated_text_accuses_nobody(text: str) -> None:
    report = tracing.trace(marks.read_text(text, published_sets(), is_gold), ORGANISATIONS, SECRET)
    assert report.named == ()
    assert "nobody" in report.summary


def test_five_items_are_too_weak_to_accuse() -> None:
    pairs = [Pair(_text(variant), variant.gold) for variant in list(_copy("org-7").values())[:3]]
    report = tracing.trace(marks.read_pairs(pairs, published_sets(), is_gold), ORGANISATIONS, SECRET)
    assert report.named == ()
    assert "too weak" in report.summary


def test_innocent_e_values_average_at_most_one() -> None:
    rng = np.random.default_rng(0)
    biases = tardos.draw_biases(rng, 12)
    seen = rng.random(12) < 0.5
    words = rng.random((400_000, 12)) < biases
    mean = float(np.exp(tracing.log_evidence(words, seen, biases)).mean())
    print(f"mean e-value of innocents: {mean:.4f}")
    assert 0.97 < mean < 1.03


def test_an_echo_of_another_copy_is_named_and_chance_is_not() -> None:
    rng = random.Random(4)
    own, other = _copy("org-10"), _copy("org-20")
    remembered = {name: str((other if rng.random() < 0.4 else own)[name].gold) for name in published_sets()}
    found = echo.echoes(remembered, "org-10", ORGANISATIONS, published_sets(), SECRET, is_gold)
    assert found[0].organisation == "org-20"
    assert found[0].p < 1e-3
    assert found[0].hits == found[0].items
    assert found[1].p > 0.01
    guesses = {n: str(rng.choice(made.variants).gold) for n, made in published_sets().items()}
    assert echo.echoes(guesses, "org-10", ORGANISATIONS, published_sets(), SECRET, is_gold)[0].p > 0.01


def test_echo_p_values_of_the_innocent_are_valid() -> None:
    catalogue = dict(list(published_sets().items())[:30])
    smallest = []
    for seed in range(60):
        rng = random.Random(seed)
        guesses = {name: str(rng.choice(made.variants).gold) for name, made in catalogue.items()}
        secret = seed.to_bytes(32, "big")
        smallest.append(echo.echoes(guesses, "org-0", ORGANISATIONS[:20], catalogue, secret, is_gold)[0].p)
    share = float(np.mean(np.array(smallest) <= 0.1))
    print(f"echo: false alarms at 0.1 over 20 organisations: {share:.3f}")
    assert share <= 0.25


def test_upper_tail_is_the_binomial_one() -> None:
    tail = echo.upper_tail(np.full(10, 0.5))
    assert tail[0] == pytest.approx(1.0)
    assert tail[10] == pytest.approx(2**-10)
    assert tail[9] == pytest.approx(11 * 2**-10)
