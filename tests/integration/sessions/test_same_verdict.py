"""An owner who checks a pack sees the verdicts that the service will give: there is one player and one judge."""

import dataclasses
from typing import Any
from uuid import UUID

import pytest

from api.admission import policies, simulation
from api.admission.baselines import Item
from api.cli.baselines.participant import Participant
from api.hosting.server import Host
from api.submissions.repository import SubmissionRepository
from packs.pack import Pack
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack
from tests.support.unsteady import Printing, instead_of_echo

AMBER = {"text": "amber"}
WAVE = {"tool": {"name": "wave", "arguments": {}}}
# The oracle of an episode whose check is that "amber" was said, and how it ends.
CASES: dict[str, tuple[list[dict[str, Any]], str, str]] = {
    "it ends the episode": ([AMBER, {"text": "finish[done]"}], "completed", "correct"),
    "it stops": ([AMBER], "completed", "correct"),
    "it says something else": ([{"text": "teal"}, {"text": "finish[done]"}], "completed", "incorrect"),
    "it calls an unknown tool": ([AMBER, WAVE, AMBER], "invalid_action", "incorrect"),
    "it does what is no action": ([AMBER, {"do": "nothing"}, AMBER], "invalid_format", "incorrect"),
    "it takes every step": ([AMBER] * 5, "task_limit", "correct"),
    "it ends its own sandbox": ([AMBER, {"text": "die"}], "invalid_action", "incorrect"),
    "nobody can look": ([AMBER], "completed", "unscored"),
}


def _pack() -> Pack:
    pack = echo_pack("same", count=len(CASES), steps=4)
    lines = []
    for line, (name, (oracle, _, _)) in zip(pack.references[: len(CASES)], CASES.items(), strict=True):
        assert line.episode
        probe = {"name": "log", "kind": "nothing" if name == "nobody can look" else "said"}
        check = {"compare": "containing", "left": {"source": "probe", "probe": "log"}, "right": _text("amber")}
        changed = {
            "reference": {"kind": "commands", "checks": [check]},
            "oracle": oracle,
            "gold": None,
            "episode": line.episode.model_dump() | {"probes": [probe]},
        }
        lines.append(type(line).model_validate(line.model_dump() | changed))
    return dataclasses.replace(pack, references=(*lines, *pack.references[len(CASES) :]))


def _text(text: str) -> dict[str, str]:
    return {"source": "text", "text": text}


async def _verdicts(
    service: Service, submission: str
) -> dict[str, tuple[str | None, str | None, float | None, str | None]]:
    async with service.admin.session() as session:
        named = await SubmissionRepository(session).named_verdicts(UUID(hex=submission.removeprefix("sub_")))
    return {name: (one.finish_reason, one.outcome, one.score, one.reason) for name, one in named.items()}


async def test_admission_and_service_agree(
    service: Service, host: Host, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    del host
    instead_of_echo(monkeypatch, Printing)
    monkeypatch.setattr(simulation, "_PAUSES", (0.0, 0.0))
    pack = _pack()
    await service.publish(pack)
    lines = pack.references[: len(CASES)]
    simulated = await simulation.simulate_episodes(lines, policies.gold)
    told = {one.id: (one.finish, one.verdict.outcome, one.verdict.score, one.verdict.reason) for one in simulated}
    wanted = {line.id: case[1:] for line, case in zip(lines, CASES.values(), strict=True)}
    assert {name: one[:2] for name, one in told.items()} == wanted

    aliases = dict(zip((line.id for line in lines), await player.episodes(slug="same"), strict=True))
    posted = [{"problem": aliases[line.id], "trajectory": list(line.oracle)} for line in lines]
    body = {"benchmark": "same", "split": "dev", "model": {"name": "m"}, "items": posted}
    done = await player.caller.post("/v1/submissions", json=body)
    assert done.status_code == 202, done.text
    await service.work()
    await service.work()
    assert await _verdicts(service, done.json()["id"]) == told

    # Acting step by step, a participant cannot send what is no action.
    live = {line.id: Item(policy=policies.gold(line)) for line in lines if told[line.id][0] != "invalid_format"}
    headers = {"Authorization": f"Bearer {player.caller.key}"}
    service.client.headers.update(headers)
    run = await Participant(service.client, aliases).run("same", "dev", live)
    await service.work()
    assert await _verdicts(service, run.submission) == {name: told[name] for name in live}
