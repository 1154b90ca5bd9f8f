"""The operator's model as host: the service's judge settings, recordings that outlive a process, and the agreement."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from envs import registry
from envs.base import InfrastructureError
from envs.lateral_thinking import operators
from envs.lateral_thinking.environment import LateralThinking
from envs.lateral_thinking.hosts import FactHost
from envs.lateral_thinking.importers.agentbench_ltp import read
from envs.lateral_thinking.spec import LateralThinkingSpec
from tests.support.listening import listening
from tests.unit.envs.lateral_thinking.test_lateral_thinking import GOLD, SPEC
from tests.unit.envs.lateral_thinking.test_model import Script, played
from tests.unit.envs.lateral_thinking.test_packs import ROW, sheet
from tools.check_lateral_thinking import measured, puzzles_of

PACK = Path(__file__).parents[4] / "benchmarks" / "live-ltp"


def endpoint(script: Script) -> FastAPI:
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def chat(body: dict[str, Any]) -> dict[str, Any]:
        script.asked += 1
        system, data = body["messages"][0]["content"], json.loads(body["messages"][1]["content"])
        return {"choices": [{"message": {"content": await script.said(system, data)}}]}

    return app


async def test_the_judge_of_the_settings_hosts_and_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELDOUT_RECORDINGS", str(tmp_path / "kept"))
    for name in ("URL", "MODEL", "KEY_FILE"):
        monkeypatch.delenv(f"HELDOUT_JUDGE_{name}", raising=False)
    with pytest.raises(InfrastructureError, match="set HELDOUT_JUDGE_URL"):
        await registry.create("lateral_thinking").reset(SPEC | {"host": "model"}, 0)
    script = Script()
    async with listening(endpoint(script)) as port:
        monkeypatch.setenv("HELDOUT_JUDGE_URL", f"http://127.0.0.1:{port}/v1")
        monkeypatch.setenv("HELDOUT_JUDGE_MODEL", "host-1")
        first = await played(LateralThinking(), GOLD, host="model")
    assert first == await played(LateralThinking(), GOLD)
    # Nobody answers any more, and a process that begins anew plays the same course.
    assert await played(LateralThinking(), GOLD, host="model") == first
    kept = operators.Recording(tmp_path / "kept")
    assert script.asked == len(kept) > len(GOLD)
    assert {oct(path.stat().st_mode & 0o777) for path in (tmp_path / "kept").rglob("*") if path.is_file()} == {"0o600"}


def test_a_recording_keeps_what_it_was_told_first(tmp_path: Path) -> None:
    one, other = operators.Recording(tmp_path), operators.Recording(tmp_path)
    with pytest.raises(KeyError):
        one["aa11"]
    one["aa11"] = "yes"
    other["aa11"] = "no"
    assert (one["aa11"], list(other), len(one)) == ("yes", ["aa11"], 1)
    del other["aa11"]
    assert "aa11" not in one


def test_sheets_can_be_left_to_the_operators_model(tmp_path: Path) -> None:
    path = sheet(tmp_path / "dev.xlsx", ROW)
    drafts = {"facts": read(path), "model": read(path, host="model")}
    hosts = [draft.references[0].episode.spec.get("host") for draft in drafts.values() if draft.references[0].episode]
    assert hosts == [None, "model"]
    assert (drafts["facts"].soundness is None, drafts["model"].soundness is None) == (False, True)
    with pytest.raises(ValueError, match="there is no host 'me'"):
        read(path, host="me")  # type: ignore[arg-type]


class Scripted:
    """A model that decides as the facts do, but says the opposite of yes and no in a share of questions."""

    name = "scripted"

    def __init__(self, puzzles: list[tuple[LateralThinkingSpec, list[str]]], wrong: float) -> None:
        self._hosts = {spec.story: (spec, FactHost(spec)) for spec, _ in puzzles}
        self._wrong, self._draw, self._last = wrong, random.Random(1), next(iter(self._hosts.values()))

    async def complete(self, system: str, user: str) -> str:
        data = json.loads(user)
        if "You host" in system:
            self._last = next(pair for story, pair in self._hosts.items() if story in system)
            word = await self._last[1].reply(data["question"], ())
            return {"yes": "no", "no": "yes"}.get(word, word) if self._draw.random() < self._wrong else word
        if "first" in data:
            spec, facts = self._last
            return "yes" if await facts.contains(spec.keys.index(data["first"]), data["second"]) else "no"
        if "sentences" in data:
            return " ".join(data["sentences"])
        return await self._last[1].statement(data["question"], "opposite" in system)

    async def close(self) -> None:
        pass


def test_the_agreement_is_what_the_script_makes_it() -> None:
    puzzles = puzzles_of(PACK, 40)
    same = asyncio.run(measured(puzzles, Scripted(puzzles, 0.0), 0))
    assert (same.share, same.kappa, same.found) == (1.0, 1.0, same.keys)
    assert len(same.pairs) == 240
    worse = asyncio.run(measured(puzzles, Scripted(puzzles, 0.2), 0))
    assert 0.7 < worse.share < 0.95
    assert worse.kappa < worse.share
    assert worse.found < worse.keys
