"""The pack of forms: made from its seed, passed by its oracles, failed by those who do nothing."""

import re
from pathlib import Path

import pytest

from api.admission import policies, simulation
from envs import registry
from envs.browser import chromium
from envs.web_forms import generator
from packs.pack import Pack
from packs.problem import ReferenceLine
from packs.read import read_pack

PACK = Path(__file__).parents[2] / "benchmarks" / "demo-forms"


def lines(pack: Pack, end: str) -> list[ReferenceLine]:
    """The references whose id has this end."""
    return [line for line in pack.references if line.id.endswith(end)]


def text(path: Path) -> str:
    """A file of a pack without its pictures, whose compression is the library's affair."""
    return re.sub(r"base64,[A-Za-z0-9+/=]+", "", path.read_text(encoding="utf-8"))


def test_the_pack_is_what_its_seed_makes(tmp_path: Path) -> None:
    made, other = tmp_path / "same", tmp_path / "other"
    assert generator.demo().write(made).kept == 48
    generator.demo(seed=1).write(other)
    for name in ("problems.jsonl", "references.jsonl", "benchmark.toml"):
        assert text(made / name) == text(PACK / name), f"run the generator again: {name} differs"
    assert (other / "references.jsonl").read_text() != (PACK / "references.jsonl").read_text()


def test_the_pack_has_twelve_pages_and_more_over_all_kinds_of_fields() -> None:
    pack = read_pack(PACK, registry)
    kinds = {field["type"] for line in pack.references for field in line.reference["fields"]}
    wanted = {"radio", "checkbox", "text", "textarea", "select", "range", "number", "email", "date", "hidden"}
    assert kinds == wanted
    assert len({problem.group for problem in pack.problems}) == 16


@pytest.mark.browser
async def test_every_oracle_passes_and_doing_nothing_fails(shared_browser: chromium.Chromium) -> None:
    chosen = lines(read_pack(PACK, registry), "-1")
    assert len(chosen) == 16
    played = await simulation.simulate_episodes(chosen, policies.gold, at_once=2)
    assert {result.id: (result.verdict.score, result.error) for result in played if result.verdict.score != 1.0} == {}
    idle = await simulation.simulate_episodes(chosen, lambda _: lambda *_: None, at_once=2)
    assert {result.id: result.verdict.score for result in idle if result.verdict.score != 0.0} == {}


@pytest.mark.browser
async def test_a_siblings_oracle_does_not_pass(shared_browser: chromium.Chromium) -> None:
    first, second = lines(read_pack(PACK, registry), "-2"), lines(read_pack(PACK, registry), "-3")
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if "drag" not in a.id][:4]
    crossed = [a.model_copy(update={"oracle": b.oracle}) for a, b in pairs]
    played = await simulation.simulate_episodes(crossed, policies.gold, at_once=2)
    same = [a.id for a, b in pairs if a.reference == b.reference]
    assert [result.id for result in played if result.verdict.score == 1.0 and result.id not in same] == []
