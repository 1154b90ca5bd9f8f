"""Golds are played before a pack is written, and what is unsound is left out or marked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from api.admission import soundness
from envs import registry
from envs.base import InfrastructureError, SpecError
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Finding, Soundness
from packs.problem import Episode, Problem, ReferenceLine
from packs.read import read_pack
from packs.report import Report
from tests.support.unsteady import Refusing, instead_of_echo

GOOD, WRONG, IDLE, BROKEN = "good", "wrong", "idle", "broken"


@pytest.fixture(autouse=True)
def _an_echo_that_may_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_echo(monkeypatch, Refusing)


def line(name: str) -> ReferenceLine:
    """An echo episode: sound, with a wrong gold, passed by who says nothing, or one that cannot be built."""
    reference: dict[str, Any] = {"kind": "exact", "value": "yes"}
    if name == IDLE:
        # Nothing is committed to, but the log has an action.
        check = {"compare": "string", "left": {"source": "text", "text": "a"}, "right": {"source": "text", "text": "a"}}
        reference = {"kind": "commands", "checks": [check]}
    return ReferenceLine(
        id=name,
        reference=reference,
        episode=Episode(environment="echo", spec={"greeting": "refuse"} if name == BROKEN else {}, steps=2),
        oracle=({"text": "finish[no]" if name == WRONG else "finish[yes]"},),
    )


def draft(wish: Soundness | None, *names: str) -> DraftPack:
    """A pack of such episodes."""

    def card(kept: Sequence[Problem]) -> Benchmark:
        return cards.live("echoes", "dev", 1, title="Echoes", summary="?", card=f"{len(kept)} left", scoring=Scoring())

    problems = [
        Problem(id=name, split="dev", type="echo", subject="s", statement=f"Say {name}.", episode=True)
        for name in names
    ]
    return DraftPack(
        Report("echoes", read=len(names)),
        problems,
        [line(name) for name in names],
        card=card,
        soundness=wish,
        notes=lambda kept: [f"{len(kept)} of them"],
    )


def written(tmp_path: Path, wish: Soundness | None, *names: str, check: bool | None = True) -> tuple[Report, list[str]]:
    """The report, and the ids in the pack."""
    report = soundness.write_sound(lambda: draft(wish, *names), tmp_path / "pack", check)
    pack = read_pack(tmp_path / "pack", registry)
    assert f"{len(pack.problems)} left" in pack.benchmark.card
    assert [problem.id for problem in pack.problems] == [reference.id for reference in pack.references]
    return report, [problem.id for problem in pack.problems]


def remarks(found: Sequence[Any]) -> dict[str, str]:
    return {remark.id: remark.kind for remark in found}


UNSOUND = {WRONG: "gold fails", IDLE: "idle passes", BROKEN: "broken"}


def test_what_is_unsound_is_left_out_or_marked(tmp_path: Path) -> None:
    report, kept = written(tmp_path, Soundness(), WRONG, GOOD, IDLE, BROKEN)
    assert (kept, report.kept, remarks(report.excluded), report.marked) == ([GOOD], 1, UNSOUND, [])
    report, kept = written(tmp_path / "marked", Soundness(exclude=False), WRONG, GOOD, IDLE, BROKEN)
    assert (kept, report.kept, remarks(report.marked)) == ([WRONG, GOOD, IDLE, BROKEN], 4, UNSOUND)
    assert report.notes[-1] == "4 of them"


def test_a_draft_says_which_golds_are_played_and_how(tmp_path: Path) -> None:
    _, kept = written(tmp_path / "some", Soundness(ids={GOOD, WRONG}), WRONG, GOOD, IDLE)
    assert kept == [GOOD, IDLE]
    _, kept = written(tmp_path / "idle", Soundness(idle=False), GOOD, IDLE)
    assert kept == [GOOD, IDLE]
    _, kept = written(tmp_path / "least", Soundness(idle=False, least=0.0), GOOD, WRONG)
    assert kept == [GOOD, WRONG]


def test_a_world_looks_for_itself_and_its_faults_are_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.admission.simulation._PAUSES", (0.0, 0.0))
    looked: list[str] = []

    async def examine(seen: ReferenceLine) -> Finding | None:
        looked.append(seen.id)
        if len(looked) == 1:
            raise InfrastructureError("the server went away")
        if seen.id == "second":
            return Finding("contradicted", "the query says otherwise")
        if seen.id == "third":
            raise SpecError("no such table")
        return Finding("unverified", "no query", unsound=False) if seen.id == "fourth" else None

    report, kept = written(tmp_path, Soundness(examine=examine), GOOD, "second", "third", "fourth", WRONG)
    assert sorted(looked) == sorted([GOOD, GOOD, "second", "third", "fourth"])
    assert kept == [GOOD, "fourth"]
    assert remarks(report.excluded) == {WRONG: "gold fails", "second": "contradicted", "third": "broken"}
    assert remarks(report.marked) == {"fourth": "unverified"}


def test_what_is_not_played_is_said(tmp_path: Path) -> None:
    report, kept = written(tmp_path / "a", Soundness(), GOOD, WRONG, check=False)
    assert (kept, report.notes[0]) == ([GOOD, WRONG], soundness.UNPLAYED)
    report, kept = written(tmp_path / "b", Soundness(), GOOD, WRONG, check=None)
    assert (kept, report.notes[0]) == ([GOOD, WRONG], soundness.UNPLAYED)
    able = Soundness(trial=Episode(environment="echo", spec={}))
    assert written(tmp_path / "c", able, GOOD, WRONG, check=None)[1] == [GOOD]
    report, kept = written(tmp_path / "d", None, GOOD, WRONG, check=None)
    assert (kept, report.notes) == ([GOOD, WRONG], ["2 of them"])


def test_nothing_left_is_an_error_that_says_why(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no sample of 1 can be converted(?s:.*)1 of 1: its own gold is incorrect"):
        soundness.write_sound(lambda: draft(Soundness(), WRONG), tmp_path / "pack", True)
    assert not (tmp_path / "pack").exists()


def test_a_check_that_an_importer_has_nothing_for_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "rows.jsonl"
    source.write_text('{"question": "City?", "answer": "Bern"}')
    with pytest.raises(ValueError, match="'jsonl' has no episodes whose golds could be played; leave --check out"):
        soundness.convert("jsonl", source, tmp_path / "pack", {}, check=True)
    assert not (tmp_path / "pack").exists()
