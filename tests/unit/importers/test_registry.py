"""Importers and generators of any distribution are found by their names, and played and written in one way."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from envs import registry as environments
from packs import registry
from packs.importers import mmlu
from packs.read import read_pack
from tests.support.installing import EXAMPLE, install_metadata, install_project


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, for distributions that only one test has."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    registry._listed.cache_clear()
    yield folder
    registry._listed.cache_clear()


def test_every_name_leads_to_a_function_with_options() -> None:
    names = registry.importers()
    assert {
        "agentbench-os",
        "agentbench-db",
        "agentbench-wb",
        "jsonl",
        "turkingbench",
        "webarena",
        "webarena-verified",
    } <= set(names)
    for name in names:
        assert "source" not in registry.options(registry.importer(name))
    known = [
        "card-game",
        "database",
        "household",
        "knowledge-graph",
        "lateral-thinking",
        "operating-system",
        "web-browsing",
        "web-forms",
        "web-shopping",
        "web-sites",
        "web-vision",
    ]
    assert registry.generators() == known
    for name in registry.generators():
        assert {"seed", "count", "split", "slug"} <= set(registry.options(registry.generator(name)))


@pytest.mark.parametrize("find", [registry.importer, registry.generator])
def test_an_unknown_name_gets_the_nearest_and_all_known_ones(find: Callable[[str], object]) -> None:
    near, known = (
        ("agentbench-os", "arb") if find is registry.importer else ("operating-system", "database, .*operating-system")
    )
    with pytest.raises(registry.UnknownNameError, match=rf"did you mean '{near}'\? \(known are .*{known}"):
        find(near.replace("-", "_"))
    with pytest.raises(registry.UnknownNameError, match="'zzzz'; known are "):
        find("zzzz")


def test_a_name_that_two_distributions_have_is_nobodys(site: Path) -> None:
    install_metadata(site, "other-maths", "2.1", {"heldout.importers": {"math": "other:read", "sums": "other:read"}})
    with pytest.raises(ValueError, match=r"'math' is declared by heldout-server \S+ and other-maths 2.1; uninstall"):
        registry.importer("math")
    assert registry.importer("mmlu") is mmlu.read
    with pytest.raises(ValueError, match=r"'sums' of other-maths 2.1 \(other:read\) cannot be loaded: ModuleNotFound"):
        registry.importer("sums")


def command(site: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and output of `heldout-server`, in one line, with the distributions of `site` installed."""
    path = os.pathsep.join([str(site), str(Path(__file__).parents[3])])
    done = subprocess.run(
        [sys.executable, "-m", "api.cli.main", *arguments],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_another_distribution_adds_an_importer_and_a_generator(tmp_path: Path) -> None:
    install_project(EXAMPLE, tmp_path / "site")
    source = tmp_path / "words.tsv"
    source.write_text("amber\tamber\nbirch\tbeech\ncedar\tcedar\n")
    code, output = command(tmp_path / "site", "convert", "flashcards", str(source), "--out", str(tmp_path / "trees"))
    assert code == 0, output
    assert "3 samples read, 2 kept, 1 left out" in output
    assert "left out, gold fails: 1 card-2: its own gold is incorrect" in output
    pack = read_pack(tmp_path / "trees", environments)
    assert (pack.benchmark.slug, [problem.id for problem in pack.problems]) == ("trees", ["card-1", "card-3"])
    code, output = command(
        tmp_path / "site", "generate", "flashcards", "--out", str(tmp_path / "fresh"), "--count", "3"
    )
    assert code == 0, output
    assert "3 kept, 0 left out" in output
    assert len(read_pack(tmp_path / "fresh", environments).problems) == 3
    code, output = command(tmp_path / "nothing", "convert", "flashcards", str(source), "--out", str(tmp_path / "other"))
    assert code == 1
    assert "there is no importer 'flashcards'; known are agentbench-db" in output
