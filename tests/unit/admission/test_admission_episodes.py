"""The admission check of episodes: a sound pack passes, and each hole is named. Played in the echo environment."""

import dataclasses
from typing import Any

import pytest

from api.admission import simulation
from api.admission.check import check_pack
from api.admission.report import AdmissionReport, refusals, summary
from packs.pack import Pack
from tests.support.sessions import echo_pack
from tests.support.unsteady import Absent, instead_of_echo

COLOURS = ("amber", "indigo", "scarlet", "teal")


def _pack(*, reference: dict[str, Any] | None = None, oracle: str = "finish[{}]", **hidden: Any) -> Pack:
    pack = echo_pack(count=4, **hidden)
    lines = [
        line.model_copy(
            update={
                "gold": COLOURS[number % 4],
                "reference": reference or {"kind": "exact", "value": COLOURS[number % 4]},
                "oracle": ({"text": oracle.format(COLOURS[number % 4])},),
            }
        )
        for number, line in enumerate(pack.references)
    ]
    return dataclasses.replace(pack, references=tuple(lines))


def _scores(report: AdmissionReport, split: str = "test") -> dict[str, float]:
    return {one.name: one.score for found in report.episodes if found.split == split for one in found.participants}


def _failed(report: AdmissionReport) -> set[str]:
    return {one.name for split in report.episodes for one in split.participants if not one.passed}


async def test_a_sound_pack_passes() -> None:
    report = await check_pack(_pack(), episodes=None)
    assert report.passed
    assert [(found.split, found.episodes, found.played) for found in report.episodes] == [
        ("test", 4, 4),
        ("private", 4, 4),
    ]
    scores = _scores(report)
    assert scores.pop("gold") == 1.0
    assert {"null", "echo", "another's-oracle", "answer-everything", "judge-injection"} <= set(scores)
    assert set(scores.values()) == {0.0}
    told = summary(report)
    assert told["passed"] is True
    # Who passed, and no scores: what is known of these participants' answers would say how many golds they hit.
    passed = dict.fromkeys(_scores(report, "test"), True)
    assert told["episodes"] == {
        name: {"passed": True, "episodes": 4, "played": 4, "chance_level": 0.0, "participants": passed}
        for name in ("test", "private")
    }


async def test_an_answer_that_passes_without_acting_is_found() -> None:
    report = await check_pack(_pack(reference={"kind": "exact", "value": "0"}, oracle="finish[0]"), episodes=None)
    assert not report.passed
    assert "constant" in _failed(report)
    assert any("without acting" in line for line in refusals(report))


async def test_a_check_that_another_tasks_oracle_passes_is_found() -> None:
    reference = {"kind": "exact", "value": "amber", "alternatives": list(COLOURS)}
    report = await check_pack(_pack(reference=reference), episodes=None)
    assert _failed(report) == {"another's-oracle"}


async def test_an_oracle_that_fails_is_found() -> None:
    report = await check_pack(_pack(oracle="finish[not {}]"), episodes=None)
    assert _failed(report) == {"gold"}
    assert _scores(report)["gold"] == 0.0


async def test_a_sample_is_played_and_told() -> None:
    report = await check_pack(_pack(), episodes=2)
    assert [(found.episodes, found.played) for found in report.episodes] == [(4, 2), (4, 2)]
    assert report.passed
    assert any("2 of 4 episodes" in note for note in report.not_covered)


async def test_what_cannot_be_played_here_is_told_and_fails_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "_PAUSES", (0.0, 0.0))
    instead_of_echo(monkeypatch, Absent)
    report = await check_pack(_pack(), episodes=None)
    assert report.passed
    assert [found.played for found in report.episodes] == [0, 0]
    assert all("no engine" in reason for found in report.episodes for reason in found.unplayed.values())
    assert any("could not be played" in note for note in report.not_covered)
    assert "no engine" not in str(summary(report)), "what is public tells nothing of the machine"
