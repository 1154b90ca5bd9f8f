"""Generators of live packs: the same for the same seed, and the packs in the repository are theirs."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.admission import soundness
from api.cli.main import built
from envs import registry
from packs.read import read_pack

ROOT = Path(__file__).parents[3]
SEED = 20261121


@pytest.mark.parametrize(("name", "slug"), [("operating-system", "live-os"), ("database", "live-db")])
def test_packs_are_what_their_generators_make(name: str, slug: str, tmp_path: Path) -> None:
    shipped = read_pack(ROOT / "benchmarks" / slug, registry)
    soundness.generate(name, tmp_path / "same", {"seed": SEED, "split": "dev"}, check=False)
    same = read_pack(tmp_path / "same", registry)
    assert len(shipped.problems) == 24
    assert same.digest == shipped.digest
    soundness.generate(name, tmp_path / "other", {"seed": SEED + 1}, check=False)
    other = read_pack(tmp_path / "other", registry)
    assert other.benchmark.splits["test"].visibility == "private"
    assert {p.statement for p in other.problems}.isdisjoint({p.statement for p in shipped.problems})


def told(*arguments: str) -> tuple[int, str]:
    """What `heldout-server generate` says, in one line."""
    result = CliRunner().invoke(built(), ["generate", *arguments])
    return result.exit_code, " ".join(result.output.split())


def test_the_command_makes_a_private_pack_from_a_seed_that_it_tells(tmp_path: Path) -> None:
    code, said = told("web-forms", "--out", str(tmp_path / "one"), "--count", "20", "--slug", "our-forms")
    assert code == 0, said
    seed = said.split("forms, seed ")[1].split(":")[0]
    assert int(seed) >= 2**32
    assert "can be guessed" not in said
    one = read_pack(tmp_path / "one", registry)
    assert (one.benchmark.slug, len(one.problems), set(one.benchmark.splits)) == ("our-forms", 20, {"test"})
    again = ("web-forms", "--out", str(tmp_path / "two"), "--count", "20", "--slug", "our-forms", "--seed")
    assert told(*again, seed)[0] == 0
    assert read_pack(tmp_path / "two", registry).digest == one.digest
    code, said = told(*again, "5")
    assert code != 0
    assert "exists" in said


def test_an_owners_plots_go_to_the_generator_by_the_command(tmp_path: Path) -> None:
    plots = tmp_path / "plots.txt"
    lines = ["# one", "Slot thing: lamp / torch", "Story: A {thing} shines.", "Truth: It is a signal."]
    plots.write_text("\n".join([*lines, "1 It is a signal. = signal", ""]))
    command = ("lateral-thinking", "--out", str(tmp_path / "own"), "--count", "1", "--no-check", "--option")
    code, said = told(*command, f"plots={plots}")
    assert code == 0, said
    (puzzle,) = read_pack(tmp_path / "own", registry, grade_gold=False).references
    assert puzzle.episode
    assert puzzle.episode.spec["keys"] == ["It is a signal."]
    for wrong, words in (("plots", "name=value"), ("plot=x", "no option plot")):
        code, said = told(*command[:2], str(tmp_path / "not"), *command[3:], wrong)
        assert code != 0
        assert words in said


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    assert "--slug 'A b'" in told("web-forms", "--out", str(tmp_path / "a"), "--slug", "A b")[1]
    assert "seed 5 can be guessed" in told("web-forms", "--out", str(tmp_path / "b"), "--count", "1", "--seed", "5")[1]
    assert not (tmp_path / "a").exists()
