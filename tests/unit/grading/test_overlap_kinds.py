"""Overlap measures against their reference packages, and the kinds built on them."""

from typing import Any

import numpy as np
import pytest

from grading import Answer, Evidence, Outcome, grade
from grading.matching.bleu import sentence_bleu, tokens_13a
from grading.matching.overlap import jaccard, set_f1, token_f1

WORDS = ["the", "cat", "sat", "on", "a", "mat", "3.5", "1,000", "U.S.", "don't", "5-6", "&amp;", "(x)", "naïve", "."]


MARKS = ["-\n", "\n", "&quot;", "&amp;", "&lt;", "&gt;", "<skipped>", "5-", "-5", "a.", ",5", "~", "@", "^", "=", "|"]


def sentence(rng: np.random.Generator, most: int = 14) -> str:
    return " ".join(rng.choice(WORDS, rng.integers(0, most)))


def test_bleu_agrees_with_sacrebleu() -> None:
    import sacrebleu

    rng = np.random.default_rng(1)
    for _ in range(300):
        references = [sentence(rng) for _ in range(rng.integers(1, 4))]
        prediction = references[0] if rng.random() < 0.1 else sentence(rng)
        theirs = sacrebleu.sentence_bleu(prediction, references).score
        assert 100 * sentence_bleu(prediction, references) == pytest.approx(theirs, abs=1e-9), (prediction, references)
    with pytest.raises(ValueError, match=r"^BLEU needs at least one reference$"):
        sentence_bleu("a", [])


def test_13a_tokens_agree_with_sacrebleu() -> None:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    theirs = Tokenizer13a()  # type: ignore[no-untyped-call]
    rng = np.random.default_rng(2)
    for _ in range(200):
        text = sentence(rng) + " " + "".join(rng.choice([*"ab1.,-$'()[]{}&;:/ ", *MARKS], 12))
        assert " ".join(tokens_13a(text)) == theirs(text)


def test_set_measures_agree_with_scikit_learn() -> None:
    from sklearn.metrics import f1_score, jaccard_score

    rng = np.random.default_rng(3)
    for _ in range(20):
        left, right = rng.random(12) < 0.4, rng.random(12) < 0.4
        if not (left | right).any():
            continue
        a, b = set(np.flatnonzero(left).tolist()), set(np.flatnonzero(right).tolist())
        assert set_f1(a, b) == pytest.approx(f1_score(right, left, zero_division=0))
        assert jaccard(a, b) == pytest.approx(jaccard_score(right, left))
    assert set_f1([], []) == jaccard([], []) == 1


@pytest.mark.parametrize(
    ("given", "gold", "score"),
    [
        ("The cat sat.", "a cat sat", 1),
        ("cat cat", "cat", 2 / 3),
        ("dog", "cat", 0),
        ("", "the", 1),
        ("cat", "the", 0),
        ("the big cat", "the cat", 2 / 3),
    ],
)
def test_token_f1(given: str, gold: str, score: float) -> None:
    assert token_f1(given, gold) == pytest.approx(score)
    reference = {"kind": "token_f1", "golds": ["zebra", gold]}
    assert grade(Answer(text=given), reference).score == pytest.approx(score)
    assert grade(Answer(text=given), {**reference, "threshold": 1}).score == (score if score == 1 else 0)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (Answer(data=["M.1", "m.2"]), 1),
        (Answer(data=["m.1"]), 2 / 3),
        (Answer(data=["m.1", "m.3"]), 0.5),
        (Answer(text='["m.2", "m.1"]'), 1),
        (Answer(text="m.1\nm.2\n"), 1),
        (Answer(text=""), 0),
    ],
)
def test_set_f1(answer: Answer, score: float) -> None:
    reference = {"kind": "set_f1", "values": ["m.1", "m.2"]}
    assert grade(answer, reference).score == pytest.approx(score)
    assert grade(answer, {**reference, "metric": "exact"}).score == (score if score == 1 else 0)


def test_set_f1_has_the_figures_beside_the_main_one() -> None:
    reference = {"kind": "set_f1", "values": ["m.1", "m.2"]}
    given = {"m.1": (2 / 3, 0, 1), "m.2\nm.1": (1, 1, 1), "": (0, 0, 0)}
    for text, (f1, exact, executable) in given.items():
        for metric in ("f1", "exact"):
            detail = grade(Answer(text=text), {**reference, "metric": metric}).detail
            assert detail == {"f1": pytest.approx(f1), "exact": exact, "executable": executable}


def test_set_f1_of_evidence() -> None:
    reference = {"kind": "set_f1", "values": ["m.1"], "evidence": "answer"}

    def outcome(**seen: Any) -> Outcome:
        return grade(Answer(evidence=(Evidence(name="answer", **seen),)), reference).outcome

    assert outcome(value={"values": ["m.1"]}) is Outcome.CORRECT
    assert outcome(value=["m.1"]) is Outcome.CORRECT
    assert outcome(error="no variable") is Outcome.INCORRECT
    assert outcome(fault=True) is Outcome.UNSCORED
    assert outcome(value=[["m.1"]]) is Outcome.UNPARSEABLE
    assert grade(Answer(), {"kind": "set_f1", "values": ["m.1"]}).outcome is Outcome.UNPARSEABLE


def test_bleu_kind() -> None:
    reference = {"kind": "bleu", "references": ["the cat sat on the mat"]}
    assert grade(Answer(text="the cat sat on the mat"), reference).score == pytest.approx(1)
    assert grade(Answer(text="dogs"), reference).score == 0
    assert grade(Answer(), reference).outcome is Outcome.UNPARSEABLE
