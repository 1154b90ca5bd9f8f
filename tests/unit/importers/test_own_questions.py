"""Questions of an owner's own that nobody has seen: what the pack and the command say of them."""

import json
import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.admission import soundness
from api.cli.main import built
from envs import registry
from grading import Answer, grade
from grading.verdict import Outcome
from packs import registry as formats
from packs.importers.golds import kind_of, references
from packs.pack import Pack
from packs.read import read_pack
from tests.unit.importers import test_harbor as harbor
from tests.unit.importers.test_formats import CHALLENGE, lines, write

DOCS = Path(__file__).parents[3] / "docs"
BIRDS: list[dict[str, Any]] = [
    {"question": "Which bird is said to bring babies?", "answer": "stork"},
    {"question": "How many toes has an ostrich's foot?", "answer": 2},
    {"question": "How wide does an albatross span?", "answer": "3.5 m"},
    {"question": "Area of a wing of chord c and span b?", "answer": "$b c$"},
    {"question": "Which of them flies?", "choices": ["emu", "swift"], "answer": "swift"},
]
WARNING = "a score here says nothing"


def converted(source: Path, name: str = "table", out: str = "birds", **options: Any) -> Pack:
    soundness.convert(name, source, source.parent / out, options)
    return read_pack(source.parent / out, registry)


def kinds(pack: Pack) -> list[str]:
    return [line.reference["kind"] for line in pack.references]


@pytest.fixture
def birds(tmp_path: Path) -> Path:
    return lines(tmp_path / "birds.jsonl", BIRDS)


def test_a_card_says_that_answers_are_public_only_where_they_are(birds: Path, tmp_path: Path) -> None:
    own = converted(birds).benchmark.card
    assert WARNING not in own
    assert "published" not in own
    assert "5 questions" in own
    assert WARNING in converted(birds, out="stated", published="yes").benchmark.card
    dataset = lines(tmp_path / "set/test.jsonl", BIRDS[:1]).parent
    assert WARNING in converted(dataset, "hub", "public").benchmark.card
    assert WARNING not in converted(dataset, "hub", "private", published="no").benchmark.card
    with pytest.raises(ValueError, match="published is yes or no, not 'perhaps'"):
        converted(birds, out="other", published="perhaps")


def test_a_challenge_is_not_published_unless_that_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "challenge"
    write(folder / "challenge_config.yaml", CHALLENGE.replace("templates/", ""))
    write(folder / "description.html", "<p>Birds.</p>")
    write(folder / "terms.html", "<p>Do not train on it.</p>")
    write(folder / "annotations/test.json", json.dumps({"annotations": BIRDS}))
    assert WARNING not in converted(folder, "evalai", phase="test").benchmark.card
    assert WARNING in converted(folder, "evalai", "said", phase="test", published="yes").benchmark.card


def test_a_canary_is_of_its_problems_alone_and_the_same_again(birds: Path, tmp_path: Path) -> None:
    canary = converted(birds).benchmark.canary
    assert re.fullmatch(r"HELDOUT CANARY [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}: .*", canary)
    assert converted(birds, out="again", slug="birds").benchmark.canary == canary
    assert converted(birds, out="geese").benchmark.canary != canary
    others = [BIRDS[0] | {"question": "Which bird brings them?"}, *BIRDS[1:]]
    assert converted(lines(tmp_path / "one/birds.jsonl", others)).benchmark.canary != canary
    golds = [BIRDS[0] | {"answer": "heron"}, *BIRDS[1:]]
    assert converted(lines(tmp_path / "two/birds.jsonl", golds)).benchmark.canary == canary, (
        "golds could be tried on it"
    )


def test_harbor_tasks_have_canaries_of_their_own_and_sealed_splits(tmp_path: Path) -> None:
    heads = [harbor.converted(harbor.written(tmp_path / name), slug=name)[0].benchmark for name in ("one", "two")]
    assert re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", heads[0].canary)
    assert heads[0].canary != heads[1].canary
    assert heads[0].splits["test"].feedback == "sealed"


def test_splits_are_as_the_starter_has_them(birds: Path) -> None:
    splits = converted(birds, dev=1).benchmark.splits
    ours = tomllib.loads((resources.files("heldout") / "starter/benchmark.toml").read_text())["splits"]
    assert splits["test"].feedback.value == ours["test"]["feedback"] == "sealed"
    assert (splits["dev"].feedback.value, splits["dev"].visibility.value) == ("open", ours["dev"]["visibility"])
    assert splits["test"].chance_level == 0.125, "one question of four has two choices"


@pytest.mark.parametrize(
    ("kind", "golds"),
    [
        ("exact", "stork; Aves; H2O; 1969-07-20; 12 May 1969; 42nd; 1990s; 3.11.2; Paris, London; T-rex; yes; 10-12"),
        ("numeric", "2; -2.5; 1,500; .5; 1/2; 2e3; 3.5 m; 12 km/h; 100 °C; 50%; $12; 12 eggs; 21 days; 6e23 mol^-1"),
        ("math", r"\frac{1}{2}; $x^2$; x^2+1; 2pi; (1, 2); 1, 2, 3; sqrt(2); [0, 1); π; x = 3; 3 × 10^8 m/s; 3:4"),
    ],
)
def test_a_gold_is_graded_by_what_it_looks_like(kind: str, golds: str) -> None:
    assert {gold: kind_of(gold) for gold in golds.split("; ")} == dict.fromkeys(golds.split("; "), kind)


@pytest.mark.parametrize(
    ("gold", "right", "wrong"),
    [
        ("stork", "Stork", "torks"),
        ("H2O", "H2O", "OH2"),
        ("1969-07-20", "1969-07-20", "1942"),
        ("3.5 m", "350 cm", "3.5 kg"),
        ("12 eggs", "There are 12 eggs.", "13"),
        ("x^2+1", "1 + x^2", "x^2"),
    ],
)
def test_what_a_gold_accepts(gold: str, right: str, wrong: str) -> None:
    first = references(gold)[0]
    assert grade(Answer(text=right), first).outcome is Outcome.CORRECT
    assert grade(Answer(text=wrong), first).outcome is Outcome.INCORRECT


def test_a_kind_is_set_for_all_rows_or_by_a_column(birds: Path, tmp_path: Path) -> None:
    assert kinds(converted(birds)) == ["exact", "numeric", "numeric", "math", "multiple_choice"]
    assert kinds(converted(birds, out="text", kind="exact")) == ["exact"] * 4 + ["multiple_choice"]
    rows = lines(tmp_path / "own/birds.jsonl", [BIRDS[0] | {"kind": "exact"}, BIRDS[1] | {"kind": ""}])
    assert kinds(converted(rows, out="columns", kind="math")) == ["exact", "math"]
    with pytest.raises(ValueError, match="there is no kind 'word'; known are"):
        converted(birds, out="none", kind="word")


def test_dev_deals_out_only_rows_that_say_no_split(tmp_path: Path) -> None:
    rows = [BIRDS[0] | {"split": "test"}, BIRDS[1], BIRDS[2]]
    pack = converted(lines(tmp_path / "birds.jsonl", rows), dev=1)
    assert [problem.split for problem in pack.problems] == ["test", "dev", "test"]
    said = lines(tmp_path / "all/birds.jsonl", [row | {"split": "test"} for row in rows])
    report = soundness.convert("table", said, tmp_path / "all/birds", {"dev": 1})
    assert "dev 1 did nothing: every row says its split itself" in report.notes


def test_the_command_says_what_was_written_and_what_comes_next(birds: Path, tmp_path: Path) -> None:
    out = tmp_path / "pack"
    arguments = ["convert", "table", str(birds), "--out", str(out), "--dev", "1"]
    done = CliRunner().invoke(built(), [*arguments, "--owner", "ornis", "--option", "licence=CC0-1.0"])
    assert done.exit_code == 0, done.output
    for line in (
        "split dev (public): 1 problems, graded as 1 exact",
        "split test (hidden, sealed, chance level 0.125): 4 problems, graded as 2 numeric, 1 math, 1 multiple_choice",
        "owner: ornis; licence: CC0-1.0",
        f"heldout packs check {out}",
    ):
        assert line in done.output.splitlines()
    assert read_pack(out, registry).benchmark.owner == "ornis"
    refused = CliRunner().invoke(built(), [*arguments[:4], str(tmp_path / "other"), "--owner", "Our Lab"])
    assert refused.exit_code == 1
    assert "the owner 'Our Lab' is no short name" in " ".join(refused.output.split())
    assert not (tmp_path / "other").exists()


def test_the_help_lists_every_format_and_column() -> None:
    shown = CliRunner().invoke(built(), ["convert", "--help"], env={"COLUMNS": "200"}).output
    words = set(re.findall(r"[\w-]+", shown))
    assert set(formats.importers()) <= words
    assert {"question", "statement", "gold", "choices", "kind", "split"} <= words


def test_the_example_of_the_docs_is_taken_whole(tmp_path: Path) -> None:
    text = (DOCS / "owners.md").read_text(encoding="utf-8")
    example = text[text.index("A table has these columns") :].split("```json\n")[1].split("```")[0]
    pack = converted(write(tmp_path / "birds.jsonl", example))
    assert kinds(pack) == ["exact", "numeric", "multiple_choice"]
    assert [problem.split for problem in pack.problems] == ["dev", "test", "test"]
