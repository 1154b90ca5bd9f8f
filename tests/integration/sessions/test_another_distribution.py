"""A world of another distribution is checked, admitted and played by the service, without one line changed here."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.admission import policies, simulation
from api.hosting.server import Host
from envs import registry
from packs.pack import Pack
from packs.problem import Episode, Problem, ReferenceLine
from packs.read import PackError, read_pack
from packs.write import write_pack
from tests.support.installing import EXAMPLE, install_project
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack

CARDS = {"low": 2, "high": 12}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The example distribution is installed, for one test."""
    install_project(EXAMPLE, tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr(registry, "loaded", {})
    registry.entry_points_by_name.cache_clear()
    yield
    registry.entry_points_by_name.cache_clear()
    for name in [name for name in sys.modules if name.split(".")[0] == "heldout_example"]:
        del sys.modules[name]


def written(folder: Path, field: str = "card") -> Path:
    """A pack of card games in the public split, and echoes in the others."""
    pack = echo_pack("games", count=1)
    problems = [problem for problem in pack.problems if problem.split != "dev"]
    lines = [line for line in pack.references if not line.id.startswith("dev")]
    for name, card in CARDS.items():
        problems.append(Problem(id=name, split="dev", type="cards", subject="play", statement="Guess.", episode=True))
        episode = {"environment": "card_guessing", "spec": {field: card}, "probes": [{"name": "g", "kind": "guesses"}]}
        lines.append(
            ReferenceLine(
                id=name,
                reference={"kind": "exact", "value": str(card)},
                episode=Episode.model_validate(episode),
                oracle=({"text": "7"}, {"text": str(card)}),
            )
        )
    write_pack(folder, pack.benchmark, problems, lines)
    return folder


@pytest.mark.usefixtures("installed")
async def test_it_is_checked_admitted_and_played(service: Service, host: Host, player: Player, tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"episode\.spec\.crad: this field is not known; did you mean 'card'\?"):
        read_pack(written(tmp_path / "misspelt", "crad"), registry)
    pack: Pack = read_pack(written(tmp_path / "games"), registry)

    games = [line for line in pack.references if line.id in CARDS]
    simulated = await simulation.simulate_episodes(games, policies.gold)
    assert [one.verdict.outcome.value for one in simulated] == ["correct", "correct"]
    assert [one.evidence[0].value for one in simulated] == [["7", "2"], ["7", "12"]]

    await service.publish(pack)
    hints = []
    for problem in await player.episodes("dev", "games"):
        opened = await player.opened(problem)
        assert opened["observation"]["text"] == "Guess my card, from 1 to 13."
        first = await player.said(opened["id"], 1, "7")
        assert first["observation"]["data"] == {"reward": -1.0}
        hints.append(first["observation"]["text"])
        card = "12" if hints[-1] == "higher" else "2"
        last = await player.said(opened["id"], 2, card)
        assert (last["finish_reason"], last["answer"]) == ("completed", card)
        await service.work()
        assert (await player.show(opened["id"]))["verdict"]["outcome"] == "correct"
    assert sorted(hints) == ["higher", "lower"]


def test_without_the_distribution_its_world_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="there is no environment 'card_guessing'; did you mean 'card_game'"):
        read_pack(written(tmp_path / "games"), registry)
