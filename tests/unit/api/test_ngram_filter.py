"""The published n-gram filter: copies are found, innocent text is not, and the text cannot be read out of it."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.worker.ngram_filter import Decontamination, ngram_filter
from heldout._commands import app
from heldout.ngrams import WORDS, NgramFilter, words_of
from packs.problem import Choice, ConstantRange, Problem, ReferenceLine, Variation

VOCABULARY = [a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in ("rn", "lt", "sk", "m")]
SECRET = b"a secret of the service"


def _sentence(seed: int, length: int = 60) -> list[str]:
    rng = random.Random(seed)
    return [rng.choice(VOCABULARY) for _ in range(length)]


def _problem(number: int, statement: str, variation: Variation | None = None) -> tuple[Problem, ReferenceLine]:
    problem = Problem(
        id=f"p{number}",
        split="test",
        type="question",
        subject="words",
        statement=statement,
        choices=(Choice(label="A", text="yes"), Choice(label="B", text="no")),
    )
    return problem, ReferenceLine(id=problem.id, reference={"kind": "choice", "value": "A"}, variation=variation)


def _published(count: int = 50) -> tuple[Decontamination, list[str]]:
    texts = [" ".join(_sentence(number)) for number in range(count)]
    return ngram_filter([_problem(n, text) for n, text in enumerate(texts)], SECRET, "quiz 1"), texts


def test_every_copy_is_found_and_innocent_text_is_not() -> None:
    made, texts = _published()
    known = NgramFilter.from_json(made.filter)
    assert (made.problems, made.covered) == (50, 50)
    for text in texts:
        document = f"Something before. {text.upper()}, and something after."
        hits = known.hits(document)
        assert len(hits) == 60 // WORDS
        assert words_of(document[hits[0].start : hits[0].end])[0][0] == text.split()[0]
    assert not any(known.hits(" ".join(_sentence(number, 2_000))) for number in range(1_000, 1_050))


def test_a_variant_is_found_whatever_its_constants_and_paraphrase() -> None:
    variation = Variation(
        constants={"m": ConstantRange(start="1", stop="9")}, gold="m", slots={"who": ("a cart", "the trolley")}
    )
    before, after = " ".join(_sentence(1, 20)), " ".join(_sentence(2, 20))
    template = f"{before} {{{{who}}}} weighs {{{{m}}}} kg, {after}"
    known = NgramFilter.from_json(ngram_filter([_problem(0, template, variation)], SECRET, "quiz 1").filter)
    for who, mass in (("a cart", "3"), ("the trolley", "2.75"), ("something else", "1/3")):
        hits = known.hits(f"{before} {who} weighs {mass} kg, {after}")
        assert len(hits) == 2


def test_wording_that_problems_share_is_left_out() -> None:
    shared = "Give your answer as one letter and nothing else since anything more will not be read by anyone at all"
    pairs = [_problem(number, f"{' '.join(_sentence(number, 20))} {shared}") for number in range(2)]
    known = NgramFilter.from_json(ngram_filter(pairs, SECRET, "quiz 1").filter)
    assert not known.hits(shared)
    assert known.hits(" ".join(_sentence(1, 20)))


def test_short_texts_are_counted_as_not_covered() -> None:
    made = ngram_filter([_problem(0, "What is 2 + 2?"), _problem(1, " ".join(_sentence(3)))], SECRET, "quiz 1")
    assert (made.problems, made.covered) == (2, 1)


def _read_out(known: NgramFilter, start: Sequence[str]) -> list[str]:
    """The attack: extend a known gram by whichever word of the vocabulary the filter accepts."""
    found = list(start)
    while len(found) < 60:
        tail = found[len(found) - WORDS + 1 :]
        following = [word for word in VOCABULARY if [*tail, word] in known]
        if len(following) != 1:
            break
        found.append(following[0])
    return found


def test_the_text_cannot_be_read_out_word_by_word() -> None:
    words = _sentence(7)
    overlapping = NgramFilter.build([words[start : start + WORDS] for start in range(len(words) - WORDS + 1)])
    assert _read_out(overlapping, words[:WORDS]) == words, "the attack is real where grams overlap"
    ours = NgramFilter.from_json(ngram_filter([_problem(0, " ".join(words))], SECRET, "quiz 1").filter)
    assert words[:WORDS] in ours
    assert _read_out(ours, words[:WORDS]) == words[:WORDS]


@pytest.mark.parametrize(
    "spoiled", [{"format": 2}, {"content": "***"}, {"content": ""}, {"salt": "xyz"}, {"hashes": 0}, {"words": 10_000}]
)
def test_a_damaged_filter_is_refused(spoiled: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"filter"):
        NgramFilter.from_json(_published(1)[0].filter | spoiled)


def test_the_command_names_documents_with_hits(tmp_path: Path) -> None:
    made, texts = _published(3)
    (tmp_path / "filter.json").write_text(json.dumps(made.filter))
    lines = [{"text": "an innocent line"}, {"text": f"copied: {texts[1]}"}]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = CliRunner().invoke(
        app, ["decontaminate", str(tmp_path / "corpus.jsonl"), "--filter", str(tmp_path / "filter.json")]
    )
    assert run.exit_code == 1, run.output
    found, total = (json.loads(line) for line in run.stdout.splitlines())
    assert found["document"].endswith("corpus.jsonl:2")
    assert (total["documents"], total["with_hits"]) == (2, 1)
